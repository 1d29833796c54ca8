/*
 * progress.c: see progress.h.  Shows whole numbers only.
 */
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
#define EVERY (SECOND / 5)

static uint64_t
now(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

void
pp_progress_open(struct pp_progress *p, bool wanted)
{
	*p = (struct pp_progress){0};
	p->on = wanted && isatty(STDERR_FILENO) == 1;
	if (p->on)
		p->held = open_memstream(&p->text, &p->size);
}

FILE *
pp_progress_messages(struct pp_progress *p)
{
	return p->held != NULL ? p->held : stderr;
}

void
pp_progress_start(struct pp_progress *p, uint64_t all)
{
	p->all = all;
	p->before = 0;
	p->began = now();
	p->next = p->began + SECOND;
}

void
pp_progress_clear(struct pp_progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
	if (p->held == NULL || fflush(p->held) != 0 || p->size == 0)
		return;
	fwrite(p->text, 1, p->size, stderr);
	rewind(p->held);
	fflush(p->held);
}

/* "1.2 GB" */
static void
size_text(char *buf, size_t room, uint64_t bytes)
{
	static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB"};
	uint64_t tenths = bytes * 10;
	size_t u = 0;

	if (bytes < 1000) {
		snprintf(buf, room, "%" PRIu64 " B", bytes);
		return;
	}
	while (tenths >= 10000 && u + 1 < sizeof(unit) / sizeof(unit[0])) {
		tenths /= 1000;
		u++;
	}
	/* 9,999 tenths: 999.9 */
	snprintf(buf, room, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10,
	    tenths % 10, unit[u]);
}

static void
show(struct pp_progress *p, uint64_t done, uint64_t elapsed)
{
	char have[24], all[24], rate[24];
	uint64_t ms = elapsed / 1000000 + 1, left, speed;

	size_text(have, sizeof(have), done);
	speed = done / ms * 1000 + done % ms * 1000 / ms;
	size_text(rate, sizeof(rate), speed);
	fputs("\r\033[K", stderr);
	if (p->all < done || p->all == 0 || speed == 0) {
		fprintf(stderr, "profpivot: %s  %s/s", have, rate);
	} else {
		size_text(all, sizeof(all), p->all);
		left = (p->all - done) / speed;
		fprintf(stderr, "profpivot: %s of %s  %" PRIu64 " %%  %s/s  "
		    "%" PRIu64 ":%02" PRIu64 " left", have, all,
		    done / (p->all / 100 + 1), rate, left / 60, left % 60);
	}
	fflush(stderr);
	p->shown = true;
}

void
pp_progress_step(struct pp_progress *p, uint64_t done)
{
	uint64_t t;

	if (!p->on)
		return;
	t = now();
	if (t < p->next)
		return;
	p->next = t + EVERY;
	pp_progress_clear(p);
	show(p, p->before + done, t - p->began);
}

void
pp_progress_file(struct pp_progress *p, uint64_t done)
{
	p->before += done;
}

void
pp_progress_close(struct pp_progress *p)
{
	pp_progress_clear(p);
	if (p->held != NULL)
		fclose(p->held);
	free(p->text);
	*p = (struct pp_progress){0};
}
