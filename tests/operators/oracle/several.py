# SPDX-License-Identifier: MIT
"""Element-wise operators of several operands, each broadcast in a way of its own."""
import numpy as np

import formats
from case import draw_scalar
from elementwise import COMPUTE, as_compute, choose_compute, choose_result, finish, part_of, scalar_value


def draw_choice(case, name):
    """SWhere: three operands, which are broadcast; the condition does not count in the type."""
    shape = case.shape()
    shapes = [part_of(case, shape) for _ in range(3)]
    types = [case.random.choice(formats.NUMBERS) for _ in range(2)]
    condition = case.operand(case.random.choice(("BOOL", "UINT8")), shapes[0])
    self, other = (case.operand(t, s, has_special=True) for t, s in zip(types, shapes[1:]))
    category = max(formats.category(t) for t in types)
    out = case.result(choose_result(case, category), np.broadcast_shapes(*shapes))
    case.add(condition, self, other, out).seal()
    compute = choose_compute(category, types)
    x, y = (as_compute(o.read(), compute).reshape(o.shape) for o in (self, other))
    finish(case, out, np.where(condition.read().reshape(shapes[0]) != 0, x, y))


def draw_masked_fill(case, name):
    """InplaceMaskedFillTensor: the type of the value is no wider than that of the result."""
    shape = case.shape()
    out = case.result(case.random.choice(formats.NUMBERS), shape)
    mask = case.operand(case.random.choice(("BOOL", "UINT8")), part_of(case, shape))
    kinds = [t for t in formats.NUMBERS if formats.category(t) <= formats.category(out.dtype)]
    value = case.operand(case.random.choice(kinds), () if case.chance(2) else part_of(case, shape), has_special=True)
    case.add(out, mask, value).seal()
    compute = choose_compute(formats.category(out.dtype), [out.dtype, value.dtype])
    x, y = (as_compute(o.read(), compute).reshape(o.shape) for o in (out, value))
    finish(case, out, np.where(mask.read().reshape(mask.shape) != 0, y, x))


def draw_prelu(case, name):
    shape = case.shape(8, 300, 1)
    types = [case.random.choice(formats.NUMBERS) for _ in range(2)]
    self = case.operand(types[0], shape, has_special=True)
    is_one = len(shape) < 2 or case.chance(3)
    weight = case.operand(types[1], (1,) if is_one else (shape[1],), has_special=True)
    category = max(formats.category(t) for t in types)
    out = case.result(choose_result(case, category), shape)
    case.add(self, weight, out).seal()
    compute = choose_compute(category, types)
    x, w = (as_compute(o.read(), compute).reshape(o.shape) for o in (self, weight))
    w = w if is_one else w.reshape((-1,) + (1,) * (len(shape) - 2))
    finish(case, out, np.where(x > 0, x, x * w))


def draw_quotient_sum(case, name):
    """Addcdiv: three operands, which are broadcast."""
    shape = case.shape()
    shapes = [part_of(case, shape) for _ in range(3)]
    types = [case.random.choice(formats.NUMBERS) for _ in range(3)]
    is_in_place = name.startswith("Inplace")
    if is_in_place:
        shapes[0], types[0] = shape, choose_result(case, 2)
        self = out = case.result(types[0], shape)
    else:
        self = case.operand(types[0], shapes[0], has_special=True)
    above, below = (case.operand(t, s, has_special=True) for t, s in zip(types[1:], shapes[1:]))
    value = draw_scalar(case)
    case.add(self, above, below, value)
    if not is_in_place:
        out = case.result(choose_result(case, 2), np.broadcast_shapes(*shapes))
        case.add(out)
    case.seal()
    compute = choose_compute(2, types)
    x, a, b = (as_compute(o.read(), compute) for o in (self, above, below))
    finish(case, out, x + scalar_value(value, compute) * (a / b))


