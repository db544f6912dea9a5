#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""measure.py FIRMWARE_SIM LIBHCCL [LAYOUT...]: measures the costs of plan.py on this machine, then operations of ranks of
several firmwares beside what plan.py predicts with these costs. In a layout each letter is a rank and names its firmware;
default: A AA AB AABB ABCD. Each time is the smallest of several, as a busy machine only makes things slower."""
import ctypes
import dataclasses
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

import costs as models
import plan
from ranks import Shape

FP32, SUM, MALLOC_NORMAL = 4, 0, 0
ROOT_INFO_BYTES = 4108
SECONDS = 300
LARGE = 16 << 20
TURNS = 4  # calls that are submitted together
SIZES = (8, 32 << 10, 1 << 20, 16 << 20)
TOLD = "measured "


class Rank:
    """A rank by ctypes, in a process of its own."""

    def __init__(self, libraries, device):
        self.acl = ctypes.CDLL(os.path.join(libraries, "libascendcl.so"), mode=ctypes.RTLD_GLOBAL)
        self.hccl = ctypes.CDLL(os.path.join(libraries, "libhccl.so"))
        self.acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
        self.stream, self.comm = ctypes.c_void_p(), ctypes.c_void_p()
        self.do("aclInit", None)
        self.do("aclrtSetDevice", device)
        self.do("aclrtCreateStream", ctypes.byref(self.stream))
        self.memory = [ctypes.c_void_p(), ctypes.c_void_p()]
        for memory in self.memory:
            self.do("aclrtMalloc", ctypes.byref(memory), ctypes.c_size_t(LARGE), MALLOC_NORMAL)
            self.do("aclrtMemset", memory, ctypes.c_size_t(LARGE), 0, ctypes.c_size_t(LARGE))

    def do(self, name, *arguments):
        code = getattr(self.hccl if name.startswith("Hccl") else self.acl, name)(*arguments)
        if code:
            raise SystemExit(f"{name} returned {code}: {(self.acl.aclGetRecentErrMsg() or b'').decode()}")

    def join(self, ranks, rank, folder):
        """Rank 0 leaves the root information in a file."""
        path = os.path.join(folder, "root")
        info = (ctypes.c_byte * ROOT_INFO_BYTES)()
        if rank == 0:
            self.do("HcclGetRootInfo", ctypes.byref(info))
            with open(path + ".new", "wb") as file:
                file.write(bytes(info))
            os.rename(path + ".new", path)
        while not os.path.exists(path):
            time.sleep(0.01)
        with open(path, "rb") as file:
            info = (ctypes.c_byte * ROOT_INFO_BYTES).from_buffer_copy(file.read())
        self.do("HcclCommInitRootInfo", ctypes.c_uint32(ranks), ctypes.byref(info), ctypes.c_uint32(rank),
                ctypes.byref(self.comm))
        self.ranks = ranks

    def call(self, name, size):
        send, receive = self.memory
        count = ctypes.c_uint64(size // 4)
        if name == "AllReduce":
            self.do("HcclAllReduce", send, receive, count, FP32, SUM, self.comm, self.stream)
        elif name == "AllGather":
            part = ctypes.c_uint64(max(size // 4 // self.ranks, 1))
            self.do("HcclAllGather", send, receive, part, FP32, self.comm, self.stream)
        elif name == "Broadcast":
            self.do("HcclBroadcast", send, count, FP32, ctypes.c_uint32(0), self.comm, self.stream)
        else:
            self.do("HcclBarrier", self.comm, self.stream)

    def synchronise(self):
        self.do("aclrtSynchronizeStream", self.stream)

    def copy(self, size):
        self.do("aclrtMemcpyAsync", self.memory[1], ctypes.c_size_t(size), self.memory[0], ctypes.c_size_t(size), 3,
                self.stream)


def smallest(times, run):
    return min(run() for _ in range(times))


def time_of(rank, submit, turns):
    """Seconds of one of @turns that are submitted together."""
    def once():
        began = time.perf_counter()
        for _ in range(turns):
            submit()
        rank.synchronise()
        return (time.perf_counter() - began) / turns
    return once


def submit_time(rank, submit, turns):
    def once():
        began = time.perf_counter()
        for _ in range(turns):
            submit()
        made = (time.perf_counter() - began) / turns
        rank.synchronise()
        return made
    return once


def measure_alone(rank):
    """Costs of one device."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
    packet = smallest(100, time_of(rank, lambda: rank.copy(4), 200))
    submit = smallest(100, submit_time(rank, lambda: rank.copy(4), 200))
    host = smallest(50, time_of(rank, lambda: rank.do("aclrtLaunchHostFunc", rank.stream, function, None), 50))
    copies = smallest(20, time_of(rank, lambda: rank.copy(LARGE), 1))
    return {"packet": packet, "submit": submit, "host_task": host, "copy_rate": LARGE / copies}


