# SPDX-License-Identifier: MIT
"""Norms: along the last dims, and along groups of channels. Sums are taken in double by both sides."""
import math

import numpy as np

import formats
from case import near
from elementwise import TINY
from matrices import read

UNIT = 2.0 ** -24


def draw_float(case, shape, scale=4.0, **how):
    return case.operand(case.random.choice(formats.FLOATS), shape, scale=scale, **how)


def draw_result(case, shape, **how):
    return case.result(case.random.choice(formats.FLOATS), shape, **how)


def draw_rows(case):
    """A shape and how many of its last dims are a row."""
    shape = case.shape(8, 400, 1, has_zero=False)
    ndim = case.random.randint(1, len(shape))
    if ndim < len(shape) and case.chance(32):
        shape = (0,) + shape[1:]
    return shape, ndim


def count_shape(case, count):
    """Any shape of so many elements."""
    return case.random.choice(((count,), (1, count), (count, 1, 1)))


def draw_epsilon(case):
    return case.random.choice((1e-6, 1e-5, 1e-3, 1.0, 10.0))


def add_scaled(case, out, x, mean, rstd, factors, addends):
    """out = (x - mean) * rstd * factors + addends"""
    values = (x - mean) * rstd * factors + addends
    error = UNIT * ((np.abs(x - mean) * 10 + 2 * np.abs(x) + 2 * np.abs(mean)) * rstd * np.abs(factors) +
                    2 * np.abs(addends))
    case.results.append((out, near(values, error + TINY)))


def add_root_mean(case, out, rstd, x, gamma, epsilon, ndim):
    axes = tuple(range(x.ndim - ndim, x.ndim))
    reciprocal = 1 / np.sqrt(np.mean(x * x, axis=axes, keepdims=True) + epsilon)
    add_scaled(case, out, x, 0.0, reciprocal, gamma, 0.0)
    case.results.append((rstd, near(reciprocal.reshape(rstd.shape), 8 * UNIT * reciprocal.reshape(rstd.shape))))


def draw_rms(case, name):
    shape, ndim = draw_rows(case)
    is_in_place = case.chance(8)
    x = draw_result(case, shape) if is_in_place else draw_float(case, shape)
    if is_in_place:
        values = formats.draw(case.random, case.numpy, x.dtype, shape)
        case.writes[-1:] = [(x.positions, values)] if case.writes and 0 not in shape else case.writes[-1:]
    gamma = draw_float(case, shape[len(shape) - ndim:])
    y = x if is_in_place else draw_result(case, shape)
    rstd = draw_result(case, count_shape(case, math.prod(shape[:len(shape) - ndim])), is_dense=True)
    epsilon = draw_epsilon(case)
    case.add(x, gamma, epsilon, y, rstd).seal()
    add_root_mean(case, y, rstd, read(x), read(gamma), epsilon, ndim)


def draw_add_rms(case, name):
    shape, ndim = draw_rows(case)
    one, other = draw_float(case, shape), draw_float(case, shape)
    gamma = draw_float(case, shape[len(shape) - ndim:])
    y, x = draw_result(case, shape), draw_result(case, shape)
    rstd = draw_result(case, count_shape(case, math.prod(shape[:len(shape) - ndim])), is_dense=True)
    epsilon = draw_epsilon(case)
    case.add(one, other, gamma, epsilon, y, rstd, x).seal()
    total = (read(one).astype(np.float32) + read(other).astype(np.float32)).astype(np.float64)
    case.results.append((x, near(total, 0.0)))
    # The sum counts as it is stored.
    total = formats.decode(x.dtype, formats.encode(x.dtype, total))
    add_root_mean(case, y, rstd, total, read(gamma), epsilon, ndim)


def add_moments(case, results, mean, rstd):
    for out, values, size in zip(results, (mean, rstd), (8, 16)):
        if out:
            values = values.reshape(out.shape)
            case.results.append((out, near(values, size * UNIT * (np.abs(values) + (size == 8)))))


