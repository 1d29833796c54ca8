"""A second reading of Oracle 10046 traces, to compare the program with.

Written from the text of the design and of the format page, not from the C
code, and for clearness, not for speed: the whole trace is held in memory,
every rule is applied as it is worded, and all sums are Python integers.

    group = oracle.read([path, ...])      files that share sessions, in order
    oracle.account(group)                 parents, owners, self times
    oracle.profile(group) ...             rows as dicts, times in ticks

Times are integers in ticks of the session's clock.
"""
import bisect

from oracle_read import (BETWEEN_NAMES, Call, NO_STATEMENT,  # noqa: F401
                         Point, Wait, read, sql_id)

BETWEEN = '(between calls)'
UNACCOUNTED = 'unaccounted-for'
NOT_IN_TRACE = '(call not in trace)'
UNFINISHED = '(unfinished at end of trace)'

IDLE = {
    'SQL*Net message from client', 'PL/SQL lock timer', 'pipe get',
    'Streams AQ: waiting for messages in the queue',
    'PX Deq: Execution Msg', 'jobq slave wait', 'rdbms ipc message',
    'pmon timer', 'smon timer',
}


def distrust_waits(s):
    """Waits told by another clock than the calls lose their times.

    Where call times only rise, most waits must end about between the calls
    before and after them.
    """
    timed = [x for x in s.events if not isinstance(x, Point) and
             x.end is not None]
    calls = [x.end for x in timed if isinstance(x, Call)]
    waits = [x for x in timed if isinstance(x, Wait)]
    if calls != sorted(calls) or len(calls) < 2 or not waits:
        return
    second = 10 ** s.digits
    before, off, held = None, 0, []
    for x in timed:
        if isinstance(x, Call):
            off += sum((before is not None and w.end < before - second) or
                       w.end > x.end + second for w in held)
            before, held = x.end, []
        else:
            held.append(x)
    if 2 * off > len(waits):
        for w in waits:
            w.end = w.start = None
            w.by_name = 'between' if w.name in BETWEEN_NAMES else 'call'


def place_untimed(s):
    """Give the waits without tim a place."""
    events = s.events
    if not any(isinstance(x, Wait) and x.end is None for x in events):
        return
    # owners by name: the next call of the cursor
    nxt = {}
    any_next = None
    for x in reversed(events):
        if isinstance(x, Call):
            nxt[x.cursor] = x
            any_next = x
        elif isinstance(x, Wait) and x.by_name == 'call':
            x.target = nxt.get(x.cursor) if x.cursor else any_next
            if x.target is None:
                x.by_name = 'between'
    # positions: running clock + ela; before any time they end where the
    # first call begins
    first = next((x for x in events
                  if not isinstance(x, Point) and x.end is not None), None)
    clock = None
    if first is not None:
        lead = 0
        for x in events:
            if x is first:
                break
            if isinstance(x, Wait) and x.by_name == 'between':
                lead += x.ela
        clock = first.start - lead
    else:
        clock = 0
    for x in events:
        if isinstance(x, Call):
            if x.end is not None:
                clock = x.end
        elif isinstance(x, Wait) and x.end is None:
            x.end = clock + x.ela
            x.start = clock
            x.synthetic = True
            clock = x.end
        elif isinstance(x, Wait):
            clock = x.end
    for x in events:
        if not isinstance(x, Call):
            continue
        own = [w for w in events
               if isinstance(w, Wait) and w.by_name == 'call' and
               w.target is x]
        if own and any(w.start < x.start or w.end > x.end for w in own):
            at = x.end
            for w in reversed(own):
                w.end, w.start = at, at - w.ela
                at = w.start


