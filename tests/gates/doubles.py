#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No two headers of a layer have one name, and no three of the tree: a stack trace and an index of symbols show the name
alone. The headers for programs, in include/ and kernels/include/, have the names of their interfaces, and programs
include them by their whole paths. --self-test checks that the gate finds what is wrong."""
import collections
import os
import sys

import tree

FOR_PROGRAMS = "kernels/include/"


def layer_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in ("umd", "tests") else parts[0]


def problems_of(paths):
    by_name = collections.defaultdict(list)
    for path in paths:
        by_name[os.path.basename(path)].append(path)
    for name, same in sorted(by_name.items()):
        layers = collections.Counter(layer_of(path) for path in same)
        if len(same) > 2:
            yield f"{name}: {len(same)} headers have this name; at most two may: {' '.join(sorted(same))}"
        for layer, count in sorted(layers.items()):
            if count > 1:
                yield f"{name}: {count} headers of {layer} have this name"


def check_self():
    for paths, count in ((["hal/a.h", "drv/a.h"], 0), (["hal/a.h", "hal/x/a.h"], 1), (["hal/a.h", "drv/a.h", "base/a.h"], 1),
                         (["umd/core/a.h", "umd/acl/a.h"], 0), (["umd/core/a.h", "umd/core/x/a.h", "san/a.h"], 2)):
        if len(list(problems_of(paths))) != count:
            yield f"the gate itself: judges {paths} wrongly"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("doubles --self-test", list(check_self()), 5)
        return
    paths = [path for path in tree.files(tree.CODE, (".h",)) if not path.startswith(FOR_PROGRAMS)]
    tree.verdict("doubles", list(problems_of(paths)), len(paths))


main()
