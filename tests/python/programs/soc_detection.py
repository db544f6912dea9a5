# SPDX-License-Identifier: MIT
"""What tools do to find the chip: ask before any initialisation, and match the name."""
import re

import acl

name = acl.get_soc_name()
if name is None:
    raise SystemExit("no device")
match = re.match(r"Ascend910B\d", name)
assert match, name
count, ret = acl.rt.get_device_count()
assert ret == 0 and count >= 1
print("soc:", match.group(0))
