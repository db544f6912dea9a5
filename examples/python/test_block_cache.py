# SPDX-License-Identifier: MIT
"""Tests of block_cache.py on the simulated device. A mock would pass none of them."""
import pytest
from block_cache import BlockCache, CacheError
from unpu import faults


@pytest.fixture
def cache(npu, npu_leaks):
    made = BlockCache(4096, 4)
    yield made
    made.close()


def test_gives_back_what_was_put(cache):
    blocks = {cache.put(bytes([i]) * 4096): i for i in range(4)}
    for block, i in blocks.items():
        assert cache.get(block, 4096) == bytes([i]) * 4096


def test_full_cache(cache):
    for _ in range(4):
        cache.put(b"x")
    with pytest.raises(CacheError, match="full"):
        cache.put(b"x")


def test_too_much_for_a_block_is_an_error(cache):
    with pytest.raises(CacheError, match="memcpy failed with .*4097"):
        cache.put(bytes(4097))


def test_failure_of_the_device_is_an_error(npu, npu_faults):
    npu_faults(faults.rule("fail", op="copy", nth=1))
    cache = BlockCache(4096, 1)
    with pytest.raises(CacheError, match="synchronize_stream failed"):
        cache.put(bytes(4096))


def test_memory_that_cannot_be_had_is_an_error(npu):
    with pytest.raises(CacheError, match="malloc failed"):
        BlockCache(1 << 40, 1)
