#!/usr/bin/python3
"""The seed's own reports: profile, trees of calls, timeline, SystemTap.

Right values are worked out by hand from the lines of traces in corpora/, made
with the traces that this script writes, and, where the shared folder is at
hand, those of the seed's texts and of reports that other tools printed.
"""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import (CORPORA, PROFPIVOT, Report, SHARED,  # noqa: E402
                    convert, number, ticks)

report = Report()
WORK = tempfile.mkdtemp(prefix='profpivot-test-')
CLIENT = 'SQL*Net message from client'
OK = os.path.join(CORPORA, 'ok')
FRAGMENTS = os.path.join(SHARED, 'corpora', 'oracle', 'fragments')


def run(*words, text=None):
    return subprocess.run([PROFPIVOT] + list(words), input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=600)


def show(*words, text=None):
    r = run('show', *words, text=text)
    return r.stdout.decode()


def same(wrong, what, got, want):
    if got != want:
        wrong.append('%s: %r, not %r' % (what, got, want))


def lines(wrong, got, want):
    """Two texts line by line, blanks at the ends of lines apart."""
    g = [x.rstrip() for x in got.splitlines()]
    w = [x.rstrip() for x in want.splitlines()]
    for i in range(max(len(g), len(w))):
        a = g[i] if i < len(g) else None
        b = w[i] if i < len(w) else None
        if a != b:
            wrong.append('line %d: %r, not %r' % (i + 1, a, b))


def trace(name, text):
    path = os.path.join(WORK, name)
    with open(path, 'w') as f:
        f.write(text)
    return path


# -- trees of calls ------------------------------------------------------

def call(name, cursor, c, e, tim, dep, **more):
    k = dict(p=0, cr=0, cu=0, mis=0, r=0)
    k.update(more)
    return '%s #%d:c=%d,e=%d,p=%d,cr=%d,cu=%d,mis=%d,r=%d,dep=%d,og=1,' \
        'tim=%d' % (name, cursor, c, e, k['p'], k['cr'], k['cu'], k['mis'],
                    k['r'], dep, tim)


def total(name, cpu, ela):
    return '%s: cpu=%11d ela=%11d' % (name, cpu, ela)


def block(level, parse, execute, fetch, cpu, ela):
    """Sums of a level and what they leave of the call above it."""
    pad = '  ' * level
    rec = [sum(x[i] for x in (parse, execute, fetch)) for i in (0, 1)]
    return [pad + total('PARSE', *parse), pad + total('EXEC', *execute),
            pad + total('FETCH', *fetch),
            pad + total('Recursive', *rec) + '; ' +
            total('Exclusive', cpu - rec[0], ela - rec[1])]


def orphans(by_depth):
    """The listing of orphans_before_parse.trc, by hand."""
    q, b = ',hv=2616251378', ',hv=365660062'
    out = ['  Line 5: ' + call('EXEC', 4, 0, 410, 5000001000, 1) + q,
           '  Line 6: ' + call('FETCH', 4, 4000, 4200, 5000005300, 1,
                               cr=90) + q,
           '  Line 8: ' + call('EXEC', 4, 0, 390, 5000025900, 1) + q,
           '  Line 9: ' + call('FETCH', 4, 5000, 4800, 5000030800, 1,
                               cr=90) + q]
    if by_depth:
        out += block(1, (0, 0), (0, 800), (9000, 9000), 0, 60)
    else:
        out += block(1, (0, 0), (0, 800), (9000, 9000), 9000, 9800)
        out += ['(call not in trace) #6' + total('', 9000, 9800) +
                ' err=25228' + b]
    out += ['Line 19: ' + call('PARSE', 6, 0, 60, 5000032000, 0) + b,
            '  Line 20: ' + call('EXEC', 4, 0, 300, 5000032500, 1) + q,
            '  Line 22: ' + call('FETCH', 4, 6000, 6100, 5000038700, 1,
                                 cr=90, r=1) + q]
    out += block(1, (0, 0), (0, 300), (6000, 6100), 6999, 7000)
    out += ['Line 23: ' + call('EXEC', 6, 6999, 7000, 5000039050, 0, cr=95,
                               r=1) + b,
            total('PARSE', 0, 60), total('EXEC', 6999, 7000),
            total('FETCH', 0, 0)]
    if not by_depth:
        out += ['(call not in trace)' + total('', 9000, 9800)]
    return '\n'.join(out) + '\n'


