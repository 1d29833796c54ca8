/*
 * test_lex_cuts.c: the lexer of Oracle traces gives the same records wherever
 * the file is cut into chunks, with its quick functions and without, whatever
 * was done to the file.  On a text with all forms, every prefix of it, and
 * with each byte deleted, made a NUL or a line end; and on all traces of
 * corpora/ and, where they are there, of the shared corpora.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <dirent.h>

#include "lex_dump.h"
#include "../readers/input.h"

#define WAITS \
	"WAIT #140472196919200: nam='SQL*Net message from client' ela= 992 " \
	"driver id=1413697536 #bytes=1 p3=0 obj#=-1 tim=7782181094317\n" \
	"WAIT #140472196919200: nam='db file sequential read' ela=9 file#=4 " \
	"block#=15 blocks=1 obj#=4294967295 tim=7782181094318\n" \
	"WAIT #1: nam='db file scattered read' ela= 2 p1=8 p2=658 p3=8\n" \
	"WAIT #1: nam='a' c=1 q=2 ela= 3 location=1  =0  =0 obj#=-1 tim=4\n"
#define CALLS \
	"EXEC #140472196919200:c=4254,e=187354,p=0,cr=0,cu=0,mis=1,r=0," \
	"dep=1,og=4,plh=1457651150,tim=7782181284466\n" \
	"FETCH #140472196919200:c=0,e=64,p=0,cr=2,cu=0,mis=0,r=1,dep=1,og=4," \
	"tim=7782181284605\n" \
	"CLOSE #140472196919200:c=0,e=3,dep=1,type=3,tim=7782181306560\n" \
	"EXEC #3:q=57,c=0,e=84,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=6\n"

/* Two halves: compilers need not take strings of more than 4,095 bytes. */
static const char first[] =
    "Trace file /u01/x_ora_2999.trc\n"
    "Oracle Database 19c Enterprise Edition Release 19.0.0.0.0\n"
    "Unix process pid: 2999, image: oracle@x\n\n"
    "*** 2024-03-26T18:41:07.683567+01:00 (EXAMPLESPDB(8))\n"
    "*** SESSION ID:(504.46635) 2024-03-26T18:41:07.683567+01:00\n"
    "*** MODULE NAME:(sqlplus@h (TNS V1-V3)) 2017-02-09 13:12:59.339\n \n"
    WAITS "=====================\n"
    "PARSING IN CURSOR #140472196919200 len=75 dep=1 uid=0 oct=3 lid=0 "
    "tim=7782181097032 hv=2723145788 ad='6677d490' sqlid='50vxqdkj4zu1w'\n"
    "select '\nEND OF STMT\nEXEC #1:c=9,e=9,dep=0,tim=1\n"
    "WAIT #1: nam='x' ela= 5' from t\nEND OF STMT\n"
    "PARSE #140472196919200:c=233,e=523,p=0,cr=0,cu=0,mis=1,r=0,dep=1,og=4,"
    "plh=0,tim=7782181097032\n"
    "BINDS #140472196919200:\n\n Bind#0\n"
    "  oacdty=01 mxl=32(02) mxlc=00 mal=00 scl=00 pre=00\n"
    "  kxsbbbfp=7fc23b65e9f8  bln=32  avl=02  flg=05\n"
    "*** 2024-03-26T18:41:08.683567+01:00 (EXAMPLESPDB(8))\n"
    "  value=\"HR\"\n Bind#1\n  kxsbbbfp=7fc  bln=32  avl=32  flg=05\n"
    "  value=\"say \"so\"\nCLOSE #1:c=1\n Bind#2\"\n Bind#2\n"
    "  kxsbbbfp=7fc  bln=32  avl=04  flg=05\n  value=\"odd\n\"\n Bind#3\n"
    "  value=\nDump of memory from 0xFF to 0xFF\n"
    "FFFFFFFF7AD37F50    786B0C1A 010101E0   [xk......]\n Bind#4\n"
    "  No oacdef for this bind.\n"
    CALLS;
