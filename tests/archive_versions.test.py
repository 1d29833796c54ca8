#!/usr/bin/python3
"""profpivot archive: a file that was added again when it had changed.

The right values are those of the files themselves, as they were when they
were added: each version is what `convert` makes of that file alone.
"""
import csv
import gzip
import io
import os
import shutil
import sys
import tempfile
from decimal import Decimal

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from archives import CORPORA, TOP, Checks, read, write  # noqa: E402

checks = Checks('archive versions')
ok, run = checks.ok, checks.run


def rows_of(data):
    return list(csv.DictReader(io.StringIO(data.decode('utf-8'))))


def table(name, *inputs, status=0):
    """A table that convert makes."""
    return rows_of(run('convert', '-q', *inputs, '--table', name, '-o', '-',
                       status=status).stdout)


def sources(*inputs, status=0):
    return sorted(r['source'] for r in table('sources', *inputs,
                                             status=status))


def tree(folder):
    out = {}
    for d, _, names in os.walk(folder):
        for n in names:
            p = os.path.join(d, n)
            out[os.path.relpath(p, folder)] = read(p)
    return out


def same_tables(a, b, *args):
    """Differences between what convert makes of two lists of inputs."""
    for d in ('t1', 't2'):
        shutil.rmtree(d, ignore_errors=True)
    run('convert', '-q', *a, *args, '-t', 'csv', '-o', 't1', status=None)
    run('convert', '-q', *b, *args, '-t', 'csv', '-o', 't2', status=None)
    x, y = tree('t1'), tree('t2')
    return [n for n in sorted(set(x) | set(y)) if x.get(n) != y.get(n)] + \
        ([] if x else ['nothing'])


DEMO = read(os.path.join(CORPORA, 'oracle10046/ok/demo.trc'))
LINES = DEMO.split(b'\n')
THIRD, HALF = b'\n'.join(LINES[:240]), b'\n'.join(LINES[:360]) + b'\n'


# ----------------------------------------------------------- growing files

def test_growing():
    """One trace, added three times while it grew: cut in a line, at a line's
    end, and whole."""
    for part in (THIRD, HALF, DEMO):
        write('orders.trc', part)
        run('archive', 'add', 'g.ppa', 'orders.trc')
    for n, part in ((1, THIRD), (2, HALF), (3, DEMO)):
        write('orders.trc', part)
        for name in ('%d' % n, 'orders.trc#%d' % n, '#%d' % n,
                     'orders*#%d' % n):
            bad = same_tables(['orders.trc'], ['g.ppa:' + name], '--events')
            ok('g.ppa:%s is that version' % name, bad == [], bad)
    for word in ('g.ppa', 'g.ppa:orders.trc', 'g.ppa:*'):
        bad = same_tables(['orders.trc'], [word], '--events')
        ok('%s is the newest only' % word, bad == [], bad)
        p = run('show', word)
        q = run('show', 'orders.trc')
        ok('show ' + word, p.stdout == q.stdout)
        ok('... which is told', b'orders.trc#1' in p.stderr and
           b'notice: ' in p.stderr, p.stderr)
    p = run('show', '-q', 'g.ppa')
    ok('-q does not tell it', p.stderr == b'', p.stderr)
    ok('two by their numbers stand apart', sources('g.ppa:1', 'g.ppa:3') ==
       ['orders.trc#1', 'orders.trc#3'], sources('g.ppa:1', 'g.ppa:3'))
    for a in ('1', 'orders.trc#1'):
        for b in ('3', 'orders.trc#3', 'orders.trc'):
            write('before.trc', THIRD)
            write('after.trc', DEMO)
            x = table_of_compare('before.trc', 'after.trc')
            y = table_of_compare('g.ppa:' + a, 'g.ppa:' + b)
            ok('compare g.ppa:%s g.ppa:%s' % (a, b), x == y and len(x) > 5,
               (x[:1], y[:1]))
    x = table_of_compare('after.trc', 'before.trc')
    y = table_of_compare('g.ppa:3', 'g.ppa:1')
    ok('compare the other way round', x == y)
    # the file itself beside its versions
    ok('the file and its versions', sources('g.ppa:1', 'g.ppa:2',
       'orders.trc') == ['g.ppa:orders.trc#1', 'g.ppa:orders.trc#2',
                         'orders.trc'],
       sources('g.ppa:1', 'g.ppa:2', 'orders.trc'))
    # added in the other order
    for part in (DEMO, THIRD, HALF):
        write('orders.trc', part)
        run('archive', 'add', 'back.ppa', 'orders.trc')
    bad = same_tables(['after.trc'], ['back.ppa'], '--tables', 'profile')
    ok('the longest counts in whatever order', sources('back.ppa:*') ==
       ['orders.trc'] and total(table('profile', 'back.ppa')) ==
       total(table('profile', 'after.trc')), bad)
    # through merge, compact and add
    run('archive', 'merge', 'm.ppa', 'g.ppa')
    run('archive', 'compact', 'm.ppa')
    run('archive', 'add', 'm2.ppa', 'm.ppa')
    run('archive', 'recover', 'm2.ppa', '-o', 'm3.ppa')
    for a in ('m.ppa', 'm2.ppa', 'm3.ppa'):
        ok(a + ' has all versions', sources(a + ':1', a + ':2', a + ':3') ==
           ['orders.trc#1', 'orders.trc#2', 'orders.trc#3'] and
           sources(a) == ['orders.trc'])


