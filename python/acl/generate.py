# SPDX-License-Identifier: MIT
"""generate.py MODULE SOURCE [STUBS]: writes the C++ of the functions of MODULE, acl or unpu._native, and with STUBS
what type checkers read of it. CMake runs it at build time."""
import os
import sys

import signatures

HEAD = """// Written by python/acl/generate.py from python/acl/functions.json and the headers.
#include <cstring>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "acl/ops/acl_cblas.h"
#include "acl/ops/acl_dvpp.h"
#include "unpu/sanitizer.h"
#include "unpu/unpu.h"

#include "python/acl/callbacks.h"
#include "python/acl/failure.h"
#include "python/acl/kept_bytes.h"
#include "python/acl/structs.h"
#include "python/call/module.h"
#include "python/call/result.h"
#include "python/call/text_buffer.h"

namespace binding {
"""


def c_type(parameter, stars):
    """The type of a variable that holds what the parameter, or what it points to, is."""
    return f"{parameter.base} {'*' * stars}"


class Function:
    """The C++ of one function over a C function."""

    def __init__(self, entry):
        self.entry = entry
        self.name = entry.full_name.replace(".", "_")
        self.variables, self.reads = [], []
        self.passed, self.given = {}, []
        for argument in entry.arguments:
            self.take(argument)
        for result in entry.results:
            self.receive(result)
        # A buffer is made when its length is read.
        self.reads += [f"{result.parameter.name}.reserve({self.length(result)})"
                       for result in entry.results if result.kind == "buffer"]

    @staticmethod
    def length(result):
        return result.length

    def take(self, argument):
        parameter, index = argument.parameter, self.entry.arguments.index(argument)
        name = parameter.name
        place = f'call.place({index}, "{argument.name}")'
        read = f'call.take({index}, "{argument.name}", &{name})'
        self.passed[name] = name
        if argument.kind == "number":
            self.variables.append(f"{c_type(parameter, 0)}{name}{{}};")
        elif argument.kind == "reserved":
            # Programs give -1 or a number.
            self.variables.append(f"int64_t {name}{{}};")
            self.passed[name] = f"static_cast<{parameter.base}>({name})"
        elif argument.kind == "address" and parameter.base == "char":
            self.variables.append(f"const void *{name}{{}};")
            self.passed[name] = f"static_cast<const char *>({name})"
        elif argument.kind == "address":
            self.variables.append(f"{'const ' if parameter.const and parameter.stars else ''}"
                                  f"{c_type(parameter, parameter.stars)}{name}{{}};")
        elif argument.kind in ("text", "optional", "sized"):
            self.variables.append(f"const char *{name} = nullptr;")
            if parameter.base == "char" and not parameter.const:
                self.passed[name] = f"const_cast<char *>({name})"
            if argument.kind == "optional":
                read = f"(given == {index} || {read})"
            if argument.kind == "sized":
                self.passed[argument.count] = f"strlen({name})"
        elif argument.kind == "struct":
            self.variables.append(f"StructArgument<{parameter.base}> {name};")
            read = f"{name}.read(call.argument({index}), {place})"
            self.passed[name] = f"{name}.{'pointer' if parameter.stars else 'value'}()"
        else:
            self.take_list(argument, index, place)
            return
        self.reads.append(read)

    def take_list(self, argument, index, place):
        parameter, name = argument.parameter, argument.parameter.name
        const = "const " if parameter.const and parameter.base in ("void", "char") else ""
        self.variables.append(f"Sequence<{const}{c_type(parameter, parameter.stars - 1)}> {name};")
        self.reads.append(f"{name}.read(call.argument({index}), {place})")
        self.passed[name] = f"{name}.data()"
        first = self.entry.counts[argument.count]
        if argument.kind == "list":
            count = next(p for p in self.entry.function.parameters if p.name == argument.count)
            self.passed[argument.count] = f"static_cast<{count.base}>({name}.size())"
        else:
            self.reads.append(f"{name}.of_length({first}.size(), {place})")

    def receive(self, result):
        parameter, name = result.parameter, result.parameter.name
        if result.kind == "buffer":
            self.variables.append(f"TextBuffer {name};")
            self.passed[name] = f"{name}.data()"
            self.given.append(f"{name}.give()")
            return
        if result.kind == "null":
            self.passed[name] = "nullptr"
            self.given.append("give(0)")
            return
        if result.kind != "both":
            self.variables.append(f"{c_type(parameter, parameter.stars - 1)}{name}{{}};")
        self.passed[name] = f"&{name}"
        self.given.append(f"give({name})")

    def call(self):
        names = [self.passed[parameter.name] for parameter in self.entry.function.parameters]
        call = f"{self.entry.c_name}({', '.join(names)})"
        void = self.entry.function.result == "void"
        if self.entry.quick:
            return f"\t{'' if void else 'const auto ret = '}{call};"
        if void:
            return f"\twithout_gil([&] {{ {call}; return 0; }});"
        return f"\tconst auto ret = without_gil([&] {{ return {call}; }});"

    def checks(self):
        """The checks for bytes that no longer exist."""
        for name, use in ((self.entry.reads, ""), (self.entry.writes, ", Use::WRITE")):
            if name:
                yield f'\tif (!check_kept_bytes({name}, "{self.entry.full_name}"{use}))'
                yield "\t\treturn nullptr;"

    def tail(self):
        entry = self.entry
        if entry.sweeps:
            yield "\tsweep_callbacks();"
        if entry.function.result == "void" and not self.given:
            yield "\treturn new_reference(Py_None);"
        elif entry.function.result == "void":
            yield f"\treturn give_all({', '.join(self.given)});"
        elif not entry.status:
            text = entry.function.result == "const char *"
            yield f"\treturn {'give_text' if text else 'give'}(ret);"
        elif self.given:
            yield f"\treturn give_all({', '.join(self.given + ['give(ret)'])});"
        else:
            yield "\treturn give(ret);"

    def lines(self):
        wanted = len(self.entry.arguments)
        yield f"PyObject *{self.name}(PyObject *, PyObject *const *arguments, Py_ssize_t given)"
        yield "{"
        expected = f"given == 0 ? 0 : {wanted}" if self.entry.optional else str(wanted)
        yield f'\tconst Call call("{self.entry.full_name}", arguments, given, {expected});'
        yield from (f"\t{line}" for line in self.variables)
        reads = "".join(f" ||\n\t    !{read}" for read in self.reads)
        yield f"\tif (!call.fits(){reads})"
        yield "\t\treturn nullptr;"
        if self.entry.module.startswith("acl"):
            yield from self.checks()
        yield self.call()
        yield from self.tail()
        yield "}"
        yield ""


