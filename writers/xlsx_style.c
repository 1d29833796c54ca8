/*
 * xlsx_style.c: which style a cell has, by type, scale and name of its column.
 *
 * Formats are made in xlsx_frame.c; here are only numbers.
 */
#include <string.h>

#include "xlsx.h"

const char pp_xlsx_style_text[PP_XS_COUNT][12] = {
	"", " s=\"1\"", " s=\"2\"", " s=\"3\"", " s=\"4\"", " s=\"5\"",
	" s=\"6\"", " s=\"7\"", " s=\"8\"", " s=\"9\"", " s=\"10\"",
	" s=\"11\"", " s=\"12\"", " s=\"13\"", " s=\"14\"", " s=\"15\"",
	" s=\"16\"", " s=\"17\"", " s=\"18\"", " s=\"19\"", " s=\"20\"",
	" s=\"21\"", " s=\"22\"", " s=\"23\"", " s=\"24\"", " s=\"25\"",
	" s=\"26\"", " s=\"27\"", " s=\"28\"", " s=\"29\"", " s=\"30\"",
	" s=\"31\"", " s=\"32\"", " s=\"33\"", " s=\"34\"", " s=\"35\"",
	" s=\"36\"", " s=\"37\"", " s=\"38\"", " s=\"39\"", " s=\"40\"",
	" s=\"41\"", " s=\"42\"", " s=\"43\"", " s=\"44\"", " s=\"45\"",
	" s=\"46\"", " s=\"47\"", " s=\"48\"", " s=\"49\"", " s=\"50\"",
	" s=\"51\"", " s=\"52\"", " s=\"53\"", " s=\"54\"", " s=\"55\"",
	" s=\"56\""
};

unsigned
pp_xlsx_decimals(enum pp_xlsx_style style, unsigned scale)
{
	switch (style) {
	case PP_XS_PLAIN:
	case PP_XS_INT:
	case PP_XS_KEY_INT:
		return 0;
	case PP_XS_SHARE:
	case PP_XS_DEC2:
		return 2;
	case PP_XS_DEC3:
		return 3;
	case PP_XS_DEC4:
		return 4;
	case PP_XS_DEC6:
	case PP_XS_TOTAL:
	case PP_XS_KEY_DEC:
		return 6;
	case PP_XS_DEC8:
		return 8;
	case PP_XS_DEC9:
		return 9;
	case PP_XS_DEC12:
		return 12;
	case PP_XS_GENERAL:
	case PP_XS_HEADER:
	case PP_XS_HEADER_NUM:
	case PP_XS_HEADER_TEXT:
	case PP_XS_HEADER_RIGHT:
	case PP_XS_WRAP:
	case PP_XS_WRAP_NUM:
	case PP_XS_WRAP_TEXT:
	case PP_XS_ID:
	case PP_XS_TEXT:
	case PP_XS_LONG:
	case PP_XS_LABEL:
	case PP_XS_TITLE:
	case PP_XS_BOLD:
	case PP_XS_LINK:
	case PP_XS_INDENT:
	case PP_XS_TALL:
	case PP_XS_COUNT:
		break;
	}
	return scale;
}

bool
pp_xlsx_is_name(const char *column)
{
	static const char *const names[] = {
		"session", "interval", "node", "parent", "depth", "line",
		"first_line", "last_line", "after_line", "before_line",
		"from_line", "to_line", "event_id", "parent_event_id",
		"hash_value", "command", "parsing_user", "cursor", "object",
		"plan", "plan_hash", "id", "set", "position", "query_id",
		"seq", "code", "error", "p1", "p2", "p3", "offset"
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(column, names[i]) == 0)
			return true;
	return false;
}

/*
 * A clock of nano- or picoseconds would fill the sheet with zeros: what is a
 * microsecond or more shows six decimals, and the cell holds the others.
 */
enum pp_xlsx_style
pp_xlsx_number_style(enum pp_type type, unsigned scale, pp_i128 v)
{
	pp_i128 us;

	if (scale >= 9 && scale <= 12) {
		us = pp_pow10[scale - 6];
		if (v == 0 || v >= us || v <= -us)
			return PP_XS_DEC6;
	}
	if (type == PP_T_INT || scale == 0)
		return PP_XS_INT;
	if (type == PP_T_DECIMAL && scale == 2)
		return PP_XS_SHARE;
	if (scale <= 2)
		return PP_XS_DEC2;
	if (scale == 3)
		return PP_XS_DEC3;
	if (scale == 4)
		return PP_XS_DEC4;
	if (scale <= 6)
		return PP_XS_DEC6;
	if (scale <= 8)
		return PP_XS_DEC8;
	return scale == 9 ? PP_XS_DEC9 : PP_XS_DEC12;
}

enum pp_xlsx_style
pp_xlsx_tall_style(enum pp_xlsx_style style)
{
	if (style == PP_XS_GENERAL)
		return PP_XS_TALL;
	if (style >= PP_XS_ID && style <= PP_XS_DEC12)
		return style - PP_XS_ID + PP_XS_TALL + 1;
	return style;
}

enum pp_xlsx_style
pp_xlsx_header_style(const struct pp_xlsx_column *c, bool wide)
{
	if (c->long_text)
		return wide ? PP_XS_WRAP_TEXT : PP_XS_HEADER_TEXT;
	if (pp_type_is_text(c->type))
		return wide ? PP_XS_WRAP : PP_XS_HEADER;
	return wide ? PP_XS_WRAP_NUM : PP_XS_HEADER_NUM;
}
