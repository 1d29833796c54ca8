"""A second reader of archives, written from profpivot-archive(5) alone.

It shares no line with the program: where the page leaves something open, this
does not work.
"""
import struct
import zlib
from decimal import Decimal

HEAD = bytes([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff])
NOTHING = bytes([3, 0]) + bytes(8)
MASK = (1 << 64) - 1


class Damage(Exception):
    pass


def need(what, why):
    if not what:
        raise Damage(why)


class Member:
    """What stands at an offset."""

    def __init__(self, data, at):
        p = data[at:at + 60]
        need(len(p) == 60 and p[:10] == HEAD and p[12:16] == b'PP\x2c\0',
             'no member at %d' % at)
        need(struct.unpack_from('<I', p, 56)[0] == zlib.crc32(p[:56]),
             'sum of the member at %d' % at)
        (self.type, version, self.flags, self.bytes, self.payload,
         self.at, self.stream, self.profile, n, crc) = struct.unpack_from(
             '<cBHIIQQIII', p, 16)
        need(version == 1 and self.at == at, 'member at %d' % at)
        need(struct.unpack_from('<H', p, 10)[0] == 48 + (4 + n if n else 0),
             'XLEN at %d' % at)
        self.body = b''
        start = at + 60
        if n:
            need(data[start:start + 4] == b'PB' + struct.pack('<H', n),
                 'body at %d' % at)
            self.body = data[start + 4:start + 4 + n]
            need(zlib.crc32(self.body) == crc, 'sum of the body at %d' % at)
            start += 4 + n
        rest = data[start:at + self.bytes]
        self.data = b''
        if self.type == b'D':
            d = zlib.decompressobj(-15)
            self.data = d.decompress(rest[:-8])
            need(d.eof and len(self.data) == self.payload and
                 struct.pack('<II', zlib.crc32(self.data), self.payload) ==
                 rest[-8:], 'data at %d' % at)
        else:
            need(rest == NOTHING and self.payload == 0, 'tail at %d' % at)


TEXT = {2: 'path', 14: 'reader', 15: 'product', 16: 'version', 17: 'host',
        18: 'instance'}
NUMBER = {1: 'number', 3: 'kept', 4: 'named', 5: 'bytes', 7: 'payload',
          8: 'stream', 9: 'begin', 10: 'data_end', 11: 'columns',
          12: 'columns_bytes', 13: 'columns_end', 19: 'status', 20: 'kinds',
          21: 'records', 22: 'lines', 23: 'calls', 24: 'first', 25: 'last',
          26: 'offset', 27: 'span', 28: 'digits', 29: 'same_as'}
SIGNED = (24, 25, 26, 27)


def entry(b):
    e = {'kept': 0, 'named': 0, 'columns': 0, 'same_as': 0}
    while b:
        tag, n = struct.unpack_from('<HH', b)
        v, b = b[4:4 + n], b[4 + n:]
        if tag in TEXT:
            e[TEXT[tag]] = v.decode('utf-8', 'surrogateescape')
        elif tag == 6:
            e['sha256'] = v
        elif tag in NUMBER:
            e[NUMBER[tag]] = struct.unpack(
                '<q' if tag in SIGNED else '<Q', v)[0]
    return e


class Archive:
    def __init__(self, data):
        self.data = data
        h = Member(data, 0)
        need(h.type == b'H' and
             h.body[:24] == b'profpivot archive\r\n\x1a\n\0\0\0' and
             struct.unpack_from('<H', h.body, 24)[0] == 1 and
             struct.unpack_from('<Q', h.body, 32)[0] == 0, 'head')
        self.entries = {}
        at = len(data) - 122
        while True:
            e = Member(data, at)
            need(e.type == b'E', 'commit at %d' % at)
            (previous, first, stream, count, last, whole,
             depth) = struct.unpack_from('<QQQIIII', e.body)
            if not self.entries:
                self.count, self.stream = count, stream
            while first < at:
                c = Member(data, first)
                need(c.type == b'C', 'entries at %d' % first)
                b = c.body
                while b:
                    n = struct.unpack_from('<I', b)[0]
                    x = entry(b[4:4 + n])
                    self.entries.setdefault(x['number'], x)
                    b = b[4 + n:]
                first += c.bytes
            need(first == at, 'entries before %d' % at)
            if whole or previous == 0:
                break
            need(previous < at, 'loop at %d' % at)
            at = previous
        need(len(self.entries) == self.count, 'number of entries')

    def bytes_of(self, e):
        """The profile, byte for byte."""
        number = e['same_as'] or e['number']
        b = Member(self.data, e['begin'])
        need(b.type == b'B' and b.profile == number, 'begin')
        at = e['begin'] + b.bytes
        if b.body[0] == 1:
            n = struct.unpack_from('<Q', b.body, 8)[0]
            need(at + n == e['data_end'], 'gzip')
            return self.data[at:at + n]
        out = []
        while at < e['data_end']:
            d = Member(self.data, at)
            need(d.type == b'D' and d.profile == number, 'data at %d' % at)
            out.append(d.data)
            at += d.bytes
        return b''.join(out)

    def tables(self, e):
        """{name: (columns, rows)} of a profile."""
        if not e['columns']:
            return {}
        stream, at = b'', e['columns']
        while at < e['columns_end']:
            s = Member(self.data, at)
            need(s.type == b'S', 'segment at %d' % at)
            stream += s.body
            at += s.bytes
        need(len(stream) == e['columns_bytes'], 'length of the columns')
        return Columns(stream).tables


