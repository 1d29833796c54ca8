/*
 * rowset.c: see rowset.h.
 *
 * May touch base only.
 */
#include "rowset.h"

const char *
pp_form_name(enum pp_form f)
{
	static const char *const names[PP_FORM_COUNT] = {
		[PP_FORM_BOX] = "box",
		[PP_FORM_BATCH] = "batch",
		[PP_FORM_VERTICAL] = "vertical",
		[PP_FORM_HTML] = "html",
		[PP_FORM_XML] = "xml",
		[PP_FORM_DELIM] = "delim",
		[PP_FORM_FIXED] = "fixed",
		[PP_FORM_INSERT] = "insert",
		[PP_FORM_JSON] = "json",
		[PP_FORM_MARKDOWN] = "markdown",
	};

	return names[f];
}

static inline unsigned char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') :
	    (unsigned char)c;
}

bool
pp_rs_same(pp_str a, const char *b)
{
	size_t i;

	for (i = 0; i < a.n; i++)
		if (b[i] == '\0' || lower(a.p[i]) != lower(b[i]))
			return false;
	return b[a.n] == '\0';
}

int
pp_rs_column(const struct pp_rowset *rs, const char *name)
{
	size_t i;

	for (i = 0; i < rs->ncols && i < INT32_MAX; i++)
		if (pp_rs_same(rs->names[i], name))
			return (int)i;
	return -1;
}
