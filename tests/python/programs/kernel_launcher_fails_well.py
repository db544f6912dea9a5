# SPDX-License-Identifier: MIT
"""A launcher of kernels: device context, kernel from a file, launch; no kernel can be loaded here, and it says so."""
import acl


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


with DeviceContext() as context:
    binary, ret = acl.rt.binary_load_from_file("kernel.o", [{"type": 1, "value": {"isLazyLoad": 0}}])
    assert ret == 207000 and binary == 0, ret
    assert "aclrtBinaryLoadFromFile is not supported" in acl.get_recent_err_msg()
    ret = acl.rt.launch_kernel_with_config(0, 1, context.stream, [{"id": 1, "value": {"schemMode": 0}}], 0, 0)
    assert ret == 207000, ret
    assert acl.rt.synchronize_stream_with_timeout(context.stream, 1000) == 0
print("kernel: told")
