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
from fixed import FIXED                                 # noqa: E402
from tables import (CORPORA, Report, SHARED, convert,   # noqa: E402
                    half_up, number, ticks)

report = Report()

# traces of several clocks: each session has an axis of its own
RAW = []                        # --events, where that gives rows
OWN_AXIS = {'repeated_header.trc'}


class Differences(list):
    def same(self, what, got, want):
        if got != want:
            self.append('%s: %r, not %r' % (what, got, want))

    def rows(self, table, got, want):
        """Two dicts of rows by key."""
        for key in sorted(set(got) | set(want), key=repr):
            if key not in got:
                self.append('%s lacks %r = %r' % (table, key, want[key]))
            elif key not in want:
                self.append('%s has %r = %r' % (table, key, got[key]))
            elif got[key] != want[key]:
                self.append('%s %r: %r, not %r' % (
                    table, key, got[key], want[key]))


def digits_of(out, source):
    tick = out.one('sources', source=source)['tick']
    return {'1us': 6, '10ms': 2}[tick]


# -- rule 7, from the tables alone ---------------------------------------

def check_identities(out, source, d):
    n = digits_of(out, source)

    def t(row, column):
        return ticks(row[column], n) or 0

    def by_session(table):
        found = {}
        for r in out.rows(table, source=source):
            found.setdefault(r['session'], []).append(r)
        return found

    tables = {name: by_session(name) for name in (
        'profile', 'tree', 'statements', 'timeline', 'cube',
        'statement_calls', 'statement_events')}
    for s in out.rows('sessions', source=source):
        k = s['session']
        name = 'session %s ' % k
        if s['span_s'] == '':
            continue
        span = t(s, 'span_s')
        d.same(name + 'span', t(s, 'end_s') - t(s, 'start_s'), span)
        tree = tables['tree'].get(k, [])
        calls = [r for r in tree if r['statement'] != oracle.BETWEEN]
        roots = sum(t(r, 'elapsed_s') for r in calls if r['depth'] == '0')
        d.same(name + 'self of tree', sum(t(r, 'self_s') for r in calls),
               roots)
        d.same(name + 'tree', sum(t(r, 'self_s') for r in tree), span)
        st = tables['statements'].get(k, [])
        d.same(name + 'self of statements', sum(
            t(r, 'self_s') for r in st if r['statement'] != oracle.BETWEEN),
            roots)
        d.same(name + 'statements', sum(t(r, 'self_s') for r in st), span)
        d.same(name + 'statement_calls', sum(
            t(r, 'self_s') for r in tables['statement_calls'].get(k, [])),
            roots)
        for table in ('tree', 'statements', 'statement_calls'):
            for r in tables[table].get(k, []):
                missing = 0
                if r['statement'] == oracle.BETWEEN:
                    missing = sum(
                        t(p, 'time_s') for p in tables['profile'][k]
                        if p['class'] == 'missing')
                d.same(name + table + ' adds up', t(r, 'self_s'),
                       t(r, 'self_cpu_s') + t(r, 'self_queue_s') +
                       t(r, 'self_wait_s') + t(r, 'self_unaccounted_s') +
                       missing)
                if 'share_pct' in r and span:
                    d.same(name + table + ' share', r['share_pct'],
                           half_up(100 * t(r, 'self_s'), span, 2))
        profile = tables['profile'].get(k, [])
        d.same(name + 'profile', sum(t(r, 'time_s') for r in profile), span)
        want, counts = {}, {}
        for r in profile:
            key = r['event'], r['class']
            want[key] = t(r, 'time_s')
            counts[key] = number(r['count']) or 0
            if span:
                d.same(name + 'share of %s' % (key,), r['share_pct'],
                       half_up(100 * want[key], span, 2))
            if r['count'] not in ('', '0'):
                d.same(name + 'average of %s' % (key,), r['avg_s'],
                       half_up(want[key], counts[key] * 10 ** n, 6))
        # the rest of rule 6, from above
        d.same(name + 'unaccounted', want.get(
            (oracle.UNACCOUNTED, 'unaccounted'), 0),
            span - sum(v for (e, c), v in want.items()
                       if c != 'unaccounted'))
        got, n_got, rest = {}, {}, {}
        for r in tables['timeline'].get(k, []):
            key = r['event'], r['class']
            got[key] = got.get(key, 0) + t(r, 'time_s')
            n_got[key] = n_got.get(key, 0) + (number(r['count']) or 0)
            edge = (r['interval'], t(r, 'start_s'), t(r, 'end_s'))
            rest[edge] = rest.get(edge, 0) + t(r, 'time_s')
        d.same(name + 'timeline', got, want)
        d.same(name + 'counts of timeline', n_got, counts)
        for (i, b, e), v in rest.items():
            d.same(name + 'interval ' + i, v, max(
                0, min(e, t(s, 'end_s')) - max(b, t(s, 'start_s'))))
        flat, deep = {}, {}
        for r in tables['timeline'].get(k, []):
            flat[r['interval'], r['event'], r['class']] = (
                t(r, 'time_s'), number(r['count']) or 0)
        for r in tables['cube'].get(k, []):
            key = r['interval'], r['event'], r['class']
            a = deep.get(key, (0, 0))
            deep[key] = (a[0] + t(r, 'time_s'),
                         a[1] + (number(r['count']) or 0))
        d.rows(name + 'cube', {q: v for q, v in deep.items() if any(v)},
               {q: v for q, v in flat.items() if any(v)})
        events, n_events = {}, {}
        for r in tables['statement_events'].get(k, []):
            key = r['event'], r['class']
            events[key] = events.get(key, 0) + t(r, 'time_s')
            n_events[key] = n_events.get(key, 0) + (number(r['count']) or 0)
        d.same(name + 'statement_events', events, want)
        d.same(name + 'counts of statement_events', n_events, counts)


