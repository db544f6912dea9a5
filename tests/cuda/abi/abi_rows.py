#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abi_rows.py HEADERS OUTPUT: a C++ program that prints a line for each enumerator, flag, layout and
function that the headers of the folder HEADERS declare. Compiled against any header of the interface
it prints what that one has."""
import os
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)


def read(folder):
    text = ""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".h"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text += COMMENT.sub(" ", file.read())
    return text


def bodies(text, word):
    """(name, body) of each 'typedef WORD tag { body } name;'."""
    for start in re.finditer(rf"\btypedef {word} \w+ \{{", text):
        depth, at = 1, start.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield re.match(r"\s*(\w+)\s*;", text[at:]).group(1), text[start.end():at - 1]


def members(body):
    """Names of the members at the outermost level; those of unnamed unions count too, and those with
    a _ at the end do not."""
    flat, stack = "", []
    pieces = re.split(r"([{}])", body)
    for index, piece in enumerate(pieces):
        if piece == "{":
            after = "".join(pieces[index + 1:])
            depth, at = 1, 0
            while depth:
                depth += {"{": 1, "}": -1}.get(after[at], 0)
                at += 1
            unnamed = re.match(r"\s*;", after[at:]) is not None
            stack.append(unnamed and all(stack))
        elif piece == "}":
            stack.pop()
        elif all(stack):
            flat += piece
    found = []
    for statement in flat.split(";"):
        statement = re.sub(r"\b(struct|union)\s*\w*\s*$", "", statement)
        name = re.search(r"(\w+)\s*(\[[^\]]*\])*\s*$", statement)
        if name and name.group(1) not in ("struct", "union") and name.group(1)[-1] != "_":
            found.append(name.group(1))
    return found


def main():
    text = read(sys.argv[1])
    rows = []
    for _, body in bodies(text, "enum"):
        for name in re.findall(r"\b(\w+)\s*=", body):
            rows.append(f'NUMBER({name})')
    for name in re.findall(r"^#define (CU\w+) \(?\(?\w*\)?\(?[0-9]\w*\)?\)?$", text, re.M):
        rows.append(f"NUMBER({name})")
    for word in ("struct", "union"):
        for name, body in bodies(text, word):
            rows.append(f"SIZE({name})")
            rows += [f"OFFSET({name}, {member})" for member in members(body)]
    rows += [f"TYPE({name})" for name in re.findall(r"^CUresult CUDAAPI (\w+)\(", text, re.M)]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("#include <cuda.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <typeinfo>\n\n"
                   '#define NUMBER(name) printf(#name " %lld\\n", (long long)(name));\n'
                   '#define SIZE(type) printf("sizeof " #type " %zu\\n", sizeof(type));\n'
                   "#define OFFSET(type, member) \\\n"
                   '\tprintf(#type "." #member " %zu\\n", offsetof(type, member));\n\n'
                   '#define TEXT(function) #function\n'
                   "#define TYPE(function) \\\n"
                   '\tprintf("%s %s\\n", TEXT(function), typeid(decltype(function)).name());\n\n'
                   "int main()\n{\n" + "".join(f"\t{row}\n" for row in rows) +
                   "\treturn 0;\n}\n")


main()
