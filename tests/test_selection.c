/*
 * test_selection.c: what --where, --since and --until understand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../cli/selection.h"
#include "../model/report/command.h"

#define SECOND INT64_C(1000000)
/* 2024-03-26 00:00:00: 19808 days after 1970-01-01 */
#define DAY (INT64_C(19808) * 86400 * SECOND)

static void
test_seconds(void **state)
{
	struct pp_moment m;

	(void)state;
	assert_true(pp_selecting_moment(&m, "12.5"));
	assert_true(m.given && !m.wall);
	assert_true(m.ps == (pp_i128)125 * 100000000000);
	assert_true(pp_selecting_moment(&m, "0"));
	assert_true(m.given && m.ps == 0);
	assert_true(pp_selecting_moment(&m, "2min"));
	assert_true(m.ps == (pp_i128)120 * 1000000000000);
}

static void
test_wall(void **state)
{
	static const struct {
		const char *text;
		int64_t us;
		bool date, offset;
		int min;
	} good[] = {
		{"2024-03-26", DAY, true, false, 0},
		{"2024-03-26T18:41", DAY + 67260 * SECOND, true, false, 0},
		{"2024-03-26 18:41:07", DAY + 67267 * SECOND, true, false, 0},
		{"2024-03-26T18:41:07.5", DAY + 67267 * SECOND + 500000, true,
		    false, 0},
		{"2024-03-26T18:41:07.683567+01:00", DAY + 67267 * SECOND +
		    683567, true, true, 60},
		{"2024-03-26T18:41Z", DAY + 67260 * SECOND, true, true, 0},
		{"2024-03-26T18:41-0730", DAY + 67260 * SECOND, true, true,
		    -450},
		{"18:41", 67260 * SECOND, false, false, 0},
		{"00:00:00", 0, false, false, 0},
		{"23:59:59.999999", 86400 * SECOND - 1, false, false, 0},
	};
	struct pp_moment m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (!pp_selecting_moment(&m, good[i].text))
			fail_msg("%s", good[i].text);
		assert_true(m.given && m.wall);
		assert_int_equal(m.us, good[i].us);
		assert_int_equal(m.has_date, good[i].date);
		assert_int_equal(m.has_offset, good[i].offset);
		assert_int_equal(m.offset_min, good[i].min);
	}
}

static void
test_no_moment(void **state)
{
	static const char *const bad[] = {
		"", "noon", ":", "18:", "1:2", "18:4", "18:41:", "24:61",
		"2024-13-01", "2024-02-30", "2024-03-26T18",
		"2024-03-26X18:41", "2024-03-26T18:41:07+", "18:41:07 x",
		"2024-03-26T18:41:07+01:00x", "12.5.5", "-5", "5 parsecs",
		("2024-03-26T18:41:07.683567+01:00 and some more text than "
		"fits into any buffer that is made for a stamp of a trace"),
	};
	struct pp_moment m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (pp_selecting_moment(&m, bad[i]))
			fail_msg("`%s` is taken", bad[i]);
}

static void
test_where(void **state)
{
	struct pp_selecting s;
	char buf[160];
	const char *why;

	(void)state;
	memset(&s, 0, sizeof(s));
	assert_null(pp_selecting_where(&s, "module=a=b", buf, sizeof(buf)));
	assert_null(pp_selecting_where(&s, "command=select", buf,
	    sizeof(buf)));
	assert_null(pp_selecting_where(&s, "class=idle", buf, sizeof(buf)));
	assert_null(pp_selecting_where(&s, "client_id=", buf, sizeof(buf)));
	assert_int_equal(s.selection.nwhere, 4);
	assert_int_equal(s.where[0].column, PP_WHERE_MODULE);
	assert_memory_equal(s.where[0].value.p, "a=b", 3);
	assert_int_equal(s.where[1].number, 3);
	assert_int_equal(s.where[3].value.n, 0);
	why = pp_selecting_where(&s, "modle=x", buf, sizeof(buf));
	assert_non_null(why);
	assert_non_null(strstr(why, "`module`"));
	assert_non_null(pp_selecting_where(&s, "module", buf, sizeof(buf)));
	assert_non_null(pp_selecting_where(&s, "class=x", buf, sizeof(buf)));
	while (s.selection.nwhere < PP_SELECTION_MAX)
		assert_null(pp_selecting_where(&s, "user=1", buf,
		    sizeof(buf)));
	assert_non_null(pp_selecting_where(&s, "user=1", buf, sizeof(buf)));
	assert_true(pp_selecting_done(&s, NULL, NULL));
	assert_non_null(strstr(s.text, "module=a=b, command=select, "
	    "class=idle, client_id=, user=1, user=1"));
	memset(&s, 0, sizeof(s));
	assert_false(pp_selecting_done(&s, NULL, NULL));
}

static void
test_commands(void **state)
{
	(void)state;
	assert_int_equal(pp_command_named(pp_str_from("SELECT")), 3);
	assert_int_equal(pp_command_named(pp_str_from("create table")), 1);
	assert_int_equal(pp_command_named(pp_str_from("SELEC")), UINT32_MAX);
	assert_int_equal(pp_command_named(pp_str_from("")), UINT32_MAX);
	assert_int_equal(pp_command_name(3).n, 6);
	assert_int_equal(pp_command_name(100000).n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_wall),
		cmocka_unit_test(test_no_moment),
		cmocka_unit_test(test_where),
		cmocka_unit_test(test_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
