#!/usr/bin/python3
"""Speed of digests: made statements and exports, in MB per CPU second.

bench_sql.py PROGRAM TMP RUNS [OTHER]

Kinds of input, grown by a seeded generator:
  shapes   statements of 80 to 400 bytes in 300 shapes, as applications send
  usual    the same, each of a shape of its own
  lists    IN lists of 20 to 400 values
  rows     INSERTs of 10 to 120 rows
  dense    40 bytes of tokens only
  distinct, repeated   exports of digests, TABs, with sample texts
With OTHER, another build runs by turns.
"""
import hashlib
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

WORDS = ('customer order item price total stock region status created '
         'updated name city street zip phone email invoice payment account '
         'balance amount tax discount note kind level score parent child '
         'path weight').split()
KINDS = ('shapes', 'usual', 'lists', 'rows', 'dense')
WAYS = ((), ('--hash',), ('--dialect', 'mysql-8.0'),
        ('--dialect', 'mysql-8.0', '--hash'), ('--dialect', 'mariadb'),
        ('--dialect', 'oracle'), ('--dialect', 'postgresql'))
MB = int(os.environ.get('BENCH_SQL_MB', '30')) * 10**6


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def text(self, most=3):
        n = self.r.randint(1, most)
        s = ' '.join(self.r.choice(WORDS) for _ in range(n))
        return "'%s'" % s.replace('mount', self.r.choice(
            ('mount', "m\\'t", "m''t")))

    def number(self):
        r = self.r
        return r.choice(('%d' % r.randint(0, 9), '%d' % r.randint(0, 10**6),
                         '%d' % r.randint(0, 10**12), '-%d' % r.randint(1, 99),
                         '%d.%02d' % (r.randint(0, 9999), r.randint(0, 99))))

    def value(self):
        r = self.r
        if r.random() < 0.5:
            return self.number()
        if r.random() < 0.5:
            return self.text()
        return "'2026-%02d-%02d %02d:%02d:00'" % (
            r.randint(1, 12), r.randint(1, 28), r.randint(0, 23),
            r.randint(0, 59))

    def column(self):
        c = self.r.choice(WORDS) + self.r.choice(('', '_id', '_at'))
        return '`%s`' % c if self.r.random() < 0.33 else c

    def table(self):
        return self.r.choice(WORDS) + self.r.choice(('s', '_log', '_2026'))

    def where(self, most):
        r = self.r
        out = []
        for _ in range(r.randint(1, most)):
            c = r.choice(('', 'a.', 'b.')) + self.column()
            out.append(r.choice((
                '%s = %s' % (c, self.value()),
                '%s > %s' % (c, self.number()),
                '%s LIKE %s' % (c, self.text(1)),
                '%s BETWEEN %s AND %s' % (c, self.number(), self.number()),
                '%s IS NOT NULL' % c,
                '%s IN (%s)' % (c, ', '.join(
                    self.number() for _ in range(r.randint(1, 8)))))))
        return r.choice((' AND ', ' and ')).join(out)

    def columns(self, n):
        return ', '.join(self.column() for _ in range(n))

    def row(self, n):
        return '(%s)' % ', '.join(self.value() for _ in range(n))

    def any_usual(self):
        r = self.r
        kind = r.randint(0, 9)
        if kind < 4:
            s = 'SELECT %s FROM %s a' % (self.columns(r.randint(1, 6)),
                                         self.table())
            if r.random() < 0.4:
                s += ' LEFT JOIN %s b ON a.%s = b.%s' % (
                    self.table(), self.column(), self.column())
            s += ' WHERE ' + self.where(4)
            if r.random() < 0.4:
                s += ' ORDER BY %s DESC LIMIT %d' % (self.column(),
                                                     r.randint(1, 500))
            return s
        if kind < 6:
            return 'UPDATE %s SET %s WHERE %s' % (self.table(), ', '.join(
                '%s = %s' % (self.column(), self.value())
                for _ in range(r.randint(1, 5))), self.where(2))
        if kind < 8:
            n = r.randint(3, 9)
            return 'INSERT INTO %s (%s) VALUES %s' % (
                self.table(), self.columns(n), self.row(n))
        if kind < 9:
            return 'DELETE FROM %s WHERE %s' % (self.table(), self.where(3))
        return ('/* app:%s,req:%d */ select count(*), sum(%s) from %s where '
                '%s group by %s having count(*) > 1' % (
                    r.choice(WORDS), r.randint(1, 10**9), self.column(),
                    self.table(), self.where(2), self.column()))

    def usual(self):
        while True:
            s = self.any_usual()
            if 80 <= len(s) <= 400:
                return s

    def lists(self):
        make = self.number if self.r.random() < 0.5 else \
            (lambda: self.text(1))
        return 'SELECT %s FROM %s WHERE %s IN (%s)' % (
            self.columns(4), self.table(), self.column(), ','.join(
                make() for _ in range(self.r.randint(20, 400))))

    def rows(self):
        n = self.r.randint(4, 12)
        return 'INSERT INTO %s (%s) VALUES %s' % (
            self.table(), self.columns(n), ', '.join(
                self.row(n) for _ in range(self.r.randint(10, 120))))

    def dense(self):
        a, b, c, d = (self.r.randint(0, 99) for _ in range(4))
        return self.r.choice((
            'SELECT %d+%d*%d,a.b,c<>d FROM t WHERE x=%d' % (a, b, c, d),
            'select a,b from t where i=%d and (j=%d or k=%d)' % (a, b, c),
            'SET @x:=%d,@y:=(@x+%d)*2' % (a, b),
            'UPDATE t SET a=a+%d,b=b-%d WHERE id=%d' % (a, b, c),
            "CALL p(%d,%d,'%s',NULL)" % (a, b, self.r.choice(WORDS)),
            'SELECT f(a,b),g(c) FROM t,u WHERE t.i=u.i AND t.j<%d' % a))

    def shapes(self):
        """Statements of 300 shapes, the first ones most often."""
        literal = r"('(?:[^'\\]|\\.|'')*'|(?<!\w)-?\d+(?:\.\d+)?)"
        shapes = [re.split(literal, self.usual()) for _ in range(300)]
        weights = [1 / (i + 1) for i in range(len(shapes))]
        while True:
            for shape in self.r.choices(shapes, weights, k=1000):
                yield ''.join(
                    p if not i & 1 else self.text() if p[0] == "'" else
                    self.number() for i, p in enumerate(shape))


