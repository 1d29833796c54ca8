/*
 * parquet.c: the writer parquet: a folder, a file a table.
 *
 * Sees base, table.h and the sink.
 *
 * Types: INT64 for whole numbers; DECIMAL(18,6) in INT64 for seconds, or
 * DECIMAL(38,12) in 16 bytes where a clock of the input is finer than a
 * microsecond; STRING for text and ids.  Beside the text of a time X_at
 * stands X_at_utc, a TIMESTAMP(MICROS, UTC), which is NULL where the input
 * does not tell the offset from UTC.  All columns are optional: unknown is
 * NULL.
 *
 * A row group is written when it has ROWS_MAX rows, or when what all open
 * files hold together passes HELD_MAX.  Tables may be interleaved.
 *
 * With --partition source a table is a folder of folders source=NAME, as
 * Hive names them, and the column `source` is in the folders' names only.  A
 * table without that column has its file in its own folder.
 */
#include "parquet_impl.h"

#include <inttypes.h>
#include <stdio.h>

#define ROWS_MAX ((size_t)512 * 1024)
#define HELD_MAX ((size_t)24 * 1024 * 1024)
#define OPEN_MAX 8	/* files of a table */

#define MAGIC "PAR1"
#define NULL_PARTITION "__HIVE_DEFAULT_PARTITION__"

struct pq_file {
	struct pq_file *next;	/* of the table, the last used first */
	struct pq_table *table;
	struct pp_stream *out;
	struct pp_pq_column **columns;
	pp_str partition;	/* value of `source`; p NULL: is NULL */
	uint64_t offset;
	uint64_t rows;		/* of all groups written */
	uint64_t pending;	/* rows of the group to come */
	struct pp_pq_buf groups;
	size_t ngroups;
};

struct pq_table {
	struct pq_table *next;
	const struct pp_table *table;
	struct pp_pq_field *fields;
	size_t nfields;
	size_t partition;	/* column of the batch; SIZE_MAX: none */
	struct pq_file *files;
	size_t nfiles;
	struct pq_parts {	/* how many files a partition has had */
		struct pq_parts *next;
		pp_str partition;
		unsigned n;
	} *parts;
};

struct parquet {
	struct pp_pq_press press;
	struct pq_table *tables;
	struct pp_pq_buf scratch;
};

static enum pp_status
sink_status(struct pp_wctx *w)
{
	return pp_sink_error(w->sink, NULL).n > 0 ? PP_FATAL : PP_OK;
}

/* ---------------------------------------------------------------- schema */

static enum pp_pq_kind
kind_of(const struct pp_wctx *w, enum pp_type type)
{
	switch (type) {
	case PP_T_TEXT:
		return PP_PQ_TEXT;
	case PP_T_ID:
		return PP_PQ_ID;
	case PP_T_TIME:
		return PP_PQ_TIME;
	case PP_T_INT:
		return PP_PQ_INT;
	case PP_T_SECONDS:
		return w->input.digits > 6 ? PP_PQ_WIDE : PP_PQ_DECIMAL;
	case PP_T_DECIMAL:
		break;
	}
	return PP_PQ_DECIMAL;
}

static char *
joined(struct pp_mem *mem, const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b) + 1;
	char *p = pp_mem_alloc(mem, n + m);

	memcpy(p, a, n);
	memcpy(p + n, b, m);
	return p;
}

static void
make_schema(struct pp_wctx *w, struct pq_table *t)
{
	const struct pp_column *c = t->table->columns;
	struct pp_pq_field *f;
	size_t i;

	t->fields = pp_mem_zalloc(w->mem,
	    2 * t->table->ncolumns * sizeof(*t->fields));
	for (i = 0; i < t->table->ncolumns; i++) {
		if (i == t->partition)
			continue;
		f = &t->fields[t->nfields++];
		*f = (struct pp_pq_field){c[i].name,
		    kind_of(w, c[i].type), i};
		if (c[i].type != PP_T_TIME)
			continue;
		f = &t->fields[t->nfields++];
		*f = (struct pp_pq_field){joined(w->mem, c[i].name, "_utc"),
		    PP_PQ_STAMP, i};
	}
}

