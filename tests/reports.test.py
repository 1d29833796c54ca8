#!/usr/bin/python3
"""The numbers of other profilers' reports on the same traces.

TKPROF and TVD$XTAT reports were published beside some of the shared traces.
Their numbers are read out and set beside ours.  What differs, by design:

TKPROF   prints hundredths of a second, cut off, not rounded; counts UNMAP
         with Execute and CLOSE nowhere; a statement is recursive when its
         least depth is above 0.  Times and blocks of a statement are
         exclusive, which are our self_ columns.
TVD$XTAT leaves the CPU of CLOSE out and adds it to unaccounted-for; knows
         calls of depth 0, and of depth 1 where the trace ends before their
         caller, so that a job with calls of depth 2 alone has no CPU; the
         events of one name stand in one row, idle or not.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle                                           # noqa: E402
from compare import Differences                         # noqa: E402
from tables import Report, SHARED, convert, half_up, ticks  # noqa: E402

report = Report()
TKPROF_CALLS = {'PARSE': 'Parse', 'EXEC': 'Execute', 'UNMAP': 'Execute',
                'SORT UNMAP': 'Execute', 'FETCH': 'Fetch'}


def cut(us):
    """Hundredths as TKPROF prints them: 0.4199 is 0.41."""
    return '%d.%02d' % divmod(us // 10000, 100)


def find_reports(folder):
    """(report, trace) where both are there."""
    for path in sorted(glob.glob(folder + '/expected/*.txt')):
        name = re.sub('x_a8_|x_a14_', '', os.path.basename(path)[:-4])
        name = re.sub('[-_](tkprof|tvdxtat)$', '', name)
        for trace in glob.glob(folder + '/*.trc*'):
            if os.path.basename(trace).startswith(name + '.trc'):
                yield path, trace


# -- TKPROF -------------------------------------------------------------------

def tkprof_part(text, head):
    """(rows by call, waits) of one of the OVERALL TOTALS."""
    at = text.index(head)
    part = text[at:]
    end = part.find('OVERALL TOTALS', 10)
    part = part[:end if end > 0 else None]
    rows = {m.group(1): m.groups()[1:] for m in re.finditer(
        r'^(Parse|Execute|Fetch) +(\d+) +([\d.]+) +([\d.]+) +(\d+) +(\d+) '
        r'+(\d+) +(\d+)$', part, re.M)}
    waits = {m.group(1): m.groups()[1:] for m in re.finditer(
        r'^  (\S.*?) {2,}(\d+) +(\d+\.\d\d) +(\d+\.\d\d)$', part, re.M)}
    return rows, waits


def our_calls(out, recursive):
    depth = {r['statement']: r['depth'] for r in out.rows('statements')}
    times = ('self_cpu_s', 'self_s')
    counts = ('self_physical_reads', 'self_consistent_gets',
              'self_current_gets', 'rows')
    rows = {c: [0] * 7 for c in ('Parse', 'Execute', 'Fetch')}
    for r in out.rows('statement_calls'):
        c = TKPROF_CALLS.get(r['call'])
        if c is None or (depth[r['statement']] != '0') != recursive:
            continue
        v = [int(r['count'])] + [ticks(r[k]) for k in times] + [
            int(r[k]) for k in counts]
        rows[c] = [a + b for a, b in zip(rows[c], v)]
    return {c: (str(v[0]), cut(v[1]), cut(v[2])) + tuple(
        str(x) for x in v[3:]) for c, v in rows.items()}


def our_waits(out, recursive):
    """What lies in calls by their statement, else by the cursor's."""
    depth = {r['statement']: r['depth'] for r in out.rows('statements')}
    rows = {}
    for r in out.rows('statement_events'):
        if r['class'] not in ('wait', 'idle'):
            continue
        deep = depth.get(r['statement']) not in ('0', '')
        if deep != recursive:
            continue
        a = rows.get(r['event'], (0, 0, 0))
        rows[r['event']] = (a[0] + int(r['count']),
                            max(a[1], ticks(r['max_s'])),
                            a[2] + ticks(r['time_s']))
    return {e: (str(n), cut(most), cut(t)) for e, (n, most, t)
            in rows.items()}


def check_tkprof(path, out):
    with open(path, encoding='latin-1') as f:
        text = f.read()
    d = Differences()
    for recursive, head in (
            (False, 'OVERALL TOTALS FOR ALL NON-RECURSIVE STATEMENTS'),
            (True, 'OVERALL TOTALS FOR ALL RECURSIVE STATEMENTS')):
        rows, waits = tkprof_part(text, head)
        d.rows(head[19:-11], our_calls(out, recursive), rows)
        d.rows('waits ' + head[19:-11], our_waits(out, recursive), waits)
    return d


