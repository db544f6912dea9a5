#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""form.py CLANG_FORMAT: length of files and of comments, the licence line, the DOC: comment, clang-format.
clang-format keeps comments as they are, so this gate looks at their length. --self-test checks that the gate finds
what is wrong."""
import os
import re
import sys

import tree

LINES_MAX = 600
FORMATTED = ("base", "san", "time", "hal", "drv", "umd", "firmware_sim", "kernels", "tests", "bench", "examples", "python",
             "tools", "models")
SPDX = "SPDX-License-Identifier: MIT"
COMMENT_COLUMNS = 120
COMMENT_LINE = re.compile(r"\s*(//|/\*|\*(?!/)).*")
ENDINGS = (".cpp", ".c", ".h", ".py", ".sh", ".cmake", ".in", "CMakeLists.txt", ".pml", ".rst")


def problems_of(path, text):
    lines = text.splitlines()
    if len(lines) > LINES_MAX:
        yield f"{path}: {len(lines)} lines, {LINES_MAX} at most"
    if not any(SPDX in line for line in lines[:2]):
        yield f"{path}: no '{SPDX}' in its first two lines"
    if path.endswith(".cpp") and "DOC:" not in "\n".join(lines[:30]):
        yield f"{path}: no DOC: comment at its head"
    if not path.endswith((".cpp", ".c", ".h")):
        return
    for number, line in enumerate(lines, 1):
        columns = len(line.expandtabs(8))
        if columns > COMMENT_COLUMNS and COMMENT_LINE.fullmatch(line):
            yield f"{path}:{number}: a comment of {columns} columns, {COMMENT_COLUMNS} at most"


def check_self():
    head = f"// {SPDX}\n/** DOC: x */\n"
    for path, text, count in (("x.cpp", head, 0), ("x.cpp", "/** DOC: x */\n", 1), ("x.cpp", f"// {SPDX}\n", 1),
                              ("x.h", head + "\n" * LINES_MAX, 1), ("x.h", head + "\t/* " + "x" * 120 + " */", 1),
                              ("x.h", head + " * " + "x" * 117, 0), ("x.h", head + " * " + "x" * 118, 1),
                              ("x.h", head + '"' + "x" * 130 + '"', 0)):
        if len(list(problems_of(path, text))) != count:
            yield f"the gate itself: not {count} problems in {path} {text[:60]!r}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("form --self-test", list(check_self()), 8)
        return
    problems = []
    paths = tree.files(tree.CODE + ("include", "cmake", "scripts", "Documentation"), ENDINGS)
    paths += ["CMakeLists.txt", ".ci/run"]
    paths = tree.only_changed(paths)
    if not paths:
        tree.nothing_changed("form")
    for path in paths:
        problems += problems_of(path, tree.read(path))
    code = tree.only_changed(tree.files(FORMATTED, (".cpp", ".c", ".h")))
    for first in range(0, len(code), 50):
        done = tree.run([sys.argv[1], "--dry-run", "--Werror", *code[first:first + 50]],
                        cwd=tree.ROOT)
        if done.returncode != 0:
            wrong = sorted({line.split(":")[0] for line in done.stdout.splitlines()
                            if "error:" in line})
            problems += [f"{path}: not as clang-format has it; scripts/format.sh" for path in wrong]
    if not os.access(os.path.join(tree.ROOT, ".ci/run"), os.X_OK):
        problems.append(".ci/run cannot be run")
    tree.verdict("form", problems, len(paths))


main()
