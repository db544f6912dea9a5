# SPDX-License-Identifier: MIT
"""Convolutions, im2col and pools, by a loop over the elements of the window."""
import itertools

import numpy as np

import formats
from case import near, reals
from elementwise import TINY
from layout import finish_bits
from matrices import read
from norms import draw_result

UNIT = 2.0 ** -24


def pair(case, values, may_join=True):
    """An entry for each dim, or one for both."""
    if may_join and len(values) == 2 and values[0] == values[1] and case.chance(2):
        return (values[0],)
    return tuple(values)


def positions(size, kernel, stride, low, high, dilation, rounds_up=False):
    rest = size + low + high - dilation * (kernel - 1) - 1
    if rest + (stride - 1 if rounds_up else 0) < 0:
        return 0
    count = (rest + (stride - 1 if rounds_up else 0)) // stride + 1
    return count - 1 if rounds_up and (count - 1) * stride - low >= size else count


def draw_numbers(case, axes, kernel=None):
    kernel = kernel or [case.random.randint(1, 4) for _ in range(axes)]
    stride = [case.random.randint(1, 3) for _ in range(axes)]
    dilation = [case.random.randint(1, 3) if case.chance(3) else 1 for _ in range(axes)]
    padding = [case.random.randint(0, 3) if case.chance(2) else 0 for _ in range(axes)]
    return kernel, stride, padding, dilation


def draw_float(case, shape):
    dtype = case.random.choice(formats.FLOATS)
    return case.operand(dtype, shape, bits=formats.encode(dtype, case.numpy.uniform(-2, 2, shape)))


def taps(kernel):
    return itertools.product(*(range(k) for k in kernel))


def convolve(x, w, stride, padding, dilation, groups, size):
    """x [n, g, c, ...], w [g, o, c, ...]: [n, g, o, ...]"""
    x = np.pad(x, [(0, 0)] * 3 + list(padding))
    out = np.zeros((x.shape[0], groups, w.shape[1], *size))
    for tap in taps(w.shape[3:]):
        where = tuple(slice(k * d, k * d + (n - 1) * s + 1, s)
                      for k, d, n, s in zip(tap, dilation, size, stride))
        out += np.einsum("ngc...,goc->ngo...", x[(..., *where)], w[(..., *tap)])
    return out


def convolve_transposed(x, w, stride, padding, dilation, groups, size):
    """x [n, g, c, ...], w [g, c, o, ...]"""
    full = [n + sum(p) for n, p in zip(size, padding)]
    room = [max(f, (n - 1) * s + d * (k - 1) + 1)
            for f, n, s, d, k in zip(full, x.shape[3:], stride, dilation, w.shape[3:])]
    out = np.zeros((x.shape[0], groups, w.shape[2], *room))
    for tap in taps(w.shape[3:]):
        where = tuple(slice(k * d, k * d + (n - 1) * s + 1, s)
                      for k, d, n, s in zip(tap, dilation, x.shape[3:], stride))
        out[(..., *where)] += np.einsum("ngc...,gco->ngo...", x, w[(..., *tap)])
    return out[(..., *(slice(p[0], p[0] + n) for p, n in zip(padding, size)))]


def result_sizes(image, kernel, stride, padding, dilation, extra, transposed):
    if not transposed:
        return [positions(n, k, s, *p, d) for n, k, s, p, d in zip(image, kernel, stride, padding, dilation)]
    return [(n - 1) * s - sum(p) + d * (k - 1) + e + 1
            for n, k, s, p, d, e in zip(image, kernel, stride, padding, dilation, extra)]


def draw_padding(case, padding):
    """There may be an entry for each side, and must be where they differ."""
    if case.chance(4) or any(low != high for low, high in padding):
        return tuple(side for sides in padding for side in sides)
    return pair(case, [low for low, _ in padding])


def draw_convolution(case, name):
    axes, transposed = case.random.randint(1, 2), case.random.random() < 0.5
    groups, c, o = case.random.randint(1, 3), case.random.randint(1, 4), case.random.randint(1, 4)
    if case.chance(16):
        c, o = 16, 24
    n = case.random.randint(0 if case.chance(32) else 1, 3)
    image = [case.size(12 if axes == 2 else 40) for _ in range(axes)]
    kernel, stride, padding, dilation = draw_numbers(case, axes)
    is_even = case.random.random() < 0.5
    padding = [(p, p if is_even else case.random.randint(0, 3)) for p in padding]
    extra = [case.random.randrange(max(s, d)) for s, d in zip(stride, dilation)]
    size = result_sizes(image, kernel, stride, padding, dilation, extra, transposed)
    if min(size) <= 0:
        padding, image = [(0, 0)] * axes, [i + 12 for i in image]
        size = result_sizes(image, kernel, stride, padding, dilation, extra, transposed)
    shape = (groups * c, o) if transposed else (groups * o, c)
    x, w = draw_float(case, (n, groups * c, *image)), draw_float(case, (*shape, *kernel))
    bias = draw_float(case, (groups * o,)) if case.chance(2) else None
    out = draw_result(case, (n, groups * o, *size))
    told_extra = pair(case, extra) if transposed else draw_padding(case, padding)
    case.add(x, w, bias, pair(case, stride), draw_padding(case, padding), pair(case, dilation), transposed,
             told_extra, groups, out, 0).seal()
    numbers = read(x).reshape(n, groups, c, *image)
    weights = read(w).reshape(groups, *((c, o) if transposed else (o, c)), *kernel)
    work = convolve_transposed if transposed else convolve
    added = read(bias).reshape(1, groups, o, *([1] * axes)) if bias else np.zeros(1)
    values = work(numbers, weights, stride, padding, dilation, groups, size) + added
    sizes = work(np.abs(numbers), np.abs(weights), stride, padding, dilation, groups, size) + np.abs(added)
    error = (c * np.prod(kernel) + 4) * UNIT * sizes + TINY
    case.results.append((out, near(values.reshape(out.shape), error.reshape(out.shape))))


