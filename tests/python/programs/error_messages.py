# SPDX-License-Identifier: MIT
"""A wrapper that turns statuses into exceptions with the library's sentence."""
import acl


class AclError(RuntimeError):
    pass


def call(function, *args):
    result = function(*args)
    *values, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise AclError(f"{function.__name__}{args} -> {ret}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 1 else tuple(values) or None


call(acl.init)
call(acl.rt.set_device, 0)
pointer = call(acl.rt.malloc, 64, 0)
try:
    call(acl.rt.memcpy, pointer, 64, pointer, 128, 3)
except AclError as error:
    assert "128" in str(error) and "memcpy" in str(error), error
else:
    raise AssertionError
free, total = call(acl.rt.get_mem_info, 1)
assert 0 < free <= total
call(acl.rt.free, pointer)
try:
    call(acl.rt.free, pointer)
except AclError as error:
    assert "free" in str(error).lower()
call(acl.rt.reset_device, 0)
call(acl.finalize)
print("messages: ok")
