# SPDX-License-Identifier: MIT
"""A launcher of kernels: device context, kernel from a file, list of arguments, launch, and result."""
import array
import os

import acl

IMAGE = os.path.join(os.environ["UNPU_BUILD"], "lib64", "unpu_test_image.o")
COUNT = 1000


class DeviceContext:
    def __enter__(self):
        assert acl.init() in (0, 100002)
        assert acl.rt.set_device(0) == 0
        self.stream, ret = acl.rt.create_stream()
        assert ret == 0
        return self

    def __exit__(self, *_):
        assert acl.rt.destroy_stream_force(self.stream) == 0
        assert acl.rt.reset_device_force(0) == 0
        assert acl.finalize() == 0


def append(arguments, kind, value):
    number = array.array(kind, [value])
    _, ret = acl.rt.kernel_args_append(arguments, number.buffer_info()[0], number.itemsize)
    assert ret == 0, acl.get_recent_err_msg()


with DeviceContext() as context:
    binary, ret = acl.rt.binary_load_from_file("/nowhere/kernel.o", [{"type": 1, "value": {"isLazyLoad": 0}}])
    assert ret == 107009 and binary == 0, ret
    assert "/nowhere/kernel.o" in acl.get_recent_err_msg()
    binary, ret = acl.rt.binary_load_from_file(IMAGE, [{"type": 1, "value": {"isLazyLoad": 0}}])
    assert ret == 0, acl.get_recent_err_msg()
    function, ret = acl.rt.binary_get_function(binary, "add")
    assert ret == 0, acl.get_recent_err_msg()
    assert acl.rt.get_function_name(function, 16) == ("add", 0)
    data, ret = acl.rt.malloc(COUNT * 4, 0)
    assert ret == 0 and acl.rt.memset(data, COUNT * 4, 0, COUNT * 4) == 0
    arguments, ret = acl.rt.kernel_args_init(function)
    assert ret == 0
    append(arguments, "Q", data)
    append(arguments, "i", 7)
    append(arguments, "I", COUNT)
    assert acl.rt.kernel_args_finalize(arguments) == 0
    ret = acl.rt.launch_kernel_with_config(function, 4, context.stream, [{"id": 1, "value": {"schemMode": 0}}], arguments, 0)
    assert ret == 0, acl.get_recent_err_msg()
    assert acl.rt.synchronize_stream_with_timeout(context.stream, 60000) == 0
    result = array.array("i", [0] * COUNT)
    assert acl.rt.memcpy(result.buffer_info()[0], COUNT * 4, data, COUNT * 4, 2) == 0
    assert set(result) == {7}
    assert acl.rt.free(data) == 0 and acl.rt.binary_unload(binary) == 0
print("kernel: launched")
