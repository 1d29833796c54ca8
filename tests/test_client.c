/*
 * test_client.c: text of clients to row sets, piece by piece.
 *
 * With --dump [options] FILE it is a tool of client.test.py: the row sets of
 * the file as lines of JSON (client_dump.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>

#include "../readers/client/charset.h"
#include "../readers/client/parse.h"
#include "client_dump.h"

/* ------------------------------------------------------------------- tools */


/* The dump of bytes, read in pieces; to be freed. */
static char *
dump_of(const char *bytes, size_t n, size_t piece,
    const struct pp_client_options *opt, bool notes)
{
	struct client_dump d = {.rows_only = !notes};
	struct pp_mem mem;
	jmp_buf trap;
	char *out = NULL;
	size_t len = 0;
	FILE *in = tmpfile();

	assert_non_null(in);
	assert_int_equal(fwrite(bytes, 1, n, in), n);
	rewind(in);
	pp_mem_init(&mem, 0);
	mem.trap = &trap;
	assert_int_equal(setjmp(trap), 0);
	d.to = open_memstream(&out, &len);
	client_dump_stream(&d, &mem, in, piece, opt, NULL);
	fclose(d.to);
	fclose(in);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
	return out;
}

/* Does the dump of text hold this? */
static void
holds(const char *text, const char *want)
{
	char *out = dump_of(text, strlen(text), 4096, NULL, true);

	if (strstr(out, want) == NULL)
		fail_msg("no %s in:\n%s", want, out);
	free(out);
}

static void
lacks(const char *text, const char *what)
{
	char *out = dump_of(text, strlen(text), 4096, NULL, true);

	if (strstr(out, what) != NULL)
		fail_msg("%s in:\n%s", what, out);
	free(out);
}

static char *
contents(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *p;

	assert_non_null(f);
	p = malloc(1 << 20);
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

/* ------------------------------------------------------------------- pieces */

/* The same rows whatever the pieces. */
static void
same_in_pieces(const char *path)
{
	static const size_t sizes[] = {1, 3, 17, 64, 1000};
	size_t n, i;
	char *bytes = contents(path, &n), *whole, *out;

	whole = dump_of(bytes, n, 1 << 20, NULL, true);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		out = dump_of(bytes, n, sizes[i], NULL, true);
		if (strcmp(out, whole) != 0)
			fail_msg("%s: other rows in pieces of %zu", path,
			    sizes[i]);
		free(out);
	}
	free(whole);
	free(bytes);
}

static void
pieces_do_not_matter(void **state)
{
	static const char *const folders[] = {"corpora/client/ok",
	    "corpora/client/bad"};
	char path[512];
	size_t i, n = 0;
	struct dirent *e;
	DIR *d;

	(void)state;
	for (i = 0; i < 2; i++) {
		d = opendir(folders[i]);
		if (d == NULL)
			skip();
		while ((e = readdir(d)) != NULL) {
			if (e->d_name[0] == '.')
				continue;
			snprintf(path, sizeof(path), "%s/%s", folders[i],
			    e->d_name);
			same_in_pieces(path);
			n++;
		}
		closedir(d);
	}
	assert_true(n > 60);
}

/* A window larger than what decides about the encoding and the dialect. */
static void
pieces_of_long_files(void **state)
{
	size_t n = 0, cap = 400000;
	char *text = malloc(cap), *a, *b;
	int i;

	(void)state;
	n += (size_t)snprintf(text, cap, "id\tt\tx\n");
	for (i = 0; i < 9000; i++)
		n += (size_t)snprintf(text + n, cap - n,
		    "%d\ta\\tb %s\t%d.5\n", i, i % 97 ? "c" : "\\\\", i % 7);
	a = dump_of(text, n, 1 << 20, NULL, false);
	b = dump_of(text, n, 4097, NULL, false);
	assert_string_equal(a, b);
	assert_non_null(strstr(a, "{\"row\": [\"8999\", \"a\\u0009b c\", "
	    "\"4.5\"]"));
	free(a);
	free(b);
	free(text);
}

/* ------------------------------------------------------------------- boxes */

