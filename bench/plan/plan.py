#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plan.py: how long collective operations of many islands take, by a simulated clock. --help lists what it prints."""
import argparse
import dataclasses
import functools
import gc
import sys

import bounds
import costs as models
import others
import schedules
from clock import KINDS
from ranks import LINE_BYTES, LINK_SLOTS, Group, Shape, spent_between

CALLS = {"AllReduce": schedules.all_reduce, "AllGather": schedules.all_gather, "Broadcast": schedules.broadcast,
         "Barrier": schedules.barrier}
SIZES = (8, 1 << 10, 32 << 10, 1 << 20, 32 << 20, 1 << 30)


@dataclasses.dataclass
class Prediction:
    seconds: float
    spent: list    # seconds of each of KINDS, on the critical path


def lane_of(name, shape, size):
    """The place whose rank has most to do, and how many places have as much."""
    if name in ("Broadcast", "Barrier"):
        return 0, 1
    if name == "gather and reduce":
        return shape.ranks - 1, 1
    if name == "AllGather":
        return 0, shape.ranks
    starts = schedules.part_starts(min(size, shape.collective_bytes), shape.ranks)
    lengths = [b - a for a, b in zip(starts, starts[1:])]
    return lengths.index(max(lengths)), sum(length > 0 for length in lengths)


def simulate(name, emit, shape, costs, size, every=False):
    """One call. @every: simulate each rank, not one of each island"""
    place, active = lane_of(name, shape, size)
    places, share = (range(shape.ranks), 1) if every else ([place], 1 / active)
    # Moments live until the end of the call, and have no cycles: looking for garbage among them takes most of the time.
    gc.disable()
    try:
        first, last = Group(shape, costs, places, share).call(lambda emitter: emit(emitter, size))
        return Prediction(last[0] - first[0], spent_between(first, last))
    finally:
        gc.enable()


def repeat(name, shape, costs, size, turns=4):
    """Seconds of each of @turns calls that are submitted together."""
    place, active = lane_of(name, shape, size)
    group = Group(shape, costs, [place], 1 / active)
    return max(group.call(lambda emitter: CALLS[name](emitter, size), group.begun)[1][0] for _ in range(turns)) / turns


def mix(one, other, factor):
    """@one, and @factor times what @other is more."""
    return Prediction(one.seconds + factor * (other.seconds - one.seconds),
                      [a + factor * (b - a) for a, b in zip(one.spent, other.spent)])


def piece_bytes(name, shape):
    """Bytes of a call for one piece of each link."""
    if name == "Broadcast":
        return shape.slot_bytes
    return shape.slot_bytes * (shape.total if name == "AllGather" else shape.ranks)


def round_bytes(name, shape):
    """Bytes of a call for one round, where it has several."""
    if name == "AllGather":
        return shape.collective_bytes // shape.islands // LINE_BYTES * LINE_BYTES * shape.total
    return shape.collective_bytes


def has_one_round(name, shape, size):
    if name in ("AllGather", "Broadcast"):
        return size <= round_bytes(name, shape)
    return size <= shape.reduced_bytes(size)


# So many pieces of a round are simulated where it has more; a ring divides them once more, and has all.
FEW_PIECES = {"AllGather": (2, 3), "ring": None}
MORE_PIECES = (6, 12)


