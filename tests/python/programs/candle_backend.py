# SPDX-License-Identifier: MIT
"""How a backend of a tensor library probes the module, and how it opens a device."""
import acl

for module, names in ((acl, ("init", "finalize")), (acl.rt, ("set_context", "get_context", "set_device", "memcpy")),
                      (acl.util, ("bytes_to_ptr", "ptr_to_bytes"))):
    for name in names:
        assert hasattr(module, name), name
try:
    acl.op.set_model_dir("./op_models")
except Exception:
    raise AssertionError("it must not raise")
assert acl.init() == 0 and acl.rt.set_device(0) == 0
context, ret = acl.rt.get_context()
assert ret == 0
if hasattr(acl.rt, "set_context"):
    assert acl.rt.set_context(context) == 0
low, high, ret = acl.rt.device_get_stream_priority_range()
assert ret == 0
can_access, ret = acl.rt.device_can_access_peer(0, 0)
assert isinstance(can_access, int)
desc = acl.create_tensor_desc(0, [2, 2], 2)
assert acl.get_tensor_desc_size(desc) == 16
acl.destroy_tensor_desc(desc)
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("backend: ok")
