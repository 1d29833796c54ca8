"""A second reading of Oracle 10046 traces, to compare the program with.

Written from the text of the design and of the format page, not from the C
code, and for clearness, not for speed: the whole trace is held in memory,
every rule is applied as it is worded, and all sums are Python integers.

    group = oracle.read([path, ...])      files that share sessions, in order
    oracle.account(group)                 parents, owners, self times
    oracle.profile(group) ...             rows as dicts, times in ticks

Times are integers in ticks of the session's clock.
"""
import bisect
import gzip
import hashlib
import re

NO_STATEMENT = '(no statement)'
BETWEEN = '(between calls)'
UNACCOUNTED = 'unaccounted-for'
NOT_IN_TRACE = '(call not in trace)'
UNFINISHED = '(unfinished at end of trace)'

IDLE = {
    'SQL*Net message from client', 'PL/SQL lock timer', 'pipe get',
    'Streams AQ: waiting for messages in the queue',
    'PX Deq: Execution Msg', 'jobq slave wait', 'rdbms ipc message',
    'pmon timer', 'smon timer',
}
# waits that lie between calls when the trace has no times for waits
BETWEEN_NAMES = {
    'SQL*Net message from client', 'SQL*Net message to client',
    'SQL*Net more data from client', 'SQL*Net break/reset to client',
    'pmon timer', 'smon timer', 'rdbms ipc message',
}

HOUR = 3600

CALL = re.compile(r'(PARSE|EXEC|FETCH|CLOSE|UNMAP|SORT UNMAP) #(\d+):(.*)$')
LOB = re.compile(r'(LOB[A-Z]+): (.*)$')
RPC = re.compile(r'RPC EXEC:(.*)$')
WAIT = re.compile(r"WAIT #(\d+): nam='(.*)'"
                  r'(?: c=(-?\d+))?(?: q=(-?\d+))? +ela= *(-?\d+)(.*)$')
ERROR = re.compile(r'ERROR #(\d+):err=(-?\d+)(?: tim=(\d+))?')
XCTEND = re.compile(r'XCTEND rlbk=(\d), rd_only=(\d)(?:, tim=(\d+))?')
PARSING = re.compile(r'PARSING IN CURSOR #(\d+) len=(\d+) dep=(\d+)(.*)$')
PARSE_ERROR = re.compile(r'PARSE ERROR #(\d+):len=(\d+) dep=(\d+)(.*)$')
BINDS = re.compile(r'BINDS #(\d+):')
STAMP = re.compile(r'(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)'
                   r'(?:\.(\d+))?([+-]\d\d:\d\d|Z)?')
MARKER = re.compile(r'\*\*\* ([A-Z][A-Z ]*[A-Z]):\((.*)\)'
                    r'(?: (\d{4}-\d\d-\d\d.*))?$')
SIMPLE = re.compile(
    r'(?:(?:PARSE|EXEC|FETCH|CLOSE|UNMAP|SORT UNMAP|BINDS) #\d+:'
    r'|WAIT #\d+: nam=|STAT #\d+ |ERROR #\d+:err='
    r'|PARSE ERROR #\d+:len=|PARSING IN CURSOR #\d+ '
    r'|XCTEND rlbk=|LOB[A-Z]+: (?:type=|c=)|RPC (?:CALL|BINDS|EXEC):'
    r"|APPNAME mod='|={21}$"
    r'|\*\*\* (?:\d{4}-\d\d-\d\d|[A-Z][A-Z ]*:\(|\[ Unix|TRACE |DUMP ))')
GLUED = re.compile(
    r"(?<=[0-9'])(?=(?:(?:PARSE|EXEC|FETCH|CLOSE|UNMAP|SORT UNMAP|BINDS) #\d+:"
    r"|WAIT #\d+: nam='|STAT #\d+ |ERROR #\d+:err=|PARSE ERROR #\d+:len="
    r'|PARSING IN CURSOR #\d+ len=|XCTEND rlbk=|={21}$))')
KV = re.compile(r'\s*([a-z]+)=\s*(-?\d+)$')
FULL = re.compile(
    r'(?:(?:PARSE|EXEC|FETCH|UNMAP|SORT UNMAP) #\d+:(?:q=\d+,)?c=\d+,e=\d+,'
    r'p=\d+,cr=\d+,cu=\d+,mis=\d+,r=\d+,dep=\d+,og=\d+,(?:plh=\d+,)?tim=\d+$'
    r'|CLOSE #\d+:c=\d+,e=\d+,dep=\d+,type=\d+,tim=\d+$'
    r"|WAIT #\d+: nam='[^']*' ela= ?\d+ .*"
    r'|PARSING IN CURSOR #\d+ len=\d+ dep=\d+ uid=\d+ oct=\d+ lid=\d+ '
    r"tim=\d+ hv=\d+ ad='[0-9a-fA-F]*'.*"
    r'|={21}$)')


class Call:
    def __init__(self):
        self.children = []
        self.waits = []
        self.parent = None
        self.q = None


class Wait:
    c = q = None
    owner = None
    by_name = None      # without tim: 'call' or 'between'


class Point:
    """ERROR, XCTEND: no time of their own."""


class Hole:
    pass


