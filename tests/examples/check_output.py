#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_output.py PROGRAM EXPECTED: the program ends with 0 and prints exactly the file. It may lock 8 MiB, as a user of
Debian, also where root runs it."""
import ctypes
import difflib
import resource
import subprocess
import sys

PR_CAPBSET_DROP = 24
CAP_IPC_LOCK = 14
MOST_LOCKED = 8 << 20


def become_a_user():
    """Root loses the right to lock more when it starts a program."""
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_IPC_LOCK, 0, 0, 0)
    hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
    if hard == resource.RLIM_INFINITY or hard > MOST_LOCKED:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (MOST_LOCKED, MOST_LOCKED))


def main():
    program, expected_path = sys.argv[1:]
    with open(expected_path, encoding="utf-8") as file:
        expected = file.read().splitlines(keepends=True)
    run = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False, preexec_fn=become_a_user)
    printed = run.stdout.splitlines(keepends=True)
    sys.stdout.writelines(difflib.unified_diff(expected, printed, expected_path, program))
    if run.returncode != 0:
        print(f"{program} ended with {run.returncode}")
    return 0 if run.returncode == 0 and printed == expected else 1


if __name__ == "__main__":
    sys.exit(main())
