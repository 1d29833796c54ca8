#!/usr/bin/python3
"""The fifty tricky inputs of the format page, each with its right result.

The traces are in corpora/oracle10046; what is checked here was worked out by
hand from their lines.  The numbers are those of the page.
"""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle                                           # noqa: E402
from tables import CORPORA, PROFPIVOT, convert, ticks   # noqa: E402
from tracecase import binds, case, own, report          # noqa: E402

TO, FROM = 'SQL*Net message to client', 'SQL*Net message from client'
RAW = ('--events',)


def nodes(c, *columns):
    """{path of calls: {values of the columns}} of the tree, in ticks."""
    paths, got = {}, {}
    for r in c.out.rows('tree'):
        if r['statement'] == oracle.BETWEEN:
            continue
        p = paths[r['node']] = (paths[r['parent']] + ' / '
                                if r['parent'] else '') + r['call']
        got.setdefault(p, []).append(tuple(
            ticks(r[k]) if k.endswith('_s') else r[k] for k in columns))
    return {p: sorted(v) for p, v in got.items()}


def statement(c, text):
    return c.out.one('statements', text=text)


def texts(c):
    return sorted(r['text'] for r in c.out.rows('texts'))


def ev(c, **where):
    return [r for r in c.raw('events')
            if all(r[k] == v for k, v in where.items())]


# -- trees ------------------------------------------------------------------

def t01(c):
    c.status(0)
    c.same('tree', nodes(c, 'elapsed_s', 'self_s'), {
        'EXEC': [(900, 600)], 'EXEC / EXEC': [(300, 150)],
        'EXEC / EXEC / EXEC': [(150, 90)],
        'EXEC / EXEC / EXEC / PARSE': [(20, 20)],
        'EXEC / EXEC / EXEC / EXEC': [(40, 40)]})


def t02(c):
    c.status(0)
    none = '(call not in trace)'
    c.same('tree', nodes(c, 'calls', 'elapsed_s', 'cpu_s', 'self_s',
                         'self_cpu_s', 'self_wait_s'), {
        none: [('0', 9800, 9000, 0, 0, 0)],
        none + ' / EXEC': [('2', 800, 0, 800, 0, 0)],
        none + ' / FETCH': [('2', 9000, 9000, 9000, 9000, 0)],
        'PARSE': [('1', 60, 0, 60, 0, 0)],
        'EXEC': [('1', 7000, 6999, 600, 999, 0)],
        'EXEC / EXEC': [('1', 300, 0, 300, 0, 0)],
        'EXEC / FETCH': [('1', 6100, 6000, 6100, 6000, 40)]})
    # the ERROR names the call that has no line
    c.same('named', c.out.one('tree', call=none)['statement'],
           statement(c, 'begin berth_mq.take(:1, :2, :3); end;')
           ['statement'])
    c.same('its wait', [r['place'] for r in c.out.rows(
        'statement_events',
        event='Streams AQ: waiting for messages in the queue')],
        ['between'])


def t03(c):
    c.status(0)
    c.same('tree', nodes(c, 'elapsed_s', 'self_s'), {
        '(call not in trace)': [(7600, 0)],
        '(call not in trace) / EXEC': [(7600, 7600)],
        'PARSE': [(31, 31)], 'EXEC': [(40, 40)], 'FETCH': [(87, 87)],
        'CLOSE': [(3, 3)]})


def t04(c):
    c.status(0)
    r = c.out.one('profile', event='CPU EXEC')
    c.same('CPU', (ticks(r['time_s']), r['count']), (4000, '4'))
    c.same('tree', nodes(c, 'elapsed_s', 'cpu_s'), {
        '(unfinished at end of trace)': [(4450, 4000)],
        '(unfinished at end of trace) / EXEC': [(4400, 4000)],
        '(unfinished at end of trace) / PARSE': [(50, 0)]})


def t05(c):
    c.status(0)
    end = '(unfinished at end of trace)'
    c.same('tree', nodes(c, 'elapsed_s', 'cpu_s', 'self_s'), {
        'PARSE': [(700, 1000, 700)], 'EXEC': [(30, 0, 30)],
        'FETCH': [(25, 0, 25)], end: [(244, 1000, 0)],
        end + ' / EXEC': [(240, 1000, 180)],
        end + ' / EXEC / EXEC': [(60, 0, 60)],
        end + ' / CLOSE': [(4, 0, 4)]})
    c.waits({FROM: (400, 1), 'log file sync': (500, 1)})


