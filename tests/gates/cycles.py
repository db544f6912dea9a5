#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modules that include each other in a circle can't be read, tested or changed apart. A module is a
.cpp with the header of its name; a header without one is a module too. In no layer may more than
MOST modules form one circle (a strongly connected component of the include graph), and all
modules of a circle lie in one folder."""
import os
import re

import tree

MOST = 4
LAYERS = ("base", "san", "time", "hal", "drv", "umd", "firmware_sim", "python")

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def module_of(path):
    """The path without its ending: a source and the header of its name beside it are one module."""
    return os.path.splitext(path)[0]


def graph_of(texts):
    """module -> modules that it includes. @texts: path -> text of each file of one layer."""
    modules = {path: module_of(path) for path in texts}
    graph = {module: set() for module in modules.values()}
    for path, text in texts.items():
        for name in INCLUDE.findall(text):
            for place in tree.include_places(path, name):
                other = modules.get(place)
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
        folders = {os.path.dirname(module) for module in circle}
        if len(folders) > 1:
            yield (f"{layer}: modules of {len(folders)} folders include each other in a circle: "
                   f"{' '.join(circle)}")


def check_self():
    """What the gate would say of small layers that are known."""
    def largest(edges):
        texts = {path: "".join(f'#include "{name}"\n' for name in names)
                 for path, names in edges.items()}
        circles = circles_of(graph_of(texts))
        return len(circles[0]) if circles else 0
    ring = {f"x/{i}.cpp": [f"x/{(i + 1) % 5}.h"] for i in range(5)}
    ring |= {f"x/{i}.h": [] for i in range(5)}
    cut = ring | {"x/4.cpp": []}
    local = {"x/a.cpp": ["b.h"], "x/b.h": ["a.h"], "x/a.h": []}
    chain = {"x/a.cpp": ["x/b.h"], "x/b.h": ["x/c.h"], "x/c.h": []}
    alike = {"x/a.h": ["x/b.h"], "x/y/b.cpp": ["x/a.h"], "x/b.h": [], "x/y/b.h": []}
    expected = [(ring, 5), (cut, 0), (local, 2), (chain, 0), (alike, 0)]
    for edges, size in expected:
        found = largest(edges)
        if found != size:
            yield f"the gate itself: finds a circle of {found} where there is one of {size}"
    if graph_of({"x/a.h": "#include <x/b.h>\n", "x/b.h": ""})["x/a"] != {"x/b"}:
        yield "the gate itself: does not see an include in angle brackets"
    if not list(problems_of("x", [["a", "b"]], 1)) or list(problems_of("x", [["a", "b"]], 2)):
        yield "the gate itself: compares a circle with its limit wrongly"
    if not list(problems_of("x", [["x/y/a", "x/z/b"]], 2)):
        yield "the gate itself: does not see that a circle spans two folders"


def main():
    problems = list(check_self())
    checked = 0
    for layer in LAYERS:
        texts = {path: tree.read(path) for path in tree.files([layer], (".cpp", ".h"), with_made=True)}
        graph = graph_of(texts)
        circles = circles_of(graph)
        checked += len(graph)
        size = len(circles[0]) if circles else 1
        problems += problems_of(layer, circles, MOST)
        print(f"{layer}: {len(graph)} modules, the largest circle has {size}, {MOST} at most")
    tree.verdict("cycles", problems, checked)


main()
