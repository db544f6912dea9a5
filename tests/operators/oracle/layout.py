# SPDX-License-Identifier: MIT
"""Operators that copy, convert, cut and repeat, triangles, ranges and images. Elements of one type are moved bit by
bit, so all results are exact; a range is computed in double."""
import math

import numpy as np

import formats
from case import Scalar, Want, exactly, near

MOST_DIMS = 8


def finish_bits(case, out, bits):
    case.results.append((out, Want(bits=bits)))


def draw_copy(case, name):
    """InplaceCopy and Cast: any pair of types."""
    kinds = case.random.choice(formats.NUMBERS), case.random.choice(formats.NUMBERS)
    if case.chance(3):
        kinds = kinds[0], kinds[0]
    shape = case.shape()
    own = shape
    if name == "InplaceCopy":
        first = case.random.randrange(len(shape) + 1) if case.chance(3) else 0
        own = tuple(1 if case.chance(4) else size for size in shape[first:])
    self = case.operand(kinds[0], own, scale=case.random.choice((4, 300, 1e10)), has_special=True)
    out = case.result(kinds[1], shape)
    if name == "Cast":
        case.add(self, formats.TYPES[kinds[1]][0], out)
    else:
        case.add(out, self)
    case.seal()
    if kinds[0] == kinds[1]:
        bits = self.bits()
    else:
        bits = formats.encode(kinds[1], self.read())
    finish_bits(case, out, np.broadcast_to(np.reshape(bits, own), shape))


def begin(case, least_dims=0, most_dims=MOST_DIMS, has_zero=True, elements=300, is_plain=False):
    dtype = case.random.choice(formats.NUMBERS)
    shape = case.shape(most_dims, elements, least_dims, has_zero)
    return case.operand(dtype, shape, has_special=True, is_plain=is_plain)


def finish(case, self, arguments, function, is_plain=False):
    """The result is what @function makes of the operand's bits."""
    shape = function(np.zeros(self.shape, dtype=np.int8)).shape
    out = case.result(self.dtype, shape, is_plain=is_plain)
    case.add(*arguments, out).seal()
    finish_bits(case, out, function(self.bits().reshape(self.shape)))


def draw_permute(case, name):
    self = begin(case)
    order = list(range(len(self.shape)))
    case.random.shuffle(order)
    told = tuple(d - len(order) if case.chance(3) else d for d in order)
    finish(case, self, [self, told], lambda bits: np.transpose(bits, order))


def draw_dim(case, ndim):
    dim = case.random.randrange(ndim)
    return dim, dim - ndim if case.chance(3) else dim


def draw_slice(case, name):
    self = begin(case, 1)
    dim, told = draw_dim(case, len(self.shape))
    size = self.shape[dim]
    start, end = (case.random.randint(-size - 2, size + 2) for _ in range(2))
    step = case.random.randint(1, 4)
    where = (slice(None),) * dim + (slice(start, end, step),)
    finish(case, self, [self, told, start, end, step], lambda bits: bits[where])


def draw_cuts(case, name):
    """SliceV2: some dims, each once."""
    self = begin(case)
    dims = case.random.sample(range(len(self.shape)), case.random.randint(0, len(self.shape)))
    cuts = [(case.random.randint(-n - 2, n + 2), case.random.randint(-n - 2, n + 2), case.random.randint(1, 4))
            for n in (self.shape[d] for d in dims)]
    where = [slice(None)] * len(self.shape)
    for d, cut in zip(dims, cuts):
        where[d] = slice(*cut)
    starts, ends, steps = (tuple(cut[i] for cut in cuts) for i in range(3))
    told = tuple(d - len(self.shape) if case.chance(3) else d for d in dims)
    finish(case, self, [self, starts, ends, told, steps], lambda bits: bits[tuple(where)])


def draw_flatten(case, name):
    self = begin(case)
    axis = case.random.randint(0, len(self.shape))
    told = axis - len(self.shape) if axis < len(self.shape) and case.chance(3) else axis
    shape = math.prod(self.shape[:axis]), math.prod(self.shape[axis:])
    finish(case, self, [self, told], lambda bits: bits.reshape(shape))


def draw_repeat(case, name):
    """Where views are plain, the dims between repeated ones are one: three repeated dims always fit."""
    is_plain = case.chance(2)
    self = begin(case, 0, 6 if is_plain else 4, elements=60, is_plain=is_plain)
    repeats = [case.random.choice((0, 1, 1, 2, 3)) if not case.chance(16) else 5
               for _ in range(len(self.shape) + case.random.randrange(3))]
    while is_plain and sum(r != 1 for r in repeats) > 3:
        repeats[case.random.randrange(len(repeats))] = 1
    if not is_plain and sum(r != 1 for r in repeats) + sum(s != 1 for s in self.shape) > MOST_DIMS:
        repeats = [1] * len(repeats)
    finish(case, self, [self, tuple(repeats)], lambda bits: np.tile(bits, repeats), is_plain)


def draw_repeat_interleave(case, name):
    is_plain = case.chance(2)
    self = begin(case, 1, 8 if is_plain else 6, is_plain=is_plain)
    dim, told = draw_dim(case, len(self.shape))
    repeats = case.random.randrange(5)
    if not is_plain and sum(s != 1 for s in self.shape) >= MOST_DIMS:
        repeats = 1
    finish(case, self, [self, repeats, told, self.shape[dim] * repeats],
           lambda bits: np.repeat(bits, repeats, axis=dim), is_plain)


