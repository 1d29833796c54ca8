/*
 * sqlite_dim.c: dimensions of the star: values that come together in row
 * after row, such as the names of an event and its parameters, are one row of
 * a table of their own, and facts hold its key.
 *
 * Sees base and table.h only.
 *
 * Keys count up in the order in which combinations are first seen.  They are
 * kept in memory up to HELD_MAX bytes a dimension; then the cache is emptied,
 * and what it does not know is looked up in the table.
 */
#include "sqlite_impl.h"

#include <stdio.h>

#define HELD_MAX ((size_t)4 * 1024 * 1024)

/* What a row takes in memory beside its bytes. */
#define ROW (sizeof(struct pp_sq_row) + 4 * sizeof(uint32_t))

#define SEEN 256	/* rows of a batch known by address, a power of two */

/* Statements end with their database; memory goes with its pp_mem. */
void
pp_sq_dim_free(struct pp_sq_dim *d)
{
	sqlite3_finalize(d->insert);
	sqlite3_finalize(d->find);
	d->insert = d->find = NULL;
}

static void
grow_slots(struct pp_mem *mem, struct pp_sq_dim *d)
{
	size_t size = d->mask == 0 ? 256 : (d->mask + 1) * 2, i, k;
	uint32_t *slots = pp_mem_zalloc(mem, size * sizeof(*slots));

	pp_mem_free(mem, d->slots);
	d->slots = slots;
	d->mask = size - 1;
	for (k = 0; k < d->count; k++) {
		for (i = (size_t)d->v[k].hash & d->mask; d->slots[i] != 0;)
			i = (i + 1) & d->mask;
		d->slots[i] = (uint32_t)k + 1;
	}
}

static void
forget(struct pp_sq_dim *d)
{
	memset(d->slots, 0, (d->mask + 1) * sizeof(*d->slots));
	pp_arena_reset(&d->bytes);
	d->count = 0;
	d->held = 0;
	d->forgot = true;
}

static void
keep(struct pp_mem *mem, struct pp_sq_dim *d, pp_str values, uint64_t hash,
    int64_t key)
{
	void *v = d->v;
	size_t i;

	if (d->held + values.n + ROW > HELD_MAX)
		forget(d);
	if (d->count * 2 > d->mask)
		grow_slots(mem, d);
	for (i = (size_t)hash & d->mask; d->slots[i] != 0;)
		i = (i + 1) & d->mask;
	pp_mem_grow(mem, &v, &d->cap, d->count + 1, sizeof(*d->v));
	d->v = v;
	d->v[d->count] = (struct pp_sq_row){pp_arena_str(&d->bytes, values),
	    hash, key};
	d->slots[i] = (uint32_t)++d->count;
	d->held += values.n + ROW;
}

/* The values of a row, as bytes that differ where they do. */
static pp_str
pack(struct pp_sq *q, const struct pp_sq_place *p, size_t n,
    const struct pp_batch *b, size_t row)
{
	size_t need = 0, k;
	char *start, *at;

	for (k = 0; k < n; k++)
		if (p->from[k] != SIZE_MAX && b->tags[p->from[k]][row] != 0)
			need += pp_type_is_text(b->table->columns[
			    p->from[k]].type) ?
			    b->cells[p->from[k]][row].str.n : 0;
	start = at = pp_arena_alloc(&q->arena, need + n * 17);
	for (k = 0; k < n; k++) {
		size_t c = p->from[k];
		const union pp_cell *x;

		if (c == SIZE_MAX || b->tags[c][row] == 0) {
			*at++ = 0;
			continue;
		}
		x = &b->cells[c][row];
		*at++ = 1;
		if (!pp_type_is_text(b->table->columns[c].type)) {
			memcpy(at, &x->num, sizeof(x->num));
			at += sizeof(x->num);
			continue;
		}
		memcpy(at, &x->str.n, sizeof(x->str.n));
		at += sizeof(x->str.n);
		if (x->str.n > 0)
			memcpy(at, x->str.p, x->str.n);
		at += x->str.n;
	}
	return (pp_str){start, (size_t)(at - start)};
}

/* Bind the members from parameter `at` on; *changed: a text was repaired. */
static void
bind(struct pp_sq *q, sqlite3_stmt *st, int at, const struct pp_sq_place *p,
    size_t n, const struct pp_batch *b, size_t row, bool *changed)
{
	size_t k;
	pp_str s;

	for (k = 0; k < n; k++, at++) {
		size_t c = p->from[k];

		if (c == SIZE_MAX || b->tags[c][row] == 0)
			sqlite3_bind_null(st, at);
		else if (!pp_type_is_text(b->table->columns[c].type))
			sqlite3_bind_int64(st, at,
			    (int64_t)b->cells[c][row].num);
		else {
			s = pp_sq_text(q, b->cells[c][row].str);
			*changed |= s.p != b->cells[c][row].str.p;
			sqlite3_bind_text64(st, at, s.p, s.n, SQLITE_STATIC,
			    SQLITE_UTF8);
		}
	}
}

/* The key that the table has for a row, 0: none, -1: failed. */
static int64_t
look_up(struct pp_sq *q, struct pp_sq_dim *d)
{
	int64_t key = 0;
	int rc = sqlite3_step(d->find);

	if (rc == SQLITE_ROW)
		key = sqlite3_column_int64(d->find, 0);
	else if (rc != SQLITE_DONE) {
		pp_sq_failed(q);
		key = -1;
	}
	sqlite3_reset(d->find);
	return key;
}

