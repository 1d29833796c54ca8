#!/usr/bin/python3
"""Packed inputs, and memory that does not grow with the trace."""
import bz2
import gzip
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import PROFPIVOT, Report, convert           # noqa: E402
from tracecase import own                               # noqa: E402

report = Report()
MB = 1 << 20


def zstd(data):
    tool = shutil.which('zstd')
    if tool is None:
        return None
    return subprocess.run([tool, '-q', '-c'], input=data, check=True,
                          stdout=subprocess.PIPE).stdout


def same_tables(a, b):
    """The tables that differ, but for what tells of the file itself."""
    return [name for name in sorted(set(a.tables) | set(b.tables))
            if name != 'sources' and a.rows(name) != b.rows(name)]


def packed():
    with open(own('demo'), 'rb') as f:
        data = f.read()
    want = convert([own('demo')], '--events')
    half = len(data) // 2
    forms = (
        ('gz', gzip.compress(data)),
        ('gz of two members', gzip.compress(data[:half]) +
         gzip.compress(data[half:])),
        ('bz2', bz2.compress(data)),
        ('bz2 of two streams', bz2.compress(data[:half]) +
         bz2.compress(data[half:])),
        ('xz', lzma.compress(data)),
        ('zst', zstd(data)),
    )
    work = tempfile.mkdtemp(prefix='profpivot-test-')
    try:
        for name, form in forms:
            if form is None:
                report.skip('read ' + name, 'no program to make it')
                continue
            path = os.path.join(work, 'demo.trc.' + name.split()[0])
            with open(path, 'wb') as f:
                f.write(form)
            out = convert([path], '--events')
            if 'without' in out.err and out.status == 1:
                report.skip('read ' + name, 'not in this build')
                continue
            wrong = same_tables(out, want)
            if out.status != 0:
                wrong.append('status %d: %s' % (out.status, out.err[:100]))
            report.result('read ' + name, wrong)
            with open(path, 'wb') as f:
                f.write(form[:len(form) * 2 // 3])
            out = convert([path])
            wrong = [] if out.status in (1, 3) else [
                'status %d' % out.status]
            report.result('tell that %s is cut' % name, wrong)
    finally:
        shutil.rmtree(work)


def trace(f, size):
    """Calls, waits and binds of a few statements, `size` bytes of them."""
    texts = ['select c%d from t%d where k = :1' % (i, i) for i in range(9)]
    tim, n = 10 ** 12, 0
    for i, text in enumerate(texts):
        n += f.write('=====================\nPARSING IN CURSOR #%d len=%d '
                     'dep=0 uid=1 oct=3 lid=1 tim=%d hv=%d ad=\'1\'\n%s\nEND '
                     'OF STMT\n' % (i + 1, len(text), tim, i + 1, text))
    k = 0
    while n < size:
        c, k, tim = k % 9 + 1, k + 1, tim + 1000
        n += f.write(
            'BINDS #%d:\n Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 '
            'scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 '
            'off=0\n  kxsbbbfp=7fcf187d50a0  bln=22  avl=03  flg=05\n  '
            'value=%d\nWAIT #%d: nam=\'db file sequential read\' ela= %d '
            'file#=%d block#=%d blocks=1 obj#=%d tim=%d\n'
            'EXEC #%d:c=10,e=%d,p=1,cr=2,cu=0,mis=0,r=0,dep=0,og=1,plh=%d,'
            'tim=%d\n' % (c, k, c, k % 300, k % 7, k, k % 99, tim - 20, c,
                          330 + k % 50, c, tim))


def peak(path, *options):
    """Most bytes in use, as -v tells it."""
    work = tempfile.mkdtemp(prefix='profpivot-test-')
    try:
        run = subprocess.run(
            [PROFPIVOT, 'convert', '-v', path, '-t', 'csv', '-o',
             os.path.join(work, 'out')] + list(options),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        m = re.search(rb'at most (\d+) bytes', run.stderr)
        return run.returncode, int(m.group(1)) if m else 0
    finally:
        shutil.rmtree(work)


def memory():
    """The event log stays in memory up to 16 MiB, so does each log of the
    raw tables; all else is a few MiB, however long the trace is."""
    work = tempfile.mkdtemp(prefix='profpivot-test-')
    try:
        path = os.path.join(work, 'grown.trc')
        with open(path, 'w') as f:
            trace(f, 90 * MB)
        for options, most in (((), 24 * MB), (('--events',), 56 * MB)):
            status, used = peak(path, *options)
            report.result(('memory for 90 MB ' + ' '.join(options)).strip(),
                          [] if status == 0 and used <= most else
                          ['status %d, %d bytes' % (status, used)])
        status, used = peak(path, '--events', '--max-memory', '56M')
        report.result('90 MB within --max-memory', [] if status == 0
                      else ['status %d' % status])
    finally:
        shutil.rmtree(work)


def main():
    packed()
    memory()


if __name__ == '__main__':
    main()
    report.end()
