/*
 * report_file.c: see report_file.h.
 */
#include "report_file.h"

#include <errno.h>

bool
pp_report_file_begin(struct pp_report_file *f, struct pp_run *r)
{
	pp_str err;

	if (!f->to_out || strcmp(r->opt->out, "-") == 0)
		return true;
	r->sink = pp_sink_open(&r->mem, PP_SINK_FILE, r->opt->out, &err);
	if (r->sink == NULL)
		pp_run_say(r, "%.*s", (int)err.n, err.p);
	return r->sink != NULL;
}

bool
pp_report_file_page(struct pp_report_file *f, struct pp_run *r,
    struct pp_page *p)
{
	const struct pp_options *o = r->opt;

	if (!f->to_out) {
		pp_page_open(p, o->width);
		return true;
	}
	if (r->sink == NULL) {
		pp_page_open_file(p, stdout, o->width);
		return true;
	}
	f->file = fopen(pp_sink_path(r->sink), "w");
	if (f->file == NULL)
		pp_run_say(r, "%s: %s", o->out, strerror(errno));
	else
		pp_page_open_file(p, f->file, o->width);
	return f->file != NULL;
}

bool
pp_report_file_end(struct pp_report_file *f, struct pp_run *r)
{
	FILE *file = f->file;
	pp_str err;
	int bad;

	if (file == NULL)
		return pp_flush_stdout();
	f->file = NULL;
	errno = 0;
	bad = ferror(file);
	if (fclose(file) != 0 || bad)
		pp_sink_fail(r->sink, errno, NULL);
	if (pp_sink_commit(r->sink)) {
		r->sink = NULL;
		return true;
	}
	err = pp_sink_error(r->sink, NULL);
	pp_run_say(r, "%.*s", (int)err.n, err.p);
	return false;
}

void
pp_report_file_free(struct pp_report_file *f)
{
	if (f->file != NULL)
		fclose(f->file);
	f->file = NULL;
}
