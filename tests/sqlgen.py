"""Random SQL statements, for digest.test.py.

A statement is a list of parts that can be written in many ways: keywords in
any case, literals of any value, white space and comments of any kind between
parts.  None of that may change a digest; another name must.
"""

import random

KEYWORD, NAME, NUMBER, WHOLE, STRING, MARK, CALL, GLUE = range(8)


class Part:
    def __init__(self, kind, text):
        self.kind, self.text = kind, text


def k(text):
    return [Part(KEYWORD, w) for w in text.split()]


def m(text):
    return [Part(MARK, text)]


NAMES = ('alpha beta gamma_2 delta orders customers item_no qty price city '
         'region t1 t22 notes_x label_y weight_g pier').split()
CALLS = 'concat coalesce greatest least'.split()
AGGREGATES = 'COUNT SUM MIN MAX AVG'.split()


class Maker:
    """Statements that every dialect understands, unless told otherwise."""

    def __init__(self, seed, mysql=False):
        self.r = random.Random(seed)
        self.mysql = mysql

    def pick(self, *makers):
        return self.r.choice(makers)()

    def name(self):
        return [Part(NAME, self.r.choice(NAMES))]

    def column(self):
        if self.r.random() < 0.3:
            return self.name() + [Part(GLUE, '.')] + self.name()
        return self.name()

    def number(self):
        return [Part(NUMBER, '1')]

    def string(self):
        return [Part(STRING, 'x')]

    def literal(self):
        return self.pick(self.number, self.string)

    def comma(self, makes, least, most):
        out = []
        for i in range(self.r.randint(least, most)):
            out += (m(',') if i else []) + makes()
        return out

    def call(self):
        name = self.r.choice(CALLS)
        return [Part(CALL, name)] + m('(') + \
            self.comma(lambda: self.expr(1), 2, 4) + m(')')

    def aggregate(self):
        return [Part(CALL, self.r.choice(AGGREGATES))] + m('(') + \
            self.column() + m(')')

    def case(self):
        return k('CASE WHEN') + self.predicate(1) + k('THEN') + \
            self.expr(1) + k('ELSE') + self.literal() + k('END')

    def binary(self):
        op = self.r.choice(['+', '-', '*', '/'])
        return self.column() + m(op) + self.expr(2)

    def group(self):
        return m('(') + self.expr(2) + m(')')

    def subquery(self):
        return m('(') + k('SELECT') + self.column() + k('FROM') + \
            self.name() + k('WHERE') + self.predicate(2) + m(')')

    def expr(self, depth=0):
        simple = [self.column, self.column, self.literal]
        deep = [self.call, self.binary, self.group, self.case, self.aggregate]
        if depth >= 2 or self.r.random() < 0.5:
            return self.pick(*simple)
        return self.pick(*deep)

    def comparison(self):
        op = self.r.choice(['=', '<', '>', '<=', '>=', '<>'])
        return self.column() + m(op) + self.expr(1)

    def inlist(self):
        no = k('NOT') if self.r.random() < 0.2 else []
        return self.column() + no + k('IN') + m('(') + \
            self.comma(self.literal, 1, 6) + m(')')

    def insub(self):
        return self.column() + k('IN') + self.subquery()

    def between(self):
        return self.column() + k('BETWEEN') + self.literal() + k('AND') + \
            self.literal()

    def like(self):
        return self.column() + k('LIKE') + self.string()

    def isnull(self):
        return self.column() + k(self.r.choice(['IS NULL', 'IS NOT NULL']))

    def rows(self):
        return m('(') + self.column() + m(',') + self.column() + m(')') + \
            k('IN') + m('(') + self.comma(self.row, 1, 3) + m(')')

    def row(self):
        return m('(') + self.literal() + m(',') + self.literal() + m(')')

    def predicate(self, depth=0):
        if depth < 2 and self.r.random() < 0.35:
            return self.predicate(depth + 1) + \
                k(self.r.choice(['AND', 'OR'])) + self.predicate(depth + 1)
        makers = [self.comparison, self.comparison, self.inlist, self.between,
                  self.like, self.isnull]
        if depth < 2:
            makers += [self.insub, self.rows]
        return self.pick(*makers)

    def source(self):
        out = self.name()
        for _ in range(self.r.randint(0, 2)):
            out += k(self.r.choice(['JOIN', 'LEFT JOIN', 'INNER JOIN'])) + \
                self.name() + k('ON') + self.column() + m('=') + self.column()
        return out

    def select(self, whole=True):
        out = k('SELECT')
        if self.r.random() < 0.2:
            out += k('DISTINCT')
        out += self.comma(self.expr, 1, 4) + k('FROM') + self.source()
        if self.r.random() < 0.8:
            out += k('WHERE') + self.predicate()
        if self.r.random() < 0.2:
            out += k('GROUP BY') + self.comma(self.column, 1, 2)
        if whole and self.r.random() < 0.3:
            out += k('ORDER BY') + self.comma(self.column, 1, 2)
            if self.r.random() < 0.5:
                out += k(self.r.choice(['ASC', 'DESC']))
        if whole and self.mysql and self.r.random() < 0.3:
            out += k('LIMIT') + [Part(WHOLE, '1')]
        return out

    def union(self):
        return self.select(False) + \
            k(self.r.choice(['UNION', 'UNION ALL'])) + self.select()

    def insert(self):
        n = self.r.randint(1, 4)
        out = k('INSERT INTO') + self.name() + m('(')
        out += self.comma(self.name, n, n) + m(')') + k('VALUES')
        return out + self.comma(
            lambda: m('(') + self.comma(self.literal, n, n) + m(')'), 1, 4)

    def update(self):
        return k('UPDATE') + self.name() + k('SET') + self.comma(
            lambda: self.name() + m('=') + self.expr(1), 1, 3) + \
            k('WHERE') + self.predicate()

    def delete(self):
        return k('DELETE FROM') + self.name() + k('WHERE') + self.predicate()

    def statement(self):
        return self.pick(self.select, self.select, self.union, self.insert,
                         self.update, self.delete)


