#!/usr/bin/python3
"""Raw tables and plans: single events fit each other and the sums.

For the traces of corpora/ and the smaller shared ones: a call's self time is
its time less that of its children, its waits are those that name it, what
the events of a statement sum to stands in `statements`, executions are an
EXEC and its FETCHes, binds name an EXEC behind them, plan rows fit their
tree.  For three shared traces values were read from the text by hand.
"""
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle                                           # noqa: E402
from compare import Differences, compare_events, digits_of  # noqa: E402
from tables import (CORPORA, Report, SHARED, convert,   # noqa: E402
                    number, ticks)

report = Report()
SMALL = 900000


def check_tree(calls, waits, t, d):
    kids, own = {}, {}
    for r in list(calls.values()) + waits:
        p = r['parent_event_id']
        if p == '':
            continue
        if p not in calls:
            d.append('event %s: its call %s is no call' % (r['event_id'], p))
            continue
        (own if r['kind'] == 'wait' else kids).setdefault(p, []).append(r)
        if int(calls[p]['event_id']) <= int(r['event_id']):
            d.append('event %s stands behind its call' % r['event_id'])
    for k, r in calls.items():
        name = 'event %s: ' % k
        c, w = kids.get(k, []), own.get(k, [])
        d.same(name + 'self', t(r, 'self_s'), t(r, 'elapsed_s') - sum(
            t(x, 'elapsed_s') for x in c))
        d.same(name + 'waits', t(r, 'self_wait_s'), sum(
            t(x, 'elapsed_s') for x in w))
        d.same(name + 'self cpu', t(r, 'self_cpu_s'), t(r, 'cpu_s') - sum(
            t(x, 'cpu_s') for x in c) - sum(t(x, 'cpu_s') or 0 for x in w))
        d.same(name + 'sum', t(r, 'self_s'), t(r, 'self_cpu_s') + (
            t(r, 'self_queue_s') or 0) + t(r, 'self_wait_s') +
            t(r, 'self_unaccounted_s'))
        d.same(name + 'begin', t(r, 'start_s'),
               t(r, 'end_s') - t(r, 'elapsed_s'))


def sums(rows, t, key, columns):
    out = {}
    for r in rows:
        v = out.setdefault(tuple(r[k] for k in key), [0] * len(columns))
        for i, c in enumerate(columns):
            v[i] += (t(r, c) if c.endswith('_s') else number(r[c])) or 0
    return {k: v for k, v in out.items() if any(v)}


def check_sums(out, source, calls, waits, t, d):
    both = ('elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s', 'self_wait_s',
            'self_unaccounted_s', 'rows', 'physical_reads',
            'consistent_gets', 'current_gets', 'misses')
    d.rows('calls by statement', {
        k: tuple(v) for k, v in sums(
            calls.values(), t, ('session', 'statement'), both).items()}, {
        k: tuple(v) for k, v in sums(
            (r for r in out.rows('statements', source=source)
             if r['statement'] != oracle.BETWEEN), t,
            ('session', 'statement'), both).items()})
    d.rows('waits by event', {
        k: tuple(v) for k, v in sums(
            waits, t, ('session', 'event', 'class'),
            ('elapsed_s',)).items()}, {
        k: tuple(v) for k, v in sums(
            (r for r in out.rows('profile', source=source)
             if r['class'] in ('wait', 'idle')), t,
            ('session', 'event', 'class'), ('time_s',)).items()})
    s = out.rows('sessions', source=source)
    d.same('calls', len(calls), sum(int(r['calls']) for r in s))
    d.same('waits', len(waits), sum(int(r['waits']) for r in s))


