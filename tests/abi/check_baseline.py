#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_baseline.py COMPILER FOLDER MADE [--update]: the functions of the public headers, with their parameters and the types
of these, beside those of the last release in tests/abi/baseline.abi.xz.

It compiles a library whose functions are those that the headers declare, with debug information, and lets abigail
compare: a function that is gone, another parameter, or another layout of a struct is named. What is added since is no
problem. --update writes the file, after a release; xzcat shows it. Without abigail-tools the test is skipped with 77."""
import lzma
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "gates"))

import tree  # noqa: E402  pylint: disable=wrong-import-position

BASELINE = os.path.join(ROOT, "tests", "abi", "baseline.abi.xz")


def headers():
    """What programs include, but for headers of C++."""
    return [path for path in tree.public_headers()
            if not re.search(r"include/(?:acl/rt|cuda/driver)/|san_gtest|_c\.h$|hpp$", path)]


def source():
    """A definition of each function that the headers declare."""
    lines = ['#include "%s"' % path.removeprefix("include/") for path in headers()]
    seen = set()
    for path in tree.public_headers():
        for name, _, statement in tree.declarations(path):
            if name not in seen and "..." not in statement and "san_gtest" not in path:
                seen.add(name)
                # What an attribute with braces of its own left behind.
                while statement.count(")") > statement.count("("):
                    statement = statement[:statement.rindex(")")].rstrip()
                lines.append(statement + " { __builtin_trap(); }")
    return "\n".join(lines) + "\n", len(seen)


def build(compiler, folder, made):
    """Return: the library."""
    os.makedirs(folder, exist_ok=True)
    text, count = source()
    path, library = os.path.join(folder, "interface.c"), os.path.join(folder, "interface.so")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    includes = [f"-I{os.path.join(ROOT, part)}" for part in ("include", "include/aclnn", "include/cuda")] + [f"-I{made}"]
    subprocess.run([compiler, "-g", "-O0", "-w", "-fPIC", "-shared", "-Wl,-soname,interface.so", *includes, path, "-o", library],
                   check=True)
    return library, count


def main():
    compiler, folder, made = sys.argv[1:4]
    if not shutil.which("abidw"):
        print("skipped: abidw, of abigail-tools, was not found")
        sys.exit(77)
    library, count = build(compiler, folder, made)
    now = os.path.join(folder, "interface.abi")
    subprocess.run(["abidw", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--short-locs", "--out-file", now,
                    library], check=True)
    if "--update" in sys.argv:
        with open(now, "rb") as text, lzma.open(BASELINE, "wb", preset=9) as packed:
            shutil.copyfileobj(text, packed)
        return
    before = os.path.join(folder, "baseline.abi")
    with lzma.open(BASELINE) as packed, open(before, "wb") as text:
        shutil.copyfileobj(packed, text)
    # It ends with another status than 0 for each change that it does not know to be harmless, as a new enumerator is.
    done = subprocess.run(["abidiff", "--no-added-syms", before, now], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="")
    print(f"baseline: {count} functions, {'not ' if done.returncode else ''}compatible with the last release")
    sys.exit(1 if done.returncode else 0)


main()
