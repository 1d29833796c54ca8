/*
 * test_lex.c: what the lexer of Oracle traces makes of each kind of record,
 * in each form that versions print, and of damaged ones.  Every input and its
 * right value stand here; test_lex_cuts.c shows that chunks do not matter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "lex_dump.h"

/* Filler that lets the quick functions see the lines before it. */
#define TAIL "\n \n                                                       \n"

static void
calls(void **state)
{
	(void)state;
	/* 19c, 10.2 (no plh), CLOSE, 8i */
	expect("EXEC #140472196919200:c=4254,e=187354,p=7,cr=12,cu=3,mis=1,"
	    "r=20,dep=1,og=4,plh=1457651150,tim=7782181284466\n"
	    "FETCH #2:c=0,e=64,p=0,cr=2,cu=0,mis=0,r=1,dep=0,og=1,tim=99\n"
	    "PARSE #3:c=1,e=2,p=3,cr=4,cu=5,mis=0,r=0,dep=2,og=0,tim=100\n"
	    "CLOSE #3:c=0,e=10,dep=2,type=3,tim=110\n"
	    "UNMAP #3:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,tim=111\n"
	    "SORT UNMAP #3:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,"
	    "tim=112\n" TAIL,
	    "1+1 EXEC #140472196919200 c=4254 e=187354 p=7 cr=12 cu=3 "
	    "mis=1 r=20 dep=1 og=4 plh=1457651150 tim=7782181284466\n"
	    "2+1 FETCH #2 c=0 e=64 p=0 cr=2 cu=0 mis=0 r=1 dep=0 og=1 "
	    "tim=99\n"
	    "3+1 PARSE #3 c=1 e=2 p=3 cr=4 cu=5 mis=0 r=0 dep=2 og=0 "
	    "tim=100\n"
	    "4+1 CLOSE #3 c=0 e=10 p=0 cr=0 cu=0 mis=0 r=0 dep=2 og=0 "
	    "type=3 tim=110\n"
	    "5+1 UNMAP #3 c=0 e=1 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=4 "
	    "tim=111\n"
	    "6+1 SORT-UNMAP #3 c=0 e=1 p=0 cr=0 cu=0 mis=0 r=0 dep=0 "
	    "og=4 tim=112\n");
	/* keys in any order, unknown keys, SystemTap's q= and gap */
	expect("EXEC #3:tim=5,dep=0,zz=1,c=1,new=a b,e=3\n"
	    "EXEC #3:q=57,c=0,e=84,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,"
	    "tim=6\n"
	    "EXEC #3:,c=0,e=84,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=7\n"
	    "EXEC #3:q=,c=0,e=84,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=8\n"
	    TAIL,
	    "1+1 EXEC #3 c=1 e=3 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=0 "
	    "tim=5\n"
	    "2+1 EXEC #3 c=0 e=84 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=1 q=57 "
	    "tim=6\n"
	    "3+1 EXEC #3 c=0 e=84 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=1 "
	    "tim=7\n"
	    "4+1 EXEC #3 c=0 e=84 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=1 "
	    "tim=8\n");
	/* HP-UX cursor beyond 2^63; trailing blank; negative e */
	expect("CLOSE #11529215045668893824:c=0,e=-4,dep=0,type=0,tim=1 \n"
	    TAIL,
	    "1+1 CLOSE #11529215045668893824 c=0 e=-4 p=0 cr=0 cu=0 mis=0 "
	    "r=0 dep=0 og=0 type=0 tim=1\n");
}

