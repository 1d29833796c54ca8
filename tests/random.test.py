#!/usr/bin/python3
"""Traces of random calls and waits, the same ones every time.

Nobody would write them, so nobody has thought of them: nesting, waits,
lengths of 0 and edges that meet, in the forms of several releases.  All
tables are compared with the second calculation.
"""
import os
import random
import resource
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle                                           # noqa: E402
from compare import (check_identities, compare,         # noqa: E402
                     Differences)
from tables import Report, convert                      # noqa: E402


class Server:
    """Runs nested calls on a clock of its own and writes what ends."""

    def __init__(self, rng, form):
        self.rng = rng
        self.form = form
        self.t = rng.choice([100000, 1000000 if form == '8i' else 10 ** 12])
        self.out = []
        if form == '9i':
            self.out.append('Oracle9i Enterprise Edition Release 9.2.0.8.0'
                            ' - 64bit Production')

    def write_wait(self, cursor, name, ela, samples=''):
        self.out.append("WAIT #%d: nam='%s'%s ela= %d p1=1 p2=2 p3=3%s" % (
            cursor, name, samples, ela, '' if self.form in ('8i', '9i')
            else ' obj#=-1 tim=%d' % self.t))

    def wait(self, cursor):
        rng = self.rng
        ela = rng.choice([0, 1, rng.randrange(50)])
        self.t += ela
        samples = ''
        if self.form == 'SystemTap' and rng.random() < .8:
            samples = ' c=%d q=%d' % (rng.randrange(ela + 1),
                                      rng.randrange(3))
        self.write_wait(cursor, rng.choice(
            ['latch free', 'db file sequential read']), ela, samples)
        self.t += rng.randrange(3)

    def call(self, depth):
        rng, begin, cpu = self.rng, self.t, 0
        cursor = depth * 10 + rng.randrange(1, 4)
        self.t += rng.randrange(30)
        for _ in range(rng.choice([0, 0, 1, 2, 3])):
            if rng.random() < .5:
                self.wait(cursor)
            elif depth < 3:
                cpu += self.call(depth + 1)
            self.t += rng.randrange(40)
        e = self.t - begin
        cpu += rng.randrange(e + 2)
        q = ''
        if self.form == 'SystemTap':
            q = 'q=%d,' % rng.randrange(9) if rng.random() < .8 else ','
        self.out.append(
            '%s #%d:%sc=%d,e=%d,p=0,cr=%d,cu=0,mis=0,r=%d,dep=%d,og=1,'
            'tim=%d' % (rng.choice(['PARSE', 'EXEC', 'FETCH']), cursor, q,
                        cpu, e, rng.randrange(3), rng.randrange(3), depth,
                        self.t))
        self.t += rng.randrange(5)
        return cpu

    def run(self):
        if self.form in ('8i', '9i'):
            # a wait without a time needs a clock to stand on
            self.out.append('PARSE #1:c=0,e=0,p=0,cr=0,cu=0,mis=0,r=0,dep=0,'
                            'og=1,tim=%d' % self.t)
        for _ in range(self.rng.randrange(1, 6)):
            self.call(0)
            if self.rng.random() < .6:
                ela = self.rng.randrange(500)
                self.t += ela + self.rng.randrange(9)
                self.write_wait(1, 'SQL*Net message from client', ela)
        return self.out


def chaos(rng):
    """Lines without any sense but a clock that does not go back."""
    out = []
    t = rng.choice([1000, 10 ** 6, 10 ** 15])
    scale = rng.choice([3, 30, 1000])
    for _ in range(rng.randrange(5, 70)):
        t += rng.randrange(scale)
        cursor = rng.randrange(1, 6)
        if rng.random() < .35:
            out.append("WAIT #%d: nam='%s' ela= %d p1=1 p2=2 p3=3 obj#=-1 "
                       'tim=%d' % (
                           rng.choice([0, cursor]), rng.choice([
                               'latch free', 'SQL*Net message from client',
                               'db file sequential read']),
                           rng.choice([0, 1, rng.randrange(scale * 2)]), t))
            continue
        e = rng.choice([0, 1, rng.randrange(scale * 3),
                        rng.randrange(scale * 10)])
        out.append(
            '%s #%d:c=%d,e=%d,p=%d,cr=%d,cu=%d,mis=%d,r=%d,dep=%d,og=1,'
            'plh=1,tim=%d' % (
                rng.choice(['PARSE', 'EXEC', 'FETCH']), cursor,
                rng.choice([0, e, rng.randrange(e + 2)]), e,
                rng.randrange(3), rng.randrange(3), rng.randrange(3),
                rng.randrange(2), rng.randrange(3),
                rng.choice([0, 0, 1, 1, 2, 3, rng.randrange(5)]), t))
    return out


