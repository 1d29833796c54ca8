#!/usr/bin/python3
"""What tests/bench.sh runs: speed and memory of jobs on one trace.

measure PROGRAM TRACE TMP RUNS HISTORY REVISION [OPTION...]
compare PROGRAM TRACE TMP RUNS OTHER NAME [OPTION...]

CPU seconds are user and system time; these and wall seconds are the best of
RUNS runs.  Wall tells something only where the machine does nothing else.
"""
import gzip
import os
import shutil
import sys
import tempfile
import time

# name, options behind `convert -q`, what -o is; {out} is put in
JOBS = (
    ('csv', ['-t', 'csv', '--jobs', '1'], 'out'),
    ('csv, 2 jobs', ['-t', 'csv', '--jobs', '2'], 'out'),
    ('events as csv', ['--events', '-t', 'csv', '--jobs', '1'], 'out'),
    ('events as csv, 2 jobs', ['--events', '-t', 'csv', '--jobs', '2'],
     'out'),
    ('events as parquet', ['--events', '-t', 'parquet', '--jobs', '1'],
     'out'),
    ('gzip input', ['-t', 'csv', '--jobs', '1'], 'out'),
    ('gzip input, 2 jobs', ['-t', 'csv', '--jobs', '2'], 'out'),
)
TABLE = ('csv', 'tsv', 'json', 'ndjson', 'xml')


class Bench:
    def __init__(self, trace, tmp, args):
        self.trace = trace
        self.args = args
        self.work = tempfile.mkdtemp(prefix='profpivot-bench-', dir=tmp)
        self.out = os.path.join(self.work, 'out')
        self.packed = os.path.join(self.work, 'packed.trc.gz')
        self.tenth = os.path.join(self.work, 'tenth.trc')
        self.size = os.path.getsize(trace)
        self.read()

    def read(self):
        """Warm the page cache; make a tenth of the trace."""
        goal = self.size // 10
        with open(self.trace, 'rb') as f, open(self.tenth, 'wb') as g:
            while True:
                b = f.read(1 << 20)
                if not b:
                    break
                left = goal - g.tell()
                if left <= 0:
                    continue
                end = b.find(b'\n', left) + 1 if len(b) > left else len(b)
                g.write(b[:end or len(b)])

    def pack(self):
        with open(self.trace, 'rb') as f, \
                gzip.open(self.packed, 'wb', compresslevel=1) as g:
            shutil.copyfileobj(f, g, 1 << 20)

    def once(self, argv, ok=(0,)):
        """CPU seconds, wall seconds, peak in KiB."""
        shutil.rmtree(self.out, ignore_errors=True)
        # a file: grep stops at the first match when it writes to /dev/null
        said = os.open(os.path.join(self.work, 'stdout'),
                       os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        begin = time.monotonic()
        pid = os.posix_spawnp(
            argv[0], argv, dict(os.environ, LC_ALL='C'),
            file_actions=[(os.POSIX_SPAWN_DUP2, said, 1)])
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - begin
        os.close(said)
        code = os.waitstatus_to_exitcode(status)
        if code not in ok:
            sys.exit('bench: %s: exit status %d' % (' '.join(argv), code))
        return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss

    def best(self, argv, runs, ok=(0, 3)):
        all_runs = [self.once(argv, ok) for _ in range(runs)]
        return (min(r[0] for r in all_runs), min(r[1] for r in all_runs),
                max(r[2] for r in all_runs))

    def convert(self, prog, options, out='out', trace=None):
        return [prog, 'convert', '-q', *self.args, *options,
                trace or self.trace, '-o', os.path.join(self.work, out)]

    def job(self, prog, name, options, out):
        return self.convert(prog, options, out, self.packed
                            if name.startswith('gzip') else None)


class History:
    """One line a figure; made with a head where it is not there."""
    HEAD = ('at', 'revision', 'trace_mb', 'job', 'cpu_s', 'wall_s',
            'mb_per_cpu_s', 'to_grep', 'to_wc', 'peak_mib')

    def __init__(self, path, revision, mb, grep, wc):
        self.path, self.revision, self.mb = path, revision, mb
        self.grep, self.wc = grep, wc
        self.at = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())

    def add(self, job, cpu, wall, peak):
        new = not os.path.exists(self.path)
        row = (self.at, self.revision, '%.1f' % self.mb, job, '%.3f' % cpu,
               '%.3f' % wall, '%.0f' % (self.mb / cpu),
               '%.2f' % (cpu / self.grep), '%.2f' % (cpu / self.wc),
               '%.1f' % (peak / 1024))
        with open(self.path, 'a', encoding='utf-8') as f:
            if new:
                f.write('\t'.join(self.HEAD) + '\n')
            f.write('\t'.join(row) + '\n')
        print('%-24s %7.3f s CPU %7.3f s wall %6.0f MB per CPU second, '
              '%5.1f x grep, %5.1f x wc, peak %5.1f MiB' % (
                  job, cpu, wall, self.mb / cpu, cpu / self.grep,
                  cpu / self.wc, peak / 1024))


