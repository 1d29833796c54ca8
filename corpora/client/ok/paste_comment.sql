-- how long it took
SHOW PROFILE;
-- +----------+----------+
-- | Status   | Duration |
-- +----------+----------+
-- | starting | 0.000100 |
-- | end      | 0.000200 |
-- +----------+----------+
-- 2 rows in set (0.00 sec)

SELECT 1;
