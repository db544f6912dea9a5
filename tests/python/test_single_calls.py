# SPDX-License-Identifier: MIT
"""Single operators that programs call without a file, beside numpy: the cases of test_single_ops.py and more."""
import os
import subprocess
import sys

import numpy
import pytest
from interface import DEVICE_TO_HOST, HOST_TO_DEVICE, NORMAL_ONLY
from test_single_ops import CASES, compile_ops, describe

TYPES = {numpy.dtype(numpy.float32): 0, numpy.dtype(numpy.float16): 1, numpy.dtype(numpy.int8): 2, numpy.dtype(numpy.int32): 3,
         numpy.dtype(numpy.int64): 9, numpy.dtype(numpy.bool_): 12}
ND, HIGH_PRECISION, NOT_FOUND = 2, 0, 100024


class Operands:
    """Arrays in device memory, with descriptions and data buffers. @constants: numbers of those that stay on the host"""

    def __init__(self, acl, arrays, constants=()):
        self.acl, self.arrays, self.memory, self.descs, self.buffers, self.kept = acl, arrays, [], [], [], []
        for i, array in enumerate(arrays):
            data = array.tobytes()
            desc = acl.create_tensor_desc(TYPES[array.dtype], list(array.shape), ND)
            self.descs.append(desc)
            if i in constants:
                self.kept.append(data)
                assert acl.set_tensor_const(desc, acl.util.bytes_to_ptr(data), len(data)) == 0
                self.buffers.append(acl.create_data_buffer(0, 0))
                continue
            address, ret = acl.rt.malloc(max(array.nbytes, 1), NORMAL_ONLY)
            assert ret == 0
            assert acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE) == 0
            self.memory.append(address)
            self.buffers.append(acl.create_data_buffer(address, array.nbytes))

    def read(self):
        """What the first one holds."""
        array = self.arrays[0]
        host, ret = self.acl.rt.malloc_host(array.nbytes)
        assert ret == 0 and self.acl.rt.memcpy(host, array.nbytes, self.memory[0], array.nbytes, DEVICE_TO_HOST) == 0
        found = numpy.frombuffer(self.acl.util.ptr_to_bytes(host, array.nbytes), array.dtype).reshape(array.shape).copy()
        assert self.acl.rt.free_host(host) == 0
        return found

    def free(self):
        for desc in self.descs:
            self.acl.destroy_tensor_desc(desc)
        assert all(self.acl.destroy_data_buffer(buffer) == 0 for buffer in self.buffers)
        assert all(self.acl.rt.free(address) == 0 for address in self.memory)


def set_attributes(acl, values):
    attr = acl.op.create_attr()
    assert attr != 0
    for name, value in values.items():
        setter = {bool: acl.op.set_attr_bool, int: acl.op.set_attr_int, float: acl.op.set_attr_float,
                  str: acl.op.set_attr_string, list: acl.op.set_attr_list_int}[type(value)]
        assert setter(attr, name, value) == 0
    return attr


def close_to(found, result):
    bound = 2e-3 if result.dtype == numpy.float16 else 1e-5
    numpy.testing.assert_allclose(found, result, bound, bound)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_operator(acl, number):
    name, operands, constants, values, result = CASES[number]
    inputs, outputs = Operands(acl, operands, constants), Operands(acl, [numpy.zeros_like(result)])
    attr = set_attributes(acl, values)
    stream, ret = acl.rt.create_stream()
    assert ret == 0
    if number % 3 == 0:
        ret = acl.op.execute_v2(name, inputs.descs, inputs.buffers, outputs.descs, outputs.buffers, attr, stream)
    elif number % 3 == 1:
        ret = acl.op.compile_and_execute(name, inputs.descs, inputs.buffers, outputs.descs, outputs.buffers, attr, 0, 0, "", stream)
    else:
        handle, ret = acl.op.create_handle(name, inputs.descs, outputs.descs, attr)
        assert ret == 0, acl.get_recent_err_msg()
        ret = acl.op.execute_with_handle(handle, inputs.buffers, outputs.buffers, stream)
        acl.op.destroy_handle(handle)
    assert ret == 0, acl.get_recent_err_msg()
    acl.op.destroy_attr(attr)
    assert acl.rt.synchronize_stream(stream) == 0
    close_to(outputs.read(), result)
    inputs.free()
    outputs.free()
    assert acl.rt.destroy_stream(stream) == 0


