"""Workbooks for tests: conversion to both formats, and their comparison with
CSV tables as openpyxl and exceljs read them."""
import csv
import os
import re
import shutil
import subprocess
import tempfile
import warnings
from decimal import Decimal

import openpyxl

from bi_read import Node, missing                       # noqa: F401

warnings.filterwarnings('ignore')       # data bars are unknown to openpyxl
csv.field_size_limit(1 << 30)
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get('PROFPIVOT') or os.path.join(TOP, 'build/profpivot')
SHARED = os.environ.get('PP_SHARED', '')
SCHEMAS = SHARED and os.path.exists(os.path.join(SHARED, 'tools',
                                                 'xlsx-validate'))
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
    'compare_events': 'Compare events',
    'compare_statements': 'Compare statements',
    'compare_digests': 'Compare digests', 'trend': 'Trend',
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
    return same_text(got, want)


def same_text(got, want):
    """A reader may give _xHHHH_ as it is, or what it stands for."""
    want = shown(want)
    if want.count('\n') > 253:         # what a cell can hold
        got = got.replace('\n', ' ').rstrip('\u2026')
        want = want.replace('\n', ' ')
    return got == want or plain(got) == want or (
        len(got) >= 32000 and want.startswith(got[:32000]))


def sheet_of(table):
    """The user's pivots have their own name."""
    return SHEETS.get(table) or (table[0].upper() + table[1:]).replace(
        '_', ' ')


def csv_tables(folder):
    for f in sorted(os.listdir(folder)):
        if f.endswith('.csv'):
            with open(os.path.join(folder, f), newline='',
                      encoding='utf-8') as text:
                yield f[:-4], list(csv.reader(text))


def without_losses(table, rows, value):
    """What a format had to change is its own affair."""
    if table != 'problems' or 'id' not in rows[0]:
        return rows[1:]
    at = rows[0].index('id')
    return [r for r in rows[1:] if value(r, at) not in LOSSES]


def compare_js(folder, sheets):
    """The same for the cells that exceljs has read."""
    by_name = {s['name']: s for s in sheets}
    for table, rows in csv_tables(folder):
        sheet = by_name.get(sheet_of(table))
        if sheet is None:
            return 'no sheet for ' + table
        got = without_losses(table, rows[:1] + sheet['rows'][1:],
                             lambda r, at: r[at] if at < len(r) else None)
        want = without_losses(table, rows, lambda r, at: r[at])
        if sheet['state'] != ('visible' if want else 'hidden'):
            return '%s is %s' % (table, sheet['state'])
        if len(got) != len(want):
            return '%s: %d rows, not %d' % (table, len(got), len(want))
        for n, (w, g) in enumerate(zip(want, got)):
            for column, a, b in zip(rows[0], w, g + [None] * len(w)):
                if b is None:
                    ok = a == ''
                elif isinstance(b, str):
                    ok = same_text(b, a) and not (
                        column.endswith('_s') and a)
                else:
                    ok = a != '' and column not in IDS and \
                        float(Decimal(a)) == float(b)
                if not ok:
                    return '%s, row %d, %s: %r, not %r' % (table, n + 1,
                                                           column, b, a)
    return None


def compare(folder, book):
    """The first difference between a folder of CSV tables and a workbook."""
    wb = openpyxl.load_workbook(book)
    if len(wb.sheetnames) > 1 and wb.sheetnames[0] != 'Summary':
        return 'the first sheet is %s' % wb.sheetnames[0]
    tables = [f[:-4] for f in sorted(os.listdir(folder)) if
              f.endswith('.csv')]
    if not tables:
        return 'no tables'
    for table in tables:
        if sheet_of(table) not in wb.sheetnames:
            return 'no sheet for ' + table
        ws = wb[sheet_of(table)]
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


def validate(book):
    tool = os.path.join(SHARED, 'tools', 'xlsx-validate')
    p = subprocess.run([tool, book], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
    return p.stdout.decode('utf-8', 'replace') if p.returncode else None


def no_live():
    """Why pivot tables cannot be refreshed; None when they can."""
    try:
        import uno                                      # noqa: F401
    except ImportError:
        return 'there is no python3-uno'
    if not SCHEMAS:
        return 'no shared tools'
    return None if shutil.which('soffice') else 'there is no LibreOffice'


def live(*books):
    p = subprocess.run(['/usr/bin/python3', os.path.join(
        SHARED, 'tools', 'pivot-check.py'), *books], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=300)
    return p.stdout.decode('utf-8', 'replace') if p.returncode else None


def convert_both(name, inputs, *options, command=('convert',)):
    folder, book = (os.path.join(WORK, name + s) for s in ('', '.xlsx'))
    for out, extra in ((folder, ('-t', 'csv')), (book, ())):
        status, err = run(*command, '-q', *options, *inputs, *extra, '-o',
                          out)
        if status not in (0, 3):
            result(name, 'status %d: %s' % (status, err))
            return None, None
    return folder, book
