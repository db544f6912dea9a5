# SPDX-License-Identifier: MIT
"""Calls every name once with harmless arguments and prints the types of what came back, as JSON. test_shape.py runs it
in a process of its own: what some of these calls set stays set."""
import importlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.environ["UNPU_SOURCE"], "python", "acl"))
import harmless  # noqa: E402
import signatures  # noqa: E402


def main():
    table, found = signatures.Table(), {}
    for entry in table.all():
        module = importlib.import_module(entry.module)
        print(entry.full_name, file=sys.stderr, flush=True)
        value = getattr(module, entry.name)(*harmless.arguments(entry))
        values = value if isinstance(value, tuple) else (value,)
        found[entry.full_name] = [type(part).__name__ for part in values]
    print(json.dumps(found))


main()
