#!/usr/bin/python3
"""SHOW PROFILE through the program: fixed values, cases that users reported,
random dumps against a second calculation, published and real dumps.
"""
import csv
import glob
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import profilecalc                                      # noqa: E402
from tables import Report, SHARED, convert, half_up     # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(os.path.dirname(HERE), 'corpora', 'showprofile')
SCALE = 8

report = Report()


def units(text):
    """Decimal seconds in 10^-8 s; more digits must be noughts."""
    sign, text = (-1, text[1:]) if text.startswith('-') else (1, text)
    whole, _, frac = text.partition('.')
    if frac[SCALE:].strip('0'):
        raise ValueError(text)
    return sign * int(whole + (frac + '0' * SCALE)[:SCALE])


def profile_of(out):
    """{(session, event): (class, time, count, share)}"""
    return {(r['session'], r['event']):
            (r['class'], units(r['time_s']), r['count'], r['share_pct'])
            for r in out.rows('profile')}


def stages_of(out, *columns):
    return [tuple(r[c] for c in columns) for r in out.rows('stages')]


def differences(got, want, what='values'):
    if got == want:
        return []
    if isinstance(want, dict):
        return ['%s: %r is %r, not %r' % (what, k, got.get(k), want.get(k))
                for k in sorted(set(got) | set(want), key=str)
                if got.get(k) != want.get(k)]
    if isinstance(want, list) and len(got) == len(want):
        return ['%s %d: %r, not %r' % (what, i, g, w)
                for i, (g, w) in enumerate(zip(got, want)) if g != w]
    return ['%s: %r, not %r' % (what, got, want)]


def adds_up(out):
    """The identities that every dump keeps."""
    bad = []
    timeline, bucket = {}, {}
    for r in out.rows('timeline'):
        k = r['session'], r['event'], r['class']
        timeline[k] = timeline.get(k, 0) + units(r['time_s'])
    for r in out.rows('statement_events'):
        k = r['session'], r['event'], r['class']
        bucket[k] = bucket.get(k, 0) + units(r['time_s'])
    for r in out.rows('profile'):
        k = r['session'], r['event'], r['class']
        time = units(r['time_s'])
        if timeline.get(k, 0) != time:
            bad.append('timeline of %s: %d, profile %d' % (
                k, timeline.get(k, 0), time))
        if bucket.get(k, 0) != time:
            bad.append('statement_events of %s: %d, profile %d' % (
                k, bucket.get(k, 0), time))
    for s in out.rows('sessions'):
        mine = [r for r in out.rows('statements')
                if r['session'] == s['session']]
        tree = [r for r in out.rows('tree') if r['session'] == s['session']]
        for name, rows in (('statements', mine), ('tree', tree)):
            if sum(units(r['self_s']) for r in rows) != units(s['span_s']):
                bad.append('%s of session %s do not sum to its span' % (
                    name, s['session']))
        pivot = [r for r in out.rows('statement_pivot')
                 if r['session'] == s['session']]
        events = [c for c in (pivot[0] if pivot else {})
                  if c not in ('source', 'session', 'statement', 'sql_id',
                               'digest')]
        if sum(units(r[c]) for r in pivot for c in events if r[c]) != sum(
                units(r['time_s']) for r in out.rows('profile')
                if r['session'] == s['session']):
            bad.append('statement_pivot is not the profile')
    states = {}
    for r in out.rows('stages'):
        if r['duration_s']:
            k = r['session'], r['state']
            states[k] = states.get(k, 0) + units(r['duration_s'])
    for r in out.rows('profile'):
        k = r['session'], r['event']
        if r['class'] == 'stage' and states and k in states and \
                states[k] != units(r['time_s']):
            bad.append('stages of %s: %d' % (k, states[k]))
    return bad


# -- fixed values ---------------------------------------------------------

def rows(*lines):
    """'1 starting stage 0.0001 1 50.00': session, event, ..., share"""
    out = {}
    for line in lines:
        session, rest = line.split(' ', 1)
        event, cls, time, count, share = rest.rsplit(' ', 4)
        out[(session, event)] = (cls, units(time), count,
                                 '' if share == '-' else share)
    return out


