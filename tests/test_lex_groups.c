/*
 * test_lex_groups.c: records of an Oracle trace that take several lines:
 * statements with their texts, failed parses, bind blocks.  Where they end is
 * what is tested here, with texts that try to look like something else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "lex_dump.h"

#define HEAD(len) "PARSING IN CURSOR #1 len=" #len " dep=0 uid=1 oct=3 " \
	"lid=1 tim=2 hv=3 ad='4' sqlid='5'\n"
#define GOT(len) "PARSING #1 len=" #len " dep=0 uid=1 oct=3 lid=1 hv=3 id[5] "
#define CLOSE "CLOSE #1:c=0,e=1,dep=0,type=0,tim=3\n"
#define CLOSED "CLOSE #1 c=0 e=1 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=0 type=0 " \
	"tim=3\n"

static void
texts(void **state)
{
	(void)state;
	expect("=====================\n" HEAD(18) "select 1 from dual\n"
	    "END OF STMT\n" CLOSE,
	    "2+3 " GOT(18) "text[select 1 from dual] tim=2\n5+1 " CLOSED);
	/* len may count a CR LF or NUL that is not printed */
	expect(HEAD(10) "BEGIN 1;\nEND OF STMT\n" HEAD(9) "BEGIN 1;\n"
	    "END OF STMT\n" CLOSE,
	    "1+3 " GOT(10) "text[BEGIN 1;] tim=2\n"
	    "4+3 " GOT(9) "text[BEGIN 1;] tim=2\n7+1 " CLOSED);
	/* empty; blank lines; a last line end that counts */
	expect(HEAD(0) "END OF STMT\n" HEAD(0) "\nEND OF STMT\n"
	    HEAD(4) "\na\n\n\nEND OF STMT\n",
	    "1+2 " GOT(0) "text[] tim=2\n3+3 " GOT(0) "text[] tim=2\n"
	    "6+6 " GOT(4) "text[\\na\\n\\n] tim=2\n");
	/* made anonymous: any len */
	expect(HEAD(123) "select ...\nEND OF STMT\n" HEAD(2)
	    "select longer\nEND OF STMT\n" CLOSE,
	    "1+3 " GOT(123) "text[select ...] tim=2\n"
	    "4+3 " GOT(2) "text[select longer] tim=2\n7+1 " CLOSED);
	/* 8i: no sqlid; bytes of any kind */
	expect("PARSING IN CURSOR #1 len=3 dep=0 uid=5 oct=47 lid=5 "
	    "tim=2276365740 hv=1573470063 ad='2e4e4a0'\n\xff\t\xe9\n"
	    "END OF STMT\n",
	    "1+3 PARSING #1 len=3 dep=0 uid=5 oct=47 lid=5 hv=1573470063 "
	    "text[\\xff\\x09\\xe9] tim=2276365740\n");
}

static void
line_ends(void **state)
{
	(void)state;
	/* every line has a CR: none belongs to the text */
	expect("PARSING IN CURSOR #1 len=5 dep=0 uid=1 oct=3 lid=1 tim=2 hv=3 "
	    "ad='4'\r\na\r\n\r\nbc\r\nEND OF STMT\r\nXCTEND rlbk=0, "
	    "rd_only=1\r\n",
	    "1+5 PARSING #1 len=5 dep=0 uid=1 oct=3 lid=1 hv=3 "
	    "text[a\\n\\nbc] tim=2\n6+1 XCTEND rlbk=0 rd_only=1\n");
	/* only some have: they are data */
	expect(HEAD(4) "a\r\nb\nEND OF STMT\n",
	    "1+4 " GOT(4) "text[a\\x0d\\nb] tim=2\n");
	expect("BINDS #1:\r\n Bind#0\r\n  value=5\r\nXCTEND rlbk=0, "
	    "rd_only=1\r\n",
	    "1+3 BINDS #1 text[ Bind#0\\n  value=5]\n"
	    "4+1 XCTEND rlbk=0 rd_only=1\n");
}

