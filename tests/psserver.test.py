#!/usr/bin/python3
"""A real server: events of the Performance Schema, in forms that the client
prints, against sums that the server itself has computed.

Skipped where there is no server.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dbserver import Server, missing                    # noqa: E402
from tables import Report, convert, ticks               # noqa: E402

report = Report()

FAMILIES = ('statements', 'stages', 'waits', 'transactions')

OPTIONS = ['--performance-schema=ON',
           '--performance-schema-instrument=%=ON',
           '--performance-schema-consumer-events-statements-current=ON',
           '--performance-schema-consumer-events-statements-history-long=ON',
           '--performance-schema-consumer-events-stages-current=ON',
           '--performance-schema-consumer-events-stages-history-long=ON',
           '--performance-schema-consumer-events-waits-current=ON',
           '--performance-schema-consumer-events-waits-history-long=ON',
           '--performance-schema-consumer-events-transactions-current=ON',
           '--performance-schema-consumer-events-transactions-history-long'
           '=ON'] + [
    '--performance-schema-events-%s-history-long-size=200000' % f
    for f in FAMILIES]

WORK = '''CREATE DATABASE depot; USE depot;
CREATE TABLE parcel (id INT PRIMARY KEY, town INT, note VARCHAR(60))
 ENGINE=InnoDB;
INSERT INTO parcel SELECT seq, seq % 7, CONCAT('n', seq)
 FROM seq_1_to_2000;
DELIMITER //
CREATE PROCEDURE fill(n INT) BEGIN
 DECLARE i INT DEFAULT 0;
 WHILE i < n DO
  UPDATE parcel SET town = town + 1 WHERE id = i;
  SET i = i + 1;
 END WHILE; END//
CREATE FUNCTION pick(x INT) RETURNS INT READS SQL DATA BEGIN
 DECLARE r INT; SELECT COUNT(*) INTO r FROM parcel WHERE town = x;
 RETURN r; END//
DELIMITER ;
CALL fill(3);
SELECT pick(2), pick(3);
START TRANSACTION;
INSERT INTO parcel VALUES (9001, 1, 'late');
SELECT * FROM parcel WHERE id = 9001 FOR UPDATE;
ROLLBACK;
SELECT town, COUNT(*) FROM parcel GROUP BY town ORDER BY 2;
SELECT * FROM no_such_table;
ALTER TABLE parcel ADD KEY (town);
SELECT SLEEP(0.01);
'''


def ps(text):
    return ticks(text, 12)


def table(family):
    return 'performance_schema.events_%s_history_long' % family


def freeze(server):
    server.client('UPDATE performance_schema.setup_consumers SET '
                  'ENABLED = \'NO\'')


def rows(server, query):
    out = server.client(query, '-B', '-N').stdout.decode('utf-8')
    return [line.split('\t') for line in out.split('\n') if line != '']


def dump(server, where, form, options):
    names = []
    for f in FAMILIES:
        names.append(os.path.join(where, form, f + '.txt'))
        os.makedirs(os.path.dirname(names[-1]), exist_ok=True)
        with open(names[-1], 'wb') as out:
            out.write(server.client('SELECT * FROM ' + table(f),
                                    *options).stdout)
    return names


def elapsed(server, out):
    """Sums by event name are the server's."""
    want = {}
    for f in FAMILIES:
        for name, n, timed, total in rows(
                server, 'SELECT EVENT_NAME, COUNT(*), COUNT(TIMER_WAIT), '
                'COALESCE(SUM(TIMER_WAIT), 0) FROM %s GROUP BY EVENT_NAME'
                % table(f)):
            if name.startswith('stage/sql/'):
                name = name[10:][:30].rstrip(' ')
            cell = want.setdefault(name.lower(), [0, 0, 0])
            cell[0] += int(n)
            cell[1] += int(timed)
            cell[2] += int(total)
    got = {}
    for r in out.rows('events'):
        cell = got.setdefault(r['event'].lower(), [0, 0, 0])
        cell[0] += 1
        if r['elapsed_s'] != '':
            cell[1] += 1
            cell[2] += ps(r['elapsed_s'])
    return ['%s: %r, the server says %r' % (k, got.get(k), want.get(k))
            for k in sorted(set(got) | set(want))
            if got.get(k) != want.get(k)]


