#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""faults.py FIRMWARE_SIM LIBHCCL [--short|LAYOUT...]: three ranks, of which the last one is killed, is stopped, comes late, or calls
something else. Each other rank is told which one and what it does, with the code of the page, within the time that
the page gives. In a layout each letter is a rank, and names its firmware; behind a | ranks are in a second network namespace,
and with "ucx " in front data go over UCX. --short plays some scenes alone.
In the end nothing is left in /dev/shm and in the folder for temporary files, which are empty when the test begins. Ends
with 77 where the kernel allows no namespaces."""
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import client  # noqa: E402
from networks import Networks, enter_network, has_ucx  # noqa: E402
from processes import SECONDS, Firmware, await_files  # noqa: E402
from rank import fetch, post  # noqa: E402

LAYOUTS = ("AAA", "AAB", "ABA", "AA|A", "AA|B", "ucx AAB", "ucx AA|B")
RANKS, ODD = 3, 2
TASK_ABORT, TASK_TIMEOUT = 107035, 107020
# Of an operation over several firmwares.
WAITS = 2
LIMIT_S, SOON_S = 3, 5
COUNT = 8


def same(rank, data):
    rank.all_reduce(data, data, COUNT)


def reduce(rank, data, count=COUNT, kind=client.FP32, op=client.SUM):
    rank.call("HcclAllReduce", data, data, ctypes.c_uint64(count), kind, op, rank.comm, rank.stream)


def broadcast(rank, data, root=0):
    rank.broadcast(data, COUNT, root)


def take(rank, data):
    rank.receive(data, COUNT, ODD)


def give(rank, data, count=COUNT, kind=client.FP32):
    for to in range(ODD):
        rank.call("HcclSend", data, ctypes.c_uint64(count), kind, ctypes.c_uint32(to), rank.comm, rank.stream)


# Scene -> what the odd rank calls, what the others call, and words of the sentence.
DIFFERENT = {
    "count": (lambda rank, data: reduce(rank, data, count=9), same, ("AllReduce(9 FP32", "AllReduce(8 FP32")),
    "type": (lambda rank, data: reduce(rank, data, kind=client.INT32), same, ("(8 INT32", "(8 FP32")),
    "operation": (lambda rank, data: reduce(rank, data, op=client.MAX), same, ("FP32, MAX)", "FP32, SUM)")),
    "root": (lambda rank, data: broadcast(rank, data, 1), broadcast, ("root 1)", "root 0)")),
    "call": (broadcast, same, ("HcclBroadcast(", "HcclAllReduce(")),
    "count of a message": (lambda rank, data: give(rank, data, 9), take, ("(9 FP32", "(8 FP32")),
    "type of a message": (lambda rank, data: give(rank, data, kind=client.INT32), take, ("(8 INT32", "(8 FP32")),
}
# The same for a rank that calls late or never.
WORDS = {"killed": (f"rank {ODD}", "ended"), "stopped": (f"rank {ODD}", "is stopped"), "late": (f"rank {ODD}", "has made 0 of ")}
MISSING = {**{scene: (same, same, words) for scene, words in WORDS.items()},
           "killed sender": (give, take, WORDS["killed"]), "stopped sender": (give, take, WORDS["stopped"]),
           "late sender": (give, take, (f"rank {ODD}", "has not called for its end of a message"))}
# What --short plays.
SHORT = {"AAB": ("count", "type of a message", "stopped"), "AA|B": ("call", "killed", "late sender")}


def listen(rank, call):
    """Return: the code and the sentence of a call, or of the wait for it."""
    try:
        call()
        rank.synchronise()
    except client.Failed as failure:
        return failure.code, failure.text
    return 0, ""


def live(libraries, scene, number, device, folder):
    """One rank. It leaves what it was told, and when."""
    rank = client.Rank(libraries, device)
    if number == 0:
        post(folder, "root", rank.root_info())
    rank.join(RANKS, fetch(folder, "root"), number)
    data = rank.put([1.0] * 16)
    post(folder, f"ready{number}", b"")
    since = float(fetch(folder, "go"))
    is_odd, fault = number == ODD, scene.split()[0]
    if is_odd and fault in ("killed", "stopped"):
        os.kill(os.getpid(), signal.SIGKILL if fault == "killed" else signal.SIGSTOP)
    if is_odd and fault == "late":
        fetch(folder, "late")
    own, others, _ = {**DIFFERENT, **MISSING}[scene]
    told = listen(rank, lambda: (own if is_odd else others)(rank, data))
    # The part of this rank may end before the other one calls. Then it is told at its next call.
    while told[0] == 0 and time.monotonic() < since + SOON_S:
        told = listen(rank, lambda: others(rank, data))
    took = time.monotonic() - since
    state = rank.async_error()
    post(folder, f"told{number}", json.dumps([*told, took, state]).encode())
    fetch(folder, "end")
    rank.destroy()
    rank.close()


def start(layout, firmwares, networks, libraries, scene, folder):
    is_ucx, place = layout.startswith("ucx "), layout.split()[-1]
    letters, first = place.replace("|", ""), place.find("|")
    wire = {"UNPU_HCCL_WIRE": "ucx", "HCCL_SOCKET_IFNAME": "near,far"} if is_ucx else {}
    processes = []
    for rank, letter in enumerate(letters):
        inside = networks.inside[1] if 0 <= first <= rank else []
        processes.append(subprocess.Popen(
            [*inside, sys.executable, "-B", os.path.abspath(__file__), "--rank", libraries, scene, str(rank),
             str(letters[:rank].count(letter)), folder],
            env=dict(os.environ, UNPU_DEVICE=f"unix:{firmwares[letter].path}", HCCL_CONNECT_TIMEOUT="60",
                     HCCL_EXEC_TIMEOUT=str(LIMIT_S), **wire)))
    return processes


def check(layout, scene, rank, told):
    code, text, took, state = json.loads(told)
    words = DIFFERENT[scene][2] + (f"rank {ODD} called",) if scene in DIFFERENT else MISSING[scene][2]
    is_killed, is_late = scene.startswith("killed"), scene.startswith(("stopped", "late"))
    codes = {client.PARA, TASK_ABORT} if scene in DIFFERENT else {client.REMOTE, TASK_ABORT}
    codes |= {TASK_TIMEOUT, client.TIMEOUT} if is_late else set()
    states = {client.PARA} if scene in DIFFERENT else {client.TIMEOUT} if is_late else {client.REMOTE}
    if code not in codes or state not in states or not all(word in text for word in words) or \
            took > SOON_S + (WAITS * LIMIT_S if is_late else 0) or "gone" in text and not is_killed or \
            text.count(" has made ") > 1:
        raise SystemExit(f"{layout}, {scene}: rank {rank} was told {code}, {text!r} after {took:.1f} s, and its "
                         f"communicator has {state}")


def play(layout, firmwares, networks, libraries, scene):
    is_lost = scene.startswith(("killed", "stopped"))
    with tempfile.TemporaryDirectory() as folder:
        processes = start(layout, firmwares, networks, libraries, scene, folder)
        try:
            await_files(folder, *(f"ready{rank}" for rank in range(RANKS)))
            post(folder, "go", str(time.monotonic()).encode())
            told = await_files(folder, *(f"told{rank}" for rank in range(RANKS - 1)))
            for rank, each in enumerate(told):
                check(layout, scene, rank, each)
            post(folder, "late", b"")
            if not is_lost:
                last = await_files(folder, f"told{ODD}")[0]
                if scene in DIFFERENT:
                    check(layout, scene, ODD, last)
                elif json.loads(last)[0] == 0:
                    raise SystemExit(f"{layout}, {scene}: the late rank was told nothing")
            post(folder, "end", b"")
            for rank, process in enumerate(processes):
                if not (is_lost and rank == ODD) and process.wait(timeout=SECONDS) != 0:
                    raise SystemExit(f"{layout}, {scene}: rank {rank} ended with {process.returncode}")
        finally:
            for process in processes:
                process.kill()
                process.wait()
    times = ", ".join(f"{json.loads(each)[2]:.1f} s" for each in told)
    print(f"{layout}, {scene}: told after {times}", flush=True)


def empty_folders(program):
    """Gives this test a /dev/shm and a folder for temporary files of its own."""
    place = tempfile.gettempdir()
    if program.startswith(place + os.sep):
        # It would not be found any more.
        place = tempfile.tempdir = os.environ["TMPDIR"] = tempfile.mkdtemp()
    for folder in ("/dev/shm", place):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    return "/dev/shm", place


def main():
    if sys.argv[1] == "--rank":
        live(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
        return
    program, library = (os.path.abspath(path) for path in sys.argv[1:3])
    try:
        enter_network()
        folders = empty_folders(program)
        networks = Networks()
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"skipped: there are no namespaces for this test: {why}")
        sys.exit(77)
    libraries, firmwares = os.path.dirname(library), {}
    scenes = {layout: (*DIFFERENT, *MISSING) for layout in sys.argv[3:] or LAYOUTS
              if not layout.startswith("ucx ") or has_ucx(libraries)}
    if sys.argv[3:] == ["--short"]:
        scenes = SHORT
    with tempfile.TemporaryDirectory() as folder:
        try:
            for letter in "AB":
                firmwares[letter] = Firmware(program, folder, letter)
            for layout, some in scenes.items():
                for scene in some:
                    play(layout, firmwares, networks, libraries, scene)
        finally:
            networks.end()
            for firmware in firmwares.values():
                firmware.end()
    left = {place: os.listdir(place) for place in folders if os.listdir(place)}
    if left:
        raise SystemExit(f"these files are left: {left}")


if __name__ == "__main__":
    main()
