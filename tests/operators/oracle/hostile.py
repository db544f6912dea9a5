# SPDX-License-Identifier: MIT
"""Cases that are changed until they are wrong, or only large.

Whatever the first phase takes, the device must take too: it must never refuse a descriptor. Whatever the first phase
refuses, it must refuse with a sentence that names the operator, an argument, and the type and shape of a tensor."""
import re
import struct

NUMBERS = (0, 1, -1, 2, 3, 7, 8, 9, 16, 255, 1024, 4095, 4096, 4097, 65535, 65536, 65537, 2 ** 19, 2 ** 19 + 1, 2 ** 20,
           2 ** 20 + 2, 2 ** 22, 2 ** 29, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 33, 2 ** 40, 2 ** 48, 2 ** 48 + 1,
           2 ** 60, 2 ** 62, 2 ** 63 - 1, -2, -2 ** 31, -2 ** 33, -2 ** 61, -2 ** 63)
REALS = (0.0, -1.0, 1.5, 1e300, float("inf"), float("-inf"), float("nan"))
DTYPES = (0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 27, 29, 77)
SCALARS = (0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 27)
NONE, TENSOR, LIST, SCALAR, INTEGERS, INTEGER, REAL, TEXT = range(8)
WRONG, MISSING = 161002, 161001
PRINTED = r"(?:FLOAT16|FLOAT|BF16|DOUBLE|U?INT8|U?INT16|U?INT32|U?INT64|INT4|BOOL|-?\d+) \[[\d, ]*\]"


def wrap(value):
    return (value + 2 ** 63) % 2 ** 64 - 2 ** 63


class Tensor:
    def __init__(self, fields):
        self.dtype, self.format, self.address, self.offset, ndim = struct.unpack_from("<iiqqI", fields)
        numbers = struct.unpack_from(f"<{2 * ndim}q", fields, 28)
        self.dims, self.strides = list(numbers[:ndim]), list(numbers[ndim:])

    def pack(self):
        count = len(self.dims)
        return struct.pack(f"<iiqqI{2 * count}q", self.dtype, self.format, self.address, self.offset, count,
                           *self.dims, *map(wrap, self.strides))

    def make_dense(self):
        step = 1
        for d in reversed(range(len(self.dims))):
            self.strides[d] = wrap(step)
            step *= max(self.dims[d], 1)


def parse(arguments):
    """The packed arguments of a case as lists [tag, value]."""
    parsed, entries = [], iter(arguments)
    for entry in entries:
        tag, = struct.unpack_from("<I", entry)
        if tag == TENSOR:
            parsed.append([tag, Tensor(entry[4:])])
        elif tag == LIST:
            parsed.append([tag, [Tensor(next(entries)) for _ in range(struct.unpack_from("<I", entry, 4)[0])]])
        elif tag == INTEGERS:
            count, = struct.unpack_from("<I", entry, 4)
            parsed.append([tag, list(struct.unpack_from(f"<{count}q", entry, 8))])
        elif tag == INTEGER:
            parsed.append([tag, struct.unpack_from("<q", entry, 4)[0]])
        else:
            parsed.append([tag, entry[4:]])
    return parsed


def pack(parsed):
    for tag, value in parsed:
        head = struct.pack("<I", tag)
        if tag == TENSOR:
            yield head + value.pack()
        elif tag == LIST:
            yield head + struct.pack("<I", len(value))
            yield from (member.pack() for member in value)
        elif tag == INTEGERS:
            yield head + struct.pack(f"<I{len(value)}q", len(value), *value)
        elif tag == INTEGER:
            yield head + struct.pack("<q", value)
        else:
            yield head + value


def tensors_of(parsed):
    for tag, value in parsed:
        if tag == TENSOR:
            yield value
        elif tag == LIST:
            yield from value


def natural(random):
    return random.choice([number for number in NUMBERS if number >= 0])


def resize(random, parsed):
    """Gives all dims of one size another size, and the numbers that are this size as well."""
    sizes = sorted({size for tensor in tensors_of(parsed) for size in tensor.dims})
    if not sizes:
        return
    old, new = random.choice(sizes), natural(random)
    for tensor in tensors_of(parsed):
        if old not in tensor.dims:
            continue
        tensor.dims = [new if size == old else size for size in tensor.dims]
        way = random.randrange(3)
        if way == 0:
            tensor.make_dense()
        elif way == 1:
            tensor.strides = [0 if size == new else stride for size, stride in zip(tensor.dims, tensor.strides)]
    for argument in parsed:
        if argument[0] == INTEGERS:
            argument[1] = [new if value == old else value for value in argument[1]]
        elif argument[0] == INTEGER and argument[1] == old:
            argument[1] = new