static size_t
find_column(const struct pp_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->ncolumns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

/* ----------------------------------------------------------------- names */

/*
 * What Hive and those who read its folders have escaped in the value of a
 * partition; a dot in front would hide the folder from no one, as the name
 * begins with "source=".
 */
static void
put_escaped(struct pp_pq_buf *b, pp_str s)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t i;

	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c > 0x20 && c != 0x7f &&
		    strchr("\"#%'*/:=?\\{[]^<>|&", c) == NULL) {
			pp_pq_byte(b, c);
			continue;
		}
		pp_pq_byte(b, '%');
		pp_pq_byte(b, (unsigned char)hex[c >> 4]);
		pp_pq_byte(b, (unsigned char)hex[c & 15]);
	}
}

/* A table's name as that of a file: pivots are named by the user. */
static void
put_name(struct pp_pq_buf *b, const char *name)
{
	size_t i;

	for (i = 0; name[i] != '\0'; i++) {
		unsigned char c = (unsigned char)name[i];

		pp_pq_byte(b, c < 0x20 || c == 0x7f ||
		    strchr("/\\:*?\"<>|", c) != NULL || (i == 0 && c == '.') ?
		    '_' : c);
	}
}

static unsigned
next_part(struct pp_wctx *w, struct pq_table *t, pp_str partition)
{
	struct pq_parts *p;
	char *copy;

	for (p = t->parts; p != NULL; p = p->next)
		if (pp_str_eq(p->partition, partition))
			return p->n++;
	p = pp_mem_zalloc(w->mem, sizeof(*p));
	if (partition.p != NULL) {
		copy = pp_mem_alloc(w->mem, partition.n + 1);
		if (partition.n > 0)
			memcpy(copy, partition.p, partition.n);
		p->partition = (pp_str){copy, partition.n};
	}
	p->n = 1;
	p->next = t->parts;
	t->parts = p;
	return 0;
}

static const char *
file_name(struct pp_wctx *w, struct pq_table *t, pp_str partition)
{
	struct parquet *v = w->priv;
	struct pp_pq_buf *b = &v->scratch;
	char part[32];

	b->n = 0;
	put_name(b, t->table->name);
	if (!w->opt.partition) {
		pp_pq_put(b, ".parquet", sizeof(".parquet"));
		return b->p;
	}
	if (t->partition != SIZE_MAX) {
		pp_pq_put(b, "/source=", 8);
		if (partition.n == 0)
			pp_pq_put(b, NULL_PARTITION,
			    sizeof(NULL_PARTITION) - 1);
		else
			put_escaped(b, partition);
	}
	snprintf(part, sizeof(part), "/part-%u.parquet",
	    next_part(w, t, partition));
	pp_pq_put(b, part, strlen(part) + 1);
	return b->p;
}

/* ----------------------------------------------------------------- files */

static void
put(struct pq_file *f, const void *p, size_t n)
{
	pp_stream_write(f->out, p, n);
	f->offset += n;
}

static struct pq_file *
open_file(struct pp_wctx *w, struct pq_table *t, pp_str partition)
{
	struct parquet *v = w->priv;
	struct pq_file *f;
	struct pp_stream *out;
	char *copy;
	size_t i;

	out = pp_sink_stream(w->sink, file_name(w, t, partition));
	if (out == NULL)
		return NULL;
	f = pp_mem_zalloc(w->mem, sizeof(*f));
	f->table = t;
	f->out = out;
	f->groups.mem = w->mem;
	if (partition.p != NULL) {
		copy = pp_mem_alloc(w->mem, partition.n + 1);
		if (partition.n > 0)
			memcpy(copy, partition.p, partition.n);
		f->partition = (pp_str){copy, partition.n};
	}
	f->columns = pp_mem_zalloc(w->mem,
	    (t->nfields + 1) * sizeof(*f->columns));
	for (i = 0; i < t->nfields; i++)
		f->columns[i] = pp_pq_column_new(&v->press, &t->fields[i]);
	put(f, MAGIC, 4);
	f->next = t->files;
	t->files = f;
	t->nfiles++;
	return f;
}

