#!/usr/bin/python3
"""profpivot archive: writers that fail or die, files that are damaged.

A small library that the test builds stands between the program and the
system: it fails the N-th call that changes a file, cuts a write short, or
kills the program before or after it.  Whatever happens, the profiles that
were committed before must come out again, and the next writer must succeed.
"""
import fcntl
import gzip
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import archive_read                                     # noqa: E402

PROFPIVOT = os.environ['PROFPIVOT']
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPORA = os.path.join(TOP, 'corpora')
CC = os.environ.get('CC', 'cc').split()[-1]
failed = 0

SHIM = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* FAULT_AT: the call, from 1; FAULT_HOW: an errno, "short", "before" or
 * "after" (kill), "half" (half of a write, then kill); FAULT_COUNT: a file
 * that gets the number of calls at the end. */
static int calls;

static int
due(const char **how)
{
	const char *at = getenv("FAULT_AT");

	*how = getenv("FAULT_HOW");
	calls++;
	if (at == NULL || *how == NULL || calls != atoi(at))
		return 0;
	if (strcmp(*how, "before") == 0)
		kill(getpid(), SIGKILL);
	return 1;
}

static void
done(int now, const char *how)
{
	if (now && strcmp(how, "after") == 0)
		kill(getpid(), SIGKILL);
}

static int
code(const char *how)
{
	return atoi(how);
}

#define CALL(type, name, params, args) \
type name params \
{ \
	static type (*real) params; \
	const char *how; \
	int now = due(&how), e; \
	type r; \
	if (real == NULL) \
		*(void **)&real = dlsym(RTLD_NEXT, #name); \
	if (now && code(how) != 0) { \
		errno = code(how); \
		return -1; \
	} \
	r = real args; \
	e = errno; \
	done(now, how); \
	errno = e; \
	return r; \
}

CALL(int, fsync, (int fd), (fd))
CALL(int, ftruncate, (int fd, off_t n), (fd, n))
CALL(int, ftruncate64, (int fd, off64_t n), (fd, n))
CALL(int, rename, (const char *a, const char *b), (a, b))
CALL(int, link, (const char *a, const char *b), (a, b))
CALL(int, unlink, (const char *a), (a))
CALL(int, flock, (int fd, int how_), (fd, how_))

ssize_t
write(int fd, const void *p, size_t n)
{
	static ssize_t (*real)(int, const void *, size_t);
	const char *how;
	int now;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "write");
	if (fd <= 2)
		return real(fd, p, n);
	now = due(&how);
	if (now && code(how) != 0) {
		errno = code(how);
		return -1;
	}
	if (now && (strcmp(how, "short") == 0 || strcmp(how, "half") == 0)) {
		ssize_t r = real(fd, p, n > 1 ? n / 2 : n);

		if (strcmp(how, "half") == 0)
			kill(getpid(), SIGKILL);
		return r;
	}
	n = (size_t)real(fd, p, n);
	done(now, how);
	return (ssize_t)n;
}

__attribute__((destructor)) static void
tell(void)
{
	const char *to = getenv("FAULT_COUNT");
	char text[16], *t = text + sizeof(text);
	int n = calls, fd;

	if (to == NULL)
		return;
	do
		*--t = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	fd = creat(to, 0600);
	if (fd >= 0) {
		static ssize_t (*real)(int, const void *, size_t);

		*(void **)&real = dlsym(RTLD_NEXT, "write");
		(void)!real(fd, t, (size_t)(text + sizeof(text) - t));
		close(fd);
	}
}

