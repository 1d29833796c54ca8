#!/usr/bin/python3
"""Workbooks of what breaks workbooks: each value as a reader shows it.

Control characters, bad UTF-8, texts beyond a cell, event names that differ by
case, quotes in names, foreign locales, nothing, one row, one event, 300
events; ids of digits, text like formulas, times that are no dates.
"""
import os
import re
import shutil
import sys
import zipfile

try:
    import openpyxl
except ImportError:
    print('skip xlsx hostile: python3-openpyxl is not installed')
    sys.exit(0)

from xlsx_read import (FAILED, SCHEMAS, WORK, compare, convert_both, plain,
                       result, run, validate)

HEAD = ('*** 2024-03-05T09:10:11.000100+00:00 (SHOPPDB(4))\n'
        '*** SESSION ID:(101.2002) 2024-03-05T09:10:11.000120+00:00\n\n')


def trace(name, *lines, head=HEAD):
    path = os.path.join(WORK, name)
    with open(path, 'wb') as f:
        f.write(head.encode())
        for line in lines:
            f.write(line if isinstance(line, bytes) else line.encode())
            f.write(b'\n')
    return path


def statement(text, cursor=140000000000001):
    raw = text if isinstance(text, bytes) else text.encode()
    return [b'=====================\nPARSING IN CURSOR #%d len=%d dep=0 '
            b'uid=77 oct=3 lid=77 tim=10000000 hv=1234567 ad=\'7f001000\' '
            b'sqlid=\'a1b2c3d4f5g6h\'\n%s\nEND OF STMT' % (
                cursor, len(raw), raw),
            'PARSE #%d:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=99,'
            'tim=10000000' % cursor]


def wait(name, ela, tim):
    return ('WAIT #1: nam=\'%s\' ela= %d a=1 b=2 c=3 obj#=-1 tim=%d' %
            (name, ela, tim))


def book_of(name, inputs, *options):
    """The workbook, after what holds for every one; its sheets by name."""
    folder, book = convert_both(re.sub('[^a-z0-9]', '_', name), inputs,
                                *options)
    if folder is None:
        return None, None
    bad = compare(folder, book) or (SCHEMAS and validate(book))
    if bad:
        result('xlsx %s' % name, bad)
        return None, None
    return openpyxl.load_workbook(book), book


def column(wb, sheet, name):
    ws = wb[sheet]
    at = [c.value for c in ws[1]].index(name)
    return [row[at] for row in ws.iter_rows(min_row=2)
            if row[at].value is not None]


def values(wb, sheet, name):
    return [c.value for c in column(wb, sheet, name)]


def same(name, got, want):
    result('xlsx ' + name, None if got == want else '%r, not %r' % (got,
                                                                   want))


def text_of(name, text, *options):
    wb, book = book_of(name, [trace(name + '.trc', *statement(text))],
                       *options)
    return values(wb, 'Texts', 'text')[0] if wb else ''


def problem(name, wanted):
    wb = openpyxl.load_workbook(os.path.join(WORK, name + '.xlsx'))
    return sum(r[1].value for r in zip(column(wb, 'Problems', 'id'),
                                       column(wb, 'Problems', 'count'))
               if r[0].value == wanted)


def texts():
    got = text_of('controls', b"select '\xe5\x9b\xb3\x14\x1b' from dual")
    same('controls are escaped', got, "select '\u56f3_x0014__x001B_' from dual")
    with open(os.path.join(WORK, 'controls', 'texts.csv'), 'rb') as f:
        same('CSV keeps controls', b"\xe5\x9b\xb3\x14\x1b'" in f.read(), True)
    got = text_of('literal', "select '_x0041_ \t_X0041_' from dual")
    same('a literal escape stays', got,
         "select '_x0041_ \t_X0041_' from dual")
    got = text_of('utf', b"select '\xff \xc3 \xed\xa0\x80 \xf0\x9f\x98\x80' "
                  b"from dual")
    same('bad UTF-8 is replaced', re.sub('\ufffd+', '\ufffd', got),
         "select '\ufffd \ufffd \ufffd \U0001f600' from dual")
    got = text_of('xml', b"select '\x0b\x01\xef\xbf\xbe<&]]>' from dual")
    same('R114: illegal in XML', got,
         "select '_x000B__x0001_\ufffd<&]]>' from dual")
    got = text_of('crlf', 'select a,\r\n\tb -- "x"\r\nfrom t')
    same('R96: lines of a text', plain(got),
         'select a,\r\n\tb -- "x"\r\nfrom t')
    got = text_of('quotes', 'select "a",\'b;c\',\tx from t')
    same('R101: quotes and delimiters', got,
         'select "a",\'b;c\',\tx from t')