class Cursor:
    """An incarnation of a cursor number: the statement that it stands for."""

    def __init__(self, statement, synthetic):
        self.statement = statement
        self.synthetic = synthetic
        self.calls = 0


class Session:
    def __init__(self, source):
        self.source = source
        self.events = []        # Call, Wait, Point in file order
        self.cursors = {}
        self.clock = None       # running clock
        self.offset = 0         # added to tim after a wrap
        self.digits = 6
        self.native_id = None
        self.missing = 0
        self.holes = []


class Source:
    def __init__(self, name):
        self.name = name
        self.sessions = []


class Group:
    def __init__(self):
        self.sources = []
        self.sessions = []
        self.statements = {}    # id -> dict
        self.contexts = []


def sql_id(text):
    """(sql_id, hash value) of the bytes of a statement."""
    md5 = hashlib.md5(text + b'\0').digest()
    high = int.from_bytes(md5[8:12], 'little')
    low = int.from_bytes(md5[12:16], 'little')
    n = high << 32 | low
    out = ''
    for _ in range(13):
        out = '0123456789abcdfghjkmnpqrstuvwxyz'[n & 31] + out
        n >>= 5
    return out, low


def physical_lines(data):
    """(number, line, had_cr) of each line; runs of NUL end a line too."""
    if data.startswith(b'\xef\xbb\xbf'):
        data = data[3:]
    lines = data.decode('latin-1').split('\n')
    if lines and lines[-1] == '':
        lines.pop()
    out = []
    for number, line in enumerate(lines, 1):
        if '\0' in line:
            parts = [p for p in re.split('\0+', line)]
            # a run at either edge leaves no line of its own
            if parts and parts[0] == '':
                parts.pop(0)
            if parts and parts[-1] == '':
                parts.pop()
            for part in parts or ['']:
                cr = part.endswith('\r')
                out.append((number, part[:-1] if cr else part, cr))
            continue
        cr = line.endswith('\r')
        out.append((number, line[:-1] if cr else line, cr))
    return out


