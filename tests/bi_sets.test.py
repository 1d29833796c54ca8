#!/usr/bin/python3
"""Parquet and SQLite of many inputs and of much: sets of files, partitions,
ClickHouse, long texts, many statements, memory, the same bytes.
"""
import glob
import os
import shutil
import sqlite3
from decimal import Decimal

import bi_read
from bi_case import MIB, TOP, WORK, all_three, at, compare_sqlite, end, \
    inputs, of_page, peak, run, test, write_long_text, write_long_trace, \
    write_many_statements


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


def added(path, key, column):
    """Rows and sum of a column of CSV by a key."""
    header, rows = bi_read.read_csv(path)
    k, c = header.index(key), header.index(column)
    sums = {}
    for r in rows:
        n, s = sums.get(r[k], (0, Decimal(0)))
        sums[r[k]] = n + 1, s + Decimal(r[c] or 0)
    return {k: (n, float(s)) for k, (n, s) in sums.items()}


def unlike(got, want):
    if got == want:
        return []
    return ['%s is %s, not %s' % (k, got.get(k), want.get(k))
        for k in sorted(set(got) | set(want))
        if got.get(k) != want.get(k)]


def tests():
    run(*inputs(), '--events', '-t', 'csv', '-o', at('own-csv'))

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
        for t in bi_read.tables_of(at('own-csv'), '.csv'):
            deep = '/*/*.parquet' if os.path.isdir(at('parts', t)) and \
                not os.path.exists(at('parts', t, 'part-0.parquet')) else \
                '/*.parquet'
            types = ", hive_types={'source': VARCHAR}" if '/*/' in deep \
                else ''
            got = bi_read.compare(duck, 'read_parquet(%s, '
                'hive_partitioning=true%s)' % (bi_read.quoted(at('parts',
                t) + deep), types), os.path.join(at('own-csv'),
                t + '.csv'))
            bad += ['%s: %s' % (t, b) for b in got]
        return bad

    @test('bi_page_duckdb')
    def _(duck):
        run(*inputs(), '--events', '-t', 'parquet', '-o', at('set'))
        os.mkdir(at('folder'))
        for i, f in enumerate(inputs()):
            run(f, '--events', '-t', 'parquet', '-o', at('folder', str(i)))
        want = [str(len(bi_read.read_csv(at('own-csv/events.csv'))[1]))]
        bad = []
        (_, text), = of_page('DUCKDB')
        found = text.rstrip().rstrip(';').split(';')
        for sql, out in zip(found, ('set', 'folder', 'parts')):
            duck.rows(sql.replace("'out/", "'%s/" % at(out)).replace(
                'CREATE VIEW', 'CREATE OR REPLACE VIEW'))
            got = duck.row('SELECT count(*) FROM v_events')
            if got != want:
                bad.append('%s: %s rows, not %s' % (sql, got, want))
        return bad

    @test('bi_page_clickhouse')
    def _(click):
        shutil.copy(inputs()[0], at("a b=c'd.trc"))
        files = inputs() + [at("a b=c'd.trc")]
        for how in (['-t', 'csv', '-o', at('want')], ['--partition',
            'source', '-t', 'parquet', '-o', at('clicked')]):
            run(*files, '--events', *how)
        found = dict(of_page('CLICKHOUSE'))
        found = {k: sql.replace("'out/", "'%s/" % at('clicked'))
            for k, sql in found.items()}
        sums = added(at('want/profile.csv'), 'event', 'time_s')
        got = {r[0]: float(r[1]) for r in click.rows(found['profile'])}
        bad = unlike(got, {k: v[1] for k, v in sums.items()})
        sums = added(at('want/events.csv'), 'source', 'self_s')
        got = {r[0]: (int(r[1]), float(r[2] or 0)) for r in
            click.rows(found['sources'])}
        bad += unlike(got, sums)
        click.rows(found['table'].replace('MergeTree ORDER BY tuple()',
            'Memory'))
        got = click.rows('SELECT source, count(*), sum(self_s) FROM events '
            'GROUP BY source')
        bad += unlike({r[0]: (int(r[1]), float(r[2] or 0)) for r in got},
            sums)
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


try:
    tests()
finally:
    end()
