#!/usr/bin/python3
"""The tricky small inputs of the format page of MySQL that are SHOW PROFILE,
each with the outcome that follows from it.  The numbers are those of the page.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import Report, convert                      # noqa: E402

report = Report()
WORK = tempfile.TemporaryDirectory(prefix='profpivot-tricky-')


def run(text, *options):
    path = os.path.join(WORK.name, 'input')
    with open(path, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode('utf-8'))
    return convert([path], *options)


def cells(names, rows):
    """A table as the client prints it."""
    width = [max(len(str(x)) for x in c) for c in zip(names, *rows)]
    rule = '+' + '+'.join('-' * (w + 2) for w in width) + '+\n'
    lines = ['| ' + ' | '.join(str(x).ljust(w) for x, w in zip(r, width)) +
             ' |\n' for r in [names] + rows]
    return rule + lines[0] + rule + ''.join(lines[1:]) + rule


def profile(*rows):
    return cells(['Status', 'Duration'], [list(r) for r in rows]) + \
        '%d rows in set (0.00 sec)\n\n' % len(rows)


def listed(*rows):
    return cells(['Query_ID', 'Duration', 'Query'],
                 [list(r) for r in rows]) + \
        '%d rows in set (0.00 sec)\n\n' % len(rows)


def stages(out, *columns):
    columns = columns or ('state', 'duration_s')
    return [tuple(r[c] for c in columns) for r in out.rows('stages')]


def events(out):
    return {r['event']: (r['time_s'], r['count']) for r in out.rows('profile')}


def texts(out):
    return [r['text'] for r in out.rows('statements')
            if r['statement'].startswith('s:')]


def ids(out):
    return {r['id'] for r in out.rows('problems')}


def check(number, *pairs):
    bad = ['%r, not %r' % (got, want) for got, want in pairs if got != want]
    report.result('tricky %s' % number, bad)


def numbers():
    out = run(profile(*[('starting', '0.000010')] +
                      [('waiting for handler commit', '0.000002')] * 12 +
                      [('cleaning up', '0.000001')]))
    check('1: a status repeated', (len(stages(out)), 14), (
        events(out)['waiting for handler commit'], ('0.000024', '12')))
    out = run(listed((1, '0.00171600', 'call p()')) + cells(
        ['QUERY_ID', 'SEQ', 'STATE', 'DURATION'],
        [[1, 72 + i, 'executing', '0.000010'] for i in range(100)]))
    check('2: cut at 100 rows', (
        events(out)['(not recorded)'], ('0.00071600', '1')), (
        out.status, 3), ('history-cut' in ids(out), True))
    out = run(profile(('starting', '0.000100'), ('init', '-0.000012'),
                      ('end', '0.000020')))
    check('3: a negative duration', (stages(out)[1], ('init', '-0.000012')), (
        out.one('sessions')['span_s'], '0.000108'), (
        [p['line'] for p in out.rows('problems', id='negative-duration')],
        ['5']))
    out = run(profile(('starting', '0.000000'), ('end', '0.000000')))
    check('4: nothing but noughts', (
        events(out), {'starting': ('0.000000', '1'), 'end': ('0.000000',
                                                             '1')}))
    out = run(listed((1, '0.00030075', 'select 1')) + profile(
        ('starting', '0.000100'), ('end', '0.000200')))
    check('5: rounding', ('lost time' in events(out), False), (
        out.one('sessions')['span_s'], '0.00030075'))
    out = run('mysql> SHOW PROFILES;\n' + listed(
        (26, '0.00010000', 'a'), (27, '0.00020000', 'b')) +
        'mysql> SHOW PROFILE FOR QUERY 1;\nEmpty set, 1 warning (0.00 sec)\n')
    check('6: the history wrapped', (out.status, 0), (
        len(out.rows('statements', executions='1')), 2))
    out = run('mysql> SHOW PROFILES;\nEmpty set (0.00 sec)\n')
    check('7: no history', (out.status, 0), (
        'empty-result' in ids(out), True))
    one = listed((1, '0.00010000', 'select 1'), (2, '0.00020000', 'select 2'))
    two = listed((2, '0.00020000', 'select 2'), (3, '0.00030000', 'select 3'))
    other = listed((2, '0.00050000', 'select 9'))
    out = run(one + two)
    again = run(one + two + other)
    check('8: lists that overlap', (len(out.rows('sessions')), 1), (
        out.one('sessions')['span_s'], '0.00060000'), (
        [s['span_s'] for s in again.rows('sessions')],
        ['0.00060000', '0.00050000']))


def queries():
    cut = ("select * from t where note = '" + 'x' * 400)[:300]
    out = run(listed((1, '0.00010000', cut)))
    text = out.one('texts')
    check('9: a text of 300 bytes', (text['complete'], '0'),
          (text['text'], cut), ('query-cut' in ids(out), True))
    wide = ('select 1 -- ' + 'x' * 400)[:299] + '?'
    check('10: cut inside a character', (
        run(listed((1, '0.00010000', wide))).one('texts')['complete'],
        '0'))
    text = 'SELECT 1\nFROM c\nGROUP BY c.city'
    table = cells(['Query_ID', 'Duration', 'Query'], [[1, '0.00100000', 'X' *
                  len(text)], [2, '0.00200000', 'select 2'.ljust(len(text))]])
    check('11: newlines in a cell', (
        sorted(texts(run(table.replace('X' * len(text), text)))),
        sorted([text, 'select 2'])))
    row = '| Query_ID | Duration |'
    out = run(listed((1, '0.00100000', 'two | with pipe'),
                     (2, '0.00200000', "select '%s'" % row)))
    check('12: bars in cells', (sorted(texts(out)), [
        "select '%s'" % row, 'two | with pipe']))
    text = "select '\n+-----+\n'"
    table = cells(['Query_ID', 'Duration', 'Query'], [
        [1, '0.00100000', 'X' * len(text)], [2, '0.00200000', 'select 2']])
    check('13: a border in a cell', (
        sorted(texts(run(table.replace('X' * len(text), text)))),
        sorted([text, 'select 2'])))
    out = run('+----------+------------+-------------------+\n'
              '| Query_ID | Duration   | Query             |\n'
              '+----------+------------+-------------------+\n'
              '|        1 | 0.00100000 | select \'漢字\'    |\n'
              '|        2 | 0.00200000 | select \'????\'     |\n'
              '+----------+------------+-------------------+\n')
    check('14: wide characters', (sorted(texts(out)), [
        "select '????'", "select '漢字'"]))


def damage():
    for n, text, status in (
            ('header only', 'Query_ID\tDuration\tQuery\n', 0),
            ('a footer only', 'Empty set (0.00 sec)\n', 0)):
        out = run(text, '-f', 'client')
        check('19: ' + n, (out.status, status), (stages(out), []))
    for footer in ('2 rows in set, 1 warning (0.00 sec)',
                   '2 rows in set (0.000 sec)   ', '2 rows in set'):
        out = run(cells(['Status', 'Duration'], [
            ['starting', '0.000100'], ['end', '0.000200']]) + footer + '\n')
        check('20: ' + footer, (len(stages(out)), 2), (out.status, 0))
    out = run(profile(('starting', '0.000100')).replace('1 rows', '7 rows'))
    check('20: another count', ('row-count' in ids(out), True))
    out = run('*************************** 1. row **********************'
              '*****\n         Status: starting\n       Duration: 0.000100\n'
              'Source_function: NULL\n    Source_file: NULL\n'
              '    Source_line: NULL\n'
              '*************************** 2. row **********************'
              '*****\n         Status: end\n       Duration: 0.000200\n'
              'Source_function: run\n    Source_file: sql_p')
    check('21: cut within a record', (stages(out), [
        ('starting', '0.000100'), ('end', '0.000200')]), (out.status, 3))
    out = run('+----------+----------+\n| Status   | Duration |\n'
              '+----------+----------+\n| starting | 0.000100 |\n'
              '| end      | 0.000')
    check('21: cut within a number', (stages(out), [
        ('starting', '0.000100')]), (out.status, 3))
    out = run('*************************** 17. row **********************'
              '*****\n\t    Status: executing // the work\n'
              '\t  Duration: 0.004000 // note\n')
    check('22: an annotated record', (stages(out)[0][1], '0.004000'), (
        'trailing-text' in ids(out), True))
    out = run('*************************** 1. row **********************'
              '*****\nQuery_ID: 1\nDuration: 0.00200000\n   Query: select 1\n'
              'Duration: 5\nfrom t\n')
    check('23: lines that look like fields', (
        texts(out), ['select 1\nDuration: 5\nfrom t']), (
        out.one('sessions')['span_s'], '0.00200000'))
    out = run('| starting             | 0.000100 |\n'
              '| checking permissions | 0.000020 |\n'
              '| Opening tables       | 0.000300 |\n')
    check('24: rows alone', (stages(out), [
        ('starting', '0.000100'), ('checking permissions', '0.000020'),
        ('Opening tables', '0.000300')]), ('guessed-columns' in ids(out),
                                           True))
    out = run('+----------+----------+ | Status | Duration | +----------+---'
              '-------+ | starting | 0.000100 | | end | 0.000200 | +-------'
              '---+----------+\n')
    check('25: all on one line', (stages(out), [
        ('starting', '0.000100'), ('end', '0.000200')]))
    plain = cells(['Status', 'Duration'], [
        ['starting', '0.000100'], ['end', '0.000200']]).splitlines()
    for name, lines in (
            ('numbers', ['%d. %s' % (i + 19, x)
                         for i, x in enumerate(plain)]),
            ('comments', ['-- ' + x for x in plain]),
            ('TABs', ['\t' + x for x in plain]),
            ('trailing blanks', [x + '  ' for x in plain]),
            ('quoting', ['> ' + x for x in plain])):
        check('26: ' + name, (stages(run('\n'.join(lines) + '\n')), [
            ('starting', '0.000100'), ('end', '0.000200')]))
    out = run('\n'.join(x + ('  \u2190 \u26a0\ufe0f slow' if 'end' in x else '')
                        for x in plain) + '\n')
    check('27: notes behind rows', (stages(out)[1], ('end', '0.000200')))
    out = run('+----+-----+\n| Status  |  Duration |\n+----+-----+\n'
              '|    starting|0.000100 |\n|\tend |   0.000200|\n+---+---+\n')
    check('28: edited by hand', (stages(out), [
        ('starting', '0.000100'), ('end', '0.000200')]))


def numbers_of_others():
    out = run('Status\tDuration\nstarting\t6.70E-05\nend\t0,000067\n')
    check('29: spreadsheets', (stages(out), [
        ('starting', '0.000067'), ('end', '0.000067')]))
    out = run('Status\tDuration\nstarting\t1.751,142\nend\t0.5\n')
    check('29: separators of thousands', (stages(out), [('end', '0.500000')]),
          (out.status, 3))
    out = run('Stage\tDuration\nstarting\t495.02 us\ninit\t348.00 ns\n'
              'end\t  0 ps\nexecuting\t1.00 min\nsorting\t1 m\n'
              'sleeping\t1.53 w\n')
    check('30: units', ([d for _, d in stages(out)], [
        '0.000495020', '0.000000348', '0.000000000', '60.000000000',
        '60.000000000', '925344.000000000']), ('approximate' in ids(out),
                                               True))
    out = run(profile(('(initialization)', '0.00006300')))
    check('31: eight digits', (stages(out), [
        ('(initialization)', '0.000063')]))
    out = run(listed((0, '0.00006300', 'set profiling=1')))
    check('32: query 0', (out.one('sessions')['span_s'], '0.00006300'), (
        len(texts(out)), 1))
    out = run(listed((4, '0.00010000', 'a'), (5, '0.00030000', 'b')) +
              profile(('starting', '0.000100'), ('end', '0.000200')))
    check('33: the last of the list', (
        {r['query_id'] for r in out.rows('stages')}, {'5'}))
    check('33: no list', ({r['query_id'] for r in run(profile(
        ('starting', '0.000100'))).rows('stages')}, {''}))
    out = run(cells(['Status', 'Duration', 'CPU_user', 'CPU_system',
                     'Source_function', 'Source_file', 'Source_line'], [
        ['starting', '0.000100', '0.000090', '0.000010', 'f', 'a.cc', 7]]))
    check('34: SOURCE, CPU', (stages(out, 'cpu_user_s', 'from_line'), [
        ('0.000090', '7')]))
    out = run('mysql> show profiles;\n' + listed((1, '0.50000000', 'a')) +
              'mysql> show profile for query 1 limit 2 offset 3;\n' +
              profile(('init', '0.000100'), ('end', '0.000200')))
    check('35: LIMIT', ('lost time' in events(out), False), (
        '(not recorded)' in events(out), False))
    out = run(listed((1, '1001.02305903', 'select sleep(1001)')) + profile(
        ('starting', '0.000100'), ('User sleep', '999.999999'),
        ('end', '0.000010')))
    check('36: saturated', (events(out)['User sleep'][0], '1001.02294903'))
    check('36: no total', ('saturated' in ids(run(profile(
        ('starting', '0.000100'), ('User sleep', '999.999999')))), True))


def other_forms():
    xml = ('<?xml version="1.0"?>\n\n<resultset statement="SHOW PROFILES" '
           'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
           '  <row>\n\t<field name="Query_ID">1</field>\n'
           '\t<field name="Duration">0.00030000</field>\n'
           '\t<field name="Query">select \'a\x1bb\x01c\' &lt; 2</field>\n'
           '  </row>\n</resultset>\n')
    out = run(xml)
    check('37: control bytes in XML', (
        texts(out), ["select 'a\x1bb\x01c' < 2"]))
    states = ('<?xml version="1.0"?>\n\n<resultset statement="SHOW PROFILE '
              'FOR QUERY 1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-'
              'instance">\n  <row>\n\t<field name="Status">starting</field>\n'
              '\t<field name="Duration">0.000300</field>\n  </row>\n'
              '</resultset>\n')
    out = run('mysql> show profiles;\n' + xml +
              '1 row in set (0.00 sec)\n\nmysql> show profile for query 1;\n' +
              states + '1 row in set (0.00 sec)\n')
    check('38: several documents', (stages(out, 'query_id', 'state'), [
        ('1', 'starting')]), (len(texts(out)), 1))
    out = run('<TABLE BORDER=1><TR><TH>Query_ID</TH><TH>Duration</TH><TH>Query'
              '</TH></TR><TR><TD>1</TD><TD>0.00030000</TD><TD>select &quot;a'
              '\nb&quot;</TD></TR></TABLE>1 row in set (0.00 sec)\n<TABLE '
              'BORDER=1><TR><TH>Status</TH><TH>Duration</TH></TR><TR><TD>'
              'starting</TD><TD>0.000300</TD></TR></TABLE>')
    check('39: HTML', (texts(out), ['select "a\nb"']), (
        stages(out, 'query_id', 'state'), [('1', 'starting')]))
    out = run('Status\tDuration\r\nstarting\t0.000100\r\nend\t0.000200\r\n')
    check('40: CR LF', (stages(out), [
        ('starting', '0.000100'), ('end', '0.000200')]))
    table = cells(['Status', 'Duration'], [['starting', '0.000100'],
                                           ['end', '0.000200']])
    for name, data in (
            ('UTF-16', b'\xff\xfe' + table.encode('utf-16-le')),
            ('UTF-16, big', b'\xfe\xff' + table.encode('utf-16-be')),
            ('a mark', b'\xef\xbb\xbf' + table.encode())):
        check('41: ' + name, (stages(run(data)), [
            ('starting', '0.000100'), ('end', '0.000200')]))
    out = run(listed((1, '0.00010000', 'select \'Gru\xdfe\'')).encode(
        'latin-1'), '--charset', 'latin1')
    check('41: latin1', (texts(out), ["select 'Gru\xdfe'"]))
    out = run("ERROR at line 1: Unknown command '\\G'.\n", '-f', 'client')
    check('49: a command that was rejected', (
        [p for p in out.rows('problems') if p['severity'] == 'error'], []))


numbers()
queries()
damage()
numbers_of_others()
other_forms()
report.end()
