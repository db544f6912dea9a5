#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_inflight.py UNPU_SAN PROGRAMS: plain runs of the programs that use memory of copies in flight. Each has
just the findings that it names, with the function of the load or store and that of the copy; its repaired variant has none."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect, expect_in, problems  # noqa: E402

SAN, PROGRAMS = sys.argv[1:]
SOURCE = "acl_inflight"
FOUND = 1
FINDING = re.compile(r"^unpu-san F\d+ \w+ ([\w-]+)  ", re.M)


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def line_of(text, name):
    found = re.search(rf"^  {name:8} (.*)$", text, re.M)
    return found.group(1) if found else ""


def check(name, wanted):
    done = run(SAN, "run", "--", PROGRAMS, name, "bug")
    expect(f"{name} has", set(FINDING.findall(done.stderr)), set(wanted))
    expect(f"{name} ends with", done.returncode, FOUND if wanted else 0)
    if wanted:
        later, earlier = line_of(done.stderr, "later"), line_of(done.stderr, "earlier")
        expect_in(f"the access of {name}", later, "the program, host, ", f" {SOURCE}")
        expect_in(f"the copy of {name}", earlier, "aclrtMemcpyAsync, task ", f"run_{name}(")
        expect(f"lines of {name}", max(len(part.split("\n")) for part in done.stderr.split("\n\n")) <= 20, True)
        done = run(SAN, "run", "--", PROGRAMS, name, "fixed")
        expect(f"the repaired {name} has", FINDING.findall(done.stderr), [])
        expect(f"the repaired {name} ends with", done.returncode, 0)


def main():
    names = [line.split() for line in run(PROGRAMS).stdout.splitlines()]
    expect("programs", len(names), 43)
    for name, *wanted in names:
        check(name, wanted)
    print("\n".join(problems))
    print(f"check_inflight: {len(names)} programs, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
