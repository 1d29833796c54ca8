#!/bin/sh
# The command line, end to end: options, statuses, messages, what is at OUT
# afterwards, which inputs are taken and how they are called, the report.
#
# Environment: PROFPIVOT the program, PYTHON a Python 3 (for terminals).

P=${PROFPIVOT:?the program under test}
PYTHON=${PYTHON:-/usr/bin/python3}
top=$(pwd)
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
demo=$top/corpora/oracle10046/ok/demo.trc
unset NO_COLOR
LC_ALL=C
export LC_ALL
cd "$work" || exit 1

ok() { echo "ok cli: $1"; }
bad() { echo "not ok cli: $1: $2"; }

# run STATUS NAME COMMAND...: does it end with the status?  Output in out, err.
run() {
	want=$1 name=$2
	shift 2
	"$@" >out 2>err </dev/null
	got=$?
	if [ $got -eq "$want" ]; then
		ok "$name"
	else
		bad "$name" "status $got, not $want: $(head -n 2 err)"
	fi
}

# say NAME PATTERN: is a line of stderr like that?
say() {
	if grep -q -e "$2" err; then
		ok "$1"
	else
		bad "$1" "stderr has no \`$2' but: $(head -n 2 err)"
	fi
}

# check NAME COMMAND...: does the command succeed?
check() {
	name=$1
	shift
	if "$@" >/dev/null 2>&1; then
		ok "$name"
	else
		bad "$name" "$*"
	fi
}

# absent FILE...: is none of them there?  A pattern is expanded here.
absent() {
	for f in "$@"; do
		for g in $f; do
			[ ! -e "$g" ] || return 1
		done
	done
}
empty() { [ ! -s "$1" ]; }

# ------------------------------------------------------------------- usage

run 2 "nothing to do" "$P"
run 2 "unknown command" "$P" conver x
say "unknown command: did you mean" 'did you mean `convert`'
run 2 "option before the command" "$P" --strict convert
run 2 "convert without input" "$P" convert -o x.xlsx
say "convert without input is told" 'INPUT'
run 2 "convert without output" "$P" convert "$demo"
say "convert without output is told" '-o OUT'
run 2 "unknown option" "$P" convert "$demo" -o x.xlsx --tabels profile
say "unknown option: did you mean" 'did you mean --tables?'
say "the way to the help" 'profpivot convert --help'
run 2 "unknown letter" "$P" convert "$demo" -o x.xlsx -z
run 2 "option of another command" "$P" show "$demo" --spill sheets
say "option of another command is told" 'has no option --spill'
run 2 "option without its value" "$P" convert "$demo" -o
run 2 "value for a flag" "$P" convert "$demo" -o x.xlsx --strict=yes
run 2 "no suffix tells the format" "$P" convert "$demo" -o x.dat
say "no suffix is told" '-t'
run 2 "unknown format" "$P" convert "$demo" -o x -t xslx
say "unknown format: did you mean" 'did you mean `xlsx`'
run 2 "unknown table" "$P" convert "$demo" -o x.xlsx --tables profil
say "unknown table: did you mean" 'did you mean `profile`'
run 2 "unknown reader" "$P" convert "$demo" -o x.xlsx -f oracle
say "unknown reader: did you mean" 'did you mean `oracle10046`'
run 2 "a folder to standard output" "$P" convert "$demo" -t csv -o -
run 2 "a workbook to standard output" "$P" convert "$demo" -t xlsx -o -
run 2 "--table and --tables" \
    "$P" convert "$demo" -o x.csv --table profile --tables tree
run 2 "--table takes one" "$P" convert "$demo" -o x.csv --table profile,tree
run 2 "unknown section" "$P" show "$demo" --report profile,tre
say "sections are told" "waits, plans, gaps, problems, all"
check "list writers: columns" sh -c \
    "'$P' list writers | grep -q '^speedscope  *[.]speedscope[.]json  *the'"
for v in "--intervals 0" "--intervals x" "--intervals 1000001" \
    "--interval 0" "--interval 5parsecs" "--top 0" "--top -1" \
    "--cpu both" "--think soon" "--csv xls" "--spill away" \
    "--progress always" "--max-memory 0" "--max-memory 1Q"; do
	# shellcheck disable=SC2086
	run 2 "convert $v" "$P" convert "$demo" -o x.csv $v