def limits():
    # an UTF-16 pair counts twice: 32,767 units, and none is torn
    long = 'x' * 32766 + '\U0001f600' * 100
    got = text_of('thirtythree', long)
    same('a text beyond a cell', (got.rstrip('\u2026').startswith('x' * 32000),
                                  len(got.encode('utf-16-le')) // 2 <= 32767,
                                  '\ufffd' in got), (True, True, False))
    same('and it is told', problem('thirtythree', 'cell-cut') > 0, True)
    with open(os.path.join(WORK, 'thirtythree', 'texts.csv'),
              encoding='utf-8') as f:
        same('and whole in CSV', long in f.read(), True)
    got = text_of('feeds', 'select' + '\n' * 300 + '1')
    same('300 line feeds', (got.count('\n'), got.startswith('select\n')),
         (253, True))
    same('told likewise', problem('feeds', 'cell-cut') > 0, True)


def ids():
    path = trace(
        'ids.trc', 'EXEC #11529215099900770001:c=10,e=20,p=0,cr=0,cu=0,mis=0,'
        'r=0,dep=0,og=1,plh=99,tim=1411222333445735',
        'FETCH #11529215099900770001:c=10,e=20,p=0,cr=0,cu=0,mis=0,r=1,dep=0,'
        'og=1,plh=99,tim=1411222333445799')
    wb, book = book_of('ids', [path], '--events')
    if wb is None:
        return
    same('R93: times are text', [(c.value, c.data_type, c.number_format)
                                 for c in column(wb, 'Events', 'tim')],
         [('1411222333445735', 's', '@'), ('1411222333445799', 's', '@')])
    same('R93: cursors', values(wb, 'Events', 'cursor'),
         ['11529215099900770001'] * 2)
    same('R93: relative times', [round(v * 1e6) for v in
                                 values(wb, 'Events', 'end_s')], [20, 84])
    z = zipfile.ZipFile(book)
    n = wb.sheetnames.index('Events') + 1
    sheet = z.read('xl/worksheets/sheet%d.xml' % n).decode()
    marks = re.search('<ignoredErrors>.*</ignoredErrors>', sheet).group(0)
    ranges = re.search('sqref="([^"]*)"', marks).group(1).split(' ')
    tim = column(wb, 'Events', 'tim')[0].column_letter
    end = column(wb, 'Events', 'end_s')[0].column_letter
    same('R100: ids bear no mark, measures would',
         ('numberStoredAsText="1"' in marks, '%s2:%s3' % (tim, tim) in ranges,
          '%s2:%s3' % (end, end) in ranges), (True, True, False))


def formulas():
    path = trace(
        'formulas.trc',
        '*** MODULE NAME:(=HYPERLINK("http://x")) 2024-03-05T09:10:11.000130',
        '*** ACTION NAME:(@sum) 2024-03-05T09:10:11.000140',
        *statement('-- get all\nselect 1'),
        'EXEC #140000000000001:c=20000,e=100,p=0,cr=0,cu=0,mis=0,r=0,dep=0,'
        'og=1,plh=99,tim=10030000')
    wb, book = book_of('formulas', [path])
    if wb is None:
        return
    cells = [column(wb, 'Sessions', 'module')[0],
             column(wb, 'Sessions', 'action')[0],
             column(wb, 'Texts', 'text')[0]]
    same('R97: text like formulas', [(c.value, c.data_type) for c in cells],
         [('=HYPERLINK("http://x")', 's'), ('@sum', 's'),
          ('-- get all\nselect 1', 's')])
    z = zipfile.ZipFile(book)
    same('R97: no formula', [n for n in z.namelist() if 'worksheets/sheet' in
                             n and b'<f>' in z.read(n)], [])
    negative = [c for c in column(wb, 'Statements', 'self_unaccounted_s')
                if c.value < 0]
    same('R97: negative numbers are numbers',
         {c.data_type for c in negative} | {len(negative) > 0}, {'n', True})


