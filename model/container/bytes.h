/*
 * bytes.h: numbers in the bytes of an archive, all little-endian.
 */
#ifndef PP_CONTAINER_BYTES_H
#define PP_CONTAINER_BYTES_H

#include <stdint.h>

static inline void
pp_put16(unsigned char *p, unsigned v)
{
	p[0] = (unsigned char)(v & 0xff);
	p[1] = (unsigned char)(v >> 8 & 0xff);
}

static inline void
pp_put32(unsigned char *p, uint32_t v)
{
	pp_put16(p, v & 0xffff);
	pp_put16(p + 2, v >> 16);
}

static inline void
pp_put64(unsigned char *p, uint64_t v)
{
	pp_put32(p, (uint32_t)(v & 0xffffffffu));
	pp_put32(p + 4, (uint32_t)(v >> 32));
}

static inline uint16_t
pp_get16(const unsigned char *p)
{
	return (uint16_t)(p[0] | (unsigned)p[1] << 8);
}

static inline uint32_t
pp_get32(const unsigned char *p)
{
	return pp_get16(p) | (uint32_t)pp_get16(p + 2) << 16;
}

static inline uint64_t
pp_get64(const unsigned char *p)
{
	return pp_get32(p) | (uint64_t)pp_get32(p + 4) << 32;
}

#endif
