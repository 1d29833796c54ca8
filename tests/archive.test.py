#!/usr/bin/python3
"""profpivot archive: what goes in comes out again, by every way.

The right bytes are those of the files that were added; they are read back by
extract, by the reader, and by gunzips that are not ours.
"""
import csv
import gzip
import hashlib
import io
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import archive_read                                     # noqa: E402
from archives import CORPORA, PROFPIVOT, Checks, read, write  # noqa: E402

checks = Checks('archive')
ok, run = checks.ok, checks.run
SHARED = os.environ.get('PP_SHARED', '')


def files_of(folder):
    out = []
    for dir, _, names in os.walk(folder):
        out += [os.path.join(dir, n) for n in names]
    return sorted(out)


def text_of(path):
    data = read(path)
    return gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data


def same_tree(a, b):
    """Differences between two folders: the content of their files."""
    x = {os.path.relpath(p, a): read(p) for p in files_of(a)}
    y = {os.path.relpath(p, b): read(p) for p in files_of(b)}
    return [n for n in sorted(set(x) | set(y)) if x.get(n) != y.get(n)]


def in_order_of_add(folder):
    """The files as add takes them, each content once."""
    seen, out = set(), []
    for p in files_of(folder):
        sum = hashlib.sha256(read(p)).digest()
        if sum not in seen:
            seen.add(sum)
            out.append(p)
    return out


# -------------------------------------------------------------- basic ways

def gives(f, want):
    """Are the bytes of the open file these, and no more?"""
    at, view = 0, memoryview(want)
    while True:
        piece = f.read(1 << 20)
        if not piece:
            return at == len(want)
        if piece != view[at:at + len(piece)]:
            return False
        at += len(piece)


def shows(args, a, want):
    """Does the command, with file a as its input, print this?"""
    with open(a, 'rb') as f, tempfile.TemporaryFile() as err:
        with subprocess.Popen(args, stdin=f, stdout=subprocess.PIPE,
                              stderr=err) as p:
            good = gives(p.stdout, want)
        err.seek(0)
        return good and p.returncode == 0, err.read()[-200:]


def test_ways(folder, name, every):
    """All files of a folder through an archive, out by every way."""
    a = name + '.ppa'
    run('archive', 'add', a, folder)
    want = b''.join(text_of(p) for p in in_order_of_add(folder))
    data = read(a)
    # by pieces: decompress() copies what is left at every member
    with gzip.open(a) as z:
        ok(name + ': Python gunzip', gives(z, want))
    p = subprocess.run(['gzip', '-t'], input=data, capture_output=True)
    ok(name + ': gzip -t', p.returncode == 0 and p.stderr == b'', p.stderr)
    for tool in ('gzip', 'pigz', 'zstd'):
        if shutil.which(tool) is None:
            print('skip archive: %s: no %s' % (name, tool))
            continue
        ok('%s: %s -dc' % (name, tool), *shows([tool, '-dc'], a, want))
    if shutil.which('node') is not None:
        ok(name + ': Node zlib', *shows(
            ['node', '-e', 'process.stdout.write(require("zlib").gunzipSync('
             'require("fs").readFileSync(process.argv[1])))', a], a, want))
    else:
        print('skip archive: %s: no node' % name)
    run('archive', 'extract', a, '-o', name + '.out')
    rel = folder.lstrip('/')
    while rel.startswith('../'):
        rel = rel[3:]
    ok(name + ': extract', same_tree(folder, os.path.join(name + '.out', rel))
       == [])
    p = run('archive', 'verify', a)
    ok(name + ': verify', b' 0 faults' in p.stdout, p.stdout)
    before = read(a)
    p = run('archive', 'add', a, folder)
    ok(name + ': the same again adds nothing', read(a) == before and
       b': 0 added' in p.stdout, p.stdout)
    if every:
        for p in files_of(folder):
            q = run('archive', 'extract', a, p, '-o', '-')
            if q.stdout != read(p):
                ok(name + ': extract ' + p, False)
                break
        else:
            ok(name + ': extract one by one', True)


