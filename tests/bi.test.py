#!/usr/bin/python3
"""Parquet and SQLite, read back by other programs.

Right values are those of CSV, which DuckDB and Python read on their own:
rows, sums, distinct values, least and greatest, and EXCEPT ALL both ways.
What is absent is skipped, saying so.
"""
import collections
import datetime
import glob
import gzip
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
duck = hyparquet = None


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


def test(name):
    """A function that returns complaints, run and told."""
    def decorate(f):
        needs = f.__code__.co_varnames[:f.__code__.co_argcount]
        if 'duck' in needs and duck is None:
            report.skip(name, bi_read.missing())
        elif 'shared' in needs and not SHARED:
            report.skip(name, 'no shared folder')
        else:
            values = {'duck': duck, 'shared': SHARED}
            begin = time.monotonic()
            try:
                bad = f(*(values[n] for n in needs))
            except (RuntimeError, sqlite3.Error, OSError) as e:
                bad = ['%s: %s' % (type(e).__name__, e)]
            report.result(name, bad)
            if os.environ.get('PP_TIMES'):
                print('# %.1f s' % (time.monotonic() - begin))
        return f
    return decorate


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


# ----------------------------------------------------------------- Parquet

def hold_same(got, header, rows):
    """Complaints about rows of hyparquet that are not those of CSV."""
    if 'severity' in header:
        k = header.index('id')
        rows = [r for r in rows if r[k] not in bi_read.WRITERS]
        got = dict(got, rows=[r for r in got['rows'] if r[k] not in
            bi_read.WRITERS])
    if len(got['rows']) != len(rows):
        return ['%d rows, not %d' % (len(got['rows']), len(rows))]
    places = {c: i for i, c in enumerate(got['columns'])}
    if [c for c in got['columns'] if not c.endswith('_utc')] != header:
        return ['columns %s' % got['columns']]
    for i, (g, want) in enumerate(zip(got['rows'], rows)):
        for c, w in zip(header, want):
            v = g[places[c]]
            if w is not None and re.fullmatch(r'\d{19,20}', w) and \
                v == str(int(w) - 2 ** 64):
                continue
            if (v is None) != (w is None):
                return ['row %d: %s is %r, not %r' % (i, c, v, w)]
            if v is None or v == w:
                continue
            if c.endswith(('_s', '_pct', '_factor')) and \
                abs(float(v) - float(w)) <= 1e-9 * max(1, abs(float(w))):
                continue
            return ['row %d: %s is %.50r, not %.50r' % (i, c, v, w)]
        for c, k in places.items():
            if c.endswith('_utc') and not is_instant(g[k],
                g[places[c[:-4]]]):
                return ['row %d: %s is %s of %s' % (i, c, g[k],
                    g[places[c[:-4]]])]
    return []


def is_instant(got, text):
    """Is it the UTC of a text, to a millisecond, as JavaScript has it?"""
    if text is None or not re.search(r'(Z|[+-]\d\d:\d\d)$', text):
        return got is None
    want = datetime.datetime.fromisoformat(text.replace('Z', '+00:00'))
    got = datetime.datetime.fromisoformat(got.replace('Z', '+00:00'))
    return abs(got - want) < datetime.timedelta(milliseconds=1)


