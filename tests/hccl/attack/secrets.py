#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""secrets.py FIRMWARE_SIM UNPU_INFO LIBHCCL: attacks on the meeting of ranks, on one machine. A stranger forges root information of what
the machine shows; a process that knows the secret says introductions that do not fit, says a letter twice, and sends the
host's own words back; and ranks of two users meet only with a group. Afterwards the ranks meet all the same."""
import ctypes
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import client  # noqa: E402
import knock  # noqa: E402
from processes import SECONDS, Firmware  # noqa: E402
from rank import fetch, post  # noqa: E402

NOBODY = 65534


def expect(is_true, text):
    if not is_true:
        raise SystemExit(text)


def reduce_once(rank):
    own = rank.put([float(rank.rank + 1)] * 1000)
    rank.all_reduce(own, own, 1000)
    rank.synchronise()
    expect(rank.get(own, 1000) == [3.0] * 1000, "the sum is wrong")


def live(libraries, number, device, folder, groups, user):
    """One rank of two. It leaves what it was told."""
    if groups != "-":
        os.setgroups([int(groups)])
    if user != "-":
        os.setgid(int(user))
        os.setuid(int(user))
    try:
        rank = client.Rank(libraries, device)
        if number == 0:
            post(folder, "root", rank.root_info())
        info = fetch(folder, "root")
        if number == 0:
            fetch(folder, "go")
        rank.join(2, info, number)
        reduce_once(rank)
        name = ctypes.create_string_buffer(128)
        rank.call("HcclGetCommName", rank.comm, name)
        post(folder, f"joined{number}", name.value)
        fetch(folder, "end")
        rank.destroy()
        rank.close()
    except client.Failed as failure:
        post(folder, f"failed{number}", f"{failure.code} {failure.text}".encode())