def t06(c):
    c.status(0)
    c.span(3152)
    c.same('errors', [(r['code'], r['at_s']) for r in c.raw('errors')],
           [('25228', '')])


# -- cursors ----------------------------------------------------------------

def t07(c):
    c.status(0)
    a, b = (statement(c, x) for x in (
        'select no from hold where bay = :1',
        'select no from bay where deck = :1'))
    c.elapsed({'PARSE': (1, 90), 'EXEC': (1, 1000), 'FETCH': (1, 30)},
              statement=a['statement'])
    c.elapsed({'PARSE': (1, 80), 'EXEC': (1, 4000), 'FETCH': (1, 40)},
              statement=b['statement'])
    c.same('plan', [(r['statement'], r['operation'], r['object'])
                    for r in c.raw('plans')],
           [(b['statement'], 'TABLE ACCESS FULL BAY', '5410')])


def t08(c):
    c.status(0)
    c.same('depths', [(r['depth'], ticks(r['elapsed_s'])) for r in ev(
        c, cursor='140100000000016', event='EXEC')],
        [('1', 12), ('2', 11)])


def t09(c):
    c.status(0)
    r = statement(c, 'select rate from tariff where code = :1')
    c.same('after CLOSE 3 and 1', (r['executions'], r['parses']), ('3', '2'))


def t10(c):
    c.status(0)
    r = statement(c, 'select * from port_holiday')
    c.same('after CLOSE 0', (r['executions'], r['parses'], r['sql_id']),
           ('1', '1', '7upnbuw2j7w2z'))
    c.same('one number', {x['cursor'] for x in ev(c, kind='call')},
           {'182922110464'})


def t11(c):
    c.status(0)
    r = c.out.rows('statements')[0]
    c.same('no PARSE', (r['executions'], r['parses']), ('1', '0'))


# -- texts --------------------------------------------------------------------

LOOKS = ('EXEC #', 'WAIT #', '=====================', '*** 2')


def t12(c):
    c.status(0)
    s = c.out.one('sessions')
    c.same('calls, waits', (s['calls'], s['waits']), ('3', '2'))
    text = max(texts(c), key=len)
    for look in LOOKS:
        if look not in text:
            c.wrong.append('no %r in the text' % look)
    c.source_counts(repaired=0, rejected=0, noise=0)


def t13(c):
    c.status(0)
    c.same('texts', texts(c), ["select '\nEND OF STMT\n' from dual",
                               'select 2 from dual'])
    c.elapsed({'PARSE': (2, 33), 'EXEC': (2, 10)})


def t14(c):
    c.status(0)
    c.same('texts', texts(c), [
        'select 3 from dual', 'select draught\n  from vessel\n'
        ' where imo = :1'])
    c.elapsed({'PARSE': (2, 33), 'EXEC': (1, 33), 'FETCH': (1, 9),
               'CLOSE': (1, 1)})
    c.problem('text-end', 1)


def t15(c):
    c.status(0)
    c.same('texts', sorted((r['text'], r['text_bytes'])
                           for r in c.out.rows('texts')),
           [('', '0'), ('select a,\n\n       b\n  from t\n', '29')])


def t16(c):
    c.status(0)
    c.same('problems', c.out.rows('problems'), [])
    c.same('statements', sorted(
        (r['sql_id'], r['text_bytes'], r['altered'])
        for r in c.out.rows('texts')),
        [('0fsc58c3xtaag', '33', '0'), ('484hj60ss8a0a', '26', '0'),
         ('dzv9sbfdntd9g', '38', '0'), ('fmwctmhbg6rca', '26', '0')])


def t17(c):
    c.status(0)
    lost = ('create table quay_log (\n  id     number,\n\n'
            '  what   varchar2(30),\n);\n\ninsert into quay_log\n'
            'values (1, null)\n;\n')
    c.same('failed text', [r['text'] for r in c.raw('errors')
                           if r['code'] == '904'], [lost])
    c.source_counts(noise=0, rejected=0)


