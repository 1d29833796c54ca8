#!/usr/bin/python3
"""Text formats, read back by other programs.

Every table of an input is read from CSV (Python's csv; libcsv by way of the
program's own reader), TSV, XML (ElementTree), JSON and NDJSON (json), and has
the same rows and values in all; XML is valid by xmllint; what was written is
read back to the same bytes; hostile text goes through every writer; and
LibreOffice loads CSV in the dialects for Excel.  What is absent is skipped,
saying so.
"""
import csv
import decimal
import glob
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zlib
from decimal import Decimal

from text_read import ILLEGAL, SCHEMA, SHARED, TOP, WORK, XSD_NESTED, \
    compare, convert, end, path, read_folder, read_json, read_ndjson, \
    read_xml, result, run, skip, split_records, valid, xml_text


def inputs():
    oracle = os.path.join(TOP, 'corpora', 'oracle10046', 'ok')
    yield 'oracle', [oracle], ['--events', '--by', 'module,env', '--tag',
                               'env=/([a-z])[a-z0-9_]*[.]trc']
    digests = os.path.join(TOP, 'corpora', 'digests')
    if os.path.isdir(digests):
        yield 'digests', [digests], ['--events']
    states = os.path.join(SHARED, 'corpora/mysql/mysql-9.7/profile')
    if SHARED and os.path.isdir(states):
        yield 'showprofile', sorted(glob.glob(states + '/*.table*.txt')), []
    else:
        skip('showprofile', 'no shared corpus')


PIVOTS = ['--pivot', 'p_1=profile:event,class:source,session:time_s',
          '--pivot', 'profile:class::count:avg', '--totals', '--top', '3']


def check_formats(kind, files, options):
    base = files + options + ['-q']
    pivots = [] if kind == 'digests' else PIVOTS
    full = base + pivots
    d = path(kind)
    os.mkdir(d)
    status = run('convert', *full, '-t', 'csv', '-o', d + '/csv')[0]
    if status not in (0, 3):
        skip(kind, 'no reader for it in this build')
        return
    convert(*full, '-t', 'tsv', '-o', d + '/tsv')
    convert(*full, '-t', 'csv', '--gzip', '-o', d + '/gz')
    for suffix in ('xml', 'json', 'ndjson'):
        convert(*base, '-o', '%s/out.%s' % (d, suffix))
    want = read_folder(d + '/csv')
    mine = {t: v for t, v in want.items()
            if t not in ('p_1', 'profile_by_class')}
    meta = json.load(open(d + '/csv/schema.json'))
    wide = {r['name'] for r in meta['resources'] if r.get('wide')}
    result('%s: tsv is csv' % kind,
           compare(want, read_folder(d + '/tsv', '\t'), 'tsv', ()))
    result('%s: csv.gz is csv' % kind,
           compare(want, read_folder(d + '/gz'), 'gz', ()))
    result('%s: xml is csv' % kind, compare(
        mine, read_xml(d + '/out.xml', SCHEMA), 'xml', wide, xml_text))
    result('%s: json is csv' % kind,
           compare(mine, read_json(d + '/out.json'), 'json', wide))
    result('%s: ndjson is csv' % kind, compare(
        mine, read_ndjson(d + '/out.ndjson'), 'ndjson', wide, empty=False))
    convert(*full, '-o', d + '/pivots.xml')
    convert(*full, '--xml', 'nested', '-o', d + '/nested.xml')
    if shutil.which('xmllint'):
        result('%s: xml is valid' % kind, valid(d + '/out.xml'))
        result('%s: xml with pivots is valid' % kind,
               valid(d + '/pivots.xml'))
        result('%s: nested xml is valid' % kind,
               valid(d + '/nested.xml', XSD_NESTED))
    else:
        skip('%s: valid' % kind, 'no xmllint')
    result('%s: nested xml has the rows of the flat one' % kind,
           compare(read_xml(d + '/pivots.xml', SCHEMA),
                   read_xml(d + '/nested.xml', SCHEMA), 'nested', ()))
    check_schema(kind, d, meta, want)
    check_back(kind, d, full, want)