OWN = {
    'ok/two_runs.txt': (0, rows(
        '1 (not recorded) missing 1.25412 1 -',
        '1 Sorting result stage 0.412 1 92.82',
        '1 Sending data stage 0.03135 2 7.06',
        '1 Opening tables stage 0.00031 2 0.07',
        '1 starting stage 0.00017 2 0.04',
        '1 end stage 0.000023 2 0.01',
        '1 System lock stage 0.000019 2 0.00')),
    'ok/lost_time.txt': (0, rows(
        '1 Sending data stage 0.24 1 96.00',
        '1 lost time unaccounted 0.009 1 3.60',
        '1 end stage 0.0009 1 0.36', '1 starting stage 0.0001 1 0.04')),
    'ok/rounding.txt': (0, rows(
        '1 executing stage 0.0499 1 99.80', '1 end stage 0.00005 1 0.10',
        '1 starting stage 0.00005 1 0.10')),
    'ok/saturated.txt': (0, rows(
        '1 User sleep stage 1500.2497 1 100.00',
        '1 end stage 0.0002 1 0.00', '1 starting stage 0.0001 1 0.00')),
    'ok/negative.txt': (0, rows(
        '1 executing stage 0.0005 1 56.82', '1 starting stage 0.0005 1 56.82',
        '1 init stage -0.00012 1 -13.64')),
    'ok/underflow.txt': (0, rows(
        '1 executing stage 0.03 1 93.75', '1 starting stage 0.002 1 6.25')),
    'ok/limit.txt': (0, rows(
        '1 executing stage 0.3 1 99.97', '1 init stage 0.0001 1 0.03')),
    'ok/bare_list.txt': (0, rows('1 (not recorded) missing 0.002 3 -')),
    'ok/two_sessions.txt': (0, rows(
        '1 (not recorded) missing 0.002 1 -', '1 end stage 0.002 1 66.67',
        '1 starting stage 0.001 1 33.33', '2 end stage 0.004 1 57.14',
        '2 starting stage 0.003 1 42.86')),
    'ok/no_number.txt': (0, rows(
        '1 starting stage 0.501 2 55.48',
        '1 lost time unaccounted 0.3 1 33.22',
        '1 end stage 0.102 2 11.30')),
    'ok/one_row_late.txt': (0, rows(
        '1 rename result table stage 4.5 1 99.55',
        '1 copy to tmp table stage 0.02 1 0.44',
        '1 end stage 0.00007 1 0.00', '1 Opening table stage 0.00006 1 0.00',
        '1 checking permissions stage 0.00004 1 0.00')),
    'ok/version_5037.txt': (0, rows(
        '1 Opening tables stage 0.00037 1 82.77',
        '1 (not recorded) missing 0.000073 1 -',
        '1 (initialization) stage 0.000063 1 14.09',
        '1 logging slow query stage 0.000014 1 3.13')),
    'ok/mariadb.txt': (0, rows(
        '1 Executing stage 0.00339 1 97.41', '1 Starting stage 0.00008 1 2.30',
        '1 checking permissions stage 0.000007 1 0.20',
        '1 Reset for next command stage 0.000003 1 0.09')),
    'ok/profiling.tsv': (0, rows(
        '1 init stage 0.0004 1 36.36', '1 end stage 0.00039 2 35.45',
        '1 starting stage 0.0003 2 27.27',
        '1 Executing hook on transaction stage 0.00001 1 0.91')),
    'ok/pivot.txt': (0, rows(
        '1 Copying to tmp table stage 0.04 1 50.00',
        '1 removing tmp table stage 0.03 3 37.50',
        '1 starting stage 0.01 2 12.50')),
    'ok/spreadsheet.tsv': (0, rows(
        '1 executing stage 0.0125 1 99.44', '1 starting stage 0.000067 1 0.53',
        '1 end stage 0.000003 1 0.02')),
    'ok/nameless.tsv': (0, rows(
        '1 executing stage 0.004 1 96.39', '1 starting stage 0.0001 1 2.41',
        '1 end stage 0.00003 1 0.72', '1 init stage 0.00002 1 0.48')),
    'ok/nameless_several.tsv': (0, rows(
        '1 executing stage 0.005 2 50.00', '1 starting stage 0.0035 3 35.00',
        '1 cleaning up stage 0.001 2 10.00',
        '1 Executing hook on transaction stage 0.0005 1 5.00')),
    'ok/outfile_fixed.txt': (0, rows(
        '1 committing alter table to stor stage 0.25 1 99.52',
        '1 executing stage 0.001 1 0.40', '1 Opening tables stage 0.0001 1 0.04',
        '1 starting stage 0.00009 2 0.04', '1 cleaning up stage 0.00001 1 0.00')),
    'ok/outfile_plain.txt': (0, rows(
        '1 pouring stage 0.004 1 99.26', '1 melting ice stage 0.00002 1 0.50',
        '1 wiping stage 0.00001 1 0.25')),
    'ok/vertical.txt': (0, rows(
        '1 executing stage 0.75 1 99.99', '1 starting stage 0.0001 1 0.01')),
    'ok/xml.txt': (0, rows(
        '1 end stage 0.0006 1 60.00', '1 starting stage 0.0004 1 40.00')),
    'bad/history.txt': (3, rows(
        '1 executing stage 0.002 100 66.67',
        '1 (not recorded) missing 0.001 1 33.33')),
    'bad/seq_72.tsv': (3, rows(
        '1 executing stage 0.00003 1 75.00', '1 end stage 0.00001 1 25.00')),
    'bad/cut_row.txt': (3, rows('1 starting stage 0.0001 1 100.00')),
    'bad/footer.txt': (3, rows(
        '1 end stage 0.0002 1 66.67', '1 starting stage 0.0001 1 33.33')),
    'bad/no_duration.txt': (3, rows(
        '1 end stage 0.0002 1 66.67', '1 starting stage 0.0001 1 33.33')),
    'bad/no_lower_border.txt': (3, rows(
        '1 Sending data stage 0.0045 1 90.00',
        '1 Opening tables stage 0.00038 1 7.60',
        '1 starting stage 0.00012 1 2.40')),
    'bad/other_table.txt': (1, {}),
}


