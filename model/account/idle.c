/*
 * idle.c: waits that are idle between calls, and names of classes and places.
 */
#include "account.h"

const char *
pp_class_name(enum pp_class c)
{
	static const char *const name[PP_CLASS_COUNT] = {
		"cpu", "queue", "wait", "idle", "stage", "statement",
		"unaccounted", "missing"
	};

	return name[c];
}

const char *
pp_place_name(enum pp_place p)
{
	return p == PP_PLACE_CALL ? "call" : "between";
}

bool
pp_event_idle(pp_str name)
{
	static const char *const idle[] = {
		"SQL*Net message from client",
		"PL/SQL lock timer",
		"pipe get",
		"Streams AQ: waiting for messages in the queue",
		"PX Deq: Execution Msg",
		"jobq slave wait",
		"rdbms ipc message",
		"pmon timer",
		"smon timer",
		"idle"
	};
	size_t i;

	for (i = 0; i < sizeof(idle) / sizeof(idle[0]); i++)
		if (pp_str_eq(name, pp_str_from(idle[i])))
			return true;
	return false;
}