def place_rpc(s):
    """RPC EXEC has no tim: it ends at the clock before it."""
    clock = None
    for k, x in enumerate(s.events):
        if isinstance(x, Call) and getattr(x, 'rpc', False):
            following = next((y for y in s.events[k + 1:]
                              if not isinstance(y, Point) and
                              not getattr(y, 'rpc', False) and
                              y.end is not None), None)
            if clock is None:
                clock = following.start if following else x.e
            end = clock
            if following is not None and following.start - clock >= x.e:
                end = clock + x.e
            x.end, x.start = end, end - x.e
            clock = end
        elif not isinstance(x, Point) and x.end is not None:
            clock = x.end


# -- accounting -----------------------------------------------------------

def account(group):
    for s in group.sessions:
        distrust_waits(s)
        place_untimed(s)
        place_rpc(s)
        account_session(s)


def account_session(s):
    s.calls = [x for x in s.events if isinstance(x, Call)]
    s.waits = [x for x in s.events if isinstance(x, Wait)]
    s.points = [x for x in s.events if isinstance(x, Point)]
    for k, x in enumerate(s.events):
        x.seq = k
    # rule 2: parents
    pending = {}                # depth -> sorted [(2 x middle, seq, call)]
    for x in s.calls:
        for depth in sorted(pending):
            if depth <= x.dep:
                continue
            row = pending[depth]
            if s.digits == 2:
                lo, hi = 0, len(row)
            else:
                lo = bisect.bisect_left(row, (2 * x.start,))
                hi = bisect.bisect_right(row, (2 * x.end, 1 << 62))
            for _, _, child in row[lo:hi]:
                child.parent = x
                x.children.append(child)
            del row[lo:hi]
        bisect.insort(pending.setdefault(x.dep, []),
                      (x.start + x.end, x.seq, x))
    for x in s.calls:
        x.children.sort(key=lambda y: y.seq)
    # rule 4: owners of waits
    row = []
    for x in s.events:
        if isinstance(x, Wait):
            if x.by_name == 'call':
                x.owner = x.target
                x.owner.waits.append(x)
            elif x.by_name is None:
                bisect.insort(row, (x.end, x.seq, x))
        elif isinstance(x, Call):
            lo = bisect.bisect_right(row, (x.start, 1 << 62))
            hi = bisect.bisect_right(row, (x.end, 1 << 62))
            for _, _, w in row[lo:hi]:
                w.owner = x
                x.waits.append(w)
            del row[lo:hi]
    for x in s.calls:
        x.waits.sort(key=lambda w: w.seq)
    for w in s.waits:
        w.place = 'call' if w.owner else 'between'
        w.cls = ('idle' if w.place == 'between' and w.name in IDLE
                 else 'wait')
    # rule 3 and 5
    s.stap = (any(x.q is not None for x in s.calls) or
              any(w.c is not None or w.q is not None for w in s.waits))
    for x in s.calls:
        x.self = x.e - sum(y.e for y in x.children)
        x.self_c = x.c - sum(y.c for y in x.children)
        x.self_q = (x.q or 0) - sum(y.q or 0 for y in x.children)
        x.self_p = x.p - sum(y.p for y in x.children)
        x.self_cr = x.cr - sum(y.cr for y in x.children)
        x.self_cu = x.cu - sum(y.cu for y in x.children)
        x.self_wait = sum(w.ela for w in x.waits)
        x.net_c = x.self_c - sum(w.c or 0 for w in x.waits)
        x.net_q = x.self_q - sum(w.q or 0 for w in x.waits)
        x.unaccounted = x.self - x.net_c - x.net_q - x.self_wait
    s.roots = [x for x in s.calls if x.parent is None]
    s.between = [w for w in s.waits if w.owner is None]
    timed = [x for x in s.calls + s.waits]
    s.has_time = bool(timed)
    s.start = min((x.start for x in timed), default=0)
    s.end = max((x.end for x in timed), default=0)
    s.span = s.end - s.start
    # rule 6: what lies between the roots
    s.gaps = []
    tiles = sorted([(x.start, x.end, x.seq, x)
                    for x in s.roots + s.between] +
                   [(b, e, -1, None) for b, e in s.holes],
                   key=lambda t: t[:3])
    covered = 0
    reach = s.start
    before = None
    for b, e, _, x in tiles:
        if e == b:
            continue
        if b > reach:
            s.gaps.append((reach, b, before, x))
        covered += max(0, e - max(b, reach))
        if e > reach:
            reach, before = e, x
    if s.end > reach:
        s.gaps.append((reach, s.end, before, None))
    total = sum(e - b for b, e, _, _ in tiles)
    s.overlaps = total - covered
    s.gap_time = sum(g[1] - g[0] for g in s.gaps)
    s.unaccounted_between = s.gap_time - s.overlaps
    s.unaccounted = (sum(x.unaccounted for x in s.calls) +
                     s.unaccounted_between)
    top_down = (s.span - sum(x.c for x in s.roots) -
                sum(x.q or 0 for x in s.roots) +
                sum((w.c or 0) + (w.q or 0) for w in s.waits if w.owner) -
                sum(w.ela for w in s.waits) - s.missing)
    assert top_down == s.unaccounted, (top_down, s.unaccounted)
    assert sum(x.self for x in s.calls) == sum(x.e for x in s.roots)
    # runs of orphans
    least = 1 << 62
    for x in reversed(s.calls):
        x.last_shallow = least >= x.dep
        least = min(least, x.dep)
    for x in s.calls:
        x.head = None
    run, cursors = [], set()

    def close(name):
        for y in run:
            y.head = ((UNFINISHED, NO_STATEMENT) if y.last_shallow
                      else (NOT_IN_TRACE, name or NO_STATEMENT))
        run.clear()
        cursors.clear()

    for x in s.events:
        if isinstance(x, Call):
            if x.parent is None and x.dep == 0:
                close(None)
            else:
                root = x
                while root.parent is not None:
                    root = root.parent
                if root.dep > 0:
                    cursors.add(x.cursor)
                    if root is x:
                        run.append(x)
        elif isinstance(x, Point) and x.kind == 'ERROR':
            if run and x.cursor not in cursors:
                close(x.inc.statement)
    close(None)