static void
lob_and_rpc(void **state)
{
	(void)state;
	expect("LOBREAD: type=PERSISTENT LOB,bytes=1024,c=9,e=255,p=1,cr=2,"
	    "cu=0,tim=950\n"
	    "LOBARRTMPFRE: type=TEMPORARY LOB,bytes=1,c=0,e=2,p=0,cr=0,cu=0,"
	    "tim=951\n"
	    "RPC CALL:PROCEDURE SCOTT.P(A IN NUMBER);\n"
	    "RPC BINDS:\n"
	    " bind 0: dty=2 bfp=05 flg=05 avl=02 val=18\n"
	    " bind 1: dty=1 avl=11 val=\"a\nRPC EXEC:c\"\n"
	    "RPC EXEC:c=5,e=7\n",
	    "1+1 LOB #0 c=9 e=255 p=1 cr=2 cu=0 mis=0 r=1024 og=0 "
	    "name[LOBREAD] tim=950\n"
	    "2+1 LOB #0 c=0 e=2 p=0 cr=0 cu=0 mis=0 r=1 og=0 "
	    "name[LOBARRTMPFRE] tim=951\n"
	    "3+1 RPC-CALL text[PROCEDURE SCOTT.P(A IN NUMBER);]\n"
	    "4+4 RPC-BINDS text[ bind 0: dty=2 bfp=05 flg=05 avl=02 "
	    "val=18\\n bind 1: dty=1 avl=11 val=\"a\\nRPC EXEC:c\"]\n"
	    "8+1 RPC-EXEC #0 c=5 e=7 p=0 cr=0 cu=0 mis=0 r=0 og=0\n");
}

static void
waits_by_version(void **state)
{
	(void)state;
	expect(/* 8i to 10.1 */
	    "WAIT #1: nam='db file scattered read' ela= 2 p1=8 p2=658 p3=8\n"
	    /* 10.2 to 19c */
	    "WAIT #1: nam='SQL*Net message from client' ela= 992 driver id="
	    "1413697536 #bytes=1 p3=0 obj#=-1 tim=7782181094317\n"
	    /* p1..p3 with tim */
	    "WAIT #2: nam='gc cr grant 2-way' ela= 59 p1=414 p2=258 p3=1 "
	    "obj#=5 tim=9\n"
	    /* 23c */
	    "WAIT #3: nam='log file sync' ela=9 buffer#=7 sync scn="
	    "39236637077900 p3=0 obj#=4294967295 tim=10\n"
	    "WAIT #3: nam='x' ela= 5 obj#=-40016363 tim=11\n"
	    "WAIT #3: nam='x' ela=     6 tim=12\n"
	    "WAIT #0: nam='x' ela= 7\n" TAIL,
	    "1+1 WAIT #1 nam[db file scattered read] ela=2 par=8,658,8 "
	    "text[p1=8 p2=658 p3=8] p123\n"
	    "2+1 WAIT #1 nam[SQL*Net message from client] ela=992 "
	    "par=1413697536,1,0 text[driver id=1413697536 #bytes=1 p3=0] "
	    "obj=-1 tim=7782181094317\n"
	    "3+1 WAIT #2 nam[gc cr grant 2-way] ela=59 par=414,258,1 "
	    "text[p1=414 p2=258 p3=1] p123 obj=5 tim=9\n"
	    "4+1 WAIT #3 nam[log file sync] ela=9 "
	    "par=7,39236637077900,0 text[buffer#=7 sync scn=39236637077900 "
	    "p3=0] obj=-1 tim=10\n"
	    "5+1 WAIT #3 nam[x] ela=5 text[] obj=-40016363 tim=11\n"
	    "6+1 WAIT #3 nam[x] ela=6 text[] tim=12\n"
	    "7+1 WAIT #0 nam[x] ela=7 text[]\n");
}

