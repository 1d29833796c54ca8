#!/usr/bin/python3
"""Every command of README.md and of EXAMPLES in profpivot(1) runs.

Inputs that they name are made of the project's own; commands of others
(flamegraph.pl, less, ssh) are stood in for.  What README prints below a
command is what the command prints.
"""
import os
import re
import shutil
import subprocess
import tempfile

from tables import Report

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(os.environ.get('PROFPIVOT',
    os.path.join(TOP, 'build/profpivot')))
CORPORA = os.path.join(TOP, 'corpora')
report = Report()

FILES = {
    'oracle10046/ok/demo.trc': ['trace.trc', 'x.trc', 'before/a.trc',
        'SHOP1_ora_40127.trc', 'monday/a.trc', 'traces/a.trc',
        'orders.trc'],
    'oracle10046/ok/clean.trc': ['after/a.trc', 'tuesday/a.trc',
        'traces/b.trc', 'u01/trace/b.trc', 'u01/trace/orders.trc'],
    'oracle10046/ok/literals.trc': ['traces/orders.trc'],
    'showprofile/ok/two_runs.txt': ['session.log'],
    'digests/snapshot_1.tsv': ['noon.tsv', 'digests.tsv', 'old57.tsv',
        'monday.tsv'],
    'digests/snapshot_2.tsv': ['one.tsv', 'tuesday.tsv',
        'snapshots/a.tsv'],
    'digests/pgss18.csv': ['new80.csv', 'new80.tsv']}
STUBS = {'flamegraph.pl': 'cat', 'less': 'cat', 'ssh': 'cat x.trc',
    'mysql': 'cat noon.tsv'}


def blocks():
    with open(os.path.join(TOP, 'README.md')) as f:
        return re.findall(r'(?ms)^```\n(.*?)^```$', f.read())


def readme():
    for block in blocks():
        for line in block.splitlines():
            if re.match(r'\$ ', line):
                yield line[2:]
            elif re.match(r'profpivot \w+ (?!.*\[)', line) and \
                    '|columns|' not in line and 'STAPLOG' not in line:
                yield line


def examples():
    with open(os.path.join(TOP, 'man/profpivot.1')) as f:
        text = f.read()
    text = text[text.index('.Sh EXAMPLES'):text.index('.Sh DIAGNOSTICS')]
    return re.findall(r'(?m)^\.Dl \$ (.*)', text)