# -- the second calculation ----------------------------------------------

def strip(s):
    """Names as the tables hold them: UTF-8 or repaired."""
    return s.encode('latin-1').decode('utf-8', 'replace')


def compare(out, group, d, source):
    n = digits_of(out, source)
    sessions = out.rows('sessions', source=source)
    mine = [s for s in group.sessions if s.source.name == source or
            len(group.sources) > 1]
    d.same('sessions', len(sessions), len(mine))
    if len(sessions) != len(mine) or not mine:
        return
    start = min(s.start for s in mine)
    for row, s in zip(sorted(sessions, key=lambda r: int(r['session'])),
                      mine):
        compare_session(out, row, s, s.start if source in OWN_AXIS else
                        start, n, d, source)


def compare_session(out, row, s, start, n, d, source):
    k = row['session']
    name = 'session %s ' % k

    def t(r, column):
        return ticks(r[column], n)

    def t0(r, column):
        return ticks(r[column], n) or 0

    def rows(table):
        return out.rows(table, source=source, session=k)

    d.same(name + 'digits', n, s.digits)
    d.same(name + 'start', t(row, 'start_s'), s.start - start)
    d.same(name + 'end', t(row, 'end_s'), s.end - start)
    d.same(name + 'span', t(row, 'span_s'), s.span)
    d.same(name + 'calls', number(row['calls']), len(s.calls))
    d.same(name + 'waits', number(row['waits']), len(s.waits))
    xct = [p for p in s.points if p.kind == 'XCTEND']
    d.same(name + 'commits', number(row['commits']),
           sum(not p.rollback for p in xct))
    d.same(name + 'rollbacks', number(row['rollbacks']),
           sum(p.rollback for p in xct))
    # profile
    d.rows(name + 'profile', {
        (r['event'], r['class']): (t(r, 'time_s'), number(r['count']),
                                   t(r, 'min_s'), t(r, 'max_s'))
        for r in rows('profile')
    }, {
        (strip(e), c): (v['time'],
                        v['count'] if v['min'] is not None else None,
                        v['min'], v['max'])
        for (e, c), v in oracle.profile(s).items()
    })
    inclusive = (('elapsed_s', 'elapsed'), ('cpu_s', 'cpu'))
    selves = (('self_s', 'self'), ('self_cpu_s', 'self_cpu'),
              ('self_wait_s', 'self_wait'),
              ('self_unaccounted_s', 'self_unaccounted'))
    blocks = (('physical_reads', 'p'), ('consistent_gets', 'cr'),
              ('current_gets', 'cu'))
    self_blocks = (('self_physical_reads', 'self_p'),
                   ('self_consistent_gets', 'self_cr'),
                   ('self_current_gets', 'self_cu'))

    def taken(r, times, plain):
        return tuple(t0(r, a) for a, _ in times) + tuple(
            number(r[a]) or 0 for a, _ in plain)

    def given(r, times, plain):
        return tuple(r[b] for _, b in times) + tuple(r[b] for _, b in plain)

    def queue(r, want, what):
        if s.stap:
            d.same(name + what + ' queue', t0(r, 'self_queue_s'), want)
        else:
            d.same(name + what + ' queue', r['self_queue_s'], '')

    # statement_calls
    plain = blocks + self_blocks + (
        ('count', 'count'), ('misses', 'misses'), ('rows', 'rows'))
    want = oracle.statement_calls(s)
    d.rows(name + 'statement_calls', {
        (r['statement'], r['call']): taken(r, inclusive + selves, plain)
        for r in rows('statement_calls')
    }, {key: given(r, inclusive + selves, plain)
        for key, r in want.items()})
    for r in rows('statement_calls'):
        if (r['statement'], r['call']) in want:
            queue(r, want[r['statement'], r['call']]['self_queue'],
                  'statement_calls')
    # statements
    plain = blocks + (('misses', 'misses'), ('rows', 'rows'),
                      ('executions', 'executions'), ('parses', 'parses'))
    times = inclusive + selves + (
        ('between_s', 'between'), ('recursive_parse_s', 'recursive_PARSE'),
        ('recursive_exec_s', 'recursive_EXEC'),
        ('recursive_fetch_s', 'recursive_FETCH'))

    def when(v):
        return None if v is None else v - start

    d.rows(name + 'statements', {
        r['statement']: taken(r, times, plain) + (
            number(r['depth']), t(r, 'first_s'), t(r, 'last_s'))
        for r in rows('statements') if r['statement'] != oracle.BETWEEN
    }, {
        key: given(r, times, plain) + (
            r['depth'], when(r['first']), when(r['last']))
        for key, r in oracle.statements(s).items()
    })
    between = oracle.between_sums(s)
    for table in ('statements', 'tree'):
        found = out.rows(table, source=source, session=k,
                         statement=oracle.BETWEEN)
        d.same(name + table + ' (between calls)',
               [taken(r, inclusive[:1] + selves, ()) for r in found],
               [given(between, inclusive[:1] + selves, ())])
    # statement_events
    d.rows(name + 'statement_events', {
        (r['statement'], r['event'], r['class'], r['place']):
            (t(r, 'time_s'), number(r['count']) or 0,
             t(r, 'max_s') if r['class'] != 'unaccounted' else None)
        for r in rows('statement_events')
        if r['class'] != 'missing'
    }, {
        (key[0], strip(key[1])) + key[2:]: (
            v['time'], v['count'],
            v['max'] if key[2] != 'unaccounted' else None)
        for key, v in oracle.statement_events(s).items()
    })
    compare_tree(rows('tree'), s, n, d, name)
    compare_gaps(rows('gaps'), s, start, n, d, name)
    compare_timeline(out, s, start, n, d, name, source, k)


