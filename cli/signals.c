/*
 * signals.c: see signals.h.  The handler calls async-signal-safe code only.
 */
#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "../writers/sink.h"

/*
 * SA_RESETHAND has put the default action back and the signal is blocked
 * until the handler returns: then it kills, so that the parent sees a death
 * by signal and stops its own loop, as for any other program.
 */
static void
stop(int sig)
{
	pp_sink_signal_cleanup();
	raise(sig);
}

void
pp_signals_install(void)
{
	static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU,
	    SIGXFSZ};
	struct sigaction act, old;
	size_t i;

	memset(&act, 0, sizeof(act));
	sigemptyset(&act.sa_mask);
	act.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &act, NULL);
	act.sa_handler = stop;
	act.sa_flags = (int)SA_RESETHAND;
	for (i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		/* nohup and background jobs have some ignored: keep it so */
		if (sigaction(fatal[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(fatal[i], &act, NULL);
	}
}