static int64_t
add(struct pp_sq *q, struct pp_sq_dim *d)
{
	int rc;

	sqlite3_bind_int64(d->insert, 1, d->last + 1);
	rc = sqlite3_step(d->insert);
	sqlite3_reset(d->insert);
	if (rc == SQLITE_DONE)
		return ++d->last;
	pp_sq_failed(q);
	return -1;
}

static int64_t
find_key(struct pp_sq *q, struct pp_sq_dim *d, const struct pp_sq_place *p,
    const struct pp_batch *b, size_t row)
{
	pp_str values = pack(q, p, d->n, b, row);
	uint64_t hash = pp_str_hash(values);
	bool changed = false;
	int64_t key = 0;
	uint32_t k;
	size_t i;

	if (d->slots == NULL)
		grow_slots(q->w->mem, d);
	for (i = (size_t)hash & d->mask; (k = d->slots[i]) != 0;
	    i = (i + 1) & d->mask)
		if (d->v[k - 1].hash == hash &&
		    pp_str_eq(d->v[k - 1].values, values)) {
			pp_arena_reset(&q->arena);
			return d->v[k - 1].key;
		}
	/* repaired texts may be there from others */
	bind(q, d->insert, 2, p, d->n, b, row, &changed);
	if (changed || d->forgot) {
		bind(q, d->find, 1, p, d->n, b, row, &changed);
		key = look_up(q, d);
	}
	if (key == 0)
		key = add(q, d);
	if (key > 0)
		keep(q->w->mem, d, values, hash, key);
	pp_arena_reset(&q->arena);
	return key;
}

/* Have two rows of a batch the same values?  In a batch the same address is
 * the same text. */
static inline bool
same(const struct pp_sq_place *p, size_t n, const struct pp_batch *b,
    size_t x, size_t y)
{
	size_t k;

	for (k = 0; k < n; k++) {
		const union pp_cell *c;

		if (p->from[k] == SIZE_MAX)
			continue;
		if (b->tags[p->from[k]][x] != b->tags[p->from[k]][y])
			return false;
		c = b->cells[p->from[k]];
		/* address and length, or the number */
		if (b->tags[p->from[k]][x] != 0 && c[x].num != c[y].num)
			return false;
	}
	return true;
}

static inline size_t
slot_of(const struct pp_sq_place *p, size_t n, const struct pp_batch *b,
    size_t row)
{
	uint64_t h = 0, w;
	size_t k;

	for (k = 0; k < n; k++) {
		if (p->from[k] == SIZE_MAX ||
		    b->tags[p->from[k]][row] == 0)
			continue;
		memcpy(&w, &b->cells[p->from[k]][row], sizeof(w));
		h = (h ^ w) * 0x9e3779b97f4a7c15u;
	}
	return (size_t)(h >> 56) % SEEN;
}

static bool
open_dim(struct pp_sq *q, size_t dim)
{
	struct pp_sq_dim *d = &q->dims[dim];
	char sql[512];
	size_t k, n;

	d->info = &pp_sq_dim_info[dim];
	while (d->info->members[d->n] != NULL)
		d->n++;
	pp_arena_init(&d->bytes, q->w->mem, 65536);
	if (!pp_sq_create_dim(q, d->info))
		return false;
	n = (size_t)snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?",
	    d->info->name);
	for (k = 0; k < d->n; k++)
		n += (size_t)snprintf(sql + n, sizeof(sql) - n, ",?");
	snprintf(sql + n, sizeof(sql) - n, ")");
	d->insert = pp_sq_compile(q, sql);
	n = (size_t)snprintf(sql, sizeof(sql), "SELECT %s FROM %s WHERE",
	    d->info->key, d->info->name);
	for (k = 0; k < d->n; k++)
		n += (size_t)snprintf(sql + n, sizeof(sql) - n,
		    "%s %s IS ?", k > 0 ? " AND" : "", d->info->members[k]);
	d->find = pp_sq_compile(q, sql);
	d->made = true;
	return d->insert != NULL && d->find != NULL;
}

bool
pp_sq_dim_keys(struct pp_sq *q, struct pp_sq_table *t, size_t dim,
    const struct pp_batch *b)
{
	const struct pp_sq_place *p = &t->dims[dim];
	struct pp_sq_dim *d = &q->dims[dim];
	uint16_t seen[SEEN] = {0};	/* row + 1 */
	size_t i, s;

	if (!d->made && !open_dim(q, dim))
		return false;
	for (i = 0; i < b->rows; i++) {
		if (i > 0 && same(p, d->n, b, i, i - 1)) {
			p->keys[i] = p->keys[i - 1];
			continue;
		}
		s = slot_of(p, d->n, b, i);
		if (seen[s] != 0 && same(p, d->n, b, i, seen[s] - 1u)) {
			p->keys[i] = p->keys[seen[s] - 1u];
			continue;
		}
		p->keys[i] = find_key(q, d, p, b, i);
		if (p->keys[i] < 0)
			return false;
		seen[s] = (uint16_t)(i + 1);
	}
	return true;
}
