#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each path and identifier that the book names exists.

A path is a file or folder of the tree, or a program by the path of its source without the ending. The words of an
identifier stand in the code; those of a qualified one, Class::member, stand in one file. A name may leave out what
the names of its kind have in common: FAST_SYNC for ACL_STREAM_FAST_SYNC."""
import collections
import fnmatch
import os
import re
import sys

import tree

LITERAL = re.compile(r"``([^`]+)``")
PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)+/?|[\w-]+\.(h|cpp|c|py|sh|pml|rst|in|txt|cmake|json)")
IDENTIFIER = re.compile(r"(\w+::)*~?[A-Za-z_]\w*(\(\))?|[A-Za-z_]\w*(\.|->)\w+(\(\))?")
# What an identifier of ours looks like: a call, a qualified name, or words joined by _ or by capitals.
JOINED = re.compile(r"\(\)|::|\w_\w|[a-z][A-Z]|->|\.")
FOLDERS = (*tree.CODE, "cmake", "Documentation", "include", "scripts")
ENDINGS = (".cpp", ".c", ".h", ".in", "_test.cpp")
# Names of the kernel, of C libraries and of tools that no file of ours has.
FOREIGN = {"CMAKE_PREFIX_PATH", "MsprofSetDeviceIdByGeModelIdx", "cachestat", "no_new_privs", "sscanf_s"}


class Tree:
    """What there is."""

    def __init__(self):
        self.files = set(tree.files(FOLDERS, ""))
        self.files |= {name for name in os.listdir(tree.ROOT)
                       if os.path.isfile(os.path.join(tree.ROOT, name))}
        self.folders = {os.path.dirname(path) for path in self.files}
        self.folders |= {os.path.dirname(folder) for folder in self.folders}
        self.names = {os.path.basename(path) for path in self.files}
        self.files_of = collections.defaultdict(set)
        for path in self.files:
            if path.endswith((".rst", ".golden", ".md")) or "/corpus/" in path:
                continue
            for word in set(re.findall(r"\w+", tree.read(path))):
                self.files_of[word].add(path)
        self.lower = {word.lower() for word in self.files_of}

    def has_path(self, path):
        path = path.rstrip("/")
        if "/" not in path:
            return path in self.names or path + ".in" in self.names
        there = self.files | self.folders
        for name in (path, "include/" + path):
            if "*" in name and any(fnmatch.fnmatch(other, name) for other in there):
                return True
            if name in there or any(name + ending in there for ending in ENDINGS):
                return True
        return False

    def has_word(self, word):
        if word in self.files_of or word in FOREIGN or word + ".cpp" in self.names:
            return True
        if not JOINED.search(word):
            return False
        short = word.lower()
        return any(f"_{short}_" in f"{other}_" or word.endswith("_") and other.startswith(short)
                   for other in self.lower)

    def has_identifier(self, words):
        if not all(self.has_word(word) for word in words):
            return False
        known = [self.files_of[word] for word in words if word in self.files_of]
        return len(known) < len(words) or bool(set.intersection(*known))


def problem(there, literal):
    """Why a literal of the book is not right, or None."""
    if PATH.fullmatch(literal):
        ours = "/" not in literal or literal.split("/")[0] in FOLDERS
        return f"there is no {literal}" if ours and not there.has_path(literal) else None
    if IDENTIFIER.fullmatch(literal) and JOINED.search(literal):
        if not there.has_identifier(re.findall(r"\w+", literal)):
            return f"no code has {literal}"
    return None


def main():
    there = Tree()
    problems = []
    for page in tree.files(("Documentation",), (".rst",)):
        text = tree.read(page)
        for found in LITERAL.finditer(text):
            why = problem(there, " ".join(found.group(1).split()))
            if why:
                line = text.count("\n", 0, found.start()) + 1
                problems.append(f"{page}:{line}: {why}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
