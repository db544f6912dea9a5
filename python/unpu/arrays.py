# SPDX-License-Identifier: MIT
"""Memory of a device or of the host as arrays."""
import ctypes
import operator

from . import _native, dlpack
from .errors import Error, check

DEVICE = 1
HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST = range(3)


class Array:
    """A shape and type over memory that it does not own.

    The host reaches pinned and managed memory by its address, so numpy() and DLPack give views of it. It does not
    reach device memory by its address, as on hardware: numpy() copies, and DLPack tells kDLAscend, or copies for a
    consumer that asks for the CPU.
    """

    def __init__(self, ptr, shape, dtype, device_id=None):
        import numpy
        self.ptr = operator.index(ptr)
        try:
            self.shape = (operator.index(shape),)
        except TypeError:
            self.shape = tuple(operator.index(length) for length in shape)
        if any(length < 0 for length in self.shape):
            raise ValueError(f"unpu.as_array: the shape is {self.shape}; lengths are 0 or more")
        self.dtype = numpy.dtype(dtype)
        self.device_id = device_id

    def __repr__(self):
        where = f"device {self.device_id}" if self.on_device else "the host"
        return f"<unpu.Array {self.shape} of {self.dtype} at {self.ptr:#x} on {where}>"

    @property
    def nbytes(self):
        """Bytes of the array."""
        count = self.dtype.itemsize
        for length in self.shape:
            count *= length
        return count

    @property
    def on_device(self):
        """Whether the memory is a device's."""
        return self.device_id is not None

    def numpy(self):
        """The array in numpy: a view of the host's memory, or a copy of a device's."""
        import numpy
        if self.on_device:
            made = numpy.empty(self.shape, self.dtype)
            if made.nbytes:
                check("unpu.Array.numpy", _native.memcpy(made.ctypes.data, made.nbytes, self.ptr, made.nbytes,
                                                         DEVICE_TO_HOST))
            return made
        if self.nbytes == 0:
            return numpy.empty(self.shape, self.dtype)
        view = (ctypes.c_char * self.nbytes).from_address(self.ptr)
        return numpy.frombuffer(view, self.dtype).reshape(self.shape)

    def copy_from(self, values):
        """Copies values, anything that numpy makes an array of this shape of, into the memory."""
        import numpy
        given = numpy.ascontiguousarray(values, dtype=self.dtype)
        if given.shape != self.shape:
            raise ValueError(f"unpu.Array.copy_from: the values have the shape {given.shape}, the array {self.shape}")
        if given.nbytes:
            kind = HOST_TO_DEVICE if self.on_device else HOST_TO_HOST
            check("unpu.Array.copy_from", _native.memcpy(self.ptr, self.nbytes, given.ctypes.data, given.nbytes, kind))

    def __array__(self, dtype=None):
        made = self.numpy()
        return made if dtype is None else made.astype(dtype, copy=False)

    def __dlpack_device__(self):
        return (dlpack.ASCEND, self.device_id) if self.on_device else (dlpack.CPU, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        # The consumer's stream: work on other streams must be complete before.
        del max_version
        if self.on_device and dl_device is not None and tuple(dl_device) == (dlpack.CPU, 0):
            if copy is False:
                raise BufferError("unpu: the host does not reach device memory by its address; the CPU needs a copy")
            return dlpack.capsule(self.numpy(), (dlpack.CPU, 0))
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"unpu: the array is on {self.__dlpack_device__()}, not on {tuple(dl_device)}")
        if stream not in (None, -1):
            check("unpu.Array.__dlpack__", _native.synchronize_stream(stream))
        owner = self.numpy().copy() if copy and not self.on_device else self
        return dlpack.capsule(owner, self.__dlpack_device__())


def as_array(ptr, shape, dtype):
    """An Array over the memory at @ptr, wherever the interface says that it is."""
    found, ret = _native.pointer_get_attributes(operator.index(ptr))
    if ret != 0:
        raise Error("unpu.as_array", ret, _native.get_recent_err_msg())
    location = found["location"]
    return Array(ptr, shape, dtype, location["id"] if location["type"] == DEVICE else None)
