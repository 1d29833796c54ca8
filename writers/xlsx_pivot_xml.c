/*
 * xlsx_pivot_xml.c: the parts of a pivot table: cache definition, tables, what
 * makes a chart a pivot chart, and the ties between them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "xlsx.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define NS_MAIN "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
#define NS_REL \
	"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define NS_PACKAGE \
	"http://schemas.openxmlformats.org/package/2006/relationships"
#define TYPE "application/vnd.openxmlformats-officedocument.spreadsheetml."

#define CACHE "xl/pivotCache/pivotCacheDefinition1.xml"

/* 1 January 1980 as a day of Excel: a refresh that never was has no date. */
#define REFRESHED "29221"

/* A text that grows; what it holds ends up in the writer's arena. */
struct text {
	struct pp_xlsx *x;
	char *p;
	size_t n, cap;
};

static char *
text_room(struct text *t, size_t n)
{
	void *p = t->p;

	if (t->cap - t->n < n) {
		pp_mem_grow(t->x->mem, &p, &t->cap, t->n + n, 1);
		t->p = p;
	}
	return t->p + t->n;
}

static void __attribute__((format(printf, 2, 3)))
put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	text_room(t, 1024);
	va_start(ap, fmt);
	n = vsnprintf(t->p + t->n, 1024, fmt, ap);
	va_end(ap);
	PP_ASSERT(n >= 0 && n < 1024);
	t->n += (size_t)n;
}

/* As the value of an attribute: line ends and tabs would become blanks. */
static void
put_value(struct text *t, pp_str s)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\n' || s.p[i] == '\t')
			put(t, "&#%d;", s.p[i]);
		else {
			text_room(t, 8);
			t->n += pp_xlsx_escape(t->p + t->n,
			    (pp_str){s.p + i, 1});
		}
	}
}

static void
put_number(struct text *t, pp_i128 v)
{
	text_room(t, PP_DEC_MAX);
	t->n += pp_xlsx_number(t->p + t->n, v, 12);
}

static pp_str
text_end(struct text *t)
{
	pp_str s = pp_arena_str(&t->x->keep, (pp_str){t->p, t->n});

	pp_mem_free(t->x->mem, t->p);
	t->p = NULL;
	t->n = t->cap = 0;
	return s;
}

static bool
is_number(enum pp_xlsx_field f)
{
	return f == PP_XF_SESSION || f == PP_XF_INTERVAL;
}

/* Whether the cache lists the items of a field. */
static bool
listed(const struct pp_xlsx_cube *c, enum pp_xlsx_field f)
{
	return f == PP_XF_INTERVAL || f == PP_XF_EVENT ||
	    (f == PP_XF_STATEMENT && c->statements) ||
	    (f == PP_XF_SESSION && c->sessions) ||
	    (f == PP_XF_SOURCE && c->sources);
}

static enum pp_xlsx_field
field_of(const struct pp_xlsx_cube *c, size_t col)
{
	unsigned f;

	for (f = 0; f < PP_XF_COUNT; f++)
		if (c->at[f] == (int)col)
			break;
	return (enum pp_xlsx_field)f;
}

/* -------------------------------------------------------------- the cache */

static void
hints(struct text *t, const struct pp_xlsx_hint *h)
{
	if (h->text)
		return;
	if (!h->number) {
		put(t, " containsNonDate=\"0\" containsString=\"0\" "
		    "containsBlank=\"1\"");
		return;
	}
	put(t, h->blank ? " containsString=\"0\" containsBlank=\"1\"" :
	    " containsSemiMixedTypes=\"0\" containsString=\"0\"");
	put(t, " containsNumber=\"1\"%s minValue=\"",
	    h->fraction ? "" : " containsInteger=\"1\"");
	put_number(t, h->min);
	put(t, "\" maxValue=\"");
	put_number(t, h->max);
	put(t, "\"");
}

static void
items(struct text *t, const struct pp_xlsx_axis *a, enum pp_xlsx_field f)
{
	size_t i;

	put(t, " count=\"%zu\">", a->nused);
	for (i = 0; i < a->nused; i++) {
		put(t, is_number(f) ? "<n v=\"" : "<s v=\"");
		put_value(t, a->order[i]->text);
		put(t, "\"/>");
	}
	put(t, "</sharedItems>");
}

