# SPDX-License-Identifier: MIT
"""What the checks of programs expect. They collect what is wrong in @problems, and go on."""

problems = []


def expect(what, found, wanted):
    if found != wanted:
        problems.append(f"{what}: {found!r}, wanted {wanted!r}")


def expect_in(what, text, *wanted):
    for each in wanted:
        if each not in text:
            problems.append(f"{what}: no {each!r} in:\n{text}")


def expect_true(what, holds):
    if not holds:
        problems.append(what)
