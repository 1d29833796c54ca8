/*
 * report.c: the registry of reports, made from reports.def.
 */
#include "report.h"

static const struct pp_report *const reports[] = {
#define PP_REPORT(name) &pp_report_##name,
#include "reports.def"
#undef PP_REPORT
};

#define NREPORTS (sizeof(reports) / sizeof(reports[0]))

const struct pp_report *const *
pp_reports(size_t *n)
{
	*n = NREPORTS;
	return reports;
}

const struct pp_report *
pp_report_named(pp_str name)
{
	for (size_t i = 0; i < NREPORTS; i++)
		if (pp_str_eq(pp_str_from(reports[i]->table->name), name))
			return reports[i];
	return NULL;
}

const struct pp_table *
pp_table_named(pp_str name)
{
	const struct pp_report *r = pp_report_named(name);

	return r == NULL ? NULL : r->table;
}