static void
wait_parameters(void **state)
{
	(void)state;
	expect("WAIT #1: nam='resmgr:pq queued' ela= 3 location=1  =0  =0 "
	    "obj#=-1 tim=4\n"
	    "WAIT #1: nam='enq: HW - contention' ela= 3 name|mode=1213661190 "
	    "table space #=15 block=62915239 obj#=7 tim=5\n"
	    "WAIT #1: nam='enq: KO' ela= 3 name|mode=1263468550 2=65690 0=1 "
	    "obj#=-1 tim=6\n"
	    "WAIT #1: nam='enq: TX' ela= 3 name|mode=14 usn<<16 | slot=589825"
	    " sequence=542 obj#=1 tim=7\n"
	    "WAIT #1: nam='Data file init write' ela= 11 count=-1 intr=32 "
	    "timeout=2147483647 obj#=5 tim=8\n"
	    "WAIT #1: nam='y' ela= 1 100*mode+namespace=-4288151550 "
	    "addr=18446744073709551615 x=0x1f obj#=1 tim=9\n"
	    "WAIT #1: nam='it's' ela= 1' ela= 2 a=1 obj#=1 tim=10\n" TAIL,
	    "1+1 WAIT #1 nam[resmgr:pq queued] ela=3 par=1,0,0 "
	    "text[location=1  =0  =0] obj=-1 tim=4\n"
	    "2+1 WAIT #1 nam[enq: HW - contention] ela=3 "
	    "par=1213661190,15,62915239 text[name|mode=1213661190 table "
	    "space #=15 block=62915239] obj=7 tim=5\n"
	    "3+1 WAIT #1 nam[enq: KO] ela=3 par=1263468550,65690,1 "
	    "text[name|mode=1263468550 2=65690 0=1] obj=-1 tim=6\n"
	    "4+1 WAIT #1 nam[enq: TX] ela=3 par=14,589825,542 "
	    "text[name|mode=14 usn<<16 | slot=589825 sequence=542] obj=1 "
	    "tim=7\n"
	    "5+1 WAIT #1 nam[Data file init write] ela=11 "
	    "par=-1,32,2147483647 text[count=-1 intr=32 timeout=2147483647] "
	    "obj=5 tim=8\n"
	    "6+1 WAIT #1 nam[y] ela=1 par=-4288151550,-1,31 "
	    "text[100*mode+namespace=-4288151550 addr=18446744073709551615 "
	    "x=0x1f] obj=1 tim=9\n"
	    "7+1 WAIT #1 nam[it's' ela= 1] ela=2 par=1 text[a=1] obj=1 "
	    "tim=10\n");
}

static void
wait_samples(void **state)
{
	(void)state;
	expect("WAIT #3: nam='a b' c=1000 q=12 ela= 403 file#=1 tim=9\n"
	    "WAIT #3: nam='a b' c= q= ela= 403 p1=1 p2=2 p3=3\n"
	    "WAIT #3: nam='a b'  ela= 403 obj#=1 tim=11\n" TAIL,
	    "1+1 WAIT #3 nam[a b] ela=403 par=1 text[file#=1] c=1000 q=12 "
	    "tim=9\n"
	    "2+1 WAIT #3 nam[a b] ela=403 par=1,2,3 text[p1=1 p2=2 p3=3] "
	    "p123\n"
	    "3+1 WAIT #3 nam[a b] ela=403 text[] obj=1 tim=11\n");
}

static void
points(void **state)
{
	(void)state;
	expect("XCTEND rlbk=0, rd_only=1\n"
	    "XCTEND rlbk=1, rd_only=0, tim=77\n"
	    "ERROR #6:err=25228 tim=783947179\n"
	    "ERROR #6:err=1\n"
	    "APPNAME mod='mod' mh=781691722 act='act' ah=3947624709\n"
	    "STAT #1 id=2 cnt=1 pid=1 pos=1 obj=22 op='T A X$ (cr=2 pr=0)'\n"
	    "STAT #1 cnt=1 pid=0 pos=1 obj=0 op='NESTED LOOPS  (cr=8)'\n"
	    "STAT #1 id=2 cnt=1\n"
	    "=====================\n \n\t\n",
	    "1+1 XCTEND rlbk=0 rd_only=1\n"
	    "2+1 XCTEND rlbk=1 rd_only=0 tim=77\n"
	    "3+1 ERROR #6 err=25228 tim=783947179\n"
	    "4+1 ERROR #6 err=1\n"
	    "5+1 APPNAME text[mod='mod' mh=781691722 act='act' "
	    "ah=3947624709]\n"
	    "6+1 STAT #1 text[id=2 cnt=1 pid=1 pos=1 obj=22 op='T A X$ "
	    "(cr=2 pr=0)']\n"
	    "7+1 STAT #1 text[cnt=1 pid=0 pos=1 obj=0 op='NESTED LOOPS  "
	    "(cr=8)']\n"
	    "8+1 STAT #1 text[id=2 cnt=1]\n");
}

