-- a script as the mysql client reads it
select 1; select 'a;b', "c;d", `e;f` from t; # rest; of the line
/* a; b */ DELIMITER //
create procedure fill(n int)
begin
  -- inner; ends
  insert into crate values (n, 'x');
  select count(*) from crate;
end//
delimiter ;
;;
update crate set note = 'it''s; \'here\'' where id = 4\G
select /*! straight_join */ a from t
;
select /*+ max_execution_time(?7) */ a from t
