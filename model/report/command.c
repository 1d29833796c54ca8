/*
 * command.c: names of Oracle's command types (`oct=` of a trace), as the
 * server itself shows them.
 */
#include "command.h"

static const char *const names[] = {
	[1] = "CREATE TABLE",
	[2] = "INSERT",
	[3] = "SELECT",
	[4] = "CREATE CLUSTER",
	[5] = "ALTER CLUSTER",
	[6] = "UPDATE",
	[7] = "DELETE",
	[8] = "DROP CLUSTER",
	[9] = "CREATE INDEX",
	[10] = "DROP INDEX",
	[11] = "ALTER INDEX",
	[12] = "DROP TABLE",
	[13] = "CREATE SEQUENCE",
	[14] = "ALTER SEQUENCE",
	[15] = "ALTER TABLE",
	[16] = "DROP SEQUENCE",
	[17] = "GRANT OBJECT",
	[18] = "REVOKE OBJECT",
	[19] = "CREATE SYNONYM",
	[20] = "DROP SYNONYM",
	[21] = "CREATE VIEW",
	[22] = "DROP VIEW",
	[23] = "VALIDATE INDEX",
	[24] = "CREATE PROCEDURE",
	[25] = "ALTER PROCEDURE",
	[26] = "LOCK TABLE",
	[27] = "NO-OP",
	[28] = "RENAME",
	[29] = "COMMENT",
	[30] = "AUDIT OBJECT",
	[31] = "NOAUDIT OBJECT",
	[32] = "CREATE DATABASE LINK",
	[33] = "DROP DATABASE LINK",
	[34] = "CREATE DATABASE",
	[35] = "ALTER DATABASE",
	[36] = "CREATE ROLLBACK SEG",
	[37] = "ALTER ROLLBACK SEG",
	[38] = "DROP ROLLBACK SEG",
	[39] = "CREATE TABLESPACE",
	[40] = "ALTER TABLESPACE",
	[41] = "DROP TABLESPACE",
	[42] = "ALTER SESSION",
	[43] = "ALTER USER",
	[44] = "COMMIT",
	[45] = "ROLLBACK",
	[46] = "SAVEPOINT",
	[47] = "PL/SQL EXECUTE",
	[48] = "SET TRANSACTION",
	[49] = "ALTER SYSTEM",
	[50] = "EXPLAIN",
	[51] = "CREATE USER",
	[52] = "CREATE ROLE",
	[53] = "DROP USER",
	[54] = "DROP ROLE",
	[55] = "SET ROLE",
	[56] = "CREATE SCHEMA",
	[57] = "CREATE CONTROL FILE",
	[59] = "CREATE TRIGGER",
	[60] = "ALTER TRIGGER",
	[61] = "DROP TRIGGER",
	[62] = "ANALYZE TABLE",
	[63] = "ANALYZE INDEX",
	[64] = "ANALYZE CLUSTER",
	[65] = "CREATE PROFILE",
	[66] = "DROP PROFILE",
	[67] = "ALTER PROFILE",
	[68] = "DROP PROCEDURE",
	[70] = "ALTER RESOURCE COST",
	[71] = "CREATE MATERIALIZED VIEW LOG",
	[72] = "ALTER MATERIALIZED VIEW LOG",
	[73] = "DROP MATERIALIZED VIEW LOG",
	[74] = "CREATE MATERIALIZED VIEW",
	[75] = "ALTER MATERIALIZED VIEW",
	[76] = "DROP MATERIALIZED VIEW",
	[77] = "CREATE TYPE",
	[78] = "DROP TYPE",
	[79] = "ALTER ROLE",
	[80] = "ALTER TYPE",
	[81] = "CREATE TYPE BODY",
	[82] = "ALTER TYPE BODY",
	[83] = "DROP TYPE BODY",
	[84] = "DROP LIBRARY",
	[85] = "TRUNCATE TABLE",
	[86] = "TRUNCATE CLUSTER",
	[91] = "CREATE FUNCTION",
	[92] = "ALTER FUNCTION",
	[93] = "DROP FUNCTION",
	[94] = "CREATE PACKAGE",
	[95] = "ALTER PACKAGE",
	[96] = "DROP PACKAGE",
	[97] = "CREATE PACKAGE BODY",
	[98] = "ALTER PACKAGE BODY",
	[99] = "DROP PACKAGE BODY",
	[157] = "CREATE DIRECTORY",
	[158] = "DROP DIRECTORY",
	[159] = "CREATE LIBRARY",
	[170] = "CALL METHOD",
	[189] = "MERGE",
};

#define NAMES (sizeof(names) / sizeof(names[0]))

pp_str
pp_command_name(unsigned oct)
{
	if (oct < NAMES && names[oct] != NULL)
		return pp_str_from(names[oct]);
	return PP_STR("");
}

/* Both in ASCII: is b what a is, in whatever case? */
static bool
same_letters(pp_str a, pp_str b)
{
	size_t i;

	for (i = 0; i < a.n && i < b.n; i++)
		if ((a.p[i] | 0x20) != (b.p[i] | 0x20))
			return false;
	return a.n == b.n;
}

uint32_t
pp_command_named(pp_str name)
{
	uint32_t i;

	for (i = 0; i < NAMES; i++)
		if (names[i] != NULL &&
		    same_letters(pp_str_from(names[i]), name))
			return i;
	return UINT32_MAX;
}

void
pp_fill_command(struct pp_rows *r, unsigned oct)
{
	pp_str name = pp_command_name(oct);
	char buf[PP_DEC_MAX];

	if (name.n > 0)
		pp_put_str(r, name);
	else
		pp_put_text(r,
		    (pp_str){buf, pp_dec_format(buf, (pp_i128)oct, 0)});
}
