#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each numbered check of the AscendCL interface is a test of the conformance suite, by its name, and
no test has a number that is none."""
import re

import tree

CHECKS = range(1, 69)
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+), Check(\d+)_(\w+)\)", re.M)


def tests():
    """number -> names of the tests that have it."""
    found = {}
    for path in tree.files(["tests/conformance"], (".cpp",)):
        for suite, number, name in TEST.findall(tree.without_comments(tree.read(path))):
            found.setdefault(int(number), []).append(f"{suite}.Check{number}_{name}")
    return found


def main():
    found = tests()
    problems = [f"check {number} has no test" for number in CHECKS if number not in found]
    problems += [f"{name}: there is no check {number}"
                 for number in sorted(set(found) - set(CHECKS)) for name in found[number]]
    tree.verdict("checks", problems, len(found))


main()
