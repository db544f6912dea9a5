# SPDX-License-Identifier: MIT
"""Addresses of Python objects and back, and the check for bytes that no longer exist."""
import array
import gc

import numpy
import pytest


def test_bytes(acl):
    data = b"0123456789"
    address = acl.util.bytes_to_ptr(data)
    assert acl.util.ptr_to_bytes(address, 10) == data
    assert acl.util.ptr_to_bytes(address + 4, 3) == b"456"
    assert acl.util.ptr_to_bytes(address, 0) == b""


@pytest.mark.parametrize("value", [bytearray(4), memoryview(b"1234"), "text", None, 4, numpy.zeros(4)], ids=repr)
def test_bytes_to_ptr_takes_bytes_alone(acl, value):
    with pytest.raises(TypeError):
        acl.util.bytes_to_ptr(value)


@pytest.mark.parametrize("address, size", [(0, 1), (4096, -1)])
def test_what_cannot_be_read_is_a_value_error(acl, address, size):
    with pytest.raises(ValueError):
        acl.util.ptr_to_bytes(address, size)


@pytest.mark.parametrize("made", [numpy.arange(6, dtype=numpy.int32), bytearray(16), array.array("d", [1.0, 2.0]),
                                  numpy.zeros((2, 3), dtype=numpy.float16)], ids=lambda made: type(made).__name__)
def test_numpy_to_ptr_gives_the_address_and_warns(acl, made):
    with pytest.warns(DeprecationWarning, match="deprecated") as told:
        address = acl.util.numpy_to_ptr(made)
    assert len(told) == 1
    bytes_of = bytes(memoryview(made).cast("B"))
    assert acl.util.ptr_to_bytes(address, len(bytes_of)) == bytes_of


def test_array_that_is_not_contiguous_warns_twice(acl):
    values = numpy.arange(12).reshape(3, 4)
    with pytest.warns(DeprecationWarning) as told:
        address = acl.util.numpy_to_ptr(values[:, 1:3])
    assert len(told) == 2 and address == values.ctypes.data + 8
    with pytest.warns(DeprecationWarning) as told:
        acl.util.numpy_to_ptr(values.T)
    assert len(told) == 2


def test_numpy_to_ptr_needs_memory(acl):
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError):
        acl.util.numpy_to_ptr([1, 2])


def test_contiguous_copy(acl):
    values = numpy.arange(12).reshape(3, 4)
    address, copy = acl.util.numpy_contiguous_to_ptr(values.T)
    assert copy.flags["C_CONTIGUOUS"] and address == copy.ctypes.data and (copy == values.T).all()
    address, same = acl.util.numpy_contiguous_to_ptr(values)
    assert same is values and address == values.ctypes.data


TYPES = {0: numpy.bool_, 1: numpy.int8, 2: numpy.uint8, 3: numpy.int16, 4: numpy.uint16, 5: numpy.int32, 6: numpy.uint32,
         7: numpy.int64, 8: numpy.uint64, 9: numpy.longlong, 10: numpy.ulonglong, 11: numpy.float32, 12: numpy.float64,
         23: numpy.float16}


@pytest.mark.parametrize("number", TYPES)
def test_ptr_to_numpy_is_a_view(acl, number):
    memory, ret = acl.rt.malloc_host(256)
    assert ret == 0 and acl.rt.memset(memory, 256, 1, 256) == 0
    view = acl.util.ptr_to_numpy(memory, (2, 4), number)
    assert view.dtype == TYPES[number] and view.shape == (2, 4) and view.ctypes.data == memory
    view[1, 3] = 0
    item = view.dtype.itemsize
    assert acl.util.ptr_to_bytes(memory + 7 * item, item) == b"\0" * item
    assert acl.rt.free_host(memory) == 0


@pytest.mark.parametrize("shape, number, error", [((4,), 13, ValueError), ((-1,), 5, ValueError),
                                                  ((1 << 62, 8), 5, ValueError), ([4], 5, TypeError),
                                                  ((1.5,), 5, TypeError)])
def test_ptr_to_numpy_checks_its_arguments(acl, shape, number, error):
    with pytest.raises(error):
        acl.util.ptr_to_numpy(4096, shape, number)


def test_ptr_to_bytes_of_bytes_that_no_longer_exist(acl):
    found = []
    acl.util._check_bytes(found.append)
    try:
        kept = bytes(bytearray(64))
        acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(kept), 64)
        assert not found
        acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(bytes(bytearray(64))), 64)
    finally:
        acl.util._check_bytes(None)
    assert len(found) == 1 and "acl.util.ptr_to_bytes() at" in found[0]


def test_ptr_to_numpy_without_dimensions(acl):
    memory, _ = acl.rt.malloc_host(64)
    view = acl.util.ptr_to_numpy(memory, (), 5)
    view[()] = 7
    assert view.shape == () and acl.util.ptr_to_bytes(memory, 4) == (7).to_bytes(4, "little")
    assert acl.rt.free_host(memory) == 0


def test_ptr_to_numpy_of_nothing(acl):
    assert acl.util.ptr_to_numpy(0, (0, 3), 11).shape == (0, 3)
    with pytest.raises(ValueError):
        acl.util.ptr_to_numpy(0, (1,), 11)


