#!/usr/bin/python3
"""Digest exports: tables of them, sides by side, deltas, comparisons.

Own exports (corpora/digests) with values worked out by hand from the files,
variants of them made here, and, where the shared folder is at hand, what
users reported (kinds G and H), the seed and real exports: those are read a
second time by Python and added up.
"""
import csv
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import PROFPIVOT, SHARED, Report, convert, half_up  # noqa: E402

report = Report()
HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(os.path.dirname(HERE), 'corpora', 'digests')
CASES = os.path.join(SHARED, 'cases') if SHARED else ''
MYSQL = os.path.join(SHARED, 'corpora', 'mysql') if SHARED else ''
SERVER = '''SCHEMA_NAME DIGEST DIGEST_TEXT COUNT_STAR SUM_TIMER_WAIT
 MIN_TIMER_WAIT AVG_TIMER_WAIT MAX_TIMER_WAIT SUM_LOCK_TIME SUM_ERRORS
 SUM_WARNINGS SUM_ROWS_AFFECTED SUM_ROWS_SENT SUM_ROWS_EXAMINED
 SUM_CREATED_TMP_DISK_TABLES SUM_CREATED_TMP_TABLES SUM_SELECT_FULL_JOIN
 SUM_SELECT_FULL_RANGE_JOIN SUM_SELECT_RANGE SUM_SELECT_RANGE_CHECK
 SUM_SELECT_SCAN SUM_SORT_MERGE_PASSES SUM_SORT_RANGE SUM_SORT_ROWS
 SUM_SORT_SCAN SUM_NO_INDEX_USED SUM_NO_GOOD_INDEX_USED FIRST_SEEN
 LAST_SEEN'''.split()
CRATE = 'd:b715af96a5297e70487019646c0566a8'
COMMIT = 'd:79663c1d3b43ceaf9ee728e501c64b57'


def own(name):
    return os.path.join(OWN, name)


def picked(row, want):
    """What of `want` ('' for an empty cell) the row does not say."""
    return ['%s: %r, not %r' % (k, row.get(k), v) for k, v in want.items()
            if row.get(k) != v]


def rows_are(name, inputs, want, options=(), table='digests', status=0,
             err=None):
    """The table's rows, in order; each given by some of its cells."""
    c = convert(inputs, *options)
    bad = []
    got = c.tables.get(table, [])
    if c.status != status:
        bad.append('status %d, not %d: %s' % (c.status, status, c.err[:200]))
    if len(got) != len(want):
        bad.append('%d rows, not %d' % (len(got), len(want)))
    for i, (g, w) in enumerate(zip(got, want)):
        bad += ['row %d %s' % (i, x) for x in picked(g, w)]
    for text in err or ():
        if not any(text in r['message'] for r in c.tables['problems']):
            bad.append('no problem says %r' % text)
    report.result(name, bad)
    return c


def exports():
    rows_are('5.7: schemas, no text, no calls, the rest', [own('mysql57.tsv')],
             [{'digest': CRATE, 'schema': 'pier', 'native_digest': 'a' * 32,
               'calls': '10', 'total_s': '20.000000000000',
               'share_pct': '67.80', 'avg_s': '2.000000000000',
               'min_s': '1.000000000000', 'max_s': '4.000000000000',
               'lock_s': '0.000005000000', 'index_ratio': '100.00',
               'first_seen': '2024-05-02T06:00:00', 'p95_s': '',
               'errors': '', 'digest_text':
               'SELECT * FROM `crate` WHERE `id` IN (?)'},
              {'digest': '', 'schema': '', 'native_digest': '',
               'digest_text': '(other digests)', 'calls': '4',
               'total_s': '8.000000000000', 'share_pct': '27.12'},
              {'digest': CRATE, 'schema': '', 'calls': '2',
               'total_s': '1.000000000000'},
              {'digest': CRATE, 'schema': 'dock', 'calls': '1',
               'total_s': '0.500000000001', 'share_pct': '1.69'},
              {'digest': 'c' * 32, 'digest_text': '', 'calls': '3',
               'total_s': '0.000000000030', 'last_seen': ''},
              {'calls': '0', 'total_s': '0.000000000000', 'avg_s': '',
               'min_s': '', 'max_s': ''}],
             err=['20.0 % of executions'])
    rows_are('8.0: quantiles, sample, just truncated', [own('mysql80.txt')],
             [{'digest': CRATE, 'native_digest': '1f' * 32, 'calls': '4',
               'total_s': '1.234567890123', 'avg_s': '0.308641972531',
               'p95_s': '1.258925411794', 'p999_s': '1.234567000000',
               'cpu_s': '0.000099000000',
               'sample_text': 'SELECT * FROM crate WHERE id IN (3,4)',
               'last_seen': '2024-05-02T07:00:00.500000'},
              {'digest': COMMIT, 'calls': '0', 'avg_s': '',
               'total_s': '0.000000000007'}])
    rows_are('TiDB: ns and a period', [own('tidb.tsv')],
             [{'digest': CRATE, 'calls': '3', 'total_s': '900.000000001',
               'avg_s': '300.000000000', 'load': '0.500000'}])
    rows_are('ProxySQL: us, rows added up', [own('proxysql.tsv')],
             [{'digest': CRATE, 'native_digest': '0xA1B2C3D4E5F60718',
               'calls': '6', 'total_s': '1.500010', 'avg_s': '0.250002',
               'min_s': '0.000009', 'max_s': '0.500001',
               'first_seen': '2024-05-02T06:00:00+00:00'}])
    rows_are('pg_stat_statements 9.4', [own('pgss94.csv')],
             [{'digest': CRATE, 'schema': '5', 'native_digest': '-77',
               'calls': '8', 'total_s': '0.001500000000',
               'avg_s': '0.000187500000', 'rows_sent': '8'}])
    rows_are('pg_stat_statements 13', [own('pgss13.csv')],
             [{'digest': CRATE, 'schema': 'harbour',
               'total_s': '0.000300000000', 'min_s': '0.000012500000',
               'stddev_s': '0.000029100000', 'parses': '1'}])
    rows_are('pg_stat_statements 18', [own('pgss18.csv')],
             [{'native_digest': '12', 'total_s': '1.000000000000'},
              {'native_digest': '13', 'digest': '13',
               'digest_text': '<insufficient privilege>',
               'total_s': '0.004500000000'}])
    rows_are('SQL Server, plan cache', [own('query_stats.csv')],
             [{'native_digest': '0xA9B8C7D6E5F40312', 'calls': '6',
               'total_s': '3.000007', 'cpu_s': '0.000120',
               'avg_s': '0.500001', 'last_seen': '2024-05-02T07:00:00.456'}])
    rows_are('SQL Server, Query Store', [own('query_store.csv')],
             [{'calls': '4', 'total_s': '0.004938000000',
               'cpu_s': '0.000040000000', 'flags': 'approximate',
               'first_seen': '2024-05-02T06:00:00.123456+02:00'}])
    rows_are('PMM', [own('pmm.json')],
             [{'digest': CRATE, 'calls': '7', 'total_s': '2.250000000000',
               'rows_examined': '700', 'index_ratio': '10.00'}])
    rows_are('REST, small letters', [own('rest.json')],
             [{'digest': COMMIT, 'calls': '2', 'total_s': '0.000000000500',
               'first_seen': '2024-05-02T06:00:00.5+00:00'}])
    rows_are('pt-query-digest', [own('pt.json')],
             [{'digest': CRATE, 'calls': '3', 'total_s': '0.750001',
               'p50_s': '0.150000', 'p95_s': '0.490000', 'schema': 'pier',
               'full_scans': '2', 'sample_text':
               'SELECT * FROM crate WHERE id IN (1,2)'}])
    rows_are('sys view, rounded', [own('sys.txt')],
             [{'digest': '9' * 32, 'total_s': '90.000000000000',
               'max_s': '20.000000000000', 'lock_s': '0.000000000999',
               'flags': 'approximate', 'digest_text': 'SELECT `crate` . '
               '`id` , `crate ... WHERE `crate` . `owner` = ?'},
              {'digest': COMMIT, 'total_s': '0.000003250000'}])
    rows_are('sys view, exact', [own('x_sys.tsv')],
             [{'total_s': '90.000000000001', 'flags': '',
               'tmp_disk_tables': '1', 'index_ratio': '10.00'}])
    rows_are('counters under zero', [own('underflow.tsv')],
             [{'calls': '5', 'total_s': '0.000000000500', 'lock_s': '',
               'rows_sent': '', 'rows_examined': '3'},
              {'calls': '2', 'total_s': '', 'avg_s': '', 'rows_sent': '',
               'max_s': '0.000000000012', 'rows_without_time': '1'}],
             err=['18446744073709551615', '-3', '1 row without time'])
    rows_are('a list of statements', [own('list.tsv')],
             [{'calls': '4', 'total_s': '0.006000000000', 'rows_sent': '3',
               'avg_s': '0.002000000000', 'max_s': '0.003000000000',
               'rows_without_time': '1', 'statements': '3', 'sample_text':
               'select w from crate where id = 1'},
              {'calls': '1', 'total_s': '0.000000000005'}])