class Reader:
    def __init__(self, group):
        self.group = group
        self.segment = 0
        self.streams = {}       # (segment, pid) -> {sid: Session}
        self.last_sid = {}      # (segment, pid) -> sid
        self.pid = None
        self.stream = None

    # -- sessions ---------------------------------------------------------
    def new_segment(self):
        self.segment += 1
        self.pid = None
        self.stream = None

    def session(self):
        if self.stream is None:
            key = (self.segment, self.pid)
            sid = self.last_sid.get(key)
            streams = self.streams.setdefault(key, {})
            if sid not in streams:
                s = Session(self.source)
                s.native_id = sid or self.pid
                streams[sid] = s
            self.stream = streams[sid]
        return self.stream

    def set_pid(self, pid):
        if pid == self.pid:
            return
        if self.pid is None:
            # what came before the number belongs to this process
            old = self.streams.pop((self.segment, None), None)
            if old:
                self.streams[(self.segment, pid)] = old
        self.pid = pid
        self.stream = None

    def set_sid(self, sid):
        key = (self.segment, self.pid)
        streams = self.streams.setdefault(key, {})
        if None in streams and len(streams) == 1:
            streams[sid] = streams.pop(None)
            streams[sid].native_id = sid
        self.last_sid[key] = sid
        self.stream = None

    # -- events -----------------------------------------------------------
    def add(self, event, number):
        s = self.session()
        event.line = number
        event.file = self.source
        event.session = s
        if s not in self.group.sessions:
            self.group.sessions.append(s)
            s.source = self.source
        s.events.append(event)
        return s

    def cursor(self, number):
        s = self.session()
        if number == 0:
            return Cursor(NO_STATEMENT, False)
        if number not in s.cursors:
            s.cursors[number] = Cursor('?%d' % number, True)
        return s.cursors[number]

    def statement(self, text, printed_id, hv, length):
        raw = text.encode('latin-1')
        computed = None
        if printed_id:
            key = printed_id
        else:
            tries = [raw]
            more = length - len(raw)
            if more == 1:
                tries = [raw + b'\0', raw + b' ', raw]
            elif more == 2:
                tries = [raw + b'\n\0', raw + b'\r\n', raw]
            for t in tries:
                computed, value = sql_id(t)
                if hv and value == hv:
                    break
            else:
                computed, value = sql_id(raw)
            key = computed
        st = self.group.statements.setdefault(key, {'text': text})
        if not st['text']:
            st['text'] = text
        return key

    def tim(self, s, value):
        if value is None:
            return None
        value += s.offset
        if (s.clock is not None and s.clock - value > 1 << 31 and
                s.clock - s.offset < 1 << 32):
            s.offset += 1 << 32
            value += 1 << 32
        return value

    # -- the file ---------------------------------------------------------
    def read(self, source, data):
        self.source = source
        first = len(self.group.sources) == 0
        self.group.sources.append(source)
        self.lines = physical_lines(data)
        n = len(self.lines)
        self.i = 0
        headers = 0 if first else -1
        while self.i < n:
            number, line, cr = self.lines[self.i]
            self.i += 1
            if not line:
                continue
            c = line[0]
            if c in 'PEFCUSWBXLRA*=TDUW/' or ':' in line[:30]:
                if self.header(line):
                    if self.is_trace_file(line):
                        headers += 1
                        if headers > 0 or (headers == 0 and not first):
                            if not (headers == 0 and not first):
                                self.new_segment()
                    continue
            if SIMPLE.match(line):
                self.record(number, line, cr)

    def is_trace_file(self, line):
        return (line.startswith(('Trace file ', 'Dump file ')) or
                line.startswith('/'))

    def header(self, line):
        if line.startswith(('Trace file ', 'Dump file ')):
            return True
        if line.startswith('/') and line.endswith('.trc'):
            for k in range(self.i, min(self.i + 3, len(self.lines))):
                if self.lines[k][1].startswith('Oracle'):
                    return True
            return False
        m = re.match(r'(?:Unix process pid|Windows thread id): (\d+)', line)
        if m:
            self.set_pid(m.group(1))
            return True
        return False

    def record(self, number, line, cr):
        m = GLUED.search(line)
        if m and not line.startswith('PARSING'):
            head, tail = line[:m.start()], line[m.start():]
            self.record(number, head, cr)
            self.record(number, tail, cr)
            return
        c = line[0]
        if c == '*':
            self.marker(line)
        elif line.startswith('WAIT'):
            self.wait(number, line)
        elif line.startswith('PARSING'):
            self.parsing(number, line, cr)
        elif line.startswith('PARSE ERROR'):
            self.parse_error(number, line, cr)
        elif line.startswith('BINDS'):
            self.binds()
        elif line.startswith('ERROR'):
            self.error(number, line)
        elif line.startswith('XCTEND'):
            self.xctend(number, line)
        elif line.startswith('LOB'):
            self.lob(number, line)
        elif line.startswith('RPC EXEC'):
            self.rpc(number, line)
        elif line.startswith('RPC BINDS'):
            self.binds()
        elif CALL.match(line):
            self.call(number, line)

    def continuation(self):
        """The next line, where it is no record."""
        if self.i >= len(self.lines):
            return None
        line = self.lines[self.i][1]
        if not line.strip() or SIMPLE.match(line) or line == 'END OF STMT':
            return None
        return line

    @staticmethod
    def fields(text):
        out = {}
        for part in text.split(','):
            m = KV.match(part)
            if m:
                out[m.group(1)] = int(m.group(2))
            elif part.strip() and not part.startswith(' type='):
                return None
        return out

    @staticmethod
    def call_complete(name, f):
        if f is None:
            return False
        need = ['c', 'e', 'tim']
        if name == 'CLOSE':
            need += ['dep']
        elif name.startswith('LOB'):
            need += ['p', 'cr', 'cu']
        else:
            need += ['p', 'cr', 'cu', 'mis', 'r', 'dep']
        return all(k in f for k in need)

    def is_cut_tail(self, f):
        """The last line, without a line end: is its tim shorter?"""
        if self.i < len(self.lines) or not self.unended:
            return False
        s = self.session()
        return (s.clock is not None and
                len(str(f)) < len(str(s.clock - s.offset)))

    def call(self, number, line):
        m = CALL.match(line)
        name, cursor, rest = m.group(1), int(m.group(2)), m.group(3)
        f = self.fields(rest)
        if not self.call_complete(name, f):
            more = self.continuation()
            if more is None:
                return
            f = self.fields(rest + more.strip())
            if not self.call_complete(name, f):
                return
            self.i += 1
        if self.is_cut_tail(f['tim']):
            return
        self.add_call(number, name, cursor, f)

    def add_call(self, number, name, cursor, f):
        x = Call()
        x.name = name
        x.cursor = cursor
        x.number = number
        x.inc = self.cursor(cursor)
        x.dep = f.get('dep', 0)
        x.e, x.c = f['e'], f['c']
        x.p, x.cr, x.cu = f.get('p', 0), f.get('cr', 0), f.get('cu', 0)
        x.mis, x.r = f.get('mis', 0), f.get('r', 0)
        x.q = f.get('q')
        s = self.add(x, number)
        x.end = self.tim(s, f['tim'])
        x.start = x.end - x.e
        x.has_plh = 'plh' in f or name == 'CLOSE'
        x.inc.calls += 1
        s.clock = x.end
        return x

    def lob(self, number, line):
        m = LOB.match(line)
        rest = re.sub(r'^type=[^,]*,', '', m.group(2))
        f = self.fields(rest)
        if not self.call_complete(m.group(1), f):
            more = self.continuation()
            f = self.fields(rest + more.strip()) if more else None
            if not self.call_complete(m.group(1), f):
                return
            self.i += 1
        x = self.add_call(number, m.group(1), 0, f)
        x.has_plh = True

    def rpc(self, number, line):
        f = self.fields(RPC.match(line).group(1))
        if f is None or 'c' not in f or 'e' not in f:
            return
        s = self.session()
        x = Call()
        x.name, x.cursor, x.dep = 'RPC', 0, 0
        x.inc = Cursor(NO_STATEMENT, False)
        x.e, x.c = f['e'], f['c']
        x.p = x.cr = x.cu = x.mis = x.r = 0
        x.rpc = True
        x.has_plh = False
        self.add(x, number)
        x.end = s.clock
        x.start = None if x.end is None else x.end - x.e

    def wait(self, number, line):
        m = WAIT.match(line)
        more = None
        if m is None or not re.search(r' tim=\d+$', line):
            more = self.continuation()
            if more is not None:
                joined = line + ' ' + more.strip()
                k = WAIT.match(joined)
                if k and re.search(r' tim=\d+$', joined):
                    m, line = k, joined
                    self.i += 1
        if m is None:
            return
        t = re.search(r' tim=(\d+)$', m.group(6))
        if t and self.is_cut_tail(int(t.group(1))):
            return
        if not t and self.waits_have_tim:
            return              # cut
        if not t and not re.search(r'=-?\d+$', m.group(6)) and m.group(6):
            return
        x = Wait()
        x.cursor = int(m.group(1))
        x.inc = self.cursor(x.cursor)
        x.name = m.group(2)
        x.c = int(m.group(3)) if m.group(3) else None
        x.q = int(m.group(4)) if m.group(4) else None
        x.ela = max(0, int(m.group(5)))
        x.p123 = bool(re.search(r' p1=-?\d+ p2=-?\d+ p3=-?\d+', m.group(6)))
        s = self.add(x, number)
        if t:
            x.end = self.tim(s, int(t.group(1)))
            x.start = x.end - x.ela
            s.clock = x.end
        else:
            x.end = x.start = None
            x.by_name = 'between' if x.name in BETWEEN_NAMES else 'call'

    def text(self, length, cr):
        """The text of a statement that ends with END OF STMT."""
        body = []
        size = -1               # bytes without the last line end
        fits = None             # index after which len bytes are used up
        first_end = None        # the first END OF STMT
        i = self.i
        ends = []
        while i < len(self.lines):
            number, line, had_cr = self.lines[i]
            if line == 'END OF STMT':
                ends.append((i, size))
                # enough when the text is complete or cannot become so
                if size >= length - 2 or size > length + 65536:
                    break
            raw = line if (cr or not had_cr) else line + '\r'
            if size >= length and FULL.match(line) and (
                    fits is not None or size > length + 65536):
                if fits is not None:
                    # the text is complete and records follow
                    if not ends:
                        return self.take(i, cr, fits, True)
                    break
            if size > length + 65536 and FULL.match(line):
                break
            body.append(raw)
            size += len(raw) + 1
            if size == length:
                fits = i + 1
            i += 1
        for at, used in ends:
            if length - 2 <= used <= length and used >= 0:
                return self.take(at, cr, at, False)
        if ends:
            at = ends[0][0]
            return self.take(at, cr, at, False)
        # no END OF STMT at all
        if fits is not None:
            return self.take(fits, cr, fits, True)
        out = self.take(len(self.lines), cr, len(self.lines), True)
        return out

    def take(self, end, cr, stop, no_end):
        parts = []
        for k in range(self.i, stop):
            line, had_cr = self.lines[k][1], self.lines[k][2]
            parts.append(line if (cr or not had_cr) else line + '\r')
        self.i = end if no_end else end + 1
        return '\n'.join(parts)

    def parsing(self, number, line, cr):
        def complete(m):
            return (m and ' hv=' in m.group(4) and " ad='" in m.group(4) and
                    m.group(4).count("'") % 2 == 0)
        m = PARSING.match(line)
        if not complete(m):
            more = self.continuation()
            if more is not None:
                for glue in ('', ' '):
                    k = PARSING.match(line + glue + more.strip())
                    if complete(k) and re.search(r"'[0-9a-zA-Z]+'$",
                                                 k.group(4)):
                        m = k
                        self.i += 1
                        break
        if m is None:
            return
        length = int(m.group(2))
        ident = re.search(r" sqlid='([0-9a-z]*)'", m.group(4))
        hv = re.search(r' hv=(\d+)', m.group(4))
        text = self.text(length, cr)
        key = self.statement(text, ident.group(1) if ident else None,
                             int(hv.group(1)) if hv else 0, length)
        s = self.session()
        if ident:
            self.modern = True
        old = s.cursors.get(int(m.group(1)))
        if old is not None and old.synthetic and old.calls == 0:
            old.statement = key
            old.synthetic = False
        else:
            s.cursors[int(m.group(1))] = Cursor(key, False)

    def parse_error(self, number, line, cr):
        m = PARSE_ERROR.match(line)
        t = m and re.search(r' tim=(\d+)', m.group(4))
        if not t:
            return
        length = int(m.group(2))
        i, size, parts = self.i, -1, []
        exact = None
        while i < len(self.lines) and size < length:
            raw = self.lines[i][1]
            parts.append(raw)
            size += len(raw) + 1
            i += 1
            if size in (length, length - 1, length - 2):
                exact = i
                break
        if exact is None:
            # the length cannot be: up to the first record
            i, parts = self.i, []
            while i < len(self.lines) and not SIMPLE.match(self.lines[i][1]):
                parts.append(self.lines[i][1])
                i += 1
        else:
            # a blank rest of the text is part of it
            while size < length and i < len(self.lines) and (
                    not SIMPLE.match(self.lines[i][1])):
                parts.append(self.lines[i][1])
                size += len(self.lines[i][1]) + 1
                i += 1
        self.i = i
        key = self.statement('\n'.join(parts), None, 0, length)
        s = self.session()
        s.cursors[int(m.group(1))] = Cursor(key, False)
        self.add_call(number, 'PARSE', int(m.group(1)), {
            'c': 0, 'e': 0, 'dep': int(m.group(3)), 'tim': int(t.group(1))
        }).parse_error = True

    def binds(self):
        """A bind block; a record inside a quoted value is text."""
        avl = mxl = 0
        while self.i < len(self.lines):
            line = self.lines[self.i][1]
            m = re.match(r'\s+value="', line)
            if m:
                self.bind_string(line[m.end():], min(avl, mxl) or avl)
                continue
            if SIMPLE.match(line):
                if line.startswith('***'):
                    self.marker(line)
                    self.i += 1
                    continue
                if line.startswith('XCTEND') and (
                        self.i + 1 < len(self.lines) and
                        re.match(r'\s*[Bb]ind ?#?\d',
                                 self.lines[self.i + 1][1])):
                    self.i += 1
                    self.record(self.lines[self.i - 1][0], line, False)
                    continue
                return
            if self.is_trace_file(line) and self.header(line):
                return
            m = re.search(r'\bmxl=(\d+)', line)
            if m:
                mxl = int(m.group(1))
            m = re.search(r'\bavl=(\d+)', line)
            if m:
                avl = int(m.group(1))
            self.i += 1

    def bind_string(self, first, shown):
        k, size, line = self.i, 0, first
        while True:
            if line.endswith('"'):
                following = (self.lines[k + 1][1]
                             if k + 1 < len(self.lines) else '')
                if (size + len(line) - 1 >= shown or
                        re.match(r'\s*[Bb]ind ?#?\d', following) or
                        SIMPLE.match(following) or not following.strip() or
                        k + 1 >= len(self.lines)):
                    self.i = k + 1
                    return
            size += len(line) + 1
            k += 1
            if k >= len(self.lines) or size > shown + 4096:
                break
            line = self.lines[k][1]
        # never closed: only its own line
        self.i += 1

    def error(self, number, line):
        m = ERROR.match(line)
        if not m:
            return
        x = Point()
        x.kind, x.cursor = 'ERROR', int(m.group(1))
        x.inc = self.cursor(x.cursor)
        x.code = int(m.group(2))
        self.add(x, number)

    def xctend(self, number, line):
        m = XCTEND.match(line)
        if not m:
            return
        x = Point()
        x.kind = 'XCTEND'
        x.rollback = m.group(1) == '1'
        x.read_only = m.group(2) == '1'
        self.add(x, number)

    def marker(self, line):
        m = re.match(r'\*\*\* \[ Unix process pid: (\d+) \]', line)
        if m:
            self.set_pid(m.group(1))
            return
        m = MARKER.match(line)
        if m and m.group(1) == 'SESSION ID':
            self.set_sid(m.group(2))


