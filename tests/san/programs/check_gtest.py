#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_gtest.py UNPU_SAN PROGRAM: findings name the test of GoogleTest that made them, also the one that opened the
device."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect, problems  # noqa: E402

SAN, PROGRAM = sys.argv[1:]
FOUND = 1


def findings_of(*arguments):
    """The code of unpu-san, and the parts of the program that each finding names."""
    with tempfile.TemporaryDirectory(prefix="unpu-gtest-") as folder:
        log = os.path.join(folder, "report")
        done = subprocess.run([SAN, "run", "--by-mark", "--format", "json", "--log", log, "--", PROGRAM, *arguments],
                              check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with open(log, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
    if not lines:
        print(done.stderr)
    return done.returncode, sorted(line.get("during", []) for line in lines if line["kind"] == "finding")


expect("all tests", findings_of(), (FOUND, [["Copies.BeginsWithARace"], ["Copies.EndsWithARace"]]))
expect("the one in order", findings_of("--gtest_filter=*Order"), (0, []))
expect("the last one alone", findings_of("--gtest_filter=*Ends*"), (FOUND, [["Copies.EndsWithARace"]]))
print("\n".join(problems))
sys.exit(1 if problems else 0)
