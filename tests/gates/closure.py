#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A header that many files include brings few others along.

The closure of a header is the set of headers of the tree that it includes, itself or through others. BOUNDS has how many
there may be. Each of the MOST headers that the most files include needs a bound, and so do the doors of rooms that are
named here. A header that can't do with fewer forward declares a type, leaves a function to its .cpp file, or is split.
--list prints the numbers; --self-test checks that the gate finds what is wrong."""
import collections
import re
import sys

import tree

MOST = 10
BOUNDS = {
    "base/clock.h": 0,
    "base/os/calls/transfers.h": 1,
    "base/os/shm.h": 7,
    "base/result.h": 2,
    "base/status.h": 1,
    "base/sync/mutex.h": 2,
    "base/sync/ordering.h": 0,
    "drv/device.h": 54,
    "drv/packet/cookie.h": 5,
    "drv/packet/packets.h": 6,
    "umd/acl/front.h": 14,
    "umd/core/context/contexts.h": 34,
    "umd/core/copy/copy.h": 35,
    "umd/core/device/devices.h": 24,
    "umd/core/device/open_device.h": 32,
    "umd/core/event/event.h": 34,
    "umd/core/process/call.h": 6,
    "umd/core/process/error.h": 3,
    "umd/core/process/process.h": 7,
    "umd/core/record/observer.h": 7,
    "umd/core/stream/stream.h": 34,
    "umd/cuda/front.h": 39,
    "umd/hccl/schedule/operation.h": 59,
}
# Includers that count: what is shipped.
SHIPPED = [folder for folder in tree.CODE if folder not in ("tests", "bench", "examples")]
FOR_PROGRAMS = ("include/", "kernels/include/")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def included(path, texts):
    """The files of the tree that @path includes. @texts: path -> text of each header."""
    for name in INCLUDE.findall(texts[path]):
        places = [*tree.include_places(path, name), "include/" + name, "include/aclnn/" + name]
        found = next((place for place in places if place in texts), None)
        if found:
            yield found


def closure(path, texts):
    seen, left = set(), [path]
    while left:
        for found in included(left.pop(), texts):
            if found not in seen:
                seen.add(found)
                left.append(found)
    return seen - {path}


def most_included(texts, most):
    count = collections.Counter(found for path in texts if path.startswith(tuple(folder + "/" for folder in SHIPPED))
                                for found in set(included(path, texts)))
    names = [path for path in count if not path.startswith(FOR_PROGRAMS)]
    return sorted(names, key=lambda path: (-count[path], path))[:most]


def problems_of_bounds(bounds, texts, most):
    for path in most_included(texts, most):
        if path not in bounds:
            yield f"{path}: among the {most} headers that the most files include, and BOUNDS has no number for it"
    for path, bound in bounds.items():
        if path not in texts:
            yield f"{path}: BOUNDS names it, and there is no such file"
            continue
        size = len(closure(path, texts))
        if size > bound:
            yield f"{path}: brings {size} headers along; BOUNDS allows {bound}"


def check_self():
    texts = {"umd/core/a.h": '#include "b.h"\n#include "umd/core/c.h"', "umd/core/b.h": '#include "uapi/d.h"', "umd/core/c.h": "",
             "include/uapi/d.h": '# include "../e.h"', "include/e.h": "", "umd/core/f.cpp": '#include "a.h"\n#include "uapi/d.h"',
             "umd/core/g.cpp": '#include "umd/core/a.h"', "tests/h.cpp": '#include "umd/core/c.h"'}
    for bounds, most, count in (({"umd/core/a.h": 4}, 1, 0), ({"umd/core/a.h": 3}, 1, 1), ({}, 1, 1), ({"umd/core/a.h": 4}, 2, 1),
                                ({"umd/core/a.h": 4, "umd/core/x.h": 1}, 1, 1)):
        if len(list(problems_of_bounds(bounds, texts, most))) != count:
            yield f"the gate itself: judges {bounds} with {most} wrongly"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("closure --self-test", list(check_self()), 5)
        return
    texts = {path: tree.read(path) for path in tree.files([*tree.CODE, "include"], (".h", ".cpp"))}
    if "--list" in sys.argv:
        for path in sorted({*BOUNDS, *most_included(texts, MOST)}):
            print(path, len(closure(path, texts)))
        return
    tree.verdict("closure", list(problems_of_bounds(BOUNDS, texts, MOST)), len(BOUNDS))


main()
