# SPDX-License-Identifier: MIT
"""python -m unpu: prints the folder of the module acl, for PYTHONPATH."""
from . import places

print(places.acl_folder())
