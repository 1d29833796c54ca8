#!/usr/bin/python3
"""Row sets from text of clients: one result, all forms.

corpora/client holds one table as clients print and export it (its cells are
in cells.json); the shared corpus holds the same for other servers, and 1,700
files more, each of which has to be read in full or is named here with the
reason why not.
"""
import csv
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import Report                               # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(os.environ.get('BUILD', 'build'), 'tests', 'test_client')
OWN = os.path.join(TOP, 'corpora', 'client')
SHARED = os.path.join(os.environ.get('PP_SHARED') or
                      os.path.join(TOP, '..', 'shared'), 'corpora', 'mysql')
report = Report()


def equal(name, got, want):
    report.result(name, [] if got == want else
                  ['%r, not %r' % (got, want)])


def dump(path, *options):
    run = subprocess.run([TOOL, '--dump'] + list(options) + [path],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         cwd=TOP, timeout=300)
    if run.returncode != 0:
        raise OSError('%s: status %d: %s' % (path, run.returncode,
                                             run.stderr[-500:]))
    sets = []
    early = []
    for line in run.stdout.decode('utf-8', 'surrogatepass').split('\n'):
        if not line:
            continue
        x = json.loads(line)
        if 'set' in x:
            sets.append(dict(x, rows=[], told=early))
            early = []
        elif 'row' in x:
            sets[-1]['rows'].append(x['row'])
        elif 'end' in x:
            sets[-1].update(x)
        elif 'problem' in x:
            # of a set whose first rows are held back
            (sets[-1]['told'] if sets and 'end' not in sets[-1]
             else early).append(x['text'])
    return sets


def value(cell):
    """A cell as text; what may be NULL is a tuple of both."""
    if isinstance(cell, list):
        if cell[0] == '?':
            return (None, cell[1])
        return ('<%s>' % cell[0],)
    return (cell,)


def differences(rows, want, change=lambda text, column: text):
    bad = []
    if len(rows) != len(want):
        bad.append('%d rows, not %d' % (len(rows), len(want)))
    for i, (row, right) in enumerate(zip(rows, want)):
        for j, (cell, text) in enumerate(zip(row, right)):
            text = str(text) if isinstance(text, int) else text
            if text is not None:
                text = change(text, j)
            if text not in value(cell):
                bad.append('row %d column %d: %r, not %r' %
                           (i + 1, j + 1, cell, text))
    return bad


def same(name, rows, want, change=lambda text, column: text):
    report.result(name, differences(rows, want, change))


def no_nul(text, column):
    return text.replace('\0', ' ')


def stripped(text, column):
    return text.rstrip(' ')


def padded(text, column):
    return no_nul(text, column).rstrip(' ')


# -------------------------------------------------------------- own corpus

def own_forms():
    cells = json.load(open(os.path.join(OWN, 'cells.json')))
    plain = [r for r in cells
             if not set('\n\r\t\0') & set(str(r[1] or '') + str(r[2] or ''))]
    forms = {
        'table.txt': (cells, padded), 'table_vvv.txt': (cells, padded),
        'table_no_names.txt': (cells, padded),
        'vertical.txt': (cells, no_nul), 'html.txt': (cells, no_nul),
        'xml.txt': (cells, no_nul),
    }
    for name in ('batch.txt', 'batch_no_names.txt', 'dump.sql',
                 'dump_hex.sql', 'dump.xml', 'tab_crate.txt', 'array.json',
                 'lines.ndjson', 'objects.json', 'shell.json', 'admin.json',
                 'rfc.csv', 'bom_semicolon.csv', 'utf16.csv', 'crate.yml',
                 'crate.php.txt', 'copy.txt'):
        forms[name] = (cells, lambda text, column: text)
    for path in glob.glob(os.path.join(OWN, 'ok', 'outfile_*')):
        forms[os.path.basename(path)] = (cells, lambda text, column: text)
    for name in ('markdown.md', 'fancy.txt', 'simple.txt', 'psql.txt'):
        forms[name] = (plain, stripped)
    for name in ('jira.txt', 'wiki.txt', 'latex.tex', 'psql_expanded.txt'):
        forms[name] = (plain, stripped)
    for name, (want, change) in sorted(forms.items()):
        sets = dump(os.path.join(OWN, 'ok', name))
        # trailing blanks are padding in some of them
        rows = sets[-1]['rows']
        if name == 'jira.txt':
            # its bars are not escaped
            rows, want = ([r for r in x if str(r[0]) not in ('2', '14')]
                          for x in (rows, want))
        if change is stripped:
            rows = [[c.rstrip(' ') if isinstance(c, str) else c
                     for c in r] for r in rows]
        same('form ' + name, rows, want, change)
        named = name not in ('table_no_names.txt', 'batch_no_names.txt',
                             'copy.txt') and not name.startswith('outfile')
        equal('names of ' + name, sets[-1]['names'],
                     ['id', 'note', 'tag'] if named else None)
    own_encodings(cells)
    own_sessions()
    own_csv()
    own_sizes()
    own_bad()