def check_samples(duck):
    p = subprocess.run([os.path.join(BUILD, 'tests/test_parquet'), '--write',
        WORK], capture_output=True)
    if p.returncode != 0:
        return ['test_parquet --write: %s' % p.stderr.decode()]
    bad = []
    for s in ('samples', 'wide'):
        bad += bi_read.compare_folders(duck, at(s + '-parquet'),
            at(s + '-csv'))
    types = dict(r[:2] for r in duck.rows('DESCRIBE SELECT * FROM ' +
        bi_read.quoted(at('samples-parquet/s_types.parquet'))))
    want = {'n': 'BIGINT', 't_s': 'DECIMAL(18,6)', 'word': 'VARCHAR',
        'some_at': 'VARCHAR', 'some_at_utc': 'TIMESTAMP WITH TIME ZONE'}
    bad += ['%s is %s' % (c, types[c]) for c in want if types[c] != want[c]]
    got = duck.value('SELECT typeof(ps_s) FROM %s LIMIT 1' %
        bi_read.quoted(at('wide-parquet/s_wide.parquet')))
    if got != 'DECIMAL(38,12)':
        bad.append('ps_s is ' + got)
    encodings = collections.defaultdict(set)
    for c, e in duck.rows("SELECT path_in_schema, encodings FROM "
        'parquet_metadata(%s)' % bi_read.quoted(at('samples-parquet',
        's_words.parquet'))):
        encodings[c] |= set(e.split(', '))
    if not {'PLAIN', 'RLE_DICTIONARY'} <= encodings['word']:
        bad.append('no overflow of a dictionary: %s' % encodings['word'])
    return bad


def check_hyparquet(duck):
    bad = []
    for folder in ['samples', 'wide'] + ['own-' + r for r in readers()]:
        for f in sorted(glob.glob(at(folder + '-parquet', '*.parquet'))):
            table = os.path.basename(f)[:-8]
            got = hyparquet.read(f)
            bad += ['%s/%s: %s' % (folder, table, b) for b in hold_same(got,
                *bi_read.read_csv(at(folder + '-csv', table + '.csv')))]
            if got['notes'].get('profpivot.table') != table or \
                got['notes'].get('profpivot.schema_version') != '1':
                bad.append('%s: notes %s' % (table, got['notes']))
    return bad


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


# ----------------------------------------------------------------- queries

def queries():
    """(name, SQL) of the manual page."""
    found, name, text = [], None, []
    with open(PAGE) as f:
        for line in f:
            m = re.match(r'\.\\" QUERY (.*)', line)
            if m:
                name, text = m.group(1), []
            elif name and line.startswith('.Ed'):
                found.append((name, ''.join(text)))
                name = None
            elif name and not line.startswith('.'):
                text.append(line.replace('\\e', '\\'))
    return found


def plain_rows(rows):
    """Values of DuckDB or SQLite that can be compared."""
    out = []
    for r in rows:
        row = []
        for v in r:
            try:
                v = v if v is None else str(round(float(v), 6) + 0)
            except ValueError:
                pass
            row.append(v)
        out.append(row)
    return out