def write_statements(path, kind):
    m = Maker(7)
    if kind == 'shapes':
        made = m.shapes()
    else:
        made = iter(getattr(m, kind), None)
    n = 0
    with open(path, 'w', encoding='ascii') as f:
        while n < MB:
            n += f.write(next(made) + '\n')


HEAD = ('SCHEMA_NAME', 'DIGEST', 'DIGEST_TEXT', 'COUNT_STAR',
        'SUM_TIMER_WAIT', 'MIN_TIMER_WAIT', 'AVG_TIMER_WAIT',
        'MAX_TIMER_WAIT', 'SUM_LOCK_TIME', 'SUM_ERRORS', 'SUM_ROWS_SENT',
        'SUM_ROWS_EXAMINED', 'FIRST_SEEN', 'LAST_SEEN', 'QUANTILE_95',
        'QUANTILE_99', 'QUANTILE_999', 'QUERY_SAMPLE_TEXT')


def write_export(prog, path, most):
    """Rows of digests, all different or of so many, in many schemas."""
    m = Maker(9)
    sql = [m.usual() for _ in range(min(most, MB // 700))]
    out = subprocess.run(
        [prog, 'digest', '-0', '--dialect', 'mysql-8.0'],
        input='\0'.join(sql).encode() + b'\0', stdout=subprocess.PIPE,
        check=True).stdout.decode().split('\0')
    pairs = list({t: (s, t) for s, t in zip(sql, out)}.values())
    n = k = 0
    with open(path, 'w', encoding='ascii') as f:
        f.write('\t'.join(HEAD) + '\n')
        while n < MB and (most < 10**6 or k < len(pairs)):
            s, t = pairs[k % len(pairs)]
            calls, w = m.r.randint(1, 10**6), m.r.randint(10**6, 10**10)
            row = ('app%d' % (k // len(pairs)),
                   hashlib.sha256(t.encode()).hexdigest(), t, calls,
                   calls * w, w // 3, w, w * 9, calls * 1000, 0, calls,
                   calls * 7, '2026-01-11 10:11:12.%06d' % k,
                   '2026-07-11 10:11:12.%06d' % k, w * 2, w * 3, w * 4, s)
            n += f.write('\t'.join(map(str, row)).replace(
                '\\', '\\\\') + '\n')
            k += 1


def cpu(argv, runs):
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(argv, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        t = (after.ru_utime + after.ru_stime - before.ru_utime -
             before.ru_stime)
        best = t if best is None else min(best, t)
    return max(best, 1e-3)


def line(name, path, runs, progs, args):
    mb = os.path.getsize(path) / 1e6
    print('%-40s' % name, ' '.join(
        '%6.0f' % (mb / cpu([p] + args, runs)) for p in progs),
          'MB per CPU second', flush=True)


def main():
    progs, tmp, runs = [sys.argv[1]] + sys.argv[4:], sys.argv[2], \
        int(sys.argv[3])
    work = tempfile.mkdtemp(prefix='profpivot-bench-sql-', dir=tmp)
    path, out = os.path.join(work, 'in'), os.path.join(work, 'out')
    try:
        for kind in KINDS:
            write_statements(path, kind)
            for way in WAYS:
                line('digest %s %s' % (kind, ' '.join(way)), path, runs,
                     progs, ['digest', '--lines', *way, path])
        for kind, most in (('distinct', 10**9), ('repeated', 3000)):
            write_export(progs[0], path, most)
            line('show ' + kind, path, runs, progs,
                 ['show', '-q', '--jobs', '1', path])
            line('convert ' + kind, path, runs, progs,
                 ['convert', '-q', '--jobs', '1', '-t', 'csv', path,
                  '-o', out])
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