# -- binds ----------------------------------------------------------------------

def t18(c):
    c.status(0)
    binds(c, [(k + 1, 0, 'BX%03d' % k) for k in range(10)])
    c.same('executions', [(r['rows'], r['fetches'], r['binds'])
                          for r in c.raw('executions')],
           [('10', '0', "0='BX000' (1 of 10 sets)")])
    c.same('one EXEC', len({r['event_id'] for r in c.raw('binds')}), 1)


def t18_empty(c):
    c.status(3)
    binds(c, [])
    c.same('executions', [(r['line'], r['binds'])
                          for r in c.raw('executions')],
           [('7', ''), ('10', '')])


def t19(c):
    c.status(0)
    binds(c, [
        (1, 0, 'first line\nEXEC #5:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,'
         'og=1,plh=0,tim=7\nlast "word" of it'),
        (1, 1, 'ends with a line feed\n'), (1, 2, ''), (1, 3, '42')])
    c.elapsed({'PARSE': (1, 22), 'EXEC': (1, 66), 'CLOSE': (1, 1)})


def t20(c):
    c.status(0)
    c.same('typed', [(r['type'], r['length'], r['value'])
                     for r in c.raw('binds')],
           [('REF CURSOR', '4', '00000000'),
            ('TIMESTAMP', '7', '2007-12-26 00:00:00'),
            ('NVARCHAR2', '12', 'M\xf6le3!')])
    c.source_counts(noise=0)


def t21(c):
    c.status(0)
    binds(c, [(1, 0, 'one'), (1, 1, 'two')])
    # the stamp 08:30:04.5 stands before EXEC, whose tim is 4.3 s later
    c.same('ended_at', c.out.one('sources')['ended_at'],
           '2025-02-11T08:30:09.000000+01:00')
    c.same('commits', c.out.one('sessions')['commits'], '1')


# -- waits ----------------------------------------------------------------------

def parameters(c):
    return [(r['event'], tuple((r['p%d_name' % k], r['p%d' % k])
                               for k in (1, 2, 3) if r['p%d' % k] != ''))
            for r in ev(c, kind='wait')]


def t22(c):
    c.status(0)
    mode = 'name|mode'
    c.same('parameters', parameters(c), [
        ('resmgr:pq queued', (('location', '1'), ('', '0'), ('', '0'))),
        ('enq: TX - row lock contention',
         ((mode, '1213661190'), ('usn<<16 | slot', '589825'),
          ('sequence', '542'))),
        ('enq: HW - contention',
         ((mode, '1213661190'), ('table space #', '15'),
          ('block', '62915239'))),
        ('enq: KO - fast object checkpoint',
         ((mode, '1263468550'), ('2', '65690'), ('0', '1'))),
        ('library cache lock',
         (('handle address', '41822074104'), ('lock address', '41833868080'),
          ('100*mask+namespace', '77966541455363'))),
        (TO, (('driver #bytes', '1'), ('p3', '0'))),
        ('SQL*Net break/reset to client',
         (('driver break?', '1'), ('p3', '0'))),
        ('db file parallel read',
         (('files', '1'), ('blocks', '4'), ('requests', '4'))),
        ('log file sync', (('buffer#', '5737'),
                           ('sync scn', '39236637077900'), ('p3', '0'))),
        ('Streams AQ: qmn slave idle wait',
         (('p1', '1'), ('p2', '0'), ('p3', '0'))),
        ('kksfbc child completion',
         (('p1', '0'), ('p2', '0'), ('p3', '0'))),
        ("it's (odd) & <named>",
         (('count', '-1'), ('timeout', '-1'), ('p3', '0')))])


def t23_old(c):
    c.status(0)
    c.same('waits', [(ticks(r['elapsed_s']), r['tim'], r['object'],
                      r['p1_name']) for r in ev(
        c, event='db file sequential read')][0][1:], ('', '', 'p1'))
    c.waits({TO: (8, 2), FROM: (700, 1), 'db file sequential read': (880, 1),
             'log file sync': (430, 1)})


def t23_new(c):
    c.status(0)
    c.same('ela=', [ticks(r['elapsed_s']) for r in ev(
        c, event='gc cr grant 2-way')], [59, 61])