def test_trees():
    path = os.path.join(OK, 'orphans_before_parse.trc')
    wrong = []
    lines(wrong, show('--tree', 'seed', path), orphans(True))
    report.result('seed: tree by depth', wrong)
    wrong = []
    lines(wrong, show('--tree', 'calls', path), orphans(False))
    report.result('seed: tree by time', wrong)
    wrong = []
    got = show('--tree=calls', os.path.join(OK, 'v19c_lob_and_close.trc'))
    for want in (r'Line \d+: LOBREAD: bytes=\d+,c=\d+,e=700,p=\d+,cr=\d+,'
                 r'cu=\d+,tim=\d+,hv=$',
                 r'Line \d+: CLOSE #\d+:c=\d+,e=\d+,dep=0,type=\d,tim=\d+,'
                 r'hv=\d+$', r'LOB: cpu= *\d+ ela= +1252$'):
        if not re.search('(?m)^' + want, got):
            wrong.append('no line %s' % want)
    report.result('seed: LOB and CLOSE calls in a tree', wrong)


def test_every_tree():
    """No exclusive time is negative, and the roots add up to the tables."""
    wrong, n = [], 0
    for name in sorted(os.listdir(OK)):
        if not name.endswith('.trc'):
            continue
        path = os.path.join(OK, name)
        listing = show('--tree', 'calls', path)
        out = convert([path], '--tables', 'tree,sessions')
        for line in listing.splitlines():
            m = re.search(r'Exclusive: cpu= *(-?\d+) ela= *(-?\d+)', line)
            if m and int(m[2]) < -1:
                wrong.append('%s: %s' % (name, line))
        roots = {}
        for m in re.finditer(r'(?m)^(PARSE|EXEC|FETCH|CLOSE|UNMAP|SORT UNMAP|'
                             r'RPC EXEC|LOB): cpu= *(-?\d+) ela= *(-?\d+)$',
                             listing):
            a = roots.get(m[1], (0, 0))
            roots[m[1]] = (a[0] + int(m[2]), a[1] + int(m[3]))
        digits = 2 if '8i' in name else 6
        want = {}
        for r in out.rows('tree'):
            if r['depth'] != '0' or r['statement'] == '(between calls)' or \
                    r['call'].startswith('('):
                continue
            k = 'LOB' if r['call'].startswith('LOB') else \
                'RPC EXEC' if r['call'] == 'RPC' else r['call']
            a = want.get(k, (0, 0))
            want[k] = (a[0] + ticks(r['cpu_s'], digits),
                       a[1] + ticks(r['elapsed_s'], digits))
        roots = {k: v for k, v in roots.items() if any(v)}
        want = {k: v for k, v in want.items() if any(v)}
        same(wrong, name, roots, want)
        n += 1
    report.result('seed: trees of calls add up (%d traces)' % n, wrong)


def seed_text(number):
    folder = os.path.join(SHARED, 'seeds')
    if not os.path.isdir(folder):
        return ''
    name = [x for x in sorted(os.listdir(folder))
            if x.startswith('%03d_' % number)]
    with open(os.path.join(folder, name[0]), encoding='utf-8') as f:
        return f.read().replace('\xa0', ' ')