static pp_str
cache_part(struct pp_xlsx *x)
{
	const struct pp_xlsx_cube *c = &x->cube;
	struct text t = {.x = x};
	size_t i;

	put(&t, HEAD "<pivotCacheDefinition xmlns=\"" NS_MAIN "\" xmlns:r=\""
	    NS_REL "\" saveData=\"0\" refreshOnLoad=\"1\" "
	    "refreshedBy=\"profpivot\" refreshedDate=\"" REFRESHED "\" "
	    "createdVersion=\"3\" refreshedVersion=\"3\" "
	    "minRefreshableVersion=\"3\"><cacheSource type=\"worksheet\">"
	    "<worksheetSource name=\"" PP_XLSX_TABLE "\"/></cacheSource>"
	    "<cacheFields count=\"%zu\">", c->ncolumns);
	for (i = 0; i < c->ncolumns; i++) {
		enum pp_xlsx_field f = field_of(c, i);

		put(&t, "<cacheField name=\"");
		put_value(&t, c->sheet->column[i].head);
		put(&t, "\" numFmtId=\"0\"><sharedItems");
		hints(&t, &c->column[i]);
		if (listed(c, f))
			items(&t, &c->axis[f], f);
		else
			put(&t, "/>");
		put(&t, "</cacheField>");
	}
	put(&t, "</cacheFields></pivotCacheDefinition>\n");
	return text_end(&t);
}

/* -------------------------------------------------------------- the table */

static void
field(struct text *t, const struct pp_xlsx_pivot *p, size_t col)
{
	const struct pp_xlsx_cube *c = &t->x->cube;
	enum pp_xlsx_field f = field_of(c, col);
	const char *axis = NULL;
	size_t i;

	if (f == p->rows)
		axis = "axisRow";
	else if (f == PP_XF_EVENT)
		axis = "axisCol";
	for (i = 0; i < p->npages; i++)
		if (f == p->page[i])
			axis = "axisPage";
	if (axis == NULL) {
		put(t, "<pivotField%s compact=\"0\" outline=\"0\" "
		    "showAll=\"0\"/>", f == PP_XF_TIME ? " dataField=\"1\"" :
		    "");
		return;
	}
	put(t, "<pivotField axis=\"%s\" compact=\"0\" outline=\"0\" "
	    "showAll=\"0\"><items count=\"%zu\">", axis,
	    c->axis[f].nused + 1);
	for (i = 0; i < c->axis[f].nused; i++)
		put(t, "<item x=\"%zu\"/>", i);
	put(t, "<item t=\"default\"/></items></pivotField>");
}

static void
lines(struct text *t, const char *name, size_t n)
{
	size_t i;

	put(t, "<%s count=\"%zu\"><i><x/></i>", name, n + 1);
	for (i = 1; i < n; i++)
		put(t, "<i><x v=\"%zu\"/></i>", i);
	put(t, "<i t=\"grand\"><x/></i></%s>", name);
}

/* So that a refresh leaves each event its colour. */
static void
chart_formats(struct text *t, size_t n)
{
	int event = t->x->cube.at[PP_XF_EVENT];
	size_t i;

	put(t, "<chartFormats count=\"%zu\">", n);
	for (i = 0; i < n; i++)
		put(t, "<chartFormat chart=\"0\" format=\"%zu\" series=\"1\">"
		    "<pivotArea type=\"data\" outline=\"0\" "
		    "fieldPosition=\"0\"><references count=\"2\">"
		    "<reference field=\"4294967294\" count=\"1\" "
		    "selected=\"0\"><x v=\"0\"/></reference>"
		    "<reference field=\"%d\" count=\"1\" selected=\"0\">"
		    "<x v=\"%zu\"/></reference></references></pivotArea>"
		    "</chartFormat>", i, event, i);
	put(t, "</chartFormats>");
}

