# SPDX-License-Identifier: MIT
"""The bytes of small ONNX files, so that tests need no library of protobuf."""

FLOAT, UINT8, INT64, BOOL = 1, 2, 7, 9


def varint(value):
    data = b""
    while value >= 0x80:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value & (1 << 64) - 1)


def part(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def port(field, name, dims, kind=FLOAT):
    """An input (field 11) or an output (12) of a graph. A negative dim is open."""
    shape = b"".join(part(1, number(1, size) if size >= 0 else part(2, "n")) for size in dims)
    return part(field, part(1, name) + part(2, part(1, number(1, kind) + part(2, shape))))


def constant(name, dims, data, kind=FLOAT):
    """An initializer."""
    sizes = b"".join(number(1, size) for size in dims)
    return part(5, sizes + number(2, kind) + part(8, name) + part(9, data))


def node(kind, name, sources, results, attributes=b""):
    sources, results = ([each] if isinstance(each, str) else each for each in (sources, results))
    return part(1, b"".join(part(1, source) for source in sources) + b"".join(part(2, result) for result in results) +
                part(3, name) + part(4, kind) + attributes)


def inside(name, graph):
    """An attribute that is a graph, of a list of its parts."""
    return part(5, part(1, name) + part(6, b"".join(graph)) + number(20, 5))


def branches(name, condition, result, yes, no):
    """A node that chooses between two graphs."""
    return node("If", name, condition, result, inside("then_branch", yes) + inside("else_branch", no))


def loop(name, sources, results, body):
    """A node that repeats a graph. Its first two sources are the largest number of turns, and whether there is one."""
    return node("Loop", name, sources, results, inside("body", body))