done
# what would be passed over in silence
for v in "-o y.csv" "-t csv -t tsv" "-f client -f oracle10046" \
    "--interval 5s --intervals 3" "--since 20 --until 10" \
    "--since 2024-01-02 --until 2024-01-01T09:00" "--xml nested" \
    "--spill refuse" "--partition source" "--orphans time" \
    "--name-width 30" "-f oracle10046 --columns a" "--totals" \
    "--width 100" "--style tkprof"; do
	# shellcheck disable=SC2086
	run 2 "convert $v" "$P" convert "$demo" -o x.csv $v
done
say "the last of them is told" 'are for the report'
run 2 "-o twice" "$P" convert "$demo" -o x.csv -o y.csv
say "-o twice is told" 'given twice: `x.csv. and `y.csv'
run 0 "-o twice, the same" "$P" convert "$demo" -o x.csv -o x.csv
rm -rf x.csv
for v in "--csv excel" "--gzip" "--flatten-text"; do
	# shellcheck disable=SC2086
	run 2 "convert to a workbook $v" "$P" convert "$demo" -o x.xlsx $v
	# shellcheck disable=SC2086
	run 2 "compare $v" "$P" compare "$demo" "$demo" $v
done
run 2 "compare -o --width" "$P" compare "$demo" "$demo" -o x.csv --width 99
run 2 "digest --lines --null" "$P" digest --lines --null
run 2 "digest: options of pt" "$P" digest --match-md5-checksums
run 1 "--tmp that is not there" "$P" show "$demo" --tmp nosuch
say "--tmp is told" '--tmp nosuch: No such file'
run 1 "--tmp that is a file" "$P" show "$demo" --tmp "$demo"
run 1 "a folder above OUT is not there" "$P" convert "$demo" -t csv -o a/b
say "OUT is told, not what it is made of" 'profpivot: a/b: No such file'
run 2 "show --width 10" "$P" show "$demo" --width 10
run 2 "list nothing" "$P" list
run 2 "list what is not there" "$P" list reports
check "wrong usage writes nothing" absent x x.csv x.xlsx x.dat

run 0 "--version" "$P" --version
check "--version: name and number" grep -qE '^profpivot [0-9]+\.[0-9]+' out
run 0 "--help" "$P" --help
for c in convert show list; do
	run 0 "$c --help" "$P" $c --help
	cp out "help.$c"
	check "$c --help is no wider than 79" \
	    awk 'length > 79 { exit 1 }' "help.$c"
	run 0 "help $c" "$P" help $c
	check "help $c is the same" cmp out "help.$c"
done
run 0 "--help wins over what is missing" "$P" convert --help
run 0 "-h" "$P" show -h

# ---------------------------------------------------------------- statuses

run 0 "convert to a folder" "$P" convert "$demo" -t csv -o set
check "convert: no word" empty err
check "the tables are there" ls set/profile.csv set/timeline.csv \
    set/statements.csv set/problems.csv
run 0 "options take = and blanks" \
    "$P" convert --tables=profile,tree -t csv --output=two -- "$demo"
check "--tables" sh -c '[ "$(ls two)" = "profile.csv
schema.json
tree.csv" ]'
run 0 "letters together" "$P" convert -qvtcsv -otwo "$demo"
run 0 "a table to standard output" "$P" convert "$demo" -o - --table profile
check "it is the table" cmp out set/profile.csv
run 0 "a table to a file" "$P" convert "$demo" -o p.csv --table profile
check "it is the same table" cmp p.csv set/profile.csv
run 0 "a workbook" "$P" convert "$demo" -o demo.xlsx
check "it is a ZIP file" sh -c '[ "$(head -c 2 demo.xlsx)" = PK ]'
run 0 "show" "$P" show "$demo"

printf 'hello\nthis is not\na trace\n' >text.trc
: >empty.trc
head -c 3000 /bin/sh >binary.trc
echo 'select 1' >one.sql
run 1 "digest of what is no text" "$P" digest binary.trc
say "digest of what is no text is told" 'binary.trc: NUL bytes'
run 3 "digest of text and what is none" "$P" digest one.sql binary.trc
check "the text has its digest" grep -qx 'SELECT ?' out
run 1 "digest of what is not there" "$P" digest nosuch.sql
run 0 "digest -0 of bytes" "$P" digest -0 binary.trc
mkdir nothing
cp text.trc nothing/a.trc
run 1 "no trace" "$P" show text.trc
say "no trace is told" \
    'text.trc: warning: .*0 of 3 lines recognised \[not-recognised\]'
