# SPDX-License-Identifier: MIT
"""Memory of the device and of the host, copies, virtual memory, memory between processes, data buffers."""
import subprocess
import sys

import pytest
from interface import (DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE, HOST_TO_HOST, INVALID_HANDLE, INVALID_PARAM,
                       NORMAL_ONLY, PARAM_INVALID)

BYTES = 4096
PROP = {"handleType": 0, "allocationType": 0, "memAttr": 1, "location": {"id": 0, "type": 1}, "reserve": 0}


@pytest.fixture
def device_memory(acl):
    address, ret = acl.rt.malloc(BYTES, NORMAL_ONLY)
    assert ret == 0 and address
    yield address
    assert acl.rt.free(address) == 0


@pytest.fixture
def host_memory(acl):
    address, ret = acl.rt.malloc_host(BYTES)
    assert ret == 0 and address
    yield address
    assert acl.rt.free_host(address) == 0


def test_copy_there_and_back(acl, device_memory, host_memory):
    data = bytes(range(256)) * 16
    source = acl.util.bytes_to_ptr(data)
    assert acl.rt.memcpy(device_memory, BYTES, source, BYTES, HOST_TO_DEVICE) == 0
    assert acl.rt.memcpy(host_memory, BYTES, device_memory, BYTES, DEVICE_TO_HOST) == 0
    assert acl.util.ptr_to_bytes(host_memory, BYTES) == data


def test_copy_on_the_host(acl, host_memory):
    data = b"host" * 4
    assert acl.rt.memcpy(host_memory, BYTES, acl.util.bytes_to_ptr(data), len(data), HOST_TO_HOST) == 0
    assert acl.util.ptr_to_bytes(host_memory, len(data)) == data


def test_copy_of_too_much_is_a_status(acl, device_memory, host_memory):
    assert acl.rt.memcpy(device_memory, 8, host_memory, 16, HOST_TO_DEVICE) == PARAM_INVALID
    assert "16" in acl.get_recent_err_msg()


