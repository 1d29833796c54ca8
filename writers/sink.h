/*
 * sink.h: output that appears whole or not at all.
 *
 * A file is written beside its target under a temporary name and renamed on
 * commit; a folder is built as OUT.tmp and swapped with OUT.  A folder that
 * profpivot did not write (it has no PP_SINK_MARK in it), or that holds a
 * file which the mark does not name, is refused.  Devices and pipes are
 * written in place.  Until
 * commit the old output stays as it was; pp_sink_abort and signals remove
 * the temporaries.
 */
#ifndef PP_SINK_H
#define PP_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../model/base/diag.h"
#include "../model/base/mem.h"

#define PP_SINK_MARK ".profpivot"

enum pp_sink_kind { PP_SINK_FILE, PP_SINK_FOLDER, PP_SINK_STDOUT };

struct pp_sink;

/*
 * Prepare to write `path` ("-": standard output, for PP_SINK_STDOUT).
 * NULL with *err set (borrowed from mem) when the target is refused or
 * cannot be created.
 */
struct pp_sink *pp_sink_open(struct pp_mem *mem, enum pp_sink_kind kind,
    const char *path, pp_str *err);

/*
 * A buffered stream.  For a folder `name` is the file's name in it, with the
 * names of folders in front where it is to be in one ("a/b.csv"; they are
 * made); for a file or stdout it is ignored and may be opened once.  NULL on
 * failure (pp_sink_error).
 */
struct pp_stream *pp_sink_stream(struct pp_sink *s, const char *name);

/*
 * The same, packed: GZIP makes members of PP_GZIP_MEMBER bytes before
 * compression, each with its header and CRC, so that what is written can be
 * concatenated and read from any member on; in a folder ".gz" is put behind
 * `name`.  SUM keeps what pp_stream_finish tells.
 */
#define PP_STREAM_GZIP	0x01
#define PP_STREAM_SUM	0x02
#define PP_GZIP_MEMBER	262144
struct pp_stream *pp_sink_stream_with(struct pp_sink *s, const char *name,
    unsigned flags);

/* Let a thread pack and write what fills a buffer; the bytes are the same. */
void pp_sink_use_thread(struct pp_sink *s);

/* Whether each table has a file of its own. */
bool pp_sink_is_folder(const struct pp_sink *s);

/* The temporary path of a file sink, for libraries that open files
 * themselves (a device's own path; NULL for other sinks). */
const char *pp_sink_path(struct pp_sink *s);

/* Append; errors are sticky in the sink. */
void pp_stream_write(struct pp_stream *f, const void *p, size_t n);

/* Room for n <= 64 KiB bytes to be filled in place; then pp_stream_used. */
char *pp_stream_room(struct pp_stream *f, size_t n);
void pp_stream_used(struct pp_stream *f, size_t n);

/* Flush and close one stream of a folder (all are closed by commit). */
void pp_stream_close(struct pp_stream *f);

/* What became of a stream with PP_STREAM_SUM: the file as it is. */
struct pp_stream_sum {
	uint64_t bytes;
	uint8_t sha256[32];
};

/* pp_stream_close that tells. */
void pp_stream_finish(struct pp_stream *f, struct pp_stream_sum *sum);

/*
 * Note an error of a library that writes for the sink: `code` is an errno
 * or 0, `what` one line or NULL.  The first one counts.
 */
void pp_sink_fail(struct pp_sink *s, int code, const char *what);

/* The first error (text), or empty.  *epipe: it was EPIPE on stdout. */
pp_str pp_sink_error(const struct pp_sink *s, bool *epipe);

/* Flush, rename into place; false with pp_sink_error set on failure. */
bool pp_sink_commit(struct pp_sink *s);

/* Remove what was written; the old output stays. */
void pp_sink_abort(struct pp_sink *s);

/*
 * Remove the temporaries of all open sinks.  Async-signal-safe; for signal
 * handlers.
 */
void pp_sink_signal_cleanup(void);

#endif