run 1 "an empty file" "$P" show empty.trc
say "an empty file is told" 'empty.trc: .*empty'
run 1 "a binary file" "$P" show binary.trc
run 1 "a folder without traces" "$P" show nothing
say "a folder without traces is told" 'nothing: .*\[not-recognised\]'
check "one message" sh -c '[ "$(wc -l <err)" -eq 1 ]'
run 1 "a missing file" "$P" convert missing.trc -o x.xlsx
say "a missing file is told" \
    'missing.trc: error: .*No such file.*\[unreadable\]'
run 1 "a reader by force" "$P" show -f oracle10046 text.trc
check "nothing was written" absent x.xlsx

head -c 20000 "$demo" | sed '$d' >cut.trc
tail -n +60 "$demo" | head -n 300 >middle.trc
awk 'NR == 100 { print substr($0, 1, 40); next } { print }' "$demo" |
    sed '100s/.*/EXEC #140241880002488:c=5,e=1/' >record.trc
run 0 "a trace that starts in the middle" "$P" show middle.trc
run 3 "a cut record" "$P" convert record.trc -t csv -o set3
say "a cut record is told with line and offset" \
    '^profpivot: record.trc:100:[0-9]*: warning: .*\[cut-record\]$'
check "it stands in problems" grep -q '^warning,record.trc,100,.*,cut-record,' \
    set3/problems.csv
run 1 "--strict" "$P" convert --strict record.trc -t csv -o set4
check "--strict writes nothing" absent set4 'set4.*'
run 1 "show --strict" "$P" show --strict record.trc
check "show --strict prints nothing" empty out
run 3 "one of two is unusable" "$P" convert "$demo" text.trc -t csv -o set5
check "it stands in problems too" grep -q 'not-recognised' set5/problems.csv
run 3 "one of two is missing" "$P" show "$demo" missing.trc
run 3 "-q" "$P" convert -q record.trc -t csv -o set6
check "-q: no word" empty err
run 0 "-v" "$P" convert -v "$demo" -t csv -o set6
say "-v tells notices" 'notice: '

# Ten of a kind, then their sum.
awk '{ print } /^EXEC #/ && n++ < 30 { print "EXEC #1:c=1,e=" }' "$demo" \
    >many.trc
run 3 "many cut records" "$P" show many.trc
check "ten of a kind are printed" \
    sh -c '[ "$(grep -c "cut record" err)" -eq 10 ]'
say "and their sum" '20 more of these \[cut-record\]'

# ------------------------------------------------------------------ output

mkdir foreign
echo mine >foreign/profile.csv
run 1 "a folder of somebody else" "$P" convert "$demo" -t csv -o foreign
check "it stays as it was" sh -c '[ "$(cat foreign/profile.csv)" = mine ]'
run 1 "a folder where a file is to go" "$P" convert "$demo" -t xlsx -o foreign
run 1 "no folder to write into" "$P" convert "$demo" -o no/where/x.xlsx
if [ "$(id -u)" -ne 0 ]; then
	mkdir locked
	chmod a-w locked
	run 1 "a locked folder" "$P" convert "$demo" -o locked/x.xlsx
	say "a locked folder is told" 'Permission denied'
else
	echo "skip cli: a locked folder: the superuser may write anywhere"
fi
if [ -c /dev/full ]; then
	run 1 "a full device" \
	    "$P" convert "$demo" -t csv --table profile -o /dev/full
	say "a full device is told" 'No space left on device'
	run 1 "sqlite to /dev/full" \
	    "$P" convert "$demo" -t sqlite -o /dev/full
	say "sqlite to /dev/full is told" '/dev/full: No space left on device'
	"$P" show "$demo" >/dev/full 2>err
	[ $? -eq 1 ] && ok "show on a full device" ||
	    bad "show on a full device" "status"
	say "show on a full device is told" 'standard output: No space left'
	"$P" --help >/dev/full 2>err
	[ $? -eq 1 ] && ok "--help on a full device" ||
	    bad "--help on a full device" "status"
fi
# A closed pipe ends the run with 1 and no word.
for c in "show $demo --report all --intervals 100000" \
    "convert $demo -o - --table timeline --intervals 100000" \
    "list schema" "list columns"; do
	{ # shellcheck disable=SC2086
	"$P" $c 2>err
	echo $? >status
	} | :
	s=$(cat status)
	if [ "$s" -eq 1 ] && [ ! -s err ]; then
		ok "a closed pipe: ${c%% *}"
	elif [ "$s" -eq 0 ]; then
		echo "skip cli: a closed pipe: ${c%% *}: it all fitted"
	else
		bad "a closed pipe: ${c%% *}" "status $s: $(head -n 1 err)"
	fi
