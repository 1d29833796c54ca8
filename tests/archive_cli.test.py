#!/usr/bin/python3
"""profpivot archive: its commands, options, messages and statuses.

The right rows of query are those that convert makes of the same profiles;
the rest is worked out by hand from what was added.
"""
import csv
import io
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
from decimal import Decimal

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from archives import CORPORA, PROFPIVOT, Checks, read, write  # noqa: E402

checks = Checks('archive cli')
ok, run = checks.ok, checks.run


def on_terminal(*args, columns=80):
    """What the program prints on a terminal without colours."""
    import fcntl
    import termios
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ,
                struct.pack('HHHH', 24, columns, 0, 0))
    env = dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8')
    with subprocess.Popen([PROFPIVOT] + list(args), stdout=side,
                          stderr=subprocess.DEVNULL, env=env) as p:
        os.close(side)
        out = b''
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:
                break
            if not piece:
                break
            out += piece
    os.close(main)
    return out.decode('utf-8').replace('\r\n', '\n'), p.returncode


def rows_of(data):
    return list(csv.DictReader(io.StringIO(data.decode('utf-8'))))


def sorted_rows(data):
    return sorted(data.decode('utf-8', 'replace').split('\n'))


DEMO = read(os.path.join(CORPORA, 'oracle10046/ok/demo.trc'))
LINES = DEMO.split(b'\n')
PART = b'\n'.join(LINES[:240]) + b'\n'


def make_archives():
    write('orders.trc', PART)
    run('archive', 'add', 'g.ppa', 'orders.trc')
    write('orders.trc', DEMO)
    run('archive', 'add', 'g.ppa', 'orders.trc')
    write('snap.trc', DEMO)
    run('archive', 'add', 'v.ppa', 'snap.trc')
    write('snap.trc', DEMO.replace(b'db file', b'xx file'))
    run('archive', 'add', 'v.ppa', 'snap.trc')
    write('other.trc', PART.replace(b'db file', b'yy file'))
    run('archive', 'add', 'v.ppa', 'other.trc')


# ---------------------------------------------------------- selections

def test_nothing_meant():
    """One message and one status, whatever is asked."""
    for c, more in (('list', []), ('query', []), ('trend', []),
                    ('extract', ['-o', '-'])):
        p = run('archive', c, 'v.ppa', 'nope', *more, status=1)
        ok(c + ': a name that no profile has', p.stdout == b'' and p.stderr ==
           b'profpivot: v.ppa: no profile is called nope\n', p.stderr)
        p = run('archive', c, 'v.ppa', 'other.trc', 'nope', *more, status=3)
        ok(c + ': one of two names', p.stdout != b'' and p.stderr ==
           b'profpivot: v.ppa: no profile is called nope\n', p.stderr)
        p = run('archive', c, 'v.ppa', '--from', '2030-01-01', *more,
                status=1)
        ok(c + ': a time without a profile', p.stdout == b'' and p.stderr ==
           b'profpivot: v.ppa: no profile is in this time (--from)\n',
           p.stderr)
    for words in (['show'], ['convert', '--table', 'sources', '-o', '-']):
        p = run(*words, 'v.ppa:nope', status=1)
        ok(words[0] + ': a name that no profile has',
           b'no profile is called nope' in p.stderr, p.stderr)
        p = run(*words, 'v.ppa', '--from', '2030-01-01', '--to',
                '2030-02-01', status=1)
        ok(words[0] + ': a time without a profile', b'no profile is in this '
           b'time (--from, --to)' in p.stderr, p.stderr)
        run(*words, 'v.ppa:nope', 'v.ppa:other.trc', status=3)


