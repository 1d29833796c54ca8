/*
 * mysql.c: what a statement of MySQL or MariaDB does, by its first words.
 */
#include "model.h"

/* Words looked at before giving up: CREATE DEFINER = `a`@`b` SQL SECURITY. */
#define MOST_WORDS 24

struct command {
	const char *word;
	const char *name;	/* NULL: the word and the kind of object */
};

static const struct command commands[] = {
	{"ALTER", NULL}, {"ANALYZE", "ANALYZE TABLE"}, {"BEGIN", "BEGIN"},
	{"BINLOG", "BINLOG"}, {"CACHE", "CACHE INDEX"}, {"CALL", "CALL"},
	{"CHANGE", "CHANGE REPLICATION"}, {"CHECK", "CHECK TABLE"},
	{"CHECKSUM", "CHECKSUM TABLE"}, {"CLONE", "CLONE"},
	{"COMMIT", "COMMIT"}, {"CREATE", NULL},
	{"DEALLOCATE", "DEALLOCATE PREPARE"}, {"DELETE", "DELETE"},
	{"DESC", "EXPLAIN"}, {"DESCRIBE", "EXPLAIN"}, {"DO", "DO"},
	{"DROP", NULL}, {"EXECUTE", "EXECUTE"}, {"EXPLAIN", "EXPLAIN"},
	{"FLUSH", "FLUSH"}, {"GET", "GET DIAGNOSTICS"}, {"GRANT", "GRANT"},
	{"HANDLER", "HANDLER"}, {"HELP", "HELP"}, {"IMPORT", "IMPORT TABLE"},
	{"INSERT", "INSERT"}, {"INSTALL", "INSTALL"}, {"KILL", "KILL"},
	{"LOAD", "LOAD DATA"}, {"LOCK", "LOCK TABLES"},
	{"OPTIMIZE", "OPTIMIZE TABLE"}, {"PREPARE", "PREPARE"},
	{"PURGE", "PURGE"}, {"RELEASE", "RELEASE SAVEPOINT"},
	{"RENAME", NULL}, {"REPAIR", "REPAIR TABLE"},
	{"REPLACE", "REPLACE"}, {"RESET", "RESET"},
	{"RESIGNAL", "RESIGNAL"}, {"REVOKE", "REVOKE"},
	{"ROLLBACK", "ROLLBACK"}, {"SAVEPOINT", "SAVEPOINT"},
	{"SELECT", "SELECT"}, {"SET", "SET"}, {"SHOW", "SHOW"},
	{"SHUTDOWN", "SHUTDOWN"}, {"SIGNAL", "SIGNAL"},
	{"START", "START TRANSACTION"}, {"STOP", "STOP REPLICATION"},
	{"TABLE", "TABLE"}, {"TRUNCATE", "TRUNCATE TABLE"},
	{"UNINSTALL", "UNINSTALL"}, {"UNLOCK", "UNLOCK TABLES"},
	{"UPDATE", "UPDATE"}, {"USE", "USE"}, {"VALUES", "VALUES"},
	{"XA", "XA"},
};

static const char *const objects[] = {
	"DATABASE", "EVENT", "FUNCTION", "INDEX", "INSTANCE", "LOGFILE",
	"PACKAGE", "PROCEDURE", "ROLE", "SCHEMA", "SEQUENCE", "SERVER",
	"TABLE", "TABLESPACE", "TRIGGER", "USER", "VIEW",
};

/* "ALTER TABLE" and so on; a table, so that names are literals. */
#define OBJECT_NAMES(w) { \
	w " DATABASE", w " EVENT", w " FUNCTION", w " INDEX", \
	w " INSTANCE", w " LOGFILE", w " PACKAGE", w " PROCEDURE", \
	w " ROLE", w " DATABASE", w " SEQUENCE", w " SERVER", w " TABLE", \
	w " TABLESPACE", w " TRIGGER", w " USER", w " VIEW" }
#define OBJECTS (sizeof(objects) / sizeof(objects[0]))
static const char *const alter_names[OBJECTS] = OBJECT_NAMES("ALTER");
static const char *const create_names[OBJECTS] = OBJECT_NAMES("CREATE");
static const char *const drop_names[OBJECTS] = OBJECT_NAMES("DROP");
static const char *const rename_names[OBJECTS] = OBJECT_NAMES("RENAME");