done

run 0 "--events" "$P" convert "$demo" -t csv -o raw --events
check "--events: a row an event" sh -c \
    '[ "$(sed 1d raw/events.csv | wc -l)" -ge 224 ]'
check "--events: all else is the same" sh -c \
    'diff -r -x .profpivot -x schema.json set raw |
    grep -v "^Only in raw: \(events\|executions\|binds\)" | cmp - /dev/null'
run 0 "a raw table by name" "$P" convert "$demo" -o - --table events
check "it is the same table" cmp out raw/events.csv

# What fails or is killed leaves the old output.
cp -r set old
run 0 "write it again" "$P" convert "$demo" -t csv -o set
check "the same bytes" diff -r set old
run 1 "fail over it" "$P" convert text.trc -t csv -o set
check "the old set is whole" diff -r set old
run 1 "--strict over it" "$P" convert --strict record.trc -t csv -o set
check "the old set is still whole" diff -r set old
mkfifo pipe
cp demo.xlsx old.xlsx
for sig in TERM INT HUP; do
	# more than is looked at to tell the format; then the pipe is open and
	# silent, and the run waits for input
	{ cat "$demo" "$demo" "$demo"; exec sleep 30; } >pipe &
	feeder=$!
	( trap - INT; exec "$P" convert pipe -o demo.xlsx ) 2>err &
	pid=$!
	n=0
	while absent demo.xlsx.tmp* && [ $n -lt 100 ]; do
		sleep 0.1
		n=$((n + 1))
	done
	absent demo.xlsx.tmp* && waited=no || waited=yes
	kill -$sig $pid 2>/dev/null
	# background jobs of a script have SIGINT ignored, and so has the run
	[ $sig = INT ] && { sleep 0.3; kill -TERM $pid 2>/dev/null; }
	wait $pid
	s=$?
	kill $feeder
	wait $feeder
	case $sig$s in
	TERM143 | HUP129 | INT143 | INT130)
		ok "killed by $sig" ;;
	*)	bad "killed by $sig" "status $s" ;;
	esac
	[ $waited = yes ] || echo "skip cli: killed by $sig: it was not writing"
	check "killed by $sig: the old output stays" cmp demo.xlsx old.xlsx
	check "killed by $sig: nothing is left" absent 'demo.xlsx.*'
done 2>/dev/null

# ------------------------------------------------------------------ inputs

gzip -nc "$demo" >demo.trc.gz
mkdir -p in/a in/b 'in/[x]'
cp "$demo" in/a/same.trc
cp middle.trc in/b/same.trc
cp middle.trc 'in/[x]/one.trc'
cp text.trc in/notes.txt
: >in/nothing
run 0 "gzip" "$P" convert demo.trc.gz -o gz.csv --table profile
check "gzip is called without .gz" cmp gz.csv p.csv
"$P" convert - -o stdin.csv --table profile <demo.trc.gz
check "standard input" sh -c \
    'sed s/^stdin/demo.trc/ stdin.csv | cmp - p.csv'
cat demo.trc.gz >pipe &
run 0 "a named pipe" "$P" convert pipe -o pipe.csv --table profile
check "a named pipe is read once" sh -c \
    'sed s/^pipe/demo.trc/ pipe.csv | cmp - p.csv'
run 0 "a folder" "$P" convert in -o f.csv --table sources
check "bystanders are passed over" sh -c '[ "$(sed 1d f.csv | wc -l)" -eq 3 ]'
check "equal names get as much path as tells them apart" \
    sh -c 'cut -d, -f1 f.csv | sort | tr "\n" " " |
    grep -q "^a/same.trc b/same.trc one.trc source $"'
run 0 "the output in the folder" "$P" convert in -t csv -o in/set
run 0 "and again" "$P" convert in -t csv -o in/set
check "is no input" sh -c '[ "$(sed 1d in/set/sources.csv | wc -l)" -eq 3 ]'
cp "$demo" in/out.csv
run 0 "OUT that looks like an input" \
    "$P" convert in -o in/out.csv --table sources
check "OUT is no input" sh -c '! grep -q "^out.csv" in/out.csv'
rm in/out.csv
run 0 "an existing path wins over a pattern" \
    "$P" convert 'in/[x]' -o g.csv --table sources
