# SPDX-License-Identifier: MIT
"""Attention in its layouts, with shared heads, shifts, masks, bands and lengths; and rotary embeddings."""
import numpy as np

import formats
from case import near
from elementwise import TINY, part_of
from matrices import read
from norms import draw_float, draw_result

UNIT = 2.0 ** -24
FAR = 2 ** 40
MASKS = ("BOOL", "INT8", "UINT8", "FLOAT16")
UNUSED = 17 # arguments of quantised, paged and shared caches


def draw_rotary(case, name):
    shape = case.shape(8, 150, 0) + (2 * case.random.randint(1, 20),) if not case.chance(8) else (2,)
    shape = shape[-8:]
    is_in_place = case.chance(8)
    x = draw_result(case, shape) if is_in_place else draw_float(case, shape)
    if is_in_place and 0 not in shape:
        case.writes[-1] = (x.positions, formats.draw(case.random, case.numpy, x.dtype, shape))
    cos, sin = (draw_float(case, part_of(case, shape), scale=1) for _ in range(2))
    y = x if is_in_place else draw_result(case, shape)
    mode = case.random.randrange(2)
    case.add(x, cos, sin, mode, y).seal()
    numbers = read(x)
    turned = np.empty_like(numbers)
    half = shape[-1] // 2
    first, second = (slice(None, half), slice(half, None)) if mode == 0 else (slice(0, None, 2), slice(1, None, 2))
    turned[..., first], turned[..., second] = -numbers[..., second], numbers[..., first]
    one, other = numbers * read(cos), turned * read(sin)
    case.results.append((y, near(one + other, 3 * UNIT * (np.abs(one) + np.abs(other)) + TINY)))


def arrange(layout, x):
    """[batch, heads, length, numbers] in the layout of a tensor."""
    if layout == "BNSD":
        return x
    x = np.swapaxes(x, 1, 2)
    return x.reshape(*x.shape[:2], x.shape[2] * x.shape[3]) if layout == "BSH" else x


def arranged_shape(layout, shape):
    b, n, s, d = shape
    return {"BNSD": (b, n, s, d), "BSND": (b, s, n, d), "BSH": (b, s, n * d)}[layout]


def draw_in_layout(case, layout, shape, scale=1.0):
    dtype = case.random.choice(formats.FLOATS)
    values = case.numpy.uniform(-scale, scale, shape)
    return case.operand(dtype, arranged_shape(layout, shape), bits=arrange(layout, formats.encode(dtype, values)))


def read_in_layout(layout, operand, shape):
    x = read(operand)
    if layout == "BNSD":
        return x
    b, n, s, d = shape
    return np.swapaxes(x.reshape(b, s, n, d), 1, 2)


def draw_shift(case, shape):
    """Added to the scores; hides some keys."""
    if case.chance(2):
        return None
    shift = part_of(case, shape)
    dtype = case.random.choice(formats.FLOATS)
    values = case.numpy.uniform(-2, 2, shift)
    if case.chance(2):
        values = np.where(case.numpy.random(shift) < 0.3, -np.inf, values)
    return case.operand(dtype, shift, bits=formats.encode(dtype, values))


def draw_mask(case, shape):
    """Return: the mask, and the part of it that counts. It may be larger than the queries and keys."""
    if case.chance(2):
        return None
    b, n, s, t = shape
    whole = part_of(case, (b, n)) + tuple(1 if case.chance(6) else size + case.random.randrange(3) * case.chance(2)
                                          for size in (s, t))
    if len(whole) == 3:
        whole = (b, *whole[1:]) if case.chance(2) else (1, *whole[1:])
    dtype = case.random.choice(MASKS)
    bits = formats.encode(dtype, (case.numpy.random(whole) < 0.3).astype(np.int64))
    return case.operand(dtype, whole, bits=bits)


def hidden_by_mask(mask, shape):
    x = read(mask) != 0
    if x.ndim == 3:
        x = x[:, None]
    x = x[..., :shape[2], :shape[3]]
    return np.broadcast_to(x, shape)


def draw_lengths(case, batch, most):
    if case.chance(2):
        return None, [most] * batch
    if case.chance(3):
        length = case.random.randint(0, most)
        return (length,), [length] * batch
    lengths = [case.random.randint(0, most) for _ in range(batch)]
    return tuple(lengths), lengths


def band(mode, before, behind, has_mask):
    if mode == 4 or (mode == 0 and has_mask):
        return before, behind
    return (FAR, 0) if mode in (2, 3) else (FAR, FAR)