def read(paths, names=None):
    """Read files that belong together, in order."""
    group = Group()
    reader = Reader(group)
    for k, path in enumerate(paths):
        if isinstance(path, bytes):
            data, name = path, names[k]
        else:
            with open(path, 'rb') as f:
                data = f.read()
            if data[:2] == b'\x1f\x8b':
                data = gzip.decompress(data)
            name = path.rsplit('/', 1)[-1]
            if name.endswith('.gz'):
                name = name[:-3]
        reader.waits_have_tim = bool(
            re.search(rb"(?m)^WAIT #\d+: nam=.* tim=\d+\r?$", data))
        reader.unended = not data.endswith(b'\n')
        reader.modern = bool(re.search(rb"(?m)^CLOSE #|sqlid='|,plh=\d", data))
        reader.read(Source(name), data)
    # a file counts in ticks of 10 ms when its shape says so
    calls = [x for s in group.sessions for x in s.events
             if isinstance(x, Call) and x.end is not None]
    waits = [x for s in group.sessions for x in s.events
             if isinstance(x, Wait)]
    old = (waits and calls and not reader.modern and
           all(w.end is None and w.p123 for w in waits) and
           all(c.end < 1 << 32 for c in calls))
    for s in group.sessions:
        s.digits = 2 if old else 6
        place_untimed(s)
        place_rpc(s)
    return group


