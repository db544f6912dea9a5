# SPDX-License-Identifier: MIT
"""Copies on a stream in a loop, as inference samples move their inputs."""
import acl

acl.init()
acl.rt.set_device(0)
context, ret = acl.rt.create_context(0)
stream, ret = acl.rt.create_stream()
run_mode, ret = acl.rt.get_run_mode()
size = 1 << 16
device, ret = acl.rt.malloc(size, 0)
host, ret = acl.rt.malloc_host(size)
for step in range(32):
    if run_mode == 1:
        assert acl.rt.memset(host, size, step, size) == 0
    ret = acl.rt.memcpy_async(device, size, host, size, 1, stream)
    assert ret == 0
    ret = acl.rt.memset(host, size, 255, size) if acl.rt.synchronize_stream(stream) == 0 else -1
    assert ret == 0
    ret = acl.rt.memcpy_async(host, size, device, size, 2, stream)
    assert ret == 0 and acl.rt.synchronize_stream(stream) == 0
    assert acl.util.ptr_to_bytes(host, 4) == bytes([step]) * 4
assert acl.rt.free(device) == 0 and acl.rt.free_host(host) == 0
assert acl.rt.destroy_stream(stream) == 0 and acl.rt.destroy_context(context) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("async copy: ok")
