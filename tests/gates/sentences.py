#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sentences of errors. One that is a fixed text, so that no value of it names what is wrong, says what to do: behind a
semicolon or a colon, or by a word such as must. "NAME is NULL" says it as it is. --self-test checks that the gate
finds what is wrong."""
import re
import sys

import tree

FUNCTIONS = re.compile(r"\b(?:set_error|refuse|refuse_for_capture|refuse_to_create|misuse)\s*\(")
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
# Neighbours in C that are one literal, and a whole argument or a choice of ?:.
FIXED = re.compile(rf"{LITERAL}(?:\s*{LITERAL})*")
BEFORE, BEHIND = "(,?:", "),:"
WAY_OUT = re.compile(r"[;:] |\b(must|needs?|use|call|only|unless|alone|first|instead)\b")
PLAIN = re.compile(r"[\w.>-]+ is NULL")


def calls(code):
    """(place, text of the arguments) of each call that reports an error."""
    for found in FUNCTIONS.finditer(code):
        place, depth = found.end(), 1
        while depth and place < len(code):
            literal = re.compile(LITERAL).match(code, place)
            place = literal.end() if literal else place + 1
            if not literal:
                depth += {"(": 1, ")": -1}.get(code[place - 1], 0)
        yield found.start(), code[found.end() - 1:place]


def problems_of(path, code):
    for place, arguments in calls(code):
        # What a format inserts is a part of its sentence.
        whole = re.split(r"(?:fmt::format|std::string)\(", arguments)[0]
        for found in FIXED.finditer(whole):
            text = "".join(part[1:-1] for part in re.findall(LITERAL, found.group()))
            is_whole = (whole[:found.start()].rstrip()[-1:] in BEFORE
                        and whole[found.end():].lstrip()[:1] in BEHIND)
            if not is_whole or " " not in text:     # a word is a name that another function puts into its sentence
                continue
            if PLAIN.fullmatch(text) or WAY_OUT.search(text):
                continue
            line = code.count("\n", 0, place) + 1
            yield f'{path}:{line}: "{text}" says no way out; add what to do behind a semicolon'


def check_self():
    good = ('set_error(Status::X, "stream is NULL");', 'refuse(X, "the graph is gone; make it again");',
            'set_error(s, fmt::format("count is {}, more than the room", n));', 'refuse(X, "name must have a letter");',
            'refuse("name", place, "of this is wrong; make one" + why + "it");', 'set_error(s, fmt::format("it is {}", x ? "a b" : "c"));', 'note("the graph of this capture is gone");')
    bad = ('set_error(Status::X, "the graph is gone");', 'refuse(X, is_a ? "a is NULL" : "the graph of it is gone");',
           'set_error(s,\n\t"the graph of "\n\t"this capture is gone");', 'umd::refuse("no (memory) is left");')
    for text in good:
        yield from problems_of("good", text)
    for text in bad:
        if len(list(problems_of("bad", text))) != 1:
            yield f"the gate itself: finds not one problem in {text!r}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("sentences --self-test", list(check_self()), 10)
        return
    paths = tree.files(("umd",), (".cpp", ".h"))
    problems = [problem for path in paths for problem in problems_of(path, tree.without_comments(tree.read(path)))]
    tree.verdict("sentences", problems, len(paths))


main()
