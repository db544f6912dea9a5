#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The state of each function of the AscendCL headers: it is defined in the code of the front end, or
stands in umd/acl/unsupported.def with a reason, and never both. Each has its type in tests/abi. The page PAGE, which can be
read without a build of the book, has the same, and the operators, HCCL and the CUDA driver interface.
states.py --update: writes the page."""
import glob
import os
import re
import sys
import textwrap

import tree

TABLE = "umd/acl/unsupported.def"
HCCL_TABLE = "umd/hccl/calls/unsupported.def"
PAGE = "Documentation/supported.rst"
PAGE_HEAD = """.. SPDX-License-Identifier: MIT
.. Written from the sources by tests/gates/states.py --update.

Is my program supported?
========================

These lists can be read without a build of the book: what works of AscendCL, of its operators, of HCCL and of the CUDA driver
interface, and all statuses. :doc:`ascendcl` has the functions by family, :doc:`errors` what each status means,
:doc:`operators` what each operator computes and of which types, :doc:`cuda` which functions of CUDA are refused and why,
:doc:`kernel-language` and :doc:`kernel-names` what user kernels may use. The functions that a program uses are listed by::

    nm -D --undefined-only PROGRAM | grep -oE '(acl|Hccl|cu)[A-Za-z0-9]*'

"""
PLAIN = re.compile(r"^UNSUPPORTED(?:_VOID)?\((\w+), \(.*?\), (\w+)\)$", re.S | re.M)
TYPED = re.compile(r"^UNSUPPORTED_AS\([^,()]+, [^,()]+, (\w+), \(.*?\), (\w+)\)$", re.S | re.M)
REASON = re.compile(r'^UNSUPPORTED_REASON\((\w+), "([^"]+)"\)$', re.M)


def table(problems):
    """name -> reason of the functions that don't work."""
    text = tree.without_comments(tree.read(TABLE))
    reasons = dict(REASON.findall(text))
    found = {}
    for name, key in PLAIN.findall(text) + TYPED.findall(text):
        if name in found:
            problems.append(f"{TABLE}: {name} stands there twice")
        if key not in reasons:
            problems.append(f"{TABLE}: {name}: there is no reason {key}")
        found[name] = key
    problems += [f"{TABLE}: no function has the reason {key}"
                 for key in sorted(set(reasons) - set(found.values()))]
    lines = len(re.findall(r"^UNSUPPORTED(_AS|_VOID)?\(", text, re.M))
    if lines != len(found):
        problems.append(f"{TABLE}: {lines} lines, of which {len(found)} could be read")
    return found


def defined():
    """Names that the front end's code defines with C linkage, as far as text tells."""
    names = set()
    for path in tree.files(["umd/acl"], (".cpp",)):
        text = tree.without_comments(tree.read(path), literals=False)
        names |= set(re.findall(r"^(?!static\b)[\w* ]+?\b(acl\w+)\([^;{}]*\)\n\{", text, re.M))
    return names


def compare(declared, refused, works, problems):
    problems += [f"{TABLE}: no header declares {name}" for name in sorted(set(refused) - declared)]
    problems += [f"{name} works, and stands in {TABLE}" for name in sorted(set(refused) & works)]
    problems += [f"{name} is declared; umd/acl does not define it and {TABLE} does not have it"
                 for name in sorted(declared - set(refused) - works)]


def check_headers(refused, problems):
    """The text of a function that does not work says so."""
    for path in tree.files(["include/acl"], (".h",)):
        problems += [f"{path}: {name} stands in {TABLE}, and its text does not say that it is not supported"
                     for name, comment, _ in tree.declarations(path)
                     if name in refused and not re.search("FEATURE_NOT_SUPPORT|ot supported", comment)]


def section(title, text):
    return f"{title}\n{'-' * len(title)}\n\n{text}\n"


