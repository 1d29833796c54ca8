#!/bin/sh
# Speed and memory of `profpivot` on a grown trace, beside wc and grep on the
# same file in the same run: processors differ, ratios less.  Every figure
# goes into build/bench-history.tsv, too; nothing fails for being slow.
#
#   BENCH_MB     size of the trace (300)
#   BENCH_RUNS   runs of each command, the best counts (3)
#   BENCH_TRACE  a trace to use instead of a grown one
#   BENCH_ARGS   more options of convert
#   BENCH_BASE   a revision: build it, run both by turns, print the ratios
# The grown trace stays in ${TMPDIR:-/tmp} for the next run.

set -e
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
PYTHON=${PYTHON:-/usr/bin/python3}
mb=${BENCH_MB:-300}
tmp=${TMPDIR:-/tmp}
gen=${PP_SHARED:-../shared}/tools/gen-trace.py

case $BUILD in
/*) prog=$BUILD/profpivot ;;
*) prog=$(pwd)/$BUILD/profpivot ;;
esac

# Say the traces of corpora/ over and over.
repeat() {
	set -- corpora/oracle10046/ok/*.trc
	[ -f "$1" ] || { echo "bench: no trace in corpora/" >&2; return 1; }
	cat "$@" > "$new.part"
	while [ "$(wc -c < "$new.part")" -lt 2000000 ]; do
		cat "$new.part" "$new.part" > "$new.twice"
		mv "$new.twice" "$new.part"
	done
	: > "$new"
	while [ "$(wc -c < "$new")" -lt $((mb * 1000000)) ]; do
		cat "$new.part" >> "$new"
	done
	rm -f "$new.part"
}

trace=$BENCH_TRACE
if [ -z "$trace" ]; then
	kind=corpora
	[ -f "$gen" ] && kind=grown
	trace=$tmp/profpivot-bench-$kind-$mb.trc
	new=$trace.$$
	trap 'rm -f "$new" "$new.part" "$new.twice"' EXIT
	if [ ! -f "$trace" ]; then
		echo "bench: making $mb MB of trace ($kind)" >&2
		if [ $kind = grown ]; then
			"$PYTHON" "$gen" "$new" "$mb" >&2
		else
			repeat
		fi
		mv "$new" "$trace"
	fi
fi

rev=$(git describe --always --dirty 2>/dev/null || echo unknown)

if [ -z "$BENCH_BASE" ]; then
	exec "$PYTHON" tests/bench.py measure "$prog" "$trace" "$tmp" \
	    "${BENCH_RUNS:-3}" "$BUILD/bench-history.tsv" "$rev" $BENCH_ARGS
fi

# The other revision is built from an archive of it, once.
base=$(git rev-parse --short "$BENCH_BASE^{commit}")
dir=$tmp/profpivot-bench-$base
if [ ! -x "$dir/build/profpivot" ]; then
	echo "bench: building $base in $dir" >&2
	rm -rf "$dir"
	mkdir -p "$dir"
	git archive "$base" | tar -xf - -C "$dir"
	${MAKE:-make} -C "$dir" -j2 BUILD=build CC="${CC:-gcc}" >/dev/null
fi
exec "$PYTHON" tests/bench.py compare "$prog" "$trace" "$tmp" \
    "${BENCH_RUNS:-5}" "$dir/build/profpivot" "$base" $BENCH_ARGS
