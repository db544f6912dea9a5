#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers that the kernels get, and the results that they should have."""
from array import array

COUNT = 8 * 2048
X = array("f", (i % 977 - 300 for i in range(COUNT)))
Y = array("f", (i % 61 * 0.5 for i in range(COUNT)))
for name, values in (("input/input_x.bin", X), ("input/input_y.bin", Y),
                     ("output/golden.bin", array("f", (2 * (x + y) - 1 for x, y in zip(X, Y))))):
    with open(name, "wb") as file:
        values.tofile(file)
