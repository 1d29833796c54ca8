#!/usr/bin/python3
"""Workbooks of every kind of input, read back by openpyxl and exceljs, judged
by the schemas, and refreshed by LibreOffice; what is absent is skipped."""
import os
import shutil
import subprocess
import sys

try:
    import openpyxl                                     # noqa: F401
except ImportError:
    print('skip xlsx inputs: python3-openpyxl is not installed')
    sys.exit(0)

from xlsx_read import (FAILED, SCHEMAS, TOP, WORK, Node, compare, compare_js,
                       convert_both, live, missing, no_live, result,
                       validate)

CORPORA = os.path.join(TOP, 'corpora')


def kinds():
    """A name, the inputs, options, the command."""
    for name in ('showprofile', 'oracle10046', 'psevents'):
        for sub in ('ok', '.'):
            path = os.path.normpath(os.path.join(CORPORA, name, sub))
            if os.path.isdir(path):
                yield name, [path], [], ('convert',)
                break
    digests = os.path.join(CORPORA, 'digests')
    three = [os.path.join(digests, 'snapshot_%d.tsv' % k) for k in (1, 2, 3)]
    ok = os.path.join(CORPORA, 'showprofile', 'ok')
    yield 'digests', [digests], [], ('convert',)
    yield 'deltas', three, ['--delta'], ('convert',)
    yield 'compared digests', three[:2], [], ('compare',)
    yield 'compared profiles', [os.path.join(ok, 'two_runs.txt'),
                                os.path.join(ok, 'two_sessions.txt')], \
        ['--unchanged'], ('compare',)


def check(name, inputs, options, command, node, books):
    folder, book = convert_both(name.replace(' ', '_'), inputs, *options,
                                command=command)
    if folder is None:
        return
    result('xlsx %s: openpyxl' % name, compare(folder, book))
    if node is not None:
        answer = node.ask(book)
        result('xlsx %s: exceljs' % name, answer.get('error') or
               compare_js(folder, answer['sheets']))
    if SCHEMAS:
        result('xlsx %s: schemas' % name, validate(book))
    if os.path.exists(os.path.join(folder, 'cube.csv')):
        books.append(book)


def main():
    why = missing('excel')
    node = None if why else Node('excel.mjs')
    books = []
    if why:
        print('skip xlsx exceljs: ' + why)
    if not SCHEMAS:
        print('skip xlsx schemas: no shared tools')
    for name, inputs, options, command in kinds():
        check(name, inputs, options, command, node, books)
    if node is not None:
        node.close()
    if no_live():
        print('skip xlsx live pivots: ' + no_live())
        return
    try:
        result('xlsx live pivots of all inputs', live(*books))
    except subprocess.TimeoutExpired:
        result('xlsx live pivots of all inputs', 'LibreOffice does not end')


try:
    main()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(1 if FAILED else 0)