def check_tkprof_statements(path, out):
    """Statements that the report names by their sql_id (11.2 on)."""
    with open(path, encoding='latin-1') as f:
        text = f.read()
    d, n = Differences(), 0
    for m in re.finditer(r'^SQL ID: (\w{13}).*?^(Parse +.*?)^total', text,
                         re.M | re.S):
        want = {}
        for line in m.group(2).splitlines():
            w = line.split()
            if len(w) == 8 and w[0] in ('Parse', 'Execute', 'Fetch'):
                want[w[0]] = tuple(w[1:])
        got = {c: [0, 0, 0, 0] for c in want}
        for r in out.rows('statement_calls', sql_id=m.group(1)):
            c = TKPROF_CALLS.get(r['call'])
            if c in got:
                v = (int(r['count']), ticks(r['self_cpu_s']),
                     ticks(r['self_s']), int(r['rows']))
                got[c] = [a + b for a, b in zip(got[c], v)]
        d.rows(m.group(1), {c: (str(v[0]), cut(v[1]), cut(v[2]), str(v[3]))
                            for c, v in got.items()},
               {c: (w[0], w[1], w[2], w[6]) for c, w in want.items()})
        n += 1
    return d, n


# -- TVD$XTAT -------------------------------------------------------------------

def number(text):
    return int(text.replace(',', ''))


def xtat_profile(text):
    part = text[text.index('Resource Usage Profile'):]
    part = part[:part.index('\nTotal')]
    out = {}
    for line in part.splitlines():
        m = re.match(r'(\S.*?) {2,}(-?[\d,.]+) +(-?[\d.]+) +(n/a|[\d,]+) ',
                     line + ' ')
        if m:
            out[m.group(1)] = (m.group(2).replace(',', ''),
                               None if m.group(4) == 'n/a'
                               else number(m.group(4)))
    return out


def milli(us):
    """Thousandths, half up."""
    return half_up(us, 1000000, 3)


def root_cpu(out):
    """Of calls of depth 0, and of depth 1 without a caller; not of CLOSE."""
    depth = {r['statement']: r['depth'] for r in out.rows('statements')}
    synthetic = {(r['session'], r['node']) for r in out.rows('tree')
                 if r['call'].startswith('(')}
    cpu = 0
    for r in out.rows('tree'):
        orphan = ((r['session'], r['parent']) in synthetic and
                  depth[r['statement']] == '1')
        if r['call'] in ('PARSE', 'EXEC', 'FETCH') and (
                r['depth'] == '0' or orphan):
            cpu += ticks(r['cpu_s'])
    return cpu


def check_xtat(path, out):
    with open(path, encoding='utf-8', errors='replace') as f:
        text = f.read()
    d = Differences()
    want = xtat_profile(text)
    span = sum(ticks(r['span_s']) for r in out.rows('sessions'))
    duration = re.search(r'^Duration +([\d.,]+)', text, re.M).group(1)
    d.same('duration', milli(span), duration.replace(',', ''))
    got = {}
    for r in out.rows('profile'):
        if r['class'] in ('wait', 'idle'):
            a = got.get(r['event'], (0, 0))
            got[r['event']] = (a[0] + ticks(r['time_s']),
                               a[1] + int(r['count']))
    waits = sum(t for t, _ in got.values())
    cpu = root_cpu(out)
    got = {e: (milli(t), n) for e, (t, n) in got.items()}
    got['CPU'] = (milli(cpu), None)
    got['unaccounted-for'] = (milli(span - cpu - waits), None)
    d.rows('profile', got, want)
    committed = number(re.search(r'^Committed +([\d,]+)', text,
                                 re.M).group(1))
    d.same('commits', sum(int(r['commits']) for r in out.rows('sessions')),
           committed)
    return d


def main():
    folder = os.path.join(SHARED, 'corpora', 'oracle')
    if not SHARED or not os.path.isdir(folder):
        report.skip('reports of other profilers',
                    'PP_SHARED names no folder')
        return
    ran = {}
    compared = set()
    for path, trace in find_reports(folder):
        name = os.path.basename(path)
        if trace not in ran:
            ran[trace] = convert([trace])
        out = ran[trace]
        with open(path, encoding='latin-1') as f:
            xtat = 'TVD$XTAT' in f.read(200)
        try:
            if xtat:
                report.result('TVD$XTAT ' + name,
                              check_xtat(path, out))
            else:
                report.result('TKPROF ' + name, check_tkprof(path, out))
                d, n = check_tkprof_statements(path, out)
                if n > 0:
                    report.result('TKPROF statements of ' + name, d)
        except (LookupError, ValueError, AttributeError) as e:
            report.result(name, ['%s: %s' % (type(e).__name__, e)])
        compared.add(path)
    report.result('at least ten reports', [] if len(compared) >= 10 else
                  ['%d' % len(compared)])


if __name__ == '__main__':
    main()
    report.end()
