# SPDX-License-Identifier: MIT
"""DLPack capsules. They keep the exporting array alive until the consumer has done with it."""
from . import _native

CPU, ASCEND = 1, 21
# dtype.kind of numpy -> code of DLPack
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


def capsule(array, device):
    """A capsule over @array, anything with ptr or ctypes.data, shape and dtype in C order."""
    code = CODES.get(array.dtype.kind)
    if code is None or not array.dtype.isnative:
        # DLPack has no byte order: a consumer would read the numbers with their bytes swapped.
        raise BufferError(f"unpu: DLPack has no type for {array.dtype}")
    data = array.ptr if hasattr(array, "ptr") else array.ctypes.data
    return _native.dlpack_capsule(array, data, list(array.shape), code, 8 * array.dtype.itemsize, *device)