# -- tables ---------------------------------------------------------------

def stmt(x):
    return x.inc.statement


def cpu_name(x):
    return 'CPU ' + x.name


def profile(s):
    """(event, class) -> dict of time, count, min, max."""
    rows = {}

    def add(event, cls, t, counted=True):
        r = rows.setdefault((event, cls), {'time': 0, 'count': 0,
                                           'min': None, 'max': None})
        r['time'] += t
        if counted:
            r['count'] += 1
            r['min'] = t if r['min'] is None else min(r['min'], t)
            r['max'] = t if r['max'] is None else max(r['max'], t)

    for x in s.calls:
        add(cpu_name(x), 'cpu', x.net_c)
        if s.stap:
            add('CPU run queue', 'queue', x.net_q)
    for w in s.waits:
        add(w.name, w.cls, w.ela)
    for b, e in s.holes:
        add('missing', 'missing', e - b)
    if s.has_time:
        add(UNACCOUNTED, 'unaccounted', s.unaccounted, False)
    return rows


SUMS = ('elapsed', 'cpu', 'self', 'self_cpu', 'self_wait', 'self_queue',
        'self_unaccounted', 'p', 'cr', 'cu', 'self_p', 'self_cr', 'self_cu',
        'misses', 'rows', 'count')


def new_sums():
    return dict.fromkeys(SUMS, 0)


def add_sums(r, x):
    r['count'] += 1
    r['elapsed'] += x.e
    r['cpu'] += x.c
    r['self'] += x.self
    r['self_cpu'] += x.net_c
    r['self_wait'] += x.self_wait
    r['self_queue'] += x.net_q
    r['self_unaccounted'] += x.unaccounted
    r['p'] += x.p
    r['cr'] += x.cr
    r['cu'] += x.cu
    r['self_p'] += x.self_p
    r['self_cr'] += x.self_cr
    r['self_cu'] += x.self_cu
    r['misses'] += x.mis
    r['rows'] += x.r


