"""The numbers of MySQL's tokens, from digest texts and digests.

A DIGEST of MySQL 8.0 and later is the SHA-256 of its tokens: two bytes a
token, low byte first; a name is followed by its length in two bytes and its
bytes, a position of MySQL 9 by its value in four.  The text shows the tokens,
so a pair with one unknown number tells it, by trying all of them; a pair with
two tells both.  Beginning with BEGIN, COMMIT and SELECT ?, the pairs of a test
suite give most of the numbers in model/sql/words.tbl:

    digest_tokens.py PAIRS.tsv...     search, and compare with words.tbl

PAIRS.tsv has the columns statement, expected_digest_text, digest, with \\n \\t
\\r \\0 and \\\\ escaped.  Imported by digest.test.py, which checks the table
against all pairs.
"""

import hashlib
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# Texts of more than a word, longest first; the name of their symbol.
SPECIAL = [('(?) /* , ... */', 'rows'), ('(...) /* , ... */', 'tuples'),
           ('IN (...)', 'in'), ('(...)', 'tuple'), ('(?)', 'row'),
           ('?, ...', 'values'), ('?', 'value'), ('(_charset)', 'charset'),
           ('/*+', 'hint'), ('*/', 'hint end'), ('WITH ROLLUP', 'rollup'),
           ('<=>', '<=>'), ('->>', '->>'), ('->', '->'), ('<=', '<='),
           ('>=', '>='), ('!=', '!='), ('<<', '<<'), ('>>', '>>'),
           ('&&', '&&'), ('||', '||'), (':=', ':='), ('=', '='), ('<', '<'),
           ('>', '>')]

# What hash.c has for them.
NUMBERS = {'value': 1100, 'values': 1101, 'row': 1102, 'rows': 1103,
           'tuple': 1104, 'tuples': 1105, 'name': 1106, 'name@': 1107,
           'hint': 1108, 'hint end': 1109, 'in': 1110, 'position': 1111,
           'charset': 852, 'rollup': 894, '<=>': 416, '->>': 907, '->': 514,
           '<=': 522, '>=': 456, '!=': 614, '<<': 759, '>>': 760, '&&': 273,
           '||': 642, ':=': 757, '=': 415, '<': 549, '>': 469}


def words():
    """Number by (spelling, is a hint)."""
    out = {}
    text = open(os.path.join(HERE, '..', 'model', 'sql', 'words.tbl')).read()
    text = text[text.index('*/') + 2:].replace(',\n\t', ', ')
    for line in text.split('\n'):
        f = re.match(r'([PW])\((.*)\)$', line)
        if not f:
            continue
        v = [x.strip() for x in f[2].split(',')]
        shown = v[0] if f[1] == 'P' else v[1]
        if int(v[-1]):
            out[(shown, 'HINT' in v[-3])] = int(v[-1])
    return out


def tokens(text):
    """The tokens of a digest text: (symbol, bytes that follow), or None."""
    out, i, hint, depth = [], 0, False, 0
    while i < len(text):
        c = text[i]
        if c == ' ':
            i += 1
            continue
        if text.startswith('...', i):
            return None     # a name that is not shown
        if c == '`':
            end = text.find('`', i + 1)
            if end < 0 or (end + 1 < len(text) and text[end + 1] not in ' @'):
                return None
            name = text[i + 1:end].encode('utf8')
            at = hint and text[end + 1:end + 2] == '@'
            out.append(('name@' if at else 'name',
                        struct.pack('<H', len(name)) + name))
            i = end + 1
            continue
        for shown, symbol in SPECIAL:
            if text.startswith(shown, i) and not (
                    hint and len(shown) == 1 and shown in '=<>') and (
                    shown[0] not in 'IW' or
                    (i + len(shown) == len(text) or
                     text[i + len(shown)] in ' ')):
                out.append((symbol, b''))
                hint = symbol == 'hint' or (hint and symbol != 'hint end')
                i += len(shown)
                break
        else:
            w = re.compile(r'[A-Za-z_][A-Za-z0-9_$]*').match(text, i)
            n = re.compile(r'[0-9]+').match(text, i)
            if w:
                out.append((w[0] + ('+' if hint else ''), b''))
                i = w.end()
            elif n:
                out.append(('position', struct.pack('<I', int(n[0]))))
                i = n.end()
            else:
                out.append((ord(c), b''))
                i += 1
    return out


def pairs(paths, version):
    esc = {'n': '\n', 't': '\t', 'r': '\r', '0': '\0'}
    for path in paths:
        for line in open(path, encoding='utf8', newline='\n'):
            f = line.rstrip('\n').split('\t')
            if len(f) > 3 and f[3].startswith(version) and len(f[2]) == 64:
                yield re.sub(r'\\(.)', lambda x: esc.get(x[1], x[1]),
                             f[1]), f[2], f


def digest(toks, known):
    h = hashlib.sha256()
    for symbol, rest in toks:
        n = symbol if isinstance(symbol, int) else known[symbol]
        h.update(struct.pack('<H', n) + rest)
    return h.hexdigest()


def table():
    known = dict(NUMBERS)
    for (word, hint), n in words().items():
        known[word + ('+' if hint else '')] = n
    return known


class Search:
    def __init__(self, todo, least=256, most=1300):
        self.todo = todo
        self.range = range(least, most)
        self.known = {}

    def unknown(self, toks):
        return sorted({s for s, _ in toks if not isinstance(s, int) and
                       s not in self.known})

    def one(self, toks, want, symbol):
        used = set(self.known.values())
        for n in self.range:
            if n in used:
                continue
            self.known[symbol] = n
            if digest(toks, self.known) == want:
                return True
        del self.known[symbol]
        return False

    def two(self, toks, want, a, b):
        used = set(self.known.values())
        for n in self.range:
            if n in used:
                continue
            self.known[a] = n
            if self.one(toks, want, b):
                return True
        del self.known[a]
        return False

    def run(self):
        tried = set()
        progress = True
        while progress:
            progress = False
            self.todo.sort(key=lambda p: len(p[0]))
            for toks, want in self.todo:
                u = self.unknown(toks)
                if len(u) == 1 and (want, u[0]) not in tried:
                    tried.add((want, u[0]))
                    progress |= self.one(toks, want, u[0])
            if progress:
                continue
            for toks, want in self.todo:
                u = self.unknown(toks)
                if len(u) == 2 and tuple(u) not in tried:
                    tried.add(tuple(u))
                    progress = self.two(toks, want, *u)
                    if progress:
                        break
        return self.known


def main(paths):
    todo = []
    for text, want, _ in pairs(paths, 'mysql-9'):
        toks = tokens(text)
        if toks and (toks, want) not in todo[-50:]:
            todo.append((toks, want))
    found = Search(todo).run()
    known = table()
    for symbol in sorted(found, key=found.get):
        print('%5d %s%s' % (found[symbol], symbol,
                            '' if known.get(symbol) == found[symbol]
                            else '  words.tbl: %s' % known.get(symbol)))
    print('%d numbers found, %d of them as in the table' % (
        len(found), sum(known.get(s) == n for s, n in found.items())))


if __name__ == '__main__':
    main(sys.argv[1:])
