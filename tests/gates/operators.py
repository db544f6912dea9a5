#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files that are made of umd/aclnn/operators.json are current, and its kinds are those of uapi/tensor.h.
operators.py --update: writes the headers, the entry points, their numbers, the table for the tests and the book's page."""
import json
import os
import re
import sys
import textwrap

import tree

TABLE = "umd/aclnn/operators.json"
MADE = f"Written from {TABLE} by tests/gates/operators.py --update."
LETTER = {"W": "w", "W?": "v", "R": "r", "R?": "o", "R*": "l", "RP": "p", "WP": "q"}
FORMS = [("const aclTensor *", "TENSOR"), ("aclTensor *", "TENSOR"), ("const aclScalar *", "SCALAR"),
         ("const aclTensorList *", "TENSORS"), ("int64_t ", "INTEGER"), ("int8_t ", "INTEGER"), ("int ", "INTEGER"), ("bool ", "INTEGER"), ("aclDataType ", "INTEGER"),
         ("const aclIntArray *", "INTEGERS"), ("double ", "REAL"), ("char *", "TEXT")]
POINTERS = ("TENSOR", "TENSORS", "SCALAR", "INTEGERS", "TEXT")
TYPES = {"floating": "FLOAT, FLOAT16, BF16", "number": "FLOAT, FLOAT16, BF16, DOUBLE, integers, BOOL",
         "quotient": "FLOAT, FLOAT16, BF16, DOUBLE; the operands also integers, BOOL",
         "index": "FLOAT, FLOAT16, BF16, DOUBLE, integers, BOOL; the result INT32, INT64",
         "truth": "FLOAT, FLOAT16, BF16, DOUBLE, integers, BOOL"}


def pairs(text):
    return [part.split() for part in text.split(", ")] if text else []


def constant(name):
    return "OPERATOR_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


class Operator:
    """One row of the table, with its arguments resolved against its kind."""

    def __init__(self, row, kinds):
        self.row = row
        self.name = row["name"]
        self.title = re.sub("^Inplace", "", self.name)
        kind = kinds[row["kind"]]
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
    return f"""// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of operators that are not supported
 *
 * {MADE}
 */
{includes}
#include "umd/aclnn/objects.h"

/* clang-format off */

using namespace umd;

""" + "\n".join(refused_entry(each) for each in refused)


def entry(operator):
    low = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operator.name).lower()
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
    text += (f"static constexpr OperatorRow {low}_row = {{\n\t{operator.number()},\n"
             f"\tUNPU_TENSOR_{operator.row['kind']},\n\tTypes::{operator.row['types'].upper()},\n"
             f"\tplan_{operator.row['rule']},\n\t{low}_arguments,\n"
             f"\t{low + '_constants' if fixed else '{}'},\n}};\n\n")
    values = ", ".join(a["name"] for a in operator.arguments)
    text += wrapped(f"aclnnStatus aclnn{operator.name}GetWorkspaceSize(", operator.parameters())
    text += f"\n{{\n\tArgument arguments[] = {{{values}}};\n"
    text += f"\treturn prepare_tensor({low}_row, arguments, workspaceSize, executor);\n}}\n\n"
    text += wrapped(f"aclnnStatus aclnn{operator.name}(",
                    ["void *", "uint64_t", "aclOpExecutor *executor", "aclrtStream stream"])
    return text + f"\n{{\n\treturn launch({operator.number()}, executor, stream);\n}}\n"


def includes_text(operators):
    return "".join(f'#include "aclnnop/{name}"\n' for name in sorted({o.header() for o in operators}))


def entries_text(family, operators):
    includes = includes_text(operators)
    return f"""// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the {family} operators
 *
 * {MADE}
 */
{includes}
#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

""" + "\n".join(entry(operator) for operator in operators)


# The entry points that umd/aclnn/operators.cpp has; their descriptor is a struct unpu_operator.
OLDER = ["Add", "InplaceAdd", "Mul", "InplaceMul"]