static void
markers(void **state)
{
	(void)state;
	expect("*** 2017-02-09 13:12:59.339\n"
	    "*** 2024-03-26T18:41:07.683567+01:00 (EXAMPLESPDB(8))\n"
	    "*** SESSION ID:(25.234)\n"
	    "*** SESSION ID:(504.46635) 2024-03-26T18:41:07.683567+01:00\n"
	    "*** MODULE NAME:(sqlplus@h (TNS V1-V3)) 2017-02-09 "
	    "13:12:59.339\n"
	    "*** ACTION NAME:() 2017-02-09 13:12:59.339\n"
	    "*** CLIENT ID:(a) 2001-01-01 00:00:00.000) 2017-02-09 "
	    "13:12:59.339\n"
	    "*** CONTAINER ID:(8) 2024-03-26T18:41:07.683567+01:00\n"
	    "*** CLIENT IP:(10.0.2.2) 2023-04-17T20:30:29.505400+00:00\n"
	    "*** NEW KEY:(x) 2023-04-17T20:30:29.505400+00:00\n"
	    "*** [ Unix process pid: 9850 ]\n"
	    "*** TRACE CONTINUES IN FILE /a/b_c.trc ***\n"
	    "*** TRACE DUMP CONTINUED FROM FILE  ***\n"
	    "*** DUMP FILE SIZE IS LIMITED TO 5242880 BYTES ***\n"
	    "*** TRACE FILE RECREATED AFTER BEING REMOVED ***\n",
	    "1+1 MARKER STAMP at[2017-02-09 13:12:59.339] text[]\n"
	    "2+1 MARKER STAMP at[2024-03-26T18:41:07.683567+01:00] "
	    "text[EXAMPLESPDB] num=8\n"
	    "3+1 MARKER SESSION at[] text[25.234]\n"
	    "4+1 MARKER SESSION at[2024-03-26T18:41:07.683567+01:00] "
	    "text[504.46635]\n"
	    "5+1 MARKER MODULE at[2017-02-09 13:12:59.339] "
	    "text[sqlplus@h (TNS V1-V3)]\n"
	    "6+1 MARKER ACTION at[2017-02-09 13:12:59.339] text[]\n"
	    "7+1 MARKER CLIENT at[2017-02-09 13:12:59.339] text[a) "
	    "2001-01-01 00:00:00.000]\n"
	    "8+1 MARKER CONTAINER at[2024-03-26T18:41:07.683567+01:00] "
	    "text[8] num=8\n"
	    "9+1 MARKER IP at[2023-04-17T20:30:29.505400+00:00] "
	    "text[10.0.2.2]\n"
	    "10+1 MARKER OTHER at[2023-04-17T20:30:29.505400+00:00] "
	    "text[*** NEW KEY:(x) 2023-04-17T20:30:29.505400+00:00]\n"
	    "11+1 MARKER PROCESS at[] text[9850] num=9850\n"
	    "12+1 MARKER CONTINUES at[] text[/a/b_c.trc]\n"
	    "13+1 MARKER CONTINUED at[] text[]\n"
	    "14+1 MARKER LIMIT at[] text[5242880] num=5242880\n"
	    "15+1 MARKER OTHER at[] text[*** TRACE FILE RECREATED AFTER "
	    "BEING REMOVED ***]\n");
	/* a value with a line end in it, which a client may set */
	expect("*** MODULE NAME:(one\ntwo) 2017-02-09 13:12:59.339\nx\n",
	    "1+2 MARKER MODULE at[2017-02-09 13:12:59.339] "
	    "text[one\\ntwo]\n"
	    "3+1 NOISE text[x]\n");
}