def test_printed_tree():
    """Every line of the tree that the seed prints."""
    text = seed_text(0)
    sample = os.path.join(FRAGMENTS, 'seed000_exec_tree.trc')
    if not text or not os.path.exists(sample):
        report.skip('seed: the printed tree', 'no shared folder')
        return
    tree = text[text.index('Resulting execution tree:'):]
    tree = tree[tree.index('  Line 39'):tree.index('As you can see')].strip(
        '\n')
    with open(sample) as f:
        path = trace('printed.trc', '\n' * 34 + f.read())
    wrong = []
    lines(wrong, show('--tree', 'seed', path), tree)
    got = show('--tree', 'seed', path)
    for n in (943, 138998, 141979, 139941, -141979, -139903, 897, 212849,
              217967, 213746, 2999, 980777, 38, 220966, 1194523):
        if not re.search(r'[= ]%d\b' % n, got):
            wrong.append('%d is not there' % n)
    report.result('seed: the printed tree', wrong)
    wrong = []
    got = show('--tree', 'calls', sample)
    for want in (
            '(call not in trace) #6: cpu=     141979 ela=     139941 '
            'err=25228',
            'Recursive: cpu=     141979 ela=     139941; Exclusive: cpu='
            '          0 ela=          0',
            'Recursive: cpu=     217967 ela=     213746; Exclusive: cpu='
            '       2999 ela=     980777'):
        if want not in got:
            wrong.append('no %r' % want)
    out = convert([sample], '--tables', 'tree,profile')
    tree = {(r['call'], r['depth'], r['calls']): (
        ticks(r['elapsed_s']), ticks(r['cpu_s']), ticks(r['self_s']),
        ticks(r['self_unaccounted_s'])) for r in out.rows('tree')}
    same(wrong, 'synthetic', tree.get(('(call not in trace)', '0', '0')),
         (139941, 141979, 0, 0))
    same(wrong, 'PARSE', tree.get(('PARSE', '0', '1')), (38, 0, 38, 38))
    same(wrong, 'EXEC', tree.get(('EXEC', '0', '1')),
         (1194523, 220966, 980777, -306))
    profile = {}
    for r in out.rows('profile'):
        profile[r['class']] = profile.get(r['class'], 0) + ticks(r['time_s'])
    same(wrong, 'cpu', profile['cpu'], 362945)
    same(wrong, 'waits', profile['wait'] + profile['idle'], 1126607)
    same(wrong, 'unaccounted', profile['unaccounted'], -5174)
    report.result('seed: the tree of a trace that starts in a call', wrong)


# -- the seed's timeline -------------------------------------------------

def timeline(path, *options):
    """{label in ticks from the begin: {event: (time, count)}}, and ends."""
    out = convert([path], '--tables', 'timeline,timeline_pivot',
                  '--timeline', 'seed', *options)
    got, ends = {}, {}
    for r in out.rows('timeline'):
        got.setdefault(ticks(r['start_s']), {})[
            r['event'].replace('CPU ', '')] = (
                ticks(r['time_s']), number(r['count']))
        ends[ticks(r['start_s'])] = ticks(r['end_s'])
    pivot = {}
    for r in out.rows('timeline_pivot'):
        for k, v in r.items():
            if k and (k.startswith('CPU ') or ':' in k or '*' in k or
                      k.startswith('db ') or k == CLIENT):
                if v and ticks(v):
                    pivot.setdefault(ticks(r['start_s']), {})[
                        k.replace('CPU ', '')] = ticks(v)
    return got, ends, pivot


def times(got):
    return {label: {e: t for e, (t, n) in events.items()}
            for label, events in got.items()}


def test_timeline():
    wrong = []
    got, ends, pivot = timeline(os.path.join(OK, 'seed_clock.trc'),
                                '--intervals', '3')
    same(wrong, 'intervals', got, {
        0: {CLIENT: (500, 1)},
        1000: {'PARSE': (10, 1), 'EXEC': (30, 1), 'FETCH': (200, 1),
               'db file sequential read': (3000, 1)},
        13150: {CLIENT: (9000, 1), 'EXEC': (7, 1)}})
    same(wrong, 'ends', ends, {0: 1000, 1000: 13150, 13150: 13500})
    same(wrong, 'pivot', pivot, times(got))
    report.result('seed: timeline, a wait before the first call', wrong)
    path = os.path.join(OK, 'orphans_before_parse.trc')
    second = {'Streams AQ: waiting for messages in the queue': (20000, 1),
              'EXEC': (0, 2), 'FETCH': (5000, 1), 'PARSE': (0, 1),
              'SQL*Net break/reset to client': (100, 2),
              'SQL*Net message to client': (2, 1), CLIENT: (700, 1),
              'latch: cache buffers chains': (40, 1)}
    want = {410: {'EXEC': (0, 1), 'FETCH': (4000, 1)}, 24710: second,
            38110: {'FETCH': (6000, 1), 'EXEC': (999, 1)}}
    wrong = []
    got, ends, pivot = timeline(path, '--intervals', '4')
    same(wrong, 'intervals', got, want)
    same(wrong, 'ends', ends, {410: 24710, 24710: 38110, 38110: 38460})
    got = timeline(path, '--intervals', '4', '--orphans', 'seed')[0]
    second['PARSE'] = (-9000, 1)
    same(wrong, 'orphans by depth', got, want)
    same(wrong, 'unaccounted-for', [
        r for r in convert([path], '--tables', 'timeline', '--timeline',
                           'seed').rows('timeline')
        if r['class'] == 'unaccounted'], [])
    report.result('seed: timeline of a trace that starts in a call', wrong)
    wrong = []
    r = run('convert', path, '--orphans', 'seed', '-o', '-', '--table',
            'timeline')
    same(wrong, 'status', r.returncode, 2)
    report.result('seed: --orphans belongs to --timeline seed', wrong)


