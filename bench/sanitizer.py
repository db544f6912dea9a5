#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the sanitizer costs: each program without it, with its calls recorded, and with the contents of host memory
compared as well, by turns, and one table.

Programs of googletest run in a process for each suite. Ratios are those of the medians over the rounds; the ratio of CPU
time is the one to believe on a busy machine. Memory is what the recorder adds to the largest size of the program, and
what the judge needs for its trace. A row is over its limit when both ratios are. Ends with 1 if one is."""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "common"))

from gtest_list import list_tests  # noqa: E402

EXAMPLES = ("cross_stream_capture", "device_sync", "event_sync", "load_weights", "operators", "resources",
            "stream_sync", "stream_wait", "decoder")
CONFORMANCE = ("unpu_conformance", "unpu_cuda_conformance")
EXAMPLE_LIMIT, SUITE_LIMIT, COMPARED_LIMIT, SUBMIT_LIMIT_NS = 1.3, 2.0, 1.6, 300
SUITES_LIMIT = 1.3  # of the median over all suites
MEMORY_LIMIT_KIB = 64 << 10
# Shorter programs are mostly the start of a process and the make of the file, and their times are noise.
SHORT_S = 0.05


class Cost:
    """The seconds and the largest size of one run."""

    def __init__(self, command, environment, limit):
        self.failed = False
        begin = time.monotonic()
        with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            self.failed, used = wait_for(process, begin + limit)
        self.wall = time.monotonic() - begin
        self.cpu = used.ru_utime + used.ru_stime
        self.kib = used.ru_maxrss


def wait_for(process, deadline):
    """Whether the process has failed, and what it and its children have used."""
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid != 0:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode != 0, used
        if time.monotonic() > deadline:
            process.kill()
            deadline = float("inf")
        time.sleep(0.001)


class Row:
    """The runs of one program."""

    def __init__(self, name, command, limit):
        self.name = name
        self.command = command
        self.limit = limit
        self.plain, self.recorded, self.compared, self.judge_kib = [], [], [], []

    def run(self, options):
        plain = {key: text for key, text in os.environ.items() if not key.startswith("UNPU_SANITIZE")}
        self.plain.append(Cost(self.command, plain, options.limit))
        with tempfile.TemporaryDirectory(prefix="unpu-cost-") as folder:
            self.recorded.append(Cost(self.command, {**plain, "UNPU_SANITIZE": folder}, options.limit))
            judge = Cost([options.san, "report", "--fail-on", "never", folder], plain, options.limit)
            self.judge_kib.append(judge.kib)
        with tempfile.TemporaryDirectory(prefix="unpu-cost-") as folder:
            self.compared.append(Cost(self.command, {**plain, "UNPU_SANITIZE": folder,
                                                     "UNPU_SANITIZE_HOST": "digest+late"}, options.limit))

    def median(self, runs, field):
        return statistics.median(getattr(run, field) for run in runs)

    def ratio(self, field, runs=None):
        return self.median(runs or self.recorded, field) / max(self.median(self.plain, field), 1e-9)

    def least_ratio(self, runs):
        return min(self.ratio("wall", runs), self.ratio("cpu", runs))

    def more_kib(self):
        return self.median(self.recorded, "kib") - self.median(self.plain, "kib")

    def verdict(self):
        if any(run.failed for run in self.plain + self.recorded + self.compared):
            return "fails"
        over = []
        is_over = self.least_ratio(self.recorded) > self.limit
        if is_over or self.least_ratio(self.compared) > max(self.limit, COMPARED_LIMIT):
            over.append("short" if self.median(self.plain, "wall") < SHORT_S else "OVER")
        if self.more_kib() > MEMORY_LIMIT_KIB:
            over.append("MEMORY")
        return " ".join(over)

    def line(self):
        return (f"{self.name:44} {self.median(self.plain, 'wall'):8.3f} {self.ratio('wall'):6.2f} "
                f"{self.ratio('cpu'):6.2f} {self.limit:6.1f} {self.ratio('wall', self.compared):6.2f} "
                f"{self.ratio('cpu', self.compared):6.2f} {self.more_kib() / 1024:8.1f} "
                f"{max(self.judge_kib) / 1024:8.1f}  {self.verdict()}")


def rows_of(options):
    path = os.path.join(options.build, "bin")
    rows = [Row(name, [os.path.join(options.build, "examples", name)], EXAMPLE_LIMIT) for name in EXAMPLES]
    for text in options.program:
        words = shlex.split(text)
        rows.append(Row(os.path.basename(words[0]), words, EXAMPLE_LIMIT))
    for program in CONFORMANCE:
        executable = os.path.join(path, program)
        suites = dict.fromkeys(suite for suite, _ in list_tests(executable, options.filter))
        rows += [Row(f"{program.replace('unpu_', '')} {suite}*", [executable, f"--gtest_filter={suite}*"], SUITE_LIMIT)
                 for suite in suites]
    return [row for row in rows if not options.only or options.only in row.name]


def submit_row(options):
    """What a recorded submit costs more, by bench/latency; nothing if the program was not built."""
    program = os.path.join(options.build, "bench", "latency")
    if not os.path.exists(program):
        return "submit: not measured, there is no bench/latency", True
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, "--rounds", str(options.rounds), "--quick", "--json", file.name], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        measures = {measure["key"]: measure for measure in json.load(file)["measures"]}
    more = {part: measures["task.submit.recorded"]["time_ns"][part] - measures["task.submit"]["time_ns"][part]
            for part in ("median", "min")}
    return (f"submit: +{more['median']:.0f} ns by the medians, +{more['min']:.0f} ns by the least times, "
            f"at most {SUBMIT_LIMIT_NS}", more["min"] <= SUBMIT_LIMIT_NS)


def suites_line(rows):
    """The median and the worst ratio of the suites of conformance programs, and whether both are within their limits. As in a
    row, the lesser of both ratios counts. Suites that take less than SHORT_S count for the median alone."""
    suites = [row for row in rows if row.limit == SUITE_LIMIT]
    if not suites:
        return "suites: none", True
    median = statistics.median(row.least_ratio(row.recorded) for row in suites)
    worst = max((row.least_ratio(row.recorded), row.name) for row in suites
                if row.median(row.plain, "wall") >= SHORT_S or row is suites[0])
    cpu = statistics.median(row.ratio("cpu") for row in suites)
    return (f"suites: median {median:.2f} (CPU time alone {cpu:.2f}), at most {SUITES_LIMIT}; worst {worst[0]:.2f}, {worst[1]}, "
            f"at most {SUITE_LIMIT}", median <= SUITES_LIMIT and worst[0] <= SUITE_LIMIT)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="a release build's folder")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--filter", default="*", help="which conformance tests, as --gtest_filter takes it")
    parser.add_argument("--only", default="", help="rows whose names have this text")
    parser.add_argument("--program", action="append", default=[], help="one more command line")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a run may take")
    parser.add_argument("--no-submit", action="store_true", help="do not run bench/latency")
    options = parser.parse_args()
    options.san = os.path.join(options.build, "bin", "unpu-san")
    needed = [options.san] + [os.path.join(options.build, "bin", program) for program in CONFORMANCE]
    needed += [os.path.join(options.build, "examples", name) for name in EXAMPLES]
    for path in needed:
        if not os.access(path, os.X_OK):
            sys.exit(f"sanitizer.py: there is no program {path}; --build is the folder of a release with its tests")
    rows = rows_of(options)
    print(f"{'program':44} {'s':>8} {'wall':>6} {'cpu':>6} {'limit':>6} {'wall+':>6} {'cpu+':>6} {'+MiB':>8} {'judge':>8}", flush=True)
    for row in rows:
        for _ in range(options.rounds):
            row.run(options)
        print(row.line(), flush=True)
    bad = [row for row in rows if "OVER" in row.verdict() or "MEMORY" in row.verdict()]
    text, is_right = ("", True) if options.no_submit else submit_row(options)
    print(text)
    text, is_cheap = suites_line(rows)
    print(text)
    print(f"{len(rows)} programs, {options.rounds} rounds: {len(bad)} over a limit, "
          f"{sum(row.verdict() == 'fails' for row in rows)} fail")
    return 0 if not bad and is_right and is_cheap else 1


if __name__ == "__main__":
    sys.exit(main())
