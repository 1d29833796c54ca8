"""A second reading of Oracle 10046 traces: from bytes to events.

Written from the format page, not from the C code, and for clearness, not for
speed.  oracle.py does the accounting.
"""
import gzip
import hashlib
import re

NO_STATEMENT = '(no statement)'
# waits that lie between calls when the trace has no times for waits
BETWEEN_NAMES = {
    'SQL*Net message from client', 'SQL*Net message to client',
    'SQL*Net more data from client', 'SQL*Net break/reset to client',
    'pmon timer', 'smon timer', 'rdbms ipc message',
}

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
    r'|PARSING IN CURSOR #\d+ len=|XCTEND rlbk=|={21}$'
    r'|LOB[A-Z]+: (?:type=|c=)))')
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
        self.alone = False      # the record ends before its line
        self.tims = 0           # of texts, all bits

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
                computed, value = sql_id(tries[0])
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
            self.alone = True
            self.record(number, head, cr)
            self.alone = False
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
        if self.i >= len(self.lines) or self.alone:
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
        x.raw = f['tim']
        x.end = self.tim(s, x.raw)
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
        # keys of a later release
        line = re.sub(r'( tim=\d+)(?: (?!tim=)[a-z_]+=-?\d+)+$', r'\1', line)
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
        """The text of a statement up to its END OF STMT.

        One that comes before `length` bytes belongs to the text when another
        stands where the length says.  A text that fills the length and is
        followed by a record has lost its END OF STMT.
        """
        size = -1               # bytes without the last line end
        first = full = None
        i = self.i
        while i < len(self.lines):
            line, had_cr = self.lines[i][1:]
            if line == 'END OF STMT':
                if length - 2 <= size <= length:
                    return self.take(i, i + 1, cr)
                first = i if first is None else first
            if first is not None and size > length:
                break
            if FULL.match(line) and (i == full or size > length + 65536):
                break
            size += len(line) + 1 + (had_cr and not cr)
            i += 1
            if size == length:
                full = i
        if first is not None:
            return self.take(first, first + 1, cr)
        end = i if full is None else full
        return self.take(end, end, cr)

    def take(self, end, after, cr):
        parts = [line + ('\r' if had_cr and not cr else '')
                 for _, line, had_cr in self.lines[self.i:end]]
        self.i = after
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
        self.tims |= int(re.search(r' tim=(\d+)|$', m.group(4)).group(1) or 0)
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


def read(paths, names=None, holes=()):
    """Read files that belong together, in order.

    holes: indexes of the files before which a part is missing.
    """
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
        reader.unended = not data.endswith(b'\n')
        reader.modern = bool(re.search(rb"(?m)^CLOSE #|sqlid='|,plh=\d", data))
        marks = {s: len(s.events) for s in group.sessions}
        reader.read(Source(name), data)
        if k in holes:
            for s, at in marks.items():
                old = [x for x in s.events[:at] if not isinstance(x, Point)]
                new = [x for x in s.events[at:] if not isinstance(x, Point)]
                if old and new:
                    b = max(x.end for x in old)
                    e = min(x.start for x in new)
                    if e > b:
                        s.holes.append((b, e))
                        s.missing += e - b
    # a file counts in ticks of 10 ms when its shape says so
    calls = [x for s in group.sessions for x in s.events
             if isinstance(x, Call) and x.end is not None]
    waits = [x for s in group.sessions for x in s.events
             if isinstance(x, Wait)]
    old = (waits and not reader.modern and
           all(w.end is None and w.p123 for w in waits) and
           all(c.raw < 1 << 32 for c in calls) and
           reader.tims < 1 << 32)
    if old and not calls:
        # nothing but waits: one that does not lie between calls and takes
        # more than a second speaks against it
        old = all(w.ela <= 100 for w in waits if w.by_name == 'call')
    for s in group.sessions:
        s.digits = 2 if old else 6
    return group
