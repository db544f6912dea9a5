# SPDX-License-Identifier: MIT
"""Operators that join, pad and shift, and operators with indices. Elements are moved bit by bit.

Some cases have an index that is out of range: it must fail the stream, and only results may change then. A copy
by indices must change nothing."""
import numpy as np

import formats
from case import Want, draw_scalar
from elementwise import part_of
from layout import begin, draw_dim, finish, finish_bits


def encode_scalar(dtype, scalar):
    is_floating = formats.category(dtype) == 2
    return formats.encode(dtype, np.array([scalar.real] if is_floating else [scalar.integer]))[0]


def draw_cat(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    shape = case.shape(8, 150, 1)
    dim, told = draw_dim(case, len(shape))
    members = []
    for _ in range(case.random.randint(1, 15 if case.chance(8) else 4)):
        size = case.random.randint(0 if case.chance(8) else 1, 4)
        members.append(case.operand(dtype, shape[:dim] + (size,) + shape[dim + 1:], has_special=True))
    used = list(members)
    if case.chance(4):
        members.insert(case.random.randrange(len(members) + 1), case.operand(dtype, (0,)))
    length = sum(member.shape[dim] for member in used)
    out = case.result(dtype, shape[:dim] + (length,) + shape[dim + 1:])
    case.add(members, told, out).seal()
    finish_bits(case, out, np.concatenate([m.bits().reshape(m.shape) for m in used], axis=dim))


def draw_split(case, name):
    """SplitTensor and SplitWithSize."""
    self = begin(case, 1, 8, elements=150)
    dim, told = draw_dim(case, len(self.shape))
    length = self.shape[dim]
    if name == "SplitTensor":
        each = case.random.randint(max(1, -(-length // 15)), max(1, length + 1))
        sizes = [min(each, length - at) for at in range(0, length, each)] or [0]
    else:
        cuts = sorted(case.random.randint(0, length) for _ in range(case.random.randint(0, 6)))
        sizes = [high - low for low, high in zip([0] + cuts, cuts + [length])]
    outs = [case.result(self.dtype, self.shape[:dim] + (size,) + self.shape[dim + 1:]) for size in sizes]
    case.add(self, each if name == "SplitTensor" else tuple(sizes), told, outs).seal()
    whole, at = self.bits().reshape(self.shape), 0
    for out, size in zip(outs, sizes):
        finish_bits(case, out, whole[(slice(None),) * dim + (slice(at, at + size),)])
        at += size


def draw_pad(case, name):
    self = begin(case, 0, 8)
    ndim = len(self.shape)
    scalar = draw_scalar(case, formats.category(self.dtype) < 2)
    value = encode_scalar(self.dtype, scalar)
    low, high, told = [0] * ndim, [0] * ndim, []
    room = 3000
    for d in range(ndim - 1, ndim - 1 - case.random.randint(0, ndim), -1):
        for sides in (low, high):
            sides[d] = case.random.randint(0, 2) if room > 0 else 0
        if case.chance(6) and self.shape[d] > 0:
            low[d] = -case.random.randint(0, self.shape[d])
        if case.chance(6) and self.shape[d] + min(low[d], 0) > 0:
            high[d] = -case.random.randint(0, self.shape[d] + min(low[d], 0))
        room -= np.prod(self.shape) * (max(low[d], 0) + max(high[d], 0))
        told += [low[d], high[d]]
    cut = tuple(slice(max(-l, 0), n - max(-h, 0)) for l, h, n in zip(low, high, self.shape))
    grow = [(max(l, 0), max(h, 0)) for l, h in zip(low, high)]

    def pad(bits):
        return np.pad(bits[cut], grow, constant_values=value if bits.dtype != np.int8 or
                      self.dtype == "INT8" else 0) if ndim else bits
    finish(case, self, [self, tuple(told), scalar], pad)


def draw_copied_pad(case, name):
    """Around the last dims; padding begins with the last one."""
    dims = int(name[-2])
    self = begin(case, dims + 1, dims + 2, has_zero=False, elements=100)
    is_mirrored = name.startswith("Reflection")
    grow = [(0, 0)] * len(self.shape)
    for d in range(len(self.shape) - dims, len(self.shape)):
        most = self.shape[d] - 1 if is_mirrored else 3
        grow[d] = tuple(min(case.random.randint(0, most), 3) for _ in range(2))
    told = tuple(n for sides in grow[:len(self.shape) - dims - 1:-1] for n in sides)
    finish(case, self, [self, told], lambda bits: np.pad(bits, grow, mode="reflect" if is_mirrored else "edge"))


def draw_roll(case, name):
    if case.chance(4):
        dtype = case.random.choice(formats.NUMBERS)
        self = case.operand(dtype, case.shape(), has_special=True)
        out = case.result(dtype, self.shape)
        shift = case.random.randint(-400, 400)
        case.add(self, (shift,), (), out).seal()
        finish_bits(case, out, np.roll(self.bits().reshape(self.shape), shift))
        return
    self = begin(case, 1)
    dims = [draw_dim(case, len(self.shape)) for _ in range(case.random.randint(1, 4))]
    shifts = tuple(case.random.randint(-40, 40) for _ in dims)
    finish(case, self, [self, shifts, tuple(told for _, told in dims)],
           lambda bits: np.roll(bits, shifts, axis=tuple(dim for dim, _ in dims)))


def draw_index(case, size, shape):
    """Indices of a dim of @size elements; sometimes one is out of range."""
    dtype = case.random.choice(("INT32", "INT64"))
    values = case.numpy.integers(-size, size, shape) if size else np.zeros(shape, dtype=np.int64)
    if size and values.size and case.chance(12):
        wrong = [size, -size - 1, 2 ** 31 - 1, -2 ** 31] + ([2 ** 63 - 1, -2 ** 63] if dtype == "INT64" else [])
        values = np.asarray(values)
        values.reshape(-1)[case.random.randrange(values.size)] = case.random.choice(wrong)
        case.bad_index = True
    return case.operand(dtype, shape, bits=values.astype(formats.storage(dtype)))


def read_index(case, index):
    """A repeated view may have lost the bad index, or have it more than once."""
    return index.read().reshape(index.shape)


def is_outside(values, size):
    return bool(np.any((values < -size) | (values >= size)))


def draw_gather(case, name):
    is_select, is_embedding = name == "IndexSelect", name == "Embedding"
    self = begin(case, 2, 2) if is_embedding else begin(case, 1, 8 if is_select else 6)
    dim, told = (0, None) if is_embedding else draw_dim(case, len(self.shape))
    size = self.shape[dim]
    most = 1 if is_select else min(3, 9 - len(self.shape))
    index_shape = case.shape(most, 12) if size else (0,)
    index = draw_index(case, size, index_shape)
    middle = index_shape if index_shape or not is_select else (1,)
    shape = self.shape[:dim] + middle + self.shape[dim + 1:]
    out = case.result(self.dtype, shape)
    case.add(self, *(() if is_embedding else (told,)), index, out).seal()
    values = read_index(case, index)
    case.bad_index = is_outside(values, size) and 0 not in shape
    if case.bad_index:
        case.results.append((out, None))
        return
    if 0 in shape:
        bits = np.zeros(shape, dtype=formats.storage(self.dtype))
    else:
        bits = np.take(self.bits().reshape(self.shape), np.where(values < 0, values + size, values), axis=dim)
    finish_bits(case, out, bits)


def draw_index_copy(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    self = case.result(dtype, case.shape(8, 300, 1))
    dim, told = draw_dim(case, len(self.shape))
    size = self.shape[dim]
    count = case.random.randint(0 if case.chance(8) else 1, 10) if size else 0
    shape = () if count == 1 and case.chance(3) else (count,)
    index = draw_index(case, size, shape)
    source = case.operand(dtype, self.shape[:dim] + (count,) + self.shape[dim + 1:], has_special=True)
    case.add(self, told, index, source).seal()
    values = read_index(case, index).reshape(-1)
    case.bad_index = is_outside(values, size) and 0 not in source.shape
    bits = np.moveaxis(self.bits().reshape(self.shape).copy(), dim, 0)
    if not case.bad_index and 0 not in source.shape:
        for value, row in zip(values, np.moveaxis(source.bits().reshape(source.shape), dim, 0)):
            bits[value] = row
    finish_bits(case, self, np.moveaxis(bits, 0, dim))


def draw_index_fill(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    self = case.result(dtype, case.shape(8, 300, 1))
    dim, told = draw_dim(case, len(self.shape))
    size = self.shape[dim]
    count = case.random.choice((0, 1, 3, 126)) if size else 0
    values = [case.random.randrange(-size, size) for _ in range(count)]
    scalar = draw_scalar(case, formats.category(dtype) < 2)
    case.add(self, told, tuple(values), scalar).seal()
    bits = self.bits().reshape(self.shape).copy()
    np.moveaxis(bits, dim, 0)[values] = encode_scalar(dtype, scalar)
    case.results.append((self, Want(bits=bits)))


def draw_masked_fill(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    self = case.result(dtype, case.shape())
    mask = case.operand("BOOL", part_of(case, self.shape))
    scalar = draw_scalar(case, formats.category(dtype) < 2)
    case.add(self, mask, scalar).seal()
    is_filled = np.broadcast_to(mask.read().reshape(mask.shape) != 0, self.shape)
    finish_bits(case, self, np.where(is_filled, encode_scalar(dtype, scalar), self.bits().reshape(self.shape)))


def reduce_number(dtype, how, old, more):
    """In double, or as integers that wrap; rounded once."""
    if how == 0:
        return more
    one, other = (formats.decode(dtype, np.atleast_1d(bits)) for bits in (old, more))
    return formats.encode(dtype, one + other if how == 1 else one * other)[0]


def scatter(case, bits, dtype, dim, values, source, how):
    """Return: whether an index is outside."""
    for at in np.ndindex(*values.shape):
        value, place = int(values[at]), list(at)
        place[dim] = value
        if is_outside(np.asarray(value), bits.shape[dim]):
            return True
        bits[tuple(place)] = reduce_number(dtype, how, bits[tuple(place)], source[at])
    return False


def draw_scatter(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    is_in_place, is_value = name.startswith("Inplace"), name.endswith("Value")
    shape = case.shape(8, 150, 1)
    out = self = case.result(dtype, shape)
    if not is_in_place:
        self = case.operand(dtype, shape, has_special=True)
    dim, told = draw_dim(case, len(shape))
    index_shape = [case.random.randint(1, size) if size else 0 for size in shape]
    index_shape[dim] = case.random.randint(0 if case.chance(8) else 1, 6) if shape[dim] else 0
    index = draw_index(case, shape[dim], tuple(index_shape))
    how = 1 if name == "ScatterAdd" else case.random.randrange(3)
    if is_value:
        value = draw_scalar(case, formats.category(dtype) < 2)
    else:
        value = case.operand(dtype, [size + case.random.randrange(2) for size in index_shape], has_special=True)
    case.add(self, told, index, value, *(() if name == "ScatterAdd" else (how,)),
             *(() if is_in_place else (out,))).seal()
    values = read_index(case, index)
    if is_value:
        source = np.full(index_shape, encode_scalar(dtype, value))
    else:
        source = value.bits().reshape(value.shape)
    bits = self.bits().reshape(shape).copy()
    case.bad_index = scatter(case, bits, dtype, dim, values, source, how) and 0 not in shape
    if case.bad_index:
        case.results.append((out, None))
    else:
        finish_bits(case, out, bits)


def draw_gather_elements(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    shape = case.shape(8, 150, 1)
    self = case.operand(dtype, shape, has_special=True)
    dim, told = draw_dim(case, len(shape))
    index_shape = [case.random.randint(1, size) if size else 0 for size in shape]
    index_shape[dim] = case.random.randint(0 if case.chance(8) else 1, 6) if shape[dim] else 0
    index = draw_index(case, shape[dim], tuple(index_shape))
    out = case.result(dtype, index_shape)
    case.add(self, told, index, out).seal()
    values = read_index(case, index)
    case.bad_index = is_outside(values, shape[dim]) and 0 not in index_shape
    if case.bad_index:
        case.results.append((out, None))
        return
    cut = tuple(slice(None) if d == dim else slice(0, n) for d, n in enumerate(index_shape))
    if 0 in index_shape:
        bits = np.zeros(index_shape, dtype=formats.storage(dtype))
    else:
        bits = np.take_along_axis(self.bits().reshape(shape)[cut], np.where(values < 0, values + shape[dim], values), dim)
    finish_bits(case, out, bits)


def draw_one_hot(case, name):
    dtype, kind = case.random.choice(formats.NUMBERS), case.random.choice(("INT32", "INT64"))
    shape, classes = case.shape(7, 60), case.random.randint(1, 6)
    values = case.numpy.integers(-classes - 2, classes + 2, shape).astype(formats.storage(kind))
    self = case.operand(kind, shape, bits=np.asarray(values))
    on, off = (case.operand(dtype, case.random.choice(((), (1,))), has_special=True) for _ in range(2))
    axis = case.random.randrange(-1, len(shape) + 1)
    at = len(shape) if axis == -1 else axis
    whole = shape[:at] + (classes,) + shape[at:]
    out = case.result(dtype, whole)
    case.add(self, classes, on, off, axis, out).seal()
    values = np.expand_dims(self.read().reshape(shape), at)
    places = np.arange(classes).reshape([-1 if d == at else 1 for d in range(len(whole))])
    is_hot = np.where(values < 0, values + classes, values) == places
    finish_bits(case, out, np.where(is_hot, on.bits().reshape(()), off.bits().reshape(())))


def draw_stack(case, name):
    dtype, shape = case.random.choice(formats.NUMBERS), case.shape(7, 100)
    dim, told = draw_dim(case, len(shape) + 1)
    count = case.random.randint(1, 15 if case.chance(8) else 4)
    members = [case.operand(dtype, shape, has_special=True) for _ in range(count)]
    out = case.result(dtype, shape[:dim] + (count,) + shape[dim:])
    case.add(members, told, out).seal()
    finish_bits(case, out, np.stack([m.bits().reshape(m.shape) for m in members], axis=dim))


OPERATORS = {
    "Gather": draw_gather_elements, "OneHot": draw_one_hot, "Stack": draw_stack, "ScatterAdd": draw_scatter,
    "Embedding": draw_gather, "InplaceMaskedFillScalar": draw_masked_fill, "Scatter": draw_scatter,
    "InplaceScatter": draw_scatter, "ScatterValue": draw_scatter, "InplaceScatterValue": draw_scatter,
    "Cat": draw_cat, "SplitTensor": draw_split, "SplitWithSize": draw_split, "ConstantPadNd": draw_pad, "Roll": draw_roll, "GatherV2": draw_gather,
    "IndexSelect": draw_gather, "InplaceIndexCopy": draw_index_copy, "InplaceIndexFillTensor": draw_index_fill,
    **{name: draw_copied_pad for name in ("ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
                                          "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d")},
}
LIMIT = 0.0
