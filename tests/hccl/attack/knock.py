# SPDX-License-Identifier: MIT
"""The handshake of umd/hccl/proof as another program speaks it: names and keys of a secret, the three messages, and
sealed letters (umd/hccl/meeting/line.h), by the library that the product uses."""
import contextlib
import ctypes
import hashlib
import hmac
import os
import socket
import struct

# umd/hccl/proof/secret.h: enum class Topic.
SOCKET, DOOR, KEY = 1, 2, 8
MAGIC, VERSION, MEETING, WIRE = b"umet", 3, 1, 2
# umd/hccl/proof/seal.h: enum class Cipher.
CHACHA20 = 1
HELLO, WELCOME, REFUSAL = 1, 2, 7
MEETING_VERSION, MAX_RANKS, NO_GROUP = 12, 256, 0xffffffff
# struct RootWords of umd/hccl/calls/root_info.cpp.
SECRET_AT, TCP_AT = 16, 72


def derive(topic, secret, size=16):
    head = b"unpu" + bytes((1, topic, 0, 0)) + struct.pack("<Q", len(secret))
    return hashlib.blake2b(head + secret, digest_size=size).digest()


def socket_name(secret):
    return b"\0unpu-hccl-" + derive(SOCKET, secret).hex().encode()


def secret_of(info):
    return info[SECRET_AT:SECRET_AT + 16]


def places(info):
    """The addresses and ports in root information."""
    found = []
    for number in range(4):
        family, port, _, raw = struct.unpack_from("<HHI16s", info, TCP_AT + 24 * number)
        if family:
            found.append((socket.inet_ntop(family, raw[:4] if family == socket.AF_INET else raw), port))
    return found


def knock(name, wish=MEETING, version=VERSION, pair=None):
    return struct.pack("<4sIII16s32s", MAGIC, version, wish, CHACHA20, name, pair or os.urandom(32))


def local_names(processes):
    """Names of the Unix sockets at which processes listen, as each user sees them."""
    inodes = set()
    for process in processes:
        for fd in os.listdir(f"/proc/{process.pid}/fd"):
            with contextlib.suppress(OSError):
                link = os.readlink(f"/proc/{process.pid}/fd/{fd}")
                inodes.add(link[8:-1] if link.startswith("socket:[") else "")
    with open("/proc/net/unix", encoding="latin-1") as table:
        parts = [line.split() for line in table]
    return [each[7] for each in parts[1:] if len(each) > 7 and each[6] in inodes and each[7].startswith("@") and
            each[3] == "00010000"]


class Session:
    """A connection whose handshake this side began, by a secret that it knows or not."""

    def __init__(self, peer, topic, secret, wish=MEETING):
        self.sodium = ctypes.CDLL("libsodium.so.23")
        self.peer, self.said = peer, 0
        own, said = os.urandom(32), ctypes.create_string_buffer(32)
        self.sodium.crypto_scalarmult_base(said, own)
        first = knock(derive(topic, secret), wish, pair=said.raw)
        peer.sendall(first)
        answer = self.take(68)
        self.is_answered = len(answer) == 68
        if not self.is_answered:
            return
        key = derive(KEY, secret, 32)

        def mac(label, key=key):
            return hmac.new(key, label.ljust(8, b"\0") + first + answer[:36], hashlib.sha256).digest()
        self.is_host = hmac.compare_digest(mac(b"answer"), answer[36:])
        common = ctypes.create_string_buffer(32)
        self.sodium.crypto_scalarmult(common, own, answer[:32])
        self.key = mac(b"to host", hmac.new(key, common.raw, hashlib.sha256).digest())
        peer.sendall(mac(b"assent"))

    def take(self, count):
        got = b""
        try:
            while len(got) < count:
                some = self.peer.recv(count - len(got))
                if not some:
                    break
                got += some
        except ConnectionResetError:
            pass
        return got

    def sealed(self, kind, body, number=None):
        """A letter as it goes over the connection; the number is that of the next one."""
        plain = struct.pack("<II", kind, len(body)) + body
        number = self.said if number is None else number
        room = ctypes.create_string_buffer(len(plain) + 16)
        self.sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
            room, None, plain, ctypes.c_ulonglong(len(plain)), None, ctypes.c_ulonglong(0), None,
            struct.pack("<QI", number, 0), self.key)
        self.said = number + 1
        return struct.pack("<I", len(room.raw)) + room.raw

    def send(self, kind, body):
        self.peer.sendall(self.sealed(kind, body))

    def is_closed(self):
        """The other side ends the connection, and says nothing more."""
        return self.take(1) == b""


def introduction(**changes):
    """The body of HELLO: a rank that fits, but for changes."""
    fields = {"version": MEETING_VERSION, "ranks": 2, "rank": 1, "device": 0, "pid": os.getpid(), "is_host": 0, "instance": 77,
              "network": 78, "buffer_bytes": 200 << 20, "wait_ns": 1836 * 10**9, "user": os.getuid(), "group": NO_GROUP,
              "name": b"", "host": b"here", "members": b"\xff" * 2 * MAX_RANKS}
    fields.update(changes)
    return struct.pack(f"<6I4Q2I128s64s{2 * MAX_RANKS}s", *fields.values())
