# SPDX-License-Identifier: MIT
"""Names imported one by one, as serving frameworks write it."""
from acl import init, finalize, media, rt, util
from acl.rt import memcpy, set_device
import acl.mdl as aclmdl

assert init() == 0 and set_device(0) == 0
pointer, ret = rt.malloc(16, 2)
data = b"0123456789abcdef"
assert memcpy(pointer, 16, util.bytes_to_ptr(data), 16, 1) == 0
steps = aclmdl.create_aipp(1)
assert steps != 0 and aclmdl.destroy_aipp(steps) == 0
buffer, ret = media.dvpp_malloc(1024)
assert ret == 0 and media.dvpp_free(buffer) == 0
width, height, components, ret = media.dvpp_jpeg_get_image_info(0, 0)
assert ret == 100000 and width == 0
assert rt.free(pointer) == 0
assert rt.reset_device(0) == 0 and finalize() == 0
print("imports: ok")
