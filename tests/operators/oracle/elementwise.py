# SPDX-License-Identifier: MIT
"""Element-wise operators: functions of one operand, of an operand and scalars, and of two operands.

Arithmetic that IEEE 754 defines is repeated in the type that the device computes in, so these results are exact.
Functions such as exp are computed in double, and the device may be wrong by a few units of F32."""
import math

import numpy as np

import formats
from case import Scalar, draw_scalar, exactly, near

ULPS = 4 * formats.EPSILON
TINY = 2.0 ** -126 # results that are subnormal may be flushed on the way

COMPUTE = {"F32": np.float32, "F64": np.float64, "I64": np.int64}


def as_compute(values, compute):
    if compute == "I64" and values.dtype != np.int64:
        return formats.to_integers(np.dtype(np.int64), values)
    return values.astype(COMPUTE[compute])


def scalar_value(scalar, compute):
    return COMPUTE[compute](scalar.integer if compute == "I64" else scalar.real)


def bound_value(scalar, compute):
    return COMPUTE[compute](scalar.bound if compute == "I64" else scalar.real)


def wide(x):
    return x.astype(np.float64)


def relative(values, floor=0.0, ulps=4.0):
    return near(values, ulps * formats.EPSILON * np.abs(values) + floor + TINY)


def odd(x, want):
    """The result is 0 with the sign of x where x is 0."""
    want.is_zero = x == 0
    return want


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def erfc(x):
    return np.vectorize(math.erfc, otypes=[float])(x)


def gelu(x):
    return np.where(np.isneginf(x), 0.0 * x, x * 0.5 * erfc(-x * math.sqrt(0.5)))


def gelu_tanh(x):
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)
    return x / (1 + np.exp(-2 * inner))


def mish(x):
    e = np.exp(-np.abs(x))
    above = np.where(x >= 0, 1 + 2 * e, e * (2 + e))
    return x * (above / (above + np.where(x >= 0, 2 * e * e, 2)))


def hard_line(x):
    return np.minimum(np.maximum((x + np.float32(3)) / np.float32(6), np.float32(0)), np.float32(1))


def near_gelu(function):
    def want(x):
        x = wide(x)
        values = function(x)
        # Far below 0 the result is a difference of nearly equal numbers.
        return near(values, ULPS * np.abs(values) + 2 * formats.EPSILON * np.abs(x) *
                    (np.abs(x) < 20) + TINY)
    return want


def sign(x):
    return np.where(x == 0, x, np.where(x != x, x, np.sign(x))).astype(x.dtype)


def relu(x):
    """-0 becomes 0; NaN stays."""
    return np.where(x <= 0, x.dtype.type(0), x)


# name: (types, function that returns float64 numbers with an error, or numbers of the arithmetic)
UNARY = {
    "Abs": ("number", np.abs), "Neg": ("number", np.negative), "Relu": ("number", relu),
    "LogicalNot": ("truth", lambda x: (x == 0).astype(x.dtype)),
    "Sign": ("number", sign), "Sqrt": ("floating", np.sqrt),
    "Gelu": ("floating", near_gelu(gelu_tanh)),
    "Silu": ("floating", lambda x: relative(np.where(np.isneginf(x), np.nan, wide(x) * sigmoid(wide(x))))),
    "Mish": ("floating", lambda x: relative(mish(wide(x)))),
    "Tanh": ("floating", lambda x: odd(x, relative(np.tanh(wide(x))))),
    "Sigmoid": ("floating", lambda x: relative(sigmoid(wide(x)))),
    "Hardsigmoid": ("floating", hard_line),
    "Hardswish": ("floating", lambda x: x * hard_line(x)),
    "Exp": ("floating", lambda x: relative(np.exp(wide(x)))),
    "Log": ("floating", lambda x: relative(np.log(wide(x)), formats.EPSILON)),
    "Sin": ("floating", lambda x: odd(x, relative(np.sin(wide(x)), formats.EPSILON / 2))),
    "Cos": ("floating", lambda x: relative(np.cos(wide(x)), formats.EPSILON / 2)),
}
IN_PLACE = {"InplaceMish": "Mish", "InplaceLogicalNot": "LogicalNot", "InplaceExp": "Exp", "InplaceCos": "Cos", "InplaceSin": "Sin"}


