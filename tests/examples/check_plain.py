#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_plain.py SOURCES COMPILER...: configures the sources as somebody does who knows CMake and not this project, by
each compiler: no preset, no option, and none of the packages that the tests and the benches need. Warnings are not
errors there, and what is built is optimised."""
import json
import os
import subprocess
import sys
import tempfile

SOURCES, *COMPILERS = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCES, "tests", "common"))

from expectations import expect, expect_true, problems  # noqa: E402


def c_compiler(compiler):
    """gcc-12 of g++-12, clang-14 of clang++-14."""
    return compiler.replace("clang++", "clang").replace("g++", "gcc").replace("c++", "cc")


def check(compiler, folder):
    environment = {name: value for name, value in os.environ.items() if name not in ("CFLAGS", "CXXFLAGS", "LDFLAGS")}
    environment.update(CXX=compiler, CC=c_compiler(compiler))
    missing = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("GTest", "benchmark", "TBB")]
    done = subprocess.run(["cmake", "-S", SOURCES, "-B", folder, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *missing],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    expect_true(f"{compiler}: cmake ends with {done.returncode}:\n{done.stdout}", done.returncode == 0)
    if done.returncode != 0:
        return
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    expect_true(f"{compiler}: there is little to build: {len(commands)} files", len(commands) > 300)
    parts = {os.path.relpath(command["file"], SOURCES).split("/")[0] for command in commands}
    expect(f"{compiler}: tests and benches", parts & {"tests", "bench"}, set())
    for command in commands:
        words = command["command"].split()
        expect_true(f"{compiler}: warnings are errors: {command['file']}", "-Werror" not in words)
        expect_true(f"{compiler}: not optimised: {command['file']}", "-O3" in words or "-O2" in words)
        if problems:
            return


def main():
    for compiler in COMPILERS:
        with tempfile.TemporaryDirectory() as folder:
            check(compiler, folder)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