def sums():
    path = trace('sums.trc', wait('slow disk', 1500000, 20000000),
                 wait('slow disk', 2500000, 30000000),
                 wait('slow disk', 3000000, 40000000))
    wb, book = book_of('sums', [path], '--events')
    if wb is None:
        return
    cells = column(wb, 'Events', 'elapsed_s')
    same('R100: durations are numbers', ([c.data_type for c in cells],
                                         sum(c.value for c in cells)),
         (['n'] * 3, 7.0))
    ws = wb['Pivot']
    head = next(r for r in ws.iter_rows() if r[0].value == 'interval')
    at = next(c.column for c in head if c.value == 'slow disk')
    same('R100: the pivot sums', (ws.cell(ws.max_row, at).value, next(
        r[0].value for r in ws.iter_rows() if str(r[0].value).startswith(
            'Sum of'))), (7.0, 'Sum of time_s'))


def charts_of(book):
    z = zipfile.ZipFile(book)
    return [z.read(n).decode() for n in sorted(z.namelist())
            if n.startswith('xl/charts/chart')]


def cached(chart, what):
    block = re.search('<c:%s>.*?</c:%s>' % (what, what), chart, re.S).group(0)
    return re.findall('<c:v>([^<]*)</c:v>', block)


def names():
    path = trace("Q1 O'Neil run.trc", wait('slow disk', 1500000, 20000000))
    wb, book = book_of('names', [path], '--pivot',
                       'run-1=profile:event:class:time_s')
    if wb is None:
        return
    same('R106: the title', wb['Summary']['A1'].value,
         "Profile of Q1 O'Neil run.trc")
    bad = []
    for chart in charts_of(book):
        ref = re.search('<c:val>.*?<c:f>([^<]*)</c:f>', chart, re.S).group(1)
        sheet, cells = ref.rsplit('!', 1)
        cells = wb[sheet.strip("'")][cells.replace('$', '')]
        cells = cells if isinstance(cells, tuple) else ((cells,),)
        want = [c[0].value for c in cells if c[0].value is not None]
        got = [float(v) for v in cached(chart, 'val')]
        if got != want:
            bad.append('%s: %s, not %s' % (ref, got, want))
    same('R106: charts hold the cells', bad, [])


def events():
    lines = [wait(n, 1000000, 20000000 + k * 2000000) for k, n in enumerate(
        ['Latch Free', 'LATCH FREE', 'latch free', 'other', 'Gr\u00fcn',
         'GR\u00dcN'])]
    wb, book = book_of('twins', [trace('twins.trc', *lines)])
    if wb is not None:
        z = zipfile.ZipFile(book)
        cache = z.read('xl/pivotCache/pivotCacheDefinition1.xml').decode()
        items = re.search('<cacheField name="event".*?</cacheField>', cache,
                          re.S).group(0)
        items = re.findall('<s v="([^"]*)"', items)
        same('case twins are one item', sorted(i for i in items if
                                               i != 'unaccounted-for'),
             ['Gr\u00fcn', 'Latch Free', 'other'])
        same('and three events', sorted(v for v in values(
            wb, 'Profile', 'event') if v.lower() == 'latch free'),
            ['LATCH FREE', 'Latch Free', 'latch free'])
    lines = [wait('event %03d' % k, 1000 + k, 20000000 + k * 10000)
             for k in range(300)]
    wb, book = book_of('hundreds', [trace('hundreds.trc', *lines)])
    if wb is not None:
        head = [c.value for c in wb['Timeline'][1]]
        same('300 events: 24 and other', (len(head) - 6 - 2,
                                          head[6 + 24]), (25, 'other'))
        most = max(c.count('<c:ser>') for c in charts_of(book)
                   if 'Timeline!' in c)
        same('300 events: series of a chart', most <= 25, True)
        same('300 events: profile', len(values(wb, 'Profile', 'event')), 301)
    wb, book = book_of('single', [trace('single.trc',
                                        wait('alone', 5, 20000000))])
    if wb is not None:
        same('one event', values(wb, 'Profile', 'event'),
             ['alone', 'unaccounted-for'])


