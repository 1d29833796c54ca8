select /*+ MAX_EXECUTION_TIME(5) */ a from t
select /*!40101 a, */ b from t
select /*!50701 a, */ b from t
select /*!100000 a, */ b from t
select /*M!100100 a, */ b from t
select /*M!999999 a, */ b from t
select a from t where b = x'4142' and c in (x'41', x'42')
select a from t where b = 0x41 or b = 0b11 or b = b'11' or b=0X41x
select @a, @'b c', @`d e`, @@version, @@session.sql_mode, @@global.max_connections, @@sql_mode
select a.b.c, a.`b`.c, `a`.b, a . b from t
select 1a, 1e5, 1e, 1e5a, .5e3, 5., 1.5e-3 from t
select `a``b`, "x""y", 'x''y', 'x\'y' from `t`
create table if not exists zz1 (a int(11) not null auto_increment primary key, b varchar(20) character set utf8 default 'x' null, c decimal(10,2) default -1.5, d timestamp null default null on update current_timestamp, e enum('a','b'), f double precision, g bigint unsigned, key k (b(10)), unique (c)) engine=innodb comment='c'
alter table zz1 add column z int default null, drop column c, add index k9 (z), modify b text null comment 'x', rename to zz2
insert into t values (1, null, 'x'), (null, -1, +2), (default, now(), b)
insert into t set a = -1, b = null, c = default
replace into t (a,b) values (1,2),(3,4)
insert into t (a) select 1 union all select 2 on duplicate key update a = values(a) + 1
select a from t where b between -1 and - 2 or c = - 3 or d in (-1, +2) or -1 < e
select - 'a', -(1), - - 1, +-1, not -1, 5 - -1, a - 1, a -1, (a) -1, 'x' - 1 from t
select null, null is null, a is not null, not null, ifnull(null, 1), (null), (null, 1) from t
select substr(a,1,2), substring(a from 1 for 2), mid(a, 1, 2), trim(both 'x' from a), position('a' in b), extract(year from c), cast(a as char(10)), convert(a using utf8), date_add(a, interval 1 day), timestampdiff(second, a, b), group_concat(a order by b separator ',') from t
select distinct a, b from t group by a, b with rollup having count(*) > 5 order by null limit 5 offset 10
select a from t order by 1, 2 desc, a limit 3, 4
with recursive c (n) as (select 1 union all select n + 1 from c where n < 10) select * from c
select row_number() over (partition by a order by b rows between 1 preceding and current row) r, rank() over w from t window w as (order by a)
values (1,2),(3,4)
select (1,2) = (3,4), (a,1) in ((1,2),(3,4)), row(1,2) = row(3,4)
select case a when 1 then -1 when null then null else - 5 end, if(a, 1, 2), a <=> null, a != 1, a <> 1, a && b, a || b, !a, ~a, a ^ 1, a << 2, a >> -3, a div -4, a mod -5, a % -6
show tables like 'a%'
show full columns from t from d
show create table t
show variables where variable_name in ('a','b')
show index from t
explain select a from t where b = 1
explain extended select 1
analyze table t
analyze select 1 from t
describe t
desc t a
set names utf8mb4 collate utf8mb4_bin
set @a := 5, @b = 'x', session sort_buffer_size = 100000
set session transaction isolation level read committed
start transaction with consistent snapshot
commit and chain
rollback to savepoint a
savepoint a
lock tables t read, u write
unlock tables
create user 'u1'@'%' identified by 'x', u2@localhost
drop user if exists 'u1'@'%', u2@localhost, u3@'127.0.0.1'
drop table if exists a, b, c
truncate table t
create view v as select a from t where b > 5 with check option
create procedure p(in a int, out b varchar(10)) begin declare c int default 5; select a into b; if c > 3 then set c = null; end if; end
create function f(a int) returns int deterministic return a * 2
create trigger g before insert on t for each row set new.a = new.b + 1
create event e on schedule every 1 day starts '2024-01-01 00:00:00' do delete from t where a < now() - interval 7 day
call p(1, @x)
prepare s from 'select ? from t'
execute s using @a
deallocate prepare s
select a from t where match (b, c) against ('+x -y' in boolean mode)
select _utf8'x', _latin1 x'41', n'x', N'y', 'a' 'b', _binary 'z' from t
select status, name, id, type, value, level, data, date, user, host from t where id = 5 and status = 'x' and t.id = 6
update t, u set t.a = u.b, t.c = -1 where t.id = u.id and u.x is null
delete t from t join u on t.a = u.a where u.b = 1
delete from t where a = 1 order by b limit 5
select a from t for update
select a from t lock in share mode
select sql_no_cache sql_calc_found_rows high_priority a from t force index (k1) ignore index (k2)
select a from t1 straight_join t2 natural join t3 cross join t4 left outer join t5 using (a, b)
select exists (select 1 from t), not exists (select 1), a = any (select b from u), a > all (select 1), a = some (select 2) from t
load data infile '/x/y.csv' into table t fields terminated by ',' enclosed by '"' lines terminated by '\n' ignore 1 lines (a, @b) set c = @b + 1
select a into outfile '/x/y' fields terminated by ',' from t
do sleep(0), 2
handler t open as h
kill query 5
flush tables t with read lock
optimize table t
check table t quick
xa start 'a','b'
select a from d.t partition (p0, p1) where b = 1
create table zz3 (a int) partition by range (a) (partition p0 values less than (10), partition p1 values less than maxvalue)
alter table t partition by hash (a) partitions 4
select json_extract(a, '$.b'), json_unquote(a) from t
select a regexp 'x', a rlike 'y', a not like 'z' escape '!', a sounds like 'q' from t
select a as `select`, b as "from", c 'x', d y from t
begin
select a from t where b in (select c from u where d in (1,2,3)) and e in (((1)))
select a from t where b in (1) and c in (1, d) and e in ('x','y') and f not in (1,2) and g in (null)
select concat(a, 'b', c, 1, 2, d), f(1), f(1,2), f(), f(g(1), 2), f(-1) from t
select a from t where b = 'x' 'y' "z"
select ` `, `a b`, `1`, `漢字`, 漢字, naïve from t
set global general_log = off
set password for 'u'@'h' = password('x')
show grants for current_user()
show processlist
show engine innodb status
checksum table t extended
rename table a to b, c to d
create index i on t (a desc, b(10))
drop index i on t
create sequence s1 start with 1 increment by 5
select nextval(s1), next value for s1
select a from t for system_time as of timestamp '2024-01-01 00:00:00'
insert into t (a) values (1) returning a, b
select a from t offset 5 rows fetch first 3 rows only
create table zz4 (a int, b int generated always as (a + 1) virtual, c int as (a * 2) persistent, check (a > 5), constraint x foreign key (a) references u (b) on delete set null on update cascade)
select json_table.* from json_table('[1]', '$[*]' columns (a int path '$' default '5' on empty null on error)) as json_table
select interval(5, 1, 2, 3), a + interval 1 month, date_sub(a, interval '1:1' minute_second) from t
select qty * 3 as total from crate where crate_no in (17) and shelf not in ('A', 'B') order by 2, total desc
select `quay``side`, `Crane` from Port where berth = - 4 and tide <> +2.5e-3
insert into berth_log (berth, note, at) values (7, 'it''s', now()), (8, "two", now())
update crate set weight = weight - -1, label = null where label is not null and owner is null
select (select max(x) from tally where y = 5) + 1, case when z > 0 then -1 else +1 end from tally