def t23_later(c):
    c.status(0)
    c.source_counts(rejected=0, repaired=0, noise=0)
    c.same('parameters', parameters(c), [
        ('db file sequential read',
         (('file#', '1'), ('block#', '2'), ('blocks', '3')))])
    c.elapsed({'PARSE': (1, 2), 'EXEC': (1, 4), 'CLOSE': (1, 1)})
    c.same('error, commits', ([r['code'] for r in c.raw('errors')],
                              c.out.one('sessions')['commits']),
           (['942'], '1'))


def t24(c):
    c.status(0)
    c.same('objects', {r['event']: r['object'] for r in ev(c, kind='wait')
                       if r['object'] not in ('-1', '0', '')},
           {'library cache lock': '69455',
            'db file parallel read': '-40016363'})


def t24_23c(c):
    c.status(0)
    c.same('obj# of 32 bits', [r['object'] for r in ev(
        c, event='gc cr grant 2-way')], ['-1', '-1'])


def t25(c):
    c.status(0)
    c.same('cursors', [r['cursor'] for r in ev(c)],
           ['18446744073709551615'] * 2 + ['11529215099900770009'] * 3)
    c.same('tim', [r['tim'] for r in ev(c)], [
        '9007199254740000', '9007199254740100', '9007199254740300',
        '9007199254740310', '9007199254740400'])
    c.same('64 bits', [r['p2'] for r in ev(c, event='log file sync')],
           ['18446744073709551615'])


# -- clocks ---------------------------------------------------------------------

def t26(c):
    c.status(0)
    c.source_counts(tick='10ms', span_s='15.83')
    c.same('FETCH', c.out.one('statement_calls', call='FETCH')['elapsed_s'],
           '15.00')


def t27(c):
    c.status(0)
    c.source_counts(tick='1us', clock_factor='1.024', span_s='40.000180')
    c.same('wall', (c.out.one('sources')['started_at'][-9:],
                    c.out.one('sources')['ended_at'][-9:]),
           ('10.310000', '51.270000'))
    # the first call begins 180 ticks before the time at the stamp
    c.same('begin', c.out.one('sessions')['started_at'][-9:], '10.309816')


def t28(c):
    c.status(0)
    c.same('each', [ticks(r['self_unaccounted_s'])
                    for r in ev(c, kind='call')], [6100, -15080, 8200])


def t29(c):
    c.status(0)
    c.same('places', sorted((r['place'], ticks(r['time_s']))
                            for r in c.out.rows('statement_events',
                                                event=TO)),
           [('between', 9), ('call', 3)])


def owner(c, event, cursor):
    """Kind and cursor of the call that holds the wait."""
    calls = {r['event_id']: (r['event'], r['cursor'], r['depth'])
             for r in ev(c, kind='call')}
    return [calls.get(r['parent_event_id']) for r in ev(
        c, event=event, cursor=cursor)]


MAIN = '140100000000016'


def t30(c):
    c.status(0)
    c.same('owner', owner(c, 'library cache: mutex X', ''),
           [('PARSE', MAIN, '0')])


def t31(c):
    c.status(0)
    c.same('owner', owner(c, 'latch: shared pool', '140100000000032'),
           [('EXEC', MAIN, '0')])


def t32(c):
    c.status(0)
    c.same('owners', owner(c, 'db file sequential read', MAIN),
           [('FETCH', '140100000000048', '1'), ('FETCH', MAIN, '0')])


# -- sessions, markers, damage ----------------------------------------------------

def t33(c):
    c.status(0)
    c.span(10000440, 10000480)
    c.same('unaccounted', [ticks(r['time_s']) for r in c.out.rows(
        'profile', event='unaccounted-for')], [434, 478])
    c.same('ids', [r['native_id'] for r in c.out.rows('sessions')],
           ['35.1', '36.2'])


def t34(c):
    c.status(0)
    c.span(400600, 500570)
    c.same('processes', [r['process'] for r in c.out.rows('sessions')],
           ['4101', '4102'])
    c.problem('clock-back', 0)


