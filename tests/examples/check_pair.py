#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_pair.py FOLDER PROGRAM PROGRAM: both run at once, end with 0 and print exactly what
FOLDER/<name>.expected says."""
import difflib
import os
import subprocess
import sys
import tempfile


def main():
    folder, *programs = sys.argv[1:]
    good = True
    with tempfile.TemporaryDirectory(prefix="unpu-") as place:
        runs = [subprocess.Popen([program, place], stdout=subprocess.PIPE, text=True)
                for program in programs]
        for program, run in zip(programs, runs):
            name = os.path.basename(program) + ".expected"
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                expected = file.read().splitlines(keepends=True)
            printed = run.communicate()[0].splitlines(keepends=True)
            sys.stdout.writelines(difflib.unified_diff(expected, printed, name, program))
            if run.returncode != 0:
                print(f"{program} ended with {run.returncode}")
            good = good and run.returncode == 0 and printed == expected
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
