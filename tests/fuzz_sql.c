/*
 * fuzz_sql.c: the fuzzer's way into the lexers of SQL, the reductions, the
 * fingerprints and the splitter.
 *
 * The first byte chooses the dialect and whether the text is canonical, the
 * second the sql_mode; the rest is a statement and, for the splitter, a
 * script.  `make fuzz` builds and runs it.
 */
#include <stdlib.h>

#include "../model/sql/digest.h"

#define MEMORY ((size_t)256 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
digest(struct pp_mem *mem, const struct pp_digest_options *o, pp_str sql)
{
	struct pp_digester *d = pp_digester_open(mem, o);
	char hash[PP_DIGEST_HASH];
	const char *why;
	pp_str text, again;
	char *copy;

	if (pp_digest_text(d, sql, &text)) {
		/* no token gets longer than the longest spelling */
		PP_ASSERT(text.n <= 32 * sql.n + 64);
		(void)pp_digest_hash(d, hash, &why);
		copy = pp_mem_alloc(mem, text.n);
		memcpy(copy, text.p, text.n);
		(void)pp_digest_text(d, (pp_str){copy, text.n}, &again);
		pp_mem_free(mem, copy);
	}
	pp_digester_close(d);
}

static void
split(const struct pp_digest_options *o, pp_str script)
{
	struct pp_sql_split s = {.server = o->server, .mode = o->mode};
	size_t n, skip;

	while (script.n != 0) {
		n = pp_sql_split(&s, script, &skip);
		PP_ASSERT(skip > 0 && n <= skip && skip <= script.n);
		script = pp_str_skip(script, skip);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct pp_digest_options o;
	struct pp_mem mem;
	jmp_buf trap;
	pp_str sql;
	char *copy;

	if (n < 2)
		return 0;
	memset(&o, 0, sizeof(o));
	o.server = (enum pp_sql_server)(data[0] % (PP_SQL_PT_35 + 1));
	o.canonical = (data[0] & 0x80) != 0;
	o.loose = (data[0] & 0x40) != 0;
	o.mode = data[1] & 0x1f;
	o.max_length = data[1] & 0x20 ? 64 : 0;
	o.embedded = (data[1] & 0x40) != 0;
	o.checksums = (data[1] & 0x80) != 0;
	pp_mem_init(&mem, MEMORY);
	mem.trap = &trap;
	if (setjmp(trap) != 0)
		abort();
	/* a block of its own, so that a step past the end is found */
	copy = malloc(n - 2 + (n == 2));
	if (copy == NULL)
		abort();
	memcpy(copy, data + 2, n - 2);
	sql = (pp_str){copy, n - 2};
	digest(&mem, &o, sql);
	split(&o, sql);
	free(copy);
	pp_mem_free_all(&mem);
	return 0;
}
