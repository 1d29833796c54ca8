"""Readers that are not ours, by node: DuckDB, ClickHouse and hyparquet of
Parquet, exceljs of workbooks."""
import csv
import json
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
NPM = os.path.join(HERE, 'npm')

csv.field_size_limit(1 << 30)


PACKAGES = {'duck': ['@duckdb/node-api'],
    'click': ['@chdb/lib-linux-x64-gnu'],
    'hyparquet': ['hyparquet', 'hyparquet-compressors'],
    'excel': ['exceljs']}


def missing(reader):
    """Why a reader cannot be used; None when it can."""
    if reader not in PACKAGES:
        return None
    if shutil.which('node') is None:
        return 'there is no node'
    for p in PACKAGES[reader]:
        if not os.path.isdir(os.path.join(NPM, 'node_modules', p)):
            return 'the npm package %s is not installed in tests/npm' % p
    return None


class Node:
    def __init__(self, script):
        self.p = subprocess.Popen(['node', os.path.join(NPM, script)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            encoding='utf-8')

    def ask(self, line):
        self.p.stdin.write(line + '\n')
        self.p.stdin.flush()
        answer = self.p.stdout.readline()
        if not answer:
            raise RuntimeError('no answer to ' + line[:200])
        return json.loads(answer)

    def close(self):
        self.p.stdin.close()
        self.p.wait()


class Sql(Node):
    """SQL in, values out as text."""

    def rows(self, sql):
        answer = self.ask(json.dumps(sql))
        if 'error' in answer:
            raise RuntimeError('%s: %s' % (sql[:300], answer['error']))
        return answer['rows']

    def row(self, sql):
        return self.rows(sql)[0]

    def value(self, sql):
        return self.rows(sql)[0][0]


class Duck(Sql):
    def __init__(self):
        super().__init__('duck.mjs')


class Click(Sql):
    """ClickHouse."""

    def __init__(self):
        super().__init__('click.mjs')


class Hyparquet(Node):
    def __init__(self):
        super().__init__('hyparquet.mjs')

    def read(self, path):
        answer = self.ask(path)
        if 'error' in answer:
            raise RuntimeError('%s: %s' % (path, answer['error']))
        return answer


def quoted(s):
    return "'" + s.replace("'", "''") + "'"


def name(s):
    return '"' + s.replace('"', '""') + '"'


def read_csv(path):
    """Header and rows, NULL as None and empty text as ''.

    The module csv does not tell a quoted empty field from an empty one, so
    the fields are taken apart here (RFC 4180, LF).
    """
    with open(path, encoding='utf-8', newline='') as f:
        s = f.read()
    rows, row, i, n = [], [], 0, len(s)
    while i < n:
        if s[i] == '"':
            parts = []
            i += 1
            while True:
                j = s.index('"', i)
                parts.append(s[i:j])
                i = j + 1
                if i < n and s[i] == '"':
                    parts.append('"')
                    i += 1
                else:
                    break
            row.append(''.join(parts))
        else:
            j, k = s.find(',', i), s.find('\n', i)
            e = k if j < 0 or k < j else j
            row.append(s[i:e] or None)
            i = e
        if s[i] == '\n':
            rows.append(row)
            row = []
        elif s[i + 1:i + 2] == '\n':
            row.append(None)            # a separator, then the line's end
            rows.append(row)
            row = []
            i += 1
        i += 1
    return rows[0], rows[1:]


def csv_view(columns, path):
    """read_csv of DuckDB, every column as text, "" not NULL."""
    return ("read_csv(%s, auto_detect=false, header=true, delim=',', "
        "quote='\"', escape='\"', nullstr='', allow_quoted_nulls=false, "
        "strict_mode=true, parallel=false, max_line_size=40000000, "
        "buffer_size=160000000, columns={%s})") % (quoted(path),
        ', '.join('%s: VARCHAR' % quoted(c) for c in columns))


def cast(c, t):
    """A column of CSV as a type; unsigned numbers wrap."""
    n = name(c)
    if t == 'BIGINT':
        h = 'CAST(%s AS HUGEINT)' % n
        return ('CAST(CASE WHEN %s > 9223372036854775807 THEN %s - '
            '18446744073709551616 ELSE %s END AS BIGINT) AS %s' % (h, h, h,
            n))
    return 'CAST(%s AS %s) AS %s' % (n, t, n)


WRITERS = ('sanitised', 'cell-cut', 'spilled', 'number-limit',
    'number-wrapped')


def told_by_writers(path):
    """Problems that depend on the format are left out."""
    if not path.endswith('/problems.csv'):
        return ''
    return ' WHERE id NOT IN (%s)' % ', '.join(quoted(w) for w in WRITERS)


def compare(duck, parquet, path):
    """Complaints about a Parquet source (SQL) that holds a CSV file."""
    types = [(r[0], r[1]) for r in duck.rows('DESCRIBE SELECT * FROM ' +
        parquet) if not r[0].endswith('_utc')]
    header = header_of(path)
    if sorted(t[0] for t in types) != sorted(header):
        return ['columns %s, not %s' % ([t[0] for t in types], header)]
    types = dict(types)
    where = told_by_writers(path)
    duck.rows('CREATE OR REPLACE VIEW p AS SELECT %s FROM %s%s' % (
        ', '.join(name(c) for c in header), parquet, where))
    duck.rows('CREATE OR REPLACE VIEW c AS SELECT %s FROM %s%s' % (
        ', '.join(cast(c, types[c]) for c in header),
        csv_view(header, path), where))
    bad = []
    numbers = ['count(*)']
    for c in header:
        n = name(c)
        numbers += ['count(%s)' % n, 'count(DISTINCT %s)' % n,
            'min(%s)' % n, 'max(%s)' % n]
        if types[c].startswith('DECIMAL') or types[c] == 'BIGINT':
            numbers.append('sum(%s)' % n)
    a, b = (duck.row('SELECT %s FROM %s' % (', '.join(numbers), v))
        for v in 'pc')
    for what, x, y in zip(numbers, a, b):
        if x != y:
            bad.append('%s is %.60s, not %.60s' % (what, x, y))
    for x, y in ('pc', 'cp'):
        n = duck.value('SELECT count(*) FROM (FROM %s EXCEPT ALL FROM %s)' %
            (x, y))
        if n != '0':
            bad.append('%s rows of %s are not in the other' % (n, x))
    return bad


def header_of(path):
    with open(path, encoding='utf-8', newline='') as f:
        return next(csv.reader(f))


def tables_of(folder, suffix):
    """Tables in a folder; the wide ones are those of people."""
    return sorted(f[:-len(suffix)] for f in os.listdir(folder)
        if f.endswith(suffix) and not f.endswith('_pivot' + suffix))


def compare_folders(duck, parquet, csvs):
    bad = []
    tables = tables_of(csvs, '.csv')
    if tables != tables_of(parquet, '.parquet'):
        bad.append('tables %s, not %s' % (tables_of(parquet, '.parquet'),
            tables))
    for t in tables:
        path = os.path.join(parquet, t + '.parquet')
        if os.path.exists(path):
            bad += ['%s: %s' % (t, b) for b in compare(duck, quoted(path),
                os.path.join(csvs, t + '.csv'))]
    return bad
