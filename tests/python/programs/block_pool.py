# SPDX-License-Identifier: MIT
"""A cache of blocks as stores of keys and values have it: one allocation, blocks by offset, copies in and out."""
import acl

BLOCK, COUNT = 64 << 10, 64


class BlockPool:
    def __init__(self, device_id):
        self.base, ret = acl.rt.malloc(BLOCK * COUNT, 0)
        if ret != 0:
            raise MemoryError(ret)
        self.device_id = device_id
        self.free = list(range(COUNT))

    def put(self, data):
        index = self.free.pop()
        ret = acl.rt.memcpy(self.base + index * BLOCK, BLOCK, acl.util.bytes_to_ptr(data), len(data), 1)
        assert ret == 0, acl.get_recent_err_msg()
        return index

    def get(self, index, size):
        host, ret = acl.rt.malloc_host(size)
        assert ret == 0
        assert acl.rt.memcpy(host, size, self.base + index * BLOCK, size, 2) == 0
        data = acl.util.ptr_to_bytes(host, size)
        assert acl.rt.free_host(host) == 0
        return data

    def close(self):
        assert acl.rt.free(self.base) == 0


assert acl.init() == 0 and acl.rt.set_device(0) == 0
pool = BlockPool(0)
values = {i: bytes([i]) * (BLOCK - i) for i in range(COUNT)}
places = {i: pool.put(data) for i, data in values.items()}
for i in sorted(values, key=lambda i: places[i]):
    assert pool.get(places[i], BLOCK - i) == values[i]
pool.close()
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("block pool: ok")