def executions_of(rows, t):
    """An EXEC with its FETCHes, until the next EXEC or PARSE."""
    open_, done = {}, []
    columns = ('elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s', 'self_wait_s',
               'self_unaccounted_s')
    counts = ('rows', 'physical_reads', 'consistent_gets', 'current_gets')
    for r in rows:
        key = r['session'], r['cursor']
        if r['kind'] != 'call' or r['cursor'] == '':
            continue
        if r['event'] in ('EXEC', 'PARSE') or (
                key in open_ and open_[key]['statement'] != r['statement']):
            open_.pop(key, None)
        if r['event'] == 'EXEC':
            x = open_[key] = {'statement': r['statement'],
                              'id': r['event_id'], 'fetches': 0,
                              'v': [0] * (len(columns) + len(counts))}
            done.append(x)
        elif r['event'] == 'FETCH' and key in open_:
            x = open_[key]
            x['fetches'] += 1
        else:
            continue
        x['v'] = [a + b for a, b in zip(x['v'], [
            t(r, c) for c in columns] + [number(r[c]) for c in counts])]
    return {x['id']: (x['statement'], str(x['fetches'])) + tuple(x['v'])
            for x in done}, columns, counts


def check_executions(out, source, rows, t, d):
    want, columns, counts = executions_of(rows, t)
    got = {r['event_id']: (r['statement'], r['fetches']) + tuple(
        t(r, c) for c in columns) + tuple(number(r[c]) for c in counts)
        for r in out.rows('executions', source=source)}
    d.rows('executions', got, want)
    longest = {}
    for r in out.rows('executions', source=source):
        k = r['session'], r['statement']
        longest[k] = max(longest.get(k, 0), t(r, 'elapsed_s'))
    d.rows('longest', {
        (r['session'], r['statement']): t(r, 'max_s')
        for r in out.rows('statements', source=source)
        if r['max_s'] != ''}, longest)


def check_binds(out, source, calls, d):
    rows = out.rows('binds', source=source)
    sets = {}
    for r in rows:
        if r['event_id'] == '':
            continue
        x = calls.get(r['event_id'])
        if x is None or x['event'] != 'EXEC':
            d.append('binds of line %s: event %s is no EXEC' % (
                r['line'], r['event_id']))
            continue
        if int(r['line']) >= int(x['line']):
            d.append('binds of line %s stand behind their EXEC' % r['line'])
        sets.setdefault(r['event_id'], []).append(int(r['set']))
    for k, v in sets.items():
        d.same('sets of event ' + k, sorted(set(v)),
               list(range(1, max(v) + 1)))
    for r in out.rows('executions', source=source):
        d.same('binds of execution ' + r['event_id'], r['binds'] != '',
               r['event_id'] in sets)


def check_plans(out, source, d):
    plans = {}
    for r in out.rows('plans', source=source):
        plans.setdefault((r['session'], r['statement'], r['plan']),
                         []).append(r)
    for key, rows in plans.items():
        name = 'plan %s %s ' % key[1:]
        depth = {}
        ids = [int(r['id']) for r in rows]
        d.same(name + 'ids', ids, sorted(set(ids)))
        for r in rows:
            depth[r['id']] = 0 if r['parent'] == '' else (
                depth.get(r['parent'], -9) + 1)
            d.same(name + 'depth of ' + r['id'], int(r['depth']),
                   depth[r['id']])
        if any(r['elapsed_s'] == '' for r in rows):
            continue
        for c in ('elapsed_s', 'consistent_gets', 'physical_reads'):
            own = {'elapsed_s': 'self_s'}.get(c, 'self_' + c)
            v = (lambda r, k: ticks(r[k]) if k.endswith('_s')
                 else int(r[k]))
            for r in rows:
                d.same('%s%s of %s' % (name, own, r['id']), v(r, own),
                       v(r, c) - sum(v(x, c) for x in rows
                                     if x['parent'] == r['id']))


def check(path, compare=True):
    source = os.path.basename(path)
    if source.endswith('.gz'):
        source = source[:-3]
    d = Differences()
    out = convert([path], '--events')
    if out.status not in (0, 3) or not out.rows('events', source=source):
        return
    try:
        n = digits_of(out, source)

        def t(row, column):
            return ticks(row[column], n)

        rows = out.rows('events', source=source)
        ids = [int(r['event_id']) for r in rows if r['event_id'] != '']
        d.same('ids', ids, list(range(1, len(ids) + 1)))
        calls = {r['event_id']: r for r in rows if r['kind'] == 'call'}
        waits = [r for r in rows if r['kind'] == 'wait']
        check_tree(calls, waits, t, d)
        check_sums(out, source, calls, waits, t, d)
        check_executions(out, source, rows, t, d)
        check_binds(out, source, calls, d)
        check_plans(out, source, d)
        if compare:
            group = oracle.read([path])
            oracle.account(group)
            compare_events(out, group, d, source)
    except (LookupError, ValueError, KeyError, TypeError) as e:
        d.append('%s: %s %s' % (type(e).__name__, e, out.err[:200]))
    report.result('events of ' + source, d)