static void
cells_are_counted(void **state)
{
	(void)state;
	/* a bar, a newline, a border and wide text inside cells */
	holds("+----+--------+\n| id | t      |\n+----+--------+\n"
	    "|  1 | a|b    |\n|  2 | x\ny    |\n|  3 | +----+ |\n"
	    "|  4 | \xe6\xb8\xaf\xe5\x8f\xa3   |\n+----+--------+\n",
	    "{\"row\": [\"2\", \"x\\u000ay\"]");
	holds("+----+--------+\n| id | t      |\n+----+--------+\n"
	    "|  3 | +----+ |\n+----+--------+\n", "[\"3\", \"+----+\"]");
	holds("+----+--------+\n| id | t      |\n+----+--------+\n"
	    "|  4 | \xe6\xb8\xaf\xe5\x8f\xa3   |\n+----+--------+\n",
	    "\xe6\xb8\xaf\xe5\x8f\xa3\"]");
	/* beyond the BMP MariaDB counts one, MySQL none */
	holds("+----+-------+\n| id | t     |\n+----+-------+\n"
	    "|  1 | \xf0\x9f\x9a\xa2     |\n|  2 | b     |\n+----+-------+\n",
	    "[\"1\", \"\xf0\x9f\x9a\xa2\"]");
	holds("+----+-------+\n| id | t     |\n+----+-------+\n"
	    "|  1 | \xf0\x9f\x9a\xa2 x   |\n+----+-------+\n",
	    "[\"1\", \"\xf0\x9f\x9a\xa2 x\"]");
}

static void
head_or_row(void **state)
{
	(void)state;
	holds("+---+\n| 7 |\n+---+\n1 row in set (0.00 sec)\n",
	    "\"names\": null");
	holds("+---+---+\n| 7 | a |\n| 8 | b |\n+---+---+\n",
	    "\"names\": null");
	holds("+---+\n| a |\n+---+\n| 7 |\n+---+\n", "\"names\": [\"a\"]");
	/* names that a reader knows, and no row */
	holds("+--------+----------+\n| Status | Duration |\n"
	    "+--------+----------+\n", "\"names\": [\"Status\", \"Duration\"]");
	/* MySQL 9 puts text to the right and numbers to the left */
	holds("+---+-----+\n| 1 |  ab |\n| 2 |  cd |\n+---+-----+\n",
	    "[\"1\", \"ab\"]");
}

static void
damaged_tables(void **state)
{
	static const char t[] = "+--------+----------+\n| Status | Duration |\n"
	    "+--------+----------+\n";
	char text[400];

	(void)state;
	snprintf(text, sizeof(text), "%s| init | 0.1 |\n| a | b | 0.2 |\n", t);
	holds(text, "[\"init\", \"0.1\"]");
	holds(text, "\"tail_cut\": true");
	snprintf(text, sizeof(text), "%s| init   | 0.000100 |\n| end    | 0.0",
	    t);
	holds(text, "[\"end\", [\"cut\", \"0.0\"]]");
	snprintf(text, sizeof(text), "%s| init   | 0.000100 |\n...\n"
	    "| end    | 0.000200 |\n+--------+----------+\n"
	    "9 rows in set (0.00 sec)\n", t);
	holds(text, "\"end\": 2, \"losses\": 13, \"footer\": 9");
	holds(text, "the footer says 9 rows, 2 were read");
}

/* ------------------------------------------------------------------ records */

static void
names_of_records(void **state)
{
	(void)state;
	/* lines of a value that look like fields */
	holds("*************************** 1. row **************************\n"
	    "Query_ID: 1\nDuration: 0.5\n   Query: SELECT 1\nDuration: 7\n"
	    "*************************** 2. row **************************\n"
	    "Query_ID: 2\nDuration: 0.6\n   Query: SELECT 2\n",
	    "[\"1\", \"0.5\", \"SELECT 1\\u000aDuration: 7\"]");
	/* the second record decides what was a name, unless it is cut */
	holds("*** 1. row ***\n   a: 1\nNote: x\nText: y\n*** 2. row ***\n"
	    "   a: 2\nNote: z\n*** 3. row ***\n   a: 3\nNote: u\n",
	    "\"names\": [\"a\", \"Note\"]");
	holds("*** 1. row ***\n   a: 1\nNote: x\nText: y\n*** 2. row ***\n"
	    "   a: 2\nNote: z\n", "[\"2\", [\"cut\", \"z\"], [\"absent\"]]");
	/* a hand has moved a line of the second */
	holds("*** 1. row ***\n   a: 1\nNote: x\n*** 2. row ***\n"
	    "   a: 2\n Note: y\n", "[\"2\", \"y\"]");
	/* without names, without a head, without blanks in front */
	holds("*** 1. row ***\nstarting\n0.1\n*** 2. row ***\nend\n0.2\n",
	    "\"names\": null");
	holds("  SUM: 1\n  MAX: 2\nCOUNT: 3\n", "\"names\": [\"SUM\"");
	holds("*** 1. row ***\n SCHEMA_NAME: w\n DIGEST: b4\ncc\n COUNT: 1\n",
	    "[\"w\", \"b4\\u000acc\", \"1\"]");
}

/* ------------------------------------------------------------------- batch */

