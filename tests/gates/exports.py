#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exports.py FOLDER: headers and the libraries in FOLDER name the same functions.
The text of the runtime header names every function of its parts.
debian/libunpu0.symbols promises each of them, and none that is gone.
exports.py --update: writes the promises and that text from the headers."""
import os
import re
import sys

import tree

FACADES = {"libascendcl": "libascendcl", "libacl_rt": "libascendcl", "libacl_rt_impl": "libascendcl",
           "libruntime": "libascendcl", "libhcomm": "libhccl", "libc_sec": "libc_sec",
           "libnnopbase": "libnnopbase", "libopapi": "libopapi", "libhccl": "libhccl",
           "libms_tools_ext": "libms_tools_ext", "libascendalog": "libascendalog", "libprofapi": "libmsprofiler",
           **{part: part for part in tree.PARTS.values()}}
# Libraries that programs link for their names alone.
EMPTY = ("libge_runner", "libgraph", "libgraph_base", "libregister", "libtiling_api", "liberror_manager",
         "libge_common_base", "libmmpa")
PROMISES, PROMISED = "debian/libunpu0.symbols", re.compile(r"^ (\S+)@UNPU_1\.0 (\S+)$", re.M)
PROMISES_HEAD = "libunpu.so.0 libunpu0 #MINVER#\n* Build-Depends-Package: libunpu-dev\n"
CUDA_PAGE = "Documentation/cuda.rst"
# Reasons of functions that are refused, and that the headers declare all the same: so many programs name them.
DECLARED = ("KERNELS", "ARRAYS", "TEXTURES")
CUDA_COUNT = "exports {} symbols of {} functions. {} symbols of {} functions are refused"


def exported(path):
    """name -> version of what the library defines for others."""
    names = {}
    for line in tree.run(["nm", "-D", "--defined-only", path]).stdout.splitlines():
        name, _, version = line.split()[-1].partition("@@")
        if name != "UNPU_1.0":
            names[name] = version
    return names


def lacks(what, has, wanted, other, problems):
    problems += [f"{what} lacks {name}, which {other} has" for name in sorted(wanted - has)]


def compare(what, has, wanted, other, problems):
    lacks(what, has, wanted, other, problems)
    problems += [f"{what} has {name}, which {other} lacks" for name in sorted(has - wanted)]


INDEX = re.compile(r"^/\*\n \* The functions, part by part.*?\*/$", re.S | re.M)


def check_index(problems):
    found = INDEX.search(tree.read(tree.RUNTIME))
    if found is None or found.group(0) != tree.runtime_index():
        problems.append(f"{tree.RUNTIME} does not name the functions of its parts; "
                        "tests/gates/exports.py --update writes their names")


def write_index():
    text = tree.read(tree.RUNTIME)
    with open(os.path.join(tree.ROOT, tree.RUNTIME), "w", encoding="utf-8") as file:
        file.write(INDEX.sub(lambda _: tree.runtime_index(), text, count=1))


def promises():
    """name -> the version that brought it."""
    return dict(PROMISED.findall(tree.read(PROMISES)))


def check_promises(union, problems):
    kept = set(promises()) - {"UNPU_1.0"}
    lacks(PROMISES, kept, union, "the headers", problems)
    problems += [f"{name} is gone: programs that were linked with an older version use it ({PROMISES})"
                 for name in sorted(kept - union)]


def write_promises(union):
    """A name that is gone stays in the list, so that the gate tells of it."""
    version = re.search(r"^project\(unpu VERSION (\S+)", tree.read("CMakeLists.txt"), re.M).group(1)
    known = promises()
    lines = [f" {name}@UNPU_1.0 {known.get(name, version)}\n" for name in sorted(union | set(known) | {"UNPU_1.0"})]
    with open(os.path.join(tree.ROOT, PROMISES), "w", encoding="utf-8") as file:
        file.write(PROMISES_HEAD + "".join(lines))


def update():
    cuda = {row[1] for row in tree.cuda_rows() + tree.cuda_refused_rows()}
    write_promises({"unpu_" + symbol for symbol in cuda}.union(*tree.public_functions().values()))
    write_index()


def check_cuda_page(rows, refused, problems):
    """The page tells how many symbols and functions there are, and how many of them are refused."""
    counts = [len({row[at] for row in some}) for some in (rows + refused, refused) for at in (1, 0)]
    text = CUDA_COUNT.format(*counts)
    if text not in " ".join(tree.read(CUDA_PAGE).split()):
        problems.append(f"{CUDA_PAGE} does not have the words '{text}'")


def check_cuda(folder, problems):
    """The driver interface: headers, tables, page and library. Returns what libunpu.so has for it."""
    rows, refused = tree.cuda_rows(), tree.cuda_refused_rows()
    symbols = {row[1] for row in rows + refused}
    functions = tree.cuda_functions()
    names = {row[0] for row in rows}
    both = f"{tree.CUDA_TABLE} and {tree.CUDA_REFUSED}"
    lacks(both, symbols | {row[0] for row in rows + refused}, functions, "the headers", problems)
    lacks("the headers", functions, names, tree.CUDA_TABLE, problems)
    lacks("the headers", functions, {row[0] for row in refused if row[2] in DECLARED}, tree.CUDA_REFUSED, problems)
    problems += [f"{name} is in {tree.CUDA_TABLE} and in {tree.CUDA_REFUSED}"
                 for name in sorted(names & {row[0] for row in refused})]
    check_cuda_page(rows, refused, problems)
    library = os.path.join(folder, "cuda", "libcuda.so.1")
    names = exported(library)
    compare("libcuda.so.1", set(names), symbols, both, problems)
    problems += [f"libcuda.so.1: {name} has the version '{version}'"
                 for name, version in names.items() if version]
    if "Library soname: [libcuda.so.1]" not in tree.run(["readelf", "-d", library]).stdout:
        problems.append("libcuda.so.1 has another name")
    return {"unpu_" + symbol for symbol in symbols}


def check(folder):
    problems = []
    functions = {library: set(names) for library, names in tree.public_functions().items()}
    problems += [f"no header declares a function of {library}" for library, names in functions.items() if not names]
    union = set().union(*functions.values()) | check_cuda(folder, problems)
    check_index(problems)
    check_promises(union, problems)
    libraries = {"libunpu": union}
    libraries.update({facade: functions[origin] for facade, origin in FACADES.items()})
    libraries.update({library: set() for library in EMPTY})
    for library, wanted in libraries.items():
        names = exported(os.path.join(folder, library + ".so"))
        compare(library + ".so", set(names), wanted, "its headers", problems)
        problems += [f"{library}.so: {name} has the version '{version}'"
                     for name, version in names.items() if version != "UNPU_1.0"]
        dynamic = tree.run(["readelf", "-d", os.path.join(folder, library + ".so")]).stdout
        if library != "libunpu" and "Filter library: [libunpu.so.0]" not in dynamic:
            problems.append(f"{library}.so is no filter over libunpu.so")
        if library == "libunpu" and "NODELETE" not in dynamic:
            problems.append("libunpu.so can be unloaded")
    tree.verdict("exports", problems, len(union))


if sys.argv[1] == "--update":
    update()
else:
    check(sys.argv[1])
