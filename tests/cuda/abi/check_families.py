#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_families.py HEADER TABLE REFUSED: each function that another vendor's HEADER declares is in one of the two
tables of entry points."""
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    header, table, refused = (read(path) for path in sys.argv[1:])
    declared = set(re.findall(r"^\s*(?:__CUDA_DEPRECATED\s+)?CUresult CUDAAPI (\w+)\(", header, re.M))
    declared = {re.sub(r"(_v[0-9]+)?(_pt[ds][sz])?$", "", name) for name in declared}
    have = set(re.findall(r"\bX\((\w+), ", table + refused))
    problems = [f"{name} is in no table" for name in sorted(declared - have)]
    print("\n".join(problems))
    print(f"{len(declared)} functions, {len(problems)} missing")
    sys.exit(1 if problems or not declared else 0)


main()
