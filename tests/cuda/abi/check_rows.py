#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_rows.py PROGRAM FILE: the program prints what the file says, after the file's comments."""
import subprocess
import sys


def main():
    printed = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True)
    found = dict(line.rsplit(" ", 1) for line in printed.stdout.splitlines())
    with open(sys.argv[2], encoding="utf-8") as file:
        wanted = dict(line.rsplit(" ", 1) for line in file.read().splitlines()
                      if not line.startswith("#"))
    wrong = [f"{name} is {found.get(name)}, not {wanted.get(name)}"
             for name in sorted(set(found) | set(wanted)) if found.get(name) != wanted.get(name)]
    print("\n".join(wrong))
    print(f"{len(found)} rows, {len(wrong)} wrong")
    sys.exit(1 if wrong or not found else 0)


main()