# -- values read by hand -----------------------------------------------------

def check_types():
    """Every data type, as printed and as dumped, in both styles."""
    d = Differences()
    out = convert([CORPORA + '/ok/bind_types.trc'], '--events')
    d.same('status', out.status, 0)
    d.same('values', [(r['position'], r['type'], r['value'])
                      for r in out.rows('binds')], [
        ('0', 'NUMBER', '-12.5'), ('1', 'DATE', '2016-08-22 11:08:57'),
        ('2', 'TIMESTAMP', '31-AUG-23 08.35.09.500000 AM'),
        # a dump of a little-endian machine, then of big-endian ones
        ('3', 'TIMESTAMP', '2023-08-31 08:35:09.500000000'),
        ('4', 'TIMESTAMP WITH TIME ZONE',
         '2023-08-31 08:35:09.500000000 UTC, zone +02:00'),
        ('5', 'INTERVAL YEAR TO MONTH', '+03-06'),
        ('6', 'INTERVAL DAY TO SECOND', '+01 02:13:21.005000000'),
        ('7', 'RAW', 'DEADBEEF01'), ('8', 'ROWID', '0000168A.0004.0001'),
        ('9', 'CLOB', '005400010208008000000002'),
        ('10', 'REF CURSOR', '00000009'),
        # a byte of CP1252, two of UTF-8, pairs of UTF-16
        ('11', 'VARCHAR2', 'Z\xfcrich'), ('12', 'VARCHAR2', 'Z\xfcrich'),
        ('13', 'NCHAR', 'Qu\xe9'), ('14', 'VARCHAR2', ''),
        ('15', 'NUMBER', '###'), ('16', '', ''),
        ('17', 'VARCHAR2', 'cut to what the server shows'),
        ('0', 'NUMBER', '7'), ('1', 'DATE', '2004-02-29 00:00:00'),
        ('2', '', '')])
    d.same('module', out.one('sessions')['module'],
           'Z\xfcrich (S\xfcd) 2024-01-01 00:00:00.000')
    report.result('bind values by type', d)


def plan(out, statement):
    return [(int(r['id']), number(r['parent']), int(r['depth']),
             int(r['rows']), number(r['starts']),
             int(r['consistent_gets']), ticks(r['elapsed_s']),
             ticks(r['self_s']), r['operation'].split(' ')[0])
            for r in out.rows('plans', statement=statement)]


def check_23c(path):
    d = Differences()
    out = convert([path], '--events')
    # the time between time= and us stands before dr= and dw=
    d.same('join of 11 rows', plan(out, '121ffmrc95v7g'), [
        (1, None, 0, 2, 1, 7, 497, 46, 'SORT'),
        (2, 1, 1, 2, 1, 7, 451, 301, 'HASH'),
        (3, 2, 2, 2, 1, 4, 88, 4, 'NESTED'),
        (4, 3, 3, 2, 1, 3, 71, 22, 'TABLE'),
        (5, 4, 4, 1, 1, 2, 49, 49, 'INDEX'),
        (6, 3, 3, 0, 2, 1, 13, 1, 'TABLE'),
        (7, 6, 4, 0, 2, 1, 12, 12, 'INDEX'),
        (8, 2, 2, 0, 1, 3, 62, 1, 'VIEW'),
        (9, 8, 3, 0, 1, 3, 61, 28, 'SORT'),
        (10, 9, 4, 0, 1, 3, 33, 26, 'TABLE'),
        (11, 10, 5, 1, 1, 2, 7, 7, 'INDEX')])
    # STAT is printed after the first execution alone
    d.same('executions', {r['executions'] for r in out.rows(
        'plans', statement='04kug40zbu4dm')}, {'1'})
    d.same('no binds', out.rows('binds'), [])
    report.result('plans of 23c by hand', d)


