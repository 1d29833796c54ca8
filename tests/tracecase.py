"""One conversion and what is asked of it: for tests with values by hand."""
import os

import oracle
from tables import CORPORA, Report, convert, number, ticks

report = Report()


class Case:
    """One run; the checks collect what differs."""

    def __init__(self, *paths, options=()):
        self.out = convert(paths, *options)
        self.source = os.path.basename(paths[0])
        self.wrong = []

    def same(self, what, got, want):
        if got != want:
            self.wrong.append('%s: %r, not %r' % (what, got, want))

    def status(self, want):
        self.same('status', self.out.status, want)

    def digits(self):
        tick = self.out.one('sources', source=self.source)['tick']
        return 2 if tick == '10ms' else 6

    def calls(self, want, **where):
        """{call: (count, elapsed, cpu)} over the statements asked for."""
        n, got = self.digits(), {}
        for r in self.out.rows('statement_calls', **where):
            a = got.get(r['call'], (0, 0, 0))
            got[r['call']] = (a[0] + int(r['count']),
                              a[1] + ticks(r['elapsed_s'], n),
                              a[2] + ticks(r['cpu_s'], n))
        self.same('calls %s' % (where or ''), got, want)

    def elapsed(self, want, **where):
        n, got = self.digits(), {}
        for r in self.out.rows('statement_calls', **where):
            a = got.get(r['call'], (0, 0))
            got[r['call']] = (a[0] + int(r['count']),
                              a[1] + ticks(r['elapsed_s'], n))
        self.same('calls %s' % (where or ''), got, want)

    def waits(self, want):
        n, got = self.digits(), {}
        for r in self.out.rows('profile'):
            if r['class'] in ('wait', 'idle'):
                a = got.get(r['event'], (0, 0))
                got[r['event']] = (a[0] + ticks(r['time_s'], n),
                                   a[1] + int(r['count']))
        self.same('waits', got, want)

    def span(self, *want):
        n = self.digits()
        self.same('spans', [ticks(r['span_s'], n)
                            for r in self.out.rows('sessions')], list(want))

    def between(self, *want):
        """Unaccounted between calls, by session."""
        n = self.digits()
        self.same('unaccounted between', [
            ticks(r['self_unaccounted_s'], n)
            for r in self.out.rows('statements', statement=oracle.BETWEEN)],
            list(want))

    def self_times(self, want):
        """{path of call types: [(self, self cpu), ...]}"""
        n, paths, got = self.digits(), {}, {}
        for r in self.out.rows('tree'):
            if r['statement'] == oracle.BETWEEN:
                continue
            p = paths.get(r['parent'], '')
            p = paths[r['node']] = (p + ' / ' if p else '') + r['call']
            got.setdefault(p, []).append((ticks(r['self_s'], n),
                                          ticks(r['self_cpu_s'], n)))
        self.same('self times', {p: sorted(v) for p, v in got.items()},
                  {p: sorted(v) for p, v in want.items()})

    def source_counts(self, **want):
        r = self.out.one('sources', source=self.source)
        self.same('sources', {k: r[k] for k in want},
                  {k: str(v) for k, v in want.items()})

    def problem(self, ident, count=None):
        rows = [r for r in self.out.rows('problems') if r['id'] == ident]
        if count is not None:
            self.same('problems [%s]' % ident, len(rows), count)
        elif not rows:
            self.wrong.append('no problem [%s]' % ident)

    def raw(self, table):
        """Rows of a table that must be there."""
        if table not in self.out.tables:
            raise LookupError('no table %s' % table)
        return self.out.rows(table)


def own(name, folder='ok'):
    return os.path.join(CORPORA, folder, name + '.trc')


def case(name, paths, check, options=()):
    for path in paths:
        if not os.path.exists(path):
            report.skip(name, 'no file %s' % os.path.basename(path))
            return
    c = Case(*paths, options=options)
    try:
        check(c)
    except (LookupError, ValueError, KeyError, TypeError) as e:
        c.wrong.append('%s: %s %s' % (type(e).__name__, e, c.out.err[:150]))
    report.result(name, c.wrong)


def binds(c, want):
    """[(set, position, value), ...] in order."""
    c.same('binds', [(number(r['set']), number(r['position']), r['value'])
                     for r in c.raw('binds')], want)
