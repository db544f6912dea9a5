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
from expectations import expect, expect_in, expect_true, problems  # noqa: E402
from ranks import Group, Shape  # noqa: E402

PLAN = os.path.join(SOURCES, "bench", "plan", "plan.py")
PAGE = os.path.join(SOURCES, "Documentation", "hccl-plan.rst")
FIGURE = os.path.join(SOURCES, "Documentation", "figures", "hccl_plan.svg")
BLOCK = re.compile(r"^\t\$ bench/plan/plan\.py(.*)\n((?:\t.*\n)*)", re.M)
# Nothing costs anything but what a case names.
FREE = models.Costs(call=0, submit=0, packet=0, copy_rate=1e18, fold_rate=1e18, memory_rate=1e18, meeting=0, wake=0,
                    host_task=0, wire_wake=0, parcel=0, note=0, latency=0, connection_rate=1e18, nic_rate=1e18)
ALL_REDUCE = plan.CALLS["AllReduce"]


def close(what, found, wanted, part):
    expect_true(f"{what}: {found} is within {part:.1%} of {wanted}", abs(found - wanted) <= part * wanted)


def time_of(name, islands, ranks, costs, size, **how):
    return plan.simulate(name, plan.CALLS[name], Shape(islands, ranks), costs, size, **how).seconds


def check_formulas():
    costs = dataclasses.replace(models.RACK, packet=20e-6, submit=1e-6, parcel=1e-6)
    for size in (8, 4096, 65536):
        close(f"Broadcast of {size}", time_of("Broadcast", 2, 1, costs, size), bounds.broadcast_to_one(costs, size), 1e-9)
    # Each island more is one hop more on each of the two ways.
    late = dataclasses.replace(FREE, latency=1e-3)
    for islands in (2, 3, 10, 64):
        close(f"Barrier of {islands}", time_of("Barrier", islands, 1, late, 0), (2 * islands - 1) * 1e-3 if islands > 2
              else 3e-3, 1e-9)
    # One island: signals to all others and waits.
    near = dataclasses.replace(FREE, packet=1e-6, meeting=1e-5)
    for ranks in (2, 5, 16):
        close(f"Barrier of one island of {ranks}", time_of("Barrier", 1, ranks, near, 0),
              (2 * (ranks - 1) + 2) * 1e-6 + 1e-5, 1e-9)


def check_rates():
    """Where only the link costs, the bytes over it are the time."""
    link = dataclasses.replace(FREE, connection_rate=1e9, nic_rate=1e9)
    size = 12 << 20
    close("Broadcast to 5 islands", time_of("Broadcast", 5, 1, link, size), size / 1e9, 0.25)
    close("AllReduce of 2 islands", time_of("AllReduce", 2, 1, link, size), size / 1e9, 0.15)
    close("AllGather of 4 islands", time_of("AllGather", 4, 1, link, size), size / 4 * 3 / 1e9, 0.25)
    back = plan.simulate("chain, then back", others.ALL_REDUCES["chain, then back"], Shape(6, 1), link, size).seconds
    close("a chain of 6, then back", back, 2 * size / 1e9, 0.45)
    # The ranks of an island share the card.
    close("4 ranks share", time_of("AllReduce", 2, 4, link, size), size / 1e9, 0.2)
    # Two pieces for each time there and back, and they are asked for first.
    late = dataclasses.replace(FREE, latency=1e-2)
    close("two slots", time_of("Broadcast", 2, 1, late, 16 << 20), 16 * 4e-2, 0.1)
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
    # No slot is left in use, and no schedule waits for ever, whatever a link has.
    for emit in (ALL_REDUCE, *others.ALL_REDUCES.values()):
        for slots in (1, 2, 5):
            group = Group(Shape(5, 2, slots=slots, slot_bytes=4096), models.RACK, range(2), 1)
            for size in (8, 30000, 100000):
                group.call(lambda emitter, e=emit, s=size: e(emitter, s))
            left = sum(len(flag.signals) for key, flag in group.flags.items() if key[0] in ("sent", "taken"))
            expect("signals that nobody took", left, 0)


def check_breakdown():
    """The chain has three pieces under way, so twice as many islands take twice the time; a chain that brings the results
    back afterwards does not."""
    late = dataclasses.replace(FREE, latency=1e-3)
    times = {islands: plan.simulate("AllReduce", ALL_REDUCE, Shape(islands, 1, slot_bytes=16384), late, 60 * 16384).seconds
             for islands in (8, 16)}
    close("pieces in a chain", times[16], 2 * times[8], 0.05)
    close("three pieces for each way", times[16], 60 / 3 * 16e-3, 0.1)
    longer = plan.simulate("AllReduce", others.ALL_REDUCES["chain, longer lag"], Shape(16, 1, slot_bytes=16384), late,
                           60 * 16384).seconds
    expect_true(f"a longer lag takes {longer} instead of {times[16]}", longer < 0.85 * times[16])


def check_lag():
    """With two slots, a lag of the number of islands and two more never blocks, and one of three more does."""
    def blocks(islands, lag, pieces):
        def emit(emitter, size):
            schedules.reduce_far(emitter, size, lambda *part: schedules.reduce_part(*part, lag))
        try:
            plan.simulate("AllReduce", emit, Shape(islands, 1, slot_bytes=4096), models.RACK, pieces * 4096)
        except RuntimeError:
            return True
        return False
    for islands in (2, 3, 4, 7, 12):
        for pieces in (1, islands, 3 * islands):
            expect_true(f"{islands} islands, {pieces} pieces", not blocks(islands, islands + 2, pieces))
        expect_true(f"{islands} islands block", blocks(islands, islands + 3, 3 * islands + 5))


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
        for check in (check_formulas, check_rates, check_simulations, check_breakdown, check_lag, check_command):
            check()
    print("\n".join(problems) or "plan: as wanted")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
