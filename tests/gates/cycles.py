#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modules that include each other in a circle can't be read, tested or changed apart. A module is a
.cpp with the header of its name; a header without one is a module too. In no layer may more than
MOST modules form one circle (a strongly connected component of the include graph). A layer that has
not got there has its number in LIMITS: it may only shrink."""
import os
import re

import tree

MOST = 4
# layer -> (folders, where the headers of the layer lie)
LAYERS = {
    "base": (["base"], "base"),
    "hal": (["hal"], "hal"),
    "drv": (["drv"], "drv"),
    "umd": (["umd"], "umd"),
    "firmware_sim": (["firmware_sim"], "firmware_sim"),
}
# layer -> how many modules its largest circle has. Lower the number when the circle gets smaller, and
# remove it at MOST. It never grows.
LIMITS = {"firmware_sim": 16}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def module_of(path, headers, sources):
    """The path without its ending. A header of the layer that has a source of its name below a folder
    of the layer belongs to that."""
    stem = os.path.splitext(path)[0]
    if not path.startswith(headers + "/"):
        return stem
    name = os.path.basename(stem)
    own = [source for source in sources if os.path.basename(source) == name]
    # Front ends have files of the same names; the machinery in runtime/ is what the headers are of.
    own.sort(key=lambda source: ("/runtime/" not in source, source.count("/"), source))
    if not own or (own[0].startswith("umd/") and "/runtime/" not in own[0]):
        return stem
    return own[0]


def graph_of(texts, headers):
    """module -> modules that it includes. @texts: path -> text of each file of one layer."""
    sources = [os.path.splitext(path)[0] for path in texts if path.endswith(".cpp")]
    modules = {path: module_of(path, headers, sources) for path in texts}
    graph = {module: set() for module in modules.values()}
    for path, text in texts.items():
        for name in INCLUDE.findall(text):
            places = (name, "include/" + name, os.path.join(os.path.dirname(path), name))
            for place in places:
                other = modules.get(os.path.normpath(place))
                if other and other != modules[path]:
                    graph[modules[path]].add(other)
    return graph


def reach(graph, start):
    """What can be reached from @start."""
    found, left = set(), [start]
    while left:
        for other in graph[left.pop()] - found:
            found.add(other)
            left.append(other)
    return found


def circles_of(graph):
    """The strongly connected components of more than one module, the largest first."""
    reached = {module: reach(graph, module) for module in graph}
    found, seen = [], set()
    for module in sorted(graph):
        if module in seen or module not in reached[module]:
            continue
        circle = {other for other in reached[module] if module in reached[other]}
        seen |= circle
        found.append(sorted(circle))
    return sorted(found, key=len, reverse=True)


def problems_of(layer, circles, limit):
    for circle in circles:
        if len(circle) > limit:
            names = " ".join(os.path.basename(module) for module in circle)
            yield (f"{layer}: {len(circle)} modules include each other in a circle, {limit} may: "
                   f"{names}")


def check_self():
    """What the gate would say of small layers that are known."""
    def largest(edges, headers="include/x"):
        texts = {path: "".join(f'#include "{name}"\n' for name in names)
                 for path, names in edges.items()}
        circles = circles_of(graph_of(texts, headers))
        return len(circles[0]) if circles else 0
    ring = {f"x/{i}.cpp": [f"x/{(i + 1) % 5}.h"] for i in range(5)}
    ring |= {f"include/x/{i}.h": [] for i in range(5)}
    cut = ring | {"x/4.cpp": []}
    local = {"x/a.cpp": ["b.h"], "x/b.h": ["a.h"], "x/a.h": []}
    chain = {"x/a.cpp": ["x/b.h"], "include/x/b.h": ["x/c.h"], "include/x/c.h": []}
    expected = [(ring, 5), (cut, 0), (local, 2), (chain, 0)]
    for edges, size in expected:
        found = largest(edges)
        if found != size:
            yield f"the gate itself: finds a circle of {found} where there is one of {size}"
    if not list(problems_of("x", [["a", "b"]], 1)) or list(problems_of("x", [["a", "b"]], 2)):
        yield "the gate itself: compares a circle with its limit wrongly"


def main():
    problems = list(check_self())
    checked = 0
    for layer, (folders, headers) in LAYERS.items():
        texts = {path: tree.read(path) for path in tree.files([*folders, headers], (".cpp", ".h"))}
        graph = graph_of(texts, headers)
        circles = circles_of(graph)
        checked += len(graph)
        size = len(circles[0]) if circles else 1
        limit = LIMITS.get(layer, MOST)
        problems += problems_of(layer, circles, limit)
        print(f"{layer}: {len(graph)} modules, the largest circle has {size}, {limit} at most")
    tree.verdict("cycles", problems, checked)


main()
