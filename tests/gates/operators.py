#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kinds of umd/aclnn/operators.json are those of uapi/tensor.h."""
import re

import tree

LETTER = {"W": "w", "W?": "v", "R": "r", "R?": "o", "R*": "l", "W*": "m", "RP": "p", "WP": "q"}


def check_kinds(table, problems):
    rows = re.findall(r'X\((\w+), \d+, "(\w+)", "(\w*)"\)', tree.read("include/uapi/tensor.h"))
    told = {name: (slots, attributes) for name, slots, attributes in rows}
    for name, kind in table["kinds"].items():
        slots = "".join(LETTER[letter] for _, letter in tree.generate.pairs(kind["slots"]))
        attributes = "".join(letter for _, letter in tree.generate.pairs(kind.get("attributes", "")))
        if told.get(name) != (slots, attributes):
            problems.append(f"{tree.generate.TABLE}: {name} is not as uapi/tensor.h has it")
    problems += [f"{tree.generate.TABLE} lacks the kind {name}" for name in told if name not in table["kinds"]]


def main():
    table, problems = tree.generate.table(), []
    check_kinds(table, problems)
    tree.verdict("operators", problems, len(table["kinds"]))


main()