static void
end_group(struct pq_file *f)
{
	struct pp_pq_group g = {.offset = f->offset, .rows = f->pending};
	struct pp_pq_chunk c;
	size_t i;

	if (f->pending == 0)
		return;
	pp_pq_group_begin(&f->groups, f->table->nfields);
	for (i = 0; i < f->table->nfields; i++) {
		pp_pq_column_flush(f->columns[i], f->out, &f->offset, &c);
		pp_pq_group_chunk(&f->groups, &f->table->fields[i], &c);
		g.raw += c.raw;
		g.stored += c.stored;
	}
	pp_pq_group_end(&f->groups, &g);
	f->rows += f->pending;
	f->pending = 0;
	f->ngroups++;
}

/* sha256sum's own lines: hash, two blanks, name. */
static void
put_hash(struct pp_pq_buf *b, const struct pp_write_source *s)
{
	static const char hex[] = "0123456789abcdef";
	size_t i;

	if (b->n > 0)
		pp_pq_byte(b, '\n');
	for (i = 0; i < sizeof(s->sha256); i++) {
		pp_pq_byte(b, (unsigned char)hex[s->sha256[i] >> 4]);
		pp_pq_byte(b, (unsigned char)hex[s->sha256[i] & 15]);
	}
	pp_pq_put(b, "  ", 2);
	pp_pq_put(b, s->name.p, s->name.n);
}

#define HASHES_MAX 1000	/* sources that a footer names */

static void
put_footer(struct pp_wctx *w, struct pq_file *f)
{
	struct parquet *v = w->priv;
	struct pp_pq_buf hashes = {.mem = w->mem};
	struct pp_pq_note note[4];
	char version[16];
	struct pp_pq_footer end = {f->table->fields, f->table->nfields,
	    f->rows, &f->groups, f->ngroups, note, 3};
	size_t i, n = 0;
	uint32_t length;

	snprintf(version, sizeof(version), "%d", PP_SCHEMA_VERSION);
	note[0] = (struct pp_pq_note){"profpivot.schema_version",
	    {version, strlen(version)}};
	note[1] = (struct pp_pq_note){"profpivot.table",
	    pp_str_from(f->table->table->name)};
	note[2] = (struct pp_pq_note){"profpivot.order",
	    pp_str_from(f->table->table->order)};
	for (i = 0; i < w->input.nsources && n < HASHES_MAX; i++) {
		const struct pp_write_source *s = &w->input.sources[i];

		if (!s->has_sha256 || (f->partition.n > 0 &&
		    !pp_str_eq(s->name, f->partition)))
			continue;
		put_hash(&hashes, s);
		n++;
	}
	if (n > 0)
		note[end.nnotes++] = (struct pp_pq_note){
		    "profpivot.source_sha256", {hashes.p, hashes.n}};
	v->scratch.n = 0;
	pp_pq_footer(&v->scratch, &end);
	length = (uint32_t)v->scratch.n;
	pp_pq_put(&v->scratch, &length, 4);
	pp_pq_put(&v->scratch, MAGIC, 4);
	put(f, v->scratch.p, v->scratch.n);
	pp_pq_free(&hashes);
}

static void
drop_file(struct pp_wctx *w, struct pq_file *f)
{
	struct pq_file **at;
	size_t i;

	for (at = &f->table->files; *at != f; at = &(*at)->next)
		;
	*at = f->next;
	f->table->nfiles--;
	for (i = 0; i < f->table->nfields; i++)
		if (f->columns[i] != NULL)
			pp_pq_column_free(f->columns[i]);
	pp_pq_free(&f->groups);
	pp_mem_free(w->mem, f->columns);
	pp_mem_free(w->mem, (void *)(uintptr_t)f->partition.p);
	pp_mem_free(w->mem, f);
}

static void
close_file(struct pp_wctx *w, struct pq_file *f)
{
	end_group(f);
	put_footer(w, f);
	pp_stream_close(f->out);
	drop_file(w, f);
}

