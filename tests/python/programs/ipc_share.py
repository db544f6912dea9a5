# SPDX-License-Identifier: MIT
"""A parent that shares memory with a child by a key; both are clients of one firmware."""
import subprocess
import sys

import acl

CHILD = """
import sys, acl
assert acl.init() == 0 and acl.rt.set_device(0) == 0
pointer, ret = acl.rt.ipc_mem_import_by_key(sys.argv[1], 0)
assert ret == 0, acl.get_recent_err_msg()
assert acl.rt.memset(pointer, 4096, 7, 4096) == 0
assert acl.rt.ipc_mem_close(sys.argv[1]) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
"""

assert acl.init() == 0 and acl.rt.set_device(0) == 0
pointer, ret = acl.rt.malloc(2 << 20, 0)
assert ret == 0
key, ret = acl.rt.ipc_mem_get_export_key(pointer, 2 << 20, 65, 1)
assert ret == 0, acl.get_recent_err_msg()
subprocess.run([sys.executable, "-c", CHILD, key], check=True)
host, ret = acl.rt.malloc_host(4096)
assert acl.rt.memcpy(host, 4096, pointer, 4096, 2) == 0
assert acl.util.ptr_to_bytes(host, 4096) == b"\x07" * 4096
assert acl.rt.ipc_mem_close(key) == 0
assert acl.rt.free(pointer) == 0 and acl.rt.free_host(host) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("ipc: ok")
