#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each tool has a manual page, each page has its sections, and what SEE ALSO names is a page of this tree.

With programs as arguments it also runs each with --help, and with the names of its commands before that: each long
option that it lists is in the page of the program, and each in the page is one that it lists. --self-test checks that
the gate finds what is wrong."""
import os
import re
import subprocess
import sys

import tree

PAGES = "Documentation/man"
TOOLS = ("atc", "firmware-sim", "hccl_bench", "npu-smi", "unpu", "unpu-ascendcc", "unpu-info", "unpu-san", "unpu-time")
SECTIONS = ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO")
NAMED = re.compile(r"([\w-]+) ?\(\d\)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
LISTED = re.compile(r"^  (?:-\w,)?(--[a-z][a-z-]*)(?:,(--[a-z-]+))?", re.M)
COMMANDS = re.compile(r"^Subcommands:\n((?:  .*\n)+)", re.M)
# In the page of unpu these are options of other tools, which it becomes.
OF_OTHERS = {"unpu": {"--devices", "--listen"}}


def plain(text):
    """A page without the marks of the formatter that stand in words."""
    return text.replace("\\-", "-")


def problems_of(path, text, pages):
    """What is wrong with a page. @pages: the names of all pages."""
    found = re.findall(r"^\.SH (.*)$", text, re.M)
    for section in SECTIONS:
        if section not in found:
            yield f"{path}: there is no section {section}"
    last = plain(text).partition(".SH SEE ALSO")[2]
    names = NAMED.findall(last)
    if not names:
        yield f"{path}: SEE ALSO names no page"
    own = os.path.basename(path).rpartition(".")[0]
    for name in names:
        if name == own or name not in pages:
            yield f"{path}: SEE ALSO names {name}, which is not another page of {PAGES}"


def listed_options(text):
    """The long options that --help lists, without those that each program has."""
    found = {name for pair in LISTED.findall(text) for name in pair if name}
    return found - {"--help", "--version"}


def commands_of(text):
    block = COMMANDS.search(text)
    return re.findall(r"^  ([a-z][\w-]*)", block.group(1), re.M) if block else []


def asked(program, *words):
    return subprocess.run([program, *words, "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=60).stdout


def problems_of_options(path, name, options, text):
    """Which options are not in the page, and which of the page there are not."""
    told = set(OPTION.findall(plain(text))) - {"--help", "--version"} - OF_OTHERS.get(name, set())
    yield from (f"{path}: the option {option} is missing" for option in sorted(options - told))
    yield from (f"{path}: {name} has no option {option}" for option in sorted(told - options))


def options_of(program, name, words=()):
    """The options behind @words, which are commands, and those of the commands that follow them."""
    text = asked(program, *words)
    options = listed_options(text)
    for command in commands_of(text):
        # unpu becomes other tools for some of its commands, which have pages of their own.
        if name == "unpu" and command in ("info", "san", "time", "smi", "daemon"):
            continue
        options |= options_of(program, name, (*words, command))
    return options


def self_test():
    good = "".join(f".SH {section}\ntext\n" for section in SECTIONS) + ".BR unpu\\-info (1)\n"
    cases = (("a good page", good, 0), ("no section", good.replace(".SH OPTIONS\n", ""), 1),
             ("a page that is not there", good.replace("info", "nothing"), 1),
             ("itself", good.replace("unpu\\-info", "page"), 1), ("no page", good.replace("(1)", ""), 1))
    problems = []
    for name, text, count in cases:
        found = list(problems_of("page.1", text, {"page", "unpu-info"}))
        if len(found) != count:
            problems.append(f"{name}: {found}")
    listing = "Options:\n  -h,--help  Text\n  --colour,--color TEXT  Text\n  -o,--output FILE  Text\n"
    if listed_options(listing) != {"--colour", "--color", "--output"}:
        problems.append(f"options: {listed_options(listing)}")
    for text, count in ((".B \\-\\-colour \\-\\-color\n--output", 0), ("--colour --color", 1),
                        ("--colour --color --output --more", 1)):
        if len(list(problems_of_options("page.1", "page", listed_options(listing), text))) != count:
            problems.append(f"options in {text}: not {count} problems")
    if commands_of("Subcommands:\n  run   Runs\n  top-it  Text\n\nThe end") != ["run", "top-it"]:
        problems.append("commands")
    tree.verdict("manuals --self-test", problems, len(cases) + 5)


def main():
    if "--self-test" in sys.argv:
        self_test()
        return
    paths = tree.files((PAGES,), (".1",))
    pages = {os.path.basename(path).rpartition(".")[0] for path in paths}
    problems = [f"{PAGES}: {tool} has no page" for tool in TOOLS if tool not in pages]
    problems += [f"{PAGES}: {page} is the page of no tool" for page in sorted(pages - set(TOOLS))]
    for path in paths:
        problems += problems_of(path, tree.read(path), pages)
    for program in sys.argv[1:]:
        name = os.path.basename(program)
        path = f"{PAGES}/{name}.1"
        problems += problems_of_options(path, name, options_of(program, name), tree.read(path))
    tree.verdict("manuals", problems, len(paths))


if __name__ == "__main__":
    main()
