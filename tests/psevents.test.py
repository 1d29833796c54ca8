#!/usr/bin/python3
"""Performance Schema events through the program: fixed values, real dumps and
random trees against a second calculation, several files of a server.
"""
import glob
import os
import random
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pscalc                                           # noqa: E402
from tables import PROFPIVOT, Report, SHARED, convert, half_up, ticks  # noqa: E402,E501

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(os.path.dirname(HERE), 'corpora', 'psevents')
US = 10 ** 6                    # picoseconds

report = Report()


def corpus(name):
    return os.path.join(CORPUS, name)


def ps(text):
    return ticks(text, 12)


def profile_of(out):
    """{(session, event): (class, time, count, share)}"""
    return {(r['session'], r['event']):
            (r['class'], ps(r['time_s']), int(r['count']), r['share_pct'])
            for r in out.rows('profile')}


def differences(got, want, what='values'):
    if got == want:
        return []
    if isinstance(want, dict):
        return ['%s: %r is %r, not %r' % (what, k, got.get(k), want.get(k))
                for k in sorted(set(got) | set(want), key=str)
                if got.get(k) != want.get(k)]
    return ['%s: %r, not %r' % (what, got, want)]


def total(out, table, column, **where):
    return sum(ps(r[column]) or 0 for r in out.rows(table, **where))


def adds_up(out):
    """What every dump keeps, session by session."""
    bad = []
    apart = any(r['id'] == 'waits-apart' for r in out.rows('problems'))
    for s in out.rows('sessions'):
        key = {'source': s['source'], 'session': s['session']}
        whole = total(out, 'profile', 'time_s', **key)
        nodes = [r for r in out.rows('tree', **key)
                 if r['call'] != '(between calls)']
        tops = sum(ps(r['elapsed_s']) for r in nodes if r['depth'] == '0')
        for what, got in (
                ('self of the tree', sum(ps(r['self_s']) for r in nodes)),
                ('events of statements',
                 total(out, 'statement_events', 'time_s', **key)),
                ('self of statements', sum(
                    ps(r['self_s']) for r in out.rows('statements', **key)
                    if r['statement'] != '(between calls)'))):
            bad += differences(got, whole, '%s in session %s' % (
                what, s['session']))
        # below an untimed root stand others that are roots of time
        if not any(r['id'] == 'untimed-event'
                   for r in out.rows('problems')):
            bad += differences(tops, whole, 'elapsed of roots')
        shares = sum(float(r['share_pct'] or 0)
                     for r in out.rows('profile', **key))
        if whole > 0 and abs(shares - 100) > 0.01 * len(out.rows('profile')):
            bad.append('shares sum to %s' % shares)
        if 'timeline' not in out.tables:
            continue
        for r in out.rows('profile', **key):
            line = total(out, 'timeline', 'time_s', event=r['event'],
                         **{'class': r['class']}, **key)
            if line != ps(r['time_s']) and not (
                    line == 0 and (s['span_s'] == '' or apart) and
                    r['class'] in ('wait', 'idle')):
                bad.append('timeline of %s: %d, not %s' % (
                    r['event'], line, r['time_s']))
    return bad


def against(out, events):
    """The profile and the sums of a second calculation."""
    nest = pscalc.account(events)
    want, got, cls = pscalc.profile(nest), {}, {}
    native = {(r['source'], r['session']): r['native_id']
              for r in out.rows('sessions')}
    for r in out.rows('profile'):
        key = (native[r['source'], r['session']], r['event'])
        cell = got.setdefault(key, [0, 0])
        cell[0] += ps(r['time_s'])
        cell[1] += int(r['count'])
        cls[key] = r['class']
    bad = differences(got, want, 'profile')
    bad += differences(sum(v[0] for v in got.values()), pscalc.roots(nest),
                       'sum of roots')
    return bad + adds_up(out)


# ------------------------------------------------------------- fixed values