static pp_str
table_part(struct pp_xlsx *x, const struct pp_xlsx_pivot *p, unsigned format)
{
	const struct pp_xlsx_cube *c = &x->cube;
	size_t rows = c->axis[p->rows].nused;
	size_t events = c->axis[PP_XF_EVENT].nused, i;
	const struct pp_xlsx_column *last = &p->sheet->column[events + 1];
	struct text t = {.x = x};

	put(&t, HEAD "<pivotTableDefinition xmlns=\"" NS_MAIN "\" "
	    "name=\"%s\" cacheId=\"1\" applyNumberFormats=\"0\" "
	    "applyBorderFormats=\"0\" applyFontFormats=\"0\" "
	    "applyPatternFormats=\"0\" applyAlignmentFormats=\"0\" "
	    "applyWidthHeightFormats=\"1\" dataCaption=\"Values\" "
	    "updatedVersion=\"3\" minRefreshableVersion=\"3\" "
	    "createdVersion=\"3\" itemPrintTitles=\"1\" indent=\"0\" "
	    "compact=\"0\" compactData=\"0\" outline=\"0\" "
	    "outlineData=\"0\" multipleFieldFilters=\"0\"%s>", p->name,
	    p->chart ? " chartFormat=\"1\"" : "");
	put(&t, "<location ref=\"A%u:%.*s%u\" firstHeaderRow=\"1\" "
	    "firstDataRow=\"2\" firstDataCol=\"1\"", p->head + 1,
	    (int)last->nletters, last->letters,
	    p->head + 3 + (unsigned)rows);
	if (p->npages)
		put(&t, " rowPageCount=\"%u\" colPageCount=\"1\"",
		    p->npages);
	put(&t, "/><pivotFields count=\"%zu\">", c->ncolumns);
	for (i = 0; i < c->ncolumns; i++)
		field(&t, p, i);
	put(&t, "</pivotFields><rowFields count=\"1\"><field x=\"%d\"/>"
	    "</rowFields>", c->at[p->rows]);
	lines(&t, "rowItems", rows);
	put(&t, "<colFields count=\"1\"><field x=\"%d\"/></colFields>",
	    c->at[PP_XF_EVENT]);
	lines(&t, "colItems", events);
	if (p->npages)
		put(&t, "<pageFields count=\"%u\">", p->npages);
	for (i = 0; i < p->npages; i++)
		put(&t, "<pageField fld=\"%d\" hier=\"-1\"/>",
		    c->at[p->page[i]]);
	if (p->npages)
		put(&t, "</pageFields>");
	put(&t, "<dataFields count=\"1\"><dataField name=\"Sum of time_s\" "
	    "fld=\"%d\" baseField=\"0\" baseItem=\"0\" numFmtId=\"%u\"/>"
	    "</dataFields>", c->at[PP_XF_TIME], format);
	if (p->chart)
		chart_formats(&t, events);
	put(&t, "<pivotTableStyleInfo name=\"PivotStyleLight16\" "
	    "showRowHeaders=\"1\" showColHeaders=\"1\" showRowStripes=\"0\" "
	    "showColStripes=\"0\" showLastColumn=\"1\"/>"
	    "</pivotTableDefinition>\n");
	return text_end(&t);
}

/* -------------------------------------------------------------- the chart */

static bool
pivot_chart(struct pp_xlsx *x, const struct pp_xlsx_pivot *p)
{
	struct pp_xlsx_entry *e;
	struct text t = {.x = x};
	pp_str rest;
	unsigned n = 0;
	char ref[64];
	size_t k;

	k = (size_t)snprintf(ref, sizeof(ref), "<c:f>%s!$", p->sheet->name);
	for (e = pp_xlsx_entries(x); e != NULL; e = e->next)
		if (pp_str_starts(e->name, PP_STR("xl/charts/")) &&
		    pp_str_find(e->data, (pp_str){ref, k}) < e->data.n)
			break;
	if (e == NULL)
		return false;
	/* the look of each series again, by the numbers that chart_formats
	 * of the table names */
	put(&t, "<c:pivotFmts>");
	rest = e->data;
	for (;;) {
		size_t at = pp_str_find(rest, PP_STR("<c:ser>")), end;

		if (at == rest.n)
			break;
		rest = pp_str_skip(rest, at + 7);
		at = pp_str_find(rest, PP_STR("<c:spPr>"));
		end = pp_str_find(rest, PP_STR("</c:spPr>"));
		if (at >= end || end == rest.n)
			return false;
		end += sizeof("</c:spPr>") - 1;
		put(&t, "<c:pivotFmt><c:idx val=\"%u\"/>", n++);
		memcpy(text_room(&t, end - at), rest.p + at, end - at);
		t.n += end - at;
		put(&t, "<c:marker><c:symbol val=\"none\"/></c:marker>"
		    "</c:pivotFmt>");
	}
	put(&t, "</c:pivotFmts>");
	if (!pp_xlsx_entry_put(x, e, "<c:plotArea>", text_end(&t)))
		return false;
	/* without the name of the file, which may be renamed */
	put(&t, "<c:pivotSource><c:name>[]%s!%s</c:name>"
	    "<c:fmtId val=\"0\"/></c:pivotSource>", p->sheet->name, p->name);
	return pp_xlsx_entry_put(x, e, "<c:chart>", text_end(&t));
}

/* --------------------------------------------------------------- the ties */

static void
relationship(struct text *t, const char *id, const char *type,
    const char *target)
{
	put(t, "<Relationship Id=\"%s\" Type=\"" NS_REL "/%s\" "
	    "Target=\"%s\"/>", id, type, target);
}

