/*
 * digest_options.c: see digest_options.h.
 */
#include "digest_options.h"

void
pp_digest_cli_init(struct pp_digest_cli *o)
{
	memset(o, 0, sizeof(*o));
	(void)pp_digest_dialect(PP_STR("canonical"), &o->sql);
}

const char *
pp_digest_cli_dialect(struct pp_digest_cli *o, const char *v)
{
	/* --canonical and --max-digest-length may stand before it */
	bool canonical = o->sql.canonical && o->own_text;
	uint32_t length = o->sql.max_length;

	if (!pp_digest_dialect(pp_str_from(v), &o->sql))
		return "a dialect: mysql-5.6, mysql-5.7, mysql-8.0, mysql-9, "
		    "mariadb, oracle, postgresql, pt or canonical";
	o->sql.canonical |= canonical;
	if (o->length_given)
		o->sql.max_length = length;
	return NULL;
}

const char *
pp_digest_cli_mode(struct pp_digest_cli *o, const char *v)
{
	static const struct {
		const char *name;
		unsigned mode;
	} modes[] = {{"ANSI_QUOTES", PP_SQL_ANSI_QUOTES},
	    {"NO_BACKSLASH_ESCAPES", PP_SQL_NO_BACKSLASH},
	    {"IGNORE_SPACE", PP_SQL_IGNORE_SPACE},
	    {"PIPES_AS_CONCAT", PP_SQL_PIPES_CONCAT},
	    {"HIGH_NOT_PRECEDENCE", PP_SQL_HIGH_NOT},
	    {"ANSI", PP_SQL_ANSI_QUOTES | PP_SQL_IGNORE_SPACE |
	    PP_SQL_PIPES_CONCAT}};
	const char *end;
	size_t i, n;

	/* other modes do not change how a statement is read */
	for (;; v = end + 1) {
		end = v + strcspn(v, ",");
		n = (size_t)(end - v);
		for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
			if (strlen(modes[i].name) == n &&
			    memcmp(modes[i].name, v, n) == 0)
				o->sql.mode |= modes[i].mode;
		for (i = 0; i < n; i++)
			if (!(v[i] == '_' || (v[i] >= 'A' && v[i] <= 'Z')))
				return "a list of modes such as ANSI_QUOTES";
		if (*end == '\0')
			return NULL;
	}
}
