/*
 * list.c: what this build knows, from its registries.
 */
#include "commands.h"

#include "../model/plan.h"
#include "../readers/reader.h"
#include "../readers/tables.h"
#include "../writers/xml.h"

static void
list_readers(const struct pp_options *o)
{
	const struct pp_reader *const *v;
	const struct pp_tablereader *const *t;
	size_t n, i;

	(void)o;
	v = pp_readers(&n);
	for (i = 0; i < n; i++)
		printf("%-16s%s\n", v[i]->name, v[i]->summary);
	t = pp_tablereaders(&n);
	for (i = 0; i < n; i++)
		printf("%-16s%s\n", t[i]->name, t[i]->summary);
}

static void
list_writers(const struct pp_options *o)
{
	const struct pp_writer *const *v;
	size_t n, i;

	(void)o;
	v = pp_writers(&n);
	for (i = 0; i < n; i++)
		printf("%-12s%-18s%s\n", v[i]->name,
		    v[i]->suffix != NULL ? v[i]->suffix : "", v[i]->summary);
}

static void
list_tables(const struct pp_options *o)
{
	const struct pp_report *const *v;
	size_t n, i;

	v = pp_reports(&n);
	for (i = 0; i < n; i++) {
		printf("%-20s%s%s%s\n", v[i]->table->name, v[i]->table->help,
		    v[i]->raw ? " (raw: with --events)" : "",
		    v[i]->emit == NULL && v[i]->occ == NULL ?
		    " (nothing fills it yet)" : "");
		if (o->verbose)
			printf("%-20sin the order of %s\n", "",
			    v[i]->table->order);
	}
}

static void
list_columns(const struct pp_options *o)
{
	const struct pp_report *const *v;
	const struct pp_table *t;
	size_t n, i, j;

	(void)o;
	v = pp_reports(&n);
	puts("table\tcolumn\ttype\tmeaning");
	for (i = 0; i < n; i++) {
		t = v[i]->table;
		for (j = 0; j < t->ncolumns; j++)
			printf("%s\t%s\t%s\t%s\n", t->name,
			    t->columns[j].name,
			    pp_type_name(t->columns[j].type),
			    t->columns[j].help);
		if (t->flags & PP_TABLE_WIDE)
			printf("%s\t...\t\tfurther columns come from the "
			    "data\n", t->name);
	}
}

/* The XSD of the XML form. */
static void
list_schema(const struct pp_options *o)
{
	const struct pp_table *tables[PP_PLAN_MAX];
	const struct pp_report *const *v;
	size_t n, i;

	v = pp_reports(&n);
	for (i = 0; i < n; i++)
		tables[i] = v[i]->table;
	pp_xml_schema(stdout, tables, n, o->write.nested);
}

enum pp_exit
pp_command_list(const struct pp_options *o)
{
	static const struct {
		const char *name;
		void (*list)(const struct pp_options *o);
	} lists[] = {
		{"readers", list_readers},
		{"writers", list_writers},
		{"tables", list_tables},
		{"columns", list_columns},
		{"schema", list_schema},
	};
	size_t i;

	if (o->nwords != 1) {
		pp_usage(PP_CMD_LIST, "list what? readers, writers, tables, "
		    "columns or schema");
		return PP_EXIT_USAGE;
	}
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (strcmp(o->words[0], lists[i].name) != 0)
			continue;
		lists[i].list(o);
		return pp_flush_stdout() ? PP_EXIT_OK : PP_EXIT_NOTHING;
	}
	pp_usage(PP_CMD_LIST, "cannot list `%s`: readers, writers, tables, "
	    "columns or schema", o->words[0]);
	return PP_EXIT_USAGE;
}
