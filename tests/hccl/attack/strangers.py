#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""strangers.py FIRMWARE_SIM LIBHCCL SECONDS [judge]: strangers at everything at which ranks listen, while the ranks reduce. First on one
machine, where the strangers are another user, and there is no port; then from two networks. They send random bytes,
what UCX takes for its own messages, half of a KNOCK, the whole of one, and nothing. No rank ends, none has more than
MOST descriptors of strangers, all sums are right, and with "judge" a reduction takes less than twice its time. Ends with
77 where the kernel allows no namespaces."""
import contextlib
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "far"))

import client  # noqa: E402
import knock  # noqa: E402
from networks import Networks, enter_network  # noqa: E402
from processes import SECONDS, Firmware, await_files, finish  # noqa: E402
from rank import fetch, post  # noqa: E402

STRANGERS, MOST, NOBODY = 100, 16, 65534
# What a stranger does until it begins anew, on the average.
PATIENCE_S = 0.2
UCX_MAGIC = 0xCAFEBABE12345678


def live(libraries, number, folder):
    """One rank of two: it reduces until it is told to end, and leaves how often and how long."""
    rank = client.Rank(libraries, 0)
    if number == 0:
        post(folder, "root", rank.root_info())
    rank.join(2, fetch(folder, "root"), number)
    data = rank.put([1.0] * 100000)
    post(folder, f"ready{number}", str(os.getpid()).encode())
    times = []
    while not os.path.exists(os.path.join(folder, "end")) or number != 0:
        since = time.monotonic()
        rank.run("aclrtMemcpy", data, 4 * 100000, struct.pack("f", number + 1.0) * 100000, 4 * 100000, 1)
        # Rank 0 says by its first number whether it is the last time.
        is_last = number == 0 and os.path.exists(os.path.join(folder, "stop"))
        if is_last:
            rank.run("aclrtMemcpy", data, 4, struct.pack("f", 1000.0), 4, 1)
        rank.all_reduce(data, data, 100000)
        rank.synchronise()
        took = rank.get(data, 100000)
        if took[1:] != [3.0] * 99999:
            raise SystemExit(f"rank {number}: the sum is {took[1]}")
        times.append(time.monotonic() - since)
        post(folder, f"rounds{number}", " ".join(f"{each:.6f}" for each in times[-400:]).encode() + b" of %d" % len(times))
        if took[0] > 500:
            break
    rank.destroy()
    rank.close()


def rounds(folder):
    """How many there were, and the median time of the last ones."""
    times, count = open(os.path.join(folder, "rounds0"), encoding="ascii").read().split(" of ")
    times = sorted(float(each) for each in times.split())
    return int(count), times[len(times) // 2]


def sockets_of(process):
    found = 0
    with contextlib.suppress(OSError):
        for fd in os.listdir(f"/proc/{process.pid}/fd"):
            with contextlib.suppress(OSError):
                found += os.readlink(f"/proc/{process.pid}/fd/{fd}").startswith("socket:")
    return found


def words(name):
    """What a stranger says."""
    kind = random.randrange(8)
    if kind == 0:
        return os.urandom(random.randrange(1, 4096))
    if kind == 1:
        return struct.pack("<QIB", UCX_MAGIC, 0xffffffff, random.randrange(256))
    if kind == 2:
        return struct.pack("<QIB", UCX_MAGIC, 1, random.randrange(256)) + os.urandom(64)
    if kind == 3:
        return knock.knock(os.urandom(16))[:random.randrange(1, 64)]
    if kind == 4:
        return knock.knock(name or os.urandom(16), random.choice((knock.MEETING, knock.WIRE)))
    if kind == 5:
        return knock.knock(name or os.urandom(16)) + os.urandom(200)
    return b""


class Crowd:
    """Strangers at places: each a socket's kind and address, and how to be where it is reached from."""

    def __init__(self, places):
        self.places, self.strangers, self.came = places, {}, 0

    def come(self):
        where, family, address = random.choice(self.places)
        with where():
            peer = socket.socket(family, socket.SOCK_STREAM)
        peer.setblocking(False)
        with contextlib.suppress(OSError):
            peer.connect(address)
        self.strangers[peer] = (time.monotonic() + random.random() * 2 * PATIENCE_S, False)
        self.came += 1

    def press(self):
        """Each one goes on for a moment."""
        while len(self.strangers) < STRANGERS:
            self.come()
        now = time.monotonic()
        for peer, (until, has_spoken) in list(self.strangers.items()):
            if not has_spoken:
                with contextlib.suppress(OSError):
                    peer.send(words(None))
                    self.strangers[peer] = (until, True)
            if now > until:
                peer.close()
                del self.strangers[peer]
        time.sleep(0.02)

    def leave(self):
        for peer in self.strangers:
            peer.close()


