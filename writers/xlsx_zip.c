/*
 * xlsx_zip.c: the frame and our parts become the workbook, in one libzip pass.
 *
 * Members of the frame are small and copied; a sheet is the head of its stub,
 * the rows of its part as they are (already deflated), and the tail of the
 * stub.  libzip writes through a source of ours, straight into the sink's
 * temporary: it leaves no file of its own behind.  No member reaches 4 GB and
 * the whole does not either, so there is no ZIP64; times are fixed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "xlsx.h"

/* Beyond this, offsets would need ZIP64. */
#define ZIP_LIMIT UINT64_C(4200000000)

#define DOS_1980 ((1u << 5) | 1u)	/* 1 January 1980 */

/* A member of deflated pieces: head, part, tail. */
struct member {
	const unsigned char *piece[2];	/* NULL: none */
	uint64_t len[3];		/* of piece 0, the part, piece 1 */
	const struct pp_xlsx_part *part;
	uint64_t raw, at;
	uint32_t crc;
	bool failed;
	int error;
};

struct pp_xlsx_zip {
	zip_t *in, *out;
	zip_source_t *source;	/* not yet taken by libzip */
	struct pp_xlsx_entry *first, **last;
	/* the file being written */
	int fd;
	uint64_t at, size;
	zip_error_t error;
	int disk;		/* errno of the first failed write */
};

static enum pp_status
zip_failed(struct pp_xlsx *x, zip_error_t *e)
{
	int code = zip_error_system_type(e) == ZIP_ET_SYS ?
	    zip_error_code_system(e) : 0;

	return pp_xlsx_fail(x, x->zip->disk ? x->zip->disk : code,
	    code || x->zip->disk ? NULL : zip_error_strerror(e));
}

/* ------------------------------------------------------ reading the frame */

static struct pp_xlsx_entry *
new_entry(struct pp_xlsx *x, const char *name)
{
	struct pp_xlsx_entry *e = pp_arena_zalloc(&x->keep, sizeof(*e));

	e->name = pp_arena_str(&x->keep, pp_str_from(name));
	*x->zip->last = e;
	x->zip->last = &e->next;
	return e;
}

static enum pp_status
read_entry(struct pp_xlsx *x, zip_uint64_t i)
{
	struct pp_xlsx_zip *z = x->zip;
	struct pp_xlsx_entry *e;
	zip_stat_t st;
	zip_file_t *f;
	zip_int64_t k;
	char *data;

	if (zip_stat_index(z->in, i, 0, &st) != 0 ||
	    (st.valid & (ZIP_STAT_NAME | ZIP_STAT_SIZE)) !=
	    (ZIP_STAT_NAME | ZIP_STAT_SIZE))
		return zip_failed(x, zip_get_error(z->in));
	e = new_entry(x, st.name);
	data = pp_arena_alloc(&x->keep, (size_t)st.size);
	f = zip_fopen_index(z->in, i, 0);
	if (f == NULL)
		return zip_failed(x, zip_get_error(z->in));
	k = zip_fread(f, data, st.size);
	zip_fclose(f);
	if (k != (zip_int64_t)st.size)
		return pp_xlsx_fail(x, EIO, NULL);
	e->data = (pp_str){data, (size_t)st.size};
	return PP_OK;
}

struct pp_xlsx_entry *
pp_xlsx_entries(struct pp_xlsx *x)
{
	return x->zip->first;
}

struct pp_xlsx_entry *
pp_xlsx_entry(struct pp_xlsx *x, const char *name)
{
	struct pp_xlsx_entry *e;

	for (e = x->zip->first; e != NULL; e = e->next)
		if (pp_str_eq(e->name, pp_str_from(name)))
			return e;
	return NULL;
}

void
pp_xlsx_entry_add(struct pp_xlsx *x, const char *name, pp_str data)
{
	new_entry(x, name)->data = data;
}

bool
pp_xlsx_entry_put(struct pp_xlsx *x, struct pp_xlsx_entry *e,
    const char *mark, pp_str text)
{
	size_t at;
	char *p;

	if (e == NULL)
		return false;
	at = pp_str_find(e->data, pp_str_from(mark));
	if (at == e->data.n)
		return false;
	p = pp_arena_alloc(&x->keep, e->data.n + text.n);
	memcpy(p, e->data.p, at);
	memcpy(p + at, text.p, text.n);
	memcpy(p + at + text.n, e->data.p + at, e->data.n - at);
	e->data = (pp_str){p, e->data.n + text.n};
	return true;
}