def refused_lines(entry):
    name = entry.full_name.replace(".", "_")
    yield f"PyObject *{name}(PyObject *, PyObject *const *arguments, Py_ssize_t given)"
    yield "{"
    yield f'\tconst Call call("{entry.full_name}", arguments, given, {entry.wanted});'
    yield f'\treturn call.fits() ? refuse("{entry.full_name}", "{entry.why}", {entry.count}) : nullptr;'
    yield "}"
    yield ""


def describe(entry):
    """The first line of a function's help."""
    names = ", ".join(f"[{name}]" if optional else name for name, _, optional in entry.parameters())
    text = f"{entry.name}({names}) -> {', '.join(entry.values())}"
    return text + (f". {entry.c_name}()" if entry.c_name and entry.c_name != "-" else "")


def table_lines(table, module):
    yield f"PyMethodDef {module.replace('.', '_')}_methods[] = {{"
    for entry in table.of_module(module):
        name = entry.full_name.replace(".", "_")
        cast = f"reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>({name}))"
        yield f'\t{{"{entry.name}", {cast}, METH_FASTCALL,'
        yield f'\t "{describe(entry)}"}},'
    yield "\t{nullptr, nullptr, 0, nullptr},"
    yield "};"
    yield ""


def source(table, root):
    modules = [module for module in table.modules if module == root or module.startswith(root + ".")]
    yield HEAD
    for entry in table.by_hand:
        if entry.module in modules:
            yield (f"PyObject *{entry.full_name.replace('.', '_')}(PyObject *, PyObject *const *arguments, "
                   "Py_ssize_t given);")
    yield ""
    yield "namespace {"
    yield ""
    for entry in table.calls:
        if entry.module in modules:
            yield from Function(entry).lines()
    for entry in table.refused:
        if entry.module in modules:
            yield from refused_lines(entry)
    for module in modules:
        yield from table_lines(table, module)
    yield "} // namespace"
    yield ""
    yield "const ModuleTable module_tables[] = {"
    for module in modules:
        yield f'\t{{"{module}", {module.replace(".", "_")}_methods}},'
    yield "\t{nullptr, nullptr},"
    yield "};"
    yield ""
    yield "} // namespace binding"


def stub(entry):
    values = entry.values()
    given = values[0] if len(values) == 1 else f"tuple[{', '.join(values)}]"
    parts = [f"{name}: {annotation}{' = ...' if optional else ''}"
             for name, annotation, optional in entry.parameters()]
    inside = ", ".join(parts + ["/"]) if parts else ""
    return f"def {entry.name}({inside}) -> {given}: ..."


def stubs(table, module):
    yield "# Written by python/acl/generate.py."
    yield "from __future__ import annotations"
    yield "from typing import Callable"
    below = [name.rpartition(".")[2] for name in table.modules if name.startswith(module + ".")]
    yield from (f"from . import {name} as {name}" for name in below)
    yield ""
    yield from (stub(entry) for entry in table.of_module(module))


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    root, path, *folder = sys.argv[1:]
    table = signatures.Table()
    write(path, source(table, root))
    if folder:
        os.makedirs(folder[0], exist_ok=True)
        write(os.path.join(folder[0], "__init__.pyi"), stubs(table, root))
        for module in table.modules:
            if module.startswith(root + "."):
                write(os.path.join(folder[0], module.rpartition(".")[2] + ".pyi"), stubs(table, module))


if __name__ == "__main__":
    main()
