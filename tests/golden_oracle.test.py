#!/usr/bin/python3
"""Expected results of the Oracle reader: tables and messages as text.

tests/golden/oracle10046/<folder>/<case>.txt holds the exit status, the
messages and the tables that tell one trace from another; for a few traces
all tables.  PP_BLESS=1 (make golden) writes them anew; read the difference.
"""
import difflib
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from tables import CORPORA, PROFPIVOT, Report           # noqa: E402

GOLDEN = os.path.join(HERE, 'golden', 'oracle10046')
TABLES = ('sources', 'sessions', 'session_sources', 'profile', 'tree',
          'statements', 'statement_calls', 'texts', 'plans', 'errors',
          'problems')
WHOLE = {'ok/demo', 'ok/even_timeline', 'ok/tree_three_levels'}
GROUPS = {
    'ok/continued': ['ok/QUAY1_ora_28114.trc', 'ok/QUAY1_ora_28114_late.trc'],
    'bad/segments': ['bad/segments'],
    'bad/segments_headed': ['bad/segments_headed'],
}


def result(case, inputs):
    work = tempfile.mkdtemp(prefix='profpivot-test-')
    try:
        out = os.path.join(work, 'out')
        run = subprocess.run(
            [PROFPIVOT if os.path.isabs(PROFPIVOT) else
             os.path.abspath(PROFPIVOT), 'convert', '-t', 'csv', '-o', out] +
            inputs, cwd=CORPORA, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=300)
        text = b'status %d\n' % run.returncode
        for line in run.stderr.splitlines(True):
            text += b'! ' + line.replace(out.encode(), b'OUT')
        names = sorted(n for n in os.listdir(out)
                       if n.endswith('.csv')) if os.path.isdir(out) else []
        for name in names:
            if case not in WHOLE and name[:-4] not in TABLES:
                continue
            with open(os.path.join(out, name), 'rb') as f:
                text += b'\n== %s\n' % name[:-4].encode() + f.read()
        return text
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main():
    report = Report()
    cases = {p[len(CORPORA) + 1:-4]: [p[len(CORPORA) + 1:]]
             for p in glob.glob(CORPORA + '/*/*.trc')}
    cases.update(GROUPS)
    bless = os.environ.get('PP_BLESS') == '1'
    for case in sorted(cases):
        path = os.path.join(GOLDEN, case + '.txt')
        text = result(case, cases[case])
        if bless:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f:
                f.write(text)
        try:
            with open(path, 'rb') as f:
                want = f.read()
        except FileNotFoundError:
            report.skip('golden ' + case, 'no expected result yet')
            continue
        diff = [] if text == want else list(difflib.unified_diff(
            want.decode('utf-8', 'replace').splitlines(),
            text.decode('utf-8', 'replace').splitlines(),
            'expected', 'got', n=0, lineterm=''))[2:8]
        report.result('golden ' + case, diff)
    report.end()


if __name__ == '__main__':
    main()