# --------------------------------------------------------------- schema.json

def check_schema(kind, d, meta, want):
    bad = []
    names = [r['name'] for r in meta['resources']]
    if sorted(names) != sorted(want):
        bad.append('resources %s' % names)
    types = {'string': str, 'integer': int, 'number': Decimal}
    for r in meta['resources']:
        data = open(os.path.join(d, 'csv', r['path']), 'rb').read()
        if len(data) != r['bytes'] or r['hash'] != 'sha256:' + \
                hashlib.sha256(data).hexdigest():
            bad.append('sum of ' + r['path'])
        cols, rows = want[r['name']]
        fields = r['schema']['fields']
        if [f['name'] for f in fields] != cols or r['rows'] != len(rows):
            bad.append('fields or rows of ' + r['name'])
        for k, f in enumerate(fields):
            for row in rows:
                if row[k] is None or f['type'] == 'datetime':
                    continue
                try:
                    types[f['type']](row[k])
                except (ValueError, decimal.InvalidOperation):
                    bad.append('%s.%s: %r' % (r['name'], f['name'], row[k]))
                    break
            if f['name'].endswith('_s') != (f.get('unit') == 's') and \
                    not r.get('wide') and not r.get('pivot'):
                bad.append('unit of %s.%s' % (r['name'], f['name']))
        key = r['schema'].get('primaryKey')
        if key:
            at = [cols.index(c) for c in key]
            # --by splits what is else one row
            more = [i for i, c in enumerate(cols)
                    if c not in SCHEMA.get(r['name'], cols)]
            found = {tuple(row[i] for i in at + more) for row in rows}
            if len(found) != len(rows) and not r.get('wide'):
                bad.append('key of ' + r['name'])
        for ref in r['schema'].get('foreignKeys', []):
            to = want[ref['reference']['resource']]
            there = {tuple(row[to[0].index(c)] for c in
                           ref['reference']['fields']) for row in to[1]}
            for row in rows:
                v = tuple(row[cols.index(c)] for c in ref['fields'])
                if None not in v and v not in there:
                    bad.append('%s refers to %s' % (r['name'], v))
                    break
    result('%s: schema.json' % kind, '; '.join(bad[:3]))
    gz = json.load(open(os.path.join(d, 'gz', 'schema.json')))
    bad = [r['path'] for r in gz['resources'] if hashlib.sha256(open(
        os.path.join(d, 'gz', r['path']), 'rb').read()).hexdigest()
        not in r['hash']]
    result('%s: schema.json of compressed tables' % kind, bad)


# ---------------------------------------------------------------- round trip

def same_folder(a, b):
    for n in sorted(set(os.listdir(a)) | set(os.listdir(b))):
        x, y = os.path.join(a, n), os.path.join(b, n)
        if not os.path.exists(x) or not os.path.exists(y):
            return n + ' is in one only'
        if open(x, 'rb').read() != open(y, 'rb').read():
            return n + ' differs'
    return None


