#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_bench_programs.py SCALE PEERS: what programs of bench/ say to wrong command lines, before they measure."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from expectations import expect, expect_in, problems  # noqa: E402

SCALE, PEERS = sys.argv[1:]


def main():
    for words, status, sentence in (((SCALE, "--only", "nonsense"), 2, "nonsense not in {streams,clients,"),
                                    ((SCALE, "--nonsense"), 2, "--nonsense"), ((SCALE, "--rounds", "0"), 2, "--rounds"),
                                    ((SCALE, "--json", "/nowhere/at/all"), 1, "scale: /nowhere/at/all can't be written"),
                                    ((PEERS, "--peer", "standard", "--json", "/nowhere/at/all"), 1,
                                     "peers: /nowhere/at/all can't be written"),
                                    ((PEERS, "--peer", "nonsense"), 1, "peers: nonsense is not among"),
                                    ((PEERS, "--nonsense"), 2, "--nonsense")):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
        expect(f"{words} ends with", (done.returncode, done.stdout), (status, ""))
        expect_in(f"{words}", done.stderr, sentence)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
