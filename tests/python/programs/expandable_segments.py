# SPDX-License-Identifier: MIT
"""An allocator that maps physical memory into a reserved range and lets it go again, as serving frameworks sleep."""
import acl

assert acl.init() == 0 and acl.rt.set_device(0) == 0
prop = {"handleType": 0, "allocationType": 0, "memAttr": 1, "location": {"id": 0, "type": 1}, "reserve": 0}
unit, ret = acl.rt.mem_get_allocation_granularity(prop, 1)
assert ret == 0
base, ret = acl.rt.reserve_mem_address(unit * 4, 0, 0, 0)
assert ret == 0
handles = []
for i in range(4):
    handle, ret = acl.rt.malloc_physical(unit, prop, 0)
    assert ret == 0
    assert acl.rt.map_mem(base + i * unit, unit, 0, handle, 0) == 0
    handles.append(handle)
assert acl.rt.memset(base, unit, 1, unit) == 0
# sleep
for i, handle in enumerate(handles):
    assert acl.rt.unmap_mem(base + i * unit) == 0
    assert acl.rt.free_physical(handle) == 0
# wake up
handle, ret = acl.rt.malloc_physical(unit, prop, 0)
assert ret == 0 and acl.rt.map_mem(base, unit, 0, handle, 0) == 0
assert acl.rt.memset(base, unit, 2, unit) == 0
assert acl.rt.unmap_mem(base) == 0 and acl.rt.free_physical(handle) == 0
assert acl.rt.release_mem_address(base) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("segments: ok")
