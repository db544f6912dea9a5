#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""islands.py FIRMWARE_SIM LIBHCCL CASES [SEED [LAYOUT...]]: random operations of ranks whose devices belong to several
firmwares. In a layout each letter is a rank, and names its firmware: ABAB has two ranks on each of two. All ranks choose
the same operations by SEED, and each compares its results, by the bit, with what numpy computes in the order of the
ranks. Then they capture operations and replay them, abort some, resume, and go on."""
import ctypes
import os
import random
import sys
import tempfile
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import client  # noqa: E402
from processes import Firmware  # noqa: E402

SECONDS = 240
AGAIN, SUSPENDING = 20, 22
LAYOUTS = ("AB", "AABB", "ABAB", "AAAB", "ABC", "AABBB", "ABBA", "AAAABBBB")
# Numbers of enum HcclDataType.
TYPES = {0: "int8", 1: "int16", 2: "int32", 3: "float16", 4: "float32", 5: "int64", 6: "uint64", 7: "uint8", 8: "uint16",
         9: "uint32", 10: "float64"}
FOLDS = (numpy.add, numpy.multiply, numpy.maximum, numpy.minimum)
COUNTS = (0, 1, 2, 7, 64, 1000, 4097, 30000, 150000)
LONG_COUNTS = (600000, 3000000)


def u64(values):
    return (ctypes.c_uint64 * len(values))(*(int(value) for value in values))


class Player(client.Rank):
    """One rank, with memory as numpy arrays."""

    def upload(self, array):
        memory = ctypes.c_void_p()
        self.run("aclrtMalloc", ctypes.byref(memory), ctypes.c_size_t(max(array.nbytes, 1)), 0)
        self.kept.append(memory)
        if array.nbytes:
            self.run("aclrtMemcpy", memory, ctypes.c_size_t(array.nbytes), ctypes.c_void_p(array.ctypes.data),
                     ctypes.c_size_t(array.nbytes), 1)
        return memory

    def download(self, memory, like):
        array = numpy.empty_like(like)
        if array.nbytes:
            self.run("aclrtMemcpy", ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes), memory,
                     ctypes.c_size_t(array.nbytes), 2)
        return array

    def clear(self):
        for memory in self.kept:
            self.run("aclrtFree", memory)
        self.kept = []

    def do(self, name, *arguments):
        self.call(name, *arguments, self.comm, self.stream)


class Case:
    """One operation: the calls of a rank, and what its memory has to be afterwards."""

    def __init__(self, player, seed, number):
        self.player, self.ranks, self.rank = player, player.ranks, player.rank
        self.choose = random.Random(seed * 100003 + number)
        self.key = (seed, number)
        self.type = self.choose.choice(sorted(TYPES))
        self.fold = self.choose.randrange(len(FOLDS))
        self.root = self.choose.randrange(self.ranks)
        self.in_place = self.choose.randrange(2) == 1
        self.count = self.choose.choice(LONG_COUNTS if self.choose.randrange(12) == 0 else COUNTS)
        self.kind = self.choose.choice(sorted(KINDS))
        self.checks = []

    def data(self, rank, count):
        """What a rank has at first."""
        make = numpy.random.default_rng((*self.key, rank))
        kind = numpy.dtype(TYPES[self.type])
        if kind.kind == "f":
            return (make.random(count) * 4 - 2).astype(kind)
        limits = numpy.iinfo(kind)
        return make.integers(limits.min, limits.max, count, dtype=kind, endpoint=True)

    def every(self, count):
        return [self.data(rank, count) for rank in range(self.ranks)]

    def reduced(self, parts):
        total = parts[0].copy()
        with numpy.errstate(all="ignore"):
            for part in parts[1:]:
                total = FOLDS[self.fold](total, part)
        return total

    def expect(self, memory, wanted):
        self.checks.append((memory, wanted))

    def pair(self, own, wanted):
        """The send and the receive buffer, which may be one."""
        send = self.player.upload(own)
        receive = send if self.in_place else self.player.upload(numpy.zeros_like(wanted))
        self.expect(receive, wanted)
        return send, receive

    def all_reduce(self):
        every = self.every(self.count)
        send, receive = self.pair(every[self.rank], self.reduced(every))
        self.player.do("HcclAllReduce", send, receive, ctypes.c_uint64(self.count), self.type, self.fold)

    def reduce(self):
        every = self.every(self.count)
        wanted = self.reduced(every) if self.rank == self.root else numpy.zeros_like(every[0])
        send = self.player.upload(every[self.rank])
        receive = self.player.upload(numpy.zeros_like(wanted))
        self.expect(receive, wanted)
        self.player.do("HcclReduce", send, receive, ctypes.c_uint64(self.count), self.type, self.fold,
                       ctypes.c_uint32(self.root))

    def broadcast(self):
        memory = self.player.upload(self.data(self.rank, self.count))
        self.expect(memory, self.data(self.root, self.count))
        self.player.do("HcclBroadcast", memory, ctypes.c_uint64(self.count), self.type, ctypes.c_uint32(self.root))

    def all_gather(self):
        every = self.every(self.count)
        wanted = numpy.concatenate(every)
        if self.in_place:
            start = numpy.zeros_like(wanted)
            start[self.rank * self.count:(self.rank + 1) * self.count] = every[self.rank]
            receive = self.player.upload(start)
            send = ctypes.c_void_p(receive.value + self.rank * every[0].nbytes)
        else:
            send, receive = self.player.upload(every[self.rank]), self.player.upload(numpy.zeros_like(wanted))
        self.expect(receive, wanted)
        self.player.do("HcclAllGather", send, receive, ctypes.c_uint64(self.count), self.type)

    def reduce_scatter(self):
        every = self.every(self.count * self.ranks)
        total = self.reduced(every)
        mine = slice(self.rank * self.count, (self.rank + 1) * self.count)
        send = self.player.upload(every[self.rank])
        if self.in_place:
            receive = ctypes.c_void_p(send.value + self.rank * total[mine].nbytes)
        else:
            receive = self.player.upload(numpy.zeros_like(total[mine]))
        self.expect(receive, total[mine])
        self.player.do("HcclReduceScatter", send, receive, ctypes.c_uint64(self.count), self.type, self.fold)

    def scatter(self):
        parts = self.data(self.root, self.count * self.ranks)
        wanted = parts[self.rank * self.count:(self.rank + 1) * self.count]
        send = self.player.upload(parts if self.rank == self.root else parts[:0])
        receive = self.player.upload(numpy.zeros_like(wanted))
        self.expect(receive, wanted)
        self.player.do("HcclScatter", send, receive, ctypes.c_uint64(self.count), self.type, ctypes.c_uint32(self.root))

    def all_to_all(self):
        every = self.every(self.count * self.ranks)
        wanted = numpy.concatenate([part[self.rank * self.count:(self.rank + 1) * self.count] for part in every])
        send, receive = self.pair(every[self.rank], wanted)
        count = ctypes.c_uint64(self.count)
        self.player.do("HcclAlltoAll", send, count, self.type, receive, count, self.type)

    def counts(self):
        return [self.choose.choice(COUNTS[:-1]) for _ in range(self.ranks)]

    def all_gather_v(self):
        counts = self.counts()
        every = [self.data(rank, count) for rank, count in enumerate(counts)]
        wanted = numpy.concatenate(every)
        send, receive = self.player.upload(every[self.rank]), self.player.upload(numpy.zeros_like(wanted))
        offsets = [sum(counts[:rank]) for rank in range(self.ranks)]
        self.expect(receive, wanted)
        self.player.do("HcclAllGatherV", send, ctypes.c_uint64(counts[self.rank]), receive, u64(counts), u64(offsets),
                       self.type)

    def reduce_scatter_v(self):
        counts = self.counts()
        every, first = self.every(sum(counts)), sum(counts[:self.rank])
        wanted = self.reduced(every)[first:first + counts[self.rank]]
        send, receive = self.player.upload(every[self.rank]), self.player.upload(numpy.zeros_like(wanted))
        offsets = [sum(counts[:rank]) for rank in range(self.ranks)]
        self.expect(receive, wanted)
        self.player.do("HcclReduceScatterV", send, u64(counts), u64(offsets), receive,
                       ctypes.c_uint64(counts[self.rank]), self.type, self.fold)

    def all_to_all_v(self):
        matrix = [self.counts() for _ in range(self.ranks)]
        every = [self.data(rank, sum(row)) for rank, row in enumerate(matrix)]
        mine = [row[self.rank] for row in matrix]
        wanted = numpy.concatenate([every[rank][sum(row[:self.rank]):sum(row[:self.rank + 1])]
                                    for rank, row in enumerate(matrix)])
        send, receive = self.player.upload(every[self.rank]), self.player.upload(numpy.zeros_like(wanted))
        row = matrix[self.rank]
        self.expect(receive, wanted)
        self.player.do("HcclAlltoAllV", send, u64(row), u64([sum(row[:rank]) for rank in range(self.ranks)]), self.type,
                       receive, u64(mine), u64([sum(mine[:rank]) for rank in range(self.ranks)]), self.type)

    def barrier(self):
        self.player.do("HcclBarrier")

    def ring(self):
        """All messages of a batch progress together."""
        step = self.choose.randrange(self.ranks)
        source = (self.rank - step) % self.ranks
        send = self.player.upload(self.data(self.rank, self.count))
        wanted = self.data(source, self.count)
        receive = self.player.upload(numpy.zeros_like(wanted))
        self.expect(receive, wanted)
        self.player.call("HcclGroupStart")
        self.player.do("HcclSend", send, ctypes.c_uint64(self.count), self.type,
                       ctypes.c_uint32((self.rank + step) % self.ranks))
        self.player.do("HcclRecv", receive, ctypes.c_uint64(self.count), self.type, ctypes.c_uint32(source))
        self.player.call("HcclGroupEnd")

    def play(self):
        getattr(self, self.kind)()
        self.player.synchronise()
        for memory, wanted in self.checks:
            found = self.player.download(memory, wanted)
            if found.tobytes() != wanted.tobytes():
                at = int(numpy.flatnonzero(found != wanted)[0])
                raise SystemExit(f"{self.kind}, {self.count} {TYPES[self.type]}, {FOLDS[self.fold].__name__}, root "
                                 f"{self.root}, in place {self.in_place}: element {at} is {found[at]}, not {wanted[at]}")
        self.player.clear()


KINDS = ("all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter", "scatter", "all_to_all", "all_gather_v",
         "reduce_scatter_v", "all_to_all_v", "barrier", "ring")


def play_orders(player, partner):
    """A reduction of rank 0 is held up. A message to another island, on another stream, does not wait for it, and takes
    no slot of it."""
    count, kind, other = 50000, numpy.dtype("int32"), ctypes.c_void_p()
    player.run("aclrtCreateStream", ctypes.byref(other))
    if player.rank == 0:
        player.hold()
    own = player.upload(numpy.full(count, 7 + player.rank, kind))
    message = player.upload(numpy.full(count, -1 - player.rank, kind))
    player.do("HcclAllReduce", own, own, ctypes.c_uint64(count), 2, 0)
    stream, player.stream = player.stream, other
    if player.rank == 0:
        player.do("HcclSend", message, ctypes.c_uint64(count), 2, ctypes.c_uint32(partner))
    elif player.rank == partner:
        player.do("HcclRecv", message, ctypes.c_uint64(count), 2, ctypes.c_uint32(0))
    player.synchronise()
    player.stream = stream
    if player.rank == 0:
        player.go_on()
    player.synchronise()
    wanted = numpy.full(count, sum(7 + rank for rank in range(player.ranks)), kind)
    if player.download(own, wanted).tobytes() != wanted.tobytes():
        raise SystemExit("a reduction beside a message gave wrong numbers")
    wanted = numpy.full(count, -1, kind)
    if player.rank == partner and player.download(message, wanted).tobytes() != wanted.tobytes():
        raise SystemExit("a message beside a reduction gave wrong numbers")
    player.run("aclrtDestroyStream", other)
    player.clear()


def play_graph(player):
    """A captured reduction, whose input changes between the runs."""
    model, count = ctypes.c_void_p(), 5000
    send, receive = player.upload(numpy.zeros(count, "int32")), player.upload(numpy.zeros(count, "int32"))
    player.run("aclmdlRICaptureBegin", player.stream, 0)
    player.do("HcclAllReduce", send, receive, ctypes.c_uint64(count), 2, 0)
    player.do("HcclAllGather", receive, receive, ctypes.c_uint64(0), 2)
    player.do("HcclBarrier")
    player.run("aclmdlRICaptureEnd", player.stream, ctypes.byref(model))
    for turn in range(3):
        own = numpy.full(count, player.rank + turn, "int32")
        player.run("aclrtMemcpy", send, ctypes.c_size_t(own.nbytes), ctypes.c_void_p(own.ctypes.data),
                   ctypes.c_size_t(own.nbytes), 1)
        player.run("aclmdlRIExecuteAsync", model, player.stream)
        player.synchronise()
        wanted = numpy.full(count, sum(rank + turn for rank in range(player.ranks)), "int32")
        if player.download(receive, wanted).tobytes() != wanted.tobytes():
            raise SystemExit(f"run {turn} of a graph gave wrong numbers")
    player.run("aclmdlRIDestroy", model)
    player.clear()


def play_resume(player):
    """All ranks but one wait in a reduction, each for the third call and some for the fourth; then all begin anew."""
    data = player.upload(numpy.full(300000, player.rank, "int32"))
    calls = 0 if player.rank == 0 else 1 + player.rank % 2
    for _ in range(calls):
        player.do("HcclAllReduce", data, data, ctypes.c_uint64(300000), 2, 0)
    if calls:
        code = player.hccl.HcclCommResume(player.comm)
        if code != AGAIN or "aclrtDeviceTaskAbort" not in player.message():
            raise SystemExit(f"HcclCommResume returned {code} while an operation waits")
    player.run("aclrtDeviceTaskAbort", player.device, ctypes.c_uint32(2000))
    error = ctypes.create_string_buffer(65536)
    player.run("aclrtGetErrorVerbose", player.device, error)
    player.run("aclrtRepairError", player.device, error)
    player.call("HcclCommSuspend", player.comm)
    code = player.hccl.HcclBarrier(player.comm, player.stream)
    if code != SUSPENDING:
        raise SystemExit(f"HcclBarrier returned {code} while the communicator is suspended")
    player.call("HcclCommResume", player.comm)
    player.clear()


def live(libraries, place, partner, ranks, number, pipes, cases, seed):
    player = Player(libraries, place)
    player.kept = []
    if number == 0:
        info = player.root_info()
        for other in range(1, ranks):
            os.write(pipes[other][1], info)
    else:
        info = b""
        while len(info) < client.ROOT_INFO_BYTES:
            info += os.read(pipes[number][0], client.ROOT_INFO_BYTES - len(info))
    player.join(ranks, info, number)
    for case in range(cases):
        Case(player, seed, case).play()
    play_orders(player, partner)
    play_graph(player)
    play_resume(player)
    for case in range(cases, cases + 3):
        Case(player, seed, case).play()
    play_graph(player)
    player.destroy()
    player.close()


def play(libraries, firmwares, layout, cases, seed):
    pipes, pids, began = [os.pipe() for _ in layout], [], time.monotonic()
    for number, letter in enumerate(layout):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.environ["UNPU_DEVICE"] = f"unix:{firmwares[letter].path}"
                partner = next(rank for rank, other in enumerate(layout) if other != layout[0])
                live(libraries, layout[:number].count(letter), partner, len(layout), number, pipes, cases, seed)
                code = 0
            except client.Failed as failure:
                print(f"{layout}, seed {seed}, rank {number}: {failure}", flush=True)
            except SystemExit as failure:
                print(f"{layout}, seed {seed}, rank {number}: {failure}", flush=True)
            finally:
                os._exit(code)
        pids.append(pid)
    left, wrong = dict.fromkeys(pids), False
    while left:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in left:
            del left[pid]
            wrong = wrong or status != 0
        elif time.monotonic() > began + SECONDS:
            for each in left:
                os.kill(each, 9)
            raise SystemExit(f"{layout}, seed {seed}: {len(left)} ranks hang")
        else:
            time.sleep(0.02)
    for pipe in pipes:
        os.close(pipe[0])
        os.close(pipe[1])
    if wrong:
        raise SystemExit(f"{layout}, seed {seed}: wrong")
    print(f"{layout}: {cases} operations, seed {seed}, {time.monotonic() - began:.1f} s", flush=True)


def main():
    program, library, cases = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    layouts = sys.argv[5:] or LAYOUTS
    libraries = os.path.dirname(library)
    for name in ("libascendcl.so", "libhccl.so"):
        ctypes.CDLL(os.path.join(libraries, name), mode=ctypes.RTLD_GLOBAL)
    with tempfile.TemporaryDirectory() as folder:
        firmwares = {}
        try:
            for letter in sorted(set("".join(layouts))):
                firmwares[letter] = Firmware(program, folder, letter)
            for layout in layouts:
                play(libraries, firmwares, layout, cases, seed)
        finally:
            for firmware in firmwares.values():
                firmware.end()


if __name__ == "__main__":
    main()
