/*
 * test_schema.c: the tables as they are promised (schema version 1): names,
 * columns, order, types; and the plan that is made from their names.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../model/plan.h"

/* In the order in which a set of outputs has them.  Columns are only ever
 * added, at the end. */
static const struct {
	const char *table, *columns;
} schema[] = {
	{"sources",
	    "source,path,reader,product,version,host,instance,tick,"
	    "clock_factor,started_at,ended_at,span_s,bytes,lines,records,"
	    "repaired,rejected,noise,status,sha256"},
	{"sessions",
	    "source,session,native_id,process,client_id,service,module,"
	    "action,driver,container,started_at,start_s,end_s,span_s,calls,"
	    "waits,commits,rollbacks"},
	{"session_sources",
	    "source,session,file,first_line,last_line,start_s,end_s"},
	{"profile",
	    "source,session,event,class,time_s,share_pct,count,avg_s,min_s,"
	    "max_s,p50_s,p95_s,p99_s"},
	{"timeline",
	    "source,session,interval,start_s,end_s,start_at,event,class,"
	    "time_s,count"},
	{"timeline_pivot",
	    "source,session,interval,start_s,end_s,start_at"},
	{"cube",
	    "source,session,interval,start_s,event,class,statement,digest,"
	    "time_s,count"},
	{"tree",
	    "source,session,node,parent,depth,call,statement,sql_id,calls,"
	    "elapsed_s,cpu_s,self_s,self_cpu_s,self_wait_s,self_queue_s,"
	    "self_unaccounted_s,share_pct,rows"},
	{"statements",
	    "source,session,statement,sql_id,hash_value,digest,command,"
	    "parsing_user,depth,executions,parses,misses,elapsed_s,cpu_s,"
	    "self_s,self_cpu_s,self_wait_s,self_queue_s,self_unaccounted_s,"
	    "between_s,recursive_parse_s,recursive_exec_s,"
	    "recursive_fetch_s,share_pct,rows,physical_reads,"
	    "consistent_gets,current_gets,p50_s,p95_s,p99_s,max_s,first_s,"
	    "last_s,text"},
	{"texts",
	    "statement,sql_id,hash_value,digest,text_bytes,complete,"
	    "altered,text"},
	{"statement_calls",
	    "source,session,statement,sql_id,call,count,elapsed_s,cpu_s,"
	    "self_s,self_cpu_s,self_wait_s,self_queue_s,self_unaccounted_s,"
	    "physical_reads,consistent_gets,current_gets,"
	    "self_physical_reads,self_consistent_gets,self_current_gets,"
	    "misses,rows"},
	{"statement_events",
	    "source,session,statement,sql_id,event,class,place,time_s,"
	    "count,avg_s,max_s"},
	{"statement_pivot",
	    "source,session,statement,sql_id,digest"},
	{"executions",
	    "source,session,event_id,line,statement,sql_id,digest,start_s,"
	    "end_s,start_at,elapsed_s,cpu_s,self_s,self_cpu_s,self_wait_s,"
	    "self_unaccounted_s,fetches,rows,physical_reads,"
	    "consistent_gets,current_gets,binds,module,action,client_id"},
	{"gaps",
	    "source,session,after_line,before_line,start_s,end_s,start_at,"
	    "time_s,place,statement"},
	{"digests",
	    "source,digest,schema,native_digest,digest_text,calls,total_s,"
	    "share_pct,avg_s,min_s,max_s,stddev_s,p50_s,p95_s,p99_s,p999_s,"
	    "lock_s,cpu_s,parses,executions,misses,errors,warnings,"
	    "rows_affected,rows_sent,rows_examined,tmp_tables,"
	    "tmp_disk_tables,full_joins,full_scans,sort_rows,no_index,"
	    "no_good_index,first_seen,last_seen,statements,sources,"
	    "rows_without_time,sample_text,load,index_ratio,flags"},
	{"digest_pivot",
	    "digest,digest_text,schemas"},
	{"digest_deltas",
	    "source,digest,schema,native_digest,from_at,to_at,calls,"
	    "total_s,state,load"},
	{"histogram",
	    "source,session,event,from_s,to_s,count,time_s,digest,schema"},
	{"stages",
	    "source,session,query_id,seq,state,start_s,duration_s,"
	    "cpu_user_s,cpu_system_s,context_voluntary,context_involuntary,"
	    "block_ops_in,block_ops_out,messages_sent,messages_received,"
	    "page_faults_major,page_faults_minor,swaps,from_function,"
	    "from_file,from_line,to_function,to_file,to_line,flags"},
	{"events",
	    "source,session,event_id,parent_event_id,line,kind,event,class,"
	    "place,cursor,statement,sql_id,digest,depth,start_s,end_s,"
	    "start_at,elapsed_s,cpu_s,queue_s,self_s,self_cpu_s,"
	    "self_queue_s,self_wait_s,self_unaccounted_s,rows,"
	    "physical_reads,consistent_gets,current_gets,misses,plan_hash,"
	    "error,object,p1_name,p1,p2_name,p2,p3_name,p3,module,action,"
	    "client_id,tim,flags"},
	{"binds",
	    "source,session,event_id,line,statement,set,position,type,"
	    "length,value"},
	{"plans",
	    "source,session,statement,plan,line,id,parent,depth,position,"
	    "object,operation,executions,rows,starts,consistent_gets,"
	    "physical_reads,physical_writes,elapsed_s,self_s,"
	    "self_consistent_gets,self_physical_reads,cost,bytes,"
	    "cardinality"},
	{"errors",
	    "source,session,line,statement,code,at_s,text"},
	{"compare_events",
	    "event,class,before_s,after_s,"
	    "difference_s,ratio,share_pct,before_count,after_count,"
	    "difference_count,state"},
	{"compare_statements",
	    "statement,sql_id,digest,before_s,after_s,"
	    "difference_s,ratio,share_pct,before_count,after_count,"
	    "difference_count,state,text"},
	{"compare_digests",
	    "digest,digest_text,before_s,after_s,"
	    "difference_s,ratio,share_pct,before_count,after_count,"
	    "difference_count,state"},
	{"problems",
	    "severity,source,line,offset,id,count,message"},
};
#define NSCHEMA (sizeof(schema) / sizeof(schema[0]))

