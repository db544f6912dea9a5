#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each page has a title, and the samples on it the present version of the wire. Each decision has its heads, each figure
is short and shown, the order of locks has the locks that are held over a wait, the table of gates has each gate,
MAINTAINERS has each folder, and the reference of functions has each folder of public headers.

A decision has a status, a date and the sections of SECTIONS, in this order. Where the status names another page, that
page exists. --self-test checks that the gate finds what is wrong."""
import datetime
import os
import re
import sys

import tree

DECISIONS = "Documentation/adr"
FIGURES = "Documentation/figures"
SECTIONS = ["Context", "Decision", "Alternatives", "Consequences"]
STATUS = re.compile(r"accepted(; :doc:`[\w-]+` \S.*)?|replaced by :doc:`[\w-]+`|proposed")
FIGURE_LINES = 80
LOCK_ORDER = "Documentation/architecture.rst"
LOCK = re.compile(r'\{"([^"]+)",\s*(?:base::)?HeldOver::(?:ANSWERS|WORK)\b')
ORDERED = "base/sync/lock_order.h"
ORDERED_LOCK = re.compile(r'^\t"([^"]+)",$', re.M)
TABLE_START = "A thread that holds a lock of this list"
OWNERS = "MAINTAINERS"
OWNED = re.compile(r"^F:\t(.*)$", re.M)
GATES = "tests/gates/CMakeLists.txt"
GATE_TABLE = "Documentation/testing.rst"
GATE = re.compile(r"^unpu_gate\((\w+)|\bunpu_test\(gate\.(\w+)\s|^foreach\(name IN ITEMS ([\w ]+)\)\n\tunpu_gate", re.M)
TITLE = re.compile(r"\A(?:\.\. [^\n]*\n(?: +[^\n]*\n)*|\n)*(\S[^\n]*)\n(=+)\n")
WIRE_HEADER = "include/uapi/types.h"
WIRE = re.compile(r"^#define UNPU_ABI_M(?:AJ|IN)OR (\d+)u", re.M)
WIRE_SAMPLE = re.compile(r"^\s+wire +(\d+\.\d+)$", re.M)
REFERENCES = "Documentation/reference"
REFERENCE = re.compile(r"^\.\. unpu-reference:: (\S+)$", re.M)
SHOWN = re.compile(r"^\.\. graphviz:: (\S+)$", re.M)


def field(text, name):
    """The value of a field of the head, or None."""
    found = re.search(rf"^:{name}: (.*)$", text, re.M)
    return found.group(1) if found else None


def is_date(text):
    try:
        return datetime.date.fromisoformat(text or "") is not None
    except ValueError:
        return False


def problems_of_decision(path, text, pages):
    """What is wrong with a decision. @pages: the names of all decisions, without ending."""
    status = field(text, "Status")
    if not status or not STATUS.fullmatch(status):
        yield f"{path}: no line \":Status: accepted\", or replaced by a page"
    for page in re.findall(r":doc:`([\w-]+)`", status or ""):
        if page not in pages:
            yield f"{path}: its status names {page}, which does not exist"
    if not is_date(field(text, "Date")):
        yield f"{path}: no line \":Date: YYYY-MM-DD\""
    found = [title for title, line in re.findall(r"^(\w+)\n(-+)$", text, re.M) if len(title) == len(line)]
    if [title for title in found if title in SECTIONS] != SECTIONS:
        yield f"{path}: its sections are not {', '.join(SECTIONS)}"
        return
    for title in SECTIONS:
        body = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n-+$|\Z)", text, re.M | re.S).group(1)
        if not body.strip():
            yield f"{path}: {title} says nothing"


def problems_of_page(path, text, wire):
    """What is wrong with any page. @wire: the version of the wire, as "1.2"."""
    title = TITLE.match(text)
    if not title or len(title.group(1)) != len(title.group(2)):
        yield f"{path}: it does not begin with a title over a line of = of the same length"
    for version in WIRE_SAMPLE.findall(text):
        if version != wire:
            yield f"{path}: a sample has wire {version}, and {WIRE_HEADER} has {wire}"


def problems_of_figure(path, text, shown):
    """What is wrong with a figure. @shown: the figures that pages show."""
    lines = text.count("\n")
    if lines > FIGURE_LINES:
        yield f"{path}: {lines} lines, {FIGURE_LINES} at most"
    if "SPDX-License-Identifier" not in text.split("\n", maxsplit=1)[0]:
        yield f"{path}: the first line has no SPDX identifier"
    if path not in shown:
        yield f"{path}: no page shows it"


def problems_of_locks(path, text, order):
    """Which locks of a source may be held over a wait and are not in the order of locks."""
    for name in LOCK.findall(text):
        if f"``{name}``" not in order:
            yield f"{path}: the lock {name} is not in the order of locks of {LOCK_ORDER}"


def problems_of_order(locks, page):
    """Which locks of the checker's list are missing on the page, or stand there in another order."""
    table = page[page.find(TABLE_START):]
    last = 0
    for name in locks:
        place = table.find(f"``{name}``")
        if place < 0:
            yield f"{LOCK_ORDER}: the lock {name} of {ORDERED} is missing"
        elif place < last:
            yield f"{LOCK_ORDER}: the lock {name} stands further up than {ORDERED} has it"
        last = max(last, place)