def own_encodings(cells):
    by_id = {r[0]: r[1] for r in cells}
    more = {'gbk': '\u7e17\u7028', 'sjis': '\u80fd\u529b \u30bd\u30fc\u30b9 \u8868',
            'big5': '\u529f\u84cb\u8a31 and \u6771\u4eac'}
    ids = {'gbk': (1, 2, 3, 4, 5, 8, 14), 'sjis': (1, 2, 3, 4, 5, 8, 14),
           'latin1': (1, 2, 3, 4, 5, 14, 16), 'big5': (1, 2, 3, 5, 14)}
    for charset in sorted(ids):
        want = [[i, by_id[i]] for i in ids[charset]]
        if charset in more:
            want.append([18, more[charset]])
        for form in ('table', 'batch', 'vertical', 'xml'):
            name = '%s_%s.txt' % (form, charset)
            sets = dump(os.path.join(OWN, 'ok', name), '--charset', charset)
            same('form ' + name, sets[-1]['rows'], want,
                 padded if form == 'table' else lambda t, c: t)


PROFILE = [['starting', '0.000100'], ['end', '0.000200']]


def own_sessions():
    for name in ('session.txt', 'typescript.txt'):
        sets = dump(os.path.join(OWN, 'ok', name))
        equal(name + ' statements', [s['statement'] for s in sets],
                     ["SELECT 'one\ntwo; three' AS word,\n2 AS n",
                      'SHOW PROFILES', 'SHOW PROFILE FOR QUERY 1'])
        same(name, sets[1]['rows'],
             [['1', '0.00041000',
               "SELECT 'one\ntwo; three' AS word,\n2 AS n"],
              ['2', '0.00030500', 'SELECT * FROM crate WHERE id = 99']])
        equal(name + ' footers', [s.get('footer') for s in sets],
                     [1, 2, 2])
    for path in sorted(glob.glob(os.path.join(OWN, 'ok', 'paste_*'))):
        name = os.path.basename(path)
        sets = [s for s in dump(path) if s['rows']]
        same('paste ' + name, sets[-1]['rows'], PROFILE)
        if name != 'paste_bars.txt':
            equal('names of ' + name, sets[-1]['names'],
                         ['Status', 'Duration'])
    sets = dump(os.path.join(OWN, 'ok', 'psql_lines.txt'))
    same('psql lines', sets[0]['rows'],
         [['SELECT\n  1\n FROM boat', '3'], ['COMMIT', '12']])
    sets = dump(os.path.join(OWN, 'ok', 'several_batch.txt'))
    equal('several results of one -B', [s['rows'] for s in sets],
                 [[['1', 'q']], [['2', ['?', 'NULL'], '3']],
                  [['7', '8', '9']]])