def between_sums(s):
    r = new_sums()
    r['elapsed'] = r['self'] = s.span - sum(x.e for x in s.roots)
    r['self_wait'] = sum(w.ela for w in s.between)
    r['self_unaccounted'] = s.unaccounted_between
    r['count'] = 0
    return r


def statement_calls(s):
    rows = {}
    for x in s.calls:
        add_sums(rows.setdefault((stmt(x), x.name), new_sums()), x)
    return rows


def statements(s):
    rows = {}
    for x in s.calls:
        r = rows.get(stmt(x))
        if r is None:
            r = rows[stmt(x)] = new_sums()
            r.update(executions=0, parses=0, between=0, depth=x.dep,
                     recursive_PARSE=0, recursive_EXEC=0, recursive_FETCH=0,
                     first=x.start, last=x.end)
        add_sums(r, x)
        r['depth'] = min(r['depth'], x.dep)
        r['executions'] += x.name == 'EXEC'
        r['parses'] += x.name == 'PARSE'
        r['first'] = min(r['first'], x.start)
        r['last'] = max(r['last'], x.end)
        for y in x.children:
            key = 'recursive_' + y.name
            if key in r:
                r[key] += y.e
    for w in s.between:
        r = rows.get(stmt(w))
        if r is None:
            r = rows[stmt(w)] = new_sums()
            r.update(executions=0, parses=0, between=0, depth=None,
                     recursive_PARSE=0, recursive_EXEC=0, recursive_FETCH=0,
                     first=None, last=None)
        r['between'] += w.ela
    return rows


def statement_events(s):
    """(statement, event, class, place) -> time, count, max."""
    rows = {}

    def add(key, t, n=1):
        r = rows.setdefault(key, {'time': 0, 'count': 0, 'max': None})
        r['time'] += t
        r['count'] += n
        r['max'] = t if r['max'] is None else max(r['max'], t)

    for x in s.calls:
        add((stmt(x), cpu_name(x), 'cpu', 'call'), x.net_c)
        if s.stap:
            add((stmt(x), 'CPU run queue', 'queue', 'call'), x.net_q)
        add((stmt(x), UNACCOUNTED, 'unaccounted', 'call'), x.unaccounted, 0)
    for w in s.waits:
        where = stmt(w.owner) if w.owner else stmt(w)
        add((where, w.name, w.cls, w.place), w.ela)
    if s.has_time:
        add((BETWEEN, UNACCOUNTED, 'unaccounted', 'between'),
            s.unaccounted_between, 0)
    return rows


def path(x):
    out = []
    while x is not None:
        out.append((x.name, stmt(x)))
        if x.parent is None and x.dep > 0:
            out.append(x.head)
        x = x.parent
    return tuple(reversed(out))


def tree(s):
    """path -> sums; synthetic calls have the sums of their children."""
    rows = {}
    for x in s.calls:
        p = path(x)
        if len(p) > 1 and p[0][0] in (NOT_IN_TRACE, UNFINISHED):
            r = rows.setdefault(p[:1], new_sums())
            if len(p) == 2:
                r['elapsed'] += x.e
                r['cpu'] += x.c
        add_sums(rows.setdefault(p, new_sums()), x)
    return rows


def tree_order(rows):
    """Paths in pre-order, siblings by falling elapsed, call, statement."""
    kids = {}
    for p in rows:
        kids.setdefault(p[:-1], []).append(p)
    out = []

    def walk(p):
        for q in sorted(kids.get(p, []),
                        key=lambda q: (-rows[q]['elapsed'], q[-1])):
            out.append(q)
            walk(q)

    import sys
    sys.setrecursionlimit(10000)
    walk(())
    return out