def compare_events(out, group, d, source):
    """One row a call and wait, where the raw table is filled."""
    n = digits_of(out, source)
    files = {id(s): k for k, s in enumerate(group.sessions, 1)}
    rows = out.rows('events', source=source)
    line_of = {(r['session'], r['event_id']): r['line'] for r in rows}
    got, want = {}, {}
    for r in rows:
        up = line_of.get((r['session'], r['parent_event_id']))
        key = (int(r['session']), int(r['line']), r['event'])
        if r['kind'] == 'call':
            value = tuple(ticks(r[c], n) for c in (
                'elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s',
                'self_wait_s', 'self_unaccounted_s')) + (
                int(r['depth']), number(r['rows']) or 0, r['statement'],
                number(up or ''))
        elif r['kind'] == 'wait':
            value = (ticks(r['elapsed_s'], n), r['place'], r['class'],
                     r['statement'], number(up or ''))
        else:
            continue
        got.setdefault(key, []).append(value)
    for s in group.sessions:
        for x in s.calls:
            want.setdefault((files[id(s)], x.line, x.name), []).append((
                x.e, x.c, x.self, x.net_c, x.self_wait, x.unaccounted,
                x.dep, x.r, oracle.stmt(x),
                x.parent.line if x.parent else None))
        for w in s.waits:
            want.setdefault((files[id(s)], w.line, strip(w.name)),
                            []).append((
                                w.ela, w.place, w.cls,
                                oracle.stmt(w.owner or w),
                                w.owner.line if w.owner else None))
    d.rows('events', {k: sorted(v, key=repr) for k, v in got.items()},
           {k: sorted(v, key=repr) for k, v in want.items()})


