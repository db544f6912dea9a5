# SPDX-License-Identifier: MIT
"""A pipeline's data structures without its model: buffers in a dataset, filled, read and destroyed."""
import acl

assert acl.init() == 0 and acl.rt.set_device(0) == 0
dataset = acl.mdl.create_dataset()
assert dataset
data = []
for i in range(4):
    size = 256 * (i + 1)
    buffer, ret = acl.rt.malloc(size, 2)
    assert ret == 0
    data_buffer = acl.create_data_buffer(buffer, size)
    _, ret = acl.mdl.add_dataset_buffer(dataset, data_buffer)
    if ret:
        raise RuntimeError(acl.destroy_data_buffer(data_buffer))
    data.append({"buffer": buffer, "data": data_buffer, "size": size})
for i in range(acl.mdl.get_dataset_num_buffers(dataset)):
    data_buffer = acl.mdl.get_dataset_buffer(dataset, i)
    assert acl.get_data_buffer_addr(data_buffer) == data[i]["buffer"]
    assert acl.get_data_buffer_size_v2(data_buffer) == data[i]["size"]
    assert acl.rt.memset(data[i]["buffer"], data[i]["size"], i, data[i]["size"]) == 0
while data:
    item = data.pop()
    assert acl.destroy_data_buffer(item["data"]) == 0
    assert acl.rt.free(item["buffer"]) == 0
assert acl.mdl.destroy_dataset(dataset) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("dataset: ok")