def place_untimed(s):
    """Give the waits without tim a place."""
    events = s.events
    if not any(isinstance(x, Wait) and x.end is None for x in events):
        return
    # owners by name: the next call of the cursor
    nxt = {}
    any_next = None
    for x in reversed(events):
        if isinstance(x, Call):
            nxt[x.cursor] = x
            any_next = x
        elif isinstance(x, Wait) and x.by_name == 'call':
            x.target = nxt.get(x.cursor) if x.cursor else any_next
            if x.target is None:
                x.by_name = 'between'
    # positions: running clock + ela; before any time they end where the
    # first call begins
    first = next((x for x in events
                  if not isinstance(x, Point) and x.end is not None), None)
    clock = None
    if first is not None:
        lead = 0
        for x in events:
            if x is first:
                break
            if isinstance(x, Wait) and x.by_name == 'between':
                lead += x.ela
        clock = first.start - lead
    else:
        clock = 0
    for x in events:
        if isinstance(x, Call):
            if x.end is not None:
                clock = x.end
        elif isinstance(x, Wait) and x.end is None:
            x.end = clock + x.ela
            x.start = clock
            x.synthetic = True
            clock = x.end
        elif isinstance(x, Wait):
            clock = x.end
    for x in events:
        if not isinstance(x, Call):
            continue
        own = [w for w in events
               if isinstance(w, Wait) and w.by_name == 'call' and
               w.target is x]
        if own and any(w.start < x.start or w.end > x.end for w in own):
            at = x.end
            for w in reversed(own):
                w.end, w.start = at, at - w.ela
                at = w.start


