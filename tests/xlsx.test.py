#!/usr/bin/python3
"""Workbooks, read back by other programs.

openpyxl reads every sheet and finds in its cells what the CSV tables hold;
the shared folder's schemas judge every part, LibreOffice refreshes the pivot
tables.  What is absent is skipped, saying so.
"""
import collections
import csv
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile
from decimal import Decimal

try:
    import openpyxl
except ImportError:
    print('skip xlsx: python3-openpyxl is not installed')
    sys.exit(0)

warnings.filterwarnings('ignore')       # data bars are unknown to openpyxl
csv.field_size_limit(1 << 30)
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get('PROFPIVOT') or os.path.join(TOP, 'build/profpivot')
SHARED = os.environ.get('PP_SHARED', '')
WORK = tempfile.mkdtemp(prefix='ppxlsx')
FAILED = []

SHEETS = {
    'profile': 'Profile', 'timeline_pivot': 'Timeline', 'tree': 'Tree',
    'statements': 'Statements', 'digests': 'Digests',
    'digest_pivot': 'Digest pivot', 'digest_deltas': 'Digest deltas',
    'histogram': 'Histogram', 'plans': 'Plans', 'binds': 'Binds',
    'gaps': 'Gaps', 'statement_calls': 'Statement calls',
    'statement_events': 'Statement events',
    'statement_pivot': 'Statement pivot', 'texts': 'Texts',
    'stages': 'Stages', 'executions': 'Executions', 'events': 'Events',
    'errors': 'Errors', 'sources': 'Sources', 'sessions': 'Sessions',
    'session_sources': 'Session sources', 'problems': 'Problems',
    'timeline': 'Timeline data', 'cube': 'Data',
}
LOSSES = {'sanitised', 'cell-cut', 'spilled'}
IDS = {'statement', 'sql_id', 'digest', 'native_digest', 'native_id',
       'process', 'sha256', 'version', 'tim', 'client_id'}


def result(name, bad):
    if bad:
        FAILED.append(name)
        print('not ok %s: %s' % (name, ' '.join(str(bad).split())[:400]))
    else:
        print('ok ' + name)


