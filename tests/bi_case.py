"""What the tests of Parquet and SQLite share: runs, inputs, comparisons.

A test is a function under @test; its arguments name what it needs: `duck`
(DuckDB), `click` (ClickHouse), `shared` (the folder of that name).  What is
absent is skipped, saying so.
"""
import glob
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from decimal import Decimal

import bi_read
from tables import Report

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(os.environ.get('PROFPIVOT',
    os.path.join(TOP, 'build/profpivot')))
BUILD = os.path.join(TOP, os.environ.get('BUILD', 'build'))
SHARED = os.environ.get('PP_SHARED', '')
WORK = tempfile.mkdtemp(prefix='ppbi')
PAGE = os.path.join(TOP, 'man', 'profpivot-bi.7')
MIB = 1024 * 1024
report = Report()
servers = {}


def at(*names):
    return os.path.join(WORK, *names)


def run(*args, ok=(0, 3), cwd=None, env=None):
    p = subprocess.run([PROGRAM, 'convert', '-q', *args],
        capture_output=True, cwd=cwd, env=env)
    if p.returncode not in ok:
        raise RuntimeError('%s: exit status %d: %s' % (' '.join(args)[-200:],
            p.returncode, p.stderr.decode()))


# A child begins with the peak of its parent: measured from a small one.
PEAK = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def peak(*args):
    """Run convert; its peak memory in bytes."""
    out = subprocess.run([sys.executable, '-S', '-c', PEAK, PROGRAM,
        'convert', '-q', *args], capture_output=True, text=True).stdout
    status, used = map(int, out.split())
    if status not in (0, 3):
        raise RuntimeError('exit status %d' % status)
    return used * 1024


def all_three(base, inputs, *args):
    """The tables of inputs as CSV, Parquet and SQLite."""
    run(*inputs, *args, '-t', 'csv', '-o', at(base + '-csv'))
    run(*inputs, *args, '-t', 'parquet', '-o', at(base + '-parquet'))
    run(*inputs, *args, '-o', at(base + '.sqlite'))


def server(what):
    """A reader that is not ours, started once."""
    if what not in servers:
        servers[what] = {'duck': bi_read.Duck, 'click': bi_read.Click,
            'hyparquet': bi_read.Hyparquet}[what]()
    return servers[what]


def test(name):
    """A function that returns complaints, run and told."""
    def decorate(f):
        needs = f.__code__.co_varnames[:f.__code__.co_argcount]
        why = next(filter(None, map(bi_read.missing, needs)), None)
        if 'shared' in needs and not SHARED:
            why = 'no shared folder'
        if why is not None:
            report.skip(name, why)
            return f
        begin = time.monotonic()
        try:
            bad = f(*(SHARED if n == 'shared' else server(n)
                for n in needs))
        except (RuntimeError, sqlite3.Error, OSError) as e:
            bad = ['%s: %s' % (type(e).__name__, e)]
        report.result(name, bad)
        if os.environ.get('PP_TIMES'):
            print('# %.1f s' % (time.monotonic() - begin))
        return f
    return decorate


def end():
    for s in servers.values():
        s.close()
    shutil.rmtree(WORK, ignore_errors=True)
    report.end()


def of_page(mark):
    """(name, text) of the examples of profpivot-bi(7) under a mark."""
    found, name, text = [], None, []
    with open(PAGE) as f:
        for line in f:
            m = re.match(r'\.\\" %s (.*)' % mark, line)
            if m:
                name, text = m.group(1), []
            elif name and line.startswith('.Ed'):
                found.append((name, ''.join(text)))
                name = None
            elif name and not line.startswith('.'):
                text.append(line.replace('\\e', '\\'))
    return found


# ------------------------------------------------------------------ inputs

def readers():
    """Those for which the project has inputs of its own."""
    return sorted(os.path.basename(os.path.dirname(f)) for f in
        glob.glob(os.path.join(TOP, 'corpora/*/ok')))


def inputs(reader='oracle10046'):
    """A file or folder a case."""
    return sorted(glob.glob(os.path.join(TOP, 'corpora', reader, 'ok/*')))


def largest(shared, n):
    """The largest traces of the shared corpus, inflated."""
    found = []
    for f in glob.glob(os.path.join(shared, 'corpora/oracle/*')):
        if not re.search(r'\.trc(\.gz)?$', f):
            continue
        size = os.path.getsize(f)
        if f.endswith('.gz'):
            with open(f, 'rb') as g:
                g.seek(-4, 2)
                size = int.from_bytes(g.read(4), 'little')
        found.append((size, f))
    return [f for _, f in sorted(found, reverse=True)[:n]]


HEAD = '''*** 2025-06-03 14:05:09.120
*** SESSION ID:(77.1203) 2025-06-03 14:05:09.120
=====================
'''
WAIT = ("WAIT #%d: nam='db file sequential read' ela= %d file#=%d block#=%d "
    "blocks=1 obj#=%d tim=%d\n")


