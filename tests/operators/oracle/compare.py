# SPDX-License-Identifier: MIT
"""Compares the memory of a case after its operator with what must be there."""
import numpy as np

import formats

VECTOR_CORE_EXCEPTION = 507035
BAD_INDEX = "an index that an operator reads is outside of its tensor"


def is_floating(dtype):
    return formats.category(dtype) == 2


def check_bits(dtype, got, want):
    good = got == want
    if is_floating(dtype):
        good |= np.isnan(formats.decode(dtype, got)) & np.isnan(formats.decode(dtype, want))
    return good


def check_range(dtype, got, want):
    """A result is between the roundings of the lowest and the highest number that the arithmetic may give."""
    numbers = formats.decode(dtype, got)
    low = formats.decode(dtype, formats.encode(dtype, want.values - want.error))
    high = formats.decode(dtype, formats.encode(dtype, want.values + want.error))
    good = ((numbers >= low) & (numbers <= high)) | (np.isnan(numbers) & np.isnan(want.values))
    if want.is_zero is not None:
        is_same = (numbers == 0) & (np.signbit(numbers) == np.signbit(want.values))
        good &= is_same | ~np.reshape(want.is_zero, got.shape)
    return good


def find_reach(dtype, got):
    """The lowest and the highest number that is rounded to each result; infinite ones reach nowhere."""
    numbers = formats.decode(dtype, got)
    sizes = np.abs(numbers)
    # The bits of sizes are in the order of the sizes.
    inner = (sizes + np.abs(formats.decode(dtype, np.where(sizes > 0, got - got.dtype.type(1), got)))) / 2
    # At a power of two the next number outwards is twice as far as the next one inwards.
    following = np.abs(formats.decode(dtype, got + got.dtype.type(1)))
    outer = np.where(np.isfinite(following), (sizes + following) / 2, sizes + (sizes - inner))
    inner = np.where(sizes > 0, inner, -outer)
    return np.where(np.signbit(numbers), -outer, inner), np.where(np.signbit(numbers), -inner, outer)


def find_error(dtype, got, want):
    """The normalised mean square error, as squares of the error and of the values; None without numbers.

    The error is that of the arithmetic: the distance to the nearest number that is rounded to the result. Rounding to
    16 bits would else turn an error of 1e-7 beside the middle of two results into one of 4e-3."""
    if want.values is None:
        return None
    low, high = find_reach(dtype, got)
    is_finite = np.isfinite(low) & np.isfinite(high) & np.isfinite(want.values)
    values = want.values[is_finite]
    scale = np.max(np.abs(values), initial=0.0)
    if scale == 0:
        return None
    difference = (values - np.clip(values, low[is_finite], high[is_finite])) / scale
    return float(np.sum(difference ** 2)), float(np.sum((values / scale) ** 2))


def describe(operand, got, want, good):
    worst = tuple(int(i) for i in np.argwhere(~good)[0])
    dtype = operand.dtype
    number = formats.decode(dtype, got[worst])
    wanted = f"{want.values[worst]!r} +- {want.error[worst]!r}" if want.bits is None else \
        repr(formats.decode(dtype, np.asarray(want.bits)[worst]))
    return (f"result {dtype} {list(operand.shape)}: {np.count_nonzero(~good)} wrong, at {list(worst)} "
            f"is {number!r}, must be {wanted}")


def check(case, outcome, memory):
    """Return: what is wrong, or None; and the errors of the results."""
    prepare, launch, synchronize, sentence = outcome
    wanted = VECTOR_CORE_EXCEPTION if case.bad_index else 0
    if (prepare, launch, synchronize) != (0, 0, wanted):
        return f"status {prepare}, {launch}, {synchronize}: {sentence}", []
    if case.bad_index and BAD_INDEX not in sentence:
        return f"the sentence is: {sentence}", []
    is_kept = np.ones(len(memory), dtype=bool)
    errors = []
    for operand, want in case.results:
        size = formats.storage(operand.dtype).itemsize
        is_kept[operand.positions[..., None] + np.arange(size)] = False
        if want is None:
            continue
        got = operand.bits(memory)
        if want.bits is not None:
            want.bits = np.reshape(want.bits, got.shape)
            good = check_bits(operand.dtype, got, want.bits)
        else:
            want.values = np.reshape(want.values, got.shape)
            want.error = np.reshape(want.error, got.shape)
            good = check_range(operand.dtype, got, want)
        if not np.all(good):
            return describe(operand, got, want, good), errors
        error = find_error(operand.dtype, got, want)
        if error:
            errors.append(error)
    is_good = ~is_kept | (memory == case.memory)
    if not np.all(is_good):
        return f"byte {np.argmin(is_good)} of {len(memory)} belongs to no result and has changed", errors
    return None, errors
