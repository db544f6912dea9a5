# SPDX-License-Identifier: MIT
"""Element types: what a value is in memory, and how the device rounds.

Numbers are numpy arrays: int64 for integers and truth values, float64 for floating types, which holds each of
them exactly. Results come as the type of the arithmetic: float32, float64 or int64."""
import numpy as np

np.seterr(all="ignore")

# name: number of the interface, storage, category (0 truth, 1 integer, 2 floating)
TYPES = {
    "FLOAT": (0, np.dtype(np.uint32), 2), "FLOAT16": (1, np.dtype(np.uint16), 2),
    "BF16": (27, np.dtype(np.uint16), 2), "DOUBLE": (11, np.dtype(np.uint64), 2),
    "INT8": (2, np.dtype(np.int8), 1), "INT16": (6, np.dtype(np.int16), 1),
    "INT32": (3, np.dtype(np.int32), 1), "INT64": (9, np.dtype(np.int64), 1),
    "UINT8": (4, np.dtype(np.uint8), 1), "BOOL": (12, np.dtype(np.uint8), 0),
}
FLOATS = ("FLOAT", "FLOAT16", "BF16")
NUMBERS = tuple(TYPES)
EPSILON = 2.0 ** -23

SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -6e-8, 65504.0, -3e38, 1.0, 0.5])


def category(name):
    return TYPES[name][2]


def storage(name):
    return TYPES[name][1]


def decode(name, bits):
    """The numbers that the bits of a type are."""
    if name == "FLOAT":
        return bits.view(np.float32).astype(np.float64)
    if name == "FLOAT16":
        return bits.view(np.float16).astype(np.float64)
    if name == "BF16":
        return np.left_shift(bits.astype(np.uint32), 16, dtype=np.uint32).view(np.float32).astype(np.float64)
    if name == "DOUBLE":
        return bits.view(np.float64)
    if name == "BOOL":
        return (bits != 0).astype(np.int64)
    return bits.astype(np.int64)


def float_to_odd(values):
    """Rounds float64 to float32 so that a second rounding to 16 bits equals one rounding."""
    near = values.astype(np.float32)
    exact = near.astype(np.float64)
    towards = np.where(exact < values, np.float32(np.inf), np.float32(-np.inf)).astype(np.float32)
    other = np.nextafter(near, towards)
    is_kept = (exact == values) | ~np.isfinite(near) | ((near.view(np.uint32) & 1) == 1)
    return np.where(is_kept, near, other).astype(np.float32)


def to_bfloat(single):
    bits = np.ascontiguousarray(single).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    quiet = ((bits >> 16) & 0x8000 | 0x7fc0).astype(np.uint16)
    return np.where(np.isnan(single), quiet, rounded).astype(np.uint16)


def to_integers(kind, values):
    """Toward zero, saturating, and 0 for NaN."""
    limits = np.iinfo(kind)
    end = float(limits.max // 2 + 1) * 2
    whole = np.trunc(np.nan_to_num(values, nan=0.0, posinf=end, neginf=float(limits.min) * 2))
    inside = (whole < end) & (whole >= float(limits.min))
    result = np.where(inside, whole, 0).astype(np.int64).astype(kind)
    return np.where(whole >= end, kind.type(limits.max),
                    np.where(whole < float(limits.min), kind.type(limits.min), result)).astype(kind)


def encode(name, values):
    """The bits of numbers, rounded or wrapped once."""
    values = np.asarray(values)
    kind = storage(name)
    if name == "DOUBLE":
        return np.ascontiguousarray(values.astype(np.float64)).view(kind)
    if name == "FLOAT":
        return np.ascontiguousarray(values.astype(np.float32)).view(kind)
    if name == "FLOAT16":
        if values.dtype == np.int64:
            values = values.astype(np.float64)
        return np.ascontiguousarray(values.astype(np.float16)).view(kind)
    if name == "BF16":
        if values.dtype == np.int64:
            values = values.astype(np.float64)
        return to_bfloat(float_to_odd(values) if values.dtype == np.float64 else values)
    if name == "BOOL":
        return (values != 0).astype(kind)
    return values.astype(kind) if values.dtype == np.int64 else to_integers(kind, values)


def draw(random, numpy_random, name, shape, scale=4.0, has_special=False):
    """Bits of random numbers of a type."""
    kind = storage(name)
    if category(name) == 0:
        return numpy_random.integers(0, 2, shape).astype(kind)
    if category(name) == 1:
        limits = np.iinfo(kind)
        if random.random() < 0.5:
            return numpy_random.integers(max(limits.min, -9), 10, shape).astype(kind)
        bits = numpy_random.integers(limits.min, limits.max, shape, dtype=kind, endpoint=True)
        return np.asarray(bits)
    values = np.asarray(numpy_random.uniform(-scale, scale, shape))
    if has_special and values.size:
        mask = numpy_random.random(shape) < 0.125
        values = np.where(mask, numpy_random.choice(SPECIAL, shape), values)
    return encode(name, values)
