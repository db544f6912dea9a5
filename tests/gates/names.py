#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each path and identifier that the book, its figures and the texts of the root name exists.

A path is a file or folder of the tree, or a program by the path of its source without the ending. The words of an
identifier stand in the code. A qualified one, Class::member, stands in the code as it is, or a file that defines the
class has the member. A name may leave out what the names of its kind have in common: FAST_SYNC for
ACL_STREAM_FAST_SYNC. --self-test checks that the gate finds broken names."""
import collections
import fnmatch
import os
import re
import sys

import tree

LITERAL = re.compile(r"``([^`]+)``")
# The texts of the root are Markdown, or plain.
MARKDOWN_LITERAL = re.compile(r"`([^`\n]+)`")
MARKDOWN = ("CONTRIBUTING.md", "README.md")
OWNERS = "MAINTAINERS"
# What a figure shows: quoted text, and text between the tags of a table.
FIGURE_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"|>([^<>]+)<', re.S)
FIGURE_WORD = re.compile(r"(?:[A-Za-z_~][\w.*-]*/)+[\w.*-]*\w|~?[A-Za-z_]\w*(?:(?:::|->|\.)~?[A-Za-z_]\w*)*(?:\(\))?")
PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)+/?|[\w-]+\.(h|cpp|c|py|sh|pml|rst|in|txt|cmake|json)")
IDENTIFIER = re.compile(r"(\w+::)*~?[A-Za-z_]\w*(\(\))?|[A-Za-z_]\w*(\.|->)\w+(\(\))?")
# What an identifier of ours looks like: a call, a qualified name, words joined by _ or by capitals, or a capital.
OURS = re.compile(r"\(\)|::|\w_\w|[a-z][A-Z]|->|\.|^[A-Z]")
# A commit that a page shows as an example.
COMMIT = re.compile(r"git show ([0-9a-f]{7,40})")
FOLDERS = (*tree.CODE, "cmake", "Documentation", "include", "scripts")
# A path of ours in a command. Commands are in blocks that begin with a tab, or with four blanks in Markdown.
COMMAND_PATH = re.compile(rf"(?<![\w/.$-])(?:\./)?((?:{'|'.join(FOLDERS)})/[\w.*/-]*\w)")
COMMAND = re.compile(r"^(?:\t| {4}).*$", re.M)
ENDINGS = (".cpp", ".c", ".h", ".in", "_test.cpp")
DEFINES = r"\b(?:class|struct|union|namespace|enum|enum class|enum struct|using) (?:\[\[\w+\]\] |alignas\(\w+\) )?{}\b"
# Names of the kernel, of C libraries and of tools that no file of ours has.
FOREIGN = {"CMAKE_PREFIX_PATH", "LICENSE", "MsprofSetDeviceIdByGeModelIdx", "PHB", "SYS", "cachestat", "no_new_privs",
           "sscanf_s"}


class Tree:
    """What there is."""

    def __init__(self):
        self.files = set(tree.files(FOLDERS, "", with_made=True))
        # Programs of users may lie there too.
        self.files |= {name for name in os.listdir(tree.ROOT)
                       if os.path.isfile(os.path.join(tree.ROOT, name)) and tree.is_text(name)}
        self.folders = {os.path.dirname(path) for path in self.files}
        self.folders |= {os.path.dirname(folder) for folder in self.folders}
        self.names = {os.path.basename(path) for path in self.files}
        self.files_of = collections.defaultdict(set)
        for path in self.files:
            # This file has the names that are broken on purpose.
            if path.endswith((".rst", ".golden", ".md", ".dot", "gates/names.py")) or "/corpus/" in path:
                continue
            if not tree.is_text(path):
                continue
            for word in set(re.findall(r"\w+", tree.read(path))):
                self.files_of[word].add(path)
        self.lower = {word.lower() for word in self.files_of}
        self.texts = {}

    def has_path(self, path):
        path = path.rstrip("/")
        if "/" not in path:
            return path in self.names or path + ".in" in self.names
        there = self.files | self.folders
        for name in (path, "include/" + path):
            if "*" in name and any(fnmatch.fnmatch(other, name) for other in there):
                return True
            if name in there or any(name + ending in there for ending in ENDINGS):
                return True
        return False

    def has_word(self, word):
        if word in self.files_of or word in FOREIGN or word + ".cpp" in self.names:
            return True
        if not OURS.search(word):
            return False
        short = word.lower()
        return any(f"_{short}_" in f"{other}_" or word.endswith("_") and other.startswith(short)
                   for other in self.lower)

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = tree.read(path)
        return self.texts[path]

    def has_member(self, literal):
        """Of Class::member: the code has it as it is, or a file with the definition of the class has the member."""
        parts = literal.rstrip("()").split("::")
        owner, member = parts[-2], parts[-1].lstrip("~")
        if owner not in self.files_of:
            return True
        both = self.files_of[owner] & self.files_of.get(member, set())
        whole = re.compile(rf"\b{owner}::~?{member}\b")
        definition = re.compile(DEFINES.format(owner))
        return any(whole.search(self.text(path)) or definition.search(self.text(path)) for path in both)

    def has_identifier(self, words):
        if not all(self.has_word(word) for word in words):
            return False
        known = [self.files_of[word] for word in words if word in self.files_of]
        return len(known) < len(words) or bool(set.intersection(*known))


def has_history():
    return (tree.git("rev-parse", "--is-shallow-repository") or "").strip() == "false"


def has_commit(name):
    """Whether a commit is in the history. Where there is no whole history every commit is."""
    if not has_history():
        return True
    return tree.git("merge-base", "--is-ancestor", name, "HEAD") is not None


def problem(there, literal):
    """Why a literal of the book is not right, or None."""
    commit = COMMIT.fullmatch(literal)
    if commit:
        return None if has_commit(commit.group(1)) else f"there is no commit {commit.group(1)}"
    if PATH.fullmatch(literal):
        ours = "/" not in literal or literal.split("/")[0] in FOLDERS
        return f"there is no {literal}" if ours and not there.has_path(literal) else None
    if IDENTIFIER.fullmatch(literal) and OURS.search(literal):
        if not there.has_identifier(re.findall(r"\w+", literal)):
            return f"no code has {literal}"
        if "::" in literal and not there.has_member(literal):
            return f"{literal}: no such member"
    return None


def names_of_commands(text):
    """The paths in the commands of a page."""
    for line in COMMAND.finditer(text):
        for found in COMMAND_PATH.finditer(line.group(0)):
            yield line.start(), found.group(1)


def names_of_page(text):
    """(place, name) of each name in a page of the book."""
    for found in LITERAL.finditer(text):
        yield found.start(), " ".join(found.group(1).split())
    yield from names_of_commands(text)


def names_of_markdown(text):
    for found in MARKDOWN_LITERAL.finditer(text):
        yield found.start(), found.group(1)
    yield from names_of_commands(text)


def names_of_owners(text):
    """The folders and pages of each entry."""
    for found in re.finditer(r"^[FP]:\t(.*)$", text, re.M):
        for name in re.split(r",? +", found.group(1)):
            yield found.start(), name


def names_of_figure(text):
    for found in FIGURE_TEXT.finditer(text):
        # Line breaks of labels are written as \\n.
        shown = (found.group(1) or found.group(2)).replace("\\n", "  ")
        for word in FIGURE_WORD.findall(shown):
            yield found.start(), word


def sources():
    """(path, names) of each text that is checked."""
    for page in tree.files(("Documentation",), (".rst",)):
        yield page, names_of_page(tree.read(page))
    for figure in tree.files(("Documentation/figures",), (".dot",)):
        yield figure, names_of_figure(tree.read(figure))
    for text in MARKDOWN:
        yield text, names_of_markdown(tree.read(text))
    yield OWNERS, names_of_owners(tree.read(OWNERS))


def self_test(there):
    """What the gate has to find, and what it has to let pass. Return: what went wrong."""
    broken = ("drv/no_such_file.cpp", "no_such_file.cpp", "no_such_function()", "Channel::no_such_member_",
              "Runtime::gate_mutex", "drv::Channel::joiners_", "UNPU_NO_SUCH_NUMBER", "noSuchName", "Nosuchclass")
    good = ("drv/channel/channel.cpp", "channel.cpp", "drv/", "enqueue()", "Channel::lock_", "drv::Channel::post()",
            "FAST_SYNC", "aclrtMemcpyAsync", "Capture::lock()", "include/uapi", "tests/protocol/litmus")
    wrong = [f"{name} was not found to be broken" for name in broken if not problem(there, name)]
    wrong += [f"{name}: {problem(there, name)}" for name in good if problem(there, name)]
    figure = 'digraph { a [label="1 noSuchName(), drv/channel/channel.cpp"]; b [label=<<td>no_such_word</td>>]; }'
    found = {name for _, name in names_of_figure(figure) if problem(there, name)}
    if found != {"noSuchName()", "no_such_word"}:
        wrong.append(f"in a figure these were found: {found}")
    page = "text ``no_such_function()`` and ``enqueue()`` ::\n\n\t./scripts/no_such.sh && ./scripts/demo.sh\n"
    if [name for _, name in names_of_page(page) if problem(there, name)] != ["no_such_function()",
                                                                             "scripts/no_such.sh"]:
        wrong.append("a broken name in a page was not found")
    if has_history() and has_commit("0123456789abcdef"):
        wrong.append("a commit that does not exist was not found")
    return wrong


def main():
    there = Tree()
    if sys.argv[1:] == ["--self-test"]:
        problems = self_test(there)
        print("\n".join(problems))
        return 1 if problems else 0
    problems = []
    checked = 0
    for path, names in sources():
        for place, name in names:
            checked += 1
            why = problem(there, name)
            if why:
                line = tree.read(path).count("\n", 0, place) + 1
                problems.append(f"{path}:{line}: {why}")
    return tree.verdict("names", problems, checked)


if __name__ == "__main__":
    sys.exit(main())
