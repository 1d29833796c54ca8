"""Performance Schema events by ids, a second time: DESIGN section 6, rule 10,
written from the rule and without regard to how the program does it."""


class Event:
    """One event; times in picoseconds, None where they are not known."""

    def __init__(self, thread, eid, end, name, wait, parent=None,
                 transaction=False, start=None, sql=None, running=False):
        self.thread, self.id, self.end, self.name = thread, eid, end, name
        self.wait, self.parent, self.start = wait, parent, start
        self.transaction, self.sql, self.running = transaction, sql, running
        self.family = name.split('/')[0]
        self.up = None          # what it lies in; transactions are no level
        self.self = wait


def integer(text):
    return None if text in (None, 'NULL', '') else int(text)


def read_batch(path):
    """Events of a dump in batch form."""
    with open(path, encoding='utf-8', errors='replace', newline='\n') as f:
        lines = f.read().split('\n')
    names = [n.upper() for n in lines[0].split('\t')]
    out = []
    for line in lines[1:]:
        cells = line.split('\t')
        if len(cells) != len(names):
            continue
        r = dict(zip(names, cells))
        out.append(Event(
            r.get('THREAD_ID', ''), int(r['EVENT_ID']),
            integer(r.get('END_EVENT_ID')), r['EVENT_NAME'],
            integer(r['TIMER_WAIT']), integer(r.get('NESTING_EVENT_ID')),
            r.get('NESTING_EVENT_TYPE') == 'TRANSACTION',
            integer(r.get('TIMER_START')), r.get('SQL_TEXT'),
            r.get('END_EVENT_ID') == 'NULL'))
    return out


def holds(outer, inner):
    if outer.running:
        return inner.parent is not None
    return outer.end is not None and outer.id < inner.id <= outer.end


def account(events):
    """Parents and self times; the events without transactions."""
    by_id = {(e.thread, e.id): e for e in events}
    nest = sorted((e for e in by_id.values() if e.family != 'transaction'),
                  key=lambda e: (e.thread, e.id))
    of_thread = {}
    for e in nest:
        of_thread.setdefault(e.thread, []).append(e)

    def innermost(e, before):
        found = [o for o in of_thread[e.thread]
                 if o.id < min(e.id, before) and holds(o, e)]
        return found[-1] if found else None

    for e in nest:
        e.up, e.self = None, e.wait
    for e in nest:
        named = by_id.get((e.thread, e.parent)) if e.parent else None
        if named is not None and named.family == 'transaction':
            e.up = innermost(e, named.id)
        elif named is not None:
            e.up = named
        elif e.family == 'statement' and e.transaction and e.parent:
            e.up = None
        else:
            e.up = innermost(e, e.id)
    for e in nest:
        if e.wait is None:
            continue
        up = timed_above(e)
        if up is not None:
            up.self -= e.wait
    return nest


def timed_above(e):
    up = e.up
    while up is not None and up.wait is None:
        up = up.up
    return up


def roots(nest):
    return sum(e.wait for e in nest
               if e.wait is not None and timed_above(e) is None)


def shown(name):
    """A stage goes by the name of SHOW PROFILE."""
    if name.startswith('stage/sql/'):
        return name[len('stage/sql/'):][:30].rstrip(' ')
    return name


def profile(nest):
    """{(thread, event): [self, count]}"""
    out = {}
    for e in nest:
        if e.wait is None:
            continue
        cell = out.setdefault((e.thread, shown(e.name)), [0, 0])
        cell[0] += e.self
        cell[1] += 1
    return out