static const char second[] =
    "STAT #140472196919200 id=1 cnt=1 pid=0 pos=1 obj=22 op='TABLE ACCESS "
    "BY INDEX ROWID USER$ (cr=2 pr=0 pw=0 str=1 time=60 us cost=1)'\n"
    "PARSE ERROR #9:len=17 dep=0 uid=77 oct=3 lid=77 tim=5 err=942\n"
    "select *\nfrom x;\n\n*** 2024-03-26 18:41:09.683\n"
    "XCTEND rlbk=0, rd_only=1, tim=77\nERROR #6:err=25228 tim=783947179\n"
    "LOBREAD: type=PERSISTENT LOB,bytes=1024,c=9,e=255,p=1,cr=2,cu=0,"
    "tim=950\n"
    "RPC CALL:FUNCTION A;\nRPC BINDS:\n bind 0: dty=2 avl=02 val=18\n"
    "RPC EXEC:c=5,e=7\nAPPNAME mod='m' mh=1 act='a' ah=2\n"
    "kkscoacd\nkjznppl0: noise #5 of some kind\n"
    "WAIT #5: nam='reliable message' ela= 889 channel context=1 channel\n"
    "  handle=2 broadcast message=3 obj#=-1 tim=6\n"
    "PARSE #5:c=0,e=188,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=8,\n"
    "  tim=4755825333776\n"
    "FETCH #5:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=57935118313"
    "WAIT #5: nam='x' ela= 1 obj#=-1 tim=57935118400\n"
    "EXEC #5:c=73,e=73,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=2,ti\n"
    "BINDS #5:\n bind 0: dty=1 mxl=32(30) mal=00\n"
    "   bfp=b7 bln=32 avl=09 flg=05\n   value=\"two\nlines\"\n"
    "PARSING IN CURSOR #6 len=8 dep=0 uid=1 oct=3 lid=1 tim=2 hv=3 ad='4'\n"
    "select 1\r\n\r\nEND OF STMT\r\n"
    CALLS WAITS
    "PARSING IN CURSOR #7 len=8 dep=0 uid=1 oct=3 lid=1 tim=2 hv=3 ad='4'\n"
    "select 2\n" CALLS WAITS;
#define NALL (sizeof(first) - 1 + sizeof(second) - 1)
static char all[NALL];

/* The same records in chunks of all these sizes? */
static bool
same(const char *p, size_t n, const size_t *sizes, size_t nsizes,
    uint64_t *count)
{
	uint64_t hash = 0;
	size_t i;
	bool ok = true;

	for (i = 0; ok && i <= nsizes; i++) {
		struct dump d;

		dump_init(&d, false);
		dump_lex(&d, p, n, i < nsizes ? sizes[i] : 1 << 16,
		    i < nsizes ? pp_oracle10046_lex :
		    pp_oracle10046_lex_plain);
		if (i == 0)
			hash = d.hash;
		if (d.wrong || d.hash != hash) {
			print_error("chunks of %zu: %s\n",
			    i < nsizes ? sizes[i] : 0,
			    d.wrong ? d.wrong : "other records");
			ok = false;
		}
		if (count)
			*count = d.count;
		dump_free(&d);
	}
	return ok;
}

static void
every_size(void **state)
{
	size_t n = NALL, i;
	uint64_t count = 0;

	(void)state;
	for (i = 1; i <= n; i++) {
		size_t sizes[] = {1 << 20, i};

		assert_true(same(all, n, sizes, 2, &count));
	}
	assert_in_range(count, 50, 100);
}

static const size_t few[] = {1 << 20, 1, 64};

static void
every_prefix(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i <= NALL; i++)
		assert_true(same(all, i, few, 3, NULL));
}

/* Each byte deleted, or made another. */
static void
every_byte(void **state)
{
	static const char to[] = {0, '\n', '"', '\''};
	size_t n = NALL, i, k;
	char *p = malloc(n);

	(void)state;
	assert_non_null(p);
	for (i = 0; i < n; i++) {
		memcpy(p, all, n);
		memmove(p + i, p + i + 1, n - i - 1);
		assert_true(same(p, n - 1, few, 3, NULL));
		for (k = 0; k < sizeof(to); k++) {
			memcpy(p, all, n);
			p[i] = to[k];
			assert_true(same(p, n, few, 3, NULL));
		}
	}
	free(p);
}

