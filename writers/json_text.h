/*
 * json_text.h: strings of JSON.  Sees base and the sink.
 */
#ifndef PP_JSON_TEXT_H
#define PP_JSON_TEXT_H

#include "cursor.h"

/*
 * s, valid UTF-8, with its quotes: `"`, `\` and controls are escaped, and
 * DEL, U+2028 and U+2029 are not, as RFC 8259 has it.
 */
void pp_json_string(struct pp_cursor *c, pp_str s);

/* s copied to p, which has room, while none of it needs an escape or a look:
 * printable ASCII.  NULL where it does. */
char *pp_json_copy_plain(char *p, pp_str s);

#endif