def test_async_copy(acl, stream, device_memory, host_memory):
    data = b"async" * 8
    assert acl.rt.memcpy_async(device_memory, BYTES, acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE, stream) == 0
    assert acl.rt.memcpy_async(host_memory, BYTES, device_memory, len(data), DEVICE_TO_HOST, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.util.ptr_to_bytes(host_memory, len(data)) == data


def test_memset(acl, stream, device_memory, host_memory):
    assert acl.rt.memset(device_memory, BYTES, 0x5a, BYTES) == 0
    assert acl.rt.memset(host_memory, BYTES, 0, BYTES) == 0
    assert acl.rt.memset_async(device_memory, BYTES, 0x11, 16, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.memcpy(host_memory, BYTES, device_memory, BYTES, DEVICE_TO_HOST) == 0
    assert acl.util.ptr_to_bytes(host_memory, 32) == b"\x11" * 16 + b"\x5a" * 16


def test_rows(acl, device_memory, host_memory):
    data = b"0123456789abcdef"
    assert acl.rt.memcpy_2d(device_memory, 8, acl.util.bytes_to_ptr(data), 4, 4, 4, HOST_TO_DEVICE) == 0
    assert acl.rt.memcpy_2d(host_memory, 4, device_memory, 8, 4, 4, DEVICE_TO_HOST) == 0
    assert acl.util.ptr_to_bytes(host_memory, 16) == data


def test_batch(acl, device_memory, host_memory):
    data = b"first" + b"other"
    source = acl.util.bytes_to_ptr(data)
    host, device = {"id": 0, "type": 0}, {"id": 0, "type": 1}
    attributes = [{"dstLoc": device, "srcLoc": host}]
    _, ret = acl.rt.memcpy_batch([device_memory, device_memory + 512], [512, 512], [source, source + 5], [5, 5],
                                 attributes, [0])
    assert ret == 0, acl.get_recent_err_msg()
    for offset, text in ((0, b"first"), (512, b"other")):
        assert acl.rt.memcpy(host_memory, 5, device_memory + offset, 5, DEVICE_TO_HOST) == 0
        assert acl.util.ptr_to_bytes(host_memory, 5) == text


def test_lists_of_a_batch_have_one_length(acl, device_memory):
    with pytest.raises(ValueError, match="it must have 1"):
        acl.rt.memcpy_batch([device_memory], [1, 2], [device_memory], [1], [], [])
    with pytest.raises(TypeError, match="must be list"):
        acl.rt.memcpy_batch(device_memory, [1], [device_memory], [1], [], [])


def test_attributes_of_a_pointer(acl, device_memory, host_memory):
    found, ret = acl.rt.pointer_get_attributes(device_memory)
    assert ret == 0 and found["location"] == {"id": 0, "type": 1} and set(found) == {"location", "page_size", "rsv"}
    found, ret = acl.rt.pointer_get_attributes(host_memory)
    assert ret == 0 and found["location"]["type"] == 0


def test_memory_info(acl, device_memory):
    for attribute in (0, 1):
        free, total, ret = acl.rt.get_mem_info(attribute)
        assert ret == 0 and 0 <= free <= total
    base, size, ret = acl.rt.mem_get_address_range(device_memory + 16)
    assert ret == 0 and base == device_memory and size >= BYTES


@pytest.mark.parametrize("config", [{}, {"numAttrs": 0, "attrs": []},
                                    {"numAttrs": 1, "attrs": [{"attr": 1, "value": {"moduleId": 3}}]}])
def test_malloc_with_config(acl, config):
    address, ret = acl.rt.malloc_with_cfg(BYTES, NORMAL_ONLY, config)
    assert ret == 0, acl.get_recent_err_msg()
    assert acl.rt.free(address) == 0


def test_config_must_be_a_dict(acl):
    with pytest.raises(TypeError, match="must be dict"):
        acl.rt.malloc_with_cfg(BYTES, NORMAL_ONLY, [])
    with pytest.raises(ValueError, match="it must have 2"):
        acl.rt.malloc_with_cfg(BYTES, NORMAL_ONLY, {"numAttrs": 2, "attrs": []})


HOST = {"id": 0, "type": 0}


@pytest.mark.parametrize("name, arguments, key, known", [
    ("malloc_physical", (4096, dict(PROP, handle_type=0), 0), "'handle_type'", "handleType, allocationType"),
    ("malloc_physical", (4096, {"location": {"id": 0, "kind": 1}}, 0), "'kind'", "id, type"),
    ("malloc_physical", (4096, {1: 0}, 0), "1", "handleType, allocationType"),
    ("mem_get_allocation_granularity", ({"memattr": 1}, 0), "'memattr'", "memAttr"),
    ("malloc_with_cfg", (4096, 2, {"attr": []}), "'attr'", "attrs, numAttrs"),
    ("malloc_host_with_cfg", (4096, {"count": 1}), "'count'", "attrs, numAttrs"),
    ("malloc_with_cfg", (4096, 2, {"numAttrs": 1, "attrs": [{"attr": 1, "val": 3}]}), "'val'", "attr, value"),
    ("malloc_with_cfg", (4096, 2, {"attrs": [{"attr": 1, "value": {"moduleID": 3}}]}), "'moduleID'", "moduleId"),
    ("mem_set_access", (4096, 4096, [{"flag": 3, "location": HOST}]), "'flag'", "flags, location"),
    ("mem_get_access", (4096, dict(HOST, device=0)), "'device'", "id, type"),
    ("mem_managed_advise", (4096, 4096, 0, {"kind": 0}), "'kind'", "id, type"),
    ("mem_managed_prefetch_async", (4096, 4096, {"device": 0}, 0, 0), "'device'", "id, type"),
    ("memcpy_batch", ([64], [1], [64], [1], [{"dst": HOST}], [0]), "'dst'", "dstLoc, srcLoc"),
    ("cnt_notify_record", (0, 0, {"Mode": 0}), "'Mode'", "mode, value"),
    ("cnt_notify_wait_with_timeout", (0, 0, {"clear": 1}), "'clear'", "mode, value, timeout, isClear"),
    ("binary_load_from_file", ("/none", [{"kind": 1}]), "'kind'", "type, value"),
    ("binary_load_from_file", ("/none", [{"type": 1, "value": {"lazy": 1}}]), "'lazy'", "isLazyLoad"),
    ("launch_kernel_with_config", (0, 1, 0, [{"name": 1}], 0, 0), "'name'", "id, value"),
    ("launch_kernel_with_config", (0, 1, 0, [{"id": 1, "value": {"schedMode": 1}}], 0, 0), "'schedMode'", "schemMode"),
    ("launch_kernel_with_config", (0, 1, 0, [{"id": 8, "value": {"timeoutUs": {"low": 1}}}], 0, 0), "'low'",
     "timeoutLow, timeoutHigh"),
    ("set_stream_attribute", (0, 3, {"user_custom_tag": 7}), "'user_custom_tag'", "userCustomTag")])
def test_unknown_key_is_a_type_error(acl, name, arguments, key, known):
    """A key that is spelt wrong would else be a field of 0."""
    with pytest.raises(TypeError) as raised:
        getattr(acl.rt, name)(*arguments)
    text = str(raised.value)
    assert f"acl.rt.{name}() argument " in text and f" has the key {key}; its keys are " in text and known in text


@pytest.mark.parametrize("word", ["reserve", "reserved", "rsv"])
def test_reserved_words_are_no_unknown_keys(acl, word):
    size, ret = acl.rt.mem_get_allocation_granularity(dict(PROP, **{word: 0}), 0)
    assert ret == 0 and size
    config = {"attrs": [{"attr": 1, "value": {"moduleId": 3, word: [0, 0]}}], "numAttrs": 1, word: 0}
    address, ret = acl.rt.malloc_with_cfg(BYTES, NORMAL_ONLY, config)
    assert ret == 0 and acl.rt.free(address) == 0


def test_union_has_one_field(acl):
    with pytest.raises(TypeError, match="has the keys moduleId and deviceId; a union has one"):
        acl.rt.malloc_with_cfg(BYTES, NORMAL_ONLY, {"attrs": [{"attr": 1, "value": {"moduleId": 3, "deviceId": 0}}]})


def test_number_of_attributes_without_them(acl):
    with pytest.raises(ValueError, match="has 0 elements; it must have 1"):
        acl.rt.malloc_with_cfg(BYTES, NORMAL_ONLY, {"numAttrs": 1})


def test_host_register(acl):
    memory = bytearray(3 * 4096)
    with pytest.warns(DeprecationWarning):
        address = acl.util.numpy_to_ptr(memory)
    page = (address + 4095) & ~4095
    result = acl.rt.host_register(page, 4096, 0)
    assert len(result) == 2 and result[1] == 0 and result[0]
    assert acl.rt.host_unregister(page) == 0


def test_virtual_memory(acl, host_memory):
    size, ret = acl.rt.mem_get_allocation_granularity(PROP, 0)
    assert ret == 0 and size > 0
    handle, ret = acl.rt.malloc_physical(size, PROP, 0)
    assert ret == 0
    address, ret = acl.rt.reserve_mem_address(size, 0, 0, 0)
    assert ret == 0
    assert acl.rt.map_mem(address, size, 0, handle, 0) == 0
    assert acl.rt.mem_set_access(address, size, [{"flags": 3, "location": {"id": 0, "type": 1}}]) == 0
    assert acl.rt.memset(address, size, 7, 16) == 0
    assert acl.rt.memcpy(host_memory, 16, address, 16, DEVICE_TO_HOST) == 0
    assert acl.util.ptr_to_bytes(host_memory, 16) == b"\x07" * 16
    kept, ret = acl.rt.mem_retain_allocation_handle(address)
    assert ret == 0
    prop, ret = acl.rt.mem_get_allocation_properties_from_handle(kept)
    assert ret == 0 and prop["location"] == {"id": 0, "type": 1} and "mem_attr" in prop
    assert acl.rt.free_physical(kept) == 0
    assert acl.rt.unmap_mem(address) == 0
    assert acl.rt.release_mem_address(address) == 0
    assert acl.rt.free_physical(handle) == 0


def test_prop_must_be_a_dict(acl):
    with pytest.raises(TypeError, match="must be dict"):
        acl.rt.malloc_physical(4096, None, 0)
    with pytest.raises(TypeError, match=r"\(id\) must be int"):
        acl.rt.malloc_physical(4096, {"location": {"id": "0", "type": 1}}, 0)


def test_memory_between_processes(device_server):
    """One process exports memory by a key, another one imports it."""
    exporter = """
import acl, sys
assert acl.init() == 0 and acl.rt.set_device(0) == 0
ptr, ret = acl.rt.malloc(1 << 21, 2)
assert ret == 0
assert acl.rt.memset(ptr, 1 << 21, 0x42, 1 << 21) == 0
key, ret = acl.rt.ipc_mem_get_export_key(ptr, 1 << 21, 65, 1)
assert ret == 0, acl.get_recent_err_msg()
print(key, flush=True)
sys.stdin.readline()
assert acl.rt.ipc_mem_close(key) == 0 and acl.rt.free(ptr) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
"""
    importer = """
import acl, sys
assert acl.init() == 0 and acl.rt.set_device(0) == 0
ptr, ret = acl.rt.ipc_mem_import_by_key(sys.argv[1], 0)
assert ret == 0, acl.get_recent_err_msg()
host, ret = acl.rt.malloc_host(64)
assert acl.rt.memcpy(host, 64, ptr, 64, 2) == 0
assert acl.util.ptr_to_bytes(host, 64) == b"B" * 64
assert acl.rt.ipc_mem_close(sys.argv[1]) == 0
assert acl.rt.free_host(host) == 0 and acl.rt.reset_device(0) == 0 and acl.finalize() == 0
"""
    with subprocess.Popen([sys.executable, "-c", exporter], env=device_server, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as first:
        key = first.stdout.readline().strip()
        assert key
        done = subprocess.run([sys.executable, "-c", importer, key], env=device_server, check=False)
        first.communicate("\n", timeout=60)
    assert done.returncode == 0 and first.returncode == 0


def test_data_buffer(acl, device_memory):
    buffer = acl.create_data_buffer(device_memory, BYTES)
    assert buffer and isinstance(buffer, int)
    assert acl.get_data_buffer_addr(buffer) == device_memory
    assert acl.get_data_buffer_size(buffer) == acl.get_data_buffer_size_v2(buffer) == BYTES
    assert acl.update_data_buffer(buffer, device_memory + 64, 64) == 0
    assert acl.get_data_buffer_addr(buffer) == device_memory + 64
    assert acl.destroy_data_buffer(buffer) == 0


def test_dataset(acl, device_memory):
    dataset = acl.mdl.create_dataset()
    assert dataset
    buffers = [acl.create_data_buffer(device_memory + i * 64, 64) for i in range(3)]
    for buffer in buffers:
        assert acl.mdl.add_dataset_buffer(dataset, buffer) == (dataset, 0)
    assert acl.mdl.get_dataset_num_buffers(dataset) == 3
    assert [acl.mdl.get_dataset_buffer(dataset, i) for i in range(4)] == buffers + [0]
    assert "the dataset has 3 buffers" in acl.get_recent_err_msg()
    desc = acl.create_tensor_desc(0, [2, 3], 2)
    assert acl.mdl.set_dataset_tensor_desc(dataset, desc, 1) == (dataset, 0)
    assert acl.mdl.set_dataset_tensor_desc(dataset, desc, 3) == (dataset, INVALID_PARAM)
    acl.destroy_tensor_desc(desc)
    copy = acl.mdl.get_dataset_tensor_desc(dataset, 1)
    assert copy != desc and acl.get_tensor_desc_size(copy) == 24
    assert acl.mdl.get_dataset_tensor_desc(dataset, 0) == 0
    assert acl.mdl.get_dataset_buffer(dataset, 1) == buffers[1]
    assert acl.mdl.add_dataset_buffer(dataset, 0) == (dataset, INVALID_PARAM)
    assert acl.mdl.destroy_dataset(dataset) == 0
    assert acl.mdl.destroy_dataset(dataset) == INVALID_HANDLE
    assert "is not a live dataset" in acl.get_recent_err_msg()
    assert all(acl.destroy_data_buffer(buffer) == 0 for buffer in buffers)


def test_managed_memory(acl):
    address, ret = acl.rt.mem_alloc_managed(1 << 21, 1)
    assert ret == 0
    assert acl.rt.mem_managed_advise(address, 1 << 21, 0, {"type": 1, "id": 0}) == 0
    assert acl.rt.memset(address, 16, 5, 16) == 0
    assert acl.util.ptr_to_bytes(address, 16) == b"\x05" * 16
    assert acl.rt.free(address) == 0


def test_copy_on_the_device(acl, device_memory, host_memory):
    assert acl.rt.memset(device_memory, BYTES, 9, 64) == 0
    assert acl.rt.memcpy(device_memory + 512, 64, device_memory, 64, DEVICE_TO_DEVICE) == 0
    assert acl.rt.memcpy(host_memory, 64, device_memory + 512, 64, DEVICE_TO_HOST) == 0
    assert acl.util.ptr_to_bytes(host_memory, 64) == b"\x09" * 64


def test_description_of_a_tensor(acl):
    desc = acl.create_tensor_desc(1, [2, 3, 4], 2)
    assert desc and isinstance(desc, int)
    assert acl.get_tensor_desc_type(desc) == 1 and acl.get_tensor_desc_format(desc) == 2
    assert acl.get_tensor_desc_size(desc) == 48 and acl.get_tensor_desc_element_count(desc) == 24
    assert [acl.get_tensor_desc_dim_v2(desc, i) for i in range(acl.get_tensor_desc_num_dims(desc))] == \
        [(2, 0), (3, 0), (4, 0)]
    assert acl.get_tensor_desc_dim_v2(desc, 3) == (0, PARAM_INVALID)
    assert acl.set_tensor_desc_name(desc, "x") is None and acl.get_tensor_desc_name(desc) == "x"
    assert acl.set_tensor_shape_range(desc, [[1, 2], [3, 3], [1, -1]]) == 0
    assert acl.get_tensor_desc_dim_range(desc, 2, 2) == ([1, -1], 0)
    with pytest.raises(ValueError, match="it must have 2"):
        acl.set_tensor_shape_range(desc, [[1]])
    assert acl.destroy_tensor_desc(desc) is None
    assert acl.create_tensor_desc(1, [-7], 2) == 0 and "dims[0] is -7" in acl.get_recent_err_msg()


def test_compile_options_are_stored(acl):
    assert acl.get_compileopt(10, acl.get_compileopt_size(10)) == ("disable", 0)
    assert acl.set_compileopt(8, "/tmp") == 0
    assert acl.get_compileopt(8, 5) == ("/tmp", 0)
    assert acl.get_compileopt(8, 4) == ("", PARAM_INVALID)
    assert acl.set_compileopt(8, "") == 0