class TestBytesThatNoLongerExist:
    """The checking mode: the class of programs that write bytes_to_ptr(array.tobytes())."""

    @pytest.fixture
    def reports(self, acl):
        found = []
        acl.util._check_bytes(found.append)
        yield found
        acl.util._check_bytes(None)

    @pytest.fixture
    def memory(self, acl):
        address, ret = acl.rt.malloc(4096, 2)
        assert ret == 0
        yield address
        assert acl.rt.free(address) == 0

    def test_dead_bytes_are_reported_with_both_lines(self, acl, reports, memory):
        pointer = acl.util.bytes_to_ptr(numpy.zeros(512, dtype=numpy.uint8).tobytes())  # gives
        assert acl.rt.memcpy(memory, 4096, pointer, 512, 1) == 0  # reads
        assert len(reports) == 1
        text = open(__file__, encoding="utf-8").read().splitlines()
        lines = {word: 1 + next(i for i, line in enumerate(text) if line.endswith("# " + word))
                 for word in ("gives", "reads")}
        assert f"{__file__}:{lines['gives']} in" in reports[0]
        assert f"{__file__}:{lines['reads']} in" in reports[0]
        assert "acl.rt.memcpy()" in reports[0]

    def test_dead_destination_is_reported_with_both_lines(self, acl, reports, memory):
        pointer = acl.util.bytes_to_ptr(bytes(bytearray(512)))  # is given
        assert acl.rt.memcpy(pointer, 512, memory, 512, 2) == 0  # writes
        assert len(reports) == 1
        text = open(__file__, encoding="utf-8").read().splitlines()
        lines = {word: 1 + next(i for i, line in enumerate(text) if line.endswith("# " + word))
                 for word in ("is given", "writes")}
        assert reports[0].startswith(f"acl.rt.memcpy() at {__file__}:{lines['writes']} in ")
        assert " writes into a bytes object that no longer exists; " in reports[0]
        assert f"{__file__}:{lines['is given']} in" in reports[0]

    def test_living_destination_is_not_reported(self, acl, reports, memory):
        data = bytes(bytearray(512))
        assert acl.rt.memset(memory, 512, 3, 512) == 0
        assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), 512, memory, 512, 2) == 0
        assert data == b"\x03" * 512 and reports == []

    @pytest.mark.parametrize("call", ["memcpy_async", "memcpy_2d", "memcpy_2d_async", "memcpy_batch", "memset"])
    def test_each_call_that_writes(self, acl, reports, memory, stream, call):
        pointer = acl.util.bytes_to_ptr(bytes(bytearray(512)))
        device, host = {"id": 0, "type": 1}, {"id": 0, "type": 0}
        arguments = {"memcpy_async": (pointer, 512, memory, 64, 2, stream),
                     "memcpy_2d": (pointer, 8, memory, 8, 8, 8, 2),
                     "memcpy_2d_async": (pointer, 8, memory, 8, 8, 8, 2, stream),
                     "memcpy_batch": ([pointer], [64], [memory], [64], [{"dstLoc": host, "srcLoc": device}], [0]),
                     "memset": (pointer, 512, 1, 512)}[call]
        ret = getattr(acl.rt, call)(*arguments)
        assert acl.rt.synchronize_stream(stream) == 0 and (ret if isinstance(ret, int) else ret[-1]) == 0
        assert len(reports) == 1 and f"acl.rt.{call}() at" in reports[0] and "writes into" in reports[0]

    def test_each_source_of_a_batch(self, acl, reports, memory):
        alive = bytes(bytearray(64))
        sources = [acl.util.bytes_to_ptr(alive), acl.util.bytes_to_ptr(bytes(bytearray(64)))]
        device, host = {"id": 0, "type": 1}, {"id": 0, "type": 0}
        _, ret = acl.rt.memcpy_batch([memory, memory + 64], [64, 64], sources, [64, 64],
                                     [{"dstLoc": device, "srcLoc": host}], [0])
        assert ret == 0 and len(reports) == 1 and "reads from" in reports[0]

    def test_pointer_into_the_middle_is_reported(self, acl, reports, memory, stream):
        pointer = acl.util.bytes_to_ptr(bytes(bytearray(512))) + 100
        assert acl.rt.memcpy_async(memory, 4096, pointer, 64, 1, stream) == 0
        assert acl.rt.synchronize_stream(stream) == 0
        assert len(reports) == 1 and "memcpy_async" in reports[0]

    def test_living_bytes_are_not_reported(self, acl, reports, memory):
        data = bytes(bytearray(512))
        pointer = acl.util.bytes_to_ptr(data)
        assert acl.rt.memcpy(memory, 4096, pointer, 512, 1) == 0
        assert reports == []

    def test_nothing_is_kept_without_the_mode(self, acl):
        import sys
        data = bytes(bytearray(512))
        before = sys.getrefcount(data)
        acl.util.bytes_to_ptr(data)
        assert sys.getrefcount(data) == before

    def test_end_of_the_mode_lets_go(self, acl):
        import sys
        data = bytes(bytearray(512))
        before = sys.getrefcount(data)
        acl.util._check_bytes(lambda text: None)
        acl.util.bytes_to_ptr(data)
        assert sys.getrefcount(data) == before + 1
        acl.util._check_bytes(None)
        assert sys.getrefcount(data) == before

    def test_more_than_the_ring_holds(self, acl, reports):
        for _ in range(3000):
            acl.util.bytes_to_ptr(bytes(bytearray(64)))
        gc.collect()
        assert reports == []

    def test_exception_of_the_report_is_that_of_the_copy(self, acl, memory):
        def refuse(text):
            raise RuntimeError(text)
        acl.util._check_bytes(refuse)
        with pytest.raises(RuntimeError, match="no longer exists"):
            acl.rt.memcpy(memory, 4096, acl.util.bytes_to_ptr(bytes(bytearray(64))), 64, 1)
        acl.util._check_bytes(None)
