#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The form of commit messages, since the commit from which on it is asked for. --self-test checks that the gate finds
what is wrong."""
import re
import sys

import tree

SINCE = "528c71a"
SUBJECT_CHARACTERS = 72
SUBJECT = re.compile(r"([A-Za-z_]+(, [A-Za-z_]+)*): (\S+) \S.*[^.]")
# Forms of a verb that are not the imperative, and imperatives that end alike.
NOT_IMPERATIVE = re.compile(r"[a-z]+(ed|ing|s)")
IMPERATIVE = re.compile(r"(?:[a-z]*ss|.*(bring|cling|ring|sing|sting|swing|string|need|embed|feed|seed|shed|"
                        r"speed|proceed|succeed|exceed|bias|focus|canvas))")
# Subjects that tell of a repair.
REPAIR = re.compile(r"\b(fix|mend|repair|correct)\b")
FIXES = re.compile(r'Fixes: ([0-9a-f]{7,40}) \("(.+)"\)')


def problems_of_subject(subject):
    if len(subject) > SUBJECT_CHARACTERS:
        yield f"the subject has {len(subject)} characters, {SUBJECT_CHARACTERS} at most"
    found = SUBJECT.fullmatch(subject)
    if not found:
        yield 'the subject is not "area: imperative, what changes", without a full stop'
        return
    verb = found.group(3).rstrip(",")
    if verb[0].isupper():
        yield f"the subject begins with a capital: {verb}"
    elif NOT_IMPERATIVE.fullmatch(verb) and not IMPERATIVE.fullmatch(verb):
        yield f"the subject does not begin with an imperative: {verb}"


def problems_of_body(subject, body):
    lines = body.splitlines()
    if not any(line.strip() and not line.startswith("Fixes:") for line in lines):
        yield "there is no body that says why"
    fixes = [line for line in lines if line.startswith("Fixes:")]
    if REPAIR.search(subject) and not fixes:
        yield "a repair names the commit that it repairs in a line Fixes:"
    for line in fixes:
        found = FIXES.fullmatch(line)
        if not found:
            yield f'not of the form Fixes: HASH ("SUBJECT"): {line}'
            continue
        there = tree.git("log", "-1", "--format=%s", found.group(1))
        before = tree.git("merge-base", "--is-ancestor", found.group(1), "HEAD") is not None
        if not before or there is None or there.strip() != found.group(2):
            yield f"no commit before it is that one: {line}"


def self_test():
    subjects = {"umd: add a call": 0, "umd, drv: focus the search": 0, "umd: added a call": 1, "umd: adding a call": 1,
                "umd: adds a call": 1, "umd: Add a call": 1, "umd: add a call.": 1, "add a call": 1,
                "umd: add " + "x" * SUBJECT_CHARACTERS: 1}
    bodies = {("add a call", "It was missing."): 0, ("add a call", ""): 1, ("fix a call", "It failed."): 1,
              ("add a call", "Why.\nFixes: 123"): 1, ("fix a call", 'Why.\nFixes: 0000000 ("no such commit")'): 1}
    wrong = [f"{subject}: not {count} problems" for subject, count in subjects.items()
             if len(list(problems_of_subject(subject))) != count]
    wrong += [f"{subject}, {body}: not {count} problems" for (subject, body), count in bodies.items()
              if len(list(problems_of_body(subject, body))) != count]
    tree.verdict("commits --self-test", wrong, len(subjects) + len(bodies))


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    if tree.git("merge-base", "--is-ancestor", SINCE, "HEAD") is None:
        print("skipped: there is no history of the tree here")
        return 77
    problems = []
    for entry in tree.git("log", "--no-merges", "--format=%h%x00%s%x00%b%x01", f"{SINCE}..HEAD").split("\x01"):
        if not entry.strip():
            continue
        name, subject, body = entry.strip("\n").split("\0")
        found = [*problems_of_subject(subject), *problems_of_body(subject, body)]
        problems += [f"{name} {subject}: {problem}" for problem in found]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