def check_back(kind, d, full, want):
    for dialect in ('rfc4180', 'excel', 'excel-semicolon'):
        at = '%s/d_%s' % (d, dialect)
        convert(*full, '-t', 'csv', '--csv', dialect, '-o', at)
        convert(at, '-t', 'csv', '-o', at + '_back', ok=(0,))
        result('%s: csv %s and back' % (kind, dialect),
               same_folder(d + '/csv', at + '_back'))
    convert(d + '/tsv', '-t', 'csv', '-o', d + '/tsv_back', ok=(0,))
    result('%s: tsv and back' % kind,
           same_folder(d + '/csv', d + '/tsv_back'))
    convert(d + '/gz', '-t', 'csv', '-o', d + '/gz_back', ok=(0,))
    result('%s: csv.gz and back' % kind,
           same_folder(d + '/csv', d + '/gz_back'))
    one = open(d + '/pivots.xml', 'rb').read().replace(b' lossy="1"', b'')
    convert(d + '/pivots.xml', '-o', d + '/back.xml', ok=(0,))
    result('%s: xml and back' % kind,
           open(d + '/back.xml', 'rb').read() != one)
    convert(d + '/nested.xml', '-o', d + '/back2.xml', ok=(0,))
    result('%s: nested xml to flat' % kind,
           open(d + '/back2.xml', 'rb').read() != one)
    # libcsv on the way in
    convert(d + '/csv', '-o', d + '/back.json', ok=(0,))
    got = read_json(d + '/back.json')
    direct = read_json(d + '/out.json')
    for t in ('problems',):
        got.pop(t, None)
        direct.pop(t, None)
    result('%s: csv to json is json' % kind, got != direct)
    convert(d + '/csv', '--table', 'profile', '-o', d + '/one.csv', ok=(0,))
    result('%s: one table of tables' % kind,
           open(d + '/one.csv', 'rb').read() !=
           open(d + '/csv/profile.csv', 'rb').read())
    if kind == 'oracle':
        convert(d + '/csv', '--tables', 'again', '--pivot',
                'again=profile:event,class:source,session:time_s', '--top',
                '3', '--totals', '-t', 'csv', '-o', d + '/again', ok=(0,))
        result('oracle: a pivot over tables', open(
            d + '/again/again.csv', 'rb').read() != open(
            d + '/csv/p_1.csv', 'rb').read())


# -------------------------------------------------------------- hostile text

HOSTILE = {
    'latin': b'caf\xe9',
    'cut': b'cut \xe2\x82',
    'overlong': b'\xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80',
    'nul': b'a\x00b',
    'controls': bytes(range(1, 32)),
    'nonchar': '\ufffe and \uffff'.encode(),
    'cr': b'one\rtwo\r\nthree\n',
    'cdata': b'<![CDATA[x]]>]]>&amp;<!-- -- -->',
    'quotes': b'select "a",\'b;c\',\tx from t',
    'only quote': b'"',
    'formula': b'=HYPERLINK("http://x")',
    'at': b'@sum',
    'comment': b'-- get all\nselect 1',
    'minus': b'-15120',
    'tab first': b'\tx',
    'apostrophe': b"'quoted'",
    'semicolon': b'a;b',
    'xlsx escape': b'_x0041_ _x005F_',
    'empty': b'',
    'blank': b' ',
    'bom': b'\xef\xbb\xbfx',
    'unicode': 'Ünïcödé \U0001f42c \u2028'.encode(),
    'backslash': b'\\N \\" \\\\',
    'long': b'x' * 70000 + b'"' + b'y' * 70000,
}


def hostile_folder(folder):
    """`errors` with such texts, as the program would write them."""
    os.mkdir(folder)
    cols = SCHEMA['errors']
    kind = {'session': 'int', 'line': 'int', 'code': 'int', 'at_s': 'seconds',
            'source': 'text', 'text': 'text'}
    rows = b','.join(c.encode() for c in cols) + b'\n'
    for i, text in enumerate(HOSTILE.values()):
        v = {'source': b'x.trc', 'session': b'1', 'line': b'%d' % (i + 1),
             'statement': b'?1', 'code': b'-15120', 'at_s': b'0.000001',
             'text': b'"' + text.replace(b'"', b'""') + b'"'}
        rows += b','.join(v[c] for c in cols) + b'\n'
    with open(folder + '/errors.csv', 'wb') as f:
        f.write(rows)
    with open(folder + '/schema.json', 'w') as f:
        json.dump({'profile': 'tabular-data-package', 'name': 'profpivot',
                   'resources': [{'name': 'errors', 'path': 'errors.csv',
                                  'schema': {'fields': [
                                      {'name': c, 'kind': kind.get(c, 'id')}
                                      for c in cols]}}]}, f)


def repaired(b):
    return b.decode('utf-8', 'replace')