def gaps(s):
    """(time, start, end, place, statement) by falling time."""
    out = []
    for b, e, _, _ in s.gaps:
        out.append((e - b, b, e, 'between'))
    for x in s.calls:
        pos, total = 0, sum(e - b for b, e in segments(x))
        for b, e in segments(x):
            cpu = share(x.net_c + x.net_q, pos + e - b, total) - share(
                x.net_c + x.net_q, pos, total)
            pos += e - b
            out.append((e - b - cpu, b, e, 'call'))
    return sorted(out, reverse=True)


def share(c, x, total):
    return c * x // total if total else 0


def segments(x):
    """The parts of a call that neither children nor waits cover."""
    taken = sorted((max(y.start, x.start), min(y.end, x.end))
                   for y in x.children + x.waits)
    out, at = [], x.start
    for b, e in taken:
        if e <= b:
            continue
        if b > at:
            out.append((at, b))
        at = max(at, e)
    if x.end > at:
        out.append((at, x.end))
    return out


def edges(start, end, n):
    t = end - start
    return [start + k * t // n for k in range(n + 1)]


def interval_of(edge, t):
    """Half-open intervals, the last closed; from 0."""
    n = len(edge) - 1
    k = bisect.bisect_right(edge, t) - 1
    return min(k, n - 1)


def spread(edge, b, e):
    """(interval, part) of a stretch."""
    if e <= b:
        return
    k = interval_of(edge, b)
    while k < len(edge) - 1 and edge[k] < e:
        part = min(e, edge[k + 1]) - max(b, edge[k])
        if part > 0:
            yield k, part
        k += 1


def cube(s, edge):
    """(interval, event, class, statement, place) -> [time, count]."""
    rows = {}

    def add(k, event, cls, st, place, t, n):
        r = rows.setdefault((k, event, cls, st, place), [0, 0])
        r[0] += t
        r[1] += n

    for x in s.calls:
        for event, cls, amount in (
                ((cpu_name(x), 'cpu', x.net_c),) +
                ((('CPU run queue', 'queue', x.net_q),) if s.stap else ())):
            add(interval_of(edge, x.end), event, cls, stmt(x), 'call', 0, 1)
            seg = segments(x)
            total = sum(e - b for b, e in seg)
            if not total:
                add(interval_of(edge, x.end), event, cls, stmt(x), 'call',
                    amount, 0)
                continue
            pos = 0
            for b, e in seg:
                for k, part in spread(edge, b, e):
                    t = share(amount, pos + part, total) - share(
                        amount, pos, total)
                    pos += part
                    add(k, event, cls, stmt(x), 'call', t, 0)
    for w in s.waits:
        st = stmt(w.owner) if w.owner else stmt(w)
        add(interval_of(edge, w.end), w.name, w.cls, st, w.place, 0, 1)
        for k, part in spread(edge, w.start, w.end):
            add(k, w.name, w.cls, st, w.place, part, 0)
    for b, e in s.holes:
        add(interval_of(edge, e), 'missing', 'missing', BETWEEN,
            'between', 0, 1)
        for k, part in spread(edge, b, e):
            add(k, 'missing', 'missing', BETWEEN, 'between', part, 0)
    return rows


def timeline(s, edge):
    """(interval, event, class) -> [time, count], unaccounted-for too."""
    rows = {}
    for (k, event, cls, _, _), (t, n) in cube(s, edge).items():
        r = rows.setdefault((k, event, cls), [0, 0])
        r[0] += t
        r[1] += n
    met = dict(spread(edge, s.start, s.end))
    if not met and s.has_time:
        met = {interval_of(edge, s.start): 0}
    total = {}
    for (k, _, _), (t, _) in rows.items():
        total[k] = total.get(k, 0) + t
    for k in met:
        rows[(k, UNACCOUNTED, 'unaccounted')] = [
            met[k] - total.get(k, 0), 0]
    return rows
