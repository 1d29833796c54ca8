/*
 * archive_check.c: `archive verify`: is every byte as it was written?
 */
#include "archive.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <openssl/evp.h>

#include "../model/container/columns.h"
#include "../model/container/segments.h"

struct check {
	struct pp_archive_run *a;
	struct pp_store *s;
	uint64_t faults;
	uint64_t stream;	/* where the next payload should stand */
	uint64_t members;
	struct libdeflate_decompressor *inflate;
	unsigned char *plain;
};

static void
fault(struct check *c, uint64_t at, const char *what)
{
	c->faults++;
	pp_run_say(&c->a->run, "%s: byte %" PRIu64 ": %s", c->a->path, at,
	    what);
}

/* The payload of a DATA member, its CRC and its place. */
static void
check_data(struct check *c, const struct pp_scan *scan,
    const struct pp_member *m)
{
	size_t got = 0;

	if (libdeflate_gzip_decompress(c->inflate, scan->buf, m->bytes,
	    c->plain, m->payload, &got) != LIBDEFLATE_SUCCESS ||
	    got != m->payload)
		fault(c, m->at, "damaged data");
}

static const struct pp_entry *
entry_numbered(const struct pp_store *s, uint32_t number)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->v[i].number == number)
			return &s->v[i];
	return NULL;
}

static void
check_member(struct check *c, const struct pp_scan *scan,
    const struct pp_member *m)
{
	const struct pp_entry *e;

	c->members++;
	if (m->stream != c->stream)
		fault(c, m->at, "its place among all that gunzip shows is "
		    "not what stands before it");
	c->stream = m->stream;
	if (m->type == PP_MEMBER_DATA)
		check_data(c, scan, m);
	else if (m->payload != 0)
		fault(c, m->at, "a payload where none should be");
	c->stream += m->payload;
	e = entry_numbered(c->s, m->profile);
	if (scan->foreign > 0 && e != NULL)
		c->stream += e->payload;
}

/* Every member from the first byte of the file to its last. */
static void
check_members(struct check *c)
{
	struct pp_scan scan;
	struct pp_member m, last = {.bytes = 0};

	pp_scan_open(&scan, c->s, false);
	while (pp_scan_next(&scan, &m)) {
		if (scan.skipped > 0)
			fault(c, scan.skipped_at, "damaged: no member is "
			    "whole here");
		check_member(c, &scan, &m);
		last = m;
	}
	if (c->s->err[0] != '\0')
		fault(c, scan.at, c->s->err);
	if (scan.skipped > 0)
		fault(c, scan.skipped_at, "what follows is no whole member: "
		    "cut, or a writer died");
	else if (last.type != PP_MEMBER_COMMIT)
		fault(c, last.at, "the file does not end with a commit");
	pp_scan_close(&scan);
}

/* Is every profile what was added? */
static void
check_profile(struct check *c, const struct pp_entry *e)
{
	struct pp_stored *r = pp_stored_open(c->s, e);
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	unsigned char sum[32];
	char text[200];
	unsigned n = 0;
	size_t got;
	bool ok;

	if (md == NULL || EVP_DigestInit_ex(md, EVP_sha256(), NULL) != 1)
		pp_mem_fail(&c->a->run.mem);
	do {
		ok = pp_stored_read(r, c->plain, PP_MEMBER_PAYLOAD, &got);
		EVP_DigestUpdate(md, c->plain, got);
	} while (ok && got > 0);
	snprintf(text, sizeof(text), "profile %u: %.150s",
	    (unsigned)e->number, ok ? "what is kept has another SHA-256 than "
	    "what was added" : c->s->err);
	if (EVP_DigestFinal_ex(md, sum, &n) != 1 || !ok ||
	    memcmp(sum, e->sha256, 32) != 0)
		fault(c, e->begin, text);
	EVP_MD_CTX_free(md);
	pp_stored_close(r);
}

/* Can every table be read? */
static void
check_columns(struct check *c, const struct pp_entry *e)
{
	struct pp_mem *mem = &c->a->run.mem;
	struct pp_columns_rows rows = {.rows = 0};
	struct pp_columns_in *in;
	struct pp_arena text;
	struct pp_segments g;
	uint32_t i, k;
	bool ok;

	if (e->columns == 0)
		return;
	pp_arena_init(&text, mem, 65536);
	pp_segments_open(&g, c->s, e);
	in = pp_columns_in(mem, e->columns_bytes, pp_segments_get, &g);
	ok = in != NULL;
	for (i = 0; ok && i < in->ntables; i++)
		for (k = 0; ok && k < in->table[i].nblocks; k++) {
			pp_arena_reset(&text);
			ok = pp_columns_read(in, &in->table[i], k, NULL,
			    &text, &rows);
		}
	if (!ok)
		fault(c, e->columns, "damaged tables");
	pp_columns_in_close(in);
	pp_segments_close(&g);
	pp_columns_rows_free(&rows, mem);
	pp_arena_free(&text);
}

static void
print_result(const struct check *c, size_t names)
{
	size_t n = c->s->n - names;

	printf("%s: %zu profile%s", c->a->path, n, n == 1 ? "" : "s");
	if (names > 0)
		printf(", %zu alias%s", names, names == 1 ? "" : "es");
	printf(", %" PRIu64 " members, %" PRIu64 " fault%s\n", c->members,
	    c->faults, c->faults == 1 ? "" : "s");
}

enum pp_exit
pp_archive_verify(struct pp_run *r)
{
	struct pp_archive_run *a = pp_archive_of(r);
	struct check c = {.a = a};
	size_t i, names = 0;

	if (!pp_archive_open(a))
		return PP_EXIT_NOTHING;
	c.s = a->store;
	c.plain = pp_mem_alloc(&r->mem, PP_MEMBER_PAYLOAD_MAX);
	c.inflate = libdeflate_alloc_decompressor();
	if (c.inflate == NULL)
		pp_mem_fail(&r->mem);
	if (a->store->damaged)
		fault(&c, a->store->commit_at, "the catalogue cannot be "
		    "followed from here");
	check_members(&c);
	for (i = 0; i < a->store->n; i++) {
		if (a->store->v[i].same_as != 0) {
			names++;
			continue;
		}
		check_profile(&c, &a->store->v[i]);
		check_columns(&c, &a->store->v[i]);
	}
	libdeflate_free_decompressor(c.inflate);
	if (c.faults == 0 && c.stream != a->store->commit.stream)
		fault(&c, a->store->commit_at, "the commit tells another "
		    "length of all that gunzip shows");
	if (!r->opt->quiet)
		print_result(&c, names);
	if (!pp_flush_stdout())
		return PP_EXIT_NOTHING;
	return c.faults == 0 ? PP_EXIT_OK : PP_EXIT_PARTIAL;
}