def check_hostile():
    src = path('hostile')
    hostile_folder(src)
    col = SCHEMA['errors'].index('text')
    want = [repaired(t) for t in HOSTILE.values()]
    for t, sep in (('csv', ','), ('tsv', '\t')):
        convert(src, '-t', t, '-o', '%s.%s' % (src, t), ok=(0,))
        got = read_folder('%s.%s' % (src, t), sep)['errors'][1]
        result('hostile text through ' + t,
               [r[col] for r in got] != want and [
                   (a, b) for a, b in zip(want, (r[col] for r in got))
                   if a != b][:2])
    convert(src, '--table', 'errors', '-o', src + '.json', ok=(0,))
    got = json.load(open(src + '.json', encoding='utf-8'))
    result('hostile text through json', [r['text'] for r in got] != want)
    convert(src, '--table', 'errors', '-o', src + '.ndjson', ok=(0,))
    got = [json.loads(x) for x in
           open(src + '.ndjson', encoding='utf-8', newline='\n')]
    result('hostile text through ndjson', [r['text'] for r in got] != want)
    convert(src, '-o', src + '.xml', ok=(0,))
    got = read_xml(src + '.xml', SCHEMA)['errors'][1]
    wanted = [ILLEGAL.sub('\ufffd', w) for w in want]
    result('hostile text through xml', [r[col] for r in got] != wanted and [
        (a, b) for a, b in zip(wanted, (r[col] for r in got)) if a != b][:2])
    if shutil.which('xmllint'):
        result('hostile text: xml is valid', valid(src + '.xml'))
    for dialect, sep in (('excel', ','), ('excel-semicolon', ';')):
        at = '%s.%s' % (src, dialect)
        convert(src, '-t', 'csv', '--csv', dialect, '-o', at, ok=(0,))
        data = open(at + '/errors.csv', 'rb').read()
        rows = split_records(data[3:].decode('utf-8'), sep)
        guarded = ["'" + w if w[:1] in tuple('=+-@\t\r') else w
                   for w in want]
        bad = []
        if data[:3] != b'\xef\xbb\xbf' or not data.endswith(b'\r\n'):
            bad.append('mark or line end')
        if [r[col] for r in rows[1:]] != guarded:
            bad.append('text')
        code = SCHEMA['errors'].index('code')
        if {r[code] for r in rows[1:]} != {'-15120'}:
            bad.append('numbers')
        result('hostile text through ' + dialect, bad)
    for t, sep in (('csv', ','), ('tsv', '\t')):
        at = '%s.flat.%s' % (src, t)
        convert(src, '-t', t, '--flatten-text', '-o', at, ok=(0,))
        data = open('%s/errors.%s' % (at, t), 'rb').read().decode('utf-8')
        lines = data.split('\n')
        flat = [re.sub('\r\n|\r|\n', ' ', w) for w in want]
        if t == 'tsv':
            flat = [w.replace('\t', ' ') for w in flat]
        rows = split_records(data, sep)[1:]
        bad = []
        if len(lines) != len(want) + 2 or '\r' in data:
            bad.append('%d lines' % len(lines))
        if [r[col] for r in rows] != flat:
            bad.append('text')
        if t == 'tsv' and {x.count('\t') for x in lines[:-1]} != {
                len(SCHEMA['errors']) - 1}:
            bad.append('tabs')
        result('flat text through ' + t, bad)
    status, _, err = run('convert', src, '-o', src + '.xlsx')
    result('hostile text through xlsx', status != 0 and err)


# --------------------------------------------------------------------- gzip

def check_members():
    """Members of 262144 bytes, each a file of its own; any join is one."""
    demo = os.path.join(TOP, 'corpora', 'oracle10046', 'ok', 'demo.trc')
    args = (demo, '-q', '--intervals', '2000', '--table', 'timeline', '-t')
    for t in ('csv', 'json', 'xml'):
        plain = convert(*args, t, '-o', '-')
        packed = convert(*args, t, '--gzip', '-o', '-')
        sizes, rest = [], packed
        while rest:
            z = zlib.decompressobj(31)
            sizes.append(len(z.decompress(rest)))
            rest = z.unused_data
        bad = []
        if gzip.decompress(packed) != plain:
            bad.append('contents')
        if len(sizes) < 2 or set(sizes[:-1]) != {262144} or \
                sizes[-1] > 262144:
            bad.append('members %s' % sizes)
        if gzip.decompress(packed + packed) != plain + plain:
            bad.append('joined')
        result('gzip: members of ' + t, '; '.join(bad))
    data = convert(demo, '-q', '--table', 'errors', '-t', 'ndjson', '--gzip',
                   '-o', '-')
    result('gzip: nothing is a member', gzip.decompress(data) != convert(
        demo, '-q', '--table', 'errors', '-t', 'ndjson', '-o', '-') or
        data[:2] != b'\x1f\x8b')


