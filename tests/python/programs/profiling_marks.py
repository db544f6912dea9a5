# SPDX-License-Identifier: MIT
"""Marks and ranges around work, and a profiling session over it."""
import tempfile

import acl

assert acl.init() == 0 and acl.rt.set_device(0) == 0
with tempfile.TemporaryDirectory() as folder:
    assert acl.prof.init(folder) == 0, acl.get_recent_err_msg()
    config = acl.prof.create_config([0], 0, 0, 0x1 | 0x2)
    assert config
    assert acl.prof.start(config) == 0
    stamp = acl.prof.create_stamp()
    message = b"copy"
    assert acl.prof.set_stamp_trace_message(stamp, acl.util.bytes_to_ptr(message), len(message)) == 0
    assert acl.prof.push(stamp) == 0
    pointer, ret = acl.rt.malloc(4096, 0)
    assert acl.rt.memset(pointer, 4096, 0, 4096) == 0
    assert acl.prof.pop() == 0
    assert acl.prof.destroy_stamp(stamp) is None
    assert acl.prof.stop(config) == 0
    assert acl.prof.destroy_config(config) == 0
    assert acl.prof.finalize() == 0
    assert acl.rt.free(pointer) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("profiling: ok")