def draw_layer(case, name):
    shape, ndim = draw_rows(case)
    row = shape[len(shape) - ndim:]
    self = draw_float(case, shape)
    weight = draw_float(case, row) if case.chance(2) else None
    bias = draw_float(case, row) if case.chance(2) else None
    out = draw_result(case, shape)
    count = math.prod(shape[:len(shape) - ndim])
    moments = [draw_result(case, count_shape(case, count)) if case.chance(2) else None for _ in range(2)]
    epsilon = draw_epsilon(case)
    case.add(self, row, weight, bias, epsilon, out, *moments).seal()
    x = read(self)
    axes = tuple(range(x.ndim - ndim, x.ndim))
    mean = x.mean(axis=axes, keepdims=True)
    rstd = 1 / np.sqrt(((x - mean) ** 2).mean(axis=axes, keepdims=True) + epsilon)
    add_scaled(case, out, x, mean, rstd, read(weight) if weight else 1.0, read(bias) if bias else 0.0)
    add_moments(case, moments, mean, rstd)


def draw_group(case, name):
    group, each = case.random.randint(1, 4), case.random.randint(1, 4)
    n, channels = case.random.randint(0 if case.chance(32) else 1, 4), group * each
    pixels = case.shape(3, 60, 0, has_zero=False)
    shape = (n, channels) + pixels
    self = draw_float(case, shape)
    gamma, beta = (draw_float(case, (channels,)) if case.chance(2) else None for _ in range(2))
    out = draw_result(case, shape)
    moments = [draw_result(case, (n, group) if case.chance(2) else (n * group,)) for _ in range(2)]
    epsilon = draw_epsilon(case)
    case.add(self, gamma, beta, n, channels, math.prod(pixels), group, epsilon, out, *moments).seal()
    x = read(self).reshape(n, group, each, math.prod(pixels))
    mean = x.mean(axis=(2, 3), keepdims=True)
    rstd = 1 / np.sqrt(((x - mean) ** 2).mean(axis=(2, 3), keepdims=True) + epsilon)
    factors = read(gamma).reshape(1, group, each, 1) if gamma else 1.0
    addends = read(beta).reshape(1, group, each, 1) if beta else 0.0
    add_scaled(case, out, x, mean, rstd, factors, addends)
    add_moments(case, moments, mean, rstd)


def draw_batch(case, name):
    training = case.chance(2)
    channels, batch = case.random.randint(1, 6), case.random.randint(1, 4)
    shape = (batch, channels) + case.shape(4, 60, 0, has_zero=False)
    self, out = draw_float(case, shape), draw_result(case, shape)
    weight, bias = (draw_float(case, (channels,)) if case.chance(2) else None for _ in range(2))
    has_old = not training or case.chance(2)
    old_mean = draw_result(case, (channels,)) if has_old else None
    positive = formats.encode("FLOAT", case.numpy.uniform(0.1, 4, (channels,)))
    old_var = case.result("FLOAT", (channels,)) if has_old else None
    if has_old:
        case.writes[-1] = (old_var.positions, positive)
    saved = [draw_result(case, (channels,)) if case.chance(2) else None for _ in range(2)]
    momentum, epsilon = case.random.choice((0.0, 0.1, 1.0)), draw_epsilon(case)
    case.add(self, weight, bias, old_mean, old_var, training, momentum, epsilon, out, *saved).seal()
    x = read(self)
    axes, columns = (0, *range(2, x.ndim)), (1, channels) + (1,) * (x.ndim - 2)
    count = x.size / channels
    mean = x.mean(axis=axes) if training else read(old_mean).astype(np.float64)
    variance = x.var(axis=axes) if training else read(old_var).astype(np.float64)
    rstd = 1 / np.sqrt(variance + epsilon)
    add_scaled(case, out, x, mean.reshape(columns), rstd.reshape(columns),
               read(weight).reshape(columns) if weight else 1.0, read(bias).reshape(columns) if bias else 0.0)
    if not training:
        return
    add_moments(case, saved, mean, rstd)
    sample = variance * count / max(count - 1, 1)
    for old, new in ((old_mean, mean), (old_var, sample)):
        if old:
            moved = (1 - momentum) * read(old) + momentum * new
            case.results.append((old, near(moved, 8 * UNIT * (np.abs(moved) + np.abs(new)) + TINY)))


OPERATORS = {"BatchNorm": draw_batch,
             "RmsNorm": draw_rms, "AddRmsNorm": draw_add_rms, "LayerNorm": draw_layer, "GroupNorm": draw_group}
LIMIT = 1e-7