# ---------------------------------------------------------------- same bytes

def check_same_bytes():
    oracle = os.path.join(TOP, 'corpora', 'oracle10046', 'ok')
    files = sorted(glob.glob(oracle + '/*.trc'))[:12]
    options = ['-q', '--events', '--pivot', 'timeline:event:interval:time_s']

    def write(name, order, **env):
        cwd = env.pop('cwd', None)
        for suffix in ('xml', 'json', 'ndjson', 'folded', 'speedscope.json',
                       'txt'):
            more = options if suffix in ('xml', 'json', 'ndjson') else ['-q']
            convert(*order, *more, '-o', path('%s.%s' % (name, suffix)),
                    cwd=cwd, **env)
        for gz in ([], ['--gzip']):
            convert(*order, *options, *gz, '-t', 'csv', '-o',
                    path(name + '.csv' + ''.join(gz)), cwd=cwd, **env)

    write('b0', files)
    write('b1', files, TZ='Pacific/Auckland', LC_ALL='de_DE.UTF-8')
    write('b2', files[::-1], TZ='America/New_York', LANG='tr_TR.UTF-8',
          cwd='/')
    for name in ('b1', 'b2'):
        bad = [s for s in ('xml', 'json', 'ndjson', 'folded',
                           'speedscope.json', 'txt')
               if open(path('b0.' + s), 'rb').read() !=
               open(path(name + '.' + s), 'rb').read()]
        bad += [same_folder(path('b0.csv' + g), path(name + '.csv' + g))
                for g in ('', '--gzip')
                if same_folder(path('b0.csv' + g), path(name + '.csv' + g))]
        result('same bytes: ' + name, bad)


# -------------------------------------------------------------- flame graphs

def check_flames():
    demo = os.path.join(TOP, 'corpora', 'oracle10046', 'ok', 'demo.trc')
    tree = [dict(zip(SCHEMA['tree'], r)) for r in split_records(convert(
        demo, '-q', '--table', 'tree', '-o', '-').decode(), ',')[1:]]
    self_us = [int(Decimal(r['self_s']) * 1000000) for r in tree]
    want = [x for x in self_us if x > 0]
    folded = convert(demo, '-q', '-t', 'folded', '-o', '-').decode()
    lines = folded.splitlines()
    bad = [x for x in lines if not re.fullmatch(r'demo\.trc #1(;[^;\n]+)+ \d+',
                                               x)]
    got = [int(x.rsplit(' ', 1)[1]) for x in lines]
    result('folded: lines', bad[:1])
    result('folded: self times of the tree', got != want and (got, want))
    depth = [int(r['depth']) for r, x in zip(tree, self_us) if x > 0]
    result('folded: depths', [x.count(';') - 1 for x in lines] != depth)
    doc = json.loads(convert(demo, '-q', '-t', 'speedscope', '-o', '-'))
    p = doc['profiles'][0]
    frames = doc['shared']['frames']
    bad = []
    if len(doc['profiles']) != 1 or p['type'] != 'sampled' or \
            p['unit'] != 'microseconds' or p['startValue'] != 0:
        bad.append('shape')
    if p['weights'] != want or p['endValue'] != sum(want):
        bad.append('weights')
    stacks = [';'.join(frames[i]['name'] for i in s) for s in p['samples']]
    if stacks != [x.rsplit(' ', 1)[0].split(';', 1)[1] for x in lines]:
        bad.append('stacks')
    result('speedscope', bad)


# ------------------------------------------------------------------- pivots