def test_printed_timeline():
    sample = os.path.join(FRAGMENTS, 'seed000_exec_tree.trc')
    other = os.path.join(FRAGMENTS, 'seed000_11106_sample.trc')
    if not os.path.exists(sample) or not os.path.exists(other):
        report.skip('seed: the intervals of its samples', 'no shared folder')
        return
    base = 1220394068955767
    aq = 'Streams AQ: waiting for messages in the queue'
    want = {
        1220394068956393: {'EXEC': 0, 'FETCH': 69989},
        1220394069172381: {
            aq: 147396, 'SQL*Net break/reset to client': 277,
            'SQL*Net message to client': 2, CLIENT: 807, 'EXEC': 0,
            'FETCH': 71990, 'PARSE': 0},
        1220394069247543: {'EXEC': 0, 'FETCH': 73988,
                           'latch: cache buffers chains': 41},
        1220394069390667: {'FETCH': 71989},
        1220394070368751: {aq: 978084, 'EXEC': 2999, 'FETCH': 71990}}
    wrong = []
    got, ends, pivot = timeline(sample)
    same(wrong, 'right column', times(got),
         {k - base: v for k, v in want.items()})
    same(wrong, 'end', max(ends.values()), 1220394070440145 - base)
    same(wrong, 'sum', sum(sum(v.values()) for v in times(got).values()),
         1489552)
    want[1220394069172381]['PARSE'] = -141979
    got = timeline(sample, '--orphans', 'seed')[0]
    same(wrong, 'middle column', times(got),
         {k - base: v for k, v in want.items()})
    same(wrong, 'sum', sum(sum(v.values()) for v in times(got).values()),
         1347573)
    got, ends, pivot = timeline(other)
    base = 1219708745416872 - 83
    to = 'SQL*Net message to client'
    same(wrong, 'second sample', times(got), {
        1219708745416872 - base: {'EXEC': 0, to: 2, 'FETCH': 0, CLIENT: 1202},
        1219708745505782 - base: {CLIENT: 90030, 'EXEC': 0, to: 1,
                                  'FETCH': 0}})
    same(wrong, 'its length', max(ends.values()) - min(got), 91869)
    same(wrong, 'its sum', sum(sum(v.values())
                               for v in times(got).values()), 91235)
    report.result('seed: the intervals of its samples', wrong)


# -- the seed's resource profiles ----------------------------------------

# name, total, share, events, minimum, maximum (microseconds)
FIRST = [
    (CLIENT, 255000799, '48.11', 152647, 138, 290118),
    ('CPU Service', 244962734, '46.22', 864046, 0, 54992),
    ('unaccounted-for', 18943126, '3.57', None, None, None),
    ('db file sequential read', 10345820, '1.95', 3262, 17, 295407),
    ('SQL*Net message to client', 364421, '0.07', 152647, 0, 2573),
    ('log file switch completion', 285168, '0.05', 4, 3946, 239785),
    ('log file sync', 130075, '0.02', 28, 5, 17599),
    ('latch: library cache', 2779, '0.00', 36, 5, 1123),
    ('latch: cache buffers chains', 2359, '0.00', 8, 5, 621),
    ('SQL*Net more data from client', 1583, '0.00', 201, 5, 51),
    ('buffer busy waits', 276, '0.00', 6, 17, 144),
    ('latch: session allocation', 82, '0.00', 1, 82, 82),
    ('latch: shared pool', 62, '0.00', 1, 62, 62),
    ('SQL*Net more data to client', 34, '0.00', 1, 34, 34)]
SECOND = [
    (CLIENT, 801698, '77.92', 262, 280, 150290),
    ('SQL*Net more data from client', 132364, '12.87', 520, 3, 19935),
    ('CPU Service', 58989, '5.73', 478, 0, 10998),
    ('unaccounted-for', 33580, '3.26', None, None, None),
    ('library cache pin', 746, '0.07', 4, 147, 254),
    ('library cache lock', 610, '0.06', 3, 161, 237),
    ('gc current grant busy', 563, '0.05', 1, 563, 563),
    ('SQL*Net message to client', 285, '0.03', 262, 0, 31),
    ('SQL*Net more data to client', 16, '0.00', 1, 16, 16)]