def place_rpc(s):
    """RPC EXEC has no tim: it ends at the clock before it."""
    clock = None
    for k, x in enumerate(s.events):
        if isinstance(x, Call) and getattr(x, 'rpc', False):
            following = next((y for y in s.events[k + 1:]
                              if not isinstance(y, Point) and
                              not getattr(y, 'rpc', False) and
                              y.end is not None), None)
            if clock is None:
                clock = following.start if following else x.e
            end = clock
            if following is not None and following.start - clock >= x.e:
                end = clock + x.e
            x.end, x.start = end, end - x.e
            clock = end
        elif not isinstance(x, Point) and x.end is not None:
            clock = x.end


# -- accounting -----------------------------------------------------------

def account(group):
    for s in group.sessions:
        account_session(s)


def account_session(s):
    s.calls = [x for x in s.events if isinstance(x, Call)]
    s.waits = [x for x in s.events if isinstance(x, Wait)]
    s.points = [x for x in s.events if isinstance(x, Point)]
    for k, x in enumerate(s.events):
        x.seq = k
    # rule 2: parents
    pending = {}                # depth -> sorted [(2 x middle, seq, call)]
    for x in s.calls:
        for depth in sorted(pending):
            if depth <= x.dep:
                continue
            row = pending[depth]
            if s.digits == 2:
                lo, hi = 0, len(row)
            else:
                lo = bisect.bisect_left(row, (2 * x.start,))
                hi = bisect.bisect_right(row, (2 * x.end, 1 << 62))
            for _, _, child in row[lo:hi]:
                child.parent = x
                x.children.append(child)
            del row[lo:hi]
        bisect.insort(pending.setdefault(x.dep, []),
                      (x.start + x.end, x.seq, x))
    for x in s.calls:
        x.children.sort(key=lambda y: y.seq)
    # rule 4: owners of waits
    row = []
    for x in s.events:
        if isinstance(x, Wait):
            if x.by_name == 'call':
                x.owner = x.target
                x.owner.waits.append(x)
            elif x.by_name is None:
                bisect.insort(row, (x.end, x.seq, x))
        elif isinstance(x, Call):
            lo = bisect.bisect_right(row, (x.start, 1 << 62))
            hi = bisect.bisect_right(row, (x.end, 1 << 62))
            for _, _, w in row[lo:hi]:
                w.owner = x
                x.waits.append(w)
            del row[lo:hi]
    for x in s.calls:
        x.waits.sort(key=lambda w: w.seq)
    for w in s.waits:
        w.place = 'call' if w.owner else 'between'
        w.cls = ('idle' if w.place == 'between' and w.name in IDLE
                 else 'wait')
    # rule 3 and 5
    s.stap = (any(x.q is not None for x in s.calls) or
              any(w.c is not None or w.q is not None for w in s.waits))
    for x in s.calls:
        x.self = x.e - sum(y.e for y in x.children)
        x.self_c = x.c - sum(y.c for y in x.children)
        x.self_q = (x.q or 0) - sum(y.q or 0 for y in x.children)
        x.self_p = x.p - sum(y.p for y in x.children)
        x.self_cr = x.cr - sum(y.cr for y in x.children)
        x.self_cu = x.cu - sum(y.cu for y in x.children)
        x.self_wait = sum(w.ela for w in x.waits)
        x.net_c = x.self_c - sum(w.c or 0 for w in x.waits)
        x.net_q = x.self_q - sum(w.q or 0 for w in x.waits)
        x.unaccounted = x.self - x.net_c - x.net_q - x.self_wait
    s.roots = [x for x in s.calls if x.parent is None]
    s.between = [w for w in s.waits if w.owner is None]
    timed = [x for x in s.calls + s.waits]
    s.has_time = bool(timed)
    s.start = min((x.start for x in timed), default=0)
    s.end = max((x.end for x in timed), default=0)
    s.span = s.end - s.start
    # rule 6: what lies between the roots
    s.gaps, s.overlap, last = [], 0, None
    at = s.start
    tiles = sorted(((x.start, x.end, x.seq, x) for x in s.roots + s.between),
                   key=lambda t: t[:3])
    covered = 0
    reach = s.start
    before = None
    for b, e, _, x in tiles:
        if b > reach:
            s.gaps.append((reach, b, before, x))
        covered += max(0, e - max(b, reach))
        if e > reach:
            reach, before = e, x
    total = sum(e - b for b, e, _, _ in tiles)
    s.overlaps = total - covered
    s.gap_time = sum(g[1] - g[0] for g in s.gaps)
    s.unaccounted_between = s.gap_time - s.overlaps - s.missing
    s.unaccounted = (sum(x.unaccounted for x in s.calls) +
                     s.unaccounted_between)
    top_down = (s.span - sum(x.c for x in s.roots) -
                sum(x.q or 0 for x in s.roots) +
                sum((w.c or 0) + (w.q or 0) for w in s.waits if w.owner) -
                sum(w.ela for w in s.waits) - s.missing)
    assert top_down == s.unaccounted, (top_down, s.unaccounted)
    assert sum(x.self for x in s.calls) == sum(x.e for x in s.roots)
    # runs of orphans
    least = 1 << 62
    for x in reversed(s.calls):
        x.last_shallow = least >= x.dep
        least = min(least, x.dep)
    for x in s.calls:
        x.head = None
    run, cursors = [], set()

    def close(name):
        for y in run:
            y.head = ((UNFINISHED, NO_STATEMENT)
                      if y.last_shallow and name is None
                      else (NOT_IN_TRACE, name or NO_STATEMENT))
        run.clear()
        cursors.clear()

    for x in s.events:
        if isinstance(x, Call):
            if x.parent is None and x.dep == 0:
                close(None)
            else:
                root = x
                while root.parent is not None:
                    root = root.parent
                if root.dep > 0:
                    cursors.add(x.cursor)
                    if root is x:
                        run.append(x)
        elif isinstance(x, Point) and x.kind == 'ERROR':
            if run and x.cursor not in cursors:
                close(x.inc.statement)
    close(None)


