#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""storm.py FIRMWARE_SIM UNPU_INFO LIBHCCL chaos|kill RUNS [FIRST]: many short lives of a communicator whose ranks are
processes of one firmware.

chaos: by fault rules of the device string ranks are slow, fail in the middle of a call, or die. Each rank has the right results, or one
of the documented errors, within a deadline. A seed gives the same choices again: storm.py ... chaos 1 SEED.

kill: a random rank is killed in the middle of a reduction. Each other one has its error within 2 seconds, makes a
communicator with those that are left, and that works. In the end the firmware has no client and no memory in use."""
import contextlib
import ctypes
import json
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

import client
from processes import Firmware

RANKS = 3
CALLS = 24
DEADLINE_S = 30
ERROR_S = 2
# What a call or a synchronisation of a rank may return when another one is lost, or the own call failed.
UNAVAIL, TASK_ABORT, WAIT_TIMEOUT = 7, 107035, 107020
ERRORS = (UNAVAIL, client.TIMEOUT, client.REMOTE, TASK_ABORT, WAIT_TIMEOUT)


def read_exactly(pipe, count):
    data = b""
    while len(data) < count:
        part = os.read(pipe, count - len(data))
        if not part:
            raise SystemExit("the rank with the root information has ended")
        data += part
    return data


def join(rank, ranks, number, pipes):
    """The first rank sends its information to each other one."""
    if number == 0:
        info = rank.root_info()
        for other in range(1, ranks):
            os.write(pipes[other][1], info)
    else:
        info = read_exactly(pipes[number][0], client.ROOT_INFO_BYTES)
    rank.join(ranks, info, number)


def values(number, count, salt):
    return [float((number * 7 + i + salt) % 11) for i in range(count)]


def work(rank, seed):
    """The same calls on all ranks, each with a check of what it gave."""
    choose, ranks, own = random.Random(seed), rank.ranks, rank.rank
    for call in range(CALLS):
        kind, count, salt = choose.randrange(4), choose.choice((1, 7, 1000, 30000)), choose.randrange(100)
        root = choose.randrange(ranks)
        data = rank.put(values(own, count, salt))
        every = [values(number, count, salt) for number in range(ranks)]
        if kind == 0:
            rank.all_reduce(data, data, count)
            wanted = [sum(column) for column in zip(*every)]
        elif kind == 1:
            rank.broadcast(data, count, root)
            wanted = every[root]
        elif kind == 2:
            gathered = rank.put([0.0] * count * ranks)
            rank.all_gather(data, gathered, count)
            rank.synchronise()
            if rank.get(gathered, count * ranks) != sum(every, []):
                raise SystemExit(f"call {call}: a wrong HcclAllGather")
            wanted = every[own]
        else:
            source = (own - 1) % ranks
            got = rank.put([0.0] * count)
            rank.group([("HcclSend", data, count, (own + 1) % ranks), ("HcclRecv", got, count, source)])
            data, wanted = got, every[source]
        rank.synchronise()
        if rank.get(data, count) != wanted:
            raise SystemExit(f"call {call} of kind {kind} gave wrong numbers")
    rank.destroy()


def adverse(rank, number, pipes, seed, _report):
    join(rank, RANKS, number, pipes[0])
    work(rank, seed)


def victim_or_witness(rank, number, pipes, seed, report):
    """Reduces until an error comes; then with the others that are left."""
    join(rank, RANKS, number, pipes[0])
    choose = random.Random(seed)
    data = rank.put([1.0] * 300000)
    report({"ready": number})
    try:
        while True:
            rank.all_reduce(data, data, choose.choice((2, 5000, 300000)), client.MAX)
            if choose.randrange(4) == 0:
                rank.synchronise()
    except client.Failed as failure:
        report({"told": time.monotonic(), "code": failure.code, "text": failure.text})
    try:
        rank.synchronise()
    except client.Failed:
        pass
    rank.destroy()
    left = json.loads(read_exactly(pipes[2][number][0], 16))
    join(rank, RANKS - 1, left.index(number), pipes[1])
    one = rank.put([1.0])
    rank.all_reduce(one, one, 1)
    rank.synchronise()
    if rank.get(one, 1) != [float(RANKS - 1)]:
        raise SystemExit("the new communicator is wrong")
    rank.destroy()


def live(life, number, pipes, seed, out, libraries):
    """A rank's process. It says how it ended in a line of JSON."""
    def report(said):
        os.write(out, (json.dumps(said) + "\n").encode())
    rank = None
    try:
        rank = client.Rank(libraries, number)
        life(rank, number, pipes, seed, report)
        report({"end": "right"})
        rank.close()
    except client.Failed as failure:
        began = time.monotonic()
        try:
            if rank:
                rank.destroy()
        except client.Failed:
            pass
        report({"end": "error", "code": failure.code, "text": failure.text, "destroy_s": time.monotonic() - began})
    except BaseException as other:  # pylint: disable=broad-except
        report({"end": "wrong", "text": str(other)})
    os._exit(0)