def tight(function, floor=0.0, ulps=4.0):
    """A function that is computed in F32 or F64, and may be wrong by some units of that type."""
    def want(x):
        values = np.asarray(function(wide(x)))
        values = np.where(np.isinf(values.astype(x.dtype)), np.copysign(np.inf, values), values)
        unit = formats.EPSILON if x.dtype == np.float32 else 2.0 ** -50
        return near(values, unit * (ulps * np.abs(values) + floor) + TINY)
    return want


def erf_tail(x):
    """Far from 0 the exponent is a large number, and as inexact."""
    want = tight(erfc)(x)
    return near(want.values, want.error * (4 + np.minimum(wide(x) ** 2, 200)))


def each(function):
    return lambda x: np.vectorize(function, otypes=[float])(x)


def of_floats(function):
    """Integers stay as they are."""
    return lambda x: x if x.dtype == np.int64 else function(x)


def as_truth(x, mask):
    return mask.astype(x.dtype)


# name: (types, function of numbers of the arithmetic)
FUNCTIONS = {
    "Floor": ("number", of_floats(np.floor)), "Ceil": ("number", of_floats(np.ceil)),
    "Round": ("number", of_floats(np.rint)), "Trunc": ("number", of_floats(np.trunc)), "Square": ("number", lambda x: x * x),
    "Reciprocal": ("quotient", lambda x: x.dtype.type(1) / x),
    "Rsqrt": ("quotient", lambda x: x.dtype.type(1) / np.sqrt(x)),
    "IsInf": ("truth", lambda x: as_truth(x, np.isinf(x))),
    "IsFinite": ("truth", lambda x: as_truth(x, np.isfinite(x))),
    "Erf": ("quotient", tight(each(math.erf))), "Erfc": ("quotient", erf_tail),
    "Exp2": ("quotient", tight(np.exp2)), "Expm1": ("quotient", tight(np.expm1)),
    "Log1p": ("quotient", tight(np.log1p)), "Log2": ("quotient", tight(np.log2, 1)),
    "Log10": ("quotient", tight(np.log10, 1)), "Tan": ("quotient", tight(np.tan)),
    "Asin": ("quotient", tight(np.arcsin)), "Acos": ("quotient", tight(np.arccos, 1)),
    "Atan": ("quotient", tight(np.arctan)), "Sinh": ("quotient", tight(np.sinh)),
    "Cosh": ("quotient", tight(np.cosh)), "Asinh": ("quotient", tight(np.arcsinh)),
    "Acosh": ("quotient", tight(np.arccosh, 1)), "Atanh": ("quotient", tight(np.arctanh)),
    "BitwiseNot": ("integer", np.invert),
}
FUNCTION_SCALES = {"Asin": 1.2, "Acos": 1.2, "Atanh": 1.2, "Erf": 4, "Erfc": 12, "Exp2": 160, "Expm1": 100, "Log2": 1000,
                   "Log10": 1000, "Sinh": 95, "Cosh": 95, "Acosh": 100, "Asinh": 1000, "Atan": 100, "Tan": 800}


def draw_function(case, name):
    row, function = FUNCTIONS[name]
    kinds = [t for t in formats.NUMBERS if row != "integer" or formats.category(t) < 2]
    dtype = case.random.choice(kinds)
    category = 2 if row == "quotient" else formats.category(dtype)
    self = case.operand(dtype, case.shape(), scale=FUNCTION_SCALES.get(name, 10), has_special=True)
    out = case.result(choose_result(case, 0 if row == "truth" else category, kinds), self.shape)
    case.add(self, out).seal()
    x = as_compute(self.read(), choose_compute(category, [dtype]))
    finish(case, out, 1 - x if name == "BitwiseNot" and dtype == "BOOL" else function(x))


SCALES = {"Exp": 100, "Sin": 800, "Cos": 800, "Log": 100, "Silu": 80, "Mish": 60, "Sigmoid": 80}


def finish(case, out, want):
    case.results.append((out, want if not isinstance(want, np.ndarray) else exactly(out.dtype, want)))


def choose_compute(category, sources):
    if category < 2:
        return "I64"
    return "F64" if "DOUBLE" in sources else "F32"


def choose_result(case, category, kinds=formats.NUMBERS):
    return case.random.choice([name for name in kinds if formats.category(name) >= category])


def types_of(row):
    return formats.FLOATS if row == "floating" else formats.NUMBERS


