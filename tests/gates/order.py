#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Within a layer, a file includes headers of its own room and of rooms below it, never of one above.
ORDER lists the rooms of each layer, the lowest first; rooms of one line do not know each other."""
import os
import re

import tree

ORDER = {
    "umd/core": ["handle", "process", "record", "task", "device", "object", "watch", "report", "memory", "notes", "stream", "context", "copy", "event",
                 "kernel", "graph", "lifecycle", "model", "capture"],
    "firmware_sim": ["memory kernels", "schedule operators", "tensor", "storage engine", "worker", "core", "explore", "graph", "packet", "client",
                     "debug", "device", "self_test", "daemon", "."],
}


def places(layer):
    """room -> its line in ORDER."""
    return {room: number for number, line in enumerate(ORDER[layer]) for room in line.split()}


def room_of(path, layer):
    rest = path.removeprefix(layer + "/")
    return rest.split("/")[0] if "/" in rest else "."


def target(path, included):
    """The file that an include names, relative to the root, or None."""
    for found in (included, os.path.normpath(os.path.join(os.path.dirname(path), included))):
        if os.path.isfile(os.path.join(tree.ROOT, found)):
            return found
    return None


def arrows(layer, path):
    """(included file, its room) for each include of a file of the same layer."""
    for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', tree.read(path), re.M):
        found = target(path, included)
        if found and found.startswith(layer + "/"):
            yield found, room_of(found, layer)


def problems_of(layer, files):
    """What is wrong with the includes of the files; the count of those that were looked at is the first result."""
    place, problems, checked = places(layer), [], 0
    for path in files:
        room = room_of(path, layer)
        if room not in place:
            problems.append(f"{path}: ORDER has no room {room} in {layer}")
            continue
        for found, other in arrows(layer, path):
            checked += 1
            if other != room and place.get(other, 0) >= place[room]:
                problems.append(f"{path} includes {found}, of a room that is not below {room}")
    return checked, problems


def main():
    problems, checked = [], 0
    for layer in ORDER:
        count, found = problems_of(layer, tree.files([layer], (".h", ".cpp", ".def")))
        checked += count
        problems += found
    tree.verdict("order", problems, checked)


main()