def check_array(path):
    d = Differences()
    out = convert([path], '--events')
    rows = [r for r in out.rows('binds') if r['statement'] ==
            '718d4y9b3fqtz']
    # ten blocks before line 238's EXEC of r=10
    d.same('sets', sorted({int(r['set']) for r in rows}),
           list(range(1, 11)))
    d.same('one EXEC', {r['event_id'] for r in rows}, {'10'})
    d.same('values', [(r['position'], r['value']) for r in rows
                      if r['set'] in ('1', '4')], [
        ('0', 'Block Size'), ('1', '256'), ('2', '21337'), ('3', '1'),
        ('0', 'Hash Bucket Count'), ('1', '1024'), ('2', '21337'),
        ('3', '4')])
    d.same('third of each set', {r['value'] for r in rows
                                 if r['position'] == '2'}, {'21337'})
    d.same('blocks', len({(r['event_id'], r['line'])
                          for r in out.rows('binds')}), 16)
    d.same('deeper plan', [(i, p, s, w) for i, p, _, _, _, _, _, s, w in
                           plan(out, '6cqsht9pn1wc7')], [
        (1, None, 3, 'HASH'), (2, 1, 2, 'NESTED'), (3, 2, 1, 'NESTED'),
        (4, 3, 0, 'STATISTICS'), (5, 4, 1, 'VIEW'), (6, 5, 8, 'SORT'),
        (7, 6, 0, 'TABLE'), (8, 7, 12, 'INDEX'), (9, 3, 0, 'INDEX'),
        (10, 2, 0, 'TABLE'), (11, 1, 0, 'TABLE')])
    report.result('array binds and plans by hand', d)


def check_mixed(path):
    d = Differences()
    out = convert([path], '--events')
    rows = out.rows('binds')
    # a stamp stands between the head of line 22 and its value of line 27
    d.same('binds', [(r['event_id'], r['line'], r['position'], r['length'],
                      len(r['value'])) for r in rows], [
        ('1', '20', '0', '20', 20), ('1', '20', '1', '6', 6),
        ('9', '46', '0', '23', 0), ('9', '46', '1', '6', 0),
        ('18', '73', '0', '4', 5), ('18', '73', '1', '3', 3),
        ('18', '73', '2', '3', 3), ('18', '73', '3', '', 0),
        ('25', '102', '0', '35', 0), ('25', '102', '1', '6', 0)])
    d.same('numbers', [r['value'] for r in rows if r['line'] == '73'],
           ['70033', '3,7', '131', ''])
    d.same('plans', plan(out, '23s96rf87635s'), [
        (1, None, 0, 1, 1, 3, 29, 7, 'SORT'),
        (2, 1, 1, 1, 1, 3, 22, 12, 'TABLE'),
        (3, 2, 2, 1, 1, 2, 10, 10, 'INDEX')])
    d.same('reads', [(r['physical_reads'], r['self_physical_reads'],
                      r['self_consistent_gets'])
                     for r in out.rows('plans', statement='6v48b7j2tc4a0')],
           [('3', '2', '2'), ('1', '1', '4')])
    report.result('binds around a stamp, by hand', d)


def main():
    for path in sorted(glob.glob(CORPORA + '/*/*.trc')):
        check(path)
    check_types()
    folder = os.path.join(SHARED, 'corpora', 'oracle')
    if not SHARED or not os.path.isdir(folder):
        report.skip('shared traces', 'PP_SHARED names no folder')
        return
    for name, by_hand in (
            ('CaryMillsap__tracing-oracle__FREE_ora_39079.trc', check_23c),
            ('jkstill__oracle-trace__cdb1_ora_5390_TRUNC-TEST.trc',
             check_array),
            ('priitp2__trctools__mixed_execs.trc', check_mixed)):
        by_hand(os.path.join(folder, name))
    for path in sorted(glob.glob(folder + '/*.trc*') +
                       glob.glob(folder + '/fragments/*.trc')):
        size = os.path.getsize(path) * (10 if path.endswith('.gz') else 1)
        if size < SMALL:
            check(path)


if __name__ == '__main__':
    main()
    report.end()
