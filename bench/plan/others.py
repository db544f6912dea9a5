# SPDX-License-Identifier: MIT
"""Schedules that we do not have, with the same packets and links. KEEPS_ORDER names those whose results have the bits of ours:
r0 op r1, that op r2, and so on."""
from ranks import READ, READY
from schedules import all_reduce, bring_along, pass_chain, pieces_of, reduce_part

KEEPS_ORDER = {"chain": True, "chain, short lag": True, "chain, then back": True, "gather and reduce": True, "ring": False,
               "tree": False}


def reduce_part_short_lag(emitter, place, size):
    """Our chain with a lag of the slots of a link, however many islands there are."""
    reduce_part(emitter, place, size, emitter.shape.slots)


def reduce_part_then_back(emitter, place, size):
    """Our chain, but results come back when all pieces of the part have passed it. The last agent sends nothing before
    that, so the lag needs no slots."""
    shape = emitter.shape
    pieces = pieces_of(size, shape.slot_bytes)
    way = [((shape.islands - 1 + i) % shape.islands, place) for i in range(shape.islands)]
    for piece in pieces:
        pass_chain(emitter, place, piece)
    for piece in pieces:
        bring_along(emitter, way, piece)


def send(emitter, to, size):
    emitter.begin_send(to)
    emitter.copy(size)
    emitter.end_send(to, size)


def take(emitter, source, size, operands):
    """Takes a piece, and reduces it with so many others; 0: puts it away."""
    emitter.begin_take(source)
    emitter.fold(operands + 1, size, emitter.shape.ranks)
    emitter.end_take(source)


def reduce_part_ring(emitter, place, size):
    """Each island begins with a block of its own, and so each block has an order of its own."""
    if emitter.place != place:
        return
    shape, island = emitter.shape, emitter.island
    right = ((island + 1) % shape.islands, place)
    left = ((island - 1) % shape.islands, place)
    block = -(-size // shape.islands)
    if shape.ranks > 1:
        emitter.fold(shape.ranks, size, shape.ranks)
    for operands in [1] * (shape.islands - 1) + [0] * (shape.islands - 1):
        for piece in pieces_of(block, shape.slot_bytes):
            send(emitter, right, piece)
            take(emitter, left, piece, operands)


def tree_links(island, islands):
    """The parent in a binomial tree with root 0, or None; and the children, the nearest first."""
    children, step = [], 1
    while step < islands:
        if island % (2 * step):
            return island - step, children
        if island + step < islands:
            children.append(island + step)
        step *= 2
    return None, children


def reduce_part_tree(emitter, place, size):
    """Results go up a binomial tree and down again. Neighbours are added first: (r0 op r1) op (r2 op r3)."""
    if emitter.place != place:
        return
    shape = emitter.shape
    parent, children = tree_links(emitter.island, shape.islands)
    pieces = pieces_of(size, shape.slot_bytes)
    if shape.ranks > 1:
        emitter.fold(shape.ranks, size, shape.ranks)
    for piece in pieces:
        for child in children:
            take(emitter, (child, place), piece, 1)
        if parent is not None:
            send(emitter, (parent, place), piece)
    for piece in pieces:
        if parent is not None:
            take(emitter, (parent, place), piece, 0)
        for child in reversed(children):
            send(emitter, (child, place), piece)


def gather_and_reduce(emitter, size):
    """The data of all ranks go to every island, twice as many in each step, and each rank reduces all of them. The last rank
    of an island is its agent, as the first one hears of all calls."""
    shape, island, place = emitter.shape, emitter.island, emitter.shape.ranks - 1
    emitter.wait_all(READ)
    emitter.copy(size, shape.ranks)
    emitter.meet(READY)
    held = 1
    while emitter.place == place and held < shape.islands:
        to, source = ((island - held) % shape.islands, place), ((island + held) % shape.islands, place)
        for piece in pieces_of(min(held, shape.islands - held) * shape.ranks * size, shape.slot_bytes):
            send(emitter, to, piece)
            take(emitter, source, piece, 0)
        held *= 2
    emitter.meet(READY)
    emitter.fold(shape.total, size, shape.ranks)
    emitter.tell(READ)


def _far(reduce):
    return lambda emitter, size: all_reduce(emitter, size, reduce)


ALL_REDUCES = {"chain, short lag": _far(reduce_part_short_lag), "chain, then back": _far(reduce_part_then_back),
               "gather and reduce": gather_and_reduce, "ring": _far(reduce_part_ring), "tree": _far(reduce_part_tree)}
