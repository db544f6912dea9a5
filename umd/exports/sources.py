# SPDX-License-Identifier: MIT
"""What other files are made of: the files of the tree, and just enough of a reader of C to tell what the public headers
declare."""
import functools
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "umd", "aclnn"))

import generate  # noqa: E402  pylint: disable=wrong-import-position

PUBLIC = {"acl": "libascendcl", "aclnn": "libnnopbase", "aclnnop": "libopapi",
          "mstx": "libms_tools_ext", "profiling": "libmsprofiler", "base": "libascendalog", "unpu": "libunpu", "hccl": "libhccl"}
# A header outside of the folders.
SECURE = "include/securec.h"
# Headers whose functions have a library of their own too, or are in one more.
PARTS = {"include/acl/acl_dump.h": "libascend_dump", "include/acl/acl_op_compiler.h": "libacl_op_compiler", "include/acl/acl_platform.h": "libplatform",
         "include/acl/acl_rt_compile.h": "libacl_rtc",
         "include/acl/acl_prof.h": "libmsprofiler", "include/acl/acl_tdt.h": "libacl_tdt_channel",
         "include/acl/acl_tdt_queue.h": "libacl_tdt_queue", "include/acl/ops/acl_cblas.h": "libacl_cblas",
         "include/acl/ops/acl_dvpp.h": "libacl_dvpp", "include/acl/ops/acl_dvpp_picture.h": "libacl_dvpp",
         **{f"include/acl/ops/acl_dvpp_{part}.h": "libacl_dvpp" for part in ("files", "filters", "video", "video_encode")},
         "include/mstx/ms_tools_ext.h": "libmsprofiler"}
# The driver interface has symbols beside its functions; CUDA_TABLE and CUDA_REFUSED name all of them.
CUDA = "cuda"
CUDA_TABLE = "umd/cuda/entry_points.h"
CUDA_REFUSED = "umd/cuda/refused_points.h"
FOLDERS = [*PUBLIC, CUDA]

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
    for token in re.finditer(COMMENT.pattern + r"|[{};]|[^{};/\"']+|.", text, re.S):
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
