#!/usr/bin/python3
"""A part of the input: --where, --since, --until, --idle, --think.

Fixed values were worked out by hand from modules_and_users.trc; for every
trace of corpora/ the parts must add up to the whole.
"""
import os
import re
import subprocess
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import (CORPORA, PROFPIVOT, Report, convert,  # noqa: E402
                    number, ticks)

report = Report()
OK = os.path.join(CORPORA, 'ok')
OWN = os.path.join(OK, 'modules_and_users.trc')
CLIENT = 'SQL*Net message from client'
READ = 'db file sequential read'
REST = 'unaccounted-for'


def same(wrong, what, got, want):
    if got != want:
        wrong.append('%s: %r, not %r' % (what, got, want))


def profile(out):
    return {r['event']: (ticks(r['time_s']), number(r['count']))
            for r in out.rows('profile')}


def check(name, options, want, path=OWN):
    wrong = []
    out = convert([path], *options)
    got = profile(out)
    same(wrong, 'status', out.status, 0)
    same(wrong, 'profile', got, want)
    total = sum(t for t, n in want.values())
    for r in out.rows('profile'):
        if total:
            same(wrong, 'share of ' + r['event'], r['share_pct'], '%.2f' % (
                round(ticks(r['time_s']) * 10000 / total) / 100))
    for table in ('timeline', 'statement_events', 'cube'):
        sums = defaultdict(int)
        for r in out.rows(table):
            sums[r['event']] += ticks(r['time_s'])
        same(wrong, table, {k: v for k, v in sums.items() if v},
             {k: t for k, (t, n) in want.items() if t})
    for table in ('tree', 'statements'):
        same(wrong, table, sum(ticks(r['self_s']) for r in out.rows(table)),
             total)
    told = [r['message'] for r in out.rows('problems', id='selection')]
    same(wrong, 'notices', len(told), 1)
    report.result('select: ' + name, wrong)
    return out


LOAD = {'CPU PARSE': (0, 1), 'CPU EXEC': (400000, 1), REST: (600000, None),
        CLIENT: (2000000, 1)}
WINDOW = {CLIENT: (500000, 1), 'CPU PARSE': (1000, 1), 'CPU EXEC': (0, 1),
          READ: (1500000, 0), 'CPU FETCH': (249500, 0), REST: (249500, None)}


def users():
    """One statement, parsed for 61 in one session and for 55 in the other."""
    two = os.path.join(OK, 'two_users.trc')
    alone = os.path.join(OK, 'QUAY1_ora_28114.trc')     # for 61, before it
    wrong = []
    for path, want in (([two], [('61', '0.000122'), ('55', '0.000322')]),
                       ([alone, two], [('61', '0.000033'), ('61', '0.000122'),
                                       ('55', '0.000322')])):
        out = convert(path)
        same(wrong, 'all', sorted(
            (r['parsing_user'], r['elapsed_s']) for r in out.rows(
                'statements') if r['sql_id']), sorted(want))
        out = convert(path, '--where', 'user=55')
        same(wrong, '55', [(r['session'], r['parsing_user'], r['elapsed_s'])
                           for r in out.rows('statements')],
             [('2', '55', '0.000322')])
        out = convert(path, '--where', 'user=61')
        same(wrong, '61', {r['parsing_user'] for r in out.rows(
            'statements') if r['sql_id']}, {'61'})
    report.result('select: user of a session', wrong)


def test_where():
    check('module', ['--where', 'module=load'], LOAD)
    check('client', ['--where', 'client_id=ann'], LOAD)
    check('action and service', ['--where', 'action=rows', '--where',
                                 'service=quay.example.net'], LOAD)
    check('user', ['--where', 'user=61'], LOAD)
    users()
    for name in ('INSERT', 'insert', '2'):
        check('command ' + name, ['--where', 'command=' + name], LOAD)
    check('alternatives', ['--where', 'module=load', '--where',
                           'module=none'], LOAD)
    check('all columns must fit', ['--where', 'module=load', '--where',
                                   'client_id=bob'], {})
    check('class', ['--where', 'class=cpu'],
          {'CPU PARSE': (1000, 2), 'CPU EXEC': (400000, 2),
           'CPU FETCH': (500000, 1)})
    for name in ('EXEC', 'CPU EXEC'):
        check('event ' + name, ['--where', 'event=' + name],
              {'CPU EXEC': (400000, 2)})
    check('event of a wait', ['--where=event=' + READ],
          {READ: (3000000, 1)})
    whole = profile(convert([OWN]))
    for name in ('session=1', 'session=12.34',
                 'source=modules_and_users.trc'):
        check(name, ['--where', name], whole)
    check('another session', ['--where', 'session=2'], {})
    wrong = []
    out = convert([OWN], '--where', 'class=wait')
    r = out.one('statements', self_wait_s='3.000000')
    same(wrong, 'a row adds up', (r['executions'], r['self_s'],
                                  r['self_cpu_s'], r['elapsed_s']),
         ('0', '3.000000', '0.000000', '0.000000'))
    same(wrong, 'rows', len(out.rows('statements')), 1)
    report.result('select: statements by class of event', wrong)
    wrong = []
    out = convert([OWN], '--events', '--where', 'module=report')
    same(wrong, 'events', [r['line'] for r in out.rows('events')],
         ['21', '22', '23', '24', '25'])
    same(wrong, 'executions', [r['fetches'] for r in out.rows('executions')],
         ['1'])
    report.result('select: raw tables', wrong)


