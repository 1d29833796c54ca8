/*
 * test_sql.c: digests of statements: the servers' texts, the canonical text,
 * fingerprints, ids, scripts.  Measured pairs are in digest.test.py and
 * corpora/digest; here is what a rule says, statement by statement.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "../model/digest_fill.h"
#include "../model/sql/digest.h"

/* ------------------------------------------------------------- helpers */

struct world {
	struct pp_mem mem;
	jmp_buf trap;
	struct pp_digester *d;
	char buf[4096];
};

static void
start(struct world *w, const char *dialect, unsigned mode, bool loose)
{
	struct pp_digest_options o;

	memset(&o, 0, sizeof(o));
	assert_true(pp_digest_dialect(pp_str_from(dialect), &o));
	o.mode = mode;
	o.loose = loose;
	pp_mem_init(&w->mem, 0);
	w->mem.trap = &w->trap;
	w->d = pp_digester_open(&w->mem, &o);
}

static void
stop(struct world *w)
{
	pp_digester_close(w->d);
	assert_int_equal(w->mem.used, 0);
	pp_mem_free_all(&w->mem);
}

/* The text of sql, NUL-terminated; "" where there is none. */
static const char *
text(struct world *w, const char *sql)
{
	pp_str s;

	(void)pp_digest_text(w->d, pp_str_from(sql), &s);
	assert_true(s.n < sizeof(w->buf));
	memcpy(w->buf, s.p, s.n);
	w->buf[s.n] = '\0';
	return w->buf;
}

struct pair {
	const char *sql, *want;
};

static void
check_mode(const char *dialect, unsigned mode, const struct pair *v)
{
	struct world w;

	start(&w, dialect, mode, false);
	for (; v->sql != NULL; v++)
		assert_string_equal(text(&w, v->sql), v->want);
	stop(&w);
}

static void
check(const char *dialect, const struct pair *v)
{
	check_mode(dialect, 0, v);
}

/* ------------------------------------------------------------ dialects */

static void
names_of_dialects(void **state)
{
	static const struct {
		const char *name;
		enum pp_sql_server server;
		bool canonical;
	} good[] = {
	    {"mysql-5.6", PP_SQL_MYSQL_56M, false},
	    {"mysql-5.6.6-labs", PP_SQL_MYSQL_56M, false},
	    {"mysql-5.6.51", PP_SQL_MYSQL_56, false},
	    {"mysql-5.7", PP_SQL_MYSQL_57, false},
	    {"mysql-5.7.36", PP_SQL_MYSQL_57, false},
	    {"mysql", PP_SQL_MYSQL_80, false},
	    {"mysql-8", PP_SQL_MYSQL_80, false},
	    {"mysql-8.0", PP_SQL_MYSQL_80, false},
	    {"mysql-8.4.2", PP_SQL_MYSQL_80, false},
	    {"mysql-9", PP_SQL_MYSQL_90, false},
	    {"mysql-9.7.4", PP_SQL_MYSQL_90, false},
	    {"mariadb", PP_SQL_MARIADB_10, false},
	    {"mariadb-10.11.19", PP_SQL_MARIADB_10, false},
	    {"mariadb-11.8", PP_SQL_MARIADB_11, false},
	    {"oracle", PP_SQL_ORACLE, true},
	    {"postgresql", PP_SQL_POSTGRESQL, true},
	    {"pt", PP_SQL_PT_32, false},
	    {"pt-3.5.7", PP_SQL_PT_35, false},
	    {"canonical", PP_SQL_MYSQL_80, true},
	};
	static const char *const bad[] = {"", "mysq", "mysql-", "mysql-4.1",
	    "mysql-x", "mysqlx", "mariadb-5.5", "MySQL", "pt-"};
	struct pp_digest_options o;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		memset(&o, 0, sizeof(o));
		assert_true(pp_digest_dialect(pp_str_from(good[i].name), &o));
		assert_int_equal(o.server, good[i].server);
		assert_int_equal(o.canonical, good[i].canonical);
		assert_int_equal(o.max_length, good[i].canonical ? 0 : 1024);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(pp_digest_dialect(pp_str_from(bad[i]), &o));
	for (i = 0; pp_digest_dialect_name(i) != NULL; i++)
		assert_true(pp_digest_dialect(
		    pp_str_from(pp_digest_dialect_name(i)), &o));
	assert_int_equal(i, 9);
}