def table_of_compare(a, b):
    """Times and counts per event; names of sources left out."""
    p = run('compare', '-q', a, b, '--unchanged', '--table',
            'compare_events', '-o', '-')
    return p.stdout.split(b'\n')


def total(rows):
    return sum(Decimal(r['time_s']) for r in rows if r['time_s'])


def test_growing_gzip():
    """What is compared is the text in it."""
    write('z.trc.gz', gzip.compress(THIRD, 9))
    run('archive', 'add', 'z.ppa', 'z.trc.gz')
    write('z.trc.gz', gzip.compress(DEMO, 6))
    run('archive', 'add', 'z.ppa', 'z.trc.gz')
    bad = same_tables(['z.trc.gz'], ['z.ppa'])
    ok('a .gz that has grown', bad == [], bad)
    # cut gzip is no beginning of anything
    write('z.trc.gz', gzip.compress(DEMO + b'\n', 6)[:-2000])
    run('archive', 'add', 'z.ppa', 'z.trc.gz')
    ok('a cut .gz stands by itself', sources('z.ppa', status=3) ==
       ['z.trc#2', 'z.trc#3'], sources('z.ppa', status=3))


def test_names_again():
    """A file that comes to have another one's content."""
    write('full.trc', DEMO)
    write('part.trc', THIRD)
    run('archive', 'add', 'n.ppa', 'full.trc')
    run('archive', 'add', 'n.ppa', 'part.trc')
    write('part.trc', DEMO)
    run('archive', 'add', 'n.ppa', 'part.trc')
    ok('each content once', sources('n.ppa') == ['full.trc'],
       sources('n.ppa'))
    ok('under its other name', sources('n.ppa:part.trc') == ['part.trc'])
    bad = same_tables(['part.trc'], ['n.ppa:part.trc'])
    ok('with its bytes', bad == [], bad)
    for name in ('n.ppa:part.trc#2', 'n.ppa:2'):
        write('part.trc', THIRD)
        ok(name, same_tables(['part.trc'], [name]) == [])


# ----------------------------------------------------------- changed files