def press(crowd, processes, folder, seconds, judge, what):
    before = [sockets_of(process) for process in processes]
    time.sleep(max(1, seconds / 10))
    quiet_count, quiet = rounds(folder)
    deadline, most = time.monotonic() + seconds, [0] * len(processes)
    while time.monotonic() < deadline:
        crowd.press()
        most = [max(one, sockets_of(process) - had) for one, process, had in zip(most, processes, before)]
        for number, process in enumerate(processes):
            if process.poll() is not None:
                raise SystemExit(f"{what}: rank {number} ended with {process.returncode}")
    count, loud = rounds(folder)
    crowd.leave()
    print(f"{what}: {crowd.came} strangers at {len(crowd.places)} places, at most {most} descriptors of them, "
          f"{count - quiet_count} rounds of {loud * 1e3:.2f} ms instead of {quiet * 1e3:.2f} ms", flush=True)
    if max(most) > MOST:
        raise SystemExit(f"{what}: the ranks had {most} descriptors of strangers")
    if count == quiet_count:
        raise SystemExit(f"{what}: no reduction has ended")
    if judge and loud > 2 * quiet:
        raise SystemExit(f"{what}: a reduction took {loud / quiet:.1f} times as long")


def start(firmwares, inside, libraries, folder):
    return [subprocess.Popen([*inside[number], sys.executable, "-B", os.path.abspath(__file__), "--rank", libraries, str(number), folder],
                             env=dict(os.environ, UNPU_DEVICE=f"unix:{firmwares[number].path}", HCCL_CONNECT_TIMEOUT="60"),
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for number in range(2)]


def listening(table="/proc/net/tcp"):
    """Addresses and ports of a table of the kernel at which somebody listens."""
    found = []
    with open(table, encoding="ascii") as lines:
        for line in list(lines)[1:]:
            parts = line.split()
            if parts[3] == "0A":
                host, port = parts[1].split(":")
                found.append((socket.inet_ntoa(struct.pack("<I", int(host, 16))), int(port, 16)))
    return found


def end(folder, processes, what):
    post(folder, "stop", b"")
    finish(what, processes)


def play_local(firmwares, libraries, seconds, judge):
    """Ranks of one network have no port at all."""
    with tempfile.TemporaryDirectory() as folder:
        ports = listening()
        processes = start(firmwares, [[], []], libraries, folder)
        try:
            await_files(folder, "ready0", "ready1", "rounds0", "rounds1")
            # Other programs of the machine may have come meanwhile; a rank is none of them.
            new = [port for port in listening() if port not in ports]
            for process in processes:
                with open(f"/proc/{process.pid}/net/tcp", encoding="ascii") as table:
                    inodes = {line.split()[9] for line in list(table)[1:]}
                held = {os.readlink(f"/proc/{process.pid}/fd/{fd}")[8:-1] for fd in os.listdir(f"/proc/{process.pid}/fd")
                        if os.path.islink(f"/proc/{process.pid}/fd/{fd}")}
                if inodes & held:
                    raise SystemExit(f"a rank of one network has TCP sockets: {new}")
            names = knock.local_names(processes)
            if len(names) < 2:
                raise SystemExit(f"the ranks have no Unix sockets of their wires: {names}")
            is_root = os.geteuid() == 0
            if is_root:
                os.seteuid(NOBODY)
                crowd = Crowd([(contextlib.nullcontext, socket.AF_UNIX, "\0" + name[1:]) for name in names])
                for _ in range(3):
                    crowd.press()
                os.seteuid(0)
                press_as_nobody(crowd, processes, folder, seconds, judge)
            else:
                print("one network: skipped: only root can be another user", flush=True)
            end(folder, processes, "one network")
        finally:
            for process in processes:
                process.kill()


def press_as_nobody(crowd, processes, folder, seconds, judge):
    """The kernel notes the user of a socket when it connects."""
    come = crowd.come

    def come_as_nobody():
        os.seteuid(NOBODY)
        try:
            come()
        finally:
            os.seteuid(0)
    crowd.come = come_as_nobody
    press(crowd, processes, folder, seconds, judge, "one network")


def play_networks(networks, firmwares, libraries, seconds, judge):
    with tempfile.TemporaryDirectory() as folder:
        processes = start(firmwares, networks.inside, libraries, folder)
        try:
            await_files(folder, "ready0", "ready1", "rounds0", "rounds1")
            near, far = listening(), listening(f"/proc/{networks.keeper.pid}/net/tcp")
            # UCX has ports of its own, which is why nobody gets it without asking.
            if "UNPU_HCCL_WIRE" not in os.environ and (len(near) != 1 or len(far) != 1):
                raise SystemExit(f"a rank listens at one port, and these do at {near} and {far}")
            places = [(networks.far, socket.AF_INET, each) for each in near]
            places += [(contextlib.nullcontext, socket.AF_INET, each) for each in far + near]
            press(Crowd(places), processes, folder, seconds, judge, "two networks")
            end(folder, processes, "two networks")
        finally:
            for process in processes:
                process.kill()


def come(libraries, number, ranks, folder):
    """One of many ranks, all of which have firmwares of their own and come at once."""
    rank = client.Rank(libraries, 0)
    if number == 0:
        post(folder, "root", rank.root_info())
    info = fetch(folder, "root")
    post(folder, f"here{number}", b"")
    fetch(folder, "go")
    rank.join(ranks, info, number)
    data = rank.put([1.0])
    rank.all_reduce(data, data, 1)
    rank.synchronise()
    if rank.get(data, 1) != [float(ranks)]:
        raise SystemExit(f"rank {number}: the sum is {rank.get(data, 1)}")
    rank.destroy()
    rank.close()


def play_crowd(networks, libraries):
    """More ranks than the strangers that a door keeps connect to each other at the same moment."""
    ranks = 32
    with tempfile.TemporaryDirectory() as folder:
        processes = [subprocess.Popen(
            [*networks.inside[number % 2], sys.executable, "-B", os.path.abspath(__file__), "--come", libraries, str(number), str(ranks),
             folder], env=dict(os.environ, UNPU_DEVICE="sim:memory=64M,engines=1", HCCL_CONNECT_TIMEOUT="120", HCCL_BUFFSIZE="2"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for number in range(ranks)]
        await_files(folder, *(f"here{number}" for number in range(ranks)))
        post(folder, "go", b"")
        finish("a crowd of ranks", processes)
    print(f"a crowd of {ranks} ranks: passed", flush=True)


def main():
    if sys.argv[1] == "--come":
        come(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
        return
    if sys.argv[1] == "--rank":
        live(sys.argv[2], int(sys.argv[3]), sys.argv[4])
        return
    program, library = (os.path.abspath(path) for path in sys.argv[1:3])
    seconds, judge, libraries = float(sys.argv[3]), "judge" in sys.argv, os.path.dirname(library)
    is_inside = os.environ.get("UNPU_TEST_NETWORKS") == "1"
    networks = None
    try:
        if is_inside:
            networks = Networks()
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"skipped: there are no namespaces for this test: {why}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        firmwares = [Firmware(program, folder), Firmware(program, other)]
        try:
            if is_inside:
                play_networks(networks, firmwares, libraries, seconds, judge)
                if judge:
                    play_crowd(networks, libraries)
            else:
                play_local(firmwares, libraries, seconds, judge)
        finally:
            if networks:
                networks.end()
            for firmware in firmwares:
                firmware.end()
    if is_inside:
        return
    try:
        enter_network()
    except OSError as why:
        print(f"two networks: skipped: {why}")


if __name__ == "__main__":
    main()
