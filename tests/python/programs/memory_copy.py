# SPDX-License-Identifier: MIT
"""The first program of every tutorial: host memory to the device and back, with a check of each status."""
import acl
import numpy as np

ACL_MEM_MALLOC_NORMAL_ONLY = 2
ACL_MEMCPY_HOST_TO_DEVICE = 1
ACL_MEMCPY_DEVICE_TO_HOST = 2


def check_ret(message, ret):
    if ret != 0:
        raise Exception("{} failed ret={}".format(message, ret))


class Memory:
    def __init__(self, device_id=0):
        self.device_id = device_id
        self.context = None
        check_ret("acl.init", acl.init())
        check_ret("acl.rt.set_device", acl.rt.set_device(self.device_id))
        self.context, ret = acl.rt.create_context(self.device_id)
        check_ret("acl.rt.create_context", ret)

    def __del__(self):
        if self.context:
            check_ret("acl.rt.destroy_context", acl.rt.destroy_context(self.context))
        check_ret("acl.rt.reset_device", acl.rt.reset_device(self.device_id))
        check_ret("acl.finalize", acl.finalize())

    def run(self):
        data = np.arange(1024, dtype=np.float32)
        size = data.size * data.itemsize
        if "bytes_to_ptr" in dir(acl.util):
            host = data.tobytes()
            pointer = acl.util.bytes_to_ptr(host)
        else:
            pointer = acl.util.numpy_to_ptr(data)
        device, ret = acl.rt.malloc(size, ACL_MEM_MALLOC_NORMAL_ONLY)
        check_ret("acl.rt.malloc", ret)
        check_ret("acl.rt.memcpy", acl.rt.memcpy(device, size, pointer, size, ACL_MEMCPY_HOST_TO_DEVICE))
        back, ret = acl.rt.malloc_host(size)
        check_ret("acl.rt.malloc_host", ret)
        check_ret("acl.rt.memcpy", acl.rt.memcpy(back, size, device, size, ACL_MEMCPY_DEVICE_TO_HOST))
        result = np.frombuffer(acl.util.ptr_to_bytes(back, size), dtype=np.float32)
        assert (result == data).all()
        check_ret("acl.rt.free", acl.rt.free(device))
        check_ret("acl.rt.free_host", acl.rt.free_host(back))


if __name__ == "__main__":
    Memory().run()
    print("memory: ok")