check "it is that path" grep -q '^one.trc,' g.csv
run 0 "a pattern" "$P" convert 'in/?/same.trc' -o g.csv --table sources
check "a pattern is expanded" sh -c '[ "$(sed 1d g.csv | wc -l)" -eq 2 ]'
run 0 "the same file twice" \
    "$P" convert "$demo" ./demo.trc.gz "$demo" -o g.csv --table sources
check "is read once" sh -c '[ "$(sed 1d g.csv | wc -l)" -eq 2 ]'
ln -s . in/loop
run 0 "a folder that holds itself" "$P" show in
rm in/loop

# The same bytes, whatever the order, the place, the locale and the zone.
run 0 "one order" "$P" convert in/a/same.trc middle.trc demo.trc.gz \
    -t csv -o o1
TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 run 0 "another order" \
    "$P" convert demo.trc.gz in/a/same.trc middle.trc -t csv -o o2
check "the order does not show" diff -r o1 o2
run 0 "a workbook twice" "$P" convert "$demo" -o demo2.xlsx
check "workbooks are the same" cmp demo.xlsx demo2.xlsx
mkdir elsewhere
( cd elsewhere && "$P" convert "$demo" -t csv -o ../o3 )
"$P" convert "$demo" -t csv -o o4
check "the working directory does not show" diff -r o3 o4

# ------------------------------------------------------------------ memory

run 1 "--max-memory" "$P" convert --max-memory 100k "$demo" -o m.xlsx
say "--max-memory is told" 'out of memory: .*--max-memory'
check "nothing is left" absent 'm.xlsx*'
run 0 "--max-memory that suffices" \
    "$P" convert --max-memory 64M "$demo" -t csv -o m

# A log of more than 16 MiB goes to --tmp.
awk 'BEGIN { for (i = 1; i <= 700000; i++) printf "WAIT #1: nam='\''db file" \
    " sequential read'\'' ela= %d file#=5 block#=%d blocks=1 obj#=-1 " \
    "tim=%d\n", i % 7, i, 1000000000 + i * 10 }' >long.trc
run 0 "a long trace" "$P" convert long.trc -o long.csv --table profile
check "its waits are counted" grep -q \
    '^long.trc,1,db file sequential read,wait,2.100000,[0-9.]*,700000,' long.csv
run 1 "--tmp is looked at first" "$P" convert long.trc --tmp "$work/none" \
    -o long2.csv --table profile
run 1 "no room for the log" env TMPDIR="$work/none" "$P" show long.trc
say "no room for the log is told" '\-\-tmp DIR'
check "no room for the log: nothing written" absent 'long2.csv*'
# less address space than the input has bytes
if [ "$("$P" --version | wc -l)" -eq 1 ] && (ulimit -v 72000) 2>/dev/null; then
	for i in 1 2; do cat long.trc; done >longer.trc
	(ulimit -v 72000; "$P" convert longer.trc -o longer.csv \
	    --table profile) 2>err
	s=$?
	if [ $s -eq 0 ] || [ $s -eq 3 ]; then
		ok "less address space than input"
	elif grep -q AddressSanitizer err || [ $s -gt 100 ]; then
		echo "skip cli: less address space than input: $(head -n 1 err)"
	else
		bad "less address space than input" "$(head -n 1 err)"
	fi
fi

# ------------------------------------------------------------------ report

# columns FILE: the widest line in characters
columns() {
	"$PYTHON" -c 'import sys
print(max(len(l.rstrip("\n")) for l in open(sys.argv[1], encoding="utf-8")))' \
	    "$1"
}
"$P" show "$demo" --report all >s80
"$P" show "$demo" --report all --width 200 >s200
"$P" show "$demo" --report all --width 40 >s40
check "80 columns when piped" [ "$(columns s80)" -le 80 ]
check "it uses them" [ "$(columns s80)" -ge 78 ]
check "200 columns" [ "$(columns s200)" -le 200 ]
check "it uses them too" [ "$(columns s200)" -ge 180 ]
check "no colour when piped" sh -c '! grep -q "$(printf "\033")" s80'
check "40 columns" [ "$(columns s40)" -le 40 ]
check "no blanks at the end of lines" sh -c '! grep -q " $" s80 s200'
TERM=xterm LC_ALL=en_US.UTF-8 COLUMNS=120 "$P" show "$demo" \
    --report all >s80b
check "what is piped is the same everywhere" cmp s80 s80b
for t in 'Resource profile' Timeline 'Tree of calls' 'Top statements' \
    'Waits of statements' 'Widest gaps' Problems; do
	check "section: $t" grep -q "^$t" s80
done
check "the profile adds up to the span" \
    grep -q '^total  *13.856263 100.00' s80
