select cap::int, $$it's$$, E'a\'b', U&'x' from silo where silo_no = $1 and grain = any (array[1, 2, 3])
SELECT cap::int, $q$ $$ $q$, 'C:\', 'y' FROM "silo" WHERE silo_no = 7 AND grain = ANY (ARRAY['a'])
select doc->'a'->>'b', doc #> '{x}', doc @> '{"y": 1}' from silo where name ilike '%x' and tag ~* 'y' /* a /* b */ c */ limit 5
insert into silo (silo_no, at) values (1, now()), (2, now()), (3, now()) on conflict do nothing returning silo_no
select "Mixed", a[1], b[1:3], c[:n] from t where d = :d and e in (lower('x'), lower('y'))
