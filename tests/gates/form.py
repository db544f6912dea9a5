#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""form.py CLANG_FORMAT: length of files, the licence line, the DOC: comment, clang-format."""
import os
import sys

import tree

LINES_MAX = 600
FORMATTED = ("base", "san", "hal", "drv", "umd", "firmware_sim", "tests", "bench", "examples", "python",
             "tools")
SPDX = "SPDX-License-Identifier: MIT"
ENDINGS = (".cpp", ".c", ".h", ".py", ".sh", ".cmake", ".in", "CMakeLists.txt", ".pml", ".rst")


def check_text(path, problems):
    lines = tree.read(path).splitlines()
    if len(lines) > LINES_MAX:
        problems.append(f"{path}: {len(lines)} lines, {LINES_MAX} at most")
    if not any(SPDX in line for line in lines[:2]):
        problems.append(f"{path}: no '{SPDX}' in its first two lines")
    if path.endswith(".cpp") and "DOC:" not in "\n".join(lines[:30]):
        problems.append(f"{path}: no DOC: comment at its head")


def main():
    problems = []
    paths = tree.files(tree.CODE + ("include", "cmake", "scripts", "Documentation"), ENDINGS)
    paths += ["CMakeLists.txt", ".ci/run"]
    for path in paths:
        check_text(path, problems)
    code = tree.files(FORMATTED, (".cpp", ".c", ".h"))
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
