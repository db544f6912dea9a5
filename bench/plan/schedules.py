# SPDX-License-Identifier: MIT
"""The steps of our schedules, as umd/hccl/schedule emits them: one function for each call, of an emitter and a number of
bytes. Elements have 4 bytes."""
from ranks import LINE_BYTES, READ, READY, REDUCED, SHORT_BYTES

ELEMENT_BYTES = 4


def part_starts(size, parts):
    """Where the parts of a round begin, in bytes, and its end."""
    unit = LINE_BYTES // ELEMENT_BYTES
    each = (size // ELEMENT_BYTES // parts + unit - 1) // unit * unit * ELEMENT_BYTES
    return [min(size, part * each) for part in range(parts)] + [size]


def pieces_of(size, most):
    """Sizes of the pieces of a transfer; a transfer of nothing has none."""
    return [min(most, size - at) for at in range(0, size, most)]


def rounds_of(size, most):
    return pieces_of(size, most)


def bring_along(emitter, way, size):
    """The first rank of @way sends a piece; each other one takes it and sends it on."""
    if emitter.rank not in way:
        return
    own = way.index(emitter.rank)
    if own:
        emitter.begin_take(way[own - 1])
    if own + 1 < len(way):
        emitter.begin_send(way[own + 1])
        emitter.copy(size)
        emitter.end_send(way[own + 1], size)
    if own:
        emitter.copy(size)
        emitter.end_take(way[own - 1])


def pass_chain(emitter, place, size):
    """One piece goes along all islands, and each adds the data of its ranks."""
    if emitter.place != place:
        return
    shape, island = emitter.shape, emitter.island
    if island:
        emitter.begin_take((island - 1, place))
    if island + 1 < shape.islands:
        emitter.begin_send((island + 1, place))
    emitter.fold(shape.ranks + (island > 0), size, shape.ranks)
    if island + 1 < shape.islands:
        emitter.end_send((island + 1, place), size)
    if island:
        emitter.end_take((island - 1, place))


def reduce_part(emitter, place, size, lag=None):
    """Agents take the result of a piece @lag pieces after they have passed it on."""
    shape = emitter.shape
    pieces = pieces_of(size, shape.slot_bytes)
    way = [((shape.islands - 1 + i) % shape.islands, place) for i in range(shape.islands)]
    lag = shape.lag() if lag is None else lag
    own_lag = 0 if emitter.rank == way[0] else lag
    for i in range(len(pieces) + lag):
        if i < len(pieces):
            pass_chain(emitter, place, pieces[i])
        if 0 <= i - own_lag < len(pieces):
            bring_along(emitter, way, pieces[i - own_lag])


def put_parts(emitter, starts):
    """A rank puts all parts into its buffer but its own."""
    for part in range(emitter.shape.ranks):
        if part != emitter.place:
            emitter.copy(starts[part + 1] - starts[part], emitter.shape.ranks)


def get_parts(emitter, starts):
    for part in range(emitter.shape.ranks):
        emitter.copy(starts[part + 1] - starts[part], emitter.shape.ranks)


def reduce_far(emitter, size, reduce=reduce_part):
    """One round of an AllReduce over several islands. @reduce: of one part"""
    starts = part_starts(size, emitter.shape.ranks)
    emitter.wait_all(READ)
    put_parts(emitter, starts)
    emitter.meet(READY)
    for part in emitter.group.places:
        reduce(emitter, part, starts[part + 1] - starts[part])
    emitter.meet(REDUCED)
    # The result of a rank that is alone on its island is where it belongs.
    if emitter.shape.ranks > 1:
        get_parts(emitter, starts)
    emitter.tell(READ)


def reduce_near(emitter, size):
    """One round of an AllReduce on one island."""
    ranks = emitter.shape.ranks
    emitter.wait_all(READ)
    if size <= SHORT_BYTES:
        emitter.copy(size, ranks)
        emitter.meet(READY)
        emitter.fold(ranks, size, ranks)
    else:
        starts = part_starts(size, ranks)
        first, last = starts[emitter.place], starts[emitter.place + 1]
        emitter.copy(first, ranks)
        emitter.copy(size - last, ranks)
        emitter.meet(READY)
        emitter.fold(ranks, last - first, ranks)
        emitter.meet(REDUCED)
        get_parts(emitter, starts)
    emitter.tell(READ)


def all_reduce(emitter, size, reduce=reduce_part):
    """@reduce: as of reduce_far()"""
    if emitter.shape.islands > 1:
        for some in rounds_of(size, emitter.shape.reduced_bytes(size)):
            reduce_far(emitter, some, reduce)
        return
    for some in rounds_of(size, emitter.shape.collective_bytes):
        reduce_near(emitter, some)


def broadcast(emitter, size):
    """The root is the first rank."""
    shape = emitter.shape
    way = [(island, 0) for island in range(shape.islands)]
    for some in rounds_of(size, shape.collective_bytes):
        emitter.wait_all(READ)
        if emitter.rank == (0, 0):
            emitter.copy(some)
        if shape.islands > 1:
            for piece in pieces_of(some, shape.slot_bytes):
                bring_along(emitter, way, piece)
        emitter.meet(READY)
        if emitter.rank != (0, 0):
            emitter.copy(some, shape.ranks)
        emitter.tell(READ)


def exchange(emitter, sends, takes, size):
    """Messages with other islands: in each turn a piece of all, the sends first."""
    shape = emitter.shape
    for piece in pieces_of(size, min(shape.message_bytes, shape.slot_bytes)):
        for to in sends:
            emitter.begin_send(to)
            emitter.copy(piece, shape.ranks)
            emitter.end_send(to, piece)
        for source in takes:
            emitter.begin_take(source)
            emitter.copy(piece, shape.ranks)
            emitter.end_take(source)


def all_gather(emitter, size):
    """@size: of the result of all ranks"""
    shape = emitter.shape
    others = [(island, emitter.place) for island in range(shape.islands) if island != emitter.island]
    room = shape.collective_bytes // shape.islands // LINE_BYTES * LINE_BYTES
    for some in rounds_of(max(size // shape.total, 1), room):
        emitter.wait_all(READ)
        emitter.copy(some, shape.ranks)
        exchange(emitter, others, others, some)
        emitter.meet(READY)
        for _ in range(shape.total):
            emitter.copy(some, shape.ranks)
        emitter.tell(READ)


def barrier(emitter, _size):
    shape = emitter.shape
    emitter.wait_all(READ)
    emitter.meet(READY)
    if shape.islands > 1:
        bring_along(emitter, [(island, 0) for island in range(shape.islands)], 0)
        bring_along(emitter, [((shape.islands - 1 + i) % shape.islands, 0) for i in range(shape.islands)], 0)
        emitter.meet(REDUCED)
    emitter.tell(READ)
