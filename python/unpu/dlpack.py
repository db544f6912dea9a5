# SPDX-License-Identifier: MIT
"""DLPack capsules. They keep the exporting array alive until the consumer has done with it."""
import ctypes

CPU, ASCEND = 1, 21
# dtype.kind of numpy -> code of DLPack
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
NAME, USED = b"dltensor", b"used_dltensor"


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("dtype", DataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    pass


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]
Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

_api = ctypes.pythonapi
_new = _api.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, Destructor]
_is_valid = _api.PyCapsule_IsValid
_is_valid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_pointer = _api.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]

# What capsules point to, by address, until the consumer deletes it.
_alive = {}


@Deleter
def _delete(managed):
    _alive.pop(ctypes.addressof(managed.contents), None)


@Destructor
def _destroy(capsule):
    """Frees the tensor of an unused capsule. A consumer renames the capsule that it takes, and frees the tensor."""
    if _is_valid(capsule, NAME):
        _alive.pop(_pointer(capsule, NAME), None)


def capsule(array, device):
    """A capsule over @array, anything with ptr or ctypes.data, shape and dtype in C order."""
    code = CODES.get(array.dtype.kind)
    if code is None:
        raise BufferError(f"unpu: DLPack has no type for {array.dtype}")
    count = len(array.shape)
    managed = Managed()
    managed.tensor.data = array.ptr if hasattr(array, "ptr") else array.ctypes.data
    managed.tensor.device = Device(*device)
    managed.tensor.ndim = count
    managed.tensor.dtype = DataType(code, 8 * array.dtype.itemsize, 1)
    shape = (ctypes.c_int64 * count)(*array.shape)
    managed.tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = _delete
    address = ctypes.addressof(managed)
    _alive[address] = (managed, shape, array)
    return _new(address, NAME, _destroy)
