#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an interface promises is a list of numbered checks. Each has a test that carries its number:
in tests/conformance at the head of the test's name, as Check41_WhatItIsAbout, in tests/cuda as
E5_WhatItIsAbout. No test has a number that is none."""
import re

import tree

TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
ASCENDCL = {str(number) for number in range(1, 69)}
# letter -> how many
CUDA = {"E": 28, "S": 24, "C": 30, "G": 11, "I": 9, "X": 11}


def problems_of(folder, number, wanted):
    """What is wrong between the numbers @wanted and those that @number finds in the tests' names."""
    found = {}
    for path in tree.files([folder], (".cpp",)):
        for suite, name in TEST.findall(tree.without_comments(tree.read(path))):
            for part in number.findall(name):
                found.setdefault(part.lstrip("0"), []).append(f"{suite}.{name}")
    return ([f"{folder}: no test for check {part}" for part in sorted(wanted - set(found))] +
            [f"{folder}: {name}: there is no check {part}"
             for part in sorted(set(found) - wanted) for name in found[part]])


def main():
    cuda = {f"{letter}{i}" for letter, count in CUDA.items() for i in range(1, count + 1)}
    problems = problems_of("tests/conformance", re.compile(r"^Check(\d+)_"), ASCENDCL)
    problems += problems_of("tests/cuda", re.compile(r"(?:^|_)([A-Z][0-9]+)(?=_|$)"), cuda)
    tree.verdict("checks", problems, len(ASCENDCL) + len(cuda))


main()
