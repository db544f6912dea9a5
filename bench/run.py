#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the limits of the machine, the peers and unpu by turns, some rounds, and writes result.json, result.csv
and report.html. Each round runs everything once: a ratio is taken to the descriptor's round trip that
the same process measured beside it, and what is shown is the median over the rounds."""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from report import interpreter, results

ROUNDS, QUICK_ROUNDS = 9, 3
# Of them, those that measure many objects and large operators too, which takes long.
SCALE_ROUNDS, QUICK_SCALE_ROUNDS = 3, 1
# What a round is at most; a peer that hangs is given up and reported.
LIMIT_S = 600
PARTS = ("latency", "graph", "scale", "operators")
# Those that bench/peers knows, found or not.
PEERS = ("standard", "tbb", "taskflow", "boost", "zeromq", "dpdk", "pocl-basic", "pocl-threads", "lavapipe", "hip-cpu")
# What other programs may use of the CPUs between the rounds, in percent, and the load for each CPU at the start.
BUSY_PERCENT, BUSY_LOAD = 10, 0.5
# How long is looked at what others do.
LOOK_S = 0.3
HERE = os.path.dirname(os.path.abspath(__file__))
COMPARE = os.path.join(HERE, "compare.py")
BASELINE = os.path.join(HERE, "baseline.json")
PACKAGES = ("libtbb-dev", "libboost-dev", "libzmq3-dev", "libdpdk-dev", "pocl-opencl-icd",
            "mesa-vulkan-drivers", "libdnnl2", "libopenblas0-serial", "libnuma1", "libbenchmark1debian", "libc6")


class Session:
    def __init__(self, options):
        self.options = options
        self.rounds = []
        self.commands = []
        self.host = {}
        self.trouble = []
        self.notes = []
        self.has_warned = False
        self.peers = {}
        cpus = len(os.sched_getaffinity(0))
        load = os.getloadavg()[0]
        self.busy = {"load_average": load, "cpus": cpus, "others_percent": 0, "is_busy": load > BUSY_LOAD * cpus}

    def look_at_others(self):
        """Between rounds nothing of ours runs, so what is busy is somebody else."""
        used = others_percent()
        self.busy["others_percent"] = max(used, self.busy["others_percent"])
        if used > BUSY_PERCENT:
            self.busy["is_busy"] = True
        if self.busy["is_busy"] and not self.has_warned:
            self.has_warned = True
            print(f"\rwarning: the machine is busy: other programs use {used:.0f} % of its {self.busy['cpus']} CPUs, the "
                  f"load was {self.busy['load_average']:.1f}; times are worse than it could do", file=sys.stderr)

    def progress(self, number, part):
        text = f"round {number + 1} of {self.options.rounds}: {part}"
        print(f"\r{text:60}", end="", file=sys.stderr, flush=True)

    def call(self, arguments):
        """The JSON that a program wrote, and what went wrong. One of the two is None."""
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            command = arguments + ["--json", file.name]
            if self.options.quick:
                command.append("--quick")
            shown = " ".join(arguments)
            if shown not in self.commands:
                self.commands.append(shown)
            try:
                done = subprocess.run(command, stdout=subprocess.DEVNULL, timeout=LIMIT_S,
                                      stderr=subprocess.PIPE, text=True, check=False)
            except subprocess.TimeoutExpired:
                return None, f"{shown}: no end within {LIMIT_S} s"
            if done.returncode != 0:
                return None, f"{shown}: {done.stderr.strip()[-300:]}"
            try:
                with open(file.name, encoding="utf-8") as written:
                    answer = json.load(written)
                _ = answer["measures"]
                self.notes += [line for line in done.stderr.splitlines()
                               if line.startswith("bench: ") and line not in self.notes]
                return answer, None
            except (ValueError, KeyError, TypeError):
                return None, f"{shown}: it wrote no measures"

    def find_peers(self):
        done = subprocess.run([self.program("peers")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode != 0:
            said = done.stderr.strip()[-300:]
            sys.exit(f"run.py: {self.program('peers')} ended with {done.returncode}" + (f": {said}" if said else ""))
        for line in done.stdout.splitlines():
            name, _, state = line.partition(" ")
            self.peers[name] = state
        for name in self.options.only:
            if name in PEERS and self.peers.get(name) != "found":
                sys.exit(f"run.py: --only {name}: this build does not have that peer")

    def is_wanted(self, part):
        only = self.options.only
        return not only or part in only or part in self.peers and "peers" in only

    def program(self, name):
        return os.path.join(self.options.build, "bench", name)

    def programs(self, number):
        many = number < (QUICK_SCALE_ROUNDS if self.options.quick else SCALE_ROUNDS)
        return [part for part in (PARTS if many else PARTS[:2]) if self.is_wanted(part)]

    def run(self):
        self.find_peers()
        for number in range(self.options.rounds):
            measures = {}
            self.look_at_others()
            for program in self.programs(number):
                self.progress(number, program)
                answer, wrong = self.call([self.program(program), "--rounds", "1"])
                self.add(measures, answer)
                self.trouble += [wrong] if wrong else []
            for name, state in list(self.peers.items()):
                if state != "found" or not self.is_wanted(name):
                    continue
                self.progress(number, name)
                answer, wrong = self.call([self.program("peers"), "--peer", name])
                self.add(measures, answer)
                if wrong:
                    self.leave_out(name, wrong)
            self.rounds.append(measures)
        print(f"\r{'':60}\r", end="", file=sys.stderr)

    def leave_out(self, peer, wrong):
        """A peer that can't run on this machine is no fault of the measurement, unless the user asked for that one."""
        self.peers[peer] = f"can't run here: {wrong}"
        if peer in self.options.only:
            self.trouble.append(wrong)

    def add(self, measures, answer):
        if answer is None:
            return
        self.host = answer.get("host", self.host)
        for measure in answer["measures"]:
            measures.setdefault(measure["key"], measure)

    def result(self):
        return {
            "date": datetime.datetime.now().isoformat(timespec="seconds"),
            "rounds": len(self.rounds),
            "quick": self.options.quick,
            "host": self.host,
            "busy": self.busy,
            "versions": versions(),
            "peers": self.peers,
            "commands": self.commands,
            "notes": self.notes,
            "trouble": self.trouble,
            "measures": [self.combine(key) for key in self.keys()],
        }

    def keys(self):
        keys = []
        for measures in self.rounds:
            keys += [key for key in measures if key not in keys]
        return keys

    def combine(self, key):
        seen = [measures[key] for measures in self.rounds if key in measures]
        entry = {"key": key, "title": seen[0]["title"], "rounds": len(seen)}
        entry["time_ns"] = spread([one["time_ns"]["median"] for one in seen])
        entry["p99_ns"] = statistics.median(one["p99_ns"] for one in seen)
        ratios = [one["ratio"]["median"] for one in seen if "ratio" in one]
        if ratios:
            entry["ratio"] = spread(ratios) | {"to": seen[0]["ratio"]["to"],
                                               "of": seen[0]["ratio"]["of"]}
        for word in ("items", "bytes", "object_bytes"):
            if word in seen[0]:
                entry[word] = seen[0][word]
        if "wakes" in seen[0]:
            entry["wakes"] = max(one["wakes"] for one in seen)
        entry["samples"] = [sample for one in seen for sample in one["samples"]]
        return entry


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def cpu_ticks():
    """(used, all) ticks of all CPUs since the machine's start. The guests' share is in the users' already."""
    with open("/proc/stat", encoding="utf-8") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def others_percent():
    before = cpu_ticks()
    time.sleep(LOOK_S)
    after = cpu_ticks()
    return 100 * (after[0] - before[0]) / max(1, after[1] - before[1])