def t35(c):
    c.status(0)
    s = c.out.one('sessions')
    c.same('values', (s['module'], s['action'], s['client_id']),
           # byte F6 is no UTF-8
           ('K\ufffdln (Nord)', '', 'a) b'))


def t36(c):
    c.status(0)
    c.same('modules at the end of calls', [
        (r['event'], r['depth'], r['module'], r['action'])
        for r in ev(c, kind='call')], [
        ('PARSE', '0', 'loader', ''), ('EXEC', '1', 'loader', ''),
        ('FETCH', '1', 'loader', ''),
        ('EXEC', '1', 'loader step 2', 'copy'),
        ('FETCH', '1', 'loader step 2', 'copy'),
        ('EXEC', '0', 'loader step 2', 'copy')])


def problem_lines(c):
    return [(r['id'], r['line']) for r in c.out.rows('problems')]


def t37_glued(c):
    c.status(3)
    c.same('problems', problem_lines(c),
           [('split-record', '4'), ('cut-record', '7')])
    c.elapsed({'FETCH': (2, 568)})


def t37_stat(c):
    c.status(3)
    c.same('problems', problem_lines(c),
           [('bad-record', '32'), ('cut-record', '33')])
    c.same('plan', [r['operation'] for r in c.raw('plans')], ['FAST DUAL'])
    c.elapsed({'EXEC': (1, 22), 'CLOSE': (1, 1)})


def t38(c):
    c.status(0)
    c.same('plans', [(r['plan'], r['id'], r['parent'], r['depth'],
                      r['operation'], ticks(r['elapsed_s']),
                      ticks(r['self_s']), r['cost'], r['bytes'],
                      r['cardinality']) for r in c.raw('plans')], [
        ('1', '1', '', '0', 'NESTED LOOPS', 0, 0, '5', '89', '1'),
        ('1', '2', '1', '1', 'TABLE ACCESS BY INDEX ROWID BOX', 0, 0, '',
         '', ''),
        ('2', '8', '', '0', 'SOMETHING', 248, 193, '', '', ''),
        ('2', '9', '8', '1', "INDEX FULL SCAN IT'S_(ODD)", 55, 55, '5',
         '6068979', '1'),
        ('3', '1', '', '0', 'VIEW', 9, 7, '', '', ''),
        ('3', '2', '1', '1', 'FAST DUAL', 2, 2, '2', '', '1')])


def t39(c):
    c.status(0)
    s = c.out.one('sessions')
    c.same('commits, rollbacks', (s['commits'], s['rollbacks']), ('1', '2'))
    c.same('transactions', [(r['event'], r['tim'], r['flags'])
                            for r in ev(c, kind='transaction')],
           [('commit', '', ''), ('rollback', '', 'read-only'),
            ('rollback', '', '')])


def t40(c):
    c.status(0)
    held = {r['event']: r['event_id'] for r in ev(c, kind='call')}
    c.same('waits of LOBREAD', [
        r['event'] for r in ev(c, kind='wait')
        if r['parent_event_id'] == held['LOBREAD']], ['direct path read'])
    c.same('depth', {r['depth'] for r in ev(c, kind='call')
                     if r['event'].startswith('LOB')}, {'0'})


def t41(c):
    c.status(0)
    c.span(1472)
    c.same('FETCH', c.out.one('statement_calls', call='FETCH')['sql_id'],
           '5hfxqhgvwup46')


def t42(c):
    c.status(0)
    c.span(70, 80)
    c.same('the number of another trace', [
        r['statement'] for r in c.out.rows('statement_calls', session='2',
                                           call='EXEC')], ['?' + MAIN])


def t42_hole(c):
    c.source = 'tug_ora_77_1.trc'
    c.status(3)
    rows = {r['class']: ticks(r['time_s']) for r in c.out.rows('profile')
            if r['class'] in ('missing', 'unaccounted')}
    c.same('hole', rows, {'missing': 6499500, 'unaccounted': 1197800})


# -- the rest -------------------------------------------------------------------

def t45(c):
    c.status(0)
    c.same('tree', nodes(c, 'calls', 'elapsed_s', 'self_s'), {
        # at the edges of their parent, and 1 us before it
        'EXEC / EXEC': [('2', 0, 0)], 'EXEC': [('2', 500, 500)],
        '(call not in trace)': [('0', 0, 0)],
        '(call not in trace) / EXEC': [('1', 0, 0)]})