static void
headers(void **state)
{
	(void)state;
	expect("Trace file /u/x_ora_1.trc\n"
	    "Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - "
	    "Production\n"
	    "Version 19.14.2.0.0\n"
	    "With the Partitioning, OLAP\nand Data Mining options\n"
	    "Build label:    RDBMS_19\n"
	    "Node name:\tdb1\n"
	    "Instance name: yyy\n"
	    "Unix process pid: 613102, NID: 4, image: oracle@t (TNS V1-V3)\n"
	    "Windows thread id: 2832, image: ORACLE.EXE (SHAD)\n"
	    "/u01/udump/ten_ora_12.trc\nOracle8i Enterprise Edition\n"
	    "/u01/udump/ten_ora_13.trc\nnot a header\n"
	    "Trace file was removed\nDump file c:\\x\\ora00123.trc\n",
	    "1+1 HEADER FILE text[/u/x_ora_1.trc]\n"
	    "2+1 HEADER PRODUCT text[Oracle Database 19c Enterprise "
	    "Edition Release 19.0.0.0.0 - Production]\n"
	    "3+1 HEADER VERSION text[19.14.2.0.0]\n"
	    "4+1 HEADER OTHER text[With the Partitioning, OLAP]\n"
	    "5+1 HEADER OTHER text[and Data Mining options]\n"
	    "6+1 HEADER OTHER text[Build label:    RDBMS_19]\n"
	    "7+1 HEADER HOST text[db1]\n"
	    "8+1 HEADER INSTANCE text[yyy]\n"
	    "9+1 HEADER PROCESS num=613102 text[oracle@t (TNS V1-V3)]\n"
	    "10+1 HEADER PROCESS num=2832 text[ORACLE.EXE (SHAD)]\n"
	    "11+1 HEADER FILE text[/u01/udump/ten_ora_12.trc]\n"
	    "12+1 HEADER PRODUCT text[Oracle8i Enterprise Edition]\n"
	    "13+1 NOISE text[/u01/udump/ten_ora_13.trc]\n"
	    "14+1 NOISE text[not a header]\n"
	    "15+1 NOISE text[Trace file was removed]\n"
	    "16+1 HEADER FILE text[c:\\x\\ora00123.trc]\n");
}

static void
look_alikes(void **state)
{
	(void)state;
	expect("EXEC #foo\nWAIT for it\nPARSE #1 c=1\nSTAT #:\nLOBSTER: x\n"
	    "XCTENDS\n*** \n***\n====\nERROR #1 err=1\n",
	    "1+1 NOISE text[EXEC #foo]\n"
	    "2+1 NOISE text[WAIT for it]\n"
	    "3+1 NOISE text[PARSE #1 c=1]\n"
	    "4+1 NOISE text[STAT #:]\n"
	    "5+1 NOISE text[LOBSTER: x]\n"
	    "6+1 NOISE text[XCTENDS]\n"
	    "7+1 NOISE text[*** ]\n"
	    "8+1 NOISE text[***]\n"
	    "9+1 NOISE text[====]\n"
	    "10+1 NOISE text[ERROR #1 err=1]\n");
}

static void
cut_and_bad(void **state)
{
	(void)state;
	expect("EXEC #5:c=73,e=73,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=2,"
	    "ti\n"
	    "EXEC #5:c=73,e=73,p=0,cr=0,cu=0,mis=0,r=0,og=1,tim=5\n"
	    "LOBWRITE: type=TEMPORARY LOB,bytes=5,c=169,e=169,p=0,cr=0,cu=\n"
	    "XCTEND rlbk=0, rd_only=1,\n"
	    "XCTEND rlbk=0, rd_\n"
	    "WAIT #3: nam='db fi\n"
	    "WAIT #3: nam='db file' ela= \n"
	    "WAIT #3: nam='db file' ela= 5 a=1 obj#=4\n"
	    "EXEC #14064\n"
	    "EXEC #5:c=99999999999999999999,e=73,dep=0,tim=5\n"
	    "EXEC #99999999999999999999:c=9,e=73,dep=0,tim=5\n"
	    "EXEC #5:c=9,e=73,dep=65536,tim=5\n"
	    "EXEC #5:c=9,e=x,dep=0,tim=5\n"
	    "WAIT #3: nam='db file' ela= 99999999999999999999 obj#=4 tim=1\n"
	    "WAIT #3: nam='db file' ela= 9 a=99999999999999999999 tim=1\n"
	    "STAT #1 (cr=0 pr=0 pw=0 str=1 time=29 us)'\n"
	    "ERROR #1:tim=5\n" TAIL,
	    "1+1 ! cut-record text[EXEC #5:c=73,e=73,p=0,cr=0,cu=0,mis=0,"
	    "r=0,dep=0,og=1,plh=2,ti]\n"
	    "2+1 ! cut-record text[EXEC #5:c=73,e=73,p=0,cr=0,cu=0,mis=0,"
	    "r=0,og=1,tim=5]\n"
	    "3+1 ! cut-record text[LOBWRITE: type=TEMPORARY LOB,bytes=5,"
	    "c=169,e=169,p=0,cr=0,cu=]\n"
	    "4+1 ! cut-record text[XCTEND rlbk=0, rd_only=1,]\n"
	    "4+1 XCTEND rlbk=0 rd_only=1\n"
	    "5+1 ! cut-record text[XCTEND rlbk=0, rd_]\n"
	    "6+1 ! cut-record text[WAIT #3: nam='db fi]\n"
	    "7+1 ! cut-record text[WAIT #3: nam='db file' ela= ]\n"
	    "8+1 ! cut-record text[WAIT #3: nam='db file' ela= 5 a=1 "
	    "obj#=4]\n"
	    "9+1 ! cut-record text[EXEC #14064]\n"
	    "10+1 ! bad-record text[EXEC #5:c=99999999999999999999,e=73,"
	    "dep=0,tim=5]\n"
	    "11+1 ! bad-record text[EXEC #99999999999999999999:c=9,e=73,"
	    "dep=0,tim=5]\n"
	    "12+1 ! bad-record text[EXEC #5:c=9,e=73,dep=65536,tim=5]\n"
	    "13+1 ! bad-record text[EXEC #5:c=9,e=x,dep=0,tim=5]\n"
	    "14+1 ! bad-record text[WAIT #3: nam='db file' ela= "
	    "99999999999999999999 obj#=4 tim=1]\n"
	    "15+1 ! bad-record text[WAIT #3: nam='db file' ela= 9 "
	    "a=99999999999999999999 tim=1]\n"
	    "16+1 ! bad-record text[STAT #1 (cr=0 pr=0 pw=0 str=1 time=29"
	    " us)']\n"
	    "17+1 ! cut-record text[ERROR #1:tim=5]\n");
}