def versions():
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False)
        found[package] = done.stdout if done.returncode == 0 else "absent"
    return found


def odd(text):
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a number of rounds") from None
    if number < 1 or number % 2 == 0:
        raise argparse.ArgumentTypeError(f"{number}: a number of rounds is odd, so that a round is in the middle")
    return number


def part(text):
    names = (*PARTS, "peers", *PEERS)
    if text not in names:
        raise argparse.ArgumentTypeError(f"{text}: there are {', '.join(names)}")
    return text


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", help="a release build's folder")
    parser.add_argument("--out", help="folder for what is written; bench-result, or that of the result to redraw")
    parser.add_argument("--rounds", type=odd, help=f"an odd number; {ROUNDS} unless told, {QUICK_ROUNDS} with --quick")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and samples")
    parser.add_argument("--only", action="append", type=part, default=[], metavar="PART",
                        help=f"measure this alone: {', '.join(PARTS)}, peers, or one peer; may be given several times")
    parser.add_argument("--compare", metavar="OLD", nargs="?", const=BASELINE, help="compare with this result at the end, "
                        "as compare.py does; bench/baseline.json unless told")
    parser.add_argument("--redraw", metavar="RESULT", help="measure nothing: make the page, the plots and the table of "
                        "a result.json again")
    parser.add_argument("--parse", action="store_true", help="only look whether the command line is right")
    options = parser.parse_args()
    if bool(options.build) == bool(options.redraw):
        parser.error("one of --build and --redraw is needed")
    if options.compare:
        # Before minutes of work, not after them.
        results.read(options.compare)
    options.rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    return options


def show(result, folder):
    """Prints the table and writes the page. What draws it is imported late, as another interpreter may have to."""
    from report import page  # pylint: disable=import-outside-toplevel
    print(page.table(result))
    print(page.write(result, folder))


def compare(options, path):
    """Beside the result that --compare names, if any. Return: the exit status."""
    if not options.compare:
        return 0
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-B", COMPARE, options.compare, path], check=False).returncode


def redraw(options):
    result = results.read(options.redraw, whole=True)
    folder = options.out or os.path.dirname(os.path.abspath(options.redraw))
    os.makedirs(folder, exist_ok=True)
    show(result, folder)
    return compare(options, options.redraw)


def measure(options):
    folder = options.out or "bench-result"
    # Before minutes of work, not after them.
    os.makedirs(folder, exist_ok=True)
    session = Session(options)
    session.run()
    result = session.result()
    path = os.path.join(folder, "result.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
    print(path)
    show(result, folder)
    if session.trouble:
        return 1
    return compare(options, path)


def main():
    try:
        options = parse()
        if options.parse:
            return
        interpreter.take_one_that_plots()
        sys.exit(redraw(options) if options.redraw else measure(options))
    except (OSError, results.NotAResult) as error:
        sys.exit(f"run.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


main()
