#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_plan.py SOURCES [--page [--update]]: the simulated clock of bench/plan against formulas of simple cases. --page checks
instead that Documentation/hccl-plan.rst and its figure have what the scripts print; --update writes that there."""
import dataclasses
import os
import re
import subprocess
import sys

SOURCES = sys.argv[1]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCES, "tests", "common"))
sys.path.insert(0, os.path.join(SOURCES, "bench", "plan"))

import bounds  # noqa: E402
import costs as models  # noqa: E402
import others  # noqa: E402
import picture  # noqa: E402
import plan  # noqa: E402
import schedules  # noqa: E402
from clock import Stream  # noqa: E402
from expectations import expect, expect_in, expect_true, problems  # noqa: E402
from ranks import Emitter, Group, Shape  # noqa: E402

PLAN = os.path.join(SOURCES, "bench", "plan", "plan.py")
PAGE = os.path.join(SOURCES, "Documentation", "hccl-plan.rst")
FIGURE = os.path.join(SOURCES, "Documentation", "figures", "hccl_plan.svg")
BLOCK = re.compile(r"^\t\$ bench/plan/plan\.py(.*)\n((?:\t.*\n)*)", re.M)
# Nothing costs anything but what a case names.
FREE = models.Costs(call=0, submit=0, packet=0, copy_rate=1e18, fold_rate=1e18, memory_rate=1e18, meeting=0, wake=0,
                    host_task=0, wire_wake=0, frame=0, note=0, latency=0, connection_rate=1e18, nic_rate=1e18)
ALL_REDUCE = plan.CALLS["AllReduce"]


def close(what, found, wanted, part):
    expect_true(f"{what}: {found} is within {part:.1%} of {wanted}", abs(found - wanted) <= part * wanted)


def time_of(name, islands, ranks, costs, size, **how):
    return plan.simulate(name, plan.CALLS[name], Shape(islands, ranks), costs, size, **how).seconds


def check_formulas():
    costs = dataclasses.replace(models.RACK, packet=20e-6, submit=1e-6, frame=1e-6)
    for size in (8, 4096, 65536):
        close(f"Broadcast of {size}", time_of("Broadcast", 2, 1, costs, size), bounds.broadcast_to_one(costs, size), 1e-9)
    # Each island more is one hop more on each of the two ways.
    late = dataclasses.replace(FREE, latency=1e-3)
    for islands in (2, 3, 10, 64):
        close(f"Barrier of {islands}", time_of("Barrier", islands, 1, late, 0), (2 * islands - 2) * 1e-3, 1e-9)
    # One island: signals to all others and waits.
    near = dataclasses.replace(FREE, packet=1e-6, meeting=1e-5)
    for ranks in (2, 5, 16):
        close(f"Barrier of one island of {ranks}", time_of("Barrier", 1, ranks, near, 0),
              (2 * (ranks - 1) + 2) * 1e-6 + 1e-5, 1e-9)


def check_rates():
    """Where only the link costs, the bytes over it are the time, and those of a piece for each hop but one."""
    link = dataclasses.replace(FREE, connection_rate=1e9, nic_rate=1e9)
    size, piece = 12 << 20, 1 << 20
    close("Broadcast to 5 islands", time_of("Broadcast", 5, 1, link, size), (size + 3 * piece) / 1e9, 1e-6)
    close("AllReduce of 2 islands", time_of("AllReduce", 2, 1, link, size), (size + piece) / 1e9, 1e-6)
    close("AllGather of 4 islands", time_of("AllGather", 4, 1, link, size), size / 4 * 3 / 1e9, 0.25)
    back = plan.simulate("chain, then back", others.ALL_REDUCES["chain, then back"], Shape(6, 1), link, size).seconds
    close("a chain of 6, then back", back, 2 * size / 1e9, 0.45)
    # The ranks of an island share the card.
    close("4 ranks share", time_of("AllReduce", 2, 4, link, size), (size + 4 * piece) / 1e9, 1e-6)
    # Three pieces for each time there and back, and they are asked for first. Nobody hears that the last ones are taken.
    late = dataclasses.replace(FREE, latency=1e-2)
    close("three slots", time_of("Broadcast", 2, 1, late, 15 << 20), (5 * 4 - 1) * 1e-2, 1e-6)
    # Devices: an AllReduce of an island copies all but its part in, folds its part, and copies all out.
    copies = dataclasses.replace(FREE, copy_rate=1e9, fold_rate=1e9)
    close("copies and folds", time_of("AllReduce", 1, 4, copies, 1 << 20), ((1 - 1 / 4) + 3 / 4 + 1) * (1 << 20) / 1e9, 1e-6)


def check_simulations():
    """One rank of each island stands for all of them, and a few pieces for many."""
    for name in ("AllReduce", "AllGather", "Broadcast"):
        size = 1 << 20
        close(f"{name} by every rank", time_of(name, 3, 4, models.RACK, size, every=True),
              time_of(name, 3, 4, models.RACK, size), 0.25)
        size = 40 << 20
        made = plan.predict(name, plan.CALLS[name], Shape(4, 2, slot_bytes=64 << 10), models.RACK, size)
        whole = plan.simulate(name, plan.CALLS[name], Shape(4, 2, slot_bytes=64 << 10), models.RACK, size)
        close(f"{name} by pieces", made.seconds, whole.seconds, 0.08)
        close(f"{name}: shares", sum(made.spent), made.seconds, 1e-6)
        expect_true(f"{name} is above its bound", made.seconds > bounds.bound(name, Shape(4, 2), models.RACK, size))
    # No piece is left, all slots are free again, and no schedule waits for ever, whatever a link has.
    for emit in (ALL_REDUCE, *others.ALL_REDUCES.values()):
        for slots in (1, 2, 5):
            group = Group(Shape(5, 2, slots=slots, slot_bytes=4096), models.RACK, range(2), 1)
            for size in (8, 30000, 100000):
                group.call(lambda emitter, e=emit, s=size: e(emitter, s))
            for name, left in (("sent", {0}), ("taken", {1})):
                expect(f"{name} flags", {len(flag.signals) for key, flag in group.flags.items() if key[0] == name}, left)


def check_breakdown():
    """A chain with a lag of its slots has four pieces under way, so twice as many islands take twice the time. Ours does not."""
    late = dataclasses.replace(FREE, latency=1e-3)

    def time_with(emit, islands):
        return plan.simulate("AllReduce", emit, Shape(islands, 1, slot_bytes=16384), late, 60 * 16384).seconds
    short = {islands: time_with(others.ALL_REDUCES["chain, short lag"], islands) for islands in (8, 16)}
    close("pieces in a chain", short[16], 2 * short[8], 0.05)
    close("four pieces for each way", short[16], 60 / 4 * 16e-3, 0.1)
    ours = time_with(ALL_REDUCE, 16)
    expect_true(f"our lag takes {ours} instead of {short[16]}", ours < 0.7 * short[16])


def check_straight():
    """Ranks that are alone on their islands have one round, put nothing into buffers, and get nothing from there."""
    copies = dataclasses.replace(FREE, copy_rate=1e9)
    size = 40 << 20
    # The first agent copies what it sends and what comes back.
    close("no copies into buffers", time_of("AllReduce", 2, 1, copies, size), 2 * size / 1e9, 1e-6)
    group = Group(Shape(2, 1), FREE, range(1), 1)
    emitter = Emitter(group, 0, 0)
    ALL_REDUCE(emitter, size)
    expect("host tasks", sum(packet[0] is Stream.host for packet in emitter.packets), 2 * 40)


class Steps(Emitter):
    """What a rank waits for, and what it raises when it has gone on."""

    def copy(self, size, sharers=1):
        pass

    def fold(self, operands, size, sharers=1):
        pass

    def flags(self):
        return [(packet[1], -1) if packet[0] is Stream.wait else (packet[1][3], 1) for packet in self.packets]


def blocks(shape, lag, pieces):
    """Whether a chain waits for ever. What comes first does not matter to that, so this needs no clock."""
    group = Group(shape, FREE, range(1), 1)
    rows = []
    for island in range(shape.islands):
        steps = Steps(group, island, 0)
        schedules.reduce_part(steps, 0, pieces * shape.slot_bytes, lag)
        rows.append(iter(steps.flags()))
    count = {flag: len(flag.signals) for flag in group.flags.values()}
    wanted = {row: next(row, None) for row in rows}
    goes_on = True
    while goes_on:
        goes_on = False
        for row, step in wanted.items():
            while step is not None and count[step[0]] + step[1] >= 0:
                count[step[0]] += step[1]
                step = next(row, None)
                goes_on = True
            wanted[row] = step
    return any(step is not None for step in wanted.values())


def check_lag():
    """Our lag never blocks, and neither does the longest one; one more does."""
    for slots, islands in ((1, 7), (2, 2), (2, 5), (2, 12), (3, 2), (3, 3), (3, 4), (3, 7), (3, 12)):
        shape = Shape(islands, 1, slots=slots, slot_bytes=4096)
        longest, most = shape.longest_lag(), slots * islands + 2
        for pieces in (1, islands, most, 2 * most):
            expect_true(f"{islands} islands, {slots} slots, {pieces} pieces", not blocks(shape, longest, pieces))
        expect_true(f"{islands} islands, {slots} slots block", blocks(shape, longest + 1, most))
    for islands in range(2, 65):
        shape = Shape(islands, 1, slot_bytes=4096)
        expect(f"the lag of {islands} islands", shape.lag(), max(3, islands))
        # A lag that is too long blocks when there are so many pieces.
        expect_true(f"{islands} islands", not blocks(shape, max(3, islands), 3 * islands + 2))


def check_command():
    def run(*words):
        return subprocess.run([sys.executable, "-B", PLAN, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False, timeout=300)
    for words, said in ((("--ranks", "17"), "1 to 16 ranks"), (("--islands", "65"), "1 to 64 islands"),
                        (("--bytes", "1"), "--bytes are 4"), (("--set", "speed=1"), "there is no cost speed"),
                        (("--set", "latency=x"), "is no number"), (("--set", "nic_rate=0"), "above 0")):
        done = run(*words)
        expect_true(f"{words} fails", done.returncode != 0)
        expect_in(str(words), done.stdout, said)
    done = run("--islands", "2", "--ranks", "2", "--bytes", "8", "--call", "Barrier", "--call", "AllReduce")
    expect("plan.py", done.returncode, 0)
    expect("its lines", len(done.stdout.splitlines()), 4)


def printed(words):
    done = subprocess.run([sys.executable, "-B", PLAN, *words.split()], stdout=subprocess.PIPE, text=True, check=True)
    return "".join(f"\t{line}\n" for line in done.stdout.splitlines())


def check_page(updates):
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    made = BLOCK.sub(lambda block: f"\t$ bench/plan/plan.py{block[1]}\n{printed(block[1])}", page)
    expect("blocks of the page", len(BLOCK.findall(page)), 4)
    if updates:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(made)
        with open(FIGURE, "w", encoding="utf-8") as file:
            file.write(picture.picture())
        return
    for number, (line, wanted) in enumerate(zip(page.splitlines(), made.splitlines()), 1):
        expect(f"hccl-plan.rst:{number}", line, wanted)
    expect("lines of hccl-plan.rst", page.count("\n"), made.count("\n"))
    with open(FIGURE, encoding="utf-8") as file:
        expect_true("the figure is what picture.py draws", file.read() == picture.picture())


def main():
    if "--page" in sys.argv:
        check_page("--update" in sys.argv)
    else:
        for check in (check_formulas, check_rates, check_simulations, check_breakdown, check_straight, check_lag,
                      check_command):
            check()
    print("\n".join(problems) or "plan: as wanted")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