def run(*args, **env):
    e = dict(os.environ, **env)
    p = subprocess.run([PROGRAM] + list(args), env=e, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stderr.decode('utf-8', 'replace')


def plain(text):
    """What a reader of the format shows for a text with _xHHHH_ in it."""
    return re.sub('_x([0-9A-Fa-f]{4})_',
                  lambda m: chr(int(m.group(1), 16)), text)


def shown(text):
    """What a cell can hold of a CSV field: controls that XML 1.0 forbids
    without an escape become the replacement character."""
    return text.replace('\ufffe', '\ufffd').replace('\uffff', '\ufffd')


def same_cell(column, want, cell):
    got = cell.value
    if got is None:
        return want == ''
    if isinstance(got, (int, float)) and not isinstance(got, bool):
        if column in IDS or want == '':
            return False
        return float(Decimal(want)) == float(got)
    if not isinstance(got, str):
        return False
    if column.endswith('_s') and want != '':
        return False
    got, want = plain(got), shown(want)
    return got == want or (len(got) >= 32000 and want.startswith(got[:32000]))


def compare(folder, book):
    """The first difference between a folder of CSV tables and a workbook."""
    wb = openpyxl.load_workbook(book)
    if wb.sheetnames[0] != 'Summary':
        return 'the first sheet is %s' % wb.sheetnames[0]
    tables = [f[:-4] for f in sorted(os.listdir(folder)) if
              f.endswith('.csv')]
    if not tables:
        return 'no tables'
    for table in tables:
        if SHEETS[table] not in wb.sheetnames:
            return 'no sheet for ' + table
        ws = wb[SHEETS[table]]
        with open(os.path.join(folder, table + '.csv'), newline='',
                  encoding='utf-8') as f:
            rows = list(csv.reader(f))
        cells = list(ws.iter_rows(min_row=2))
        if table == 'problems':
            # what a format had to change is its own affair
            at = rows[0].index('id')
            rows[1:] = [r for r in rows[1:] if r[at] not in LOSSES]
            cells = [r for r in cells if r[at].value not in LOSSES]
        head = [c.value for c in ws[1]][:len(rows[0])]
        if [plain(h) for h in head] != rows[0]:
            return '%s: header %s, not %s' % (table, head, rows[0])
        last = len([r for r in cells if any(
            c.value is not None for c in r[:len(rows[0])])])
        if last != len(rows) - 1:
            return '%s: %d rows, not %d' % (table, last, len(rows) - 1)
        if not re.match('[A-E]2$', ws.freeze_panes):
            return '%s: panes frozen at %s' % (table, ws.freeze_panes)
        if not ws.auto_filter.ref and not ws.tables:
            return '%s: no filter' % table
        for want, got in zip(rows[1:], cells):
            for name, w, c in zip(rows[0], want, got):
                if not same_cell(name, w, c):
                    return '%s!%s: %r, not %r' % (ws.title, c.coordinate,
                                                  c.value, w)
    return None


def numbers(ws, row):
    return [c.value for c in ws[row] if isinstance(c.value, (int, float))]


def pivot_total(folder, book):
    """The pivot's grand total is the profile's total."""
    wb = openpyxl.load_workbook(book)
    with open(os.path.join(folder, 'profile.csv'), newline='') as f:
        total = sum(Decimal(r['time_s']) for r in csv.DictReader(f))
    with open(os.path.join(folder, 'cube.csv'), newline='') as f:
        rows = list(csv.DictReader(f))
    if not rows:
        return None if 'Pivot' not in wb.sheetnames else 'a pivot of nothing'
    for name in ('Pivot', 'Pivot statements'):
        ws = wb[name]
        found = numbers(ws, ws.max_row)
        if ws.cell(ws.max_row, 1).value != 'Grand Total':
            return '%s ends with %s' % (name, ws.cell(ws.max_row, 1).value)
        if abs(Decimal(str(found[-1])) - total) > Decimal('1e-6'):
            return '%s: %s, not %s' % (name, found[-1], total)
        if len(ws._pivots) != 1:
            return '%s: %d pivot tables' % (name, len(ws._pivots))
    # each cell, by a second sum
    sums = collections.defaultdict(Decimal)
    for r in rows:
        sums[int(r['interval']), r['event']] += Decimal(r['time_s'])
    ws = wb['Pivot']
    at = next(r for r in range(1, ws.max_row)
              if ws.cell(r, 1).value == 'interval')
    seen = 0
    for row in range(at + 1, ws.max_row):
        for col in range(2, ws.max_column):
            v = ws.cell(row, col).value
            if v is None:
                continue
            key = ws.cell(row, 1).value, plain(ws.cell(at, col).value)
            if abs(Decimal(str(v)) - sums[key]) > Decimal('1e-9'):
                return 'Pivot: %s is %s, not %s' % (key, v, sums[key])
            seen += 1
    return None if seen == len(sums) else '%d cells, not %d' % (seen,
                                                                 len(sums))


def charts(folder, book):
    """The Timeline chart draws the table's own cells, a series an event."""
    with open(os.path.join(folder, 'timeline_pivot.csv'), newline='') as f:
        rows = list(csv.reader(f))
    z = zipfile.ZipFile(book)
    found = [z.read(n).decode() for n in z.namelist()
             if n.startswith('xl/charts/')]
    of_sheet = [c for c in found if '<c:f>Timeline!$' in c]
    blocks = list(dict.fromkeys((r[0], r[1]) for r in rows[1:]))
    used = {b for b in blocks if any(
        float(v) for r in rows[1:] if (r[0], r[1]) == b for v in r[6:] if v)}
    # one a session up to eight, and the first again on the Summary
    want = min(len(used), 8) + (1 if used else 0)
    if len(of_sheet) != want:
        return '%d charts over Timeline, not %d' % (len(of_sheet), want)
    for c in of_sheet:
        if '<c:grouping val="stacked"/>' not in c or '<c:barChart>' not in c:
            return 'no stacked column chart'
        if '<c:cat><c:strRef>' not in c.replace('\n', ''):
            return 'categories are no text'
        if c.count('<c:ser>') > 25:
            return '%d series' % c.count('<c:ser>')
        if 'dateAx' in c:
            return 'a date axis'
    return None


def validate(book):
    tool = os.path.join(SHARED, 'tools', 'xlsx-validate')
    p = subprocess.run([tool, book], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
    return p.stdout.decode('utf-8', 'replace') if p.returncode else None


def reproducible(inputs):
    """Same bytes whatever the environment; no name of host or user."""
    a, b = (os.path.join(WORK, n) for n in ('one.xlsx', 'two.xlsx'))
    run('convert', '-q', *inputs, '-o', a)
    run('convert', '-q', *reversed(inputs), '-o', b, LC_ALL='de_DE.UTF-8',
        TZ='Asia/Tokyo', USER='nobody')
    if open(a, 'rb').read() != open(b, 'rb').read():
        return 'two runs differ'
    z = zipfile.ZipFile(a)
    if z.testzip():
        return 'damaged: %s' % z.testzip()
    for i in z.infolist():
        if i.date_time != (1980, 1, 1, 0, 0, 0):
            return '%s has the time %s' % (i.filename, i.date_time)
    core = z.read('docProps/core.xml').decode()
    if '1980-01-01T00:00:00Z' not in core or '<dc:creator></dc:creator>' \
            not in core.replace('<dc:creator/>', '<dc:creator></dc:creator>'):
        return core
    run('convert', '-q', *inputs, '-o', b, SOURCE_DATE_EPOCH='1700000000')
    core = zipfile.ZipFile(b).read('docProps/core.xml').decode()
    return None if '2023-11-14T22:13:20Z' in core else core


def full_disk(trace):
    if not os.path.exists('/dev/full'):
        return None
    status, err = run('convert', '-q', trace, '-t', 'xlsx', '-o', '/dev/full')
    lines = err.strip().split('\n')
    if status != 1 or len(lines) != 1 or 'No space left' not in err:
        return 'status %d: %s' % (status, err)
    out = os.path.join(WORK, 'limited.xlsx')
    with open(out, 'w') as f:
        f.write('old')
    p = subprocess.run(['sh', '-c', 'trap "" XFSZ; ulimit -f 8; exec "$@"',
                        'sh', PROGRAM, 'convert', '-q', trace, '-o', out],
                       stderr=subprocess.PIPE)
    if p.returncode != 1 or open(out).read() != 'old':
        return 'status %d, %s' % (p.returncode, p.stderr)
    left = [n for n in os.listdir(WORK) if 'limited.xlsx.' in n or
            n.startswith('.profpivot')]
    return 'left behind: %s' % left if left else None


def live(book):
    p = subprocess.run(['/usr/bin/python3', os.path.join(
        SHARED, 'tools', 'pivot-check.py'), book], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=300)
    return p.stdout.decode('utf-8', 'replace') if p.returncode else None


def convert_both(name, inputs, *options):
    folder, book = (os.path.join(WORK, name + s) for s in ('', '.xlsx'))
    for out, extra in ((folder, ('-t', 'csv')), (book, ())):
        status, err = run('convert', '-q', *options, *inputs, *extra, '-o',
                          out)
        if status not in (0, 3):
            result(name, 'status %d: %s' % (status, err))
            return None, None
    return folder, book


def traces():
    ok = os.path.join(TOP, 'corpora', 'oracle10046', 'ok')
    for f in sorted(glob.glob(os.path.join(ok, '*.trc'))):
        yield 'ok/' + os.path.basename(f), [f]
    yield 'ok', [ok]
    for pattern in ('Apress__TOP14__DBM11203_ora_28030*',
                    'Apress__TOP08__dbm10203_s000_24374*',
                    'CaryMillsap__tracing-oracle*'):
        for f in sorted(glob.glob(os.path.join(SHARED, 'corpora', 'oracle',
                                               pattern))):
            yield 'shared/' + pattern.strip('*'), [f]


def main():
    schemas = SHARED and os.path.exists(os.path.join(SHARED, 'tools',
                                                     'xlsx-validate'))
    if not schemas:
        print('skip xlsx schemas: no shared tools')
    last = {}
    bad = collections.defaultdict(list)
    n = 0
    for name, inputs in traces():
        folder, book = convert_both('w%d' % n, inputs)
        n += 1
        if folder is None:
            continue
        last[name] = inputs, book
        for what, check in (('cells', compare), ('pivot', pivot_total),
                            ('charts', charts)):
            why = check(folder, book)
            if why:
                bad[what].append('%s: %s' % (name, why))
        # a part takes xmllint a tenth of a second
        if schemas and (n % 16 == 0 or not name.startswith('ok/')):
            why = validate(book)
            if why:
                bad['schemas'].append('%s: %s' % (name, why))
    if n < 2:
        result('xlsx traces', 'none found')
    for what in ['cells', 'pivot', 'charts'] + ['schemas'] * bool(schemas):
        result('xlsx ' + what, '; '.join(bad[what]))
    inputs, book = last.get('ok', (None, None))
    if inputs is None:
        return
    folder, raw = convert_both('raw', inputs, '--events')
    if folder is not None:
        result('xlsx raw tables', compare(folder, raw))
    result('xlsx reproducible', reproducible(sorted(glob.glob(
        os.path.join(inputs[0], '*.trc')))[:2]))
    result('xlsx full disk', full_disk(inputs[0]))
    try:
        import uno                                      # noqa: F401
    except ImportError:
        uno = None
    if not schemas or uno is None or not shutil.which('soffice'):
        print('skip xlsx live pivots: no LibreOffice, or no shared tools')
    else:
        try:
            result('xlsx live pivots', live(book))
        except subprocess.TimeoutExpired:
            result('xlsx live pivots', 'LibreOffice does not end')


try:
    main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(1 if FAILED else 0)
