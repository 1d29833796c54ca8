/*
 * oracle10046_lex_mark.c: the "*** " markers and the header lines of an
 * Oracle trace.  Works on the bytes of one line; keeps no state.
 *
 *	*** STAMP[ (PDB(N))]
 *	*** KEY:(VALUE)[ STAMP]
 *	*** [ Unix process pid: N ]
 *	*** TRACE [DUMP ]CONTINUES IN FILE PATH ***
 *	*** TRACE [DUMP ]CONTINUED FROM FILE [PATH] ***
 *	*** DUMP FILE SIZE IS LIMITED TO N BYTES ***
 *
 * A value may hold brackets, blanks and what looks like a stamp, so it runs
 * to the last ") " with a stamp behind it.
 */
#include "oracle10046_lex.h"

#define HAS(s, lit) pp_str_starts(s, PP_STR(lit))

/* "PDB(N)" in brackets behind a bare stamp. */
static void
marker_container(pp_str s, struct pp_o_rec *r)
{
	const char *p, *open;

	s = pp_str_trim(s);
	if (s.n < 2 || s.p[0] != '(' || s.p[s.n - 1] != ')')
		return;
	s = (pp_str){s.p + 1, s.n - 2};
	r->text = s;
	if (s.n < 3 || s.p[s.n - 1] != ')')
		return;
	for (open = s.p + s.n - 1; open > s.p && open[-1] != '(';)
		open--;
	p = open;
	if (open > s.p &&
	    pp_scan_u64(&p, s.p + s.n, &r->u.head.num) == PP_SCAN_OK &&
	    p == s.p + s.n - 1)
		r->text.n = (size_t)(open - 1 - s.p);
	else
		r->u.head.num = 0;
}

/*
 * The value behind ":(" and the stamp behind it.  Returns false when no
 * bracket ends it.
 */
static bool
marker_value(pp_str s, struct pp_o_rec *r)
{
	struct pp_wall w;
	size_t i, used;
	pp_str rest;

	for (i = s.n; i >= 2; i--) {
		if (s.p[i - 2] != ')' || s.p[i - 1] != ' ')
			continue;
		rest = pp_str_skip(s, i);
		if (!pp_oracle_stamp(rest, &w, &used) ||
		    pp_str_trim(pp_str_skip(rest, used)).n)
			continue;
		r->name = (pp_str){rest.p, used};
		r->text = (pp_str){s.p, i - 2};
		return true;
	}
	/* 8i and 9i may print no stamp. */
	rest = pp_str_trim(s);
	if (rest.n == 0 || rest.p[rest.n - 1] != ')')
		return false;
	r->text = (pp_str){s.p, (size_t)(rest.p + rest.n - 1 - s.p)};
	return true;
}

static const struct {
	pp_str name;
	uint8_t key;
} keys[] = {
    {{"SESSION ID", 10}, PP_O_SESSION_ID},
    {{"CLIENT ID", 9}, PP_O_CLIENT_ID},
    {{"SERVICE NAME", 12}, PP_O_SERVICE_NAME},
    {{"MODULE NAME", 11}, PP_O_MODULE_NAME},
    {{"ACTION NAME", 11}, PP_O_ACTION_NAME},
    {{"CLIENT DRIVER", 13}, PP_O_CLIENT_DRIVER},
    {{"CONTAINER ID", 12}, PP_O_CONTAINER_ID},
    {{"CLIENT IP", 9}, PP_O_CLIENT_IP},
    {{"CONNECTION ID", 13}, PP_O_CONNECTION_ID},
};

/* KEY:(VALUE); false when the line has not that form. */
static bool
marker_key(pp_str s, pp_str line, struct pp_o_rec *r, enum pp_o_verdict *v)
{
	size_t n = 0, i;
	const char *p;

	while (n < s.n && ((s.p[n] >= 'A' && s.p[n] <= 'Z') || s.p[n] == ' ' ||
	    s.p[n] == '_'))
		n++;
	if (n == 0 || n + 1 >= s.n || s.p[n] != ':' || s.p[n + 1] != '(')
		return false;
	if (!marker_value(pp_str_skip(s, n + 2), r)) {
		*v = PP_O_CUT;
		r->text = pp_str_skip(s, n + 2);
	}
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (pp_str_eq((pp_str){s.p, n}, keys[i].name)) {
			r->sub = keys[i].key;
			p = r->text.p;
			if (r->sub == PP_O_CONTAINER_ID &&
			    pp_scan_u64(&p, p + r->text.n, &r->u.head.num) !=
			    PP_SCAN_OK)
				r->u.head.num = 0;
			return true;
		}
	r->text = line;
	return true;
}

