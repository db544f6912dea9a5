# SPDX-License-Identifier: MIT
"""Single operators that atc compiles from descriptions, beside numpy."""
import json
import os
import subprocess

import numpy
import pytest
from interface import DEVICE_TO_HOST, HOST_TO_DEVICE, NORMAL_ONLY

ATC = os.path.join(os.environ["UNPU_BUILD"], "bin", "atc")
TYPES = {"float": numpy.float32, "float16": numpy.float16, "int32": numpy.int32, "int64": numpy.int64,
         "bool": numpy.bool_}
NAMES = {numpy.dtype(value): key for key, value in TYPES.items()}


def describe(array, constant=False):
    row = {"format": "ND", "shape": list(array.shape), "type": NAMES[array.dtype]}
    return row | {"const_value": array.flatten().tolist()} if constant else row


def attributes(values):
    """Name -> value, as a list of attr."""
    kinds = {bool: "bool", int: "int", float: "float", str: "string", list: "list_int"}
    return [{"name": name, "type": kinds[type(value)], "value": value} for name, value in values.items()]


def compile_ops(folder, ops, *options, output="."):
    (folder / "ops.json").write_text(json.dumps(ops))
    return subprocess.run([ATC, "--singleop=ops.json", f"--output={output}", "--soc_version=Ascend310P3", *options], cwd=folder,
                          capture_output=True, text=True, check=False)


def run(acl, path, arrays, result):
    """What the model makes of the arrays."""
    model, ret = acl.mdl.load_from_file(str(path))
    assert ret == 0
    sets, memory = [acl.mdl.create_dataset() for _ in range(2)], []
    for dataset, array in [(sets[0], each) for each in arrays] + [(sets[1], result)]:
        memory.append((acl.rt.malloc(max(array.nbytes, 1), NORMAL_ONLY)[0], acl))
        acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(memory[-1][0], array.nbytes))
    for (address, _), array in zip(memory, arrays):
        data = array.tobytes()
        assert acl.rt.memcpy(address, len(data), acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE) == 0
    assert acl.mdl.execute(model, *sets) == 0
    host, ret = acl.rt.malloc_host(result.nbytes)
    assert ret == 0 and acl.rt.memcpy(host, result.nbytes, memory[-1][0], result.nbytes, DEVICE_TO_HOST) == 0
    found = numpy.frombuffer(acl.util.ptr_to_bytes(host, result.nbytes), result.dtype).reshape(result.shape).copy()
    acl.rt.free_host(host)
    for dataset in sets:
        for i in range(acl.mdl.get_dataset_num_buffers(dataset)):
            acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(dataset, i))
        acl.mdl.destroy_dataset(dataset)
    assert all(acl.rt.free(address) == 0 for address, _ in memory) and acl.mdl.unload(model) == 0
    return found


RNG = numpy.random.default_rng(5)


def reals(*shape, kind=numpy.float32, low=-2.0):
    return RNG.uniform(low, 2, shape).astype(kind)


def softmax(x, axis):
    parts = numpy.exp(x - x.max(axis, keepdims=True))
    return parts / parts.sum(axis, keepdims=True)


