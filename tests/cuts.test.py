#!/usr/bin/python3
"""Dumps that break off: wherever the form lets it be seen, it is told.

One profile of three rows in each form, cut behind its n-th byte for many n.
A form without an end of its own (batch, CSV, objects one after the other) may
end behind any row; one with an end (a lower border, </resultset>, a bracket)
may not.  Where a cut goes unnoticed, the rows that are left must be whole
ones: a row is there as it was printed or it is not there.
"""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import Report, convert                      # noqa: E402

NAMES = ('Status', 'Duration', 'CPU_user', 'CPU_system')
ROWS = (('starting', '0.000064', '0.000041', '0.000019'),
        ('Opening tables', '0.000022', '0.000015', '0.000007'),
        ('end', '0.000008', '0.000005', '0.000003'))
STRIDE = 5

report = Report()


def lines(sep, quote=''):
    return [sep.join(quote + x + quote for x in row) + '\n'
            for row in (NAMES,) + ROWS]


def box():
    w = [max(len(x) for x in column) for column in zip(NAMES, *ROWS)]
    border = '+' + '+'.join('-' * (n + 2) for n in w) + '+\n'
    row = ['| ' + ' | '.join(x.ljust(n) for x, n in zip(r, w)) + ' |\n'
           for r in (NAMES,) + ROWS]
    return [border + row[0] + border] + row[1:] + [border]


def vertical():
    return [''] + ['%s %d. row %s\n' % ('*' * 27, i, '*' * 27) +
                   ''.join('%10s: %s\n' % f for f in zip(NAMES, r))
                   for i, r in enumerate(ROWS, 1)]


def html():
    row = lambda r, tag: '<TR>' + ''.join(
        '<%s>%s</%s>' % (tag, x, tag) for x in r) + '</TR>'
    return ['<TABLE BORDER=1>' + row(NAMES, 'TH')] + [
        row(r, 'TD') for r in ROWS] + ['</TABLE>']


def xml():
    return ['<?xml version="1.0"?>\n\n<resultset statement="SHOW PROFILE '
            'CPU" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
            ] + ['  <row>\n' + ''.join(
                '\t<field name="%s">%s</field>\n' % f
                for f in zip(NAMES, r)) + '  </row>\n\n'
                for r in ROWS] + ['</resultset>\n']


def objects(indent):
    return [''] + [json.dumps(dict(zip(NAMES, r)), indent=indent) + '\n'
                   for r in ROWS]


def array():
    row = [json.dumps(dict(zip(NAMES, r))) for r in ROWS]
    return ['[\n'] + [r + ',\n' for r in row[:-1]] + [row[-1], '\n]\n']


def insert():
    rows = ["(3,%d,'%s',%s,%s,%s)" % ((i,) + r)
            for i, r in enumerate(ROWS, 2)]
    return ['INSERT INTO `PROFILING` (`QUERY_ID`,`SEQ`,`STATE`,`DURATION`,'
            '`CPU_USER`,`CPU_SYSTEM`) VALUES\n'] + [
                r + ',\n' for r in rows[:-1]] + [rows[-1], ';\n']


def outfile():
    return [''] + ['\t'.join(('3', str(i)) + r) + '\n'
                   for i, r in enumerate(ROWS, 2)]


def markdown():
    row = ['| ' + ' | '.join(r) + ' |\n' for r in (NAMES,) + ROWS]
    return [row[0] + '|---|---:|---:|---:|\n'] + row[1:]


# the pieces of each form: head, rows, end; does the end have to be there?
FORMS = {
    'box': (box, True),
    'batch': (lambda: lines('\t'), False),
    'vertical': (vertical, False),
    'html': (html, True),
    'xml': (xml, True),
    'json_array': (array, True),
    'json_objects': (lambda: objects(4), False),
    'ndjson': (lambda: objects(None), False),
    'csv': (lambda: lines(','), False),
    'csv_quoted': (lambda: lines(',', '"'), False),
    'insert': (insert, True),
    'outfile': (outfile, False),
    'markdown': (markdown, False),
}


def row_of(r):
    return r['state'], r['duration_s'], r['cpu_user_s'], r['cpu_system_s']


def converted(text):
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
        f.write(text)
        f.flush()
        return convert([f.name], '--tables', 'stages')


def check(text, n, ends):
    """What is wrong with the answer to the first n bytes."""
    out = converted(text[:n])
    told = out.status != 0
    got = [row_of(r) for r in out.rows('stages')] if out.status != 1 else []
    whole = sum(e <= n for e in ends)
    if not told and n not in {e + k for e in ends for k in (-1, 0)}:
        return 'behind byte %d nothing is told' % n
    # a row may be known without its end
    for i, r in enumerate(got):
        if any(x not in ('', y) for x, y in zip(r, ROWS[i])):
            return 'behind byte %d: %r' % (n, r)
    if len(got) < whole and out.status != 1:
        return 'behind byte %d: %d rows' % (n, len(got))
    return None


def run(name):
    make, closed = FORMS[name]
    parts = make()
    text = ''.join(parts)
    first = len(parts[0])
    rows = [sum(map(len, parts[:i + 1])) for i in range(1, 4)]
    bad = []
    points = set(range(first + 2, len(text.rstrip('\n')), STRIDE))
    points |= {e + k for e in rows for k in (-2, -1, 0, 1)
               if e + k < len(text.rstrip('\n'))}
    # the last newline may be lost, and of a statement its semicolon
    ends = [] if closed else rows
    if name == 'insert':
        ends = [text.index(')', e) + 1 for e in [first] + rows[:-1]]
        points -= {e - 1 for e in ends}
    if name in ('csv', 'outfile'):
        # nothing tells how many columns there are, or of how many digits
        points = {n for n in points if n > rows[0]}
    for n in sorted(points):
        wrong = check(text, n, ends)
        if wrong:
            bad.append(wrong)
    whole = converted(text)
    if whole.status != 0 or [row_of(r) for r in whole.rows('stages')] != \
            list(ROWS):
        bad.append('the whole: status %d' % whole.status)
    report.result('cut_' + name, bad)


for form in FORMS:
    run(form)
report.end()
