#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""instructions.py COMPILER...: the functions of base/sync/ordering.h are the instructions for AArch64 that the litmus
tests assume. A compiler that is not there, or has no target AArch64, is named and left out; without any the status is
77."""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, *[os.pardir] * 4)
SKIPPED = 77
EXPECTED = {
    "load": "ldr", "load_relaxed": "ldr", "load_acquire": "ldar|ldapr", "load_seq": "ldar",
    "store": "str", "store_relaxed": "str", "store_release": "stlr", "store_seq": "stlr",
    "fetch_add": "ldaxr stlxr|ldaddal", "exchange": "ldaxr stlxr|swpal", "compare_exchange": "ldaxr stlxr|casal",
    "full_fence": "dmb ish", "store_fence": "dmb ish", "load_fence": "dmb ishld",
    "light_fence": "", "light_fence_without_membarrier": "dmb ish", "light_side": "str ldr", "cpu_relax": "isb",
}
# The instructions that order or access memory.
WATCHED = re.compile(r"^\s+((?:ld|st|cas|swp|isb|dmb|dsb|bl\b)\w*)\s*(.*)")
# The architectures: exclusives, and the atomics of Armv8.1 with the LDAPR of Armv8.3.
FLAGS = (["-march=armv8-a", "-mno-outline-atomics"], ["-march=armv8.3-a"])


def functions_of(text):
    """The watched instructions of each function, as one line."""
    found, name = {}, None
    for line in text.splitlines():
        label = re.match(r"^(\w+):", line)
        if label:
            name = label.group(1)
            found[name] = []
        elif name and (match := WATCHED.match(line)):
            fence = match.group(1) in ("dmb", "dsb")
            found[name].append(f"{match.group(1)} {match.group(2).split('//')[0].strip()}" if fence else match.group(1))
    return {name: " ".join(steps) for name, steps in found.items()}


def compile_for(compiler, flags):
    """Its assembly, or None with the reason printed."""
    target = ["--target=aarch64-linux-gnu"] if "clang" in compiler else []
    done = subprocess.run([compiler, *target, *flags, "-std=c++20", "-O2", "-S", "-I", ROOT, "-I",
                           os.path.join(ROOT, "include"), "-o", "-", os.path.join(HERE, "instructions.cpp")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        print(f"left out: {compiler} {' '.join(flags)}: {(done.stderr.splitlines() or ['failed'])[0]}")
        return None
    return done.stdout


def main():
    compared, problems = 0, []
    for compiler in sys.argv[1:]:
        if not shutil.which(compiler):
            print(f"left out: there is no {compiler}")
            continue
        for flags in FLAGS:
            text = compile_for(compiler, flags)
            if text is None:
                continue
            functions = functions_of(text)
            for name, expected in EXPECTED.items():
                compared += 1
                if functions.get(name) not in expected.split("|"):
                    problems.append(f"{compiler} {' '.join(flags)}: {name}() is '{functions.get(name)}', "
                                    f"expected '{expected}'")
    print("\n".join(problems))
    print(f"{compared} functions compared, {len(problems)} problems")
    return 1 if problems else 0 if compared else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
