#!/usr/bin/python3
"""show --style tkprof|mrskew|xtat: numbers by the conventions of others.

Where the shared corpora are at hand, the reports that TKPROF and TVD$XTAT
printed of the same traces are read, and every number of them that this
program prints too is compared.  What differs is listed below, with why.
"""
import glob
import os
import re
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import (CORPORA, PROFPIVOT, Report, SHARED, convert,  # noqa: E402
                    number, ticks)

report = Report()
OK = os.path.join(CORPORA, 'ok')
ORACLE = os.path.join(SHARED, 'corpora', 'oracle')


def show(style, path):
    r = subprocess.run([PROFPIVOT, 'show', '--style', style, '--top',
                        '1000000', path], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=600)
    return r.stdout.decode('utf-8', 'replace')


def trace_of(name):
    """The trace that a report is of; its folder may be called x_..."""
    name = re.sub('[-_](tkprof|tvdxtat)$', '', name)
    for n in (name, re.sub('x_a\\d+_', '', name)):
        found = glob.glob(glob.escape(os.path.join(ORACLE, n)) + '.trc*')
        if found:
            return found[0]
    return None


def reports(mark):
    for path in sorted(glob.glob(os.path.join(ORACLE, 'expected', '*.txt'))):
        with open(path, encoding='latin-1') as f:
            text = f.read()
        trace = trace_of(os.path.basename(path)[:-4])
        if mark in text and trace:
            yield os.path.basename(path)[:-4], text, trace


def compare(name, theirs, ours, known=()):
    wrong = []
    if not theirs:
        wrong.append('nothing was read out of the report')
    for k in theirs:
        if ours.get(k) != theirs[k] and k not in known:
            wrong.append('%r: %r, not %r' % (k, ours.get(k), theirs[k]))
    for k in known:
        if ours.get(k) == theirs.get(k):
            wrong.append('%r does not differ' % (k,))
    report.result('styles: %s (%d numbers)' % (name, len(theirs)), wrong)


# -- TKPROF ---------------------------------------------------------------

def tkprof(text):
    """{(sql_id or total, call or wait): numbers}"""
    out, key = {}, None
    for line in text.splitlines():
        m = re.match(r'SQL ID: (\S+)', line) or re.match(
            r'OVERALL TOTALS FOR ALL (\S+)', line)
        if m:
            key = m[1]
        if line.startswith('****') or line == '-' * 80:
            key = None
        m = re.match(r'(Parse|Execute|Fetch|total) +(\d+) +([\d.]+) +([\d.]+)'
                     r' +(\d+) +(\d+) +(\d+) +(\d+) *$', line)
        if m and key:
            out[key, m[1]] = m.groups()[1:]
        m = re.match(r'  (\S.{39}) +(\d+) +([\d.]+) +([\d.]+) *$', line)
        if m and key:
            out[key, m[1].strip()] = m.groups()[1:]
    return out


# -- TVD$XTAT -------------------------------------------------------------

def xtat(text):
    """{(section, row): numbers} of the first two tables"""
    out, inside, last = {}, False, ''
    for line in text.splitlines():
        if re.match(r'[-*]{3,}$', line):
            # a title is underlined: the first table, then those of events
            if inside:
                break
            inside = last == 'Resource Usage Profile'
        last = line.strip() or last
        if not inside:
            continue
        line = line.replace(',', '')
        m = re.match(r'#?(\d+) +(\S.{0,31}?) {2,}(-?[\d.]+) +(-?[\d.]+) +'
                     r'(\d+) +(n/a|-?[\d.]+) *$', line)
        if m:
            out['statement', m[2], m[5]] = m[3], m[4], m[6]
            continue
        m = re.match(r'(\S.{0,44}?) {2,}(-?[\d.]+) +(-?[\d.]+) +(n/a|\d+) +'
                     r'(n/a|-?[\d.]+) *$', line)
        if m:
            out['profile', m[1]] = m.groups()[1:]
        m = re.match(r'Total +(-?[\d.]+) +(-?[\d.]+) *$', line)
        if m:
            out['total', sum(k[0] == 'total' for k in out)] = m.groups()
    return out


