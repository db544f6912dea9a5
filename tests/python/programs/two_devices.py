# SPDX-License-Identifier: MIT
"""A program on two devices: peers, contexts of both, a copy between them."""
import acl

assert acl.init() == 0
count, ret = acl.rt.get_device_count()
assert ret == 0 and count == 2, count
pointers = []
for device in range(count):
    assert acl.rt.set_device(device) == 0
    pointer, ret = acl.rt.malloc(1 << 20, 0)
    assert ret == 0
    pointers.append(pointer)
assert acl.rt.set_device(0) == 0
can_access, ret = acl.rt.device_can_access_peer(0, 1)
assert ret == 0 and can_access == 1
assert acl.rt.device_enable_peer_access(1, 0) == 0
assert acl.rt.memset(pointers[0], 1 << 20, 9, 1 << 20) == 0
assert acl.rt.memcpy(pointers[1], 1 << 20, pointers[0], 1 << 20, 3) == 0
host, ret = acl.rt.malloc_host(8)
assert acl.rt.set_device(1) == 0
assert acl.rt.memcpy(host, 8, pointers[1], 8, 2) == 0
assert acl.util.ptr_to_bytes(host, 8) == b"\x09" * 8
for device in range(count):
    assert acl.rt.set_device(device) == 0 and acl.rt.free(pointers[device]) == 0
    assert acl.rt.reset_device(device) == 0
assert acl.finalize() == 0
print("two devices: ok")