/* ------------------------------------------------------------ partitions */

/* The file for rows of a source, in front of the table's list. */
static struct pq_file *
file_for(struct pp_wctx *w, struct pq_table *t, pp_str partition)
{
	struct pq_file **at, *f;

	for (at = &t->files; (f = *at) != NULL; at = &f->next) {
		if (!pp_str_eq(f->partition, partition)) {
			if (f->next == NULL && t->nfiles >= OPEN_MAX)
				break;
			continue;
		}
		*at = f->next;
		f->next = t->files;
		t->files = f;
		return f;
	}
	if (f != NULL)
		close_file(w, f);	/* the one not used for longest */
	return open_file(w, t, partition);
}

/* Rows [from, *to) of the batch have one source. */
static pp_str
same_source(const struct pp_batch *b, size_t column, size_t from, size_t *to)
{
	const union pp_cell *c = b->cells[column];
	const uint8_t *tags = b->tags[column];
	pp_str s = tags[from] != 0 ? c[from].str : (pp_str){NULL, 0};
	size_t i;

	for (i = from + 1; i < b->rows; i++)
		if (!pp_str_eq(tags[i] != 0 ? c[i].str : (pp_str){NULL, 0},
		    s))
			break;
	*to = i;
	return s;
}

/* A file that gives way to `old`: one of a partition that is not being
 * filled now, or one with more rows. */
static bool
is_better(const struct pq_file *f, const struct pq_file *old)
{
	bool idle = f != f->table->files;

	if (f->pending == 0)
		return false;
	if (old == NULL || idle != (old != old->table->files))
		return old == NULL || idle;
	return f->pending > old->pending;
}

/* Write row groups until there is room again. */
static void
relieve(struct parquet *v)
{
	struct pq_table *t;
	struct pq_file *f, *best;
	size_t i;

	while (v->press.held > HELD_MAX) {
		best = NULL;
		for (t = v->tables; t != NULL; t = t->next)
			for (f = t->files; f != NULL; f = f->next)
				if (is_better(f, best))
					best = f;
		if (best == NULL)
			break;
		end_group(best);
		for (i = 0; i < best->table->nfields; i++)
			pp_pq_column_rest(best->columns[i]);
	}
}

static void
add_rows(struct parquet *v, struct pq_file *f, const struct pp_batch *b,
    size_t from, size_t to)
{
	size_t i;

	for (i = 0; i < f->table->nfields; i++)
		pp_pq_column_add(f->columns[i], b, from, to);
	f->pending += to - from;
	if (f->pending >= ROWS_MAX)
		end_group(f);
	relieve(v);
}

/* ----------------------------------------------------------------- writer */

static struct pq_table *
find(struct parquet *v, const struct pp_table *table)
{
	struct pq_table *t;

	for (t = v->tables; t != NULL; t = t->next)
		if (t->table == table)
			break;
	PP_ASSERT(t != NULL);
	return t;
}

static enum pp_status
parquet_rows(struct pp_wctx *w, const struct pp_batch *b)
{
	struct parquet *v = w->priv;
	struct pq_table *t = find(v, b->table);
	struct pq_file *f;
	pp_str source;
	size_t from, to;

	if (t->partition == SIZE_MAX) {
		add_rows(v, t->files, b, 0, b->rows);
		return sink_status(w);
	}
	for (from = 0; from < b->rows; from = to) {
		source = same_source(b, t->partition, from, &to);
		f = file_for(w, t, source);
		if (f == NULL)
			return PP_FATAL;
		add_rows(v, f, b, from, to);
	}
	return sink_status(w);
}

static enum pp_status
parquet_begin(struct pp_wctx *w, const struct pp_table *table)
{
	struct parquet *v = w->priv;
	struct pq_table *t = pp_mem_zalloc(w->mem, sizeof(*t));

	t->table = table;
	t->partition = w->opt.partition ? find_column(table, "source") :
	    SIZE_MAX;
	make_schema(w, t);
	t->next = v->tables;
	v->tables = t;
	if (t->partition == SIZE_MAX &&
	    open_file(w, t, (pp_str){NULL, 0}) == NULL)
		return PP_FATAL;
	return sink_status(w);
}