check "show: a profile adds up: LIMIT" sh -c '"$0" show "$1" | grep -q \
    "^(in no state) 0.199900  39.98$"' "$P" \
    "$top/corpora/showprofile/ok/limit.txt"
check "show: no room for a clock that is not there" sh -c \
    '"$0" show --width 160 "$1" | grep -q "^0.00000000 [^ ]"' "$P" \
    "$top/corpora/showprofile/ok/limit.txt"
check "--report chooses" sh -c '"$0" show "$1" --report gaps |
    grep -q "^Widest gaps" && ! "$0" show "$1" --report gaps |
    grep -q "^Timeline"' "$P" "$demo"
check "--top" sh -c '[ "$("$0" show "$1" --report statements --top 3 |
    grep -c "^    ")" -ge 3 ] && "$0" show "$1" --report statements --top 3 |
    grep -q "^8 others"' "$P" "$demo"
check "--intervals" sh -c '"$0" show "$1" --report timeline --intervals 7 |
    grep -q "7 intervals of"' "$P" "$demo"
check "--interval" sh -c '"$0" show "$1" --report timeline --interval 2s |
    grep -q "7 intervals of 2.000000 s"' "$P" "$demo"
check "--cpu one" sh -c '"$0" show "$1" --cpu one |
    grep -q "^CPU service  *0.076620 "' "$P" "$demo"
check "--think" sh -c '"$0" convert "$1" -o - --table profile --think 1s |
    grep "SQL.Net message from client,idle,11.840300,.*,1,"' "$P" "$demo"
check "show --idle exclude" sh -c '"$0" show "$1" --idle exclude |
    grep -q "^(idle waits)"' "$P" "$demo"