def test_cast(acl):
    a = numpy.linspace(-3, 3, 24, dtype=numpy.float32).reshape(2, 3, 4)
    inputs, outputs = Operands(acl, [a]), Operands(acl, [a.astype(numpy.float16) * 0])
    assert acl.op.cast(inputs.descs[0], inputs.buffers[0], outputs.descs[0], outputs.buffers[0], 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    close_to(outputs.read(), a.astype(numpy.float16))
    inputs.free()
    outputs.free()


@pytest.mark.parametrize("kinds", [("float16", "float16"), ("float16", "float32"), ("float32", "float32"), ("int8", "int32")])
def test_products(acl, kinds):
    """C = alpha * A * B + beta * C, and the same of a vector."""
    rng = numpy.random.default_rng(3)
    narrow, wide = (numpy.dtype(kind) for kind in kinds)
    a, b, c, x, y = ((rng.uniform(-100, 100, shape) / (1 if narrow == numpy.int8 else 50)).astype(kind) for shape, kind in
                     (((9, 70), narrow), ((70, 5), narrow), ((9, 5), wide), (70, narrow), (9, wide)))
    alpha, beta = numpy.array([2], wide), numpy.array([3], wide)
    operands = Operands(acl, [c, a.T.copy(), b, x, y])
    at = operands.memory
    kept = [alpha.tobytes(), beta.tobytes()]
    factors = [acl.util.bytes_to_ptr(data) for data in kept]
    types = TYPES[narrow], TYPES[wide]
    assert acl.blas.gemm_ex(1, 0, 0, 9, 5, 70, factors[0], at[1], -1, types[0], at[2], -1, types[0], factors[1], at[0], -1, types[1],
                            HIGH_PRECISION, 0) == 0, acl.get_recent_err_msg()
    assert acl.blas.gemv_ex(1, 9, 70, factors[0], at[1], -1, types[0], at[3], -1, types[0], factors[1], at[4], -1, types[1],
                            HIGH_PRECISION, 0) == 0, acl.get_recent_err_msg()
    assert acl.rt.synchronize_stream(0) == 0
    exact = numpy.int64 if wide == numpy.int32 else numpy.float64
    bound = 1e-2 if wide == numpy.float16 else 1e-4
    found = operands.read()
    numpy.testing.assert_allclose(found, 2 * (a.astype(exact) @ b.astype(exact)) + 3 * c.astype(exact), bound, bound * 10)
    operands.arrays, operands.memory = operands.arrays[4:], at[4:]
    numpy.testing.assert_allclose(operands.read(), 2 * (a.astype(exact) @ x.astype(exact)) + 3 * y.astype(exact), bound, bound * 10)
    operands.memory = at
    operands.free()


def test_mistakes_are_named(acl):
    a = numpy.ones((2, 3), numpy.float32)
    inputs, outputs = Operands(acl, [a, a]), Operands(acl, [a])
    attr = set_attributes(acl, {"alpha": 1.0})
    for name, given, told in (("AddBlockCust", 0, "there is no operator AddBlockCust here"), ("Add", attr, "no attribute alpha"),
                              ("Softmax", 0, "it has 2 inputs")):
        assert acl.op.execute_v2(name, inputs.descs, inputs.buffers, outputs.descs, outputs.buffers, given, 0) == NOT_FOUND
        assert told in acl.get_recent_err_msg()
    assert acl.op.set_attr_list_string(attr, "words", ["a", "b"]) == 0 and acl.op.set_attr_list_float(attr, "reals", [1.5]) == 0
    assert acl.op.set_attr_list_bool(attr, "truths", [True, False]) == 0
    acl.op.destroy_attr(attr)
    inputs.free()
    outputs.free()


FOLDER = """
import acl
assert acl.init() == 0 and acl.rt.set_device(0) == 0
assert acl.op.set_model_dir("nowhere") == 100003 and "no folder" in acl.get_recent_err_msg()
assert acl.op.set_model_dir(".") == 0
assert acl.op.set_model_dir(".") == 100002 and "before" in acl.get_recent_err_msg()
data = open("one.om", "rb").read()
assert acl.op.load(acl.util.bytes_to_ptr(data), len(data)) == 0
assert acl.op.load(acl.util.bytes_to_ptr(data), 20) != 0
assert acl.op.load(acl.util.bytes_to_ptr(b"x" * 200), 200) == 100013
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
"""


def test_folder(tmp_path):
    """A process gives one folder of operators; a file is checked."""
    a = numpy.ones((2, 3), numpy.float32)
    op = {"op": "Add", "name": "one", "input_desc": [describe(a)] * 2, "output_desc": [describe(a)]}
    assert compile_ops(tmp_path, [op]).returncode == 0
    done = subprocess.run([sys.executable, "-c", FOLDER], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
