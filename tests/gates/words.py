#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Words that do not stand in the tree, and the few that stand only where they belong."""
import re

import tree

# pattern, where it is allowed (a path or a folder with its /), why not elsewhere
CODE_RULES = [
    (r"(?<!asm )\bvolatile\b", [], "volatile orders nothing; base/sync/ordering.h does"),
    (r"\bmemory_order(_\w+|::\w+)?\b|\batomic_(thread|signal)_fence\b|\b__(atomic|sync)_\w+"
     r"|\basm\b|\b__asm__\b|\b_mm_[lsm]fence\b|\bmembarrier\b|\bSYS_membarrier\b",
     ["base/", "firmware_sim/daemon/sandbox.cpp"], "barriers are base's alone"),
    # sandbox.cpp names the system calls and makes none of them.
    # A function of ours that is called sleep() takes no argument; the C library's takes a time.
    (r"\b(usleep|nanosleep|clock_nanosleep)\b|\bsleep\s*\(\s*[^)\s]|\bsleep_(for|until)\b",
     # Deaths and lies come at moments of their own, and strike other processes.
     ["hal/", "tests/conformance/process/idle.cpp", "tests/stress/", "tests/hostile/", "tests/attacker/",
      "bench/flood.cpp", "firmware_sim/daemon/sandbox.cpp"],
     "wait for the thing itself, with a deadline"),
    (r"\bFUTEX_\w+|\bSYS_futex\b|\bcondition_variable\w*\b",
     ["base/", "hal/", "firmware_sim/engine/engine.h", "firmware_sim/engine/engine.cpp",
      "bench/peers/"],
     "waits go through base/sync/futex.h or hal"),
    (r"\b(sched_yield|this_thread::yield)\b",
     ["hal/", "base/", "firmware_sim/schedule/device_thread.cpp",
      "firmware_sim/daemon/sandbox.cpp", "tests/", "bench/"],
     "yielding in a loop is a sleep by another name"),
    (r"\bgetenv\b", ["hal/", "umd/api/", "firmware_sim/daemon/notify.cpp", "tests/", "bench/"],
     "one device string, parsed in one place"),
]
TEXT_RULES = [
    (r"\b(TODO|FIXME|XXX|HACK)\b", "an open end"),
    (r"(?i)\bfor now\b|\bplaceholder\b|\bnot (yet )?implemented\b", "an open end"),
    (r"/work/|/home/|/root/", "a path of one machine"),
]


def allowed(path, places):
    return any(path == place or place.endswith("/") and path.startswith(place)
               for place in places)


def search(path, text, pattern, why, problems):
    for found in re.finditer(pattern, text):
        number = text.count("\n", 0, found.start()) + 1
        problems.append(f"{path}:{number}: {found.group(0).strip()!r}: {why}")


def main():
    problems = []
    code = tree.files(tree.CODE + ("include",), (".cpp", ".c", ".h"))
    for path in code:
        text = tree.without_comments(tree.read(path), literals=False)
        for pattern, places, why in CODE_RULES:
            if not allowed(path, places):
                search(path, text, pattern, why, problems)
    texts = tree.files(tree.CODE + ("include", "cmake", "scripts", "Documentation"),
                       (".cpp", ".c", ".h", ".cmake", ".txt", ".in", ".sh", ".rst", ".pml", ".py",
                        ".md", ".c.in"))
    texts += ["README.md", "CONTRIBUTING.md", "MAINTAINERS", "CMakeLists.txt"]
    for path in texts:
        if path == "tests/gates/words.py":
            continue
        for pattern, why in TEXT_RULES:
            search(path, tree.read(path), pattern, why, problems)
    tree.verdict("words", problems, len(code) + len(texts))


main()