/* The number of our format for seconds in the styles part. */
static unsigned
seconds_format(struct pp_xlsx *x)
{
	const struct pp_xlsx_entry *e = pp_xlsx_entry(x, "xl/styles.xml");
	static const char mark[] = "formatCode=\"#,##0.000000\"";
	static const char id[] = "numFmtId=\"";
	unsigned n = 0;
	size_t at;
	pp_str s;

	if (e == NULL)
		return 4;
	at = pp_str_find(e->data, PP_STR(mark));
	s = (pp_str){e->data.p, at};
	at = pp_str_rfind(s, PP_STR(id));
	s = pp_str_skip(s, at + sizeof(id) - 1);
	while (s.n && s.p[0] >= '0' && s.p[0] <= '9' && n < 1000) {
		n = n * 10 + (unsigned)(s.p[0] - '0');
		s = pp_str_skip(s, 1);
	}
	return n ? n : 4;
}

/* The relationships of a part: into those it has, or as a new member. */
static bool
add_rels(struct pp_xlsx *x, const char *name, pp_str rels)
{
	struct pp_xlsx_entry *e = pp_xlsx_entry(x, name);
	struct text t = {.x = x};

	if (e != NULL)
		return pp_xlsx_entry_put(x, e, "</Relationships>", rels);
	put(&t, HEAD "<Relationships xmlns=\"" NS_PACKAGE "\">");
	memcpy(text_room(&t, rels.n), rels.p, rels.n);
	t.n += rels.n;
	put(&t, "</Relationships>\n");
	pp_xlsx_entry_add(x, name, text_end(&t));
	return true;
}

static bool
pivot_table(struct pp_xlsx *x, const struct pp_xlsx_pivot *p, unsigned number)
{
	char name[80], target[80];
	struct text t = {.x = x};

	snprintf(name, sizeof(name), "xl/pivotTables/pivotTable%u.xml",
	    number);
	pp_xlsx_entry_add(x, name, table_part(x, p, seconds_format(x)));
	snprintf(target, sizeof(target), "../pivotTables/pivotTable%u.xml",
	    number);
	relationship(&t, "rIdPivot", "pivotTable", target);
	snprintf(name, sizeof(name), "xl/worksheets/_rels/sheet%d.xml.rels",
	    p->sheet->idx);
	if (!add_rels(x, name, text_end(&t)))
		return false;
	relationship(&t, "rId1", "pivotCacheDefinition",
	    "../pivotCache/pivotCacheDefinition1.xml");
	snprintf(name, sizeof(name),
	    "xl/pivotTables/_rels/pivotTable%u.xml.rels", number);
	if (!add_rels(x, name, text_end(&t)))
		return false;
	put(&t, "<Override PartName=\"/xl/pivotTables/pivotTable%u.xml\" "
	    "ContentType=\"" TYPE "pivotTable+xml\"/>", number);
	return pp_xlsx_entry_put(x, pp_xlsx_entry(x, "[Content_Types].xml"),
	    "</Types>", text_end(&t)) && (!p->chart || pivot_chart(x, p));
}

static bool
tie_cache(struct pp_xlsx *x)
{
	struct text t = {.x = x};

	pp_xlsx_entry_add(x, CACHE, cache_part(x));
	relationship(&t, "rIdPivot", "pivotCacheDefinition",
	    "pivotCache/pivotCacheDefinition1.xml");
	if (!add_rels(x, "xl/_rels/workbook.xml.rels", text_end(&t)))
		return false;
	put(&t, "<Override PartName=\"/" CACHE "\" ContentType=\"" TYPE
	    "pivotCacheDefinition+xml\"/>");
	if (!pp_xlsx_entry_put(x, pp_xlsx_entry(x, "[Content_Types].xml"),
	    "</Types>", text_end(&t)))
		return false;
	/* behind calcPr, the last that the library writes */
	return pp_xlsx_entry_put(x, pp_xlsx_entry(x, "xl/workbook.xml"),
	    "</workbook>", PP_STR("<pivotCaches><pivotCache cacheId=\"1\" "
	    "r:id=\"rIdPivot\"/></pivotCaches>"));
}

enum pp_status
pp_xlsx_pivot_parts(struct pp_xlsx *x)
{
	unsigned i;

	if (x->pivot[0].sheet == NULL)
		return PP_OK;
	for (i = 0; i < 2; i++)
		if (x->pivot[i].sheet != NULL &&
		    !pivot_table(x, &x->pivot[i], i + 1))
			return pp_xlsx_fail(x, 0, "libxlsxwriter wrote a "
			    "part that is not understood");
	if (!tie_cache(x))
		return pp_xlsx_fail(x, 0, "libxlsxwriter wrote a part that "
		    "is not understood");
	return PP_OK;
}
