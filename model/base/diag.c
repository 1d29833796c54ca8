/*
 * diag.c: messages about input, printed and kept.
 */
#include "diag.h"

#include <inttypes.h>
#include <stdarg.h>

const struct pp_msg_info pp_msg_info[PP_MSG_COUNT] = {
#define WHOLE false
#define PARTIAL true
#define PP_MSG(sym, id, sev, eff, text) {id, PP_SEV_##sev, eff, text},
#include "diag.def"
#undef PP_MSG
#undef WHOLE
#undef PARTIAL
};

const char *
pp_severity_name(enum pp_severity s)
{
	static const char *const name[] = {"notice", "warning", "error"};

	return name[s];
}

void
pp_diag_init(struct pp_diag *d, struct pp_mem *mem, FILE *to)
{
	memset(d, 0, sizeof(*d));
	d->mem = mem;
	d->to = to;
	d->source = UINT32_MAX;
	pp_arena_init(&d->text, mem, 16384);
}

/* A file may be called anything: control bytes would act on a terminal. */
static void
put_name(FILE *to, const char *name)
{
	for (; *name != '\0'; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < 0x20 || c == 0x7f)
			fprintf(to, "\\x%02X", (unsigned)c);
		else
			fputc(c, to);
	}
}

/* Notices are quiet unless asked for; nothing was lost. */
static bool
printed(const struct pp_diag *d, enum pp_msg id)
{
	return d->to != NULL &&
	    (d->verbose || pp_msg_info[id].severity != PP_SEV_NOTICE);
}

void
pp_diag_flush(struct pp_diag *d)
{
	int i;

	for (i = 0; i < PP_MSG_COUNT; i++) {
		if (d->seen[i] > PP_DIAG_PRINT && printed(d, (enum pp_msg)i)) {
			fputs("profpivot: ", d->to);
			put_name(d->to, d->file ? d->file : "-");
			fprintf(d->to, ": %s: %" PRIu64
			    " more of these [%s]\n",
			    pp_severity_name(pp_msg_info[i].severity),
			    d->seen[i] - PP_DIAG_PRINT, pp_msg_info[i].id);
		}
		d->seen[i] = 0;
		d->rest_row[i] = 0;
	}
}

void
pp_diag_file(struct pp_diag *d, uint32_t source, const char *file)
{
	pp_diag_flush(d);
	d->source = source;
	d->file = file;
}

static void
print(const struct pp_diag *d, enum pp_msg id, uint64_t line, uint64_t offset,
    const char *text)
{
	fputs("profpivot: ", d->to);
	if (d->file != NULL) {
		put_name(d->to, d->file);
		if (line != 0)
			fprintf(d->to, ":%" PRIu64, line);
		if (line != 0 && offset != UINT64_MAX)
			fprintf(d->to, ":%" PRIu64, offset);
		fputs(": ", d->to);
	}
	fprintf(d->to, "%s: %s [%s]\n",
	    pp_severity_name(pp_msg_info[id].severity), text,
	    pp_msg_info[id].id);
}

static struct pp_problem *
add_row(struct pp_diag *d, enum pp_msg id)
{
	void *v = d->problems;
	struct pp_problem *p;

	pp_mem_grow(d->mem, &v, &d->cap, d->count + 1, sizeof(*p));
	d->problems = v;
	p = &d->problems[d->count++];
	memset(p, 0, sizeof(*p));
	p->id = id;
	p->source = d->source;
	return p;
}

/* The row that sums up what goes beyond PP_DIAG_KEEP rows. */
static void
keep_rest(struct pp_diag *d, enum pp_msg id, uint64_t count)
{
	struct pp_problem *p;

	if (d->rest_row[id] == 0) {
		p = add_row(d, id);
		p->offset = UINT64_MAX;
		p->message = PP_STR("more of these");
		d->rest_row[id] = d->count;
	}
	d->problems[d->rest_row[id] - 1].count += count;
}

__attribute__((format(printf, 6, 0))) static void
tell(struct pp_diag *d, enum pp_msg id, uint64_t line, uint64_t offset,
    uint64_t count, const char *fmt, va_list ap)
{
	char text[1024];
	struct pp_problem *p;
	int n;

	if (pp_msg_info[id].partial)
		d->partial = true;
	d->seen[id]++;
	if (d->seen[id] > PP_DIAG_KEEP) {
		keep_rest(d, id, count);
		return;
	}
	n = vsnprintf(text, sizeof(text), fmt, ap);
	if (n < 0)
		text[0] = '\0';
	if (d->seen[id] <= PP_DIAG_PRINT && printed(d, id))
		print(d, id, line, offset, text);
	p = add_row(d, id);
	p->line = line;
	p->offset = offset;
	p->count = count;
	p->message = pp_arena_str(&d->text, pp_str_from(text));
}

void
pp_diag_tell(struct pp_diag *d, enum pp_msg id, uint64_t line, uint64_t offset,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(d, id, line, offset, 1, fmt, ap);
	va_end(ap);
}

void
pp_diag_tell_n(struct pp_diag *d, enum pp_msg id, uint64_t line,
    uint64_t offset, uint64_t count, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(d, id, line, offset, count, fmt, ap);
	va_end(ap);
}

char *
pp_diag_excerpt(char *buf, pp_str s, size_t max)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t i, n = s.n < max ? s.n : max;
	char *out = buf;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= 0x20 && c < 0x7f && c != '\\') {
			*out++ = (char)c;
			continue;
		}
		*out++ = '\\';
		*out++ = 'x';
		*out++ = hex[c >> 4];
		*out++ = hex[c & 15];
	}
	if (n < s.n) {
		memcpy(out, "...", 3);
		out += 3;
	}
	*out = '\0';
	return buf;
}