def names_text(names):
    numbers = "".join(f"\t{constant(name)},\n" for name in names)
    rows = "".join(f'\t"aclnn{name}",\n' for name in names)
    return f"""// SPDX-License-Identifier: MIT
/*
 * DOC: Numbers and names of the operators
 *
 * {MADE}
 */
#pragma once

#include <cstdint>

#include "umd/core/process/call.h"

namespace umd {{

/* enum OperatorNumber - an entry point, in the cookies of its tasks. Files have names, never numbers. */
enum OperatorNumber : uint8_t {{
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


NOTES = """
Types
-----

*integers* are INT8, INT16, INT32, INT64 and UINT8. No operator takes tensors of UINT16, UINT32 or UINT64; scalars may
have these types. ``aclnnAdd``, ``aclnnMul`` and their in-place forms take FLOAT, FLOAT16, BF16, integers and BOOL, and
no DOUBLE. Besides the types in the table,

- the weight of ``aclnnWeightQuantBatchMatmulV2`` is INT8 or INT4,
- ``aclnnTransMatmulWeight`` takes INT8,
- tensors of indices are INT32 or INT64,
- the mask of ``aclnnFusedInferAttentionScoreV2`` may be BOOL, INT8 or UINT8.

A floating number that becomes an integer is rounded toward zero. One beyond the range of the type becomes the nearest end
of the range, so infinity as INT32 is 2147483647, and NaN becomes 0. An integer that becomes one of fewer bits wraps. All
numbers but 0 become a BOOL that is true, NaN too.

Operands that share memory
--------------------------

A view that is a result must have a place of its own for each element: one with two in one place is refused with 161002.

A result may be exactly the same view as an operand, with the same address, type, shape and strides:

- in element-wise operators, as any operand;
- in ``aclnnCast``, ``aclnnInplaceCopy``, ``aclnnTril``, ``aclnnTriu``, ``aclnnSoftmax`` and ``aclnnLogSoftmax``, as
  the operand;
- in ``aclnnScatter`` and ``aclnnScatterValue``, as self;
- in ``aclnnRmsNorm`` and ``aclnnRotaryPositionEmbedding``, as x.

