#!/usr/bin/python3
"""Digests: the servers' own texts and ids, and the canonical text.

Right values are from outside: pairs of statement and digest measured on
servers (shared corpora, corpora/digest), MariaDB itself where it is
installed, and what users reported (kind I of the shared cases).
"""
import csv
import getpass
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import digest_tokens                                    # noqa: E402
import sqlgen                                           # noqa: E402
from tables import PROFPIVOT, SHARED, Report            # noqa: E402

report = Report()
HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, '..', 'corpora', 'digest')
MYSQL = os.path.join(SHARED, 'corpora', 'mysql') if SHARED else ''
CASES = os.path.join(SHARED, 'cases') if SHARED else ''


def run(args, data=b'', status=0):
    r = subprocess.run([PROFPIVOT, 'digest'] + list(args), input=data,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if r.returncode != status:
        raise AssertionError('%s: status %d: %s' % (
            args, r.returncode, r.stderr.decode()[:200]))
    return r.stdout


def digests(statements, *args):
    """What comes out for each statement, in one run."""
    data = b''.join(s.encode('utf8') + b'\0' for s in statements)
    out = run(('-0',) + args, data).split(b'\0')
    if len(out) != len(statements) + 1:
        raise AssertionError('%d digests of %d statements' % (
            len(out) - 1, len(statements)))
    return [x.decode('utf8') for x in out[:-1]]


def test(name):
    """Run the function under it as a test that lists what is wrong."""
    def runner(f):
        try:
            report.result('digest: ' + name, f() or [])
        except AssertionError as e:
            report.result('digest: ' + name, [str(e)])
    return runner


def shared(name, path):
    def runner(f):
        if not path or not os.path.exists(path):
            report.skip('digest: ' + name, 'PP_SHARED names no such file')
            return
        test(name)(f)
    return runner


def differ(wrong, what, got, want):
    if got != want:
        wrong.append('%s: %r, not %r' % (what, got, want))


# -- measured pairs --------------------------------------------------------

UNESCAPE = {'n': '\n', 't': '\t', 'r': '\r', '0': '\x01'}


def unescape(s):
    # a NUL in a statement would end it here; any other byte does as well
    return re.sub(r'\\(.)', lambda m: UNESCAPE.get(m[1], m[1]), s, flags=re.S)


def pairs(name):
    """Rows of a file of pairs: statement, text (None: none), the rest."""
    with open(os.path.join(MYSQL, name), encoding='utf8', newline='\n') as f:
        next(f)
        for line in f:
            c = line.rstrip('\n').split('\t')
            c += [''] * (7 - len(c))
            yield (unescape(c[0]), None if c[1] == '\\N' else unescape(c[1]),
                   c[2], c[3].replace('facebook-', ''), c[6])


def modes(note):
    m = re.search(r'sql_mode=(\w+)', note)
    return ('--sql-mode', m[1]) if m else ()


# Why a pair cannot come out the same.
REASONS = [
    ('names in the bytes of another charset: 40 letters are 80 bytes here',
     lambda s, note: 'names=latin1' in note and '\u00e9' * 40 in s),
    ('the labs release of 2012 printed @ @ and one blank',
     lambda s, note: '"@ @" spacing' in note),
    ('? is a value here, as it is when the statement is prepared',
     lambda s, note: s == 'SELECT ? FROM t1'),
    ('no such system variable: not to be seen in the text',
     lambda s, note: '@@session.status' in s),
]


def check_pairs(name, least):
    groups = {}
    for s, text, _, version, note in pairs(name):
        key = (version,) + modes(note)
        groups.setdefault(key, []).append((s, text, note))
    n = good = 0
    wrong, why = [], []
    for key, rows in groups.items():
        out = digests([r[0] for r in rows], '--dialect', *key)
        for (s, text, note), got in zip(rows, out):
            n += 1
            if got == (text or ''):
                good += 1
                continue
            for reason, fits in REASONS:
                if fits(s, note):
                    why.append(reason)
                    break
            else:
                wrong.append('%s: %r: %r, not %r' % (key[0], s, got, text))
    known = sum(1 for x in why if x.startswith(('?', 'no such')))
    share = 100.0 * good / (n - known)
    print('# %s: %d of %d pairs that can be checked, %.2f %%; the others: %s'
          % (name, good, n - known, share, sorted(set(why)) or 'none'))
    if share < least:
        wrong.append('%.2f %% of the pairs, not %.1f' % (share, least))
    return wrong


for _name in ('digest-cases.tsv', 'digest-cases-bulk-mysql97.tsv',
              'digest-cases-bulk-mariadb1011.tsv'):
    @shared(_name, os.path.join(MYSQL, _name))
    def _pairs(name=_name):
        return check_pairs(name, 99.5)


@shared('fingerprint-cases.tsv', os.path.join(MYSQL, 'fingerprint-cases.tsv'))
def _fingerprints():
    n, wrong = 0, []
    with open(os.path.join(MYSQL, 'fingerprint-cases.tsv'),
              encoding='utf8') as f:
        next(f)
        for line in f:
            s, want, tool, options = (line.rstrip('\n').split('\t') +
                                      [''])[:4]
            dialect = 'pt-3.5.7' if '3.5.7' in tool else 'pt'
            got = digests([unescape(s)], '--dialect', dialect,
                          *options.split())
            n += 1
            differ(wrong, s, got[0], unescape(want))
    print('# fingerprint-cases.tsv: %d of %d' % (n - len(wrong), n))
    return wrong if len(wrong) > 0.03 * n else []


def hash_of_another_charset(s, note):
    return 'names=' in note and 'names=utf8mb4' not in note and \
        any(ord(c) > 127 for c in re.sub(r"'[^']*'", '', s))


@shared('DIGEST of MySQL', os.path.join(MYSQL, 'digest-cases.tsv'))
def _hashes():
    wrong, n, good = [], 0, 0
    for name in ('digest-cases.tsv', 'digest-cases-bulk-mysql97.tsv'):
        groups = {}
        for s, text, digest, version, note in pairs(name):
            # a fork that has other numbers for values and names
            if version.startswith('mysql-9') and len(digest) == 64 and \
                    not hash_of_another_charset(s, note):
                groups.setdefault(modes(note), []).append((s, digest))
        for mode, rows in groups.items():
            out = digests([r[0] for r in rows], '--dialect', 'mysql-9',
                          '--hash', *mode)
            for (s, want), got in zip(rows, out):
                n += 1
                good += got == want
                if got != want:
                    wrong.append('%r: %s' % (s, got or 'none'))
    print('# DIGEST: %d of %d' % (good, n))
    return wrong


@shared('token numbers', os.path.join(MYSQL, 'digest-cases.tsv'))
def _tokens():
    """The table against the pairs, without the program."""
    known = digest_tokens.table()
    wrong, n, hidden = [], 0, 0
    paths = [os.path.join(MYSQL, f) for f in (
        'digest-cases.tsv', 'digest-cases-bulk-mysql97.tsv')]
    for text, want, row in digest_tokens.pairs(paths, 'mysql-9'):
        toks = digest_tokens.tokens(text)
        note = row[6] if len(row) > 6 else ''
        if toks is None or 'sql_mode' in note or '``' in row[0]:
            hidden += 1     # the text does not show all
            continue
        n += 1
        if digest_tokens.digest(toks, known) != want:
            wrong.append(text)
    print('# token numbers: %d texts give their DIGEST' % (n - len(wrong)))
    return wrong


# -- our own corpus --------------------------------------------------------

for _name, _dialect in (('mariadb', 'mariadb'), ('oracle', 'oracle'),
                        ('postgresql', 'postgresql')):
    @test('corpora/digest/' + _name)
    def _corpus(name=_name, dialect=_dialect):
        path = os.path.join(OWN, name)
        sql = open(path + '.sql', encoding='utf8').read().split('\n')
        want = open(path + '.txt', encoding='utf8').read().split('\n')
        got = run(['--dialect', dialect, '--lines', path + '.sql']).decode()
        wrong = []
        for s, a, b in zip(sql, got.split('\n'), want):
            differ(wrong, s, a, b)
        differ(wrong, 'lines', got.count('\n'), len(want) - 1)
        return wrong

for _name, _dialect in (('script', 'mysql-8.0'), ('block', 'oracle')):
    @test('corpora/digest/' + _name)
    def _scripts(name=_name, dialect=_dialect):
        path = os.path.join(OWN, name)
        want = open(path + '.txt', encoding='utf8').read()
        wrong = []
        for data in (None, open(path + '.sql', 'rb').read()):
            got = run(['--dialect', dialect] +
                      ([path + '.sql'] if data is None else []), data or b'')
            differ(wrong, 'text', got.decode(), want)
        return wrong


# -- what users reported ---------------------------------------------------

def groups(statements, *args):
    """Statements by their digest, as lists of indexes."""
    out = {}
    for i, d in enumerate(digests(statements, *args)):
        out.setdefault(d, []).append(i)
    return sorted(out.values())


def kind_i():
    """The statements of kind I with variants; which belong together."""
    ins = 'insert into t (a,b) values '
    p = 'select * from p where id '
    yield ('R74', [
        ins + "(1,'x')", ins + "(1,'x'),(2,'y')",
        "INSERT INTO t (a,b) VALUES (1,'x'), (2,'y'), (3, 'z')",
        ins + ','.join("(%d,'v')" % i for i in range(500)),
        ins + "(-1,null)", ins + "(?,?)", 'insert into t (a) values (1)',
        'insert into t (a) values (1),(2)'], [range(0, 6), range(6, 8)])
    yield ('R74 expressions', [
        ins + '(1,now())', ins + '(1,now()),(2,now())',
        ins + "(1, lower('x')),(2, lower('y'))"], [[0, 1], [2]])
    yield ('R75', [
        p + 'in (%s)' % ','.join(map(str, range(n))) for n in (1, 2, 10, 999)
    ] + [p + "in ('a', 'b')", p + 'in (-1, +2, null)', p + 'IN  ( 5 )',
         p + 'not in (1,2)', p + 'not in (1)', p + 'in (select id from q)'],
        [range(0, 7), [7, 8], [9]])
    yield ('R81', [
        'select /*+ MAX_EXECUTION_TIME(100) */ `a` from t where `k`=1',
        'select /*+ MAX_EXECUTION_TIME(200) */ `a` from t where `k`=2',
        'select /*+  max_execution_time( 7 )*/ `a` from t where `k`=2',
        'select `a` from t where `k`=3',
        'select /* no hint */ `a` from t where `k`=3'], [range(3), [3, 4]])
    yield ('R82', ["explain call p('x')", "call p('x')",
                   'EXPLAIN CALL p(5)', 'call p(null)'], [[0, 2], [1, 3]])
    yield ('R83', ["select concat(a,' ',b), c from v",
                   "select concat(a,'-',b), c from v",
                   "select concat(a, ?, b), c from v"], [range(3)])
    yield ('R84', ["select n from c where a='O\\'Brien' and b='x'",
                   "select n from c where a='C:\\\\' and b='y'",
                   "select n from c where a='it''s' and b='z'",
                   "select n from c where a=\"O'Brien\" and b=''",
                   "select n from c where a='\\\\\\'' and b='--'"], [range(5)])
    yield ('R85', ['select a from b where c=1', 'select  a  from b where c = 1',
                   'SELECT a\nFROM b\nWHERE c=1', 'select a from b where c=1;',
                   'select/**/a/**/from/**/b/**/where/**/c/**/=/**/1',
                   '-- x\nselect a from b # y\nwhere c=1 ; ',
                   '\tSelect a From b Where c=+1'], [range(7)])
    yield ('R87', ["prepare s from 'select name from m where id=?'",
                   'execute s using @a', 'execute s using @b', 'EXECUTE s',
                   "prepare s from 'select other from m'", 'execute s'],
           [[0], [1, 2, 3], [4], [5]])


for _rid, _sql, _want in kind_i():
    @test('kind I, ' + _rid)
    def _kind(sql=_sql, want=_want):
        wrong = []
        differ(wrong, 'groups', groups(sql), [list(w) for w in want])
        differ(wrong, 'groups by hash', groups(sql, '--hash'),
               [list(w) for w in want])
        return wrong


@test('kind I, texts')
def _kind_texts():
    wrong = []
    hint, call, commas, secret = digests([
        'select /*+ MAX_EXECUTION_TIME(100) */ `a` from t where `k`=1',
        "explain call p('x')", "select concat(a,' ',b), c from v",
        "select n from c where a='O\\'Brien' and b='C:\\\\'"])
    differ(wrong, 'number of a hint', '100' in hint, False)
    differ(wrong, 'EXPLAIN', call.startswith('EXPLAIN '), True)
    differ(wrong, 'commas', commas.count(','), 3)
    for word in ('Brien', 'C:'):
        differ(wrong, word, word in secret, False)
    plain = digests(["prepare s from 'select name from m where id=?'",
                     'execute s using @a'])
    for d in plain:
        differ(wrong, 'prepared text', '`m`' in d, True)
    return wrong


@shared('kind I as published', os.path.join(CASES, 'R74.csv'))
def _published():
    want = {'R74': [3, 1], 'R75': [4, 1, 1], 'R81': [2, 1], 'R82': [1, 1],
            'R83': [2], 'R84': [3], 'R85': [4], 'R87': [2, 1]}
    wrong = []
    for rid, sizes in want.items():
        with open(os.path.join(CASES, rid + '.csv'), newline='') as f:
            sql = [r['SQL_TEXT'] for r in csv.DictReader(f)]
        differ(wrong, rid, sorted(map(len, groups(sql)), reverse=True), sizes)
    return wrong


@test('the seed: literals share a digest, tables do not')
def _seed():
    sql = ['SELECT 1 FROM t1', 'SELECT 2 FROM t1', 'SELECT 1 FROM t2']
    wrong = []
    for dialect in ('mysql-5.6', 'mysql-5.7', 'mysql-8.0', 'mysql-9',
                    'mariadb', 'oracle', 'postgresql', 'canonical'):
        for hashed in ((), ('--hash',)):
            differ(wrong, dialect, groups(sql, '--dialect', dialect, *hashed),
                   [[0, 1], [2]])
    return wrong


def convert(trace, table, *options):
    out = subprocess.run([PROFPIVOT, 'convert', trace, '--table', table, '-o',
                          '-'] + list(options), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    return list(csv.DictReader(out.stdout.decode('utf8').splitlines()))


HEAD = '''*** 2024-05-06T07:08:09.000100+00:00
*** SESSION ID:(9.77) 2024-05-06T07:08:09.000120+00:00

'''


def trace_of(texts):
    """Each text parsed (100 us, a miss) and executed twice (20 us)."""
    out, tim = HEAD, 10 ** 9
    for i, text in enumerate(texts):
        raw = len(text.encode('utf8'))
        out += '=====================\n'
        out += ('PARSING IN CURSOR #%d len=%d dep=0 uid=5 oct=3 lid=5 tim=%d '
                "hv=%d ad='a' sqlid='%013d'\n%s\nEND OF STMT\n" % (
                    i + 1, raw, tim, i, i, text))
        out += ('PARSE #%d:c=90,e=100,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,'
                'plh=9,tim=%d\n' % (i + 1, tim))
        for k in (1, 2):
            out += ('EXEC #%d:c=10,e=20,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,'
                    'plh=9,tim=%d\n' % (i + 1, tim + 200 * k))
        tim += 1000
    return out


@test('literal variants of Oracle meet in one row')
def _oracle_rows():
    same = ["select v from acct where no=%d and st='%s'" % (i, s)
            for i, s in ((1, 'A'), (2, "it''s"), (-3, 'C:\\'))]
    same += ['SELECT  v FROM acct -- c\nWHERE no=:b1 AND st=:b2']
    other = ['select w from acct where no=1']
    wrong = []
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, 'lit.trc')
        with open(path, 'w', encoding='utf8') as f:
            f.write(trace_of(same + other))
        rows = convert(path, 'digests')
        differ(wrong, 'rows', len(rows), 2)
        r = rows[0]
        for col, want in (('statements', '4'), ('parses', '4'),
                          ('executions', '8'), ('calls', '8'),
                          ('misses', '4'), ('errors', '0'),
                          ('total_s', '0.000560'), ('cpu_s', '0.000440'),
                          ('max_s', '0.000020'), ('sources', '1'),
                          ('share_pct', '80.00')):
            differ(wrong, col, r[col], want)
        text = r['digest_text']
        differ(wrong, 'id', r['digest'], 'd:' +
               hashlib.sha256(text.encode('utf8')).hexdigest()[:32])
        differ(wrong, 'program', digests([same[0]], '--dialect', 'oracle'),
               [text])
        for table in ('statements', 'texts'):
            got = [x['digest'] for x in convert(path, table)
                   if x.get('text', '')]
            differ(wrong, table, sorted(got).count(r['digest']), 4)
        cube = {x['digest'] for x in convert(path, 'cube')}
        differ(wrong, 'cube', cube >= {x['digest'] for x in rows}, True)
    return wrong


@shared('R10 and R90 as published', os.path.join(CASES, 'R90.trc'))
def _r90():
    wrong = []
    rows = convert(os.path.join(CASES, 'R90.trc'), 'digests')
    differ(wrong, 'rows', len(rows), 1)
    for col, want in (('statements', '3'), ('parses', '3'), ('misses', '3'),
                      ('executions', '3'), ('total_s', '0.000360')):
        differ(wrong, col, rows[0][col], want)
    differ(wrong, 'sql_ids', len(convert(os.path.join(CASES, 'R90.trc'),
                                         'texts')), 3)
    text = convert(os.path.join(CASES, 'R10.trc'), 'digests')[0]
    for part in ('10:20', 'hh24', ':b1'):
        differ(wrong, part, part in text['digest_text'], False)
    differ(wrong, 'markers', '? `v` FROM' in text['digest_text'] and
           text['digest_text'].endswith('`x` > ?'), True)
    return wrong


# -- properties ------------------------------------------------------------

DIALECTS = ('mysql-5.6', 'mysql-5.7', 'mysql-8.0', 'mysql-9', 'mariadb',
            'oracle', 'postgresql', 'canonical')
VARIANTS = 4
STATEMENTS = 150


@test('white space, comments, case and literals change nothing; names do')
def _random():
    wrong = []
    for dialect in DIALECTS:
        mysql = dialect.startswith(('mysql', 'maria'))
        maker = [sqlgen.Maker(i, mysql).statement() for i in range(STATEMENTS)]
        sql = []
        for i, parts in enumerate(maker):
            for v in range(VARIANTS):
                sql.append(sqlgen.Style(i * 100 + v, dialect).write(parts))
            sql.append(sqlgen.Style(i, dialect).write(
                sqlgen.rename(parts, i)))
        out = digests(sql, '--dialect', dialect, '--max-digest-length', '0')
        for i in range(STATEMENTS):
            at = i * (VARIANTS + 1)
            got = out[at:at + VARIANTS]
            if len(set(got)) != 1 or not got[0]:
                k = next((k for k in range(VARIANTS) if got[k] != got[0]), 0)
                wrong.append('%s: %r and %r differ' % (
                    dialect, sql[at], sql[at + k]))
            if out[at + VARIANTS] in got:
                wrong.append('%s: %r and %r are one' % (
                    dialect, sql[at], sql[at + VARIANTS]))
    return wrong


@test('a digest text is its own digest')
def _idempotent():
    wrong = []
    for dialect in DIALECTS:
        mysql = dialect.startswith(('mysql', 'maria'))
        sql = [sqlgen.Style(i, dialect, True).write(
            sqlgen.Maker(i, mysql).statement()) for i in range(STATEMENTS)]
        once = digests(sql, '--dialect', dialect)
        for a, b in zip(once, digests(once, '--dialect', dialect)):
            differ(wrong, dialect, b, a)
    return wrong


@test('every server gives the same canonical text')
def _canonical():
    wrong = []
    sql = [sqlgen.Style(i, 'mysql', True).write(
        sqlgen.Maker(i, True).statement()) for i in range(STATEMENTS)]
    want = digests(sql)
    for dialect in ('mysql-5.6.40', 'mysql-5.7', 'mysql-8.0', 'mysql-9',
                    'mariadb', 'mariadb-11.8'):
        text = digests(sql, '--dialect', dialect, '--max-digest-length', '0')
        differ(wrong, dialect + ', its text', digests(text) == want, True)
        differ(wrong, dialect + ', its SQL', digests(
            sql, '--dialect', dialect, '--canonical') == want, True)
    # and Oracle and PostgreSQL for what they understand
    sql = [sqlgen.Style(i, 'oracle', True).write(
        sqlgen.Maker(i).statement()) for i in range(STATEMENTS)]
    sql = [s.replace('\\', '/') for s in sql if '$q$' not in s and
           "q'[" not in s and '"' not in s]
    want = digests(sql)
    for dialect in ('oracle', 'postgresql'):
        got = digests(sql, '--dialect', dialect)
        for s, a, b in zip(sql, got, want):
            differ(wrong, dialect + ': ' + s, a, b)
    return wrong


@shared('properties of the pairs', os.path.join(MYSQL, 'digest-cases.tsv'))
def _pairs_canonical():
    """Texts of a server normalise to themselves, and with the statement."""
    wrong = []
    by_sql = {}
    for name in ('digest-cases.tsv', 'digest-cases-bulk-mysql97.tsv',
                 'digest-cases-bulk-mariadb1011.tsv'):
        todo = {}
        for s, text, _, version, note in pairs(name):
            # a backquote in a name does not show; PREPARE is not to be told
            if text is None or 'sql_mode' in note or '``' in s or \
                    'PREPARE' in s.upper() or 'EXECUTE' in s.upper() or \
                    version.startswith('mysql-5.6'):
                continue
            todo.setdefault(version, []).append((s, text))
        for version, rows in todo.items():
            sql, texts = zip(*rows)
            for a, b in zip(texts, digests(texts, '--dialect', version)):
                differ(wrong, version, b, a)
            one = digests(sql, '--dialect', version, '--canonical')
            two = digests(texts, '--dialect', version, '--canonical')
            for s, a, b in zip(sql, one, two):
                differ(wrong, s, b, a)
                if '/*' not in s and 'LOCALTIME' not in s.upper():
                    by_sql.setdefault(s, set()).add(a)
    for s, c in by_sql.items():
        if len(c) != 1:
            wrong.append('%r: %s' % (s, sorted(c)))
    return wrong


# -- MariaDB itself --------------------------------------------------------

class Server:
    """A MariaDB with a folder and a socket of its own."""

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix='ppdig')
        self.socket = os.path.join(self.dir, 's')
        self.proc = None

    def start(self):
        install = shutil.which('mariadb-install-db')
        daemon = shutil.which('mariadbd') or '/usr/sbin/mariadbd'
        if not install or not os.path.exists(daemon) or \
                not shutil.which('mariadb'):
            return 'no MariaDB server is installed'
        data = os.path.join(self.dir, 'data')
        user = '--user=' + getpass.getuser()
        r = subprocess.run(
            [install, '--no-defaults', '--datadir=' + data, user,
             '--skip-test-db', '--auth-root-authentication-method=normal'],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if r.returncode:
            return 'mariadb-install-db failed'
        self.proc = subprocess.Popen(
            [daemon, '--no-defaults', '--datadir=' + data, user,
             '--socket=' + self.socket, '--skip-networking',
             '--pid-file=' + os.path.join(self.dir, 'pid'),
             '--log-error=' + os.path.join(self.dir, 'log'),
             '--performance-schema=ON',
             '--performance-schema-consumer-events-statements-current=ON',
             '--performance-schema-consumer-events-statements-history=ON',
             '--performance-schema-consumer-events-statements-history-long=ON',
             '--performance-schema-events-statements-history-long-size=5000',
             '--performance-schema-max-sql-text-length=8192',
             '--innodb-buffer-pool-size=16M', '--innodb-log-file-size=4M'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(120):
            if self.client('select 1;').returncode == 0:
                return None
            if self.proc.poll() is not None:
                return 'the server does not start'
            time.sleep(0.25)
        return 'the server does not answer'

    def client(self, sql):
        return subprocess.run(
            ['mariadb', '--no-defaults', '--socket=' + self.socket, '-u',
             'root', '--default-character-set=utf8mb4', '--comments',
             '--force', '-N', '-B'], input=sql.encode('utf8'),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)

    def texts(self, statements):
        """(statement, its digest text or None), as the server has them."""
        end = '\x02\x02'
        sql = ('delimiter %s\ncreate database if not exists d%s use d%s'
               'truncate table performance_schema.'
               'events_statements_history_long%s' % ((end,) * 4))
        sql += ''.join(s + end + '\n' for s in statements)
        sql += ("select 'ROW', hex(sql_text), hex(digest_text) from "
                'performance_schema.events_statements_history_long '
                'where sql_text is not null order by event_id' + end)
        for line in self.client(sql).stdout.decode('utf8').split('\n'):
            f = line.split('\t')
            if f[0] == 'ROW' and len(f) == 3:
                yield (bytes.fromhex(f[1]).decode('utf8', 'replace'),
                       None if f[2] == 'NULL' else
                       bytes.fromhex(f[2]).decode('utf8'))

    def stop(self):
        if self.proc and self.proc.poll() is None:
            self.proc.terminate()
            try:
                self.proc.wait(30)
            except subprocess.TimeoutExpired:
                self.proc.kill()
                self.proc.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


def against_server(server):
    version = server.client('select version();').stdout.decode().split('-')[0]
    sql = [sqlgen.Style(i, 'mariadb').write(
        sqlgen.Maker(1000 + i, True).statement()) for i in range(260)]
    sql += open(os.path.join(OWN, 'mariadb.sql'),
                encoding='utf8').read().split('\n')[:-1]
    known = [(s, t) for s, t in server.texts(sql) if t is not None]
    got = digests([s for s, _ in known], '--dialect', 'mariadb-' + version)
    wrong = []
    for (s, want), text in zip(known, got):
        differ(wrong, s, text, want)
    print('# MariaDB %s: %d of %d digest texts' % (
        version, len(known) - len(wrong), len(known)))
    if len(known) < 200:
        wrong.append('only %d statements have a digest' % len(known))
    return wrong


def live():
    name = 'digest: the texts of a live MariaDB'
    server = Server()
    try:
        trouble = server.start()
        if trouble:
            report.skip(name, trouble)
        else:
            report.result(name, against_server(server))
    finally:
        server.stop()


live()


# -- time ------------------------------------------------------------------

def seconds(data, *args):
    before = os.times()
    run(args, data)
    after = os.times()
    return after.children_user + after.children_system - \
        before.children_user - before.children_system


def shapes(n):
    """Statements of n bytes that are long in one way each."""
    item = 'select a from t where b in ('
    yield 'list', item + '1,' * (n // 2) + '1)'
    yield 'names', 'select ' + 'abc, ' * (n // 5) + 'd from t'
    yield 'rows', 'insert into t values ' + '(1,a,now()),' * (n // 12) + \
        '(1,2,3)'
    yield 'elements', 'select f(' + 'a+1,' * (n // 4) + 'b)'
    yield 'brackets', 'select ' + '(' * (n // 2) + '1' + ')' * (n // 2)
    yield 'pairs', 'select ' + '((1,a),' * (n // 14) + 'b' + ')' * (n // 14)
    yield 'open', 'select ' + '(' * n
    yield 'string', "select '" + 'x' * n + "'"
    yield 'no end', "select '" + 'x' * n
    yield 'signs', 'select ' + '- ' * (n // 2) + '1'
    yield 'comments', 'select ' + '/* */' * (n // 5) + '1'
    yield 'in', 'select ' + 'a in (1) or ' * (n // 12) + '1'
    yield 'hints', 'select /*+ ' + 'full(t) ' * (n // 8) + '*/ 1'
    yield 'unions', 'select 1' + ' union select 1' * (n // 15)
    yield 'unlike', 'select 1' + ''.join(
        ' union select %s' % ('a' * (i % 7 + 1)) for i in range(n // 18))
    yield 'dollars', 'select ' + '$a' * (n // 2)
    yield 'semicolons', ';' * n
    yield 'ends', 'begin ' + 'end ' * (n // 4)


@test('time grows with the length of a statement')
def _linear():
    wrong = []
    small, factor = 400000, 8
    for dialect in ('mysql-9', 'mariadb', 'canonical', 'oracle',
                    'postgresql', 'pt'):
        args = ('--dialect', dialect, '--max-digest-length', '0')
        for (what, a), (_, b) in zip(shapes(small), shapes(small * factor)):
            one = seconds(a.encode(), *args)
            many = seconds(b.encode(), *args)
            # twice the proportion, and what starting up takes
            if many > 2 * factor * max(one, 0.02) + 0.5:
                wrong.append('%s, %s: %.2f s and %.2f s for %d times' % (
                    dialect, what, one, many, factor))
    return wrong


@test('100,000 nested brackets and a statement of 10 MB')
def _large():
    wrong = []
    deep = 'select ' + '(' * 100000 + '1' + ')' * 100000 + ';'
    row = "(1, 'some text', null, now())"
    big = 'insert into t values ' + ', '.join([row] * (10 ** 7 // 31)) + ';'
    for dialect in DIALECTS:
        out = run(['--dialect', dialect, '--max-digest-length', '0'],
                  (deep + big).encode()).decode().split('\n')
        differ(wrong, dialect + ', digests', len(out), 3)
        differ(wrong, dialect + ', depth', out[0].count('('), 100000)
        if dialect in ('oracle', 'canonical'):
            differ(wrong, dialect + ', rows', out[1],
                   'INSERT INTO `t` VALUES ( ?, ... , NOW ( ) )')
    return wrong


# -- the command -----------------------------------------------------------

@test('the command')
def _command():
    wrong = []
    differ(wrong, 'lines', run(['--lines'], b'select 1\r\n\nselect a'),
           b'SELECT ?\n\nSELECT `a`\n')
    differ(wrong, 'NUL', run(['-0'], b'select 1\0\0select\na\0'),
           b'SELECT ?\0\0SELECT `a`\0')
    differ(wrong, 'script', run([], b'select 1;;-- c\n;select\na'),
           b'SELECT ?\nSELECT `a`\n')
    differ(wrong, 'nothing', run([], b''), b'')
    differ(wrong, 'count', run(['--count'], b'select 2;select a;select 1'),
           b'2\tSELECT ?\n1\tSELECT `a`\n')
    differ(wrong, 'hash', run(['--hash', '--dialect', 'mysql-8.0'],
                              b'select 1'),
           b'd1b44b0c19af710b5a679907e284acd2ddc285201794bc69a2389d77baedddae'
           b'\n')
    differ(wrong, 'length', run(['--dialect', 'mysql-8.0',
                                 '--max-digest-length', '9'],
                                b'select ab, cd'), b'SELECT `ab`\n')
    differ(wrong, 'mode', run(['--dialect', 'mysql-8.0', '--sql-mode',
                               'STRICT_ALL_TABLES,ANSI_QUOTES'],
                              b'select "a"'), b'SELECT `a`\n')
    differ(wrong, 'loose', run(['--digest', 'loose'],
                               b'select a from log_2024_05'),
           b'SELECT `a` FROM `log_?_?`\n')
    for bad in (['--dialect', 'db2'], ['--digest', 'x'], ['--what']):
        run(bad, b'', 2)
    run(['/nowhere/at/all'], b'', 1)
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, 'a.sql')
        with open(path, 'w', encoding='utf8') as f:
            f.write('select 1')
        differ(wrong, 'files', run([path, '-', path], b'select b;'),
               b'SELECT ?\nSELECT `b`\nSELECT ?\n')
        differ(wrong, 'one of two', run([path, '/nowhere/at/all'], b'', 3),
               b'SELECT ?\n')
    return wrong


@test('statements longer than what is read at once')
def _chunks():
    r = random.Random(5)
    sql, want = [], []
    for i in range(40):
        n = r.choice([10, 1000, 300000, 1500000])
        sql.append("select '%s;\n' from t%d" % ('x\n' * (n // 2), i))
        want.append('SELECT ? FROM `t%d`' % i)
    wrong = []
    differ(wrong, 'script', run([], (';'.join(sql)).encode()).decode(),
           '\n'.join(want) + '\n')
    differ(wrong, 'NUL', digests(sql), want)
    return wrong


report.end()