def own_csv():
    """CSV that quotes only where it must, read by another program."""
    late = 'name,note,n\n' + ''.join(
        'row %d,not a word in quotes,%d\n' % (i, i) for i in range(4000)) + \
        '"late, one",q,1\nz,"in ""it""",2\n"two\nlines",q,3\n'
    with tempfile.NamedTemporaryFile('w', suffix='.csv') as f:
        f.write(late)
        f.flush()
        check_csv('quotes only far down', f.name)
    check_csv('partly_quoted.csv', os.path.join(OWN, 'ok',
                                                'partly_quoted.csv'))
    for path in sorted(glob.glob(os.path.join(SHARED, '..', '..', 'cases',
                                              'R*.csv'))):
        check_csv('case ' + os.path.basename(path), path)


def check_csv(name, path):
    with open(path, encoding='utf-8-sig', newline='') as f:
        want = list(csv.reader(f))
    sets = dump(path)
    equal('names of ' + name, [s['names'] for s in sets], [want[0]])
    same('rows of ' + name, sets[0]['rows'], want[1:])


def count(path):
    run = subprocess.run([TOOL, '--dump', '--count', path], cwd=TOP,
                         stdout=subprocess.PIPE, timeout=300)
    return [int(n) for n in re.findall('[0-9]+', run.stdout.decode())]


def own_sizes():
    """Many rows on one line stream; a cell of 50 MB is held once or twice."""
    cell = '<field name="id">7</field><field name="t">x</field>'
    lines = {
        'HTML': '<TABLE BORDER=1><TR><TH>id</TH><TH>t</TH></TR>' +
                '<TR><TD>7</TD><TD>x</TD></TR>' * 200000 + '</TABLE>',
        'XML': '<resultset statement="s">' +
               ('<row>%s</row>' % cell) * 200000 + '</resultset>\n',
        'JSON': '[' + ','.join(['{"id": 7, "t": "x"}'] * 200000) + ']',
        'INSERT': 'INSERT INTO `p` (`id`,`t`) VALUES ' +
                  ','.join(["(7,'x')"] * 200000) + ';\n',
    }
    long = 'x y ' * 12500000
    cells = {
        'batch': 'id\tt\n7\t%s\n8\ty\n' % long,
        'CSV': 'id,t\n7,"%s"\n8,"y"\n' % long,
        'vertical': '*** 1. row ***\nid: 7\n t: %s\n*** 2. row ***\n'
                    'id: 8\n t: y\n' % long,
        'INSERT': "INSERT INTO `p` (`id`,`t`) VALUES (7,'%s'),(8,'y');\n" %
                  long,
    }
    for what, files, rows, most in (
            ('many rows on one line', lines, 200000, 2 << 20),
            ('a cell of 50 MB', cells, 2, 180 << 20)):
        for name, text in sorted(files.items()):
            with tempfile.NamedTemporaryFile('w') as f:
                f.write(text)
                f.flush()
                got = count(f.name)
            equal('%s: %s' % (what, name), (got[0], got[2] < most),
                  (rows, True))


def own_bad():
    cut = ('array_cut.json', 'batch_cut.txt', 'csv_cut.csv', 'dump_cut.sql',
           'html_cut.txt', 'table_cut_in_row.txt', 'vertical_cut.txt',
           'vertical_cut_name.txt', 'xml_cut.txt', 'table_cut_head.txt')
    for name in cut:
        sets = dump(os.path.join(OWN, 'bad', name))
        told = [t for s in sets for t in s['told'] if 'cut record' in t]
        equal('cut ' + name, len(told), 1)
        partial = [r for s in sets for r in s['rows']
                   if any(value(c)[0] in ('<cut>', '<absent>') for c in r)]
        equal('one row of %s is cut' % name, len(partial), 1)
    for name, text in (('footer_counts_more.txt',
                        'the footer says 5 rows, 2 were read'),
                       ('rows_missing.txt',
                        'the footer says 9 rows, 2 were read')):
        sets = dump(os.path.join(OWN, 'bad', name))
        equal(name, text in sets[0]['told'], True)
        same('rows of ' + name, sets[0]['rows'], PROFILE)
    sets = dump(os.path.join(OWN, 'bad', 'bars_in_cell.txt'))
    same('bars in a cell', sets[0]['rows'],
         [['1', '0.10000000', 'select a | b from t'],
          ['2', '0.20000000', 'select 1']])
    sets = dump(os.path.join(OWN, 'bad', 'commas_unquoted.csv'))
    same('commas without quotes', sets[0]['rows'],
         [['yard', 'aa01', 'SELECT 1', '3'],
          ['yard', 'aa02', 'SELECT a , b FROM t', '4']])


