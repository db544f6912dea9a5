#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""headers.py COMPILER...: every public and wire header compiles alone in C11 and C++20, by each compiler. With --layers
the headers of the layers do, in C++20."""
import argparse
import concurrent.futures
import os
import tempfile

import tree

CXX_FOLDERS = ["base", "san", "time", "hal", "drv", "firmware_sim", "umd", "tools"]
# Headers of the interface that are C++ by their nature.
CXX_ONLY = {"include/acl/acl_rt_api.h", "include/unpu/san_gtest.h"}


def compile_alone(made, compiler, language, path):
    standard = {"c": "-std=c11", "c++": "-std=c++20"}[language]
    line = f'#include "{path.removeprefix("include/")}"\n'
    done = tree.run([compiler, "-x", language, standard, "-D_GNU_SOURCE", "-fsyntax-only", "-Wall",
                     "-Wextra", "-Werror", "-Iinclude", "-I.", "-Iinclude/aclnn", "-Itools", "-I" + made, "-I" + os.path.join(made, "include"), "-"],
                    input=line, cwd=tree.ROOT)
    if done.returncode == 0:
        return None
    return f"{path} alone, {compiler} {standard}:\n{done.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compilers", nargs="+", metavar="COMPILER")
    parser.add_argument("--layers", action="store_true")
    arguments = parser.parse_args()
    if arguments.layers:
        headers = [("c++", path) for path in tree.only_changed(tree.files(CXX_FOLDERS, (".h",), with_made=True))]
    else:
        public = tree.public_headers() + tree.files(["include/uapi"], (".h",))
        headers = [(language, path) for path in tree.only_changed(public)
                   for language in ("c", "c++") if language == "c++" or path not in CXX_ONLY]
    if not headers:
        tree.nothing_changed("headers")
    jobs = [(compiler, *header) for compiler in arguments.compilers for header in headers]
    with tempfile.TemporaryDirectory() as made, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tree.generate.write(made)
        answers = pool.map(lambda job: compile_alone(made, *job), jobs)
        problems = [answer for answer in answers if answer]
    tree.verdict("headers", problems, len(jobs))


main()
