#!/bin/sh
# Speed and memory of `profpivot convert -t csv` on a grown trace, beside wc
# and grep on the same file in the same run: processors differ, ratios less.
#
#   BENCH_MB     size of the trace (300)
#   BENCH_RUNS   runs of each command, the best counts (3)
#   BENCH_TRACE  a trace to use instead of a grown one
#   BENCH_ARGS   more options of convert
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

"$PYTHON" - "$prog" "$trace" "$tmp" "${BENCH_RUNS:-3}" $BENCH_ARGS <<'EOP'
import os, shutil, sqlite3, sys, tempfile, time

prog, trace, tmp, runs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
args = sys.argv[5:]
work = tempfile.mkdtemp(prefix='profpivot-bench-', dir=tmp)
out = os.path.join(work, 'out')


def run(argv, times, ok=(0,)):
    """Best CPU seconds, wall seconds of that run, largest peak in KiB."""
    best = None
    peak = 0
    env = dict(os.environ, LC_ALL='C')
    for _ in range(times):
        shutil.rmtree(out, ignore_errors=True)
        # a file: grep stops at the first match when it writes to /dev/null
        said = os.open(os.path.join(work, 'stdout'),
            os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        begin = time.monotonic()
        pid = os.posix_spawnp(argv[0], argv, env,
            file_actions=[(os.POSIX_SPAWN_DUP2, said, 1)])
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - begin
        os.close(said)
        code = os.waitstatus_to_exitcode(status)
        if code not in ok:
            sys.exit('bench: %s: exit status %d' % (' '.join(argv), code))
        cpu = usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss)
        if best is None or cpu < best[0]:
            best = (cpu, wall)
    return best[0], best[1], peak


def line(what, cpu, wall):
    print('%-24s %7.3f s CPU %7.3f s wall %7.0f MB per CPU second' %
        (what, cpu, wall, size / 1e6 / cpu))


try:
    size = 0
    tenth = os.path.join(work, 'tenth.trc')
    with open(trace, 'rb') as f, open(tenth, 'wb') as g:
        goal = os.fstat(f.fileno()).st_size // 10
        while True:                 # this warms the page cache, too
            b = f.read(1 << 20)
            if not b:
                break
            size += len(b)
            if g.tell() < goal:
                left = goal - g.tell()
                g.write(b if len(b) < left else b[:b.find(b'\n', left) + 1]
                    if b.find(b'\n', left) >= 0 else b)
    convert = [prog, 'convert', '-q', '-t', 'csv', *args]
    print('%s: %.1f MB' % (os.path.basename(trace), size / 1e6))
    cpu, wall, peak = run([*convert, trace, '-o', out], runs, (0, 3))
    line('convert -t csv', cpu, wall)
    wc, wwall, _ = run(['wc', '-l', trace], runs)
    line('wc -l', wc, wwall)
    grep, gwall, _ = run(['grep', '-c', 'WAIT', trace], runs, (0, 1))
    line('LC_ALL=C grep -c WAIT', grep, gwall)
    print('convert takes %.1f times the CPU of wc -l, %.1f times that of grep'
        % (cpu / wc, cpu / grep))
    # what a format costs: the run that writes the raw table less one that
    # reads as much and writes next to nothing
    plain = [prog, 'convert', '-q', *args, trace]
    base, _, _ = run([*plain, '--table', 'profile', '-o', out + '.csv'],
        runs, (0, 3))
    for kind in ('csv', 'tsv', 'json', 'ndjson', 'xml'):
        name = '%s.%s' % (out, kind)
        cpu, wall, _ = run([*plain, '--table', 'events', '-o', name], runs,
            (0, 3))
        made = os.path.getsize(name) / 1e6
        print('%-24s %7.3f s CPU %7.0f MB out %7.0f MB per CPU second, '
            '%.0f with the reading' % ('events as ' + kind, cpu, made,
            made / max(cpu - base, 1e-3), made / cpu))
        os.unlink(name)
    rows = None
    for kind in ('sqlite', 'parquet'):
        name = '%s.%s' % (out, kind)
        cpu, wall, peak = run([*plain, '--table', 'events', '-o', name],
            runs, (0, 3))
        if rows is None:
            db = sqlite3.connect(name)
            rows = db.execute('SELECT count(*) FROM events').fetchone()[0]
            db.close()
        print('%-24s %7.3f s CPU %7.0f MB out %7.2f million rows per CPU '
            'second, %.2f with the reading; peak memory %.1f MiB' %
            ('events as ' + kind, cpu, os.path.getsize(name) / 1e6,
            rows / 1e6 / max(cpu - base, 1e-3), rows / 1e6 / cpu,
            peak / 1024))
        os.unlink(name)
    spec = 'p=events:event,statement:class,session:elapsed_s'
    pivot = ['--pivot', spec, '--table', 'p', '-o', out + '.csv']
    cpu, wall, peak = run([*plain, *pivot], runs, (0, 3))
    _, _, small = run([prog, 'convert', '-q', *args, tenth, *pivot], 1,
        (0, 3))
    print('%-24s %7.3f s CPU %7.3f s more than without; peak memory %.1f MiB,'
        ' %.1f MiB for a tenth' % ('pivot over events', cpu, cpu - base,
        peak / 1024, small / 1024))
    tsize = os.path.getsize(tenth)
    _, _, small = run([*convert, tenth, '-o', out], 1, (0, 3))
    print('peak memory %.1f MiB for %.0f MB, %.1f MiB for %.0f MB' %
        (small / 1024, tsize / 1e6, peak / 1024, size / 1e6))
finally:
    shutil.rmtree(work, ignore_errors=True)
EOP
