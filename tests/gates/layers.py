#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each folder includes only what its layer may see: umd -> drv -> hal -> {base, uapi}, and
firmware_sim -> {base, uapi}. In umd, core knows no front end, and the front ends of two interfaces do not know
each other. Public headers know only public headers. --self-test checks that the gate finds what is wrong."""
import re
import sys

import tree

PUBLIC = {"acl", "aclnn", "aclnnop", "hccl", "mstx", "profiling", "unpu", "error_codes"}
CUDA = {"cuda"}
WIRE = {"base", "uapi"}
UMD = {"umd/core", "umd/acl", "umd/aclnn", "umd/hccl", "umd/cuda", "umd/api"}
DRIVER = WIRE | {"hal", "drv"}
KNOWN = PUBLIC | CUDA | WIRE | UMD | {"models", "san", "time", "hal", "drv", "umd", "firmware_sim", "tests", "bench", "tools", "python", "base/os/calls", "base/json"}
# Folders of base that are libraries of their own.
OWN = ("base/os/calls", "base/json")
# Public headers in a folder that has the name of a layer.
LOG = {"base/acl_log.h", "base/alog_pub.h", "base/log_types.h"}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^">]+)[">]')

# Folder -> what its files may include. The longest prefix that fits a path counts.
MAY = {
    "include/uapi": {"uapi"},
    "base": WIRE,
    "san": WIRE | {"san"},
    # A model of time, made of what the judge finds. It knows no device, either.
    "time": WIRE | {"san", "time", "base/json"},
    "tests/time": WIRE | {"san", "time", "tests"},
    "tests/san": WIRE | {"san", "tests"},
    "tests/san/programs": PUBLIC | CUDA | {"san"},
    "firmware_sim": WIRE | {"firmware_sim"},
    "hal": WIRE | {"hal"},
    "hal/backend/sim_thread.cpp": WIRE | {"hal", "firmware_sim"},
    "drv": WIRE | {"hal", "drv"},
    "umd/core": DRIVER | {"umd/core"},
    # The records of a trace: what the two sides of the file share.
    "umd/core/record": DRIVER | {"umd/core", "san"},
    "umd/core/recorder": DRIVER | {"umd/core", "san"},
    "umd/acl": DRIVER | {"umd/core", "umd/acl"} | PUBLIC,
    # It runs models, whose library it loads.
    "umd/acl/offline": DRIVER | {"umd/core", "umd/acl", "models"} | PUBLIC,
    "umd/acl/single": DRIVER | {"umd/core", "umd/acl", "models"} | PUBLIC,
    "umd/aclnn": DRIVER | {"umd/core", "umd/acl", "umd/aclnn"} | PUBLIC,
    "umd/hccl": DRIVER | {"umd/core", "umd/hccl"} | PUBLIC,
    "umd/cuda": DRIVER | {"umd/core", "umd/cuda"} | CUDA,
    # It makes descriptors by aclnn's rules, and knows no driver and no runtime.
    "models": WIRE | {"models", "umd/aclnn"} | PUBLIC,
    "umd/api": DRIVER | {"umd/core", "umd/acl", "umd/api"} | PUBLIC,
    "include/acl": PUBLIC,
    "include/base": PUBLIC,
    "include/aclnn": PUBLIC,
    "include/aclnnop": PUBLIC,
    "include/hccl": PUBLIC,
    "include/mstx": PUBLIC,
    "include/profiling": PUBLIC,
    "include/cuda": CUDA,
    "include/unpu": {"unpu"},
    "tools": PUBLIC | set(OWN),
    # It compiles models, and needs no device.
    "tools/atc": {"base", "models", "tools"},
    # "unpu model" reads files of models.
    "tools/unpu": PUBLIC | set(OWN) | {"models"},
    # It judges traces, and knows no device.
    "tools/time": WIRE | {"san", "time", "tools"},
    "tools/san": WIRE | {"san", "tools"},
    "examples": PUBLIC,
    "python": PUBLIC | {"python"},
    "tests/conformance": PUBLIC,
    "tests/cuda": CUDA,
    "tests/adversarial/both": PUBLIC | CUDA,
    "tests/protocol/litmus": WIRE,
}


def allowed(path):
    fitting = [key for key in MAY if path == key or path.startswith(key + "/")]
    return MAY[max(fitting, key=len)] if fitting else KNOWN


def problems_of(path, text):
    """What a file includes and may not."""
    may = allowed(path)
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        name = found.group(1)
        top = name.split("/")[0]
        # umd has a layer in each of its folders.
        layer = "/".join(name.split("/")[:2]) if top == "umd" else top
        if top not in may:
            layer = next((own for own in OWN if name.startswith(own + "/")), layer)
        layer = "acl" if name in LOG else layer
        if ".." in name.split("/"):
            yield f"{path}:{number}: a path upwards: {name}"
        elif "/" in name and (layer in KNOWN or top == "umd") and layer not in may:
            yield f"{path}:{number}: may not include {name}"


def check_self():
    cases = [("umd/core/x.cpp", "umd/core/event/event.h", 0), ("umd/core/x.cpp", "umd/acl/front.h", 1),
             ("umd/core/x.cpp", "umd/cuda/front.h", 1), ("umd/cuda/x.cpp", "umd/acl/front.h", 1),
             ("umd/aclnn/x.cpp", "umd/acl/front.h", 0), ("umd/acl/x.cpp", "umd/nothing/x.h", 1),
             ("drv/x.cpp", "umd/core/event/event.h", 1), ("drv/x.cpp", "base/clock.h", 0),
             ("hal/x.cpp", "firmware_sim/device/sim_device.h", 1), ("base/x.cpp", "a/../drv/device.h", 1),
             ("umd/core/x.cpp", "acl/acl.h", 1), ("tests/unit/x.cpp", "umd/core/event/event.h", 0),
             ("drv/x.cpp", "sys/mman.h", 0), ("tools/x.cpp", "base/os/calls/waits.h", 0), ("tools/x.cpp", "base/os/shm.h", 1),
             ("tools/x.cpp", "base/json/text.h", 0), ("examples/x.cpp", "base/json/text.h", 1),
             ("umd/core/x.cpp", "base/os/calls/waits.h", 0), ("examples/x.cpp", "base/os/calls/waits.h", 1)]
    for path, name, count in cases:
        if len(list(problems_of(path, f'#include "{name}"\n'))) != count:
            yield f"the gate itself: judges {name} in {path} wrongly"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("layers --self-test", list(check_self()), 17)
        return
    paths = tree.files(tree.CODE + ("include",), (".cpp", ".c", ".h"), with_made=True)
    problems = [problem for path in paths for problem in problems_of(path, tree.read(path))]
    tree.verdict("layers", problems, len(paths))


main()