def measure_calls(rank):
    """Seconds of one call of each kind and size, when all ranks call it again and again."""
    found = {}
    for name in plan.CALLS:
        for size in [0] if name == "Barrier" else SIZES:
            times = 6 if size > 1 << 20 else 20 if size > 1 << 16 else 60
            found[f"{name} {size}"] = smallest(times, time_of(rank, lambda n=name, s=size: rank.call(n, s), TURNS))
    return found


def live(words):
    """One rank, as a process: its libraries, device, number of ranks, number and folder."""
    libraries, device, ranks, number, folder = words[0], int(words[1]), int(words[2]), int(words[3]), words[4]
    rank = Rank(libraries, device)
    found = {}
    if ranks == 1:
        found["costs"] = measure_alone(rank)
    else:
        rank.join(ranks, number, folder)
        rank.call("Barrier", 0)
        rank.synchronise()
        found["copy"] = smallest(10, time_of(rank, lambda: rank.copy(LARGE), 4))
        rank.call("Barrier", 0)
        rank.synchronise()
        found["calls"] = measure_calls(rank)
        rank.do("HcclCommDestroy", rank.comm)
    print(TOLD + json.dumps(found), flush=True)


class Firmware:
    def __init__(self, program, path):
        self.path = path
        self.process = subprocess.Popen([program, "--listen", path, "--devices", "4"], stderr=subprocess.DEVNULL)
        while not os.path.exists(path):
            if self.process.poll() is not None:
                raise SystemExit(f"{program} --listen {path} ended with {self.process.returncode}")
            time.sleep(0.01)

    def end(self):
        self.process.terminate()
        self.process.wait()


def run_layout(program, libraries, layout):
    """Runs a process for each rank. Return: what they told, by rank."""
    with tempfile.TemporaryDirectory() as folder:
        firmwares = {letter: Firmware(program, os.path.join(folder, letter)) for letter in sorted(set(layout))}
        try:
            ranks = []
            for number, letter in enumerate(layout):
                words = [sys.executable, "-B", __file__, "--rank", libraries, str(layout[:number].count(letter)),
                         str(len(layout)), str(number), folder]
                settings = dict(os.environ, UNPU_DEVICE=f"unix:{firmwares[letter].path}")
                ranks.append(subprocess.Popen(words, env=settings, stdout=subprocess.PIPE, text=True))
            told = []
            for rank in ranks:
                text = rank.communicate(timeout=SECONDS)[0]
                if rank.returncode != 0 or TOLD not in text:
                    raise SystemExit(f"{layout}: a rank ended with {rank.returncode}: {text}")
                told.append(json.loads(text.split(TOLD, 1)[1]))
            return told
        finally:
            for firmware in firmwares.values():
                firmware.end()