def test_changed():
    """A file that was written anew: its versions stand apart."""
    a = DEMO.replace(b'db file sequential read', b'direct path read')
    for part in (DEMO, a):
        write('d/new.trc', part)
        run('archive', 'add', 'c.ppa', os.path.abspath('d/new.trc'))
    ok('short names', sources('c.ppa') == ['new.trc#1', 'new.trc#2'],
       sources('c.ppa'))
    rows = table('sessions', 'c.ppa')
    ok('two sessions', [(r['source'], r['span_s']) for r in rows] ==
       [('new.trc#1', '13.856263'), ('new.trc#2', '13.856263')], rows)
    for n in (1, 2):
        write('d/new.trc', (DEMO, a)[n - 1])
        bad = same_tables(['d/new.trc'], ['c.ppa:%d' % n], '--tables',
                          'profile,statements,events,timeline')
        ok('c.ppa:%d' % n, bad == [], bad)
    # two files of one name, one of them twice
    write('e/new.trc', DEMO + b'\n')
    run('archive', 'add', 'c.ppa', os.path.abspath('e/new.trc'))
    got = sources('c.ppa')
    ok('names of versions and of others', got == ['d/new.trc#1',
       'd/new.trc#2', 'new.trc'] or got == ['e/new.trc', 'new.trc#1',
       'new.trc#2'] or got == ['new.trc', 'new.trc#1', 'new.trc#2'], got)
    for name in got:
        ok('a printed name is one that is understood: ' + name,
           sources('c.ppa:' + name)[-1].startswith('new.trc'))
    # two archives of one path
    run('archive', 'add', 'c2.ppa', os.path.abspath('d/new.trc'))
    got = sources('c.ppa:1', 'c2.ppa:1')
    ok('two archives of one path', got == ['c.ppa:new.trc',
       'c2.ppa:new.trc'], got)
    os.makedirs('other', exist_ok=True)
    shutil.copy('c2.ppa', 'other/c.ppa')
    got = sources('c.ppa:1', 'other/c.ppa:1')
    ok('two archives of one name', got == ['c.ppa:new.trc',
       'other/c.ppa:new.trc'], got)


def test_parts():
    """The parts of a trace, added while the last one grew."""
    one, two = b'\n'.join(LINES[:240]) + b'\n', b'\n'.join(LINES[240:])
    write('p/x_1.trc', one)
    write('p/x.trc', two[:9000])
    run('archive', 'add', 'p.ppa', 'p')
    write('p/x.trc', two)
    run('archive', 'add', 'p.ppa', 'p')
    bad = same_tables(['p'], ['p.ppa'])
    ok('parts of a trace', bad == [], bad)
    # written anew: only the newest goes on where part 1 ends
    write('p/x.trc', two.replace(b'db file', b'xx file'))
    run('archive', 'add', 'p.ppa', 'p')
    n = [(r['source'], r['span_s']) for r in table('sessions', 'p.ppa')]
    want = [(r['source'], r['span_s']) for r in table('sessions', 'p')]
    ok('an older version stands apart', set(want) < set(n) and len(n) == 2,
       (n, want))


def test_renamed():
    """A trace outgrows its limit: x.trc becomes x_2.trc, and goes on in a new
    x.trc."""
    cuts = [b'\n'.join(LINES[a:b]) + b'\n' for a, b in
            ((0, 160), (160, 240), (160, 330), (330, None))]
    write('r/x_1.trc', cuts[0])
    write('r/x.trc', cuts[1])
    run('archive', 'add', 'r.ppa', 'r')
    bad = same_tables(['r'], ['r.ppa'])
    ok('two parts', bad == [], bad)
    write('r/x_2.trc', cuts[2])
    write('r/x.trc', cuts[3])
    run('archive', 'add', 'r.ppa', 'r')
    bad = same_tables(['r'], ['r.ppa'])
    ok('a part that was renamed counts once', bad == [], bad)
    p = run('show', 'r.ppa')
    ok('... which is told', b'x.trc#2' in p.stderr and b'x_2.trc begins' in
       p.stderr or b'x.trc#1' in p.stderr, p.stderr)
    run('archive', 'merge', 'r2.ppa', 'r.ppa')
    bad = same_tables(['r'], ['r2.ppa'])
    ok('after merge', bad == [], bad)
    # a copy that goes on is another file, as long as the first is there
    write('k/a.trc', THIRD)
    write('k/b.trc', DEMO)
    run('archive', 'add', 'k.ppa', 'k')
    bad = same_tables(['k'], ['k.ppa'])
    ok('a copy that goes on is another file', bad == [], bad)


