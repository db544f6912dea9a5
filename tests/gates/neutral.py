#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""umd/core serves several interfaces and names none of them: no name of AscendCL or of the CUDA driver interface is
in its code, texts or comments. Each $word in its texts is in AscendCL's table of words. --self-test checks that the
gate finds what is wrong."""
import re
import sys

import tree

ROOM = "umd/core"
TABLE = "umd/acl/acl_words.cpp"
NAMES = re.compile(r"\bacl\w+|\bACL\w*|\bAscendCL\b|\bASCEND\w*|\bcu[A-Z]\w*|\bCU_\w+|\bCU[a-z]\w*|(?i:\bcuda\w*)"
                   r"|\bumd/(?:acl|aclnn)\b")
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')
WORD = re.compile(r"\$(\w+)")
ROW = re.compile(r'\{"(\w+)", "\w+"\}')


def problems_of(path, text, words):
    for number, line in enumerate(text.splitlines(), 1):
        for name in NAMES.findall(line):
            yield f"{path}:{number}: names {name}"
        for literal in TEXT.findall(line):
            for word in WORD.findall(literal):
                if word not in words:
                    yield f"{path}:{number}: ${word} is not in {TABLE}"


def check_self():
    good = '/* call_name() */ "call $set_device first, 5$"; int accumulate, cursor;'
    for text in ('"aclrtFree"', "/* as ACL_EVENT_SYNC */", "cuInit(0);", "CUresult r;", '"$not_a_word"',
                 "/* numbers as in acl_rt.h */", '#include "umd/acl/front.h"', '#include "umd/cuda/front.h"'):
        if len(list(problems_of("x", text, {"set_device"}))) != 1:
            yield f"the gate itself: finds not one problem in {text!r}"
    yield from problems_of("the gate itself", good, {"set_device"})


def main():
    if "--self-test" in sys.argv:
        tree.verdict("neutral --self-test", list(check_self()), 9)
        return
    words = set(ROW.findall(tree.read(TABLE)))
    paths = tree.files([ROOM], (".cpp", ".h"))
    problems = [problem for path in paths for problem in problems_of(path, tree.read(path), words)]
    tree.verdict("neutral", problems, len(paths))


main()
