#!/usr/bin/python3
"""Every published trace is read, and what it holds is what its index says.

INDEX.tsv of the shared corpora was made by other tools: lines, bytes, version,
and the oddities of each file.  No line may be rejected but where the index
names a cut record or text.
"""
import ast
import csv
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import Report, SHARED, convert              # noqa: E402

report = Report()

# rejected lines, and the oddity in the index that explains them
REJECTED = {
    'broken_trace': (5, r'call w/o tim=2.*PARSE ERROR=1'),
    'zitelli_9206_ns1024': (2, r'EOF inside SQL text'),
}
# no call, wait or text at all
EMPTY = {
    'jkstill__oracle-demos__lock_order__oravm2_lmd0_17315.trc':
        'NOT a SQL trace',
    'dunbar_refcursor_dump.trc': 'verbatim fragment',
}
# lines that are no record: what an audit wrote, and a dump of deadlocks
NOISE = {'priitp2__trctools__parse_error.trc': 1,
         'jkstill__oracle-demos__lock_order__oravm2_lmd0_17315.trc': None}


def check(entry, out):
    wrong = []
    name = os.path.basename(entry['file'])
    name = name[:-3] if name.endswith('.gz') else name
    quirks = entry['quirks']

    def same(what, got, want):
        if got != want:
            wrong.append('%s: %r, not %r' % (what, got, want))

    src = out.one('sources', source=name)
    if name not in EMPTY:       # it may not even have been read
        same('bytes', src['bytes'], entry['bytes'])
        same('lines', src['lines'], entry['lines'])
    if re.match(r'\d+\.\d+', entry['oracle_version']) and src['version']:
        same('version', src['version'], entry['oracle_version'].split()[0])
    if name in EMPTY:
        same('status', src['status'], 'empty')
        if EMPTY[name] not in quirks:
            wrong.append('the index does not tell why it is empty')
        return wrong
    if NOISE.get(name, 0) is not None:
        same('noise', src['noise'], str(NOISE.get(name, 0)))
    rejected, why = 0, ''
    for key, (n, because) in REJECTED.items():
        if key in name:
            rejected, why = n, because
    same('rejected', src['rejected'], str(rejected))
    if not re.search(why, quirks):
        wrong.append('the index does not tell why lines are rejected')
    same('status', src['status'], 'partial' if rejected else 'complete')

    calls = {}
    for r in out.rows('statement_calls', source=name):
        calls[r['call']] = calls.get(r['call'], 0) + int(r['count'])
    m = re.search(r'CLOSE types=(\{.*?\})', quirks)
    same('CLOSE', calls.get('CLOSE', 0),
         sum(ast.literal_eval(m.group(1)).values()) if m else 0)
    m = re.search(r'LOB calls=(\{.*?\})', quirks)
    want = ast.literal_eval(m.group(1)) if m else {}
    if 'broken_trace' in name:
        want = {}               # its only one is cut
    same('LOB calls', {k: v for k, v in calls.items()
                       if k.startswith('LOB')}, want)
    m = re.search(r'sessions=(\d+)', quirks)
    if m:
        same('sessions', len(out.rows('sessions', source=name)),
             int(m.group(1)))
    if not rejected:
        same('errors', len(out.rows('errors', source=name)), sum(
            int(n) for n in re.findall(r'ERROR=(\d+)', quirks)))
    return wrong


def main():
    folder = os.path.join(SHARED, 'corpora', 'oracle')
    index = os.path.join(folder, 'INDEX.tsv')
    if not SHARED or not os.path.exists(index):
        report.skip('published traces', 'PP_SHARED names no folder')
        return
    with open(index, encoding='utf-8', newline='') as f:
        entries = list(csv.DictReader(f, delimiter='\t'))
    paths = [os.path.join(folder, e['file']) for e in entries]
    out = convert(paths)
    report.result('status of %d published traces' % len(paths),
                  [] if out.status == 3 else ['%d %s' % (out.status,
                                                         out.err[:200])])
    for e in entries:
        try:
            report.result('published ' + e['file'], check(e, out))
        except (LookupError, ValueError) as error:
            report.result('published ' + e['file'], ['%s: %s' % (
                type(error).__name__, error)])


if __name__ == '__main__':
    main()
    report.end()