def test_drop():
    before = read('v.ppa')
    p = run('archive', 'compact', 'v.ppa', '--drop', 'nope', status=1)
    ok('compact --drop of a name that none has', b'is called nope' in
       p.stderr and read('v.ppa') == before, p.stderr)
    p = run('archive', 'compact', 'v.ppa', '--drop', 'other.trc', '--drop',
            'nope', status=1)
    ok('... beside one that is there', read('v.ppa') == before, p.stderr)
    shutil.copy('v.ppa', 'd.ppa')
    run('archive', 'compact', 'd.ppa', '--drop', 'snap.trc#1')
    p = run('archive', 'extract', 'd.ppa', 'snap.trc', '-o', '-')
    ok('compact --drop of one version', p.stdout == read('snap.trc'))
    run('archive', 'compact', 'd.ppa', '--drop', '*')
    p = run('archive', 'list', 'd.ppa')
    ok('an archive without profiles is listed', p.stdout.split() ==
       [b'no', b'path', b'size', b'0', b'profiles', b'0'] or
       b'profiles' in p.stdout, p.stdout)


def test_extract():
    p = run('archive', 'extract', 'g.ppa', 'orders.trc', '-o', '-')
    ok('of a file that has grown the newest', p.stdout == DEMO and
       b'notice' in p.stderr, p.stderr)
    for n, want in (('1', PART), ('orders.trc#1', PART), ('2', DEMO)):
        ok('extract ' + n, run('archive', 'extract', 'g.ppa', n, '-o',
           '-').stdout == want)
    p = run('archive', 'extract', 'v.ppa', 'snap.trc', '-o', '-', status=2)
    ok('two versions are not one output', p.stdout == b'' and
       b'snap.trc#1, snap.trc#2' in p.stderr, p.stderr)
    p = run('archive', 'extract', 'v.ppa', 'snap.trc', '-o', 'one', status=2)
    ok('nor one file, nor a folder', not os.path.exists('one'), p.stderr)
    p = run('archive', 'extract', 'v.ppa', '-o', '-', status=2)
    ok('nor among others', p.stdout == b'', p.stderr)
    p = run('archive', 'extract', 'v.ppa', 'snap.trc#1', 'other.trc', '-o',
            '-')
    ok('several names, one after the other', p.stdout == DEMO +
       read('other.trc'))
    run('archive', 'extract', 'v.ppa', 'snap.trc', '-o', 'two/')
    ok('a folder takes both', sorted(os.listdir('two')) ==
       ['snap.trc', 'snap.trc#1'] and read('two/snap.trc') ==
       read('snap.trc') and read('two/snap.trc#1') == DEMO,
       os.listdir('two'))
    run('archive', 'extract', 'g.ppa', '-o', 'all/')
    ok('all versions of all', sorted(os.listdir('all')) ==
       ['orders.trc', 'orders.trc#1'] and read('all/orders.trc#1') == PART)
    run('archive', 'extract', 'g.ppa', '1', '-o', 'p.trc')
    ok('one into a file', read('p.trc') == PART)
    run('archive', 'extract', 'g.ppa', '1', '-o', 'p.trc', status=1)


def test_stdin():
    write('x.trc', DEMO)
    run('archive', 'add', 'i.ppa', 'x.trc')
    p = run('archive', 'add', 'i.ppa', '-', input=DEMO)
    ok('content that is there, from standard input', p.stdout ==
       b'i.ppa: 0 added, 1 there already\n' and p.stderr ==
       b'profpivot: stdin: the same as 1, x.trc; stored once\n', p)
    p = run('archive', 'list', 'i.ppa').stdout
    ok('list tells every name', b'same as 1' in p and b'stdin' in p and
       b'profiles' not in p and b'profile, 1 alias' in p, p)
    p = run('archive', 'verify', 'i.ppa').stdout
    ok('verify counts as list does', b'1 profile, 1 alias, ' in p, p)
    for n in ('-', 'stdin', '2', 'stdin#2'):
        ok('extract ' + n, run('archive', 'extract', 'i.ppa', n, '-o',
           '-').stdout == DEMO)
    p = run('archive', 'query', 'i.ppa', '*').stdout
    q = run('archive', 'query', 'i.ppa').stdout
    ok('a content counts once, whatever its names', p == q)


# ------------------------------------------------------------- questions