def test_copies():
    """Of a file and its copy none goes on where the other ends."""
    write('cp/x.trc', DEMO)
    write('cp/x.trc.gz', gzip.compress(DEMO))
    n = [(r['source'], r['span_s']) for r in table('sessions', 'cp')]
    ok('x.trc and x.trc.gz', n == [('x.trc', '13.856263'),
       ('x.trc.gz', '13.856263')], n)
    write('sides/x_1.trc', THIRD + b'\n')
    write('sides/x.trc', b'\n'.join(LINES[240:]))
    write('apart/a.trc', THIRD + b'\n')
    write('apart/b.trc', b'\n'.join(LINES[240:]))
    x = table_of_compare('sides/x_1.trc', 'sides/x.trc')
    y = table_of_compare('apart/a.trc', 'apart/b.trc')
    ok('sides of a comparison are not joined', x == y, (x[:2], y[:2]))


def test_server():
    """The tables of a server, dumped again into the same files."""
    server = os.path.join(CORPORA, 'psevents/ok/server')
    later = {}
    for n in os.listdir(server):
        write('s/' + n, read(os.path.join(server, n)))
        # another time, another thread
        later[n] = read(os.path.join(server, n)).replace(b'41\t', b'61\t')
    run('archive', 'add', 's.ppa', 's')
    bad = same_tables(['s'], ['s.ppa'])
    ok('tables of a server', bad == [], bad)
    first = table('profile', 's')
    for n in later:
        write('s/' + n, later[n])
    run('archive', 'add', 's.ppa', 's')
    second = table('profile', 's')
    got = {}
    for r in table('profile', 's.ppa'):
        got.setdefault(r['source'], []).append(
            (r['session'], r['event'], r['time_s']))
    want = [sorted((r['session'], r['event'], r['time_s']) for r in x)
            for x in (first, second)]
    ok('two sets of them stand apart', sorted(sorted(x) for x in
       got.values()) == sorted(want), (sorted(got), [len(x) for x in want]))
    # the two times, side by side
    for n in later:
        write('s1/' + n, read(os.path.join(server, n)))
    x = table_of_compare('s1', 's')
    y = table_of_compare('s.ppa:#1-4', 's.ppa:#5-8')
    ok('compare two sets', x == y and len(x) > 5, (x[:2], y[:2]))
    for n in later:
        write('both/a-' + n, read(os.path.join(server, n)))
        write('both/b-' + n, later[n])
    y = table_of_compare('both/a-*', 'both/b-*')
    ok('compare two sets of one folder', x == y, (x[:3], y[:3]))
    # once more, and a table that had not been dumped before comes first
    for x, names in (('w', ('statements.tsv', 'waits.tsv')),
                     ('w', ('stages.tsv', 'statements.tsv', 'waits.tsv'))):
        for n in names:
            data = read(os.path.join(server, n))
            if len(names) == 3:
                data = later[n]
            write('%s/%s' % (x, n), data)
        run('archive', 'add', 'w.ppa', x)
        want = table('profile', x)
        got = [r for r in table('profile', 'w.ppa')]
    name = {r['source'] for r in got} - {'statements.tsv#1'}
    ok('a set keeps what was added with it', sorted(
        (r['session'], r['event'], r['time_s']) for r in got
        if r['source'] in name) == sorted(
        (r['session'], r['event'], r['time_s']) for r in want) and
       len(name) == 1, name)
    run('archive', 'merge', 'w2.ppa', 'w.ppa')
    ok('... through merge', table('profile', 'w2.ppa') == got)
    # two servers, two archives, the same paths
    run('archive', 'add', 's2.ppa', 's')
    got = table('profile', 's.ppa:1', 's.ppa:2', 's.ppa:3', 's.ppa:4',
                's2.ppa')
    ok('two archives are two servers', total(got) == total(first) +
       total(second), (total(got), total(first), total(second)))