def problems_of_owners(folders, owners):
    """Which folders have no entry in MAINTAINERS."""
    owned = [path.rstrip("/") for line in OWNED.findall(owners) for path in line.split()]
    for folder in folders:
        if not any(folder == path or folder.startswith(path + "/") for path in owned):
            yield f"{OWNERS}: no entry has {folder}"


def problems_of_gates(cmake, page):
    """Which gates have no row in the table of gates."""
    table = page[page.find("\nGates\n"):page.find("\nInstructions\n")]
    for one, test, several in GATE.findall(cmake):
        for name in (one or test or several).split():
            if f"   * - ``{name}``\n" not in table:
                yield f"{GATE_TABLE}: the table of gates has no {name}"


def problems_of_reference(folders, headers):
    """Headers whose functions no page of the reference has, and folders without headers."""
    for header in headers:
        if sum(header.startswith(folder + "/") for folder in folders) != 1:
            yield f"{header}: is not once in {REFERENCES}"
    for folder in folders:
        if not any(header.startswith(folder + "/") for header in headers):
            yield f"{REFERENCES}: {folder} has no public header"


def self_test():
    good = ":Status: accepted\n:Date: 2026-11-21\n\n" + "".join(
        f"{title}\n{'-' * len(title)}\n\ntext\n\n" for title in SECTIONS)
    wrong = {
        "a good page": good,
        "no status": good.replace(":Status: accepted\n", ""),
        "another status": good.replace("accepted", "maybe"),
        "a status with a broken page": good.replace("accepted", "accepted; :doc:`9999-nothing` says so"),
        "no date": good.replace(":Date: 2026-11-21\n", ""),
        "an impossible date": good.replace("2026-11-21", "2026-13-40"),
        "no alternatives": good.replace("Alternatives\n------------\n\ntext\n\n", ""),
        "empty alternatives": good.replace("Alternatives\n------------\n\ntext\n", "Alternatives\n------------\n"),
    }
    problems = []
    for name, text in wrong.items():
        found = list(problems_of_decision("page", text, {"0001-page"}))
        if (len(found) == 0) != (name == "a good page"):
            problems.append(f"{name}: {found}")
    page = ".. SPDX-License-Identifier: MIT\n\nA page\n======\n\n  wire   1.2\n"
    for name, text, count in (("a good page", page, 0), ("no underline", page.replace("======\n", ""), 1),
                              ("a short underline", page.replace("======", "==="), 1),
                              ("an old sample", page.replace("1.2", "1.1"), 1), ("nothing", "", 1)):
        if len(list(problems_of_page("page", text, "1.2"))) != count:
            problems.append(f"{name}: not {count} problems")
    figure = "// SPDX-License-Identifier: MIT\ndigraph f {}\n"
    for name, text, shown, count in (("a good figure", figure, {"f"}, 0), ("not shown", figure, set(), 1),
                                     ("too long", figure + "\n" * FIGURE_LINES, {"f"}, 1),
                                     ("no identifier", "digraph f {}\n", {"f"}, 1)):
        if len(list(problems_of_figure("f", text, shown))) != count:
            problems.append(f"{name}: not {count} problems")
    lock = 'base::Mutex mutex_{"Nothing::mutex_", base::HeldOver::ANSWERS};'
    if len(list(problems_of_locks("f", lock, "``Other::mutex_``"))) != 1:
        problems.append("a lock that is not in the order was not found")
    if list(problems_of_locks("f", lock, "``Nothing::mutex_``")):
        problems.append("a lock that is in the order was found")
    for locks, count in ((["A", "B"], 0), (["B", "A"], 1), (["A", "C"], 1)):
        if len(list(problems_of_order(locks, TABLE_START + " ``A`` ``B``"))) != count:
            problems.append(f"the order {locks}: not {count} problems")
    cmake = "unpu_gate(a)\nforeach(name IN ITEMS b c)\n\tunpu_gate(${name})\nunpu_test(gate.d LABELS)\n"
    rows = "".join(f"   * - ``{name}``\n" for name in "abcd")
    for table, count in ((rows, 0), (rows.replace("b", "x"), 1), ("", 4)):
        if len(list(problems_of_gates(cmake, f"\nGates\n{table}\nInstructions\n"))) != count:
            problems.append(f"the table of gates {table!r}: not {count} problems")
    owners = "A\nF:\tdrv/ include/acl/\nF:\thal/\n"
    for folders, count in ((["drv", "hal", "include/acl"], 0), (["include/cuda"], 1), (["drvx"], 1)):
        if len(list(problems_of_owners(folders, owners))) != count:
            problems.append(f"the owners of {folders}: not {count} problems")
    for folders, count in ((["include/a", "include/b"], 0), (["include/a"], 1), (["include/a", "include/b", "include/c"], 1),
                           (["include/a", "include/b", "include/a"], 1)):
        if len(list(problems_of_reference(folders, ["include/a/x.h", "include/b/y/z.h"]))) != count:
            problems.append(f"the reference {folders}: not {count} problems")
    tree.verdict("book --self-test", problems, len(wrong) + 24)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    decisions = [path for path in tree.files((DECISIONS,), (".rst",)) if not path.endswith("index.rst")]
    pages = {os.path.basename(path)[:-len(".rst")] for path in decisions}
    problems = []
    for path in decisions:
        problems += problems_of_decision(path, tree.read(path), pages)
    shown = set()
    wire = ".".join(WIRE.findall(tree.read(WIRE_HEADER)))
    for page in tree.files(("Documentation",), (".rst",)):
        problems += problems_of_page(page, tree.read(page), wire)
        shown |= {os.path.join(os.path.dirname(page), figure) for figure in SHOWN.findall(tree.read(page))}
    figures = tree.files((FIGURES,), (".dot",))
    for path in figures:
        problems += problems_of_figure(path, tree.read(path), shown)
    sources = tree.files(("include", "hal", "drv", "umd"), (".h", ".cpp"))
    order = tree.read(LOCK_ORDER)
    for path in sources:
        problems += problems_of_locks(path, tree.read(path), order)
    locks = ORDERED_LOCK.findall(tree.read(ORDERED))
    problems += problems_of_order(locks[:locks.index("Queues::mutex_")], order)
    folders = [*tree.CODE, ".ci", "cmake", "scripts", "Documentation"]
    folders += [f"include/{name}" for name in sorted(os.listdir(os.path.join(tree.ROOT, "include")))
                if os.path.isdir(os.path.join(tree.ROOT, "include", name))]
    problems += problems_of_owners(folders, tree.read(OWNERS))
    problems += problems_of_gates(tree.read(GATES), tree.read(GATE_TABLE))
    folders = [folder for page in tree.files((REFERENCES,), (".rst",)) for folder in REFERENCE.findall(tree.read(page))]
    headers = [path for path in tree.public_headers() if path != tree.SECURE and tree.declarations(path)]
    problems += problems_of_reference(folders, headers)
    tree.verdict("book", problems, len(decisions) + len(figures) + len(sources))


if __name__ == "__main__":
    main()
