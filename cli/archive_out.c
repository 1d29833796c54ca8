/*
 * archive_out.c: where the rows of `archive query` and `trend` go.
 */
#include "archive_rows.h"

#include <unistd.h>

#include "commands.h"
#include "inputs.h"

static bool
fits(struct pp_archive_run *a, const struct pp_options *o,
    const struct pp_writer *w, enum pp_exit *status)
{
	*status = PP_EXIT_USAGE;
	if (!pp_options_suit(o, w))
		return false;
	if (w->tables != NULL) {
		pp_usage(PP_CMD_ARCHIVE, "-t %s is made of other tables",
		    w->name);
		return false;
	}
	if (strcmp(o->out, "-") == 0 && (w->caps & (PP_W_SINGLE |
	    PP_W_REPORT)) == 0) {
		pp_usage(PP_CMD_ARCHIVE, "%s cannot be written to standard "
		    "output; name a file with -o", w->name);
		return false;
	}
	if ((w->caps & PP_W_REPORT) == 0 && o->width != 0) {
		pp_usage(PP_CMD_ARCHIVE, "--width is for a page of text, on a "
		    "terminal or by -t txt");
		return false;
	}
	*status = PP_EXIT_NOTHING;
	if (!pp_same_file(o->out, a->path))
		return true;
	pp_run_say(&a->run, "-o %s: is the archive; nothing written",
	    o->out);
	return false;
}

static bool
open_page(struct pp_archive_run *a, struct pp_archive_out *x)
{
	struct pp_run *r = &a->run;

	x->report.to_out = strcmp(r->opt->out, "-") != 0;
	if (!pp_report_file_begin(&x->report, r) ||
	    !pp_report_file_page(&x->report, r, &x->on))
		return false;
	pp_term_table_open(&x->table, &r->mem, &x->on);
	x->table.top = r->opt->top;
	x->sink = &x->table.sink;
	return true;
}

bool
pp_archive_output(struct pp_archive_run *a, struct pp_archive_out *x,
    enum pp_exit *status)
{
	struct pp_options *o = &x->opt;
	const struct pp_writer *w;

	memset(x, 0, sizeof(*x));
	*o = *a->run.opt;
	if (o->out == NULL && o->format == NULL &&
	    o->write.csv == PP_CSV_RFC4180 && isatty(STDOUT_FILENO) == 1)
		o->format = "txt";
	if (o->out == NULL)
		o->out = "-";
	*status = PP_EXIT_USAGE;
	w = pp_convert_writer(o);
	if (w == NULL || !fits(a, o, w, status))
		return false;
	a->run.opt = o;
	x->writer = w;
	x->page = (w->caps & PP_W_REPORT) != 0;
	return true;
}

bool
pp_archive_begin(struct pp_archive_run *a, struct pp_archive_out *x)
{
	if (x->page)
		return open_page(a, x);
	if (!pp_output_open(&x->out, &a->run, x->writer, true) ||
	    !pp_output_begin(&x->out))
		return false;
	x->sink = pp_output_sink(&x->out);
	return true;
}

bool
pp_archive_commit(struct pp_archive_run *a, struct pp_archive_out *x)
{
	if (x->page)
		return pp_report_file_end(&x->report, &a->run);
	return pp_output_commit(&x->out);
}