/* Without the "***" that ends some markers. */
static pp_str
unstar(pp_str s)
{
	s = pp_str_trim(s);
	while (s.n && s.p[s.n - 1] == '*')
		s.n--;
	return pp_str_trim(s);
}

/* Lines about the file itself; PP_O_OTHER_KEY for any other. */
static void
marker_other(pp_str s, pp_str line, struct pp_o_rec *r)
{
	static const struct {
		pp_str lead;
		uint8_t key;
	} leads[] = {
	    {{"TRACE CONTINUES IN FILE", 23}, PP_O_CONTINUES},
	    {{"TRACE DUMP CONTINUES IN FILE", 28}, PP_O_CONTINUES},
	    {{"TRACE CONTINUED FROM FILE", 25}, PP_O_CONTINUED},
	    {{"TRACE DUMP CONTINUED FROM FILE", 30}, PP_O_CONTINUED},
	    {{"DUMP FILE SIZE IS LIMITED TO", 28}, PP_O_SIZE_LIMIT},
	    {{"[ Unix process pid:", 19}, PP_O_PROCESS},
	};
	size_t i;
	const char *p;

	r->sub = PP_O_OTHER_KEY;
	r->text = line;
	for (i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		if (!pp_str_starts(s, leads[i].lead))
			continue;
		r->sub = leads[i].key;
		r->text = unstar(pp_str_skip(s, leads[i].lead.n));
		if (r->sub < PP_O_SIZE_LIMIT && r->sub != PP_O_PROCESS)
			return;
		p = r->text.p;
		if (pp_scan_u64(&p, p + r->text.n, &r->u.head.num) !=
		    PP_SCAN_OK) {
			r->sub = PP_O_OTHER_KEY;
			r->text = line;
			return;
		}
		r->text.n = (size_t)(p - r->text.p);
		return;
	}
}

enum pp_o_verdict
pp_o_marker(const char *p, const char *e, struct pp_o_rec *r)
{
	pp_str line = pp_o_str(p, e), s = pp_str_skip(line, 4);
	enum pp_o_verdict v = PP_O_WHOLE;
	struct pp_wall w;
	size_t used;

	r->kind = PP_O_MARKER;
	if (pp_oracle_stamp(s, &w, &used)) {
		r->sub = PP_O_STAMP;
		r->name = (pp_str){s.p, used};
		marker_container(pp_str_skip(s, used), r);
		return v;
	}
	r->sub = PP_O_OTHER_KEY;
	if (!marker_key(s, line, r, &v))
		marker_other(s, line, r);
	return v;
}

/* Header lines that are kept, by what they begin with. */
static const struct {
	pp_str lead;
	uint8_t sub;
} headers[] = {
#define H(lit, sub) {{lit, sizeof(lit) - 1}, sub}
    H("Trace file ", PP_O_H_TRACE_FILE),
    H("Dump file ", PP_O_H_TRACE_FILE),
    H("Oracle Database ", PP_O_H_PRODUCT),
    H("Oracle AI Database ", PP_O_H_PRODUCT),
    H("Oracle7", PP_O_H_PRODUCT),
    H("Oracle8", PP_O_H_PRODUCT),
    H("Oracle9i", PP_O_H_PRODUCT),
    H("Personal Oracle", PP_O_H_PRODUCT),
    H("Version ", PP_O_H_VERSION),
    H("Node name:", PP_O_H_HOST),
    H("Instance name:", PP_O_H_INSTANCE),
    H("Unix process pid:", PP_O_H_PROCESS),
    H("Windows thread id:", PP_O_H_PROCESS),
    H("ORACLE V", PP_O_H_OTHER),
    H("vsnsql=", PP_O_H_OTHER),
    H("Build label:", PP_O_H_OTHER),
    H("ORACLE_HOME", PP_O_H_OTHER),
    H("System name:", PP_O_H_OTHER),
    H("Release:", PP_O_H_OTHER),
    H("Version:", PP_O_H_OTHER),
    H("Machine:", PP_O_H_OTHER),
    H("VM name:", PP_O_H_OTHER),
    H("CLID:", PP_O_H_OTHER),
    H("Instance number:", PP_O_H_OTHER),
    H("Database name:", PP_O_H_OTHER),
    H("Database unique name:", PP_O_H_OTHER),
    H("Database id:", PP_O_H_OTHER),
    H("Database role:", PP_O_H_OTHER),
    H("Redo thread mounted by this instance:", PP_O_H_OTHER),
    H("Oracle process number:", PP_O_H_OTHER),
    H("CPU                 :", PP_O_H_OTHER),
    H("Process Affinity", PP_O_H_OTHER),
    H("Memory (Avail/Total):", PP_O_H_OTHER),
    H("Windows NT Version", PP_O_H_OTHER),
    H("Windows Server", PP_O_H_OTHER),
    H("Windows XP", PP_O_H_OTHER),
    H("Windows 2000", PP_O_H_OTHER),
    H("JServer Release", PP_O_H_OTHER),
    H("PL/SQL Release", PP_O_H_OTHER),
#undef H
};

