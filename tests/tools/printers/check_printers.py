#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_printers.py GDB PROGRAM LIBRARIES SCRIPT: gdb shows a stream by its id and an event by its handle. It loads the
printers with the library of the folder LIBRARIES, where it may, and SCRIPT, of those who do not allow that, has them too."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect_true, problems  # noqa: E402

GDB, PROGRAM, LIBRARIES, SCRIPT = sys.argv[1:]
STOP = ("break fflush", "run", "up", "print none", "print first", "print second", "print event", "print (aclrtEvent)first",
        "continue")


def gdb(*options):
    commands = [word for command in STOP for word in ("-ex", command)]
    done = subprocess.run([GDB, "-batch", "-nx", *options, *commands, PROGRAM], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, timeout=240)
    return done.stdout


def main():
    for options in (("-iex", f"add-auto-load-safe-path {LIBRARIES}"), ("-iex", "set auto-load off", "-x", SCRIPT)):
        text = gdb(*options)
        told = re.search(r"second is stream (\d+)", text)
        for wanted in (r"^\$1 = NULL, the default stream$", r"^\$2 = stream \d+ \(0x52\w+\)$",
                       rf"^\$3 = stream {told.group(1) if told else 'none'} \(0x52\w+\)$", r"^\$4 = event 0x53\w+$",
                       r"^\$5 = 0x52\w+, which is no event$", r"exited normally"):
            expect_true(f"with {options} no line matches {wanted!r} in:\n{text}", re.search(wanted, text, re.M))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
