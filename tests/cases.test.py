#!/usr/bin/python3
"""Failures that users of other tools reported, kinds A to E.

Each is run on a trace of our own, on variants that differ as real files do,
and, where the shared cases are at hand, on those; the right values were
worked out by hand from the lines.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle                                           # noqa: E402
from tables import CORPORA, PROFPIVOT, SHARED, ticks    # noqa: E402
from tracecase import binds, case, own, report          # noqa: E402

CASES = os.path.join(SHARED, 'cases') if SHARED else ''
FROM = 'SQL*Net message from client'


def shared(rid, files, check, options=()):
    if not CASES or not os.path.isdir(CASES):
        report.skip('%s as published' % rid, 'PP_SHARED names no folder')
        return
    case('%s as published' % rid,
         [os.path.join(CASES, f) for f in files], check, options)


# -- A: odd or damaged lines ----------------------------------------------

def r04(calls, waits, rejected, repaired, status=3):
    def check(c):
        c.status(status)
        c.elapsed(calls)
        c.waits(waits)
        c.source_counts(rejected=rejected, repaired=repaired)
    return check


def kind_a():
    to, fr = 'SQL*Net message to client', 'SQL*Net message from client'
    case('R04 glued and cut', [own('glued_and_cut', 'bad')],
         r04({'FETCH': (2, 568)}, {fr: (180, 1), to: (1, 1)}, 1, 1))
    case('R04 glued twice, a wait behind a STAT', [own('glued_records')],
         r04({'PARSE': (1, 22), 'EXEC': (1, 21), 'FETCH': (2, 382),
              'CLOSE': (1, 2)}, {fr: (495, 2), to: (1, 1)}, 0, 2, 0))
    case('R04 glued in recursion, three on a line', [own('glued_nested')],
         r04({'PARSE': (2, 32), 'EXEC': (2, 180), 'FETCH': (1, 10),
              'CLOSE': (2, 5)}, {'log file sync': (5, 1)}, 0, 4, 0))
    case('R04 LOB calls glued', [own('glued_lobs')],
         r04({'EXEC': (1, 10), 'FETCH': (1, 10), 'LOBGETLEN': (1, 7),
              'LOBTMPFRE': (1, 2), 'LOBWRITE': (1, 5), 'CLOSE': (1, 1)}, {},
             0, 3, 0))
    case('R04 cut in recursion', [own('cut_in_recursion', 'bad')],
         r04({'PARSE': (1, 20), 'EXEC': (1, 150), 'FETCH': (1, 10)}, {},
             1, 0))
    shared('R04', ['R04.trc'], r04(
        {'FETCH': (2, 582)}, {fr: (195, 1), to: (1, 1)}, 1, 1))

    def r06(calls, want):
        def check(c):
            c.status(0)
            c.elapsed(calls)
            binds(c, want)
        return check

    case('R06 hex over lines, a lone quote', [own('bind_nchar')],
         r06({'PARSE': (1, 12), 'EXEC': (1, 36)},
             [(1, 0, 'M\xe5l\xf8y No'), (1, 1, 'berth one\n')]),
         ('--events',))
    case('R06 below a call, a string of records',
         [own('bind_nchar_nested')],
         r06({'PARSE': (2, 27), 'EXEC': (2, 190)},
             [(1, 0, 'ABCDEFGHI'), (1, 1, '2024-02-29 23:08:07'),
              (1, 2, '-12.5'),
              (1, 0, "EXEC #7:\nWAIT #7: nam='x' ela= 1\n")]),
         ('--events',))
    shared('R06', ['R06.trc'], r06(
        {'PARSE': (1, 12), 'EXEC': (1, 35)},
        [(1, 0, 'K\xf6ln Alt'), (1, 1, 'line one\n')]), ('--events',))

    def r08(calls, codes, texts):
        def check(c):
            c.status(0)
            c.elapsed(calls)
            c.same('texts', sorted(r['text'] for r in c.out.rows('texts')),
                   sorted(texts))
            c.same('errors', [r['code'] for r in c.raw('errors')], codes)
        return check

    lost = ('create table quay_log (\n  id     number,\n\n'
            '  what   varchar2(30),\n);\n\ninsert into quay_log\n'
            'values (1, null)\n;\n')
    case('R08 failed parse with blank lines; a length that cannot be',
         [own('parse_error_text')],
         r08({'PARSE': (3, 25), 'CLOSE': (2, 6)}, ['904', '942'],
             [lost, 'select nothing\n  from nowhere',
              'select 4 from dual']))
    case('R08 below a call, and as last line without line end',
         [own('parse_error_nested')],
         r08({'PARSE': (3, 12), 'EXEC': (1, 90), 'CLOSE': (1, 1)},
             ['942', '942', '936'],
             ['begin dyn.run; end;', 'select * from\n lost_table\n',
              'select  from no_where']))
    shared('R08', ['R08.trc'], r08(
        {'PARSE': (2, 25), 'CLOSE': (1, 2)}, ['942'],
        ['select * from no_such_table\nwhere id = 1',
         'select 2 from dual']))

    def r09(calls, want, commits):
        def check(c):
            c.status(0)
            c.elapsed(calls)
            s = c.out.one('sessions')
            c.same('commits, rollbacks', (s['commits'], s['rollbacks']),
                   (str(commits), '0'))
            c.same('read-only ends', [
                (r['event'], r['flags']) for r in c.raw('events')
                if r['kind'] == 'transaction'],
                [('commit', 'read-only')] * commits)
            binds(c, want)
        return check

    case('R09 XCTEND and a stamp inside a bind block',
         [own('stamp_in_binds')],
         r09({'PARSE': (1, 22), 'EXEC': (1, 35)},
             [(1, 0, 'one'), (1, 1, 'two')], 1), ('--events',))
    case('R09 in the old style', [own('xctend_in_binds_old')],
         r09({'PARSE': (1, 50), 'EXEC': (1, 70)},
             [(1, 0, '31'), (1, 1, 'a"b":'), (1, 2, '')], 1), ('--events',))
    case('R09 other records inside a bind block',
         [own('binds_interrupted')],
         r09({'PARSE': (1, 40), 'EXEC': (1, 90), 'CLOSE': (1, 3)},
             [(1, 0, '1750'), (1, 1, 'C9')], 1), ('--events',))
    shared('R09', ['R09.trc'], r09(
        {'PARSE': (1, 12), 'EXEC': (1, 80)}, [(1, 0, '31')], 1),
        ('--events',))

    def r10(calls, want):
        def check(c):
            c.status(0)
            c.elapsed(calls)
            binds(c, want)
            c.same('executions', [r['binds'] for r in c.raw('executions')],
                   [', '.join('%d=%s' % (p, v) for _, p, v in want)])
        return check

    case('R10 colons in literals, comments, q-quotes',
         [own('colons_in_text')],
         r10({'PARSE': (1, 12), 'EXEC': (1, 37)},
             [(1, 0, '7'), (1, 1, '8')]), ('--events',))
    shared('R10', ['R10.trc'], r10(
        {'PARSE': (1, 12), 'EXEC': (1, 35)}, [(1, 0, '1'), (1, 1, '2')]),
        ('--events',))


# -- B: cursors and statements ---------------------------------------------

def kind_b():
    def r12(by_text):
        def check(c):
            c.status(0)
            for text, calls in by_text.items():
                st = c.out.one('statements', text=text)['statement']
                c.elapsed(calls, statement=st)
        return check

    case('R12 after CLOSE, cached or not', [own('v112_close_types')], r12({
        'select rate from tariff where code = :1': {
            'PARSE': (2, 832), 'EXEC': (3, 118), 'FETCH': (3, 86),
            'CLOSE': (3, 24)},
        'select * from port_holiday': {
            'PARSE': (1, 110), 'EXEC': (1, 31), 'FETCH': (1, 55),
            'CLOSE': (1, 6)}}))
    case('R12 without CLOSE, 10g', [own('cursor_reuse_10g')], r12({
        'select no from hold where bay = :1': {
            'PARSE': (1, 90), 'EXEC': (1, 1000), 'FETCH': (1, 30)},
        'select no from bay where deck = :1': {
            'PARSE': (1, 80), 'EXEC': (1, 4000), 'FETCH': (1, 40)}}))
    case('R12 at three depths', [own('cursor_reuse_nested')], r12({
        'select a from north': {'PARSE': (1, 6), 'EXEC': (1, 100),
                                'CLOSE': (1, 1)},
        'select b from south': {'PARSE': (1, 7), 'EXEC': (1, 40),
                                'CLOSE': (1, 1)},
        'select c from east': {'EXEC': (1, 10)}}))
    shared('R12', ['R12.trc'], r12({
        'select a from t1': {'PARSE': (1, 22), 'EXEC': (1, 1000),
                             'CLOSE': (1, 1)},
        'select b from t2': {'PARSE': (1, 23), 'EXEC': (1, 4000),
                             'CLOSE': (1, 1)}}))

    def r13(st, cursors):
        def check(c):
            c.status(0)
            c.same('statements', [
                (r['statement'], r['executions'])
                for r in c.out.rows('statements')
                if r['statement'] != oracle.BETWEEN], [(st, '3')])
            c.elapsed({'PARSE': (3, 33), 'EXEC': (3, 600)})
            by = {}
            for r in c.raw('events'):
                if r['event'] == 'EXEC':
                    by[r['cursor']] = by.get(r['cursor'], 0) + ticks(
                        r['elapsed_s'])
            c.same('by cursor', by, cursors)
        return check

    case('R13 one sql_id, three cursors', [own('one_id_many_cursors')],
         r13('c2gfgvgm9r0ck', {'140100000000016': 100,
                               '140100000000032': 200,
                               '140100000000048': 300}), ('--events',))
    shared('R13', ['R13.trc'], r13(
        '0uz91dczrf667', {'140000000000001': 100, '140000000000017': 200,
                          '140000000000033': 300}), ('--events',))

    def r17(text, want, block, self_time):
        def check(c):
            c.status(0)
            st = c.out.one('statements', text=text)['statement']
            c.elapsed(want, statement=st)
            r = c.out.one('statement_calls', call='EXEC',
                          statement=c.out.one(
                              'statements', text=block)['statement'])
            c.same('self of the block', ticks(r['self_s']), self_time)
        return check

    case('R17 closed at another depth', [own('close_other_depth')], r17(
        'select k from cfg', {'PARSE': (1, 11), 'EXEC': (1, 20),
                              'CLOSE': (1, 4)}, 'begin boot; end;', 1569))
    case('R17 run and closed at depths 1 and 2',
         [own('cursor_two_depths')], r17(
             'select opt from setting where k = :1',
             {'EXEC': (2, 23), 'FETCH': (2, 11), 'CLOSE': (2, 2)},
             'begin boot; end;', 301))
    shared('R17', ['R17.trc'], r17(
        'select k from cfg', {'PARSE': (1, 11), 'EXEC': (1, 20),
                              'CLOSE': (1, 4)}, 'begin boot; end;', 1469))

    def r18(calls, span, between_waits, between):
        def check(c):
            c.status(0)
            c.calls(calls, statement=oracle.NO_STATEMENT)
            c.same('sql_id', [r['sql_id'] for r in c.out.rows(
                'statement_calls', statement=oracle.NO_STATEMENT)],
                [''] * len(calls))
            c.span(span)
            c.between(between)
            c.same('waits between', ticks(c.out.one(
                'statements', statement=oracle.BETWEEN)['self_wait_s']),
                between_waits)
        return check

    case('R18 LOB calls', [own('lob_calls')], r18(
        {'LOBREAD': (4, 15100, 5000), 'LOBPGSIZE': (1, 8, 8),
         'LOBARRTMPFRE': (1, 5, 3)}, 330220, 300000, 14947))
    case('R18 with waits inside, and a cursor beside',
         [own('v19c_lob_and_close')], r18(
             {'LOBTMPCREATE': (1, 40, 39), 'LOBWRITE': (1, 512, 410),
              'LOBREAD': (1, 700, 120)}, 11491, 8325, 1468))
    shared('R18', ['R18.trc'], r18(
        {'LOBWRITE': (1, 190, 150), 'LOBTMPCREATE': (1, 34, 21),
         'LOBREAD': (1, 3100, 2000), 'LOBPGSIZE': (1, 5, 4)},
        10100, 6003, 768))


# -- C: time ----------------------------------------------------------------

def kind_c():
    def r20(want, total):
        def check(c):
            c.status(0)
            c.self_times(want)
            st = [r for r in c.out.rows('statements')
                  if r['statement'] != oracle.BETWEEN]
            c.same('sums', (sum(ticks(r['self_s']) for r in st),
                            sum(ticks(r['self_cpu_s']) for r in st)), total)
        return check

    case('R20 four levels', [own('tree_three_levels')], r20({
        'EXEC': [(600, 250)], 'EXEC / EXEC': [(150, 70)],
        'EXEC / EXEC / EXEC': [(90, 40)],
        'EXEC / EXEC / EXEC / PARSE': [(20, 10)],
        'EXEC / EXEC / EXEC / EXEC': [(40, 30)]}, (900, 400)))
    case('R20 the next shallower call is not the parent',
         [own('passed_over')], r20({
             'EXEC': [(430, 90)], 'EXEC / EXEC': [(20, 5), (50, 5)]},
             (500, 100)))
    case('R20 edges that stick out', [own('sticks_out')], r20({
        'EXEC': [(600, 90)], 'EXEC / EXEC': [(200, 10)]}, (800, 100)))
    shared('R20', ['R20.trc'], r20({
        'EXEC': [(500000, 150000)], 'EXEC / EXEC': [(180000, 50000)],
        'EXEC / FETCH': [(200000, 150000)],
        'EXEC / EXEC / PARSE': [(50000, 20000)],
        'EXEC / EXEC / EXEC': [(70000, 30000)]}, (1000000, 400000)))

    def r23(each, cpu, elapsed, unaccounted, between):
        def check(c):
            c.status(0)
            r = c.out.one('statement_calls', call='EXEC')
            c.same('sums', (ticks(r['cpu_s']), ticks(r['elapsed_s']),
                            ticks(r['self_unaccounted_s'])),
                   (cpu, elapsed, unaccounted))
            c.between(between)
            c.same('profile', sum(ticks(x['time_s'])
                                  for x in c.out.rows('profile')),
                   ticks(c.out.one('sessions')['span_s']))
            c.same('each call', [
                ticks(x['self_unaccounted_s']) for x in c.raw('events')
                if x['kind'] == 'call'], each)
        return check

    case('R23 more CPU than time', [own('cpu_above_elapsed')], r23(
        [6100, -15080, 8200], 15600, 14820, -780, 1180), ('--events',))
    shared('R23', ['R23.trc'], r23(
        [5200, -15120, 9900], 15600, 15580, -20, 420), ('--events',))

    def r24(fetch, waits, gap):
        def check(c):
            c.status(0)
            c.source_counts(tick='10ms')
            r = c.out.one('statement_calls', call='FETCH')
            c.same('FETCH', (r['elapsed_s'], r['self_cpu_s'],
                             r['self_wait_s'], r['self_unaccounted_s']),
                   fetch)
            c.waits(waits)
            c.same('between', c.out.one(
                'statements', statement=oracle.BETWEEN)
                ['self_unaccounted_s'], gap)
        return check

    case('R24 ticks of 10 ms', [own('v8i_centiseconds')], r24(
        ('15.00', '1.20', '0.32', '13.48'),
        {'latch free': (25, 1), 'db file scattered read': (7, 2),
         'SQL*Net message from client': (30, 1)}, '0.51'))
    case('R24 and a wrap at 2^32', [own('clock_wraps_8i')], r24(
        ('0.42', '0.03', '0.10', '0.29'), {'latch free': (10, 1)}, '0.18'))
    shared('R24', ['R24.trc'], r24(
        ('90.00', '3.00', '0.48', '86.52'), {'latch free': (48, 3)},
        '0.66'))

    def r25(span, between, stretches, overlap, name='1'):
        def check(c):
            c.status(0)
            c.span(span)
            c.between(between)
            c.same('gaps', [ticks(r['time_s']) for r in c.out.rows(
                'gaps', place='between')], stretches)
            c.same('overlap', between, sum(stretches) - overlap)
            c.problem('overlap')
            # a trace without a session id: its number names it
            c.same('whose', [r['message'].partition(':')[0] for r in
                             c.out.rows('problems', id='overlap')],
                   ['session ' + name])
        return check

    case('R25 an overlap of 2 us', [own('overlap_two_us')],
         r25(9640, 95, [97], 2))
    case('R25 an overlap of calls, 11.1', [own('overlapping_calls')],
         r25(14660, -890, [100, 10], 1000, '88.44'))
    shared('R25', ['R25.trc'], r25(9633, 95, [97], 2))

    def r28(calls, waits, span, between):
        def check(c):
            c.status(0)
            c.calls(calls)
            c.waits(waits)
            c.span(span)
            c.between(between)
        return check

    case('R28 LOB reads and the client', [own('lob_calls')], r28(
        {'EXEC': (1, 20, 10), 'FETCH': (1, 140, 100),
         'LOBREAD': (4, 15100, 5000), 'LOBPGSIZE': (1, 8, 8),
         'LOBARRTMPFRE': (1, 5, 3)},
        {'SQL*Net message from client': (300000, 3),
         'direct path read': (168, 3)}, 330220, 14947))
    shared('R28', ['R28.trc'], r28(
        {'EXEC': (1, 20, 10), 'FETCH': (1, 140, 100),
         'LOBREAD': (3, 12000, 3000)},
        {'SQL*Net message from client': (300000, 3)}, 312620, 460))

    def r29(want, total):
        def check(c):
            c.status(0)
            c.elapsed(want)
            c.same('statement', sum(
                ticks(r['elapsed_s']) for r in c.out.rows('statements')
                if r['statement'] != oracle.BETWEEN), total)
        return check

    case('R29 UNMAP apart', [own('unmap_calls')], r29(
        {'EXEC': (1, 5200), 'UNMAP': (1, 800), 'SORT UNMAP': (1, 450)},
        6450))
    case('R29 below a call', [own('unmap_nested')], r29(
        {'PARSE': (1, 10), 'EXEC': (2, 1300), 'UNMAP': (2, 110),
         'SORT UNMAP': (1, 40)}, 1460))
    shared('R29', ['R29.trc'], r29(
        {'EXEC': (1, 5000), 'UNMAP': (1, 900), 'SORT UNMAP': (1, 400)},
        6300))


# -- D: clocks ----------------------------------------------------------------

def kind_d():
    def r32(span, between, gaps):
        def check(c):
            c.status(0)
            c.span(span)
            c.between(between)
            n = c.digits()
            c.same('gaps', sorted(ticks(r['time_s'], n) for r in c.out.rows(
                'gaps', place='between')), gaps)
            c.problem('clock-wrap')
        return check

    case('R32 wrap at 2^32', [own('clock_wraps')], r32(4100, 1100, [1100]))
    case('R32 inside a wait', [own('clock_wraps_waits')],
         r32(6000, 300, [100, 100, 100]))
    case('R32 in ticks of 10 ms', [own('clock_wraps_8i')],
         r32(65, 18, [8, 10]))
    shared('R32', ['R32.trc'], r32(2900, 1000, [1000]))

    def r35(started, container, native, calls):
        def check(c):
            c.status(0)
            s = c.out.one('sessions')
            c.same('session', (s['native_id'], s['container']),
                   (native, container))
            c.same('started_at', s['started_at'], started)
            c.elapsed(calls)
        return check

    # the call ends some time after the stamp: it began no earlier than the
    # stamp less its length, which is what the anchor rule may give
    def r35_loose(container, native, calls, day, bare=None):
        def check(c):
            c.status(0)
            s = c.out.one('sessions')
            c.same('session', (s['native_id'], s['container']),
                   (native, container))
            if not re.match(day, s['started_at']):
                c.wrong.append('started_at: ' + s['started_at'])
            c.elapsed(calls)
            if bare is not None:
                c.same('by the stamp without zone',
                       [r['start_at'] for r in c.raw('events')][-1], bare)
        return check

    case('R35 ISO stamps, one without zone', [own('zone_missing')],
         r35_loose('SALEPDB(3)', '7.9', {'EXEC': (2, 30)},
                   r'2024-11-03T01:59:59\.9999\d\d\+02:00$',
                   '2024-11-03T02:00:00.250000'), ('--events',))
    case('R35 over midnight, another zone', [own('v122_iso_binds')],
         r35_loose('MASTPDB(6)', '33.5519', {
             'PARSE': (1, 72), 'EXEC': (1, 214), 'FETCH': (1, 801),
             'CLOSE': (1, 5)}, r'2018-09-30T23:59:58\.\d{6}-05:00$'))
    shared('R35', ['R35.trc'], r35_loose(
        'SALESPDB(3)', '7.9', {'EXEC': (2, 20)},
        r'2024-11-03T01:59:59\.9999\d\d\+02:00$',
        '2024-11-03T02:00:00.250000'), ('--events',))

    def r36(span, second):
        def check(c):
            c.status(0)
            c.span(span)
            s = c.out.one('sessions')
            c.same('started_at', s['started_at'], '')
            src = c.out.one('sources')
            c.same('wall clock', (src['started_at'], src['ended_at']),
                   ('', ''))
            c.same('start_at', {r['start_at'] for r in c.out.rows(
                'timeline')}, {''})
            calls = c.raw('events')
            c.same('starts', [r['start_s'] for r in calls
                              if r['kind'] == 'call'],
                   ['0.000000', second])
        return check

    case('R36 no stamp at all', [own('no_stamp')], r36(70, '0.000040'),
         ('--events',))
    shared('R36', ['R36.trc'], r36(60, '0.000030'), ('--events',))

    def r38(span, gap, calls, second, drift=True):
        def check(c):
            c.same('start_at', [r['start_at'] for r in c.raw('events')
                                if r['kind'] == 'call'],
                   ['2024-05-01T10:00:00.000000+00:00', second])
            c.status(0)
            c.span(span)
            c.same('gap', [ticks(r['time_s']) for r in c.out.rows(
                'gaps', place='between')], [gap])
            c.elapsed(calls)
            if drift:
                c.problem('clock-drift')
        return check

    case('R38 stamps and clock drift apart', [own('anchors_drift')],
         r38(9999400, 9998800, {'EXEC': (2, 600)},
             '2024-05-01T10:00:10.000000+00:00'), ('--events',))
    shared('R38', ['R38.trc'], r38(
        9999500, 9999000, {'EXEC': (2, 500)},
        '2024-05-01T10:00:10.000000+00:00'), ('--events',))

    def steps(c):
        c.status(0)
        c.span(18500200)
        c.problem('clock-drift', 1)
        c.same('start_at', [
            (r['event'], r['start_at'][11:]) for r in c.raw('events')
            if r['kind'] in ('call', 'wait')], [
            ('EXEC', '09:00:00.249900-03:00'),
            # 8 s of waiting begin before the stamp, by the first one
            (FROM, '09:00:00.250000-03:00'),
            # by the stamp that ends them: 2 s were lost
            ('EXEC', '09:00:10.250100-03:00'),
            # a marker in the middle of a call is no anchor
            ('FETCH', '09:00:10.251100-03:00'),
            ('EXEC', '09:00:10.250900-03:00'),
            # an hour back, without its zone
            (FROM, '09:00:20.250000-03:00'),
            ('EXEC', '08:00:20.750000')])
    case('R38 set clocks, markers, a call with a call inside',
         [own('anchors_set')], steps, ('--events',))

    def since(c):
        c.status(0)
        # 09:00:10.251 to its end and to the end of all
        c.elapsed({'EXEC': (2, 9999100), 'FETCH': (1, 9998000)})
        c.waits({FROM: (500000, 1)})
    case('R38 --since by the stamp after the clock was set',
         [own('anchors_set')], since, ('--since', '09:00:10.251',
                                       '--until', '09:00:30'))

    def hour(c):
        c.status(0)
        c.span(1000200)
        c.waits({'SQL*Net message from client': (1000000, 1)})
        c.elapsed({'EXEC': (2, 50)})
    case('R38 the end of summer time', [own('drift_back_an_hour')], hour)

    def scaled(c):
        c.status(0)
        c.source_counts(clock_factor='1.024', span_s='40.000180')
        c.span(40000180)
    case('R38 ticks of 1.024 us', [own('v102_linux_1024')], scaled)

    def off(c):
        c.status(0)
        c.span(19100)
        c.waits({'SQL*Net message from client': (15000, 6),
                 'SQL*Net message to client': (12, 6)})
    case('R38 waits told by another clock, 11.1.0.7',
         [own('wait_clock_off')], off)


# -- E: files ---------------------------------------------------------------

def kind_e():
    def r39(source, hole, calls, statement, rows, order=None):
        def check(c):
            c.source = source
            c.status(3)
            c.elapsed(calls, statement=statement)
            c.elapsed(calls)
            c.same('missing', [ticks(r['time_s']) for r in c.out.rows(
                'profile', **{'class': 'missing'})], [hole])
            c.same('rows', sum(int(r['rows']) for r in c.out.rows(
                'statement_calls')), rows)
            c.problem('missing-part')
            if order is not None:
                c.same('order', [r['file'] for r in c.out.rows(
                    'session_sources')], order)
                c.problem('old-text', 1)
        return check

    seg = os.path.join(CORPORA, 'bad', 'segments')
    parts = [os.path.join(seg, 'tug_ora_77%s.trc' % x)
             for x in ('', '_4', '_1')]
    for name, paths in (('', parts), (', the folder', [seg])):
        case('R39 parts without header' + name, paths, r39(
            'tug_ora_77_1.trc', 6499500,
            {'EXEC': (2, 700000), 'FETCH': (2, 350000)}, '8rpwt7t7cnzsp',
            6, ['tug_ora_77_1.trc', 'tug_ora_77_4.trc', 'tug_ora_77.trc']))
    seg = os.path.join(CORPORA, 'bad', 'segments_headed')
    case('R39 parts with headers', [
        os.path.join(seg, 'barge_ora_5%s.trc' % x)
        for x in ('_3', '', '_1')], r39(
            'barge_ora_5_1.trc', 4999750,
            {'PARSE': (1, 10), 'EXEC': (1, 100), 'FETCH': (2, 110),
             'CLOSE': (1, 2)},
            oracle.sql_id(b'select x from barge')[0], 10))
    shared('R39', ['R39.trc', 'R39_1.trc', 'R39_4.trc'], r39(
        'R39_1.trc', 7500000,
        {'EXEC': (2, 600000), 'FETCH': (2, 350000)}, '4gggggggggggg', 6,
        ['R39_1.trc', 'R39_4.trc', 'R39.trc']))

    def r40(calls, size, rejected):
        def check(c):
            c.status(3)
            c.elapsed(calls)
            c.source_counts(rejected=rejected, status='partial')
            c.problem('size-limit', 1)
            if size not in c.out.err + str(c.out.rows('problems')):
                c.wrong.append('the limit %s is not told' % size)
        return check

    case('R40 the size limit', [own('size_limit', 'bad')], r40(
        {'EXEC': (1, 12), 'FETCH': (1, 11)}, '10485760', 1))

    case('R40 on the line of the cut record',
         [own('size_limit_glued', 'bad')], r40(
             {'EXEC': (1, 11), 'FETCH': (1, 12)}, '10485760', 1))

    def in_bind(c):
        r40({'EXEC': (1, 11)}, '10485760', 0)(c)
        binds(c, [(1, 0, 'bollard 14,\nnorth qu')])
    case('R40 inside a bind', [own('size_limit_in_bind', 'bad')], in_bind,
         ('--events',))

    def in_text(c):
        c.status(3)
        c.elapsed({'PARSE': (1, 6), 'EXEC': (1, 7)})
        c.source_counts(status='partial')
        c.problem('size-limit', 1)
    case('R40 inside a statement', [own('size_limit_in_text', 'bad')],
         in_text)
    shared('R40', ['R40.trc'], r40(
        {'EXEC': (1, 10), 'FETCH': (1, 10)}, '10485760', 1))

    # R43, R116: the form of the recipe, a thousandth of its length, by pipe
    lines = []
    for i in range(1, 25001):
        lines.append("WAIT #1: nam='db file sequential read' ela= %d "
                     'file#=5 block#=%d blocks=1 obj#=-1 tim=%d\n' % (
                         i % 7, i, 1000000000 + i * 10))
    run = subprocess.run(
        [PROFPIVOT, 'convert', '-q', '-t', 'csv', '--table', 'profile',
         '-o', '-', '-'], input=''.join(lines).encode(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    wrong = []
    if run.returncode != 0:
        wrong.append('status %d' % run.returncode)
    want = 'db file sequential read,wait,%d.%06d,' % divmod(
        sum(i % 7 for i in range(1, 25001)), 1000000)
    if want not in run.stdout.decode() or ',25000,' not in run.stdout.decode():
        wrong.append('%r' % run.stdout[:300])
    report.result('R43 waits alone, from a pipe', wrong)


# -- long lines, many lines -----------------------------------------------

def sizes():
    head = ('=====================\nPARSING IN CURSOR #7 len=%d dep=0 uid=1 '
            "oct=3 lid=1 tim=1000 hv=1 ad='1' sqlid='%s'\n%s\nEND OF STMT\n"
            'PARSE #7:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=1,'
            'tim=1000\n')
    long_line = 'select ' + '+'.join(['1'] * 500000) + ' from dual'
    many = 'select x from t where id in (\n' + ',\n'.join(
        str(i) for i in range(100000)) + ')'
    block = 'BINDS #7:\n' + ''.join(
        ' Bind#%d\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n'
        '  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0\n'
        '  kxsbbbfp=7fcf187d50a0  bln=22  avl=02  flg=05\n  value=%d\n' % (
            i, i) for i in range(5000)) + (
        'EXEC #7:c=1,e=5,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=2000\n')
    import tempfile
    for name, data, want in (
            ('a line of 1 MB', head % (len(long_line), oracle.sql_id(
                long_line.encode())[0], long_line), {'PARSE': (1, 2)}),
            ('a statement of 100,000 lines', head % (len(many), oracle.sql_id(
                many.encode())[0], many), {'PARSE': (1, 2)}),
            ('5,000 binds in a block', head % (18, oracle.sql_id(
                b'select 1 from dual')[0], 'select 1 from dual') + block,
             {'PARSE': (1, 2), 'EXEC': (1, 5)})):
        with tempfile.NamedTemporaryFile('w', suffix='.trc') as f:
            f.write(data)
            f.flush()

            def check(c):
                c.status(0)
                c.elapsed(want)
            case(name, [f.name], check)


def main():
    kind_a()
    kind_b()
    kind_c()
    kind_d()
    kind_e()
    sizes()


if __name__ == '__main__':
    main()
    report.end()
