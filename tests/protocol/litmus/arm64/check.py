#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py [FILE...]: the litmus tests hold on AArch64, and each mutant is caught. Without a file it takes all, and each
row of the table in Documentation/synchronization.rst has a test. --herd: herd7 judges, and the status is 77 where it is
absent. --write FOLDER: writes the tests in herd7's format and ends."""
import argparse
import os
import re
import sys

import herd
import model
import program

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, *[os.pardir] * 4, "Documentation", "synchronization.rst")
ROW = re.compile(r"^   \* - ([A-Z]\d(?:/[A-Z]\d)?)$", re.M)
SKIPPED = 77


def reaches(test, mode, threads, condition, which="aarch64"):
    """Whether a variant of @test allows a result with @condition. The checker's own answer."""
    for made, extra in program.variants(test, mode, threads):
        whole = " & ".join([f"({condition})", *extra])

        def wanted(values, last, whole=whole):
            return program.truth(whole, values, last)
        if model.find(made, test.init, wanted, which):
            return True
    return False


def missing_rows(tests):
    """The rows of the table that no test names."""
    with open(PAGE, encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    if len(rows) < 10:
        yield f"{PAGE}: has no table that the checker can read"
    named = {test.name.split()[0] for test in tests}
    yield from (f"{row}: no litmus test" for row in rows if row not in named)


def mutants_of(test, mode):
    for mutant in test.mutants:
        if mutant.modes is None or mode in mutant.modes:
            yield mutant, test.mutated(mutant)


def check(test, judge):
    """Yields what is wrong with @test by @judge(test, mode, threads, condition). Counts mutants, and those of them that
    x86-64 does not show."""
    for mutant in test.mutants:
        if mutant.modes and not set(mutant.modes) <= set(test.modes()):
            yield f"{test.name}: no mode of '{mutant.sentence}' exists"
    for mode in test.modes():
        if judge(test, mode, None, test.never or test.allowed) != (test.never is None):
            yield f"{test.name} ({mode}): {'allows' if test.never else 'forbids'} {test.never or test.allowed}"
        for condition in test.sometimes:
            if not judge(test, mode, None, condition):
                yield f"{test.name} ({mode}): never reaches {condition}"
        for mutant, threads in mutants_of(test, mode):
            check.mutants += 1
            if not judge(test, mode, threads, test.never):
                yield f"{test.name} ({mode}): not caught: {mutant.sentence}"
            elif judge is reaches and not reaches(test, mode, threads, test.never, "x86-64"):
                check.weak += 1


check.mutants = check.weak = 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--herd", action="store_true")
    parser.add_argument("--write", metavar="FOLDER")
    options = parser.parse_args()
    names = options.files or sorted(os.path.join(HERE, n) for n in os.listdir(HERE) if n.endswith(".litmus"))
    tests = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            tests += program.parse(file.read())
    if options.write:
        return herd.write_all(tests, options.write)
    if options.herd and not herd.found():
        print("skipped: there is no herd7; scripts/arm64.sh --herd gets it")
        return SKIPPED
    problems = [] if options.files else list(missing_rows(tests))
    for test in tests:
        found = list(check(test, herd.judge if options.herd else reaches))
        print(f"{'BAD ' if found else 'good'} {test.name} ({', '.join(test.modes())}; {len(test.mutants)} mutants)")
        problems += found
    print("\n".join(problems))
    hidden = "" if options.herd else f" (x86-64 would hide {check.weak} of them)"
    print(f"{len(tests)} tests, {check.mutants} mutants{hidden}, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