# On a terminal: its width, colour unless NO_COLOR, the progress line.
cat >terminal.py <<'PY'
import fcntl, os, pty, struct, sys, termios
columns = int(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
out = b""
while True:
    try:
        b = os.read(fd, 65536)
    except OSError:
        break
    if not b:
        break
    out += b
os.waitpid(pid, 0)
sys.stdout.buffer.write(out)
PY
if "$PYTHON" terminal.py 80 true 2>/dev/null; then
	tty() {
		n=$1
		shift
		# the width is set beside the start: wait for it
		"$PYTHON" terminal.py "$n" sh -c 'sleep 0.2; exec "$@"' sh "$@" |
		    tr -d '\r'
	}
	TERM=xterm LC_ALL=C.UTF-8 tty 132 "$P" show "$demo" >t132
	TERM=xterm LC_ALL=C tty 80 "$P" show "$demo" >t80
	NO_COLOR=1 TERM=xterm LC_ALL=C.UTF-8 tty 132 "$P" show "$demo" >tno
	check "colour on a terminal" grep -q "$(printf '\033')\[32m" t132
	check "no colour with NO_COLOR" \
	    sh -c '! grep -q "$(printf "\033")" tno'
	check "the width of the terminal" \
	    sh -c '[ "$0" -gt 120 ] && [ "$0" -le 132 ]' "$(columns tno)"
	check "ASCII where the terminal is no UTF-8" \
	    sh -c '! LC_ALL=C grep -q "[^ -~	$(printf "\033")]" t80'
	{ head -n 20000 long.trc; sleep 1.4; tail -n 20000 long.trc; } >pipe &
	tty 100 "$P" show pipe >tprogress
	wait
	check "a progress line" grep -q 'profpivot: [0-9.]* [kM]*B' tprogress
	{ head -n 20000 long.trc; sleep 1.4; tail -n 20000 long.trc; } >pipe &
	tty 100 "$P" show --progress never pipe >tprogress
	wait
	check "--progress never" \
	    sh -c '! grep -q "profpivot: [0-9.]* [kM]*B" tprogress'
else
	echo "skip cli: terminals: no pseudo-terminal here"
fi

# -------------------------------------------------------------------- list

run 0 "list readers" "$P" list readers
check "oracle10046 is a reader" grep -q '^oracle10046 ' out
run 0 "list writers" "$P" list writers
check "csv and xlsx are writers" sh -c 'grep -q "^csv " out &&
    grep -q "^xlsx " out'
run 0 "list tables" "$P" list tables
cut -d' ' -f1 out >tables
check "list tables" grep -qx profile tables
check "list tables: what waits for its contents" sh -c \
    '! grep -q "^events .*nothing fills" out'
run 0 "list columns" "$P" list columns
cp out columns
check "list columns has them all" sh -c 'cut -f1 columns | sed 1d | uniq |
    cmp - tables'
run 0 "list schema" "$P" list schema
check "list schema is XML" xmllint --noout out

# ------------------------------------------------------------------ README

# block N: the N-th block of README.md between fences
block() {
	awk -v n="$1" '/^```/ { in_block = !in_block; k += in_block; next }
	    in_block && k == n' "$top/README.md"
}
block 1 >orders.trc
check "README: twelve lines" [ "$(wc -l <orders.trc)" -eq 12 ]
"$P" show orders.trc --intervals 4 --report profile,timeline,statements >now
block 2 >then
check "README: what show prints" cmp then now
"$P" convert orders.trc -o - --table profile | cut -d, -f3-8 >now
block 3 >then
check "README: what convert writes" cmp then now

# --------------------------------------------------------------- man pages

man1=$top/man/profpivot.1 man5=$top/man/profpivot-formats.5
# what is read is never written over
cp "$demo" mine.trc
ln -s mine.trc link.trc
for c in "convert mine.trc -t json -o mine.trc" \
    "convert link.trc -t xlsx -o mine.trc" \
    "convert mine.trc -t csv --table profile -o ./link.trc" \
    "stap-merge mine.trc $demo -o mine.trc"; do
	# shellcheck disable=SC2086
	"$P" $c >out 2>err
	s=$?
	if [ "$s" -eq 1 ] && cmp -s "$demo" mine.trc &&
	    grep -q "is the input" err; then
		ok "an input as OUT: ${c%% *} ${c##* }"
	else
		bad "an input as OUT: $c" "status $s"
	fi
done
esc=$(printf 'esc\033[31m\n.trc')
cp "$demo" "./$esc" && printf 'WAIT #1: nam' >>"./$esc"
"$P" convert "./$esc" -t csv -o esc.csv >out 2>err
check "messages have no control bytes" sh -c \
    '! tr -d "\n" <err | LC_ALL=C grep -q "[[:cntrl:]]"'

# ------------------------------------------------ nothing between calls

run 0 "compare with a trace of calls without gaps" "$P" compare \
    "$top/corpora/showprofile/ok/limit.txt" \
    "$top/corpora/oracle10046/ok/deep_recursion.trc" -o - \
    --table compare_statements
check "nothing between calls is no difference" sh -c \
    'grep -q ",new," out && ! grep -q "^(between calls)" out'

# ---------------------------------------------- intervals that cannot be

trc=$top/corpora/oracle10046/ok/deep_recursion.trc
for c in 1ps 1500ns; do
	run 0 "--interval $c" "$P" convert "$trc" --interval "$c" \
	    --table timeline -o intervals.csv
	say "--interval $c is told" 'it was rounded'
done
run 0 "--interval 1us of 13.9 s" "$P" convert "$demo" --interval 1us \
    --table timeline_pivot -o intervals.csv
say "--interval 1us of 13.9 s is told" 'more than 1000000 intervals'
run 0 "--interval of whole ticks" "$P" convert "$demo" --interval 10ms \
    --table timeline -o intervals.csv
check "--interval of whole ticks is not told" sh -c '! grep -q interval err'

# ------------------------------------------------ why there is no output

for c in "show -q nowhere.trc" "convert -q nowhere.trc -t csv -o quiet.d"; do
	# shellcheck disable=SC2086
	run 1 "no input and -q: ${c%% *}" "$P" $c
	say "no input and -q is told: ${c%% *}" 'nowhere.trc: cannot open'
done
printf 'nothing that is a record\n' >none.txt
run 1 "no record and -q" "$P" show -q none.txt
say "no record and -q is told" 'none.txt: no record that a reader knows'

# ---------------------------------------- what nothing in the input is for

trc=$top/corpora/oracle10046/ok/deep_recursion.trc
run 0 "options for other inputs" "$P" show "$trc" --delta --shift-states \
    --fields-terminated-by , --report problems --width 60
check "options for other inputs are told, in whole" sh -c \
    'tr -s " \n" " " <out | grep -q -- "no-effect --delta: no input holds\
 totals of a server; --shift-states: no input holds SHOW PROFILE;\
 --fields-terminated-by: no input is an export of a client"'
check "in lines of the width" sh -c '! LC_ALL=C.UTF-8 grep -q ".\{61\}" out'
run 0 "digests that no row fits" "$P" show "$top/corpora/digests/pgss13.csv" \
    --where schema=nowhere
say "digests that no row fits are told" 'no row matches: schema=nowhere'
run 0 "a trace and digests that nothing fits" "$P" show "$demo" \
    "$top/corpora/digests/pgss13.csv" --where source=nowhere
say "a trace and digests that nothing fits are told" \
    'no row matches: source=nowhere'
run 0 "digests that a row fits" "$P" show "$top/corpora/digests/pgss13.csv" \
    --where source=pgss13.csv
check "digests that a row fits are not" sh -c '! grep -q no-match err out'
run 0 "a folder by its slash" "$P" convert "$trc" -o slash.d/
check "a folder by its slash is one of CSV" test -f slash.d/profile.csv

# ------------------------------------------- no input, but a way to one

printf "ERROR at line 1: Unknown command '\\\\G'.\n" >rejected.txt
run 1 "only the client's error" "$P" show rejected.txt
say "only the client's error is told" 'rejected its command: .* no result'
printf '%s\n' '# Time: 2026-01-01T00:00:00.000000Z' \
    '# User@Host: app[app] @ db []  Id: 7' \
    '# Query_time: 0.500000  Lock_time: 0.000000 Rows_sent: 1' \
    'SELECT 1;' >slow.log
run 1 "a slow query log" "$P" show slow.log
say "a slow query log is told" 'run pt-query-digest --output json'
printf '%s\n' '' '# 120ms user time, 10ms system time, 30M rss' \
    '# Overall: 3 total, 1 unique, 0.1 QPS, 0.05x concurrency ____' \
    >report.txt
run 1 "a report of pt-query-digest" "$P" show report.txt
say "a report of pt-query-digest is told" 'run pt-query-digest --output json'

# ----------------------------------- tables that this input does not fill

run 2 "a table of another command" "$P" convert "$demo" -o - \
    --table compare_events
say "a table of another command is told" 'is of the command compare'
run 2 "a table of another mode" "$P" convert "$demo" -o - \
    --tables digest_deltas,profile
run 2 "a table that needs --delta" "$P" convert "$demo" -o - \
    --table digest_deltas
say "a table that needs --delta is told" 'digest_deltas needs --delta'
run 0 "a table of another kind of input" "$P" convert "$demo" -o - \
    --table stages
say "a table of another kind of input is told" 'fills the table stages'
check "a table of another kind has its header" sh -c \
    '[ "$(wc -l <out)" -eq 1 ] && grep -q "^[a-z_]*,[a-z_]*," out'
run 0 "an unfilled table among others" "$P" convert "$demo" -t csv \
    -o unfilled --tables stages,profile
say "an unfilled table among others is told" 'fills the table stages'

# a million waits and more, which no sheet holds; a selection may still fit
awk 'BEGIN { print "Oracle Database 11g Release 11.2.0.1.0 - Production"
    for (i = 1; i <= 1048576; i++)
	printf "WAIT #1: nam=\047a\047 ela= 1 p1=0 p2=0 p3=0 tim=%d\n", \
	    5000000000 + 2 * i }' >million.trc