def joins():
    servers = ['mysql57.tsv', 'mysql80.txt', 'tidb.tsv', 'proxysql.tsv',
               'pgss13.csv', 'pt.json', 'app_oracle.trc']
    c = convert([own(x) for x in servers])
    found = [r for r in c.tables['digest_pivot'] if r['digest'] == CRATE]
    want = {'schemas': 'dock,harbour,pier',
            'mysql57.tsv total_s': '21.500000000001',
            'mysql57.tsv calls': '13', 'mysql80.txt calls': '4',
            'tidb.tsv total_s': '900.000000001',
            'proxysql.tsv total_s': '1.500010', 'pgss13.csv calls': '8',
            'app_oracle.trc total_s': '0.001000',
            'app_oracle.trc calls': '1'}
    report.result('one row over seven servers', ['%d rows' % len(found)]
                  if len(found) != 1 else picked(found[0], want))
    have = {r['sources'] for r in c.tables['digests'] if r['digest'] == CRATE}
    report.result('sources that have it', [] if have == {'7'} else
                  [repr(have)])
    rows_are('--merge sources', [own(x) for x in servers[:2]],
             [{'source': '(all)', 'digest': CRATE, 'schema': 'pier',
               'native_digest': '', 'calls': '14',
               'total_s': '21.234567890123', 'p95_s': '',
               'min_s': '0.000000000001', 'max_s': '4.000000000000'}] +
             [{}] * 6, ['--merge', 'sources'])
    rows_are('--by digest', [own('mysql57.tsv')],
             [{'digest': CRATE, 'schema': '', 'calls': '13',
               'native_digest': 'a' * 32, 'total_s': '21.500000000001'},
              {'calls': '4'}, {}, {}], ['--by', 'digest'])
    rows_are('--top with the rest', [own('mysql57.tsv')],
             [{'calls': '10'}, {'digest_text': 'other', 'calls': '10',
               'total_s': '9.500000000031', 'share_pct': '32.20'}],
             ['--top', '1'])


def applications():
    """A trace and an export of one application: its nine statements join,
    and IN (?) with IN (...).  Statement i ran i times at 100 x i us, and
    was parsed once in 20 us."""
    c = convert([own('harbour_oracle.trc'), own('harbour_mysql.tsv')])
    rows = c.tables['digest_pivot']
    bad = ['%d rows' % len(rows)] if len(rows) != 11 else []
    both = [r for r in rows if r['harbour_oracle.trc calls'] and
            r['harbour_mysql.tsv calls']]
    for i, r in zip(range(9, 0, -1), both):
        bad += picked(r, {
            'schemas': 'harbour', 'harbour_oracle.trc calls': str(i),
            'harbour_oracle.trc total_s': '%.6f' % ((i * i * 100 + 20) / 1e6),
            'harbour_mysql.tsv calls': '32' if i == 3 else str(10 * i),
            'harbour_mysql.tsv total_s': '0.003000000020' if i == 3 else
            '0.%03d000000000' % i})
    if len(both) != 9:
        bad.append('%d statements of both' % len(both))
    rest = [r['digest_text'] for r in rows if r not in both]
    if rest != ['SELECT SYSDATE FROM DUAL `x`', 'SHOW TABLES']:
        bad.append(repr(rest))
    report.result('an application on two servers', bad)


def written(name, text, options=(), table='digests'):
    """Rows of a file made here."""
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, name)
        with open(path, 'wb') as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return convert([path], *options)


