/*
 * number.c: numbers as text; what number.h has no room for.
 */
#include "number.h"

const char pp_digit_pairs[200] = {
    "00010203040506070809101112131415161718192021222324"
    "25262728293031323334353637383940414243444546474849"
    "50515253545556575859606162636465666768697071727374"
    "75767778798081828384858687888990919293949596979899"};

char *
pp_number_put_wide(char *p, pp_i128 v, unsigned scale, char point)
{
	size_t n = pp_dec_format(p, v, scale);
	char *dot = memchr(p, '.', n);

	if (dot != NULL)
		*dot = point;
	return p + n;
}