def predict_rounds(name, emit, shape, costs, count):
    """So many full rounds. Time grows by the same for each piece once all links are in use."""
    pieces = round_bytes(name, shape) / piece_bytes(name, shape)
    few = FEW_PIECES.get(name, MORE_PIECES)
    if shape.islands == 1 or few is None or pieces <= few[1]:
        return simulate(name, emit, shape, costs, count * round_bytes(name, shape))
    made = []
    for some in few:
        short = shape.shortened(some * piece_bytes(name, shape) * shape.collective_bytes // round_bytes(name, shape))
        made.append(simulate(name, emit, short, costs, count * round_bytes(name, short)))
    return mix(*made, (pieces - few[0]) / (few[1] - few[0]))


def predict(name, emit, shape, costs, size):
    """One call. A long one is made of what shorter ones take."""
    unit = round_bytes(name, shape)
    if has_one_round(name, shape, size):
        few = FEW_PIECES.get(name, MORE_PIECES)
        if shape.islands == 1 or few is None or size <= few[1] * piece_bytes(name, shape):
            return simulate(name, emit, shape, costs, size)
        made = [simulate(name, emit, shape, costs, some * piece_bytes(name, shape)) for some in few]
        return mix(*made, (size / piece_bytes(name, shape) - few[0]) / (few[1] - few[0]))
    one = predict_rounds(name, emit, shape, costs, 1)
    return mix(one, predict_rounds(name, emit, shape, costs, 2), size / unit - 1)


def size_text(size):
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            return f"{size // factor} {unit}"
    return f"{size} B"


def time_text(seconds):
    for unit, factor in (("s", 1), ("ms", 1e-3)):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def share_text(prediction, most=3):
    """The kinds that took most of the time."""
    whole = sum(prediction.spent) or 1
    found = sorted(((max(part, 0) / whole, kind) for part, kind in zip(prediction.spent, KINDS)), reverse=True)
    return ", ".join(f"{kind} {part:.0%}" for part, kind in found[:most] if part >= 0.05)


def rows(shape, costs, calls, sizes):
    for name in calls:
        for size in [0] if name == "Barrier" else sizes:
            made = predict(name, CALLS[name], shape, costs, size)
            yield name, size, made, bounds.bound(name, shape, costs, size)


def print_table(shape, costs, calls, sizes):
    print(f"{'call':10}{'bytes':>9}{'time':>10}{'bound':>10}{'by bound':>9}  critical path")
    for name, size, made, bound in rows(shape, costs, calls, sizes):
        print(f"{name:10}{size_text(size) if size else '-':>9}{time_text(made.seconds):>10}{time_text(bound):>10}"
              f"{made.seconds / bound:>9.3g}  {share_text(made)}")


def alternatives(shape, costs, size, names=others.KEEPS_ORDER):
    """AllReduce by our schedule and by others of @names: the name, the time, whether the bits stay."""
    yield "chain", predict("AllReduce", schedules.all_reduce, shape, costs, size), True
    for name, emit in others.ALL_REDUCES.items():
        if name not in names:
            continue
        if name == "gather and reduce" and size * shape.total > shape.collective_bytes:
            continue
        yield name, predict(name, emit, shape, costs, size), others.KEEPS_ORDER[name]


def print_alternatives(costs, islands, ranks, sizes, slots):
    print(f"{'AllReduce':20}{'order':>6}" + "".join(f"{size_text(size):>10}" for size in sizes))
    for count in islands:
        shape = Shape(count, ranks, slots=slots)
        times = {}
        for size in sizes:
            for name, made, keeps in alternatives(shape, costs, size):
                times.setdefault((name, keeps), {})[size] = made.seconds
        print(f"{count} islands of {ranks}, slots of {size_text(shape.slot_bytes)}:")
        for (name, keeps), found in times.items():
            cells = "".join(f"{time_text(found[size]) if size in found else '-':>10}" for size in sizes)
            print(f"  {name:18}{'kept' if keeps else 'lost':>6}{cells}")


def print_memory():
    print(f"{'islands x ranks':>16}{'slot':>9}{'memory':>9}{'messages':>10}{'flags near':>12}{'far':>6}{'messages':>10}"
          f"{'connections':>13}{'call log':>10}{'peers':>9}")
    for islands, ranks in ((1, 16), (2, 16), (8, 4), (32, 1), (8, 16), (16, 16), (64, 16)):
        shape = Shape(islands, ranks)
        near, far, messages = shape.flags()
        print(f"{f'{islands} x {ranks}':>16}{size_text(shape.slot_bytes):>9}{size_text(shape.memory()):>9}"
              f"{size_text(shape.message_memory()):>10}{near:>12}{far:>6}{messages:>10}{min(2, ranks) * (islands - 1):>13}"
              f"{size_text(bounds.call_log_bytes(islands, ranks)):>10}{size_text(bounds.peer_bytes(islands, ranks)):>9}")


def parse_size(text):
    factor = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:].upper())
    return int(text[:-1]) * factor if factor else int(text)


def parse_costs(model, changes):
    """@changes: words such as latency=2e-5"""
    costs = models.MODELS[model]
    names = {field.name for field in dataclasses.fields(costs)}
    for change in changes:
        name, _, value = change.partition("=")
        if name not in names:
            raise SystemExit(f"plan.py: --set {change}: there is no cost {name}; there are {', '.join(sorted(names))}")
        try:
            number = float(value)
        except ValueError:
            raise SystemExit(f"plan.py: --set {change}: {value!r} is no number") from None
        if number <= 0 and name.endswith("_rate") or number < 0:
            raise SystemExit(f"plan.py: --set {change}: a rate is above 0, and a time not below 0")
        costs = dataclasses.replace(costs, **{name: number})
    return costs


def parse_arguments(words):
    number = functools.partial(int)
    parser = argparse.ArgumentParser(prog="plan.py", description=__doc__)
    parser.add_argument("--islands", type=number, nargs="+", default=[64], help="1 to 64; default 64")
    parser.add_argument("--ranks", type=number, default=16, help="of each island, 1 to 16; default 16")
    parser.add_argument("--call", choices=sorted(CALLS), action="append", help="default: all")
    parser.add_argument("--bytes", type=parse_size, nargs="+", default=list(SIZES), help="such as 8 64K 1G")
    parser.add_argument("--costs", choices=sorted(models.MODELS), default="rack", help="default: rack")
    parser.add_argument("--set", metavar="COST=VALUE", action="append", default=[], help="seconds, or bytes per second")
    parser.add_argument("--slots", type=int, default=LINK_SLOTS, help=f"of a link and direction; default {LINK_SLOTS}")
    parser.add_argument("--others", action="store_true", help="AllReduce by other schedules")
    parser.add_argument("--memory", action="store_true", help="what a rank has to keep for such communicators")
    options = parser.parse_args(words)
    if not 1 <= min(options.islands) <= max(options.islands) <= 64 or not 1 <= options.ranks <= 16:
        parser.error("there are 1 to 64 islands of 1 to 16 ranks")
    if min(options.bytes) < 4 or max(options.bytes) > 1 << 40:
        parser.error("--bytes are 4 to 1024G")
    if not 1 <= options.slots <= 1024:
        parser.error("--slots are 1 to 1024")
    return options


def main():
    options = parse_arguments(sys.argv[1:])
    costs = parse_costs(options.costs, options.set)
    if options.memory:
        print_memory()
    elif options.others:
        print_alternatives(costs, options.islands, options.ranks, options.bytes, options.slots)
    else:
        for islands in options.islands:
            shape = Shape(islands, options.ranks, slots=options.slots)
            print(f"{islands} islands of {options.ranks}, slots of {size_text(shape.slot_bytes)}:")
            print_table(shape, costs, options.call or list(CALLS), options.bytes)


if __name__ == "__main__":
    main()
