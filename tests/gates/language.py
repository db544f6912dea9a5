#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""language.py COMPILER: the list of the names that kernels have is current, and a test uses each of them.
language.py COMPILER --update: writes the list, from the headers and from kernels/names.json, which has the limits."""
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap

import tree

PAGE = "Documentation/kernel-names.rst"
LIST = "kernels/names.json"
HEADERS = "kernels/include"
INCLUDED = ("kernel_operator.h", "lib/matmul_intf.h", "lib/hccl/hccl.h")
# What a test is that uses a name: all of these are compiled by the build.
TESTS = ("tests/kernels", "examples/kernels")

TOKEN = re.compile(r'^#.*$|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|::|[0-9][\w.\']*|\S', re.M)
MARKER = re.compile(r'# \d+ "([^"]*)"')
WORD = re.compile(r"[A-Za-z_]\w*$")
# No names of the language: words of C++, what only the language's own headers use, and names of other spaces.
OWN = {"operator", "where", "if", "for", "while", "return", "static_assert", "queue_source", "queue_target", "visibility",
       "IsNumber", "unpu", "UnpuDefaultTiling", "IsBufferPool"}
CLASSES = ("class", "struct", "union", "enum")
# Members that are only for other classes of the language.
INNER = re.compile(r"(.*_|init|share|pool|origin|data|sets_mask|home|get|free_id|is_\w+|take\w*|free_\w+)$")


def without_template(words):
    while words[:2] == ["template", "<"]:
        depth = 0
        for at, word in enumerate(words[1:], 1):
            depth += (word == "<") - (word == ">")
            if depth == 0:
                break
        words = words[at + 1:]
    return words


def name_of_class(words):
    at = 2 if words[1:2] in (["class"], ["struct"]) else 1
    return words[at] if at < len(words) and WORD.match(words[at]) else None


def declared(words, is_body):
    """The name that a declaration outside of functions makes, or None."""
    words = without_template(words)
    if not words or words[0] in ("static_assert", "friend"):
        return None
    if words[0] == "using":
        if "namespace" in words or "operator" in words:
            return None
        return words[1] if words[2:3] == ["="] else words[-1]
    if words[0] in CLASSES:
        return name_of_class(words) if is_body else None
    depth = 0
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word == "<" and WORD.match(before):
            depth += 1
        elif word == ">" and depth:
            depth -= 1
        elif depth == 0 and word == "(" and WORD.match(before) and before not in ("__attribute__", "decltype", "alignas"):
            return None if "operator" in words[:at] or "~" in words[:at] else before
        elif depth == 0 and word in ("=", "[") and WORD.match(before):
            return before
    return words[-1] if len(words) > 1 and WORD.match(words[-1]) else None


class Reader:
    """Finds names in a preprocessed text: (place, name), where a place is a chain of namespaces and classes."""

    def __init__(self):
        self.places = []  # (kind, name, is public): kind is space, class or body
        self.words = []
        self.found = {}

    def place(self):
        return "::".join(name for kind, name, _ in self.places if kind != "extern")

    def add(self, is_body):
        name = declared(self.words, is_body)
        kind, owner, is_public = self.places[-1] if self.places else ("space", "", True)
        if name and is_public and name not in OWN and name != owner and (kind != "class" or not INNER.match(name)):
            self.found.setdefault((self.place(), name), self.path)

    def open(self):
        words = without_template(self.words)
        if "namespace" in words[:2]:
            self.places.append(("space", "".join(words[words.index("namespace") + 1:]), True))
            self.words = []
        elif words[:1] == ["extern"] and len(words) == 2:
            self.places.append(("extern", "", True))
            self.words = []
        elif words and words[0] in CLASSES[:3] and "(" not in words[:3] and "=" not in words:
            self.add(True)
            self.places.append(("class", name_of_class(words) or "", words[0] == "struct" and bool(name_of_class(words))))
            self.words = []
        else:
            self.add(True)
            self.places.append(("body", "", False))
            self.words = ["{}"] if words[:1] != ["enum"] else ["enum{}"]

    def outside(self, word):
        if word == "{":
            self.open()
        elif word == "}":
            if self.places:
                self.places.pop()
            self.words = []
        elif word == ";":
            if "{}" not in self.words and "enum{}" not in self.words:
                self.add(False)
            self.words = []
        elif word == ":" and self.words in (["public"], ["private"], ["protected"]):
            self.places[-1] = (*self.places[-1][:2], self.words == ["public"])
            self.words = []
        else:
            if self.words == ["{}"]:
                self.words = []
            self.words.append(word)

    def read(self, text):
        self.path = ""
        for match in TOKEN.finditer(text):
            word = match.group()
            marker = MARKER.match(word)
            if marker:
                self.path = marker.group(1)
            if word[0] == "#":
                continue
            if not self.places or self.places[-1][0] != "body":
                self.outside(word)
            elif word == "{":
                self.places.append(("body", "", False))
            elif word == "}":
                self.places.pop()
        return self.found


def names_of_headers(compiler):
    """{name: members} of what the headers declare, and the macros."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "names.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f'#include "{name}"\n' for name in INCLUDED))
        text = subprocess.run([compiler, "-std=c++17", "-E", f"-I{HEADERS}", "-Iinclude", "-I.", path], cwd=tree.ROOT,
                              stdout=subprocess.PIPE, text=True, check=True).stdout
    names = {}
    for (place, name), path in Reader().read(text).items():
        if HEADERS not in path or place.startswith(("unpu", "std", "AscendC::detail")):
            continue
        owner = re.sub(r"^(AscendC|matmul)(::|$)", "", place)
        if owner in ("", "Std", "tiling"):
            names.setdefault(f"Std::{name}" if owner == "Std" else name, set())
        elif "::" not in owner:
            names.setdefault(owner, set()).add(name)
    for path in tree.files([HEADERS], (".h",)):
        for macro in re.findall(r"^\s*#\s*define\s+(\w+)", tree.read(path), re.M):
            if not macro.endswith("_H") and not macro.startswith(("UNPU", "_GLIBCXX")):
                names.setdefault(macro, set())
    return names


