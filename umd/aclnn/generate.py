#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate.py FOLDER: writes what is made of umd/aclnn/operators.json below FOLDER: the public headers, the entry points,
their numbers, and the table for the tests. A file that is current already is left alone."""
import json
import os
import re
import sys
import textwrap

TABLE = "umd/aclnn/operators.json"
MADE = f"Written from {TABLE} by umd/aclnn/generate.py."
FORMS = [("const aclTensor *", "TENSOR"), ("aclTensor *", "TENSOR"), ("const aclScalar *", "SCALAR"),
         ("const aclTensorList *", "TENSORS"), ("aclTensorList *", "TENSORS"), ("int64_t ", "INTEGER"), ("uint64_t ", "INTEGER"), ("int8_t ", "INTEGER"), ("int ", "INTEGER"), ("bool ", "INTEGER"), ("aclDataType ", "INTEGER"),
         ("const aclIntArray *", "INTEGERS"), ("const aclFloatArray *", "REALS"), ("double ", "REAL"), ("float ", "REAL"), ("const char *", "TEXT"), ("char *", "TEXT")]
POINTERS = ("TENSOR", "TENSORS", "SCALAR", "INTEGERS", "REALS", "TEXT")


def head(title):
    return f"// SPDX-License-Identifier: MIT\n/*\n * DOC: {title}\n *\n * {MADE}\n */\n"


def pairs(text):
    return [part.split() for part in text.split(", ")] if text else []


def constant(name):
    return "OPERATOR_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


class Operator:
    """One row of the table, with its arguments resolved against its kind: of a tensor descriptor, or of a packet's operator."""

    def __init__(self, row, table):
        self.row = row
        self.name = row["name"]
        self.title = re.sub("^Inplace", "", self.name)
        kind = table["packets"][row["packet"]] if "packet" in row else table["kinds"][row["kind"]]
        self.slots = [name for name, _ in pairs(kind["slots"])]
        self.access = [letters for _, letters in pairs(kind["slots"])]
        self.attributes = pairs(kind.get("attributes", ""))
        self.arguments = [self.argument(text) for text in row["args"].split(", ")]

    def argument(self, text):
        for c_type, form in FORMS:
            if text.startswith(c_type):
                break
        else:
            raise ValueError(f"{self.name}: the type of '{text}' is unknown")
        name = text[len(c_type):]
        target = self.row.get("roles", {}).get(name, name)
        result, _, source = target.partition("=")
        role, place, from_slot = self.place(form, result, source)
        return {"c": c_type, "name": name, "form": form, "role": role, "place": place, "source": from_slot,
                "optional": name.endswith("Optional") or name in self.row.get("optional", ())}

    def place(self, form, result, source):
        names = [name for name, _ in self.attributes]
        if result not in names + self.slots and self.row["rule"] != "elementwise":
            return "PARAMETER", 0, 0
        if form not in ("TENSOR", "TENSORS"):
            return "ATTRIBUTE", names.index(result), 0
        if source:
            return "BOTH", self.slots.index(result), self.slots.index(source)
        place = self.slots.index(result)
        return ("RESULT" if "W" in self.access[place] else "SOURCE"), place, 0

    def number(self):
        return constant(self.name)

    def header(self):
        return self.row.get("header") or "aclnn_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.title).lower() + ".h"

    def parameters(self):
        return [f"{a['c']}{a['name']}" for a in self.arguments] + ["uint64_t *workspaceSize",
                                                                 "aclOpExecutor **executor"]


def wrapped(head, parts, limit=100):
    """A declaration in lines of at most 100 columns, with continuation by tabs of 8."""
    lines, line = [], head
    indent = "\t"
    for i, part in enumerate(parts):
        piece = part + (", " if i + 1 < len(parts) else ")")
        if len(line.expandtabs(8)) + len(piece.rstrip()) + 1 > limit:
            lines.append(line.rstrip())
            line = indent
        line += piece
    return "\n".join(lines + [line])


ABOUT = {"RESULT": "result, of the shape of the operands when they are broadcast", "SOURCE": "operand",
         "BOTH": "operand, and the result; not broadcast", "ATTRIBUTE": "see above", "PARAMETER": "see above"}


def about(operator, argument):
    if argument["name"] in operator.row.get("about", {}):
        return operator.row["about"][argument["name"]]
    if argument["role"] == "RESULT" and operator.row["rule"] != "elementwise":
        return "result"
    if argument["form"] == "TENSOR" and argument["role"] == "BOTH" and operator.row["rule"] != "elementwise":
        return "operand, and the result"
    return ABOUT[argument["role"]]