def test_other_tables():
    """Tables that are not kept are made anew."""
    for t in ('tree', 'gaps', 'texts', 'statement_calls', 'statement_events',
              'executions', 'cube'):
        p = run('archive', 'query', 'v.ppa', '--table', t)
        q = run('convert', '-q', 'v.ppa', '--table', t, '-o', '-')
        ok('query --table ' + t, p.stdout == q.stdout and
           p.stdout.count(b'\n') > 1, p.stdout[:200])
    got = rows_of(run('archive', 'query', 'v.ppa', '--table', 'tree',
                      '--where', 'call=FETCH', '--where',
                      'source=other.trc').stdout)
    want = [r for r in rows_of(run('convert', '-q', 'v.ppa', '--table',
            'tree', '-o', '-').stdout) if r['call'] == 'FETCH' and
            r['source'] == 'other.trc']
    ok('--where of them: %d rows' % len(got), got == want and got)
    p = run('archive', 'query', 'v.ppa', '--table', 'stages')
    ok('a table that these cannot fill is told', p.stdout.count(b'\n') == 1
       and b'fills the table stages' in p.stderr, p.stderr)
    p = run('archive', 'query', 'v.ppa', '--where', 'event=none')
    ok('no row is told', p.stdout.count(b'\n') == 1 and b'no such row' in
       p.stderr, p.stderr)
    for t, why in (('timeline_pivot', b'rows of timeline'),
                   ('digest_deltas', b'--delta'),
                   ('compare_events', b'compare'), ('tre', b'mean `tree`')):
        p = run('archive', 'query', 'v.ppa', '--table', t, status=2)
        ok('query --table %s' % t, why in p.stderr, p.stderr)


def test_names():
    got = [r['source'] for r in rows_of(run('archive', 'query', 'v.ppa',
           '--table', 'sources').stdout)]
    ok('query tells versions apart', got == ['snap.trc#1', 'snap.trc#2',
                                             'other.trc'], got)
    got = rows_of(run('archive', 'query', 'v.ppa', '--table', 'profile',
                      '--where', 'source=snap.trc#2').stdout)
    want = rows_of(run('archive', 'query', 'v.ppa', '2').stdout)
    for r in want:
        r['source'] = 'snap.trc#2'
    ok('--where takes these names', got == want and len(got) > 5)
    for t in ('events', 'session_sources', 'problems', 'statements'):
        p = run('archive', 'query', 'v.ppa', '--table', t)
        q = run('convert', '-q', 'v.ppa', '--table', t, '-o', '-')
        ok('names in ' + t, sorted_rows(p.stdout) == sorted_rows(q.stdout),
           p.stdout[:100])
    p = run('archive', 'trend', 'v.ppa')
    ok('columns of trend', p.stdout.split(b'\n')[0] ==
       b'event,class,total_s,snap.trc#1,snap.trc#2,other.trc' or
       sorted(p.stdout.split(b'\n')[0].split(b',')[3:]) ==
       [b'other.trc', b'snap.trc#1', b'snap.trc#2'], p.stdout[:100])
    p = run('archive', 'trend', 'g.ppa', '--per', 'day')
    total = sum(Decimal(r['total_s']) for r in rows_of(p.stdout))
    ok('a trace that has grown counts once a day', total ==
       Decimal('13.856263') and b'notice' in p.stderr, total)


def test_told():
    p = run('show', 'v.ppa:snap.trc')
    ok('versions that differ are told', b'snap.trc is 2 versions that differ, '
       b'from #1 to #2' in p.stderr, p.stderr)
    ok('... but not by number', run('show', 'v.ppa:snap.trc#1').stderr ==
       b'' and run('show', 'v.ppa').stderr == b'')
    for n in (1, 2):
        write('dig/now.tsv', read(os.path.join(
            CORPORA, 'digests/snapshot_%d.tsv' % n)))
        run('archive', 'add', 'dig.ppa', 'dig')
    p = run('archive', 'trend', 'dig.ppa', '--of', 'digest', '--per', 'day')
    ok('counters that add up are told', b'2024-05-02: 2 exports' in p.stderr,
       p.stderr)
    p = run('archive', 'trend', 'dig.ppa', '--of', 'digest')
    ok('... where they do', p.stderr == b'', p.stderr)
    got = run('show', '-q', '--delta', 'dig.ppa').stdout
    ok('--delta of two versions', b'66cbb3a40d4b  0.500000' in got, got)