static void
one_statement_in_all_releases(void **state)
{
	const char *sql = "SELECT a, x'41' FROM `T1` WHERE b IN (1) "
	    "AND c = -1 AND d <> NULL ORDER BY 2";
	const struct pair v56m[] = {{sql, "SELECT a , ? FROM `T1` WHERE b "
	    "IN (?) AND c = - ? AND d != NULL ORDER BY ?  "}, {NULL, NULL}};
	const struct pair v56[] = {{sql, "SELECT `a` , ? FROM `T1` WHERE `b` "
	    "IN (?) AND `c` = - ? AND `d` != NULL ORDER BY ? "},
	    {NULL, NULL}};
	const struct pair v57[] = {{sql, "SELECT `a` , ? FROM `T1` WHERE `b` "
	    "IN (?) AND `c` = - ? AND `d` != ? ORDER BY ? "}, {NULL, NULL}};
	const struct pair v80[] = {{sql, "SELECT `a` , ? FROM `T1` WHERE `b` "
	    "IN (...) AND `c` = - ? AND `d` != ? ORDER BY ?"}, {NULL, NULL}};
	const struct pair v9[] = {{sql, "SELECT `a` , ? FROM `T1` WHERE `b` "
	    "IN (...) AND `c` = ? AND `d` != ? ORDER BY 2"}, {NULL, NULL}};
	const struct pair maria[] = {{sql, "SELECT `a` , (unknown) FROM `T1` "
	    "WHERE `b` IN (?) AND `c` = - ? AND `d` != ? ORDER BY ? "},
	    {NULL, NULL}};
	const struct pair canon[] = {{sql, "SELECT `a` , ? FROM `t1` WHERE "
	    "`b` IN (...) AND `c` = ? AND `d` != ? ORDER BY ?"},
	    {NULL, NULL}};

	(void)state;
	check("mysql-5.6", v56m);
	check("mysql-5.6.40", v56);
	check("mysql-5.7", v57);
	check("mysql-8.0", v80);
	check("mysql-9", v9);
	check("mariadb", maria);
	check("canonical", canon);
}

static void
null_is_a_value_or_a_word(void **state)
{
	static const struct pair v57[] = {
	    {"insert into t values (null, 1), (2, null)",
	    "INSERT INTO `t` VALUES (...) /* , ... */ "},
	    {"select null", "SELECT ? "},
	    {"select a is null, b is not null from t",
	    "SELECT `a` IS NULL , `b` IS NOT NULL FROM `t` "},
	    {"create table t (a int null, b int not null default null)",
	    "CREATE TABLE `t` ( `a` INTEGER NULL , `b` INTEGER NOT NULL "
	    "DEFAULT ? ) "},
	    {"select not null from t", "SELECT NOT ? FROM `t` "},
	    {NULL, NULL}};
	static const struct pair v56[] = {
	    {"insert into t values (null)", "INSERT INTO `t` VALUES ( NULL ) "},
	    {"insert into t values (1, null)",
	    "INSERT INTO `t` VALUES (...) "},
	    {"insert into t values (null, 1)",
	    "INSERT INTO `t` VALUES (...) "},
	    {"select a is null , 1 from t",
	    "SELECT `a` IS ?, ... FROM `t` "},
	    {NULL, NULL}};

	(void)state;
	check("mysql-5.7", v57);
	check("mysql-5.6.40", v56);
}

static void
modes(void **state)
{
	static const struct pair ansi[] = {
	    {"select \"a\", 'b' from \"t\"", "SELECT `a` , ? FROM `t`"},
	    {NULL, NULL}};
	static const struct pair plain[] = {
	    {"select 'a\\', b from t", "SELECT ? , `b` FROM `t`"},
	    {NULL, NULL}};
	static const struct pair space[] = {
	    {"select count (a) from t", "SELECT COUNT ( `a` ) FROM `t`"},
	    {NULL, NULL}};
	static const struct pair no_space[] = {
	    {"select count (a) from t", "SELECT `count` ( `a` ) FROM `t`"},
	    {NULL, NULL}};
	static const struct pair pipes[] = {
	    {"select a || 'b' from t", "SELECT `a` (unknown) ? FROM `t` "},
	    {NULL, NULL}};
	static const struct pair high[] = {
	    {"select not a from t", "SELECT ! `a` FROM `t`"},
	    {NULL, NULL}};

	(void)state;
	check_mode("mysql-8.0", PP_SQL_ANSI_QUOTES, ansi);
	check_mode("mysql-8.0", PP_SQL_NO_BACKSLASH, plain);
	check_mode("mysql-8.0", PP_SQL_IGNORE_SPACE, space);
	check("mysql-8.0", no_space);
	check_mode("mariadb", PP_SQL_PIPES_CONCAT, pipes);
	check_mode("mysql-8.0", PP_SQL_HIGH_NOT, high);
}

