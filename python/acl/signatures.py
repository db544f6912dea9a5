# SPDX-License-Identifier: MIT
"""The Python signature of each name: the table functions.json over the prototypes of the headers.

Two rules give nearly all of them. A name is the C name without its prefix, in words joined by _. The arguments are the
C function's in their order; what it writes comes back in the same order, and its status last; a pointer and a count
become one list. The table names the exceptions."""
import json
import os
import re

import headers

TABLE = "python/acl/functions.json"
PREFIX = re.compile(r"^(aclrt|aclmdl|aclprof|aclop|aclblas|acl|unpu_)")


def snake(name):
    """getPCIBusId -> get_pci_bus_id."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return name.lower()


class Argument:
    """One argument of a Python function. @kind: how the C parameters are made of it."""

    def __init__(self, kind, parameter, annotation, count=None):
        self.kind, self.parameter, self.annotation, self.count = kind, parameter, annotation, count
        self.name = snake(parameter.name)


class Result:
    """One value that comes back besides the status."""

    def __init__(self, kind, parameter, annotation, length=None):
        self.kind, self.parameter, self.annotation, self.length = kind, parameter, annotation, length


class Signature:
    """A Python function over a C function."""

    def __init__(self, module, c_name, table, declared):
        self.module = module
        self.c_name = c_name
        self.name = table["names"].get(c_name) or snake(PREFIX.sub("", c_name))
        self.function = declared.function(c_name)
        self.declared = declared
        self.opaque = table["opaque"]
        self.quick = c_name in table["quick"]
        self.sweeps = c_name in table["sweep"] and module.startswith("acl")
        self.reads = table["reads"].get(c_name)
        self.writes = table["writes"].get(c_name)
        self.status = self.function.result in ("aclError", "unpu_result")
        self.arguments, self.results = [], []
        # C parameter name -> how the call writes it.
        self.passed = {}
        special = table["parameters"].get(c_name, {})
        known = {parameter.name for parameter in self.function.parameters}
        for name in special:
            if name not in known:
                raise ValueError(f"{TABLE}: {c_name} has no parameter {name}")
        self.counts = {}
        for parameter in self.function.parameters:
            how = special.get(parameter.name, "").split()
            if how[:1] in (["list"], ["sized"]):
                self.counts.setdefault(how[1], parameter.name)
        for parameter in self.function.parameters:
            self.place(parameter, special.get(parameter.name, "").split())
        order = table["results"].get(c_name)
        if order:
            self.results.sort(key=lambda result: order.index(result.parameter.name))
        self.optional = sum(argument.kind == "optional" for argument in self.arguments)

    def place(self, parameter, how):
        if parameter.name in self.counts:
            return
        if how:
            self.place_special(parameter, *how)
        elif self.is_number(parameter) and parameter.stars == 0:
            annotation = "float" if parameter.base in headers.REAL else "int"
            self.arguments.append(Argument("number", parameter, annotation))
        elif self.is_address(parameter):
            self.arguments.append(Argument("address", parameter, "int"))
        elif parameter.base == "char" and parameter.stars == 1 and parameter.const:
            self.arguments.append(Argument("text", parameter, "str"))
        elif not parameter.const and (self.is_number(parameter) and parameter.stars == 1 or
                                      parameter.base == "void" and parameter.stars == 2 or
                                      parameter.base in self.declared.handles and parameter.stars == 1 or
                                      parameter.base in self.opaque and parameter.stars == 2):
            annotation = "float" if parameter.base in headers.REAL else "int"
            self.results.append(Result("number", parameter, annotation))
        else:
            raise ValueError(f"{TABLE}: no rule for the parameter {parameter.name} of {self.c_name}")

    def is_number(self, parameter):
        numbers = headers.SIGNED | headers.UNSIGNED | headers.REAL | self.declared.enums
        return parameter.base in numbers

    def is_address(self, parameter):
        return (parameter.base == "void" and parameter.stars == 1 or
                parameter.base in self.declared.handles and parameter.stars == 0 or
                parameter.base in self.opaque and parameter.stars == 1)

    def place_special(self, parameter, kind, detail=None):
        if kind == "list":
            first = self.counts[detail] == parameter.name
            numbers = self.is_number(parameter) or parameter.base in self.declared.handles | set(self.opaque) | {"void"}
            inner = "str" if parameter.base == "char" else "int" if numbers else "dict"
            self.arguments.append(Argument("list" if first else "same list", parameter, f"list[{inner}]", detail))
        elif kind == "buffer":
            self.results.append(Result("buffer", parameter, "str", detail))
        elif kind == "result":
            self.results.append(Result("struct", parameter, "dict"))
        elif kind == "null":
            # The interface wants NULL for an out-parameter that means nothing yet.
            self.results.append(Result("null", parameter, "int"))
        elif kind == "both":
            self.arguments.append(Argument("number", parameter, "int"))
            self.results.append(Result("both", parameter, "int"))
        else:
            lists = ("aclrtBinaryLoadOptions", "aclrtLaunchKernelCfg")
            annotation = {"struct": "list[dict]" if parameter.base in lists else "dict", "address": "int", "reserved": "int"}.get(kind, "str")
            self.arguments.append(Argument(kind, parameter, annotation, detail))

    @property
    def full_name(self):
        return f"{self.module}.{self.name}"

    def values(self):
        """The annotations of what comes back, in order."""
        if self.status:
            return [result.annotation for result in self.results] + ["int"]
        if self.function.result == "void":
            return [result.annotation for result in self.results] or ["None"]
        return [{"float": "float", "const char *": "str | None"}.get(self.function.result, "int")]

    def parameters(self):
        """(name, annotation, whether it may be left out) of each argument."""
        return [(argument.name, argument.annotation, argument.kind == "optional") for argument in self.arguments]


class ByHand:
    """A Python function that is written in C++ in this folder."""

    def __init__(self, module, name, text):
        self.module, self.name = module, name
        self.c_name, _, rest = text.partition(": ")
        inside, _, values = rest.partition("-> ")
        self.texts = [part.strip() for part in inside.split(",") if part.strip()]
        self.given = values.split(", ")

    @property
    def full_name(self):
        return f"{self.module}.{self.name}"

    def values(self):
        return ["int" if value == "ret" else value for value in self.given]

    def parameters(self):
        kinds = {"callable": "Callable", "callable | None": "Callable | None"}
        found = []
        for text in self.texts:
            optional = text.startswith("[")
            name, _, annotation = text.strip("[]").partition(" ")
            found.append((name, kinds.get(annotation, annotation), optional))
        return found


class Refused:
    """A name that has the right shape and refuses. @count: how many values come back; 0: one without status."""

    def __init__(self, module, name, arguments, count, why):
        self.module, self.name, self.wanted, self.count, self.why = module, name, int(arguments), int(count), why
        self.c_name = None

    @property
    def full_name(self):
        return f"{self.module}.{self.name}"

    def values(self):
        return ["int"] * max(self.count, 1)

    def parameters(self):
        return [(f"arg{i}", "object", False) for i in range(self.wanted)]


class Table:
    """All names. @modules: in the order of the table."""

    def __init__(self):
        with open(os.path.join(headers.ROOT, TABLE), encoding="utf-8") as file:
            table = json.load(file)
        declared = headers.Headers()
        self.modules = list(table["modules"])
        self.calls, self.by_hand, self.refused, self.whys = [], [], [], {}
        for module, lines in table["modules"].items():
            self.calls += [Signature(module, name, table, declared) for name in " ".join(lines).split()]
        for module, rows in table["hand"].items():
            self.by_hand += [ByHand(module, name, text) for name, text in rows.items()]
        for module, rows in table["refused"].items():
            self.whys[module] = rows["why"]
            for row in " ".join(rows["names"]).split(","):
                self.refused.append(Refused(module, *row.split(), rows["why"]))
        self.paths = declared.paths
        names = [entry.full_name for entry in self.all()]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"{TABLE}: two rows for {', '.join(twice)}")

    def all(self):
        """Every entry."""
        return self.calls + self.by_hand + self.refused

    def of_module(self, module):
        """The entries of one module, sorted by name."""
        return sorted((entry for entry in self.all() if entry.module == module), key=lambda entry: entry.name)