def tricky():
    """Inputs 42, 43, 45, 48 and 50 of the format page, and kinds G and H
    once more with other values."""
    head = 'SCHEMA_NAME\tDIGEST\tDIGEST_TEXT\tCOUNT_STAR\tSUM_TIMER_WAIT\n'
    long = 'SELECT ' + ' , '.join('`c%d`' % i for i in range(130))
    c = written('cut.tsv', head + 's\t%s\t%s\t1\t5\n' % ('a' * 32, long) +
                's\t%s\tSELECT ?\t1\t4\n' % ('b' * 32))
    report.result('a text as long as servers keep them', picked(
        c.tables['digests'][0], {'flags': 'cut'}) + picked(
        c.tables['digests'][1], {'flags': ''}) + (
        [] if any(r['id'] == 'digest-cut' for r in c.tables['problems'])
        else ['no problem']))
    c = written('q.tsv', 'DIGEST\tCOUNT_STAR\tSUM_TIMER_WAIT\tMAX_TIMER_WAIT'
                '\tQUANTILE_95\tQUANTILE_999\n' + 'a' * 32 +
                '\t1\t2000309754\t2000309754\t2089296130\t'
                '18446744073709551615\n' + 'b' * 32 +
                '\t0\t7\t9\t18446744073709551615\t0\n')
    report.result('quantiles above the maximum, calls 0', picked(
        c.tables['digests'][0], {
            'p95_s': '0.002089296130', 'p999_s': '0.002000309754',
            'max_s': '0.002000309754'}) + picked(c.tables['digests'][1], {
                'calls': '0', 'total_s': '0.000000000007', 'avg_s': '',
                'max_s': '', 'p95_s': ''}))
    text = 'INSERT INTO `t` VALUES (...) /* , ... */ '
    c = written('n.tsv', head + 's\t%s\t%s\t1\t5\n' % ('a' * 32, text))
    d = written('l.csv', 'SQL_TEXT,TIMER_WAIT\n"%s",5\n"%s",7\n' % (
        text, 'insert into t values (1,2),(3,4)'))
    report.result('a text that is a digest text already', [] if
                  [r['digest'] for r in d.tables['digests']] ==
                  [c.tables['digests'][0]['digest']] and
                  d.tables['digests'][0]['calls'] == '2' else
                  [repr(d.tables['digests'])])
    columns = '"SCHEMA_NAME","DIGEST","DIGEST_TEXT","COUNT_STAR",' \
        '"SUM_TIMER_WAIT"\r\n"pier","%s","SELECT ""x"" , ?","3",' \
        '"30000000000"\r\n' % ('c' * 32)
    for name, data in (('UTF-8 BOM', b'\xef\xbb\xbf' + columns.encode()),
                       ('UTF-16, little', b'\xff\xfe' +
                        columns.encode('utf-16-le')),
                       ('UTF-16, big', b'\xfe\xff' +
                        columns.encode('utf-16-be'))):
        c = written('bom.csv', data)
        report.result('a quoted header behind a BOM: ' + name, picked(
            c.tables['digests'][0], {
                'schema': 'pier', 'calls': '3',
                'total_s': '0.030000000000'}))
    c = written('56.tsv', 'DIGEST\tDIGEST_TEXT\tCOUNT_STAR\tSUM_TIMER_WAIT\n'
                'NULL\tNULL\t7\t70\n%s\tSELECT ?  \t1\t2\n' % ('d' * 32))
    report.result('5.6.5: the rest without a schema', picked(
        c.tables['digests'][0], {'digest_text': '(other digests)',
                                 'calls': '7'}) + (
        [] if any('87.5 % of executions' in r['message']
                  for r in c.tables['problems']) else ['no warning']))


def releases():
    """pg_stat_statements between the releases that have a file: names of
    9.5 and of 17; and what each view leaves out stays empty."""
    c = written('pg95.csv', 'userid,dbid,queryid,query,calls,total_time,'
                'min_time,max_time,mean_time,stddev_time,rows\n'
                '10,5,-9,"SELECT name FROM berth WHERE id = ?",4,2.5,0.5,1,'
                '0.625,0.2041,4\n')
    report.result('pg_stat_statements 9.5', picked(c.tables['digests'][0], {
        'native_digest': '-9', 'schema': '5', 'calls': '4',
        'total_s': '0.002500000000', 'min_s': '0.000500000000',
        'max_s': '0.001000000000', 'avg_s': '0.000625000000',
        'stddev_s': '0.000204100000', 'rows_sent': '4', 'parses': '',
        'lock_s': '', 'rows_examined': ''}))
    c = written('pg17.csv', 'userid,dbid,toplevel,queryid,query,plans,'
                'total_plan_time,calls,total_exec_time,min_exec_time,'
                'max_exec_time,mean_exec_time,stddev_exec_time,rows,'
                'shared_blk_read_time,stats_since,minmax_stats_since\n'
                '10,5,t,77,SELECT name FROM berth WHERE id = $1,2,0.25,4,'
                '1000000.000001,0,500000,250000.00000025,1,8,0,'
                '2024-05-02 06:00:00.5+02,2024-05-02 06:00:00+02\n')
    report.result('pg_stat_statements 17', picked(c.tables['digests'][0], {
        'native_digest': '77', 'calls': '4', 'parses': '2',
        'total_s': '1000.000000001000', 'max_s': '500.000000000000',
        'avg_s': '250.000000000250', 'rows_sent': '8', 'load': ''}))
    d = written('pg.csv', 'queryid,query,calls,total_time\n1,"SELECT name '
                'FROM berth WHERE id = ?",1,1\n2,SELECT name FROM berth '
                'WHERE id = $1,1,1\n3,select NAME from BERTH where ID=$7,1,'
                '1\n', ['--by', 'digest'])
    report.result('? of 9.5 and $1 of 10 are one', [] if [
        (r['calls'], r['digest']) for r in d.tables['digests']] ==
        [('3', c.tables['digests'][0]['digest'])] else
        [repr(d.tables['digests'])])
    c = written('tidb.tsv', 'DIGEST\tDIGEST_TEXT\tEXEC_COUNT\tAVG_LATENCY\n' +
                'a' * 64 + '\tselect ?\t3\t1000\n')
    report.result('an average stands for the total', picked(
        c.tables['digests'][0], {'total_s': '0.000003000',
                                 'flags': 'approximate'}))