def measure_network():
    """A connection over the loopback device: half the time of a byte there and back, and the rate."""
    server = socket.create_server(("127.0.0.1", 0))
    trips, block = 5000, 1 << 20

    def echo():
        peer, _ = server.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := peer.recv(block):
            peer.sendall(b"x" if len(data) == 1 else b"")

    other = threading.Thread(target=echo, daemon=True)
    other.start()
    client = socket.create_connection(server.getsockname())
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ping():
        began = time.perf_counter()
        client.sendall(b"x")
        client.recv(1)
        return time.perf_counter() - began

    def stream():
        began = time.perf_counter()
        for _ in range(32):
            client.sendall(bytes(block))
        return time.perf_counter() - began
    trip, seconds = smallest(trips, ping), smallest(10, stream)
    client.close()
    return trip / 2, 32 * block / seconds


def slowest(told, key):
    return max(each["calls"][key] for each in told)


def derive(costs, near, far):
    """What can't be measured alone. @near: two ranks of one firmware; @far: one of each of two"""
    costs = dataclasses.replace(costs, memory_rate=2 * LARGE / max(each["copy"] for each in near))
    shape = Shape(1, 2)

    def rest(name, size, shape, told, names, low):
        """The cost for which the prediction is the measured time, by halves."""
        high, wanted = low * 1e6, slowest(told, f"{name} {size}")
        for _ in range(60):
            middle = (low * high) ** 0.5
            tried = dataclasses.replace(costs, **{each: middle for each in names})
            slower = plan.repeat(name, shape, tried, size) > wanted
            slower = not slower if names[0].endswith("_rate") else slower
            low, high = (low, middle) if slower else (middle, high)
        return dataclasses.replace(costs, **{each: low for each in names})
    costs = rest("Barrier", 0, shape, near, ["meeting"], 1e-8)
    costs = rest("AllReduce", 16 << 20, shape, near, ["fold_rate"], 1e7)
    costs = rest("Barrier", 0, Shape(2, 1), far, ["wake", "wire_wake", "frame"], 1e-8)
    costs = rest("Broadcast", 16 << 20, Shape(2, 1), far, ["connection_rate", "nic_rate"], 1e7)
    return costs


def main():
    if sys.argv[1:2] == ["--rank"]:
        live(sys.argv[2:])
        return
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    program, libraries = sys.argv[1], os.path.dirname(os.path.abspath(sys.argv[2]))
    for path in sys.argv[1:3]:
        if not os.path.isfile(path):
            raise SystemExit(f"measure.py: there is no file {path}")
    if not os.access(program, os.X_OK):
        raise SystemExit(f"measure.py: {program} is no program")
    layouts = sys.argv[3:] or ["A", "AA", "AB", "AABB", "ABCD"]
    for needed in ("AB", "AA", "A"):
        if needed not in layouts:
            layouts.insert(0, needed)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs", flush=True)
    told = {layout: run_layout(program, libraries, layout) for layout in sorted(layouts, key=len)}
    latency, rate = measure_network()
    print(f"a plain connection: {rate / 1e9:.2f} GB/s")
    costs = dataclasses.replace(models.MEASURED, latency=latency, **told["A"][0]["costs"])
    costs = derive(costs, told["AA"], told["AB"])
    for field in dataclasses.fields(costs):
        value = getattr(costs, field.name)
        print(f"  {field.name:16}" + (f"{value / 1e9:8.2f} GB/s" if field.name.endswith("_rate") else f"{value * 1e6:8.2f} us"))
    print(f"{'layout':8}{'call':10}{'bytes':>9}{'measured':>10}{'predicted':>10}{'ratio':>7}")
    for layout in layouts:
        if layout == "A":
            continue
        islands = len(set(layout))
        shape = Shape(islands, len(layout) // islands)
        for key in told[layout][0]["calls"]:
            name, size = key.split()
            made, found = plan.repeat(name, shape, costs, int(size)), slowest(told[layout], key)
            print(f"{layout:8}{name:10}{plan.size_text(int(size)) if int(size) else '-':>9}{plan.time_text(found):>10}"
                  f"{plan.time_text(made):>10}{found / made:>7.2f}")


if __name__ == "__main__":
    main()