def draw_unary(case, name):
    plain = IN_PLACE.get(name, name)
    row, function = UNARY[plain]
    dtype = case.random.choice(types_of(row))
    scale = SCALES.get(plain, 10)
    if plain in ("Sin", "Cos") and case.chance(8):
        scale = 1e6
    if name in IN_PLACE or case.chance(8):
        out = self = case.result(dtype, case.shape(), scale=scale)
    else:
        self = case.operand(dtype, case.shape(), scale=scale, has_special=True)
        least = 0 if row == "truth" else formats.category(dtype)
        out = case.result(choose_result(case, least, types_of(row)), self.shape)
    case.add(self) if name in IN_PLACE else case.add(self, out)
    case.seal()
    compute = choose_compute(formats.category(dtype), [dtype])
    finish(case, out, function(as_compute(self.read(), compute)))


def draw_gelu(case, name):
    self = case.operand(case.random.choice(formats.FLOATS), case.shape(), scale=10, has_special=True)
    out = case.result(case.random.choice(formats.FLOATS), self.shape)
    approximate = case.random.randrange(2)
    case.add(self, approximate, out).seal()
    finish(case, out, near_gelu(gelu_tanh if approximate else gelu)(self.read()))


def elu(x, alpha, scale, input_scale):
    inner = wide(x * np.float32(input_scale.real))
    up = wide(x * np.float32(scale.real))
    down = np.float64(np.float32(alpha.real * scale.real))
    return relative(np.where(x > 0, up, down * np.expm1(inner)))


def softplus(x, beta, threshold):
    z = wide(x * np.float32(beta.real))
    curve = (np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z)))) / np.float64(np.float32(beta.real))
    return relative(np.where(z > np.float64(np.float32(threshold.real)), wide(x), curve))


def clamp(x, low, high):
    """A bound that is NaN gives NaN."""
    if low is not None:
        x = np.where((x < low) | (low != low), low, x)
    return np.where((x > high) | (high != high), high, x) if high is not None else x


def times(scalars, compute):
    """The product of two scalars, rounded once."""
    one, other = scalars
    if compute == "I64":
        return np.int64((one.integer * other.integer + 2 ** 63) % 2 ** 64 - 2 ** 63)
    return COMPUTE[compute](one.real * other.real)


def beside(compare, above, x, scalar, compute):
    """A scalar that is too large for INT64 is above all integers."""
    is_above = compute == "I64" and scalar.bound != scalar.integer
    truths = np.full(x.shape, above) if is_above else compare(x, scalar_value(scalar, compute))
    return truths.astype(COMPUTE[compute])


# name: (types, scalars, function of the operand, the scalars and the arithmetic)
SCALAR = {
    "Elu": ("floating", 3, lambda x, s, c: elu(x, *s)),
    "Softplus": ("floating", 2, lambda x, s, c: softplus(x, *s)),
    "LeakyRelu": ("floating", 1, lambda x, s, c: np.where(x > 0, x, x * np.float32(s[0].real))),
    "GtScalar": ("truth", 1, lambda x, s, c: (x > bound_value(s[0], c)).astype(COMPUTE[c])),
    "Clamp": ("number", 2, lambda x, s, c: clamp(x, *(v and bound_value(v, c) for v in s))),
    "ClampMin": ("number", 1, lambda x, s, c: clamp(x, bound_value(s[0], c), None)),
    "ClampMax": ("number", 1, lambda x, s, c: clamp(x, None, bound_value(s[0], c))),
    "Hardtanh": ("number", 2, lambda x, s, c: clamp(x, *(bound_value(v, c) for v in s))),
    "InplaceHardtanh": ("number", 2, lambda x, s, c: clamp(x, *(bound_value(v, c) for v in s))),
    "InplaceClampMax": ("number", 1, lambda x, s, c: clamp(x, None, bound_value(s[0], c))),
    "InplaceThreshold": ("number", 2, lambda x, s, c: np.where(x <= bound_value(s[0], c),
                                                               scalar_value(s[1], c), x)),
    "Muls": ("number", 1, lambda x, s, c: x * scalar_value(s[0], c)),
    "InplaceMuls": ("number", 1, lambda x, s, c: x * scalar_value(s[0], c)),
    "InplaceAdds": ("number", 2, lambda x, s, c: x + times(s, c)),
    "InplaceSubs": ("number", 2, lambda x, s, c: x - times(s, c)),
    "InplaceDivs": ("quotient", 1, lambda x, s, c: x / scalar_value(s[0], c)),
    "Adds": ("number", 2, lambda x, s, c: x + times(s, c)),
    "Subs": ("number", 2, lambda x, s, c: x - times(s, c)),
    "Divs": ("quotient", 1, lambda x, s, c: x / scalar_value(s[0], c)),
    "PowTensorScalar": ("number", 1, lambda x, s, c: power(x, scalar_value(s[0], c), c)),
    "EqScalar": ("truth", 1, lambda x, s, c: beside(np.equal, False, x, s[0], c)),
    "NeScalar": ("truth", 1, lambda x, s, c: beside(np.not_equal, True, x, s[0], c)),
    "LtScalar": ("truth", 1, lambda x, s, c: beside(np.less, True, x, s[0], c)),
    "LeScalar": ("truth", 1, lambda x, s, c: beside(np.less_equal, True, x, s[0], c)),
    "GeScalar": ("truth", 1, lambda x, s, c: beside(np.greater_equal, False, x, s[0], c)),
}