static void
test_columns(void **state)
{
	const struct pp_report *const *all;
	size_t n;

	(void)state;
	all = pp_reports(&n);
	assert_int_equal(n, NSCHEMA);
	for (size_t i = 0; i < n; i++) {
		const struct pp_table *t = all[i]->table;
		char columns[1024] = "";

		for (size_t k = 0; k < t->ncolumns; k++) {
			if (k)
				strcat(columns, ",");
			strcat(columns, t->columns[k].name);
		}
		assert_string_equal(t->name, schema[i].table);
		assert_string_equal(columns, schema[i].columns);
		assert_ptr_equal(pp_table_named(pp_str_from(t->name)), t);
		assert_ptr_equal(pp_report_named(pp_str_from(t->name)),
		    all[i]);
	}
	assert_null(pp_table_named(PP_STR("nosuch")));
	assert_null(pp_table_named(PP_STR("source")));
}

static bool
ends(const char *s, const char *suffix)
{
	return pp_str_ends(pp_str_from(s), pp_str_from(suffix));
}

/* One line, no full stop: it is a cell of a list. */
static void
check_help(const char *help)
{
	assert_non_null(help);
	assert_true(strlen(help) > 0 && strlen(help) < 120);
	assert_null(strpbrk(help, "\n\t"));
	assert_false(ends(help, ".") || ends(help, " "));
	assert_null(strstr(help, "  "));
}

static void
test_declarations(void **state)
{
	const struct pp_report *const *all;
	size_t n;

	(void)state;
	all = pp_reports(&n);
	for (size_t i = 0; i < n; i++) {
		const struct pp_report *r = all[i];
		const struct pp_table *t = r->table;
		bool wide = t->flags & PP_TABLE_WIDE;

		check_help(t->help);
		check_help(t->order);
		assert_int_not_equal(r->inputs, 0);
		/* the raw tables wait to be asked for; those of `compare`
		 * are of no other command */
		assert_int_equal(r->raw || r->inputs == PP_INPUT_COMPARED,
		    !r->default_on);
		assert_int_equal(r->raw, (t->flags & PP_TABLE_RAW) != 0);
		assert_int_equal(r->raw, (r->needs & PP_NEED_RAW) != 0);
		assert_int_equal(wide, r->tall != NULL);
		if (r->tall != NULL)
			assert_non_null(pp_table_named(
			    pp_str_from(r->tall)));
		for (size_t k = 0; k < t->ncolumns; k++)
			check_help(t->columns[k].help);
	}
	assert_true(pp_report_named(PP_STR("events"))->raw);
	assert_true(pp_report_named(PP_STR("executions"))->raw);
	assert_true(pp_report_named(PP_STR("binds"))->raw);
	assert_false(pp_report_named(PP_STR("plans"))->raw);
}