/* "Thu Aug 30 13:45:05 2007", which Windows prints behind the path. */
static bool
header_date(pp_str s)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	size_t i;

	if (s.n != 24 || s.p[3] != ' ' || s.p[13] != ':' || s.p[16] != ':')
		return false;
	for (i = 0; i < sizeof(days) - 1; i += 3)
		if (memcmp(s.p, days + i, 3) == 0)
			return true;
	return false;
}

/* "With the Partitioning, OLAP ..." and the lines that end such a list. */
static bool
header_options(pp_str s)
{
	return HAS(s, "With the Part") ||
	    pp_str_ends(s, PP_STR(" options")) ||
	    pp_str_ends(s, PP_STR(" option"));
}

/* "N[, NID: N], image: TEXT" */
static void
header_process(pp_str s, struct pp_o_rec *r)
{
	const char *p = s.p, *e = s.p + s.n;
	size_t at = pp_str_find(s, PP_STR("image:"));

	if (pp_scan_u64(&p, e, &r->u.head.num) != PP_SCAN_OK)
		r->u.head.num = 0;
	r->text = pp_str_trim(pp_str_skip(s, at == s.n ? at : at + 6));
}

/* Something of a path: "Trace file" may stand in prose, too. */
static bool
path(pp_str s)
{
	return pp_str_find(s, PP_STR(".trc")) < s.n ||
	    (s.n && (memchr(s.p, '/', s.n) || memchr(s.p, '\\', s.n)));
}

bool
pp_o_path_like(const char *p, const char *e)
{
	pp_str s = pp_str_trim(pp_o_str(p, e));

	return s.n > 5 && pp_str_ends(s, PP_STR(".trc")) &&
	    (s.p[0] == '/' || (s.p[1] == ':' && s.p[2] == '\\')) &&
	    !memchr(s.p, '*', s.n);
}

bool
pp_o_header(const char *p, const char *e, pp_str next, struct pp_o_rec *r)
{
	pp_str s = pp_str_trim(pp_o_str(p, e));
	size_t i;

	r->kind = PP_O_HEADER;
	if (s.n == 0 || s.p != p)
		return false;
	r->text = s;
	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		if (!pp_str_starts(s, headers[i].lead))
			continue;
		r->sub = headers[i].sub;
		if (r->sub == PP_O_H_PRODUCT || r->sub == PP_O_H_OTHER)
			return true;
		r->text = pp_str_trim(pp_str_skip(s, headers[i].lead.n));
		if (r->sub == PP_O_H_TRACE_FILE)
			return path(r->text);
		if (r->sub == PP_O_H_VERSION)
			return r->text.n && pp_scan_digit(r->text.p[0]);
		if (r->sub == PP_O_H_PROCESS)
			header_process(r->text, r);
		return true;
	}
	if (header_date(s) || header_options(s)) {
		r->sub = PP_O_H_OTHER;
		return true;
	}
	/* Before 11.1 the path stands alone, and the banner follows. */
	r->sub = PP_O_H_TRACE_FILE;
	return pp_o_path_like(p, e) && (HAS(next, "Oracle") ||
	    HAS(next, "ORACLE V") || HAS(next, "Personal Oracle") ||
	    header_date(next));
}
