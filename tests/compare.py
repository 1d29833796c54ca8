"""Compare what the program wrote with the second calculation.

check_identities needs the tables alone; compare and compare_events set them
beside oracle.py.  Everything that differs is collected in Differences.
"""
import oracle
from tables import half_up, number, ticks

# traces of several clocks: each session has an axis of its own
OWN_AXIS = {'repeated_header.trc'}


class Differences(list):
    def same(self, what, got, want):
        if got != want:
            self.append('%s: %r, not %r' % (what, got, want))

    def rows(self, table, got, want):
        """Two dicts of rows by key.

        Of run queue only the time is compared: whether a call without a
        sample counts is nowhere said.
        """
        got, want = ({k: v[:1] if 'queue' in k else v
                      for k, v in x.items()
                      if not ('queue' in k and v[0] == 0)}
                     for x in (got, want))
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
    line_of = {(r['session'], r['event_id']): r['line'] for r in rows
               if r['event_id']}
    d.same('kinds of events', {r['kind'] for r in rows} - {
        'call', 'wait', 'transaction', 'gap'}, set())
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
