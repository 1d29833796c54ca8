declare
  n number := 5;
begin
  if n > 3 then
    update crate set note = 'a;b' where id = n;
  end if;
end;
select 1 from dual;
create or replace procedure fill is
begin
  null;
end;
/
select 2
from dual
/
