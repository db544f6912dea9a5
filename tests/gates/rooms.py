#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each folder of the layers, the headers, tests, benches, tools and examples has a row in Documentation/rooms.rst,
each row has a folder, and no folder has more than MOST sources, headers and scripts unless LARGER says why.
--self-test checks that the gate finds what is wrong."""
import collections
import os
import re
import sys

import tree

TREES = ("base", "san", "time", "hal", "drv", "firmware_sim", "umd", "include", "tests", "bench", "tools", "examples", "python", "kernels", "models")
ENDINGS = (".cpp", ".c", ".h", ".py", ".pml")
PAGE = "Documentation/rooms.rst"
MOST = 30
# Rooms that may have more -> why.
LARGER = {
    "include/cuda/driver": "the parts of one header of the interface, which programs include as one",
}
ROW = re.compile(r"^   ``([\w/]+)`` \| ", re.M)


def problems_of(paths, page, larger):
    counts = collections.Counter(os.path.dirname(path) for path in paths)
    rows = ROW.findall(page)
    for folder, count in sorted(counts.items()):
        if folder not in rows:
            yield f"{folder}: has no row in {PAGE}"
        if count > MOST and folder not in larger:
            yield f"{folder}: has {count} files, {MOST} at most"
    for row in rows:
        if row not in counts:
            yield f"{PAGE}: there is no {row}"
    for folder in larger:
        if counts[folder] <= MOST:
            yield f"{folder}: has {counts[folder]} files, and needs no reason in tests/gates/rooms.py"
    yield from (f"{PAGE}: two rows for {row}" for row, times in collections.Counter(rows).items() if times > 1)


def check_self():
    page = "   ``a/b`` | x\n   ``c`` | y\n"
    many = ["a/b/x.cpp"] + [f"c/{i}.h" for i in range(MOST + 1)]
    for paths, larger, found in ((["a/b/x.cpp", "c/y.h"], {}, 0), (["a/b/x.cpp"], {}, 1), (many, {}, 1), (many, {"c"}, 0),
                                 (["a/b/x.cpp", "c/y.h", "d/z.py"], {}, 1), (["a/b/x.cpp", "c/y.h"], {"c"}, 1)):
        told = list(problems_of(paths, page, larger))
        if len(told) != found:
            yield f"the gate itself: finds {told} in {paths[:3]}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("rooms --self-test", list(check_self()), 6)
        return
    paths = tree.files(TREES, ENDINGS)
    tree.verdict("rooms", list(problems_of(paths, tree.read(PAGE), LARGER)), len(paths))


main()