def draw_triangle(case, name):
    diagonal = case.random.randint(-6, 6) if not case.chance(16) else case.random.choice((-2 ** 63, 2 ** 63 - 1))
    keep = np.tril if name == "Tril" else np.triu
    clipped = max(min(diagonal, 10 ** 6), -10 ** 6)
    if name == "InplaceTriu" or case.chance(8):
        self = case.result(case.random.choice(formats.NUMBERS), case.shape(MOST_DIMS, 300, 2))
        case.add(*([self, diagonal] if name == "InplaceTriu" else [self, diagonal, self])).seal()
        bits = self.bits()
        finish_bits(case, self, np.where(keep(np.ones(bits.shape, dtype=bool), clipped), bits, bits.dtype.type(0)))
        return
    self = begin(case, 2)
    finish(case, self, [self, diagonal],
           lambda bits: np.where(keep(np.ones(bits.shape, dtype=bool), clipped), bits, bits.dtype.type(0)))


def draw_range(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    is_integer = formats.category(dtype) < 2
    shape = case.shape()
    count = math.prod(shape)
    if is_integer:
        start, step = case.random.randint(-50, 50), case.random.choice((-3, -1, 1, 2, 7))
        if case.chance(4):
            start = case.random.choice((2 ** 62 + 1, -2 ** 62 - 1, 2 ** 53 + 1))
        kind = "UINT64" if start > 0 and step > 0 and case.chance(3) else "INT64"
        scalars = [Scalar(v, k) for v, k in ((start, kind), (start + step * count, kind), (step, "INT64"))]
    else:
        start, step = case.random.uniform(-9, 9), case.random.choice((-1.5, 0.25, 1.0, 3.0))
        scalars = [Scalar(v, "DOUBLE") for v in (start, start + step * (count - 0.5 * (count > 0)), step)]
    out = case.result(dtype, shape)
    case.add(*scalars, out).seal()
    values = np.arange(count) * step + start
    if is_integer:
        case.results.append((out, exactly(dtype, values.astype(np.int64))))
    else:
        case.results.append((out, near(values.reshape(shape), np.abs(values.reshape(shape)) *
                                       (2.0 ** -52 if dtype == "DOUBLE" else 2.0 ** -24))))


def draw_closed_range(case, name):
    """Range and Linspace: the end belongs to them."""
    is_spaced = name == "Linspace"
    dtype = case.random.choice(formats.FLOATS if is_spaced else formats.NUMBERS)
    is_integer = formats.category(dtype) < 2
    shape = case.shape(has_zero=is_spaced)
    count = math.prod(shape)
    if is_integer:
        start, step = case.random.randint(-50, 50), case.random.choice((-3, -1, 1, 2, 7))
        end, kind = start + step * (count - 1), "INT64"
        end += case.random.randrange(abs(step)) * (1 if step > 0 else -1)
    else:
        start, step = case.random.uniform(-9, 9), case.random.choice((-1.5, 0.25, 1.0, 3.0))
        end, kind = start + step * (count - (1 if is_spaced else 0.5)), "DOUBLE"
    out = case.result(dtype, shape)
    arguments = [Scalar(start, kind), Scalar(end, kind)]
    case.add(*arguments, *([count] if is_spaced else [Scalar(step, kind)]), out).seal()
    values = np.arange(count) * step + start
    if is_integer:
        case.results.append((out, exactly(dtype, values.astype(np.int64))))
    else:
        size = (np.abs(values) + 4 * (abs(start) + abs(end)) * is_spaced).reshape(shape)
        case.results.append((out, near(values.reshape(shape), size *
                                       (2.0 ** -52 if dtype == "DOUBLE" else 2.0 ** -24))))


def nearest(size, wanted):
    scale = np.float32(size) / np.float32(wanted)
    return np.minimum(np.floor(np.arange(wanted, dtype=np.float32) * scale).astype(np.int64), size - 1)


def draw_upsample(case, name):
    batch = tuple(case.random.randrange(0 if case.chance(32) else 1, 4) for _ in range(2))
    image = tuple(case.random.randint(1, 12) for _ in range(2))
    size = tuple(case.random.randint(1, 20) for _ in range(2))
    self = case.operand(case.random.choice(formats.NUMBERS), batch + image, has_special=True)
    rows, columns = nearest(image[0], size[0]), nearest(image[1], size[1])
    finish(case, self, [self, size], lambda bits: bits[:, :, rows][:, :, :, columns])


def draw_flip(case, name):
    self = begin(case)
    ndim = len(self.shape)
    dims = case.random.sample(range(ndim), case.random.randint(0, ndim))
    told = tuple(d - ndim if case.chance(3) else d for d in dims)
    finish(case, self, [self, told], lambda bits: np.flip(bits, dims))


def draw_expand(case, name):
    shape = case.shape()
    first = case.random.randrange(len(shape) + 1) if case.chance(3) else 0
    own = tuple(1 if case.chance(3) else size for size in shape[first:])
    dtype = case.random.choice(formats.NUMBERS)
    self = case.operand(dtype, own, has_special=True)
    told = [-1 if d >= first and own[d - first] == size and case.chance(3) else size for d, size in enumerate(shape)]
    finish(case, self, [self, tuple(told)], lambda bits: np.broadcast_to(bits, shape))


OPERATORS = {
    "Flip": draw_flip, "Expand": draw_expand,
    "InplaceCopy": draw_copy, "Cast": draw_copy, "Permute": draw_permute, "Slice": draw_slice,
    "SliceV2": draw_cuts, "Flatten": draw_flatten, "Range": draw_closed_range, "Linspace": draw_closed_range,
    "Repeat": draw_repeat, "RepeatInterleaveIntWithDim": draw_repeat_interleave, "Tril": draw_triangle,
    "Triu": draw_triangle, "InplaceTriu": draw_triangle, "Arange": draw_range,
    "UpsampleNearest2d": draw_upsample,
}
LIMIT = 1e-7