static void
what_has_no_digest(void **state)
{
	static const char *const none[] = {"", "  \n", "-- only", "/* c */",
	    "select 'a", "select `a", "select /* a", "select (1", "select 1)",
	    "select x'4'", "values (1)", "analyze select 1",
	    "select * form t", "select a from t limit all"};
	struct world w;
	pp_str s;
	size_t i;

	(void)state;
	start(&w, "mysql-8.0", 0, false);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_false(pp_digest_text(w.d, pp_str_from(none[i]), &s));
		assert_int_equal(s.n, 0);
		assert_int_equal(pp_digest_blank(w.d), i < 4);
		assert_int_equal(pp_digest_cut(w.d), i >= 4 && i < 7);
	}
	stop(&w);
	/* a text that was cut has a canonical digest all the same */
	start(&w, "canonical", 0, false);
	assert_string_equal(text(&w, "select 'a"), "SELECT ?");
	assert_true(pp_digest_cut(w.d));
	assert_string_equal(text(&w, "select f(1, "), "SELECT `f` ( ? ,");
	stop(&w);
}

static void
length_limit(void **state)
{
	struct pp_digest_options o = {.server = PP_SQL_MYSQL_80};
	struct world w;
	pp_str s;

	(void)state;
	pp_mem_init(&w.mem, 0);
	w.mem.trap = &w.trap;
	/* SELECT 2, name a 5, comma 2, name b 5: 14 bytes */
	o.max_length = 14;
	w.d = pp_digester_open(&w.mem, &o);
	assert_string_equal(text(&w, "select a, b, c"), "SELECT `a` , `b`");
	assert_true(pp_digest_text(w.d, PP_STR("select a, b"), &s));
	stop(&w);
	pp_mem_init(&w.mem, 0);
	w.mem.trap = &w.trap;
	o.max_length = 13;
	w.d = pp_digester_open(&w.mem, &o);
	assert_string_equal(text(&w, "select a, b, c"), "SELECT `a` ,");
	stop(&w);
}

/* ----------------------------------------------------------- canonical */

static void
canonical_folds(void **state)
{
	static const struct pair v[] = {
	    {"select * from p where id in (0)",
	    "SELECT * FROM `p` WHERE ID IN (...)"},
	    {"select * from p where id in (0,1,2)",
	    "SELECT * FROM `p` WHERE ID IN (...)"},
	    {"select f(1), f(1,2) from p",
	    "SELECT `f` (?) , `f` (...) FROM `p`"},
	    {"insert into t values (1,'x'),(2,'y')",
	    "INSERT INTO `t` VALUES (...)"},
	    {"insert into t values (1,now()),(2,now()),(3,now())",
	    "INSERT INTO `t` VALUES ( ? , NOW ( ) )"},
	    {"insert into t values (1,a),(2,b)",
	    "INSERT INTO `t` VALUES ( ? , `a` ) , ( ? , `b` )"},
	    {"select a in (lower('x'), lower('y'))",
	    "SELECT `a` IN ( `lower` (?) )"},
	    {"select a in (lower('x'))", "SELECT `a` IN ( `lower` (?) )"},
	    {"select a in (lower('x'), upper('y'))",
	    "SELECT `a` IN ( `lower` (?) , `upper` (?) )"},
	    {"select coalesce(b + 1, b + 2, b + 3)",
	    "SELECT COALESCE ( `b` + ? , ... )"},
	    {"select coalesce(b + 1)", "SELECT COALESCE ( `b` + ? )"},
	    {"select f(a, a), f(@a, @b)",
	    "SELECT `f` ( `a` , `a` ) , `f` ( @? , @? )"},
	    {"select a + 1, a + 2 from t",
	    "SELECT `a` + ? , `a` + ? FROM `t`"},
	    {"select a in (1 + 1, 2 + 2)", "SELECT `a` IN ( ? + ? )"},
	    {"select a in (1 + 1, 2)", "SELECT `a` IN ( ? + ?, ... )"},
	    {"select (a, b) in ((1, 2), (3, 4))",
	    "SELECT ( `a` , `b` ) IN ( (...) )"},
	    {"select -1, a - 1, a = -1, (-1), case when a then -2 end",
	    "SELECT ? , `a` - ? , `a` = ? , (?) , CASE WHEN `a` THEN ? END"},
	    {"select true, x is true", "SELECT ? , `x` IS TRUE"},
	    {"select `Status`, status, t.status, status.t",
	    "SELECT STATUS , STATUS , `t` . `status` , `status` . `t`"},
	    {"select database(), schema()",
	    "SELECT SCHEMA ( ) , SCHEMA ( )"},
	    {"select distinct a from t group by 1;",
	    "SELECT DISTINCT `a` FROM `t` GROUP BY ?"},
	    {"select /*+ MAX_EXECUTION_TIME(100) */ a",
	    "SELECT /*+ MAX_EXECUTION_TIME (?) */ `a`"},
	    {NULL, NULL}};

	(void)state;
	check("canonical", v);
}