static void
results_of_a_batch(void **state)
{
	(void)state;
	/* the same head again, other names over the same columns, numbers */
	holds("Status\tDuration\na\t1\nStatus\tDuration\nb\t2\n",
	    "{\"set\": 2");
	holds("a\tb\n1\t2\nc\td\n3\t4\n", "\"names\": [\"c\", \"d\"]");
	holds("a\tb\n1\t2\nc\td\te\n3\t4\t5\n",
	    "\"names\": [\"c\", \"d\", \"e\"]");
	holds("1\tx\n2\ty\n", "\"names\": null");
	/* names that look like numbers, over numbers */
	holds("1\tCOUNT(*)\n1\t5\n", "\"names\": [\"1\", \"COUNT(*)\"]");
	/* escapes once, from left to right */
	holds("a\tb\nx\\\\N\t\\\\\\\\n\n", "[\"x\\\\N\", \"\\\\\\\\n\"]");
	/* and so beside a backslash that escapes nothing */
	holds("a\tb\n1\tx\\\\y\n2\t\\x\n", "[\"1\", \"x\\\\y\"]");
	holds("a\tb\n1\tx\\\\y\n2\t\\x\n", "[\"2\", \"\\\\x\"]");
	holds("a\tb\n1\t\\N\n2\tNULL\n", "[\"1\", null]");
	holds("a\tb\n1\t\\N\n2\tNULL\n", "[\"2\", \"NULL\"]");
	holds("a\tb\n1\tNULL\n", "[\"1\", [\"?\", \"NULL\"]]");
	/* text is no table */
	lacks("Dear reader,\tthis is text.\nIt has a tab.\n", "\"set\"");
}

/* --------------------------------------------------------------- statements */

static void
statements(void **state)
{
	static const char box[] = "+---+\n| a |\n+---+\n| 1 |\n+---+\n"
	    "1 row in set (0.00 sec)\n\n";
	static const char *const typed[][2] = {
		{"mysql> SELECT 1;\n", "SELECT 1"},
		{"MariaDB [(none)]> select 'a;b'\\G\n", "select 'a;b'"},
		{"root@localhost:shop [17:04:11]> SHOW PROFILE FOR QUERY 3;\n",
		    "SHOW PROFILE FOR QUERY 3"},
		{"mysql> SET profiling=1; SHOW PROFILES;\n", "SHOW PROFILES"},
		{"mysql> SELECT 'x\n    '> y',\n    -> 2;\n",
		    "SELECT 'x\\u000ay',\\u000a2"},
		{"--------------\nSELECT 5\n--------------\n\n", "SELECT 5"},
		{"show profile for query 1;\n\n", "show profile for query 1"},
		{" MySQL  localhost:33060+ ssl  SQL > SHOW PROFILES;\n",
		    "SHOW PROFILES"},
	};
	char text[512], want[160];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		snprintf(text, sizeof(text), "%s%s", typed[i][0], box);
		snprintf(want, sizeof(want), "\"statement\": \"%s\"",
		    typed[i][1]);
		holds(text, want);
	}
	/* a statement leads to one answer */
	snprintf(text, sizeof(text), "mysql> DO 1;\nQuery OK, 0 rows affected "
	    "(0.00 sec)\n\n%s", box);
	holds(text, "\"statement\": \"\"");
	holds("mysql> SELECT 1 FROM t;\nEmpty set (0.00 sec)\n",
	    "{\"note\": \"empty\", \"line\": 2, \"text\": \"SELECT 1 FROM "
	    "t\"}");
	holds("Your MySQL connection id is 8\n", "{\"note\": \"connect\"");
	holds("ERROR 1064 (42000): no\n", "{\"note\": \"error\"");
}

/* ----------------------------------------------------------------- charsets */

static void
charsets(void **state)
{
	struct pp_client_options o = {.charset = PP_STR("gbk")};
	char *out;
	static const char utf16[] = "\xff\xfe" "i\0d\0,\0t\0\n\0" "1\0,\0\x2f\x6e"
	    "\n\0";

	(void)state;
	/* the second byte of a character is a backslash */
	out = dump_of("c\td\n\xbf\x5c\t1\n", 9, 4096, &o, false);
	assert_non_null(strstr(out, "\xe7\xb8\x97\", \"1\"]"));
	free(out);
	o.charset = PP_STR("latin1");
	out = dump_of("c\td\ncaf\xe9\t1\n", 11, 4096, &o, false);
	assert_non_null(strstr(out, "caf\xc3\xa9"));
	free(out);
	out = dump_of(utf16, sizeof(utf16) - 1, 4096, NULL, false);
	assert_non_null(strstr(out, "[\"1\", \"\xe6\xb8\xaf\"]"));
	free(out);
	/* nothing is lost where nobody knows */
	out = dump_of("c\td\ncaf\xe9\t1\n", 11, 4096, NULL, false);
	assert_non_null(strstr(out, "caf\\udce9"));
	free(out);
	assert_true(pp_client_charset_known(PP_STR("utf8mb4")));
	assert_true(pp_client_charset_known(PP_STR("Big5")));
	assert_false(pp_client_charset_known(PP_STR("klingon")));
	assert_false(pp_client_charset_known(PP_STR("../x")));
}

