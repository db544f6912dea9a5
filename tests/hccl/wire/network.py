#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""network.py PEER [bench] - processes with wires on two networks, joined by a cable that can be cut. They live in
namespaces of their own; where the system allows none, the test is skipped. "bench" takes times instead."""
import contextlib
import os
import signal
import subprocess
import sys
import time

SKIP = 77
# The end of a process and a cut cable are noticed so soon, in seconds.
KILL_LIMIT = 2
CUT_LIMIT = 8
NOBODY = "02:00:00:00:00:99"
# UCX looks there for the interfaces of its network.
MOUNT = "mount -t sysfs sysfs /sys && "


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Networks:
    """This process's network and another one: 10.77.0.1 and 10.77.0.2."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "-nm", "sh", "-c", MOUNT + "echo ready; exec cat"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        self.enter = ["nsenter", "-t", str(self.holder.pid), "-n", "-m"]
        run("sh", "-c", MOUNT + ":")
        run("ip", "link", "add", "wire0", "type", "veth", "peer", "name", "wire1", "netns", str(self.holder.pid))
        run("ip", "addr", "add", "10.77.0.1/24", "dev", "wire0")
        run(*self.enter, "ip", "addr", "add", "10.77.0.2/24", "dev", "wire1")
        run("ip", "link", "set", "lo", "up")
        run(*self.enter, "ip", "link", "set", "lo", "up")
        self.join()

    def join(self):
        run("ip", "link", "set", "wire0", "up")
        run(*self.enter, "ip", "link", "set", "wire1", "up")
        deadline = time.monotonic() + 10
        for words in (["wire0"], ["wire1"]):
            show = (self.enter if words == ["wire1"] else []) + ["ip", "link", "show", "dev", *words]
            while b"state UP" not in subprocess.run(show, capture_output=True, check=True).stdout:
                expect(time.monotonic() < deadline, "a cable does not come up")
                time.sleep(0.01)

    def cut(self):
        """Packets go to a card that is not there. A veth that is down would be no cut: the sender's own queue drops
        the probes of TCP, and the kernel does not count those."""
        run("ip", "neigh", "replace", "10.77.0.2", "lladdr", NOBODY, "dev", "wire0", "nud", "permanent")
        run(*self.enter, "ip", "neigh", "replace", "10.77.0.1", "lladdr", NOBODY, "dev", "wire1", "nud", "permanent")

    def mend(self):
        run("ip", "neigh", "del", "10.77.0.2", "dev", "wire0")
        run(*self.enter, "ip", "neigh", "del", "10.77.0.1", "dev", "wire1")

    def end(self):
        self.holder.kill()
        self.holder.wait()