#define FAKE "=====================\n" \
	"EXEC #1:c=9,e=9,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=1\n" \
	"WAIT #1: nam='x' ela= 5\n" \
	"*** 2020-01-01 00:00:00.000\n" \
	"BINDS #1:\nTrace file /x.trc\n"
#define FAKED "=====================\\n" \
	"EXEC #1:c=9,e=9,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=1\\n" \
	"WAIT #1: nam='x' ela= 5\\n" \
	"*** 2020-01-01 00:00:00.000\\n" \
	"BINDS #1:\\nTrace file /x.trc\\n"

static void
text_like_records(void **state)
{
	(void)state;
	expect(HEAD(170) "select '\n" FAKE "' from dual\nEND OF STMT\n" CLOSE,
	    "1+10 " GOT(170) "text[select '\\n" FAKED "' from dual] tim=2\n"
	    "11+1 " CLOSED);
	/* END OF STMT in the text: len says that more follows, and it does */
	expect(HEAD(29) "select '\nEND OF STMT\n' a, 1\nEND OF STMT\n" CLOSE,
	    "1+5 " GOT(29) "text[select '\\nEND OF STMT\\n' a, 1] tim=2\n6+1 "
	    CLOSED);
	/* len says that more follows, but not where */
	expect(HEAD(99) "select '\nEND OF STMT\n' a, 1\nEND OF STMT\n" CLOSE,
	    "1+3 " GOT(99) "text[select '] tim=2\n4+1 NOISE text[' a, 1]\n"
	    "5+1 NOISE text[END OF STMT]\n6+1 " CLOSED);
	/* by chance another statement ends just there */
	expect(HEAD(111) "select ...\nEND OF STMT\n" HEAD(8) "select 9\n"
	    "END OF STMT\n" CLOSE,
	    "1+3 " GOT(111) "text[select ...] tim=2\n4+3 " GOT(8)
	    "text[select 9] tim=2\n7+1 " CLOSED);
	/* the same in a file with CRs, which len does not count */
	expect("PARSING IN CURSOR #1 len=23 dep=0 uid=1 oct=3 lid=1 tim=2 "
	    "hv=3 ad='4'\r\na '\r\nEND OF STMT\r\n' a, 1\r\nEND OF STMT\r\n",
	    "1+5 PARSING #1 len=23 dep=0 uid=1 oct=3 lid=1 hv=3 "
	    "text[a '\\nEND OF STMT\\n' a, 1] tim=2\n");
}

