/*
 * test_sanitise.c: text that every format can hold.
 *
 * Broken UTF-8: the tables 3-8 to 3-11 of the Unicode standard, section 3.9.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "../writers/sanitise.h"

#define R "\xef\xbf\xbd"	/* U+FFFD */
#define DOTS "\xe2\x80\xa6"	/* U+2026 */

struct fixture {
	struct pp_mem mem;
	struct pp_arena arena;
	struct pp_sanitiser z;
};

static int
setup(void **state)
{
	static struct fixture f;

	pp_mem_init(&f.mem, 0);
	pp_arena_init(&f.arena, &f.mem, 4096);
	f.z = (struct pp_sanitiser){.out = &f.arena};
	*state = &f;
	return 0;
}

static int
teardown(void **state)
{
	struct fixture *f = *state;

	pp_mem_free_all(&f->mem);
	return 0;
}

/* An exact-size copy, so that a read past the end is found. */
static pp_str
sanitise(struct fixture *f, enum pp_sane mode, pp_str in)
{
	char *exact = test_malloc(in.n ? in.n : 1);
	pp_str out;

	if (in.n)
		memcpy(exact, in.p, in.n);
	f->z.mode = mode;
	out = pp_sanitise(&f->z, (pp_str){exact, in.n});
	if (out.p == exact)
		out.p = in.p;
	else
		out = pp_arena_str(&f->arena, out);
	test_free(exact);
	return out;
}

static void
gives(struct fixture *f, enum pp_sane mode, pp_str in, pp_str want)
{
	pp_str got = sanitise(f, mode, in);

	if (!pp_str_eq(got, want))
		fail_msg("'%.*s' gives '%.*s', not '%.*s'", (int)in.n, in.p,
		    (int)got.n, got.p, (int)want.n, want.p);
}

#define GIVES(mode, in, want) \
	gives(f, PP_SANE_##mode, PP_STR(in), PP_STR(want))

/* Clean text comes back itself, not as a copy. */
static void
keeps(struct fixture *f, enum pp_sane mode, pp_str in)
{
	uint64_t before = f->z.repaired;
	pp_str got = sanitise(f, mode, in);

	assert_ptr_equal(got.p, in.p);
	assert_int_equal(got.n, in.n);
	assert_int_equal(f->z.repaired, before);
	assert_int_equal(f->z.cut, 0);
}

static void
clean_text(void **state)
{
	static const char *const texts[] = {
	    "", "a", "12345678", "123456789", "select 1 from dual",
	    "M\xc3\xbcller \xe5\x9b\xb3 \xf0\x9f\x98\x80",
	    "\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80",
	    "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf",
	    "tab\tand\nline", "\x7f", "1234567\xc3\xbc",
	    "_x004_ _x00411_ x0041_ _x00g1_ _X0041_ ___"};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		keeps(f, PP_SANE_UTF8, pp_str_from(texts[i]));
		keeps(f, PP_SANE_XML, pp_str_from(texts[i]));
		keeps(f, PP_SANE_XLSX, pp_str_from(texts[i]));
	}
	/* CSV keeps every byte that is valid UTF-8 */
	keeps(f, PP_SANE_UTF8, PP_STR("\0\x01\x0b\x1b\r\xef\xbf\xbe"));
	keeps(f, PP_SANE_XML, PP_STR("line\r\n"));
	assert_int_equal(f->z.repaired, 0);
}

