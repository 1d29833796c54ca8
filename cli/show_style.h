/*
 * show_style.h: what the profiles in the manner of other tools share.
 * Private to show_style*.c.
 */
#ifndef PP_CLI_SHOW_STYLE_H
#define PP_CLI_SHOW_STYLE_H

#include "show.h"

/* A sum of s->digits in seconds with `decimals`, with commas in front of the
 * point; half up, or cut where `cut`. */
struct pp_style_text {
	char s[2 * PP_DEC_MAX];
};
struct pp_style_text pp_style_seconds(const struct pp_show *s, pp_i128 v,
    unsigned decimals, bool cut);

/* part / whole in percent; empty when whole is 0. */
struct pp_style_text pp_style_percent(pp_i128 part, pp_i128 whole,
    unsigned decimals);
struct pp_style_text pp_style_count(uint64_t n);

/* v / count with 6 decimals, half up. */
struct pp_style_text pp_style_mean(const struct pp_show *s, pp_i128 v,
    uint64_t count, unsigned decimals);

/* Right-aligned in `width` columns. */
void pp_style_right(struct pp_show *s, size_t width, const char *text);

/* Left-aligned text of the input, cut to `width` columns. */
void pp_style_left(struct pp_show *s, size_t width, pp_str text);
void pp_style_rule(struct pp_show *s, size_t width);
void pp_style_gap(struct pp_show *s, size_t n);

/* A text of the input, line by line as it is. */
void pp_style_lines(struct pp_show *s, pp_str text);

/* Take the events of equal name together, whatever their class; CPU as
 * `cpu`, or by call where that is NULL.  *n of them, the longest first. */
struct pp_show_event *pp_style_events(struct pp_show *s, const char *cpu,
    size_t *n);

/* By falling time, then name. */
void pp_style_sort(struct pp_show_event *v, size_t n);

#endif
