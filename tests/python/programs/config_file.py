# SPDX-License-Identifier: MIT
"""init with a configuration file, as programs with dumps and profiling call it."""
import json
import os
import tempfile

import acl

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "acl.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"dump": {"dump_path": folder, "dump_list": []}}, file)
    ret = acl.init(path)
    assert ret == 0, acl.get_recent_err_msg()
    assert acl.rt.set_device(0) == 0
    assert acl.rt.reset_device(0) == 0
    assert acl.finalize() == 0
ret = acl.init("/nowhere/acl.json")
assert ret != 0 and "/nowhere/acl.json" in acl.get_recent_err_msg()
print("config: ok")
