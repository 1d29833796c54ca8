/*
 * sink_impl.h: what sink.c and sink_folder.c share.  For no one else.
 */
#ifndef PP_SINK_IMPL_H
#define PP_SINK_IMPL_H

#include "sink.h"
#include "temps.h"

/* pp_stream_room promises 64 KiB; twice that makes writes at least as big. */
#define PP_ROOM 65536
#define PP_STREAM_BUFFER (2 * PP_ROOM)

struct pp_stream {
	struct pp_sink *sink;
	struct pp_stream *next;
	int fd;
	size_t used;
	char *buf;
	struct pp_pack *pack;	/* NULL: bytes go out as they are */
	int error;		/* errno of the first failure; of the thread
				 * that delivers */
};

struct pp_sink {
	struct pp_mem *mem;
	enum pp_sink_kind kind;
	const char *shown;	/* the target in messages */
	const char *target;	/* links followed */
	char *temp;		/* NULL: written in place */
	int fd;			/* the file; -1: none */
	int dir;		/* folder: OUT.tmp */
	int mark;		/* folder: its mark, locked */
	int slot;		/* in the registry of temporaries; -1: none */
	unsigned mode;		/* of the old output; 0: there is none */
	bool used;		/* the one stream was opened */
	bool ended;		/* committed or aborted */
	bool failed, epipe;
	bool threaded;		/* buffers may go out by a thread */
	struct pp_behind *behind; /* that thread; NULL: none */
	pp_str error;
	struct pp_stream *streams;
};

/* A message in mem; `code` is an errno or 0. */
pp_str pp_sink_message(struct pp_mem *mem, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Note the first error of s. */
void pp_sink_fail(struct pp_sink *s, int code, const char *what);

/*
 * sink_pack.c: between the buffer of a stream and its file.  Bytes go to the
 * file packed; the end of them; free, also after a failure.
 */
struct pp_pack *pp_pack_open(struct pp_sink *s, unsigned flags);
void pp_pack_put(struct pp_stream *f, const char *p, size_t n);
void pp_pack_end(struct pp_stream *f, struct pp_stream_sum *sum);
void pp_pack_free(struct pp_sink *s, struct pp_pack *k);

/* Pack and write bytes of a stream, in any one thread; sets f->error. */
void pp_stream_deliver(struct pp_stream *f, const char *p, size_t n);

/*
 * sink_behind.c: start the thread (false: none can be had); hand the buffer
 * of a stream over, which gets another; wait until all is written; stop,
 * and drop what is not.
 */
bool pp_behind_start(struct pp_sink *s);
void pp_behind_put(struct pp_stream *f);
void pp_behind_drain(struct pp_sink *s);
void pp_behind_stop(struct pp_sink *s);

bool pp_sink_write_all(int fd, const char *p, size_t n);

/* The folder's part of pp_sink_open, _stream, _commit and _abort. */
bool pp_sink_folder_open(struct pp_sink *s, const char *path, pp_str *err);
int pp_sink_folder_create(struct pp_sink *s, const char *name);
bool pp_sink_folder_commit(struct pp_sink *s);
void pp_sink_folder_abort(struct pp_sink *s);

/*
 * Remove the files that the mark of an open folder names, the folders that
 * are empty then, and the mark.  Async-signal-safe.
 */
void pp_sink_folder_empty(int dir);

#endif