def draw_scalars(case, name, count, is_integer):
    scalars = [draw_scalar(case, is_integer) for _ in range(count)]
    if name == "Clamp" and case.chance(4):
        scalars[case.random.randrange(2)] = None
    if "Clamp" in name and not is_integer and case.chance(12):
        scalars[case.random.randrange(count)] = Scalar(math.nan, "FLOAT")
    if name == "Softplus" and abs(scalars[0].real) < 0.1:
        scalars[0] = Scalar(1.0, "FLOAT")
    return scalars


def draw_with_scalars(case, name):
    row, count, function = SCALAR[name]
    is_in_place = name.startswith("Inplace")
    kinds = [t for t in types_of(row) if row != "quotient" or formats.category(t) == 2]
    dtype = case.random.choice(kinds)
    is_integer = is_in_place and formats.category(dtype) < 2
    scalars = draw_scalars(case, name, count, is_integer)
    category = max([formats.category(dtype)] + [2 for s in scalars if s and s.has_fraction])
    category = 2 if row == "quotient" else category
    if is_in_place:
        out = self = case.result(dtype, case.shape())
        case.add(self, *scalars)
    else:
        self = case.operand(dtype, case.shape(), has_special=True)
        out = case.result(choose_result(case, 0 if row == "truth" else category, types_of(row)), self.shape)
        case.add(self, *scalars, out)
    case.seal()
    compute = choose_compute(category, [dtype])
    finish(case, out, function(as_compute(self.read(), compute), scalars, compute))