def draw_outer(case, name):
    types = [case.random.choice(formats.NUMBERS) for _ in range(2)]
    vectors = [case.operand(t, case.shape(1, 20, 1), has_special=True) for t in types]
    category = max(formats.category(t) for t in types)
    out = case.result(choose_result(case, category), [v.shape[0] for v in vectors])
    case.add(*vectors, out).seal()
    compute = choose_compute(category, types)
    finish(case, out, np.multiply.outer(*(as_compute(v.read(), compute) for v in vectors)))


def draw_sum_of_list(case, name):
    """Added in the order of the list, from 0 on."""
    shape = case.shape()
    types = [case.random.choice(formats.NUMBERS) for _ in range(case.random.randint(1, 15 if case.chance(8) else 4))]
    members = [case.operand(t, part_of(case, shape), has_special=True) for t in types]
    category = max(formats.category(t) for t in types)
    out = case.result(choose_result(case, category), np.broadcast_shapes(*(m.shape for m in members)))
    case.add(members, out).seal()
    compute = choose_compute(category, types)
    total = np.zeros(out.shape, dtype=COMPUTE[compute])
    for member in members:
        total = total + as_compute(member.read(), compute).reshape(member.shape)
    finish(case, out, np.asarray(total))


def draw_product_sum(case, name):
    """Addcmul: three operands, which are broadcast."""
    shape = case.shape()
    shapes = [part_of(case, shape) for _ in range(3)]
    types = [case.random.choice(formats.NUMBERS) for _ in range(3)]
    is_in_place = name.startswith("Inplace")
    value = draw_scalar(case)
    category = max(2 if value.has_fraction else 0, *(formats.category(t) for t in types))
    if is_in_place:
        shapes[0], types[0] = shape, choose_result(case, category)
        self = out = case.result(types[0], shape)
        category = max(category, formats.category(types[0]))
    else:
        self = case.operand(types[0], shapes[0], has_special=True)
    one, other = (case.operand(t, s, has_special=True) for t, s in zip(types[1:], shapes[1:]))
    case.add(self, one, other, value)
    if not is_in_place:
        out = case.result(choose_result(case, category), np.broadcast_shapes(*shapes))
        case.add(out)
    case.seal()
    compute = choose_compute(category, types)
    x, a, b = (as_compute(o.read(), compute) for o in (self, one, other))
    finish(case, out, x + scalar_value(value, compute) * a * b)


def draw_between(case, name):
    """Lerp and Lerps."""
    shape = case.shape()
    is_in_place, is_scalar = name.startswith("Inplace"), name.endswith("s")
    shapes = [shape if is_in_place else part_of(case, shape), part_of(case, shape)]
    out = case.result(case.random.choice(formats.FLOATS), shape) if is_in_place else None
    self = out or case.operand(case.random.choice(formats.FLOATS), shapes[0], has_special=True)
    end = case.operand(case.random.choice(formats.FLOATS), shapes[1], has_special=True)
    weight = draw_scalar(case) if is_scalar else case.operand(case.random.choice(formats.FLOATS), part_of(case, shape), scale=2)
    case.add(self, end, weight)
    if not is_in_place:
        out = case.result(case.random.choice(formats.FLOATS),
                          np.broadcast_shapes(*shapes, () if is_scalar else weight.shape))
        case.add(out)
    case.seal()
    x, y = (as_compute(o.read(), "F32") for o in (self, end))
    w = scalar_value(weight, "F32") if is_scalar else as_compute(weight.read(), "F32")
    one = np.float32(1)
    finish(case, out, np.where(np.abs(w) < 0.5, x + w * (y - x), y - (y - x) * (one - w)))


OPERATORS = {
    "Addcmul": draw_product_sum, "InplaceAddcmul": draw_product_sum,
    **{name: draw_between for name in ("Lerp", "InplaceLerp", "Lerps", "InplaceLerps")},
    "SWhere": draw_choice, "InplaceMaskedFillTensor": draw_masked_fill, "Prelu": draw_prelu,
    "Addcdiv": draw_quotient_sum, "InplaceAddcdiv": draw_quotient_sum, "Ger": draw_outer, "Sum": draw_sum_of_list,
}
LIMIT = 1e-7