run 1 "more events than a sheet holds" "$P" convert million.trc -o x.xlsx \
    --events --spill refuse
say "more events than a sheet holds is told" \
    'events has more than 1048575 rows.*--spill sheets'
check "nothing is written then" sh -c '! ls x.xlsx* 2>/dev/null'
run 0 "few of many events" "$P" convert million.trc -o x.xlsx \
    --tables sources,events --since 0 --until 0.001 --spill refuse
rm -f million.trc x.xlsx

missing=$(sed -n 's/^PP_MSG([A-Z0-9_]*, "\([^"]*\)".*/\1/p' \
    "$top/model/base/diag.def" | while read -r id; do
	grep -q "^\.It Bq $id\$" "$man1" || echo "$id"
done)
check "the man page tells every message" [ -z "$missing" ]
missing=$(cat help.convert help.show help.list |
    sed -n 's/^  .*--\([a-z-]*\).*/\1/p' | sort -u | while read -r o; do
	grep -qE -e "^\.It Fl (. , )?Fl -$o( |\$)|^\.It Fl -$o( |\$)" \
	    "$man1" || echo "$o"
done)
check "the man page tells every option" [ -z "$missing" ]
sh "$top/man/tables.sh" "$P" >mdoc 2>/dev/null
sed -n '/^\.\\" TABLES BEGIN/,/^\.\\" TABLES END/p' "$man5" | sed '1d;$d' |
    diff mdoc - >d
check "the man page tells every table (sh man/tables.sh)" empty d
exit 0