# -- tables ---------------------------------------------------------------

def stmt(x):
    return x.inc.statement


def cpu_name(x):
    return 'CPU ' + x.name


def profile(s):
    """(event, class) -> dict of time, count, min, max."""
    rows = {}

    def add(event, cls, t, counted=True):
        r = rows.setdefault((event, cls), {'time': 0, 'count': 0,
                                           'min': None, 'max': None})
        r['time'] += t
        if counted:
            r['count'] += 1
            r['min'] = t if r['min'] is None else min(r['min'], t)
            r['max'] = t if r['max'] is None else max(r['max'], t)

    for x in s.calls:
        add(cpu_name(x), 'cpu', x.net_c)
        if s.stap:
            add('CPU run queue', 'queue', x.net_q)
    for w in s.waits:
        add(w.name, w.cls, w.ela)
    if s.missing:
        add('missing', 'missing', s.missing, False)
    if s.has_time:
        add(UNACCOUNTED, 'unaccounted', s.unaccounted, False)
    return rows


SUMS = ('elapsed', 'cpu', 'self', 'self_cpu', 'self_wait', 'self_queue',
        'self_unaccounted', 'p', 'cr', 'cu', 'self_p', 'self_cr', 'self_cu',
        'misses', 'rows', 'count')


def new_sums():
    return dict.fromkeys(SUMS, 0)


def add_sums(r, x):
    r['count'] += 1
    r['elapsed'] += x.e
    r['cpu'] += x.c
    r['self'] += x.self
    r['self_cpu'] += x.net_c
    r['self_wait'] += x.self_wait
    r['self_queue'] += x.net_q
    r['self_unaccounted'] += x.unaccounted
    r['p'] += x.p
    r['cr'] += x.cr
    r['cu'] += x.cu
    r['self_p'] += x.self_p
    r['self_cr'] += x.self_cr
    r['self_cu'] += x.self_cu
    r['misses'] += x.mis
    r['rows'] += x.r


def between_sums(s):
    r = new_sums()
    r['elapsed'] = r['self'] = s.span - sum(x.e for x in s.roots) - s.missing
    r['self_wait'] = sum(w.ela for w in s.between)
    r['self_unaccounted'] = s.unaccounted_between
    r['count'] = 0
    return r


def statement_calls(s):
    rows = {}
    for x in s.calls:
        add_sums(rows.setdefault((stmt(x), x.name), new_sums()), x)
    return rows


def statements(s):
    rows = {}
    for x in s.calls:
        r = rows.get(stmt(x))
        if r is None:
            r = rows[stmt(x)] = new_sums()
            r.update(executions=0, parses=0, between=0, depth=x.dep,
                     recursive_PARSE=0, recursive_EXEC=0, recursive_FETCH=0,
                     first=x.start, last=x.end)
        add_sums(r, x)
        r['depth'] = min(r['depth'], x.dep)
        r['executions'] += x.name == 'EXEC'
        r['parses'] += x.name == 'PARSE'
        r['first'] = min(r['first'], x.start)
        r['last'] = max(r['last'], x.end)
        for y in x.children:
            key = 'recursive_' + y.name
            if key in r:
                r[key] += y.e
    for w in s.between:
        r = rows.get(stmt(w))
        if r is None:
            r = rows[stmt(w)] = new_sums()
            r.update(executions=0, parses=0, between=0, depth=None,
                     recursive_PARSE=0, recursive_EXEC=0, recursive_FETCH=0,
                     first=None, last=None)
        r['between'] += w.ela
    return rows


def statement_events(s):
    """(statement, event, class, place) -> time, count, max."""
    rows = {}

    def add(key, t, n=1):
        r = rows.setdefault(key, {'time': 0, 'count': 0, 'max': None})
        r['time'] += t
        r['count'] += n
        r['max'] = t if r['max'] is None else max(r['max'], t)

    for x in s.calls:
        add((stmt(x), cpu_name(x), 'cpu', 'call'), x.net_c)
        if s.stap:
            add((stmt(x), 'CPU run queue', 'queue', 'call'), x.net_q)
        add((stmt(x), UNACCOUNTED, 'unaccounted', 'call'), x.unaccounted, 0)
    for w in s.waits:
        where = stmt(w.owner) if w.owner else stmt(w)
        add((where, w.name, w.cls, w.place), w.ela)
    return rows