static void
test_types(void **state)
{
	const struct pp_report *const *all;
	size_t n;

	(void)state;
	all = pp_reports(&n);
	for (size_t i = 0; i < n; i++) {
		const struct pp_table *t = all[i]->table;

		for (size_t k = 0; k < t->ncolumns; k++) {
			const char *c = t->columns[k].name;
			enum pp_type type = t->columns[k].type;

			assert_int_equal(ends(c, "_s"),
			    type == PP_T_SECONDS);
			assert_int_equal(ends(c, "_at") || ends(c, "_seen"),
			    type == PP_T_TIME);
			assert_int_equal(ends(c, "_pct") ||
			    !strcmp(c, "clock_factor") ||
			    !strcmp(c, "load") || ends(c, "ratio"),
			    type == PP_T_DECIMAL);
			if (!strcmp(c, "sql_id") || !strcmp(c, "digest") ||
			    !strcmp(c, "statement"))
				assert_int_equal(type, PP_T_ID);
		}
	}
	assert_string_equal(pp_type_name(PP_T_TEXT), "text");
	assert_string_equal(pp_type_name(PP_T_ID), "id");
	assert_string_equal(pp_type_name(PP_T_INT), "int");
	assert_string_equal(pp_type_name(PP_T_SECONDS), "seconds");
	assert_string_equal(pp_type_name(PP_T_DECIMAL), "decimal");
	assert_string_equal(pp_type_name(PP_T_TIME), "time");
}

/* The planned tables, as a comma list. */
static void
check_plan(const char *tables, bool events, bool wide, const char *want,
    bool raw, bool slices)
{
	struct pp_plan p;
	pp_str unknown = PP_STR("");
	char got[1024] = "";

	assert_true(pp_plan_make(&p, pp_str_from(tables), events, wide,
	    &unknown));
	for (size_t i = 0; i < p.n; i++) {
		if (i)
			strcat(got, ",");
		strcat(got, p.report[i]->table->name);
		assert_true(pp_plan_has(&p,
		    pp_str_from(p.report[i]->table->name)));
	}
	assert_string_equal(got, want);
	assert_int_equal(p.raw, raw);
	assert_int_equal(p.slices, slices);
	assert_false(pp_plan_has(&p, PP_STR("nosuch")));
}

#define TALL_1 "sources,sessions,session_sources,profile,timeline,"
#define TALL_2 "cube,tree,statements,texts,statement_calls,statement_events,"
#define TALL_3 "digest_deltas,histogram,stages,"

static void
test_plan(void **state)
{
	(void)state;
	check_plan("", false, true, TALL_1 "timeline_pivot," TALL_2
	    "statement_pivot,gaps,digests,digest_pivot," TALL_3
	    "plans,errors,problems", false, true);
	check_plan("all", false, false, TALL_1 TALL_2 "gaps,digests," TALL_3
	    "plans,errors,problems", false, true);
	check_plan("", true, false, TALL_1 TALL_2
	    "executions,gaps,digests," TALL_3
	    "events,binds,plans,errors,problems", true, true);
	/* in the order of the tables, each once, blanks between allowed */
	check_plan("profile, sources ,profile,,", false, true,
	    "sources,profile", false, false);
	check_plan("profile", true, true, "profile,executions,events,binds",
	    true, false);
	check_plan("events", false, true, "events", true, false);
	/* named wide tables turn tall where the output needs it */
	check_plan("timeline_pivot,statement_pivot", false, true,
	    "timeline_pivot,statement_pivot", false, true);
	check_plan("statement_pivot", false, false, "statement_events",
	    false, false);
	check_plan("timeline_pivot,timeline", false, false, "timeline",
	    false, true);
	check_plan("all,binds", false, false, TALL_1 TALL_2
	    "gaps,digests," TALL_3 "binds,plans,errors,problems", true,
	    true);
}

static void
test_unknown_table(void **state)
{
	struct pp_plan p;
	pp_str unknown = PP_STR("");

	(void)state;
	assert_false(pp_plan_make(&p, PP_STR("profile, profil ,x"), false,
	    true, &unknown));
	assert_true(pp_str_eq(unknown, PP_STR("profil")));
	assert_false(pp_plan_make(&p, PP_STR("Profile"), false, true,
	    &unknown));
}

/* A sink that notes which tables come. */
struct noting {
	struct pp_rowsink sink;
	char tables[1024];
	enum pp_status answer;	/* of end */
};