def xtat_ranges(text):
    """{(event, from, to): numbers}; to None: the total"""
    out, last, event, total = {}, '', None, False
    for line in text.splitlines():
        if re.search(r'STATEMENT', line):
            break
        if re.match(r'\*{3,}$', line):
            event, total = last, False
        last = line.strip() or last
        line = line.replace(',', '')
        m = re.match(r'(\d+) \S+ duration <=? (\d+) +([\d.]+) +([\d.]+)'
                     r' +(\d+) +([\d.]+) +(\d+)(?: +(\d+) +(\d+))? *$', line)
        if m:
            total = True
        elif total:
            m = re.match(r'(Total)() +([\d.]+) +([\d.]+) +(\d+) +([\d.]+) '
                         r'+(\d+)(?: +(\d+) +(\d+))? *$', line)
            total = m is None
        if m:
            v = list(m.groups()[2:])
            v[3] = str(round(float(v[3])))      # they: no digits
            out[event, m[1], m[2]] = tuple(v)
    return out


# What differs, by a part of the report's name.
XTAT_KNOWN = {
    # it takes an XCTEND line for a statement COMMIT
    '': [('statement', 'COMMIT', '1'), ('statement', 'COMMIT', '9999')],
    # a job's calls are all recursive, and their caller is not in the trace:
    # it counts no CPU of them
    'j000_12075': [('profile', 'CPU'), ('profile', 'unaccounted-for')],
    # waits at #0 between calls belong to the next call there, here to nobody
    'ora_26202': [('statement', 'SELECT', '10000'),
                  ('statement', 'unknown', '0')],
    # an INSERT of the audit between calls, which it gives to `unknown`
    'ora_2443': [('statement', 'unknown', '0'), ('total', 1)],
    # statements that differ by a literal are one there
    'testcase1-exact': [('statement', 'SELECT', '10000')]}


def test_others():
    n = 0
    for name, text, trace in reports('TKPROF:'):
        compare(name, tkprof(text), tkprof(show('tkprof', trace)))
        n += 1
    for name, text, trace in reports('TVD$XTAT'):
        theirs = xtat(text)
        known = [k for mark, v in XTAT_KNOWN.items() if mark in name
                 for k in v if k in theirs]
        ours = show('xtat', trace)
        compare(name, theirs, xtat(ours), known)
        theirs = xtat_ranges(text)
        if theirs:
            # halves go to the even digit there: 4.5 and 756.5 us
            halves = [('SQL*Net message to client', 'Total', ''),
                      ('latch: cache buffers chains', '512', '1024')]
            mine = xtat_ranges(ours)
            compare(name + ', ranges', theirs, mine, [k for k in halves
                if k in theirs and theirs[k] != mine.get(k)])
        n += 1
    if n == 0:
        report.skip('styles: reports of TKPROF and TVD$XTAT',
                    'no shared folder')


# -- on traces of our own -------------------------------------------------

