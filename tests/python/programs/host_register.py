# SPDX-License-Identifier: MIT
"""Memory of the program that the device reaches, by the first two results of the call as one program indexes them."""
import ctypes
import mmap

import acl

assert acl.init() == 0 and acl.rt.set_device(0) == 0
size = 1 << 20
memory = mmap.mmap(-1, size)
anchor = ctypes.c_char.from_buffer(memory)
address = ctypes.addressof(anchor)
res = acl.rt.host_register(address, size, 0)
if res[1] != 0:
    raise RuntimeError("host_register failed: %d" % res[1])
device_pointer = res[0]
stream, ret = acl.rt.create_stream()
source, ret = acl.rt.malloc(size, 0)
assert acl.rt.memset(source, size, 3, size) == 0
assert acl.rt.memcpy_async(device_pointer, size, source, size, 3, stream) == 0 or \
    acl.rt.memcpy_async(address, size, source, size, 2, stream) == 0
assert acl.rt.synchronize_stream(stream) == 0
assert memory[:8] == b"\x03" * 8
assert acl.rt.host_unregister(address) == 0
assert acl.rt.destroy_stream(stream) == 0 and acl.rt.free(source) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("register: ok")
