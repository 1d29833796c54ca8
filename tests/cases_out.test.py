#!/usr/bin/python3
"""Reports of users on CSV, XML and statuses, each with variants: the kinds J,
L and M of the shared cases, on inputs of our own.
"""
import csv
import io
import json
import os
import re
import shutil
import warnings
import zipfile

from text_read import ILLEGAL, SCHEMA, convert, end, path, read_folder, \
    read_xml, result, run, skip, split_records, trace, valid


def case_break():
    """R96: line breaks in SQL text, and variants."""
    texts = [b'select a,\r\n  "b"\r\nfrom t', b'select a,\n"b"\nfrom t',
             b'select\r1 from dual', b'select "a",\'b;c\',\tx from t',
             b'-- get all\nselect 1', b'@script', b'=1+1']
    src = trace('break.trc', texts)
    convert(src, '-q', '-t', 'csv', '-o', path('break'))
    got = [r for r in read_folder(path('break'))['texts'][1]]
    k = SCHEMA['texts'].index('text')
    want = {t.decode() for t in texts}
    result('R96: text is the same after parsing',
           {r[k] for r in got if r[k]} != want and got)
    convert(src, '-q', '-t', 'csv', '--flatten-text', '-o', path('break1'))
    data = open(path('break1', 'texts.csv'), 'rb').read()
    result('R96: a record a line', len(data.splitlines()) != len(texts) + 1
           or len(split_records(data.decode(), ',')) != len(texts) + 1)


def case_digits():
    """R93: numbers of 16 to 20 digits."""
    src = trace('digits.trc', [b'select 1 from dual'])
    for suffix in ('csv', 'tsv', 'json', 'ndjson', 'xml'):
        name = path('digits.' + suffix)
        convert(src, '-q', '--table', 'events', '-o', name)
        data = open(name, encoding='utf-8').read()
        bad = [v for v in ('11529215099900770001', '1411222333445799')
               if v not in data]
        if suffix == 'json':
            bad += [r['cursor'] for r in json.loads(data)
                    if r['cursor'] not in ('11529215099900770001', None)]
        result('R93: all digits in ' + suffix, bad)


def case_formula():
    """R97: guard text, never numbers, and only for Excel."""
    src = trace('formula.trc', [b'-- get all\nselect 1', b'select 2'],
                '=HYPERLINK("http://x")', '@sum')
    plain = convert(src, '-q', '--table', 'sessions', '-o', '-').decode()
    result('R97: plain CSV is untouched',
           '"=HYPERLINK(""http://x"")"' not in plain or "'=" in plain or
           ',@sum,' not in plain)
    out = convert(src, '-q', '--csv', 'excel', '--table', 'events', '-o',
                  '-').decode('utf-8')
    rows = split_records(out[1:], ',')
    at = rows[0].index
    bad = [r for r in rows[1:] if r[at('module')] !=
           '\'=HYPERLINK("http://x")' or r[at('action')] != "'@sum"]
    bad += [r for r in rows[1:] for c in ('elapsed_s', 'cpu_s', 'start_s')
            if r[at(c)] and "'" in r[at(c)]]
    result('R97: the guard of excel', bad[:1])


def case_illegal():
    """R114: characters that XML 1.0 forbids, counted one by one."""
    text = b"select 'a\x0bb','c\x01d','e\xef\xbf\xbef','<&]]>' from dual"
    src = trace('illegal.trc', [text])
    name = path('illegal.xml')
    convert(src, '-q', '-o', name)
    tables = read_xml(name, SCHEMA)
    k = SCHEMA['texts'].index('text')
    got = {r[k] for r in tables['texts'][1]}
    result('R114: text', got != {ILLEGAL.sub('\ufffd', text.decode())} and
           got)
    p = [dict(zip(*[SCHEMA['problems'], r])) for r in tables['problems'][1]]
    p = [x for x in p if x['id'] == 'sanitised' and 'texts' in x['message']]
    result('R114: counted', [x['count'] for x in p] != ['3'] and p)
    if shutil.which('xmllint'):
        result('R114: valid', valid(name))


def case_quotes():
    """R101: quotes and delimiters; fields stay fields in every dialect."""
    texts = [b'select "a",\'b;c\',\tx from t', b'"', b'""', b',', b';',
             b'\t', b'select \'a\\"b\\\\\' from t', b'a,"b', b'a"', b'" ',
             b' a', b'a ', b"'", b'select 1;\tselect "2"', b'N\\A', b'NULL']
    src = trace('quotes.trc', texts)
    want = {t.decode() for t in texts}
    data = convert(src, '-q', '--table', 'texts', '-o', '-').decode()
    result('R101: the record of CSV', '"select ""a"",\'b;c\',\tx from t"\n'
           not in data)
    data = convert(src, '-q', '--table', 'texts', '-t', 'tsv', '-o',
                   '-').decode()
    outside = ''.join(data.split('"')[::2])
    result('R101: no raw tab in TSV', {line.count('\t') for line in
           outside.split('\n') if line} != {7} and outside)
    for options, sep in (([], ','), (['--csv', 'excel'], ','),
                         (['--csv', 'excel-semicolon'], ';'),
                         (['-t', 'tsv'], '\t'),
                         (['--flatten-text'], ',')):
        data = convert(src, '-q', '--table', 'texts', '-o', '-',
                       *options).decode('utf-8-sig')
        rows = list(csv.reader(io.StringIO(data, newline=''),
                               delimiter=sep))
        got = {r[-1] for r in rows[1:]}
        bad = {len(r) for r in rows} != {8} and 'fields'
        # what a spreadsheet would take for a formula is guarded
        guarded = {"'" + t if 'excel' in str(options) and
                   t[0] in '=+-@\t\r' else t for t in want}
        result('R101: fields with %s' % (' '.join(options) or 'rfc4180'),
               bad or (got != guarded and got ^ guarded))