def test_together():
    """The tables of a server, and the parts of a trace, are one."""
    server = os.path.join(CORPORA, 'psevents/ok/server')
    write('p/x_1.trc', PART)
    write('p/x.trc', b'\n'.join(LINES[240:]))
    write('c/QUAY1_ora_28114.trc', read(os.path.join(
        CORPORA, 'oracle10046/ok/QUAY1_ora_28114.trc')))
    write('c/QUAY1_ora_28114_late.trc', read(os.path.join(
        CORPORA, 'oracle10046/ok/QUAY1_ora_28114_late.trc')))
    for folder in (server, 'p', 'c'):
        name = os.path.basename(folder)
        a = 'set-%s.ppa' % name
        run('archive', 'add', a, folder)
        for t in ('profile', 'statements', 'events', 'sessions', 'timeline',
                  'session_sources', 'tree'):
            p = run('archive', 'query', a, '--table', t)
            q = run('convert', '-q', folder, '--table', t, '-o', '-',
                    status=None)
            ok('%s: query --table %s' % (name, t), p.stdout == q.stdout and
               p.stdout.count(b'\n') > 1, (p.stdout[:200], q.stdout[:200]))
        got = {(r['event'], r['class']): Decimal(r['total_s']) for r in
               rows_of(run('archive', 'trend', a).stdout)}
        want = {}
        for r in rows_of(run('convert', '-q', folder, '--table', 'profile',
                             '-o', '-', status=None).stdout):
            k = (r['event'], r['class'])
            want[k] = want.get(k, 0) + Decimal(r['time_s'])
        ok(name + ': trend', got == want, (got, want))
        head = run('archive', 'trend', a).stdout.split(b'\n')[0]
        ok(name + ': one column', head.count(b',') == 3, head)
    run('archive', 'add', 'set-all.ppa', server, 'p', 'orders.trc')
    p = run('archive', 'query', 'set-all.ppa')
    q = run('convert', '-q', server, 'p', 'orders.trc', '--table', 'profile',
            '-o', '-')
    ok('sets among others', sorted_rows(p.stdout) == sorted_rows(q.stdout))
    p = run('archive', 'query', 'set-all.ppa', '--where', 'class=idle')
    want = [r for r in rows_of(q.stdout) if r['class'] == 'idle']
    ok('--where takes both', sorted(map(str, rows_of(p.stdout))) ==
       sorted(map(str, want)) and want)


def test_other_digests():
    """What no digest stands for has a row: 4 executions, 8 s of 29.5 s."""
    write('my.tsv', read(os.path.join(CORPORA, 'digests/mysql57.tsv')))
    run('archive', 'add', 'my.ppa', 'my.tsv')
    other = {'digest': '', 'digest_text': '(other digests)',
             'total_s': '8.000000000000', 'my.tsv': '8.000000000000'}
    args = ['archive', 'trend', 'my.ppa', '--of', 'digest']
    got = rows_of(run(*args).stdout)
    ok('trend has other digests', other in got and
       sum(Decimal(r['total_s']) for r in got) ==
       Decimal('29.500000000031'), got)
    p = run(*args, '--where', 'digest=')
    ok('... and by --where digest=', rows_of(p.stdout) == [other], p.stdout)
    p = run(*args, '-t', 'txt')
    ok('... and on a page', [x.split() for x in p.stdout.split(b'\n')
                             if b'(other digests)' in x] ==
       [[b'(other', b'digests)', b'8.000000', b'8.000000']], p.stdout)
    p = run(*args, '-t', 'ndjson')
    ok('... and as cells', b'"(other digests)"' in p.stdout, p.stdout)
    run(*args, '-o', 'other.xlsx')
    try:
        import openpyxl
        book = openpyxl.load_workbook('other.xlsx')
        got = [r for r in book['Trend'].iter_rows(values_only=True)
               if r[1] == '(other digests)']
        ok('... and in a workbook', got ==
           [(None, '(other digests)', 8, 8)], got)
    except ImportError:
        print('skip archive cli: no openpyxl')
    p = run('archive', 'query', 'my.ppa', '--table', 'digests', '--where',
            'digest=')
    ok('... as query has it', [r['digest_text'] for r in rows_of(p.stdout)]
       == ['(other digests)'], p.stdout)
    p = run(*args, '--where', 'digest=none')
    ok('trend without a row says so', p.stderr == b'profpivot: notice: the '
       b'table digests has no such row\n', p.stderr)
    p = run('archive', 'trend', 'my.ppa', '--of', 'statement')
    ok('... and why', b'no profile of this kind fills the table statements'
       in p.stderr, p.stderr)