def spread(whole, n, least, most):
    """n durations with this sum, the shortest and the longest as told."""
    if n == 1:
        return [whole]
    rest, m = whole - least - most, n - 2
    out = [least, most]
    if m:
        each, more = divmod(rest, m)
        out += [each + 1] * more + [each] * (m - more)
    assert sum(out) == whole and min(out) == least and max(out) == most
    return out


def profile_trace(rows):
    """Calls and waits one after the other, and a gap, whose sums are these
    rows."""
    out, tim, gap = [], 7000000000, 0
    for name, whole, _, n, least, most in rows:
        if n is None:
            gap = whole
            continue
        for ela in spread(whole, n, least, most):
            tim += ela
            if name == 'CPU Service':
                out.append('EXEC #1:c=%d,e=%d,p=0,cr=0,cu=0,mis=0,r=0,dep=0,'
                           'og=1,tim=%d' % (ela, ela, tim))
            else:
                out.append("WAIT #1: nam='%s' ela= %d p1=1 p2=2 p3=3 obj#=-1 "
                           'tim=%d' % (name, ela, tim))
    out.append('CLOSE #1:c=0,e=0,dep=0,type=0,tim=%d' % (tim + gap))
    return '\n'.join(out) + '\n'


def seconds(us):
    return '%d.%06d' % divmod(us, 1000000)


def wrap(name, width):
    out = ['']
    for word in name.split(' '):
        if len(out[-1]) + len(word) + bool(out[-1]) > width:
            out.append('')
        out[-1] += (' ' if out[-1] else '') + word
    return out


def test_profile(name, rows, width, whole, events):
    # the CLOSE that ends the gap is one more call without CPU
    rows = [r if r[0] != 'CPU Service' else r[:3] + (r[3] - 1,) + r[4:]
            for r in rows]
    text = profile_trace(rows)
    got = show('--style', 'seed', '--name-width', str(width), '-',
               text=text.encode()).splitlines()
    wrong, at = [], 3
    rule = [x for x in got if x.startswith('---')]
    same(wrong, 'rules', len(rule), 2)
    same(wrong, 'name column', len(rule[0].split(' ')[0]), width)
    for event, time, share, n, least, most in rows:
        want = [seconds(time), share]
        if n is not None:
            if event == 'CPU Service':
                n += 1
            avg = (2 * time + n) // (2 * n)
            want += ['{:,}'.format(n), seconds(avg), seconds(least),
                     seconds(most)]
        label = wrap(event, width)
        same(wrong, event, [got[at][:width].rstrip()] +
             got[at][width:].split(), [label[0]] + want)
        for k, word in enumerate(label[1:]):
            same(wrong, event, got[at + 1 + k], word)
        at += len(label)
    same(wrong, 'total', got[at + 1].split(),
         ['Total', whole, '100.00', events])
    same(wrong, 'lines', len(got), at + 2)
    report.result('seed: ' + name, wrong)


# -- the seed's point: when it happened ----------------------------------

def skewed():
    """EXEC at both ends, the client in the middle."""
    out, tim = [], 1000000000

    def execs(n):
        nonlocal tim
        for _ in range(n):
            tim += 10000
            out.append('EXEC #1:c=9500,e=10000,p=0,cr=0,cu=0,mis=0,r=1,dep=0,'
                       'og=1,tim=%d' % tim)
            tim += 500
            out.append("WAIT #1: nam='%s' ela= 480 driver id=1 #bytes=1 p3=0 "
                       'obj#=-1 tim=%d' % (CLIENT, tim))

    execs(400)
    for _ in range(40):
        tim += 150000
        out.append("WAIT #1: nam='%s' ela= 149900 driver id=1 #bytes=1 p3=0 "
                   'obj#=-1 tim=%d' % (CLIENT, tim))
        tim += 300
        out.append('EXEC #1:c=200,e=250,p=0,cr=0,cu=0,mis=0,r=1,dep=0,og=1,'
                   'tim=%d' % tim)
    execs(400)
    return '\n'.join(out) + '\n'