def compare_tree(rows, s, n, d, name):
    paths, got, order = {}, {}, []
    for r in rows:
        if r['statement'] == oracle.BETWEEN:
            continue
        step = (r['call'], r['statement'])
        p = paths.get(r['parent'], ()) + (step,)
        paths[r['node']] = p
        d.same(name + 'depth of node ' + r['node'], int(r['depth']),
               len(p) - 1)
        d.same(name + 'nodes are numbered', r['node'], str(len(paths)))
        order.append(p)
        got[p] = tuple(ticks(r[c], n) or 0 for c in (
            'elapsed_s', 'cpu_s', 'self_s', 'self_cpu_s', 'self_wait_s',
            'self_unaccounted_s')) + (int(r['calls']), int(r['rows']))
    want = oracle.tree(s)
    sums = {p: tuple(v[c] for c in (
        'elapsed', 'cpu', 'self', 'self_cpu', 'self_wait',
        'self_unaccounted', 'count', 'rows')) for p, v in want.items()}
    deep = [p for p in sums if len(p) > 64]
    for p in deep:
        q = p[:64] + (('(deeper)', oracle.NO_STATEMENT),)
        a = sums.setdefault(q, (0,) * 8)
        b = sums.pop(p)
        top = 2 if len(p) == 65 else 0
        sums[q] = tuple(x + y if i >= 2 or i < top else x
                        for i, (x, y) in enumerate(zip(a, b)))
    d.rows(name + 'tree', got, sums)
    if not deep and set(got) == set(sums):
        d.same(name + 'order of tree', order, oracle.tree_order(want))


def monotone(s):
    ends = [x.end for x in s.events if not isinstance(x, oracle.Point)]
    return ends == sorted(ends)


def compare_gaps(rows, s, start, n, d, name):
    got = [(ticks(r['time_s'], n), ticks(r['start_s'], n),
            ticks(r['end_s'], n), r['place']) for r in rows]
    want = [(g[0], g[1] - start, g[2] - start, g[3])
            for g in oracle.gaps(s) if g[0] > 0]
    want.sort(key=lambda g: (-g[0], g[1], g[2]))
    # of gaps of one size any may be left out
    least = want[99][0] if len(want) > 100 else 0
    if not monotone(s):
        return                  # the program sees no order of its own
    d.same(name + 'number of gaps', len(got), min(100, len(want)))
    d.same(name + 'gaps', [g for g in got if g[0] > least],
           [g for g in want[:100] if g[0] > least])


def compare_timeline(out, s, start, n, d, name, source, k):
    rows = out.rows('timeline', source=source, session=k)
    # the axis is the source's, or the session's where clocks differ
    spans = [x for x in out.rows('sessions', source=source)
             if x['start_s'] != '']
    begin = min(ticks(x['start_s'], n) for x in spans)
    end = max(ticks(x['end_s'], n) for x in spans)
    if source in OWN_AXIS:
        begin, end = s.start - start, s.end - start
    edge = oracle.edges(begin + start, end + start, 20)
    for r in rows:
        i = int(r['interval'])
        d.same(name + 'edges of interval %d' % i,
               (ticks(r['start_s'], n), ticks(r['end_s'], n)),
               (edge[i - 1] - start, edge[i] - start))
    d.rows(name + 'timeline', {
        (int(r['interval']) - 1, r['event'], r['class']):
            (ticks(r['time_s'], n), number(r['count']) or 0)
        for r in rows if ticks(r['time_s'], n) or number(r['count'])
    }, {
        (i, strip(e), c): tuple(v)
        for (i, e, c), v in oracle.timeline(s, edge).items() if any(v)
    })
    want = {}
    for (i, e, c, st, _), v in oracle.cube(s, edge).items():
        a = want.setdefault((i, strip(e), c, st), [0, 0])
        a[0] += v[0]
        a[1] += v[1]
    got = {}
    for r in out.rows('cube', source=source, session=k):
        if r['class'] == 'unaccounted':
            continue
        got[int(r['interval']) - 1, r['event'], r['class'],
            r['statement']] = (ticks(r['time_s'], n),
                               number(r['count']) or 0)
    d.rows(name + 'cube', {q: v for q, v in got.items() if any(v)},
           {q: tuple(v) for q, v in want.items() if any(v)})


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
                     sum(number(r['count']) or 0 for r in found)),
               (time, count))
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
    shared_profiles(out, folder)
    shared_references(out)
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