def about_whole(operator, argument):
    text = about(operator, argument)
    if argument["optional"] and argument["form"] in POINTERS and text != "must be NULL":
        text += "; may be NULL"
    return f"@{argument['name']}: {text}"


def comment_lines(text):
    """A part of a comment, in lines of at most 120 columns."""
    return textwrap.wrap(text, 120, initial_indent=" * ", subsequent_indent=" *   ", break_long_words=False,
                         break_on_hyphens=False)


def kerneldoc(operator):
    name = "aclnn" + operator.name
    first = comment_lines(f"{name}GetWorkspaceSize() - prepares {operator.row['text']}")
    for argument in operator.arguments:
        first += comment_lines(about_whole(operator, argument))
    text = "/**\n" + "\n".join(first) + f"""
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of {name}(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
"""
    text += wrapped(f"ACL_FUNC_VISIBILITY aclnnStatus {name}GetWorkspaceSize(", operator.parameters()) + ";\n"
    text += f"""
/**
 * {name}() - enqueues the prepared operator on a stream
 * @workspace: not used; may be NULL
 * @workspaceSize: the size that the first phase returned
 * @executor: the executor of the first phase; invalid afterwards unless it is repeatable
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. On a capturing stream the operator is recorded.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, 161001 when @executor is NULL, 161002 for an executor of another operator, or the runtime's error.
 */
"""
    return text + wrapped(f"ACL_FUNC_VISIBILITY aclnnStatus {name}(",
                          ["void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor",
                           "aclrtStream stream"]) + ";\n"


def header_text(operators):
    more = "".join(f'#include "aclnnop/{o.row["include"]}"\n' for o in operators if "include" in o.row)
    guard = "ACLNNOP_" + operators[0].header().upper().replace(".", "_")
    names = ", ".join("aclnn" + operator.name for operator in operators)
    return f"""/* SPDX-License-Identifier: MIT */
/*
 * DOC: {operators[0].title}
 *
 * {MADE}
 * Functions: {names}.
 */
#ifndef {guard}
#define {guard}

#include "aclnn/aclnn_base.h"
{more}
#ifdef __cplusplus
extern "C" {{
#endif

""" + "\n".join(kerneldoc(operator) for operator in operators) + f"""
#ifdef __cplusplus
}}
#endif

#endif /* {guard} */
"""


class Refused:
    """An entry point that is declared and always fails."""

    def __init__(self, row):
        self.name, self.file, self.text, self.why = row["name"], row["header"], row["text"], row["why"]
        self.parameters = row["args"].split(", ") + ["uint64_t *workspaceSize", "aclOpExecutor **executor"]
        self.launch = ["void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor", "aclrtStream stream"]


def refused_doc(name, text, parameters):
    names = [re.split(r"[ *]", parameter)[-1] for parameter in parameters]
    lines = comment_lines(f"{name}() - {text}") + [f" * @{each}: not used" for each in names]
    return "/**\n" + "\n".join(lines) + """
 *
 * Context: any thread; never blocks.
 * Return: 207000, always.
 */
""" + wrapped(f"ACL_FUNC_VISIBILITY aclnnStatus {name}(", parameters) + ";\n"


def refused_header(refused):
    guard = "ACLNNOP_" + refused.file.upper().replace(".", "_")
    name = "aclnn" + refused.name
    first = refused_doc(name + "GetWorkspaceSize", f"is not supported: {refused.why}", refused.parameters)
    second = refused_doc(name, "is not supported: the first phase has no executor for it", refused.launch)
    return f"""/* SPDX-License-Identifier: MIT */
/*
 * DOC: {refused.name}
 *
 * {MADE}
 * Functions: {name}, {refused.text}. Not supported.
 */
#ifndef {guard}
#define {guard}

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {{
#endif

{first}
{second}
#ifdef __cplusplus
}}
#endif

#endif /* {guard} */
"""


def refused_entry(refused):
    name = "aclnn" + refused.name

    def function(last, parameters):
        types = [re.sub(r"\w+$", "", parameter).rstrip() for parameter in parameters]
        return wrapped(f"aclnnStatus {last}(", types) + \
            f'\n{{\n\treturn refuse_unsupported("{name}",\n\t\t"{refused.why}");\n}}\n'
    return function(name + "GetWorkspaceSize", refused.parameters) + "\n" + function(name, refused.launch)


def refused_text(refused):
    includes = "".join(f'#include "aclnnop/{each.file}"\n' for each in refused)
    return head("Entry points of operators that are not supported") + f"""{includes}
#include "umd/aclnn/objects.h"

/* clang-format off */

using namespace umd;

""" + "\n".join(refused_entry(each) for each in refused)


