/*
 * writers.c: the registry.  Expands writers.def; sees no writer's insides.
 */
#include "writer.h"

#define PP_WRITER(name) extern const struct pp_writer pp_writer_##name;
#include "writers.def"
#undef PP_WRITER

static const struct pp_writer *const all[] = {
#define PP_WRITER(name) &pp_writer_##name,
#include "writers.def"
#undef PP_WRITER
};

const struct pp_writer *const *
pp_writers(size_t *n)
{
	*n = sizeof(all) / sizeof(all[0]);
	return all;
}

const struct pp_writer *
pp_writer_named(pp_str name)
{
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (pp_str_eq(name, pp_str_from(all[i]->name)))
			return all[i];
	return NULL;
}

static bool
ends_ignoring_case(pp_str s, const char *suffix)
{
	size_t n = strlen(suffix), i;
	char c;

	if (s.n < n)
		return false;
	for (i = 0; i < n; i++) {
		c = s.p[s.n - n + i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != suffix[i])
			return false;
	}
	return true;
}

const struct pp_writer *
pp_writer_for(pp_str path)
{
	size_t i;

	/* a folder may be named with a slash behind it */
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i]->suffix != NULL &&
		    ends_ignoring_case(path, all[i]->suffix))
			return all[i];
	return NULL;
}
