# SPDX-License-Identifier: MIT
"""What the gates share, over umd/exports/sources.py."""
import os
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "umd", folder) for folder in ("aclnn", "exports")]

import generate  # noqa: E402  pylint: disable=wrong-import-position
from sources import (  # noqa: E402,F401  pylint: disable=wrong-import-position,unused-import
    COMMENT, CUDA, CUDA_REFUSED, CUDA_TABLE, PARTS, PUBLIC, SECURE, cuda_functions, cuda_refused_rows, cuda_rows,
    declarations, files, made, public_functions, public_headers, read)

CODE = ("base", "san", "time", "hal", "drv", "umd", "firmware_sim", "tools", "examples", "bench", "python", "kernels", "models", "tests")
# The header that stands for all of include/acl/rt, and whose text names what they declare: programs'
# build scripts search it.
RUNTIME, RUNTIME_PARTS = "include/acl/acl_rt.h", "include/acl/rt"

MADE_OF = {generate.TABLE, "umd/aclnn/generate.py"}


def include_places(path, name):
    """Where an include of @name in the file @path may find it: from the root, and beside the file."""
    return name, os.path.normpath(os.path.join(os.path.dirname(path), name))


def is_text(path):
    try:
        read(path)
    except UnicodeDecodeError:
        return False
    return True


def without_comments(text, literals=True):
    """The text with comments, and literals unless wanted, made blank; lines keep their numbers."""
    def blank(match):
        piece = match.group(0)
        if piece[0] in "\"'":
            return piece if literals else piece[0] * 2
        return " " + "\n" * piece.count("\n")
    return COMMENT.sub(blank, text)


def runtime_index():
    """The comment that names the functions of each part of the runtime header."""
    lines = ["/*", " * The functions, part by part (written by tests/gates/exports.py --update):"]
    for path in files([RUNTIME_PARTS], (".h",)):
        names = [name for name, _, _ in declarations(path)]
        wrapped = textwrap.wrap(" ".join(names), 96, break_on_hyphens=False)
        lines += [" *", f" * {os.path.relpath(path, 'include')}:"] + [" * " + line for line in wrapped]
    return "\n".join(lines + [" */"])


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)


def git(*words):
    """What git prints, or None: it fails, or is not there, as where the tree comes from an archive."""
    if shutil.which("git") is None:
        return None
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def left_branches():
    """What this branch may have left, the likeliest first. A branch that was pushed follows its own copy, which tells nothing."""
    branch = (git("rev-parse", "--abbrev-ref", "HEAD") or "").strip()
    upstream = (git("rev-parse", "--abbrev-ref", "@{upstream}") or "").strip()
    if upstream.endswith("/" + branch) and branch not in ("main", "master"):
        upstream = ""
    return [name for name in (upstream, "origin/HEAD", "origin/main", "main") if name]


def changed_paths():
    """With UNPU_GATES=changed, the paths that differ from the branch that this one left; None is all of them, also where
    the tree comes from an archive, be it in a folder of another repository."""
    if os.environ.get("UNPU_GATES") != "changed" or not os.path.exists(os.path.join(ROOT, ".git")):
        return None
    for base in left_branches():
        found = git("merge-base", "HEAD", base)
        if found is not None:
            break
    else:
        return None
    differing = git("diff", "-z", "--name-only", found.strip())
    untracked = git("ls-files", "-z", "--others", "--exclude-standard")
    return set((differing + untracked).split("\0")) - {""}


def only_changed(paths):
    """Those of the paths that a gate has to look at."""
    changed = changed_paths()
    if changed is None:
        return paths
    if changed & MADE_OF:
        changed |= set(made())
    return [path for path in paths if path in changed]


def nothing_changed(gate):
    """Ends a gate that was asked for changes and found none."""
    print(f"{gate}: no change to check")
    sys.exit(0)


def verdict(gate, problems, checked):
    """Prints each problem and ends the gate. A gate that looked at nothing has failed."""
    for problem in problems:
        print(problem)
    if checked == 0:
        problems = ["nothing was checked"]
        print(problems[0])
    print(f"{gate}: {checked} checked, {len(problems)} wrong")
    sys.exit(1 if problems else 0)
