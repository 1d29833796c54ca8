#!/usr/bin/python3
"""The tables of one run fit each other, digit by digit.

Read back from CSV, without the program: the profile adds up to the span, the
timeline and the statements to the profile, the cube to the timeline, wide
tables to tall ones; nodes are numbered in pre-order; rows stand in the order
that is promised.  Over the shipped corpus, and the smaller shared traces.
"""
import collections
import csv
import os
import subprocess
import sys
import tempfile
from decimal import Decimal

PROGRAM = os.environ.get("PROFPIVOT", "build/profpivot")
SHARED = os.environ.get("PP_SHARED", "")
SMALL = 200 * 1024

csv.field_size_limit(1 << 30)


class Tables:
    def __init__(self, folder):
        self.folder = folder
        self.rows = {}

    def __getitem__(self, name):
        if name not in self.rows:
            path = os.path.join(self.folder, name + ".csv")
            with open(path, newline="", encoding="utf-8") as f:
                self.rows[name] = list(csv.DictReader(f))
        return self.rows[name]

    def sums(self, name, column, *by, where=lambda r: True):
        total = collections.Counter()
        for r in self[name]:
            if where(r):
                key = tuple(r[b] for b in ("source", "session") + by)
                total[key] += Decimal(r[column] or 0)
        return total

    def across(self, name, fixed):
        """Sums of the columns behind the fixed ones."""
        total = collections.Counter()
        for r in self[name]:
            total[r["source"], r["session"]] += sum(
                Decimal(r[c] or 0) for c in list(r)[fixed:])
        return total


def differ(a, b):
    for key in sorted(set(a) | set(b)):
        if a.get(key, 0) != b.get(key, 0):
            return "%s: %s is not %s" % (key, a.get(key), b.get(key))
    return None


def check_sums(t):
    event = ("event", "class")
    span = {(r["source"], r["session"]): Decimal(r["span_s"])
            for r in t["sessions"] if r["span_s"]}
    profile = t.sums("profile", "time_s", *event)
    calls = t.sums("statements", "self_s", "statement",
                   where=lambda r: r["statement"] != "(between calls)")
    return [
        ("profile is the span", t.sums("profile", "time_s"), span),
        ("timeline is the profile",
         t.sums("timeline", "time_s", *event), profile),
        ("timeline counts as the profile",
         t.sums("timeline", "count", *event),
         t.sums("profile", "count", *event)),
        ("cube is the timeline",
         t.sums("cube", "time_s", "interval", *event),
         t.sums("timeline", "time_s", "interval", *event)),
        ("statement events are the profile",
         t.sums("statement_events", "time_s", *event), profile),
        ("statements are the span", t.sums("statements", "self_s"), span),
        ("tree is the span", t.sums("tree", "self_s"), span),
        ("calls are the statements",
         t.sums("statement_calls", "self_s", "statement"), calls),
        ("timeline pivot is the span", t.across("timeline_pivot", 6), span),
        ("statement pivot is the span", t.across("statement_pivot", 5),
         span),
        ("histogram is the profile",
         t.sums("histogram", "time_s", "event"),
         t.sums("profile", "time_s", "event",
                where=lambda r: r["class"] not in (
                    "unaccounted", "missing"))),
    ]


def check_intervals(t):
    """Each interval's rows add up to its overlap with the session."""
    session = {(r["source"], r["session"]): r for r in t["sessions"]}
    edges = {}
    for r in t["timeline"]:
        edges[r["source"], r["session"], r["interval"]] = (
            Decimal(r["start_s"]), Decimal(r["end_s"]))
    for key, time in t.sums("timeline", "time_s", "interval").items():
        s = session[key[:2]]
        low = max(edges[key][0], Decimal(s["start_s"]))
        high = min(edges[key][1], Decimal(s["end_s"]))
        if time != high - low:
            return "%s: %s in %s" % (key, time, high - low)
    return None


def check_rows_add_up(t):
    """self is the sum of its parts; a known hole lies between the calls and
    has no column there."""
    holes = t.sums("profile", "time_s",
                   where=lambda r: r["class"] == "missing")
    for name in ("statements", "tree", "statement_calls"):
        for r in t[name]:
            parts = sum(Decimal(r[c] or 0) for c in (
                "self_cpu_s", "self_queue_s", "self_wait_s",
                "self_unaccounted_s"))
            if r["statement"] == "(between calls)":
                parts += holes[r["source"], r["session"]]
            if Decimal(r["self_s"]) != parts:
                return "%s: %s" % (name, dict(r))
    return None


