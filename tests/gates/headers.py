#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""headers.py COMPILER...: every header compiles alone. Public and wire headers in C11 and C++20, by each
compiler; the C++ headers of the layers in C++20, by the last."""
import concurrent.futures
import os
import sys

import tree

CXX_FOLDERS = ["base", "san", "hal", "drv", "firmware_sim", "umd", "tools"]
# Headers of the interface that are C++ by their nature.
CXX_ONLY = {"include/acl/acl_rt_api.h", "include/unpu/san_gtest.h"}


def compile_alone(compiler, language, path):
    standard = {"c": "-std=c11", "c++": "-std=c++20"}[language]
    line = f'#include "{path.removeprefix("include/")}"\n'
    done = tree.run([compiler, "-x", language, standard, "-D_GNU_SOURCE", "-fsyntax-only", "-Wall",
                     "-Wextra", "-Werror", "-Iinclude", "-I.", "-Iinclude/aclnn", "-Itools", "-"],
                    input=line, cwd=tree.ROOT)
    if done.returncode == 0:
        return None
    return f"{path} alone, {compiler} {standard}:\n{done.stdout}"


def main():
    jobs = []
    for compiler in sys.argv[1:]:
        for path in tree.public_headers() + tree.files(["include/uapi"], (".h",)):
            if path not in CXX_ONLY:
                jobs.append((compiler, "c", path))
            jobs.append((compiler, "c++", path))
    jobs += [(sys.argv[-1], "c++", path) for path in tree.files(CXX_FOLDERS, (".h",))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda job: compile_alone(*job), jobs)
        problems = [answer for answer in answers if answer]
    tree.verdict("headers", problems, len(jobs))


main()
