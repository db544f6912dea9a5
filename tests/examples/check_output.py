#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_output.py PROGRAM EXPECTED: the program ends with 0 and prints exactly the file."""
import difflib
import subprocess
import sys


def main():
    program, expected_path = sys.argv[1:]
    with open(expected_path, encoding="utf-8") as file:
        expected = file.read().splitlines(keepends=True)
    run = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
    printed = run.stdout.splitlines(keepends=True)
    sys.stdout.writelines(difflib.unified_diff(expected, printed, expected_path, program))
    if run.returncode != 0:
        print(f"{program} ended with {run.returncode}")
    return 0 if run.returncode == 0 and printed == expected else 1


if __name__ == "__main__":
    sys.exit(main())