def test_window():
    for since, until in (
            ('2.5', '5'), ('2500ms', '5s'), ('10:00:02.5', '10:00:05'),
            ('2024-05-07T10:00:02.500000+02:00', '2024-05-07T08:00:05Z'),
            ('2024-05-07 10:00:02.5', '2024-05-07 10:00:05')):
        check('from %s to %s' % (since, until),
              ['--since', since, '--until', until], WINDOW)
    check('in a window, of a module', ['--since', '2.5', '--until', '5',
                                       '--where', 'module=load'],
          {CLIENT: (500000, 1)})
    check('a day', ['--since', '2024-05-07', '--until', '2024-05-08'],
          profile(convert([OWN])))
    check('another day', ['--since', '2024-05-08'], {})
    wrong = []
    for options, matches in (
            (('--where', 'user=abc'), False),
            (('--where', 'session=99'), False),
            (('--where', 'module='), False),
            (('--since', '2024-05-08'), False),
            # nothing but unaccounted-for time; all of it
            (('--since', '1.5', '--until', '1.6'), True),
            (('--since', '0'), True)):
        run = subprocess.run([PROFPIVOT, 'show', OWN] + list(options),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        same(wrong, options, (
            run.returncode, b' (no event matches)\n' in run.stdout,
            b'warning: no event matches: ' in run.stderr),
            (0, not matches, not matches))
    report.result('select: no event matches', wrong)
    wrong = []
    out = convert([OWN], '--since', '2.5', '--until', '5', '--intervals', '5')
    edges = sorted({(ticks(r['start_s']), ticks(r['end_s']))
                    for r in out.rows('timeline')})
    same(wrong, 'intervals', edges,
         [(2500000 + k * 500000, 3000000 + k * 500000) for k in range(5)])
    r = out.one('statements', statement='(between calls)')
    same(wrong, 'between calls', (r['self_s'], r['self_wait_s']),
         ('0.500000', '0.500000'))
    r = out.one('statement_calls', call='FETCH')
    # elapsed 3.001 to 5 of 4 s, CPU by the same part of it
    same(wrong, 'FETCH', (r['count'], r['elapsed_s'], r['cpu_s'],
                          r['self_wait_s'], r['rows']),
         ('0', '1.999000', '0.249875', '1.500000', '0'))
    report.result('select: the rest of a window', wrong)
    wrong = []
    path = os.path.join(OK, 'no_stamp.trc')
    if os.path.exists(path):
        out = convert([path], '--since', '10:00')
        same(wrong, 'status', out.status, 3)
        same(wrong, 'profile', out.rows('profile'), [])
        same(wrong, 'told', len(out.rows('problems', id='no-wall-clock')), 1)
        same(wrong, '--strict', convert([path], '--since', '10:00',
                                        '--strict').status, 1)
    report.result('select: no wall clock', wrong)


def test_idle():
    whole = profile(convert([OWN]))
    check('without idle waits', ['--idle', 'exclude'],
          {k: v for k, v in whole.items() if k != CLIENT})
    # the shorter message is no think time any more
    check('think time', ['--idle', 'exclude', '--think', '1.5s'],
          dict(whole, **{CLIENT: (1000000, 1)}))


def test_usage():
    wrong = []
    for words in (['--where', 'modul=x'], ['--where', 'module'],
                  ['--where', 'class=x'], ['--since', 'noon'],
                  ['--since', '2024-13-01'], ['--until', '25:00'],
                  ['--until', '1:2'], ['--since', '']):
        r = subprocess.run([PROFPIVOT, 'show', OWN] + words,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        same(wrong, ' '.join(words), r.returncode, 2)
    r = subprocess.run([PROFPIVOT, 'show', OWN, '--tree', 'calls', '--where',
                        'module=load'], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    same(wrong, '--tree calls', r.returncode, 2)
    r = subprocess.run([PROFPIVOT, 'show', OWN, '--since', '2.5', '--until',
                        '5', '--where', 'user=0'], stdout=subprocess.PIPE)
    text = r.stdout.decode()
    if 'selection: user=0, since 2.5, until 5\n' not in text:
        wrong.append('the report does not name the selection')
    if not re.search(r'Resource profile .* selected 2\.000000 s', text):
        wrong.append('the profile claims another span')
    report.result('select: usage and report', wrong)


# -- parts add up --------------------------------------------------------

TABLES = {
    'profile': (('session', 'event', 'class'), ('time_s', 'count')),
    'timeline': (('session', 'event', 'class'), ('time_s', 'count')),
    'statement_events': (('session', 'statement', 'event', 'class', 'place'),
                         ('time_s', 'count')),
    'statements': (('session', 'statement'), (
        'executions', 'parses', 'elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s',
        'self_wait_s', 'self_queue_s', 'self_unaccounted_s', 'between_s',
        'recursive_parse_s', 'recursive_exec_s', 'recursive_fetch_s', 'rows',
        'consistent_gets')),
    'tree': (('session', 'depth', 'call', 'statement'), (
        'calls', 'elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s', 'self_wait_s',
        'self_unaccounted_s', 'rows')),
    'statement_calls': (('session', 'statement', 'call'), (
        'count', 'elapsed_s', 'cpu_s', 'self_consistent_gets', 'rows')),
}

def exact(text):
    return int(text.replace('.', '') or 0)


def sums(out, table):
    keys, values = TABLES[table]
    got = defaultdict(lambda: [0] * len(values))
    for r in out.rows(table):
        k = tuple(r[x] for x in keys)
        got[k] = [a + exact(r[v]) for a, v in zip(got[k], values)]
    return {k: v for k, v in got.items() if any(v)}


def add_up(wrong, name, path, whole, parts):
    got = {t: {} for t in TABLES}
    for options in parts:
        out = convert([path], *options)
        for t in TABLES:
            for k, v in sums(out, t).items():
                a = got[t].get(k, [0] * len(v))
                got[t][k] = [x + y for x, y in zip(a, v)]
    for t in TABLES:
        g = {k: v for k, v in got[t].items() if any(v)}
        w = sums(whole, t)
        if g != w:
            k = sorted(k for k in set(g) | set(w) if g.get(k) != w.get(k))[0]
            wrong.append('%s, %s %r: %r, not %r' % (
                name, t, k, g.get(k), w.get(k)))


def clean(value):
    return value.isascii() and value.isprintable()


def test_parts(name, path):
    wrong = []
    whole = convert([path], '--events')
    ends = [exact(r['span_s']) for r in whole.rows('sources') if r['span_s']]
    digits = [len(r['span_s'].split('.')[1]) for r in whole.rows('sources')
              if r['span_s']]
    if not ends or not max(ends):
        report.skip('select: parts of ' + name, 'no time')
        return
    a, b = ('%.*f' % (digits[0], max(ends) * k / 3 / 10 ** digits[0])
            for k in (1, 2))
    add_up(wrong, 'windows', path, whole, [
        ['--until', a], ['--since', a, '--until', b], ['--since', b]])
    add_up(wrong, 'class', path, whole, [
        ['--where', 'class=' + c] for c in (
            'cpu', 'queue', 'wait', 'idle', 'unaccounted', 'missing')])
    add_up(wrong, 'session', path, whole, [
        ['--where', 'session=' + r['session']]
        for r in whole.rows('sessions')])
    modules = {r['module'] for r in whole.rows('events')} | {''}
    if all(clean(m) for m in modules) and len(modules) < 6:
        add_up(wrong, 'module', path, whole, [
            ['--where', 'module=' + m] for m in modules])
    statements = {r['statement'] for t in ('statements', 'statement_events')
                  for r in whole.rows(t)}
    if len(statements) < 6:
        add_up(wrong, 'statement', path, whole, [
            ['--where', 'statement=' + s] for s in statements])
    report.result('select: parts of ' + name, wrong)


test_where()
test_window()
test_idle()
test_usage()
for name in ('modules_and_users', 'tree_three_levels', 'systemtap', 'sticks_out',
             'overlapping_calls', 'equal_tims', 'shared_server',
             'v8i_centiseconds', 'v92_waits_recursive', 'demo', 'lob_calls',
             'orphans_before_parse', 'deep_recursion', 'trcsess_merge'):
    test_parts(name, os.path.join(OK, name + '.trc'))
report.end()