static void
two_in_one_line(void **state)
{
	(void)state;
	expect("CLOSE #1:c=0,e=1,dep=0,type=0,tim=57935118313WAIT #1: nam='x'"
	    " ela= 1 obj#=-1 tim=7\n"
	    "EXEC #1:c=0,e=WAIT #1: nam='x' ela= 1 obj#=-1 tim=8\n"
	    "CLOSE #1:c=0,e=1,dep=0,type=0,tim=9=====================\n"
	    "CLOSE #1:c=0,e=1,dep=0,type=0,tim=10XCTEND rlbk=0, rd_only=1\n"
	    "STAT #1 id=1 cnt=1 pid=0 pos=1 obj=0 op='A (cr=1)'STAT #1 id=2 "
	    "cnt=1 pid=1 pos=1 obj=0 op='B (cr=1)'\n"
	    "=====================CLOSE #1:c=0,e=1,dep=0,type=0,tim=11\n"
	    "*** SESSION ID:(1.2) 2017-02-09 13:12:59.339*** CLIENT ID:(c) "
	    "2017-02-09 13:12:59.339\n" TAIL,
	    "1+1 CLOSE #1 c=0 e=1 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=0 "
	    "type=0 tim=57935118313\n"
	    "1+1 ! split-record text[WAIT #1: nam='x' ela= 1 obj#=-1 "
	    "tim=7]\n"
	    "1+1 WAIT #1 nam[x] ela=1 text[] obj=-1 tim=7\n"
	    "2+1 ! cut-record text[EXEC #1:c=0,e=]\n"
	    "2+1 ! split-record text[WAIT #1: nam='x' ela= 1 obj#=-1 "
	    "tim=8]\n"
	    "2+1 WAIT #1 nam[x] ela=1 text[] obj=-1 tim=8\n"
	    "3+1 CLOSE #1 c=0 e=1 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=0 "
	    "type=0 tim=9\n"
	    "3+1 ! split-record text[=====================]\n"
	    "4+1 CLOSE #1 c=0 e=1 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=0 "
	    "type=0 tim=10\n"
	    "4+1 ! split-record text[XCTEND rlbk=0, rd_only=1]\n"
	    "4+1 XCTEND rlbk=0 rd_only=1\n"
	    "5+1 STAT #1 text[id=1 cnt=1 pid=0 pos=1 obj=0 op='A "
	    "(cr=1)']\n"
	    "5+1 ! split-record text[STAT #1 id=2 cnt=1 pid=1 pos=1 "
	    "obj=0 op='B (cr=1)']\n"
	    "5+1 STAT #1 text[id=2 cnt=1 pid=1 pos=1 obj=0 op='B "
	    "(cr=1)']\n"
	    "6+1 ! split-record text[CLOSE #1:c=0,e=1,dep=0,type=0,"
	    "tim=11]\n"
	    "6+1 CLOSE #1 c=0 e=1 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=0 "
	    "type=0 tim=11\n"
	    "7+1 MARKER SESSION at[2017-02-09 13:12:59.339] text[1.2]\n"
	    "7+1 ! split-record text[*** CLIENT ID:(c) 2017-02-09 "
	    "13:12:59.339]\n"
	    "7+1 MARKER CLIENT at[2017-02-09 13:12:59.339] text[c]\n");
}

