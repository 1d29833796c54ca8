#!/usr/bin/python3
"""A real server: events_statements_summary_by_digest in every form that the
client prints and in dialects of INTO OUTFILE, against the server's own SUM().

The consumer of digests is switched off after the work, so that all forms are
one snapshot.  Skipped where there is no server.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dbserver import Server, missing                    # noqa: E402
from tables import Report, convert, half_up             # noqa: E402

report = Report()

TABLE = 'performance_schema.events_statements_summary_by_digest'
WORK = '''
CREATE DATABASE depot; CREATE DATABASE pier;
USE depot;
CREATE TABLE parcel (id INT PRIMARY KEY, town INT, note VARCHAR(60));
INSERT INTO parcel SELECT seq, seq % 7, CONCAT('n', seq) FROM seq_1_to_3000;
SELECT town, COUNT(*) FROM parcel WHERE note LIKE '%9%' GROUP BY town;
SELECT town, COUNT(*) FROM parcel WHERE note LIKE '%8%' GROUP BY town;
SELECT * FROM parcel WHERE id IN (1, 2, 3);
SELECT * FROM parcel WHERE id IN (4, 5);
SELECT SLEEP(0.02);
SELECT 'a | b' AS `x|y`,
  '\u6771\u4eac' AS `\u6771\u4eac`, "tab\there" AS `t\tab`;
UPDATE parcel SET town = 8 WHERE id < 20;
USE pier;
SELECT * FROM depot.parcel WHERE id IN (7, 8, 9);
SELECT SLEEP(0.01);
SELECT 1 AS `back\\slash`;
COMMIT; COMMIT; COMMIT;
'''

# ours -> the server's; times are picoseconds
COLUMNS = [('calls', 'COUNT_STAR'), ('total_s', 'SUM_TIMER_WAIT'),
           ('min_s', 'MIN_TIMER_WAIT'), ('max_s', 'MAX_TIMER_WAIT'),
           ('lock_s', 'SUM_LOCK_TIME'), ('errors', 'SUM_ERRORS'),
           ('warnings', 'SUM_WARNINGS'),
           ('rows_affected', 'SUM_ROWS_AFFECTED'),
           ('rows_sent', 'SUM_ROWS_SENT'),
           ('rows_examined', 'SUM_ROWS_EXAMINED'),
           ('tmp_tables', 'SUM_CREATED_TMP_TABLES'),
           ('tmp_disk_tables', 'SUM_CREATED_TMP_DISK_TABLES'),
           ('full_joins', 'SUM_SELECT_FULL_JOIN'),
           ('full_scans', 'SUM_SELECT_SCAN'),
           ('sort_rows', 'SUM_SORT_ROWS'),
           ('no_index', 'SUM_NO_INDEX_USED'),
           ('no_good_index', 'SUM_NO_GOOD_INDEX_USED')]

FORMS = [
    ('table', ['-t']), ('table with echo', ['-t', '-vvv']),
    ('table without names', ['-t', '-N']), ('batch', ['-B']),
    ('batch with echo', ['-B', '-vvv']), ('batch without names', ['-B', '-N']),
    ('vertical', ['-E']), ('vertical with echo', ['-E', '-vvv']),
    ('HTML', ['-H']), ('XML', ['-X']),
]

DIALECTS = [
    ('plain', ''),
    ('CSV', 'FIELDS TERMINATED BY \',\' OPTIONALLY ENCLOSED BY \'"\''),
    ('all enclosed', 'FIELDS TERMINATED BY \',\' ENCLOSED BY \'"\''),
    ('quotes doubled', 'FIELDS TERMINATED BY \',\' OPTIONALLY ENCLOSED BY '
     '\'"\' ESCAPED BY \'"\' LINES TERMINATED BY \'\\r\\n\''),
    ('no escapes', 'FIELDS TERMINATED BY \',\' ENCLOSED BY \'"\' '
     'ESCAPED BY \'\''),
    ('semicolons', 'FIELDS TERMINATED BY \';\' LINES TERMINATED BY '
     '\'\\r\\n\''),
    ('bars', 'FIELDS TERMINATED BY \'|\''),
]


def value(ours, v):
    if v == '\\N':
        return ''
    return half_up(int(v), 10 ** 12, 12) if ours.endswith('_s') else v


def server_rows(server):
    """By (schema, digest), as the server prints each value alone."""
    names = ', '.join(c for _, c in COLUMNS)
    run = server.client("SELECT IFNULL(HEX(SCHEMA_NAME), ''), IFNULL(DIGEST, "
                        "''), %s FROM %s" % (names, TABLE), '-B', '-N')
    rows = {}
    for line in run.stdout.decode().rstrip('\n').split('\n'):
        cells = line.split('\t')
        key = bytes.fromhex(cells[0]).decode(), cells[1]
        rows[key] = {k: value(k, v)
                     for (k, _), v in zip(COLUMNS, cells[2:])}
        # what never ran has no extremes
        if rows[key]['calls'] == '0':
            rows[key]['min_s'] = rows[key]['max_s'] = ''
    return rows


def server_sums(server):
    names = ', '.join('SUM(%s)' % c for k, c in COLUMNS
                      if k not in ('min_s', 'max_s'))
    run = server.client('SELECT %s FROM %s' % (names, TABLE), '-B', '-N')
    keys = [k for k, _ in COLUMNS if k not in ('min_s', 'max_s')]
    return dict(zip(keys, (value(k, v) for k, v in zip(
        keys, run.stdout.decode().split()))))


def total(rows, k):
    """As text, to the last digit."""
    if not k.endswith('_s'):
        return str(sum(int(r[k]) for r in rows))
    return half_up(sum(int(r[k].replace('.', '')) for r in rows), 10 ** 12,
                   12)


def check(name, path, want, sums, first):
    out = convert([path])
    rows = out.tables.get('digests', [])
    bad = [] if out.status == 0 else ['status %d: %s' % (
        out.status, out.err[:200])]
    got = {(r['schema'], r['native_digest']): r for r in rows}
    for key in sorted(set(got) | set(want)):
        for k, _ in COLUMNS:
            g = got.get(key, {}).get(k)
            w = want.get(key, {}).get(k)
            if g != w:
                bad.append('%s %s: %r, the server says %r' % (key, k, g, w))
    for k, v in sums.items():
        if not bad and total(rows, k) != v:
            bad.append('the sum of %s: %s, the server says %s' % (
                k, total(rows, k), v))
    mine = sorted(tuple(v for k, v in r.items() if k != 'source')
                  for r in rows)
    if first and mine != first[0]:
        bad.append('rows differ from those of the first form: %r' % [
            (a, b) for a, b in zip(mine, first[0]) if a != b][:1])
    first.append(mine)
    report.result('digests of a server: ' + name, bad[:3])


def run_server(server, where):
    server.client(WORK)
    server.client("UPDATE performance_schema.setup_consumers SET ENABLED = "
                  "'NO' WHERE NAME = 'statements_digest'")
    want, sums, first = server_rows(server), server_sums(server), []
    if len(want) < 12:
        raise OSError('only %d digests' % len(want))
    for i, (name, options) in enumerate(FORMS):
        run = server.client('SELECT * FROM %s;\n' % TABLE, *options)
        path = os.path.join(where, 'dump%d.txt' % i)
        with open(path, 'wb') as f:
            f.write(run.stdout)
        check(name, path, want, sums, first)
    for i, (name, dialect) in enumerate(DIALECTS):
        path = os.path.join(where, 'out%d.txt' % i)
        server.client('SELECT * FROM %s INTO OUTFILE \'%s\' %s;\n' % (
            TABLE, path, dialect))
        check('OUTFILE, ' + name, path, want, sums, first)
    if shutil.which('mariadb-dump'):
        path = os.path.join(where, 'dump.sql')
        with open(path, 'wb') as f:
            subprocess.run(['mariadb-dump', '--no-defaults', '--socket=' +
                            server.socket, '--skip-lock-tables',
                            'performance_schema',
                            'events_statements_summary_by_digest'], stdout=f,
                           stderr=subprocess.DEVNULL, check=True, timeout=60)
        check('mariadb-dump', path, want, sums, first)


def main():
    if missing():
        report.skip('server', 'there is no %s' % missing())
        return
    where = tempfile.mkdtemp(prefix='profpivot-digests-')
    server = Server(where, ['--performance-schema=ON'])
    try:
        try:
            server.start()
        except (OSError, subprocess.SubprocessError) as e:
            report.skip('server', 'it does not start: %s' % str(e).replace(
                '\n', ' '))
            return
        run_server(server, where)
    finally:
        server.stop()
        server.log.close()
        shutil.rmtree(where, ignore_errors=True)
    report.end()


main()
