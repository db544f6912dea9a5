# SPDX-License-Identifier: MIT
"""Models of files, as pyACL programs load and run them."""
import os
import struct
import subprocess
import sys

import pytest
from interface import DEVICE_TO_HOST, HOST_TO_DEVICE, INVALID_PARAM, NORMAL_ONLY

sys.path.insert(0, os.path.join(os.environ["UNPU_SOURCE"], "tests", "models"))
from onnx_bytes import constant, node, number, part, port  # noqa: E402

BYTES = 32


def compiled(folder, rows, *options):
    """The path of y = x * {1, 2, 3, 4}."""
    graph = [node("Mul", "scale", ["x", "w"], "y"), constant("w", (4,), struct.pack("<4f", 1, 2, 3, 4)),
             port(11, "x", (rows, 4)), port(12, "y", (rows, 4))]
    (folder / "scale.onnx").write_bytes(number(1, 8) + part(7, b"".join(graph)) + part(8, number(2, 17)))
    subprocess.run([os.path.join(os.environ["UNPU_BUILD"], "bin", "atc"), "--model=scale.onnx", "--framework=5",
                    "--soc_version=Ascend310P3", "--output=scale", *options], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    return str(folder / "scale.om")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("models"), 2)


def run(acl, model, stream=None, config=None):
    """What the model makes of 0 to 7. With @config also by the calls that take one."""
    memory = [acl.rt.malloc(BYTES, NORMAL_ONLY)[0] for _ in range(2)]
    buffers = [acl.create_data_buffer(address, BYTES) for address in memory]
    sets = [acl.mdl.create_dataset() for _ in range(2)]
    for dataset, buffer in zip(sets, buffers):
        assert acl.mdl.add_dataset_buffer(dataset, buffer) == (dataset, 0)
    data = struct.pack("<8f", *range(8))
    assert acl.rt.memcpy(memory[0], BYTES, acl.util.bytes_to_ptr(data), BYTES, HOST_TO_DEVICE) == 0
    if config is not None:
        assert acl.mdl.execute_async_v2(model, *sets, stream, config) == 0
        assert acl.mdl.execute_v2(model, *sets, stream, config) == 0
    elif stream is None:
        assert acl.mdl.execute(model, *sets) == 0
    else:
        assert acl.mdl.execute_async(model, *sets, stream) == 0
        assert acl.rt.synchronize_stream(stream) == 0
    host, ret = acl.rt.malloc_host(BYTES)
    assert ret == 0 and acl.rt.memcpy(host, BYTES, memory[1], BYTES, DEVICE_TO_HOST) == 0
    found = struct.unpack("<8f", acl.util.ptr_to_bytes(host, BYTES))
    assert acl.rt.free_host(host) == 0
    assert all(acl.mdl.destroy_dataset(dataset) == 0 for dataset in sets)
    assert all(acl.destroy_data_buffer(buffer) == 0 for buffer in buffers)
    assert all(acl.rt.free(address) == 0 for address in memory)
    return found


def test_model_runs(acl, path, stream):
    model, ret = acl.mdl.load_from_file(path)
    assert ret == 0 and model > 0
    wanted = tuple(float(i * (i % 4 + 1)) for i in range(8))
    assert run(acl, model) == wanted
    assert run(acl, model, stream) == wanted
    config = acl.mdl.create_exec_config_handle()
    assert acl.mdl.set_exec_config_opt(config, 0, 5000) == 0
    assert acl.mdl.set_exec_config_opt(config, 0, 0) == INVALID_PARAM
    assert run(acl, model, stream, config) == wanted
    assert acl.mdl.destroy_exec_config_handle(config) == 0
    assert acl.mdl.unload(model) == 0
    assert acl.mdl.unload(model) == 145003


def test_other_ways_to_load(acl, path):
    with open(path, "rb") as file:
        data = file.read()
    work, weight, ret = acl.mdl.query_size(path)
    assert ret == 0 and work > 0 and weight > 0
    assert acl.mdl.query_size_from_mem(acl.util.bytes_to_ptr(data), len(data)) == (work, weight, 0)
    memory, ret = acl.rt.malloc(weight, NORMAL_ONLY)
    assert ret == 0
    config = acl.mdl.create_config_handle()
    assert acl.mdl.set_config_opt(config, 1, 1) == 0
    assert acl.mdl.set_config_opt(config, 2, path) == 0
    models = [acl.mdl.load_from_mem(acl.util.bytes_to_ptr(data), len(data)),
              acl.mdl.load_from_file_with_mem(path, 0, 0, memory, weight), acl.mdl.load_with_config(config)]
    assert acl.mdl.destroy_config_handle(config) == 0
    for model, ret in models:
        assert ret == 0 and run(acl, model)[7] == 28
        assert acl.mdl.unload(model) == 0
    assert acl.rt.free(memory) == 0
    foreign = b"IMOD" + data[4:]
    assert acl.mdl.load_from_mem(acl.util.bytes_to_ptr(foreign), len(foreign))[1] == 100013