If a result overlaps an operand or another result in any other way, or in any other operator, the values of the elements
of the results are undefined. Nothing else is written.
"""


# What a limit of uapi/tensor_limits.h counts, or a number that stands here.
LIMITS = [
    ("any", "ELEMENTS", "elements of a view, where dims that are broadcast count"),
    ("``aclnnReduceSum``, ``aclnnMean``, ``aclnnNorm``, ``aclnnCumsum``, ``aclnnArgMax``", "ROW",
     "elements that one result depends on"),
    ("``aclnnRmsNorm``, ``aclnnAddRmsNorm``, ``aclnnLayerNorm``, ``aclnnGroupNorm``", "NORMALIZED",
     "elements that are normalised together"),
    ("``aclnnArgsort``", "SORTED", "elements along dim"),
    ("``aclnnSoftmax``", "SOFTMAX", "elements along dim"),
    ("``aclnnLogSoftmax``, ``aclnnSoftmaxCrossEntropyWithLogits``", "CLASSES", "elements along dim, or of a row"),
    ("``aclnnRotaryPositionEmbedding``", "ROTARY", "elements of the last dim"),
    ("``aclnnInplaceIndexCopy``", "INDICES", "indices"),
    ("``aclnnInplaceIndexFillTensor``", "126", "indices"),
    ("``aclnnScatter``, ``aclnnScatterValue`` and their in-place forms", "SCATTERED",
     "elements of self, and of index, along dim"),
    ("``aclnnCat``", "15", "tensors with elements"),
    ("``aclnnSum``", "15", "tensors"),
    ("``aclnnMm``, ``aclnnMatmul``, ``aclnnBatchMatMul``, ``aclnnMv``, ``aclnnWeightQuantBatchMatmulV2``", "DEPTH",
     "products that are added up"),
    ("``aclnnConvolution``", "TAPS", "products that are added up"),
    ("``aclnnTriangularSolve``", "TRIANGLE", "rows of A"),
    ("``aclnnFusedInferAttentionScoreV2``", "HEAD", "numbers of a query, a key or a value"),
    ("", "KEYS", "keys"),
    ("", "KEY_NUMBERS", "keys times the numbers of a key and a value"),
    ("``aclnnConvolution``, ``aclnnIm2col``, ``aclnnAvgPool2d``, ``aclnnMaxPool``", "WINDOW",
     "any number of a window, and of a dim that it moves along"),
    ("``aclnnAvgPool2d``, ``aclnnMaxPool``", "POOLED", "elements that a window covers"),
    ("``aclnnRepeat``, ``aclnnRepeatInterleaveIntWithDim``", "8",
     "dims of self and repeats together, where those that lie behind each other in self and in the result are one"),
]


def limit_values():
    """The limits of uapi/tensor_limits.h as numbers."""
    values = {}
    for name, text in re.findall(r"^#define (UNPU_TENSOR_MAX_\w+) (.+)$", tree.read("include/uapi/tensor_limits.h"), re.M):
        text = re.sub(r"INT64_C\((\w+)\)", r"\1", text).replace("/", "//")
        values[name] = eval(text, {"__builtins__": {}}, values)  # pylint: disable=eval-used
    return {name.removeprefix("UNPU_TENSOR_MAX_"): value for name, value in values.items()}


def print_limit(value):
    for text, rest in (("", 0), (" - 1", 1)):
        bits = (value + rest).bit_length() - 1
        if value + rest == 1 << bits and bits > 8:
            return f"2^{bits}{text}"
    return str(value)


def limits_text():
    values = limit_values()
    lines = ["Limits", "------", "", "A tensor has at most 8 dims, the result of ``aclnnGatherV2`` too. What is larger than the following is",
             "refused with 161002 and a sentence that names the limit.", "", ".. list-table::", "   :header-rows: 1", "",
             "   * - operator", "     - at most", "     - of what"]
    for operators, name, what in LIMITS:
        lines += [f"   * - {operators}".rstrip(), f"     - {name if name.isdigit() else print_limit(values[name])}",
                  f"     - {what}"]
    return "\n".join(lines) + "\n"


# The greatest error of floating results: the limits in tests/operators/oracle. Those of EXACT have none: they move
# elements, compare, or choose one.
BOUNDS = {"matrix": "5e-4", "attention": "5e-4"}
EXACT_FAMILIES = ("layout", "join")
EXACT = {"Abs", "Neg", "Relu", "Sign", "GtScalar", "Clamp", "ClampMin", "InplaceClampMax", "InplaceThreshold",
         "InplaceFillScalar", "InplaceZero", "EqTensor", "ArgMax", "Argsort", "Tril", "Triu", "InplaceTriu",
         "UpsampleNearest2d", "GatherV2", "IndexSelect", "InplaceIndexCopy", "InplaceIndexFillTensor", "Im2col",
         "MaxPool", "TransMatmulWeight", "LogicalNot", "InplaceLogicalNot", "Embedding", "InplaceMaskedFillScalar"}


def error_bound(row):
    if row["family"] in EXACT_FAMILIES or row["name"] in EXACT:
        return "exact"
    return BOUNDS.get(row["family"], "1e-7")


def page_text(operators, refused):
    lines = [".. SPDX-License-Identifier: MIT", "", f".. {MADE}", "", "Operators", "=========", "",
             "``aclnnAdd``, ``aclnnMul`` and their in-place forms, and the following tensor operators. All take strided",
             "views of up to 8 dims with any offset; the workspace is 0 bytes. Element-wise operators broadcast.", "",
             "*error* is the greatest normalised mean square error of floating results beside arithmetic in double, apart from",
             "the rounding to the type of the result. Integers and truth values are exact. Most operators compute in FLOAT, and",
             "in DOUBLE where an operand is DOUBLE. Where a number on the way, such as alpha \\* other, leaves the range of that",
             "type, a result is infinite or NaN although the number itself would not be, and no error is promised.", "",
             ".. list-table::", "   :header-rows: 1", "   :widths: 28 36 24 12", "", "   * - operator",
             "     - result", "     - types", "     - error"]
    for operator in operators:
        lines += [f"   * - ``aclnn{operator.name}``", f"     - {operator.row['text']}".replace("*", "\\*"),
                  f"     - {TYPES[operator.row['types']]}", f"     - {error_bound(operator.row)}"]
    lines += ["", "Not supported", "-------------", "",
              "The following are declared and exported, so that programs that name them can be built. Both of their phases",
              "fail with 207000 and a sentence.", "", ".. list-table::", "   :header-rows: 1", "", "   * - operator",
              "     - what it would be", "     - why"]
    for each in refused:
        lines += [f"   * - ``aclnn{each.name}``", f"     - {each.text}", f"     - {each.why}"]
    return "\n".join(lines) + "\n" + NOTES + "\n" + limits_text()


def value(argument):
    if argument["c"] == "aclDataType ":
        return "ACL_FLOAT"
    return {"TENSOR": "tensor", "TENSORS": "tensors", "SCALAR": "scalar", "INTEGERS": "integers", "TEXT": "text"}.get(argument["form"], "1")


def cases_text(operators):
    """What tests/conformance/tensor/tensor.cpp calls: every entry point with each pointer NULL."""
    includes = includes_text(operators)
    text = f"""// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points with a missing argument
 *
 * {MADE}
 */