def by_hand(csvs):
    """What the queries must give, from CSV by Python."""
    def table(t):
        header, rows = bi_read.read_csv(os.path.join(csvs, t + '.csv'))
        return [dict(zip(header, r)) for r in rows]

    def number(v):
        return Decimal(v) if v is not None else Decimal(0)

    def first(v, n):
        return [list(x) for x in v[:n]]

    result = {}
    sums = collections.defaultdict(lambda: [Decimal(0), None])
    for r in table('profile'):
        s = sums[r['event'], r['class']]
        s[0] += number(r['time_s'])
        if r['count'] is not None:
            s[1] = (s[1] or 0) + int(r['count'])
    total = sum(v[0] for v in sums.values())
    result['profile'] = first(sorted(((e, c, s, round(100 * s / total, 2), n)
        for (e, c), (s, n) in sums.items()), key=lambda x: (-x[2], x[0],
        x[1])), 10)

    texts = {r['statement']: r['text'] for r in table('texts')}
    sums = collections.defaultdict(lambda: [set(), 0, Decimal(0)])
    for r in table('statements'):
        s = sums[r['statement']]
        s[0].add(r['source'])
        s[1] += int(r['executions'] or 0)
        s[2] += number(r['self_s'])
    result['statements'] = first(sorted(((k, len(s[0]), s[1], s[2],
        texts[k][:50] if texts.get(k) is not None else None)
        for k, s in sums.items()), key=lambda x: (-x[3], x[0])), 10)

    cube = [r for r in table('cube') if r['class'] != 'idle']
    sums = collections.defaultdict(Decimal)
    for r in cube:
        sums[r['source'], int(r['session']), int(r['interval'])] += number(
            r['time_s'])
    busy = min(sums, key=lambda k: (-sums[k], k))
    sums = collections.defaultdict(Decimal)
    for r in cube:
        if (r['source'], int(r['session']), int(r['interval'])) == busy:
            sums[r['event'], r['statement']] += number(r['time_s'])
    result['interval'] = first(sorted((busy + (e, s, t) for (e, s), t
        in sums.items()), key=lambda x: (-x[5], x[3], x[4])), 10)

    slow = sorted(table('executions'), key=lambda r: (-number(
        r['elapsed_s']), r['source'], int(r['event_id'])))[:5]
    waits = collections.defaultdict(lambda: [0, Decimal(0)])
    for r in table('events'):
        if r['kind'] == 'wait' and r['parent_event_id'] is not None:
            w = waits[r['source'], r['parent_event_id'], r['event']]
            w[0] += 1
            w[1] += number(r['elapsed_s'])
    rows = []
    for x in slow:
        mine = [(e, w) for (s, p, e), w in waits.items()
            if (s, p) == (x['source'], x['event_id'])]
        for e, w in mine or [(None, [0, None])]:
            rows.append((x['source'], int(x['line']), x['statement'],
                number(x['elapsed_s']), e, w[0], w[1]))
    result['executions'] = [list(r) for r in sorted(rows, key=lambda x: (
        -x[3], x[0], x[1], -(x[6] or 0), x[4] or ''))]

    sums = collections.defaultdict(lambda: [0] + [Decimal(0)] * 3 + [0])
    for r in table('events'):
        if r['kind'] != 'call':
            continue
        s = sums[r['module'], r['action']]
        s[0] += 1
        s[1] += number(r['self_s'])
        s[2] += number(r['self_cpu_s'])
        s[3] += number(r['self_wait_s'])
        s[4] += int(r['physical_reads'] or 0) if r['depth'] == '0' else 0
    result['modules'] = first(sorted(((m, a, *s) for (m, a), s
        in sums.items()), key=lambda x: (-x[3], x[0] or '', x[1] or '')),
        10)
    return result


def check_queries(duck, csvs, folder, path):
    want = by_hand(csvs)
    db = sqlite3.connect(path)
    bad = []
    for t in bi_read.tables_of(csvs, '.csv'):
        duck.rows('CREATE OR REPLACE VIEW v_%s AS FROM %s' % (t,
            bi_read.quoted(os.path.join(folder, t + '.parquet'))))
    found = queries()
    if len(found) < 5:
        bad.append('%d queries on the page' % len(found))
    for name, sql in found:
        w = plain_rows(want[name])
        for who, rows in (('duckdb', duck.rows(sql)),
            ('sqlite', db.execute(sql.rstrip().rstrip(';')).fetchall())):
            got = plain_rows(rows)
            if got != w or not w:
                bad.append('%s: %s: %s, not %s' % (name, who, [g for g in
                    got if g not in w][:2], [x for x in w if x not in got
                    ][:2]))
    db.close()
    return bad


# ------------------------------------------------------------------- tests

def same_folder(a, b):
    bad = []
    for folder, _, files in os.walk(a):
        for f in files:
            x = os.path.join(folder, f)
            y = os.path.join(b, os.path.relpath(x, a))
            if not os.path.exists(y):
                bad.append(y + ' is missing')
            elif open(x, 'rb').read() != open(y, 'rb').read():
                bad.append(y + ' differs')
    return bad