/* Two runs of bytes swapped, bytes made random: from a fixed seed. */
static void
shuffled(void **state)
{
	size_t n = NALL;
	uint64_t x = 1;
	char *p = malloc(n);
	int round, k;

	(void)state;
	assert_non_null(p);
	for (round = 0; round < 3000; round++) {
		memcpy(p, all, n);
		for (k = 0; k < 6; k++) {
			size_t a, b, m;

			x = pp_hash_mix(x + 0x9e3779b97f4a7c15u);
			m = 1 + (x >> 40) % 200;
			a = (size_t)x % (n - m);
			b = (size_t)(x >> 20) % (n - m);
			if (k < 5)
				memmove(p + a, p + b, m);
			else
				p[a] = (char)(x >> 12);
		}
		assert_true(same(p, n, few, 3, NULL));
	}
	free(p);
}

/* --- real traces ---------------------------------------------------------- */

struct file {
	char *p;
	size_t n;
};

static struct file
slurp(const char *path)
{
	struct file f = {NULL, 0};
	struct pp_chunk c = {0};
	struct pp_mem mem;
	struct pp_input *in;
	pp_str err;

	pp_mem_init(&mem, 0);
	in = pp_input_open(&mem, path, 1 << 20, &err);
	assert_non_null(in);
	while (pp_input_next(in, &c)) {
		f.p = realloc(f.p, f.n + c.n + 1);
		assert_non_null(f.p);
		if (c.n)
			memcpy(f.p + f.n, c.p, c.n);
		f.n += c.n;
		c.used = c.n;
	}
	pp_input_close(in);
	pp_mem_free_all(&mem);
	return f;
}

/* Lex every file of the folder; returns how many there were. */
static int
folder(const char *path)
{
	static const size_t sizes[] = {1 << 30, 64, 4096, 4 << 20};
	DIR *dir = opendir(path);
	struct dirent *e;
	char name[1024];
	int n = 0;

	if (!dir)
		return 0;
	while ((e = readdir(dir)) != NULL) {
		struct file f;

		if (!strstr(e->d_name, ".trc") ||
		    snprintf(name, sizeof(name), "%s/%s", path, e->d_name) >=
		    (int)sizeof(name))
			continue;
		f = slurp(name);
		if (!same(f.p, f.n, sizes, 4, NULL))
			fail_msg("%s", name);
		free(f.p);
		n++;
	}
	closedir(dir);
	return n;
}

static void
corpora(void **state)
{
	(void)state;
	assert_true(folder("corpora/oracle10046/ok") +
	    folder("corpora/oracle10046/bad") > 0);
}

static void
shared_corpora(void **state)
{
	const char *shared = getenv("PP_SHARED");
	char path[1024];
	int n = 0;

	(void)state;
	if (!shared)
		shared = "../shared";
	(void)snprintf(path, sizeof(path), "%.900s/corpora/oracle", shared);
	n += folder(path);
	(void)snprintf(path, sizeof(path), "%.900s/corpora/oracle/fragments",
	    shared);
	n += folder(path);
	(void)snprintf(path, sizeof(path), "%.900s/cases", shared);
	n += folder(path);
	if (n == 0) {
		print_message("no shared corpora: skipped\n");
		skip();
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_size), cmocka_unit_test(every_prefix),
	    cmocka_unit_test(every_byte), cmocka_unit_test(shuffled),
	    cmocka_unit_test(corpora), cmocka_unit_test(shared_corpora),
	};

	memcpy(all, first, sizeof(first) - 1);
	memcpy(all + sizeof(first) - 1, second, sizeof(second) - 1);
	return cmocka_run_group_tests_name("lex-cuts", tests, NULL, NULL);
}
