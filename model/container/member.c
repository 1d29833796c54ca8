/*
 * member.c: see member.h.  Sees base only.
 *
 *   0  1f 8b 08 04  00 00 00 00  00 ff   gzip header, FEXTRA
 *  10  XLEN                              2 bytes
 *  12  'P' 'P'  44 00                    the subfield of every member
 *  16  type, version, flags (2)
 *  20  bytes of the member, of its payload (4 each)
 *  28  offset in the file, offset in the payload of all (8 each)
 *  44  profile, bytes of the body, CRC-32 of the body (4 each)
 *  56  CRC-32 of bytes 0 to 55
 *  60  'P' 'B'  length                   where there is a body
 */
#include "member.h"

#include <libdeflate.h>
#include <string.h>

#include "bytes.h"

#define VERSION 1
#define PP_LENGTH 44

/* Deflate cannot do better: 258 bytes take two bits or more. */
#define RATIO_MAX 1032u

static const unsigned char gzip_head[10] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0,
    0xff};

/* A final block of fixed codes that holds nothing, CRC and ISIZE of that. */
static const unsigned char nothing[2 + PP_MEMBER_TAIL] = {3, 0};

static bool
is_type(unsigned char c)
{
	return c == PP_MEMBER_HEAD || c == PP_MEMBER_BEGIN ||
	    c == PP_MEMBER_DATA || c == PP_MEMBER_SEGMENT ||
	    c == PP_MEMBER_ENTRY || c == PP_MEMBER_COMMIT;
}

static bool
lengths_agree(const struct pp_member *m, unsigned xlen)
{
	uint32_t head = pp_member_head(m), packed;

	if (m->nbody > PP_MEMBER_BODY || xlen != head - 12 ||
	    m->bytes < head + 2 + PP_MEMBER_TAIL)
		return false;
	packed = m->bytes - head - PP_MEMBER_TAIL;
	if (m->type != PP_MEMBER_DATA)
		return m->payload == 0 && packed == 2;
	return m->nbody == 0 && m->payload <= PP_MEMBER_PAYLOAD_MAX &&
	    packed <= 2 * PP_MEMBER_PAYLOAD_MAX &&
	    m->payload / RATIO_MAX <= packed;
}

bool
pp_member_parse(struct pp_member *m, const unsigned char *p, uint64_t at)
{
	if (memcmp(p, gzip_head, sizeof(gzip_head)) != 0 || p[12] != 'P' ||
	    p[13] != 'P' || pp_get16(p + 14) != PP_LENGTH ||
	    !is_type(p[16]) || p[17] != VERSION ||
	    pp_get32(p + 56) != libdeflate_crc32(0, p, 56))
		return false;
	memset(m, 0, sizeof(*m));
	m->type = (enum pp_member_type)p[16];
	m->flags = pp_get16(p + 18);
	m->bytes = pp_get32(p + 20);
	m->payload = pp_get32(p + 24);
	m->at = pp_get64(p + 28);
	m->stream = pp_get64(p + 36);
	m->profile = pp_get32(p + 44);
	m->nbody = pp_get32(p + 48);
	return m->at == at && lengths_agree(m, pp_get16(p + 10));
}

bool
pp_member_check(struct pp_member *m, const unsigned char *p)
{
	const unsigned char *b = p + PP_MEMBER_FIXED;

	m->body = b;
	if (m->nbody > 0) {
		if (b[0] != 'P' || b[1] != 'B' || pp_get16(b + 2) != m->nbody)
			return false;
		m->body = b + 4;
		if (pp_get32(p + 52) !=
		    libdeflate_crc32(0, m->body, m->nbody))
			return false;
	} else if (pp_get32(p + 52) != 0) {
		return false;
	}
	return m->type == PP_MEMBER_DATA || memcmp(p + pp_member_head(m),
	    nothing, sizeof(nothing)) == 0;
}

void
pp_member_put_head(unsigned char *p, struct pp_member *m, size_t packed)
{
	uint32_t head = pp_member_head(m);

	m->bytes = head + (uint32_t)packed + PP_MEMBER_TAIL;
	memcpy(p, gzip_head, sizeof(gzip_head));
	pp_put16(p + 10, head - 12);
	p[12] = p[13] = 'P';
	pp_put16(p + 14, PP_LENGTH);
	p[16] = (unsigned char)m->type;
	p[17] = VERSION;
	pp_put16(p + 18, m->flags);
	pp_put32(p + 20, m->bytes);
	pp_put32(p + 24, m->payload);
	pp_put64(p + 28, m->at);
	pp_put64(p + 36, m->stream);
	pp_put32(p + 44, m->profile);
	pp_put32(p + 48, m->nbody);
	pp_put32(p + 52, m->nbody == 0 ? 0 :
	    libdeflate_crc32(0, m->body, m->nbody));
	pp_put32(p + 56, libdeflate_crc32(0, p, 56));
	if (m->nbody == 0)
		return;
	p[60] = 'P';
	p[61] = 'B';
	pp_put16(p + 62, m->nbody);
	memcpy(p + 64, m->body, m->nbody);
}

size_t
pp_member_put_empty(unsigned char *p, struct pp_member *m)
{
	m->payload = 0;
	pp_member_put_head(p, m, 2);
	memcpy(p + pp_member_head(m), nothing, sizeof(nothing));
	return m->bytes;
}
