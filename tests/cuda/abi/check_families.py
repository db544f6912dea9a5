#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_families.py HEADER TABLE PAGE: each function of the families that the library has, as another
vendor's HEADER declares them, is in the entry points' TABLE, or in a row of the state table of PAGE. A row
names a function, or several with a * at the end; no row is without a function."""
import fnmatch
import re
import sys

FAMILY = re.compile(r"cu(Ctx|Device|Event|Graph(?!ics)|Ipc|LaunchHost|Mem|Pointer|Stream|ThreadExchange|UserObject)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    header, table, page = (read(path) for path in sys.argv[1:])
    declared = set(re.findall(r"^\s*(?:__CUDA_DEPRECATED\s+)?CUresult CUDAAPI (\w+)\(", header, re.M))
    declared = {re.sub(r"(_v[0-9]+)?(_pt[ds][sz])?$", "", name) for name in declared}
    wanted = {name for name in declared if FAMILY.match(name)}
    have = set(re.findall(r"\bX\((\w+), ", table))
    section = page.split("Functions that are not there\n", 1)[1]
    rows = re.findall(r"\bcu[A-Z]\w+(?:\\\*)?", section.split("\n\nLimits\n", 1)[0])
    rows = [row.replace("\\", "") for row in rows]
    problems = [f"{name} is neither an entry point nor in the state table" for name in sorted(wanted - have)
                if not any(fnmatch.fnmatchcase(name, row) for row in rows)]
    for row in rows:
        found = {name for name in declared if fnmatch.fnmatchcase(name, row)}
        if not found:
            problems.append(f"the state table has {row}, which the header does not declare")
        problems += [f"the state table has {row}, but {name} is there" for name in sorted(found & have)]
    print("\n".join(problems))
    print(f"{len(wanted)} functions, {len(wanted & have)} entry points, {len(problems)} wrong")
    sys.exit(1 if problems or not wanted else 0)


main()