def tests():
    for r in readers():
        all_three('own-' + r, inputs(r), '--events')
    traces = at('own-oracle10046')

    @test('bi_samples')
    def _(duck):
        return check_samples(duck)

    @test('bi_own_inputs_parquet')
    def _(duck):
        bad = []
        for r in readers():
            bad += ['%s: %s' % (r, b) for b in bi_read.compare_folders(duck,
                at('own-%s-parquet' % r), at('own-%s-csv' % r))]
        return bad

    @test('bi_hyparquet')
    def _(duck):
        return check_hyparquet(duck)

    @test('bi_own_inputs_sqlite')
    def _():
        bad = []
        for r in readers():
            bad += ['%s: %s' % (r, b) for b in compare_sqlite(
                at('own-%s.sqlite' % r), at('own-%s-csv' % r))]
        return bad

    @test('bi_samples_sqlite')
    def _():
        bad = []
        for s in ('samples.sqlite', 'wide.sqlite'):
            if not os.path.exists(at(s)):
                return ['test_parquet --write has not made ' + s]
            bad += sound(sqlite3.connect(at(s)))
        return bad

    @test('bi_worked_queries')
    def _(duck):
        return check_queries(duck, traces + '-csv', traces + '-parquet',
            traces + '.sqlite')

    @test('bi_many_statements')
    def _(duck):
        write_many_statements(at('many.trc'), 70000)
        all_three('many', [at('many.trc')], '--tables',
            'events,executions,statements,texts')
        bad = bi_read.compare_folders(duck, at('many-parquet'),
            at('many-csv'))
        n = duck.value('SELECT count(DISTINCT statement) FROM ' +
            bi_read.quoted(at('many-parquet/events.parquet')))
        if n != '70000':
            bad.append('%s statements' % n)
        return bad + compare_sqlite(at('many.sqlite'), at('many-csv'))

    @test('bi_long_text')
    def _(duck):
        n = write_long_text(at('long.trc'), 10 * MIB)
        all_three('long', [at('long.trc')], '--events')
        bad = bi_read.compare_folders(duck, at('long-parquet'),
            at('long-csv'))
        got = duck.value('SELECT max(length(text)) FROM ' +
            bi_read.quoted(at('long-parquet/texts.parquet')))
        if got != str(n):
            bad.append('a text of %s bytes, not %d' % (got, n))
        return bad + compare_sqlite(at('long.sqlite'), at('long-csv'))

    @test('bi_fifty_folders')
    def _(duck):
        os.mkdir(at('fifty'))
        files = [f for f in inputs() if f.endswith('.trc')]
        total, rows = Decimal(0), 0
        for i in range(50):
            f = at('fifty', 'trace_%02d.trc' % i)
            shutil.copy(files[i % len(files)], f)
            run(f, '--tables', 'profile,events', '-t', 'parquet', '-o',
                at('fifty', '%02d' % i))
        run(*sorted(glob.glob(at('fifty', '*.trc'))), '--tables',
            'profile,events', '-t', 'csv', '-o', at('fifty', 'csv'))
        header, profile = bi_read.read_csv(at('fifty/csv/profile.csv'))
        total = sum(Decimal(r[header.index('time_s')]) for r in profile)
        rows = len(bi_read.read_csv(at('fifty/csv/events.csv'))[1])
        got = duck.row("SELECT sum(time_s), count(DISTINCT source) FROM " +
            bi_read.quoted(at('fifty/??/profile.parquet')))
        n = duck.value('SELECT count(*) FROM ' +
            bi_read.quoted(at('fifty/??/events.parquet')))
        bad = []
        if Decimal(got[0]) != total or got[1] != '50':
            bad.append('profile: %s, not %s of 50' % (got, total))
        if n != str(rows):
            bad.append('%s events, not %d' % (n, rows))
        return bad

    @test('bi_partitioned')
    def _(duck):
        run(*inputs(), '--events', '--partition', 'source', '-t', 'parquet',
            '-o', at('parts'))
        bad = []
        for t in bi_read.tables_of(traces + '-csv', '.csv'):
            deep = '/*/*.parquet' if os.path.isdir(at('parts', t)) and \
                not os.path.exists(at('parts', t, 'part-0.parquet')) else \
                '/*.parquet'
            types = ", hive_types={'source': VARCHAR}" if '/*/' in deep \
                else ''
            got = bi_read.compare(duck, 'read_parquet(%s, '
                'hive_partitioning=true%s)' % (bi_read.quoted(at('parts',
                t) + deep), types), os.path.join(traces + '-csv',
                t + '.csv'))
            bad += ['%s: %s' % (t, b) for b in got]
        return bad

    @test('bi_same_bytes')
    def _():
        env = dict(os.environ, TZ='Asia/Tokyo', LC_ALL='de_DE.UTF-8')
        names = [os.path.relpath(f, TOP) for f in inputs()]
        bad = []
        for args, suffix in ((['-t', 'parquet'], ''), (['--partition',
            'source', '-t', 'parquet'], ''), ([], '.sqlite')):
            for d in ('one', 'two'):
                shutil.rmtree(at(d), ignore_errors=True)
            run(*names, '--events', *args, '-o', at('one' + suffix),
                cwd=TOP)
            run(*reversed(names), '--events', *args, '-o',
                at('two' + suffix), cwd=TOP, env=env)
            if suffix:
                if open(at('one.sqlite'), 'rb').read() != open(
                    at('two.sqlite'), 'rb').read():
                    bad.append('SQLite differs')
            else:
                bad += same_folder(at('one'), at('two'))
                bad += same_folder(at('two'), at('one'))
        return bad

    @test('bi_memory')
    def _():
        write_long_trace(at('big.trc'), 700000)
        bad = []
        for how in (['-t', 'parquet', '-o', at('big')],
            ['-o', at('big.sqlite')]):
            used = peak(at('big.trc'), '--events', *how)
            if used > 128 * MIB:
                bad.append('%s takes %d MiB' % (how[0], used // MIB))
        os.unlink(at('big.trc'))
        return bad

    @test('bi_single_table')
    def _(duck):
        f = os.path.join(TOP, 'corpora/oracle10046/ok/demo.trc')
        run(f, '--table', 'profile', '-o', at('one.parquet'))
        p = subprocess.run([PROGRAM, 'convert', '-q', f, '--table',
            'profile', '-t', 'parquet', '-o', '-'], capture_output=True)
        bad = []
        if p.stdout != open(at('one.parquet'), 'rb').read():
            bad.append('standard output differs from the file')
        run(f, '--table', 'profile', '-o', at('one.csv'))
        return bad + bi_read.compare(duck, bi_read.quoted(at('one.parquet')),
            at('one.csv'))

    @test('bi_largest_traces')
    def _(duck, shared):
        bad = []
        for f in largest(shared, 6):
            base = 'large'
            all_three(base, [f], '--events')
            bad += ['%s: %s' % (os.path.basename(f), b) for b in
                bi_read.compare_folders(duck, at(base + '-parquet'),
                at(base + '-csv'))]
            db = sqlite3.connect(at(base + '.sqlite'))
            bad += sound(db)
            for t, c in (('timeline', 'time'), ('statements', 'self'),
                ('events', 'elapsed'), ('cube', 'time')):
                us = db.execute('SELECT sum(%s_us) FROM %s' % (c, t))
                want = duck.value('SELECT sum(%s_s) * 1000000 FROM %s' % (c,
                    bi_read.quoted(at(base + '-parquet', t + '.parquet'))))
                if us.fetchone()[0] != int(Decimal(want)):
                    bad.append('%s: sum of %s' % (f, t))
                v = db.execute('SELECT total(%s_s) FROM v_%s' % (c, t))
                v = v.fetchone()[0]
                if abs(v * 1e6 - float(want)) > 1e-6 * abs(float(want)) + 1:
                    bad.append('%s: sum of v_%s' % (f, t))
            db.close()
        return bad


if bi_read.missing() is None:
    duck = bi_read.Duck()
    hyparquet = bi_read.Hyparquet()
try:
    tests()
finally:
    for node in (duck, hyparquet):
        if node is not None:
            node.close()
    shutil.rmtree(WORK, ignore_errors=True)
report.end()
