#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_suppressions.py BUILD VALGRIND COMPILER CLANG: a user's program under valgrind and under ThreadSanitizer, on the
default device and with the files of contrib/suppressions, has no error of the libraries; TSan still reports the program's own race."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SUPPRESSIONS = os.path.join(HERE, "..", "..", "contrib", "suppressions")
PRINTED = "18 3\n"


def run(*command, **environment):
    return subprocess.run(command, env={**os.environ, **environment}, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


def expect(what, done, good=True):
    if (done.returncode == 0) != good or not done.stdout.startswith(PRINTED):
        sys.exit(f"{what}: ended with {done.returncode}\n{done.stdout}{done.stderr}")


def compile_program(folder, build, compiler, *options):
    program = os.path.join(folder, "program_" + os.path.basename(compiler))
    done = run(compiler, os.path.join(HERE, "host_function.cpp"), "-o", program, "-g", "-O1", "-std=c++17", *options,
               f"-I{build}/public/include", f"-L{build}/lib64", "-lascendcl", "-lunpu", f"-Wl,-rpath,{build}/lib64")
    if done.returncode != 0:
        sys.exit(done.stderr)
    return program


def main():
    build, valgrind, compiler, clang = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        program = compile_program(folder, build, compiler)
        expect("valgrind", run(valgrind, "-q", "--error-exitcode=9", "--leak-check=full",
                               f"--suppressions={SUPPRESSIONS}/valgrind.supp", program))
        program = compile_program(folder, build, clang, "-fsanitize=thread")
        options = {"TSAN_OPTIONS": f"ignore_noninstrumented_modules=1 suppressions={SUPPRESSIONS}/tsan.supp"}
        fixed = ("setarch", "-R")
        expect("TSan", run(*fixed, program, **options))
        raced = run(*fixed, program, "race", **options)
        expect("TSan with a race", raced, good=False)
        if "race()" not in raced.stderr:
            sys.exit(f"TSan does not name the program's race:\n{raced.stderr}")


main()
