/*
 * thread.h: threads beside the run.
 *
 * They get no signals, whose handler belongs to the thread that owns the
 * sinks, and a stack that leaves room where address space is limited.
 */
#ifndef PP_BASE_THREAD_H
#define PP_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define PP_THREAD_STACK ((size_t)512 << 10)

static inline bool
pp_thread_start(pthread_t *t, void *(*run)(void *), void *arg)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int code;

	if (pthread_attr_init(&attr) != 0)
		return false;
	(void)pthread_attr_setstacksize(&attr, PP_THREAD_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	code = pthread_create(t, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return code == 0;
}

#endif
