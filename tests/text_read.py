"""Text formats as other programs read them, for tests/text.test.py and
tests/cases_out.test.py: runs of the program, tables of CSV, TSV, XML, JSON and
NDJSON, and a trace with given texts.
"""
import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
csv.field_size_limit(1 << 30)
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get('PROFPIVOT') or os.path.join(TOP, 'build/profpivot')
SHARED = os.environ.get('PP_SHARED', '')
WORK = tempfile.mkdtemp(prefix='pptext')
NS = '{urn:profpivot:1}'
FAILED = []


def result(name, bad):
    if bad:
        FAILED.append(name)
        print('not ok %s: %s' % (name, ' '.join(str(bad).split())[:400]))
    else:
        print('ok ' + name)
    sys.stdout.flush()


def skip(name, why):
    print('skip %s: %s' % (name, why))


def path(*parts):
    return os.path.join(WORK, *parts)


def run(*args, cwd=None, **env):
    e = dict(os.environ, **env)
    p = subprocess.run([PROGRAM] + list(args), env=e, cwd=cwd,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr.decode('utf-8', 'replace')


def convert(*args, ok=(0, 3), **env):
    status, out, err = run('convert', *args, **env)
    if status not in ok:
        raise RuntimeError('status %d of %s: %s' % (status, args, err))
    return out


# ------------------------------------------------------------------ reading

def split_records(text, sep):
    """RFC 4180, by hand: None for an unquoted empty field."""
    rows, row, i = [], [], 0
    while i < len(text):
        if text[i] == '"':
            j, part = i + 1, []
            while True:
                k = text.index('"', j)
                part.append(text[j:k])
                if text[k + 1:k + 2] == '"':
                    part.append('"')
                    j = k + 2
                    continue
                break
            row.append(''.join(part))
            i = k + 1
        else:
            j = i
            while j < len(text) and text[j] not in sep + '\r\n':
                j += 1
            row.append(text[i:j] if j > i else None)
            i = j
        if text[i] == sep:
            i += 1
            continue
        i += 2 if text[i] == '\r' else 1
        if text[i - 1] != '\n':
            raise ValueError('a line that ends in %r' % text[i - 1])
        rows.append(row)
        row = []
    if row:
        raise ValueError('no line end at the end')
    return rows


def read_folder(folder, sep=','):
    """TABLE -> (columns, rows); and the same by Python's csv module."""
    tables = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(('.csv', '.tsv', '.gz')):
            continue
        data = open(os.path.join(folder, name), 'rb').read()
        if name.endswith('.gz'):
            data = gzip.decompress(data)
            name = name[:-3]
        text = data.decode('utf-8')
        rows = split_records(text, sep)
        again = list(csv.reader(io.StringIO(text, newline=''),
                                delimiter=sep))
        if [[c or '' for c in r] for r in rows] != again:
            raise ValueError('%s: csv and the RFC differ' % name)
        tables[name[:-4]] = (rows[0], rows[1:])
    return tables


def local(tag):
    if not tag.startswith(NS):
        raise ValueError('alien element ' + tag)
    return tag[len(NS):]


def read_xml(name, schema):
    """The same; columns come from the schema or from the list itself."""
    root = ET.parse(name).getroot()
    if local(root.tag) != 'profpivot' or root.get('version') != '1':
        raise ValueError('root')
    tables = {}
    lists = []
    for t in root:
        if local(t.tag) == 'pivots':
            lists += [(p.get('name'), p, True) for p in t]
        else:
            lists.append((local(t.tag), t, False))
    for name, t, pivot in lists:
        cols = t.get('columns')
        if cols:
            cols = [c.rsplit(':', 1)[0] for c in cols.split(' ')]
        else:
            cols = schema[name]
        rows = []
        for row in t.iter(NS + 'row'):
            v = dict(row.attrib)
            v.pop('lossy', None)
            if pivot:
                v[cols[-1]] = v.pop('cell', None)
            for child in row:
                if local(child.tag) == 'field':
                    v[child.get('name')] = child.text or ''
                elif local(child.tag) != 'row':
                    v[local(child.tag)] = child.text or ''
            if set(v) - set(cols):
                raise ValueError('%s: %s' % (name, set(v) - set(cols)))
            rows.append([v.get(c) for c in cols])
        tables[name] = (cols, rows)
    return tables


def no_constant(c):
    raise ValueError('constant ' + c)


def plain_json(text):
    return json.loads(text, parse_float=lambda s: s, parse_int=lambda s: s,
                      parse_constant=no_constant)


def read_json(name):
    doc = plain_json(open(name, encoding='utf-8').read())
    return {t: (list(rows[0]) if rows else None,
                [list(r.values()) for r in rows])
            for t, rows in doc['tables'].items()}


def read_ndjson(name):
    tables = {}
    for line in open(name, encoding='utf-8'):
        r = plain_json(line)
        cols, rows = tables.setdefault(r.pop('table'), (list(r), []))
        if list(r) != cols:
            raise ValueError('members of %s differ' % cols)
        rows.append(list(r.values()))
    return tables


# Text that XML 1.0 can hold; a parser turns nothing else round.
ILLEGAL = re.compile('[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]')


def xml_text(rows):
    return [[c and ILLEGAL.sub('\ufffd', c) for c in r] for r in rows]


LOSSES = ('sanitised', 'cell-cut', 'spilled', 'left-out')


def without_losses(cols, rows):
    k = cols.index('id')
    return [r for r in rows if r[k] not in LOSSES]


def compare(want, got, name, wide, change=lambda rows: rows, empty=True):
    """Tables of one format against those of CSV."""
    missing = [t for t in want if t not in got and t not in wide and
               (empty or want[t][1])]
    if missing or set(got) - set(want):
        return '%s: tables %s, %s' % (name, missing, set(got) - set(want))
    for t, (cols, rows) in got.items():
        wcols, wrows = want[t]
        if cols is not None and cols != wcols:
            return '%s: columns of %s: %s' % (name, t, cols)
        wrows = change(wrows)
        if t == 'problems' and cols is not None:
            rows = without_losses(cols, rows)
            wrows = without_losses(wcols, wrows)
        if t == 'problems' and not rows and not without_losses(wcols, wrows):
            continue
        if rows != wrows:
            for i, (a, b) in enumerate(zip(wrows, rows)):
                if a != b:
                    k = [x != y for x, y in zip(a, b)].index(True)
                    return '%s: %s row %d %s: %r is not %r' % (
                        name, t, i, wcols[k], b[k], a[k])
            return '%s: %s has %d rows, not %d' % (name, t, len(rows),
                                                   len(wrows))
    return None


# ------------------------------------------------------------------- inputs

def declared():
    out = run('list', 'columns')[1].decode()
    tables = {}
    for line in out.splitlines()[1:]:
        t, c = line.split('\t')[:2]
        if c != '...':
            tables.setdefault(t, []).append(c)
    return tables


SCHEMA = declared()
XSD = path('profpivot.xsd')
XSD_NESTED = path('nested.xsd')
with open(XSD, 'wb') as f:
    f.write(run('list', 'schema')[1])
with open(XSD_NESTED, 'wb') as f:
    f.write(run('list', 'schema', '--xml', 'nested')[1])


def valid(name, schema=XSD):
    p = subprocess.run(['xmllint', '--stream', '--noout', '--schema', schema,
                        name], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
    return None if p.returncode == 0 else p.stdout.decode()[:300]


def trace(name, texts, module='SQL*Plus', action=''):
    """A small trace with these statement texts, a cursor each."""
    lines = ['*** 2024-03-05 09:10:11.000100',
             '*** SESSION ID:(12.345) 2024-03-05 09:10:11.000100']
    out = '\n'.join(lines).encode() + b'\n'
    out += b'*** MODULE NAME:(' + module.encode() + \
        b') 2024-03-05 09:10:11.000100\n'
    out += b'*** ACTION NAME:(' + action.encode() + \
        b') 2024-03-05 09:10:11.000100\n'
    tim = 1411222333445735
    for i, text in enumerate(texts):
        cursor = 11529215099900770001 + i
        out += b'=====================\n'
        out += b'PARSING IN CURSOR #%d len=%d dep=0 uid=7 oct=3 lid=7 ' \
            b"tim=%d hv=%d ad='1' sqlid='a1b2c3d4f5g%02d'\n" % (
                cursor, len(text), tim, i, i)
        out += text + b'\nEND OF STMT\n'
        for call in (b'PARSE', b'EXEC'):
            tim += 64
            out += call + b' #%d:c=10,e=20,p=0,cr=1,cu=0,mis=0,r=0,dep=0,' \
                b'og=1,plh=0,tim=%d\n' % (cursor, tim)
    with open(path(name), 'wb') as f:
        f.write(out)
    return path(name)


def end():
    shutil.rmtree(WORK, ignore_errors=True)
    sys.exit(1 if FAILED else 0)