def missing_by_headers():
    """{name: what to use} of what the headers refuse, with the sentence of the error."""
    missing = {}
    for path in tree.files([HEADERS], (".h",)):
        text = re.sub(r'"\s*(?:\\\n)?\s*"', "", tree.read(path))
        for name, instead in re.findall(r'"unpu has no ([\w:]+)(?: yet)? \(see kernel-names\): ([^"]*)"', text):
            missing[name] = instead
        for name, instead in re.findall(r'^UNPU_MISSING\((\w+),\s+"([^"]*)"\)', text, re.M):
            missing[name] = instead
    return missing


def title(text):
    return ["", text, "-" * len(text), ""]


def table(heads, rows):
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 30 70", ""]
    for row in (heads, *rows):
        lines += [f"   {'*' if at == 0 else ' '} - {text}".rstrip() for at, text in enumerate(row)]
    return lines


def quoted(names):
    return ", ".join(f"``{name}``" for name in sorted(names, key=lambda name: (name.lower(), name)))


def page(names, limits):
    missing = missing_by_headers()
    refused = {name.split("::")[1] for name in missing if name.startswith("Matmul::")}
    present = {name for name in names if name not in missing}
    # A struct of parameters has fields and constructors alone.
    members = {name: {member for member in names[name]
                      if member[0].isupper() and member not in refused and f"{name}::{member}" not in missing} for name in present}
    lines = [".. SPDX-License-Identifier: MIT", "", "Names of the language of kernels", "================================", "",
             f".. Written from {HEADERS} and {LIST} by tests/gates/language.py --update.", "",
             "Each name that a kernel can use is there, there with limits, or not there. :doc:`kernel-language` describes what",
             "they do. The gate ``language`` finds the names in the headers, and a test that uses each of them."]
    lines += title("There")
    lines += textwrap.wrap(quoted(name for name in present if name not in limits and not members[name]) + ".", 120,
                           break_on_hyphens=False, break_long_words=False)
    lines += title("Classes")
    lines += ["Parameters have their documented fields, and stand above.", ""]
    lines += table(("class", "members"), [(f"``{name}``", quoted(members[name])) for name in sorted(present) if members[name]])
    lines += title("There with limits")
    lines += table(("name", "limit"), [(f"``{name}``", limits[name]) for name in sorted(limits)])
    lines += title("Not there")
    lines += ["A kernel that uses one of these does not compile, and the error says what this table says.", ""]
    lines += table(("name", "instead"), [(f"``{name}``", missing[name]) for name in sorted(missing)])
    return "\n".join(lines) + "\n", missing


def check_uses(names, missing, problems):
    used = set()
    for path in tree.files(TESTS, (".cpp", ".h")):
        used.update(re.findall(r"\w+", tree.read(path)))
    for name in sorted(set(names) - set(missing)):
        if name.split("::")[-1] not in used:
            problems.append(f"{name}: no test of kernels uses it")


def main():
    compiler = sys.argv[1]
    limits = json.loads(tree.read(LIST))
    names = names_of_headers(compiler)
    text, missing = page(names, limits)
    if "--update" in sys.argv:
        with open(os.path.join(tree.ROOT, PAGE), "w", encoding="utf-8") as file:
            file.write(text)
    problems = [f"{LIST}: {name} is no name of the headers" for name in limits if name not in names or name in missing]
    if not os.path.exists(os.path.join(tree.ROOT, PAGE)) or tree.read(PAGE) != text:
        problems.append(f"{PAGE} is not current; tests/gates/language.py COMPILER --update writes it")
    check_uses(names, missing, problems)
    tree.verdict("language", problems, len(names) + len(missing))


main()