static void
no_end_of_stmt(void **state)
{
	(void)state;
	/* the file ends: len fits, len is beyond, len is before */
	expect(HEAD(8) "select 1\n",
	    "1+2 " GOT(8) "text[select 1] tim=2\n3+1 ! text-end "
	    "text[PARSING IN CURSOR #1 len=8 dep=0 uid=1 oct=3 lid=1 tim=2 "
	    "hv=3 ad='4' sqlid='5']\n");
	expect(HEAD(80) "select 1\nfro",
	    "1+2 " GOT(80) "cut[select 1\\nfro] tim=2\n3+1 ! text-cut "
	    "text[PARSING IN CURSOR #1 len=80 dep=0 uid=1 oct=3 lid=1 tim=2 "
	    "hv=3 ad='4' sqlid='5']\n");
	expect(HEAD(8) "select 1\n" CLOSE CLOSE,
	    "1+2 " GOT(8) "text[select 1] tim=2\n3+1 ! text-end "
	    "text[PARSING IN CURSOR #1 len=8 dep=0 uid=1 oct=3 lid=1 tim=2 "
	    "hv=3 ad='4' sqlid='5']\n3+1 " CLOSED "4+1 " CLOSED);
	/* another statement's END OF STMT is not ours */
	expect(HEAD(8) "select 1\n" CLOSE HEAD(8) "select 2\nEND OF STMT\n"
	    CLOSE,
	    "1+2 " GOT(8) "text[select 1] tim=2\n3+1 ! text-end "
	    "text[PARSING IN CURSOR #1 len=8 dep=0 uid=1 oct=3 lid=1 tim=2 "
	    "hv=3 ad='4' sqlid='5']\n3+1 " CLOSED "4+3 " GOT(8)
	    "text[select 2] tim=2\n7+1 " CLOSED);
	/* a file that was cut in the text, with another behind it */
	expect(HEAD(900) "select 1,\nTrace file /b.trc\n" CLOSE HEAD(8)
	    "select 2\nEND OF STMT\n",
	    "1+2 " GOT(900) "cut[select 1,] tim=2\n3+1 ! text-cut "
	    "text[PARSING IN CURSOR #1 len=900 dep=0 uid=1 oct=3 lid=1 "
	    "tim=2 hv=3 ad='4' sqlid='5']\n3+1 HEADER FILE text[/b.trc]\n4+1 "
	    CLOSED "5+3 " GOT(8) "text[select 2] tim=2\n");
	/* line ends lost before and behind END OF STMT */
	expect(HEAD(8) "select 1END OF STMT\n" CLOSE HEAD(8) "select 2\n"
	    "END OF STMT" CLOSE,
	    "1+2 " GOT(8) "text[select 1] tim=2\n3+1 ! text-end "
	    "text[PARSING IN CURSOR #1 len=8 dep=0 uid=1 oct=3 lid=1 tim=2 "
	    "hv=3 ad='4' sqlid='5']\n3+1 " CLOSED "4+2 " GOT(8)
	    "text[select 2] tim=2\n6+1 ! split-record text[CLOSE #1:c=0,e=1,"
	    "dep=0,type=0,tim=3]\n6+1 " CLOSED);
}

/* More than 64 KiB behind len a record ends the text after all. */
static void
text_runs_on(void **state)
{
	static const char head[] = HEAD(8) "select 1\n";
	static const char line[] = CLOSE;
	size_t n = sizeof(head) - 1, many = 70000 / (sizeof(line) - 1), i;
	char *p = malloc(n + many * (sizeof(line) - 1));
	struct dump d;

	(void)state;
	assert_non_null(p);
	memcpy(p, head, n);
	for (i = 0; i < many; i++) {
		memcpy(p + n, line, sizeof(line) - 1);
		n += sizeof(line) - 1;
	}
	for (i = 0; i < 2; i++) {
		dump_init(&d, false);
		dump_lex(&d, p, n, i ? 64 : 1 << 20, pp_oracle10046_lex);
		assert_null(d.wrong);
		assert_int_equal(d.seen[PP_O_PARSING], 1);
		assert_int_equal(d.damage[PP_MSG_TEXT_END], 1);
		assert_int_equal(d.seen[PP_O_CALL], many);
		assert_int_equal(d.count, many + 2);
		dump_free(&d);
	}
	free(p);
}

static void
cut_heads(void **state)
{
	(void)state;
	expect("PARSING IN CURSOR #1 len=10 dep=0 uid=1 oct=3 lid=1 tim=2 "
	    "hv=3 ad\nselect ...\nEND OF STMT\n"
	    "PARSING IN CURSOR #140\nselect\nEND OF STMT\n"
	    "PARSING IN CURSOR #99999999999999999999 len=1 dep=0\nselect\n"
	    "END OF STMT\n" CLOSE,
	    "1+1 ! cut-record text[PARSING IN CURSOR #1 len=10 dep=0 uid=1 "
	    "oct=3 lid=1 tim=2 hv=3 ad]\n"
	    "1+3 PARSING #1 len=10 dep=0 uid=1 oct=3 lid=1 hv=3 "
	    "text[select ...] tim=2\n"
	    "4+1 ! cut-record text[PARSING IN CURSOR #140]\n"
	    "7+1 ! bad-record text[PARSING IN CURSOR #99999999999999999999 "
	    "len=1 dep=0]\n10+1 " CLOSED);
}

