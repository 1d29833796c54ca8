select cap from silo where silo_no = 17 and grain in ('rye', 'oat')
SELECT  Cap FROM Silo  /* here */ WHERE silo_no=:b1 AND grain IN (:g1,:g2,:g3) -- there
select "CAP" from silo where silo_no = - 4 and grain in (q'[it's]')
select /*+ INDEX(s silo_ix) PARALLEL(8) */ s.cap from silo s, mill m where s.mill = m.id(+) and s.cap > 1e3
insert into silo (silo_no, path) values (7, 'C:\')
select n'x', nq'{a}b}', date '2024-01-01', interval '3' day, 0.5d from dual where a ^= 1 or b <> 2 or c != 3
begin load_pkg.fill(p_no => 5, p_name => 'x'); :r := 1; for i in 1..10 loop null; end loop; end;
select distinct grain, count(*) n from silo group by grain having count(*) > 3 order by 2
merge into silo s using mill m on (s.mill = m.id) when matched then update set s.cap = s.cap - 1 when not matched then insert (silo_no) values (9)
select a from t@far where b = 'it''s' and c is null and d is not null and e = null
