#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the limits of the machine, the peers and unpu by turns, some rounds, and writes result.json
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

import report

ROUNDS, QUICK_ROUNDS = 9, 2
# Of them, those that measure many objects and large operators too, which takes long.
SCALE_ROUNDS, QUICK_SCALE_ROUNDS = 3, 1
# What a round is at most; a peer that hangs is given up and reported.
LIMIT_S = 600
BASE = "machine.descriptor"
PACKAGES = ("libtbb-dev", "libboost-dev", "libzmq3-dev", "libdpdk-dev", "pocl-opencl-icd",
            "mesa-vulkan-drivers", "libdnnl2", "libopenblas0-serial", "libnuma1", "libbenchmark1debian", "libc6")


class Session:
    def __init__(self, options):
        self.options = options
        self.rounds = []
        self.commands = []
        self.host = {}
        self.trouble = []
        self.peers = {}

    def progress(self, number, part):
        text = f"round {number + 1} of {self.options.rounds}: {part}"
        print(f"\r{text:60}", end="", file=sys.stderr, flush=True)

    def call(self, arguments):
        """The JSON a program wrote, or None."""
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
                self.trouble.append(f"{shown}: no end within {LIMIT_S} s")
                return None
            if done.returncode != 0:
                self.trouble.append(f"{shown}: {done.stderr.strip()[-300:]}")
                return None
            with open(file.name, encoding="utf-8") as written:
                return json.load(written)

    def find_peers(self):
        listing = subprocess.run([self.program("peers")], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout
        for line in listing.splitlines():
            name, state = line.split()
            self.peers[name] = state

    def program(self, name):
        return os.path.join(self.options.build, "bench", name)

    def programs(self, number):
        many = number < (QUICK_SCALE_ROUNDS if self.options.quick else SCALE_ROUNDS)
        return ("latency", "graph", "scale", "operators") if many else ("latency", "graph")

    def run(self):
        self.find_peers()
        for number in range(self.options.rounds):
            measures = {}
            self.progress(number, "unpu")
            for program in self.programs(number):
                self.add(measures, self.call([self.program(program), "--rounds", "1"]))
            for name, state in self.peers.items():
                if state != "found":
                    continue
                self.progress(number, name)
                self.add(measures, self.call([self.program("peers"), "--peer", name]))
            self.rounds.append(measures)
        print(f"\r{'':60}\r", end="", file=sys.stderr)

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
            "versions": versions(),
            "peers": self.peers,
            "commands": self.commands,
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


def versions():
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False)
        found[package] = done.stdout if done.returncode == 0 else "absent"
    return found


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="a release build's folder")
    parser.add_argument("--out", default="bench-result", help="folder for what is written")
    parser.add_argument("--rounds", type=int, help=f"{ROUNDS} unless told")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and samples")
    options = parser.parse_args()
    options.rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    return options


def main():
    options = parse()
    session = Session(options)
    session.run()
    result = session.result()
    os.makedirs(options.out, exist_ok=True)
    path = os.path.join(options.out, "result.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
    print(report.table(result))
    page = report.write(result, options.out)
    print(f"{path}\n{page}")
    sys.exit(1 if session.trouble else 0)


main()