def spoil_tensor(random, tensor):
    place = random.randrange(7)
    if place == 0:
        tensor.dtype = random.choice(DTYPES)
    elif place == 1:
        tensor.offset = random.choice(NUMBERS)
    elif place == 2:
        tensor.address = random.choice(NUMBERS)
    elif place == 3 and len(tensor.dims) < 8:
        at = random.randint(0, len(tensor.dims))
        tensor.dims.insert(at, random.choice((1, 1, natural(random))))
        tensor.strides.insert(at, random.choice(NUMBERS))
    elif place == 4 and tensor.dims:
        at = random.randrange(len(tensor.dims))
        del tensor.dims[at], tensor.strides[at]
    elif tensor.dims and place == 5:
        tensor.dims[random.randrange(len(tensor.dims))] = natural(random)
    elif tensor.dims:
        tensor.strides[random.randrange(len(tensor.dims))] = random.choice(NUMBERS)


def spoil_list(random, members):
    if members and random.randrange(3) == 0:
        members += members * random.randint(1, 9)
    elif members and random.randrange(3) == 0:
        del members[random.randrange(len(members))]
    elif members:
        spoil_tensor(random, random.choice(members))


def spoil_integers(random, values):
    if values and random.randrange(3):
        values[random.randrange(len(values))] = random.choice(NUMBERS)
    elif random.randrange(2):
        values += [random.choice(NUMBERS)] * random.choice((1, 2, 7, 130))
    elif values:
        values.pop()


def spoil_argument(random, argument):
    tag, value = argument
    if tag in (TENSOR, LIST, SCALAR, INTEGERS) and random.randrange(24) == 0:
        argument[:] = [NONE, b""]
    elif tag == TENSOR:
        spoil_tensor(random, value)
    elif tag == LIST:
        spoil_list(random, value)
    elif tag == INTEGERS:
        spoil_integers(random, value)
    elif tag == INTEGER:
        argument[1] = random.choice(NUMBERS)
    elif tag == REAL:
        argument[1] = struct.pack("<d", random.choice(REALS))
    elif tag == SCALAR:
        argument[1] = struct.pack("<iq", random.choice(SCALARS), random.choice(NUMBERS))
    elif tag == TEXT:
        argument[1] = struct.pack("<I", 3) + random.choice((b"BSH", b"TND", b"\xff\x01%"))


def spoil(case):
    """Changes the arguments of a case in a few places."""
    parsed = parse(case.arguments)
    for _ in range(case.random.randint(1, 3)):
        if case.random.randrange(2):
            resize(case.random, parsed)
        else:
            spoil_argument(case.random, case.random.choice(parsed))
    case.arguments = list(pack(parsed))


def check(case, row, outcome):
    """Return: what is wrong, or None. @row: the operator's names of arguments that are tensors, and of the others"""
    prepare, launch, synchronize, sentence = outcome
    tensors, others = row
    if prepare == 0:
        if launch == MISSING and re.fullmatch(rf"aclnn{case.name}: {any_of(tensors)} has no memory.*", sentence):
            return None
        return None if launch == 0 and synchronize == 0 else f"taken, then {launch}, {synchronize}: {sentence}"
    if prepare == MISSING:
        good = re.fullmatch(rf"aclnn{case.name}: {any_of(tensors + others)}(, with(out)? \w+,)? is NULL", sentence)
    else:
        about_tensor = rf"{any_of(tensors)}(\[\d+\])? (is {PRINTED}; .+|must be NULL: .+|has .* members.*)"
        about_other = rf"{any_of(others)} (is|has|must) .+"
        good = prepare == WRONG and re.fullmatch(rf"aclnn{case.name}: ({about_tensor}|{about_other})", sentence, re.S)
    return None if good else f"{prepare}: the sentence is: {sentence}"


def any_of(names):
    return "(" + "|".join(names) + ")" if names else "(?!)"