def nothing():
    path = os.path.join(WORK, 'empty.txt')
    with open(path, 'w') as f:
        f.write('mysql> SHOW PROFILES;\nEmpty set, 1 warning (0.00 sec)\n')
    book = os.path.join(WORK, 'empty.xlsx')
    status, err = run('convert', '-q', path, '-o', book)
    if status != 0:
        result('xlsx an empty result', 'status %d: %s' % (status, err))
        return
    wb = openpyxl.load_workbook(book)
    same('an empty result', (wb.sheetnames, values(wb, 'Sources', 'status'),
                             values(wb, 'Problems', 'id')),
         (['Summary', 'Sources', 'Problems', 'Columns'], ['empty'],
          ['empty-result']))
    if SCHEMAS:
        result('xlsx an empty result: schemas', validate(book))
    path = os.path.join(WORK, 'one.tsv')
    with open(path, 'w') as f:
        f.write('SCHEMA_NAME\tDIGEST\tDIGEST_TEXT\tCOUNT_STAR\t'
                'SUM_TIMER_WAIT\npier\t%s\tSELECT ?\t4\t2500000000000\n' %
                ('5' * 64))
    wb, book = book_of('row', [path])
    if wb is not None:
        same('one row', (values(wb, 'Digests', 'native_digest'),
                         values(wb, 'Digests', 'total_s'),
                         values(wb, 'Digests', 'share_pct')),
             (['5' * 64], [2.5], [100]))


def locales():
    path = trace('locale.trc', wait('slow disk', 500000, 20000000))
    books = []
    for k, env in enumerate(({'LC_ALL': 'C'}, {
            'LC_ALL': 'de_DE.UTF-8', 'LANG': 'de_DE.UTF-8',
            'LC_NUMERIC': 'de_DE.UTF-8', 'TZ': 'America/Denver'})):
        book = os.path.join(WORK, 'locale%d.xlsx' % k)
        run('convert', '-q', path, '-o', book, **env)
        books.append(open(book, 'rb').read())
    same('R107: the same bytes whatever the locale', books[0], books[1])
    sheet = zipfile.ZipFile(book).read('xl/worksheets/sheet2.xml').decode()
    same('R107: points', ('<v>0.5</v>' in sheet, re.search(
        'width="[0-9]+,', sheet)), (True, None))


def times():
    line = ('EXEC #1:c=10,e=20,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=99,'
            'tim=777000020')
    late = wait('log file sync', 3000000, 780000020)
    wb, book = book_of('clockless', [trace('clockless.trc', line, late,
                                           head='')])
    if wb is not None:
        chart = [c for c in charts_of(book) if 'Timeline!' in c][0]
        got = cached(chart, 'cat')
        same('R112: seconds from 0 without a clock', (float(got[0]),
                                                      len(got)), (0.0, 20))
    wb, book = book_of('clock', [trace(
        'clock.trc', line, late,
        head='*** 2024-11-03T01:59:59.999900+02:00\n')])
    if wb is not None:
        chart = [c for c in charts_of(book) if 'Timeline!' in c][0]
        same('R112: time of day', cached(chart, 'cat')[0][:10], '01:59:59.9')
        same('R112: no axis of dates', [c for c in charts_of(book)
                                        if 'dateAx' in c], [])
        same('R112: no cell of a date', [c.coordinate for ws in wb for r in
                                         ws.iter_rows() for c in r
                                         if c.is_date], [])
    path = trace('zoom.trc', 'EXEC #1:c=0,e=100000,p=0,cr=0,cu=0,mis=0,r=0,'
                 'dep=0,og=1,plh=99,tim=10100000',
                 wait('slow disk', 2500000, 13100000), head='')
    for width, want in (('1s', [0.4, 1.0, 1.0, 0.1]), ('2s', [1.4, 1.1])):
        wb, book = book_of('zoom' + width, [path], '--interval', width)
        if wb is not None:
            same('R113: intervals of ' + width,
                 values(wb, 'Timeline', 'slow disk'), want)


def main():
    if not SCHEMAS:
        print('skip xlsx hostile, schemas: no shared tools')
    for f in (texts, limits, ids, formulas, sums, names, events, nothing,
              locales, times):
        f()


try:
    main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(1 if FAILED else 0)
