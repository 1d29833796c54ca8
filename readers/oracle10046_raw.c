/*
 * oracle10046_raw.c: what the raw tables want of a line beyond the accounts:
 * cursor number, parameters, object, plan, the time as printed.
 */
#include "oracle10046_fold.h"

/*
 * The names of a wait's parameters: the text as printed without the values,
 * "file#=;block#=;blocks=;" is one string for all waits of an event.  A value
 * is the digits (or 0x and hex digits) behind an equals sign, at a blank or
 * the end.
 */
static uint32_t
param_names(struct pp_fold *f, pp_str text)
{
	char buf[256];
	size_t i, n = 0, at;

	for (i = 0; i < text.n && n + 2 < sizeof(buf);) {
		buf[n++] = text.p[i++];
		if (buf[n - 1] != '=')
			continue;
		at = i;
		if (i < text.n && text.p[i] == '-')
			i++;
		while (i < text.n && text.p[i] != ' ' && text.p[i] != '=')
			i++;
		if (i == at || (i < text.n && text.p[i] != ' ')) {
			i = at;	/* no value: a part of the name */
			continue;
		}
		while (i < text.n && text.p[i] == ' ')
			i++;
		buf[n - 1] = '\n';
	}
	return pp_strtab_id(&f->m->names, (pp_str){buf, n});
}

/* Is `names` what param_names makes of the text? */
static bool
same_names(pp_str names, pp_str text)
{
	const char *nl;
	size_t n, i = 0;

	while (names.n > 0) {
		nl = memchr(names.p, '\n', names.n);
		if (nl == NULL)
			return false;
		n = (size_t)(nl - names.p);
		if (text.n - i <= n || memcmp(text.p + i, names.p, n) != 0 ||
		    text.p[i + n] != '=')
			return false;
		names = pp_str_skip(names, n + 1);
		i += n + 1;
		if (i < text.n && text.p[i] == '-')
			i++;
		if (i == text.n || text.p[i] < '0' || text.p[i] > '9')
			return false;
		while (i < text.n && text.p[i] >= '0' && text.p[i] <= '9')
			i++;
		if (i < text.n && text.p[i] != ' ')
			return false;
		while (i < text.n && text.p[i] == ' ')
			i++;
	}
	return i == text.n;
}

/* The parameters' names of a wait; those of its event are mostly the same. */
static uint32_t
names_of(struct pp_fold *f, const struct pp_o_rec *r)
{
	struct pp_of_params *k = &f->params[r->hash & (PP_OF_NAMES - 1)];

	if (k->hash == r->hash && same_names(k->names, r->text))
		return k->id;
	k->hash = r->hash;
	k->id = param_names(f, r->text);
	k->names = pp_strtab_get(&f->m->names, k->id);
	return k->id;
}

/* Which negative parameters are printed without a sign: beyond INT64_MAX. */
static unsigned
beyond(pp_str text, const int64_t par[3], unsigned npar)
{
	unsigned i = 0, has = 0;
	size_t at, n;

	for (at = 0; at < text.n && i < npar; at++) {
		if (text.p[at] != '=')
			continue;
		for (n = 1; at + n < text.n && text.p[at + n] >= '0' &&
		    text.p[at + n] <= '9'; n++)
			continue;
		if (at + 1 < text.n && text.p[at + 1] == '-')
			i++;
		else if (n > 1 && (at + n == text.n ||
		    text.p[at + n] == ' ')) {
			if (par[i] < 0)
				has |= (unsigned)PP_RAW_UNSIGNED << i;
			i++;
		}
	}
	return has;
}

void
pp_of_raw_wait(struct pp_fold *f, const struct pp_o_rec *r,
    union pp_slot raw[PP_RAW_SLOTS])
{
	memset(raw, 0, PP_RAW_SLOTS * sizeof(raw[0]));
	raw[0].first.has = (uint16_t)((r->npar & PP_RAW_PARAMS) |
	    (r->has & PP_O_HAS_OBJ ? PP_RAW_OBJ : 0) |
	    (r->has & PP_O_HAS_TIM ? PP_RAW_TIM : 0));
	if ((r->u.wait.par[0] | r->u.wait.par[1] | r->u.wait.par[2]) < 0)
		raw[0].first.has |= (uint16_t)beyond(r->text, r->u.wait.par,
		    r->npar);
	raw[0].first.params = names_of(f, r);
	raw[0].first.cursor = r->cursor;
	raw[0].first.tim = r->tim;
	memcpy(raw[1].second.p, r->u.wait.par, sizeof(raw[1].second.p));
	raw[1].second.obj = r->u.wait.obj;
}

void
pp_of_raw_call(const struct pp_o_rec *r, union pp_slot raw[PP_RAW_SLOTS])
{
	memset(raw, 0, PP_RAW_SLOTS * sizeof(raw[0]));
	raw[0].first.has = (uint16_t)((r->has & PP_O_HAS_PLH ?
	    PP_RAW_PLAN : 0) | (r->has & PP_O_HAS_TIM ? PP_RAW_TIM : 0));
	raw[0].first.cursor = r->cursor;
	raw[0].first.tim = r->tim;
	raw[1].second.p[0] = (int64_t)r->u.call.plh;
	raw[1].second.p[1] = r->u.call.og;
	raw[1].second.p[2] = r->sub == PP_EV_LOB ? (int64_t)r->u.call.r :
	    r->u.call.type;
}

unsigned
pp_of_log_raw(struct pp_fold *f, const union pp_slot raw[PP_RAW_SLOTS],
    unsigned flags)
{
	union pp_slot *slot = pp_log_add(&f->m->log);

	*slot = raw[0];
	slot->first.kind = PP_EV_RAW;
	slot->first.flags = (uint8_t)(flags &
	    (PP_EVF_EXT | PP_EVF_EXT2));
	slot->first.id = ++f->event_id;
	*pp_log_add(&f->m->log) = raw[1];
	return PP_EVF_RAW;
}