def test_skew():
    path = trace('skewed.trc', skewed())
    wrong = []
    bars = re.findall(r'(?m)^ *\d+\.\d{6} (\S)', show(
        '--report', 'timeline', path))
    same(wrong, 'number of bars', len(bars), 20)
    middle = ''.join('x' if b == '█' else '.' for b in bars)
    if not re.match(r'^x{5,7}\.{6,9}x{5,7}$', middle):
        wrong.append('bars: %s' % middle)
    report.result('seed: skew on the terminal', wrong)
    wrong = []
    out = convert([path], '--tables', 'timeline_pivot,timeline')
    shape = ''
    cells = {}
    for r in out.rows('timeline_pivot'):
        e, c = ticks(r['CPU EXEC']), ticks(r[CLIENT])
        shape += 'x' if e > c else '.'
        cells[int(r['interval'])] = (r['CPU EXEC'], r[CLIENT])
    same(wrong, 'CSV', shape, middle)
    report.result('seed: skew in CSV', wrong)
    wrong = []
    book = os.path.join(WORK, 'skewed.xlsx')
    r = run('convert', path, '-o', book, '-q')
    same(wrong, 'status', r.returncode, 0)
    found = False
    with zipfile.ZipFile(book) as z:
        for part in z.namelist():
            if not re.match(r'xl/charts/chart\d+\.xml', part):
                continue
            xml = z.read(part).decode()
            series = re.findall(r'<c:ser>.*?</c:ser>', xml, re.S)
            names = [re.findall(r'<c:tx>.*?<c:v>([^<]*)</c:v>', s, re.S)
                     for s in series]
            values = {n[0]: [float(v) for v in re.findall(
                r'<c:v>([^<]*)</c:v>', re.search(
                    r'<c:val>.*?</c:val>', s, re.S)[0])]
                for n, s in zip(names, series) if n and '<c:val>' in s}
            if 'CPU EXEC' in values and CLIENT in values and \
                    len(values['CPU EXEC']) == 20:
                found = True
                same(wrong, part, ''.join(
                    'x' if a > b else '.' for a, b in
                    zip(values['CPU EXEC'], values[CLIENT])), middle)
                if 'stacked' not in xml:
                    wrong.append('%s is not stacked' % part)
    if not found:
        wrong.append('no chart of 20 intervals')
    report.result('seed: skew in the chart of the workbook', wrong)


def test_zoom():
    """A table and a graph of another width of interval agree (R113)."""
    text = call('EXEC', 1, 0, 100000, 10100000, 0) + '\n' + \
        "WAIT #1: nam='%s' ela= 2500000 driver id=1 #bytes=1 p3=0 obj#=-1 " \
        'tim=13100000\n' % CLIENT
    inputs = [('own', trace('zoom.trc', text))]
    case = os.path.join(SHARED, 'cases', 'R113.trc')
    if os.path.exists(case):
        inputs.append(('R113', case))
    for name, path in inputs:
        wrong = []
        for width, want in (('1s', [400000, 1000000, 1000000, 100000]),
                            ('2s', [1400000, 1100000])):
            out = convert([path], '--tables', 'timeline', '--interval', width)
            got = [ticks(r['time_s']) for r in out.rows('timeline',
                                                        event=CLIENT)]
            same(wrong, width, got, want)
            first = {r['event']: ticks(r['time_s'])
                     for r in out.rows('timeline', interval='1')}
            same(wrong, width + ' unaccounted', first['unaccounted-for'] +
                 first['CPU EXEC'], 600000)
        report.result('seed: zoom, ' + name, wrong)
    if len(inputs) == 1:
        report.skip('seed: zoom, R113', 'no shared folder')


# -- SystemTap -----------------------------------------------------------

STAP = '''=====================
PARSING IN CURSOR #3 len=15 dep=0 uid=61 oct=47 lid=61 tim=8000000000 hv=1 ad='7a7d7e43'
begin s.t; end;
END OF STMT
PARSE #3:c=5,q=7,e=50,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=8000000000
WAIT #4: nam='latch free' q=5 c=3 ela= 20 address=1 number=2 tries=0 obj#=-1 tim=8000000350
EXEC #4:c=100,e=200,q=30,p=0,cr=0,cu=0,mis=0,r=0,dep=1,og=1,tim=8000000400
WAIT #3: nam='db file sequential read' c=20 q=12 ela= 100 file#=7 block#=1 blocks=1 obj#=-1 tim=8000000600
WAIT #3: nam='db file sequential read'  ela= 60 file#=7 block#=2 blocks=1 obj#=-1 tim=8000000700
EXEC #3:q=90,c=400,e=900,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=8000001000
FETCH #3:,c=30,e=40,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=8000001100
WAIT #3: nam='SQL*Net message from client' c=1 q=2 ela= 50 driver id=1 #bytes=1 p3=0 obj#=-1 tim=8000001200
'''