/* A digest text of any server has the digest of the statement. */
static void
canonical_of_texts(void **state)
{
	static const struct pair v[] = {
	    /* 5.6, 5.7, MariaDB; 8.0; 9 */
	    {"SELECT `a` FROM `t` WHERE `b` IN (?) AND `c` = - ? ORDER BY ? ",
	    "SELECT `a` FROM `t` WHERE `b` IN (...) AND `c` = ? ORDER BY ?"},
	    {"SELECT `a` FROM `t` WHERE `b` IN (...) AND `c` = - ? ORDER BY ?",
	    "SELECT `a` FROM `t` WHERE `b` IN (...) AND `c` = ? ORDER BY ?"},
	    {"SELECT `a` FROM `t` WHERE `b` IN (...) AND `c` = ? ORDER BY 1",
	    "SELECT `a` FROM `t` WHERE `b` IN (...) AND `c` = ? ORDER BY ?"},
	    {"INSERT INTO `t` VALUES (?) /* , ... */ ",
	    "INSERT INTO `t` VALUES (?)"},
	    {"SELECT COUNT ( * ) , `count` ( `a` )",
	    "SELECT COUNT ( * ) , COUNT ( `a` )"},
	    {"SELECT ?, ... , `a` IN ( ? + ?, ... + ? )",
	    "SELECT ?, ... , `a` IN ( ? + ? )"},
	    {"SELECT `a` = (unknown) , `b` (unknown) `c`",
	    "SELECT `a` = ? , `b` || `c`"},
	    {"SELECT @? , @@`x` , @@GLOBAL . `y`",
	    "SELECT @? , @@`x` , @@GLOBAL . `y`"},
	    {"SELECT COALESCE ( `b` + ? , ... )",
	    "SELECT COALESCE ( `b` + ? , ... )"},
	    {"DROP SCHEMA ...", "DROP SCHEMA ..."},
	    {NULL, NULL}};

	(void)state;
	check("canonical", v);
}

static void
loose(void **state)
{
	struct world w;

	(void)state;
	start(&w, "canonical", 0, true);
	assert_string_equal(
	    text(&w, "select /*+ BKA(t) */ a1 from orders_2023_01"),
	    "SELECT `a?` FROM `orders_?_?`");
	stop(&w);
	start(&w, "oracle", 0, true);
	assert_string_equal(
	    text(&w, "select /*+ FULL(t) */ a1 from orders_2023_01"),
	    "SELECT `a?` FROM `orders_?_?`");
	stop(&w);
}

static void
prepared_statements(void **state)
{
	struct world w;

	(void)state;
	start(&w, "mysql-9", 0, false);
	assert_string_equal(text(&w, "execute s"), "EXECUTE `s`");
	assert_string_equal(text(&w, "prepare s from 'select a from t where "
	    "b = \\'x\\' and c = ?'"),
	    "PREPARE SELECT `a` FROM `t` WHERE `b` = ? AND `c` = ?");
	assert_string_equal(text(&w, "EXECUTE S using @a"),
	    "EXECUTE SELECT `a` FROM `t` WHERE `b` = ? AND `c` = ?");
	assert_string_equal(text(&w, "deallocate prepare s"),
	    "DEALLOCATE SELECT `a` FROM `t` WHERE `b` = ? AND `c` = ?");
	assert_string_equal(text(&w, "prepare s from @a"),
	    "PREPARE `s` FROM @?");
	stop(&w);
}

