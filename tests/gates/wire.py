#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wire.py COMPILER: every struct of include/uapi has its size pinned in the lines after it, and the layout
of all of them and the number of every enumerator are those of layout.golden.
wire.py COMPILER --update: writes layout.golden; a change of the wire is a change of its version."""
import difflib
import os
import re
import sys
import tempfile

import tree

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layout.golden")
HEADERS = tree.files(["include/uapi"], (".h",))


def body_from(text, start):
    """The text between the brace at start and its partner, and where that ends."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 1:at], at + 1
    raise ValueError("a brace without a partner")


def fields_of(body):
    """Names of the members that offsetof knows: those of unnamed unions and structs count."""
    names, at = [], 0
    while at < len(body):
        brace, end = body.find("{", at), body.find(";", at)
        if end < 0:
            break
        if 0 <= brace < end:
            inner, after = body_from(body, brace)
            end = body.index(";", after)
            name = body[after:end].strip()
            names += [re.match(r"\w+", name).group(0)] if name else fields_of(inner)
        else:
            for declarator in body[at:end].split(","):
                names.append(re.search(r"(\w+)\s*(\[[^;]*\])?\s*$", declarator).group(1))
        at = end + 1
    return names


def structs_of(path):
    """(name, fields) of each wire struct of one header."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", tree.without_comments(tree.read(path)),
                  flags=re.M)
    for found in re.finditer(r"\bstruct\s+(unpu_\w+)\s*(\{)", text):
        yield found.group(1), fields_of(body_from(text, found.start(2))[0])


def enumerators(compiler):
    """Every enumerator of every header, after the lists are expanded."""
    source = "".join(f'#include "{os.path.relpath(path, "include")}"\n' for path in HEADERS)
    done = tree.run([compiler, "-E", "-P", "-x", "c", "-Iinclude", "-"], input=source,
                    cwd=tree.ROOT)
    names = []
    for body in re.findall(r"\benum\s+unpu_\w+\s*\{(.*?)\}", done.stdout, re.S):
        names += re.findall(r"\b(UNPU_\w+)\s*(?=[=,]|$)", body.strip())
    return names


def layout(compiler):
    """What a program compiled with the headers says of them."""
    lines = ["#include <stdio.h>\n", "#include <stddef.h>\n"]
    lines += [f'#include "{os.path.relpath(path, "include")}"\n' for path in HEADERS]
    lines.append("int main(void)\n{\n")
    for path in HEADERS:
        for name, fields in structs_of(path):
            lines.append(f'printf("struct {name} %zu\\n", sizeof(struct {name}));\n')
            for field in fields:
                member = f"((struct {name} *)0)->{field}"
                lines.append(f'printf("\\t{field} %zu %zu\\n", offsetof(struct {name}, {field}), '
                             f"sizeof({member}));\n")
    for name in enumerators(compiler):
        lines.append(f'printf("{name} %lld\\n", (long long){name});\n')
    lines.append("return 0;\n}\n")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "layout")
        built = tree.run([compiler, "-x", "c", "-std=c11", "-Iinclude", "-", "-o", program],
                         input="".join(lines), cwd=tree.ROOT)
        if built.returncode != 0:
            sys.exit(built.stdout)
        return tree.run([program]).stdout


def main():
    found = layout(sys.argv[1])
    if "--update" in sys.argv:
        with open(GOLDEN, "w", encoding="utf-8") as file:
            file.write(found)
    problems, checked = [], 0
    for path in HEADERS:
        text = tree.without_comments(tree.read(path))
        for name, _ in structs_of(path):
            checked += 1
            start = re.search(rf"\bstruct\s+{name}\s*\{{", text).end() - 1
            behind = text[body_from(text, start)[1]:].split("\n", 1)[1]
            asserts = re.match(rf"(?:UNPU_WIRE_(?:SIZE|OFFSET)\({name},[^;]*;\n)*", behind).group(0)
            if "UNPU_WIRE_SIZE" not in asserts:
                problems.append(f"{path}: struct {name} without its UNPU_WIRE_SIZE in the line after it")
    with open(GOLDEN, encoding="utf-8") as file:
        golden = file.read()
    problems += difflib.unified_diff(golden.splitlines(), found.splitlines(), "layout.golden",
                                     "include/uapi", lineterm="")
    tree.verdict("wire", problems, checked)


main()