static void
widths(void **state)
{
	(void)state;
	assert_int_equal(pp_cl_width(PP_CL_WIDE_ONE, PP_STR("a\tb")), 3);
	assert_int_equal(pp_cl_width(PP_CL_WIDE_ONE,
	    PP_STR("\xe6\xb8\xaf\xef\xbd\x86")), 4);
	assert_int_equal(pp_cl_width(PP_CL_WIDE_ONE, PP_STR("e\xcc\x81")), 2);
	assert_int_equal(pp_cl_width(PP_CL_TERMINAL, PP_STR("e\xcc\x81")), 1);
	assert_int_equal(pp_cl_width(PP_CL_WIDE_ONE,
	    PP_STR("\xf0\x9f\x98\x80")), 1);
	assert_int_equal(pp_cl_width(PP_CL_WIDE_NONE,
	    PP_STR("\xf0\x9f\x98\x80")), 0);
	assert_int_equal(pp_cl_width(PP_CL_TERMINAL,
	    PP_STR("\xf0\x9f\x98\x80")), 2);
	assert_int_equal(pp_cl_width(PP_CL_WIDE_ONE,
	    PP_STR("\xf0\xa0\x80\x80")), 2);
	assert_int_equal(pp_cl_width(PP_CL_WIDE_ONE, PP_STR("\xff")), 0);
	assert_int_equal(pp_cl_width(PP_CL_BYTES, PP_STR("\xff\xe9")), 2);
}

/* ------------------------------------------------------------- given dialect */

static void
given_dialect(void **state)
{
	struct pp_client_options o = {.has_fields = true, .fields =
	    PP_STR("~"), .columns = PP_STR("a, b")};
	char *out;

	(void)state;
	out = dump_of("x~1\ny~2\n", 8, 4096, &o, false);
	assert_non_null(strstr(out, "\"names\": [\"a\", \"b\"]"));
	assert_non_null(strstr(out, "[\"y\", \"2\"]"));
	free(out);
	o = (struct pp_client_options){.has_fields = true, .fields =
	    PP_STR(","), .has_enclosed = true, .enclosed = PP_STR("'"),
	    .has_escaped = true, .escaped = PP_STR("!"), .has_lines = true,
	    .lines = PP_STR("|")};
	out = dump_of("'a!'b',!N|'c,!!d','e'|", 22, 4096, &o, false);
	assert_non_null(strstr(out, "[\"a'b\", null]") );
	assert_non_null(strstr(out, "[\"c,!d\", \"e\"]"));
	free(out);
}

/* ---------------------------------------------------------------------- all */

static int
dump(int argc, char **argv)
{
	struct client_dump d = {.to = stdout, .rows_only = true};
	struct pp_client_options o = {.columns = {"", 0}};
	size_t piece = (size_t)1 << 18;
	const char *path = NULL;
	struct pp_mem mem;
	FILE *in;
	int i;

	for (i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--charset") == 0 && i + 1 < argc)
			o.charset = pp_str_from(argv[++i]);
		else if (strcmp(argv[i], "--fields") == 0 && i + 1 < argc) {
			o.has_fields = true;
			o.fields = pp_str_from(argv[++i]);
		} else if (strcmp(argv[i], "--piece") == 0 && i + 1 < argc)
			piece = (size_t)atol(argv[++i]);
		else if (strcmp(argv[i], "--notes") == 0)
			d.rows_only = false;
		else if (strcmp(argv[i], "--count") == 0)
			d.to = NULL;
		else
			path = argv[i];
	}
	in = path != NULL ? fopen(path, "rb") : NULL;
	if (in == NULL || piece == 0) {
		fprintf(stderr, "usage: test_client --dump [--charset NAME] "
		    "[--fields TEXT] [--piece N] [--notes] [--count] FILE\n");
		return 2;
	}
	pp_mem_init(&mem, 0);
	client_dump_stream(&d, &mem, in, piece, &o, path);
	fclose(in);
	if (d.to == NULL)
		printf("%llu rows, %llu cells, %zu bytes at most\n",
		    (unsigned long long)d.rows, (unsigned long long)d.cells,
		    mem.peak);
	pp_mem_free_all(&mem);
	return 0;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(pieces_of_long_files),
		cmocka_unit_test(cells_are_counted),
		cmocka_unit_test(head_or_row),
		cmocka_unit_test(damaged_tables),
		cmocka_unit_test(names_of_records),
		cmocka_unit_test(results_of_a_batch),
		cmocka_unit_test(statements),
		cmocka_unit_test(charsets),
		cmocka_unit_test(widths),
		cmocka_unit_test(given_dialect),
	};

	if (argc > 1 && strcmp(argv[1], "--dump") == 0)
		return dump(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