def packet_entry(operator):
    """An operator that has a packet of its own: no descriptor of views and attributes is made for it."""
    named = {}
    for argument in operator.arguments:
        if argument["role"] == "ATTRIBUTE":
            named[operator.attributes[argument["place"]][0]] = argument["name"]
        else:
            named[operator.slots[argument["place"]]] = argument["name"]
        if argument["role"] == "BOTH":
            named[operator.slots[argument["source"]]] = argument["name"]
    values = ", ".join(named.get(name, "nullptr") for name in ("self", "other", "out", "alpha"))
    text = wrapped(f"aclnnStatus aclnn{operator.name}GetWorkspaceSize(", operator.parameters())
    text += f"\n{{\n\treturn prepare({{UNPU_OPERATOR_{operator.row['packet']}, {operator.number()}, {values}}},\n"
    return text + f"\t\tworkspaceSize, executor);\n}}\n\n{second_phase(operator)}"


def second_phase(operator):
    text = wrapped(f"aclnnStatus aclnn{operator.name}(",
                   ["void *", "uint64_t", "aclOpExecutor *executor", "aclrtStream stream"])
    return text + f"\n{{\n\treturn launch({operator.number()}, executor, stream);\n}}\n"


def snake(operator):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operator.name).lower()


def row_text(operator):
    low = snake(operator)
    rows = "".join(
        f"\t{{\"{a['name']}\", Form::{a['form']}, Role::{a['role']}, {a['place']}, {a['source']}, "
        f"{str(a['optional']).lower()}}},\n" for a in operator.arguments)
    constants = operator.row.get("constants", {})
    types = dict(operator.attributes)
    names = [name for name, _ in operator.attributes]
    fixed = "".join(f"\t{{{names.index(name)}, Form::{'INTEGER' if types[name] == 'i' else 'SCALAR'}, {value}}},\n"
                    for name, value in constants.items())
    text = f"static constexpr ArgumentRow {low}_arguments[] = {{\n{rows}}};\n"
    if fixed:
        text += f"static constexpr ConstantRow {low}_constants[] = {{\n{fixed}}};\n"
    return text + (f"const OperatorRow umd::{low}_row = {{\n\t{operator.number()}, UNPU_TENSOR_{operator.row['kind']}, "
                   f"Types::{operator.row['types'].upper()},\n\tplan_{operator.row['rule']}, {low}_arguments, "
                   f"{low + '_constants' if fixed else '{}'}}};\n")


def entry(operator):
    if "packet" in operator.row:
        return packet_entry(operator)
    values = ", ".join(a["name"] for a in operator.arguments)
    text = wrapped(f"aclnnStatus aclnn{operator.name}GetWorkspaceSize(", operator.parameters())
    text += f"\n{{\n\tArgument arguments[] = {{{values}}};\n"
    text += f"\treturn prepare_tensor({snake(operator)}_row, arguments, workspaceSize, executor);\n}}\n\n"
    return text + second_phase(operator)


def includes_text(operators):
    return "".join(f'#include "aclnnop/{name}"\n' for name in sorted({o.header() for o in operators}))


def entries_text(family, operators):
    includes = includes_text(operators)
    return head(f"Entry points of the {family} operators") + f"""{includes}
#include "umd/aclnn/elementwise.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/rows/rows.h"

/* clang-format off */

using namespace umd;

""" + "\n".join(entry(operator) for operator in operators)


def rows_text(family, operators):
    return head(f"Rows of the {family} operators") + f"""#include "umd/aclnn/rows/rows.h"

#include "uapi/tensor.h"

/* clang-format off */

using namespace umd;

""" + "\n".join(row_text(operator) for operator in operators)


def rows_header(operators):
    rows = "".join(f"extern const OperatorRow {snake(operator)}_row;\n" for operator in operators)
    return head("Rows of the operators") + f"""#pragma once

#include "umd/aclnn/operator_row.h"

namespace umd {{

{rows}
}} // namespace umd
"""


def names_text(names):
    numbers = "".join(f"\t{constant(name)},\n" for name in names)
    rows = "".join(f'\t"aclnn{name}",\n' for name in names)
    return head("Numbers and names of the operators") + f"""#pragma once

#include <cstdint>

#include "umd/core/process/call.h"

namespace umd {{

/* enum OperatorNumber - an entry point, in the cookies of its tasks. Files have names, never numbers. */
enum OperatorNumber : uint16_t {{
\tOPERATOR_NONE,
{numbers}\tOPERATOR_COUNT,
}};

static_assert(OPERATOR_COUNT <= MAX_OPERATORS + 1);

inline constexpr const char *OPERATOR_NAMES[OPERATOR_COUNT] = {{
\t"no operator",
{rows}}};

inline const char *operator_name(OperatorNumber number)
{{
\treturn OPERATOR_NAMES[number];
}}

}} // namespace umd
"""


