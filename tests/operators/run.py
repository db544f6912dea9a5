#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py DRIVER [--family NAME] [--cases N] [--seed N] [--device STRING] [--operator NAME] [--number N] [--spoil]
       [--hostile] [--grow N]

Runs random cases of each tensor operator on a device, N of each family, and compares the results with numpy.
Without --seed the seed is the time; it is printed. --number N runs case N of a family alone. With --spoil each
result is changed in one element before it is compared, and each comparison must fail. With --hostile arguments are
changed, and only errors are checked: on null:, which computes nothing. With several --device the cases run on each,
and all must have the same bits. --grow N makes tensors about N times larger; a case that is too large for the
driver's memory is drawn again, for half as much. Needs numpy: without it the
program says so and ends with 77."""
import argparse
import importlib
import itertools
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("skipped: this interpreter has no numpy")
    sys.exit(77)

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "oracle"))

import case as cases  # noqa: E402
import compare  # noqa: E402
import formats  # noqa: E402
import hostile  # noqa: E402

FAMILIES = ("elementwise", "several", "layout", "indices", "reductions", "matrices", "norms", "attention", "windows")
TABLE = HERE.parent.parent / "umd/aclnn/operators.json"
# These have entry points of their own.
CASES_PER_RUN = 500
CASES_PER_RUN_GROWN = 8
FAILURES = 5


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("driver")
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--device", action="append")
    parser.add_argument("--grow", type=int, default=1)
    parser.add_argument("--operator")
    parser.add_argument("--number", type=int)
    parser.add_argument("--spoil", action="store_true")
    parser.add_argument("--hostile", action="store_true")
    return parser.parse_args()


def check_table(families):
    """Each operator of the table is in one family."""
    wanted = {row["name"] for row in json.loads(TABLE.read_text())["operators"]}
    drawn = [name for family in families.values() for name in family.OPERATORS]
    if sorted(drawn) != sorted(wanted):
        sys.exit(f"operators without cases: {sorted(wanted - set(drawn))}, "
                 f"cases without operators: {sorted(set(drawn) - wanted)}")


def names_of_arguments():
    """For each operator the names of its tensors and of its other arguments."""
    rows = {"Add": (["self", "other", "out"], ["alpha"]), "InplaceAdd": (["selfRef", "other"], ["alpha"]),
            "Mul": (["self", "other", "out"], []), "InplaceMul": (["selfRef", "other"], [])}
    for row in json.loads(TABLE.read_text())["operators"]:
        parts = [part.replace("*", " ").split() for part in row["args"].split(", ")]
        is_tensor = [any(word.startswith("aclTensor") for word in part) for part in parts]
        rows[row["name"]] = ([part[-1] for part, good in zip(parts, is_tensor) if good],
                             [part[-1] for part, good in zip(parts, is_tensor) if not good])
    return rows


def draw(name, family, asked, number):
    names = sorted(family.OPERATORS)
    for attempt in itertools.count():
        case = cases.Case(name, asked.seed, number, asked.grow, attempt)
        # Each operator has its turn.
        case.name = asked.operator or names[number % len(names)]
        try:
            family.OPERATORS[case.name](case, case.name)
        except cases.TooLarge:
            continue
        if asked.hostile:
            hostile.spoil(case)
        return case


def take_results(path, drawn):
    """Yields the outcome and the memory of each case."""
    data = path.read_bytes()
    at = 0
    for case in drawn:
        prepare, launch, synchronize, count = struct.unpack_from("<iiiI", data, at)
        at += 16
        sentence = data[at:at + count].decode(errors="replace")
        at += count
        memory = np.frombuffer(data, dtype=np.uint8, count=len(case.memory), offset=at)
        at += len(case.memory)
        yield case, (prepare, launch, synchronize, sentence), memory


def run_driver(asked, drawn, folder):
    given, taken = folder / "cases", folder / "results"
    given.write_bytes(b"".join(case.pack() for case in drawn))
    for number, device in enumerate(asked.device or [None]):
        environment = dict(os.environ)
        if device:
            environment["UNPU_DEVICE"] = device
        path = folder / f"others{number}" if number else taken
        subprocess.run([asked.driver, given, path], check=True, env=environment)
        difference = find_difference(taken, path, drawn) if number else None
        if difference:
            sys.exit(f"{device} has other results than {asked.device[0]}: {difference}")
    return take_results(taken, drawn)


def find_difference(one, other, drawn):
    """Addresses differ, and so does what an operator has done before it fails."""
    def told_of(outcome):
        return (*outcome[:3], outcome[3].rpartition(", address")[0])
    for (case, told, memory), (_, other_told, other_memory) in zip(take_results(one, drawn),
                                                                   take_results(other, drawn)):
        if told_of(told) != told_of(other_told) or (told[2] == 0 and not np.array_equal(memory, other_memory)):
            return f"{case.name}, {told}, {other_told}, {np.count_nonzero(memory != other_memory)} bytes"
    return None


class Tally:
    """Failures, and the errors of each operator."""

    def __init__(self, limit):
        self.limit, self.failures, self.errors, self.counts = limit, 0, {}, {}
        self.taken = 0 # by both phases

    def add(self, case, wrong, errors):
        self.counts[case.name] = self.counts.get(case.name, 0) + 1
        for error, square in errors:
            sums = self.errors.setdefault(case.name, [0.0, 0.0])
            sums[0] += error
            sums[1] += square
        if wrong:
            self.failures += 1

    def worst(self):
        ratios = {name: error / square for name, (error, square) in self.errors.items()}
        name = max(ratios, key=ratios.get, default=None)
        return (name, ratios[name]) if name else ("none", 0.0)


def spoil(case, memory):
    """Changes the last byte of an element that is compared. Return: the memory, or None if there is no element."""
    memory = memory.copy()
    for operand, want in case.results:
        if want is not None and operand.positions.size:
            place = operand.positions.reshape(-1)[case.random.randrange(operand.positions.size)]
            memory[place + formats.storage(operand.dtype).itemsize - 1] ^= 0x40
            return memory
    return None


def compare_case(case, outcome, memory, asked):
    if asked.hostile:
        return hostile.check(case, asked.arguments[case.name], outcome), []
    if not asked.spoil:
        return compare.check(case, outcome, memory)
    memory = spoil(case, memory)
    if memory is None or compare.check(case, outcome, memory)[0]:
        return None, []
    return "a wrong result is not noticed", []


def run_family(name, family, asked, folder):
    tally = Tally(family.LIMIT)
    numbers = range(asked.cases) if asked.number is None else [asked.number]
    began = time.monotonic()
    each = CASES_PER_RUN if asked.grow == 1 else CASES_PER_RUN_GROWN
    for first in range(0, len(numbers), each):
        some = numbers[first:first + each]
        drawn = [draw(name, family, asked, number) for number in some]
        for number, (case, outcome, memory) in zip(some, run_driver(asked, drawn, folder)):
            wrong, errors = compare_case(case, outcome, memory, asked)
            tally.add(case, wrong, errors)
            tally.taken += outcome[:2] == (0, 0)
            if wrong:
                print(f"{name} case {number} of seed {asked.seed}: {case.name}: {wrong}", flush=True)
            if tally.failures == FAILURES:
                return False
    worst, error = tally.worst()
    where = " ".join(asked.device or ["the default device"])
    print(f"{name}: {len(numbers)} cases of {len(tally.counts)} operators on {where}, "
          f"seed {asked.seed}, {tally.taken} taken, {tally.failures} failed, greatest error {error:.1e} ({worst}, limit "
          f"{tally.limit:.0e}), {time.monotonic() - began:.0f} s", flush=True)
    return tally.failures == 0 and error <= tally.limit


def main():
    asked = options()
    families = {name: importlib.import_module(name) for name in FAMILIES}
    check_table(families)
    asked.arguments = names_of_arguments()
    if asked.seed is None:
        asked.seed = time.time_ns() % 10 ** 9
    with tempfile.TemporaryDirectory(prefix="unpu-operators-") as folder:
        good = [run_family(name, families[name], asked, pathlib.Path(folder))
                for name in asked.family or FAMILIES
                if not asked.operator or asked.operator in families[name].OPERATORS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