def draw_fill(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    scalar = Scalar(0.0, "FLOAT")
    out = case.result(dtype, case.shape())
    case.add(out)
    if name == "InplaceOne":
        scalar = Scalar(1.0, "FLOAT")
    if name == "InplaceFillScalar":
        scalar = draw_scalar(case, formats.category(dtype) < 2)
        if formats.category(dtype) == 2 and case.chance(8):
            scalar = Scalar(case.random.choice((math.inf, -math.inf, math.nan, -0.0)), "FLOAT")
        case.add(scalar)
    case.seal()
    compute = choose_compute(formats.category(dtype), [dtype])
    finish(case, out, np.full(out.shape, scalar_value(scalar, compute)))


def power_of_integers(base, exponent):
    """Wraps; with a negative exponent the integer part of the fraction, and 0 for a base of 0."""
    base, exponent = np.broadcast_arrays(base, exponent)
    result = np.ones(base.shape, dtype=np.int64)
    square, left = base.copy(), np.where(exponent < 0, 0, exponent)
    while np.any(left):
        result = np.where(left & 1, result * square, result)
        square, left = square * square, left >> 1
    small = np.where(base == 1, 1, np.where(base == -1, np.where(exponent % 2, -1, 1), 0))
    return np.where(exponent < 0, small, result)


def power(base, exponent, compute):
    if compute == "I64":
        return power_of_integers(base, exponent)
    values = np.power(np.float64(base), np.float64(exponent)).astype(COMPUTE[compute]).astype(np.float64)
    return near(values, np.abs(values) * (2.0 ** -50 if compute == "F64" else 2.0 ** -24) +
                (5e-324 if compute == "F64" else 2.0 ** -149))


def minus(x, y, alpha, compute):
    return x - scalar_value(alpha, compute) * y


BINARY = {
    "Sub": ("number", True, minus), "InplaceSub": ("number", True, minus),
    "Div": ("quotient", False, lambda x, y, a, c: x / y),
    "InplaceDiv": ("quotient", False, lambda x, y, a, c: x / y),
    "EqTensor": ("truth", False, lambda x, y, a, c: (x == y).astype(COMPUTE[c])),
    "InplacePowTensorTensor": ("number", False, lambda x, y, a, c: power(x, y, c)),
    "PowTensorTensor": ("number", False, lambda x, y, a, c: power(x, y, c)),
    "NeTensor": ("truth", False, lambda x, y, a, c: (x != y).astype(COMPUTE[c])),
    "LtTensor": ("truth", False, lambda x, y, a, c: (x < y).astype(COMPUTE[c])),
    "LeTensor": ("truth", False, lambda x, y, a, c: (x <= y).astype(COMPUTE[c])),
    "GtTensor": ("truth", False, lambda x, y, a, c: (x > y).astype(COMPUTE[c])),
    "GeTensor": ("truth", False, lambda x, y, a, c: (x >= y).astype(COMPUTE[c])),
    "LogicalAnd": ("truth", False, lambda x, y, a, c: ((x != 0) & (y != 0)).astype(COMPUTE[c])),
    "LogicalOr": ("truth", False, lambda x, y, a, c: ((x != 0) | (y != 0)).astype(COMPUTE[c])),
    "LogicalXor": ("truth", False, lambda x, y, a, c: ((x != 0) ^ (y != 0)).astype(COMPUTE[c])),
    "BitwiseAndTensor": ("integer", False, lambda x, y, a, c: x & y),
    "BitwiseOrTensor": ("integer", False, lambda x, y, a, c: x | y),
    "BitwiseXorTensor": ("integer", False, lambda x, y, a, c: x ^ y),
    "Maximum": ("number", False, lambda x, y, a, c: np.where((x > y) | (x != x), x, y)),
    "Minimum": ("number", False, lambda x, y, a, c: np.where((x < y) | (x != x), x, y)),
    "ClampMinTensor": ("number", False, lambda x, y, a, c: np.where((x > y) | (x != x), x, y)),
    "ClampMaxTensor": ("number", False, lambda x, y, a, c: np.where((x < y) | (x != x), x, y)),
    "FmodTensor": ("number", False, lambda x, y, a, c: np.fmod(x, y)),
    "RemainderTensorTensor": ("number", False, lambda x, y, a, c: np.remainder(x, y)),
    "FloorDivide": ("number", False, lambda x, y, a, c: np.floor_divide(x, y)),
    "Atan2": ("quotient", False, lambda x, y, a, c: tight(lambda _: np.arctan2(wide(x), wide(y)))(x)),
}


def part_of(case, shape):
    """A shape that is broadcast to @shape."""
    first = case.random.randrange(len(shape) + 1) if case.chance(3) else 0
    return tuple(1 if case.chance(4) else size for size in shape[first:])


def draw_pair(case, kinds, is_in_place):
    """The operands' types and shapes."""
    shape = case.shape()
    one = case.random.choice(kinds)
    other = one if case.chance(2) else case.random.choice(kinds)
    shapes = [shape if is_in_place else part_of(case, shape), part_of(case, shape)]
    if not is_in_place and case.chance(2):
        shapes.reverse()
    return (one, other), shapes


def draw_binary(case, name):
    row, has_alpha, function = BINARY[name]
    is_in_place = name.startswith("Inplace")
    kinds = [t for t in formats.NUMBERS if row != "integer" or formats.category(t) < 2]
    types, shapes = draw_pair(case, kinds, is_in_place)
    least = 2 if row == "quotient" else 0
    if is_in_place:
        least = max(least, *(formats.category(t) for t in types))
        types = (types[0] if formats.category(types[0]) >= least else
                 choose_result(case, least), types[1])
    alpha = draw_scalar(case, is_in_place and formats.category(types[0]) < 2) if has_alpha else None
    category = max([least] + [formats.category(t) for t in types] +
                   [2 for s in (alpha,) if s and s.has_fraction])
    if is_in_place:
        self = out = case.result(types[0], shapes[0])
    else:
        self = case.operand(types[0], shapes[0], has_special=True)
    other = case.operand(types[1], shapes[1], has_special=True)
    case.add(self, other)
    if has_alpha:
        case.add(alpha)
    if not is_in_place:
        shape = np.broadcast_shapes(*shapes)
        out = case.result(choose_result(case, 0 if row == "truth" else category, kinds), shape)
        case.add(out)
    case.seal()
    compute = choose_compute(category, types)
    finish(case, out, function(*(as_compute(o.read(), compute) for o in (self, other)), alpha, compute))


def draw_power_of_scalar(case, name):
    dtype = case.random.choice(formats.NUMBERS)
    scalar = draw_scalar(case)
    category = 2 if scalar.has_fraction else formats.category(dtype)
    exponent = case.operand(dtype, case.shape(), has_special=True)
    out = case.result(choose_result(case, category), exponent.shape)
    case.add(scalar, exponent, out).seal()
    compute = choose_compute(category, [dtype])
    base, exponents = np.asarray(scalar_value(scalar, compute)), as_compute(exponent.read(), compute)
    want = power(base, exponents, compute)
    if compute == "I64" and scalar.bound != scalar.integer:
        # A number of UINT64: it wraps, but a fraction of it is below 1.
        want = np.where(exponents < 0, 0, want)
    finish(case, out, want)


def add_truths(self, other, alpha):
    return self | (other & int(alpha.real != 0))


def draw_sum(case, name):
    """Add and Mul do not know DOUBLE; truth values are added by or, and multiplied by and."""
    is_in_place, is_sum = name.startswith("Inplace"), name.endswith("Add")
    kinds = [t for t in formats.NUMBERS if t != "DOUBLE"]
    types, shapes = draw_pair(case, kinds, is_in_place)
    if is_in_place and formats.category(types[0]) < formats.category(types[1]):
        types = types[::-1]
    category = max(formats.category(t) for t in types)
    alpha = draw_scalar(case, category < 2) if is_sum else None
    if is_in_place:
        self = out = case.result(types[0], shapes[0])
    else:
        self = case.operand(types[0], shapes[0], has_special=True)
    other = case.operand(types[1], shapes[1], has_special=True)
    case.add(self, other, *([alpha] if is_sum else []))
    if not is_in_place:
        out = case.result(choose_result(case, category, kinds), np.broadcast_shapes(*shapes))
        case.add(out)
    case.seal()
    compute = "F32" if category == 2 else "I64"
    x, y = (as_compute(o.read(), compute) for o in (self, other))
    if category == 0:
        want = add_truths(x, y, alpha) if is_sum else x & y
    else:
        want = x + scalar_value(alpha, compute) * y if is_sum else x * y
    finish(case, out, want)


def draw_gated(case, name):
    """The operand has two halves along a dim: one is activated, and multiplied by the other."""
    shape = list(case.shape(8, 150, 1))
    dim = case.random.randrange(len(shape))
    half, told = tuple(shape), dim - len(shape) if case.chance(3) else dim
    shape[dim] *= 2
    self = case.operand(case.random.choice(formats.FLOATS), shape, scale=10, has_special=True)
    out, activated = (case.result(case.random.choice(formats.FLOATS), half) for _ in range(2))
    approximate, is_left = case.random.randrange(2), name == "SwiGlu" or case.chance(2)
    case.add(self, told, *([out] if name == "SwiGlu" else [approximate, is_left, out, activated])).seal()
    halves = np.split(self.read(), 2, axis=dim)
    active, gate = halves if is_left else halves[::-1]
    if name == "SwiGlu":
        function = UNARY["Silu"][1]
    else:
        function = near_gelu(gelu_tanh if approximate else gelu)
        finish(case, activated, function(active))
    want = function(active)
    values = want.values * gate
    error = np.where(np.isfinite(gate), want.error * np.abs(gate), 0)
    # The activated number is F32, and so is the product.
    error = error + np.abs(values) * formats.EPSILON + TINY
    overflow = np.abs(want.values) > 3e38
    finish(case, out, near(np.where(overflow & (gate == 0), np.nan, values), error))


OPERATORS = {
    **{name: draw_unary for name in (*UNARY, *IN_PLACE)},
    **{name: draw_with_scalars for name in SCALAR},
    **{name: draw_binary for name in BINARY},
    **{name: draw_sum for name in ("Add", "Mul", "InplaceAdd", "InplaceMul")},
    **{name: draw_function for name in FUNCTIONS}, "InplaceOne": draw_fill,
    "GeluV2": draw_gelu, "InplaceFillScalar": draw_fill, "InplaceZero": draw_fill,
    "PowScalarTensor": draw_power_of_scalar, "SwiGlu": draw_gated, "GeGluV3": draw_gated,
}
LIMIT = 1e-7