static void
parse_errors(void **state)
{
	(void)state;
#define PE(len) "PARSE ERROR #9:len=" #len " dep=0 uid=77 oct=3 lid=77 " \
	"tim=5 err=942\n"
#define PEGOT(len) "PARSE-ERROR #9 len=" #len " dep=0 uid=77 oct=3 lid=77 " \
	"err=942 "
	/* by len, look-alikes, blank lines and all; len one larger */
	expect(PE(55) "select *\nfrom x;\n\n" CLOSE ")\n" CLOSE
	    PE(9) "select 1\n*** 2020-01-01 00:00:00.000\n"
	    PE(0) "\n" CLOSE,
	    "1+6 " PEGOT(55) "text[select *\\nfrom x;\\n\\nCLOSE "
	    "#1:c=0,e=1,dep=0,type=0,tim=3\\n)] tim=5\n7+1 " CLOSED
	    "8+2 " PEGOT(9) "text[select 1] tim=5\n"
	    "10+1 MARKER STAMP at[2020-01-01 00:00:00.000] text[]\n"
	    "11+2 " PEGOT(0) "text[] tim=5\n13+1 " CLOSED);
	/* len does not fit: up to the next record */
	expect(PE(5) "select *\nfrom x\n" CLOSE PE(999) "select *\n" CLOSE
	    PE(999) "select *\n",
	    "1+3 " PEGOT(5) "text[select *\\nfrom x] tim=5\n4+1 " CLOSED
	    "5+2 " PEGOT(999) "text[select *] tim=5\n7+1 " CLOSED
	    "8+2 " PEGOT(999) "cut[select *] tim=5\n10+1 ! text-cut "
	    "text[PARSE ERROR #9:len=999 dep=0 uid=77 oct=3 lid=77 tim=5 "
	    "err=942]\n");
	/* a cut head makes no record, but its text is no noise */
	expect("PARSE ERROR #9:len=9 dep=1 uid=112 oct=3 li\nselect 1\n"
	    CLOSE,
	    "1+1 ! cut-record text[PARSE ERROR #9:len=9 dep=1 uid=112 oct=3 "
	    "li]\n3+1 " CLOSED);
}

static void
bind_blocks(void **state)
{
	(void)state;
	/* 12.2 and later; two sets; every kind of unquoted value */
	expect("BINDS #1:\n\n Bind#0\n  oacdty=02 mxl=22(22)\n"
	    "  kxsbbbfp=7f  bln=22  avl=02  flg=05\n  value=18\n Bind#1\n"
	    "  No oacdef for this bind.\n"
	    "BINDS #1:\nkkscoacd\n Bind#0\n  value=31-AUG-23 08.35.09 AM\n"
	    CLOSE,
	    "1+8 BINDS #1 text[\\n Bind#0\\n  oacdty=02 mxl=22(22)\\n  "
	    "kxsbbbfp=7f  bln=22  avl=02  flg=05\\n  value=18\\n Bind#1\\n  "
	    "No oacdef for this bind.]\n"
	    "9+4 BINDS #1 text[kkscoacd\\n Bind#0\\n  value=31-AUG-23 "
	    "08.35.09 AM]\n13+1 " CLOSED);
	/* 9i; nothing at all */
	expect("BINDS #2:\n bind 0: dty=2 mxl=22(21)\n   bfp=05 avl=04\n"
	    "   value=4999.99\n bind 1: (No oacdef for this bind)\n"
	    "BINDS #3:\nSTAT #3 id=1 cnt=1\n",
	    "1+5 BINDS #2 text[ bind 0: dty=2 mxl=22(21)\\n   bfp=05 "
	    "avl=04\\n   value=4999.99\\n bind 1: (No oacdef for this "
	    "bind)]\n6+1 BINDS #3 text[]\n7+1 STAT #3 text[id=1 cnt=1]\n");
	/* dumps and strings of two-byte character sets */
	expect("BINDS #40:\n Bind#1\n  kxsbbbfp=f bln=11 avl=07 flg=01\n"
	    "  value=\nDump of memory from 0xFF7AD37F58 to 0xFF7AD37F5F\n"
	    "FFFFFFFF7AD37F50      786B0C1A 010101E0   [xk......]\n"
	    " Bind#2\n  value=0 54 0 45\n0 53 0 54\n 0 20 0 41\n" CLOSE,
	    "1+10 BINDS #40 text[ Bind#1\\n  kxsbbbfp=f bln=11 avl=07 "
	    "flg=01\\n  value=\\nDump of memory from 0xFF7AD37F58 to "
	    "0xFF7AD37F5F\\nFFFFFFFF7AD37F50      786B0C1A 010101E0   "
	    "[xk......]\\n Bind#2\\n  value=0 54 0 45\\n0 53 0 54\\n 0 20 0 "
	    "41]\n11+1 " CLOSED);
}