def check_tree(t):
    """Numbers rise by one, parents come before, a level up; elapsed time of
    siblings falls; (between calls) ends each session."""
    last, depth, elapsed = None, {}, {}
    closed = True
    for r in t["tree"]:
        key = r["source"], r["session"]
        if key != last:
            if not closed:
                return "%s: no (between calls)" % (last,)
            last, depth, elapsed, number = key, {}, {}, 1
        if int(r["node"]) != number:
            return "%s: node %s is not %d" % (key, r["node"], number)
        number += 1
        closed = r["statement"] == "(between calls)"
        if closed:
            continue
        up = depth[r["parent"]] + 1 if r["parent"] else 0
        if int(r["depth"]) != up:
            return "%s: node %s has depth %s" % (key, r["node"], r["depth"])
        depth[r["node"]] = up
        before = elapsed.get(r["parent"])
        now = Decimal(r["elapsed_s"])
        if before is not None and before < now:
            return "%s: node %s out of order" % (key, r["node"])
        elapsed[r["parent"]] = now
    return None if closed else "%s: no (between calls)" % (last,)


def rising(rows, key, what):
    last = None
    for r in rows:
        k = key(r)
        if last is not None and k < last:
            return "%s: %s" % (what, dict(r))
        last = k
    return None


def check_order(t):
    place = {r["source"]: i for i, r in enumerate(t["sources"])}

    def session(r):
        return place[r["source"]], int(r["session"])

    def event(r):
        return r["event"].encode(), r["class"]

    order = ["cpu", "queue", "wait", "idle", "stage", "statement",
             "unaccounted", "missing"]
    rank = {}
    for i, r in enumerate(t["profile"]):
        rank[session(r) + (r["event"], r["class"])] = i
    stmt = {}
    for i, r in enumerate(t["statements"]):
        stmt[session(r) + (r["statement"],)] = i

    def rank_of(r):
        return rank[session(r) + (r["event"], r["class"])]

    def stmt_of(r):
        return stmt[session(r) + (r["statement"],)]

    return (
        rising(t["sessions"], session, "sessions") or
        rising(t["profile"], lambda r: session(r) + (
            -Decimal(r["time_s"]), event(r)[0], order.index(r["class"])),
            "profile") or
        rising(t["timeline"], lambda r: session(r) + (
            int(r["interval"]), rank_of(r)), "timeline") or
        rising(t["cube"], lambda r: session(r) + (
            int(r["interval"]), rank_of(r), stmt_of(r)), "cube") or
        rising(t["statements"], lambda r: session(r) + (
            r["statement"] == "(between calls)", -Decimal(r["self_s"]),
            r["statement"].encode()), "statements") or
        rising(t["statement_events"], lambda r: (
            stmt_of(r), -Decimal(r["time_s"]), event(r)[0]),
            "statement_events") or
        rising(t["statement_calls"], lambda r: (
            stmt_of(r), -Decimal(r["elapsed_s"]), r["call"]),
            "statement_calls") or
        rising(t["statement_pivot"], stmt_of, "statement_pivot") or
        rising(t["gaps"], lambda r: session(r) + (-Decimal(r["time_s"]),),
               "gaps") or
        rising(t["texts"], lambda r: r["statement"].encode(), "texts"))


def say(name, why):
    print("not ok %s: %s" % (name, why) if why else "ok %s" % name)


def run(name, inputs, *options):
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "out")
        p = subprocess.run(
            [PROGRAM, "convert", "-q", "-t", "csv", "-o", out, *options,
             *inputs], stderr=subprocess.PIPE, check=False)
        if p.returncode not in (0, 3):
            say(name, "status %d: %s" % (
                p.returncode, p.stderr.decode(errors="replace")[:200]))
            return
        t = Tables(out)
        for what, a, b in check_sums(t):
            say("%s: %s" % (name, what), differ(a, b))
        say(name + ": intervals hold their overlap", check_intervals(t))
        say(name + ": rows add up", check_rows_add_up(t))
        say(name + ": tree in pre-order", check_tree(t))
        say(name + ": rows in order", check_order(t))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    ok = "corpora/oracle10046/ok"
    run("corpus", [ok])
    run("corpus in 3 intervals", [ok], "--intervals", "3")
    run("damaged corpus", ["corpora/oracle10046/bad"])
    folder = os.path.join(SHARED, "corpora", "oracle")
    if not SHARED or not os.path.isdir(folder):
        print("skip shared traces: no PP_SHARED")
        return
    small = [os.path.join(folder, f) for f in sorted(os.listdir(folder))
             if (f.endswith(".trc") or f.endswith(".trc.gz")) and
             os.path.getsize(os.path.join(folder, f)) < SMALL]
    run("shared traces", small)


if __name__ == "__main__":
    sys.exit(main())