def merged_units():
    """2.5 s in us and 900 s in ns are one sum."""
    rows_are('units meet', [own('proxysql.tsv'), own('tidb.tsv'),
                            own('pgss13.csv')],
             [{'source': '(all)', 'digest': CRATE, 'calls': '17',
               'total_s': '901.500310001000'}],
             ['--merge', 'sources', '--by', 'digest'])


def long_insert():
    """mysqldump writes megabytes on one line."""
    row = "('pier','%032x','SELECT `c%d` FROM `t` WHERE `note` = ? ',%d,%d)"
    n = 40000
    text = ('INSERT INTO `events_statements_summary_by_digest` (`SCHEMA_NAME`'
            ',`DIGEST`,`DIGEST_TEXT`,`COUNT_STAR`,`SUM_TIMER_WAIT`) VALUES ' +
            ','.join(row % (i, i, i + 1, 10 ** 9 + i) for i in range(n)) +
            ';\n')
    c = written('dump.sql', text, ['--by', 'schema', '--max-memory', '256M'])
    report.result('an INSERT of %d rows on one line' % n, picked(
        c.tables['digests'][0], {
            'calls': str(n * (n + 1) // 2),
            'total_s': half_up(n * 10 ** 9 + n * (n - 1) // 2, 10 ** 12,
                               12)}))


def little_memory():
    """Samples make room for figures: a row of 330 bytes of figures and
    650 of names under 1.1 KB of memory a row."""
    n = 20000
    long = 'SELECT `o` . `id` , ' + ' , '.join(
        '`column_%d`' % i for i in range(14)) + ' FROM `t%d` WHERE `a` = ?'
    lines = ['SCHEMA_NAME\tDIGEST\tDIGEST_TEXT\tCOUNT_STAR\t'
             'SUM_TIMER_WAIT\tQUERY_SAMPLE_TEXT']
    for i in range(n):
        lines.append('s\t%064x\t%s\t%d\t%d\t%s' % (
            i, long % i, i + 1, 10 ** 9 + i, (long % i).replace('?', '77')))
    text = '\n'.join(lines) + '\n'
    whole = written('x.tsv', text)
    less = written('x.tsv', text, ['--max-memory', '24M'])
    rows = less.tables.get('digests', [])
    bad = ['status %d: %s' % (less.status, less.err[:200])] if \
        less.status != 0 else []
    if sum(int(r['calls']) for r in rows) != n * (n + 1) // 2:
        bad.append('%d rows' % len(rows))
    if [r['sample_text'] for r in rows if r['sample_text']] or not any(
            r['id'] == 'samples-dropped' for r in less.tables['problems']):
        bad.append('samples are there')
    for a, b in zip(rows, whole.tables['digests']):
        if dict(b, sample_text='') != a or b['sample_text'] == '':
            bad.append('%r, not %r' % (a, b))
            break
    report.result('little memory', bad)


def histograms():
    def percentiles(files):
        c = convert([own(x) for x in files], '--merge', 'sources')
        r = c.tables['digests'][0]
        return [r[k] for k in ('calls', 'p50_s', 'p95_s', 'p99_s', 'p999_s')]

    # ranks 100, 190, 198, 200 of counts 3, 2, 100, 6, 89
    want = ['200', '0.000010964782', '0.000012022644', '0.000012022644',
            '0.000012022644']
    whole = percentiles(['histogram_all.tsv'])
    halves = percentiles(['histogram_1.tsv', 'histogram_2.tsv'])
    report.result('histogram', [] if whole == want else [repr(whole)])
    report.result('halves of a histogram are the whole',
                  [] if halves == whole else [repr(halves)])

    def buckets(files):
        c = convert([own(x) for x in files], '--merge', 'sources')
        return [{k: v for k, v in r.items() if k != 'source'}
                for r in c.tables['histogram']]

    whole = buckets(['histogram_all.tsv'])
    halves = buckets(['histogram_1.tsv', 'histogram_2.tsv'])
    report.result('buckets', picked(whole[0], {
        'from_s': '0.000000000000', 'to_s': '0.000010000000', 'count': '3',
        'session': '', 'time_s': '', 'schema': 'pier'}) +
        ([] if [r['count'] for r in whole] == ['3', '2', '100', '6', '89'] else
         [repr([r['count'] for r in whole])]))
    report.result('buckets of two halves', [] if halves == whole else
                  [repr(halves)])
    # single statements: their times are known
    rows_are('buckets of a list', [own('list.tsv')], [
        {'event': 'SELECT `w` FROM `crate` WHERE ID = ?', 'count': '1',
         'from_s': '0.001000000000', 'to_s': '0.001047128548',
         'time_s': '0.001000000000'}, {'time_s': '0.002000000000'},
        {'time_s': '0.003000000000', 'to_s': '0.003019951720'},
        {'time_s': '0.000000000005'}], table='histogram')
    c = convert([own('histogram_1.tsv'), own('mysql80.txt')])
    # its row of the summary is in another file: the text is found there
    r = c.one('digests', source='histogram_1.tsv')
    report.result('a histogram finds its text', picked(
        r, {'digest': CRATE, 'calls': '100', 'total_s': ''}))


def selection():
    rows_are('--where schema', [own('mysql57.tsv')],
             [{'calls': '10', 'share_pct': '100.00'}, {'calls': '3'},
              {'calls': '0'}], ['--where', 'schema=pier'])
    rows_are('--where schema, alternatives', [own('mysql57.tsv')],
             [{'calls': '4'}, {'calls': '2'}, {'calls': '1'}],
             ['--where', 'schema=', '--where', 'schema=dock'])
    rows_are('--where digest', [own('mysql57.tsv')],
             [{'schema': 'pier'}, {'schema': ''}, {'schema': 'dock'}],
             ['--where', 'digest=' + CRATE])
    rows_are('--where digest, the server\'s own', [own('mysql57.tsv')],
             [{'calls': '3'}], ['--where', 'digest=' + 'c' * 32])
    rows_are('--where source', [own('mysql57.tsv'), own('mysql80.txt')],
             [{'calls': '4'}, {'calls': '0'}],
             ['--where', 'source=mysql80.txt'])
    rows_are('--where schema and digest', [own('mysql57.tsv')],
             [{'calls': '1'}], ['--where', 'schema=dock', '--where',
                                'digest=' + CRATE])
    trace = own('app_oracle.trc')
    c = rows_are('--where digest, a trace too', [own('mysql57.tsv'), trace],
                 [{'source': 'app_oracle.trc', 'calls': '1'},
                  {'schema': 'pier'}, {}, {}],
                 ['--where', 'digest=' + CRATE])
    report.result('the statements of a digest', [] if [
        r['digest'] for r in c.tables['statements'] if r['digest']] ==
        [CRATE] else [repr(c.tables['statements'])])
    rows_are('what has no module is left out', [own('mysql57.tsv'), trace],
             [], ['--where', 'module=none'],
             err=['totals by digest are left out: they have no module'])
    rows_are('--where schema: snapshots',
             [own('snapshot_1.tsv'), own('snapshot_2.tsv')], [],
             ['--delta', '--where', 'schema=nowhere'], 'digest_deltas')
    for options in (['--where', 'module=x'], ['--since', '10:00'],
                    ['--until', '5s'], ['--where', 'class=wait']):
        run = subprocess.run([PROFPIVOT, 'show', own('mysql57.tsv')] +
                             options, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        report.result('refused: ' + ' '.join(options), [] if
                      run.returncode == 1 and run.stdout == b'' and
                      b'--where takes source, schema and digest'
                      in run.stderr else [repr((run.returncode, run.stderr))])
    c = convert([own('mysql57.tsv')], '--idle', 'exclude')
    report.result('no idle waits in totals: nothing is claimed', [] if
                  len(c.tables['digests']) == 6 and not
                  [r for r in c.tables['problems'] if r['id'] == 'selection']
                  else [repr(c.tables['problems'])])


def deltas():
    want = [
        {'source': 'snapshot_2.tsv', 'native_digest': '1' * 32,
         'from_at': '2024-05-02T06:00:00', 'to_at': '2024-05-02T07:00:00',
         'calls': '60', 'total_s': '0.500000000000', 'state': 'known',
         'load': '0.000139'},
        {'native_digest': '4' * 32, 'calls': '7', 'state': 'new'},
        {'native_digest': '2' * 32, 'calls': '4', 'state': 'reset',
         'total_s': '0.000000000020'},
        {'native_digest': '', 'calls': '2', 'state': 'known',
         'total_s': '0.000000000015'},
        {'native_digest': '3' * 32, 'calls': '', 'total_s': '',
         'state': 'gone'},
        {'native_digest': '5' * 32, 'calls': '', 'total_s': '',
         'state': 'unknown'}]
    rows_are('two snapshots', [own('snapshot_2.tsv'), own('snapshot_1.tsv')],
             want, ['--delta'], 'digest_deltas')
    c = convert([own('snapshot_%d.tsv' % i) for i in (3, 1, 2)], '--delta')
    r = c.one('digest_deltas', source='snapshot_3.tsv', native_digest='1'*32)
    # its counters are all higher, but it was first seen after the restart
    report.result('three snapshots, a restart', picked(
        r, {'calls': '200', 'state': 'reset',
            'from_at': '2024-05-02T07:00:00'}))
    report.result('never negative', [x for x in (
        r['calls'] + r['total_s'] for r in c.tables['digest_deltas'])
        if '-' in x])
    c = convert([own('snapshot_1.tsv'), own('snapshot_2.tsv')])
    report.result('no deltas unasked', [] if not
                  c.tables['digest_deltas'] else ['there are some'])


def timeline():
    """Steps from a snapshot to the next are intervals of the timeline."""
    files = [own('snapshot_%d.tsv' % i) for i in (2, 3, 1)]
    first = {'source': 'snapshot_1.tsv', 'session': '', 'interval': '1',
             'start_s': '0.000000', 'end_s': '3600.000000',
             'start_at': '2024-05-02T06:00:00', 'class': 'statement'}
    rows_are('a timeline of digests', files, [
        dict(first, event='SELECT ?', time_s='0.500000000000', count='60'),
        dict(first, event='BEGIN', time_s='0.000000000070', count='7'),
        dict(first, event='COMMIT', time_s='0.000000000020', count='4'),
        dict(first, event='(other digests)', count='2'),
        {'interval': '2', 'start_s': '3600.000000', 'event': 'SELECT ?',
         'end_s': '7200.000000', 'time_s': '1.600000000000',
         'count': '200'}], ['--delta'], 'timeline')
    rows_are('a timeline of digests, --top', files, [
        dict(first, event='SELECT ?'),
        dict(first, event='other', time_s='0.000000000105', count='13'),
        {'interval': '2', 'event': 'SELECT ?'}],
        ['--delta', '--top', '1'], 'timeline')
    rows_are('a timeline of digests, wide', files, [
        {'interval': '1', 'SELECT ?': '0.500000000000',
         'COMMIT': '0.000000000020'},
        {'interval': '2', 'SELECT ?': '1.600000000000',
         'COMMIT': '0.000000000000'}], ['--delta'], 'timeline_pivot')
    c = convert(files)
    report.result('no timeline unasked', [] if 'timeline' not in c.tables
                  else [repr(c.tables['timeline'])])
    c = convert(files + [own('histogram_1.tsv')], '--delta')
    report.result('a histogram is no snapshot', [] if not [
        r for r in c.tables['digest_deltas'] if 'histogram' in r['source']]
        else [repr(c.tables['digest_deltas'])])


def printed(*words):
    run = subprocess.run([PROFPIVOT] + list(words), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    return run.returncode, run.stdout.decode('utf-8')


def shows(name, text, *lines):
    """Each a line of the text, blanks apart."""
    got = [' '.join(re.sub('[\u2588-\u258f]', ' ', x).split())
           for x in text.split('\n')]
    report.result(name, ['no line %r' % x for x in lines if x not in got])


def reports():
    files = [own('snapshot_%d.tsv' % i) for i in (1, 2, 3)]
    status, text = printed('show', '-q', '--delta', '--top', '3', *files)
    shows('show --delta', text,
          'd:66cbb3a40d4b 0.500000 100.00 60 0.008333 known',
          'pier: SELECT ?', 'd:a8402858d4f1 0.000000 0.00 7 0.000000 new',
          'other 0.000000 0.00 2 0.000000',
          'total 0.500000 100.00 73 0.006849',
          '2 known, 1 new, 1 gone, 1 reset, 1 unknown',
          'total 1.600000 100.00 200 0.008000', '4 gone, 1 reset')
    status, text = printed('show', '-q', own('mysql57.tsv'), '--top', '2')
    shows('show, top 2 with the rest of a named total', text,
          'd:b715af96a529 20.000000 67.80 10 2.000000 4.000000',
          'other 1.500000 5.08 6 0.250000 0.600000',
          'total 29.500000 100.00 20 1.475000 4.000000')
    status, text = printed('compare', '-q', files[0], files[1])
    shows('compare, printed', text, 'before: ' + files[0],
          'after: ' + files[1],
          'times in seconds; ratio: after / before; %: of all differences, '
          'signs left out',
          'digest before s after s difference s ratio %',
          'SELECT ? 1.000000 1.500000 0.500000 1.50 100.00',
          'BEGIN 0.000000 0.000000 0.000000 new 0.00',
          'ROLLBACK 0.000000 0.000000 0.000000 gone 0.00',
          'all together 1.000000 1.500000 0.500000 1.50')
    report.result('compare, new and gone', [] if
                  '6 of 6 differ, 2 new, 1 gone' in text else [text[:300]])
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, 'report.txt')
        status, nothing = printed('compare', '-q', '-o', out, *files[:2])
        with open(out, encoding='utf-8') as f:
            same = f.read() == text
        report.result('compare -o FILE.txt', [] if same and status == 0 and
                      nothing == '' else ['status %d' % status])
    status, text = printed('compare', '-q', files[0], files[0])
    report.result('compare with itself, printed', [] if '0 of 4 differ' in
                  text and 'no difference' in text else [text])


def compare(before, after, *options):
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, 'out')
        run = subprocess.run([PROFPIVOT, 'compare', '-q', '-t', 'csv', '-o',
                              out, before, after] + list(options),
                             stderr=subprocess.PIPE)
        tables = {}
        for name in glob.glob(os.path.join(out, '*.csv')):
            with open(name, newline='') as f:
                tables[os.path.basename(name)[:-4]] = list(csv.DictReader(f))
    return run.returncode, tables


def comparisons():
    a = own('snapshot_1.tsv')
    status, t = compare(a, a)
    report.result('a capture with itself', [
        '%s: %d rows' % (k, len(v)) for k, v in t.items() if v] +
        ([] if status == 0 and len(t) == 3 else ['status %d' % status]))
    status, t = compare(a, a, '--unchanged')
    report.result('--unchanged', [] if [
        r['state'] for r in t['compare_digests']] == ['same'] * 4 else
        [repr(t['compare_digests'])])
    trace = own('app_oracle.trc')
    status, t = compare(trace, trace)
    report.result('a trace with itself', [
        '%s: %d rows' % (k, len(v)) for k, v in t.items() if v])
    with tempfile.TemporaryDirectory() as work:
        twice = os.path.join(work, 'twice.tsv')
        with open(a) as f, open(twice, 'w') as to:
            to.write(f.read().replace('\t10\t50\t', '\t20\t100\t', 1))
        status, t = compare(a, twice)
    got = t['compare_digests']
    report.result('one digest doubled', ['%d rows' % len(got)]
                  if len(got) != 1 else picked(got[0], {
                      'digest': COMMIT, 'before_s': '0.000000000050',
                      'after_s': '0.000000000100', 'ratio': '2.0000',
                      'difference_s': '0.000000000050',
                      'share_pct': '100.00', 'before_count': '10',
                      'after_count': '20', 'difference_count': '10',
                      'state': 'more'}))
    status, t = compare(own('mysql57.tsv'), trace)
    got = {r['digest'] or r['digest_text']: r for r in t['compare_digests']}
    bad = picked(got[CRATE], {'before_count': '13', 'after_count': '1',
                              'after_s': '0.001000000000', 'state': 'less'})
    bad += picked(got['(other digests)'], {'after_s': '', 'ratio': '',
                                           'state': 'gone'})
    events = [r['state'] for r in t['compare_events']]
    if not events or set(events) != {'new'}:
        bad.append('events: %r' % events)
    report.result('an export with a trace', bad)
    for name, words in (('one word', [a]), ('no such file', [a, a + 'x'])):
        run = subprocess.run([PROFPIVOT, 'compare'] + words,
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        report.result('compare: ' + name, [] if run.returncode ==
                      (2 if len(words) == 1 else 1) else
                      ['status %d' % run.returncode])


def variants():
    """Columns in any order, subset and case give the same figures."""
    rng = random.Random(8)
    with open(own('mysql57.tsv'), newline='') as f:
        table = [line.rstrip('\n').split('\t') for line in f]
    whole = convert([own('mysql57.tsv')]).tables['digests']
    bad = []
    for n in range(12):
        order = list(range(len(table[0])))
        rng.shuffle(order)
        if n % 2:
            drop = {'MIN_TIMER_WAIT', 'SUM_LOCK_TIME', 'FIRST_SEEN'}
            order = [i for i in order if table[0][i] not in drop]
        with tempfile.TemporaryDirectory() as work:
            name = os.path.join(work, 'mysql57.tsv')
            with open(name, 'w') as to:
                for k, row in enumerate(table):
                    cells = [row[i] for i in order]
                    if k == 0 and n % 3 == 0:
                        cells = [c.lower() for c in cells]
                    to.write('\t'.join(cells) + '\n')
            got = convert([name]).tables['digests']
        for g, w in zip(got, whole):
            if n % 2:
                w = dict(w, min_s='', lock_s='', first_seen='')
            if g != w:
                bad.append('variant %d: %r' % (n, [
                    (k, g[k], w[k]) for k in g if g[k] != w[k]]))
        if len(got) != len(whole):
            bad.append('variant %d: %d rows' % (n, len(got)))
    report.result('columns in any order, subset and case', bad)


def published():
    if not CASES or not os.path.isdir(CASES):
        report.skip('cases as published', 'PP_SHARED names no folder')
        return

    def shared(rid, files, want, **more):
        rows_are(rid + ' as published', [os.path.join(CASES, f)
                 for f in files], want, **more)

    shared('R53', ['R53.tsv'], [{
        'calls': '5', 'total_s': '2.500000000000', 'p95_s': '', 'cpu_s': '',
        'avg_s': '0.500000000000'}])
    shared('R55', ['R55.tsv'], [
        {'calls': '700', 'total_s': '21.000000000000',
         'digest_text': '(other digests)'},
        {'calls': '300', 'total_s': '3.000000000000'}], err=[
        'digest table full, 70.0 % of executions not attributed'])
    shared('R56', ['R56.tsv'], [
        {'calls': '2', 'total_s': '0.010000000000'},
        {'calls': '4', 'total_s': '', 'avg_s': '', 'min_s': '', 'max_s': '',
         'rows_without_time': '1'}], err=['1 row without time'])
    shared('R57', ['R57.tsv'], [{
        'calls': '7', 'total_s': '0.700000000000', 'statements': '2',
        'min_s': '0.050000000000', 'max_s': '0.300000000000',
        'avg_s': '0.100000000000',
        'digest_text': 'SELECT * FROM `x` WHERE `y` = ?'}])
    shared('R58', ['R58.tsv'], [{
        'first_seen': '', 'last_seen': '2024-03-01T09:00:00.123456'}])
    shared('R61', ['R61.csv'], [{
        'schema': 'shop', 'calls': '3', 'total_s': '0.030000000000'}])
    shared('R64', ['R64.tsv'], [
        {'total_s': '12000000.000000000000', 'share_pct': '57.14'},
        {'total_s': '9000000.000000000000'}])
    shared('R64 in sum', ['R64.tsv'], [
        {'total_s': '21000000.000000000000', 'calls': '2000'}],
        options=['--by', 'schema'])
    shared('R65', ['R65.tsv'], [
        {'schema': 's', 'calls': '100', 'avg_s': '0.168000000000'}],
        options=['--by', 'schema'])
    shared('R70', ['R70_1.tsv', 'R70_2.tsv'], [
        {'native_digest': 'c0' * 16, 'calls': '40', 'state': 'reset'},
        {'native_digest': 'c2' * 16, 'calls': '7', 'state': 'new'},
        {'native_digest': 'c1' * 16, 'calls': '', 'state': 'unknown'}],
        options=['--delta'], table='digest_deltas')
    shared('R71', ['R71_proxy.tsv', 'R71_ps.tsv'], [
        {'calls': '4', 'total_s': '2.500000', 'avg_s': '0.625000'},
        {'calls': '4', 'total_s': '2.500000000000',
         'avg_s': '0.625000000000'}])


def seed():
    if not SHARED:
        report.skip('the seed', 'PP_SHARED names no folder')
        return
    c = convert(glob.glob(os.path.join(SHARED, 'seeds', '002_*.txt')))
    rows = c.tables['digests']
    got = {r['native_digest']: r['calls'] for r in rows}
    # 8 rows, then 2 rows of which one is there already
    want = {'021d13e766a40ee278c0d30dfcffbc58': '2',
            'ed3bec8844f8b8ac0632d5409e07e104': '1',
            '42b93d481e96b9c9b4049b9407900194': '1',
            'a32df38ba4db0890b236e490d15889e2': '2',
            '8204f53e4eae088fe292d09d13e8049d': '1',
            '1c465973a09e28ad9da5f65303c66343': '2',
            'b92f1ec95780e5dc6820a951f93af825': '1',
            'f92a5f6103d7a9da0da846b5c5830fa0': '2', '': '6'}
    report.result('the seed\'s digest tables', [] if got == want else
                  [repr(got)])


def real():
    """Python reads the batch exports too; sums and percentiles agree."""
    if not MYSQL or not os.path.isdir(MYSQL):
        report.skip('real exports', 'PP_SHARED names no folder')
        return
    for name in sorted(glob.glob(MYSQL + '/*/ps/digest_all.batch.txt') +
                       glob.glob(MYSQL + '/*/digest_full/*all.batch.txt')):
        with open(name, encoding='utf-8', newline='') as f:
            lines = f.read().split('\n')
        head = lines[0].split('\t')
        rows = [dict(zip(head, x.split('\t'))) for x in lines[1:] if x]
        bad = []
        got = convert([name]).tables['digests']
        by = {(r['schema'], r['native_digest']): r for r in got}
        total = sum(int(r['SUM_TIMER_WAIT']) for r in rows)
        for r in rows:
            key = tuple('' if r[k] == 'NULL' else r[k]
                        for k in ('SCHEMA_NAME', 'DIGEST'))
            want = {'calls': r['COUNT_STAR'],
                    'total_s': half_up(int(r['SUM_TIMER_WAIT']), 10**12, 12),
                    'max_s': half_up(int(r['MAX_TIMER_WAIT']), 10**12, 12),
                    'rows_examined': r['SUM_ROWS_EXAMINED'],
                    'first_seen': r['FIRST_SEEN'].replace(' ', 'T'),
                    'share_pct': half_up(int(r['SUM_TIMER_WAIT']) * 100,
                                         total, 2)}
            for column, k in (('QUANTILE_95', 'p95_s'),
                              ('QUANTILE_999', 'p999_s')):
                if column in r:
                    want[k] = half_up(int(r[column]), 10 ** 12, 12)
            bad += picked(by.get(key, {}), want)
        if len(got) != len(rows):
            bad.append('%d rows, not %d' % (len(got), len(rows)))
        report.result('real: ' + os.path.relpath(name, MYSQL), bad)
    for form in ('csv', 'excel.csv', 'semicolon_backslash.csv', 'json', 'sql',
                 'xml', 'yml', 'mediawiki.txt', 'php.txt', 'texy.txt'):
        a = convert([MYSQL + '/mariadb-10.11/phpmyadmin/digests.' + form])
        b = convert([MYSQL + '/mariadb-10.11/mysqldump/tab.digests.txt'])

        def plain(c):
            return sorted(tuple(v for k, v in r.items() if k != 'source')
                          for r in c.tables.get('digests', []))
        report.result('one snapshot, phpMyAdmin ' + form,
                      [] if plain(a) == plain(b) and plain(a) else
                      ['%d and %d rows' % (len(plain(a)), len(plain(b)))])


def dumps():
    """mysqldump of one snapshot: INSERT in two ways, XML, --tab in three."""
    if not MYSQL or not os.path.isdir(MYSQL):
        report.skip('dumps of one snapshot', 'PP_SHARED names no folder')
        return
    base = os.path.join(MYSQL, 'mariadb-10.11', 'mysqldump', '')
    for first, others in (
            ('tab.digests.txt', ['tab_csv.digests.txt',
                                 'tab_enc.digests.txt']),
            ('snap.sql', ['snap.complete-insert-one-row.sql',
                          'snap.xml'])):
        a = convert([base + first]).tables['digests']
        for other in others:
            b = convert([base + other]).tables.get('digests', [])
            same = [{k: v for k, v in r.items() if k != 'source'}
                    for r in a] == [{k: v for k, v in r.items()
                                     if k != 'source'} for r in b]
            report.result('one snapshot: %s as %s' % (other, first), []
                          if same and a else ['%d and %d rows' % (
                              len(a), len(b))])


def forms():
    """Every form of an export has rows of the same digests with the same
    cells filled.  Each file is of its own moment: what runs in between is a
    row more, and the counters differ."""
    if not MYSQL or not os.path.isdir(MYSQL):
        report.skip('every form of an export', 'PP_SHARED names no folder')
        return
    groups = {}
    for pattern in ('ps/digest_*', 'ps/sys_*statement*', 'ps/histogram_by*',
                    'digest_full/full_digest*', 'digest_full/full_sys*',
                    'outfile/outfile_digest*', 'mycli/digest.*'):
        for name in glob.glob(os.path.join(MYSQL, '*', pattern)):
            group = os.path.relpath(name, MYSQL).split('.txt')[0]
            group = re.sub('[.](?!.*/)[^/]*$', '', group.split('.csv')[0])
            groups.setdefault(group, []).append(name)
    # a choice of columns without names, and one without borders too
    unknown = ('digest_some.batch-N.txt', 'digest.minimal.txt',
               '.fixed.csv')
    for group, names in sorted(groups.items()):
        bad, first = [], {}
        for name in sorted(names):
            rows = convert([name]).tables.get('digests', [])
            if name.endswith(unknown):
                continue
            if not rows:
                bad.append(os.path.basename(name) + ': no rows')
            got = {(r['schema'], r['native_digest']): [
                k for k in r if r[k] != ''] for r in rows}
            shared = [k for k in got if k in first]
            if first and len(shared) * 10 < len(first) * 8:
                bad.append('%s: %d of %d digests' % (
                    os.path.basename(name), len(shared), len(first)))
            for k in shared:
                if got[k] != first[k]:
                    bad.append('%s: %s has other cells: %r' % (
                        os.path.basename(name), k,
                        set(got[k]) ^ set(first[k])))
            for k, v in got.items():
                first.setdefault(k, v)
        report.result('forms of ' + group, bad[:3])


def nameless():
    """-N: columns by their places; the names stand in another form's file,
    taken at another moment."""
    if not MYSQL or not os.path.isdir(MYSQL):
        report.skip('real exports without names', 'PP_SHARED names no folder')
        return
    files = sorted(glob.glob(MYSQL + '/*/ps/digest_all.batch-N.txt') +
                   glob.glob(MYSQL + '/*/ps/histogram*.batch-N.txt') +
                   glob.glob(MYSQL + '/*/ps/sys*statement*.batch-N.txt') +
                   glob.glob(MYSQL + '/postgres/pgss15.copy_text.txt'))
    for name in files:
        twin = name.replace('-N.txt', '.txt').replace('copy_text.txt',
                                                      'copy_csv.csv')
        with open(twin, encoding='utf-8', newline='') as f:
            head = re.split('[\t,]', f.readline().strip())
        with open(name, encoding='utf-8', newline='') as f:
            lines = f.read().rstrip('\n').split('\n')
        table = 'histogram' if 'histogram' in name else 'digests'
        with tempfile.TemporaryDirectory() as work:
            named = os.path.join(work, os.path.basename(name))
            with open(named, 'w', encoding='utf-8', newline='') as to:
                to.write('\n'.join(['\t'.join(head)] + lines) + '\n')
            want = convert([named]).tables.get(table)
        got = convert([name]).tables.get(table)
        report.result('without names: ' + os.path.relpath(name, MYSQL), []
                      if got and got == want else ['%d rows, not %d' % (
                          len(got or []), len(want or []))])


def nameless_own():
    """The first releases have fewer columns: 5.6.5 no SCHEMA_NAME."""
    import csv as reader
    with open(own('mysql57.tsv'), newline='') as f:
        rows = list(reader.reader(f, delimiter='\t',
                                  quoting=reader.QUOTE_NONE))
    order = [c for c in SERVER if c != 'SCHEMA_NAME']
    for name, columns in (('28 columns', order), ('29 columns', SERVER)):
        with tempfile.TemporaryDirectory() as work:
            a = os.path.join(work, 'x.tsv')
            with open(a, 'w') as to:
                for r in rows[1:]:
                    r = dict(zip(rows[0], r))
                    to.write('\t'.join(r.get(c, '0') for c in columns) +
                             '\n')
            got = convert([a]).tables.get('digests', [])
            with open(a) as f:
                text = f.read()
            with open(a, 'w') as to:
                to.write('\t'.join(columns) + '\n' + text)
            want = convert([a]).tables['digests']
        report.result('without names, ' + name, [] if got == want and want
                      else ['%d rows, not %d' % (len(got), len(want))])
    rows_are('a histogram without names', [own('histogram_nameless.tsv')],
             [{'event': '1f' * 32, 'from_s': '0.000000000000',
               'to_s': '0.000010000000', 'count': '3', 'time_s': '',
               'digest': '1f' * 32, 'schema': 'pier', 'session': ''},
              {'from_s': '9772.372209558107', 'to_s': '', 'count': '2'}],
             table='histogram')


def quantiles():
    """The server's QUANTILE columns follow from its own histogram."""
    base = MYSQL + '/mysql-9.7/ps/' if MYSQL else ''
    files = [base + 'digest_all.xml.txt', base + 'histogram_by_digest.xml.txt']
    if not base or not all(os.path.exists(f) for f in files):
        report.skip('quantiles of a server', 'PP_SHARED names no folder')
        return
    c = convert(files)
    summary = {(r['schema'], r['native_digest']): r for r in
               c.rows('digests', source='digest_all.xml.txt')}
    bad, n = [], 0
    for r in c.rows('digests', source='histogram_by_digest.xml.txt'):
        s = summary.get((r['schema'], r['native_digest']))
        # taken at another moment: those that did not run in between agree
        if s is None or s['calls'] != r['calls']:
            continue
        n += 1
        bad += picked(r, {k: s[k] for k in ('p95_s', 'p99_s', 'p999_s')})
    if n < 5:
        bad.append('only %d to compare' % n)
    report.result('quantiles of a server', bad)


exports()
joins()
applications()
tricky()
releases()
merged_units()
long_insert()
little_memory()
histograms()
nameless_own()
selection()
deltas()
timeline()
reports()
comparisons()
variants()
published()
seed()
real()
dumps()
forms()
nameless()
quantiles()
report.end()
