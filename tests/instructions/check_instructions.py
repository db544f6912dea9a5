#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_instructions.py VALGRIND PROGRAM LIBRARIES: runs the program under callgrind with the
libraries of that folder, prints what each part cost, and says
no above the bounds of bounds.txt. Parts that begin with "lines of" are counted in cache lines, the others in
instructions."""
import os
import re
import subprocess
import sys
import tempfile

VALGRIND, PROGRAM, LIBRARIES = sys.argv[1:]
# Of the simulated first cache, whatever this machine has.
CACHES = ("--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64")
BOUNDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bounds.txt")


def read_bounds():
    bounds = {}
    with open(BOUNDS, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"([^#\t][^\t]*)\t+(\d+)\t", line)
            if found:
                bounds[found.group(1)] = int(found.group(2))
    return bounds


def totals(folder):
    """What callgrind counted in each part, event by event, by the name it was dumped with."""
    counts = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            text = file.read()
        trigger = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
        events = re.search(r"^events: (.*)$", text, re.M)
        total = re.search(r"^(?:totals|summary): ([\d ]+)$", text, re.M)
        if trigger and events and total:
            counts[trigger.group(1).strip()] = dict(zip(events.group(1).split(), map(int, total.group(1).split())))
    return counts


def cost_of(name, counted):
    if name.startswith("lines of"):
        return counted["D1mr"] + counted.get("D1mw", 0)  # callgrind leaves zeros at the end out
    return counted["Ir"]


def count():
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, LD_LIBRARY_PATH=LIBRARIES)
        done = subprocess.run(
            [VALGRIND, "-q", "--tool=callgrind", "--collect-atstart=no",
             *CACHES, f"--callgrind-out-file={folder}/out", PROGRAM],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            check=False)
        if done.returncode != 0:
            sys.exit(f"the program ended with {done.returncode}:\n{done.stderr}")
        counts = totals(folder)
    costs = {}
    for line in done.stdout.splitlines():
        name, calls = line.rsplit(" ", 1)
        costs[name] = cost_of(name, counts[name]) / int(calls)
    return costs


def main():
    bounds, costs = read_bounds(), count()
    problems = sorted(set(bounds) ^ set(costs))
    for name in problems:
        print(f"{name}: only in {'bounds.txt' if name in bounds else 'the program'}")
    print(f"{'part':24}{'counted':>10}{'at most':>10}")
    for name, cost in costs.items():
        most = bounds.get(name, 0)
        over = "" if cost <= most else "  too many"
        problems += [name] if over else []
        print(f"{name:24}{cost:10.1f}{most:10}{over}")
    print(f"instructions: {len(costs)} parts, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