static void
wrapped(void **state)
{
	(void)state;
	expect("PARSE #5:c=0,e=188,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=8,\n"
	    "  tim=4755825333776\n"
	    "WAIT #5: nam='reliable message' ela= 889 channel context=1 "
	    "channel\n"
	    "  handle=2 broadcast message=3 obj#=-1 tim=6\n"
	    "WAIT #5: nam='SQL*Net message from client' ela= 12 driver id=14\n"
	    "136 #bytes=1 p3=0 obj#=-1 tim=7\n"
	    "CLOSE #140472196919200:c=0,e=10,dep=2,type=3,tim=11\n"
	    "05\n"
	    "PARSING IN CURSOR #5 len=8 dep=0 uid=9 oct=3 lid=9 tim=8\n"
	    "  hv=7 ad='22' sqlid='4mugsmpwch\n"
	    "f25'\n"
	    "select 1\n"
	    "END OF STMT\n" TAIL,
	    "1+1 ! joined-record text[PARSE #5:c=0,e=188,p=0,cr=0,cu=0,"
	    "mis=0,r=0,dep=0,og=1,plh=8,tim=4755825333776]\n"
	    "1+2 PARSE #5 c=0 e=188 p=0 cr=0 cu=0 mis=0 r=0 dep=0 og=1 "
	    "plh=8 tim=4755825333776\n"
	    "3+1 ! joined-record text[WAIT #5: nam='reliable message' "
	    "ela= 889 channel context=1 channel handle=2 broadcast message=3 "
	    "obj#=-1 tim=6]\n"
	    "3+2 WAIT #5 nam[reliable message] ela=889 par=1,2,3 "
	    "text[channel context=1 channel handle=2 broadcast message=3] "
	    "obj=-1 tim=6\n"
	    "5+1 ! joined-record text[WAIT #5: nam='SQL*Net message from "
	    "client' ela= 12 driver id=14136 #bytes=1 p3=0 obj#=-1 tim=7]\n"
	    "5+2 WAIT #5 nam[SQL*Net message from client] ela=12 "
	    "par=14136,1,0 text[driver id=14136 #bytes=1 p3=0] obj=-1 tim=7\n"
	    "7+1 ! joined-record text[CLOSE #140472196919200:c=0,e=10,"
	    "dep=2,type=3,tim=1105]\n"
	    "7+2 CLOSE #140472196919200 c=0 e=10 p=0 cr=0 cu=0 mis=0 r=0 "
	    "dep=2 og=0 type=3 tim=1105\n"
	    "9+1 ! joined-record text[PARSING IN CURSOR #5 len=8 dep=0 "
	    "uid=9 oct=3 lid=9 tim=8 hv=7 ad='22' sqlid='4mugsmpwchf25']\n"
	    "9+5 PARSING #5 len=8 dep=0 uid=9 oct=3 lid=9 hv=7 "
	    "id[4mugsmpwchf25] text[select 1] tim=8\n");
	/* what follows completes nothing */
	expect("EXEC #5:c=1,e=2,\nnoise\nEXEC #5:c=1,e=2,\n\n",
	    "1+1 ! cut-record text[EXEC #5:c=1,e=2,]\n"
	    "2+1 NOISE text[noise]\n"
	    "3+1 ! cut-record text[EXEC #5:c=1,e=2,]\n");
}