def fixed():
    out = convert([corpus('ok/server')], '--events', '--tables', 'all')
    bad = differences(out.status, 0, 'status') + adds_up(out)
    want = {
        ('1', 'idle'): ('idle', 2000, 1, '67.80'),
        ('1', 'update'): ('stage', 280, 1, '9.49'),
        ('1', 'executing'): ('stage', 100, 1, '3.39'),
        ('1', 'statement/sql/rollback'): ('statement', 100, 1, '3.39'),
        ('1', 'starting'): ('stage', 80, 1, '2.71'),
        ('1', 'wait/io/file/sql/FRM'): ('wait', 80, 1, '2.71'),
        ('1', 'Opening tables'): ('stage', 70, 1, '2.37'),
        ('1', 'wait/io/file/innodb/innodb_data_file'):
            ('wait', 70, 1, '2.37'),
        ('1', 'statement/sql/begin'): ('statement', 50, 1, '1.69'),
        ('1', 'statement/sql/select'): ('statement', 50, 1, '1.69'),
        ('1', 'wait/io/table/sql/handler'): ('wait', 30, 1, '1.02'),
        ('1', 'statement/sql/insert'): ('statement', 20, 1, '0.68'),
        ('1', 'wait/synch/mutex/sql/LOCK_a'): ('wait', 20, 1, '0.68'),
        ('2', 'statement/sp/stmt'): ('statement', 220, 2, '68.75'),
        ('2', 'statement/sql/call_procedure'): ('statement', 60, 1, '18.75'),
        ('2', 'statement/sql/error'): ('statement', 20, 1, '6.25'),
        ('2', 'starting'): ('stage', 15, 1, '4.69'),
        ('2', 'statement/sp/set'): ('statement', 5, 1, '1.56'),
    }
    want = {k: (c, t * US, n, s) for k, (c, t, n, s) in want.items()}
    bad += differences(profile_of(out), want, 'profile')
    one, two = out.rows('sessions')
    bad += differences([one[c] for c in (
        'source', 'native_id', 'span_s', 'calls', 'waits', 'commits',
        'rollbacks')], ['stages.tsv', '41', '0.005600000000', '4', '6', '1',
                        '1'], 'session')
    bad += differences(two['native_id'], '42', 'second session')
    bad += differences(
        sorted((r['session'], r['file'], r['first_line'], r['last_line'])
               for r in out.rows('session_sources')),
        [('1', 'stages.tsv', '2', '5'), ('1', 'statements.tsv', '2', '5'),
         ('1', 'transactions.tsv', '2', '3'), ('1', 'waits.tsv', '2', '7'),
         ('2', 'stages.tsv', '6', '6'), ('2', 'statements.tsv', '6', '10')],
        'files of sessions')
    # INSERT, ROLLBACK and START TRANSACTION beside each other
    bad += differences(sorted(
        (r['call'], ps(r['elapsed_s']) // US, r['cpu_s'], r['rows'])
        for r in out.rows('tree', session='1', depth='0')
        if r['call'].startswith('statement')),
        [('statement/sql/begin', 50, '0.000010000000', '0'),
         ('statement/sql/insert', 300, '0.000120000000', '1'),
         ('statement/sql/rollback', 100, '0.000030000000', '0'),
         ('statement/sql/select', 500, '0.000260000000', '7')], 'roots')
    s = out.one('statements', text='SELECT * FROM parcel WHERE town = 3')
    bad += differences([s[c] for c in (
        'command', 'executions', 'self_s', 'self_wait_s', 'cpu_s', 'rows',
        'first_s', 'last_s')],
        ['SELECT', '1', '0.000500000000', '0.000200000000',
         '0.000260000000', '7', '0.000000000000', '0.000500000000'],
        'statement')
    s = out.one('statements', text='CALL fill(2)')
    bad += differences([s[c] for c in ('elapsed_s', 'self_s')],
                       ['0.000300000000', '0.000075000000'], 'CALL')
    d = out.one('digests', native_digest='cd' * 32)
    bad += differences([d[c] for c in (
        'schema', 'calls', 'total_s', 'lock_s', 'cpu_s', 'rows_sent',
        'rows_examined', 'statements')],
        ['depot', '1', '0.000500000000', '0.000004000000', '0.000260000000',
         '7', '900', '1'], 'digest')
    bad += differences([(r['code'], r['at_s'], r['text'])
                        for r in out.rows('errors')],
                       [('1064', '0.001020000000', 'SELEC 1')], 'errors')
    bad += raw(out)
    report.result('fixed values of a server', bad)


def raw(out):
    rows = out.rows('events')
    by_native = {(r['session'], r['p1']): r for r in rows}
    bad = differences(len(rows), 22, 'rows of events')
    bad += differences([int(r['event_id']) for r in rows],
                       list(range(1, 23)), 'numbers')
    for child, parent in (('11', '10'), ('22', '21'), ('23', '22'),
                          ('46', '44'), ('44', '40'), ('31', '30')):
        bad += differences(by_native['1', child]['parent_event_id'],
                           by_native['1', parent]['event_id'],
                           'parent of ' + child)
    r = by_native['1', '14']
    bad += differences([r[c] for c in (
        'kind', 'class', 'place', 'start_s', 'elapsed_s', 'object',
        'p2_name', 'p2', 'tim')],
        ['wait', 'wait', 'call', '0.000120000000', '0.000080000000',
         '140000000000014', 'NUMBER_OF_BYTES', '4096', '700001120000000'],
        'a wait')
    r = by_native['1', '44']
    bad += differences([r[c] for c in ('kind', 'event', 'elapsed_s',
                                       'self_s')],
                       ['transaction', 'transaction', '0.003000000000', ''],
                       'a transaction')
    r = by_native['1', '31']
    bad += differences([r['elapsed_s'], r['self_s'], r['start_s']],
                       ['', '', ''], 'an untimed wait')
    return bad


def more_fixed():
    for name, want, ids in (
            ('drift.tsv', {'statement/sql/update': 100, 'updating': -50,
                           'wait/io/file/sql/binlog': 850}, ['waits-apart']),
            ('function.tsv', {'statement/sql/select': 330,
                              'statement/sql/update': 200, 'executing': 90,
                              'statement/sp/stmt': 60,
                              'statement/sp/freturn': 20}, []),
            ('loose_ends.tsv', {
                'statement/sql/alter_table': 10,
                'preparing for alter table': 100, 'copy to tmp table': 590,
                'closing tables': 25, 'wait/synch/mutex/sql/LOCK_c': 15,
                'statement/sql/commit': 60,
                'wait/lock/table/sql/handler': 5},
             ['parent-missing', 'running-event', 'untimed-event']),
            ('late.tsv', {'statement/sql/call_procedure': 250,
                          'statement/sp/stmt': 70, 'statement/sp/set': -20,
                          'executing': 200, 'Query end': 60,
                          'Freeing items': 30,
                          'wait/io/socket/sql/client_connection': 10}, []),
            ('version_55.tsv', {'wait/io/file/innodb/innodb_log_file': 400,
                                'wait/synch/rwlock/sql/LOCK_d': 50,
                                'wait/synch/mutex/sql/LOCK_e': 40}, []),
            ('nameless.tsv', {'wait/io/file/sql/relaylog': 30},
             ['guessed-columns']),
            ('vertical.txt', {'statement/sql/select': 190,
                              'Creating sort index': 60}, []),
            ('status.txt', {'wait/synch/mutex/sql/LOCK_f': 25},
             ['instruments-lost'])):
        out = convert([corpus('ok/' + name)])
        bad = differences(out.status, 0, 'status') + adds_up(out)
        bad += differences({r['event']: ps(r['time_s']) // US
                            for r in out.rows('profile')}, want, 'profile')
        seen = {r['id'] for r in out.rows('problems')}
        bad += ['no message ' + i for i in ids if i not in seen]
        report.result(name, bad)
    out = convert([corpus('ok/status.txt')])
    report.result('instruments lost', differences(
        [(r['line'], r['message'][:46]) for r in out.rows(
            'problems', id='instruments-lost')],
        [('6', 'Performance_schema_cond_classes_lost = 3: the '),
         ('7', 'Performance_schema_mutex_instances_lost = 1482')]))
    out = convert([corpus('ok/sums.tsv')], '--tables', 'all')
    report.result('sums', differences(
        [tuple(r[c] for c in ('session', 'event', 'class', 'time_s',
                              'share_pct', 'count', 'avg_s', 'min_s',
                              'max_s')) for r in out.rows('profile')],
        [('1', 'executing', 'stage', '0.001000000000', '76.92', '4',
          '0.000250000000', '0.000100000000', '0.000400000000'),
         ('1', 'Opening tables', 'stage', '0.000300000000', '23.08', '2',
          '0.000150000000', '0.000140000000', '0.000160000000'),
         ('2', 'executing', 'stage', '0.000050000000', '100.00', '1',
          '0.000050000000', '0.000050000000', '0.000050000000')]) +
        differences([r['native_id'] for r in out.rows('sessions')],
                    ['41', '42'], 'threads'))
    out = convert([corpus('bad/cut.tsv')])
    report.result('cut', differences(out.status, 3, 'status') + differences(
        [ps(r['time_s']) for r in out.rows('profile')], [2 * US]))
    out = convert([corpus('bad/ids.tsv')], '--events')
    report.result('ids', differences(out.status, 3, 'status') + differences(
        [(ps(r['time_s']), r['count']) for r in out.rows('profile')],
        [(9000, '2')]) + differences(
        [(r['elapsed_s'], r['flags']) for r in out.rows(
            'events', p1='4')], [('', 'suspect')], 'suspect'))


# -------------------------------------------------------------- real dumps

FAMILIES = ('statements', 'stages', 'waits', 'transactions')


def real(server, inside):
    where = os.path.join(SHARED, 'corpora', 'mysql', server, 'ps')
    paths = [os.path.join(where, f + '_history_long.batch.txt')
             for f in FAMILIES]
    out = convert(paths, '--events', '--tables', 'all')
    events = [e for p in paths for e in pscalc.read_batch(p)]
    bad = against(out, events)
    # the self times of the single events, by id
    want = {e.id: e.self for e in pscalc.account(events)
            if e.wait is not None}
    got = {int(r['p1']): ps(r['self_s']) for r in out.rows('events')
           if r['kind'] != 'transaction' and r['self_s'] != ''}
    bad += differences(got, want, 'self by id')
    # INSERT, SELECT, ROLLBACK inside the explicit transaction
    t = [r for r in out.rows('events', kind='transaction')
         if r['elapsed_s'] and any(
             x['parent_event_id'] == r['event_id'] and
             x['event'] == 'statement/sql/rollback'
             for x in out.rows('events'))]
    bad += differences(len(t), 1, 'explicit transactions')
    inner = [r for r in out.rows('events')
             if t and r['parent_event_id'] == t[0]['event_id']]
    bad += differences([r['event'] for r in inner],
                       ['statement/sql/insert', 'statement/sql/select',
                        'statement/sql/rollback'], 'in the transaction')
    bad += differences(sum(ps(r['elapsed_s']) for r in inner), inside,
                       'in the transaction')
    bad += ['%s is no root' % r['event'] for r in inner if r['depth'] != '0']
    report.result(server + ', four tables together', bad)
    for f in sorted(glob.glob(os.path.join(where, '*.batch.txt'))):
        with open(f, encoding='utf-8', errors='replace') as h:
            if not {'EVENT_ID', 'EVENT_NAME'} <= set(
                    h.readline().rstrip('\n').split('\t')):
                continue
        out = convert([f])
        report.result('%s, %s' % (server, os.path.basename(f)),
                      differences(out.status, 0, 'status') +
                      against(out, pscalc.read_batch(f)))
    for name in ('statements_summary_global', 'stages_summary_global',
                 'waits_summary_global', 'statements_summary_by_account',
                 'file_summary_by_event_name', 'file_summary_by_instance'):
        summary(server, os.path.join(where, name))
    forms(server, where)


def summary(server, path):
    with open(path + '.batch.txt', encoding='utf-8') as f:
        lines = f.read().rstrip('\n').split('\n')
    names = lines[0].split('\t')
    want, whole = {}, 0
    for line in lines[1:]:
        r = dict(zip(names, line.split('\t')))
        event = pscalc.shown(r['EVENT_NAME'])
        cell = want.setdefault(event, [0, 0])
        cell[0] += int(r['SUM_TIMER_WAIT'])
        cell[1] += int(r['COUNT_STAR'])
        whole += int(r['SUM_TIMER_WAIT'])
    want = {k: (t, n, half_up(t * 100, whole, 2))
            for k, (t, n) in want.items()}
    out = convert([path + '.batch.txt'])
    got = {r['event']: (ps(r['time_s']), int(r['count']), r['share_pct'])
           for r in out.rows('profile')}
    report.result('%s, %s' % (server, os.path.basename(path)),
                  differences(out.status, 0, 'status') +
                  differences(got, want))


def forms(server, where):
    """Dumps of other forms are of other moments: identities only."""
    bad, n = [], 0
    for f in sorted(glob.glob(os.path.join(where, '*'))):
        name = os.path.basename(f)
        if not name.startswith(('statements_current', 'statements_history',
                                'stages_history', 'waits_history',
                                'transactions_history', 'nesting_join')):
            continue
        out = convert([f])
        n += 1
        bad += ['%s: %s' % (name, b) for b in
                differences(out.status, 0, 'status') + adds_up(out)]
        if '.batch-N.' not in name and 'batch-raw' not in name and \
                int(out.tables['sources'][0]['records']) == 0:
            bad.append(name + ': no records')
    report.result('%s, %d dumps in all forms' % (server, n), bad)


def nesting_join():
    """The tree of two statements, joined by hand with SQL."""
    for server, statement in (('mysql-9.7', '49228'),
                              ('mariadb-10.11', '177')):
        path = os.path.join(SHARED, 'corpora', 'mysql', server, 'ps',
                            'nesting_join.batch.txt')
        out = convert([path], '--events')
        rows = {r['p1']: r for r in out.rows('events')}
        bad = []
        events = pscalc.read_batch(path)
        nested = [e for e in events if e.family == 'stage']
        for e in nested:
            up = rows.get(str(e.parent))
            if up is not None and rows[str(e.id)]['parent_event_id'] != \
                    up['event_id']:
                bad.append('%d is not in %d' % (e.id, e.parent))
        report.result('nesting join, ' + server,
                      bad + against(out, events))


# ---------------------------------------------------------------- variants

COLUMNS = ('THREAD_ID', 'EVENT_ID', 'END_EVENT_ID', 'EVENT_NAME',
           'TIMER_START', 'TIMER_END', 'TIMER_WAIT', 'SQL_TEXT',
           'NESTING_EVENT_ID', 'NESTING_EVENT_TYPE')


def cells_of(e, kinds):
    start = e.start
    return {
        'THREAD_ID': e.thread, 'EVENT_ID': e.id,
        'END_EVENT_ID': None if e.running else e.end,
        'EVENT_NAME': e.name, 'TIMER_START': start,
        'TIMER_END': None if start is None or e.wait is None
        else start + e.wait, 'TIMER_WAIT': e.wait, 'SQL_TEXT': e.sql,
        'NESTING_EVENT_ID': e.parent,
        'NESTING_EVENT_TYPE': kinds.get((e.thread, e.parent))
        if e.parent is not None else None}


def write_batch(path, events, columns=COLUMNS, kinds=None):
    kinds = kinds or {(e.thread, e.id): e.family.upper() for e in events}
    with open(path, 'w', encoding='utf-8') as f:
        f.write('\t'.join(columns) + '\n')
        for e in events:
            cells = cells_of(e, kinds)
            f.write('\t'.join('NULL' if cells[c.upper()] is None else
                              str(cells[c.upper()]) for c in columns) + '\n')


def tree(rnd, thread, n):
    """Events of a thread as a server would record them."""
    events, counter, clock = [], [rnd.randrange(1, 50)], [
        rnd.randrange(10 ** 9)]
    transaction = [None]

    def take():
        counter[0] += 1
        return counter[0]

    def event(name, parent, depth, trx=False):
        e = pscalc.Event(thread, take(), None, name, None, parent, trx)
        events.append(e)
        e.start = clock[0]
        clock[0] += rnd.randrange(1000) * 1000
        if name.startswith('statement/'):
            e.sql = rnd.choice(['SELECT %d' % rnd.randrange(4), 'DO 1',
                                'UPDATE t SET a = %d' % rnd.randrange(3)])
        if name.startswith(('statement/', 'stage/')) and depth < 4:
            for _ in range(rnd.randrange(4)):
                kind = rnd.random()
                if kind < 0.15 and name.startswith('statement/'):
                    t = pscalc.Event(thread, take(), None, 'transaction',
                                     None, e.id)
                    t.start, t.wait = clock[0], rnd.randrange(10 ** 9)
                    t.end = t.id + rnd.randrange(3)
                    counter[0] = max(counter[0], t.end)
                    events.append(t)
                elif kind < 0.35 and name.startswith('statement/'):
                    event('statement/sp/' + rnd.choice('ab'), e.id,
                          depth + 1)
                elif name.startswith('statement/'):
                    event('stage/sql/' + rnd.choice(
                        ['init', 'executing', 'Waiting for a very long time '
                         'to be cut off']), e.id, depth + 1)
                else:
                    event('wait/' + rnd.choice('xyz'), e.id, depth + 1)
        elif name.startswith('wait/') and rnd.random() < 0.2 and depth < 6:
            event('wait/' + rnd.choice('xyz'), e.id, depth + 1)
        clock[0] += rnd.randrange(1000) * 1000
        e.end = counter[0]
        e.wait = clock[0] - e.start + rnd.choice([0, 0, -1000, 7])
        if e.wait < 0:
            e.wait = 0

    while len(events) < n:
        if transaction[0] is not None and rnd.random() < 0.4:
            transaction[0].end = counter[0]
            transaction[0] = None
        t = transaction[0]
        if t is None and rnd.random() < 0.2:
            event('idle', None, 0)
            continue
        event('statement/sql/' + rnd.choice(['select', 'insert']),
              t.id if t else None, 0, t is not None)
        if t is None and rnd.random() < 0.3:
            begin = [e for e in events if e.parent is None and
                     e.name.startswith('statement/')][-1]
            begin.end = take()
            t = pscalc.Event(thread, begin.end, 10 ** 9, 'transaction', None,
                             begin.id)
            t.start, t.wait = clock[0], 10 ** 10
            events.append(t)
            transaction[0] = t
    if transaction[0] is not None:
        transaction[0].end = counter[0] + 1
    for e in events:
        if rnd.random() < 0.03 and e.family != 'transaction':
            e.wait = e.self = None
        e.self = e.wait
    return events


def variants():
    """Random trees, with holes, shuffled, over files, in other columns."""
    for seed in range(24):
        rnd = random.Random(seed)
        events = []
        for thread in rnd.sample(range(1, 90), rnd.randrange(1, 4)):
            events += tree(rnd, str(thread), rnd.randrange(3, 60))
        kinds = {(e.thread, e.id): e.family.upper() for e in events}
        if seed % 3 == 1:       # a ring buffer has lost some
            events = [e for e in events if rnd.random() > 0.2]
        if not events:
            continue
        with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
            columns = list(COLUMNS)
            if seed % 2:
                rnd.shuffle(columns)
                columns = [c.lower() for c in columns]
            shuffled = list(events)
            rnd.shuffle(shuffled)
            cut = rnd.randrange(len(shuffled) + 1)
            parts = [shuffled[:cut], shuffled[max(0, cut - 5):]] \
                if seed % 4 == 3 else [shuffled]
            names = []
            for i, part in enumerate(p for p in parts if p):
                names.append(os.path.join(work, 'part%d.tsv' % i))
                write_batch(names[-1], part, columns, kinds)
            out = convert(names)
            plain = pscalc.account(events)
            bad = against(out, events)
            bad += differences(sum(e.self for e in plain
                                   if e.wait is not None),
                               pscalc.roots(plain), 'second calculation')
            # an order of the rows changes nothing
            write_batch(os.path.join(work, 'sorted.tsv'), events, COLUMNS,
                        kinds)
            again = convert([os.path.join(work, 'sorted.tsv')])
            for table in ('profile', 'tree', 'statements', 'timeline'):
                keep = [[v for k, v in r.items() if k not in (
                    'source', 'line')] for r in out.rows(table)]
                bad += differences(
                    sorted(keep), sorted([v for k, v in r.items() if k not in
                                          ('source', 'line')]
                                         for r in again.rows(table)), table)
        report.result('random trees %d' % seed, bad)


def long_uptime():
    """Clocks go beyond 2^63 ps after 106 days."""
    base = 2 ** 63 + 12345
    e = [pscalc.Event('5', 1, 3, 'statement/sql/do', 9 * US, start=base),
         pscalc.Event('5', 2, 2, 'stage/sql/init', 4 * US, 1,
                      start=base + US),
         pscalc.Event('5', 4, 4, 'statement/sql/do', 2 * US,
                      start=base + 20 * US)]
    with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
        write_batch(os.path.join(work, 'a'), e)
        out = convert([os.path.join(work, 'a')], '--events')
    report.result('a server that is up for months', against(out, e) +
                  differences([(r['start_s'], r['tim'])
                               for r in out.rows('events')],
                              [('0.000000000000', str(base)),
                               ('0.000001000000', str(base + US)),
                               ('0.000020000000', str(base + 20 * US))]))


def servers():
    """One folder, two servers: the ids say so."""
    a = [pscalc.Event('5', 1, 2, 'statement/sql/do', 9 * US, start=100 * US),
         pscalc.Event('5', 2, 2, 'stage/sql/init', 4 * US, 1,
                      start=101 * US)]
    b = [pscalc.Event('5', 1, 2, 'statement/sql/set', 5 * US,
                      start=700 * US),
         pscalc.Event('5', 2, 2, 'stage/sql/init', US, 1, start=701 * US)]
    with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
        names = []
        for name, part in (('a1', a[:1]), ('a2', a[1:]), ('b1', b[:1]),
                           ('b2', b)):
            names.append(os.path.join(work, name))
            write_batch(names[-1], part, kinds={('5', 1): 'STATEMENT'})
        out = convert(names)
        bad = differences(
            sorted((r['event'], ps(r['time_s']) // US)
                   for r in out.rows('profile')),
            [('init', 1), ('init', 4), ('statement/sql/do', 5),
             ('statement/sql/set', 4)], 'profile')
        bad += differences(len(out.rows('problems', id='other-server')), 1,
                           'messages')
        # sides of a comparison share nothing
        run = subprocess.run(
            [PROFPIVOT, 'compare', '-q', names[0], names[2], '-t', 'csv',
             '--table', 'compare_events', '-o', '-'],
            stdout=subprocess.PIPE, timeout=60)
        if b'statement/sql/do' not in run.stdout:
            bad.append('compare: ' + run.stdout.decode()[:200])
    report.result('two servers in a folder', bad + adds_up(out))


def more_servers():
    """Three runs of a server, the same ids in each: none is taken for
    another's, though the first and the third are no neighbours."""
    with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
        names = []
        for k in range(3):
            names.append(os.path.join(work, 'run%d' % k))
            write_batch(names[-1], [
                pscalc.Event('5', i, i, 'statement/sql/do', 9 * US,
                             start=(1000 * k + 100 * i) * US)
                for i in range(1, 5)])
        out = convert(names)
        bad = differences([(r['source'], r['calls'])
                           for r in out.rows('sessions')],
                          [('run%d' % k, '4') for k in range(3)], 'sessions')
        bad += differences(len(out.rows('problems', id='other-server')), 2,
                           'messages')
    report.result('three servers in a folder', bad + adds_up(out))


def printed_twice():
    """Running in one dump, ended in the next."""
    cols = COLUMNS
    run = pscalc.Event('5', 10, None, 'statement/sql/select', 700 * US,
                       start=US, sql='SELECT 7', running=True)
    end = pscalc.Event('5', 10, 19, 'statement/sql/select', 900 * US,
                       start=US, sql='SELECT 7')
    stage = pscalc.Event('5', 11, 18, 'stage/sql/executing', 800 * US, 10,
                         start=5 * US)
    kinds = {('5', 10): 'STATEMENT'}
    with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
        names = [os.path.join(work, n) for n in
                 ('current', 'history', 'history_long')]
        write_batch(names[0], [run], cols, kinds)
        write_batch(names[1], [end, stage], cols, kinds)
        write_batch(names[2], [stage, end], cols, kinds)
        for order in (names, names[::-1]):
            out = convert(order)
            bad = differences(
                {r['event']: (ps(r['time_s']) // US, r['count'])
                 for r in out.rows('profile')},
                {'executing': (800, '1'), 'statement/sql/select':
                 (100, '1')})
            bad += differences([d['calls'] for d in out.rows('digests')],
                               ['1'], 'digest')
            bad += ['running' for r in out.rows('problems')
                    if r['id'] == 'running-event']
            report.result('an event printed three times', bad)


# ------------------------------------------------------- with SHOW PROFILE

def stages_meet_states():
    """R50: one pivot of SHOW PROFILE and of the stages of P_S."""
    stages = [('stage/sql/Opening tables', 12405), ('stage/sql/statistics',
              8250), ('stage/sql/Sending data', 345),
              ('stage/sql/Waiting for table metadata lock and more', 20)]
    e = [pscalc.Event('5', 1, 9, 'statement/sql/select', 21100 * US,
                      start=0)]
    at = 0
    for i, (name, us) in enumerate(stages):
        e.append(pscalc.Event('5', 2 + i, 2 + i, name, us * US, 1, start=at))
        at += us * US
    with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
        write_batch(os.path.join(work, 'ps'), e)
        with open(os.path.join(work, 'show'), 'w', encoding='utf-8') as f:
            f.write('Status\tDuration\nstarting\t0.000100\n'
                    'opening Tables\t0.012405\nstatistics\t0.008250\n'
                    'Sending data\t0.000345\n'
                    'Waiting for table metadata loc\t0.000020\n')
        out = convert([os.path.join(work, 'ps'), os.path.join(work, 'show')],
                      '--pivot', 'p=profile:event:source:time_s')
        rows = {r['event'].lower(): r for r in out.rows('p')}
        bad = []
        for name, us in stages:
            key = pscalc.shown(name).lower()
            r = rows.get(key, {})
            got = [r.get('ps', '').rstrip('0'), r.get('show', '').rstrip('0')]
            bad += differences(got, [half_up(us, 10 ** 6, 6).rstrip('0')] * 2,
                               key)
        bad += differences(rows['starting'].get('ps'), '', 'starting')
    report.result('R50: states and stages in one pivot', bad)


# ------------------------------------------------------- parts of the input

def parts():
    server = corpus('ok/server')
    whole = convert([server])
    bad = []
    for options, check in (
            (['--merge', 'sessions'], lambda o: differences(
                total(o, 'profile', 'time_s'), 3270 * US, 'merged')),
            (['--where', 'class=wait'], lambda o: differences(
                total(o, 'profile', 'time_s'), 200 * US, 'waits')),
            (['--where', 'event=update'], lambda o: differences(
                total(o, 'profile', 'time_s'), 280 * US, 'update')),
            (['--where', 'session=42'], lambda o: differences(
                total(o, 'profile', 'time_s'), 320 * US, 'session')),
            (['--idle', 'exclude'], lambda o: differences(
                total(o, 'profile', 'time_s'), 1270 * US, 'without idle')),
            (['--since', '0.0002', '--until', '0.0003'], lambda o:
             differences(total(o, 'profile', 'time_s'), 100 * US,
                         'a window')),
            (['--intervals', '7'], adds_up),
            (['--interval', '0.00000001s'], lambda o: []),
            (['--by', 'module'], lambda o: differences(
                total(o, 'profile', 'time_s'), 3270 * US, 'by module')),
            (['--timeline', 'seed'], lambda o: differences(
                total(o, 'profile', 'time_s'), 3270 * US, 'seed'))):
        out = convert([server], *options)
        if out.status not in (0, 3):
            bad.append('%s: status %d %s' % (options, out.status, out.err))
        bad += ['%s: %s' % (' '.join(options), b) for b in check(out)]
    cube = total(whole, 'cube', 'time_s')
    bad += differences(cube, 3270 * US, 'cube')
    hist = sum(ps(r['time_s']) for r in whole.rows('histogram')
               if 'session' in r and r['session'])
    bad += differences(hist, 3270 * US, 'histogram')
    report.result('selections, merges, intervals', bad)


def writers():
    bad = []
    with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
        for t in ('csv', 'tsv', 'xml', 'json', 'ndjson', 'xlsx', 'parquet',
                  'sqlite', 'txt', 'folded', 'speedscope'):
            out = os.path.join(work, 'out.' + t)
            run = subprocess.run(
                [PROFPIVOT, 'convert', '-q', '-t', t, corpus('ok/server'),
                 '-o', out], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                timeout=120)
            if run.returncode != 0 or not os.path.exists(out):
                bad.append('%s: %d %s' % (t, run.returncode, run.stderr))
        for options in (['--width', '80'], ['--width', '200'], ['--tree']):
            run = subprocess.run(
                [PROFPIVOT, 'show', '-q', corpus('ok/server')] + options,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            text = run.stdout.decode()
            if run.returncode != 0 or 'statement/sql/rollback' not in text:
                bad.append('show %s: %d' % (options, run.returncode))
            if options == ['--width', '80'] and any(
                    len(line) > 80 for line in text.split('\n')):
                bad.append('show: lines of more than 80 columns')
    report.result('every writer, show', bad)


def flat():
    """More waits than memory: the sort spills."""
    rnd = random.Random(5)
    bad = []
    with tempfile.TemporaryDirectory(prefix='profpivot-test-') as work:
        path = os.path.join(work, 'waits.tsv')
        n, sums = 600000, [0]
        ids = list(range(n))
        rnd.shuffle(ids)
        with open(path, 'w', encoding='ascii') as f:
            f.write('THREAD_ID\tEVENT_ID\tEND_EVENT_ID\tEVENT_NAME\t'
                    'TIMER_START\tTIMER_WAIT\tNESTING_EVENT_ID\n')
            for i in ids:
                wait = 1000 + i * 7919 % 100000
                sums[0] += wait if i % 3 == 0 else 0
                f.write('%d\t%d\t%d\twait/io/file/x%d\t%d\t%d\t%s\n' % (
                    i % 5 if False else 7, i + 1, i + 3 - i % 3, i % 3,
                    i * 10 ** 6, wait,
                    'NULL' if i % 3 == 0 else i + 1 - i % 3))

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (90 << 20, 90 << 20))

        run = subprocess.run(
            [PROFPIVOT, 'convert', '-q', '-t', 'csv', '--table', 'profile',
             '--tmp', work, '-o', '-', path], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=limit, timeout=300)
        rows = run.stdout.decode().strip().split('\n')[1:]
        bad += differences(run.returncode, 0, 'status')
        bad += differences(sum(ps(r.split(',')[4]) for r in rows), sums[0],
                           'roots')
        bad += differences([r.split(',')[6] for r in rows], ['200000'] * 3,
                           'counts')
    report.result('600,000 shuffled waits in 90 MiB', bad)


def main():
    fixed()
    more_fixed()
    variants()
    long_uptime()
    servers()
    more_servers()
    printed_twice()
    stages_meet_states()
    parts()
    writers()
    flat()
    if SHARED and os.path.isdir(os.path.join(SHARED, 'corpora', 'mysql')):
        real('mysql-9.7', 9571306000)
        real('mariadb-10.11', 493399000)
        nesting_join()
    else:
        report.skip('real dumps', 'no shared corpora')
    report.end()


if __name__ == '__main__':
    main()
