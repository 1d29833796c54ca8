"""What SHOW PROFILE amounts to: a second calculation.

Works on row sets that a test has made or parsed itself: lists of queries and
prints of states, in the order of the dump.  Integers of 10^-8 s throughout.
"""

MICRO = 100                     # ticks of 10 ns
MOST = 999999999 * MICRO


def tolerance(rows):
    return (rows + 1) * MICRO // 2


class Query:
    def __init__(self, qid):
        self.qid = qid
        self.total = None
        self.text = None
        self.rows = None        # [(state, duration)]
        self.whole = True
        self.first_seq = None


class Session:
    def __init__(self):
        self.queries = {}
        self.last = None        # of the last list
        self.top = None         # greatest number of a list


class Dump:
    """Feed it in order, then ask for sessions()."""

    def __init__(self):
        self.all = []
        self.now = None

    # -- which session ------------------------------------------------------

    def open(self, session=None):
        if session is None:
            session = Session()
            self.all.append(session)
        self.now = session
        return session

    def list(self, entries):
        """entries: [(id, total, text)]"""
        def fits(s):
            for qid, total, text in entries:
                q = s.queries.get(qid)
                if q is None:
                    continue
                if q.total is not None:
                    if q.total != total or q.text != text:
                        return False
                elif q.rows and sum(d for _, d in q.rows) > \
                        total + tolerance(len(q.rows)):
                    return False
            ids = [e[0] for e in entries]
            return not (s.top is not None and ids and max(ids) < s.top and
                        any(i not in s.queries for i in ids))

        if not entries:
            return
        if self.now is None or not fits(self.now):
            for qid, total, text in entries:
                old = [s for s in self.all if qid in s.queries and
                       s.queries[qid].total == total and fits(s)]
                if old:
                    self.open(old[-1])
                    break
            else:
                self.open()
        elif not any(e[0] in self.now.queries for e in entries):
            qid, total, text = entries[0]
            old = [s for s in self.all if qid in s.queries and
                   s.queries[qid].total == total]
            if old and fits(old[-1]):
                self.open(old[-1])
        for qid, total, text in entries:
            q = self.now.queries.setdefault(qid, Query(qid))
            q.total, q.text = total, text
            self.now.last = qid
            self.now.top = max(qid, self.now.top or 0)

    def profile(self, qid, rows, whole=True, first_seq=None):
        """One query's states; qid None: without a number."""
        def same(s):
            return [q for q in s.queries.values() if q.rows == rows and
                    (qid is None or q.qid == qid)]

        if qid is None:
            qid = self.unnumbered(rows, whole)
            if qid is None:
                return
        q = self.now.queries.get(qid) if self.now else None
        if q is None or q.rows not in (None, rows):
            old = [s for s in self.all if same(s)]
            if old:
                self.open(old[-1])
            elif self.now is None or q is not None:
                self.open()
        q = self.now.queries.setdefault(qid, Query(qid))
        if q.rows is None:
            q.rows, q.whole, q.first_seq = rows, whole, first_seq

    def unnumbered(self, rows, whole):
        for s in reversed(self.all):
            for q in s.queries.values():
                if q.rows == rows:
                    self.open(s)        # printed again
                    return None
        if self.now is None:
            self.open()
        total = sum(d for _, d in rows)
        fit = [q for q in self.now.queries.values()
               if q.total is not None and
               abs(q.total - total) <= tolerance(len(rows))]
        if whole and len(fit) == 1 and fit[0].rows is None:
            return fit[0].qid
        last = self.now.last
        if last is not None and self.now.queries[last].rows is None:
            return last
        key = ('?', len(self.now.queries))
        return key

    # -- what it amounts to -------------------------------------------------

    @staticmethod
    def settle(s):
        """Profiles without a number that came before their list."""
        order = list(s.queries)
        for key in order:
            q = s.queries[key]
            if not isinstance(key, tuple) or q.rows is None:
                continue
            total = sum(d for _, d in q.rows)
            fit = [x for x in s.queries.values() if x.total is not None and
                   abs(x.total - total) <= tolerance(len(q.rows))]
            to = None
            if q.whole and len(fit) == 1 and fit[0].rows is None:
                to = fit[0]
            elif s.last is not None and s.queries[s.last].rows is None and \
                    order.index(s.last) > order.index(key):
                to = s.queries[s.last]
            if to is not None:
                to.rows, to.whole, to.first_seq = q.rows, q.whole, q.first_seq
                del s.queries[key]

    def sessions(self):
        """[{event: [time, count, share numerator]}, span, base]"""
        out = []
        for s in self.all:
            self.settle(s)
            profile, span, base = {}, 0, 0
            for q in s.queries.values():
                events, elapsed = account(q)
                span += elapsed
                bare = q.rows is None
                for name, time in events:
                    cell = profile.setdefault(name, [0, 0, 0])
                    cell[0] += time
                    cell[1] += 1
                    if not bare:
                        cell[2] += time
                        base += time
            out.append((profile, span, base))
        return out


def account(q):
    """The events of a query in order, and how long it took."""
    if q.rows is None:
        return [('(not recorded)', q.total)], q.total
    total = sum(d for _, d in q.rows)
    if q.total is None:
        return list(q.rows), total
    rest = q.total - total
    events = list(q.rows)
    full = [i for i, r in enumerate(events) if r[1] == MOST]
    if q.whole and abs(rest) > tolerance(len(events)):
        if rest > 0 and ((q.first_seq or 0) > 2 or len(events) == 100):
            events.insert(0, ('(not recorded)', rest))
        elif rest > 0 and len(full) == 1:
            name, time = events[full[0]]
            events[full[0]] = (name, time + rest)
        else:
            events.append(('lost time', rest))
    return events, q.total