static void
line_ends(void **state)
{
	static const char nul[] = "XCTEND rlbk=0, rd_only=1\0\0\0XCTEND "
	    "rlbk=1, rd_only=1\n\0\0XCTEND rlbk=0, rd_only=0\n\0";

	(void)state;
	expect("", "");
	expect("\xef\xbb\xbfXCTEND rlbk=0, rd_only=1\r\nn\r\n",
	    "1+1 XCTEND rlbk=0 rd_only=1\n"
	    "2+1 NOISE text[n]\n");
	/* the last line has no end: its number may be cut */
	expect("XCTEND rlbk=0, rd_only=1, tim=1",
	    "1+0 XCTEND rlbk=0 rd_only=1 tim=1\n");
	expect_n(nul, sizeof(nul) - 1,
	    "1+1 XCTEND rlbk=0 rd_only=1\n"
	    "1+1 ! nul-bytes len=3 text[]\n"
	    "1+1 XCTEND rlbk=1 rd_only=1\n"
	    "2+1 ! nul-bytes len=2 text[]\n"
	    "2+1 XCTEND rlbk=0 rd_only=0\n"
	    "3+1 ! nul-bytes len=1 text[]\n");
}

/* A hole of three million NULs in the middle of a statement. */
static void
nul_hole(void **state)
{
	static const char head[] = "PARSING IN CURSOR #1 len=9 dep=0 uid=1 "
	    "oct=3 lid=1 tim=2 hv=3 ad='4'\nselect";
	static const char tail[] = "\n 1\nEND OF STMT\n";
	size_t hole = 3000000, n = sizeof(head) - 1 + hole + sizeof(tail) - 1;
	char *p = calloc(1, n);

	(void)state;
	assert_non_null(p);
	memcpy(p, head, sizeof(head) - 1);
	memcpy(p + sizeof(head) - 1 + hole, tail, sizeof(tail) - 1);
	expect_n(p, n,
	    "1+4 PARSING #1 len=9 dep=0 uid=1 oct=3 lid=1 hv=3 "
	    "text[select\\n\\n 1] tim=2\n"
	    "2+1 ! nul-bytes len=3000000 text[]\n");
	free(p);
}

static void
stamps(void **state)
{
	static const struct {
		const char *s;
		int64_t us;
		int off;
		size_t used;
	} good[] = {
	    {"1970-01-01 00:00:00", 0, 9999, 19},
	    {"1970-01-02 00:00:01.5 x", 86401500000, 9999, 21},
	    {"2017-01-18 12:24:14.701", 1484742254701000, 9999, 23},
	    {"2018-09-07T07:38:12.394819-05:00 (P(5))", 1536305892394819,
	    -300, 32},
	    {"2024-02-29T23:59:59.999999+05:45", 1709251199999999, 345, 32},
	    {"2000-03-01T00:00:00.000000Z", 951868800000000, 0, 27},
	    {"1999-12-31 23:59:59.1234567", 946684799123456, 9999, 27},
	    {"2022-10-25T15:07:20.941104", 1666710440941104, 9999, 26},
	};
	static const char *const bad[] = {"", "2023-02-29 00:00:00",
	    "2023-13-01 00:00:00", "2023-00-01 00:00:00",
	    "2023-04-31 00:00:00", "2023-01-01 24:00:00",
	    "2023-01-01 00:60:00", "2023-01-01_00:00:00", "2023-01-01 00:00",
	    "02023-01-01 00:00:00", "0000-01-01 00:00:00"};
	struct pp_wall w;
	size_t i, used;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(pp_oracle_stamp(pp_str_from(good[i].s), &w,
		    &used));
		assert_true(w.known);
		assert_int_equal(w.us, good[i].us);
		assert_int_equal(used, good[i].used);
		assert_int_equal(w.has_offset, good[i].off != 9999);
		if (w.has_offset)
			assert_int_equal(w.offset_min, good[i].off);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(pp_oracle_stamp(pp_str_from(bad[i]), &w, &used));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls), cmocka_unit_test(lob_and_rpc),
	    cmocka_unit_test(waits_by_version),
	    cmocka_unit_test(wait_parameters),
	    cmocka_unit_test(wait_samples), cmocka_unit_test(points),
	    cmocka_unit_test(markers), cmocka_unit_test(headers),
	    cmocka_unit_test(look_alikes), cmocka_unit_test(cut_and_bad),
	    cmocka_unit_test(two_in_one_line), cmocka_unit_test(wrapped),
	    cmocka_unit_test(line_ends), cmocka_unit_test(nul_hole),
	    cmocka_unit_test(stamps),
	};

	return cmocka_run_group_tests_name("lex", tests, NULL, NULL);
}
