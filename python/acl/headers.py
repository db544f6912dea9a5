# SPDX-License-Identifier: MIT
"""Reads the prototypes, enumerations and handle types of the public headers, as far as the binding needs them."""
import glob
import os
import re

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
HEADERS = ("include/acl/**/*.h", "include/unpu/unpu.h", "include/unpu/sanitizer.h")
SIGNED = {"int", "int8_t", "int16_t", "int32_t", "int64_t", "aclError"}
UNSIGNED = {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t", "aclFloat16", "unpu_result"}
REAL = {"float", "double"}


class Parameter:
    """One parameter of a C function: type, name, and how many * and which const the type has."""

    def __init__(self, text):
        text = re.sub(r"(\w+)\[\]$", r"*\1", text.strip())
        found = re.fullmatch(r"(const )?(?:struct )?(\w+)((?:\s*\*\s*(?:const )?)*)\s*(\w+)", text)
        if not found:
            raise ValueError(f"the parameter '{text}' cannot be read")
        self.const = bool(found.group(1))
        self.base = found.group(2)
        self.stars = found.group(3).count("*")
        self.name = found.group(4)


class Function:
    """A prototype: name, type of the result, parameters."""

    def __init__(self, name, result, parameters):
        self.name = name
        self.result = result
        self.parameters = parameters


class Headers:
    """What the headers declare."""

    def __init__(self):
        self.functions, self.enums, self.handles, self.paths = {}, set(), set(), []
        for pattern in HEADERS:
            self.paths += sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True))
        for path in self.paths:
            with open(path, encoding="utf-8") as file:
                self.read(file.read())

    def read(self, text):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
        text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        self.enums |= set(re.findall(r"\btypedef enum \w* ?\{[^}]*\} (\w+);", text))
        self.handles |= set(re.findall(r"\btypedef void \*(\w+);", text))
        for found in re.finditer(r"\b(?:ACL_FUNC_VISIBILITY|MSVP_PROF_API|UNPU_API)\s+([\w\s*]+?)(\w+)\s*\(([^()]*)\)\s*;", text):
            result, name, inside = (" ".join(part.split()) for part in found.groups())
            parameters = [] if inside in ("", "void") else inside.split(",")
            if "..." not in inside and "(" not in inside:
                self.functions[name] = (result, parameters)

    def function(self, name):
        """The prototype of @name, which has to be declared."""
        if name not in self.functions:
            raise ValueError(f"no header declares {name}")
        result, parameters = self.functions[name]
        return Function(name, result, [Parameter(text) for text in parameters])
