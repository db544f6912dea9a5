# SPDX-License-Identifier: MIT
"""Threads that set the context of the program and use streams of their own."""
import threading

import acl

errors = []


def worker(context, index):
    try:
        assert acl.rt.set_context(context) == 0
        stream, ret = acl.rt.create_stream()
        assert ret == 0
        pointer, ret = acl.rt.malloc(4096, 2)
        for _ in range(50):
            assert acl.rt.memset_async(pointer, 4096, index, 4096, stream) == 0
        assert acl.rt.synchronize_stream(stream) == 0
        assert acl.rt.free(pointer) == 0
        assert acl.rt.destroy_stream(stream) == 0
    except Exception as e:
        errors.append(e)


assert acl.init() == 0 and acl.rt.set_device(0) == 0
context, ret = acl.rt.get_context()
threads = [threading.Thread(target=worker, args=(context, i)) for i in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not errors, errors
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("threads: ok")
