/*
 * facet.h: what --by splits the tables by.
 *
 * A facet is a combination of values of the columns asked for: module,
 * action, client id and service of a moment, and tags of the file.
 */
#ifndef PP_FACET_H
#define PP_FACET_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/mem.h"

enum pp_by {
	PP_BY_MODULE,
	PP_BY_ACTION,
	PP_BY_CLIENT_ID,
	PP_BY_SERVICE,
	PP_BY_TAG		/* PP_BY_TAG + k: the k-th tag */
};

#define PP_TAG_MAX 16
#define PP_BY_MAX (PP_BY_TAG + PP_TAG_MAX)

/* Stands for all facets together. */
#define PP_FACET_ALL UINT32_MAX

struct pp_facets {
	struct pp_mem *mem;
	unsigned by[PP_BY_MAX];	/* enum pp_by, in the order of the columns */
	const char *name[PP_BY_MAX]; /* what the columns are called */
	size_t n;		/* columns; 0: nothing is split */
	uint32_t *value;	/* n a facet: ids in model.names; 0: none */
	size_t count, cap;
	struct pp_map prefix;	/* (facet so far, value) -> longer one */
	uint32_t nprefix;
	struct pp_map seen;	/* (context, source) -> facet */
};

void pp_facets_init(struct pp_facets *f, struct pp_mem *mem);

struct pp_model;

/* The facet of what happens in a context (index in model.contexts) of a
 * session that began in this source; where --by was used. */
uint32_t pp_facet_of(struct pp_model *m, uint32_t context, uint32_t source);

/* The value of column k of a facet: an id in model.names; 0: none. */
uint32_t pp_facet_value(const struct pp_facets *f, uint32_t facet, size_t k);

#endif
