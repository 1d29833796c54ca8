"""Pages of a Parquet file, by the format's own description.

A page header is a Thrift struct in the compact protocol: a byte of field
difference and type, then the value; integers are zigzag varints.
"""
import gzip
import zlib

PLAIN, DELTA, DELTA_BYTES, DICTIONARY = 0, 5, 7, 8


def varint(b, at):
    n = shift = 0
    while True:
        n |= (b[at] & 0x7f) << shift
        shift += 7
        at += 1
        if b[at - 1] < 0x80:
            return n, at


def struct(b, at):
    """Fields by number, and where the struct ends."""
    fields, number = {}, 0
    while b[at] != 0:
        step, kind = b[at] >> 4, b[at] & 15
        at += 1
        if step == 0:
            n, at = varint(b, at)
            number = (n >> 1) ^ -(n & 1)
        else:
            number += step
        if kind in (1, 2):
            fields[number] = kind == 1
        elif kind in (4, 5, 6):
            n, at = varint(b, at)
            fields[number] = (n >> 1) ^ -(n & 1)
        elif kind == 8:
            n, at = varint(b, at)
            fields[number] = b[at:at + n]
            at += n
        elif kind == 12:
            fields[number], at = struct(b, at)
        else:
            raise ValueError('a field of type %d' % kind)
    return fields, at + 1


def chunk_pages(b, at, size, packed):
    """(is dictionary, encoding, values, bytes), after checks of each page."""
    end = at + size
    while at < end:
        head, at = struct(b, at)
        body = b[at:at + head[3]]
        at += head[3]
        # a signed number of 32 bits
        if zlib.crc32(body) != head[4] & 0xffffffff:
            raise ValueError('checksum')
        if len(gzip.decompress(body) if packed else body) != head[2]:
            raise ValueError('length')
        inner = head[7] if head[1] == 2 else head[5]
        yield head[1] == 2, inner[2], inner[1], head[2]
    if at != end:
        raise ValueError('pages end behind their chunk')
