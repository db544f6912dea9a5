#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each folder includes only what its layer may see: umd -> drv -> hal -> {base, uapi}, and
firmware_sim -> {base, uapi}. Public headers know only public headers."""
import re

import tree

PUBLIC = {"acl", "aclnn", "aclnnop", "mstx", "unpu", "error_codes"}
CUDA = {"cuda"}
WIRE = {"base", "uapi"}
KNOWN = PUBLIC | CUDA | WIRE | {"san", "hal", "drv", "umd", "firmware_sim", "tests", "bench", "tools", "python"}

# Folder -> what its files may include. The longest prefix that fits a path counts.
MAY = {
    "include/uapi": {"uapi"},
    "base": WIRE,
    "san": WIRE | {"san"},
    "tests/san": WIRE | {"san", "tests"},
    "firmware_sim": WIRE | {"firmware_sim"},
    "hal": WIRE | {"hal"},
    "hal/backend/sim_thread.cpp": WIRE | {"hal", "firmware_sim"},
    "drv": WIRE | {"hal", "drv"},
    "umd/core": WIRE | {"hal", "drv", "umd"},
    "umd/acl": WIRE | {"hal", "drv", "umd"} | PUBLIC,
    "umd/aclnn": WIRE | {"hal", "drv", "umd"} | PUBLIC,
    "umd/cuda": WIRE | {"hal", "drv", "umd"} | CUDA,
    "umd/api": WIRE | {"hal", "drv", "umd"} | PUBLIC,
    "include/acl": PUBLIC,
    "include/aclnn": PUBLIC,
    "include/aclnnop": PUBLIC,
    "include/mstx": PUBLIC,
    "include/cuda": CUDA,
    "include/unpu": {"unpu"},
    "tools": PUBLIC,
    "examples": PUBLIC,
    "python": PUBLIC | {"python"},
    "tests/conformance": PUBLIC,
    "tests/cuda": CUDA,
    "tests/both": PUBLIC | CUDA,
    "tests/litmus": WIRE,
}


def allowed(path):
    fitting = [key for key in MAY if path == key or path.startswith(key + "/")]
    return MAY[max(fitting, key=len)] if fitting else KNOWN


def main():
    problems = []
    paths = tree.files(tree.CODE + ("include",), (".cpp", ".c", ".h"))
    for path in paths:
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*[<"]([^">]+)[">]', line)
            if not found:
                continue
            top = found.group(1).split("/")[0]
            if top == "..":
                problems.append(f"{path}:{number}: a path upwards: {found.group(1)}")
            elif "/" in found.group(1) and top in KNOWN - allowed(path):
                problems.append(f"{path}:{number}: may not include {found.group(1)}")
    tree.verdict("layers", problems, len(paths))


main()