class Style:
    """One way to write parts down."""

    def __init__(self, seed, dialect, plain=False):
        self.r = random.Random(seed)
        self.dialect = dialect
        self.plain = plain

    def literal_number(self):
        v = self.r.choice(['0', '1', '42', '1000000', '3.14', '.5', '2e10',
                           str(self.r.randint(0, 10 ** 9))])
        return v

    def literal_string(self):
        v = self.r.choice(['', 'a', 'x y', "it''s", 'SELECT 1', '-- no',
                           '/* no */', '%_%', '2024-01-01 10:20:30', '\u6771',
                           ';', '"', 'a,b)(', ':b1'])
        if self.dialect.startswith(('mysql', 'maria', 'canon')):
            v = self.r.choice([v, v, "it\\'s", 'C:\\\\', '\\n'])
            if self.r.random() < 0.3 and '"' not in v and "''" not in v:
                return '"' + v + '"'
        elif self.r.random() < 0.3:
            v = self.r.choice(['C:\\', '\\', 'a\\b'])
        if self.dialect == 'oracle' and self.r.random() < 0.2:
            return "q'[it's]'"
        if self.dialect == 'postgresql' and self.r.random() < 0.2:
            return "$q$it's$q$"
        return "'" + v + "'"

    def space(self, needed):
        if self.plain:
            return ' '
        pool = [' ', ' ', '  ', '\n', '\t', ' /* c */ ', ' /* \' " */ ',
                '\n-- line \' "\n', '\r\n']
        if self.dialect.startswith(('mysql', 'maria', 'canon')):
            pool.append(' # hash \'\n')
        if not needed and self.r.random() < 0.5:
            return ''
        return self.r.choice(pool)

    def word(self, w):
        return w if self.plain else self.r.choice(
            [w, w.lower(), w.capitalize()])

    def text(self, p):
        if p.kind == KEYWORD:
            return self.word(p.text)
        if p.kind == NUMBER:
            return self.literal_number()
        if p.kind == WHOLE:
            return str(self.r.randint(0, 10 ** 9))
        if p.kind == STRING:
            return self.literal_string()
        return p.text

    def write(self, parts):
        out = ''
        last = None
        for p in parts:
            t = self.text(p)
            wordy = (KEYWORD, NAME, NUMBER, WHOLE, CALL, STRING)
            glued = last is None or p.kind == GLUE or last.kind == GLUE or \
                last.kind == CALL
            if not glued:
                needed = (last.kind in wordy and p.kind in wordy) or \
                    t[0] in '.*/-+' or out[-1] in '/-*<>=+.'
                out += self.space(needed)
            out += t
            last = p
        return out


def rename(parts, seed):
    """The same statement with one other name, or None."""
    r = random.Random(seed)
    at = [i for i, p in enumerate(parts) if p.kind == NAME]
    if not at:
        return None
    i = r.choice(at)
    return parts[:i] + [Part(NAME, parts[i].text + '_q')] + parts[i + 1:]