static void
ids(void **state)
{
	/* sha256sum of the text */
	static const char want[] = "d:66cbb3a40d4bbd150b75825ad291a654";
	/* the DIGEST of SELECT 1 on every MySQL 8 */
	static const char native[] = "d1b44b0c19af710b5a679907e284acd2"
	    "ddc285201794bc69a2389d77baedddae";
	char hash[PP_DIGEST_HASH];
	const char *why;
	struct world w;

	(void)state;
	pp_digest_id(PP_STR("SELECT ?"), hash);
	assert_string_equal(hash, want);
	start(&w, "canonical", 0, false);
	text(&w, "select 5;");
	assert_int_equal(pp_digest_hash(w.d, hash, &why), 34);
	assert_string_equal(hash, want);
	stop(&w);
	start(&w, "mysql-8.0", 0, false);
	text(&w, "select 5;");
	assert_int_equal(pp_digest_hash(w.d, hash, &why), 64);
	assert_string_equal(hash, native);
	text(&w, "SELECT ?");
	assert_int_equal(pp_digest_hash(w.d, hash, &why), 64);
	assert_string_equal(hash, native);
	text(&w, "");
	assert_int_equal(pp_digest_hash(w.d, hash, &why), 0);
	/* what a text does not show cannot be told */
	text(&w, "DROP SCHEMA ...");
	assert_int_equal(pp_digest_hash(w.d, hash, &why), 0);
	assert_non_null(why);
	stop(&w);
	/* md5sum of the fingerprint */
	start(&w, "pt", 0, false);
	assert_string_equal(text(&w, "SELECT 1"), "select ?");
	assert_int_equal(pp_digest_hash(w.d, hash, &why), 32);
	assert_string_equal(hash, "1FE1379FE2A31B8D16219655761820A2");
	stop(&w);
}

/* ------------------------------------------------------- other dialects */

static void
oracle(void **state)
{
	static const struct pair v[] = {
	    {"select v from acct where no=1000 and st='A0'",
	    "SELECT `v` FROM `acct` WHERE NO = ? AND `st` = ?"},
	    {"select to_date('2024-01-01 10:20:30','yyyy-mm-dd hh24:mi:ss') "
	    "d, :b1 v from dual where x>:b2",
	    "SELECT `to_date` (...) `d` , ? `v` FROM DUAL WHERE `x` > ?"},
	    {"select 'C:\\' a, 'it''s', q'(it's)', N'x', nq'!y!' from dual",
	    "SELECT ? `a` , ?, ... FROM DUAL"},
	    {"select \"A\", a, \"a b\" from t", "SELECT `a` , `a` , `a b` "
	    "FROM `t`"},
	    {"select a$b#c from sys.x$y where z=:\"SYS_B_0\"",
	    "SELECT `a$b#c` FROM `sys` . `x$y` WHERE `z` = ?"},
	    {"select /* c */ /*+ full(t) no_index(t 5) */ a from t",
	    "SELECT /*+ FULL ( `t` ) NO_INDEX ( `t` ? ) */ `a` FROM `t`"},
	    {"select a /*+ full(t) */ from t", "SELECT `a` FROM `t`"},
	    {"select --+ full(t)\na from t",
	    "SELECT /*+ FULL ( `t` ) */ `a` FROM `t`"},
	    {"select 1--2\nfrom dual", "SELECT ? FROM DUAL"},
	    {"select 1.5e-3f, .5, 2d, 1e5 from dual",
	    "SELECT ?, ... FROM DUAL"},
	    {"begin for i in 1..10 loop p(i); end loop; end;",
	    "BEGIN FOR `i` IN ? .. ? LOOP `p` ( `i` ) ; END LOOP ; END"},
	    {"begin a := b ** 2; <<x>> c(y => 1); end;",
	    "BEGIN `a` := `b` ** ? ; << `x` >> `c` ( `y` => ? ) ; END"},
	    {"select distinct a from t where a in (:1,:2) and b ^= 3",
	    "SELECT DISTINCT `a` FROM `t` WHERE `a` IN (...) AND `b` != ?"},
	    {NULL, NULL}};

	(void)state;
	check("oracle", v);
}