def test_in_part():
    """A profile that was understood in part is told as convert tells it."""
    bad = os.path.join(CORPORA, 'oracle10046/bad')
    write('cut.trc', read(os.path.join(bad, 'cut_record.trc')))
    run('archive', 'add', 'part.ppa', 'cut.trc', 'other.trc', status=None)
    told = (b'profpivot: part.ppa:cut.trc: warning: only a part of it was '
            b'understood; `profpivot show` tells more\n')
    q = run('convert', '-q', 'part.ppa', '--table', 'profile', '-o', '-',
            status=3)
    for args in (['query', 'part.ppa'], ['trend', 'part.ppa'],
                 ['query', 'part.ppa', '--table', 'tree'],
                 ['query', 'part.ppa', '--where', 'class=none']):
        p = run('archive', *args, status=3)
        ok(' '.join(args) + ': told', p.stderr.startswith(told) and
           p.stderr.count(b'warning') == 1 and p.stdout != b'', p.stderr)
        p = run('archive', *args, '-q', status=3)
        ok(' '.join(args) + ': not with -q', p.stderr == b'', p.stderr)
    p = run('archive', 'query', 'part.ppa', '-q', status=3)
    ok('... with the rows', sorted_rows(p.stdout) == sorted_rows(q.stdout),
       p.stdout[:200])
    p = run('archive', 'query', 'part.ppa', 'other.trc')
    ok('... not of others', p.stderr == b'', p.stderr)
    run('archive', 'query', 'part.ppa', 'cut.trc', status=3)
    # the parts of a trace are read together
    write('pb/x_1.trc', PART)
    write('pb/x.trc', b'\n'.join(LINES[240:-3]) + b'\nWAIT #3: nam=\'db fi')
    run('archive', 'add', 'pb.ppa', 'pb', status=None)
    run('convert', '-q', 'pb.ppa', '--table', 'profile', '-o', '-', status=3)
    p = run('archive', 'query', 'pb.ppa', status=3)
    ok('one of a set is told', p.stderr == told.replace(
       b'part.ppa:cut.trc', b'pb.ppa:x.trc'), p.stderr)


def test_damaged():
    """Nothing written is status 1; one profile is one profile."""
    run('archive', 'add', 'one.ppa', 'other.trc')
    data = bytearray(read('one.ppa'))
    data[1000] ^= 0x55
    write('one.ppa', bytes(data))
    for out in ('-', 'one.trc'):
        p = run('archive', 'extract', 'one.ppa', '1', '-o', out, status=1)
        ok('extract of damage to ' + out, p.stdout == b'' and
           b'damaged data' in p.stderr and not os.path.exists('one.trc'),
           p.stderr)
    run('archive', 'add', 'two.ppa', 'other.trc')
    p = run('archive', 'recover', 'two.ppa', '-o', 'back.ppa')
    ok('one is recovered', p.stdout ==
       b'back.ppa: 1 profile recovered, 0 lost\n', p.stdout)


# ------------------------------------------------------------- the page

