#!/usr/bin/python3
"""The accounts of Oracle traces, seen through the CSV tables.

Three witnesses: fixed numbers worked out by hand for the traces in corpora/,
the second calculation of oracle.py for every trace, and, where the shared
corpora are at hand, figures that others published.  The identities of the
design hold for each of them to the last tick.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle                                           # noqa: E402
from compare import (check_identities, compare,         # noqa: E402
                     compare_events, Differences, digits_of)
from fixed import FIXED                                 # noqa: E402
from tables import (CORPORA, Report, SHARED, convert,   # noqa: E402
                    number, ticks)

report = Report()
RAW = []                        # --events, where that gives rows


# -- fixed values ---------------------------------------------------------

def check_fixed(out, source, fixed, d):
    d.same('status', out.status, fixed.get('status', 0))
    if 'sessions' not in fixed:
        return
    n = digits_of(out, source)
    sessions = sorted(out.rows('sessions', source=source),
                      key=lambda r: int(r['session']))
    d.same('span, calls, waits, unaccounted', [
        (ticks(r['span_s'], n), number(r['calls']), number(r['waits']),
         ticks(out.one('profile', source=source, session=r['session'],
                       event=oracle.UNACCOUNTED)['time_s'], n))
        for r in sessions], fixed['sessions'])
    for key, (time, count) in fixed.get('profile', {}).items():
        found = [r for r in out.rows('profile', source=source)
                 if r['event'] == key]
        d.same(key, (sum(ticks(r['time_s'], n) for r in found),
                     sum(number(r['count']) or 0 for r in found)
                     if count is not None else None), (time, count))
    for path, want in fixed.get('tree', {}).items():
        rows = out.rows('tree', source=source)
        paths = {}
        for r in rows:
            paths[r['session'], r['node']] = paths.get(
                (r['session'], r['parent']), ()) + (r['call'],)
        found = [r for r in rows
                 if ' / '.join(paths[r['session'], r['node']]) == path]
        d.same('tree ' + path, sorted(
            (ticks(r['elapsed_s'], n), ticks(r['self_s'], n) or 0)
            for r in found), sorted(want))
    for st, calls in fixed.get('calls', {}).items():
        d.same('calls of ' + st, {
            r['call']: (int(r['count']), ticks(r['elapsed_s'], n))
            for r in out.rows('statement_calls', source=source,
                              statement=st)}, calls)
    for column, want in fixed.get('source', {}).items():
        d.same(column, out.one('sources', source=source)[column], want)


def check_case(path):
    case = path[len(CORPORA) + 1:-4]
    source = os.path.basename(path)
    d = Differences()
    out = convert([path], *RAW)
    fixed = FIXED.get(case)
    if fixed is None:
        d.append('no fixed values')
    try:
        if fixed:
            check_fixed(out, source, fixed, d)
        if out.status in (0, 3):
            group = oracle.read([path])
            oracle.account(group)
            check_identities(out, source, d)
            compare(out, group, d, source)
            if RAW:
                compare_events(out, group, d, source)
    except (LookupError, ValueError, KeyError) as e:
        d.append('%s: %s %s' % (type(e).__name__, e, out.err[:200]))
    report.result(case, d)
    return case, out


def check_groups(alone):
    """Files that belong together, and all files in one run."""
    one = CORPORA + '/ok/QUAY1_ora_28114.trc'
    two = CORPORA + '/ok/QUAY1_ora_28114_late.trc'
    group = oracle.read([one, two])
    oracle.account(group)
    for name, inputs in (('', [one, two]), (' turned round', [two, one])):
        d = Differences()
        out = convert(inputs)
        d.same('status', out.status, 0)
        source = os.path.basename(one)
        try:
            check_identities(out, source, d)
            compare(out, group, d, source)
            d.same('calls', {
                r['call']: (r['statement'], ticks(r['elapsed_s']))
                for r in out.rows('statement_calls')},
                {'PARSE': ('5hfxqhgvwup46', 22),
                 'EXEC': ('5hfxqhgvwup46', 11),
                 'FETCH': ('5hfxqhgvwup46', 33),
                 'CLOSE': ('5hfxqhgvwup46', 1)})
            d.same('files of the session', [
                r['file'] for r in out.rows('session_sources')],
                [os.path.basename(one), os.path.basename(two)])
        except (LookupError, ValueError, KeyError) as e:
            d.append('%s: %s' % (type(e).__name__, e))
        report.result('continued trace' + name, d)

    d = Differences()
    parts = [CORPORA + '/bad/segments/tug_ora_77%s.trc' % x
             for x in ('_1', '_4', '')]
    group = oracle.read(parts, holes={1})
    oracle.account(group)
    for inputs in ([os.path.dirname(parts[0])], parts[::-1]):
        out = convert(inputs)
        source = 'tug_ora_77_1.trc'
        d.same('status', out.status, 3)
        try:
            check_identities(out, source, d)
            compare(out, group, d, source)
            d.same('profile', {
                r['event']: ticks(r['time_s'])
                for r in out.rows('profile')},
                {'CPU EXEC': 1400, 'CPU FETCH': 800, 'missing': 6499500,
                 'unaccounted-for': 7699500 - 6499500 - 2200})
        except (LookupError, ValueError, KeyError) as e:
            d.append('%s: %s' % (type(e).__name__, e))
    report.result('segments with a hole', d)

    d = Differences()
    out = convert([CORPORA + '/ok'])
    for case, single in sorted(alone.items()):
        source = os.path.basename(case) + '.trc'
        if not case.startswith('ok/') or 'QUAY1' in case:
            continue
        for table in ('profile', 'statements', 'tree', 'timeline', 'gaps',
                      'statement_calls', 'statement_events'):
            if single.rows(table, source=source) != out.rows(
                    table, source=source):
                d.append('%s of %s' % (table, source))
    report.result('all in one run as each alone', d)


# -- the shared corpora ---------------------------------------------------

# Both published traces of several clocks hold one session a clock.
MERGED = {'jkstill__oracle-trace__main.trc'}


def profile_waits(text):
    out = {}
    for item in re.split(r';(?=[^;]*=\d+/\d+(?:;|$))', text):
        m = re.match(r'(.*)=(\d+)/(\d+)$', item)
        if m:
            out[m.group(1)] = (int(m.group(2)), int(m.group(3)))
    return out


def shared_profiles(out, folder):
    with open(folder + '/expected/profiles.tsv') as f:
        next(f)
        lines = [line.rstrip('\n').split('\t') for line in f]
    for f in lines:
        source = os.path.basename(f[0])
        d = Differences()
        try:
            n = digits_of(out, source)
            d.same('span', ticks(out.one(
                'sources', source=source)['span_s'], n), int(f[1]))
            cpu = sum(ticks(r['cpu_s'], n)
                      for r in out.rows('tree', source=source, depth='0')
                      if r['statement'] != oracle.BETWEEN)
            d.same('cpu of roots', cpu, int(f[3]))
            d.same('calls', sum(int(r['calls']) for r in out.rows(
                'sessions', source=source)), int(f[5]))
            waits = {}
            for r in out.rows('profile', source=source):
                if r['class'] in ('wait', 'idle'):
                    a = waits.get(r['event'], (0, 0))
                    waits[r['event']] = (a[0] + ticks(r['time_s'], n),
                                         a[1] + int(r['count']))
            d.rows('waits', waits, profile_waits(f[9] if len(f) > 9 else ''))
        except (LookupError, ValueError, KeyError) as e:
            d.append('%s: %s' % (type(e).__name__, e))
        report.result('published profile of ' + source, d)


def shared_references(out):
    d = Differences()
    d.same('spans', [
        r['span_s'] for r in out.rows(
            'sessions', source='Apress__TOP08__dbm10203_s000_24374.trc')],
        ['25.186187', '39.140381', '33.100619'])
    report.result('sessions of dbm10203_s000_24374', d)

    source = 'Apress__TOP14__DBM11203_ora_28030__DBM11203_ora_28030.trc'
    d = Differences()
    want = {
        'db file scattered read': ('2.791697', 530),
        'direct path read temp': ('2.416692', 24015),
        'direct path write temp': ('0.513146', 11002),
        'db file sequential read': ('0.040504', 72),
        'SQL*Net message from client': ('0.001007', 2),
        'SQL*Net message to client': ('0.000009', 2),
        'unaccounted-for': ('-0.325381', None),
    }
    rows = out.rows('profile', source=source)
    d.rows('profile', {
        r['event']: (r['time_s'], number(r['count']))
        for r in rows if r['class'] != 'cpu'}, want)
    d.same('cpu', sum(ticks(r['time_s']) for r in rows
                      if r['class'] == 'cpu'), 6968939)
    d.same('span', out.one('sources', source=source)['span_s'], '12.406613')
    st = [r for r in out.rows('statements', source=source)
          if r['statement'] != oracle.BETWEEN]
    d.same('statements', len(st), 18)
    d.same('calls', out.one('sessions', source=source)['calls'], '10104')
    block = [r for r in st if r['self_cpu_s'] == '0.452938']
    d.same('block', [r['self_s'] for r in block], ['0.414099'])
    query = [r for r in st if r['self_cpu_s'] == '6.494007']
    d.same('its query', [(r['self_s'], r['self_wait_s']) for r in query],
           [('11.927260', '5.721748')])
    d.same('roots', sum(int(r['calls']) for r in out.rows(
        'tree', source=source, depth='0')
        if r['statement'] != oracle.BETWEEN), 7)
    report.result('reference numbers of DBM11203_ora_28030', d)

    source = 'seed000_exec_tree.trc'
    d = Differences()
    rows = out.rows('tree', source=source)
    names = {}
    for r in rows:
        names[r['node']] = (names.get(r['parent'], '') + '/' + r['call'])
    columns = ('calls', 'elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s',
               'self_wait_s')
    got = {names[r['node']]: tuple(ticks(r[c]) or 0 if c.endswith('_s')
                                   else int(r[c]) for c in columns)
           for r in rows}
    d.rows('tree', got, {
        '/(call not in trace)': (0, 139941, 141979, 0, 0, 0),
        '/(call not in trace)/EXEC': (2, 943, 0, 943, 0, 0),
        '/(call not in trace)/FETCH': (
            2, 138998, 141979, 138998, 141979, 0),
        '/PARSE': (1, 38, 0, 38, 0, 0),
        '/EXEC': (1, 1194523, 220966, 980777, 2999, 978084),
        '/EXEC/EXEC': (3, 897, 0, 897, 0, 0),
        '/EXEC/FETCH': (3, 212849, 217967, 212849, 217967, 41),
        # 1484378 less roots 139941 + 38 + 1194523; waits 147396 + 6 + 271
        # + 2 + 807
        '/(between calls)': (0, 149876, 0, 149876, 0, 148482),
    })
    d.same('unaccounted', out.one(
        'profile', source=source, event=oracle.UNACCOUNTED)['time_s'],
        '-0.005174')
    d.same('unaccounted of EXEC', [
        r['self_unaccounted_s'] for r in rows
        if r['self_wait_s'] == '0.978084'], ['-0.000306'])
    # the blank that len=174 demands after 173 printed bytes
    d.same('hash value', [r['hash_value'] for r in out.rows(
        'statements', source=source) if r['text'].startswith('begin dbms')],
        ['562127231'])
    report.result('tree of seed000_exec_tree', d)


def check_shared():
    folder = os.path.join(SHARED, 'corpora', 'oracle')
    if not SHARED or not os.path.isdir(folder):
        report.skip('shared corpora', 'PP_SHARED names no folder')
        return
    paths = sorted(glob.glob(folder + '/*.trc*') +
                   glob.glob(folder + '/fragments/*.trc'))
    out = convert(paths)
    if out.status not in (0, 3):
        report.result('shared corpora', ['status %d: %s' % (
            out.status, out.err[-300:])])
        return
    shared_profiles(out, folder)
    try:
        shared_references(out)
    except (LookupError, ValueError, KeyError) as e:
        report.result('reference numbers', ['%s: %s' % (
            type(e).__name__, e)])
    for path in paths:
        source = os.path.basename(path)
        if source.endswith('.gz'):
            source = source[:-3]
        sources = out.rows('sources', source=source)
        if not sources or not out.rows('sessions', source=source):
            continue
        d = Differences()
        try:
            check_identities(out, source, d)
            if int(sources[0]['bytes']) < 2000000:
                group = oracle.read([path])
                oracle.account(group)
                compare(out, group, d, source)
                for s in group.sessions:
                    least = min((x.self for x in s.calls), default=0)
                    if least < -1 and source not in MERGED:
                        d.append('self time of a call is %d' % least)
        except (LookupError, ValueError, KeyError) as e:
            d.append('%s: %s' % (type(e).__name__, e))
        report.result('shared ' + source, d)


def main():
    alone = {}
    if convert([CORPORA + '/ok/demo.trc'], '--events').rows('events'):
        RAW.append('--events')
    else:
        report.skip('rows of events', 'not filled by this build')
    for path in sorted(glob.glob(CORPORA + '/*/*.trc')):
        case, out = check_case(path)
        alone[case] = out
    report.result('every fixed value has its trace', [
        c for c in FIXED if c not in alone])
    check_groups(alone)
    check_shared()


if __name__ == '__main__':
    main()
    report.end()