# ----------------------------------------------------------- shared corpus

def reference(version):
    """The odd table: XML loses nothing but NUL."""
    rows = dump(os.path.join(SHARED, version, 'odd/odd_table.xml.txt'))
    rows = [list(r) for r in rows[0]['rows']]
    rows[2][2] = '\t\0A\n'
    rows[3][2] = '\0'
    rows[10][1:] = ['zero\0byte', 'a\0b']
    return rows


def mycli_hex(text, column):
    """mycli and phpMyAdmin print what is no text in hex."""
    if column == 2 and (not text or re.search('[\0-\x1f]', text)):
        return '0x' + text.encode().hex() if text else text
    return text


def mycli_text(text, column):
    if column == 1:
        # its connection was utf8mb3
        text = re.sub('[\U00010000-\U0010ffff]', '?', text)
        text = text.replace('\0', '\0')
    return mycli_hex(text, column)


def shared_odd():
    for version in ('mariadb-10.11', 'mysql-9.7'):
        want = reference(version)
        exact = lambda text, column: text               # noqa: E731
        forms = [('odd/odd_table.' + n, c) for n, c in (
            ('table.txt', padded), ('table-vvv.txt', padded),
            ('batch-vvv.txt', padded), ('batch.txt', exact),
            ('batch-N.txt', exact), ('vertical.txt', no_nul),
            ('html.txt', no_nul), ('xml.txt', no_nul))]
        if version == 'mariadb-10.11':
            forms.append(('odd/odd_table.table-N.txt', padded))
        forms += [('outfile/outfile_odd.%s.csv' % d, exact) for d in (
            'default', 'csv_enc', 'csv_optenc', 'csv_noesc', 'csv_dblq',
            'pipe', 'multi', 'semicolon_crlf', 'starting', 'cs-binary')]
        forms += [('mysqldump/' + n, exact) for n in (
            'snap.sql', 'snap.hexblob.sql', 'snap.xml', 'tab.odd.txt',
            'snap.complete-insert-one-row.sql', 'tab_csv.odd.txt',
            'tab_enc.odd.txt')]
        if version == 'mariadb-10.11':
            forms += [('phpmyadmin/odd.' + n, exact) for n in (
                'csv', 'xml', 'sql', 'php.txt', 'yml', 'texy.txt',
                'mediawiki.txt')]
            # it writes LF for every line end
            forms.append(('phpmyadmin/odd.excel.csv', lambda t, c:
                          t.replace('\r\n', '\n')))
            # this one drops the newlines themselves
            forms.append(('phpmyadmin/odd.semicolon_backslash.csv',
                          lambda t, c: re.sub('[\r\n]', '', t)))
        sets = dump(os.path.join(SHARED, version, 'outfile/outfile_odd.fixed'
                                 '.csv'), '--fields', '')
        same('%s fixed width' % version, sets[0]['rows'], [
            [None if t in (None, '') else t.rstrip(' ') for t in r]
            for r in want])
        for name, change in forms:
            sets = [s for s in dump(os.path.join(SHARED, version, name))
                    if s['columns'] == 3 and len(s['rows']) == 16]
            if len(sets) != 1:
                report.result('%s %s' % (version, name),
                              ['%d sets of 16 rows' % len(sets)])
                continue
            right = want
            if re.search('[.]table|batch-vvv', name):
                right = [[t.rstrip(' ') if isinstance(t, str) else t
                          for t in r] for r in want]
            same('%s %s' % (version, name), sets[0]['rows'], right, change)


