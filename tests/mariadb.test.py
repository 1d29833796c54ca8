#!/usr/bin/python3
"""A real server: SHOW PROFILE in every form that the client prints, against
sums that the server itself has computed.

Starts MariaDB with a data directory and a socket of its own, without a
network, and stops it again.  Skipped where there is no server.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dbserver import Server, missing                    # noqa: E402
from tables import Report, convert                      # noqa: E402

report = Report()

STATEMENTS = [
    'CREATE TABLE parcel (id INT PRIMARY KEY, town INT, note VARCHAR(60))',
    'INSERT INTO parcel SELECT seq, seq % 7, CONCAT(\'n\', seq) '
    'FROM seq_1_to_3000',
    'SELECT town, COUNT(*) FROM parcel WHERE note LIKE \'%9%\' '
    'GROUP BY town ORDER BY 2 DESC',
    'SELECT SLEEP(0.02)',
    'SELECT \'a | b\' AS `x`,\n  \'\u6771\u4eac\' AS y',
    'ALTER TABLE parcel ADD KEY (town)',
    'SELECT * FROM no_such_table',
    'UPDATE parcel SET town = 8 WHERE id < 20',
    'SELECT town, COUNT(*) FROM parcel WHERE note LIKE \'%9%\' '
    'GROUP BY town ORDER BY 2 DESC',
    'DROP TABLE parcel',
]

PIVOT = '''SELECT STATE, SUM(DURATION) AS Total_R,
 ROUND(100 * SUM(DURATION) / (SELECT SUM(DURATION) FROM
 INFORMATION_SCHEMA.PROFILING WHERE QUERY_ID = 3), 2) AS Pct_R,
 COUNT(*) AS Calls, SUM(DURATION) / COUNT(*) AS "R/Call"
 FROM INFORMATION_SCHEMA.PROFILING WHERE QUERY_ID = 3
 GROUP BY STATE ORDER BY Total_R DESC'''


def session(sums, dumps):
    """What one connection does: profile, dump, and sum up."""
    return ['CREATE DATABASE IF NOT EXISTS depot', 'USE depot',
            'SET profiling_history_size = 100', 'SET profiling = 1'] + \
        STATEMENTS + ['SET profiling = 0'] + dumps + [
            'SELECT QUERY_ID, STATE, SUM(DURATION), COUNT(*), SUM(CPU_USER), '
            'SUM(PAGE_FAULTS_MINOR) FROM INFORMATION_SCHEMA.PROFILING '
            'GROUP BY QUERY_ID, STATE INTO OUTFILE \'%s\'' % sums]


def show(kind=''):
    return ['SHOW PROFILES'] + ['SHOW PROFILE %s FOR QUERY %d' % (
        kind, i) for i in range(1, len(STATEMENTS) + 1)]


def read_sums(path):
    out = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            query, state, time_, count, cpu, faults = \
                line.rstrip('\n').split('\t')
            out[(query, state.rstrip().lower())] = (
                time_, int(count), cpu, int(faults))
    return out


def micros(text):
    whole, _, frac = text.partition('.')
    if frac[6:].strip('0'):
        raise ValueError(text)
    return int((whole + (frac + '000000')[:6]).replace('-', '')) * (
        -1 if text.startswith('-') else 1)


def compare(name, path, sums, resources, numbered=True, texts=True):
    out = convert([path])
    want = read_sums(sums)
    got, bad = {}, []
    for r in out.rows('stages'):
        key = r['query_id'], r['state'].lower()
        cell = got.setdefault(key, [0, 0, 0, 0])
        cell[0] += micros(r['duration_s'])
        cell[1] += 1
        if resources:
            cell[2] += micros(r['cpu_user_s'])
            cell[3] += int(r['page_faults_minor'])
    for key in sorted(set(got) | set(want)):
        g, w = got.get(key), want.get(key)
        if g is not None and w is not None:
            w = [micros(w[0]), w[1]] + (
                [micros(w[2]), w[3]] if resources else [0, 0])
        if g != w:
            bad.append('%s: %r, the server says %r' % (key, g, w))
    if out.status != 0:
        bad.append('status %d: %s' % (out.status, out.rows('problems')))
    if len(out.rows('sessions')) != 1:
        bad.append('%d sessions' % len(out.rows('sessions')))
    if numbered:
        listed = [r for r in out.rows('statements')
                  if r['statement'].startswith('s:')]
        if sum(int(r['executions']) for r in listed) != len(STATEMENTS):
            bad.append('%d statements' % len(listed))
        runs = [r for r in listed if r['text'] == STATEMENTS[2]]
        if [r['executions'] for r in runs] != ['2']:
            bad.append('the query that ran twice: %r' % runs)
        if texts and STATEMENTS[4] not in [r['text'] for r in listed]:
            bad.append('the text of three lines is not there')
        total = sum(units8(r['elapsed_s']) for r in listed)
        states = 100 * sum(g[0] for g in got.values())
        events = sum(units8(r['time_s']) for r in out.rows('profile'))
        if abs(total - states) > 50 * (len(out.rows('stages')) +
                                       len(STATEMENTS)) and \
                not out.rows('profile', event='lost time'):
            bad.append('totals %d, states %d' % (total, states))
        if events != states + sum(units8(r['time_s']) for r in out.rows(
                'profile', event='lost time')):
            bad.append('profile %d, states %d' % (events, states))
    report.result('server: ' + name, bad)


def units8(text):
    sign = -1 if text.startswith('-') else 1
    whole, _, frac = text.lstrip('-').partition('.')
    return sign * int(whole + (frac + '0' * 8)[:8])


def typescript(server, statements, path):
    """A terminal: what is typed, prompts and results, with CR LF."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ['TERM'] = 'dumb'
        os.execvp('mariadb', server.command())
    text = b''

    def wait(mark):
        nonlocal text
        end = time.time() + 30
        while not re.search(mark, text[wait.seen:]):
            if time.time() > end or not select.select([fd], [], [], 30)[0]:
                raise OSError('no prompt: %r' % text[-200:])
            try:
                piece = os.read(fd, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        wait.seen = len(text)

    wait.seen = 0
    try:
        wait(rb'\]> $')
        for s in statements:
            lines = (s + ';').encode('utf-8').split(b'\n')
            for i, line in enumerate(lines):
                os.write(fd, line + b'\n')
                wait(rb'\]> $' if i + 1 == len(lines) else rb'-> $|\'> $')
        os.write(fd, b'exit\n')
        wait(rb'Bye')
    finally:
        os.close(fd)
        os.waitpid(pid, 0)
    with open(path, 'wb') as f:
        f.write(text)


FORMS = [
    ('table', ['-t'], {}),
    ('table with echo', ['-t', '-vvv'], {}),
    ('batch', ['-B'], {'numbered': True}),
    ('batch with echo', ['-B', '-vvv'], {}),
    ('vertical', ['-E'], {}),
    ('HTML', ['-H'], {}),
    ('XML', ['-X'], {}),
    ('table without names', ['-t', '-N'], {}),
    ('batch without names', ['-B', '-N'], {}),
    ('batch raw', ['-B', '-r'], {'texts': False}),
    ('vertical with echo', ['-E', '-vvv'], {}),
]


def run_forms(server, where):
    every = ['SELECT * FROM INFORMATION_SCHEMA.PROFILING']
    for i, (name, options, more) in enumerate(FORMS):
        sums = os.path.join(where, 'sums%d' % i)
        dumps = every + show('ALL') + show() + [PIVOT]
        run = server.client(';\n'.join(session(sums, dumps)) + ';\n',
                            *options, check=False)
        path = os.path.join(where, 'dump%d.txt' % i)
        with open(path, 'wb') as f:
            f.write(run.stdout)
        compare(name, path, sums, True, **more)


def run_numbers(server, where):
    """Without PROFILING: the number stands in the echoed statement only."""
    for i, (name, options) in enumerate((
            ('SHOW PROFILE with echo', ['-t', '-vvv']),
            ('SHOW PROFILE in XML', ['-X']))):
        sums = os.path.join(where, 'numbers%d' % i)
        run = server.client(
            ';\n'.join(session(sums, show('CPU, PAGE FAULTS'))) + ';\n',
            *options, check=False)
        path = os.path.join(where, 'numbers%d.txt' % i)
        with open(path, 'wb') as f:
            f.write(run.stdout)
        compare(name, path, sums, True)


def run_terminal(server, where):
    sums, path = os.path.join(where, 'term'), os.path.join(where, 'term.txt')
    log = os.path.join(where, 'term.tee')
    typescript(server, ['tee ' + log] + session(
        sums, show('ALL')), path)
    compare('a terminal', path, sums, True)
    compare('the log of a session', log, sums, True)


# SELECT ... INTO OUTFILE, without names in whatever dialect.
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
    ('starting', 'FIELDS TERMINATED BY \',\' ENCLOSED BY \'\\\'\' LINES '
     'STARTING BY \'row:\''),
    ('fixed width', 'FIELDS TERMINATED BY \'\' ENCLOSED BY \'\''),
    ('TAB enclosed', 'FIELDS TERMINATED BY \'\\t\' ENCLOSED BY \'"\''),
]


def run_outfile(server, where):
    for i, (name, dialect) in enumerate(DIALECTS):
        sums = os.path.join(where, 'outsums%d' % i)
        path = os.path.join(where, 'out%d.txt' % i)
        server.client(';\n'.join(session(sums, [
            'SELECT * FROM INFORMATION_SCHEMA.PROFILING INTO OUTFILE '
            '\'%s\' %s' % (path, dialect)])) + ';\n', check=False)
        compare('OUTFILE, ' + name, path, sums, True, numbered=False)


def main():
    if missing():
        report.skip('server', 'there is no %s' % missing())
        return
    where = tempfile.mkdtemp(prefix='profpivot-server-')
    server = Server(where)
    try:
        try:
            server.start()
        except (OSError, subprocess.SubprocessError) as e:
            report.skip('server', 'it does not start: %s' % str(e).replace(
                '\n', ' '))
            return
        run_forms(server, where)
        run_numbers(server, where)
        run_terminal(server, where)
        run_outfile(server, where)
    finally:
        server.stop()
        server.log.close()
        shutil.rmtree(where, ignore_errors=True)
    report.end()


main()