def call(secret):
    """Another user knocks, who knows the secret."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
            peer.settimeout(SECONDS)
            peer.connect(knock.socket_name(secret))
            print("answered" if knock.Session(peer, knock.SOCKET, secret).is_answered else "refused")
    except BrokenPipeError:
        print("refused")


class Ranks:
    """Two ranks of one firmware, or each with one of its own. The first one waits for go()."""

    def __init__(self, libraries, devices, users=("-", "-"), groups=("-", "-"), **environment):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o777)
        self.processes = [self.start(libraries, number, devices[number], users[number], groups[number], environment)
                          for number in range(2)]
        self.info = self.fetch("root")

    def start(self, libraries, number, device, user, groups, environment):
        return subprocess.Popen(
            [sys.executable, "-B", os.path.abspath(__file__), "--rank", libraries, str(number), str(number if "unix" in device else 0),
             self.folder.name, groups, user], stderr=subprocess.PIPE,
            env=dict(os.environ, UNPU_DEVICE=device, HCCL_CONNECT_TIMEOUT="20", **environment))

    def fetch(self, *names):
        """What was written under the first of the names that appears."""
        deadline = time.monotonic() + SECONDS
        while True:
            for name in names:
                path = os.path.join(self.folder.name, name)
                if os.path.exists(path):
                    with open(path, "rb") as file:
                        return file.read()
            expect(time.monotonic() < deadline, f"nobody wrote {names}")
            time.sleep(0.01)

    def go(self):
        post(self.folder.name, "go", b"")

    def end(self):
        post(self.folder.name, "end", b"")
        said = b"".join(process.communicate(timeout=SECONDS)[1] for process in self.processes)
        codes = [process.returncode for process in self.processes]
        self.folder.cleanup()
        return codes, said


def local(info):
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.settimeout(SECONDS)
    peer.connect(knock.socket_name(knock.secret_of(info)))
    return knock.Session(peer, knock.SOCKET, knock.secret_of(info))


def unix_names():
    with open("/proc/net/unix", encoding="latin-1") as table:
        return [line.split()[-1] for line in table if "@" in line]


def play_names(firmware, libraries, info_tool):
    """What the machine shows of a meeting is no secret, and leads nobody into it."""
    ranks = Ranks(libraries, [f"unix:{firmware.path}"] * 2)
    secret = knock.secret_of(ranks.info)
    # Other programs of the machine have such sockets, too.
    names = [name for name in knock.local_names(ranks.processes[:1]) if "unpu-hccl-" in name]
    expect(len(names) == 1, f"the meeting has these sockets: {names}")
    expect(not any(secret.hex() in name for name in names), "the name of the socket is the secret")
    for name in names:
        expect("\0" + name[1:] == knock.socket_name(secret).decode(), "the name is no hash of the secret")
        shown = bytes.fromhex(re.search("unpu-hccl-([0-9a-f]{32})", name).group(1))
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        peer.settimeout(SECONDS)
        peer.connect("\0" + name[1:])
        expect(not knock.Session(peer, knock.SOCKET, shown).is_answered, "what /proc shows was taken for the secret")
        peer.close()
        try:
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect(knock.socket_name(bytes(shown)))
            raise SystemExit("what /proc shows leads to the meeting")
        except ConnectionRefusedError:
            pass
    ranks.go()
    shown = ranks.fetch("joined0", "failed0") + ranks.fetch("joined1", "failed1")
    shown += subprocess.run([info_tool, "--hccl"], capture_output=True, check=False).stdout
    for process in ranks.processes:
        with open(f"/proc/{process.pid}/cmdline", "rb") as file:
            shown += file.read()
    shown += "".join(unix_names()).encode()
    codes, said = ranks.end()
    expect(codes == [0, 0], f"the ranks ended with {codes}: {said}")
    shown += said
    expect(secret not in shown, "the secret was shown")
    for start in range(0, 9):
        expect(secret[start:start + 8].hex().encode() not in shown, "a part of the secret was shown")
    print("names: passed", flush=True)


def members(*first):
    """Of a sub-communicator; the rest are none."""
    return struct.pack(f"<{len(first)}H", *first).ljust(2 * knock.MAX_RANKS, b"\xff")


BAD = [{"ranks": knock.MAX_RANKS + 1, "rank": knock.MAX_RANKS}, {"ranks": 1200, "rank": 1199}, {"ranks": 0xffffffff, "rank": 0xfffffffe}, {"ranks": 0, "rank": 0},
       {"ranks": 2, "rank": 2}, {"version": 9}, {"device": 16}, {"pid": 1 << 30}, {"is_host": 2}, {"buffer_bytes": 1 << 60},
       {"members": members(0, 0)}, {"members": members(0, 1)[:-2] + b"\0\0"}, {"members": members(0, knock.MAX_RANKS)},
       {"name": b"n" * 128}, {"host": b"h" * 64}, {"name": b"\x1b[2J"}]


def with_other_end(words):
    """The words with another last byte, which is a part of what seals them."""
    return words[:-1] + bytes([words[-1] ^ 1])


def play_introductions(firmware, libraries):
    """Introductions that do not fit are dropped, with the connection, before anything of them is kept."""
    ranks = Ranks(libraries, [f"unix:{firmware.path}"] * 2)
    for changes in BAD:
        session = local(ranks.info)
        expect(session.is_answered and session.is_host, "the host does not know the secret")
        session.send(knock.HELLO, knock.introduction(**changes))
        expect(session.is_closed(), f"{changes} was taken")
        session.peer.close()
    for kind, body in ((knock.WELCOME, b""), (99, b""), (0, b""), (knock.REFUSAL, struct.pack("<I", 0) + b"n" * 900),
                       (knock.HELLO, b"short")):
        session = local(ranks.info)
        session.send(kind, body)
        expect(session.is_closed(), f"a letter of kind {kind} was taken")
        session.peer.close()
    # Not sealed, sealed as another letter than the next, and one that is said twice.
    for words in (lambda session: struct.pack("<I", 312) + b"\1" * 312,
                  lambda session: struct.pack("<I", 0xffffffff) + b"\1" * 64,
                  lambda session: session.sealed(knock.HELLO, knock.introduction(), 1),
                  lambda session: with_other_end(session.sealed(knock.HELLO, knock.introduction(ranks=3)))):
        session = local(ranks.info)
        session.peer.sendall(words(session))
        expect(session.is_closed(), "a letter of nobody was taken")
        session.peer.close()
    expect(ranks.processes[0].poll() is None, "the host has ended")
    ranks.go()
    for number in range(2):
        told = ranks.fetch(f"joined{number}", f"failed{number}")
        expect(told.startswith(b"hccl-"), f"rank {number} was told {told}")
    codes, said = ranks.end()
    expect(codes == [0, 0], f"the ranks ended with {codes}: {said}")
    print("introductions: passed", flush=True)


def can_read(path):
    """Whether another user can."""
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        os._exit(0 if os.access(path, os.R_OK) else 1)
    return os.waitpid(child, 0)[1] == 0


def play_users(libraries):
    """Ranks of two users meet only if both name a group that both are in, which the kernel has to confirm."""
    if os.geteuid() != 0:
        print("users: skipped: only root can start ranks of two users", flush=True)
        return
    if not can_read(os.path.join(libraries, "libascendcl.so")):
        print(f"users: skipped: another user can't read {libraries}", flush=True)
        return
    group = {"UNPU_HCCL_GROUP": str(NOBODY)}
    for groups, environment, is_good in ((("-", "-"), {}, False), ((str(NOBODY), "-"), {}, False), (("0", "-"), group, False),
                                         ((str(NOBODY), "-"), group, True)):
        ranks = Ranks(libraries, ["sim:"] * 2, ("-", str(NOBODY)), groups, **environment)
        ranks.go()
        told = ranks.fetch("joined1", "failed1")
        if is_good:
            expect(told.startswith(b"hccl-"), f"a rank of the group was told {told}")
        else:
            expect(b"another user" in told and b"UNPU_HCCL_GROUP" in told, f"a rank of another user was told {told}")
            ranks.processes[0].terminate()
        ranks.end()
    # One that knows the secret, and no group, is let in by nobody.
    ranks = Ranks(libraries, ["sim:"] * 2)
    peer = subprocess.run([sys.executable, "-B", os.path.abspath(__file__), "--call", knock.secret_of(ranks.info).hex()],
                          capture_output=True, check=True, text=True)
    expect(peer.stdout.strip() == "refused", f"the host answered another user: {peer.stdout}")
    ranks.go()
    for number in range(2):
        told = ranks.fetch(f"joined{number}", f"failed{number}")
        expect(told.startswith(b"hccl-"), f"rank {number} was told {told}")
    ranks.end()
    print("users: passed", flush=True)


def main():
    if sys.argv[1] == "--rank":
        libraries, number, device, folder, groups, user = sys.argv[2:]
        live(libraries, int(number), int(device), folder, groups, user)
        return
    if sys.argv[1] == "--call":
        call(bytes.fromhex(sys.argv[2]))
        return
    program, info_tool, library = (os.path.abspath(path) for path in sys.argv[1:])
    libraries = os.path.dirname(library)
    with tempfile.TemporaryDirectory() as folder:
        firmware = Firmware(program, folder)
        try:
            play_names(firmware, libraries, info_tool)
            play_introductions(firmware, libraries)
        finally:
            firmware.end()
    play_users(libraries)


if __name__ == "__main__":
    main()
