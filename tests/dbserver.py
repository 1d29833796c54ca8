"""A MariaDB server for tests, with a data directory and a socket of its own,
without a network; it is stopped by its own process id.
"""
import os
import shutil
import signal
import subprocess
import time


def missing():
    """What is not installed, or ''."""
    for tool in ('mariadb', 'mariadb-install-db'):
        if shutil.which(tool) is None:
            return tool
    if not (shutil.which('mariadbd') or shutil.which('mysqld')):
        return 'mariadbd'
    return ''


class Server:
    def __init__(self, where, more=('--performance-schema=OFF',)):
        self.where = where
        self.more = list(more)
        self.data = os.path.join(where, 'data')
        self.socket = os.path.join(where, 's')
        self.process = None
        self.log = open(os.path.join(where, 'log'), 'w+b')

    def start(self):
        user = ['--user=root'] if os.geteuid() == 0 else []
        subprocess.run(
            ['mariadb-install-db', '--no-defaults', '--datadir=' + self.data,
             '--auth-root-authentication-method=normal', '--skip-test-db',
             '--innodb-log-file-size=8M'] + user,
            stdout=self.log, stderr=self.log, check=True, timeout=120)
        self.process = subprocess.Popen(
            [shutil.which('mariadbd') or shutil.which('mysqld'),
             '--no-defaults', '--datadir=' + self.data,
             '--socket=' + self.socket, '--skip-networking',
             '--skip-grant-tables', '--innodb-log-file-size=8M',
             '--innodb-buffer-pool-size=32M',
             '--secure-file-priv=', '--tmpdir=' + self.where,
             '--pid-file=' + os.path.join(self.where, 'pid')] +
            self.more + user,
            stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        for _ in range(600):
            if self.process.poll() is not None:
                raise OSError('the server ended: ' + self.tail())
            if os.path.exists(self.socket) and self.client(
                    'SELECT 1', check=False).returncode == 0:
                return
            time.sleep(0.1)
        raise OSError('the server does not answer: ' + self.tail())

    def tail(self):
        self.log.seek(0)
        return self.log.read()[-300:].decode('utf-8', 'replace')

    def stop(self):
        """By its own process id, and no other."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def command(self, *options):
        return ['mariadb', '--no-defaults', '--socket=' + self.socket,
                '--default-character-set=utf8mb4', '--force'] + list(options)

    def client(self, script, *options, check=True):
        run = subprocess.run(
            self.command(*options), input=script.encode('utf-8'),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        if check and run.returncode != 0:
            raise OSError(run.stderr.decode('utf-8', 'replace'))
        return run