/* programs without FILE_OFFSET_BITS call the one name, others the other */
#include <fcntl.h>
'''


def ok(name, good, why=''):
    global failed
    if good:
        print('ok archive faults: %s' % name)
    else:
        failed += 1
        print('not ok archive faults: %s: %s' % (name, str(why)[:300]))


def run(*args, env=None):
    e = dict(os.environ)
    e.update(env or {})
    return subprocess.run([PROFPIVOT] + list(args), capture_output=True,
                          stdin=subprocess.DEVNULL, env=e)


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def write(path, data):
    with open(path, 'wb') as f:
        f.write(data)


def profiles_of(a):
    """What extract gives: by path, and the status."""
    subprocess.run(['rm', '-rf', 'out'])
    p = run('archive', 'extract', a, '-o', 'out/')
    got = {}
    for d, _, names in os.walk('out'):
        for n in names:
            path = os.path.join(d, n)
            got[os.path.relpath(path, 'out')] = read(path)
    return got, p


def verify(a):
    return run('archive', 'verify', a)


# ------------------------------------------------------------------ writers

def check_after(name, a, old, new, died):
    """The old profiles are there; the new one wholly or not at all; and the
    next writer brings everything in order."""
    if not os.path.exists(a):
        if old:
            ok(name, False, 'the archive is gone')
            return False
    else:
        got, p = profiles_of(a)
        for path, data in old.items():
            if got.get(path) != data:
                ok(name, False, '%s is lost or another: %r' % (path,
                                                               p.stderr))
                return False
        for path in got:
            if got[path] != {**old, **new}.get(path):
                ok(name, False, '%s is not what was added' % path)
                return False
    p = run('archive', 'add', a, *new)
    if p.returncode != 0:
        ok(name, False, 'the next add: %r' % p.stderr)
        return False
    got, p = profiles_of(a)
    if got != {**old, **new}:
        ok(name, False, 'after the next add: %r' % sorted(got))
        return False
    v = verify(a)
    if v.returncode != 0:
        ok(name, False, 'verify: %r %r' % (v.stdout, v.stderr))
        return False
    return True


def test_every_call(shim, name, a, command, old, new, check):
    """Make each call of the command fail in each way."""
    env = {'LD_PRELOAD': shim, 'FAULT_COUNT': 'count'}
    before = read(a) if os.path.exists(a) else None
    p = run(*command, env=env)
    calls = int(read('count'))
    if p.returncode != 0 or calls < 3:
        ok(name, False, 'without a fault: %r, %d calls' % (p.stderr, calls))
        return
    ways = ['5', '28', 'short', 'before', 'after', 'half']
    runs = 0
    for at in range(1, calls + 1):
        for how in ways:
            for f in os.listdir('.'):
                if f.startswith(a):
                    os.unlink(f)
            if before is not None:
                write(a, before)
            p = run(*command, env={'LD_PRELOAD': shim, 'FAULT_AT': str(at),
                                   'FAULT_HOW': how})
            runs += 1
            died = p.returncode == -signal.SIGKILL
            if p.returncode not in (0, 1, 3, -signal.SIGKILL):
                ok('%s: call %d, %s' % (name, at, how), False, p)
                return
            if not check('%s: call %d, %s' % (name, at, how), a, old, new,
                         died):
                return
    ok('%s: %d calls, %d faults' % (name, calls, runs), True)


def check_whole(name, a, old, new, died):
    """compact: the file is the old one or the new one, each whole."""
    got, p = profiles_of(a)
    if got != old:
        ok(name, False, '%r' % p.stderr)
        return False
    v = verify(a)
    if v.returncode != 0:
        ok(name, False, 'verify: %r' % v.stderr)
        return False
    return True


def test_writers(shim):
    demo = read(os.path.join(CORPORA, 'oracle10046/ok/demo.trc'))
    a = 'w.ppa'
    old = {}
    for i in range(3):
        old['old%d.trc' % i] = demo + b'\n' * i
        write('old%d.trc' % i, old['old%d.trc' % i])
    write('new.trc', demo * 40)
    write('zip.gz', gzip.compress(demo))
    new = {'new.trc': demo * 40}
    test_every_call(shim, 'a new archive', a, ('archive', 'add', a,
                    'new.trc'), {}, new, check_after)
    os.unlink(a)
    run('archive', 'add', a, *old)
    first = read(a)
    test_every_call(shim, 'one more profile', a, ('archive', 'add', a,
                    'new.trc'), old, new, check_after)
    write(a, first)
    test_every_call(shim, 'a profile that is gzip', a, ('archive', 'add', a,
                    'zip.gz'), old, {'zip.gz': read('zip.gz')}, check_after)
    write(a, first)
    test_every_call(shim, 'compact', a, ('archive', 'compact', a), old, {},
                    check_whole)


def test_two_writers():
    """They wait for each other; a reader does not."""
    demo = read(os.path.join(CORPORA, 'oracle10046/ok/demo.trc'))
    write('lock.trc', demo)
    run('archive', 'add', 'l.ppa', 'lock.trc')
    write('lock2.trc', demo + b'\n')
    with open('l.ppa', 'rb') as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        p = subprocess.Popen([PROFPIVOT, 'archive', 'add', 'l.ppa',
                              'lock2.trc'], stderr=subprocess.PIPE,
                             stdout=subprocess.PIPE)
        line = p.stderr.readline()
        ok('a second writer says that it waits', b'waiting' in line, line)
        q = run('archive', 'list', 'l.ppa')
        ok('a reader does not', q.returncode == 0 and q.stderr == b'', q)
        fcntl.flock(f, fcntl.LOCK_UN)
    p.communicate()
    ok('and goes on', p.returncode == 0)
    # while one waits the file is replaced, as compact does
    write('lock3.trc', demo + b'\n\n')
    with open('l.ppa', 'rb') as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        p = subprocess.Popen([PROFPIVOT, 'archive', 'add', 'l.ppa',
                              'lock3.trc'], stderr=subprocess.PIPE,
                             stdout=subprocess.PIPE)
        p.stderr.readline()
        shutil.copy('l.ppa', 'l.new')
        os.rename('l.new', 'l.ppa')
        fcntl.flock(f, fcntl.LOCK_UN)
    p.communicate()
    got, q = profiles_of('l.ppa')
    ok('a writer that waited takes the file that is there then',
       p.returncode == 0 and 'lock3.trc' in got and len(got) == 3, got)
    many = []
    for i in range(8):
        write('m%d.trc' % i, demo + b'\n' * (i + 2))
        many.append(subprocess.Popen(
            [PROFPIVOT, 'archive', 'add', 'n.ppa', 'm%d.trc' % i],
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
    status = [p.wait() for p in many]
    got, p = profiles_of('n.ppa')
    ok('eight at once make one archive', status == [0] * 8 and
       got == {'m%d.trc' % i: demo + b'\n' * (i + 2) for i in range(8)} and
       verify('n.ppa').returncode == 0, (status, sorted(got)))


# ------------------------------------------------------------------- damage

def small_archive():
    """Three small profiles, one of them gzip."""
    files = {'s1.txt': b'one\n' * 5,
             's2.txt': read(os.path.join(
                 CORPORA, 'showprofile/ok/limit.txt')),
             's3.gz': gzip.compress(b'three\n' * 50, mtime=1)}
    for n, d in files.items():
        write(n, d)
    run('archive', 'add', 's.ppa', *files)
    return read('s.ppa'), files


def never_wrong(name, files, a):
    """What comes out is right, or it is said that something is wrong."""
    got, p = profiles_of(a)
    for path, data in got.items():
        if files.get(path) != data:
            ok(name, False, '%s comes out as something else' % path)
            return False
    if got != files and p.returncode == 0:
        ok(name, False, 'a profile is missing and nothing said: %r' %
           p.stderr)
        return False
    if p.returncode < 0 or p.returncode > 3:
        ok(name, False, 'status %d' % p.returncode)
        return False
    return True


def test_flips():
    data, files = small_archive()
    p = run('archive', 'query', 's.ppa', '--table', 'stages')
    right = p.stdout
    random.seed(12)
    unseen = []
    step = max(1, len(data) // 600)
    places = range(0, len(data), step)
    for at in places:
        bad = bytearray(data)
        bad[at] ^= 1 << random.randrange(8)
        write('f.ppa', bad)
        if not never_wrong('flip at byte %d' % at, files, 'f.ppa'):
            return
        q = run('archive', 'query', 'f.ppa', '--table', 'stages')
        if q.returncode == 0 and q.stdout != right:
            ok('flip at byte %d: query' % at, False, 'other rows')
            return
        if q.returncode < 0:
            ok('flip at byte %d: query' % at, False, q)
            return
        if verify('f.ppa').returncode == 0:
            unseen.append(at)
    ok('%d flipped bits: never a wrong byte or number' % len(places), True)
    # a bit of deflate that does not change what comes out may pass
    ok('verify sees them: %d of %d' % (len(places) - len(unseen),
                                       len(places)),
       len(unseen) <= len(places) // 100, unseen)


def is_commit_end(data):
    """Is this what the archive once was?  Then nothing is missing in it."""
    try:
        archive_read.Archive(data)
    except Exception:
        return False
    return True


def test_cuts():
    data, files = small_archive()
    step = max(1, len(data) // 150)
    n = 0
    for at in list(range(0, len(data), step)) + [len(data) - 1]:
        write('c.ppa', data[:at])
        got, p = profiles_of('c.ppa')
        if any(files[k] != v for k, v in got.items()) or \
                (p.returncode == 0) != is_commit_end(data[:at]):
            ok('cut at byte %d' % at, False, p)
            return
        n += 1
    ok('%d cuts: never a wrong byte' % n, True)


def test_one_alone():
    """To get at one profile, nothing of another is read."""
    data, files = small_archive()
    for e in archive_read.Archive(data).entries.values():
        bad = bytearray(data)
        for x in archive_read.Archive(data).entries.values():
            if x is not e and x['number'] != e['number']:
                end = x['columns_end'] if x['columns'] else x['data_end']
                bad[x['begin']:end] = bytes(end - x['begin'])
        write('one.ppa', bad)
        p = run('archive', 'extract', 'one.ppa', e['path'], '-o', '-')
        ok('%s is there though the others are zeros' % e['path'],
           p.returncode == 0 and p.stdout == files[e['path']], p.stderr)


def recover(name, files, data):
    """What recover makes of a damaged file: which profiles are there."""
    write('r.ppa', data)
    if os.path.exists('new.ppa'):
        os.unlink('new.ppa')
    p = run('archive', 'recover', 'r.ppa', '-o', 'new.ppa')
    if p.returncode == 1 and not os.path.exists('new.ppa'):
        return set()
    got, q = profiles_of('new.ppa')
    wrong = [k for k, v in got.items() if files.get(k) != v]
    if p.returncode not in (0, 3) or wrong or q.returncode != 0:
        ok(name, False, (p, wrong, q.stderr))
        return None
    v = verify('new.ppa')
    if v.returncode != 0:
        ok(name, False, 'verify: %r %r' % (v.stdout, v.stderr))
        return None
    return set(got)


def test_recover():
    data, files = small_archive()
    ends = [e['data_end'] for e in archive_read.Archive(data).entries.values()]
    random.seed(7)
    lost = 0
    for at in range(0, len(data), max(1, len(data) // 150)):
        bad = bytearray(data)
        bad[at] ^= 1 << random.randrange(8)
        got = recover('recover: flip at byte %d' % at, files, bad)
        if got is None:
            return
        if len(got) < len(files) - 1:
            ok('recover: flip at byte %d' % at, False, got)
            return
        lost += len(got) < len(files)
    ok('recover: a flip costs one profile at most (%d did)' % lost, True)
    for at in range(len(data) // 100, len(data), max(1, len(data) // 100)):
        got = recover('recover: cut at byte %d' % at, files, data[:at])
        if got is None:
            return
        if len(got) != len([e for e in ends if e <= at]):
            ok('recover: cut at byte %d' % at, False, got)
            return
    ok('recover: a cut costs what is behind it', True)
    for size in (1, 100, 3000):
        at = len(data) // 2
        got = recover('recover: %d bytes lost' % size, files,
                      data[:at] + bytes(size) + data[at + size:])
        ok('recover: %d bytes zeroed in the middle' % size, got is not None
           and len(got) >= 1, got)
    # in its own place: the damaged file is kept
    write('r.ppa', data[:-1])
    p = run('archive', 'recover', 'r.ppa')
    ok('recover in place', p.returncode == 0 and
       read('r.ppa.damaged') == data[:-1] and
       verify('r.ppa').returncode == 0 and
       profiles_of('r.ppa')[0] == files, p)


def test_old_files():
    """An archive of the first version is read for ever."""
    a = os.path.join(TOP, 'tests', 'archive', 'v1.ppa')
    got, p = profiles_of(a)
    sums = sorted(hashlib.sha256(v).hexdigest()[:16] for v in got.values())
    want = sorted(e['sha256'].hex()[:16] for e in
                  archive_read.Archive(read(a)).entries.values())
    ok('version 1: profiles', p.returncode == 0 and sums == want and
       sums == V1, (sums, want))
    q = run('archive', 'query', a, '--table', 'profile')
    ok('version 1: tables', hashlib.sha256(q.stdout).hexdigest()[:16] ==
       V1_PROFILE, hashlib.sha256(q.stdout).hexdigest())
    ok('version 1: verify', verify(a).returncode == 0)


V1 = ['2479a3f662e6c663', '34779161a2fc540c', '5188365cf0f4e312']
V1_PROFILE = '38f9d51a0d08cc61'


def main():
    work = tempfile.mkdtemp(dir='/dev/shm' if os.access('/dev/shm', os.W_OK)
                            else None)
    os.chdir(work)
    try:
        write('shim.c', SHIM.encode())
        p = subprocess.run([CC, '-shared', '-fPIC', '-o', 'shim.so',
                            'shim.c', '-ldl'], capture_output=True)
        if p.returncode != 0:
            print('skip archive faults: no compiler for the shim')
        else:
            test_writers(os.path.join(work, 'shim.so'))
        test_two_writers()
        test_flips()
        test_cuts()
        test_one_alone()
        test_recover()
        test_old_files()
    finally:
        os.chdir('/')
        shutil.rmtree(work)
    sys.exit(failed != 0)


main()
