#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mixed.py FIRMWARE_SIM PROGRAM LIBHCCL SECONDS [SEED [LAYOUT...]]: random rounds of PROGRAM, unpu_hccl_mixed, for so many seconds and
once for each layout at least. In a layout each letter is a rank, a process of its own, and names its firmware; behind a | the
ranks are in a second network namespace. "sim:N" and "sim+proc:N" are N threads of one process. A seed and a layout give the
same calls again."""
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for place in (".", "far"):
    sys.path.insert(0, os.path.join(HERE, "..", *place.split("/")))

from networks import Networks, enter_network  # noqa: E402
from processes import Firmware  # noqa: E402

ROUNDS = 12
SECONDS = 300
LAYOUTS = ("sim:2", "sim:5", "sim+proc:3", "AA", "AAA", "AB", "AABB", "ABAB", "ABC", "AAB", "A|A", "A|B", "AA|BB", "AB|AC")
KEPT = ("HCCL_BUFFSIZE",)
SLOW = ",faults=seed={};delay:call=collective:us=0-300;delay:call=packet:us=0-40:percent=12"


def settings_of(choose):
    """Small buffers now and then, so that calls have many rounds; and ranks that are slow at random places.
    Return: the environment, and what to add to the device string."""
    some = {"HCCL_BUFFSIZE": choose.choice(("", "", "1", "2"))}
    faults = choose.choice(("", "", SLOW.format(choose.randrange(1000))))
    clean = {name: value for name, value in os.environ.items() if name not in KEPT}
    return {**clean, "HCCL_CONNECT_TIMEOUT": "60", **{name: value for name, value in some.items() if value}}, faults


def start(program, layout, seed, firmwares, networks, folder):
    """Return: the processes of the ranks."""
    settings, faults = settings_of(random.Random(seed))
    if ":" in layout:
        backend, ranks = layout.split(":")
        settings["UNPU_DEVICE"] = f"{backend}:devices={ranks}{faults}"
        return [subprocess.Popen([program, "threads", ranks, str(seed), str(ROUNDS)], env=settings)]
    letters, first = layout.replace("|", ""), layout.find("|")
    processes = []
    for rank in range(1, len(letters)):
        os.mkfifo(os.path.join(folder, f"root{rank}"))
    for rank, letter in enumerate(letters):
        inside = networks.inside[1] if 0 <= first <= rank else []
        device = letters[:rank].count(letter)
        processes.append(subprocess.Popen(
            [*inside, program, folder, str(len(letters)), str(seed), str(ROUNDS), str(rank), str(device)],
            env=dict(settings, UNPU_DEVICE=f"unix:{firmwares[letter].path}{faults}")))
    return processes


def play(program, layout, seed, firmwares, networks):
    with tempfile.TemporaryDirectory() as folder:
        processes = start(program, layout, seed, firmwares, networks, folder)
        deadline, codes = time.monotonic() + SECONDS, []
        while len(codes) < len(processes):
            codes = [process.returncode for process in processes if process.poll() is not None]
            if any(codes) or time.monotonic() > deadline:
                break
            time.sleep(0.01)
        # Those that are left wait for one that has failed.
        for process in processes:
            if process.poll() is None:
                time.sleep(0.5)
                process.kill()
                process.wait()
    if codes != [0] * len(processes):
        raise SystemExit(f"layout {layout}, seed {seed}: the ranks ended with {[each.returncode for each in processes]}")


def main():
    # A second network namespace may have another current folder.
    firmware, program, library = (os.path.abspath(path) for path in sys.argv[1:4])
    seconds = float(sys.argv[4])
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    layouts = sys.argv[6:] or list(LAYOUTS)
    letters = {layout: set(layout) & set("ABC") for layout in layouts}
    networks = None
    if any("|" in layout for layout in layouts):
        try:
            enter_network()
            networks = Networks()
        except (OSError, subprocess.CalledProcessError) as why:
            print(f"without namespaces: {why}", flush=True)
            layouts = [layout for layout in layouts if "|" not in layout]
    firmwares, number, began = {}, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            for letter in sorted(set().union(*(letters[layout] for layout in layouts))):
                firmwares[letter] = Firmware(firmware, folder, letter)
            while number < len(layouts) or time.monotonic() < began + seconds:
                play(program, layouts[number % len(layouts)], first + number, firmwares, networks)
                number += 1
        finally:
            if networks:
                networks.end()
            for each in firmwares.values():
                each.end()
    print(f"{number} programs of {ROUNDS} rounds, seeds {first} to {first + number - 1}: right", flush=True)


if __name__ == "__main__":
    main()