static bool
is_word(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
	    (c >= '0' && c <= '9') || c == '$';
}

/* Up to behind the closing quote. */
static pp_str
skip_quoted(pp_str s)
{
	char q = s.p[0];

	for (s = pp_str_skip(s, 1); s.n > 0 && s.p[0] != q;
	    s = pp_str_skip(s, 1))
		if (s.p[0] == '\\' && q != '`')
			s = pp_str_skip(s, 1);
	return pp_str_skip(s, 1);
}

/* A comment at the head of s, or 0.  What stands in a version comment is
 * code: only its mark is skipped. */
static size_t
comment(pp_str s)
{
	size_t n = 0;

	if (pp_str_starts(s, PP_STR("/*!")) ||
	    pp_str_starts(s, PP_STR("/*M!"))) {
		for (n = 3; n < s.n && s.p[n] >= '!' && (s.p[n] == '!' ||
		    (s.p[n] >= '0' && s.p[n] <= '9'));)
			n++;
		return n;
	}
	if (pp_str_starts(s, PP_STR("/*")))
		return pp_str_find(s, PP_STR("*/")) + 2;
	if (pp_str_starts(s, PP_STR("*/")))
		return 2;
	if (s.n > 0 && (s.p[0] == '#' || (s.n > 2 && s.p[0] == '-' &&
	    s.p[1] == '-' && (unsigned char)s.p[2] <= ' ')))
		return pp_str_find(s, PP_STR("\n"));
	return 0;
}

/* The next word outside of quotes, and how deep in parentheses it stands. */
static pp_str
next_word(pp_str *s, int *depth)
{
	pp_str w;
	size_t n;

	while (s->n > 0 && !is_word(s->p[0])) {
		n = comment(*s);
		if (n > 0)
			*s = pp_str_skip(*s, n);
		else if (s->p[0] == '\'' || s->p[0] == '"' || s->p[0] == '`')
			*s = skip_quoted(*s);
		else {
			*depth += s->p[0] == '(' ? 1 : s->p[0] == ')' ? -1 : 0;
			*s = pp_str_skip(*s, 1);
		}
	}
	w = (pp_str){s->p, 0};
	while (w.n < s->n && is_word(s->p[w.n]))
		w.n++;
	*s = pp_str_skip(*s, w.n);
	return w;
}

static bool
same(pp_str w, const char *upper)
{
	size_t i;

	for (i = 0; i < w.n && upper[i] != '\0'; i++) {
		char c = w.p[i];

		if ((c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) != upper[i])
			return false;
	}
	return i == w.n && upper[i] == '\0';
}

/* CREATE and its kin: the first word that names a kind of object. */
static pp_str
with_object(pp_str s, const char *word)
{
	const char *const *names = word[0] == 'A' ? alter_names :
	    word[0] == 'C' ? create_names : word[0] == 'D' ? drop_names :
	    rename_names;
	unsigned n;
	size_t i;
	pp_str w;
	int depth = 0;

	for (n = 0; n < MOST_WORDS && s.n > 0; n++) {
		w = next_word(&s, &depth);
		for (i = 0; i < OBJECTS; i++)
			if (same(w, objects[i]))
				return pp_str_from(names[i]);
	}
	return pp_str_from(word);
}

/* WITH: what the common table expressions are for. */
static pp_str
after_with(pp_str s)
{
	static const char *const verbs[] = {"SELECT", "INSERT", "REPLACE",
		"UPDATE", "DELETE"};
	int depth = 0;
	size_t i;
	pp_str w;

	while (s.n > 0) {
		w = next_word(&s, &depth);
		for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
			if (depth <= 0 && same(w, verbs[i]))
				return pp_str_from(verbs[i]);
	}
	return PP_STR("SELECT");
}

pp_str
pp_mysql_command(pp_str text)
{
	int depth = 0;
	pp_str w = next_word(&text, &depth);
	size_t i;

	if (same(w, "WITH"))
		return after_with(text);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!same(w, commands[i].word))
			continue;
		if (commands[i].name == NULL)
			return with_object(text, commands[i].word);
		return pp_str_from(commands[i].name);
	}
	return PP_STR("");
}