def test_description(acl, path):
    desc = acl.mdl.create_desc()
    assert acl.mdl.get_desc_from_file(desc, path) == 0
    assert (acl.mdl.get_num_inputs(desc), acl.mdl.get_num_outputs(desc)) == (1, 1)
    assert acl.mdl.get_input_size_by_index(desc, 0) == acl.mdl.get_output_size_by_index(desc, 0) == BYTES
    assert acl.mdl.get_input_name_by_index(desc, 0) == "x"
    assert acl.mdl.get_input_dims(desc, 0) == ({"name": "x", "dimCount": 2, "dims": [2, 4]}, 0)
    assert acl.mdl.get_cur_output_dims(desc, 0)[0]["dims"] == [2, 4]
    assert acl.mdl.get_output_data_type(desc, 0) == 0
    assert acl.mdl.get_input_index_by_name(desc, "x") == (0, 0)
    assert acl.mdl.get_input_index_by_name(desc, "ascend_mbatch_shape_data")[1] == INVALID_PARAM
    assert acl.mdl.get_dynamic_batch(desc) == ({"batchCount": 0, "batch": []}, 0)
    assert acl.mdl.get_dynamic_hw(desc, -1) == ({"hwCount": 0, "hw": []}, 0)
    assert acl.mdl.get_input_dynamic_gear_count(desc, -1) == (0, 0)
    assert acl.mdl.get_input_dims(desc, 1)[1] == INVALID_PARAM
    assert acl.mdl.destroy_desc(desc) == 0


def test_profiles(acl, tmp_path):
    path = compiled(tmp_path, -1, "--input_shape=x:-1,4", "--dynamic_dims=1;3")
    model, ret = acl.mdl.load_from_file(path)
    desc = acl.mdl.create_desc()
    assert ret == 0 and acl.mdl.get_desc(desc, model) == 0
    count, ret = acl.mdl.get_input_dynamic_gear_count(desc, 0)
    assert (count, ret) == (2, 0)
    dims, ret = acl.mdl.get_input_dynamic_dims(desc, -1, count)
    assert ret == 0 and [each["dims"] for each in dims] == [[1, 4], [3, 4]]
    assert acl.mdl.get_input_dynamic_dims(desc, 0, 5) == ([], INVALID_PARAM)
    index, ret = acl.mdl.get_input_index_by_name(desc, "ascend_mbatch_shape_data")
    assert (index, ret) == (1, 0)
    dataset = acl.mdl.create_dataset()
    assert acl.mdl.set_input_dynamic_dims(model, dataset, index, dims[0]) == 0
    assert acl.mdl.get_cur_output_dims(desc, 0)[0]["dims"] == [1, 4]
    assert acl.mdl.set_dynamic_batch_size(model, dataset, index, 1) == 100019
    assert acl.mdl.set_dynamic_hw_size(model, dataset, index, 1, 1) == 100019
    assert acl.mdl.destroy_dataset(dataset) == 0
    assert acl.mdl.destroy_desc(desc) == 0 and acl.mdl.unload(model) == 0


def test_free_shapes(acl, tmp_path):
    path = compiled(tmp_path, -1, "--input_shape=x:-1,4")
    model, ret = acl.mdl.load_from_file(path.replace(".om", f"_linux_{os.uname().machine}.om"))
    desc = acl.mdl.create_desc()
    assert ret == 0 and acl.mdl.get_desc(desc, model) == 0
    assert acl.mdl.get_input_dims_v2(desc, 0)[0]["dims"] == [-1, 4]
    assert acl.mdl.get_input_dims_range(desc, 0) == ({"rangeCount": 2, "range": [[1, -1], [4, 4]]}, 0)
    memory = [acl.rt.malloc(BYTES, NORMAL_ONLY)[0] for _ in range(2)]
    buffers = [acl.create_data_buffer(address, BYTES) for address in memory]
    sets = [acl.mdl.create_dataset() for _ in range(2)]
    for dataset, buffer in zip(sets, buffers):
        assert acl.mdl.add_dataset_buffer(dataset, buffer) == (dataset, 0)
    assert acl.mdl.execute(model, *sets) == 145000
    for rows in (1, 2):
        tensor = acl.create_tensor_desc(0, [rows, 4], 2)
        assert acl.mdl.set_dataset_tensor_desc(sets[0], tensor, 0) == (sets[0], 0)
        acl.destroy_tensor_desc(tensor)
        assert acl.mdl.execute(model, *sets) == 0
        result = acl.mdl.get_dataset_tensor_desc(sets[1], 0)
        assert acl.get_tensor_desc_size(result) == rows * 16 and acl.get_tensor_desc_dim_v2(result, 0) == (rows, 0)
    assert all(acl.mdl.destroy_dataset(dataset) == 0 for dataset in sets)
    assert all(acl.destroy_data_buffer(buffer) == 0 for buffer in buffers)
    assert all(acl.rt.free(address) == 0 for address in memory)
    assert acl.mdl.destroy_desc(desc) == 0 and acl.mdl.unload(model) == 0