static void
postgresql(void **state)
{
	static const struct pair v[] = {
	    {"select $1, $$a$$, $x$ $$ $x$, E'\\'', B'1', X'a', U&'b', 'c\\'",
	    "SELECT ?, ..."},
	    {"select \"A\"::int, b::text[], c[1:2]",
	    "SELECT `a` :: INTEGER , `b` :: TEXT [ ] , `c` [ ? : ? ]"},
	    {"select a from t where b = any(array[1]) or b = any(array[1,2])",
	    "SELECT `a` FROM `t` WHERE `b` = ANY ( ARRAY [ ?, ... ] ) OR `b` "
	    "= ANY ( ARRAY [ ?, ... ] )"},
	    {"select /* a /* b */ c */ 1 -- d", "SELECT ?"},
	    {"select a ~* 'x', b !~ 'y', c @> 'z', d ->> 'w', e <-> 'v'",
	    "SELECT `a` ~* ? , `b` !~ ? , `c` @> ? , `d` ->> ? , `e` <-> ?"},
	    {"select a from t where b = :name and c ? 'k' and d ?| 'e'",
	    "SELECT `a` FROM `t` WHERE `b` = ? AND `c` ? ? AND `d` ?| ?"},
	    {NULL, NULL}};

	(void)state;
	check("postgresql", v);
}

/* ------------------------------------------------------------- scripts */

static void
split_all(enum pp_sql_server server, const char *script,
    const char *const *want)
{
	struct pp_sql_split s = {.server = server};
	pp_str rest = pp_str_from(script);
	size_t n, skip;

	while (rest.n != 0) {
		n = pp_sql_split(&s, rest, &skip);
		assert_true(skip > 0 && n <= skip);
		if (n != 0) {
			assert_non_null(*want);
			assert_int_equal(n, strlen(*want));
			assert_memory_equal(rest.p, *want, n);
			want++;
		}
		rest = pp_str_skip(rest, skip);
	}
	assert_null(*want);
}

static void
scripts(void **state)
{
	static const char *const mysql[] = {"a 'b;c' \"d;e\" `f;g`",
	    " /* h; */ i -- j;\n", " # k;\nl", "m", "\no", NULL};
	static const char *const delimited[] = {"create x; y; end", "\nz",
	    "q;r", NULL};
	static const char *const oracle[] = {"select 'a\\'",
	    " begin if a then b; end if; end", " select 1\n", NULL};
	static const char *const unit[] = {
	    "create procedure p is begin null; end;\n", "select q'[a';b]'",
	    NULL};
	static const char *const postgres[] = {"select $$a;b$$", " f(1;2)",
	    " e'\\';' ", NULL};

	(void)state;
	split_all(PP_SQL_MYSQL_80, "a 'b;c' \"d;e\" `f;g`; /* h; */ i -- j;\n"
	    "; # k;\nl;m\\G\no", mysql);
	split_all(PP_SQL_MYSQL_80, "DELIMITER $$\ncreate x; y; end$$\nz$$"
	    "delimiter ;;\nq;r;;", delimited);
	split_all(PP_SQL_ORACLE, "select 'a\\'; begin if a then b; end if; "
	    "end; select 1\n/\n", oracle);
	split_all(PP_SQL_ORACLE, "create procedure p is begin null; end;\n"
	    "/\nselect q'[a';b]';", unit);
	split_all(PP_SQL_POSTGRESQL, "select $$a;b$$; f(1;2); e'\\';' ;",
	    postgres);
}

/* --------------------------------------------------------------- sizes */