enum pp_status
pp_xlsx_zip_read(struct pp_xlsx *x, const char *path)
{
	struct pp_xlsx_zip *z = pp_mem_zalloc(x->mem, sizeof(*z));
	enum pp_status st = PP_OK;
	int code = 0;
	zip_int64_t i, n;

	x->zip = z;
	z->last = &z->first;
	z->fd = -1;
	z->in = zip_open(path, ZIP_RDONLY, &code);
	if (z->in == NULL)
		return pp_xlsx_fail(x, code == ZIP_ER_OPEN ? errno : EIO,
		    NULL);
	n = zip_get_num_entries(z->in, 0);
	for (i = 0; i < n && st == PP_OK; i++)
		st = read_entry(x, (zip_uint64_t)i);
	zip_discard(z->in);
	z->in = NULL;
	return st;
}

/* ------------------------------------------------------- a member's bytes */

static zip_int64_t
member_read(struct member *m, unsigned char *to, uint64_t want)
{
	uint64_t at = m->at, n;
	ssize_t k;

	if (at < m->len[0]) {
		n = m->len[0] - at;
		n = n < want ? n : want;
		memcpy(to, m->piece[0] + at, n);
	} else if (at - m->len[0] < m->len[1]) {
		at -= m->len[0];
		n = m->len[1] - at;
		n = n < want ? n : want;
		k = pread(m->part->fd, to, n, (off_t)at);
		if (k <= 0) {
			m->error = k < 0 ? errno : EIO;
			return -1;
		}
		n = (uint64_t)k;
	} else {
		at -= m->len[0] + m->len[1];
		n = m->len[2] - at;
		n = n < want ? n : want;
		if (n)
			memcpy(to, m->piece[1] + at, n);
	}
	m->at += n;
	return (zip_int64_t)n;
}

static zip_int64_t
member_source(void *arg, void *data, zip_uint64_t len, zip_source_cmd_t cmd)
{
	struct member *m = arg;
	zip_stat_t *st;

	/* the other commands of the enumeration are not announced below */
	if (cmd == ZIP_SOURCE_OPEN) {
		m->at = 0;
		return 0;
	}
	if (cmd == ZIP_SOURCE_READ)
		return member_read(m, data, len);
	if (cmd == ZIP_SOURCE_CLOSE || cmd == ZIP_SOURCE_FREE)
		return 0;
	if (cmd == ZIP_SOURCE_STAT) {
		st = data;
		zip_stat_init(st);
		st->size = m->raw;
		st->comp_size = m->len[0] + m->len[1] + m->len[2];
		st->crc = m->crc;
		st->comp_method = ZIP_CM_DEFLATE;
		st->valid = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
		    ZIP_STAT_CRC | ZIP_STAT_COMP_METHOD;
		return (zip_int64_t)sizeof(*st);
	}
	if (cmd == ZIP_SOURCE_ERROR) {
		zip_error_t e;

		zip_error_init(&e);
		zip_error_set(&e, ZIP_ER_READ, m->error);
		return zip_error_to_data(&e, data, len);
	}
	if (cmd == ZIP_SOURCE_SUPPORTS)
		return ZIP_SOURCE_SUPPORTS_READABLE;
	return -1;
}

/* ------------------------------------------------------- the file written */

static zip_int64_t
file_write(struct pp_xlsx_zip *z, const char *p, uint64_t n)
{
	uint64_t left = n;

	while (left) {
		ssize_t k = pwrite(z->fd, p, left, (off_t)z->at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			z->disk = k < 0 ? errno : ENOSPC;
			zip_error_set(&z->error, ZIP_ER_WRITE, z->disk);
			return -1;
		}
		p += k;
		left -= (uint64_t)k;
		z->at += (uint64_t)k;
	}
	if (z->at > z->size)
		z->size = z->at;
	return (zip_int64_t)n;
}

static zip_int64_t
file_seek(struct pp_xlsx_zip *z, void *data, zip_uint64_t len)
{
	zip_int64_t to = zip_source_seek_compute_offset(z->at, z->size, data,
	    len, &z->error);

	if (to < 0)
		return -1;
	z->at = (uint64_t)to;
	return 0;
}

