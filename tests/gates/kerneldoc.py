#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every function of a public header stands under a kernel-doc comment of its own: its name, every
parameter, and what it returns."""
import re

import tree


def parameters(statement):
    """The names of a declaration's parameters."""
    inside = statement[statement.index("(") + 1:statement.rindex(")")]
    names, depth, piece = [], 0, ""
    for letter in inside + ",":
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            pointer = re.search(r"\(\s*\*\s*(?:const\s+)?(\w+)", piece)
            plain = re.search(r"(\w+)\s*(\[[^\]]*\]\s*)*$", piece.strip())
            names.append(pointer.group(1) if pointer else plain.group(1) if plain else "...")
            piece = ""
        else:
            piece += letter
    return [name for name in names if name not in ("void", "...")]


def missing(name, comment, statement):
    if not comment.startswith("/**"):
        return "no kernel-doc comment"
    if not re.search(rf"\b{name}\b", comment):
        return "its comment does not name it"
    without = [parameter for parameter in parameters(statement)
               if not re.search(rf"@{parameter}\b", comment)]
    if without:
        return "its comment says nothing of @" + ", @".join(without)
    before = statement[:statement.index(name)]
    returns_nothing = re.search(r"\bvoid\s*$", re.sub(r"\b[A-Z_]+\b", "", before)) is not None
    if not returns_nothing and not re.search(r"\bReturn:", comment):
        return "its comment has no Return:"
    return None


def main():
    problems, checked = [], 0
    for path in tree.public_headers():
        for name, comment, statement in tree.declarations(path):
            checked += 1
            wrong = missing(name, comment, statement)
            if wrong:
                problems.append(f"{path}: {name}: {wrong}")
    tree.verdict("kerneldoc", problems, checked)


main()