def conv(x, w, b, stride, pad):
    """pad: above, below, left, right."""
    x = numpy.pad(x, ((0, 0), (0, 0), pad[:2], pad[2:]))
    high, wide = ((x.shape[2 + k] - w.shape[2 + k]) // stride[k] + 1 for k in range(2))
    out = numpy.zeros((x.shape[0], w.shape[0], high, wide), numpy.float32)
    for i in range(high):
        for j in range(wide):
            part = x[:, :, i * stride[0]:i * stride[0] + w.shape[2], j * stride[1]:j * stride[1] + w.shape[3]]
            out[:, :, i, j] = numpy.tensordot(part, w, ((1, 2, 3), (1, 2, 3)))
    return out + b.reshape(1, -1, 1, 1)


def cases():
    """Name, operands, numbers of constant ones, attributes, the result by numpy."""
    a, b, m, n = reals(2, 3, 4), reals(3, 4), reals(5, 7), reals(7, 6)
    positive, halves, image = reals(3, 4, low=0.1), reals(2, 8, kind=numpy.float16), reals(2, 3, 9, 8)
    weight, bias = reals(4, 3, 3, 2), reals(4)
    for name, result in (("Add", a + b), ("Sub", a - b), ("Mul", a * b), ("RealDiv", a / b), ("Maximum", numpy.maximum(a, b)),
                         ("Minimum", numpy.minimum(a, b)), ("Greater", a > b), ("Less", a < b), ("Equal", a == b)):
        yield name, [a, b], (), {}, result
    yield "Pow", [positive, b], (), {}, positive ** b
    yield "Add", [halves, halves], (), {}, halves + halves
    for name, result in (("Abs", numpy.abs(b)), ("Neg", -b), ("Exp", numpy.exp(b)), ("Relu", numpy.maximum(b, 0)),
                         ("Sigmoid", 1 / (1 + numpy.exp(-b))), ("Tanh", numpy.tanh(b))):
        yield name, [b], (), {}, result
    yield "Log", [positive], (), {"base": -1.0, "scale": 1.0, "shift": 0.0}, numpy.log(positive)
    yield "Sqrt", [positive], (), {}, numpy.sqrt(positive)
    yield "Cast", [b], (), {"truncate": False, "dst_type": 1}, b.astype(numpy.float16)
    yield "MatMul", [m, n], (), {"transpose_x1": False, "transpose_x2": False}, m @ n
    yield "MatMulV2", [m.T.copy(), n.T.copy(), reals(6) * 0], (), {"transpose_x1": True, "transpose_x2": True}, m @ n
    yield "BatchMatMul", [a, a], (), {"adj_x2": True}, a @ a.transpose(0, 2, 1)
    scale, more = numpy.array([0.5], numpy.float32), numpy.array([2], numpy.float32)
    yield "GEMM", [m, n, reals(5, 6) * 0 + 1, scale, more], (), {}, 0.5 * (m @ n) + 2
    yield "SoftmaxV2", [a], (), {"axes": [1]}, softmax(a, 1)
    yield "Reshape", [a, numpy.array([4, -1], numpy.int64)], (1,), {}, a.reshape(4, -1)
    yield "Transpose", [a, numpy.array([2, 0, 1], numpy.int32)], (1,), {}, a.transpose(2, 0, 1)
    yield "Slice", [a, *(numpy.array(each, numpy.int32) for each in ((0, 1, 1), (-1, 2, 3)))], (1, 2), {}, a[:, 1:3, 1:4]
    yield "ArgMaxV2", [halves[0], numpy.array([0], numpy.int32)], (1,), {}, halves[0].argmax(keepdims=True).astype(numpy.int32)
    yield "ArgMaxV2", [a, numpy.array([1], numpy.int32)], (1,), {"dtype": 9}, a.argmax(1).astype(numpy.int64)
    yield "Conv2D", [image, weight, bias], (), {"strides": [1, 1, 2, 1], "pads": [1, 0, 0, 2], "data_format": "NCHW"}, \
        conv(image, weight, bias, (2, 1), (1, 0, 0, 2))


CASES = list(cases())


@pytest.mark.parametrize("number", range(len(CASES)))
def test_operator(acl, tmp_path, number):
    name, operands, constants, values, result = CASES[number]
    op = {"op": name, "name": "one", "input_desc": [describe(each, i in constants) for i, each in enumerate(operands)],
          "output_desc": [describe(result)], "attr": attributes(values)}
    done = compile_ops(tmp_path, [op])
    assert done.returncode == 0 and "ATC run success" in done.stdout, done.stdout
    found = run(acl, tmp_path / "one.om", [each for i, each in enumerate(operands) if i not in constants], result)
    bound = 2e-3 if result.dtype == numpy.float16 else 1e-5
    numpy.testing.assert_allclose(found, result, bound, bound)


def test_files_have_names(tmp_path):
    """A list gives a file for each operator, named by its descriptions; an open dim makes another one."""
    a = reals(2, 8)
    open_op = {"op": "Relu", "input_desc": [{"format": "ND", "shape": [-1, 4], "type": "float", "shape_range": [[1, 9]]}],
               "output_desc": [{"format": "ND", "shape": [-1, 4], "type": "float"}]}
    done = compile_ops(tmp_path, [{"op": "Add", "input_desc": [describe(a)] * 2, "output_desc": [describe(a)]}, open_op])
    assert done.returncode == 0, done.stdout
    assert sorted(each.name for each in tmp_path.glob("*.om")) == ["0_Add_0_2_2_8_0_2_2_8_0_2_2_8.om",
                                                                   "1_Relu_0_2_-1_4_0_2_-1_4.om"]
    done = compile_ops(tmp_path, [{"op": "Relu", "name": "plain", "input_desc": [describe(a)], "output_desc": [describe(a)]}],
                       output="not/yet/there")
    assert done.returncode == 0 and (tmp_path / "not/yet/there/plain.om").exists(), done.stdout


def test_mistakes_are_named(tmp_path):
    a, b = reals(2, 3), reals(4)
    good = {"op": "Add", "input_desc": [describe(a)] * 2, "output_desc": [describe(a)]}
    for change, told in (({"op": "AddBlockCust"}, "E19010: there is no operator AddBlockCust here; there are Add, Sub"),
                         ({"op": 3}, "operator 0: op is 3"),
                         ({"input_desc": [describe(a)]}, "it has 1 inputs; it takes 2 to 2"),
                         ({"input_desc": [describe(a), describe(b)]}, "Add"),
                         ({"output_desc": [describe(b)]}, "output 0 is FLOAT [4] in its description; the operator gives"),
                         ({"attr": attributes({"alpha": 1.0})}, "there is no attribute alpha"),
                         ({"attr": [{"name": "x", "type": "complex", "value": 1}]}, "has the type complex; allowed are"),
                         ({"input_desc": [{"shape": [2], "type": "float31"}]}, "type is float31; allowed are float"),
                         ({"input_desc": [{"shape": [-2], "type": "float"}]}, "shape has the size -2"),
                         ({"name": "a/b"}, "it has to be the name of a file"),
                         ({"op": "Reshape"}, "input 1 has to be constant integers"),
                         ({"op": "Cast", "input_desc": [describe(a)], "attr": attributes({"truncate": True})}, "truncate must")):
        done = compile_ops(tmp_path, [good | change])
        assert done.returncode == 1 and told in done.stdout and "ATC run failed" in done.stdout, (told, done.stdout)
    done = compile_ops(tmp_path, [good | {"name": "one"}, good | {"name": "one"}], "--mode=3")
    assert done.returncode == 1 and 'name is "one", which an operator before it has' in done.stdout, done.stdout
    done = compile_ops(tmp_path, {})
    assert done.returncode == 1 and "is no JSON list of operators" in done.stdout
    done = compile_ops(tmp_path, [good], "--model=x.onnx")
    assert done.returncode == 1 and "exclude each other" in done.stdout
    assert not list(tmp_path.glob("*.om"))