static zip_int64_t
file_source(void *arg, void *data, zip_uint64_t len, zip_source_cmd_t cmd)
{
	struct pp_xlsx_zip *z = arg;

	if (cmd == ZIP_SOURCE_SUPPORTS)
		return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN,
		    ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
		    ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK,
		    ZIP_SOURCE_TELL, ZIP_SOURCE_BEGIN_WRITE,
		    ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE,
		    ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
		    ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE, -1);
	if (cmd == ZIP_SOURCE_WRITE)
		return file_write(z, data, len);
	if (cmd == ZIP_SOURCE_SEEK_WRITE)
		return file_seek(z, data, len);
	if (cmd == ZIP_SOURCE_TELL_WRITE)
		return (zip_int64_t)z->at;
	if (cmd == ZIP_SOURCE_ERROR)
		return zip_error_to_data(&z->error, data, len);
	if (cmd == ZIP_SOURCE_BEGIN_WRITE) {
		z->at = z->size = 0;
		return 0;
	}
	if (cmd == ZIP_SOURCE_COMMIT_WRITE || cmd == ZIP_SOURCE_FREE ||
	    cmd == ZIP_SOURCE_ROLLBACK_WRITE || cmd == ZIP_SOURCE_REMOVE ||
	    cmd == ZIP_SOURCE_CLOSE)
		return 0;
	/* it is new: there is nothing to read */
	zip_error_set(&z->error, ZIP_ER_READ, ENOENT);
	return -1;
}

/* ------------------------------------------------------------- the sheets */

