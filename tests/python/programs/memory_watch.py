# SPDX-License-Identifier: MIT
"""A monitor: free and total memory, utilisation, the identity of the device."""
import acl

ACL_HBM_MEM = 1

assert acl.init() == 0 and acl.rt.set_device(0) == 0
before, total, ret = acl.rt.get_mem_info(ACL_HBM_MEM)
assert ret == 0 and 0 < before <= total
pointer, ret = acl.rt.malloc(32 << 20, 0)
assert ret == 0
during, _, ret = acl.rt.get_mem_info(ACL_HBM_MEM)
assert before - during >= 32 << 20
assert acl.rt.free(pointer) == 0
after, _, ret = acl.rt.get_mem_info(ACL_HBM_MEM)
assert after >= during
info, ret = acl.rt.get_device_utilization_rate(0)
assert ret == 0 and "cube_utilization" in info
uuid, ret = acl.rt.device_get_uuid(0)
assert ret == 0 and len(uuid["bytes"]) == 16
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("watch: ok")
