# SPDX-License-Identifier: MIT
"""A small program for the device: a cache of equal blocks in one allocation, with a stream for its copies."""
import acl

HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST = 0, 1, 2
NORMAL_ONLY = 2


class CacheError(RuntimeError):
    """A call failed."""


def check(call, ret):
    """Raises CacheError with the library's sentence unless the status is 0."""
    if ret != 0:
        raise CacheError(f"{call} failed with {ret}: {acl.get_recent_err_msg()}")


class BlockCache:
    """Blocks of one size on the current device."""

    def __init__(self, block_bytes, blocks):
        self.block_bytes = block_bytes
        self.free = list(range(blocks))
        self.stream, ret = acl.rt.create_stream()
        check("create_stream", ret)
        self.base, ret = acl.rt.malloc(block_bytes * blocks, NORMAL_ONLY)
        check("malloc", ret)
        # What the device copies from and to.
        self.staging, ret = acl.rt.malloc_host(block_bytes)
        check("malloc_host", ret)

    def put(self, data):
        """Stores @data, of at most one block. Returns the number of its block."""
        if not self.free:
            raise CacheError("the cache is full")
        check("memcpy", acl.rt.memcpy(self.staging, self.block_bytes, acl.util.bytes_to_ptr(data), len(data),
                                      HOST_TO_HOST))
        block = self.free.pop()
        check("memcpy_async", acl.rt.memcpy_async(self.address(block), self.block_bytes, self.staging, len(data),
                                                  HOST_TO_DEVICE, self.stream))
        check("synchronize_stream", acl.rt.synchronize_stream(self.stream))
        return block

    def get(self, block, size):
        """The first @size bytes of a block."""
        check("memcpy", acl.rt.memcpy(self.staging, self.block_bytes, self.address(block), size, DEVICE_TO_HOST))
        return acl.util.ptr_to_bytes(self.staging, size)

    def drop(self, block):
        """Gives a block back."""
        self.free.append(block)

    def address(self, block):
        """Where a block is on the device."""
        return self.base + block * self.block_bytes

    def close(self):
        """Frees everything."""
        check("destroy_stream", acl.rt.destroy_stream(self.stream))
        check("free", acl.rt.free(self.base))
        check("free_host", acl.rt.free_host(self.staging))
