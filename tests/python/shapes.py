# SPDX-License-Identifier: MIT
"""Calls every name once with harmless arguments and prints the types of what came back, as JSON. test_shape.py runs it
in a process of its own: what some of these calls set stays set."""
import importlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.environ["UNPU_SOURCE"], "python", "acl"))
import signatures  # noqa: E402

# Arguments for which zero or empty would be an exception of Python, not a status.
ARGUMENTS = {
    "acl.rt.set_exception_info_callback": [],
    "acl.init": [],
    "acl.rt.launch_callback": [print, None, 1, 0],
    "acl.util.numpy_to_ptr": [bytearray(8)],
    "acl.util.numpy_contiguous_to_ptr": [[1, 2, 3]],
    "acl.util.ptr_to_numpy": [0, (0,), 2],
    "acl.util.start_thread": [lambda _: None, []],
    "acl.util._check_bytes": [None],
}
ZERO = {"int": 0, "float": 0.0, "str": "", "bytes": b"", "dict": {}, "list": [], "tuple": (), "object": None}


def harmless(entry):
    if entry.full_name in ARGUMENTS:
        return ARGUMENTS[entry.full_name]
    return [[] if annotation.startswith("list[") else ZERO[annotation]
            for _, annotation, _ in entry.parameters()]


def main():
    table, found = signatures.Table(), {}
    for entry in table.all():
        module = importlib.import_module(entry.module)
        print(entry.full_name, file=sys.stderr, flush=True)
        value = getattr(module, entry.name)(*harmless(entry))
        values = value if isinstance(value, tuple) else (value,)
        found[entry.full_name] = [type(part).__name__ for part in values]
    print(json.dumps(found))


main()
