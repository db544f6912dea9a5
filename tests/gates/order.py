#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Within a layer, a file includes headers of its own room and of rooms below it, never of one above.
ORDER lists the rooms of each layer, the lowest first; rooms of one line do not know each other. --self-test checks that
the gate finds what is wrong."""
import re
import sys

import tree

ORDER = {
    "base": [".", "chip json sync", "os", "copy trace"],
    "hal": [".", "backend"],
    "drv": ["packet", "attachment", "channel", "memory", "."],
    "umd/core": ["handle", "process", "record", "task", "device", "object", "watch", "report", "memory", "stream", "context", "copy", "event",
                 "kernel", "graph", "lifecycle", "model", "capture", "recorder", "notes"],
    "umd/acl": [".", "memory dump legacy", "stream", "queue profile", "copy kernel media", "model", "offline", "single device"],
    "umd/aclnn": [".", "rules", "rows", "operators"],
    "umd/cuda": [".", "device", "object", "capture", "task", "context", "stream", "graph", "nodes", "memory", "entry"],
    "umd/hccl": [".", "network proof", "meeting report", "wire", "far", "comm", "schedule", "calls"],
    "firmware_sim": ["memory kernels", "schedule operators", "tensor", "storage engine", "worker", "core", "explore", "graph", "packet", "client",
                     "debug", "device", "self_test", "daemon", "."],
    "kernels": ["abi", "include runner", "host compiler", "worker"],
    "san": ["trace calls", "order symbols", "memory", "judge", "report", "formats"],
    "time": ["profile", "graph", "engine", "answer"],
    "models": ["common", "ir onnx", "inference", "lower", "operators", "passes", "om", "."],
    "tools": ["common", "atc unpu hccl_bench smi", "san", "time", "."],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def room_of(path, layer):
    rest = path.removeprefix(layer + "/")
    return rest.split("/")[0] if "/" in rest else "."


def arrows(layer, texts):
    """(path, included file of the layer) for each include. @texts: path -> text of each file of the layer."""
    for path, text in texts.items():
        for name in INCLUDE.findall(text):
            found = next((place for place in tree.include_places(path, name) if place in texts), None)
            if found:
                yield path, found


def problems_of(layer, lines, texts):
    """What is wrong with the files and their includes. @lines: the rooms of the layer, as in ORDER."""
    place = {room: number for number, line in enumerate(lines) for room in line.split()}
    for path in texts:
        if room_of(path, layer) not in place:
            yield f"{path}: ORDER has no room {room_of(path, layer)} in {layer}"
    for path, found in arrows(layer, texts):
        room, other = room_of(path, layer), room_of(found, layer)
        if other != room and place.get(other, 0) >= place.get(room, len(lines)):
            yield f"{path} includes {found}, of a room that is not below {room}"


def check_self():
    texts = {"x/low/a.h": "", "x/low/b.cpp": '#include "a.h"', "x/beside/c.h": "", "x/high/d.h": '#include "x/low/a.h"', "x/main.cpp": ""}
    lines = ["low beside", "high", "."]
    for path, text, count in (("x/high/e.cpp", '#include "d.h"\n#include "x/beside/c.h"', 0), ("x/low/e.cpp", '#include "x/high/d.h"', 1),
                              ("x/low/e.cpp", '#include "../high/d.h"', 1), ("x/beside/e.h", '# include "x/low/a.h"', 1),
                              ("x/new/e.h", "", 1), ("x/main.cpp", '#include "x/high/d.h"', 0), ("x/high/d.h", '#include "x/main.cpp"', 1)):
        if len(list(problems_of("x", lines, texts | {path: text}))) != count:
            yield f"the gate itself: judges {text!r} in {path} wrongly"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("order --self-test", list(check_self()), 7)
        return
    problems, checked = [], 0
    for layer, lines in ORDER.items():
        texts = {path: tree.read(path) for path in tree.files([layer], (".h", ".cpp", ".def"), with_made=True)}
        checked += len(list(arrows(layer, texts)))
        problems += problems_of(layer, lines, texts)
    tree.verdict("order", problems, checked)


main()
