#!/usr/bin/python3
"""--jobs: the same bytes with any number of threads, and a clean end when a
run fails or is killed while they work."""
import bz2
import gzip
import hashlib
import lzma
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import CORPORA, HERE, PROFPIVOT, Report     # noqa: E402

report = Report()
JOBS = ('1', '2', '3', '8')
OK = os.path.join(CORPORA, 'ok')
work = tempfile.mkdtemp(prefix='profpivot-test-')


def grown(mb):
    """Traces of corpora/ over and over."""
    parts = []
    for name in sorted(os.listdir(OK)):
        if name.endswith('.trc'):
            with open(os.path.join(OK, name), 'rb') as f:
                parts.append(f.read())
    once = b''.join(parts)
    return once * (mb * 1000000 // len(once) + 1)


def tree(path):
    """What a run wrote, as one sum."""
    h = hashlib.sha256()
    if os.path.isfile(path):
        names = [path]
    else:
        names = [os.path.join(d, n) for d, _, files in os.walk(path)
                 for n in files]
    for name in sorted(names):
        h.update(os.path.relpath(name, path).encode())
        with open(name, 'rb') as f:
            h.update(f.read())
    return h.hexdigest() if names else None


def run(args, stdin=None, **more):
    return subprocess.run([PROFPIVOT] + args, stdin=stdin,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, **more)


def same(name, inputs, options, suffix='', stdin=None):
    wrong, seen = [], None
    for jobs in JOBS:
        out = os.path.join(work, 'out' + suffix)
        f = open(stdin, 'rb') if stdin else None
        got = run(['convert', '--jobs', jobs, *options, *inputs, '-o', out],
                  f)
        if f:
            f.close()
        this = (got.returncode, got.stderr, tree(out))
        if seen is None:
            seen = this
            if this[2] is None:
                wrong.append('nothing written: %r' % (got.stderr[:200],))
        elif this != seen:
            wrong.append('--jobs %s: %r, not %r' % (jobs, this, seen))
        shutil.rmtree(out, ignore_errors=True)
        if os.path.exists(out):
            os.unlink(out)
    report.result('jobs: ' + name, wrong)


def formats(path):
    with open(path, 'rb') as f:
        data = f.read()
    half = len(data) // 2
    forms = {
        'gz': gzip.compress(data, 1),
        'members.gz': gzip.compress(data[:half], 1) +
        gzip.compress(data[half:], 1),
        'small.gz': b''.join(gzip.compress(data[i:i + 20000], 1)
                             for i in range(0, len(data), 20000)),
        'cut.gz': gzip.compress(data, 1)[:-5000],
        'bz2': bz2.compress(data),
        'xz': lzma.compress(data, preset=0),
    }
    for kind, packed in forms.items():
        name = os.path.join(work, 'packed.trc.' + kind)
        with open(name, 'wb') as f:
            f.write(packed)
        same('packed as ' + kind, [name], ['-t', 'csv'])
        os.unlink(name)


def many_files():
    folder = os.path.join(work, 'many')
    os.mkdir(folder)
    for name in sorted(os.listdir(OK)):
        if name.endswith('.trc'):
            with open(os.path.join(OK, name), 'rb') as f:
                data = f.read()
            with open(os.path.join(folder, name), 'wb') as f:
                f.write(data)
            if name < 'r':
                with gzip.open(os.path.join(folder, 'x' + name + '.gz'),
                               'wb') as f:
                    f.write(data)
    same('a folder of traces', [folder], ['-t', 'csv', '--events'])
    same('a folder of traces, as XML', [folder], [], '.xml')
    same('damaged traces', [os.path.join(CORPORA, 'bad')], ['-t', 'csv'])
    for kind in ('showprofile', 'client', 'digests'):
        dump = os.path.join(os.path.dirname(HERE), 'corpora', kind)
        if os.path.isdir(dump):
            same('corpora/' + kind, [dump], ['-t', 'csv', '--events'])


HEAD = b"""Trace file %s
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
System name:\tLinux
Instance name: QUAY1
Oracle process number: 45
Unix process pid: 7321, image: oracle@quay (S000)

"""


def interleaved(events, sessions, roots):
    """A shared server: its sessions take turns, also inside of calls.  Calls
    nest as they should; roots: one call in so many has a line of depth 0."""
    out, seed, n = [], 7, 0
    now = [10000000 + 37 * s for s in range(sessions)]
    kept = [()] * sessions
    for s in range(sessions):
        out.append(b'*** SESSION ID:(%d.%d) 2024-11-05 10:00:00.000000\n'
                   b'=====================\nPARSING IN CURSOR #%d len=20 '
                   b'dep=0 uid=9 oct=3 lid=9 tim=%d hv=%d ad=\'a\' '
                   b'sqlid=\'%013d\'\nselect %d from quays\n'
                   b'END OF STMT\n' % (s + 10, s + 1, s + 10, now[s], s, s, s))
    while n < events:
        seed = (seed * 1103515245 + 12345) % 2147483648
        s = (seed >> 8) % sessions
        out.append(b'*** SESSION ID:(%d.%d) 2024-11-05 10:00:01.000000\n'
                   % (s + 10, s + 1))
        if (seed >> 16) % 7 == 0:
            out.append(b'*** MODULE NAME:(m%d) 2024-11-05 10:00:01.000000\n'
                       % (seed % 3))
        if not kept[s]:
            begin, t, kids = now[s], now[s], 0
        else:
            begin, t, kids = kept[s]
        for k in range((seed >> 11) % 6):
            t += 5 + (seed >> (9 + k)) % 90
            if k % 2:
                out.append(b"WAIT #%d: nam='quay %d' ela= 4 a=1 b=2 c=3 "
                           b"obj#=-1 tim=%d\n" % (s + 10, seed % 5, t))
            else:
                out.append(b'EXEC #%d:c=2,e=5,p=0,cr=%d,cu=0,mis=0,r=0,dep=1,'
                           b'og=4,plh=0,tim=%d\n' % (s + 10, k % 3, t))
            n += 1
        kids += 1
        if kids < 3 and seed % 5 == 0:
            kept[s] = (begin, t, kids)      # it goes on later
            continue
        kept[s] = ()
        t += 11
        if n % roots == 0:
            out.append(b'EXEC #%d:c=%d,e=%d,p=0,cr=1,cu=0,mis=0,r=1,dep=0,'
                       b'og=4,plh=0,tim=%d\n' % (s + 10, seed % 40,
                                                  t - begin, t))
            n += 1
        out.append(b"WAIT #%d: nam='SQL*Net message from client' ela= 20 "
                   b"a=1 b=1 c=0 obj#=-1 tim=%d\n" % (s + 10, t + 25))
        n += 1
        now[s] = t + 30
    return out


def lanes():
    """Logs that are long enough to be walked by several threads."""
    name = os.path.join(work, 'QUAY1_s000_7321.trc')
    cases = (('many sessions', 330000, 40, 1), ('one session', 330000, 1, 1),
             ('calls without roots', 330000, 3, 900000),
             ('a log that is spilled', 700000, 11, 1))
    for what, events, sessions, roots in cases:
        lines = interleaved(events, sessions, roots)
        with open(name, 'wb') as f:
            f.write(HEAD % name.encode() + b''.join(lines))
        same('walk, ' + what, [name], ['-t', 'csv', '--tables', 'all'])
    same('walk, little memory', [name], ['-t', 'csv', '--max-memory', '48M'])
    same('walk, split by module', [name], ['-t', 'csv', '--by', 'module'])
    same('walk, a selection', [name], ['-t', 'csv', '--where',
                                       'class=wait'])
    same('walk, no timeline', [name], ['-t', 'csv', '--tables', 'profile'])
    # the second half in a file that goes on
    folder = os.path.join(work, 'two')
    os.mkdir(folder)
    half = len(lines) // 2
    with open(os.path.join(folder, os.path.basename(name)), 'wb') as f:
        f.write(HEAD % name.encode() + b''.join(lines[:half]) +
                b'*** TRACE CONTINUES IN FILE /quay/QUAY1_s000_7321_b.trc ***'
                b'\n')
    with open(os.path.join(folder, 'QUAY1_s000_7321_b.trc'), 'wb') as f:
        f.write(HEAD % b'/quay/QUAY1_s000_7321_b.trc' +
                b'*** TRACE CONTINUED FROM FILE /quay/' +
                os.path.basename(name).encode() + b' ***\n' +
                b''.join(lines[half:]))
    same('walk, sessions of two files', [folder], ['-t', 'csv'])
    os.unlink(name)


def shown(path):
    seen = [run(['show', '--jobs', j, path]).stdout for j in JOBS]
    report.result('jobs: show', [] if len(set(seen)) == 1 and seen[0] else
                  ['the reports differ'])


def sums(path):
    """sources.sha256 is that of the file."""
    with open(path, 'rb') as f:
        want = hashlib.sha256(f.read()).hexdigest()
    wrong = []
    for jobs in JOBS:
        got = run(['convert', '--jobs', jobs, '-q', '--table', 'sources',
                   path, '-o', '-'])
        if want.encode() not in got.stdout:
            wrong.append('--jobs %s: not in %r' % (jobs, got.stdout))
    report.result('jobs: sums of sources', wrong)


def ends(path):
    """Runs that cannot go on."""
    out = os.path.join(work, 'ends')
    wrong = []
    for jobs in JOBS:
        got = run(['convert', '--jobs', jobs, '--max-memory', '3M', path,
                   '-t', 'csv', '-o', out])
        if got.returncode != 1 or b'--max-memory' not in got.stderr or \
                b'3145728' not in got.stderr:
            wrong.append('--jobs %s, 3M: %d, %r' % (jobs, got.returncode,
                                                    got.stderr))
        if os.path.exists('/dev/full'):
            with open('/dev/full', 'wb') as full:
                got = subprocess.run(
                    [PROFPIVOT, 'convert', '--jobs', jobs, '--table',
                     'events', path, '-o', '-'], stdout=full,
                    stderr=subprocess.PIPE, timeout=300)
            if got.returncode != 1 or b'No space' not in got.stderr:
                wrong.append('--jobs %s, full disk: %d, %r' % (
                    jobs, got.returncode, got.stderr))
        left = os.listdir(work)
        if [n for n in left if n.startswith('ends')]:
            wrong.append('--jobs %s: left %r' % (jobs, left))
    report.result('jobs: runs that fail', wrong)


def killed(path):
    out = os.path.join(work, 'killed')
    wrong = []
    for jobs in JOBS:
        for wait in (0.0, 0.02, 0.05, 0.1):
            p = subprocess.Popen([PROFPIVOT, 'convert', '--jobs', jobs,
                                  '-q', '--events', path, '-t', 'csv',
                                  '-o', out])
            end = time.monotonic() + 20
            while not os.path.exists(out + '.tmp') and p.poll() is None \
                    and time.monotonic() < end:
                time.sleep(0.001)
            time.sleep(wait)
            p.send_signal(signal.SIGTERM)
            code = p.wait(60)
            # one that was killed when all was in place may leave that
            half = os.path.exists(out) and not os.path.exists(
                os.path.join(out, 'schema.json'))
            if code == -signal.SIGTERM and (half or
                                            os.path.exists(out + '.tmp')):
                wrong.append('--jobs %s: a killed run left something' % jobs)
            elif code not in (0, 3, -signal.SIGTERM):
                wrong.append('--jobs %s: status %d' % (jobs, code))
            shutil.rmtree(out, ignore_errors=True)
            shutil.rmtree(out + '.tmp', ignore_errors=True)
    report.result('jobs: killed', wrong)


def usage():
    wrong = []
    for bad in ('0', '65', '-1', 'two', ''):
        got = run(['convert', '--jobs', bad, 'x.trc', '-o', 'x.csv'])
        if got.returncode != 2:
            wrong.append('--jobs %r: status %d' % (bad, got.returncode))
    report.result('jobs: wrong numbers', wrong)


try:
    big = os.path.join(work, 'big.trc')
    with open(big, 'wb') as f:
        f.write(grown(6))
    same('a long trace', [big], ['-t', 'csv', '--events'])
    same('a long trace to standard input', ['-'], ['-t', 'csv'], stdin=big)
    same('tables packed', [big], ['-t', 'csv', '--gzip', '--events'])
    same('parquet', [big], ['-t', 'parquet', '--events'])
    same('a workbook', [big], [], '.xlsx')
    formats(big)
    many_files()
    lanes()
    shown(big)
    sums(big)
    ends(big)
    killed(big)
    usage()
finally:
    shutil.rmtree(work, ignore_errors=True)
report.end()
