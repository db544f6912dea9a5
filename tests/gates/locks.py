#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang checks what a lock protects only where an annotation says so (base/sync/thread_safety.h). So each lock is
named by a GUARDED_BY or REQUIRES of its file, or has a row in UNNAMED. Only base/sync uses the mutexes of the
standard library, which have no annotations. A function without analysis has a comment that tells why, with the
word "analysis". --self-test checks that the gate finds what is wrong."""
import re
import sys

import tree

LAYERS = ("base", "san", "time", "hal", "drv", "umd", "firmware_sim", "tools")
ROOM = "base/sync/"

# (file, lock) -> why no annotation names it.
UNNAMED = {
    ("umd/core/lifecycle/opening.cpp", "parting_mutex"): "no member: devices leave their peers one at a time",
    ("umd/cuda/entry/init.cpp", "mutex"): "no member: one thread initialises, and the others wait",
}

LOCK = re.compile(r"^[ \t]*(?:(?:mutable|static|inline|constinit|extern|thread_local)\s+)*"
                  r"(?:base::)?(?:Mutex|RecursiveMutex|BiasedLock)\s+(\w+)\s*[{;=(\[,]", re.M)
NAMES = re.compile(r"\b(?:GUARDED_BY|REQUIRES)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
STANDARD = re.compile(r"\bstd::(?:(?:recursive_|timed_|recursive_timed_|shared_|shared_timed_)?mutex"
                      r"|condition_variable(?:_any)?)\b")
UNCHECKED = "NO_THREAD_SAFETY_ANALYSIS"
# A comment stands so many lines above the word at most: the function may have a long head.
NEAR = 8


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def problems_of(path, text, unnamed):
    """What is wrong in a file. @unnamed: the locks of it that no annotation has to name."""
    code = tree.without_comments(text, literals=False)
    named = set(re.findall(r"\w+", " ".join(NAMES.findall(code))))
    for found in LOCK.finditer(code):
        name = found.group(1)
        if name not in named and name not in unnamed:
            yield f"{path}:{line_of(code, found.start(1))}: no GUARDED_BY or REQUIRES names the lock {name}"
    for found in STANDARD.finditer(code):
        yield (f"{path}:{line_of(code, found.start())}: {found.group(0)} has no annotations; "
               f"{ROOM} has locks with them")
    lines, rows = text.splitlines(), code.splitlines()
    for number, row in enumerate(rows):
        if UNCHECKED in row and "analysis" not in " ".join(lines[max(number - NEAR, 0):number + 1]):
            yield f"{path}:{number + 1}: no comment tells why the function is without analysis"


def rows_without_lock(texts, unnamed):
    """Rows for a lock that is gone, or that has an annotation by now."""
    for path, name in unnamed:
        if not list(problems_of(path, texts.get(path, ""), {other for where, other in unnamed
                                                             if where == path and other != name})):
            yield f"{path}: the lock {name} needs no row in tests/gates/locks.py"


def check_self():
    lock = '\tbase::Mutex mutex_{"A::mutex_"};\n'
    cases = {
        "a lock that protects nothing": (lock, set(), 1),
        "a comment instead": ('\tbase::Mutex mutex_{"A::mutex_"}; /* GUARDED_BY(mutex_) */\n', set(), 1),
        "a member": (lock + "\tint i_ GUARDED_BY(mutex_) = 0;\n", set(), 0),
        "a function": (lock + "\tvoid f() REQUIRES(mutex_);\n", set(), 0),
        "a member of another lock": (lock + "\tint i_ GUARDED_BY(other_) = 0;\n", set(), 1),
        "a lock of another object": (lock + "void f(A &a) REQUIRES(other_, g(a).mutex_)\n", set(), 0),
        "a lock with a row": (lock, {"mutex_"}, 0),
        "a static lock": ('static constinit base::Mutex m{"m"};\n', set(), 1),
        "a biased lock": ('\tbase::BiasedLock lock{"B"};\n', set(), 1),
        "an array of locks": ("\tbase::Mutex mutexes_[4];\n", set(), 1),
        "two locks in a line": ("\tbase::Mutex a_, b_;\n", set(), 1),
        "a reference to a lock": ("\tbase::Mutex &mutex_;\n\tbase::Mutex &get();\n", set(), 0),
        "a standard mutex": ("\tstd::mutex mutex_;\n", set(), 1),
        "a guard of the library's lock": ("\tstd::unique_lock<base::Mutex> lock(mutex_);\n", set(), 0),
        "a condition variable": ("\tstd::condition_variable change_;\n", set(), 1),
        "unchecked for a reason": ("/* Without analysis: it is new. */\nvoid f() NO_THREAD_SAFETY_ANALYSIS\n", set(), 0),
        "unchecked": ("/* Makes it. */\nvoid f() NO_THREAD_SAFETY_ANALYSIS\n", set(), 1),
    }
    for name, (text, unnamed, count) in cases.items():
        found = list(problems_of("file", text, unnamed))
        if len(found) != count:
            yield f"the gate itself: {name}: {found}"
    row = {("file", "mutex_"): "a reason"}
    for text, count in ((lock, 0), (lock + "\tint i_ GUARDED_BY(mutex_);\n", 1), ("", 1)):
        if len(list(rows_without_lock({"file": text}, row))) != count:
            yield f"the gate itself: judges the row for {text!r} wrongly"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("locks --self-test", list(check_self()), 21)
        return
    texts = {path: tree.read(path) for path in tree.files(LAYERS, (".cpp", ".h")) if not path.startswith(ROOM)}
    problems = list(rows_without_lock(texts, UNNAMED))
    for path, text in texts.items():
        problems += problems_of(path, text, {name for where, name in UNNAMED if where == path})
    tree.verdict("locks", problems, len(texts))


main()