def t45_11107(c):
    c.status(0)
    c.span(4600)
    c.same('tree', nodes(c, 'elapsed_s', 'self_s')['EXEC'], [(4600, 4600)])


def t46(c):
    c.status(0)
    c.span(14660)
    c.between(-890)
    c.problem('overlap', 1)


def t47(c):
    c.status(0)
    # 400 + 500 of roots less 20 in a wait; 5 + 57 + 60 less 12 and 3
    c.same('cpu', sum(ticks(r['time_s']) for r in c.out.rows(
        'profile', **{'class': 'cpu'})), 880)
    c.same('queue', ticks(c.out.one(
        'profile', event='CPU run queue')['time_s']), 107)
    c.waits({'db file sequential read': (403, 1),
             'direct path read temp': (100, 1), 'latch free': (10, 1)})
    c.same('no p1 of c', [r['p1_name'] for r in ev(
        c, event='db file sequential read')], ['file#'])


def t49(c):
    c.status(0)
    st = {r['text']: r for r in c.out.rows('statements')
          if r['statement'] != oracle.BETWEEN}
    c.same('two texts', sorted((t, ticks(r['elapsed_s']))
                               for t, r in st.items()),
           [('select 1 from pen where a = 1', 50),
            ('select 1 from pen where b = 2', 20)])


FILES = (
    ('1 three levels', 'tree_three_levels', t01),
    ('2 orphans before a PARSE', 'orphans_before_parse', t02),
    ('3 recursion between calls', 'recursion_between_calls', t03),
    ('4 no depth 0', 'no_depth_zero', t04),
    ('5 unfinished', 'unfinished_end', t05),
    ('6 alien ERROR', 'alien_error_clock', t06),
    ('7 reuse without CLOSE', 'cursor_reuse_10g', t07),
    ('8 two depths', 'cursor_two_depths', t08),
    ('9 EXEC after CLOSE', 'v112_close_types', t09),
    ('10 CLOSE 0 and another text', 'v112_close_types', t10),
    ('11 no PARSE', 'parsing_without_parse', t11),
    ('12 records in a text', 'text_imitates_records', t12),
    ('13 END OF STMT in a text', 'end_of_stmt_in_text', t13),
    ('14 no END OF STMT', 'missing_end_of_stmt', t14),
    ('15 lengths', 'text_lengths', t15),
    ('16 len + 1, len + 2', 'text_longer_len', t16),
    ('17 failed parse', 'parse_error_text', t17),
    ('18 array DML', 'array_dml', t18),
    ('19 strings', 'bind_strings', t19),
    ('20 dumps', 'bind_dumps', t20),
    ('21 stamp in binds', 'stamp_in_binds', t21),
    ('22 parameters', 'wait_parameters', t22),
    ('23 waits of 10.1', 'v101_p1p2p3', t23_old),
    ('23 ela=9 and ela= 9', 'wait_forms', t23_new),
    ('23 keys of a later release', 'unknown_keys', t23_later),
    ('24 obj#', 'wait_parameters', t24),
    ('24 obj# of 23c', 'wait_forms', t24_23c),
    ('25 64 bits', 'wait_forms', t25),
    ('26 8i', 'v8i_centiseconds', t26),
    ('27 1.024 us', 'v102_linux_1024', t27),
    ('28 c above e', 'cpu_above_elapsed', t28),
    ('29 message to client', 'message_inside_fetch', t29),
    ('30 WAIT #0 in PARSE', 'waits_and_owners', t30),
    ('31 wait of a finished child', 'waits_and_owners', t31),
    ('32 wait behind the last child', 'waits_and_owners', t32),
    ('33 shared server', 'shared_server', t33),
    ('34 trcsess', 'trcsess_merge', t34),
    ('35 marker values', 'marker_values', t35),
    ('36 module in a call', 'module_change', t36),
    ('38 STAT', 'stat_variants', t38),
    ('39 XCTEND', 'xctend_forms', t39),
    ('40 LOB calls', 'v19c_lob_and_close', t40),
    ('42 repeated header', 'repeated_header', t42),
    ('45 zero lengths', 'equal_tims', t45),
    ('45 11.1.0.7', 'v11107_zero_elapsed', t45_11107),
    ('46 overlap', 'overlapping_calls', t46),
    ('47 SystemTap', 'systemtap', t47),
    ('49 one hash value', 'same_hash_value', t49),
)


