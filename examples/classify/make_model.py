#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_model.py FOLDER: writes a small network for pictures, classify.onnx, and a picture for it, picture.ppm.

The network is untrained: its weights come from a seed, so its classes mean nothing. An ONNX file is a message of
protobuf, of which little is needed here."""
import array
import os
import random
import sys

SIZE, CLASSES = 32, 10


def varint(value):
    head, rest = value & 0x7F, value >> 7
    return bytes([head | 0x80]) + varint(rest) if rest else bytes([head])


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def port(field, name, dims):
    shape = b"".join(part(1, number(1, size)) for size in dims)
    return part(field, part(1, name) + part(2, part(1, number(1, 1) + part(2, shape))))


def weights(name, dims, scale):
    count = 1
    for size in dims:
        count *= size
    data = array.array("f", [scale * RANDOM.uniform(-1, 1) for _ in range(count)])
    return part(5, b"".join(number(1, size) for size in dims) + number(2, 1) + part(8, name) + part(9, data.tobytes()))


def node(kind, sources, result, **lists):
    attributes = b"".join(part(5, part(1, name) + b"".join(number(8, value) for value in values) + number(20, 7))
                          for name, values in lists.items())
    return part(1, b"".join(part(1, source) for source in sources) + part(2, result) + part(3, kind + result) + part(4, kind)
                + attributes)


RANDOM = random.Random(1)
STRIDED = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2]}
GRAPH = [
    node("Conv", ["image", "w1", "b1"], "c1", **STRIDED), node("Relu", ["c1"], "r1"),
    node("Conv", ["r1", "w2", "b2"], "c2", **STRIDED), node("Relu", ["c2"], "r2"),
    node("GlobalAveragePool", ["r2"], "pool"), node("Flatten", ["pool"], "flat"),
    node("Gemm", ["flat", "w3", "b3"], "scores"), node("Softmax", ["scores"], "shares"), part(2, "classify"),
    weights("w1", [16, 3, 3, 3], 1), weights("b1", [16], 1), weights("w2", [32, 16, 3, 3], 1), weights("b2", [32], 1),
    weights("w3", [32, CLASSES], 0.1), weights("b3", [CLASSES], 0.5), port(11, "image", [1, 3, SIZE, SIZE]),
    port(12, "shares", [1, CLASSES])]

if __name__ == "__main__":
    with open(os.path.join(sys.argv[1], "classify.onnx"), "wb") as file:
        file.write(number(1, 8) + part(7, b"".join(GRAPH)) + part(8, number(2, 13)))
    with open(os.path.join(sys.argv[1], "picture.ppm"), "wb") as file:
        file.write(b"P6 %d %d 255\n" % (SIZE, SIZE))
        file.write(bytes(value for y in range(SIZE) for x in range(SIZE) for value in (8 * x, 8 * y, x * y % 256)))
