# SPDX-License-Identifier: MIT
"""Operators along dims: sums, norms, running sums, maxima, sorting, softmax and its loss. Floating sums are
accumulated in double by both sides, in different orders."""
import numpy as np

import formats
from case import Scalar, Want, draw_scalar, exactly, near
from elementwise import TINY, as_compute, choose_compute, choose_result
from layout import draw_dim

DOUBLE = 2.0 ** -52
SINGLE = 2.0 ** -23


def draw_self(case, kinds, has_zero=True, elements=300):
    dtype = case.random.choice(kinds)
    return case.operand(dtype, case.shape(8, elements, 0, has_zero), scale=case.random.choice((1, 4, 20)),
                        has_special=case.chance(3))


def draw_axis(case, self):
    """A tensor without dims counts as one of a single dim."""
    if not self.shape:
        return 0, case.random.choice((0, -1))
    return draw_dim(case, len(self.shape))


def draw_axes(case, self):
    """Return: the dims, and what the program gives; no dims are all dims."""
    ndim = len(self.shape)
    dims = case.random.sample(range(ndim), case.random.randint(0, ndim))
    told = tuple(d - ndim if case.chance(3) else d for d in dims)
    return tuple(dims) if dims else tuple(range(ndim)), told


def reduced_shape(case, shape, dims, keeps):
    """A result of one element may have no dim or one."""
    wanted = tuple(1 if d in dims else size for d, size in enumerate(shape) if keeps or d not in dims)
    return case.random.choice(((), (1,))) if wanted in ((), (1,)) else wanted


def values_of(self):
    return self.read().reshape(self.shape)


def sum_error(x, dims, total):
    """Of a sum in double, in any order, that is rounded once."""
    sizes = np.where(np.isfinite(x), np.abs(x), 0.0).sum(axis=dims)
    return (x.size + 4) * DOUBLE * sizes + DOUBLE * np.abs(total)


def draw_sum(case, name):
    self = draw_self(case, formats.NUMBERS)
    dims, told = draw_axes(case, self)
    keeps = case.random.random() < 0.5
    category = formats.category(self.dtype)
    out = case.result(choose_result(case, category), reduced_shape(case, self.shape, dims, keeps))
    case.add(self, told, keeps, formats.TYPES[out.dtype][0], out).seal()
    x = values_of(self)
    if category < 2:
        case.results.append((out, exactly(out.dtype, np.asarray(x.sum(axis=dims)).reshape(out.shape))))
        return
    total = np.asarray(x.sum(axis=dims))
    error = np.asarray(sum_error(x, dims, total))
    case.results.append((out, near(total.reshape(out.shape), error.reshape(out.shape))))


def draw_mean(case, name):
    self = draw_self(case, formats.FLOATS)
    dims, told = draw_axes(case, self)
    keeps = case.random.random() < 0.5
    out = case.result(case.random.choice(formats.FLOATS), reduced_shape(case, self.shape, dims, keeps))
    case.add(self, told, keeps, formats.TYPES[out.dtype][0], out).seal()
    x = values_of(self)
    count = np.prod([self.shape[d] for d in dims], dtype=float)
    total = np.asarray(x.sum(axis=dims))
    values, error = total / count, np.asarray(sum_error(x, dims, total)) / max(count, 1)
    case.results.append((out, near(values.reshape(out.shape), error.reshape(out.shape))))


def norm(x, p, dims):
    x = np.abs(x)
    if np.isinf(p):
        return np.max(x, axis=dims) if p > 0 else np.min(x, axis=dims)
    if p == 0:
        return (x != 0).sum(axis=dims).astype(np.float64)
    return (x ** p).sum(axis=dims) ** (1 / p)


def draw_norm(case, name):
    self = draw_self(case, formats.FLOATS, has_zero=False)
    dims, told = draw_axes(case, self)
    keeps = case.random.random() < 0.5
    p = case.random.choice((0.0, 1.0, 2.0, 2.0, 3.0, 0.5, float("inf"), float("-inf")))
    out = case.result(case.random.choice(formats.FLOATS), reduced_shape(case, self.shape, dims, keeps))
    case.add(self, Scalar(p, "FLOAT"), told, keeps, out).seal()
    x = values_of(self)
    values = np.asarray(norm(x, p, dims) if dims else norm(x[None], p, (0,)))
    case.results.append((out, near(values.reshape(out.shape), 4 * SINGLE * np.abs(values.reshape(out.shape)) + TINY)))


