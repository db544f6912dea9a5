#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""documentation.py SPHINX DOCTREES OUT: the book builds without a warning."""
import sys

import tree


def main():
    sphinx, doctrees, out = sys.argv[1:]
    pages = tree.only_changed(tree.files(["Documentation"], (".rst", ".dot", ".py", ".css", ".svg", ".png")))
    if not pages:
        tree.nothing_changed("documentation")
    done = tree.run([sphinx, "-W", "--keep-going", "-q", "-b", "html", "-d", doctrees, "Documentation", out],
                    cwd=tree.ROOT)
    tree.verdict("documentation", [done.stdout] if done.returncode != 0 else [], len(pages))


main()