def draw_image(case):
    lead = (case.random.randint(0 if case.chance(32) else 1, 3),) if case.chance(2) else ()
    return lead + (case.random.randint(1, 4), case.size(12), case.size(12))


def draw_columns(case, name):
    shape = draw_image(case)
    kernel, stride, padding, dilation = draw_numbers(case, 2)
    sides = [(p, p) for p in padding]
    size = result_sizes(shape[-2:], kernel, stride, sides, dilation, None, False)
    if min(size) == 0:
        kernel, size = [1, 1], result_sizes(shape[-2:], (1, 1), stride, sides, dilation, None, False)
    dtype = case.random.choice(formats.NUMBERS)
    self = case.operand(dtype, shape, has_special=True)
    out = case.result(dtype, shape[:-3] + (shape[-3] * kernel[0] * kernel[1], size[0] * size[1]))
    case.add(self, *(pair(case, v) for v in (kernel, dilation, padding, stride)), out).seal()
    bits = self.bits().reshape(shape)
    bits = np.pad(bits, [(0, 0)] * (len(shape) - 2) + sides)
    columns = []
    for tap in taps(kernel):
        where = tuple(slice(k * d, k * d + (n - 1) * s + 1, s)
                      for k, d, n, s in zip(tap, dilation, size, stride))
        columns.append(bits[(..., *where)])
    finish_bits(case, out, np.stack(columns, axis=-3).reshape(out.shape))


def windows(x, kernel, stride, low, high, dilation, size, fill):
    """[taps, ..., oh, ow] of an operand in a border of @fill that is wide enough."""
    border = [(l, h + k * d + s) for l, h, k, d, s in zip(low, high, kernel, dilation, stride)]
    x = np.pad(x, [(0, 0)] * (x.ndim - 2) + border, constant_values=fill)
    return np.stack([x[(..., *(slice(k * d, k * d + (n - 1) * s + 1, s)
                               for k, d, n, s in zip(tap, dilation, size, stride)))] for tap in taps(kernel)])