def test_accounts_of_samples():
    path = trace('stap.trc', STAP)
    out = convert([path], '--events')
    wrong = []
    # call on line: pure cpu, queue outside of waits, waits, rest
    want = {5: (5, 7, 0, 38), 7: (97, 25, 20, 58),
            10: (280, 48, 160, 212), 11: (30, 0, 0, 10)}
    for line, (cpu, queue, wait, rest) in want.items():
        r = out.one('events', line=str(line))
        same(wrong, 'line %d' % line, (
            ticks(r['self_cpu_s']), ticks(r['self_queue_s']),
            ticks(r['self_wait_s']), ticks(r['self_unaccounted_s'])),
            (cpu, queue, wait, rest))
        same(wrong, 'line %d, self' % line, ticks(r['self_s']),
             cpu + queue + wait + rest)
    profile = {r['event']: ticks(r['time_s']) for r in out.rows('profile')}
    same(wrong, 'CPU run queue', profile['CPU run queue'], 7 + 25 + 48)
    same(wrong, 'CPU', sum(v for k, v in profile.items()
                           if k.startswith('CPU ') and 'queue' not in k),
         5 + 97 + 280 + 30)
    same(wrong, 'span', sum(profile.values()), 1250)
    report.result('seed: samples in the accounts, call by call', wrong)


PLAIN = '''=====================
PARSING IN CURSOR #3 len=60 dep=0 uid=61 oct=3 lid=61 tim=8000000000 hv=1 ad='7a7d7e43'
select c from t
where x = :1
WAITING for it
and y = 1
END OF STMT
PARSE #3:c=5,e=50,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=8000000000
BINDS #3:
 Bind#0
  oacdty=01 mxl=32(30) mxlc=00 mal=00 scl=00 pre=00
  value="EXEC #9:c=1,e=1"
EXEC #4:c=100,e=200,p=0,cr=0,cu=0,mis=0,r=0,dep=1,og=1,tim=8000000400
WAIT #3: nam='db file sequential read' ela= 100 file#=7 block#=1 blocks=1 obj#=-1 tim=8000000600
EXEC #3:c=400,e=900,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=8000001000
STAT #3 id=1 cnt=1 pid=0 pos=1 obj=5 op='TABLE ACCESS FULL T (cr=1 pr=0 pw=0 time=5 us)'
FETCH #3:c=30,e=40,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=8000001100
WAIT #3: nam='SQL*Net message from client' ela= 50 driver id=1 #bytes=1 p3=0 obj#=-1 tim=8000001200
CLOSE #3:c=0,e=3,dep=0,type=0,tim=8000001300
'''
LOG = 'q=11\nq=12\nc=10 q=1\nq=13\nq=14\nc=20 q=2\n'


def merge(text, log, *options):
    path, samples = trace('plain.trc', text), trace('plain.log', log)
    return run('stap-merge', path, samples, *options)