static bool
deflated(struct pp_xlsx *x, const char *p, size_t n, bool last,
    const unsigned char **out, uint64_t *len)
{
	uLong bound = compressBound((uLong)n) + 64;
	unsigned char *buf = pp_arena_alloc(&x->keep, bound);
	z_stream z;
	int rc;

	memset(&z, 0, sizeof(z));
	if (deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return false;
	z.next_in = (const Bytef *)p;
	z.avail_in = (uInt)n;
	z.next_out = buf;
	z.avail_out = (uInt)bound;
	rc = deflate(&z, last ? Z_FINISH : Z_SYNC_FLUSH);
	*out = buf;
	*len = z.total_out;
	deflateEnd(&z);
	return rc == (last ? Z_STREAM_END : Z_OK);
}

/* The library writes an attribute of Excel 2010 beside data bars that the
 * schema of sheets does not know, and that nobody misses. */
static size_t
drop_attribute(char *p, size_t n)
{
	static const char name[] = " x14ac:dyDescent=\"";
	size_t at = pp_str_find((pp_str){p, n}, PP_STR(name)), end;

	if (at == n)
		return n;
	for (end = at + sizeof(name) - 1; end < n && p[end] != '"'; end++)
		;
	if (end < n)
		end++;
	memmove(p + at, p + end, n - end);
	return n - (end - at);
}

/* The stub's XML with its own rows cut out and the true dimension put in. */
static bool
cut_stub(struct pp_xlsx *x, const struct pp_xlsx_sheet *s, pp_str stub,
    pp_str *head, pp_str *tail)
{
	size_t dim, dim_end, data, end, n;
	size_t last = s->ncolumns ? s->ncolumns - 1 : 0;
	char *to, range[40];
	int k;

	dim = pp_str_find(stub, PP_STR("<dimension "));
	data = pp_str_find(stub, PP_STR("<sheetData"));
	end = pp_str_find(stub, PP_STR("</sheetData>"));
	if (dim >= data || data == stub.n)
		return false;
	dim_end = dim + pp_str_find(pp_str_skip(stub, dim), PP_STR("/>")) + 2;
	if (end == stub.n)	/* <sheetData/> */
		end = data + sizeof("<sheetData/>") - 1;
	else
		end += sizeof("</sheetData>") - 1;
	if (s->labels && s->rows > 1)
		last += 2;
	k = snprintf(range, sizeof(range), "<dimension ref=\"A1:%.*s%u\"/>",
	    (int)s->column[last].nletters, s->column[last].letters,
	    s->rows ? s->rows : 1);
	n = dim + (size_t)k + (data - dim_end) + sizeof("<sheetData>");
	to = pp_arena_alloc(&x->keep, n);
	n = dim;
	memcpy(to, stub.p, dim);
	memcpy(to + n, range, (size_t)k);
	n += (size_t)k;
	memcpy(to + n, stub.p + dim_end, data - dim_end);
	n += data - dim_end;
	memcpy(to + n, "<sheetData>", sizeof("<sheetData>") - 1);
	n += sizeof("<sheetData>") - 1;
	*head = (pp_str){to, drop_attribute(to, n)};
	to = pp_arena_alloc(&x->keep, stub.n - end + sizeof("</sheetData>"));
	n = sizeof("</sheetData>") - 1;
	memcpy(to, "</sheetData>", n);
	memcpy(to + n, stub.p + end, stub.n - end);
	*tail = (pp_str){to, n + stub.n - end};
	return true;
}

/* The styles in our rows count on the order that the frame was to give. */
static bool
styles_fixed(pp_str stub)
{
	char want[32];
	unsigned i;

	for (i = 1; i < PP_XS_COUNT; i++) {
		size_t n = (size_t)snprintf(want, sizeof(want), "s=\"%u\"/>",
		    i);
		size_t at = pp_str_find(stub, (pp_str){want, n});

		if (at == stub.n)
			return false;
		stub = pp_str_skip(stub, at);
	}
	return true;
}

static enum pp_status
sheet_member(struct pp_xlsx *x, struct pp_xlsx_sheet *s,
    const struct pp_xlsx_entry *e, struct member **out)
{
	struct member *m = pp_arena_zalloc(&x->keep, sizeof(*m));
	pp_str head, tail, stub = e->data;
	uLong crc;

	if (s->idx == 1 && !styles_fixed(stub))
		return pp_xlsx_fail(x, 0, "libxlsxwriter numbers styles in an "
		    "order that is not expected");
	if (!cut_stub(x, s, stub, &head, &tail))
		return pp_xlsx_fail(x, 0, "libxlsxwriter wrote a sheet that "
		    "is not understood");
	m->part = &s->part;
	m->len[1] = s->part.comp;
	if (!deflated(x, head.p, head.n, false, &m->piece[0], &m->len[0]) ||
	    !deflated(x, tail.p, tail.n, true, &m->piece[1], &m->len[2]))
		return pp_xlsx_fail(x, ENOMEM, NULL);
	m->raw = head.n + s->part.raw + tail.n;
	crc = crc32(0, (const Bytef *)head.p, (uInt)head.n);
	crc = crc32_combine(crc, s->part.crc, (z_off_t)s->part.raw);
	crc = crc32_combine(crc, crc32(0, (const Bytef *)tail.p,
	    (uInt)tail.n), (z_off_t)tail.n);
	m->crc = (uint32_t)crc;
	*out = m;
	return PP_OK;
}

/* --------------------------------------------------------------- the pass */

static enum pp_status
add(struct pp_xlsx *x, const char *name, zip_source_t *source)
{
	zip_t *out = x->zip->out;
	zip_int64_t i;

	if (source == NULL)
		return pp_xlsx_fail(x, ENOMEM, NULL);
	i = zip_file_add(out, name, source, ZIP_FL_ENC_UTF_8);
	if (i < 0) {
		zip_source_free(source);
		return zip_failed(x, zip_get_error(out));
	}
	if (zip_set_file_compression(out, (zip_uint64_t)i, ZIP_CM_DEFLATE,
	    6) != 0 ||
	    zip_file_set_dostime(out, (zip_uint64_t)i, 0, DOS_1980, 0) != 0 ||
	    zip_file_set_external_attributes(out, (zip_uint64_t)i, 0,
	    ZIP_OPSYS_DOS, 0) != 0)
		return zip_failed(x, zip_get_error(out));
	return PP_OK;
}

static struct pp_xlsx_sheet *
sheet_of(struct pp_xlsx *x, pp_str name)
{
	struct pp_xlsx_sheet *s;
	char want[64];
	size_t n;

	for (s = x->first; s != NULL; s = s->next) {
		n = (size_t)snprintf(want, sizeof(want),
		    "xl/worksheets/sheet%d.xml", s->idx);
		if (pp_str_eq(name, (pp_str){want, n}))
			return s;
	}
	return NULL;
}

static enum pp_status
add_entry(struct pp_xlsx *x, const struct pp_xlsx_entry *e, uint64_t *total)
{
	struct pp_xlsx_sheet *s = sheet_of(x, e->name);
	struct member *m = NULL;
	zip_t *out = x->zip->out;
	enum pp_status st = PP_OK;

	if (s != NULL)
		st = sheet_member(x, s, e, &m);
	else if (pp_str_eq(e->name, PP_STR("xl/sharedStrings.xml"))) {
		m = pp_arena_zalloc(&x->keep, sizeof(*m));
		m->part = &x->shared;
		m->len[1] = x->shared.comp;
		m->raw = x->shared.raw;
		m->crc = x->shared.crc;
	}
	if (st != PP_OK)
		return st;
	if (m != NULL) {
		*total += m->len[0] + m->len[1] + m->len[2];
		return add(x, e->name.p,
		    zip_source_function(out, member_source, m));
	}
	*total += e->data.n;
	return add(x, e->name.p, zip_source_buffer(out, e->data.p, e->data.n,
	    0));
}

/* The whole goes from an unlinked file to a device or standard output. */
static enum pp_status
copy_out(struct pp_xlsx *x)
{
	struct pp_xlsx_zip *z = x->zip;
	struct pp_stream *f = NULL;
	char *buf = pp_mem_alloc(x->mem, 65536);
	enum pp_status st = PP_OK;
	int to = -1, code = 0;
	off_t at = 0;
	ssize_t n, k, done;

	if (x->target == NULL)
		f = pp_sink_stream(x->w->sink, NULL);
	else
		to = open(x->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (f == NULL && to < 0)
		st = pp_xlsx_fail(x, x->target ? errno : 0, NULL);
	while (st == PP_OK && (n = pread(z->fd, buf, 65536, at)) > 0) {
		at += n;
		if (f != NULL) {
			pp_stream_write(f, buf, (size_t)n);
			continue;
		}
		for (done = 0; done < n && code == 0; done += k) {
			k = write(to, buf + done, (size_t)(n - done));
			if (k < 0) {
				code = errno == EINTR ? 0 : errno;
				k = 0;
			}
		}
		if (code)
			st = pp_xlsx_fail(x, code, NULL);
	}
	if (to >= 0 && close(to) != 0 && st == PP_OK)
		st = pp_xlsx_fail(x, errno, NULL);
	if (f != NULL)
		pp_stream_close(f);
	pp_mem_free(x->mem, buf);
	if (pp_sink_error(x->w->sink, NULL).n)
		return PP_FATAL;
	return st;
}

enum pp_status
pp_xlsx_zip_write(struct pp_xlsx *x)
{
	struct pp_xlsx_zip *z = x->zip;
	enum pp_status st = PP_OK;
	struct pp_xlsx_entry *e;
	uint64_t total = 0;

	if (!pp_xlsx_part_open(x, &x->shared) ||
	    !pp_xlsx_strings(x, &x->shared))
		return pp_xlsx_disk(x, &x->shared);
	z->fd = x->regular ? open(x->target, O_RDWR | O_CREAT | O_TRUNC |
	    O_CLOEXEC, 0666) : pp_xlsx_temp(x);
	if (z->fd < 0)
		return pp_xlsx_fail(x, errno, NULL);
	zip_error_init(&z->error);
	z->source = zip_source_function_create(file_source, z, &z->error);
	if (z->source == NULL)
		return zip_failed(x, &z->error);
	z->out = zip_open_from_source(z->source, ZIP_CREATE | ZIP_TRUNCATE,
	    &z->error);
	if (z->out == NULL)
		return zip_failed(x, &z->error);
	z->source = NULL;
	for (e = z->first; e != NULL && st == PP_OK; e = e->next)
		st = add_entry(x, e, &total);
	if (st == PP_OK && total > ZIP_LIMIT)
		st = pp_xlsx_fail(x, 0, "the workbook would be larger than "
		    "4 GB: select tables, or use -t csv");
	if (st != PP_OK)
		return st;
	if (zip_close(z->out) != 0)
		return zip_failed(x, zip_get_error(z->out));
	z->out = NULL;
	if (!x->regular)
		st = copy_out(x);
	if (close(z->fd) != 0 && st == PP_OK)
		st = pp_xlsx_fail(x, errno, NULL);
	z->fd = -1;
	return st;
}

void
pp_xlsx_zip_free(struct pp_xlsx *x)
{
	struct pp_xlsx_zip *z = x->zip;

	if (z == NULL)
		return;
	if (z->in != NULL)
		zip_discard(z->in);
	if (z->out != NULL)
		zip_discard(z->out);
	if (z->source != NULL)
		zip_source_free(z->source);
	if (z->fd >= 0)
		close(z->fd);
	pp_mem_free(x->mem, z);
	x->zip = NULL;
}
