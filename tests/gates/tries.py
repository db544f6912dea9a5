#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where a function gives up because another one failed, it says TRY (base/result.h). Refused are a check by hand that TRY
would do, and a TRY inside a larger expression: where that is an initializer list, compilers do not destroy the parts made
already when TRY returns.
--self-test checks that the gate finds what is wrong."""
import re
import sys

import tree

LAYERS = ("base", "hal", "drv", "umd", "firmware_sim", "tools")
MACRO = "base/result.h"
# How interfaces turn a Status into their codes.
CODE = r"(?:(?:(?:umd::)?acl_return|(?:umd::)?hccl_result|result)\()?"
OK = r"(?:(?:base::)?Status::OK|ACL_SUCCESS|CUDA_SUCCESS|HCCL_SUCCESS)"

TRY = re.compile(r"\bTRY\(")
# What may stand before a TRY: the end of a statement, of the condition of an if or a loop; or it is all that is assigned.
BEFORE = re.compile(r"(?:^|[;{})]|\belse|\]\]|:\n|[^=!<>]=)\s*$")
REFERENCE = re.compile(r"&\s*\w+ =\s*$")
STATUS = re.compile(rf"\bif \([^;()]*?(\w+) =[^;]*; \1 != {OK}\)\s*return {CODE}\1\)?;")
RESULT = re.compile(rf"\b(?:auto|Result<[^;=]*>|Held<\w+>) (\w+) =\s[^;{{}}]*;\s*if \(!\1\)\s*return {CODE}\1\.status\(\)\)?;")


def end_of(code, start):
    """Where the brackets end that are open at @start."""
    depth = 0
    for place in range(start, len(code)):
        if code[place] in "([{":
            depth += 1
        elif code[place] in ")]}":
            if depth == 0:
                return place
            depth -= 1
    return len(code)


def wants_value_alone(rest, name):
    """Whether each use of @name in @rest is one of the value of a Result."""
    for use in re.finditer(rf"(?<![\w.>:]){name}\b", rest):
        after = rest[use.end():]
        if not (rest[:use.start()].endswith("*") or after.startswith("->") or after.startswith(".take()")):
            return False
    return True


def problems_of(path, text):
    code = tree.without_comments(text, literals=False)

    def at(found):
        return f"{path}:{code.count(chr(10), 0, found.start()) + 1}"
    for found in TRY.finditer(code):
        before, after = code[:found.start()], code[end_of(code, found.end()) + 1:]
        if not BEFORE.search(before) or REFERENCE.search(before) or not after.startswith(";"):
            yield f"{at(found)}: a TRY inside a larger expression, or for a reference; give the value a name first"
    for found in STATUS.finditer(code):
        yield f"{at(found)}: a check by hand; TRY does it"
    for found in RESULT.finditer(code):
        if wants_value_alone(code[found.end():end_of(code, found.end())], found.group(1)):
            yield f"{at(found)}: a check by hand; TRY does it"


def check_self():
    for text, count in (("\tTRY(f());", 0), ("\tauto x = TRY(f(a, {b}));", 0), ("\tif (a)\n\t\tTRY(f());", 0),
                        ("\tx.y = TRY(f([&] { return 1; }));", 0), ("\treturn g(TRY(f()));", 1), ("\tauto x = *TRY(f());", 1),
                        ("\tauto x = TRY(f()).y;", 1), ("\tconst auto &x = TRY(f());", 1), ("\tif (x == TRY(f()))", 1),
                        ("if (Status s = f(); s != Status::OK)\n\treturn s;", 1),
                        ("if (Status s = f(); s != Status::OK)\n\treturn g(s);", 0),
                        ("{ auto x = f();\n if (!x)\n return x.status();\n use(*x, x->y); }", 1),
                        ("{ auto x = f();\n if (!x)\n return acl_return(x.status());\n y = x.take(); }", 1),
                        ("{ auto x = f();\n if (!x)\n return x.status();\n return x.ok(); }", 0),
                        ("{ auto x = f();\n a();\n if (!x)\n return x.status(); }", 0)):
        if len(list(problems_of("x.cpp", text))) != count:
            yield f"the gate itself: not {count} problems in {text!r}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("tries --self-test", list(check_self()), 15)
        return
    problems, count = [], 0
    for path in tree.files(LAYERS, (".cpp", ".h")):
        if path != MACRO:
            count += 1
            problems += problems_of(path, tree.read(path))
    tree.verdict("tries", problems, count)


main()
