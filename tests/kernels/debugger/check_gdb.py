#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_gdb.py GDB PROGRAM SOURCES: gdb with the script of the toolkit stops at a kernel's name and at a line of it, shows
tensors, and steps one block."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect_true, problems  # noqa: E402

GDB, PROGRAM, SOURCES = sys.argv[1:]
KERNELS = os.path.join(SOURCES, "tests", "kernels", "bounds", "kernels.cpp")
TEST = "--gtest_filter=*WriteInTheNextAllocation"


def line_of(text):
    with open(KERNELS, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def gdb(*commands):
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
        file.write("\n".join(commands) + "\n")
        file.flush()
        done = subprocess.run([GDB, "-batch", "-nx", "-x", os.path.join(SOURCES, "tools", "unpu", "unpu_gdb.py"), "-x", file.name,
                               "--args", PROGRAM, TEST], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, timeout=240)
    return done.stdout


def main():
    line = line_of("queue.EnQue(t)")
    text = gdb("kernel-break move_floats", f"kernel-break kernels.cpp:{line}", "run", "continue", "print t", "print x",
               "show scheduler-locking", "next", "kill")
    for wanted in (r'"unpu-kernel-wor" hit Breakpoint 1, move_floats \(from=0x\w+',
                   rf'"unpu-kernel-wor" hit Breakpoint 2, move_floats \(.*kernels\.cpp:{line}',
                   r"\$1 = LocalTensor<float> of 1024 \{0, 0, .*\.\.\.\}", r"\$2 = GlobalTensor<float> at 0x\w+, .*\{0, 0",
                   r'locking scheduler.* is "step"', rf"^{line + 1}\t"):
        expect_true(f"no line matches {wanted!r} in:\n{text}", re.search(wanted, text, re.M))
    expect_true(f"it stopped in the program first:\n{text}", '"unpu_kernel_deb" hit' not in text)
    text = gdb("break move_floats", f"break kernels.cpp:{line}", "run", "continue", "continue", "kill")
    for wanted in (r'"unpu-kernel-wor" hit Breakpoint 1, move_floats', rf'"unpu-kernel-wor" hit Breakpoint 2, .*:{line}'):
        expect_true(f"no line matches {wanted!r} in:\n{text}", re.search(wanted, text, re.M))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
