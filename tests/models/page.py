#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The book's page of ONNX operators is what the tables in models/operators have. --update writes it."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "gates"))

import tree  # noqa: E402

PAGE = "Documentation/model-operators.rst"
FOLDER = "models/operators"
ROWS = re.compile(r"constexpr OperatorRow ROWS\[\] = \{\n(.*?)\n\};", re.S)
ROW = re.compile(r'\{"(\w+)", (\d+), (\d+), (\d+), (ANY|\d+),\s*("(?:[^"]*)"|[A-Z]+),(.*?)\}(?:,|$)', re.S)
TEXT = re.compile(r'constexpr const char \*(\w+) =\s*((?:"[^"]*"\s*)+);')
REFUSED = re.compile(r'\{"(\w+)", ([A-Z_]+)\}')
WHY = re.compile(r'constexpr const char \*(\w+) = "([^"]*)";')
HEAD = f""".. SPDX-License-Identifier: MIT

.. Written from {FOLDER} by tests/models/page.py --update.

Operators of models
===================

The ONNX operators that ``atc`` compiles (:doc:`models`). A form of an operator that is in this list may still be refused,
for its types, dims or an attribute's value; the sentence says so. *Where* says what computes it: the device, the compiler,
where all operands are known, or nobody, because the result is a view of the operand. ``If``, ``Loop``, ``Scan`` and the operators
of sequences are no rows here: :doc:`models` says what becomes of them.

.. csv-table::
   :delim: |
   :header: operator | opset | where | attributes
   :widths: 26 14 20 40

"""
TAIL = """
Refused
-------

These are refused whatever their operands are.

.. csv-table::
   :delim: |
   :header: operator | why
   :widths: 30 70

"""


def words(text, names):
    """The text of an attribute column: literals, or the name of a constant."""
    return names.get(text, "") if text.isupper() else "".join(re.findall(r'"([^"]*)"', text))


def rows_of(path):
    text = tree.read(path)
    names = {name: "".join(re.findall(r'"([^"]*)"', value)) for name, value in TEXT.findall(text)}
    block = ROWS.search(text)
    if not block:
        return
    for name, first, last, _, _, attributes, rest in ROW.findall(block.group(1)):
        parts = [part.strip() for part in rest.split(",")]
        view, evaluate, lower = (parts + ["nullptr"] * 5)[1:4]
        places = [place for place, part in (("view", view), ("compiler", evaluate), ("device", lower))
                  if part not in ("nullptr", "")]
        domain = next((part.strip('"') + "." for part in parts if part.startswith('"')), "")
        yield domain + name, f"{first} to {last}" if last != "0" else f"{first} and later", places, words(attributes, names).split()


def page():
    text = HEAD
    rows = sorted(row for path in tree.files([FOLDER], (".cpp",)) for row in rows_of(path))
    for name, opsets, places, attributes in rows:
        told = ", ".join(f"``{word}``" for word in attributes)
        text += f"   {name} | {opsets} | {', '.join(places)} | {told}".rstrip() + "\n"
    table = tree.read(FOLDER + "/table.cpp")
    why = dict(WHY.findall(table))
    text += TAIL + "".join(f"   {name} | {why[reason]}\n" for name, reason in sorted(REFUSED.findall(table)))
    return text, len(rows)


def main():
    text, count = page()
    if "--update" in sys.argv:
        with open(f"{tree.ROOT}/{PAGE}", "w", encoding="utf-8") as file:
            file.write(text)
    problems = [] if tree.read(PAGE) == text else [f"{PAGE} is not current; tests/models/page.py --update writes it"]
    tree.verdict("models.page", problems, count)


main()