static void
broken_utf8(void **state)
{
	struct fixture *f = *state;

	/* table 3-8: no shortest form */
	GIVES(UTF8, "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41",
	    R R R R R R R R "A");
	/* table 3-9: surrogates */
	GIVES(UTF8, "\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41",
	    R R R R R R R R "A");
	/* table 3-10: past the end, stray bytes */
	GIVES(UTF8, "\xf4\x91\x92\x93\xff\x41\x80\xbf\x42",
	    R R R R R "A" R R "B");
	/* table 3-11: cut sequences, one each */
	GIVES(UTF8, "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R R R R "A");
	/* cut at the end of the text */
	GIVES(UTF8, "ab\xf0\x9f\x98", "ab" R);
	GIVES(UTF8, "ab\xf0\x9f", "ab" R);
	GIVES(UTF8, "ab\xe5", "ab" R);
	/* Latin-1 */
	GIVES(UTF8, "M\xfcller 12345678 stra\xdf" "e",
	    "M" R "ller 12345678 stra" R "e");
	/* 0x80 alone, at every place of an eight-byte step */
	GIVES(UTF8, "\x80" "2345678", R "2345678");
	GIVES(UTF8, "1234567\x80", "1234567" R);
	GIVES(UTF8, "12345678\x80", "12345678" R);
	assert_int_equal(f->z.repaired, 11);
	/* in every mode */
	GIVES(XML, "\xf4\x91\x92\x93\xff\x41\x80\xbf\x42",
	    R R R R R "A" R R "B");
	GIVES(XLSX, "\xf4\x91\x92\x93\xff\x41\x80\xbf\x42",
	    R R R R R "A" R R "B");
	assert_int_equal(f->z.repaired, 13);
	assert_int_equal(f->z.cut, 0);
}

static void
xml_characters(void **state)
{
	struct fixture *f = *state;

	GIVES(XML, "a\x0b" "b\x01" "c\xef\xbf\xbe<&]]>",
	    "a" R "b" R "c" R "<&]]>");
	GIVES(XML, "\0", R);
	GIVES(XML, "12345678\x1f\t\n\r", "12345678" R "\t\n\r");
	GIVES(XML, "\xef\xbf\xbf\xef\xbf\xbd\xef\xbf\xbe", R R R);
	assert_int_equal(f->z.repaired, 4);
	/* the same noncharacters in other planes are allowed */
	keeps(f, PP_SANE_XML, PP_STR("\xf0\x9f\xbf\xbe"));
}

static void
xlsx_escapes(void **state)
{
	struct fixture *f = *state;

	GIVES(XLSX, "select '\xe5\x9b\xb3\x14\xe5\x9b\xb3'",
	    "select '\xe5\x9b\xb3_x0014_\xe5\x9b\xb3'");
	GIVES(XLSX, "\x1b[0m", "_x001B_[0m");
	GIVES(XLSX, "a\r\nb\tc", "a_x000D_\nb\tc");
	GIVES(XLSX, "\0", "_x0000_");
	GIVES(XLSX, "col_x0041_", "col_x005F_x0041_");
	GIVES(XLSX, "_x00aF_", "_x005F_x00aF_");
	/* both underscores start an escape */
	GIVES(XLSX, "_x0041_x0042_", "_x005F_x0041_x005F_x0042_");
	/* the underscore that would complete it comes from our own escape */
	GIVES(XLSX, "_x0041\r", "_x005F_x0041_x000D_");
	GIVES(XLSX, "_x0041\n\x01", "_x0041\n_x0001_");
	GIVES(XLSX, "\x01x0041_", "_x0001_x0041_");
	/* nothing of this is a loss */
	assert_int_equal(f->z.repaired, 0);
	GIVES(XLSX, "\xef\xbf\xbe", R);
	assert_int_equal(f->z.repaired, 1);
	assert_int_equal(f->z.cut, 0);
}

static pp_str
repeat(char *buf, const char *unit, size_t times, const char *tail)
{
	size_t n = strlen(unit), i;

	for (i = 0; i < times; i++)
		memcpy(buf + i * n, unit, n);
	memcpy(buf + times * n, tail, strlen(tail));
	return (pp_str){buf, times * n + strlen(tail)};
}

static void
xlsx_length(void **state)
{
	static char in[400000], want[400000];
	struct fixture *f = *state;
	pp_str w;

	/* one unit each: 32,767 fit */
	keeps(f, PP_SANE_XLSX, repeat(in, "x", 32767, ""));
	keeps(f, PP_SANE_XLSX, repeat(in, "\xe5\x9b\xb3", 32767, ""));
	/* two units each: 16,383 and one more unit fit */
	keeps(f, PP_SANE_XLSX, repeat(in, "\xf0\x9f\x98\x80", 16383, "x"));

	w = repeat(want, "x", 32766, DOTS);
	gives(f, PP_SANE_XLSX, repeat(in, "x", 32768, ""), w);
	assert_int_equal(f->z.cut, 1);
	gives(f, PP_SANE_XLSX, repeat(in, "x", 390000, ""), w);
	w = repeat(want, "\xe5\x9b\xb3", 32766, DOTS);
	gives(f, PP_SANE_XLSX, repeat(in, "\xe5\x9b\xb3", 32768, ""), w);
	/* 16,383 pairs are 32,766 units, then the mark */
	w = repeat(want, "\xf0\x9f\x98\x80", 16383, DOTS);
	gives(f, PP_SANE_XLSX, repeat(in, "\xf0\x9f\x98\x80", 16384, ""), w);
	gives(f, PP_SANE_XLSX, repeat(in, "\xf0\x9f\x98\x80", 16383, "xy"), w);
	/* a pair that would stand at 32,766 and 32,767 goes */
	memset(want, 'x', 32765);
	memcpy(want + 32765, DOTS, 3);
	memset(in, 'x', 32765);
	memcpy(in + 32765, "\xf0\x9f\x98\x80y", 5);
	gives(f, PP_SANE_XLSX, (pp_str){in, 32770}, (pp_str){want, 32768});
	/* an escape is seven units and stays whole: 4,680 are 32,760 */
	w = repeat(want, "_x0001_", 4680, DOTS);
	gives(f, PP_SANE_XLSX, repeat(in, "\x01", 4682, ""), w);
	w = repeat(want, "_x0001_", 4681, "");
	gives(f, PP_SANE_XLSX, repeat(in, "\x01", 4681, ""), w);
	assert_int_equal(f->z.cut, 7);
	assert_int_equal(f->z.repaired, 0);
	/* no limit elsewhere */
	gives(f, PP_SANE_UTF8, repeat(in, "x", 390000, ""),
	    repeat(want, "x", 390000, ""));
}

static void
xlsx_line_feeds(void **state)
{
	static char in[70000], want[70000];
	struct fixture *f = *state;
	pp_str w;

	keeps(f, PP_SANE_XLSX, repeat(in, "x\n", 253, "end"));
	repeat(want, "x\n", 253, "");
	memcpy(want + 506, "x x end" DOTS, 10);
	gives(f, PP_SANE_XLSX, repeat(in, "x\n", 255, "end"),
	    (pp_str){want, 516});
	assert_int_equal(f->z.cut, 1);
	/* both limits at once: 253 feeds, 32,513 blanks, the mark */
	memset(want, '\n', 253);
	memset(want + 253, ' ', 32513);
	memcpy(want + 32766, DOTS, 3);
	w = (pp_str){want, 32769};
	gives(f, PP_SANE_XLSX, repeat(in, "\n", 32767, ""), w);
	gives(f, PP_SANE_XLSX, repeat(in, "\n", 40000, ""), w);
	assert_int_equal(f->z.cut, 3);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(clean_text),
		T(broken_utf8),
		T(xml_characters),
		T(xlsx_escapes),
		T(xlsx_length),
		T(xlsx_line_feeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
