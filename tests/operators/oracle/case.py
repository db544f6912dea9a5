# SPDX-License-Identifier: MIT
"""A case: an operator, its arguments, and one piece of device memory that holds all of its tensors.

A family draws operands and arguments, seals the case, and says from the values that are then in memory what each
result must be. All bytes that belong to no result must come back as they were."""
import math
import random
import struct

import numpy as np

import formats

MARGIN = 64
# As much as the driver has for a case.
MEMORY_BYTES = 64 << 20
GARBAGE = (0, -1, 7, 2 ** 62, -2 ** 63, 123456789)


class TooLarge(Exception):
    """The operands of a case need more memory than the driver has."""


class Operand:
    """A view and where each of its elements lies."""

    def __init__(self, case, dtype, positions, fields):
        self.case, self.dtype, self.positions, self.fields = case, dtype, positions, fields

    @property
    def shape(self):
        return self.positions.shape

    def bits(self, memory=None):
        memory = self.case.memory if memory is None else memory
        kind = formats.storage(self.dtype)
        # Arithmetic of numpy has other types for arrays without dims, so these get one.
        places = np.atleast_1d(self.positions)[..., None] + np.arange(kind.itemsize)
        return np.ascontiguousarray(memory[places]).view(kind)[..., 0]

    def read(self):
        return formats.decode(self.dtype, self.bits())


class Want:
    """What the elements of a result must be: these bits, or numbers around @values.

    Where @is_zero, the element is @values with its sign, exactly."""

    def __init__(self, bits=None, values=None, error=None):
        self.bits, self.values, self.error = bits, values, error
        self.is_zero = None


def exactly(dtype, values):
    """Numbers of the type of the arithmetic, as the device rounds them; any NaN equals another."""
    return Want(bits=formats.encode(dtype, values))


def near(values, error):
    """float64 numbers; the arithmetic may be wrong by @error, and then the result is rounded."""
    values = np.asarray(values, dtype=np.float64)
    return Want(values=values, error=np.where(np.isfinite(values), np.broadcast_to(error, values.shape), 0.0))


