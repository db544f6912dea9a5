# SPDX-License-Identifier: MIT
"""Arguments of any function of the table that do nothing."""
ZERO = {"int": 0, "float": 0.0, "str": "", "bytes": b"", "dict": {}, "list": [], "tuple": (), "object": None}
# Arguments for which zero or empty would be an exception of Python, not a status.
SPECIAL = {
    "acl.rt.set_exception_info_callback": [],
    "acl.init": [],
    "acl.mdl.set_config_opt": [0, 0, 0],
    "acl.rt.launch_callback": [print, None, 1, 0],
    "acl.util.numpy_to_ptr": [bytearray(8)],
    "acl.util.numpy_contiguous_to_ptr": [[1, 2, 3]],
    "acl.util.ptr_to_numpy": [0, (0,), 2],
    "acl.util.start_thread": [lambda _: None, []],
    "acl.util._check_bytes": [None],
    "unpu._native.init": [],
}


def arguments(entry):
    """A list for one call."""
    if entry.full_name in SPECIAL:
        return SPECIAL[entry.full_name]
    return [[] if annotation.startswith("list[") else ZERO[annotation]
            for _, annotation, _ in entry.parameters()]