def path(x):
    out = []
    while x is not None:
        out.append((x.name, stmt(x)))
        if x.parent is None and x.dep > 0:
            out.append(x.head)
        x = x.parent
    return tuple(reversed(out))


def tree(s):
    """path -> sums; synthetic calls have the sums of their children."""
    rows = {}
    for x in s.calls:
        p = path(x)
        if len(p) > 1 and p[0][0] in (NOT_IN_TRACE, UNFINISHED):
            r = rows.setdefault(p[:1], new_sums())
            if len(p) == 2:
                r['elapsed'] += x.e
                r['cpu'] += x.c
        add_sums(rows.setdefault(p, new_sums()), x)
    return rows


def tree_order(rows):
    """Paths in pre-order, siblings by falling elapsed, call, statement."""
    kids = {}
    for p in rows:
        kids.setdefault(p[:-1], []).append(p)
    out = []

    def walk(p):
        for q in sorted(kids.get(p, []),
                        key=lambda q: (-rows[q]['elapsed'], q[-1])):
            out.append(q)
            walk(q)

    import sys
    sys.setrecursionlimit(10000)
    walk(())
    return out


def gaps(s):
    """(time, start, end, place, statement) by falling time."""
    out = []
    for b, e, _, _ in s.gaps:
        out.append((e - b, b, e, 'between'))
    for x in s.calls:
        pos, total = 0, sum(e - b for b, e in segments(x))
        for b, e in segments(x):
            cpu = share(x.net_c + x.net_q, pos + e - b, total) - share(
                x.net_c + x.net_q, pos, total)
            pos += e - b
            out.append((e - b - cpu, b, e, 'call'))
    return sorted(out, reverse=True)


def share(c, x, total):
    return c * x // total if total else 0


def segments(x):
    """The parts of a call that neither children nor waits cover."""
    taken = sorted((max(y.start, x.start), min(y.end, x.end))
                   for y in x.children + x.waits)
    out, at = [], x.start
    for b, e in taken:
        if b > at:
            out.append((at, b))
        at = max(at, e)
    if x.end > at:
        out.append((at, x.end))
    return out


def edges(start, end, n):
    t = end - start
    return [start + k * t // n for k in range(n + 1)]


def interval_of(edge, t):
    """Half-open intervals, the last closed; from 0."""
    n = len(edge) - 1
    k = bisect.bisect_right(edge, t) - 1
    if k >= n:
        # the last one that is not empty
        k = n - 1
        while k > 0 and edge[k] == edge[k + 1]:
            k -= 1
    return k


def spread(edge, b, e):
    """(interval, part) of a stretch."""
    if e <= b:
        return
    k = interval_of(edge, b)
    while k < len(edge) - 1 and edge[k] < e:
        part = min(e, edge[k + 1]) - max(b, edge[k])
        if part > 0:
            yield k, part
        k += 1


def cube(s, edge):
    """(interval, event, class, statement, place) -> [time, count]."""
    rows = {}

    def add(k, event, cls, st, place, t, n):
        r = rows.setdefault((k, event, cls, st, place), [0, 0])
        r[0] += t
        r[1] += n

    for x in s.calls:
        for event, cls, amount in (
                ((cpu_name(x), 'cpu', x.net_c),) +
                ((('CPU run queue', 'queue', x.net_q),) if s.stap else ())):
            add(interval_of(edge, x.end), event, cls, stmt(x), 'call', 0, 1)
            seg = segments(x)
            total = sum(e - b for b, e in seg)
            if not total:
                add(interval_of(edge, x.end), event, cls, stmt(x), 'call',
                    amount, 0)
                continue
            pos = 0
            for b, e in seg:
                for k, part in spread(edge, b, e):
                    t = share(amount, pos + part, total) - share(
                        amount, pos, total)
                    pos += part
                    add(k, event, cls, stmt(x), 'call', t, 0)
    for w in s.waits:
        st = stmt(w.owner) if w.owner else stmt(w)
        add(interval_of(edge, w.end), w.name, w.cls, st, w.place, 0, 1)
        for k, part in spread(edge, w.start, w.end):
            add(k, w.name, w.cls, st, w.place, part, 0)
    for b, e in s.holes:
        for k, part in spread(edge, b, e):
            add(k, 'missing', 'missing', BETWEEN, 'between', part, 0)
    return rows


def timeline(s, edge):
    """(interval, event, class) -> [time, count], unaccounted-for too."""
    rows = {}
    for (k, event, cls, _, _), (t, n) in cube(s, edge).items():
        r = rows.setdefault((k, event, cls), [0, 0])
        r[0] += t
        r[1] += n
    met = dict(spread(edge, s.start, s.end))
    if not met and s.has_time:
        met = {interval_of(edge, s.start): 0}
    total = {}
    for (k, _, _), (t, _) in rows.items():
        total[k] = total.get(k, 0) + t
    for k in met:
        rows[(k, UNACCOUNTED, 'unaccounted')] = [
            met[k] - total.get(k, 0), 0]
    return rows
