# SPDX-License-Identifier: MIT
"""Names imported one by one, as serving frameworks write it."""
from acl import init, finalize, media, rt, util
from acl.rt import memcpy, set_device
import acl.mdl as aclmdl

assert init() == 0 and set_device(0) == 0
pointer, ret = rt.malloc(16, 2)
data = b"0123456789abcdef"
assert memcpy(pointer, 16, util.bytes_to_ptr(data), 16, 1) == 0
assert aclmdl.create_aipp(1) == 0
buffer, ret = media.dvpp_malloc(1024)
assert ret == 207000 and buffer == 0
assert rt.free(pointer) == 0
assert rt.reset_device(0) == 0 and finalize() == 0
print("imports: ok")