def cells(book, sheet):
    """Rows of a sheet as dictionaries by its header."""
    rows = list(book[sheet].iter_rows(values_only=True))
    return [dict(zip(rows[0], r)) for r in rows[1:]]


def case_numbers():
    """R100: measures are numbers, ids are text without a mark."""
    try:
        import openpyxl
    except ImportError:
        skip('R100', 'no openpyxl')
        return
    wait = ("WAIT #1: nam='db file sequential read' ela= %d file#=1 block#=2 "
            'blocks=1 obj#=3 tim=%d\n')
    with open(path('sums.trc'), 'w') as f:
        f.write('*** SESSION ID:(7.9) 2024-05-06 10:00:00.000\n')
        tim = 100000000
        for ela in (1500000, 2500000, 3000000):
            tim += ela
            f.write(wait % (ela, tim))
    convert(path('sums.trc'), '-q', '--events', '-o', path('sums.xlsx'))
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        book = openpyxl.load_workbook(path('sums.xlsx'))
    got = [r['elapsed_s'] for r in cells(book, 'Events')]
    result('R100: cells of a workbook', [float, float, int] !=
           [type(v) for v in got] and [type(v) for v in got] != [float] * 3
           or sum(got) != 7 and got)
    result('R100: ids are text', [r['tim'] for r in cells(book, 'Events')] !=
           ['101500000', '104000000', '107000000'])
    with zipfile.ZipFile(path('sums.xlsx')) as z:
        parts = {n: z.read(n).decode() for n in z.namelist()
                 if n.endswith('.xml')}
    fields = [f for n, p in parts.items() if 'pivotTable' in n
              for f in re.findall(r'<dataField [^>]*>', p)]
    result('R100: a pivot sums', not fields or any(
        'subtotal' in f or 'Sum of time_s' not in f for f in fields))
    # the sheet `Events`: text columns carry the mark, numbers do not
    at = next(n for n, p in parts.items() if 'worksheets/' in n and
              'r="AQ4"' in p)
    marked = re.search(r'<ignoredError sqref="([^"]*)" '
                       'numberStoredAsText="1"/>', parts[at])
    ranges = marked[1].split() if marked else []
    inside = set()
    for r in ranges:
        for row in openpyxl.utils.cell.rows_from_range(r):
            inside |= {re.sub(r'\d', '', c) for c in row}
    header = [c.value for c in book['Events'][1]]
    letter = openpyxl.utils.get_column_letter
    named = {h: letter(i + 1) in inside for i, h in enumerate(header)}
    result('R100: marks of ids', [h for h in ('cursor', 'tim', 'sql_id')
           if not named[h]] + [h for h in ('elapsed_s', 'line', 'p1')
           if named[h]])


GOOD = '''*** SESSION ID:(7.9) 2024-05-06 10:00:00.000
EXEC #1:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=200
'''


def case_empty():
    """R118: nothing, a part and all are told apart."""
    files = {'words.trc': 'alpha\nbeta\ngamma\n', 'zero.trc': '',
             'blank.trc': '\n\n \n', 'good.trc': GOOD,
             'noisy.trc': 'ORA-00600: hello\n' + GOOD + 'a line\n',
             'cut.trc': GOOD + 'EXEC #1:c=1,e=2,p=0,c',
             'none.txt': 'Empty set (0.00 sec)\n',
             'head.csv': 'SCHEMA_NAME,DIGEST_TEXT,COUNT_STAR,'
                         'SUM_TIMER_WAIT\n'}
    for name, text in files.items():
        with open(path(name), 'w') as f:
            f.write(text)
    for names, want, say in (
            (['words.trc'], 1, 'words.trc.*0 of 3 lines recognised'),
            (['zero.trc'], 1, 'zero.trc.*empty|zero.trc.*0 of 0 lines'),
            (['blank.trc'], 1, 'blank.trc.*0 of 3 lines'),
            (['words.trc', 'zero.trc'], 1, 'words.trc.*0 of 3'),
            (['good.trc'], 0, None), (['noisy.trc'], 0, None),
            (['cut.trc'], 3, 'cut.trc.*cut-record'),
            (['good.trc', 'words.trc'], 3, 'words.trc.*0 of 3'),
            (['none.txt'], 0, None), (['head.csv'], 0, None)):
        shutil.rmtree(path('made'), ignore_errors=True)
        for command in (['convert', '-t', 'csv', '-o', path('made')],
                        ['show']):
            status, _, err = run(*command, *[path(n) for n in names])
            bad = status != want and 'status %d: %s' % (status, err)
            if say and not re.search(say, err):
                bad = bad or 'no word: ' + err
            result('R118: %s of %s' % (command[0], ' and '.join(names)), bad)
        if want == 1 and os.path.exists(path('made')):
            result('R118: nothing is written', names)
    status, _, err = run('convert', path('good.trc'), path('words.trc'),
                         '--strict', '-t', 'csv', '-o', path('strict'))
    result('R118: --strict', status != 1 or os.path.exists(path('strict')))


def main():
    try:
        case_break()
        case_digits()
        case_formula()
        case_illegal()
        case_quotes()
        case_numbers()
        case_empty()
    finally:
        end()


main()
