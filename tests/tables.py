"""Run the program and read the tables that it writes, exactly."""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

PROFPIVOT = os.environ.get('PROFPIVOT', 'build/profpivot')
SHARED = os.environ.get('PP_SHARED', '')
HERE = os.path.dirname(os.path.abspath(__file__))
CORPORA = os.path.join(os.path.dirname(HERE), 'corpora', 'oracle10046')

csv.field_size_limit(1 << 30)


class Report:
    """Result lines for the runner; the first few complaints in full."""

    def __init__(self):
        self.failed = 0

    def result(self, name, complaints):
        if complaints:
            self.failed += 1
            more = len(complaints) - 3
            why = '; '.join(complaints[:3])
            if more > 0:
                why += '; and %d more' % more
            print('not ok %s: %s' % (name, why.replace('\n', ' ')))
        else:
            print('ok ' + name)
        sys.stdout.flush()

    def skip(self, name, why):
        print('skip %s: %s' % (name, why))

    def end(self):
        sys.exit(1 if self.failed else 0)


class Output:
    """What one run wrote: status, messages and the tables of its folder."""

    def __init__(self, status, err, tables):
        self.status = status
        self.err = err
        self.tables = tables

    def rows(self, table, **where):
        return [r for r in self.tables.get(table, [])
                if all(r[k] == v for k, v in where.items())]

    def one(self, table, **where):
        found = self.rows(table, **where)
        if len(found) != 1:
            raise LookupError('%d rows of %s where %s' % (
                len(found), table, where))
        return found[0]


def convert(inputs, *options):
    """Run convert to CSV; the folder is read and removed again."""
    work = tempfile.mkdtemp(prefix='profpivot-test-')
    try:
        out = os.path.join(work, 'out')
        run = subprocess.run(
            [PROFPIVOT, 'convert', '-q', '-t', 'csv', '-o', out] +
            list(options) + list(inputs),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        tables = {}
        if os.path.isdir(out):
            for name in sorted(os.listdir(out)):
                if name.endswith('.csv'):
                    with open(os.path.join(out, name), encoding='utf-8',
                              errors='surrogateescape', newline='') as f:
                        tables[name[:-4]] = list(csv.DictReader(f))
        return Output(run.returncode, run.stderr.decode('utf-8', 'replace'),
                      tables)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def ticks(text, digits=6):
    """Seconds as printed, in ticks of 10^-digits; None where empty.

    All digits of the tick must be there, and no more.
    """
    if text == '':
        return None
    sign, rest = (-1, text[1:]) if text.startswith('-') else (1, text)
    whole, dot, frac = rest.partition('.')
    if len(frac) != digits or not (whole + frac).isdigit():
        raise ValueError('%r has not %d decimals' % (text, digits))
    return sign * int(whole + frac)


def number(text):
    return None if text == '' else int(text)


def half_up(n, d, digits):
    """n / d as text with `digits` decimals, ties away from zero."""
    sign = '-' if n < 0 else ''
    q = (2 * abs(n) * 10 ** digits + d) // (2 * d)
    if q == 0:
        sign = ''
    text = '%0*d' % (digits + 1, q)
    return sign + text[:-digits] + '.' + text[-digits:]