class Bytes:
    def __init__(self, b):
        self.b, self.i = b, 0

    def take(self, n):
        need(self.i + n <= len(self.b), 'too short')
        self.i += n
        return self.b[self.i - n:self.i]

    def byte(self):
        return self.take(1)[0]

    def v(self):
        n = shift = 0
        while True:
            c = self.byte()
            n |= (c & 127) << shift
            shift += 7
            if c < 128:
                return n & MASK

    def run(self):
        n = self.v()
        if n & 1 == 0:
            return self.take(n >> 1)
        out = zlib.decompress(self.take(self.v()), -15)
        need(len(out) == n >> 1, 'run')
        return out


def signed(n):
    n &= MASK
    return n - (1 << 64) if n >> 63 else n


def base32(text):
    n = 0
    for c in text:
        d = b'0123456789abcdfghjkmnpqrstuvwxyz'.find(bytes([c]))
        if d < 0:
            return 0
        n = n << 5 | d
    return n & 0xffffffff


def time_text(us, digits, offset):
    import datetime
    t = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=us)
    s = t.strftime('%Y-%m-%dT%H:%M:%S').rjust(19, '0')
    if digits:
        s += ('.%06d' % t.microsecond)[:1 + digits]
    if offset is not None:
        s += '%s%02d:%02d' % ('-' if offset < 0 else '+', abs(offset) // 60,
                              abs(offset) % 60)
    return s


class Columns:
    def __init__(self, s):
        self.s = s
        n, raw, magic = struct.unpack('<III', s[-12:])
        need(magic == 0x31436350, 'magic')
        d = s[-12 - n:-12]
        if raw:
            d = zlib.decompress(d, -15)
            need(len(d) == raw, 'directory')
        d = Bytes(d)
        self.shared = []
        for _ in range(d.v()):
            _, at, n = d.v(), d.v(), d.v()
            self.shared += self.strings(Bytes(self.block(at, n)))
        self.tables = {}
        for _ in range(d.v()):
            name = d.take(d.byte()).decode()
            own = d.byte()
            columns = [(d.take(d.byte()).decode(), d.byte())
                       for _ in range(d.v())]
            rows = []
            for _ in range(d.v()):
                count, at, n = d.v(), d.v(), d.v()
                rows += self.rows(Bytes(self.block(at, n)), columns, count,
                                  own)
            self.tables[name] = ([c[0] for c in columns], rows)

    def block(self, at, n):
        b = self.s[at:at + n]
        if b[0] == 0:
            return b[1:]
        out = zlib.decompress(b[5:], -15)
        need(b[0] == 1 and len(out) == struct.unpack_from('<I', b, 1)[0],
             'block')
        return out

    @staticmethod
    def strings(b):
        n = b.v()
        lengths, text, out, at = Bytes(b.run()), b.run(), [], 0
        for _ in range(n):
            k = lengths.v()
            out.append(text[at:at + k])
            at += k
        return out

    def rows(self, b, columns, count, own):
        told, numbers, later = {}, {}, []
        for _ in columns:
            c = {'place': b.v(), 'form': b.byte()}
            if c['form'] == 3:
                c['digits'], has, off = struct.unpack('<BBh', b.take(4))
                c['offset'] = off if has else None
            how = b.byte()
            if how == 0:
                c['tags'] = [b.byte()] * count
            elif how == 1:
                c['tags'] = list(b.run())
            else:
                a, tag = b.v(), b.byte()
                c['tags'] = [tag if (t != 0) == (how == 2) else 0
                             for t in told[a]['tags']]
            if c['form'] != 4:
                c['guess'] = b.byte()
                if c['guess'] >= 2:
                    c['a'] = b.v()
                if c['guess'] in (3, 4):
                    c['b'] = b.v()
            c['values'] = b.run()
            told[c['place']] = c
            later.append(c)
        strings = self.strings(b) if own else self.shared
        for c in later:
            numbers[c['place']] = self.numbers(c, numbers, count, strings)
        need(b.i == len(b.b), 'end of a block')
        cells = [self.cells(told[i], numbers[i], strings)
                 for i in range(len(columns))]
        return list(zip(*cells))

    @staticmethod
    def numbers(c, known, count, strings):
        if c['form'] == 4:
            return [int.from_bytes(c['values'][16 * i:16 * i + 16],
                                   'little', signed=True)
                    for i in range(count)]
        a, b = known.get(c.get('a')), known.get(c.get('b'))
        v, out, above, a_above, slots = Bytes(c['values']), [], 0, 0, {}
        for i in range(count):
            if c['tags'][i] == 0:
                out.append(0)
                continue
            how = c['guess']
            if how == 0:
                n = 0
            elif how == 1:
                n = above
            elif how == 2:
                n = a[i]
            elif how == 3:
                n = a[i] - b[i]
            elif how == 4:
                n = a[i] + b[i]
            elif how == 5:
                n = above + a[i] - a_above
            elif how == 7:
                n = base32(strings[a[i]])
            else:
                slot = (a[i] & MASK) * 0x9e3779b97f4a7c15 % (1 << 64) >> 52
                n = slots.get(slot, 0)
            if c['values']:
                m = v.v()
                n += -(m >> 1) - 1 if m & 1 else m >> 1
            n = signed(n)
            if how == 6:
                slots[slot] = n
            above = n
            a_above = a[i] if a else 0
            out.append(n)
        need(v.i == len(v.b), 'values')
        return out

    @staticmethod
    def cells(c, numbers, strings):
        out = []
        for tag, n in zip(c['tags'], numbers):
            if tag == 0:
                out.append(None)
            elif c['form'] == 1:
                out.append(strings[n])
            elif c['form'] == 2:
                out.append(b'%d' % n)
            elif c['form'] == 3:
                out.append(time_text(n, c['digits'], c['offset']).encode())
            else:
                out.append(Decimal(n).scaleb(1 - tag))
        return out
