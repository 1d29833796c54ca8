/*
 * signals.h: a run that is told to stop leaves nothing half-written.
 */
#ifndef PP_CLI_SIGNALS_H
#define PP_CLI_SIGNALS_H

/*
 * On SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and SIGXFSZ remove the
 * temporaries of all sinks and die of the signal (shells show 128 + n).
 * SIGPIPE is ignored: a closed pipe is an error of writing.
 */
void pp_signals_install(void);

#endif