class Lives:
    """The processes of one run."""

    def __init__(self, life, seed, libraries):
        self.pipes = [[os.pipe() for _ in range(RANKS)] for _ in range(3)]
        self.pids, self.outs, self.said = [], [], [b""] * RANKS
        for number in range(RANKS):
            reading, writing = os.pipe()
            pid = os.fork()
            if pid == 0:
                live(life, number, self.pipes, seed, writing, libraries)
            os.close(writing)
            self.pids.append(pid)
            self.outs.append(reading)
        self.deadline = time.monotonic() + DEADLINE_S

    def until(self, is_enough):
        """Reads what the ranks say until it is enough, or all have ended."""
        open_ones = [out for out in self.outs if out is not None]
        while open_ones and not is_enough():
            left = self.deadline - time.monotonic()
            ready = select.select(open_ones, [], [], max(left, 0))[0] if left > 0 else []
            if not ready:
                self.fail("a rank hangs")
            for out in ready:
                number, part = self.outs.index(out), os.read(out, 65536)
                self.said[number] += part
                if not part:
                    open_ones.remove(out)

    def told(self, number):
        return [json.loads(line) for line in self.said[number].decode().splitlines()]

    def find(self, number, key):
        return next((said for said in self.told(number) if key in said), None)

    def fail(self, why):
        for pid in self.pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        raise SystemExit(f"{why}: " + "; ".join(str(self.told(number)) for number in range(RANKS)))

    def end(self):
        self.until(lambda: False)
        statuses = [os.waitpid(pid, 0)[1] for pid in self.pids]
        for out in self.outs:
            os.close(out)
        for pipe in sum(self.pipes, []):
            os.close(pipe[0])
            os.close(pipe[1])
        return [os.WIFSIGNALED(status) for status in statuses]


def run_chaos(seed, libraries):
    ways = ("", ";fail:call=packet:percent=1", ";exit:call=collective:percent=2",
            ";fail:call=packet:percent=1;exit:call=packet:percent=1")
    rules = f"seed={seed};delay:call=collective:us=0-1500;delay:call=packet:us=0-200:percent=12"
    os.environ["UNPU_DEVICE"] = os.environ["UNPU_DEVICE"].split(",")[0] + ",faults=" + rules + ways[seed % len(ways)]
    os.environ["HCCL_EXEC_TIMEOUT"] = "8"
    lives = Lives(adverse, seed, libraries)
    killed = lives.end()
    ends = [lives.find(number, "end") for number in range(RANKS)]
    is_hit = any(killed) or any(end and end["end"] == "error" and end["code"] == UNAVAIL for end in ends)
    for number, end in enumerate(ends):
        if killed[number]:
            continue
        if end is None or end["end"] == "wrong" or (end["end"] == "error" and not is_hit):
            lives.fail(f"seed {seed}, rank {number}")
        if end["end"] == "error" and (end["code"] not in ERRORS or not end["text"] or end["destroy_s"] > ERROR_S + 1):
            lives.fail(f"seed {seed}, rank {number}")
    return "killed" if any(killed) else "error" if is_hit else "right"


def run_kill(seed, libraries):
    choose = random.Random(seed)
    lives = Lives(victim_or_witness, seed, libraries)
    lives.until(lambda: all(lives.find(number, "ready") for number in range(RANKS)))
    time.sleep(choose.random() * 0.03)
    victim = choose.randrange(RANKS)
    killed_at = time.monotonic()
    os.kill(lives.pids[victim], signal.SIGKILL)
    left = [number for number in range(RANKS) if number != victim]
    for number in left:
        os.write(lives.pipes[2][number][1], json.dumps(left).ljust(16).encode())
    lives.end()
    for number in left:
        told, end = lives.find(number, "told"), lives.find(number, "end")
        if not told or told["code"] not in ERRORS or "has ended" not in told["text"]:
            lives.fail(f"seed {seed}, rank {number} after a kill of rank {victim}")
        if told["told"] - killed_at > ERROR_S or end["end"] != "right":
            lives.fail(f"seed {seed}, rank {number} after {told['told'] - killed_at:.3f} s")
    return f"{max(lives.find(number, 'told')['told'] for number in left) - killed_at:.3f}"


def in_use(info, firmware):
    """What clients have on the devices."""
    text = subprocess.run([info, "--device-string", f"unix:{firmware.path}", "--json"], check=True,
                          capture_output=True, timeout=DEADLINE_S).stdout
    return [(len(device["clients"]), device["memory_used_bytes"]) for device in json.loads(text)["devices"]]


def main():
    program, info, library, way, runs = sys.argv[1:6]
    first = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    libraries = os.path.dirname(library)
    run = {"chaos": run_chaos, "kill": run_kill}[way]
    # Loaded once, used only in the children.
    for name in ("libascendcl.so", "libhccl.so"):
        ctypes.CDLL(os.path.join(libraries, name), mode=ctypes.RTLD_GLOBAL)
    with tempfile.TemporaryDirectory() as folder:
        firmware = Firmware(program, folder)
        os.environ["UNPU_DEVICE"] = f"unix:{firmware.path}"
        try:
            before, found = in_use(info, firmware), []
            for seed in range(first, first + int(runs)):
                found.append(run(seed, libraries))
            deadline = time.monotonic() + 5
            while in_use(info, firmware) != before and time.monotonic() < deadline:
                time.sleep(0.1)
            if in_use(info, firmware) != before:
                raise SystemExit(f"the firmware has {in_use(info, firmware)} in use, {before} at first")
        finally:
            firmware.end()
    if way == "chaos":
        print(f"{runs} runs: " + ", ".join(f"{found.count(end)} {end}" for end in ("right", "error", "killed")))
    else:
        print(f"{runs} kills: the last rank knew after {max(found)} s at most")


if __name__ == "__main__":
    main()
