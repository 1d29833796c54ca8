"""What the scripts about profpivot archive have in common."""
import os
import subprocess

PROFPIVOT = os.environ['PROFPIVOT']
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPORA = os.path.join(TOP, 'corpora')


class Checks:
    """The lines that a script prints, and how many of them failed."""

    def __init__(self, title):
        self.title = title
        self.failed = 0

    def ok(self, name, good, why=''):
        if good:
            print('ok %s: %s' % (self.title, name))
        else:
            self.failed += 1
            print('not ok %s: %s: %s' % (self.title, name, str(why)[:400]))

    def run(self, *args, status=0, input=None, stdin=subprocess.DEVNULL,
            name=None):
        """Run the program; its status must be as it is given, or None."""
        p = subprocess.run([PROFPIVOT] + list(args), capture_output=True,
                           **({'input': input} if input is not None else
                              {'stdin': stdin}))
        if status is not None and p.returncode != status:
            self.ok(name or ' '.join(args)[:80], False,
                    'status %d, not %d: %r' % (p.returncode, status,
                                               p.stderr[-200:]))
        return p


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def write(path, data):
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)