def own(name):
    return os.path.join(CORPUS, name)


def check_own():
    for name, (status, want) in sorted(OWN.items()):
        out = convert([own(name)])
        bad = differences(profile_of(out), want, 'profile') + adds_up(out)
        if out.status != status:
            bad.append('status %d, not %d' % (out.status, status))
        report.result('own ' + name, bad)
    out = convert([own('ok/units.txt')])
    report.result('own ok/units.txt', differences(
        stages_of(out, 'query_id', 'state', 'duration_s'),
        [('22', 'starting', '0.000250250'), ('22', 'executing', '0.001250000'),
         ('22', 'end', '0.000000734')], 'stage') + differences(
        out.one('sources')['tick'], '1ns', 'tick'))
    missing = {os.path.relpath(f, CORPUS)
               for f in glob.glob(CORPUS + '/*/*')} - set(OWN) - {
                   'ok/units.txt'}
    report.result('own: every file has values', sorted(missing))


def check_details():
    out = convert([own('ok/two_runs.txt')])
    run = [(r['statement'], r['Sorting result'], r['Sending data'])
           for r in out.rows('statement_pivot')]
    select = out.rows('statements', command='SELECT')[0]
    alter = out.rows('statements', command='ALTER TABLE')[0]
    report.result('two runs stand side by side', differences(run, [
        (alter['statement'], '', ''),
        (select['statement'], '0.41200000', '0.03025000'),
        (select['statement'], '', '0.00110000'),
        ('(between calls)', '', '')], 'row') +
        differences([select['executions'], select['elapsed_s'],
                     select['max_s'], select['depth'], select['cpu_s']],
                    ['2', '0.44387275', '0.44252225', '0', ''], 'cell') +
        differences([out.one('sessions')['native_id'],
                     out.one('sources')['version']], ['41', '5.7.30'], 'id'))
    report.result('source lines are of the row and the next', differences(
        stages_of(out, 'query_id', 'from_line', 'to_file', 'to_line')[:6], [
            ('1', '', 'sql_base.cc', '5911'),
            ('1', '5911', 'lock.cc', '332'), ('1', '332', 'filesort.cc', '410'),
            ('1', '410', 'sql_union.cc', '1677'),
            ('1', '1677', 'sql_select.cc', '796'), ('1', '796', '', '')],
        'stage'))
    out = convert([own('ok/vertical.txt')])
    report.result('16 columns', differences(
        [tuple(r.values())[2:] for r in out.rows('stages')], [
            ('3', '1', 'starting', '0.000000', '0.000100', '0.000080',
             '0.000010', '1', '0', '8', '0', '0', '0', '0', '3', '0', '', '',
             '', 'ExecuteIteratorQuery', 'sql_union.cc', '1677', ''),
            ('3', '2', 'executing', '0.000100', '0.750000', '1.400000',
             '0.020000', '4', '55', '16', '24', '0', '0', '1', '21', '0',
             'ExecuteIteratorQuery', 'sql_union.cc', '1677', '', '', '', '')],
        'row'))
    out = convert([own('ok/nameless_several.tsv')])
    report.result('several results without names', differences(
        stages_of(out, 'query_id', 'seq', 'state', 'cpu_user_s',
                  'to_line')[::2], [
            ('1', '1', 'starting', '0.00090000', '11'),
            ('1', '3', 'starting', '0.00150000', '13'),
            ('1', '5', 'cleaning up', '0.00040000', ''),
            ('2', '2', 'executing', '0.00140000', '14')], 'stage') +
        differences([(r['text'], r['elapsed_s'])
                     for r in out.rows('statements')][:2], [
            ('SELECT * FROM berth', '0.00700000'),
            ('SELECT 2', '0.00300000')], 'statement') +
        differences([p['message'].split('for those of ')[1] for p in
                     out.rows('problems', id='guessed-columns')],
                    ['SHOW PROFILES', 'SHOW PROFILE',
                     'INFORMATION_SCHEMA.PROFILING'], 'guess'))
    out = convert([own('ok/outfile_fixed.txt')],
                  '--fields-terminated-by', '')
    report.result('fixed width, as asked for', differences(
        stages_of(out, 'query_id', 'state', 'cpu_system_s')[2:4], [
            ('7', 'committing alter table to stor', '0.010000'),
            ('7', 'cleaning up', '0.000000')], 'stage'))
    out = convert([own('ok/one_row_late.txt')], '--shift-states')
    report.result('shift', differences(
        stages_of(out, 'state', 'duration_s'), [
            ('checking permissions', '0.000060'),
            ('Opening table', '0.020000'), ('copy to tmp table', '4.500000'),
            ('rename result table', '0.000070'), ('end', '')], 'stage') +
        differences([out.one('sessions')['span_s'], out.one(
            'profile', event='(not recorded)')['time_s']],
            ['4.520170', '0.000040'], 'time') + adds_up(out))
    out = convert([own('ok/lost_time.txt')], '--events')
    report.result('events', differences(
        [(r['event_id'], r['parent_event_id'], r['kind'], r['event'],
          r['class'], r['start_s'], r['elapsed_s'])
         for r in out.rows('events')], [
            ('1', '5', 'stage', 'starting', 'stage', '0.00000000',
             '0.00010000'),
            ('2', '5', 'stage', 'Sending data', 'stage', '0.00010000',
             '0.24000000'),
            ('3', '5', 'stage', 'end', 'stage', '0.24010000', '0.00090000'),
            ('4', '5', 'gap', 'lost time', 'unaccounted', '0.24100000',
             '0.00900000'),
            ('5', '', 'statement', 'SELECT', 'statement', '0.00000000',
             '0.25000000')], 'event'))
    both = [own('ok/two_runs.txt'), own('ok/two_sessions.txt')]
    out = convert(both, '--merge', 'sources')
    report.result('sessions summed up', differences(
        {r['event']: (r['time_s'], r['count'], r['share_pct'])
         for r in out.rows('profile')}['end'],
        ('0.00602300', '4', '1.33'), 'end') + differences(
        [(r['Sending data'], r['end']) for r in out.rows('statement_pivot')
         if r['Sending data']], [('0.03135000', '0.00002300')], 'pivot'))
    out = convert(both[:1], '--where', 'command=SELECT')
    report.result('a command', differences(
        {k: v[1:] for k, v in profile_of(out).items()}, {
            ('1', 'Sorting result'): (41200000, '1', '92.82'),
            ('1', 'Sending data'): (3135000, '2', '7.06'),
            ('1', 'Opening tables'): (31000, '2', '0.07'),
            ('1', 'starting'): (17000, '2', '0.04'),
            ('1', 'end'): (2300, '2', '0.01'),
            ('1', 'System lock'): (1900, '2', '0.00')}, 'event'))
    out = convert(both[:1], '--since', '0.1', '--until', '0.5')
    report.result('a window', differences(
        {k: v[1:3] for k, v in profile_of(out).items()}, {
            ('1', 'Sorting result'): (31226000, '1'),
            ('1', 'Sending data'): (3025000, '1'),
            ('1', 'end'): (1200, '1'),
            # rounding of the first query: it ends 25 ticks later
            ('1', '(not recorded)'): (50000000 - 44252225, '0')}, 'event'))
    tables = sorted(convert([own('ok/two_runs.txt')]).tables)
    report.result('tables', differences(tables, sorted(
        'sources sessions session_sources profile timeline timeline_pivot '
        'cube tree statements texts statement_events statement_pivot '
        'histogram stages problems'.split()), 'tables'))