def test_formats():
    """Numbers are whole in typed formats: none is left out, none rounded."""
    import sqlite3
    server = os.path.join(CORPORA, 'psevents/ok/server')
    profiles = os.path.join(CORPORA, 'showprofile/ok')
    digests = os.path.join(CORPORA, 'digests/snapshot_1.tsv')
    for name, inputs in (('o', ['orders.trc']), ('s', [profiles]),
                         ('d', [digests]), ('all', ['orders.trc', server,
                                                    profiles, digests])):
        a = 'f-%s.ppa' % name
        run('archive', 'add', a, *inputs, status=None)
        for t in ('profile', 'digests', 'statements'):
            out = 'f.sqlite'
            p = run('archive', 'query', a, '--table', t, '-o', out)
            ok('%s: %s to SQLite' % (name, t), b'number-' not in p.stderr,
               p.stderr)
            want = rows_of(run('archive', 'query', a, '--table', t).stdout)
            db = sqlite3.connect(out)
            cur = db.execute('select * from %s' % t)
            heads = [c[0] for c in cur.description]
            got = [dict(zip(heads, r)) for r in cur]
            db.close()
            os.remove(out)
            bad = []
            for r, w in zip(got, want):
                for c, v in w.items():
                    if c.endswith('_s') and c not in r:
                        v, x = v and Decimal(v) * 1000000, r[c[:-2] + '_us']
                        good = (x is None) == (v == '') and \
                            (v == '' or Decimal(x) == v)
                    elif c.endswith('_s'):
                        x = r[c]
                        good = (x is None) == (v == '') and \
                            (v == '' or Decimal(x) == Decimal(v))
                    else:
                        continue
                    if not good:
                        bad.append((c, v, x))
            ok('%s: %d rows of %s in SQLite' % (name, len(got), t),
               len(got) == len(want) and not bad, bad[:3])
            p = run('archive', 'query', a, '--table', t, '-o', 'f.parquet')
            ok('%s: %s to Parquet' % (name, t), b'number-' not in p.stderr,
               p.stderr)
        p = run('archive', 'trend', a, '-o', 'f.parquet')
        ok(name + ': trend to Parquet', b'number-' not in p.stderr, p.stderr)


def test_page():
    for width in (80, 200):
        for args in (['query', 'v.ppa'], ['trend', 'v.ppa'],
                     ['query', 'v.ppa', '--table', 'statements'],
                     ['list', 'v.ppa']):
            text, status = on_terminal('archive', *args, columns=width)
            most = max(len(x) for x in text.split('\n') if 'no room for' not
                       in x)
            ok('%s on %d columns' % (' '.join(args), width), status == 0 and
               most <= width and '\n' in text and not text.startswith(
                   'source,'), (most, text[:200]))
    text, _ = on_terminal('archive', 'query', 'g.ppa')
    ok('a page has aligned columns', 'SQL*Net message from cl' in text and
       ' 11.861221 ' in text, text[:300])
    text, _ = on_terminal('archive', 'query', 'g.ppa', '-t', 'csv')
    ok('-t csv on a terminal', text.startswith('source,session,event,'))
    p = run('archive', 'query', 'g.ppa')
    ok('CSV where it is piped', p.stdout.startswith(b'source,session,'))
    p = run('archive', 'query', 'g.ppa', '-t', 'txt', '--width', '60')
    ok('-t txt where it is piped', max(len(x) for x in p.stdout.decode()
       .split('\n')) <= 60 or b'no room' in p.stdout)
    run('archive', 'trend', 'g.ppa', '-o', 'trend.txt')
    ok('into a file', read('trend.txt').startswith(b'event'))
    p = run('archive', 'trend', 'v.ppa', '-t', 'txt', '--top', '2')
    ok('--top of a page', b'more rows; --top N' in p.stdout, p.stdout)
    run('archive', 'query', 'g.ppa', '--width', '90', status=2)
    run('archive', 'query', 'g.ppa', '-t', 'folded', status=2)
    run('archive', 'query', 'g.ppa', '-t', 'sqlite', status=2)
    run('archive', 'query', 'g.ppa', '-o', 'g.ppa', '-t', 'csv', status=1)
    long = 'deep/' * 30 + 'orders.trc'
    write(long, DEMO + b'\n')
    run('archive', 'add', 'l.ppa', long)
    room = []
    for width in (80, 100, 140, 200):
        p = run('archive', 'list', 'l.ppa', '--width', str(width)).stdout
        text = p.decode().split('\n')[1]
        ok('list on %d columns tells the end of a path' % width,
           'deep/orders.trc' in text and len(text) <= width, text)
        room.append(len(text.split('orders.trc')[0].split()[-1]))
    ok('a wider page has no less room for it', room == sorted(room), room)


