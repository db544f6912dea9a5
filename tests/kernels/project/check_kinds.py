#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_kinds.py CMAKE TOOLKIT: a project with a SHARED, an OBJECT and a fatbin library of kernels is built and run on
the device. gdb, if there is one, stops in the kernel of a worker, in one that the program runs itself, and in a kernel that
is a function of the program, and steps from line to line. AddressSanitizer finds a fault of a kernel in the program."""
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.realpath(__file__))
SETTINGS = ("set debuginfod enabled off", "set breakpoint pending on", "set scheduler-locking step",
            "handle SIGSYS nostop noprint")
INLINE = {**os.environ, "UNPU_DEVICE": "sim:kernels=inline"}


def run(*command, fails=False, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if (done.returncode != 0) != fails:
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


def debug(program, value, *arguments, follow="child", **options):
    """Stops in fill(), goes on to a line, looks at a variable, and steps to the next line."""
    line = line_of("Duplicate(")
    commands = [*SETTINGS, f"set follow-fork-mode {follow}", "break fill", "run", f"tbreak fill.cpp:{line}", "continue", "print value", "next", "backtrace",
                "kill"]
    words = ["gdb", "-nx", "-batch"]
    for command in commands:
        words += ["-ex", command]
    done = subprocess.run([*words, "--args", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, timeout=100, **options)
    if "ptrace: Operation not permitted" in done.stdout:
        print("skipped: gdb may not trace here")
        return
    for wanted in (f"fill.cpp:{line}", f"$1 = {value}", f"{line + 1}\t\tqueue.EnQue", "fill (out="):
        if wanted not in done.stdout and wanted.replace("\t\t", "\t") not in done.stdout:
            sys.exit(f"gdb {program}: no {wanted!r} in\n{done.stdout}")


def check_sanitizer(cmake, toolkit):
    """A kernel without a fault gives its result, a failed assertion its sentence; a fault is reported with its line."""
    with tempfile.TemporaryDirectory() as folder:
        build(cmake, toolkit, folder, "-DSANITIZE=ON")
        program = os.path.join(folder, "run_stack")
        expect(run(program, "3", env=INLINE), "5 5 5 5\n")
        told = run(program, "7", env=INLINE, fails=True)
        if "Assertion" not in told or "stack.cpp" not in told or "AddressSanitizer" in told:
            sys.exit(f"a failed assertion of a kernel in the program: {told}")
        told = run(program, "8", env=INLINE, fails=True)
        if "stack-buffer-overflow" not in told or "stack.cpp:11" not in told:
            sys.exit(f"AddressSanitizer does not tell of the overflow: {told}")


def main():
    cmake, toolkit = sys.argv[1:]
    has_gdb = shutil.which("gdb") is not None
    if not has_gdb:
        print("skipped: there is no gdb")
    with tempfile.TemporaryDirectory() as folder:
        build(cmake, toolkit, folder)
        command = [os.path.join(folder, "run"), os.path.join(folder, "fatbin/fatbin/fatbin.o")]
        expect(run(*command), "shared: 1, object: 2, fatbin: 3\n")
        expect(run(*command, env=INLINE), "shared: 1, object: 2, fatbin: 3\n")
        if has_gdb:
            debug(command[0], 1, command[1])
            debug(command[0], 1, command[1], follow="parent", env=INLINE)
    check_sanitizer(cmake, toolkit)
    with tempfile.TemporaryDirectory() as folder:
        build(cmake, toolkit, folder, "-DRUN_MODE=cpu")
        program = os.path.join(folder, "run_inline")
        expect(run(program), "object: 2\n")
        if has_gdb:
            debug(program, 2)


main()
