# SPDX-License-Identifier: MIT
"""A cluster scheduler's detection: count the devices, tolerate everything."""
import sys


def autodetect_num_accelerators():
    try:
        import acl
        device_count, ret = acl.rt.get_device_count()
        if ret == 0:
            return device_count
    except Exception as e:
        print("Failed to import AscendCL: %s" % e, file=sys.stderr)
    return 0


def accelerator_type():
    try:
        import acl
        return acl.get_soc_name()
    except Exception:
        return None


assert autodetect_num_accelerators() == 1
assert accelerator_type().startswith("Ascend910")
print("detection: ok")
