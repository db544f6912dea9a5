#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many missing calls the sanitizer finds.

Runs correct programs with UNPU_SANITIZE, and again without one of their waits, records and synchronizations, each of
them in turn (drop_call.cpp). The judge has to report what the definition calls a race (trace_order.h, conflicts.h) or a
wait that never ends. A call without which no pair of conflicting accesses in the trace loses its order is redundant.
Ends with 1 when fewer than --wanted of the other calls are reported, or when something is reported that is neither."""
import argparse
import concurrent.futures
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from gtest_list import list_tests  # noqa: E402

ENDED_BY_LIMIT = "hangs"


class Run:
    """One run of a program and what its traces say."""

    def __init__(self, options, command, number):
        with tempfile.TemporaryDirectory(prefix="unpu-recall-") as folder:
            log = os.path.join(folder, "calls")
            environment = {**os.environ, "UNPU_SANITIZE": folder, "LD_PRELOAD": options.drop,
                           "UNPU_DROP_LOG": log, "UNPU_DROP_CALL": str(number)}
            try:
                self.code = subprocess.run(command, env=environment, timeout=options.limit, check=False,
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL).returncode
            except subprocess.TimeoutExpired:
                self.code = ENDED_BY_LIMIT
            self.calls = []
            if os.path.exists(log):
                with open(log, encoding="utf-8", errors="replace") as file:
                    self.calls = [line.split(" ", 1)[1].strip() for line in file if " " in line]
            facts = json.loads(subprocess.run([options.facts, folder], check=True, stdout=subprocess.PIPE).stdout)
        self.errors = set(facts["errors"])
        self.races = set(facts["races"])
        self.problem = facts["problem"]
        self.records = facts["records"]

    def hangs(self):
        return self.code == ENDED_BY_LIMIT


class Row:
    """The result for one program."""

    def __init__(self, name):
        self.name = name
        self.reported = self.redundant = self.calls = self.failed = 0
        self.missed, self.extra, self.notes = [], [], []

    def needed(self):
        return self.reported + len(self.missed)

    def line(self):
        notes = "; ".join(self.notes)
        return (f"{self.name:48} {self.calls:6} {self.redundant:10} {self.needed():7} {self.reported:9} "
                f"{len(self.missed):7} {len(self.extra):6}  {notes}")


HEAD = f"{'program':48} {'calls':>6} {'redundant':>10} {'needed':>7} {'reported':>9} {'missed':>7} {'extra':>6}"


def attempt(options, command, number):
    """A run. A machine that does other things may stop a program for long, so one that hangs without a finding
    is tried again."""
    run = Run(options, command, number)
    return Run(options, command, number) if run.hangs() and not run.errors else run


def judge(row, clean, run, number, call):
    """Sorts one call into its class."""
    found = run.errors - clean.errors
    races = run.races - clean.races
    if run.records == 0:
        races = races | {"the program wrote no trace"}
    if run.hangs():
        races = races | {"the program hangs"}
    if found and races:
        row.reported += 1
    elif races:
        row.missed.append((number, call, sorted(races)))
    elif found:
        row.extra.append((number, call, sorted(found)))
    else:
        row.redundant += 1
    row.failed += run.code not in (0, ENDED_BY_LIMIT)


def measure(options, name, command):
    """The row of a program; None when the time is over."""
    if time.monotonic() > options.ends:
        return None
    row = Row(name)
    clean = attempt(options, command, 0)
    if clean.code != 0:
        row.notes.append("left out, it hangs" if clean.hangs() else f"left out, it ends with {clean.code}")
        return row
    if clean.problem:
        row.notes.append(clean.problem)
    if clean.errors or clean.races:
        row.notes.append(f"with all calls: {len(clean.errors)} findings, {len(clean.races)} races")
    row.calls = min(len(clean.calls), options.most)
    if len(clean.calls) > options.most:
        row.notes.append(f"the first of {len(clean.calls)} calls")
    for number in range(1, row.calls + 1):
        run = attempt(options, command, number)
        judge(row, clean, run, number, clean.calls[number - 1])
    return row


def names_of(executable):
    text = subprocess.run([executable], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sorted(line.split()[0] for line in text.splitlines() if line)


def programs_of(options):
    programs = []
    for executable in options.each:
        programs += [(name, [executable, name, "fixed"]) for name in names_of(executable)
                     if name not in options.skip]
    for command in options.program:
        words = shlex.split(command)
        programs.append((os.path.basename(words[0]), words))
    for executable in options.gtest:
        programs += [(suite + test, [executable, f"--gtest_filter={suite}{test}"])
                     for suite, test in list_tests(executable, options.filter)]
    return programs


def show(rows, options):
    print(HEAD)
    for row in rows:
        if not options.brief or row.missed or row.extra or row.notes:
            print(row.line())
    total = Row(f"all {len(rows)}")
    for row in rows:
        total.calls += row.calls
        total.redundant += row.redundant
        total.reported += row.reported
        total.missed += row.missed
        total.extra += row.extra
    print(total.line())
    for kind in ("missed", "extra"):
        for row in rows:
            for number, call, why in getattr(row, kind):
                print(f"\n{kind}: {row.name}, call {number}: {call}")
                print("\n".join("    " + line for text in why[:2] for line in text.splitlines()))
    needed = total.needed()
    share = total.reported / needed if needed else 0
    print(f"\n{total.reported} of {needed} needed calls are reported: {100 * share:.1f} %")
    return needed > 0 and share >= options.wanted and not total.extra


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drop", required=True, help="the library that leaves out a call")
    parser.add_argument("--facts", required=True, help="the program that reads traces")
    parser.add_argument("--each", action="append", default=[], help="a program that has a list of programs")
    parser.add_argument("--skip", action="append", default=[], help="a program of such a list that is left out")
    parser.add_argument("--program", action="append", default=[], help="a command line")
    parser.add_argument("--gtest", action="append", default=[], help="a googletest program, test by test")
    parser.add_argument("--filter", default="*", help="which of its tests")
    parser.add_argument("--most", type=int, default=200, help="calls of one program")
    parser.add_argument("--limit", type=float, default=4, help="seconds that a run may take")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("--wanted", type=float, default=0.95, help="share that has to be reported")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("UNPU_RECALL_SECONDS", "0")),
                        help="take programs at random, and begin none after that time")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the programs, with --seconds")
    parser.add_argument("--brief", action="store_true", help="only the lines that say something")
    options = parser.parse_args()
    options.drop = os.path.abspath(options.drop)
    programs = programs_of(options)
    options.ends = float("inf")
    if options.seconds:
        random.Random(options.seed).shuffle(programs)
        options.ends = time.monotonic() + options.seconds
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(measure, options, *program) for program in programs]
        rows = [row for job in jobs if (row := job.result())]
    if len(rows) < len(programs):
        print(f"{len(rows)} of {len(programs)} programs, by seed {options.seed}")
    return 0 if show(rows, options) else 1


if __name__ == "__main__":
    sys.exit(main())
