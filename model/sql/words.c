/*
 * words.c: words.tbl as an array.  Touches words.h only.
 */
#include "words.h"

#define KEY WORD_KEY
#define FUN WORD_FUN
#define HINT WORD_HINT
#define START WORD_START
#define START9 WORD_START9
#define CORE WORD_CORE
#define SAME WORD_SAME

#define M56 WORD_M56
#define M57 WORD_M57
#define M80 WORD_M80
#define M90 WORD_M90
#define MA10 WORD_MA10
#define MA11 WORD_MA11
#define OTHER WORD_OTHER
#define TILL57 (M56 | M57)
#define TILL80 (M56 | M57 | M80)
#define MYSQL (M56 | M57 | M80 | M90)
#define SINCE57 (M57 | M80 | M90)
#define SINCE80 (M80 | M90)
#define MARIA (MA10 | MA11)
#define EACH (MYSQL | MARIA)

/* # takes the word as it stands, even NULL */
#define W(word, text, canonical, kind, where, number) \
	{#word, sizeof(#word) - 1, (kind), (where), (number), #text, \
	    #canonical},
#define P(word, kind, where, number) \
	{#word, sizeof(#word) - 1, (kind), (where), (number), #word, #word},

const struct pp_word pp_words[] = {
#include "words.tbl"
};

const uint16_t pp_word_count =
    (uint16_t)(sizeof(pp_words) / sizeof(pp_words[0]));

_Static_assert(sizeof(pp_words) / sizeof(pp_words[0]) < WORDS_MAX,
    "WORDS_MAX");