/* Deep nesting and long lists take time in proportion to their length. */
static void
large_statements(void **state)
{
	static const char *const dialects[] = {"mysql-9", "mariadb",
	    "canonical", "oracle", "postgresql"};
	const size_t n = 300000;
	char *sql = malloc(2 * n + 32);
	struct world w;
	pp_str s;
	size_t i, k;

	(void)state;
	assert_non_null(sql);
	for (k = 0; k < sizeof(dialects) / sizeof(dialects[0]); k++) {
		start(&w, dialects[k], 0, false);
		memcpy(sql, "select ", 7);
		memset(sql + 7, '(', n);
		sql[7 + n] = '1';
		memset(sql + 8 + n, ')', n);
		assert_true(pp_digest_text(w.d, (pp_str){sql, 8 + 2 * n}, &s));
		memset(sql + 8 + n, ' ', n);
		(void)pp_digest_text(w.d, (pp_str){sql, 8 + 2 * n}, &s);
		memset(sql + 7, ')', n);
		(void)pp_digest_text(w.d, (pp_str){sql, 8 + n}, &s);
		for (i = 0; i < n; i++)
			memcpy(sql + 7 + 2 * i, "1,", 2);
		assert_true(pp_digest_text(w.d, (pp_str){sql, 6 + 2 * n}, &s));
		assert_true(pp_str_starts(s, PP_STR("SELECT ?, ...")));
		memset(sql + 7, '-', n);
		(void)pp_digest_text(w.d, (pp_str){sql, 7 + n}, &s);
		memset(sql + 7, '\'', n);
		(void)pp_digest_text(w.d, (pp_str){sql, 7 + n}, &s);
		stop(&w);
	}
	free(sql);
}

/* ------------------------------------------------------------- failures */

/* Memory is refused at every allocation in turn: nothing leaks or breaks. */
static void
memory_refused(void **state)
{
	struct pp_digest_options o = {.server = PP_SQL_ORACLE};
	struct pp_digester *volatile d;
	struct pp_mem mem;
	jmp_buf trap;
	volatile long k;
	volatile bool done = false;
	pp_str s;

	(void)state;
	for (k = 0; !done && k < 200; k++) {
		pp_mem_init(&mem, 0);
		mem.fail_after = k;
		mem.trap = &trap;
		if (setjmp(trap) == 0) {
			d = pp_digester_open(&mem, &o);
			(void)pp_digest_text(d, PP_STR("select /*+ a(b) */ "
			    "f(a + 1, a + 2) from t where c in (1, 2)"), &s);
			done = true;
		}
		pp_mem_free_all(&mem);
	}
	assert_true(done);
	assert_true(k > 2);
}

static void
statements_of_a_model(void **state)
{
	static const struct {
		const char *id, *sql_id, *text;
	} v[] = {{"a", "a", "select 'C:\\' from t where x = 1"},
	    {"b", "b", "SELECT 'it''s' FROM T WHERE X=:1"},
	    {"s:1", "", "select 'it\\'s' from t where x = 2"},
	    {"?3", "", NULL}};
	struct pp_model m;
	struct pp_mem mem;
	jmp_buf trap;
	uint32_t s[4];
	size_t i;

	(void)state;
	pp_mem_init(&mem, 0);
	mem.trap = &trap;
	pp_model_init(&m, &mem, NULL, ".");
	for (i = 0; i < 4; i++) {
		s[i] = pp_model_stmt(&m, pp_str_from(v[i].id));
		m.stmts[s[i]].sql_id = pp_str_from(v[i].sql_id);
		m.stmts[s[i]].has_text = v[i].text != NULL;
		m.stmts[s[i]].text = pp_str_from(v[i].text);
	}
	pp_model_digest(&m, false);
	for (i = 0; i < 3; i++) {
		assert_int_equal(m.stmts[s[i]].digest.n, 34);
		assert_true(pp_str_eq(m.stmts[s[i]].digest_text,
		    PP_STR("SELECT ? FROM `t` WHERE `x` = ?")));
		/* kept once */
		assert_ptr_equal(m.stmts[s[i]].digest.p,
		    m.stmts[s[0]].digest.p);
	}
	assert_int_equal(m.stmts[s[3]].digest.n, 0);
	assert_int_equal(m.stmts[PP_STMT_NONE].digest.n, 0);
	pp_log_free(&m.log);
	pp_mem_free_all(&mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_of_dialects),
	    cmocka_unit_test(one_statement_in_all_releases),
	    cmocka_unit_test(null_is_a_value_or_a_word),
	    cmocka_unit_test(modes),
	    cmocka_unit_test(what_has_no_digest),
	    cmocka_unit_test(length_limit),
	    cmocka_unit_test(canonical_folds),
	    cmocka_unit_test(canonical_of_texts),
	    cmocka_unit_test(loose),
	    cmocka_unit_test(prepared_statements),
	    cmocka_unit_test(ids),
	    cmocka_unit_test(oracle),
	    cmocka_unit_test(postgresql),
	    cmocka_unit_test(scripts),
	    cmocka_unit_test(large_statements),
	    cmocka_unit_test(memory_refused),
	    cmocka_unit_test(statements_of_a_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
