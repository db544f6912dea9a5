# SPDX-License-Identifier: MIT
"""What the gates share: the files of the tree, and just enough of a reader of C."""
import functools
import os
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "umd", "aclnn"))

import generate  # noqa: E402  pylint: disable=wrong-import-position

CODE = ("base", "san", "hal", "drv", "umd", "firmware_sim", "tools", "examples", "bench", "python", "kernels", "tests")
PUBLIC = {"acl": "libascendcl", "aclnn": "libnnopbase", "aclnnop": "libopapi",
          "mstx": "libms_tools_ext", "profiling": "libmsprofiler", "base": "libascendalog", "unpu": "libunpu", "hccl": "libhccl"}
# A header outside of the folders.
SECURE = "include/securec.h"
# Headers whose functions have a library of their own too, or are in one more.
PARTS = {"include/acl/acl_dump.h": "libascend_dump", "include/acl/acl_op_compiler.h": "libacl_op_compiler", "include/acl/acl_platform.h": "libplatform",
         "include/acl/acl_rt_compile.h": "libacl_rtc",
         "include/acl/acl_prof.h": "libmsprofiler", "include/acl/acl_tdt.h": "libacl_tdt_channel",
         "include/acl/acl_tdt_queue.h": "libacl_tdt_queue", "include/acl/ops/acl_cblas.h": "libacl_cblas",
         "include/mstx/ms_tools_ext.h": "libmsprofiler"}
# The driver interface has symbols beside its functions; CUDA_TABLE and CUDA_REFUSED name all of them.
CUDA = "cuda"
CUDA_TABLE = "umd/cuda/entry_points.h"
CUDA_REFUSED = "umd/cuda/refused_points.h"
FOLDERS = [*PUBLIC, CUDA]
# The header that stands for all of include/acl/rt, and whose text names what they declare: programs'
# build scripts search it.
RUNTIME, RUNTIME_PARTS = "include/acl/acl_rt.h", "include/acl/rt"

MADE_OF = {generate.TABLE, "umd/aclnn/generate.py"}

# Text and character literals are matched so that what looks like a comment in them stays.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
                     re.S)


@functools.cache
def made():
    """path -> text of the files of the operators, which the build makes."""
    return generate.files()


def files(folders, endings, with_made=False):
    """Paths below the folders, relative to the root, sorted; with_made tells whether those that the build makes, too."""
    found = [path for path in made() if with_made and path.endswith(endings)
             and any(path.startswith(os.path.join(folder, "")) for folder in folders)]
    for folder in folders:
        for where, below, names in os.walk(os.path.join(ROOT, folder)):
            below[:] = [name for name in below if name != "__pycache__"]
            found += [os.path.relpath(os.path.join(where, name), ROOT) for name in names
                      if name.endswith(endings)]
    return sorted(found)


def read(path):
    """The text of a file of the tree, or of one that the build makes."""
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        if path not in made():
            raise
        return made()[path]


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


def declarations(path):
    """(name, comment, text) of each function that a C header declares, but for inline ones."""
    text = read(path)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    text = re.sub(r'extern\s+"C"\s*\{', "", text)
    found = []
    for comment, statement in statements(text):
        statement = re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", statement, flags=re.S)
        name = re.search(r"\b((?:[a-z]|Alog|Hccl|Msprof)\w*)\s*\(", statement)
        if name is None or re.match(r"\s*(typedef|using|static|inline|template)\b", statement):
            continue
        found.append((name.group(1), comment, " ".join(statement.split())))
    return found


def statements(text):
    """(last comment before it, statement) of each one that ends in ';' or a body, at file level."""
    comment, statement, depth = "", "", 0
    for token in re.finditer(COMMENT.pattern + r"|[{};]|.", text, re.S):
        piece = token.group(0)
        if piece.startswith(("//", "/*")):
            if depth == 0 and not statement.strip():
                comment = piece
        elif piece == "{":
            depth += 1
        elif piece == "}":
            depth = max(depth - 1, 0)
            if depth == 0 and statement.rstrip().endswith(")"):
                comment, statement = "", ""
        elif depth == 0 and piece == ";":
            yield comment, statement
            comment, statement = "", ""
        elif depth == 0:
            statement += piece


def public_headers():
    """The headers of the toolkit."""
    return files(["include/" + folder for folder in FOLDERS], (".h",), with_made=True) + [SECURE]


def public_functions():
    """library -> {function: header} by the headers."""
    found = {library: {} for library in [*PUBLIC.values(), *PARTS.values()]}
    found["libc_sec"] = {name: SECURE for name, _, _ in declarations(SECURE)}
    for folder, library in PUBLIC.items():
        for path in files([os.path.join("include", folder)], (".h",), with_made=True):
            for name, _, _ in declarations(path):
                found[library][name] = path
                if path in PARTS:
                    found[PARTS[path]][name] = path
    # Programs find the operands of operators in the compiler's library too.
    found["libacl_op_compiler"].update(found["libnnopbase"])
    return found


def runtime_index():
    """The comment that names the functions of each part of the runtime header."""
    lines = ["/*", " * The functions, part by part (written by tests/gates/exports.py --update):"]
    for path in files([RUNTIME_PARTS], (".h",)):
        names = [name for name, _, _ in declarations(path)]
        wrapped = textwrap.wrap(" ".join(names), 96, break_on_hyphens=False)
        lines += [" *", f" * {os.path.relpath(path, 'include')}:"] + [" * " + line for line in wrapped]
    return "\n".join(lines + [" */"])


def cuda_rows():
    """(function, symbol) of each entry point of the driver interface."""
    return re.findall(r"^\tX\((\w+), \d+, \w+,[\s\\]+(\w+)\)", read(CUDA_TABLE), re.M)


def cuda_refused_rows():
    """(function, symbol, reason) of each entry point of the driver interface that is refused."""
    return re.findall(r"^\tX\((\w+), \d+, \w+,[\s\\]+(\w+),[\s\\]+(\w+)\)", read(CUDA_REFUSED), re.M)


def cuda_functions():
    """The functions of the driver interface by the headers, and what their names stand for."""
    names = set()
    for path in files([os.path.join("include", CUDA)], (".h",)):
        names |= {name for name, _, _ in declarations(path)}
        names |= set(re.findall(r"^#define cu\w+ (cu\w+)$", read(path), re.M))
    return names


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