def test_merge():
    wrong = []
    r = merge(PLAIN, LOG)
    got = r.stdout.decode()
    want = PLAIN
    for n, line in enumerate(('PARSE #3:', 'EXEC #4:', '\nEXEC #3:',
                              'FETCH #3:')):
        want = want.replace(line + 'c=', line + 'q=%d,c=' % (11 + n))
    want = want.replace('read\' ela', 'read\' c=10 q=1 ela').replace(
        'client\' ela', 'client\' c=20 q=2 ela')
    lines(wrong, got, want)
    same(wrong, 'status', r.returncode, 0)
    same(wrong, 'messages', r.stderr, b'')
    report.result('seed: merge', wrong)

    wrong = []
    looks = PLAIN.replace('where x = :1', "EXEC #3:c=9,e=9,tim=5\n"
                          "WAIT #3: nam='x' ela= 5\nFETCH c= me")
    r = merge(looks, LOG)
    for line in ('EXEC #3:c=9,e=9,tim=5\n', "WAIT #3: nam='x' ela= 5\n",
                 'FETCH c= me\n', 'value="EXEC #9:c=1,e=1"'):
        if line not in r.stdout.decode():
            wrong.append('%r was changed' % line)
    same(wrong, 'status', r.returncode, 0)
    same(wrong, 'calls', re.findall(r'q=(1\d),c', r.stdout.decode()),
         ['11', '12', '13', '14'])
    report.result('seed: merge leaves SQL text and binds alone', wrong)

    for name, log, words in (
            ('too few', 'q=11\nc=10 q=1\n', [b'4 PARSE', b'2 WAIT',
                                             b'got none']),
            ('too many', LOG + 'c=1 q=1\nq=5\n', [b'were not used'])):
        wrong = []
        r = merge(PLAIN, log)
        same(wrong, 'status', r.returncode, 3)
        for w in words:
            if w not in r.stderr:
                wrong.append('no %r in %r' % (w, r.stderr))
        if name == 'too few':
            if "EXEC #4:,c=100" not in r.stdout.decode() or \
                    "client'  ela=" not in r.stdout.decode():
                wrong.append('missing samples: %r' % r.stdout)
        out = os.path.join(WORK, 'strict.trc')
        r = merge(PLAIN, log, '--strict', '-o', out)
        same(wrong, '--strict', (r.returncode, os.path.exists(out)),
             (1, False))
        r = merge(PLAIN, log, '-q', '-o', out)
        same(wrong, '-o', (r.returncode, os.path.exists(out)), (3, True))
        os.remove(out)
        report.result('seed: merge, %s samples' % name, wrong)

    wrong = []
    r = merge('no trace\n', LOG)
    same(wrong, 'no trace', r.returncode, 1)
    same(wrong, 'no log', run('stap-merge', trace('a.trc', PLAIN),
                              os.path.join(WORK, 'none')).returncode, 1)
    same(wrong, 'no words', run('stap-merge', 'x').returncode, 2)
    packed = os.path.join(WORK, 'packed.trc.gz')
    with gzip.open(packed, 'wb') as f:
        f.write(PLAIN.encode())
    same(wrong, 'gzip', run('stap-merge', packed, trace('p.log', LOG)).stdout,
         merge(PLAIN, LOG).stdout)
    report.result('seed: merge, what it cannot and can read', wrong)

    wrong = []
    n = 60000
    big = PLAIN + ''.join(
        'EXEC #3:c=400,e=900,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,tim=%d\n'
        "WAIT #3: nam='db file sequential read' ela= 9 file#=7 block#=1 "
        'blocks=1 obj#=-1 tim=%d\n' % (8000002000 + i * 2000,
                                       8000002500 + i * 2000)
        for i in range(n))
    r = merge(big, LOG + 'c=5 q=6\nq=7\n' * n, '--max-memory', '4M')
    same(wrong, 'status', (r.returncode, r.stderr), (0, b''))
    same(wrong, 'samples', (r.stdout.count(b'q=7,c='),
                            r.stdout.count(b' c=5 q=6 ela=')), (n, n))
    report.result('seed: merge streams', wrong)


def test_seed_script():
    """The same bytes as the seed's shell script, really run."""
    text = seed_text(1)
    if not text or shutil.which('bash') is None:
        report.skip('seed: merge as the script does', 'no shared folder')
        return
    script = text[text.index('#!/bin/sh'):]
    end = 'done < "$trace_filename"'
    script = trace('merge.sh', script[:script.index(end) + len(end)] + '\n')
    # read and echo drop blanks around a line: there are none here
    plain = '\n'.join(x.strip() for x in PLAIN.splitlines()).replace(
        'WAITING for it', 'and waiting') + '\n'
    for name, log in (('all samples', LOG), ('samples missing',
                                             'q=11\nc=10 q=1\nq=12\n')):
        path, samples = trace('s.trc', plain), trace('s.log', log)
        theirs = subprocess.run(['bash', script, path, samples],
                                stdout=subprocess.PIPE, timeout=60)
        ours = run('stap-merge', path, samples)
        wrong = []
        lines(wrong, ours.stdout.decode(), theirs.stdout.decode())
        same(wrong, 'bytes', ours.stdout, theirs.stdout)
        report.result('seed: merge as the script does, ' + name, wrong)


try:
    test_trees()
    test_every_tree()
    test_printed_tree()
    test_timeline()
    test_printed_timeline()
    test_profile('the first resource profile', FIRST, 29, '530.039318',
                 '1,172,888')
    test_profile('the second resource profile', SECOND, 24, '1.028851',
                 '1,531')
    test_skew()
    test_zoom()
    test_accounts_of_samples()
    test_merge()
    test_seed_script()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
report.end()
