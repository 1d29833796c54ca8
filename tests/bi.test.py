#!/usr/bin/python3
"""Parquet and SQLite, read back by other programs.

Right values are those of CSV, which DuckDB and Python read on their own:
rows, sums, distinct values, least and greatest, and EXCEPT ALL both ways.
Sets of many inputs are in bi_sets.test.py.
"""
import collections
import datetime
import glob
import os
import re
import sqlite3
import subprocess
from decimal import Decimal

import bi_pages
import bi_read
from bi_case import BUILD, MIB, PROGRAM, TOP, WORK, all_three, at, \
    compare_sqlite, end, inputs, largest, of_page, readers, run, sound, test


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
    return bad


CHUNKS = """SELECT path_in_schema, coalesce(dictionary_page_offset,
    data_page_offset), total_compressed_size, compression, num_values,
    stats_null_count, stats_min_value, stats_max_value, row_group_id
    FROM parquet_metadata(%s)"""


def check_pages(duck, path, longest):
    """Complaints, and the encodings of data pages by column."""
    bad = []
    encodings = collections.defaultdict(set)
    with open(path, 'rb') as f:
        b = f.read()
    for c, first, size, codec, values, *_ in duck.rows(CHUNKS %
        bi_read.quoted(path)):
        data = 0
        for is_dict, encoding, n, raw in bi_pages.chunk_pages(b, int(first),
            int(size), codec == 'GZIP'):
            if raw > longest + 2 * MIB:
                bad.append('%s: a page of %d bytes' % (c, raw))
            if is_dict:
                continue
            data += n
            encodings[c].add(encoding)
            if n > 16384:
                bad.append('%s: a page of %d values' % (c, n))
        if data != int(values):
            bad.append('%s: %d values in pages, %s by the footer' % (c, data,
                values))
    return bad, encodings


def check_statistics(duck, path):
    """Of files of one row group."""
    bad = []
    chunks = duck.rows(CHUNKS % bi_read.quoted(path))
    if any(x[8] != '0' for x in chunks):
        return ['%s has more than one row group' % path]
    for c, *_, nulls, low, high, _ in chunks:
        n = bi_read.name(c)
        *want, longest = duck.row('SELECT count(*) - count(%s), min(%s), '
            'max(%s), max(strlen(CAST(%s AS VARCHAR))) FROM %s' % (n, n, n,
            n, bi_read.quoted(path)))
        # none for times as text, nor where a text is long
        if low is None and (c.endswith('_at') or int(longest or 0) > 64):
            want[1:] = None, None
        if [nulls, low, high] != want:
            bad.append('%s: %s, not %s' % (c, (nulls, low, high), want))
    return bad


def check_layout(duck):
    bad, seen = [], {}
    for t, longest in (('s_types', 0), ('s_words', 0),
        ('s_long', 11 * MIB)):
        more, seen[t] = check_pages(duck, at('samples-parquet',
            t + '.parquet'), longest)
        bad += ['%s: %s' % (t, x) for x in more]
    for t, c, want in (('s_types', 'n', {bi_pages.DELTA}),
        ('s_types', 't_s', {bi_pages.DELTA}),
        ('s_words', 'word', {bi_pages.PLAIN, bi_pages.DICTIONARY})):
        if not want <= seen[t][c]:
            bad.append('%s of %s: encodings %s' % (c, t, seen[t][c]))
    for f in glob.glob(at('own-oracle10046-parquet/*.parquet')):
        bad += ['%s: %s' % (os.path.basename(f), x) for x in
            check_statistics(duck, f)]
    return bad


def check_hyparquet(hyparquet):
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


# ----------------------------------------------------------------- queries

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
    found = of_page('QUERY')
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

def tests():
    for r in readers():
        all_three('own-' + r, inputs(r), '--events')
    traces = at('own-oracle10046')

    @test('bi_samples')
    def _(duck):
        return check_samples(duck)

    @test('bi_pages')
    def _(duck):
        return check_layout(duck)

    @test('bi_own_inputs_parquet')
    def _(duck):
        bad = []
        for r in readers():
            bad += ['%s: %s' % (r, b) for b in bi_read.compare_folders(duck,
                at('own-%s-parquet' % r), at('own-%s-csv' % r))]
        return bad

    @test('bi_hyparquet')
    def _(hyparquet):
        return check_hyparquet(hyparquet)

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


try:
    tests()
finally:
    end()
