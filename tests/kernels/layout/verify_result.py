#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""verify_result.py RESULT GOLDEN"""
import sys
from array import array


def read(path):
    values = array("f")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return values


result, golden = (read(path) for path in sys.argv[1:])
wrong = [i for i, wanted in enumerate(golden) if i >= len(result) or abs(result[i] - wanted) > 1e-4]
if not golden or wrong:
    sys.exit(f"[ERROR] result error: {len(wrong)} numbers, the first is {wrong[:1]}")
print("test pass")