def shared_static():
    """The other results whose cells never change, in each form."""
    for version in ('mariadb-10.11', 'mysql-9.7'):
        for base in ('odd_numbers', 'odd_table_names', 'odd_two_results',
                     'odd_json'):
            path = os.path.join(SHARED, version, 'odd', base + '.')
            want = [[[None if t is None else no_nul(t, 0) for t in r]
                     for r in s['rows']] for s in dump(path + 'xml.txt')]
            for form in ('batch', 'batch-N', 'batch-raw', 'batch-vvv', 'html',
                         'table', 'table-N', 'table-vvv', 'vertical'):
                got = [s for s in dump(path + form + '.txt') if s['rows']]
                right = want
                if form in ('batch', 'batch-N', 'batch-raw'):
                    # one column without anything around it is text
                    got = [s for s in got if s['columns'] > 1]
                    right = [r for r in want if len(r[0]) > 1]
                    if not right:
                        continue
                bad = [] if len(got) == len(right) else ['%d sets' % len(got)]
                for s, r in zip(got, right):
                    if 'table' in form:
                        r = [[t and t.rstrip(' ') for t in x] for x in r]
                    bad += differences(s['rows'], r)
                report.result('%s %s.%s' % (version, base, form), bad)


def shared_mycli():
    """The same rows through mycli: binary in hex, some forms on one line."""
    want = reference('mariadb-10.11')
    lines = {'github', 'html', 'latex', 'mediawiki', 'moinmoin', 'textile'}
    for path in sorted(glob.glob(os.path.join(
            SHARED, 'mariadb-10.11/mycli/odd.*.txt'))):
        form = os.path.basename(path)[4:-4]
        if form == 'minimal':
            continue
        rows = [s['rows'] for s in dump(path) if s['columns'] == 3][-1]
        right = []
        for r in want:
            r = [r[0]] + [None if t is None else mycli_text(t, i + 1)
                          for i, t in enumerate(r[1:])]
            if r[0] == '4' and form in lines:
                r[1] = r[1].replace('\n', '\\n').replace('\r', '\\r')
            elif r[0] == '4' and form not in ('csv', '--csv', 'tsv',
                                              'vertical'):
                # a CR before a newline is layout there
                r[1] = r[1].replace('\r', '')
            if form in ('csv', '--csv', 'tsv'):
                r = ['' if t is None else t for t in r]
            elif form != 'vertical':
                r = [None if t is None else t.rstrip(' ') for t in r]
            right.append(r)
        if form not in ('csv', '--csv', 'tsv', 'vertical'):
            rows = [[c.rstrip(' ') if isinstance(c, str) else c for c in r]
                    for r in rows]
        same('mycli ' + form, rows, right)


def shared_encodings():
    for version in ('mariadb-10.11', 'mysql-9.7'):
        for charset in ('big5', 'cp1251', 'gbk', 'latin1', 'utf8mb3'):
            base = os.path.join(SHARED, version, 'odd/odd_table.')
            sets = {f: dump('%s%s-%s.txt' % (base, f, charset), '--charset',
                            charset)[-1]['rows']
                    for f in ('xml', 'batch', 'table', 'vertical')}
            want = [[None if isinstance(c, list) else c for c in r]
                    for r in sets['xml']]
            for form in ('batch', 'table', 'vertical'):
                rows = [[no_nul(c, 0) if isinstance(c, str) else c
                         for c in r] for r in sets[form]]
                same('%s %s in %s' % (version, form, charset), rows, want,
                     padded if form == 'table' else lambda t, c: t)
        for charset, rows in (
                ('gbk', [['\u6f22\u7028\u7e17', '1']]),
                ('big5', [['\u529f\u8a31\u84cb', 'a|b\\c', 'x\ty']])):
            for form in 'BEtX':
                path = os.path.join(SHARED, version, 'odd/%s_trailbytes.%s'
                                    '.txt' % (charset, form))
                if os.path.exists(path):
                    same('%s trail bytes of %s, -%s' % (version, charset,
                                                        form),
                         dump(path, '--charset', charset)[0]['rows'], rows)


