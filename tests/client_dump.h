/*
 * client_dump.h: row sets as lines of JSON, for tests in C and Python.
 *
 * {"set": ...} begins a row set, {"row": [...]} is one of its rows, {"end":
 * ...} ends it; {"note": ...} and {"problem": ...} stand between.  A cell is
 * a text, null for a sure NULL, ["?", text] where the form cannot tell,
 * ["cut", text] or ["absent"].  Bytes that are no UTF-8 are written as lone
 * surrogates U+DC80 + byte - 0x80.
 */
#ifndef PP_CLIENT_DUMP_H
#define PP_CLIENT_DUMP_H

#include <stdio.h>
#include <stdlib.h>

#include "../readers/client/client.h"

struct client_dump {
	FILE *to;
	bool rows_only;
	uint64_t rows, cells;
};

static size_t
dump_char(const unsigned char *p, size_t n)
{
	size_t len = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 :
	    p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0, i;

	if (len == 0 || len > n)
		return 0;
	for (i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

static void
dump_text(FILE *to, pp_str s)
{
	size_t i = 0, len;

	fputc('"', to);
	while (i < s.n) {
		unsigned char c = (unsigned char)s.p[i];

		len = dump_char((const unsigned char *)s.p + i, s.n - i);
		if (len == 0) {
			fprintf(to, "\\udc%02x", c);
			i++;
			continue;
		}
		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c < 0x20)
			fprintf(to, "\\u%04x", c);
		else
			fwrite(s.p + i, 1, len, to);
		i += len;
	}
	fputc('"', to);
}

static int
dump_match(void *ctx, const struct pp_rowset *rs)
{
	(void)ctx;
	/* names that a reader of rows would know */
	if (pp_rs_column(rs, "Query_ID") >= 0 &&
	    pp_rs_column(rs, "Duration") >= 0)
		return 20;
	if (pp_rs_column(rs, "Status") >= 0 &&
	    pp_rs_column(rs, "Duration") >= 0)
		return 20;
	if (pp_rs_column(rs, "queryid") >= 0 ||
	    (pp_rs_column(rs, "id") >= 0 && pp_rs_column(rs, "t") >= 0))
		return 20;
	return pp_rs_column(rs, "DIGEST") >= 0 ? 20 : 0;
}

static enum pp_status
dump_begin(void *ctx, const struct pp_rowset *rs)
{
	struct client_dump *d = ctx;
	size_t i;

	if (d->to == NULL)
		return PP_OK;
	fprintf(d->to, "{\"set\": %u, \"form\": \"%s\", \"line\": %llu, "
	    "\"offset\": %llu, \"names\": ", rs->number,
	    pp_form_name(rs->form), (unsigned long long)rs->line,
	    (unsigned long long)rs->offset);
	if (rs->has_names) {
		fputc('[', d->to);
		for (i = 0; i < rs->ncols; i++) {
			if (i != 0)
				fputs(", ", d->to);
			dump_text(d->to, rs->names[i]);
		}
		fputc(']', d->to);
	} else {
		fputs("null", d->to);
	}
	fprintf(d->to, ", \"columns\": %zu, \"statement\": ", rs->ncols);
	dump_text(d->to, rs->statement);
	fputs(", \"table\": ", d->to);
	dump_text(d->to, rs->table);
	fputs(", \"heading\": ", d->to);
	dump_text(d->to, rs->heading);
	fputs("}\n", d->to);
	return PP_OK;
}

static enum pp_status
dump_row(void *ctx, const struct pp_rowset *rs, const struct pp_rs_row *r)
{
	struct client_dump *d = ctx;
	size_t i;

	(void)rs;
	d->rows++;
	d->cells += r->n;
	if (d->to == NULL)
		return PP_OK;
	fputs("{\"row\": [", d->to);
	for (i = 0; i < r->n; i++) {
		if (i != 0)
			fputs(", ", d->to);
		switch (r->cells[i].state) {
		case PP_CELL_TEXT:
			dump_text(d->to, r->cells[i].text);
			break;
		case PP_CELL_NULL:
			fputs("null", d->to);
			break;
		case PP_CELL_PERHAPS:
			fputs("[\"?\", ", d->to);
			dump_text(d->to, r->cells[i].text);
			fputc(']', d->to);
			break;
		case PP_CELL_CUT:
			fputs("[\"cut\", ", d->to);
			dump_text(d->to, r->cells[i].text);
			fputc(']', d->to);
			break;
		case PP_CELL_ABSENT:
			fputs("[\"absent\"]", d->to);
			break;
		}
	}
	fprintf(d->to, "], \"line\": %llu, \"offset\": %llu%s}\n",
	    (unsigned long long)r->line, (unsigned long long)r->offset,
	    r->partial ? ", \"partial\": true" : "");
	return PP_OK;
}

static void
dump_end(void *ctx, const struct pp_rowset *rs)
{
	struct client_dump *d = ctx;

	if (d->to == NULL)
		return;
	fprintf(d->to, "{\"end\": %llu, \"losses\": %u",
	    (unsigned long long)rs->rows, rs->losses);
	if (rs->has_footer)
		fprintf(d->to, ", \"footer\": %llu",
		    (unsigned long long)rs->footer_rows);
	if (rs->head_cut)
		fputs(", \"head_cut\": true", d->to);
	if (rs->tail_cut)
		fputs(", \"tail_cut\": true", d->to);
	fputs("}\n", d->to);
}

static void
dump_note(void *ctx, const struct pp_note *n)
{
	static const char *const kinds[] = {"statement", "empty", "ok",
	    "error", "connect", "text"};
	struct client_dump *d = ctx;

	if (d->to == NULL || d->rows_only)
		return;
	fprintf(d->to, "{\"note\": \"%s\", \"line\": %llu, \"text\": ",
	    kinds[n->kind], (unsigned long long)n->line);
	dump_text(d->to, n->text);
	fputs("}\n", d->to);
}

static void
dump_problem(void *ctx, enum pp_msg id, uint64_t line, uint64_t offset,
    pp_str text)
{
	struct client_dump *d = ctx;

	if (d->to == NULL)
		return;
	fprintf(d->to, "{\"problem\": %u, \"line\": %llu, \"offset\": %llu, "
	    "\"text\": ", (unsigned)id, (unsigned long long)line,
	    (unsigned long long)offset);
	dump_text(d->to, text);
	fputs("}\n", d->to);
}

/* Read `in` in pieces of `piece` bytes. */
static void
client_dump_stream(struct client_dump *d, struct pp_mem *mem, FILE *in,
    size_t piece, const struct pp_client_options *opt, const char *path)
{
	const struct pp_client_sink sink = {d, dump_match, dump_begin,
	    dump_row, dump_end, dump_note, dump_problem};
	struct pp_client *c = pp_client_open(mem, &sink, opt, path);
	char *buf = malloc(piece), *next = malloc(piece), *swap;
	size_t n = fread(buf, 1, piece, in), m;
	uint64_t offset = 0;
	bool last;

	do {
		m = n < piece ? 0 : fread(next, 1, piece, in);
		last = m == 0;
		(void)pp_client_feed(c, (pp_str){buf, n}, offset, last);
		offset += n;
		swap = buf;
		buf = next;
		next = swap;
		n = m;
	} while (!last);
	pp_client_close(c);
	free(buf);
	free(next);
}

#endif