def draw_running_sum(case, name):
    self = draw_self(case, formats.NUMBERS)
    dim, told = draw_axis(case, self)
    category = formats.category(self.dtype)
    out = case.result(choose_result(case, category), self.shape)
    case.add(self, told, formats.TYPES[out.dtype][0], out).seal()
    x = np.atleast_1d(values_of(self))
    values = np.cumsum(x, axis=dim)
    if category < 2:
        case.results.append((out, exactly(out.dtype, values)))
        return
    sizes = np.cumsum(np.where(np.isfinite(x), np.abs(x), 0), axis=dim)
    error = (x.shape[dim] + 4) * DOUBLE * sizes
    if "DOUBLE" not in (self.dtype, out.dtype):
        # The sum is rounded to F32 before it is stored.
        values = values.astype(np.float32).astype(np.float64)
        error = error + SINGLE / 2 * np.abs(values) + 2.0 ** -149
    case.results.append((out, near(values, error)))


def draw_maximum(case, name):
    self = draw_self(case, formats.NUMBERS, has_zero=False)
    dim, told = draw_axis(case, self)
    keeps = case.random.random() < 0.5
    shape = reduced_shape(case, self.shape, (dim,), keeps)
    out = case.result(case.random.choice(("INT32", "INT64")), shape)
    case.add(self, told, keeps, out).seal()
    values = np.asarray(np.argmax(np.atleast_1d(values_of(self)), axis=dim), dtype=np.int64)
    case.results.append((out, exactly(out.dtype, values.reshape(shape))))


def sort_indices(x, dim, descending):
    """Stable; NaN is the greatest."""
    if not descending:
        return np.argsort(x, axis=dim, kind="stable")
    if x.dtype == np.int64:
        return np.argsort(~x, axis=dim, kind="stable")
    return np.lexsort((np.where(np.isnan(x), 0.0, -x), ~np.isnan(x)), axis=dim)


def draw_sort(case, name):
    self = draw_self(case, formats.NUMBERS)
    dim, told = draw_axis(case, self)
    descending = case.random.random() < 0.5
    out = case.result(case.random.choice(("INT32", "INT64")), self.shape)
    case.add(self, told, descending, out).seal()
    indices = sort_indices(np.atleast_1d(values_of(self)), dim, descending)
    case.results.append((out, exactly(out.dtype, indices.astype(np.int64))))


def softmax(x, dim):
    weights = np.exp(x - np.max(x, axis=dim, keepdims=True, initial=-np.inf))
    return weights / weights.sum(axis=dim, keepdims=True)


def log_softmax(x, dim):
    logs = x - np.max(x, axis=dim, keepdims=True, initial=-np.inf)
    return logs - np.log(np.exp(logs).sum(axis=dim, keepdims=True))


def draw_softmax(case, name):
    is_in_place = case.chance(6)
    if is_in_place:
        self = out = case.result(case.random.choice(formats.FLOATS), case.shape(), scale=20)
        dim, told = draw_axis(case, self)
    else:
        self = draw_self(case, formats.FLOATS)
        dim, told = draw_axis(case, self)
        out = case.result(case.random.choice(formats.FLOATS), self.shape)
    case.add(self, told, out).seal()
    x = np.atleast_1d(values_of(self))
    if name == "LogSoftmax":
        # The weights of the sum are off by a few units, and so is its logarithm.
        values = log_softmax(x, dim)
        case.results.append((out, near(values, 16 * SINGLE + SINGLE * np.abs(values))))
        return
    values = softmax(x, dim)
    # The difference to the maximum is rounded, so small results are off by more units.
    spread = np.abs(x - np.max(x, axis=dim, keepdims=True, initial=-np.inf))
    spread = np.where(np.isfinite(spread), np.minimum(spread, 200), 0)
    case.results.append((out, near(values, values * SINGLE * (4 + spread) + TINY)))


def draw_loss(case, name):
    shape = (case.random.randint(0 if case.chance(32) else 1, 9), case.random.randint(1, 40))
    features = case.operand(case.random.choice(formats.FLOATS), shape, scale=case.random.choice((1, 10)))
    labels = case.operand(case.random.choice(formats.FLOATS), shape, scale=1)
    loss = case.result(case.random.choice(formats.FLOATS), shape[:1])
    backprop = case.result(case.random.choice(formats.FLOATS), shape)
    case.add(features, labels, loss, backprop).seal()
    x, y = values_of(features), values_of(labels)
    weights = softmax(x, 1)
    logs = log_softmax(x, 1)
    sizes = np.abs(y * logs).sum(axis=1) + np.abs(y).sum(axis=1)
    case.results.append((loss, near(-(y * logs).sum(axis=1), 8 * SINGLE * sizes)))
    case.results.append((backprop, near(weights - y, 16 * SINGLE * weights + SINGLE * np.abs(y) + TINY)))


OPERATORS = {
    "ReduceSum": draw_sum, "Mean": draw_mean, "Norm": draw_norm, "Cumsum": draw_running_sum,
    "ArgMax": draw_maximum, "Argsort": draw_sort, "Softmax": draw_softmax, "LogSoftmax": draw_softmax,
    "SoftmaxCrossEntropyWithLogits": draw_loss,
}
LIMIT = 1e-7