class Peer:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        expect(self.address and " " not in self.address, self.address)

    def begin(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        return self.process.stdout.readline().strip()

    def ask(self, line):
        self.begin(line)
        return self.answer()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def expect(is_true, text):
    if not is_true:
        raise SystemExit(text)


@contextlib.contextmanager
def peers(first, second):
    """Two that are connected."""
    both = [Peer(first), Peer(second)]
    try:
        for one, other in (both, both[::-1]):
            expect(one.ask("connect " + other.address) == "0", "a peer can't connect")
        expect(both[0].ask("ping 8 10") != "no answer", "a peer does not answer")
        yield both
    finally:
        for one in both:
            one.end()


def seconds_since(begin, answer):
    """Of "NANOSECONDS TEXT"."""
    expect(answer != "no loss", "a lost connection was not noticed")
    return int(answer.split()[0]) / 1e9 - begin


def play_flow(commands):
    with peers(*commands) as (one, other):
        for size in (0, 1, 256, 257, 65536, 65537, 1 << 20, 8 << 20):
            expect(one.ask(f"ping {size} 5") != "no answer", f"{size} bytes did not come back")
        for peer in (one, other):
            peer.begin("ping 1048576 50")
        for peer in (one, other):
            expect(peer.answer() != "no answer", "a peer did not answer while it asked")


def play_idle(commands):
    """The threads sleep while nothing is sent."""
    with peers(*commands) as both:
        # A second after the last parcel it looks for answers once more.
        time.sleep(1.5)
        before = [peer.ask("sleeps") for peer in both]
        time.sleep(2.5)
        after = [peer.ask("sleeps") for peer in both]
        expect(before == after and "-1" not in before, f"idle threads woke up: {before} {after}")


def play_kill(commands, work):
    with peers(*commands) as (one, other):
        for line in work:
            one.ask(line)
            other.ask(line)
        begin = time.monotonic()
        other.process.send_signal(signal.SIGKILL)
        waited = seconds_since(begin, one.ask("lost"))
        expect(waited < KILL_LIMIT, f"the end of a process was noticed after {waited} s")
        one.ask("send 8 10")
        expect(int(one.ask("detach")) < 1e9, "detach() waited for a process that has ended")
        expect(int(one.ask("close")) < 3e9, "close() waited for a process that has ended")
        expect(one.ask("losses") == "1", "a loss was told more than once")
        return waited


def play_cut(networks, commands, work):
    """Packets get lost: both sides notice, whether or not data are under way."""
    with peers(*commands) as both:
        for line in work:
            for peer in both:
                peer.ask(line)
        networks.cut()
        try:
            begin = time.monotonic()
            waited = [seconds_since(begin, peer.ask("lost")) for peer in both]
        finally:
            networks.mend()
        expect(max(waited) < CUT_LIMIT, f"a cut cable was noticed after {waited} s")
        return max(waited)


def play_pause(commands):
    """A process that a debugger holds is not lost, even when no data can be sent to it any more."""
    with peers(*commands) as (one, other):
        one.ask("send 16777216 40")
        time.sleep(0.1)
        other.process.send_signal(signal.SIGSTOP)
        time.sleep(5)
        other.process.send_signal(signal.SIGCONT)
        expect(other.ask("came 40") == "1", "parcels for a process that was stopped were lost")
        expect([peer.ask("losses") for peer in (one, other)] == ["0", "0"], "a process that was stopped counts as lost")


def play_stop(commands):
    """A side that stands still does not hold up detach() and close() for ever."""
    with peers(*commands) as (one, other):
        other.process.send_signal(signal.SIGSTOP)
        one.ask("send 8388608 20")
        one.ask("send 8 100")
        # Until the thread has begun to send them.
        time.sleep(0.2)
        waited = int(one.ask("detach")) / 1e9
        expect(1.5 < waited < 4, f"detach() waited {waited} s for a process that stands still")
        expect(int(one.ask("close")) < 3e9, "close() waited for a process that stands still")
        other.process.send_signal(signal.SIGCONT)
        # It hears of the end or of a loss, by how much has come.
        expect(other.ask("close") != "", "a process was held up by a connection that was given up")


def play_close(commands):
    """What is queued when a wire closes arrives, and is no loss."""
    for _ in range(5):
        with peers(*commands) as (one, other):
            one.ask("send 64 5000")
            one.ask("close")
            expect(other.ask("came 5000") == "1", "parcels of a wire that closed were lost")
            expect(other.ask("close") != "" and other.ask("losses") == "0", "the end of a wire was a loss")


def bench(commands):
    with peers(*commands) as (one, _):
        for size, count in ((8, 20000), (65536, 2000), (1 << 20, 300), (16 << 20, 30)):
            one.ask(f"ping {size} {max(count // 10, 5)}")
            median, slow = one.ask(f"ping {size} {count}").split()
            print(f"{size:9} bytes, there and back: {int(median) / 1000:9.1f} us, 99 % within {int(slow) / 1000:.1f} us")


def main():
    program = os.path.abspath(sys.argv[1])
    if "UNPU_NETWORK" not in os.environ:
        if subprocess.run(["unshare", "-rnm", "sh", "-c", MOUNT + "ip link add wire0 type veth peer name wire1"],
                          capture_output=True, check=False).returncode != 0:
            print("skipped: the system allows no network namespaces")
            sys.exit(SKIP)
        os.execvpe("unshare", ["unshare", "-rnm", sys.executable, "-B", *sys.argv], {**os.environ, "UNPU_NETWORK": "1"})
    networks = Networks()
    try:
        apart = [[program], [*networks.enter, program]]
        if "bench" in sys.argv:
            bench(apart)
            return
        together = [["env", "HCCL_SOCKET_IFNAME=lo", program]] * 2
        for commands in (together, apart):
            play_flow(commands)
            play_idle(commands)
            play_close(commands)
            play_stop(commands)
            idle = play_kill(commands, [])
            busy = play_kill(commands, ["send 8388608 30", "send 8 1000"])
            print(f"killed: noticed after {idle * 1000:.1f} ms idle, {busy * 1000:.1f} ms busy", flush=True)
        play_pause(apart)
        with peers(*apart) as (one, _):
            tells = one.ask("tells") == "1"
        if not tells:
            print("not proven: that a cut is noticed, because this kernel does not tell what a connection waits for")
            return
        idle = play_cut(networks, apart, [])
        busy = play_cut(networks, apart, ["send 8388608 30"])
        print(f"cut: noticed after {idle:.1f} s idle, {busy:.1f} s busy", flush=True)
    finally:
        networks.end()


if __name__ == "__main__":
    main()
