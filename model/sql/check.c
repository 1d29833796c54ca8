/*
 * check.c: statements that a server refuses: it has no digest for them.
 *
 * This is no parser.  It knows what goes wrong most: brackets without a
 * partner, a list of columns that goes on behind *, and statements that a
 * release does not have or has no more.
 */
#include "token.h"

static bool
word_at(const struct pp_digester *d, size_t i, const char *w)
{
	return i < d->nt && d->t[i].id >= T_WORD &&
	    strcmp(pp_words[d->t[i].id - T_WORD].word, w) == 0;
}

static bool
mysql(const struct pp_digester *d)
{
	return d->opt.server <= PP_SQL_MYSQL_90;
}

/* VALUES as a statement: MySQL wants ROW, MariaDB does not know it. */
static bool
bad_values(const struct pp_digester *d)
{
	bool row = d->nt > 1 && d->t[1].id == d->w_row;

	if (d->t[0].id != d->w_values)
		return false;
	return mysql(d) ? !row || d->opt.server < PP_SQL_MYSQL_80 : row;
}

static bool
bad_analyze(const struct pp_digester *d)
{
	return mysql(d) && d->t[0].id == d->w_analyze &&
	    !word_at(d, 1, "TABLE") && !word_at(d, 1, "TABLES") &&
	    !word_at(d, 1, "LOCAL") && !word_at(d, 1, "NO_WRITE_TO_BINLOG");
}

/* Statements of the old words for replication. */
static bool
bad_master(const struct pp_digester *d)
{
	return d->opt.server == PP_SQL_MYSQL_90 && d->nt > 1 &&
	    (d->t[1].id == d->w_master || d->t[1].id == d->w_slave) &&
	    (word_at(d, 0, "SHOW") || word_at(d, 0, "START") ||
	    word_at(d, 0, "STOP") || word_at(d, 0, "RESET") ||
	    word_at(d, 0, "CHANGE") || word_at(d, 0, "PURGE"));
}

/* Things that MySQL 8.0 took away: PROCEDURE ANALYSE (), PASSWORD (). */
static bool
gone_since_80(const struct pp_digester *d, size_t i)
{
	if (!d->in_list)
		return false;
	if (d->t[i].id == d->w_procedure)
		return d->t[0].id == d->w_select;
	return d->t[0].id == d->w_set && i + 1 < d->nt && d->t[i - 1].id == '=' &&
	    d->t[i + 1].id == T_ROW;
}

/* SELECT * name: a column list does not go on like this. */
static bool
bad_star(const struct pp_digester *d, size_t i)
{
	return i + 1 < d->nt &&
	    d->t[i + 1].id == T_NAME && i > 0 &&
	    (d->t[i - 1].id == d->w_select || d->t[i - 1].id == '.');
}

/* LIMIT takes a number, a marker or a variable. */
static bool
bad_limit(const struct pp_digester *d, size_t i)
{
	return i + 1 < d->nt && d->t[i + 1].id >= T_WORD &&
	    (pp_words[d->t[i + 1].id - T_WORD].kind & WORD_CORE);
}

void
pp_sql_check(struct pp_digester *d)
{
	uint16_t id;
	size_t i;

	if (d->depth != 0 && !d->full)
		d->refused = true;
	if (d->nt == 0 || d->refused)
		return;
	if (bad_values(d) || bad_analyze(d) || bad_master(d)) {
		d->refused = true;
		return;
	}
	for (i = 1; d->check && i < d->nt && !d->refused; i++) {
		id = d->t[i].id;
		if (id != '*' && (id < T_WORD ||
		    !(d->flags[id - T_WORD] & F_CHECK)))
			continue;
		if ((id == '*' && bad_star(d, i)) ||
		    (id == d->w_limit && bad_limit(d, i)) ||
		    ((id == d->w_procedure || id == d->w_password) &&
		    gone_since_80(d, i)))
			d->refused = true;
	}
}