#define AVL(n) " Bind#0\n  kxsbbbfp=7f bln=99  avl=" #n "  flg=05\n"
#define GOTAVL(n) " Bind#0\\n  kxsbbbfp=7f bln=99  avl=" #n "  flg=05\\n"

static void
bind_strings(void **state)
{
	(void)state;
	/* line ends, look-alikes, quotes */
	expect("BINDS #1:\n" AVL(09) "  value=\"line one\n\"\n" CLOSE,
	    "1+5 BINDS #1 text[" GOTAVL(09) "  value=\"line one\\n\"]\n6+1 "
	    CLOSED);
	expect("BINDS #1:\n" AVL(52)
	    "  value=\"say \"hi\"\nCLOSE #1:c=0,e=1,dep=0,type=0,tim=3\n"
	    " Bind#1\"\n" CLOSE,
	    "1+6 BINDS #1 text[" GOTAVL(52) "  value=\"say \"hi\"\\n"
	    "CLOSE #1:c=0,e=1,dep=0,type=0,tim=3\\n Bind#1\"]\n7+1 " CLOSED);
	/* shown shorter than it is; made anonymous */
	expect("BINDS #1:\n" AVL(35) "  value=\"abc\"\n Bind#1\n  value=\"\"\n"
	    CLOSE "BINDS #1:\n" AVL(23) "  value=\"\"\n" CLOSE,
	    "1+6 BINDS #1 text[" GOTAVL(35) "  value=\"abc\"\\n Bind#1\\n  "
	    "value=\"\"]\n7+1 " CLOSED "8+4 BINDS #1 text[" GOTAVL(23)
	    "  value=\"\"]\n12+1 " CLOSED);
	/* without avl: a quote ends the line, and what follows is no text */
	expect("BINDS #1:\n  value=\"a\"b\"\nmore\"\n Bind#1\n  value=1\n"
	    CLOSE,
	    "1+5 BINDS #1 text[  value=\"a\"b\"\\nmore\"\\n Bind#1\\n  "
	    "value=1]\n6+1 " CLOSED);
	/* the last quote was lost */
	expect("BINDS #1:\n" AVL(05) "  value=\"abc\n" CLOSE CLOSE,
	    "1+5 BINDS #1 text[" GOTAVL(05) "  value=\"abc\\nCLOSE "
	    "#1:c=0,e=1,dep=0,type=0,tim=3]\n6+1 " CLOSED);
	/* an empty value and the next bind on one line */
	expect("BINDS #1:\n Bind#3\n  value= Bind#4\n  value=7\n" CLOSE,
	    "1+4 BINDS #1 text[ Bind#3\\n  value= Bind#4\\n  value=7]\n5+1 "
	    CLOSED);
}

