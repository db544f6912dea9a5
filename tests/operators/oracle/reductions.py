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
    is_none = name == "MeanV2" and case.chance(2)  # whether no dims are none
    dims = () if is_none and not told else dims
    out = case.result(case.random.choice(formats.FLOATS), reduced_shape(case, self.shape, dims, keeps))
    case.add(self, told, keeps, is_none if name == "MeanV2" else formats.TYPES[out.dtype][0], out).seal()
    add_mean(case, self, dims, out)


def draw_pool(case, name):
    """GlobalAveragePool: [N, C, ..]"""
    self = case.operand(case.random.choice(formats.FLOATS), case.shape(8, 300, 2))
    dims = tuple(range(2, len(self.shape)))
    out = case.result(case.random.choice(formats.FLOATS), self.shape[:2] + (1,) * len(dims))
    case.add(self, out).seal()
    add_mean(case, self, dims, out)


def add_mean(case, self, dims, out):
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
    case.add(self, Scalar(p, "FLOAT"), told, keeps)
    if name == "LinalgVectorNorm":
        case.add(formats.TYPES[out.dtype][0])
    case.add(out).seal()
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
    function = np.argmin if name == "ArgMin" else np.argmax
    values = np.asarray(function(np.atleast_1d(values_of(self)), axis=dim), dtype=np.int64)
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


def named_fold(name, x, axes, correction):
    """x has the dims of @axes as its last one."""
    if name in ("Amax", "Max"):
        return np.max(x, axis=-1)
    if name in ("Amin", "Min"):
        return np.min(x, axis=-1)
    if name == "All":
        return np.all(x != 0, axis=-1).astype(np.int64)
    if name == "Any":
        return np.any(x != 0, axis=-1).astype(np.int64)
    if name.startswith("Prod"):
        return np.prod(x, axis=-1)
    if name == "LogSumExp":
        return np.logaddexp.reduce(x, axis=-1, initial=-np.inf)
    count = x.shape[-1]
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).sum(axis=-1) / max(count - correction, 0)
    return np.sqrt(variance) if name == "Std" else variance


# name: (types, how the program names the dims, what else it gives)
FOLDS = {
    "Amax": ("number", "dims", ""), "Amin": ("number", "dims", ""), "Max": ("number", "", ""), "Min": ("number", "", ""),
    "Prod": ("number", "", "dtype"), "ProdDim": ("number", "dim", "dtype"), "All": ("truth", "dims", ""),
    "Any": ("truth", "dims", ""), "Var": ("floating", "dims", "unbiased"),
    "VarCorrection": ("floating", "dims", "correction"), "Std": ("floating", "dims", "correction"),
    "LogSumExp": ("floating", "dims", ""),
}


def draw_fold(case, name):
    row, named, more = FOLDS[name]
    has_zero = row == "truth" or name.startswith("Prod")
    self = draw_self(case, formats.FLOATS if row == "floating" else formats.NUMBERS, has_zero)
    keeps, correction = case.random.random() < 0.5, 0
    dims, arguments = tuple(range(len(self.shape))), []
    if named == "dims":
        dims, told = draw_axes(case, self)
        arguments = [told]
    elif named == "dim":
        dim, told = draw_axis(case, self)
        dims, arguments = (dim,) if self.shape else (), [told]
    if more in ("unbiased", "correction"):
        correction = case.random.randrange(2 if more == "unbiased" else 4)
        arguments.append(correction)
    if named:
        arguments.append(keeps)
    category = 0 if row == "truth" else formats.category(self.dtype)
    kinds = formats.FLOATS if row == "floating" else formats.NUMBERS
    out = case.result(choose_result(case, category, kinds), reduced_shape(case, self.shape, dims, keeps and named != ""))
    if more == "dtype":
        arguments.append(formats.TYPES[out.dtype][0])
    case.add(self, *arguments, out).seal()
    x = values_of(self)
    kept = [d for d in range(x.ndim) if d not in dims]
    x = np.transpose(x, kept + list(dims)).reshape([x.shape[d] for d in kept] + [-1] if x.size else
                                                   [x.shape[d] for d in kept] + [int(np.prod([x.shape[d] for d in dims]))])
    values = np.asarray(named_fold(name, x, dims, correction)).reshape(out.shape)
    if row != "floating" and not (name.startswith("Prod") and category == 2):
        case.results.append((out, exactly(out.dtype, values)))
        return
    count = x.shape[-1]
    error = (count + 4) * DOUBLE * 4 * np.abs(values)
    if name in ("Var", "VarCorrection", "Std"):
        # The mean is off by the size of the numbers.
        sizes = np.where(np.isfinite(x), np.abs(x), 0).max(axis=-1, initial=0).reshape(out.shape)
        spread = (count + 4) * DOUBLE * 8 * sizes
        error = error + (spread if name == "Std" else spread * (sizes + 1))
    case.results.append((out, near(values, error + 2.0 ** -1022)))


