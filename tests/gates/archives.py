#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""archives.py LIBRARY=PATH...: each layer's objects need only symbols of the layers under them."""
import sys

import tree

UNDER = {
    "base": [],
    "json": [],
    "san": ["base"],
    "time": ["san", "base", "json"],
    "firmware": ["base", "json"],
    "hal": ["base"],
    "drv": ["hal", "base", "json"],
    "runtime": ["drv", "hal", "base", "json"],
    "acl": ["runtime", "drv", "hal", "base", "json"],
    "rules": ["base"],
    "models": ["rules", "base"],
    "aclnn": ["rules", "acl", "runtime", "drv", "hal", "base"],
    "cuda": ["runtime", "drv", "hal", "base"],
    "api": ["acl", "runtime", "drv", "hal", "base"],
}
# The one object that may call the firmware.
EXCEPTION = "sim_thread.cpp.o"


def symbols(path, wanted):
    """(object, symbol) of the defined or undefined names of an archive."""
    found = []
    member = ""
    for line in tree.run(["nm", "-C", wanted, path]).stdout.splitlines():
        if line.endswith(":"):
            member = line[:-1]
        elif line.strip():
            found.append((member, line.strip().split(" ", 2 if wanted == "--defined-only" else 1)[-1]))
    return found


def main():
    paths = dict(argument.split("=", 1) for argument in sys.argv[1:])
    defined = {layer: {name for _, name in symbols(path, "--defined-only")}
               for layer, path in paths.items()}
    problems, checked = [], 0
    for layer, path in paths.items():
        near = set().union(defined[layer], *(defined[under] for under in UNDER[layer]))
        for member, name in symbols(path, "--undefined-only"):
            checked += 1
            if name in near or member == EXCEPTION and name in defined["firmware"]:
                continue
            homes = [other for other in paths if name in defined[other]]
            if homes:
                problems.append(f"{layer} ({member}) needs {name}, which is in {', '.join(homes)}")
    tree.verdict("archives", problems, checked)


main()