def draw_pool_numbers(case, shape, is_mean):
    kernel = [case.random.randint(1, min(4, n + 1)) for n in shape[-2:]]
    dilation = [1, 1] if is_mean or case.chance(2) else [case.random.randint(1, 2) for _ in range(2)]
    half = [(d * (k - 1) + 1) // 2 for k, d in zip(kernel, dilation)]
    low = [case.random.randint(0, h) for h in half]
    high = low if is_mean or case.chance(2) else [case.random.randint(0, h) for h in half]
    return kernel, [case.random.randint(1, 3) for _ in range(2)], low, high, dilation


def begin_pool(case, is_mean):
    shape = draw_image(case)
    kernel, stride, low, high, dilation = draw_pool_numbers(case, shape, is_mean)
    rounds_up = case.chance(3)
    size = [positions(*numbers, rounds_up) for numbers in zip(shape[-2:], kernel, stride, low, high, dilation)]
    dtype = case.random.choice(formats.FLOATS)
    self = case.operand(dtype, shape, has_special=case.chance(3))
    out = case.result(dtype, shape[:-2] + tuple(size))
    told_stride = pair(case, stride) if stride != kernel or case.chance(2) else ()
    return self, out, kernel, stride, low, high, dilation, rounds_up, size, told_stride


def draw_mean(case, name):
    self, out, kernel, stride, low, high, dilation, rounds_up, size, told = begin_pool(case, True)
    counts_padding, divisor = case.random.random() < 0.5, case.random.choice((0, 0, 3, -2))
    case.add(self, pair(case, kernel), told, pair(case, low), rounds_up, counts_padding, divisor, 0, out).seal()
    if 0 in out.shape:
        return case.results.append((out, near(np.zeros(out.shape), 0.0)))
    x = read(self)
    numbers = windows(x, kernel, stride, low, high, dilation, size, 0.0)
    where = np.pad(np.zeros(x.shape[-2:]) + 1.0, [(p, p) for p in low],
                   constant_values=1.0 if counts_padding else 0.0)
    count = windows(where, kernel, stride, (0, 0), (0, 0), dilation, size, 0.0).sum(axis=0)
    count = np.where(count == 0, 1, count) if divisor == 0 else divisor
    values = numbers.sum(axis=0) / count
    error = UNIT * np.abs(values) + 2.0 ** -48 * np.abs(np.nan_to_num(numbers, posinf=0, neginf=0)).sum(axis=0)
    return case.results.append((out, near(values, error + 2.0 ** -149)))


def draw_maximum(case, name):
    self, out, kernel, stride, low, high, dilation, rounds_up, size, told = begin_pool(case, False)
    pads = tuple(low + high) if low != high or case.chance(2) else pair(case, low)
    case.add(self, pair(case, kernel), told, 0, pads if any(pads) or case.chance(2) else (),
             pair(case, dilation) if max(dilation) > 1 or case.chance(2) else (), int(rounds_up), out).seal()
    if 0 in out.shape:
        return case.results.append((out, near(np.zeros(out.shape), 0.0)))
    numbers = windows(read(self), kernel, stride, low, high, dilation, size, -np.inf)
    return case.results.append((out, near(numbers.max(axis=0), 0.0)))


def cubic(distance):
    x, a = np.abs(distance), -0.75
    near_ = ((a + 2) * x - (a + 3)) * x * x + 1
    return np.where(x <= 1, near_, np.where(x < 2, ((a * x - 5 * a) * x + 8 * a) * x - 4 * a, 0))


def resize_matrix(m, n, scale, aligns, is_cubic):
    """[n, m]: the weights of the elements of one dim."""
    i = np.arange(n)
    x = (i * ((m - 1) / (n - 1)) if n > 1 else i * 0.0) if aligns else (i + 0.5) / scale - 0.5
    weights = np.zeros((n, m))
    for step in range(-1, 3):
        at = np.floor(x) + step
        weight = cubic(x - at) if is_cubic else np.maximum(1 - np.abs(x - at), 0)
        np.add.at(weights, (i, np.clip(at, 0, m - 1).astype(int)), weight)
    return weights


def draw_resize(case, name):
    dims = int(name[-2])
    shape = [case.random.randint(1, 3) for _ in range(2)] + [case.size(5) for _ in range(dims)]
    self = draw_float(case, shape)
    sizes = [case.random.randint(1, 9) for _ in range(dims)]
    aligns = case.random.randrange(2)
    told = [case.random.choice((0.0, 0.0, case.random.uniform(0.3, 3))) for _ in range(dims)]
    out = draw_result(case, shape[:2] + sizes)
    case.add(self, tuple(sizes), aligns, *told, out).seal()
    x = read(self)
    size = np.abs(x)
    for d, (n, scale) in enumerate(zip(sizes, told)):
        m = shape[2 + d]
        matrix = resize_matrix(m, n, scale or n / m, aligns, "cubic" in name)
        x = np.moveaxis(np.tensordot(matrix, x, axes=(1, 2 + d)), 0, 2 + d)
        size = np.moveaxis(np.tensordot(np.abs(matrix), size, axes=(1, 2 + d)), 0, 2 + d)
    case.results.append((out, near(x, size * 20 * UNIT + TINY)))


def draw_scaled(case, name):
    """Resize: by factors, to the nearest element or by linear weights."""
    shape = [case.random.randint(1, 3) for _ in range(2)] + [case.size(7) for _ in range(case.random.randint(1, 3))]
    self = draw_float(case, shape)
    scales = [float(np.float32(case.random.choice((2.0, 0.5, 1.0, case.random.uniform(0.3, 3))))) for _ in shape[2:]]
    sizes = [int(np.floor(m * scale)) for m, scale in zip(shape[2:], scales)]
    mode = case.random.choice(("nearest", "bilinear"))
    out = case.result(self.dtype if mode == "nearest" else case.random.choice(formats.FLOATS), shape[:2] + sizes)
    case.add(self, reals(*([1.0, 1.0] if case.chance(2) else []), *scales), mode, out).seal()
    x = read(self)
    size = np.abs(x)
    for d, (n, scale) in enumerate(zip(sizes, scales)):
        m = shape[2 + d]
        if mode == "nearest":
            at = np.clip(np.ceil((np.arange(n) + 0.5) / scale - 1), 0, m - 1).astype(int)
            x, size = np.take(x, at, axis=2 + d), np.take(size, at, axis=2 + d)
            continue
        matrix = resize_matrix(m, n, scale, False, False)
        x = np.moveaxis(np.tensordot(matrix, x, axes=(1, 2 + d)), 0, 2 + d)
        size = np.moveaxis(np.tensordot(np.abs(matrix), size, axes=(1, 2 + d)), 0, 2 + d)
    case.results.append((out, near(x, size * 20 * UNIT + TINY)))


OPERATORS = {
    "Resize": draw_scaled,
    "Convolution": draw_convolution, "Im2col": draw_columns, "AvgPool2d": draw_mean, "MaxPool": draw_maximum,
    **{name: draw_resize for name in ("UpsampleLinear1d", "UpsampleBilinear2d", "UpsampleBicubic2d",
                                      "UpsampleTrilinear3d")},
}
LIMIT = 1e-7