def write_many_statements(path, n):
    """n statements of different text, sql_id unknown."""
    with open(path, 'w') as f:
        f.write(HEAD)
        tim = 500000000
        for i in range(n):
            text = 'select %d from dual' % i
            f.write('PARSING IN CURSOR #%d len=%d dep=0 uid=91 oct=3 lid=91 '
                "tim=%d hv=%d ad='7d0c'\n%s\nEND OF STMT\n" % (i % 7 + 1,
                len(text), tim, i, text))
            f.write('EXEC #%d:c=10,e=%d,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,'
                'tim=%d\n' % (i % 7 + 1, 20 + i % 50, tim + 100))
            tim += 200


def write_long_text(path, n):
    with open(path, 'w') as f:
        f.write(HEAD)
        text = "select '" + 'profile pivot ' * (n // 14) + "' from dual"
        f.write('PARSING IN CURSOR #1 len=%d dep=0 uid=91 oct=3 lid=91 '
            "tim=500000000 hv=1 ad='7d0c'\n%s\nEND OF STMT\n" % (len(text),
            text))
        f.write('EXEC #1:c=10,e=20,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,'
            'tim=500000100\n')
    return len(text)


def write_long_trace(path, waits):
    with open(path, 'w') as f:
        f.write(HEAD + 'PARSING IN CURSOR #5 len=18 dep=0 uid=91 oct=3 '
            "lid=91 tim=500000000 hv=1 ad='7d0c'\nselect * from dual\n"
            'END OF STMT\n')
        tim = 500000000
        for i in range(waits):
            tim += 40 + i * 7919 % 61
            f.write(WAIT % (5, i * 31 % 37, i % 9, i * 7919 % 100003,
                8000 + i % 50, tim))
            if i % 10 == 9:
                tim += 13
                f.write('FETCH #5:c=100,e=%d,p=10,cr=12,cu=0,mis=0,r=10,'
                    'dep=0,og=1,tim=%d\n' % (600, tim))


# ------------------------------------------------------------------ SQLite

def cell(v, column, fine):
    """A value of a view as CSV has it; seconds to the given digits."""
    if v is None:
        return None
    if column.endswith('_s') and not isinstance(v, str):
        return Decimal('%.*f' % (9 if fine else 6, v))
    if column.endswith(('_pct', '_factor')):
        return Decimal(str(v)).normalize() + 0
    return str(v)


def wanted(v, column, fine):
    if v is None:
        return None
    if column.endswith('_s'):
        return Decimal('%.*f' % (9, float(v))) if fine else \
            Decimal(v).quantize(Decimal('1.000000'))
    if column.endswith(('_pct', '_factor')):
        return Decimal(v).normalize() + 0
    if re.fullmatch(r'\d{19,20}', v) and int(v) >= 2 ** 63:
        return str(int(v) - 2 ** 64) if int(v) < 2 ** 64 and \
            column in ('p1', 'p2', 'p3') else v
    return v


def compare_sqlite(path, csvs):
    """Views against CSV, row by row, and sums of numbers."""
    db = sqlite3.connect('file:%s?mode=ro' % path, uri=True)
    bad = sound(db)
    if db.execute('PRAGMA user_version').fetchone()[0] != 1:
        bad.append('user_version')
    for t in bi_read.tables_of(csvs, '.csv'):
        header, rows = bi_read.read_csv(os.path.join(csvs, t + '.csv'))
        bad += ['%s: %s' % (t, b) for b in compare_view(db, t, header,
            rows)]
    db.close()
    return bad


def compare_view(db, t, header, rows):
    stored = [r[1] for r in db.execute('PRAGMA table_info(%s)' % t)]
    fine = not any(c.endswith('_us') for c in stored)
    sql = 'SELECT %s FROM v_%s' % (', '.join(bi_read.name(c)
        for c in header), t)
    if t == 'problems':
        sql += bi_read.told_by_writers('/problems.csv')
        k = header.index('id')
        rows = [r for r in rows if r[k] not in bi_read.WRITERS]
    got = [[cell(v, c, fine) for v, c in zip(r, header)]
        for r in db.execute(sql)]
    want = [[wanted(v, c, fine) for v, c in zip(r, header)] for r in rows]
    if len(got) != len(want):
        return ['%d rows, not %d' % (len(got), len(want))]
    for g, w in zip(got, want):
        if g != w:
            return ['%s, not %s' % x for x in [([(c, a) for c, a, b in
                zip(header, g, w) if a != b][:3], [b for a, b in zip(g, w)
                if a != b][:3])]]
    bad = []
    for k, c in enumerate(header):
        if not c.endswith('_s') or fine:
            continue
        s = sum((Decimal(r[k]) for r in rows if r[k] is not None),
            Decimal(0))
        v = db.execute('SELECT total(%s) FROM v_%s' % (c, t)).fetchone()[0]
        if abs(float(s) - v) > 1e-9 * max(1, abs(float(s))) + 1e-6:
            bad.append('sum of %s is %s, not %s' % (c, v, s))
        us = db.execute('SELECT sum(%s) FROM %s' % (c[:-2] + '_us', t))
        us = us.fetchone()[0] or 0
        if us != int(s * 1000000):
            bad.append('%s adds up to %s us' % (c, us))
    return bad


def sound(db):
    bad = []
    got = db.execute('PRAGMA integrity_check').fetchall()
    if got != [('ok',)]:
        bad.append('integrity: %s' % got[:3])
    got = db.execute('PRAGMA foreign_key_check').fetchall()
    if got:
        bad.append('foreign keys: %s' % got[:3])
    return bad
