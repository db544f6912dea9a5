# SPDX-License-Identifier: MIT
"""Products of matrices, products with quantised weights, and triangular systems. The device adds in F32, so a
result may be wrong by a unit of the sum of the products' sizes for each product."""
import struct

import numpy as np

import formats
from case import Operand, Scalar, Want, near
from elementwise import TINY, part_of

UNIT = 2.0 ** -24
ODD = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 1.0])


def draw_matrix(case, dtype, shape, scale=2.0):
    values = case.numpy.uniform(-scale, scale, shape)
    if case.chance(16):
        mask = case.numpy.random(shape) < 0.05
        values = np.where(mask, case.numpy.choice(ODD, shape), values)
    return case.operand(dtype, shape, bits=formats.encode(dtype, values))


def read(operand):
    return operand.read().reshape(operand.shape)


def draw_size(case):
    """Rows and columns: small ones, and now and then as many as take the ways of large matrices."""
    if case.chance(40):
        return case.random.choice((0, 64, 100, 257))
    return case.size(24)


def product_error(left, right, terms):
    sizes = np.abs(np.nan_to_num(left, posinf=0, neginf=0)) @ np.abs(np.nan_to_num(right, posinf=0, neginf=0))
    return (terms + 2) * UNIT * sizes + TINY


def draw_shapes(case, name):
    m, k, n = (draw_size(case) for _ in range(3))
    if name == "Mm":
        return (m, k), (k, n)
    if name == "Dot":
        return (k,), (k,)
    if name == "Mv":
        return (m, k), (k,)
    if name == "BatchMatMul":
        batch = case.random.randint(1, 4)
        batches = [(batch,), (batch,)]
        if case.chance(3):
            batches[case.random.randrange(2)] = (1,)
        return batches[0] + (m, k), batches[1] + (k, n)
    m, k, n = min(m, 64), min(k, 64), min(n, 64)
    if case.chance(8):
        return ((k,) if case.chance(2) else (m, k)), (k,)
    if case.chance(12):
        return (k,), (k, n)
    batch = tuple(case.random.randint(1, 3) for _ in range(case.random.randint(0, 4)))
    parts = [tuple(1 if case.chance(4) else size for size in batch[case.chance(4) and len(batch) // 2:])
             for _ in range(2)]
    return parts[0] + (m, k), parts[1] + (k, n)


def draw_product(case, name):
    shapes = draw_shapes(case, name)
    types = [case.random.choice(formats.FLOATS) for _ in range(3)]
    self, other = (draw_matrix(case, t, s) for t, s in zip(types, shapes))
    out = case.result(types[2], np.matmul(np.zeros(shapes[0]), np.zeros(shapes[1])).shape)
    case.add(self, other, out, *([] if name == "Dot" else [case.random.randrange(4)])).seal()
    x, y = read(self), read(other)
    case.results.append((out, near(np.matmul(x, y), np.asarray(product_error(x, y, shapes[0][-1])))))


def draw_factor(case):
    return float(np.float32(case.random.choice((0.0, 1.0, 1.0, case.random.uniform(-2, 2)))))


def draw_sum(case, name):
    """Gemm, Addmm, Baddbmm: a product, and another operand that is broadcast."""
    m, k, n = (draw_size(case) for _ in range(3))
    batch = (case.random.randint(1, 4),) if name == "Baddbmm" else ()
    transposed = [name == "Gemm" and case.chance(2) for _ in range(2)]
    shapes = [shape[::-1] if swap else shape for shape, swap in zip(((m, k), (k, n)), transposed)]
    self, other = (draw_matrix(case, case.random.choice(formats.FLOATS), batch + shape) for shape in shapes)
    is_in_place = name == "InplaceAddmm"
    out = case.result(case.random.choice(formats.FLOATS), batch + (m, n))
    addend = out if is_in_place else draw_matrix(case, case.random.choice(formats.FLOATS),
                                                 part_of(case, batch + (m, n)))
    alpha, beta = draw_factor(case), draw_factor(case)
    if name == "Gemm":
        case.add(self, other, addend, alpha, beta, *(int(swap) for swap in transposed), out)
    else:
        case.add(addend, self, other, Scalar(beta, "FLOAT"), Scalar(alpha, "FLOAT"), *([] if is_in_place else [out]))
    case.add(case.random.randrange(4)).seal()
    x, y = (read(o).T if swap else read(o) for o, swap in zip((self, other), transposed))
    added = beta * read(addend) if beta else np.zeros(())
    product = alpha * np.matmul(x, y)
    error = abs(alpha) * np.asarray(product_error(x, y, k)) + 2 * UNIT * (np.abs(product) + np.abs(added)) + TINY
    case.results.append((out, near(product + added, error)))


def draw_int4(case, k, n):
    """[K, N] with two elements in a byte; K or N is contiguous. Return: the operand and its numbers."""
    strides = (n + case.random.randrange(3), 1) if case.chance(2) else (1, k + case.random.randrange(3))
    reach = strides[0] * (k - 1) + strides[1] * (n - 1) + 1 if k and n else 0
    begin = case.reserve((reach + 1) // 2, 1)
    nibbles = case.numpy.integers(0, 16, 2 * ((reach + 1) // 2))
    at = np.arange(k)[:, None] * strides[0] + np.arange(n) * strides[1]
    values = (nibbles[at] ^ 8) - 8 if reach else np.zeros((k, n), dtype=np.int64)
    packed = (nibbles[0::2] | nibbles[1::2] << 4).astype(np.uint8)
    if reach:
        case.writes.append((begin + np.arange(len(packed)), packed))
    fields = struct.pack("<iiqqI4q", 29, 2, begin - 2, 4, 2, k, n, *strides)
    return Operand(case, "UINT8", np.zeros((k, n), dtype=np.int64), fields), values


def draw_scales(case, groups, n, scale):
    shapes = [(groups, n)] + ([(n,), (1, 1)] if groups == 1 else [(groups, 1)])
    return case.operand(case.random.choice(formats.FLOATS), case.random.choice(shapes), scale=scale)


def draw_quantised(case, name):
    m, n = min(draw_size(case), 64), draw_size(case)
    k = case.random.choice((0, 1, 7, 32, 64, 96)) if not case.chance(20) else 500
    group = case.random.choice((0, 0, 32, 32, 5, 64))
    groups = 1 if group == 0 or group >= k else -(-k // group)
    x = draw_matrix(case, case.random.choice(formats.FLOATS), (m, k))
    if case.chance(2):
        weight, w = draw_int4(case, k, n)
    else:
        bits = case.numpy.integers(-128, 128, (k, n)).astype(np.int8)
        weight, w = case.operand("INT8", (k, n), bits=bits), None
    scale = draw_scales(case, groups, n, 0.1)
    offset = draw_scales(case, groups, n, 3) if case.chance(2) else None
    bias = case.operand(case.random.choice(formats.FLOATS), (1, n) if case.chance(4) else (n,)) \
        if case.chance(2) else None
    y = case.result(case.random.choice(formats.FLOATS), (m, n))
    case.add(x, weight, scale, offset, None, None, bias, group, y).seal()
    w = read(weight) if w is None else w
    rows = np.arange(k) // (group if groups > 1 else max(k, 1))
    factors = np.broadcast_to(read(scale), (groups, n))[rows]
    shifts = np.broadcast_to(read(offset), (groups, n))[rows] if offset else np.zeros((k, n))
    added = read(bias).reshape(-1) if bias else np.zeros(n)
    numbers = (w + shifts) * factors
    error = product_error(read(x), (np.abs(w) + np.abs(shifts)) * np.abs(factors), k + 4)
    case.results.append((y, near(read(x) @ numbers + added, error + 2 * UNIT * np.abs(added))))


def draw_weight(case, name):
    """The weight stays as it is."""
    dtype = case.random.choice((*formats.FLOATS, "INT8"))
    weight = case.operand(dtype, case.shape(6, 300, 2), fmt=case.random.choice((2, 29)))
    case.add(weight).seal()


def solve(a, b, upper, transposed, unit):
    a = np.swapaxes(a, -1, -2) if transposed else a
    n = a.shape[-1]
    x = np.zeros(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:])
    rows = range(n - 1, -1, -1) if upper != transposed else range(n)
    for done, i in enumerate(rows):
        known = list(rows)[:done]
        total = np.einsum("...k,...kj->...j", a[..., i, known], x[..., known, :])
        x[..., i, :] = (b[..., i, :] - total) / (1 if unit else a[..., i, i][..., None])
    return x


def draw_triangular(case, name):
    n, k = case.random.randint(1, 16), case.random.randint(1, 12)
    batch = tuple(case.random.randint(1, 3) for _ in range(case.random.randint(0, 3)))
    parts = [tuple(1 if case.chance(4) else size for size in batch) for _ in range(2)]
    upper, transposed, unit = (case.random.random() < 0.5 for _ in range(3))
    # Triangles that amplify no errors.
    values = case.numpy.uniform(-1, 1, parts[0] + (n, n)) / n
    values[..., np.arange(n), np.arange(n)] = case.numpy.uniform(1, 2, parts[0] + (n,))
    dtype = case.random.choice(formats.FLOATS)
    a = case.operand(dtype, parts[0] + (n, n), bits=formats.encode(dtype, values), is_result=True)
    b = case.operand(case.random.choice(formats.FLOATS), parts[1] + (n, k))
    batch = np.broadcast_shapes(*parts)
    x = case.result(case.random.choice(formats.FLOATS), batch + (n, k))
    copy = case.result(dtype, batch + (n, n))
    case.add(b, a, upper, transposed, unit, x, copy).seal()
    values = solve(read(a), read(b), upper, transposed, unit)
    case.results.append((x, near(values, 32 * n * UNIT * (1 + np.abs(values).max(axis=-2, keepdims=True)))))
    case.results.append((copy, Want(bits=np.broadcast_to(a.bits().reshape(a.shape), copy.shape))))


OPERATORS = {
    "Mm": draw_product, "Matmul": draw_product, "BatchMatMul": draw_product, "Mv": draw_product, "Dot": draw_product,
    **{name: draw_sum for name in ("Gemm", "Addmm", "InplaceAddmm", "Baddbmm")},
    "WeightQuantBatchMatmulV2": draw_quantised, "TransMatmulWeight": draw_weight,
    "TriangularSolve": draw_triangular,
}
LIMIT = 5e-4