def test_tkprof():
    """Statements and calls, each less its recursive calls, cut."""
    for name in ('demo', 'tree_three_levels', 'unmap_calls'):
        path = os.path.join(OK, name + '.trc')
        ours = tkprof(show('tkprof', path))
        out = convert([path])
        wrong, want = [], {}
        kind = {'PARSE': 'Parse', 'EXEC': 'Execute', 'FETCH': 'Fetch',
                'UNMAP': 'Execute', 'SORT UNMAP': 'Execute'}
        for r in out.rows('statement_calls'):
            if r['call'] not in kind:
                continue
            for k in (kind[r['call']], 'total'):
                a = want.setdefault((r['statement'], k), [0] * 7)
                for i, v in enumerate((
                        number(r['count']), ticks(r['self_cpu_s']),
                        ticks(r['self_s']), number(r['self_physical_reads']),
                        number(r['self_consistent_gets']),
                        number(r['self_current_gets']), number(r['rows']))):
                    a[i] += v
        for k, v in want.items():
            v[1], v[2] = ('%d.%02d' % divmod(v[i] // 10000, 100)
                          for i in (1, 2))
            got = ours.get(k)
            if got != tuple(str(x) for x in v):
                wrong.append('%r: %r, not %r' % (k, got, v))
        if not want:
            wrong.append('no calls')
        report.result('styles: tkprof, ' + name, wrong)


def test_mrskew():
    path = os.path.join(OK, 'demo.trc')
    text = show('mrskew', path)
    wrong, rows = [], {}
    for line in text.splitlines():
        m = re.match(r'(\S.{39})  +([\d.,]+) +([\d.]+)% +([\d,]+) +([\d.]+) +'
                     r'([\d.]+) +([\d.]+)$', line)
        if m:
            rows[m[1].strip()] = [x.replace(',', '') for x in m.groups()[1:]]
    want, total = {}, [0, 0]
    for r in convert([path]).rows('profile'):
        if r['class'] not in ('cpu', 'wait', 'idle'):
            continue
        k = re.sub('^CPU ', '', r['event'])
        a = want.setdefault(k, [0, 0, 1 << 60, 0])
        a[0] += ticks(r['time_s'])
        a[1] += number(r['count'])
        a[2] = min(a[2], ticks(r['min_s']))
        a[3] = max(a[3], ticks(r['max_s']))
        total[0] += ticks(r['time_s'])
        total[1] += number(r['count'])
    for k, (t, n, lo, hi) in want.items():
        us = ['%d.%06d' % divmod(x, 1000000) for x in (t, lo, hi)]
        got = rows.get(k)
        if got is None or [got[0], got[2], got[4], got[5]] != [
                us[0], str(n), us[1], us[2]]:
            wrong.append('%s: %r, not %r' % (k, got, us))
    last = rows.get('TOTAL (%d)' % len(want))
    if last is None or last[0] != '%d.%06d' % divmod(total[0], 1000000) or \
            last[2] != str(total[1]):
        wrong.append('total: %r' % last)
    ranges, counts = [], 0
    for m in re.finditer(r'(?m)^ +([\d.]+) +([\d.]+)  +([\d.,]+) +[\d.]+% +'
                         r'([\d,]+)', text):
        ranges.append((m[1], m[2]))
        counts += number(m[4].replace(',', ''))
    for (a, b), (c, d) in zip(ranges, ranges[1:]):
        if b != c or (Fraction(a) and Fraction(b) != 10 * Fraction(a)):
            wrong.append('range %s to %s' % (a, b))
    if counts != total[1] or not ranges:
        wrong.append('ranges hold %d of %d' % (counts, total[1]))
    report.result('styles: mrskew, demo', wrong)
    mrskew_ranges(path, text)


def mrskew_ranges(path, text):
    """Sum, count, least and greatest by decade, from the raw rows."""
    want, wrong = {}, []
    for r in convert([path], '--events').rows('events'):
        if r['kind'] in ('call', 'wait'):
            us = ticks(r['self_cpu_s' if r['kind'] == 'call' else
                         'elapsed_s'])
            want.setdefault(len(str(us)) if us else 0, []).append(us)
    got = {}
    for m in re.finditer(r'(?m)^ +([\d.]+) +[\d.]+  +([\d.,]+) +[\d.]+% +'
                         r'([\d,]+) +[\d.]+ +([\d.]+) +([\d.]+)$', text):
        v = [x.replace(',', '') for x in m.groups()]
        low = ticks(v[0])
        got[len(str(low)) if low else 0] = [ticks(v[1]), number(v[2]),
                                            ticks(v[3]), ticks(v[4])]
    for k, v in want.items():
        if got.get(k) != [sum(v), len(v), min(v), max(v)]:
            wrong.append('decade %d: %s' % (k, got.get(k)))
    if len(got) != len(want):
        wrong.append('%d ranges, not %d' % (len(got), len(want)))
    report.result('styles: mrskew, ranges', wrong)


def test_conventions():
    for style, word in (('tkprof', 'without their recursive calls'),
                        ('mrskew', 'its own CPU'),
                        ('xtat', 'without that of CLOSE')):
        first = show(style, os.path.join(OK, 'demo.trc')).split('\n')[0]
        report.result('styles: %s says its convention' % style,
                      [] if word in first else [first])


test_tkprof()
test_mrskew()
test_conventions()
test_others()
report.end()
