#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_kinds.py CMAKE TOOLKIT: a project with a SHARED, an OBJECT and a fatbin library of kernels is built and run on
the device. gdb, if there is one, stops in the kernel of a worker and in a kernel that is a function of the program, and
steps from line to line."""
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.realpath(__file__))
SETTINGS = ("set debuginfod enabled off", "set breakpoint pending on", "set follow-fork-mode child",
            "set scheduler-locking step")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def build(cmake, toolkit, folder, *options):
    run(cmake, "-S", SOURCE, "-B", folder, "-G", "Ninja", f"-DASCEND_CANN_PACKAGE_PATH={toolkit}",
        "-DCMAKE_BUILD_TYPE=Debug", *options)
    run(cmake, "--build", folder, "--parallel", "2")


def expect(found, text):
    if found != text:
        sys.exit(f"printed {found!r}, not {text!r}")


def line_of(text):
    with open(os.path.join(SOURCE, "fill.cpp"), encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


def debug(program, value, *arguments):
    """Stops in fill(), goes on to a line, looks at a variable, and steps to the next line."""
    line = line_of("Duplicate(")
    commands = [*SETTINGS, "break fill", "run", f"tbreak fill.cpp:{line}", "continue", "print value", "next", "backtrace",
                "kill"]
    words = ["gdb", "-nx", "-batch"]
    for command in commands:
        words += ["-ex", command]
    done = subprocess.run([*words, "--args", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, timeout=100)
    if "ptrace: Operation not permitted" in done.stdout:
        print("skipped: gdb may not trace here")
        return
    for wanted in (f"fill.cpp:{line}", f"$1 = {value}", f"{line + 1}\t\tqueue.EnQue", "fill (out="):
        if wanted not in done.stdout and wanted.replace("\t\t", "\t") not in done.stdout:
            sys.exit(f"gdb {program}: no {wanted!r} in\n{done.stdout}")


def main():
    cmake, toolkit = sys.argv[1:]
    has_gdb = shutil.which("gdb") is not None
    if not has_gdb:
        print("skipped: there is no gdb")
    with tempfile.TemporaryDirectory() as folder:
        build(cmake, toolkit, folder)
        command = [os.path.join(folder, "run"), os.path.join(folder, "fatbin/fatbin/fatbin.o")]
        expect(run(*command), "shared: 1, object: 2, fatbin: 3\n")
        if has_gdb:
            debug(command[0], 1, command[1])
    with tempfile.TemporaryDirectory() as folder:
        build(cmake, toolkit, folder, "-DRUN_MODE=cpu")
        program = os.path.join(folder, "run_inline")
        expect(run(program), "object: 2\n")
        if has_gdb:
            debug(program, 2)


main()