def test_wrong_usage():
    for args, why in (
            (['archive'], b'what shall I do'),
            (['archive', 'add', 'x.ppa'], b'profpivot archive add ARCHIVE'),
            (['archive', 'list', 'g.ppa', '--top', '3'], b'no option --top'),
            (['archive', 'trend', 'g.ppa', '--table', 'events'],
             b'no option --table'),
            (['archive', 'trend', 'g.ppa', '--of', 'nothing'],
             b'is not event, statement or digest'),
            (['archive', 'trend', 'g.ppa', '--per', 'week'],
             b'is not profile or day'),
            (['archive', 'query', 'g.ppa', '--where', 'nothing=1'],
             b'has no column `nothing`'),
            (['archive', 'query', 'g.ppa', '--where', 'event'],
             b'is not COLUMN=VALUE'),
            (['archive', 'query', 'g.ppa', '-t', 'cvs'], b'mean `csv`?\n'
             b'Try `profpivot archive'),
            (['archive', 'trend', 'g.ppa', '-o', 'x.foo'],
             b'no suffix tells'),
            (['archive', 'query', 'none.ppa', '-t', 'sqlite'],
             b'standard output'),
            (['archive', 'merge', 'g.ppa', 'g.ppa'], b'added to itself'),
            (['archive', 'add', 'g.ppa', 'g.ppa'], b'added to itself'),
            (['archive', 'list', 'g.ppa', '--from', 'yesterday'],
             b'is not a date'),
            (['archive', 'compact', 'g.ppa', '--level', '13'],
             b'is not a number from 1 to 12')):
        p = run(*args, status=2)
        ok(' '.join(args), why in p.stderr, p.stderr)
    p = run('archive', '--help')
    text = p.stdout.decode()
    ok('--help has texts of its own', 'section' not in text and
       'needs --table' not in text and '--pivot' not in text and
       max(len(x) for x in text.split('\n')) <= 80, text)


def test_messages():
    write('folder/nothing/.keep', b'')
    os.remove('folder/nothing/.keep')
    p = run('archive', 'add', 'm.ppa', 'folder', status=1)
    ok('a folder without files is told', b'folder' in p.stderr and
       not os.path.exists('m.ppa'), p.stderr)
    shutil.copy('v.ppa', 'broken.ppa')
    data = bytearray(read('broken.ppa'))
    data[len(data) // 3] ^= 0x55
    write('broken.ppa', bytes(data))
    p = run('archive', 'recover', 'broken.ppa', status=None)
    ok('recover tells of it in its own words', b'not added' not in p.stderr,
       p.stderr)


def main():
    work = tempfile.mkdtemp(dir='/dev/shm' if os.access('/dev/shm', os.W_OK)
                            else None)
    os.chdir(work)
    os.environ['TMPDIR'] = work
    try:
        make_archives()
        test_nothing_meant()
        test_drop()
        test_extract()
        test_stdin()
        test_other_tables()
        test_names()
        test_told()
        test_together()
        test_other_digests()
        test_in_part()
        test_damaged()
        test_formats()
        test_page()
        test_wrong_usage()
        test_messages()
    finally:
        os.chdir('/')
        shutil.rmtree(work)
    sys.exit(checks.failed != 0)


main()