SELF = '''SELECT e.f, e.THREAD_ID, e.EVENT_ID,
 e.TIMER_WAIT - COALESCE((SELECT SUM(c.TIMER_WAIT) FROM frozen.event c
  WHERE c.THREAD_ID = e.THREAD_ID AND c.NESTING_EVENT_ID = e.EVENT_ID AND
  c.f <> 'transactions'), 0)
 FROM frozen.event e WHERE e.f <> 'transactions' AND
  e.TIMER_WAIT IS NOT NULL AND NOT EXISTS (SELECT 1 FROM frozen.event t
   WHERE t.THREAD_ID = e.THREAD_ID AND t.f = 'transactions' AND
   t.NESTING_EVENT_ID = e.EVENT_ID) AND NOT EXISTS (
   SELECT 1 FROM frozen.event u WHERE u.THREAD_ID = e.THREAD_ID AND
   u.NESTING_EVENT_ID = e.EVENT_ID AND u.TIMER_WAIT IS NULL)'''


def copies(server):
    one = 'SELECT \'%s\' f, THREAD_ID, EVENT_ID, END_EVENT_ID, EVENT_NAME, ' \
        'TIMER_WAIT, NESTING_EVENT_ID, NESTING_EVENT_TYPE FROM %s'
    server.client(
        'CREATE DATABASE frozen; CREATE TABLE frozen.event (KEY (THREAD_ID, '
        'EVENT_ID), KEY (THREAD_ID, NESTING_EVENT_ID)) ENGINE=MyISAM AS ' +
        ' UNION ALL '.join(one % (f, table(f)) for f in FAMILIES))


def selfs(server, out):
    """Self times by a join, event by event: of those that hold neither a
    transaction nor anything untimed, where the join says it all."""
    native = {(r['source'], r['session']): r['native_id']
              for r in out.rows('sessions')}

    def thread_of(r):
        return native[r['source'], r['session']]

    got = {(thread_of(r), r['p1']): ps(r['self_s'])
           for r in out.rows('events') if r['self_s'] != ''}
    # events whose parent was lost go to the innermost one
    odd = {r['parent_event_id'] for r in out.rows('events')
           if 'orphan' in r['flags']}
    skip = {(thread_of(r), r['p1']) for r in out.rows('events')
            if r['event_id'] in odd}
    bad, n = [], 0
    for _, thread, event, own in rows(server, SELF):
        key = thread, event
        if key in skip:
            continue
        n += 1
        if got.get(key) != int(own):
            bad.append('%s: %r, the server says %s' % (key, got.get(key),
                                                       own))
    if n < 200:
        bad.append('%d events only' % n)
    return bad


def sums(server, where):
    """Summaries by event name."""
    bad = []
    for f, by in (('statements', 'global'), ('waits', 'global'),
                  ('stages', 'by_account'), ('waits', 'by_thread')):
        name = 'performance_schema.events_%s_summary_%s_by_event_name' % (
            f, by)
        path = os.path.join(where, f + by + '.txt')
        with open(path, 'wb') as out:
            out.write(server.client('SELECT * FROM ' + name, '-t').stdout)
        o = convert([path])
        want = rows(server, 'SELECT SUM(COUNT_STAR), SUM(SUM_TIMER_WAIT) '
                    'FROM ' + name)[0]
        got = [str(sum(int(r['count']) for r in o.rows('profile'))),
               str(sum(ps(r['time_s']) for r in o.rows('profile')))]
        if got != want:
            bad.append('%s: %r, the server says %r' % (name, got, want))
    return bad


def run(server, where):
    server.client(WORK, check=False)
    freeze(server)
    copies(server)
    for form, options in (('batch', ['-B']), ('table', ['-t']),
                          ('xml', ['-X']), ('vertical', ['-E'])):
        out = convert(dump(server, where, form, options), '--events')
        bad = [] if out.status == 0 else ['status %d: %s' % (
            out.status, out.rows('problems'))]
        report.result('server: elapsed times, ' + form,
                      bad + elapsed(server, out))
        if form == 'batch':
            report.result('server: self times by a join',
                          selfs(server, out))
            roots = sum(ps(r['elapsed_s']) for r in out.rows('tree')
                        if r['depth'] == '0' and
                        r['call'] != '(between calls)')
            whole = sum(ps(r['time_s']) for r in out.rows('profile'))
            report.result('server: profile and roots', [] if roots == whole
                          else ['%d, %d' % (roots, whole)])
    report.result('server: sums by event name', sums(server, where))


def main():
    if missing():
        report.skip('server', 'there is no %s' % missing())
        return
    where = tempfile.mkdtemp(prefix='profpivot-server-')
    server = Server(where, OPTIONS)
    try:
        try:
            server.start()
        except (OSError, subprocess.SubprocessError) as e:
            report.skip('server', 'it does not start: %s' % str(e).replace(
                '\n', ' '))
            return
        run(server, where)
    finally:
        server.stop()
        server.log.close()
        shutil.rmtree(where, ignore_errors=True)
    report.end()


main()