def measure(b, prog, runs, path, revision):
    mb = b.size / 1e6
    print('%s: %.1f MB' % (os.path.basename(b.trace), mb))
    grep = b.best(['grep', '-c', 'WAIT', b.trace], runs, (0, 1))
    wc = b.best(['wc', '-l', b.trace], runs)
    h = History(path, revision, mb, grep[0], wc[0])
    h.add('LC_ALL=C grep -c WAIT', *grep)
    h.add('wc -l', *wc)
    b.pack()
    h.add('zcat', *b.best(['zcat', b.packed], runs))
    for job in JOBS:
        h.add(job[0], *b.best(b.job(prog, *job), runs))
    h.add('show', *b.best([prog, 'show', '-q', '--jobs', '1', b.trace], runs))
    raw_formats(b, prog, runs, h)
    for jobs in ('1', '2'):
        small, large = (b.once(b.convert(
            prog, ['-t', 'csv', '--jobs', jobs], trace=t), (0, 3))[2]
            for t in (b.tenth, b.trace))
        print('peak memory, --jobs %s: %.1f MiB for %.0f MB, %.1f MiB for '
              '%.0f MB' % (jobs, small / 1024, os.path.getsize(b.tenth) /
                           1e6, large / 1024, mb))


def raw_formats(b, prog, runs, h):
    """What a format costs: the run that writes the raw table less one that
    reads as much and writes next to nothing."""
    one = ['--jobs', '1']
    base = b.best(b.convert(prog, one + ['--table', 'profile'], 'out.csv'),
                  runs)[0]
    for kind in TABLE:
        name = 'out.' + kind
        cpu, wall, peak = b.best(b.convert(
            prog, one + ['--table', 'events'], name), runs)
        made = os.path.getsize(os.path.join(b.work, name)) / 1e6
        h.add('table events as ' + kind, cpu, wall, peak)
        print('%24s %.0f MB out, %.0f MB of them per CPU second' % (
            '', made, made / max(cpu - base, 1e-3)))
        os.unlink(os.path.join(b.work, name))
    spec = 'p=events:event,statement:class,session:elapsed_s'
    h.add('pivot over events', *b.best(b.convert(
        prog, one + ['--pivot', spec, '--table', 'p'], 'out.csv'), runs))


def compare(b, prog, runs, other, name):
    """By turns, so that both see the same machine."""
    b.pack()
    print('%-24s %10s %10s %10s %12s' % ('CPU seconds', name, 'this', 'ratio',
                                         'ratio, wall'))
    for job in JOBS:
        old, new = [], []
        for _ in range(runs):
            for who, seen in ((other, old), (prog, new)):
                argv = b.job(who, *job)
                try:
                    seen.append(b.once(argv, (0, 3)))
                except SystemExit:
                    if who == prog:
                        raise
        cpu, wall = (min(r[i] for r in new) for i in range(2))
        if not old:
            print('%-24s %10s %10.3f %10s' % (job[0], '-', cpu, '-'))
            continue
        old_cpu, old_wall = (min(r[i] for r in old) for i in range(2))
        print('%-24s %10.3f %10.3f %10.3f %12.3f' % (
            job[0], old_cpu, cpu, cpu / old_cpu, wall / old_wall))


def main():
    how, prog, trace, tmp, runs, x, y = sys.argv[1:8]
    b = Bench(trace, tmp, sys.argv[8:])
    try:
        (measure if how == 'measure' else compare)(b, prog, int(runs), x, y)
    finally:
        shutil.rmtree(b.work, ignore_errors=True)


main()