static enum pp_status
note_begin(struct pp_rowsink *s, const struct pp_table *t)
{
	struct noting *n = (struct noting *)(void *)s;

	strcat(strcat(n->tables, t->name), " ");
	return PP_OK;
}

static enum pp_status
note_rows(struct pp_rowsink *s, const struct pp_batch *b)
{
	(void)s;
	(void)b;
	return PP_OK;
}

static enum pp_status
note_end(struct pp_rowsink *s, const struct pp_table *t)
{
	(void)t;
	return ((struct noting *)(void *)s)->answer;
}

/*
 * What the kind of input cannot fill is left out, the others come even when
 * they are empty; a sink that fails ends it.
 */
static void
test_emit(void **state)
{
	struct pp_account_options o = {.intervals = 20};
	struct pp_report_ctx ctx = {0};
	struct pp_accounts a;
	struct pp_model m;
	struct pp_mem mem;
	struct pp_plan p;
	struct noting n = {.sink = {note_begin, note_rows, note_end }};
	pp_str unknown;

	(void)state;
	pp_mem_init(&mem, 0);
	pp_model_init(&m, &mem, NULL, "/tmp");
	pp_account_init(&a, &m, &o);
	ctx.mem = &mem;
	ctx.model = &m;
	ctx.accounts = &a;
	assert_true(pp_plan_make(&p,
	    PP_STR("digests,problems,tree,gaps,sources,stages"), false, true,
	    &unknown));
	assert_int_equal(pp_plan_emit(&p, &ctx, PP_INPUT_TRACE, &n.sink),
	    PP_OK);
	assert_string_equal(n.tables, "sources tree gaps digests problems ");
	n.tables[0] = '\0';
	assert_int_equal(pp_plan_emit(&p, &ctx, PP_INPUT_STATES, &n.sink),
	    PP_OK);
	assert_null(strstr(n.tables, "gaps"));
	assert_non_null(strstr(n.tables, "tree"));
	assert_non_null(strstr(n.tables, "sources"));
	n.tables[0] = '\0';
	n.answer = PP_FAILED;
	assert_int_equal(pp_plan_emit(&p, &ctx, PP_INPUT_TRACE, &n.sink),
	    PP_FAILED);
	assert_string_equal(n.tables, "sources ");
	pp_mem_free_all(&mem);
}

#define MAN "man/profpivot-formats.5"

static char *
read_man(void)
{
	size_t size = 1 << 18, n;
	FILE *f = fopen(MAN, "r");
	char *text;

	if (f == NULL)
		return NULL;
	text = malloc(size);
	assert_non_null(text);
	n = fread(text, 1, size - 1, f);
	assert_true(feof(f));
	text[n] = '\0';
	fclose(f);
	return text;
}

/* Lines are filled: where they end says nothing. */
static void
join_lines(char *s)
{
	while (s != NULL && (s = strchr(s, '\n')) != NULL)
		*s = ' ';
}

/* The man page says of each table what its declaration says. */
static void
test_man(void **state)
{
	const struct pp_report *const *all;
	char *man = read_man(), *buf;
	size_t n, size = 1 << 16, at;

	(void)state;
	if (man == NULL) {
		print_message("skip: no " MAN " below the working directory\n");
		skip();
	}
	buf = malloc(size);
	assert_non_null(buf);
	join_lines(man);
	all = pp_reports(&n);
	for (size_t i = 0; i < n; i++) {
		const struct pp_table *t = all[i]->table;

		at = (size_t)snprintf(buf, size, "\n.Ss %s\nA row is %s.\n"
		    "Order: %s.\n%s.Bl -tag -width Ds -compact\n", t->name,
		    t->help, t->order, all[i]->raw ? "Written only when it "
		    "is named, or with\n.Fl -events .\n" : "");
		for (size_t k = 0; k < t->ncolumns; k++)
			at += (size_t)snprintf(buf + at, size - at,
			    ".It Cm %s Pq %s\n%s\n", t->columns[k].name,
			    pp_type_name(t->columns[k].type),
			    t->columns[k].help);
		snprintf(buf + at, size - at, ".El\n");
		join_lines(buf);
		if (strstr(man, buf) == NULL)
			fail_msg(MAN ": %s is not as declared; it should "
			    "read:%s", t->name, buf);
	}
	free(buf);
	free(man);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_declarations),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_unknown_table),
		cmocka_unit_test(test_emit),
		cmocka_unit_test(test_man),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
