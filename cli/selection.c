/*
 * selection.c: see selection.h.
 */
#include "selection.h"

#include <stdio.h>
#include <string.h>

#include "../model/account/account.h"
#include "../model/report/command.h"
#include "../readers/oracle10046.h"
#include "values.h"

static int
class_named(pp_str v)
{
	int c;

	for (c = 0; c < PP_CLASS_COUNT; c++)
		if (pp_str_eq(v, pp_str_from(pp_class_name(
		    (enum pp_class)c))))
			return c;
	return -1;
}

const char *
pp_selecting_where(struct pp_selecting *s, const char *v, char *buf,
    size_t size)
{
	const char *names[PP_WHERE_COUNT], *eq = strchr(v, '='), *near;
	struct pp_condition *c;
	char word[40];
	size_t n = eq != NULL ? (size_t)(eq - v) : strlen(v);
	int w;

	for (w = 0; w < PP_WHERE_COUNT; w++) {
		names[w] = pp_where_name((enum pp_where)w);
		if (strlen(names[w]) == n && memcmp(names[w], v, n) == 0)
			break;
	}
	if (w == PP_WHERE_COUNT) {
		snprintf(word, sizeof(word), "%.*s", (int)(n < 39 ? n : 39),
		    v);
		near = pp_value_nearest(word, names, PP_WHERE_COUNT);
		snprintf(buf, size, "--where: there is no column `%s`%s%s%s",
		    word, near ? "; did you mean `" : "", near ? near : "",
		    near ? "`?" : "");
		return buf;
	}
	if (eq == NULL)
		return "--where: COLUMN=VALUE is needed";
	if (s->selection.nwhere == PP_SELECTION_MAX)
		return "--where: too many of them";
	if (w == PP_WHERE_CLASS && class_named(pp_str_from(eq + 1)) < 0)
		return "--where class: cpu, queue, wait, idle, unaccounted or "
		    "missing";
	c = &s->where[s->selection.nwhere++];
	c->column = (enum pp_where)w;
	c->value = pp_str_from(eq + 1);
	c->number = w == PP_WHERE_COMMAND ? pp_command_named(c->value) :
	    UINT32_MAX;
	return NULL;
}

/*
 * [YYYY-MM-DD][T| ][HH:MM[:SS[.ffffff]]][zone] as the full form that stamps
 * of traces have; false when it does not fit.
 */
static bool
full_form(const char *v, char *buf, size_t size, bool *date)
{
	const char *t = v, *zone;
	size_t n, k;

	*date = strlen(v) >= 10 && v[4] == '-' && v[7] == '-';
	if (*date) {
		t = v + 10;
		if (*t == 'T' || *t == ' ')
			t++;
		else if (*t != '\0')
			return false;
	}
	/* hours, minutes, seconds and a fraction, as far as they are there */
	n = strspn(t, "0123456789:.");
	zone = t + n;
	for (k = 0; k < n && t[k] != '.'; k++)
		continue;
	if (!(n == 0 && *date) && k != 5 && k != 8)
		return false;
	return (size_t)snprintf(buf, size, "%.10s %s%.*s%s%.*s%s",
	    *date ? v : "1970-01-01", n == 0 ? "00:00:00" : "",
	    (int)k, t, k == 5 ? ":00" : "", (int)(n - k), t + k, zone) < size;
}

bool
pp_selecting_moment(struct pp_moment *m, const char *v)
{
	char buf[80];
	struct pp_wall w;
	size_t used;

	memset(m, 0, sizeof(*m));
	if (pp_value_time(v, &m->ps)) {
		m->given = true;
		return true;
	}
	if (!full_form(v, buf, sizeof(buf), &m->has_date) ||
	    !pp_oracle_stamp(pp_str_from(buf), &w, &used) ||
	    buf[used] != '\0')
		return false;
	m->given = m->wall = true;
	m->us = w.us;
	m->has_offset = w.has_offset && m->has_date;
	m->offset_min = w.offset_min;
	return true;
}

/* Append to the text, as much as there is room for. */
static void
say(struct pp_selecting *s, const char *what, const char *value)
{
	size_t n = strlen(s->text);

	if (n + 1 < sizeof(s->text))
		snprintf(s->text + n, sizeof(s->text) - n, "%s%s%s",
		    n > 0 ? ", " : "", what, value);
}

bool
pp_selecting_done(struct pp_selecting *s, const char *since,
    const char *until)
{
	char word[200];
	size_t i;

	s->selection.where = s->where;
	s->selection.text = s->text;
	for (i = 0; i < s->selection.nwhere; i++) {
		snprintf(word, sizeof(word), "%s=%.*s",
		    pp_where_name(s->where[i].column),
		    (int)(s->where[i].value.n < 100 ? s->where[i].value.n :
		    100), s->where[i].value.p);
		say(s, "", word);
	}
	if (s->selection.since.given)
		say(s, "since ", since);
	if (s->selection.until.given)
		say(s, "until ", until);
	if (s->selection.no_idle)
		say(s, "", "without idle waits");
	return s->text[0] != '\0';
}
