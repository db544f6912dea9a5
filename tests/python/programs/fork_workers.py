# SPDX-License-Identifier: MIT
"""Two processes of one program, each with the library of its own: fork first, initialise then."""
import os

import acl


def work(value):
    ret = acl.init()
    assert ret == 0, ret
    assert acl.rt.set_device(0) == 0
    pointer, ret = acl.rt.malloc(1024, 0)
    assert ret == 0 and acl.rt.memset(pointer, 1024, value, 1024) == 0
    host, ret = acl.rt.malloc_host(1024)
    assert acl.rt.memcpy(host, 1024, pointer, 1024, 2) == 0
    assert acl.util.ptr_to_bytes(host, 1024) == bytes([value]) * 1024
    assert acl.rt.free(pointer) == 0 and acl.rt.free_host(host) == 0
    assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0


pid = os.fork()
if pid == 0:
    work(1)
    os._exit(0)
work(2)
_, status = os.waitpid(pid, 0)
assert status == 0, status
print("fork: ok")