static void
drop_table(struct pp_wctx *w, struct pq_table *t)
{
	struct parquet *v = w->priv;
	struct pq_table **at;

	while (t->files != NULL)
		drop_file(w, t->files);
	for (at = &v->tables; *at != t; at = &(*at)->next)
		;
	*at = t->next;
	pp_mem_free(w->mem, t->fields);
	pp_mem_free(w->mem, t);
}

static void
tell_losses(struct pp_wctx *w, const char *table)
{
	struct parquet *v = w->priv;

	if (w->diag != NULL && v->press.z.repaired > 0)
		pp_diag_tell_n(w->diag, PP_MSG_SANITISED, 0, UINT64_MAX,
		    v->press.z.repaired,
		    "%s: text that is not UTF-8 was repaired", table);
	if (w->diag != NULL && v->press.misfits > 0)
		pp_diag_tell_n(w->diag, PP_MSG_NUMBER_LIMIT, 0, UINT64_MAX,
		    v->press.misfits, "%s: numbers beyond the range of their "
		    "column were left empty", table);
	if (w->diag != NULL && v->press.wrapped > 0)
		pp_diag_tell_n(w->diag, PP_MSG_NUMBER_WRAPPED, 0, UINT64_MAX,
		    v->press.wrapped, "%s: whole numbers from 2^63 on were "
		    "stored less 2^64", table);
	v->press.z.repaired = v->press.misfits = v->press.wrapped = 0;
}

static enum pp_status
parquet_end(struct pp_wctx *w, const struct pp_table *table)
{
	struct parquet *v = w->priv;
	struct pq_table *t = find(v, table);

	/* a partitioned table without rows has its schema all the same */
	if (t->partition != SIZE_MAX && t->parts == NULL &&
	    open_file(w, t, (pp_str){NULL, 0}) == NULL)
		return PP_FATAL;
	while (t->files != NULL)
		close_file(w, t->files);
	drop_table(w, t);
	tell_losses(w, table->name);
	return sink_status(w);
}

static enum pp_status
parquet_open(struct pp_wctx *w)
{
	struct parquet *v = pp_mem_zalloc(w->mem, sizeof(*v));

	w->priv = v;
	v->scratch.mem = w->mem;
	v->press.mem = w->mem;
	v->press.body.mem = v->press.packed.mem = w->mem;
	pp_arena_init(&v->press.arena, w->mem, 4096);
	v->press.z = (struct pp_sanitiser){.mode = PP_SANE_UTF8,
	    .out = &v->press.arena};
	v->press.gzip = libdeflate_alloc_compressor(1);
	if (v->press.gzip == NULL)
		pp_mem_fail(w->mem);
	return PP_OK;
}

static enum pp_status
parquet_close(struct pp_wctx *w)
{
	return sink_status(w);
}

/* Also after a failure anywhere: what is in w->mem may be left to it, what
 * the compressor has may not. */
static void
parquet_free(struct pp_wctx *w)
{
	struct parquet *v = w->priv;

	if (v == NULL)
		return;
	libdeflate_free_compressor(v->press.gzip);
	v->press.gzip = NULL;
	while (v->tables != NULL)
		drop_table(w, v->tables);
	pp_pq_free(&v->scratch);
	pp_pq_free(&v->press.body);
	pp_pq_free(&v->press.packed);
	pp_arena_free(&v->press.arena);
	pp_mem_free(w->mem, v);
	w->priv = NULL;
}

extern const struct pp_writer pp_writer_parquet;

const struct pp_writer pp_writer_parquet = {
	.name = "parquet",
	.summary = "Apache Parquet, a file a table; for DuckDB, Spark, ...",
	.suffix = ".parquet",
	.caps = PP_W_INTERLEAVED | PP_W_FOLDER | PP_W_SINGLE,
	.open = parquet_open,
	.begin = parquet_begin,
	.rows = parquet_rows,
	.end = parquet_end,
	.close = parquet_close,
	.free = parquet_free
};