def check_pivots():
    """Against the rows of the table, added up here."""
    oracle = os.path.join(TOP, 'corpora', 'oracle10046', 'ok')
    d = path('pivots')
    convert(oracle, '-q', '--events', '--pivot',
            'a=events:event,class:source:elapsed_s', '--pivot',
            'b=events:kind:event:event_id:count', '--pivot',
            'c=statements:statement:session:self_s:max', '--pivot',
            'd=timeline:source,session,interval:event:time_s', '--totals',
            '-t', 'csv', '-o', d)
    t = read_folder(d)

    def cells(table, rows, cols, value):
        names, data = t[table]
        at = names.index
        out = {}
        for r in data:
            key = tuple(r[at(c)] for c in rows), tuple(
                r[at(c)] for c in cols)
            out.setdefault(key, [])
            if r[at(value)] is not None:
                out[key].append(Decimal(r[at(value)]))
        return out

    def check(name, table, rows, cols, value, op):
        names, data = t[name]
        n = len(rows)
        want = {}
        for (r, c), v in cells(table, rows, cols, value).items():
            label = ' / '.join('(empty)' if x is None else x or '?'
                               for x in c)
            if v or op is len:
                want[r, label.lower()] = op(v)
        got = {}
        for row in data:
            if row[0] == 'total' and all(x is None for x in row[1:n]):
                continue
            for col, v in zip(names[n:-1], row[n:-1]):
                if v is not None:
                    got[tuple(row[:n]), col.lower()] = Decimal(v)
        bad = [k for k in set(want) | set(got) if want.get(k) != got.get(k)]
        result('pivot %s' % name, [(k, want.get(k), got.get(k))
                                   for k in bad[:2]])

    check('a', 'events', ['event', 'class'], ['source'], 'elapsed_s', sum)
    check('b', 'events', ['kind'], ['event'], 'event_id', len)
    check('c', 'statements', ['statement'], ['session'], 'self_s', max)
    check('d', 'timeline', ['source', 'session', 'interval'], ['event'],
          'time_s', sum)
    names, data = t['a']
    foot = data[-1]
    total = sum(Decimal(r[-1]) for r in data[:-1] if r[-1] is not None)
    result('pivot: totals', foot[0] != 'total' or Decimal(foot[-1]) != total)
    # as rows, where the output has no wide tables
    out = convert(oracle, '-q', '--pivot',
                  'x=profile:source,session:event:time_s', '--table', 'x',
                  '-t', 'json', '-o', '-')
    rows = json.loads(out, parse_float=Decimal)
    want = {(r, c): sum(v) for (r, c), v in cells(
        'profile', ['source', 'session'], ['event'], 'time_s').items() if v}
    got = {((r['source'], str(r['session'])), (r['event'],)):
           Decimal(r['sum_time_s']) for r in rows}
    result('pivot: as rows', got != want)


# ------------------------------------------------------- damaged tables

