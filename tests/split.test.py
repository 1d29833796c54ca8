#!/usr/bin/python3
"""--by, --tag and --merge: parts that add up to the whole.

Numbers of the two small traces below were worked out by hand; for the traces
of corpora/ the parts are added up and set beside the run without options.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle                                           # noqa: E402
from tables import (CORPORA, PROFPIVOT, Report, convert,  # noqa: E402
                    number, ticks)

report = Report()
BETWEEN = oracle.BETWEEN
TEXT = 'select 1 from dual'
SQL_ID = oracle.sql_id(TEXT.encode())[0]

# Microseconds.  Client ann, then bob, then ann again: a pooled connection.
POOL = """\
*** 2024-05-06T07:08:09.000000+02:00
*** SESSION ID:(1.1) 2024-05-06T07:08:09.000000+02:00
*** MODULE NAME:(web) 2024-05-06T07:08:09.000000+02:00
*** CLIENT ID:(ann) 2024-05-06T07:08:09.000000+02:00
=====================
PARSING IN CURSOR #1 len=18 dep=0 uid=1 oct=3 lid=1 tim=1000020 hv=%d ad='1' sqlid='%s'
select 1 from dual
END OF STMT
PARSE #1:c=10,e=20,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,plh=1,tim=1000020
WAIT #1: nam='SQL*Net message to client' ela= 5 driver id=1 #bytes=1 p3=0 obj#=-1 tim=1000030
WAIT #1: nam='db file sequential read' ela= 40 file#=1 block#=2 blocks=1 obj#=3 tim=1000180
EXEC #1:c=30,e=100,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=1,tim=1000200
FETCH #1:c=5,e=50,p=0,cr=4,cu=0,mis=0,r=1,dep=0,og=1,plh=1,tim=1000300
WAIT #1: nam='SQL*Net message from client' ela= 500 driver id=1 #bytes=1 p3=0 obj#=-1 tim=1000900
*** CLIENT ID:(bob) 2024-05-06T07:08:09.001000+02:00
EXEC #1:c=20,e=80,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=1001000
FETCH #1:c=1,e=10,p=0,cr=4,cu=0,mis=0,r=2,dep=0,og=1,plh=1,tim=1001100
WAIT #1: nam='SQL*Net message from client' ela= 300 driver id=1 #bytes=1 p3=0 obj#=-1 tim=1001450
*** CLIENT ID:(ann) 2024-05-06T07:08:09.001500+02:00
EXEC #1:c=7,e=9,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=1001509
""" % (oracle.sql_id(TEXT.encode())[1], SQL_ID)

# Ticks of 10 ms, the same statement.
OLD = """\
=====================
PARSING IN CURSOR #1 len=18 dep=0 uid=1 oct=3 lid=1 tim=5000 hv=1 ad='1'
select 1 from dual
END OF STMT
PARSE #1:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,tim=5000
EXEC #1:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,tim=5004
WAIT #1: nam='db file sequential read' ela= 3 p1=1 p2=2 p3=1
FETCH #1:c=2,e=6,p=1,cr=2,cu=0,mis=0,r=1,dep=0,og=4,tim=5010
"""

TO, FROM = 'SQL*Net message to client', 'SQL*Net message from client'
READ = 'db file sequential read'
# time and count of each event; no count of what is left
ANN = {'CPU PARSE': (10, 1), 'CPU EXEC': (37, 2), 'CPU FETCH': (5, 1),
       TO: (5, 1), FROM: (500, 1), READ: (40, 1),
       # in calls 10 + 30 + 2 + 45, between them 5 + 70 + 50 + 100 + 20
       'unaccounted-for': (332, None)}
BOB = {'CPU EXEC': (20, 1), 'CPU FETCH': (1, 1), FROM: (300, 1),
       # 60 + 9, and 90 + 50 + 50
       'unaccounted-for': (259, None)}


class Work:
    """A folder with the two traces."""

    def __enter__(self):
        self.dir = tempfile.mkdtemp(prefix='profpivot-test-')
        self.paths = []
        for name, text in (('prod/pool.trc', POOL), ('trial/old.trc', OLD)):
            path = os.path.join(self.dir, name)
            os.makedirs(os.path.dirname(path))
            with open(path, 'w') as f:
                f.write(text)
            self.paths.append(path)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir)


def events(rows):
    return {r['event']: (ticks(r['time_s']), number(r['count']))
            for r in rows}


def same(wrong, what, got, want):
    if got != want:
        wrong.append('%s: %r, not %r' % (what, got, want))


def by_client(work):
    wrong = []
    out = convert(work.paths[:1], '--by', 'client_id,module')
    rows = out.rows('profile')
    same(wrong, 'columns', list(rows[0])[:5],
         ['source', 'session', 'client_id', 'module', 'event'])
    for who, want in (('ann', ANN), ('bob', BOB)):
        part = [r for r in rows if r['client_id'] == who]
        same(wrong, who, events(part), want)
        same(wrong, 'module', {r['module'] for r in part}, {'web'})
    same(wrong, 'order', [r['client_id'] for r in rows],
         ['ann'] * len(ANN) + ['bob'] * len(BOB))
    st = {(r['client_id'], r['statement']): r
          for r in out.rows('statements')}
    columns = ('elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s', 'self_wait_s',
               'self_unaccounted_s', 'between_s', 'max_s', 'p50_s')
    counts = ('executions', 'parses', 'misses', 'rows', 'physical_reads',
              'consistent_gets', 'current_gets')
    for key, want, n in (
            (('ann', SQL_ID), (179, 52, 179, 52, 40, 87, 505, 150, 9),
             (2, 1, 1, 1, 1, 6, 3)),
            (('bob', SQL_ID), (90, 21, 90, 21, 0, 69, 300, 90, 90),
             (1, 0, 0, 2, 0, 5, 0)),
            (('ann', BETWEEN), (750, 0, 750, 0, 505, 245, 0, None, None),
             (0, 0, 0, 0, 0, 0, 0)),
            (('bob', BETWEEN), (490, 0, 490, 0, 300, 190, 0, None, None),
             (0, 0, 0, 0, 0, 0, 0))):
        r = st.get(key)
        if r is None:
            wrong.append('no row %r' % (key,))
            continue
        same(wrong, '%r' % (key,), tuple(ticks(r[c]) for c in columns), want)
        same(wrong, '%r' % (key,), tuple(number(r[c]) for c in counts), n)
    same(wrong, 'shares', st['ann', BETWEEN]['share_pct'], '49.70')
    same(wrong, 'begin, end', (st['bob', SQL_ID]['first_s'],
                               st['bob', SQL_ID]['last_s']),
         ('0.000920', '0.001100'))
    # other tables are as they were
    plain = convert(work.paths[:1])
    for name, want in plain.tables.items():
        if name not in ('profile', 'statements', 'sources'):
            same(wrong, name, out.rows(name), want)
    report.result('--by of a pooled connection', wrong)

    wrong = []
    out = convert(work.paths[:1], '--by', 'client_id', '--top', '1')
    same(wrong, 'rows', [(r['client_id'], r['statement'])
                         for r in out.rows('statements')],
         [('ann', SQL_ID), ('ann', BETWEEN), ('bob', SQL_ID),
          ('bob', BETWEEN)])
    report.result('--by with --top', wrong)


def tags(work):
    wrong = []
    out = convert(work.paths, '--tag', 'env=/(prod|trial)/', '--tag',
                  'ext=[a-z]+$', '--by', 'env')
    same(wrong, 'sources', sorted(
        (r['source'], r['env'], r['ext']) for r in out.rows('sources')),
        [('old.trc', 'trial', 'trc'), ('pool.trc', 'prod', 'trc')])
    same(wrong, 'profile', {(r['source'], r['env'])
                            for r in out.rows('profile')},
         {('old.trc', 'trial'), ('pool.trc', 'prod')})
    if 'ext' in out.rows('profile')[0]:
        wrong.append('a tag that was not asked for')
    report.result('--tag', wrong)
    wrong = []
    out = convert(work.paths, '--tag', 'env=/(pro)d/', '--by', 'tag,service',
                  '--merge', 'sources')
    same(wrong, 'columns', list(out.rows('profile')[0])[:4],
         ['source', 'session', 'env', 'service'])
    same(wrong, 'tags', {r['env'] for r in out.rows('statements')},
         {'', 'pro'})
    report.result('--tag that fits some, with --merge', wrong)


def merged(work):
    wrong = []
    out = convert(work.paths, '--merge', 'sources')
    rows = out.rows('profile')
    same(wrong, 'source, session', {(r['source'], r['session'])
                                    for r in rows}, {('(all)', '')})
    same(wrong, 'profile', events(rows), {
        'CPU PARSE': (10, 2), 'CPU EXEC': (10057, 4),
        'CPU FETCH': (20006, 3), TO: (5, 1), FROM: (800, 2),
        READ: (30040, 2), 'unaccounted-for': (591 + 50000, None)})
    same(wrong, 'extremes', [
        (r['min_s'], r['max_s'], r['avg_s'], r['share_pct'])
        for r in rows if r['event'] == READ],
        [('0.000040', '0.030000', '0.015020', '26.94')])
    r = out.one('statements', statement=SQL_ID)
    same(wrong, 'statement', (
        ticks(r['elapsed_s']), ticks(r['cpu_s']), ticks(r['self_wait_s']),
        ticks(r['between_s']), number(r['executions']), number(r['rows']),
        ticks(r['max_s']), ticks(r['p50_s']), r['first_s']),
        (90269, 30073, 30040, 805, 4, 4, 80000, 90, ''))
    r = out.one('statements', statement=BETWEEN)
    same(wrong, BETWEEN, ticks(r['self_s']), 1240 + 20000)
    same(wrong, 'tree', sum(ticks(r['self_s']) for r in out.rows('tree')),
         111509)
    same(wrong, 'calls', {r['call']: number(r['count'])
                          for r in out.rows('statement_calls')},
         {'PARSE': 2, 'EXEC': 4, 'FETCH': 3})
    same(wrong, 'timeline', {(r['source'], r['session'])
                             for r in out.rows('timeline')},
         {('pool.trc', ''), ('old.trc', '')})
    same(wrong, 'gaps', {(r['source'], r['session'])
                         for r in out.rows('gaps')},
         {('pool.trc', '1'), ('old.trc', '1')})
    report.result('--merge sources, two units of time', wrong)


# -- parts and wholes --------------------------------------------------------

# table: key, sums, greatest
TABLES = {
    'profile': (('event', 'class'), ('time_s', 'count'), ('max_s',)),
    'statements': (('statement',), (
        'executions', 'parses', 'misses', 'elapsed_s', 'cpu_s', 'self_s',
        'self_cpu_s', 'self_wait_s', 'self_queue_s', 'self_unaccounted_s',
        'between_s', 'recursive_parse_s', 'recursive_exec_s',
        'recursive_fetch_s', 'rows', 'physical_reads', 'consistent_gets',
        'current_gets'), ('max_s',)),
    'statement_calls': (('statement', 'call'), (
        'count', 'elapsed_s', 'cpu_s', 'self_s', 'rows', 'misses'), ()),
    'statement_events': (('statement', 'event', 'class', 'place'), (
        'time_s', 'count'), ('max_s',)),
    'histogram': (('event', 'from_s', 'to_s'), ('count', 'time_s'), ()),
    'timeline': (('interval', 'start_s', 'event', 'class'), (
        'time_s', 'count'), ()),
    'cube': (('interval', 'event', 'class', 'statement'), (
        'time_s', 'count'), ()),
}


def whole(text):
    """Any number as an integer of picoseconds or ones."""
    if text == '':
        return 0
    w, dot, f = text.lstrip('-').partition('.')
    n = int(w + f.ljust(12, '0')) if dot else int(w)
    return -n if text.startswith('-') else n


def add_up(rows, fixed, table):
    key, sums, most = TABLES[table]
    out = {}
    for r in rows:
        k = tuple(r[c] for c in fixed + key)
        v = out.setdefault(k, [0] * len(sums) + [None] * len(most))
        for i, c in enumerate(sums):
            v[i] += whole(r[c])
        for i, c in enumerate(most, len(sums)):
            if r[c] != '' and (v[i] is None or whole(r[c]) > v[i]):
                v[i] = whole(r[c])
    return {k: v for k, v in out.items() if any(x for x in v)}


def compare(wrong, what, parts, all_rows, fixed, table):
    got, want = (add_up(x, fixed, table) for x in (parts, all_rows))
    for k in sorted(set(got) | set(want)):
        if got.get(k) != want.get(k):
            wrong.append('%s %s %r: %r, not %r' % (
                what, table, k, got.get(k), want.get(k)))
            return


def check_by(paths, options=()):
    wrong = []
    for path in paths:
        name = os.path.basename(path)
        plain = convert([path], *options)
        if plain.status not in (0, 3):
            continue
        out = convert([path], '--by', 'service,module,action,client_id',
                      *options)
        same(wrong, name + ' status', out.status, plain.status)
        for table in ('profile', 'statements'):
            compare(wrong, name, out.rows(table), plain.rows(table),
                    ('source', 'session'), table)
        if options:
            continue
        # facet by facet, profile and statements fit
        waits, calls = {}, {}
        facet = ('session', 'service', 'module', 'action', 'client_id')
        for r in out.rows('profile'):
            k = tuple(r[c] for c in facet)
            calls[k] = calls.get(k, 0) + whole(r['time_s'])
        for r in out.rows('statements'):
            k = tuple(r[c] for c in facet)
            waits[k] = waits.get(k, 0) + whole(r['self_s'])
        same(wrong, name + ' facets', waits, calls)
    report.result('--by adds up, %d traces %s' % (
        len(paths), ' '.join(options)), wrong)


def check_merge(paths):
    wrong = []
    for path in paths:
        name = os.path.basename(path)
        plain = convert([path])
        if plain.status not in (0, 3):
            continue
        out = convert([path], '--merge', 'sessions')
        same(wrong, name + ' status', out.status, plain.status)
        for table in TABLES:
            compare(wrong, name, out.rows(table), plain.rows(table),
                    ('source',), table)
        same(wrong, name + ' tree', sum(whole(r['self_s'])
                                        for r in out.rows('tree')),
             sum(whole(r['self_s']) for r in plain.rows('tree')))
        same(wrong, name + ' session', {
            r['session'] for r in out.rows('profile')} - {''}, set())
        same(wrong, name + ' sessions', out.rows('sessions'),
             plain.rows('sessions'))
    report.result('--merge sessions adds up, %d traces' % len(paths), wrong)
    wrong = []
    plain = convert(paths)
    out = convert(paths, '--merge', 'sources')
    for table in TABLES:
        if table in ('timeline', 'cube', 'histogram'):
            continue
        compare(wrong, 'all', out.rows(table), plain.rows(table), (), table)
    report.result('--merge sources adds up', wrong)


def usage():
    wrong = []
    demo = os.path.join(CORPORA, 'ok', 'demo.trc')
    for options, word in (
            (['--by', 'weather'], 'weather'),
            (['--by', 'tag'], '--tag'),
            (['--by', 'module,'], None),
            (['--tag', 'nothing'], 'NAME=REGEX'),
            (['--tag', 'Env=x'], 'small letters'),
            (['--tag', 'env=(x'], 'regular expression'),
            (['--tag', 'event=x'], 'already'),
            (['--tag', 'a=x', '--tag', 'a=y'], 'already'),
            (['--merge', 'all'], 'sessions or sources')):
        run = subprocess.run(
            [PROFPIVOT, 'convert', demo, '--table', 'profile', '-o', '-'] +
            options, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if word is None:
            same(wrong, ' '.join(options), run.returncode, 0)
        elif run.returncode != 2 or word not in run.stderr.decode():
            wrong.append('%s: %d %s' % (' '.join(options), run.returncode,
                                        run.stderr.decode()[:100]))
    report.result('wrong usage of --by, --tag, --merge', wrong)


def main():
    with Work() as work:
        by_client(work)
        tags(work)
        merged(work)
    paths = sorted(glob.glob(CORPORA + '/*/*.trc'))
    check_by(paths)
    for options in (['--since', '0.0002', '--until', '0.0012'],
                    ['--where', 'class=unaccounted', '--where', 'class=cpu'],
                    ['--where', 'event=db file sequential read']):
        check_by(paths[::3], options)
    check_merge(paths)
    usage()


if __name__ == '__main__':
    main()
    report.end()
