#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The state of each function of the AscendCL headers: it is defined in the code of the front end, or
stands in umd/acl/unsupported.def with a reason, and never both. Each has its type in tests/abi."""
import re

import tree

TABLE = "umd/acl/unsupported.def"
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


def main():
    problems = []
    declared = set(tree.public_functions()["libascendcl"])
    compare(declared, table(problems), defined(), problems)
    check_headers(set(table([])), problems)
    rows = set()
    for path in tree.files(["tests/abi"], (".cpp",)):
        rows |= set(re.findall(r"\bSAME\((\w+),", tree.read(path)))
    problems += [f"tests/abi has no row SAME({name}, ...)" for name in sorted(declared - rows)]
    tree.verdict("states", problems, len(declared))


main()
