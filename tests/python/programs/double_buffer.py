# SPDX-License-Identifier: MIT
"""Two buffers and two streams: copy one while the other one is worked on."""
import acl

SIZE, ROUNDS = 1 << 18, 16

assert acl.init() == 0 and acl.rt.set_device(0) == 0
streams = [acl.rt.create_stream()[0] for _ in range(2)]
device = [acl.rt.malloc(SIZE, 0)[0] for _ in range(2)]
host = [acl.rt.malloc_host(SIZE)[0] for _ in range(2)]
free = [acl.rt.create_event()[0] for _ in range(2)]
for turn in range(ROUNDS):
    i = turn % 2
    if turn >= 2:
        assert acl.rt.synchronize_event(free[i]) == 0
        assert acl.util.ptr_to_bytes(host[i], 1) == bytes([turn - 2])
    assert acl.rt.memset_async(device[i], SIZE, turn, SIZE, streams[i]) == 0
    assert acl.rt.memcpy_async(host[i], SIZE, device[i], SIZE, 2, streams[i]) == 0
    assert acl.rt.record_event(free[i], streams[i]) == 0
assert acl.rt.synchronize_device() == 0
assert [acl.util.ptr_to_bytes(host[i], 1)[0] for i in range(2)] == [ROUNDS - 2, ROUNDS - 1]
for i in range(2):
    assert acl.rt.destroy_event(free[i]) == 0 and acl.rt.free(device[i]) == 0 and acl.rt.free_host(host[i]) == 0
    assert acl.rt.destroy_stream(streams[i]) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("double buffer: ok")