# -- rows longer than what is looked at first --------------------------------

def check_long_row():
    """The first row has a text of 5 MB: more than readers are chosen by."""
    text = 'SELECT %s' % ('x' * 99 + ' ') * 52429
    stars = '*' * 27
    width = [10, 12, len(text) + 2]
    rule = '+' + '+'.join('-' * w for w in width) + '+\n'
    line = lambda *c: '| %-8s | %-10s | %-1024s |\n' % c
    forms = {
        'batch': 'Query_ID\tDuration\tQuery\n1\t0.00100000\t%s\n'
                 '2\t0.00200000\tSELECT 2\n' % text,
        'vertical': '%s 1. row %s\nQuery_ID: 1\nDuration: 0.00100000\n'
                    '   Query: %s\n%s 2. row %s\nQuery_ID: 2\n'
                    'Duration: 0.00200000\n   Query: SELECT 2\n' % (
                        stars, stars, text, stars, stars),
        'csv': '"Query_ID","Duration","Query"\n1,0.00100000,"%s"\n'
               '2,0.00200000,"SELECT 2"\n' % text,
        'box': rule + line(*LIST) + rule + line('1', '0.00100000', text) +
               line('2', '0.00200000', 'SELECT 2') + rule,
    }
    bad = []
    for form, whole in forms.items():
        out = dump(whole, '--tables', 'texts,sessions')
        got = (out.status, sorted(int(r['text_bytes'])
                                  for r in out.rows('texts')),
               [r['span_s'] for r in out.rows('sessions')])
        want = (0, [8, len(text) - (form == 'box')],
                ['0.00300000'])
        if got != want:
            bad.append('%s: %r, not %r' % (form, got, want))
    report.result('a first row of 5 MB', bad)