def texts(rows):
    return [[None if c is None else value(c)[-1] for c in r] for r in rows]


def shared_sessions():
    """Each tee log holds what the typescript of the same session holds."""
    for path in sorted(glob.glob(os.path.join(SHARED, '*/interactive/*.tee.txt'
                                              ))):
        name = '/'.join(path.split('/')[-3:])
        tee = dump(path)
        script = dump(path.replace('.tee.', '.typescript.'))
        # the log begins with tee and ends with notee
        more = [s for s in script if s['form'] != 'insert']
        more = more[:len(tee)]
        equal('forms of ' + name, [s['form'] for s in more],
                     [s['form'] for s in tee])
        bad = []
        for a, b in zip(tee, more):
            # without prompts the log does not hold what was typed
            typed = 'batch_in_tty' in path or \
                a['statement'] == b['statement']
            if a['names'] != b['names'] or not typed:
                bad.append('%r, %r' % (a['names'], b['names']))
            hidden = binary_columns(b)
            for x, y in zip(texts(a['rows']), texts(b['rows'])):
                for j, (u, v) in enumerate(zip(x, y)):
                    if j not in hidden and not same_line_ends(u, v):
                        bad.append('%r, not %r' % (u, v))
            if len(a['rows']) != len(b['rows']):
                bad.append('%d rows, not %d' % (len(a['rows']),
                                                len(b['rows'])))
        report.result('rows of ' + name, bad)


def binary_columns(rs):
    """MySQL 9 shows them in hex on the screen and not at all in the log."""
    return {j for r in rs['rows'] for j, c in enumerate(r)
            if isinstance(c, str) and c.startswith('0x')}


def same_line_ends(a, b):
    clean = (lambda t: None if t is None else t.replace('\r', '').rstrip(' '))
    return clean(a) == clean(b)


def shared_dumps():
    """A snapshot by mysqldump in each of its forms, and by phpMyAdmin."""
    for version in ('mariadb-10.11', 'mysql-9.7'):
        want = {s['table']: s for s in dump(os.path.join(
            SHARED, version, 'mysqldump/snap.xml'))}
        equal(version + ' tables of the snapshot', sorted(want),
                     ['digests', 'odd', 'stages', 'statements'])
        for name in ('snap.sql', 'snap.complete-insert-one-row.sql'):
            for s in dump(os.path.join(SHARED, version, 'mysqldump', name)):
                equal('%s %s names of %s' % (version, name,
                                                    s['table']),
                             s['names'], want[s['table']]['names'])
                same('%s %s %s' % (version, name, s['table']), s['rows'],
                     want[s['table']]['rows'])
        for how in ('tab', 'tab_csv', 'tab_enc'):
            for table in sorted(want):
                sets = dump(os.path.join(SHARED, version, 'mysqldump',
                                         '%s.%s.txt' % (how, table)))
                equal('%s %s names of %s' % (version, how, table),
                             sets[0]['names'], want[table]['names'])
                same('%s %s %s' % (version, how, table), sets[0]['rows'],
                     want[table]['rows'])
        if version != 'mariadb-10.11':
            continue
        for form in ('csv', 'json', 'sql', 'xml', 'yml', 'php.txt',
                     'texy.txt', 'mediawiki.txt', 'excel.csv',
                     'semicolon_backslash.csv'):
            s = [x for x in dump(os.path.join(SHARED, version, 'phpmyadmin',
                                              'digests.' + form))
                 if x['columns'] == 29][0]
            same('phpMyAdmin digests as ' + form, s['rows'],
                 want['digests']['rows'])