def listed(names):
    """A literal block of names, several in a line."""
    lines = textwrap.wrap(" ".join(sorted(names)), 112, break_on_hyphens=False, break_long_words=False)
    return "::\n\n" + "".join(f"    {line}\n" for line in lines)


def statuses():
    """A line for each status: what aclError it becomes, and its sentence."""
    numbers = {}
    for path in glob.glob(os.path.join(tree.ROOT, "include/acl/**/*.h"), recursive=True):
        text = tree.read(os.path.relpath(path, tree.ROOT))
        numbers.update(re.findall(r"^\s*#define (ACL_\w+) (\d+)\b", text, re.M))
        numbers.update(re.findall(r"^\s*static const int (ACL_\w+) = (\d+);", text, re.M))
    codes = dict(re.findall(r"\bX\((\w+), (ACL_\w+)\)", tree.read("umd/acl/error.cpp")))
    rows = re.findall(r'\bX\((\w+), \d+, "([^"]*)"\)', tree.read("include/uapi/status.h"))
    found = sorted((int(numbers[codes[name]]), codes[name], sentence) for name, sentence in rows)
    lines = [line for number, code, sentence in found
             for line in textwrap.wrap(f"{number:6} {code}: {sentence}", 112, subsequent_indent="       ")]
    return "::\n\n" + "".join(f"    {line}\n" for line in lines)


def refusals(reasons, refused):
    """The lists of the functions of each reason. @refused: name -> key of its reason."""
    lists = []
    for key in sorted(set(refused.values())):
        names = [name for name in refused if refused[name] == key]
        reason = "\n".join(textwrap.wrap(f"{reasons[key][0].upper()}{reasons[key][1:]}::", 118))
        lists.append(reason + listed(names).removeprefix("::"))
    return "\n".join(lists)


def operators():
    """The sections of the operators of aclnn. Each has a second function, aclnn*GetWorkspaceSize."""
    works, refused = tree.generate.operators_of(tree.generate.table())
    reasons = {each.why: each.why for each in refused}
    return (section("Operators of aclnn that work", listed(f"aclnn{each.name}" for each in works)) +
            section("Operators that are declared and not supported",
                    refusals(reasons, {f"aclnn{each.name}": each.why for each in refused})))


def hccl():
    text = tree.without_comments(tree.read(HCCL_TABLE))
    refused = dict(PLAIN.findall(text))
    return (section("Functions of HCCL that work", listed(set(tree.public_functions()["libhccl"]) - set(refused))) +
            section("Functions of HCCL that are not supported", refusals(dict(REASON.findall(text)), refused)))


def cuda():
    """What it refuses is a table of its page."""
    return section("Functions of the CUDA driver interface that work", listed({row[0] for row in tree.cuda_rows()}))


def page(declared, refused):
    text = PAGE_HEAD + section("Functions of AscendCL that work", listed(declared - set(refused)))
    reasons = dict(REASON.findall(tree.read(TABLE)))
    text += section("Functions of AscendCL that are declared and not supported", refusals(reasons, refused))
    text += operators() + hccl() + cuda()
    return text + section("Numbers that functions return", statuses()).rstrip("\n") + "\n"


def update(text):
    with open(os.path.join(tree.ROOT, PAGE), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    problems = []
    declared = set(tree.public_functions()["libascendcl"])
    if sys.argv[1:] == ["--update"]:
        update(page(declared, table(problems)))
    if not os.path.exists(os.path.join(tree.ROOT, PAGE)) or tree.read(PAGE) != page(declared, table([])):
        problems.append(f"{PAGE} is older than the sources; tests/gates/states.py --update writes it")
    compare(declared, table(problems), defined(), problems)
    check_headers(set(table([])), problems)
    rows = set()
    for path in tree.files(["tests/abi"], (".cpp",)):
        rows |= set(re.findall(r"\bSAME\((\w+),", tree.read(path)))
    problems += [f"tests/abi has no row SAME({name}, ...)" for name in sorted(declared - rows)]
    tree.verdict("states", problems, len(declared))


main()
