# SPDX-License-Identifier: MIT
"""A profiler's question whether the program has a device already, before it sets one."""
import acl


def is_initialised():
    _, ret = acl.rt.get_device()
    return ret == 0


assert not is_initialised()
ret = acl.init()
if ret not in (0, 100002):
    raise RuntimeError(ret)
assert acl.rt.set_device(0) == 0
assert is_initialised()
ret = acl.init()
assert ret == 100002, "a second call is told, and programs ignore it"
assert acl.rt.reset_device(0) == 0
assert acl.finalize() == 0
print("probe: ok")
