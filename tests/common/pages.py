# SPDX-License-Identifier: MIT
"""The blocks of a page of the documentation, for the tests that run them."""
import os
import re
import textwrap

DOCUMENTATION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Documentation")


def read_page(name):
    with open(os.path.join(DOCUMENTATION, name + ".rst"), encoding="utf-8") as file:
        return file.read()


def read_blocks(name):
    """The blocks of a page behind "::" and code-block, without their indentation."""
    lines = read_page(name).splitlines()
    blocks = []
    at = 0
    while at < len(lines):
        begins = lines[at].startswith(".. code-block::") or (lines[at].endswith("::") and not lines[at].startswith(".. "))
        at += 1
        if not begins:
            continue
        while at < len(lines) and re.match(r"\s+:[\w-]+:", lines[at]):  # options
            at += 1
        block = []
        while at < len(lines) and (not lines[at] or lines[at].startswith(("\t", "    "))):
            block.append(lines[at])
            at += 1
        blocks.append(textwrap.dedent("\n".join(block)).strip("\n") + "\n")
    return blocks