def check_damage():
    demo = os.path.join(TOP, 'corpora', 'oracle10046', 'ok', 'demo.trc')
    good = path('good')
    convert(demo, '-q', '--events', '-t', 'csv', '-o', good)
    convert(demo, '-q', '--events', '-o', good + '.xml')

    def damaged(name, change):
        d = path(name)
        shutil.copytree(good, d)
        change(d)
        return run('convert', d, '-v', '-t', 'csv', '-o', d + '.out') + (d,)

    def edit(name, f):
        def change(d):
            p = os.path.join(d, name)
            data = open(p, 'rb').read()
            open(p, 'wb').write(f(data))
        return change

    def expect(name, change, want, *ids):
        status, _, err, d = damaged(name, change)
        bad = []
        if status != want:
            bad.append('status %d: %s' % (status, err))
        bad += [i for i in ids if '[%s]' % i not in err]
        result('tables, ' + name, '; '.join(bad))
        return d + '.out'

    def drop_line(data):
        return b'\n'.join(data.split(b'\n')[:3] + data.split(b'\n')[4:])

    out = expect('a row less', edit('profile.csv', drop_line), 3,
                 'row-count', 'changed')
    p = read_folder(out)['problems'][1]
    result('tables, a row less: problems',
           not any('row-count' in r for r in p))
    expect('no number', edit('profile.csv', lambda b: re.sub(
        rb',[0-9]+\.[0-9]{6},', b',soon,', b, 1)), 3, 'bad-record')
    expect('a field more', edit('profile.csv', lambda b: b.replace(
        b',cpu,', b',cpu,x,', 1)), 3, 'bad-record')
    expect('a quote inside', edit('profile.csv', lambda b: b.replace(
        b',cpu,', b',"c"pu,', 1)), 3, 'bad-record')
    expect('another header', edit('profile.csv', lambda b: b.replace(
        b'event,', b'evnt,', 1)), 3, 'bad-record')
    expect('no file', lambda d: os.remove(d + '/profile.csv'), 3,
           'unreadable')
    expect('a file outside', edit('schema.json', lambda b: b.replace(
        b'"path": "profile.csv"', b'"path": "../profile.csv"')), 3,
        'bad-record')
    expect('no schema', edit('schema.json', lambda b: b[:len(b) // 2]), 1,
           'not-recognised')
    expect('edited on purpose', edit('profile.csv', lambda b: b.replace(
        b'CPU EXEC', b'CPU exec')), 0, 'changed')
    xml = open(good + '.xml', 'rb').read()
    for name, data, want in (
            ('cut', xml[:len(xml) // 2], 3),
            ('of a later version', xml.replace(b'profpivot:1"',
                                               b'profpivot:2"'), 1),
            ('with a document type', xml.replace(
                b'?>', b'?><!DOCTYPE profpivot [<!ENTITY a "b">]>', 1), 1),
            ('no number', xml.replace(b'time_s="', b'time_s="x', 1), 3)):
        with open(path('bad.xml'), 'wb') as f:
            f.write(data)
        status, _, err = run('convert', path('bad.xml'), '-o',
                             path('bad.json'))
        result('xml, ' + name, status != want and '%d %s' % (status, err))
    # whatever is changed: no crash, no hang
    rnd = random.Random(7)
    bad = []
    names = sorted(n for n in os.listdir(good) if n != '.profpivot')
    for i in range(60):
        d = path('fuzz')
        shutil.rmtree(d, ignore_errors=True)
        shutil.copytree(good, d)
        name = rnd.choice(names + ['schema.json'] * 8)
        data = bytearray(open(os.path.join(d, name), 'rb').read())
        x = bytearray(xml)
        for b in (data, x):
            for _ in range(rnd.randint(1, 6)):
                k = rnd.randrange(len(b))
                if rnd.random() < 0.3:
                    del b[k:k + rnd.randint(1, 400)]
                else:
                    b[k] = rnd.choice(b'"\'<>,{}[]\\\n\0\xff09-')
        open(os.path.join(d, name), 'wb').write(data)
        open(path('fuzz.xml'), 'wb').write(x)
        for src in (d, path('fuzz.xml')):
            status, _, err = run('convert', '-q', src, '-o',
                                 path('fuzz.json'))
            if status not in (0, 1, 3):
                bad.append('%d: %d %s' % (i, status, err[-200:]))
    result('tables, changed at random', '; '.join(bad[:2]))


# -------------------------------------------------------------- LibreOffice

ODS = '{urn:oasis:names:tc:opendocument:xmlns:table:1.0}'
OFFICE = '{urn:oasis:names:tc:opendocument:xmlns:office:1.0}'
TEXT = '{urn:oasis:names:tc:opendocument:xmlns:text:1.0}'


def sheet(name):
    """Cells of a flat document: (kind, value)."""
    rows = []
    for row in ET.parse(name).getroot().iter(ODS + 'table-row'):
        cells = []
        for c in row:
            if not c.tag.endswith('table-cell'):
                continue
            n = int(c.get(ODS + 'number-columns-repeated', '1'))
            kind = c.get(OFFICE + 'value-type')
            if kind == 'float':
                v = kind, Decimal(c.get(OFFICE + 'value'))
            elif kind is None:
                v = None, None
            else:
                v = kind, '\n'.join(''.join(p.itertext())
                                    for p in c.findall(TEXT + 'p'))
            cells += [v] * min(n, 64)
        rows.append(cells)
    return rows


def check_office():
    office = shutil.which('soffice')
    if not office:
        skip('LibreOffice', 'it is not installed')
        return
    demo = os.path.join(TOP, 'corpora', 'oracle10046', 'ok', 'demo.trc')
    convert(demo, '-q', '-t', 'csv', '-o', path('office'))
    plain = read_folder(path('office'))
    for dialect in ('excel', 'excel-semicolon'):
        d = path('office.' + dialect)
        convert(demo, '-q', '-t', 'csv', '--csv', dialect, '-o', d)
        meta = json.load(open(d + '/schema.json'))
        for lang, code in (('en_US', 1033), ('de_DE', 1031)):
            for table in ('profile', 'statements'):
                bad = office_one(office, d, meta, table, lang, code,
                                 plain[table])
                if bad == 'no output':
                    skip('LibreOffice %s %s' % (dialect, lang),
                         'it writes nothing here')
                    return
                result('LibreOffice: %s, %s, %s' % (dialect, lang, table),
                       bad)


def office_one(office, d, meta, table, lang, code, plain):
    r = [x for x in meta['resources'] if x['name'] == table][0]
    fields = r['schema']['fields']
    formats = []
    for i, f in enumerate(fields):
        # 2: text; 10: numbers with a point, whatever the language
        how = 2 if f['type'] in ('string', 'datetime') else \
            10 if f.get('decimalChar', '.') == '.' else 1
        formats.append('%d/%d' % (i + 1, how))
    sep = ord(r['dialect']['delimiter'])
    # 76: UTF-8; quoted fields are not text for being quoted
    if any(f.get('decimalChar') == ',' for f in fields):
        code = 1031     # decimal commas are read as such
    tokens = '%d,34,76,1,%s,%d,false,true' % (sep, '/'.join(formats), code)
    out = path('fods')
    shutil.rmtree(out, ignore_errors=True)
    env = dict(os.environ, LC_ALL=lang + '.UTF-8', LANG=lang + '.UTF-8',
               HOME=WORK)
    subprocess.run([office, '--headless', '-env:UserInstallation=file://' +
                    path('office-profile-' + lang), '--infilter=CSV:' +
                    tokens, '--convert-to', 'fods', '--outdir', out,
                    os.path.join(d, r['path'])], env=env, timeout=300,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    name = os.path.join(out, table + '.fods')
    if not os.path.exists(name):
        return 'no output'
    cols, rows = plain
    got = sheet(name)
    if [c[1] for c in got[0][:len(cols)]] != cols:
        return 'header %s' % [c[1] for c in got[0]][:40]
    sums = {}
    for want, cells in zip(rows, got[1:]):
        for f, w, c in zip(fields, want, cells + [(None, None)] * 99):
            if w is None or w == '':
                if c[0] not in (None, 'string') or c[1]:
                    return '%s: %r for nothing' % (f['name'], c)
            elif f['type'] in ('string', 'datetime'):
                if c[0] != 'string':
                    return '%s: %r is no text' % (f['name'], c)
                w = ' '.join(w.split())
                guard = "'" if w[:1] in tuple('=+-@') else ''
                if ' '.join(c[1].split()) not in (w, guard + w):
                    return '%s: %r is not %r' % (f['name'], c[1], w)
            elif c[0] != 'float':
                return '%s: %r is no number' % (f['name'], c)
            else:
                a, b = sums.get(f['name'], (0, 0))
                sums[f['name']] = a + Decimal(w), b + c[1]
    bad = [n for n, (a, b) in sums.items() if abs(a - b) > Decimal('1e-6')]
    if len(got) < len(rows) + 1 or not sums or bad:
        return 'sums of %s' % bad
    return None


def main():
    try:
        for kind, files, options in inputs():
            check_formats(kind, files, options)
        check_hostile()
        check_members()
        check_flames()
        check_pivots()
        check_same_bytes()
        check_damage()
        check_office()
    finally:
        end()


main()