#pragma once

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


def wanted():
    table = json.loads(tree.read(TABLE))
    ready = [Operator(row, table["kinds"]) for row in table["operators"] if row.get("ready")]
    refused = [Refused(row) for row in table["refused"]]
    files = {f"include/aclnnop/{each.file}": refused_header(each) for each in refused}
    files["umd/aclnn/operators/refused.cpp"] = refused_text(refused)
    for header in sorted({operator.header() for operator in ready}):
        files[f"include/aclnnop/{header}"] = header_text([o for o in ready if o.header() == header])
    for family in sorted({operator.row["family"] for operator in ready}):
        own = [o for o in ready if o.row["family"] == family]
        files[f"umd/aclnn/operators/{family}.cpp"] = entries_text(family, own)
    names = OLDER + [operator.name for operator in ready]
    files["umd/acl/operator_names.h"] = names_text(names)
    files["Documentation/operators.rst"] = page_text(ready, refused)
    files["tests/conformance/tensor/missing_arguments.h"] = cases_text(ready)
    return table, files


def check_kinds(table, problems):
    rows = re.findall(r'X\((\w+), \d+, "(\w+)", "(\w*)"\)', tree.read("include/uapi/tensor.h"))
    told = {name: (slots, attributes) for name, slots, attributes in rows}
    for name, kind in table["kinds"].items():
        slots = "".join(LETTER[letter] for _, letter in pairs(kind["slots"]))
        attributes = "".join(letter for _, letter in pairs(kind.get("attributes", "")))
        if told.get(name) != (slots, attributes):
            problems.append(f"{TABLE}: {name} is not as uapi/tensor.h has it")
    problems += [f"{TABLE} lacks the kind {name}" for name in told if name not in table["kinds"]]


def main():
    table, files = wanted()
    if "--update" in sys.argv:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(tree.ROOT, path)), exist_ok=True)
            with open(os.path.join(tree.ROOT, path), "w", encoding="utf-8") as file:
                file.write(text)
    problems = []
    check_kinds(table, problems)
    for path, text in files.items():
        if not os.path.exists(os.path.join(tree.ROOT, path)) or tree.read(path) != text:
            problems.append(f"{path} is not current; tests/gates/operators.py --update writes it")
    tree.verdict("operators", problems, len(files) + len(table["kinds"]))


main()