def hidden_by_band(shape, mode, before, behind, queries, keys):
    b, n, s, t = shape
    hidden = np.ones((b, 1, s, t), dtype=bool)
    key = np.arange(t)
    for i in range(b):
        for query in range(queries[i]):
            own = query + (keys[i] - queries[i] if mode in (3, 4) else 0)
            hidden[i, 0, query] = (key < own - before) | (key > own + behind) | (key >= keys[i])
    return hidden


def attend(scores, hidden, value):
    """Return: the result, the logarithm of the sums, and the weights."""
    scores = np.where(hidden, -np.inf, scores)
    top = np.max(scores, axis=-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = weights.sum(axis=-1, keepdims=True)
    weights = np.where(total > 0, weights / np.where(total > 0, total, 1), 0)
    return weights @ value, np.where(total > 0, np.log(total) + top, -np.inf), weights


def draw_sizes(case):
    key_heads = case.random.randint(1, 3)
    b, n = case.random.randint(1, 3), key_heads * case.random.randint(1, 3)
    s, t = case.size(12), case.size(24)
    if case.chance(16):
        s, t = case.random.choice(((1, 300), (70, 70), (0, 5), (5, 0)))
    return b, n, key_heads, s, t, case.random.choice((1, 3, 8, 16, 40)), case.random.choice((1, 5, 16, 24))


def add_result(case, out, layout, values, error):
    case.results.append((out, near(arrange(layout, values), arrange(layout, np.broadcast_to(error, values.shape)))))


def draw_attention(case, name):
    b, n, m, s, t, d, e = draw_sizes(case)
    layout = case.random.choice(("BSH", "BSND", "BNSD", "BNSD_BSND"))
    inside, outside = ("BNSD", "BSND") if layout == "BNSD_BSND" else (layout, layout)
    query = draw_in_layout(case, inside, (b, n, s, d), 2)
    key, value = draw_in_layout(case, inside, (b, m, t, d)), draw_in_layout(case, inside, (b, m, t, e))
    shift, mode = draw_shift(case, (b, n, s, t)), case.random.randrange(5)
    mask = draw_mask(case, (b, n, s, t))
    told_queries, queries = draw_lengths(case, b, s)
    told_keys, keys = draw_lengths(case, b, t)
    scale, before, behind = case.random.uniform(0.1, 1), *(case.random.randint(-2, 9) for _ in range(2))
    has_sums = case.chance(3)
    out = draw_result(case, arranged_shape(outside, (b, n, s, e)))
    sums = draw_result(case, (b, n, s, 1)) if has_sums else None
    case.add(query, [key], [value], shift, mask, told_queries, told_keys, *([None] * UNUSED), n, scale, before, behind,
             layout, m if m != n or case.chance(2) else 0, mode, 0, 0, 0, has_sums, 0, 0, out, sums).seal()

    q = read_in_layout(inside, query, (b, n, s, d))
    k = np.repeat(read_in_layout(inside, key, (b, m, t, d)), n // m, axis=1)
    v = np.repeat(read_in_layout(inside, value, (b, m, t, e)), n // m, axis=1)
    scores = q @ np.swapaxes(k, 2, 3) * scale
    wrong = (d + 4) * UNIT * (np.abs(q) @ np.swapaxes(np.abs(k), 2, 3)) * scale
    hidden = hidden_by_band((b, n, s, t), mode, *band(mode, before, behind, mask is not None), queries, keys)
    if shift:
        scores = scores + read(shift)
        wrong = wrong + 2 * UNIT * np.abs(np.nan_to_num(scores, neginf=0))
    if mask and mode < 2:
        hidden = hidden | hidden_by_mask(mask, (b, n, s, t))
    values, logarithms, weights = attend(scores, hidden, v)
    worst = np.max(wrong, axis=-1, keepdims=True, initial=0) + 16 * UNIT
    spread = np.max(np.abs(np.nan_to_num(scores, neginf=0)), axis=-1, keepdims=True, initial=0)
    error = (2 * worst + (t + 8 + 4 * spread) * UNIT) * (weights @ np.abs(v)) + TINY
    add_result(case, out, outside, values, error)
    if sums:
        case.results.append((sums, near(logarithms, worst + 8 * UNIT * (1 + np.abs(logarithms)))))


OPERATORS = {"RotaryPositionEmbedding": draw_rotary, "FusedInferAttentionScoreV2": draw_attention}
LIMIT = 5e-4
