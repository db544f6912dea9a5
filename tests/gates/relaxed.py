#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each relaxed access of the product has a row in Documentation/relaxed.rst that names its file, its word and why it is
enough, and each row has such an access. A reason that refers to a pair names a row of the table in
Documentation/synchronization.rst. --self-test checks that the gate finds what is wrong."""
import re
import sys

import tree

TABLE, PAIRS = "Documentation/relaxed.rst", "Documentation/synchronization.rst"
PRODUCT = ("base", "san", "time", "hal", "drv", "umd", "firmware_sim", "kernels", "tools", "python", "include")
# The functions that stand for all relaxed accesses.
WRAPPERS = "base/sync/ordering.h"
ALONE, WITH_PAIR = {"own", "lock", "value", "hint"}, {"fence", "before", "after"}

CALL = re.compile(r"\b(?:load|store)_relaxed\(")
ATOMIC = re.compile(r"(\w+)\s*\.\s*\w+\([^;]*?\bmemory_order(?:_|::)relaxed\b")


def first_argument(text, start):
    depth = 0
    for place in range(start, len(text)):
        piece = text[place]
        if piece in "([{":
            depth += 1
        elif piece in ")]}":
            if depth == 0:
                return text[start:place]
            depth -= 1
        elif piece == "," and depth == 0:
            return text[start:place]
    return text[start:]


def word_of(expression):
    """The member or variable that the expression names: 'value' of 'line(sem).semaphores[sem].value'."""
    while re.search(r"\[[^\[\]]*\]", expression):
        expression = re.sub(r"\[[^\[\]]*\]", "", expression)
    return re.findall(r"\w+", expression)[-1]


def accesses_of(path, text):
    """(word, line) of each relaxed access."""
    code = tree.without_comments(text, literals=False)
    for found in CALL.finditer(code):
        if path != WRAPPERS:
            yield word_of(first_argument(code, found.end())), code.count("\n", 0, found.start()) + 1
    for found in ATOMIC.finditer(code):
        if not found.group(1).startswith("atomic_ref"):
            yield found.group(1), code.count("\n", 0, found.start()) + 1


def rows_of(text):
    """(file, words, reason, why) of each row of the tables; a field may go on in the next line."""
    for row in re.findall(r'^   "([^"]*)",\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)"$', text, re.M):
        yield tuple(" ".join(field.replace("``", "").split()) for field in row)


def problems_of(accesses, rows, pairs):
    """@accesses: (file, word) -> line."""
    reasons = {}
    for path, words, reason, why in rows:
        kind, _, pair = reason.partition(" ")
        if not (kind in ALONE and not pair or kind in WITH_PAIR and pair in pairs):
            yield f"{TABLE}: {path}: {reason!r} is no reason"
        if not why:
            yield f"{TABLE}: {path}: {words} has no explanation"
        for word in words.split():
            if (path, word) in reasons:
                yield f"{TABLE}: {path}: {word} has two rows"
            reasons[path, word] = reason
    for (path, word), line in accesses.items():
        if (path, word) not in reasons:
            yield f"{path}:{line}: {TABLE} does not tell why a relaxed access of {word} is enough"
    for path, word in reasons:
        if (path, word) not in accesses:
            yield f"{TABLE}: {path} has no relaxed access of {word}"


def check_self():
    code = ("store_relaxed(\n\tline(a, b).words[i[0]], uint32_t{1}); state.load(std::memory_order_relaxed);"
            " x = base::load_relaxed(*beat); // load_relaxed(comment)\n")
    found = {("x.h", word): line for word, line in accesses_of("x.h", code)}
    if set(found) != {("x.h", "words"), ("x.h", "state"), ("x.h", "beat")}:
        yield f"the gate itself: finds {sorted(found)}"
    good = list(rows_of('   "x.h", "``words``\n    beat", "fence D1", "the fence"\n   "x.h", "state", "own", "one writer"\n'))
    if list(problems_of(found, good, {"D1"})):
        yield "the gate itself: finds something in good rows"
    bad = {"a use without a row": good[:1], "a row without a use": [*good, ("y.h", "state", "own", "why")],
           "no reason": [good[0], ("x.h", "state", "luck", "why")],
           "no such pair": [("x.h", "words beat", "fence D9", "why"), good[1]],
           "no explanation": [good[0], ("x.h", "state", "own", "")], "two rows": [*good, good[1]]}
    for what, rows in bad.items():
        if len(list(problems_of(found, rows, {"D1"}))) != 1:
            yield f"the gate itself: does not find {what}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("relaxed --self-test", list(check_self()), 8)
        return
    accesses = {}
    for path in tree.files(PRODUCT, (".cpp", ".c", ".h")):
        for word, line in accesses_of(path, tree.read(path)):
            accesses.setdefault((path, word), line)
    if "--list" in sys.argv:
        for path in sorted({path for path, _ in accesses}):
            print(path, *sorted(word for where, word in accesses if where == path))
        return
    pairs = set(re.findall(r"^   \* - (\w+(?:/\w+)?)$", tree.read(PAIRS), re.M))
    pairs |= {half for pair in pairs for half in pair.split("/")}
    tree.verdict("relaxed", list(problems_of(accesses, list(rows_of(tree.read(TABLE))), pairs)), len(accesses))


main()
