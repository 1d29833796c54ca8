/*
 * test_readers.c: the registry of readers and the array of records.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "../readers/reader.h"

static void
test_names(void **state)
{
	const struct pp_reader *const *r;
	size_t i, j, n;

	(void)state;
	r = pp_readers(&n);
	assert_true(n > 0);
	for (i = 0; i < n; i++) {
		assert_ptr_equal(pp_reader_named(pp_str_from(r[i]->name)),
		    r[i]);
		assert_true(strlen(r[i]->summary) > 0);
		assert_true(r[i]->record_size > 0);
		for (j = 0; j < i; j++)
			assert_string_not_equal(r[i]->name, r[j]->name);
	}
	assert_null(pp_reader_named(PP_STR("")));
	assert_null(pp_reader_named(PP_STR("oracle1004")));
}

static void
test_probe(void **state)
{
	static const char trace[] =
	    "Trace file /u01/app/oracle/diag/rdbms/ora/ora/trace/ora_1.trc\n"
	    "Oracle Database 19c Enterprise Edition Release 19.0.0.0.0\n"
	    "\n"
	    "*** SESSION ID:(12.34) 2024-03-26T18:41:07.683567+01:00\n"
	    "WAIT #140: nam='SQL*Net message to client' ela= 2 "
	    "driver id=1 #bytes=1 p3=0 obj#=-1 tim=1000\n";
	const struct pp_reader *r;

	(void)state;
	r = pp_reader_probe(PP_STR(trace));
	assert_non_null(r);
	assert_string_equal(r->name, "oracle10046");
	assert_null(pp_reader_probe(PP_STR("")));
	assert_null(pp_reader_probe(PP_STR("\x7f" "ELF\x02\x01\x01")));
	assert_null(pp_reader_probe(PP_STR("Dear all,\n\nno trace here.\n")));
}

static void
test_records(void **state)
{
	struct pp_mem mem;
	struct pp_records rec;
	char *p;
	size_t i, round;

	(void)state;
	pp_mem_init(&mem, 0);
	pp_records_init(&rec, &mem, 24);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 1000; i++) {
			static const char zeros[24];

			p = pp_records_add(&rec);
			assert_memory_equal(p, zeros, 24);
			memset(p, 0xff, 24);
			(void)pp_arena_str(&rec.text, PP_STR("text"));
		}
		assert_int_equal(rec.n, 1000);
		pp_records_reset(&rec);
		assert_int_equal(rec.n, 0);
	}
	pp_records_free(&rec);
	assert_int_equal(mem.used, 0);
	pp_mem_free_all(&mem);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