def draw_extreme(case, name):
    self = draw_self(case, formats.NUMBERS, has_zero=False)
    dim, told = draw_axis(case, self)
    keeps = case.random.random() < 0.5
    shape = tuple(1 if d == dim else n for d, n in enumerate(self.shape) if keeps or d != dim)
    out = case.result(self.dtype, shape)
    indices = case.result(case.random.choice(("INT32", "INT64")), shape)
    case.add(self, told, keeps, out, indices).seal()
    x = np.atleast_1d(values_of(self))
    found = np.asarray((np.argmax if name == "MaxDim" else np.argmin)(x, axis=dim))
    bits = np.take_along_axis(self.bits().reshape(x.shape), np.expand_dims(found, dim), axis=dim)
    case.results.append((out, Want(bits=bits.reshape(shape))))
    case.results.append((indices, exactly(indices.dtype, found.astype(np.int64).reshape(shape))))


def draw_first(case, name):
    """Topk and Sort: elements and their places."""
    self = draw_self(case, formats.NUMBERS)
    dim, told = draw_axis(case, self)
    descending = case.random.random() < 0.5
    length = self.shape[dim] if self.shape else 1
    count = case.random.randint(0 if case.chance(8) else min(1, length), length) if name == "Topk" else length
    if not self.shape:
        count = 1
    shape = tuple(count if d == dim else n for d, n in enumerate(self.shape))
    values = case.result(self.dtype, shape)
    indices = case.result(case.random.choice(("INT32", "INT64")), shape)
    order = [descending, case.random.randrange(2)]
    case.add(self, *([count, told, *order] if name == "Topk" else [order[1], told, order[0]]), values, indices).seal()
    x = np.atleast_1d(values_of(self))
    found = np.take(sort_indices(x, dim, descending), np.arange(count), axis=dim)
    bits = np.take_along_axis(self.bits().reshape(x.shape), found, axis=dim)
    case.results.append((values, Want(bits=bits.reshape(shape))))
    case.results.append((indices, exactly(indices.dtype, found.astype(np.int64).reshape(shape))))


OPERATORS = {
    **{name: draw_fold for name in FOLDS}, "MaxDim": draw_extreme, "MinDim": draw_extreme, "ArgMin": draw_maximum,
    "Topk": draw_first, "Sort": draw_first,
    "ReduceSum": draw_sum, "Mean": draw_mean, "MeanV2": draw_mean, "GlobalAveragePool": draw_pool,
    "Norm": draw_norm, "LinalgVectorNorm": draw_norm, "Cumsum": draw_running_sum,
    "ArgMax": draw_maximum, "Argsort": draw_sort, "Softmax": draw_softmax, "LogSoftmax": draw_softmax,
    "SoftmaxCrossEntropyWithLogits": draw_loss,
}
LIMIT = 1e-7
