#!/bin/sh
# Run every test program and test script, or those named as arguments, and
# count.  The last line is "N passed, N failed, N skipped"; the status is 1
# when something failed or nothing ran.
#
# A program prints cmocka's TAP.  A script prints lines "ok NAME",
# "not ok NAME: why" and "skip NAME: why", and finds in the environment
#   PROFPIVOT  the program under test
#   PP_SHARED  the folder with the shared corpora, or empty
#   PP_BLESS   1: write the expected results anew (make golden)
# A test that crashes, hangs, exits non-zero or says nothing has failed.

cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
PYTHON=${PYTHON:-/usr/bin/python3}
case $BUILD in
/*) PROFPIVOT=$BUILD/profpivot ;;
*) PROFPIVOT=$(pwd)/$BUILD/profpivot ;;
esac
if [ -z "${PP_SHARED+set}" ] && [ -d ../shared ]; then
	PP_SHARED=$(cd ../shared && pwd)
fi
PP_SHARED=${PP_SHARED-}
# one test must not see another's taste
unset CDPATH
export BUILD PYTHON PROFPIVOT PP_SHARED
export CMOCKA_MESSAGE_OUTPUT=TAP

if [ $# -eq 0 ]; then
	for c in tests/test_*.c; do
		[ -f "$c" ] || continue
		p=$BUILD/${c%.c}
		set -- "$@" "$p"
	done
	for s in tests/*.test.sh tests/*.test.py; do
		[ -f "$s" ] && set -- "$@" "$s"
	done
fi

mkdir -p "$BUILD/tests"
out=$BUILD/tests/output.$$
trap 'rm -f "$out"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
passed=0
failed=0
skipped=0

# Count the result lines of $out into ok, bad, skip and plan.
count_tap='
/^1\.\.[0-9]+$/ { plan += substr($0, 4) }
/^(not )?ok [0-9]+ / {
	if (/# SKIP/) s++; else if (/^ok/) o++; else b++
	next
}
# behind a line that the program left open
/not ok [0-9]+ (- [A-Za-z0-9_]+|# SKIP .*)$/ {
	if (/# SKIP/) s++; else b++
	next
}
/ok [0-9]+ - [A-Za-z0-9_]+$/ { o++ }
END { print o + 0, b + 0, s + 0, plan + 0 }'
count_script='
/^ok / { o++ }
/^not ok / { b++ }
/^skip / { s++ }
END { print o + 0, b + 0, s + 0, o + b + s }'

for t in "$@"; do
	name=${t##*/}
	[ -f "$t" ] || continue
	case $t in
	*.sh) how=script; timeout 900 sh "$t" >"$out" 2>&1 ;;
	*.py) how=script; timeout 900 "$PYTHON" "$t" >"$out" 2>&1 ;;
	*) how=tap; timeout 900 "$t" >"$out" 2>&1 ;;
	esac </dev/null
	status=$?
	if [ $how = tap ]; then
		set -- $(LC_ALL=C awk "$count_tap" "$out")
	else
		set -- $(LC_ALL=C awk "$count_script" "$out")
	fi
	ok=$1 bad=$2 skip=$3 plan=$4
	why=
	if [ "$bad" -eq 0 ]; then
		if [ $status -eq 124 ]; then
			why="no end after 900 s"
		elif [ $status -gt 128 ]; then
			why="killed by signal $((status - 128))"
		elif [ $status -ne 0 ]; then
			why="exit status $status"
		elif [ $((ok + skip)) -eq 0 ]; then
			why="no result"
		elif [ $((ok + skip)) -lt "$plan" ]; then
			why="$((ok + skip)) of $plan tests ran"
		fi
		[ -z "$why" ] || bad=1
	fi
	if [ "$bad" -gt 0 ]; then
		LC_ALL=C grep -av "^ok " "$out"
		echo "FAIL $name: ${why:-$bad failed}"
	else
		LC_ALL=C grep -aE '^skip |# SKIP' "$out"
		echo "pass $name: $ok"
	fi
	passed=$((passed + ok))
	failed=$((failed + bad))
	skipped=$((skipped + skip))
done

echo "$passed passed, $failed failed, $skipped skipped" |
    tee "$BUILD/tests/summary"
[ "$failed" -eq 0 ] && [ $((passed + failed)) -gt 0 ]