def test_deterministic():
    run('archive', 'add', 'd1.ppa', CORPORA)
    run('archive', 'add', 'd2.ppa', CORPORA)
    ok('same input, same bytes', read('d1.ppa') == read('d2.ppa'))


def test_kinds_of_bytes():
    """Whatever a file holds, it comes out as it was."""
    os.mkdir('kinds')
    text = read(os.path.join(CORPORA, 'oracle10046/ok/demo.trc'))
    z = gzip.compress(text, 9, mtime=7)
    for name, data in [
            ('empty', b''), ('one', b'x'), ('zeros', bytes(1000000)),
            ('random', os.urandom(700000)),
            ('block', os.urandom(262144)), ('block1', os.urandom(262145)),
            ('whole.gz', z), ('two.gz', z + gzip.compress(b'more\n')),
            ('cut.gz', z[:-5]), ('cut2.gz', z[:len(z) // 2]),
            ('tail.gz', z + b'garbage'), ('padded.gz', z + bytes(512)),
            ('hole.gz', z + bytes(512) + z), ('flip.gz',
             z[:200] + bytes([z[200] ^ 1]) + z[201:]),
            ('none.gz', gzip.compress(b'')),
            ('headsum.gz', bytes([0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 3, 0x1b,
                                  0x13]) + z[10:]),
            ('magic', b'\x1f\x8b'), ('magic4', b'\x1f\x8b\x08\x04')]:
        write('kinds/' + name, data)
    run('archive', 'add', 'kinds.ppa', 'kinds')
    run('archive', 'extract', 'kinds.ppa', '-o', 'kinds.out')
    ok('files of any bytes', same_tree('kinds', 'kinds.out/kinds') == [],
       same_tree('kinds', 'kinds.out/kinds'))
    p = subprocess.run(['gzip', '-t', 'kinds.ppa'], capture_output=True)
    p2 = subprocess.run(['gzip', '-t'], input=read('kinds.ppa'),
                        capture_output=True)
    ok('they do not stop gunzip', p2.returncode == 0 and p2.stderr == b'',
       p2.stderr)
    ok('verify', run('archive', 'verify', 'kinds.ppa').returncode == 0)


def test_same_when_catalogue_moves():
    """One content under 70 names: the entry that is told of moves whenever
    the catalogue gets more room."""
    os.makedirs('same')
    for i in range(70):
        write('same/%02d.txt' % i, b'neither trace nor table\n')
    p = run('archive', 'add', 'same.ppa', 'same')
    want = [b'profpivot: same/%02d.txt: the same as 1, same/00.txt; stored '
            b'once' % i for i in range(1, 70)]
    ok('what it is the same as is told of each', p.stderr.splitlines() ==
       want, p.stderr)


def test_stdin_and_names():
    demo = os.path.join(CORPORA, 'oracle10046/ok/demo.trc')
    with open(demo, 'rb') as f:
        run('archive', 'add', 'in.ppa', '-', stdin=f)
    p = subprocess.run([PROFPIVOT, 'archive', 'add', 'in.ppa', '-'],
                       input=read(demo) + b'\n', capture_output=True)
    ok('add from a pipe', p.returncode == 0, p.stderr)
    p = run('archive', 'extract', 'in.ppa', '1', '-o', '-')
    ok('standard input comes back', p.stdout == read(demo))
    p = run('archive', 'extract', 'in.ppa', '-o', 'in.out')
    ok('names of what has none', sorted(os.listdir('in.out')) ==
       ['stdin', 'stdin#1'], os.listdir('in.out'))
    p = run('archive', 'extract', 'in.ppa', '-o', 'in.out', status=1)
    ok('what is there stays', b'left as it is' in p.stderr, p.stderr)
    shutil.copy(demo, 'copy.trc')
    p = run('archive', 'add', 'in.ppa', 'copy.trc')
    ok('same content is stored once and said', b'stored once' in p.stderr,
       p.stderr)
    p = run('archive', 'extract', 'in.ppa', 'copy.trc', '-o', '-')
    ok('and found under both names', p.stdout == read(demo))
    ok('an unknown command is told', b'did you mean `list`' in
       run('archive', 'lst', 'in.ppa', status=2).stderr)
    run('archive', 'list', 'nothing.ppa', status=1)
    run('archive', 'list', demo, status=1)
    run('archive', 'add', 'none.ppa', 'no-such-file', status=1)
    ok('nothing added, no archive made', not os.path.exists('none.ppa'))
    p = run('archive', 'add', 'in.ppa', 'in.ppa', status=2)
    ok('an archive is not added to itself', b'itself' in p.stderr)
    os.mkfifo('pipe.ppa')
    for args in (['list', 'pipe.ppa'], ['add', 'pipe.ppa', demo],
                 ['verify', 'pipe.ppa'], ['merge', 'none.ppa', 'pipe.ppa'],
                 ['recover', 'pipe.ppa']):
        # nobody has its other end: to open it is to wait
        p = subprocess.run(['timeout', '10', PROFPIVOT, 'archive'] + args,
                           capture_output=True)
        ok('a pipe is no archive: ' + args[0], p.returncode == 1 and
           b'not a regular file' in p.stderr, p)
    # a path that would lead out of the folder
    os.makedirs('deep/er')
    shutil.copy('copy.trc', 'deep/evil.trc')
    with open('deep/evil.trc', 'ab') as f:
        f.write(b'\n\n\n')
    subprocess.run([PROFPIVOT, 'archive', 'add', '../../in.ppa',
                    '../evil.trc'], cwd='deep/er', capture_output=True)
    run('archive', 'extract', 'in.ppa', 'evil.trc', '-o', 'safe/')
    ok('.. does not lead out', os.path.exists('safe/evil.trc'),
       os.listdir('.'))


# ---------------------------------------------------------- as an input

def convert_both(folder, a, name, args):
    """The same tables from the files and from the archive?"""
    for d in ('t1', 't2'):
        shutil.rmtree(d, ignore_errors=True)
    run('convert', '-q', folder, '-t', 'csv', '-o', 't1', *args, status=None)
    run('convert', '-q', a, '-t', 'csv', '-o', 't2', *args, status=None)
    if not os.path.isdir('t1'):
        return ['nothing written'] if os.path.isdir('t2') else []
    return same_tree('t1', 't2')


def test_as_input(folder, name):
    """Every reader: convert and show from the archive as from the files."""
    a = name + '.ppa'
    run('archive', 'add', a, folder)
    for args in (['--events', '--by', 'module', '--tag',
                  'kind=/(ok|bad)/'],):
        bad = convert_both(folder, a, name, args)
        ok('%s: convert %s' % (name, ' '.join(args)), bad == [], bad)
    x = run('show', '-q', folder, status=None)
    y = run('show', '-q', a, status=None)
    ok(name + ': show', x.stdout == y.stdout and
       x.returncode == y.returncode, y.stderr[:200])


def test_one_by_one(folder, a):
    """Each profile alone, by its path."""
    n = 0
    for p in files_of(folder)[::6]:
        x = run('convert', p, '-t', 'json', '-o', 'x.json', status=None)
        y = run('convert', a + ':' + p, '-t', 'json', '-o', 'y.json',
                status=None)
        if x.returncode != y.returncode:
            ok('convert %s from the archive' % p, False, (x, y))
            return
        if x.returncode in (0, 3) and read('x.json') != read('y.json'):
            ok('convert %s from the archive' % p, False, 'other bytes')
            return
        n += 1
    ok('convert each of %d files of %s from the archive' %
       (n, os.path.basename(folder)), True)


def test_selection():
    os.mkdir('sel')
    for day, pid in (('2024-03-25', 1), ('2024-03-26', 2),
                     ('2024-03-27', 3)):
        text = read(os.path.join(CORPORA, 'oracle10046/ok/demo.trc'))
        write('sel/s_%d.trc' % pid, text.replace(b'2024-', b'2024-') + b'\n' *
              pid)
    run('archive', 'add', 'sel.ppa', 'sel')
    p = run('convert', 'sel.ppa:s_2.trc', '--table', 'sources', '-o', '-')
    ok('ARCHIVE:NAME is one profile', p.stdout.count(b'\n') == 2 and
       b's_2.trc' in p.stdout, p.stdout)
    p = run('convert', 'sel.ppa:s_[13].trc', '--table', 'sources', '-o', '-')
    ok('ARCHIVE:PATTERN', p.stdout.count(b'\n') == 3, p.stdout)
    p = run('convert', 'sel.ppa:none', '--table', 'sources', '-o', '-',
            status=1)
    ok('a name that is not there is told', b'is called none' in p.stderr,
       p.stderr)
    p = run('convert', 'sel.ppa', '--from', '1990-01-01', '--to',
            '1990-12-31', '--table', 'sources', '-o', '-', status=1)
    p = run('convert', 'sel.ppa', '--from', '2000-01-01', '--table',
            'sources', '-o', '-')
    ok('--from takes what is later', p.stdout.count(b'\n') == 4, p.stdout)
    p = run('convert', 'sel', '--from', '2000-01-01', '--table', 'sources',
            '-o', '-', status=1)
    ok('--from without an archive is told', b'no input is one' in p.stderr)
    # in a folder, what profpivot wrote is passed over
    os.mkdir('mixed')
    shutil.copy('sel.ppa', 'mixed/a.ppa')
    shutil.copy('sel/s_2.trc', 'mixed/s.trc')
    p = run('convert', 'mixed', '--table', 'sources', '-o', '-')
    ok('an archive in a folder is passed over', p.stdout.count(b'\n') == 2,
       p.stdout)
    p = run('compare', 'sel.ppa:s_2.trc', 'sel.ppa:s_3.trc')
    q = run('compare', 'sel/s_2.trc', 'sel/s_3.trc')
    ok('compare two of an archive', p.stdout.split(b'\n')[2:] ==
       q.stdout.split(b'\n')[2:], p.stdout)


def test_rewrite():
    a = 're.ppa'
    run('archive', 'add', a, 'kinds')
    run('archive', 'compact', a, '--drop', 'random')
    ok('compact --drop', run('archive', 'verify', a).returncode == 0)
    run('archive', 'extract', a, '-o', 're.out')
    ok('what is left is as it was', same_tree('kinds', 're.out/kinds') ==
       ['random'], same_tree('kinds', 're.out/kinds'))
    run('archive', 'merge', 'both.ppa', a, 'in.ppa')
    p = run('archive', 'list', 'both.ppa')
    ok('merge', run('archive', 'verify', 'both.ppa').returncode == 0 and
       b'kinds/zeros' in p.stdout and any(
           b'copy.trc' in x and b'same as' in x
           for x in p.stdout.split(b'\n')), p.stdout)
    ok('merge keeps further names', run('archive', 'extract', 'both.ppa',
       'copy.trc', '-o', '-').stdout == read('copy.trc'))


# ------------------------------------------------------------- questions

KEPT = ('sources sessions session_sources profile timeline statements '
        'digests histogram stages plans errors problems events binds').split()


def rows_of(data):
    return list(csv.DictReader(io.StringIO(data.decode('utf-8'))))


def test_query(folder, name):
    """Rows of every table that is kept, and the status, are convert's."""
    a = name + '.ppa'
    bad, n = [], 0
    for p in files_of(folder)[::8]:
        shutil.rmtree('q', ignore_errors=True)
        status = run('convert', '-q', p, '-t', 'csv', '--events', '-o', 'q',
                     status=None).returncode
        if status not in (0, 3):
            continue
        for t in KEPT:
            want = 'q/%s.csv' % t
            got = run('archive', 'query', a, p, '--table', t,
                      status=status).stdout
            if not os.path.exists(want):
                continue
            want = read(want)
            if t == 'problems':
                # there convert tells what its writer could not write, too
                want = b'\n'.join(r for r in want.split(b'\n')
                                  if r in got.split(b'\n'))
            if want != got:
                bad.append((p, t))
            n += 1
    ok('%s: %d tables are the same from the archive' % (name, n), not bad,
       bad[:3])


def test_where():
    a = 'in-oracle10046.ppa'
    every = rows_of(run('archive', 'query', a, '--table', 'events',
                        status=3).stdout)
    for conditions in (
            ['event=db file sequential read'], ['class=wait', 'class=idle'],
            ['kind=call', 'depth=0'], ['elapsed_s=0.0001'],
            ['parent_event_id='], ['event=FETCH', 'rows=1', 'event=EXEC']):
        want = {}
        for c in conditions:
            k, v = c.split('=', 1)
            want.setdefault(k, []).append(v)

        def fits(row):
            for k, values in want.items():
                if not any(row[k] == v or (
                        v and k.endswith('_s') and row[k] and
                        Decimal(row[k]) == Decimal(v)) for v in values):
                    return False
            return True
        args = [x for c in conditions for x in ('--where', c)]
        got = rows_of(run('archive', 'query', a, '--table', 'events',
                          *args, status=3).stdout)
        ok('query --where %s: %d rows' % (' '.join(conditions), len(got)),
           got == [r for r in every if fits(r)])
    run('archive', 'query', a, '--table', 'evnts', status=2)
    run('archive', 'query', a, '--where', 'nothing=1', status=2)
    run('archive', 'query', a, '--table', 'events', '-t', 'json', '-o',
        'q.json', status=3)
    ok('query to JSON', len(read('q.json')) > 1000)


def test_trend():
    """Against sums over the tables of convert."""
    a = 'in-oracle10046.ppa'
    for of, table, key, value in (
            ('event', 'profile', 'event', 'time_s'),
            ('statement', 'statements', 'statement', 'self_s'),
            ('digest', 'digests', 'digest', 'total_s')):
        want = {}
        for r in rows_of(run('archive', 'query', a, '--table', table,
                             status=3).stdout):
            if not r[value] or not r[key]:
                continue
            k = (r[key], r['class']) if of == 'event' else r[key]
            s = want.setdefault(k, {})
            s[r['source']] = s.get(r['source'], 0) + Decimal(r[value])
        got = {}
        order = []
        for r in rows_of(run('archive', 'trend', a, '--of', of,
                             status=3).stdout):
            k = (r['event'], r['class']) if of == 'event' else r[key]
            got[k] = {c: Decimal(v) for c, v in r.items() if v and
                      c not in ('event', 'class', 'statement', 'text',
                                'digest', 'digest_text', 'total_s')}
            order.append(-Decimal(r['total_s']))
            if sum(got[k].values()) != Decimal(r['total_s']):
                ok('trend: total of ' + str(k), False)
        ok('trend --of %s: %d rows' % (of, len(got)), got == want,
           [(k, got.get(k), want[k]) for k in want
            if got.get(k) != want[k]][:2])
        ok('trend --of %s: falling totals' % of, order == sorted(order))
    days = rows_of(run('archive', 'trend', a, '--per', 'day',
                       status=3).stdout)
    total = {(r['event'], r['class']): r['total_s'] for r in rows_of(
        run('archive', 'trend', a, status=3).stdout)}
    ok('trend --per day: the same totals',
       {(r['event'], r['class']): r['total_s'] for r in days} == total)
    names = list(days[0])[3:]
    dates = [n for n in names if n != 'no time']
    ok('trend --per day: days in order', dates == sorted(dates) and
       len(dates) > 1, names)
    got = rows_of(run('archive', 'trend', a, '--top', '3', status=3).stdout)
    ok('trend --top', len(got) == 3)
    run('archive', 'trend', a, '-o', 'trend.xlsx', status=3)
    try:
        import openpyxl
        book = openpyxl.load_workbook('trend.xlsx')
        ok('trend.xlsx', any(s.max_row > 3 for s in book.worksheets))
    except ImportError:
        print('skip archive: no openpyxl')
    run('archive', 'trend', a, '-t', 'json', '-o', 'trend.json', status=3)


def test_trend_speed():
    """A thousand profiles in less than a CPU second."""
    text = read(os.path.join(CORPORA, 'oracle10046/ok/demo.trc'))
    os.mkdir('many')
    for i in range(1000):
        write('many/s%04d.trc' % i, text + b'\n' * (i + 1))
    run('archive', 'add', 'many.ppa', 'many')
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run('archive', 'trend', 'many.ppa', '-o', 'many.csv')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    ok('trend over 1,000 profiles: %.2f CPU s' % cpu, cpu < 1)
    with open('many.csv') as f:
        ok('it has a column each', len(next(csv.reader(f))) == 1003)


# ---------------------------------------------------------- second reader

def test_second_reader(a):
    """archive_read.py knows the format from its page only."""
    x = archive_read.Archive(read(a))
    bad, n = [], 0
    for e in x.entries.values():
        data = x.bytes_of(e)
        if hashlib.sha256(data).digest() != e['sha256'] or \
                data != read(e['path']):
            bad.append(e['path'])
        n += 1
    ok('second reader: %d profiles of %s' % (n, a), not bad, bad[:3])
    ok('second reader: what gunzip shows', x.stream ==
       len(gzip.decompress(x.data)))
    every = {}
    for e in sorted(x.entries.values(), key=lambda e: e['number']):
        if e['same_as']:
            continue
        status = 3 if e.get('status') == 1 else 0  # partial
        for name, (columns, rows) in x.tables(e).items():
            got = rows_of(run('archive', 'query', a, str(e['number']),
                              '--table', name, status=status).stdout)
            rows = [dict(zip(columns, r)) for r in rows]
            bad = [(g, r) for g, r in zip(got, rows) if not same_row(g, r)]
            if len(got) != len(rows) or bad:
                ok('second reader: %s of %s' % (name, e['path']), False,
                   bad[:1])
            every[name] = every.get(name, 0) + len(rows)
    for name in sorted(every):
        ok('second reader: %d rows of %s' % (every[name], name), True)


def same_row(csv_row, row):
    for k, v in csv_row.items():
        c = row.get(k)
        if c is None:
            if v != '':
                return False
        elif isinstance(c, bytes):
            # csv keeps line ends as they are; bytes that are no text do not
            # survive a CSV
            t = c.decode('utf-8', 'replace')
            if v != t and '\ufffd' not in t and t.isprintable():
                return False
        elif v == '' or Decimal(v) != c:
            return False
    return True


def main():
    # in memory where there is such a place: each profile is brought to disk
    work = tempfile.mkdtemp(dir='/dev/shm' if os.access('/dev/shm', os.W_OK)
                            else None)
    os.chdir(work)
    os.environ['TMPDIR'] = work
    try:
        test_ways(CORPORA, 'corpora', False)
        test_deterministic()
        test_kinds_of_bytes()
        test_same_when_catalogue_moves()
        test_stdin_and_names()
        for kind in sorted(os.listdir(CORPORA)):
            test_as_input(os.path.join(CORPORA, kind), 'in-' + kind)
            test_one_by_one(os.path.join(CORPORA, kind), 'in-%s.ppa' % kind)
            test_query(os.path.join(CORPORA, kind), 'in-' + kind)
            if kind in ('oracle10046', 'showprofile', 'digests'):
                test_second_reader('in-%s.ppa' % kind)
        test_where()
        test_trend()
        test_trend_speed()
        test_selection()
        test_rewrite()
        if SHARED:
            test_ways(os.path.join(SHARED, 'corpora'), 'shared', False)
            test_as_input(os.path.join(SHARED, 'cases'), 'cases')
            for kind in ('oracle', 'mysql'):
                # an archive has each content once
                folder = os.path.join(SHARED, 'corpora', kind)
                for p in in_order_of_add(folder):
                    to = os.path.join(kind, os.path.relpath(p, folder))
                    os.makedirs(os.path.dirname(to), exist_ok=True)
                    shutil.copy(p, to)
                run('archive', 'add', kind + '.ppa', kind)
                bad = convert_both(kind, kind + '.ppa', kind, [])
                ok('shared: convert ' + kind, bad == [], bad)
        else:
            print('skip archive: no shared corpora')
    finally:
        os.chdir('/')
        shutil.rmtree(work)
    sys.exit(checks.failed != 0)


main()
