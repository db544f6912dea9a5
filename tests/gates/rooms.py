#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each folder of the layers, tests, benches, tools and examples has a row in Documentation/rooms.rst,
each row has a folder, and no folder has more than MOST sources and headers. --self-test checks that the gate finds what is wrong."""
import collections
import os
import re
import sys

import tree

TREES = ("base", "san", "hal", "drv", "firmware_sim", "umd", "tests", "bench", "tools", "examples", "python")
PAGE = "Documentation/rooms.rst"
MOST = 16
ROW = re.compile(r"^   \* - ``([\w/]+)``$", re.M)


def problems_of(paths, page):
    counts = collections.Counter(os.path.dirname(path) for path in paths)
    rows = ROW.findall(page)
    for folder, count in sorted(counts.items()):
        if folder not in rows:
            yield f"{folder}: has no row in {PAGE}"
        if count > MOST:
            yield f"{folder}: has {count} files, {MOST} at most"
    for row in rows:
        if row not in counts:
            yield f"{PAGE}: there is no {row}"
    yield from (f"{PAGE}: two rows for {row}" for row, times in collections.Counter(rows).items() if times > 1)


def check_self():
    page = "   * - ``a/b``\n   * - ``c``\n"
    for paths, found in ((["a/b/x.cpp", "c/y.h"], 0), (["a/b/x.cpp"], 1), (["a/b/x.cpp", "c/y.h", "d/z.h"], 1),
                         (["a/b/x.cpp"] + [f"c/{i}.h" for i in range(MOST + 1)], 1)):
        told = list(problems_of(paths, page))
        if len(told) != found:
            yield f"the gate itself: finds {told} in {paths[:3]}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("rooms --self-test", list(check_self()), 4)
        return
    paths = tree.files(TREES, (".cpp", ".h"))
    tree.verdict("rooms", list(problems_of(paths, tree.read(PAGE))), len(paths))


main()
