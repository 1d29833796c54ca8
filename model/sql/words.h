/*
 * words.h: the words of words.tbl.  Private to model/sql.
 */
#ifndef PP_SQL_WORDS_H
#define PP_SQL_WORDS_H

#include <stdint.h>

/* kind */
#define WORD_KEY	0x01
#define WORD_FUN	0x02	/* only where `(` follows */
#define WORD_HINT	0x04	/* only in optimizer hints */
#define WORD_START	0x08	/* an expression can follow */
#define WORD_START9	0x10	/* the same, from MySQL 9 on */
#define WORD_CORE	0x20	/* reserved everywhere */
#define WORD_SAME	0x40	/* a synonym in every dialect */

/* where */
#define WORD_M56	0x01
#define WORD_M57	0x02
#define WORD_M80	0x04
#define WORD_M90	0x08
#define WORD_MA10	0x10
#define WORD_MA11	0x20
#define WORD_OTHER	0x40

struct pp_word {
	const char *word;	/* upper case */
	uint8_t n;		/* bytes of word */
	uint8_t kind, where;
	uint16_t number;	/* of its token in MySQL 8.0; 0: unknown */
	const char *text;	/* spelling in DIGEST_TEXT */
	const char *canonical;	/* in canonical texts */
};

extern const struct pp_word pp_words[];
extern const uint16_t pp_word_count;
#define WORDS_MAX 1100		/* more than the table has */

#endif