def test_stdin():
    """What came from standard input has no name but that."""
    run('archive', 'add', 'i.ppa', '-', input=THIRD)
    run('archive', 'add', 'i.ppa', '-', input=DEMO)
    run('archive', 'add', 'i.ppa', '-', input=DEMO[9000:])
    for name in ('-', 'stdin'):
        got = sources('i.ppa:' + name)
        ok('i.ppa:%s' % name, got == ['stdin#2', 'stdin#3'], got)
    ok('i.ppa:stdin#1', sources('i.ppa:stdin#1') == ['stdin'])


def test_digits():
    """Digits are a number, whatever files are called."""
    write('2', DEMO)
    write('other.trc', THIRD)
    run('archive', 'add', 'no.ppa', '2')
    run('archive', 'add', 'no.ppa', 'other.trc')
    ok('a number is no name', sources('no.ppa:2') == ['other.trc'])
    ok('a file called like a number', sources('no.ppa:[2]') == ['2'] and
       sources('no.ppa:#1') == ['2'])


def test_earlier_archive():
    """An archive of an earlier version does not tell which of its profiles
    begin with which: they are looked at."""
    a = os.path.join(TOP, 'tests/archive/v2.ppa')
    ok('an archive without relations', sources(a) == ['grown.trc'],
       sources(a))


def test_every_reader():
    """A folder that was added while all its files grew gives what it is now,
    and each older version what it was then."""
    for kind in sorted(os.listdir(CORPORA)):
        whole, halves = {}, {}
        for name, data in tree(os.path.join(CORPORA, kind)).items():
            # what is compressed is not cut: it would be another thing
            if data[:2] != b'\x1f\x8b' and len(data) > 40:
                halves[name] = data[:len(data) // 2]
            whole[name] = data
        a = 'every-%s.ppa' % kind
        for files in (halves, whole):
            for name, data in files.items():
                write('every/%s' % name, data)
            run('archive', 'add', a, 'every', status=None)
        bad = [] if kind == 'digest' else same_tables(
            ['every'], [a], '--events')
        ok('%s: the folder as it is now' % kind, bad == [], bad)
        x = run('show', '-q', 'every', status=None)
        y = run('show', '-q', a, status=None)
        ok('%s: show' % kind, x.stdout == y.stdout and
           x.returncode == y.returncode)
        shutil.rmtree('every')
        numbers = {}
        for r in run('archive', 'list', a, '--width',
                     '250').stdout.decode().split('\n')[1:]:
            if 'part of' in r:
                w = r.split()
                path = next(c for c in w if c.startswith('every/'))
                numbers[path] = w[0]
        ok('%s: %d of %d are beginnings' % (kind, len(numbers),
           len(halves)), len(numbers) > len(halves) // 2, numbers)
        bad = []
        for path, n in sorted(numbers.items())[::9]:
            write(path, halves[path[len('every/'):]])
            bad += same_tables_or_none([path], ['%s:%s' % (a, n)])
        ok('%s: versions as they were' % kind, bad == [], bad)
        shutil.rmtree('every', ignore_errors=True)


def same_tables_or_none(a, b):
    """The same, where there may be nothing that a reader knows."""
    bad = same_tables(a, b)
    return [] if bad == ['nothing'] else [(a, x) for x in bad]


def main():
    work = tempfile.mkdtemp(dir='/dev/shm' if os.access('/dev/shm', os.W_OK)
                            else None)
    os.chdir(work)
    os.environ['TMPDIR'] = work
    try:
        test_growing()
        test_growing_gzip()
        test_names_again()
        test_changed()
        test_parts()
        test_renamed()
        test_copies()
        test_server()
        test_stdin()
        test_digits()
        test_earlier_archive()
        test_every_reader()
    finally:
        os.chdir('/')
        shutil.rmtree(work)
    sys.exit(checks.failed != 0)


main()