CALL = ('EXEC #%d:c=0,e=%d,p=0,cr=0,cu=0,mis=0,r=0,dep=%d,og=1,plh=1,'
        'tim=%d')
LATCH = "WAIT #%d: nam='latch free' ela= %d p1=1 p2=2 p3=3 obj#=-1 tim=%d"


def piled(rng):
    """Calls that begin before each other and seldom hold each other."""
    out, t, n = [], 10 ** 12, rng.randrange(100, 500)
    deepest = rng.choice([3, 40, 200, 5000])
    for i in range(n):
        t += rng.randrange(4)
        if rng.random() < .2:
            out.append(LATCH % (rng.randrange(4), rng.choice([0, 1, 5, 99]),
                                t))
            continue
        e = rng.choice([0, 1, rng.randrange(10), rng.randrange(3 * n),
                        i * 2 + rng.randrange(5), min(2 * i, 4 * n)])
        out.append(CALL % (rng.randrange(1, 4), e, rng.choice(
            [0, 1, 2, 3, rng.randrange(deepest)]), t))
    return out


def piles(n):
    """Piles of n calls for which looking through all of them takes long."""
    t = 10 ** 12
    yield 'one in another, all of depth 1', [
        CALL % (1, 2 * i + 1, 1, t + i) for i in range(n)]
    yield 'too short or too deep, in turn', [
        CALL % (1, 1, 1, t + i) for i in range(n)] + [
        CALL % ((1, 1, 0, t + n + i) if i % 2 else
                (1, 3 * n + i, 1, t + n + i)) for i in range(1, 2 * n)]
    yield 'waits that end where all calls begin', [
        LATCH % (1, 1, t)] * n + [
        CALL % (1, i, max(0, 60000 - i), t + i) for i in range(n)]


def pile_times(report, path):
    """Four times the calls take about four times the CPU, not sixteen."""
    for (name, small), (_, large) in zip(piles(10000), piles(40000)):
        took = []
        for lines in (small, large):
            with open(path, 'w') as f:
                f.write('\n'.join(lines) + '\n')
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            convert([path], '--tables', 'tree')
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took.append(after.ru_utime - before.ru_utime)
        report.result('time of a pile: ' + name, [] if
                      took[1] < 8 * max(took[0], .05) else
                      ['%.2f s, then %.2f s' % tuple(took)])


def main():
    report = Report()
    source = 'random.trc'
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, source)
        for form, count in (('10.2', 60), ('chaos', 60), ('piled', 40),
                            ('SystemTap', 20),
                            ('9i', 20), ('8i', 20)):
            wrong = []
            for seed in range(count):
                rng = random.Random(seed)
                lines = (chaos(rng) if form == 'chaos' else
                         piled(rng) if form == 'piled' else
                         Server(rng, form).run())
                with open(path, 'w') as f:
                    f.write('\n'.join(lines) + '\n')
                d = Differences()
                out = convert([path])
                try:
                    group = oracle.read([path])
                    if form == '9i':
                        for s in group.sessions:
                            s.digits = 6        # by the banner
                    oracle.account(group)
                    check_identities(out, source, d)
                    compare(out, group, d, source)
                except (LookupError, ValueError, KeyError) as e:
                    d.append('%s: %s %s' % (
                        type(e).__name__, e, out.err[:100]))
                if d:
                    wrong.append('seed %d: %s' % (seed, d[0]))
            report.result('%d random traces, %s' % (count, form), wrong)
        pile_times(report, path)
    report.end()


if __name__ == '__main__':
    main()