def disguises():
    """43: the same content in every disguise."""
    wrong = []
    want = convert([own('clean')])
    for name in ('crlf', 'bom', 'nul_bytes', 'no_final_newline',
                 'mixed_line_ends'):
        out = convert([own(name)])
        for table in ('profile', 'tree', 'statements', 'timeline', 'texts'):
            got, exp = ([{k: v for k, v in r.items() if k != 'source'}
                         for r in x.rows(table)] for x in (out, want))
            if got != exp:
                wrong.append('%s: %s' % (name, table))
        if out.status != 0:
            wrong.append('%s: status %d' % (name, out.status))
    report.result('43 disguises', wrong)


def executions(n=10000):
    """48: one cursor executed n times, closed into the cache."""
    head = ('=====================\nPARSING IN CURSOR #7 len=8 dep=0 uid=1 '
            "oct=3 lid=1 tim=1000000 hv=1 ad='1' sqlid='%s'\nselect 1\n"
            'END OF STMT\nPARSE #7:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=0,dep=0,'
            'og=1,plh=1,tim=1000000\n' % oracle.sql_id(b'select 1')[0])
    work = tempfile.mkdtemp(prefix='profpivot-test-')
    try:
        path = os.path.join(work, 'many.trc')
        with open(path, 'w') as f:
            f.write(head)
            for k in range(n):
                t = 1000010 + 10 * k
                f.write('EXEC #7:c=1,e=3,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,'
                        'plh=1,tim=%d\nCLOSE #7:c=0,e=1,dep=0,type=3,'
                        'tim=%d\n' % (t, t + 2))

        def check(c):
            c.status(0)
            c.elapsed({'PARSE': (1, 2), 'EXEC': (n, 3 * n), 'CLOSE': (n, n)})
            d = c.out.one('digests')
            c.same('digest', (d['statements'], d['executions'],
                              d['parses']), ('1', str(n), '1'))
            c.same('executions', len(c.raw('executions')), n)
        case('48 executed 10,000 times', [path], check, RAW)
    finally:
        shutil.rmtree(work)


def no_traces():
    """50: what is no trace."""
    work = tempfile.mkdtemp(prefix='profpivot-test-')
    try:
        wrong = []
        for name in ('not_a_trace', 'empty', 'binary', 'optimizer_only'):
            path = own(name, 'bad')
            packed = os.path.join(work, name + '.trc.gz')
            with open(path, 'rb') as f, gzip.open(packed, 'wb') as g:
                g.write(f.read())
            for p in (path, packed):
                target = os.path.join(work, 'out.xlsx')
                run = subprocess.run(
                    [PROFPIVOT, 'convert', p, '-o', target],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                err = run.stderr.decode()
                if run.returncode != 1 or os.path.exists(target):
                    wrong.append('%s: status %d' % (p, run.returncode))
                if (err.count('[not-recognised]') != 1 or
                        os.path.basename(p) not in err):
                    wrong.append('%s: %s' % (p, err[:80]))
        report.result('50 no trace', wrong)
    finally:
        shutil.rmtree(work)


def main():
    for name, trace, check in FILES:
        case(name, [own(trace)], check, RAW)
    for name, trace, check in (
            ('37 glued and cut', 'glued_and_cut', t37_glued),
            ('37 spliced STAT', 'spliced_stat', t37_stat)):
        case(name, [own(trace, 'bad')], check)
    case('18 blocks without values', [own('binds_empty', 'bad')], t18_empty,
         RAW)
    one, two = own('QUAY1_ora_28114'), own('QUAY1_ora_28114_late')
    case('41 continued', [one, two], t41)
    case('41 continued, turned round', [two, one], t41)
    case('42 hole', [os.path.join(CORPORA, 'bad', 'segments')], t42_hole)
    disguises()
    executions()
    no_traces()


if __name__ == '__main__':
    main()
    report.end()