# -- very many statements --------------------------------------------------

def many_queries(rng, n):
    """A list, and PROFILING of most queries: more statements than the
    accounts keep the states of, some with several runs."""
    listed, rows = [], []
    for q in range(1, n + 1):
        states = [(rng.choice(('init', 'end', 'Sending data', 'executing',
                               'checking permissions')),
                   rng.choice((0, 1, 7, 350, 12000)))
                  for _ in range(rng.randrange(1, 7))]
        total = sum(t for _, t in states) * 100
        if q % 50 == 0:
            total += 900000         # lost time
        if q % 3:
            listed.append('%d\t%d.%08d\tSELECT c FROM t%d' % (
                q, total // 10 ** 8, total % 10 ** 8,
                q if q % 7 else 7))
        if q % 11:
            rows += ['%d\t%d\t%s\t0.%06d' % (q, i, *x)
                     for i, x in enumerate(states, 2)]
    return '\n'.join(['Query_ID\tDuration\tQuery'] + listed +
                     ['QUERY_ID\tSEQ\tSTATE\tDURATION'] + rows) + '\n'


def check_many():
    """States that are read again give what cells of them give: sums over the
    only session are made of cells."""
    text = many_queries(random.Random(7), 3000)
    for options in ((), ('--intervals', '7')):
        one = dump(text, *options, suffix='.tsv')
        cells = dump(text, '--merge', 'sessions', *options, suffix='.tsv')
        bad = []
        for table in ('statement_events', 'tree', 'cube', 'statements',
                      'profile', 'timeline'):
            a, b = ([{k: v for k, v in r.items() if k not in
                      ('session', 'source')} for r in x.rows(table)]
                    for x in (one, cells))
            if len(a) < 5 or a != b:
                bad.append('%s: %d rows, %d from cells' % (
                    table, len(a), len(b)))
        report.result('many statements %s' % ' '.join(options),
                      bad + adds_up(one))


# -- cases that users reported --------------------------------------------

def dump(text, *options, suffix='.txt'):
    with tempfile.NamedTemporaryFile('w', suffix=suffix,
                                     encoding='utf-8') as f:
        f.write(text)
        f.flush()
        return convert([f.name], *options)


def table(head, lines):
    """A boxed table; columns as wide as ASCII text is."""
    cells = [[str(c) for c in line] for line in [head] + lines]
    width = [max(len(line[i]) for line in cells) for i in range(len(head))]
    rule = '+' + '+'.join('-' * (w + 2) for w in width) + '+'
    body = ['| ' + ' | '.join(c.ljust(w) for c, w in zip(line, width)) + ' |'
            for line in cells]
    return '\n'.join([rule, body[0], rule] + body[1:] + [rule]) + \
        '\n%d rows in set, 1 warning (0.00 sec)\n\n' % len(lines)


LIST = ['Query_ID', 'Duration', 'Query']
STATES = ['Status', 'Duration']


def r47(out, late, at, total, options):
    times = dict(stages_of(out, 'state', 'duration_s'))
    bad = differences(times[late], at, late)
    bad += differences(out.one('sessions')['span_s'], total, 'span')
    bad += differences(half_up(sum(
        units(r['time_s']) for r in out.rows('profile')), 10 ** 8, 6), total,
        'profile')
    report.result('R47 %s' % options, bad + adds_up(out))


def r50(a, b, name):
    outs = [convert([f]) for f in (a, b)]
    both = convert([a, b])
    wide = {r['source']: r for r in both.rows('statement_pivot')
            if r['statement'] != '(between calls)'}
    one, two = (wide[os.path.basename(f)] for f in (a, b))
    bad = []
    for event, left, right in (
            ('Opening tables', '0.012405', '0.012405'),
            ('statistics', '0.008250', '0.008250'),
            ('Sending data', '0.000345', '0.000345'),
            ('starting', '0.000100', '')):
        bad += differences([one.get(event), two.get(event)], [left, right],
                           event)
    bad += differences([o.one('sessions')['span_s'] for o in outs],
                       ['0.021100', '0.021000'], 'sums')
    report.result('R50 ' + name, bad)


def r51(out, lost, share, name):
    row = out.rows('profile', event='lost time')
    bad = differences([(r['time_s'], r['share_pct']) for r in row],
                      [(lost, share)] if lost else [], 'lost time')
    total = sum(units(r['share_pct']) for r in out.rows('profile'))
    if abs(total - units('100')) > units('0.03'):
        bad.append('shares sum to %d' % total)
    report.result('R51 ' + name, bad + adds_up(out))


def r52(out, texts, name):
    got = sorted((r['elapsed_s'], r['text']) for r in out.rows('statements')
                 if r['text'])
    report.result('R52 ' + name, differences(got, texts, 'query') +
                  differences(out.one('sessions')['span_s'], '0.00200000',
                              'total'))