def costs_text(kinds):
    """What a tensor operator computes, for the recorder. A kind without a cost ends the build here or in the header's check."""
    rows = []
    for name, kind in kinds.items():
        engine, rule, factor = kind["cost"].split()
        rows.append(f"\t{{UNPU_TENSOR_{name}, \"{name.lower()}\", CostEngine::{engine.upper()}, CostRule::{rule.upper()}, {factor}}},\n")
    return head("Operations of the tensor operators") + f"""#pragma once

#include "umd/core/notes/operator_cost.h"

namespace umd::recorder {{

inline constexpr OperatorCost OPERATOR_COSTS[] = {{
{"".join(rows)}}};

}} // namespace umd::recorder
"""


def value(argument):
    if argument["c"] == "aclDataType ":
        return "ACL_FLOAT"
    return {"TENSOR": "tensor", "TENSORS": "tensors", "SCALAR": "scalar", "INTEGERS": "integers", "REALS": "reals", "TEXT": "text"}.get(argument["form"], "1")


def cases_text(operators):
    """What tests/conformance/tensor/tensor.cpp calls: every entry point with each pointer NULL."""
    includes = includes_text(operators)
    text = head("Entry points with a missing argument") + f"""#pragma once

{includes}
/* clang-format off */

/* X(name, argument, ...): the arguments that follow have NULL in the place of @argument. */
#define MISSING_ARGUMENTS(X) \\
"""
    rows = []
    for operator in operators:
        for missing in operator.arguments:
            if missing["form"] not in POINTERS or missing["optional"]:
                continue
            values = [("nullptr" if a is missing else value(a))
                      for a in operator.arguments]
            rows.append(f"\tX({operator.name}, \"{missing['name']}\", {', '.join(values)})")
    return text + " \\\n".join(rows) + "\n"


def driver_text(operators):
    """What tests/operators/driver.cpp can call."""
    return head("The operators that the tests call by name") + f"""#pragma once

{includes_text(operators)}
/* clang-format off */

/* X(name): the names that follow aclnn. */
#define OPERATORS(X) \\
""" + " \\\n".join(f"\tX({operator.name})" for operator in operators) + "\n"


def table():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.path.basename(TABLE)), encoding="utf-8") as file:
        return json.load(file)


def operators_of(rows):
    """The operators that work, and those that are refused."""
    ready = [Operator(row, rows) for row in rows["operators"] if row.get("ready")]
    return ready, [Refused(row) for row in rows["refused"]]


def files():
    """path below the folder -> text."""
    ready, refused = operators_of(table())
    made = {f"include/aclnnop/{each.file}": refused_header(each) for each in refused}
    made["umd/aclnn/operators/refused.cpp"] = refused_text(refused)
    for header in sorted({operator.header() for operator in ready}):
        made[f"include/aclnnop/{header}"] = header_text([o for o in ready if o.header() == header])
    for family in sorted({operator.row["family"] for operator in ready}):
        own = [o for o in ready if o.row["family"] == family]
        made[f"umd/aclnn/operators/{family}.cpp"] = entries_text(family, own)
        described = [o for o in own if "packet" not in o.row]
        if described:
            made[f"umd/aclnn/rows/{family}.cpp"] = rows_text(family, described)
    made["umd/aclnn/rows/rows.h"] = rows_header([o for o in ready if "packet" not in o.row])
    made["umd/acl/operator_names.h"] = names_text([operator.name for operator in ready])
    made["umd/core/notes/operator_costs.h"] = costs_text(table()["kinds"])
    made["tests/conformance/tensor/missing_arguments.h"] = cases_text(ready)
    made["tests/operators/operator_rows.h"] = driver_text(ready)
    return made


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def remove_others(folder, made):
    """A file of an operator that the table has no more must not be found by an include."""
    for place in sorted({os.path.dirname(path) for path in made}):
        for name in os.listdir(os.path.join(folder, place)):
            path = os.path.join(place, name)
            if path not in made and MADE in (read(os.path.join(folder, path)) or ""):
                os.remove(os.path.join(folder, path))


def write(folder):
    made = files()
    for path, text in made.items():
        where = os.path.join(folder, path)
        if read(where) != text:
            os.makedirs(os.path.dirname(where), exist_ok=True)
            with open(where, "w", encoding="utf-8") as file:
                file.write(text)
    remove_others(folder, made)


if __name__ == "__main__":
    write(sys.argv[1])
