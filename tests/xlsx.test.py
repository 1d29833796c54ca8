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
import shutil
import subprocess
import sys
import zipfile
from decimal import Decimal

try:
    import openpyxl
except ImportError:
    print('skip xlsx: python3-openpyxl is not installed')
    sys.exit(0)

from xlsx_read import (FAILED, PROGRAM, SCHEMAS, SHARED, TOP, WORK, compare,
                       convert_both, live, no_live, plain, result, run,
                       validate)


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
    if not SCHEMAS:
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
        if SCHEMAS and (n % 16 == 0 or not name.startswith('ok/')):
            why = validate(book)
            if why:
                bad['schemas'].append('%s: %s' % (name, why))
    if n < 2:
        result('xlsx traces', 'none found')
    for what in ['cells', 'pivot', 'charts'] + ['schemas'] * bool(SCHEMAS):
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
    if no_live():
        print('skip xlsx live pivots: ' + no_live())
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