def r68(out, user, flags, total, name):
    rows_ = out.rows('stages')
    bad = differences([r['flags'] for r in rows_], flags, 'flags')
    bad += differences(sum(units(r['cpu_user_s']) for r in rows_
                           if r['cpu_user_s']), units(user), 'CPU_user')
    bad += differences(sum(units(r['cpu_system_s']) for r in rows_
                           if r['cpu_system_s']), 0, 'CPU_system')
    bad += differences(sum(units(r['duration_s']) for r in rows_),
                       units(total), 'duration')
    if not out.rows('problems', id='suspect-value', severity='warning'):
        bad.append('nothing told')
    report.result('R68 ' + name, bad + differences(out.status, 0, 'status'))


def check_cases():
    late = [('starting', '0.000010'), ('Creating table', '3.000000'),
            ('end', '0.500000')]
    r47(dump(table(STATES, late)), 'Creating table', '3.000000', '3.500010',
        'variant as printed')
    r47(dump(table(STATES, late), '--shift-states'), 'starting', '3.000000',
        '3.500010', 'variant shifted')
    with tempfile.TemporaryDirectory() as d:
        a, b = os.path.join(d, 'a.txt'), os.path.join(d, 'b.tsv')
        with open(a, 'w', encoding='utf-8') as f:
            f.write('Status\tDuration\nOPENING TABLES\t0.012405\n'
                    'statistics\t0.008250\nSending Data\t0.000345\n'
                    'starting\t0.000100\n')
        with open(b, 'w', encoding='utf-8') as f:
            f.write('event_name\ttime_us\nstage/sql/Sending data\t345\n'
                    'stage/sql/statistics\t8250.0\n'
                    'stage/sql/Opening tables\t12405\n')
        both = convert([a, b])
        wide = {r['source']: r for r in both.rows('statement_pivot')
                if r['statement'] != '(between calls)'}
        report.result('R50 variant', differences(
            [(wide['a.txt'][e], wide['b.tsv'][e]) for e in (
                'OPENING TABLES', 'statistics', 'Sending Data', 'starting')],
            [('0.012405', '0.012405'), ('0.008250', '0.008250'),
             ('0.000345', '0.000345'), ('0.000100', '')], 'event'))
    states = [('starting', '0.000100'), ('executing', '0.070000')]
    r51(dump(table(LIST, [(9, '0.09000000', 'select 9')]) +
             table(STATES, states)), '0.01990000', '22.11', 'variant')
    r51(dump(table(STATES, states)), '', '', 'variant without a list')
    r52(dump('Query_ID\tDuration\tQuery\n1\t0.00150000\tselect \'a | b\'\\n'
             '  from t\n2\t0.00050000\tselect 1\n'),
        [('0.00050000', 'select 1'),
         ('0.00150000', "select 'a | b'\n  from t")], 'variant in batch')
    r68(dump(table(STATES + ['CPU_user', 'CPU_system'], [
        ('starting', '0.001000', '0.001000', '4294.967290'),
        ('end', '0.000500', '0.000250', '-0.000001')])), '0.001250',
        ['cpu_system_s=4294.967290', 'cpu_system_s=-0.000001'], '0.001500',
        'variant')
    if not SHARED:
        report.skip('cases as published', 'PP_SHARED names no folder')
        return
    where = os.path.join(SHARED, 'cases', '')
    r47(convert([where + 'R47.txt']), 'copy to tmp table', '7.258000',
        '7.300000', 'as published')
    r47(convert([where + 'R47.txt'], '--shift-states'), 'After create',
        '7.258000', '7.300000', 'as published, shifted')
    r50(where + 'R50a.txt', where + 'R50b.txt', 'as published')
    r51(convert([where + 'R51.txt']), '0.00730000', '4.06', 'as published')
    r52(convert([where + 'R52.txt']), [
        ('0.00050000', 'select 1'),
        ('0.00150000',
         "select *\n  from \u6ce8\u6587\n where note like '%a | b%'")],
        'as published')
    r68(convert([where + 'R68.txt']), '0.003000',
        ['', 'cpu_system_s=4294.967295'], '0.010000', 'as published')


# -- random dumps ---------------------------------------------------------

NAMES = ['starting', 'init', 'Opening tables', 'executing', 'Sending data',
         'end', 'freeing items', 'User sleep', 'cleaning up']