def furnish(work):
    for source, names in FILES.items():
        for name in names:
            path = os.path.join(work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy(os.path.join(CORPORA, source), path)
    subprocess.run(['gzip', '-k', 'traces/b.trc'], cwd=work, check=True)
    os.unlink(os.path.join(work, 'traces/b.trc'))
    with open(os.path.join(work, 'queries.sql'), 'w') as f:
        f.write('select 1;\nselect 2;\n')
    with open(os.path.join(work, 'stap.log'), 'w') as f:
        f.write('')
    os.mkdir(os.path.join(work, 'ps'))
    with open(os.path.join(work, 'ps/events_statements_history.tsv'),
            'w') as f:
        f.write(STATEMENTS)
    os.mkdir(os.path.join(work, 'bin'))
    os.symlink(PROGRAM, os.path.join(work, 'bin/profpivot'))
    for name, command in STUBS.items():
        path = os.path.join(work, 'bin', name)
        with open(path, 'w') as f:
            f.write('#!/bin/sh\n%s\n' % command)
        os.chmod(path, 0o755)


def run(work, command):
    env = dict(os.environ, PATH=os.path.join(work, 'bin') + ':' +
        os.environ['PATH'], LC_ALL='C')
    command = command.replace(' /u01/', ' u01/').replace(' /srv/', ' ')
    # `profpivot convert out` reads what an example above has written
    return subprocess.run(['sh', '-c', command], cwd=work, env=env,
        stdin=subprocess.DEVNULL, capture_output=True, encoding='utf-8',
        errors='replace', timeout=120)


def check_commands(name, commands):
    work = tempfile.mkdtemp(prefix='profpivot-docs-')
    bad, n = [], 0
    try:
        furnish(work)
        run(work, 'profpivot convert trace.trc -t csv -o shop')
        for c in commands:
            p = run(work, c)
            n += 1
            # samples of a log that fits no trace
            ok = (0, 3) if 'stap-merge' in c or 'since' in c else (0,)
            if p.returncode not in ok:
                bad.append('%s: status %d: %s' % (c, p.returncode,
                    p.stderr[:200]))
    finally:
        shutil.rmtree(work)
    if n < 20:
        bad.append('%d commands were found' % n)
    report.result('docs: commands of %s' % name, bad)


def check_output():
    """The blocks behind session.log, digests.tsv and `$ ` are what comes."""
    bad = []
    work = tempfile.mkdtemp(prefix='profpivot-docs-')
    try:
        furnish(work)
        found = blocks()
        at = next(i for i, b in enumerate(found) if 'mysql> show' in b)
        with open(os.path.join(work, 'session.log'), 'w') as f:
            f.write(found[at])
        got = run(work, 'profpivot show session.log --report profile').stdout
        if got != found[at + 1]:
            bad.append('show session.log: %s' % got)
        with open(os.path.join(work, 'digests.tsv'), 'w') as f:
            f.write(DIGESTS)
        got = run(work, 'profpivot show digests.tsv --report statements'
            ).stdout
        if got not in found:
            bad.append('show digests.tsv: %s' % got)
        for b in found:
            if not b.startswith('$ '):
                continue
            for command, want in re.findall(r'(?m)^\$ (.*)\n((?:[^$].*\n)*)',
                    b):
                got = run(work, command).stdout
                if got != want:
                    bad.append('%s: %s, not %s' % (command, got, want))
    finally:
        shutil.rmtree(work)
    report.result('docs: output in README', bad)


COMMANDS = ('convert', 'show', 'compare', 'digest', 'stap-merge', 'archive',
    'list')


def check_options():
    """The commands that the manual names at an option are those of --help."""
    bad, have = [], {}
    for c in COMMANDS:
        out = subprocess.run([PROGRAM, c, '--help'], capture_output=True,
            text=True).stdout
        for m in re.finditer(r'(?m)^  (?:-.,|   ) --([\w-]+)', out):
            have.setdefault(m[1], set()).add(c)
    with open(os.path.join(TOP, 'man/profpivot.1')) as f:
        text = f.read()
    text = text[text.index('.Ss Options'):text.index('.Sh ENVIRONMENT')]
    told = re.findall(r'(?m)^\.It Fl (?:\w , Fl )?-([\w-]+).*\n'
        r'(?:\.Pq Cm (.*))?', text)
    for option, commands in told:
        names = {c.split()[0] for c in commands.split(' , ') if c}
        if commands and names != have.get(option):
            bad.append('--%s: %s, not %s' % (option, sorted(names),
                sorted(have.get(option, []))))
    missing = set(have) - set(re.findall(r'(?m)Fl -([\w-]+)(?= |$)',
        '\n'.join(re.findall(r'(?m)^\.It Fl.*', text))))
    if missing:
        bad.append('not in the manual: %s' % sorted(missing))
    report.result('docs: options and their commands', bad)


STATEMENTS = '''THREAD_ID	EVENT_ID	END_EVENT_ID	EVENT_NAME	TIMER_START	TIMER_END	TIMER_WAIT	SQL_TEXT	NESTING_EVENT_ID
47	11	11	statement/sql/select	1000000000	3500000000	2500000000	select 1	NULL
'''
DIGESTS = '''SCHEMA_NAME	DIGEST_TEXT	COUNT_STAR	SUM_TIMER_WAIT	MAX_TIMER_WAIT
depot	SELECT `name` FROM `parcel` ORDER BY `weight` LIMIT ?	120	30250000000000	910000000000
depot	UPDATE `parcel` SET `state` = ? WHERE `id` = ?	9400	4700000000000	80000000000
NULL	NULL	31	50000000000	2000000000
'''

check_commands('README', readme())
check_commands('profpivot(1)', examples())
check_output()
check_options()
report.end()