class Case:
    """@grow: how much larger tensors are than usual. @attempt: counts the cases of this number that were too large."""

    def __init__(self, family, seed, number, grow=1, attempt=0):
        again = f"/{attempt}" if attempt else ""
        self.random = random.Random(f"{family}/{seed}/{number}{again}")
        self.numpy = np.random.default_rng([seed, number, attempt])
        self.grow = max(1, grow >> attempt)
        self.name, self.arguments, self.count = "", [], 0
        self.end, self.writes, self.memory = MARGIN, [], None
        self.bad_index = None
        self.results = []  # pairs of an operand and what it must be

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def shape(self, most_dims=8, most_elements=300, least_dims=0, has_zero=True):
        if self.chance(64) and self.grow == 1:
            most_elements *= 40
        most_elements *= self.grow
        dims, left = [], most_elements
        for _ in range(self.random.randint(least_dims, most_dims)):
            dims.append(1 + self.random.randrange(min(left, 8) if not self.chance(8) else left))
            left //= dims[-1]
        if dims and self.grow > 1:
            dims[-1] *= max(1, left // 2)
        self.random.shuffle(dims)
        if dims and has_zero and self.chance(32):
            dims[self.random.randrange(len(dims))] = 0
        return tuple(dims)

    def size(self, most, least=1):
        """One of two dims that grow together."""
        most *= math.isqrt(self.grow)
        return self.random.randint(most // 2 if self.grow > 1 else least, most)

    def strides(self, shape, is_plain, may_repeat):
        """Strides in elements; views that are not plain are permuted, spread, mirrored or repeated."""
        order = list(range(len(shape)))[::-1]
        strides, step = [0] * len(shape), 1
        is_plain = is_plain or self.chance(4)
        if not is_plain and self.chance(2):
            self.random.shuffle(order)
        if not is_plain and self.chance(2):
            step = self.random.randint(1, 3)
        for d in order:
            if shape[d] <= 1:
                continue
            if may_repeat and not is_plain and self.chance(6):
                continue
            strides[d] = -step if not is_plain and self.chance(5) else step
            is_dense = is_plain or (self.grow > 1 and shape[d] < 64)
            step = step * shape[d] + (0 if is_dense else self.random.randint(0, 2))
        return strides

    def reserve(self, count, alignment=8):
        begin = -(-self.end // alignment) * alignment + (self.chance(4) and alignment > 1)
        self.end = begin + count + MARGIN
        if self.end > MEMORY_BYTES:
            raise TooLarge()
        return begin

    def operand(self, dtype, shape, bits=None, scale=4.0, has_special=False, is_plain=False,
                is_result=False, is_dense=False, fmt=2):
        """An operand with random or given bits. A result gets a place for each element. The strides that the
        program gives a dense one are nonsense."""
        shape = tuple(int(size) for size in shape)
        kind = formats.storage(dtype)
        strides = self.strides(shape, is_plain or is_dense, not is_result)
        reach = [stride * (size - 1) for stride, size in zip(strides, shape)]
        low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
        is_empty = 0 in shape
        extent = 0 if is_empty else high - low + 1
        first = self.reserve(extent * kind.itemsize) - (0 if is_empty else low * kind.itemsize)
        positions = np.array(first, dtype=np.int64)
        for stride, size in zip(strides, shape):
            positions = positions[..., None] + np.arange(size) * (stride * kind.itemsize)
        if bits is None:
            bits = formats.draw(self.random, self.numpy, dtype, shape, scale, has_special)
        if not is_empty:
            self.writes.append((positions, np.asarray(bits, dtype=kind)))
        told = [self.random.choice(GARBAGE) if is_dense or size == 1 and not self.chance(3) else stride
                for stride, size in zip(strides, shape)]
        offset = self.random.randint(-9, 9) if self.chance(2) else 0
        fields = struct.pack("<iiqqI", formats.TYPES[dtype][0], fmt,
                             first - offset * kind.itemsize, offset, len(shape))
        fields += struct.pack(f"<{2 * len(shape)}q", *shape, *told)
        return Operand(self, dtype, positions, fields)

    def result(self, dtype, shape, **how):
        return self.operand(dtype, shape, has_special=True, is_result=True, **how)

    def add(self, *arguments):
        """Arguments: operands, lists of them, None, True and False, int, float, str, tuples of integers, or
        fields with a tag of their own."""
        for argument in arguments:
            self.count += 1
            if argument is None:
                self.arguments.append(struct.pack("<I", 0))
            elif isinstance(argument, Operand):
                self.arguments.append(struct.pack("<I", 1) + argument.fields)
            elif isinstance(argument, list):
                self.arguments.append(struct.pack("<II", 2, len(argument)))
                self.arguments += [member.fields for member in argument]
            elif isinstance(argument, bytes):
                self.arguments.append(argument)
            elif isinstance(argument, Scalar):
                self.arguments.append(struct.pack("<I", 3) + argument.fields)
            elif isinstance(argument, tuple):
                self.arguments.append(struct.pack(f"<II{len(argument)}q", 4, len(argument), *argument))
            elif isinstance(argument, (int, np.integer)):
                self.arguments.append(struct.pack("<Iq", 5, argument))
            elif isinstance(argument, float):
                self.arguments.append(struct.pack("<Id", 6, argument))
            else:
                text = argument.encode()
                self.arguments.append(struct.pack("<II", 7, len(text)) + text)
        return self

    def seal(self):
        """Fills the memory: operands are between random bytes."""
        self.memory = np.frombuffer(self.numpy.bytes(self.end), dtype=np.uint8).copy()
        for positions, bits in self.writes:
            size = bits.dtype.itemsize
            data = np.ascontiguousarray(bits)[..., None].view(np.uint8).reshape(bits.shape + (size,))
            self.memory[positions[..., None] + np.arange(size)] = data

    def pack(self):
        name = self.name.encode()
        return b"".join([struct.pack("<I", len(name)), name, struct.pack("<I", len(self.memory)),
                         self.memory.tobytes(), struct.pack("<I", self.count), *self.arguments])


def reals(*values):
    """An array of floats as an argument."""
    return struct.pack(f"<II{len(values)}f", 8, len(values), *values)


class Scalar:
    """A scalar argument: its number as the interface decodes it."""

    CODES = {"FLOAT": "f", "DOUBLE": "d", "INT32": "i", "INT64": "q", "INT8": "b", "BOOL": "?", "UINT64": "Q"}
    # Tensors can't have this type.
    UINT64 = 10

    def __init__(self, value, dtype):
        data = struct.pack("<" + self.CODES[dtype], value)
        number = self.UINT64 if dtype == "UINT64" else formats.TYPES[dtype][0]
        self.fields = struct.pack("<i", number) + data.ljust(8, b"\xa5")
        self.is_floating = dtype in ("FLOAT", "DOUBLE")
        self.real = float(struct.unpack("<" + self.CODES[dtype], data)[0])
        whole = abs(self.real) < 2.0 ** 63
        self.integer = int(value) if not self.is_floating else int(self.real) if whole else 0
        # As what an element is compared with; a number of INT64 is its bits.
        self.bound = min(self.integer, 2 ** 63 - 1)
        self.integer = (self.integer + 2 ** 63) % 2 ** 64 - 2 ** 63
        self.has_fraction = self.is_floating and float(self.integer) != self.real


def draw_scalar(case, is_integer=False, scale=3):
    if case.chance(12):
        dtype = case.random.choice(("INT64", "UINT64"))
        least, most = (-2 ** 63, 2 ** 63) if dtype == "INT64" else (0, 2 ** 64)
        return Scalar(case.random.choice((least, most - 1, most // 2 + 3, case.random.randrange(least, most))), dtype)
    if is_integer or case.chance(3):
        value = case.random.randint(-scale, scale)
        dtype = case.random.choice(("FLOAT", "DOUBLE", "INT32", "INT64", "INT8"))
        return Scalar(value if dtype.startswith("INT") else float(value), dtype)
    return Scalar(case.random.uniform(-scale, scale), case.random.choice(("FLOAT", "DOUBLE")))