class Writer:
    """A dump as a client prints it, and the second calculation beside."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.text = []
        self.dump = profilecalc.Dump()

    def out(self, statement, head, lines):
        self.text.append('mysql> %s;\n' % statement)
        self.text.append(table(head, lines))

    def query(self):
        """States of one query: micros, and a total of 10 ns."""
        r = self.r
        n = r.choice([1, 2, 3, 8, 30, 99, 100, 101])
        states = [(r.choice(NAMES), r.randrange(1, 5000)) for _ in range(n)]
        if r.random() < 0.1:
            i = r.randrange(n)
            states[i] = (states[i][0], -r.randrange(1, 50))
        for _ in range(r.choice([0, 0, 0, 0, 1, 2])):
            i = r.randrange(n)
            states[i] = ('User sleep', 999999999)
        states = [(a, b * 100) for a, b in states]
        rest = r.choice([0, 0, r.randrange(-50 * (n + 1), 50 * (n + 1) + 1),
                         50 * (n + 1), 50 * (n + 1) + 1, -50 * (n + 1) - 1,
                         r.randrange(10 ** 6), -r.randrange(10 ** 4)])
        total = max(1, sum(d for _, d in states) + rest)
        return states, total

    def list(self, queries):
        entries = [(qid, total, text) for qid, _, total, text in queries]
        self.out('SHOW PROFILES', LIST, [
            (i, half_up(t, 10 ** 8, 8), x) for i, t, x in entries])
        self.dump.list(entries)

    def profile(self, q, numbered=True):
        qid, states, _, _ = q
        lines = [(n, half_up(d, 10 ** 8, 6)) for n, d in states]
        whole = True
        words = 'SHOW PROFILE'
        head = STATES
        if self.r.random() < 0.2:
            words += ' SWAPS'
            head = STATES + ['Swaps']
            lines = [x + (0,) for x in lines]
        if numbered:
            words += ' FOR QUERY %d' % qid
        self.out(words, head, lines)
        self.dump.profile(qid if numbered else None, states, whole)

    def session(self, first):
        r = self.r
        queries = []
        for k in range(r.randrange(1, 7)):
            states, total = self.query()
            queries.append((first + k, states, total,
                            'select %d' % r.randrange(1000)))
        for _ in range(r.randrange(1, 8)):
            if r.random() < 0.4:
                a = r.randrange(len(queries))
                self.list(queries[a:])
            else:
                self.profile(r.choice(queries), r.random() < 0.8)
        return queries


def expected(dump_):
    want = {}
    for i, (profile, _, base) in enumerate(dump_.sessions(), 1):
        for event, (time, count, part) in profile.items():
            share = ''
            if base > 0 and not (part == 0 and time != 0):
                share = half_up(part * 100, base, 2)
            want[(str(i), event)] = (
                'missing' if event == '(not recorded)' else
                'unaccounted' if event == 'lost time' else 'stage',
                time, str(count), share)
    return want


def check_random():
    bad = []
    for seed in range(120):
        w = Writer(seed)
        kept = []
        for _ in range(w.r.randrange(1, 4)):
            kept.append(w.session(w.r.choice([1, 1, 20])))
            if w.r.random() < 0.3:
                w.profile(w.r.choice(w.r.choice(kept)))
        text = ''.join(w.text)
        out = dump(text)
        try:
            found = differences(profile_of(out), expected(w.dump), 'event')
            found += differences(
                [units(r['span_s']) for r in out.rows('sessions')],
                [max(0, s[1]) for s in w.dump.sessions()], 'span')
            found += adds_up(out)
        except ValueError as e:
            found = [str(e)]
        bad += ['seed %d: %s' % (seed, f) for f in found]
        if len(bad) > 5:
            break
    report.result('random dumps', bad)


# -- published dumps ------------------------------------------------------

def batch(path):
    with open(path, encoding='utf-8', errors='surrogateescape',
              newline='') as f:
        lines = f.read().split('\n')
    return lines[0].split('\t'), [x.split('\t') for x in lines[1:] if x]


COLUMNS = {
    'CPU_user': 'cpu_user_s', 'CPU_system': 'cpu_system_s',
    'Context_voluntary': 'context_voluntary',
    'Context_involuntary': 'context_involuntary',
    'Block_ops_in': 'block_ops_in', 'Block_ops_out': 'block_ops_out',
    'Messages_sent': 'messages_sent',
    'Messages_received': 'messages_received',
    'Page_faults_major': 'page_faults_major',
    'Page_faults_minor': 'page_faults_minor', 'Swaps': 'swaps',
    'Source_function': 'from_function', 'Source_file': 'from_file',
    'Source_line': 'from_line', 'Status': 'state', 'STATE': 'state',
    'Duration': 'duration_s', 'DURATION': 'duration_s',
    'QUERY_ID': 'query_id'}


def check_batch(path):
    """Every cell of SHOW PROFILE and PROFILING comes out as it went in."""
    head, lines = batch(path)
    out = convert([path])
    got = out.rows('stages')
    bad = differences(len(got), len(lines), 'rows')
    for row, line in zip(got, lines):
        for name, cell in zip(head, line):
            column = COLUMNS.get(name) or COLUMNS.get(
                name.capitalize().replace('Cpu', 'CPU'))
            if column is None:
                continue
            want = '' if cell == 'NULL' else cell.rstrip(' ')
            if column == 'query_id' and name != 'QUERY_ID':
                continue
            if column == 'state':       # the first spelling is shown
                want, row[column] = want.lower(), row[column].lower()
            if row[column] != want:
                bad.append('%s of row %s: %r, not %r' % (
                    column, row['seq'], row[column], want))
    return bad + adds_up(out)


def check_forms(paths):
    """The same names in every form; they were separate runs."""
    bad, first = [], None
    for path in paths:
        out = convert([path])
        if out.status not in (0, 3):
            bad.append('%s: status %d' % (path, out.status))
            continue
        bad += ['%s: %s' % (os.path.basename(path), b) for b in adds_up(out)]
        shape = [r['state'].lower() for r in out.rows('stages')]
        if first is not None and shape[:2] != first[:2]:
            bad.append('%s begins with %r' % (path, shape[:2]))
        first = first or shape
    return bad


def without(rows_, *names):
    return [{k: v for k, v in r.items() if k not in names} for r in rows_]


def check_published():
    if not SHARED:
        report.skip('published dumps', 'PP_SHARED names no folder')
        return
    mysql = os.path.join(SHARED, 'corpora', 'mysql')
    for server in ('mariadb-10.11', 'mysql-9.7'):
        files = [f for f in sorted(glob.glob(
            '%s/%s/profile/*.batch.txt' % (mysql, server)))
            if batch(f)[0][0] in ('Status', 'QUERY_ID', 'SEQ') and
            'DURATION' in [c.upper() for c in batch(f)[0]]]
        bad = []
        for f in files:
            bad += ['%s: %s' % (os.path.basename(f), b)
                    for b in check_batch(f)]
        report.result('%s: %d batch dumps, cell by cell' % (
            server, len(files)), bad)
        kinds = sorted({os.path.basename(f).split('.')[0] for f in glob.glob(
            '%s/%s/profile/show_profile_*.batch.txt' % (mysql, server))} -
            {'show_profile_missing'})
        bad = []
        for kind in kinds:
            bad += check_forms(sorted(glob.glob('%s/%s/profile/%s.*' % (
                mysql, server, kind))))
        report.result('%s: %d statements in every form' % (
            server, len(kinds)), bad)
        bad = []
        logs = sorted(glob.glob('%s/%s/interactive/*.tee.txt' % (
            mysql, server)))
        for log in logs:
            a, b = convert([log]), convert([
                log.replace('.tee.', '.typescript.')])
            for name in ('profile', 'stages', 'statements', 'texts'):
                bad += differences(without(b.rows(name), 'source'),
                                   without(a.rows(name), 'source'),
                                   '%s of %s' % (name, os.path.basename(log)))
        report.result('%s: %d logs and their typescripts' % (
            server, len(logs)), [b for b in bad if '?L' not in b])
    bad = []
    for f in sorted(glob.glob(mysql + '/long/*.txt')):
        out = convert([f])
        with open(f, encoding='utf-8') as g:
            total = re.search(r'\|\s+1 \| (\d+\.\d+) \|', g.read()).group(1)
        sleep = [r for r in out.rows('stages') if 'saturated' in r['flags']]
        rest = sum(units(r['duration_s']) for r in out.rows('stages'))
        bad += differences([out.one('sessions')['span_s'], len(sleep), rest],
                           [total, 1, units(total)], os.path.basename(f))
        bad += adds_up(out)
    report.result('statements of 1001 s', bad)


def check_seed():
    seeds = glob.glob(os.path.join(SHARED, 'seeds', '003_*')) if SHARED \
        else []
    if not seeds:
        report.skip('seed', 'PP_SHARED names no folder')
        return
    out = convert(seeds)
    spans = [r['span_s'] for r in out.rows('sessions')]
    bad = differences(spans, ['788.985450', '1.09378600', '0.825417'],
                      'session')
    profile = profile_of(out)
    bad += differences(profile.get(('1', 'System lock')),
                       ('stage', units('788.966338'), '1', '100.00'),
                       'System lock')
    bad += differences(profile.get(('2', 'executing')),
                       ('stage', units('1.093124'), '1', '99.94'),
                       'executing')
    count = [len(out.rows('stages', session=s)) for s in '123']
    bad += differences(count, [15, 17, 1], 'rows')
    bad += differences(sum(units(r['duration_s']) for r in out.rows(
        'stages', session='2')), units('1.093790'), 'states')
    bad += differences([(r['from_line'], r['to_line']) for r in out.rows(
        'stages', session='2', state='executing')], [('1677', '796')],
        'lines')
    bad += differences([
        (r['cpu_user_s'], r['cpu_system_s'], r['context_involuntary'],
         r['page_faults_minor'], r['from_line'])
        for r in out.rows('stages', session='3')],
        [('1.486951', '0.007982', '553', '24', '1678')], 'ALL')
    bad += differences(out.rows('profile', event='lost time'), [],
                       'lost time')
    report.result('seed 003', bad + adds_up(out))


def main():
    csv.field_size_limit(1 << 30)
    check_own()
    check_details()
    check_cases()
    check_random()
    check_seed()
    check_published()
    check_many()
    check_long_row()
    report.end()


main()
