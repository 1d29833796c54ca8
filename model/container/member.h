/*
 * member.h: the members that an archive is made of.
 *
 * An archive is a row of gzip members (RFC 1952), so that any gunzip reads
 * it.  Each has one or two subfields in its FEXTRA field: PP, of fixed size,
 * says what the member is and where it stands; PB holds what is for
 * profpivot alone, and stands in members whose own payload is empty, so that
 * gunzip never shows it.  profpivot-archive(5) has the layout.
 */
#ifndef PP_CONTAINER_MEMBER_H
#define PP_CONTAINER_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pp_member_type {
	PP_MEMBER_HEAD = 'H',	/* the first: version and features */
	PP_MEMBER_BEGIN = 'B',	/* a profile begins: its path, how it is kept */
	PP_MEMBER_DATA = 'D',	/* bytes of a profile: the only payload */
	PP_MEMBER_SEGMENT = 'S', /* a piece of a profile's columns */
	PP_MEMBER_ENTRY = 'C',	/* entries of the catalogue */
	PP_MEMBER_COMMIT = 'E'	/* all before this is whole */
};

/* flags */
#define PP_MEMBER_LAST	0x01	/* of the DATA or SEGMENT of a profile */

struct pp_member {
	enum pp_member_type type;
	unsigned flags;
	uint32_t bytes;		/* of the whole member */
	uint32_t payload;	/* inflated */
	uint64_t at;		/* where it stands in the file */
	uint64_t stream;	/* where its payload stands among all */
	uint32_t profile;	/* from 1; 0: none */
	const unsigned char *body; /* of PB */
	uint32_t nbody;
};

#define PP_MEMBER_FIXED	60u	/* gzip header and PP */
#define PP_MEMBER_TAIL	8u	/* CRC-32 and ISIZE */
#define PP_MEMBER_BODY	65000u	/* bytes of PB at most: XLEN has 16 bits */
#define PP_MEMBER_PAYLOAD 262144u /* that a writer makes */
#define PP_MEMBER_PAYLOAD_MAX 1048576u /* that a reader takes */

/* Bytes of a member without payload. */
#define PP_MEMBER_EMPTY(nbody) \
	(PP_MEMBER_FIXED + 4u + (nbody) + 2u + PP_MEMBER_TAIL)

/* Bytes before the compressed data. */
static inline uint32_t
pp_member_head(const struct pp_member *m)
{
	return PP_MEMBER_FIXED + (m->nbody > 0 ? 4 + m->nbody : 0);
}

/*
 * Read the fixed part (PP_MEMBER_FIXED bytes) of the member that stands at
 * `at`.  False when there is none, its sum is wrong, its lengths contradict
 * each other or it claims to be elsewhere.  m->body stays NULL.
 */
bool pp_member_parse(struct pp_member *m, const unsigned char *p,
    uint64_t at);

/*
 * Check the rest of a parsed member, p being all its bytes: the body's sum,
 * and of a member without payload every byte.  Sets m->body, into p.
 */
bool pp_member_check(struct pp_member *m, const unsigned char *p);

/*
 * Write what stands before the compressed data (pp_member_head bytes) and
 * set m->bytes for `packed` bytes of it.
 */
void pp_member_put_head(unsigned char *p, struct pp_member *m,
    size_t packed);

/* Write a whole member without payload; returns its bytes,
 * PP_MEMBER_EMPTY(m->nbody). */
size_t pp_member_put_empty(unsigned char *p, struct pp_member *m);

/* Is this the beginning (4 bytes) of something that may be a member? */
static inline bool
pp_member_may_begin(const unsigned char *p)
{
	return p[0] == 0x1f && p[1] == 0x8b && p[2] == 8 && p[3] == 4;
}

#endif
