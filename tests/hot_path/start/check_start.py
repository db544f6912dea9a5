#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_start.py PROGRAM BARE [MOST_MS]: the README's program, which opens a device, copies there and back and ends, takes at
most MOST_MS (4) of CPU, from exec to its end, in all its threads and in the kernel.

That holds for a machine where BARE, a C++ program that prints a line, takes a millisecond. On a slower or busier one it may
take as many times longer as BARE does. The programs take turns, and the least of each counts, as other programs only add."""
import os
import sys

RUNS = 60
MOST_MS = 4


def cpu_ms(program, nothing):
    actions = [(os.POSIX_SPAWN_DUP2, nothing, 1)]
    process = os.posix_spawn(program, [program], dict(os.environ), file_actions=actions)
    _, status, used = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{program} ended with {os.waitstatus_to_exitcode(status)}")
    return (used.ru_utime + used.ru_stime) * 1000


def main():
    program, bare = sys.argv[1:3]
    most = float(sys.argv[3]) if len(sys.argv) > 3 else MOST_MS
    nothing = os.open(os.devnull, os.O_WRONLY)
    pairs = [(cpu_ms(program, nothing), cpu_ms(bare, nothing)) for _ in range(RUNS)]
    least, least_bare = (min(times) for times in zip(*pairs))
    most *= max(1, least_bare)
    print(f"CPU from exec to the end: {least:.2f} ms, a bare program {least_bare:.2f} ms, at most {most:.2f} ms")
    if least > most:
        sys.exit("the start takes too much CPU")


main()