# Files without a row to be read, or not read in full, and why; the kinds stand
# in profpivot-formats(5), too.
REASONS = [
    (r'mysqldump/tab[a-z_]*\..*\.sql$', 'a CREATE TABLE: no rows'),
    (r'\.dumpfile_|dumpfile_', 'one value without anything around it'),
    (r'phpmyadmin/.*\.tex$', 'phpMyAdmin broke off with an error page'),
    (r'phpmyadmin/.*\.ods$', 'a workbook, not text'),
    (r'slowlog/', 'a slow log and reports of it: no row sets'),
    (r'outfile/outfile_digest.*\.fixed\.csv$', 'fixed width with a column of '
     'unbounded text: no padding, nothing tells the columns'),
    (r'outfile/.*\.cs-utf16\.csv$', 'values in UTF-16 between single bytes'),
    (r'mycli/.*\.minimal\.txt$', 'neither names nor separators'),
    (r'odd_table\.batch-raw\.txt$', '-r escapes neither TABs nor newlines'),
    (r'nul_session\.batch-raw\.txt$', '-r: one column, with NUL bytes'),
    (r'(odd_json|analyze_json|explain_analyze|nul_session|odd_two_results)'
     r'\.(batch|batch-N|batch-raw)\.txt$',
     'a result of one column has nothing that tells it from text'),
    (r'statement_digest_func\.batch-N\.txt$', 'one row of words: names?'),
    (r'odd_table_names\.batch(-raw)?\.txt$', 'a TAB in a name: rows only'),
    (r'public/json_digest_deltas|public/aws_pi_get',
     'fragments of JSON without their brackets'),
]


def empty(path):
    data = open(path, 'rb').read()
    return not data.strip() or b'<resultset' in data and b'<row' not in data \
        or b'Empty set' in data


def shared_all():
    """Every file: rows without a guess, a cut or a line left over."""
    full = known = 0
    left = {}
    with open(os.path.join(SHARED, 'INDEX.tsv')) as f:
        files = [line.split('\t')[0] for line in f][1:]
    for name in files:
        path = os.path.join(SHARED, name)
        charset = re.search('(?:-|/)(big5|gbk|cp1251|latin1|utf8mb3|ascii)'
                            '(?:_|\\.)', name)
        options = ['--charset', charset.group(1)] if charset else []
        if name.endswith('.fixed.csv'):
            options = ['--fields', '']
        sets = dump(path, *options)
        rows = sum(len(s['rows']) for s in sets)
        guessed = any('guess' in t for s in sets for t in s['told'])
        reason = next((why for what, why in REASONS
                       if re.search(what, name)), None)
        cut = name.startswith('public/')
        if reason is not None:
            left.setdefault(reason, []).append(name)
            continue
        guessed &= not name.endswith('.fixed.csv')
        if rows == 0 and not empty(path):
            report.result('shared ' + name, ['no rows'])
        elif guessed and not cut and 'raw' not in name and \
                'unaligned' not in name and 'tee' not in name:
            report.result('shared ' + name, ['cells were guessed'])
        else:
            full += 1
        known += rows
    report.result('%d of %d shared files are read in full, %d rows' %
                  (full, len(files), known), [])
    for reason, names in sorted(left.items()):
        print('# %d not in full: %s' % (len(names), reason))


def main():
    if not os.path.exists(os.path.join(TOP, TOOL)):
        report.skip('client', 'no ' + TOOL)
        return report.end()
    own_forms()
    if not os.path.isdir(SHARED):
        report.skip('shared corpus', 'not there')
        return report.end()
    shared_odd()
    shared_static()
    shared_mycli()
    shared_encodings()
    shared_sessions()
    shared_dumps()
    shared_all()
    return report.end()


if __name__ == '__main__':
    sys.exit(main())