static void
bind_intruders(void **state)
{
	(void)state;
	/* a stamp between a bind and its value */
	expect("BINDS #1:\n\n" AVL(02) "*** 2022-10-25T15:07:20.941104+02:00 "
	    "(OPRD21(11))\n  value=\"ab\"\n Bind#1\n" CLOSE,
	    "1+7 BINDS #1 text[\\n" GOTAVL(02) "  value=\"ab\"\\n Bind#1]\n"
	    "5+1 MARKER STAMP at[2022-10-25T15:07:20.941104+02:00] "
	    "text[OPRD21] num=11\n8+1 " CLOSED);
	/* XCTEND before the first bind */
	expect("BINDS #1:\nXCTEND rlbk=0, rd_only=1, tim=9\n Bind#0\n"
	    "  value=31\n" CLOSE,
	    "1+4 BINDS #1 text[ Bind#0\\n  value=31]\n"
	    "2+1 XCTEND rlbk=0 rd_only=1 tim=9\n5+1 " CLOSED);
	/* the block is over: what follows stands for itself */
	expect("BINDS #1:\n Bind#0\n  value=31\n\n*** 2022-10-25 "
	    "15:07:20.941\nXCTEND rlbk=0, rd_only=1\n" CLOSE
	    "BINDS #1:\n Bind#0\n  value=31\nHINTUSAGE\n  of some kind\n"
	    CLOSE "BINDS #1:\n Bind#0\nTrace file /x.trc\n",
	    "1+3 BINDS #1 text[ Bind#0\\n  value=31]\n"
	    "5+1 MARKER STAMP at[2022-10-25 15:07:20.941] text[]\n"
	    "6+1 XCTEND rlbk=0 rd_only=1\n7+1 " CLOSED
	    "8+3 BINDS #1 text[ Bind#0\\n  value=31]\n"
	    "11+1 NOISE text[HINTUSAGE]\n"
	    "12+1 NOISE text[  of some kind]\n13+1 " CLOSED
	    "14+2 BINDS #1 text[ Bind#0]\n16+1 HEADER FILE text[/x.trc]\n");
	/* records glued to the last line of a block, and to its first */
	expect("BINDS #1:\n Bind#0\n  value=31" CLOSE
	    "BINDS #1:\n" AVL(02) "  value=\"ab\"" CLOSE
	    "BINDS #1:" CLOSE,
	    "1+2 BINDS #1 text[ Bind#0\\n  value=31]\n3+1 ! split-record "
	    "text[CLOSE #1:c=0,e=1,dep=0,type=0,tim=3]\n3+1 " CLOSED
	    "4+3 BINDS #1 text[" GOTAVL(02) "  value=\"ab\"]\n"
	    "7+1 ! split-record text[CLOSE #1:c=0,e=1,dep=0,type=0,tim=3]\n"
	    "7+1 " CLOSED "8+1 BINDS #1 text[]\n8+1 ! split-record "
	    "text[CLOSE #1:c=0,e=1,dep=0,type=0,tim=3]\n8+1 " CLOSED);
	/* no number to go by */
	expect("BINDS #99999999999999999999:\n Bind#0\n  value=31\n" CLOSE,
	    "1+1 ! bad-record text[BINDS #99999999999999999999:]\n4+1 "
	    CLOSED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts), cmocka_unit_test(line_ends),
	    cmocka_unit_test(text_like_records),
	    cmocka_unit_test(no_end_of_stmt), cmocka_unit_test(text_runs_on),
	    cmocka_unit_test(cut_heads), cmocka_unit_test(parse_errors),
	    cmocka_unit_test(bind_blocks), cmocka_unit_test(bind_strings),
	    cmocka_unit_test(bind_intruders),
	};

	return cmocka_run_group_tests_name("lex-groups", tests, NULL, NULL);
}
