#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_daemon.py FIRMWARE_SIM UNIT [SANITIZER]: the socket, the users whom the daemon lets in, its answers to
malformed requests, its end, and its systemd unit."""
import array
import json
import mmap
import os
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from with_firmware import NO_FILTERS, NOBODY, READY_SECONDS, first_words  # noqa: E402

PROGRAM, UNIT = sys.argv[1:3]
SANITIZED = len(sys.argv) > 3

# include/uapi/socket.h
MAGIC = 0x304b435355504e55
PROBE, ATTACH, TAKE_SEGMENT, CONNECT, SNAPSHOT = 1, 2, 3, 4, 5
HEADER = struct.Struct("<QIIII")
PAYLOAD_BYTES = 104
OK, INVALID_HANDLE, INVALID_DEVICE, NO_RESOURCE = 0, 2, 9, 6
IDLE_OF_USER, SILENT = 128, 200
VERSION_MISMATCH, BAD_MESSAGE = 40, 41

problems = []


def check(good, text):
    if not good:
        problems.append(text)


class Ended(Exception):
    """A firmware that ended before it was ready; its log."""


class Firmware:
    """A firmware-sim that listens at a path in a folder, ready when this is made."""

    def __init__(self, folder, *options, path=None):
        self.path = path or os.path.join(folder, "socket")
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = os.path.join(folder, "manager")
        if os.path.exists(name):
            os.unlink(name)
        manager.bind(name)
        self.process = subprocess.Popen(
            [PROGRAM, "--listen", self.path, "--memory", "64M", *options],
            env={**os.environ, "NOTIFY_SOCKET": name}, stderr=subprocess.PIPE, text=True)
        said = first_words(manager, self.process)
        if not said:
            raise Ended(self.process.communicate()[1])
        check(said.startswith(b"READY=1") and b"STATUS=serving" in said, f"it said {said!r}")
        manager.close()

    def end(self, number=signal.SIGTERM):
        """Return: the exit code and the log."""
        self.process.send_signal(number)
        log = self.process.communicate(timeout=READY_SECONDS)[1]
        return self.process.returncode, log


def listens(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            return False
    return True


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(READY_SECONDS)
        self.socket.connect(path)
        self.abi = (1 << 16) | 1

    def call(self, kind, payload=b"", abi=None, status=0, reserved=0, magic=MAGIC, descriptors=(),
             cut=0):
        """Return: status, payload and descriptors of the reply; None when the connection has ended."""
        message = HEADER.pack(magic, self.abi if abi is None else abi, kind, status, reserved)
        message = (message + payload.ljust(PAYLOAD_BYTES, b"\0"))[:128 - cut]
        beside = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
        try:
            self.socket.sendmsg([message], beside if descriptors else [])
            data, ancillary, _, _ = self.socket.recvmsg(256, socket.CMSG_SPACE(64))
        except (BrokenPipeError, ConnectionResetError):
            return None
        if not data:
            return None
        fds = array.array("i")
        for level, number, raw in ancillary:
            if (level, number) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                fds.frombytes(raw[:len(raw) - len(raw) % fds.itemsize])
        reply = HEADER.unpack(data[:HEADER.size])
        check(len(data) == 128 and reply[0] == MAGIC and reply[2] == kind, f"a reply is {data!r}")
        return reply[3], data[HEADER.size:], list(fds)

    def expect(self, wanted, *words, **options):
        reply = self.call(*words, **options)
        found = reply[0] if reply else None
        check(found == wanted, f"request {words[0]} {options}: status {found}, wanted {wanted}")
        for fd in reply[2] if reply else []:
            os.close(fd)
        return reply

    def snapshot(self, index):
        status, payload, fds = self.call(SNAPSHOT, payload=struct.pack("<QI", 0, index))
        check(status == OK and len(fds) == 1, f"a snapshot ends with {status}")
        size, = struct.unpack_from("<Q", payload)
        with mmap.mmap(fds[0], size, prot=mmap.PROT_READ) as window:
            text = window[:size]
        os.close(fds[0])
        return json.loads(text)

    def close(self):
        self.socket.close()


def check_modes(folder):
    firmware = Firmware(folder)
    found = os.stat(firmware.path)
    check(stat.S_ISSOCK(found.st_mode), "there is no socket at the path")
    check(stat.S_IMODE(found.st_mode) == 0o600, f"the socket has mode {found.st_mode:o}")
    second = subprocess.run([PROGRAM, "--listen", firmware.path], stderr=subprocess.PIPE, text=True,
                            check=False)
    check(second.returncode == 3 and "live" in second.stderr,
          f"a second firmware ended with {second.returncode}: {second.stderr}")
    code, log = firmware.end()
    check(code == 0, f"SIGTERM: it ended with {code}")
    check("event loop:" in log and "listening at" in log and "ending:" in log, f"its log is {log}")
    check(not os.path.exists(firmware.path), "the socket is still there")


def check_signals(folder):
    for number in (signal.SIGINT, signal.SIGHUP):
        code, _ = Firmware(folder).end(number)
        check(code == 0, f"signal {number}: it ended with {code}")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    kept = Firmware(folder)
    signal.signal(signal.SIGHUP, before)
    kept.process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    check(kept.process.poll() is None and Connection(kept.path).call(PROBE), "SIGHUP, ignored at the start, ended it")
    code, log = kept.end()
    check(code == 0 and "Hangup" not in log, f"after an ignored SIGHUP it ended with {code}: {log}")
    killed = Firmware(folder)
    killed.end(signal.SIGKILL)
    check(os.path.exists(killed.path), "who is killed leaves a socket behind")
    # The kernel ends an io_uring, and lets go of what it had open, a moment after the process.
    deadline = time.monotonic() + READY_SECONDS
    while listens(killed.path) and time.monotonic() < deadline:
        time.sleep(0.01)
    code, _ = Firmware(folder).end()
    check(code == 0, "a stale socket is in the way")


def check_places(folder):
    def run(*words):
        done = subprocess.run([PROGRAM, *words], stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stderr

    file = os.path.join(folder, "file")
    with open(file, "w", encoding="utf-8") as made:
        made.write("mine")
    check(run("--listen", file)[0] == 4, "a file is in the way")
    with open(file, encoding="utf-8") as kept:
        check(kept.read() == "mine", "the file was touched")
    check(run("--listen", os.path.join(folder, "no", "socket"))[0] == 4, "there is no folder")
    check(run("--listen", os.path.join(folder, "x" * 200))[0] == 4, "a path that is too long")
    code, err = run("--listen", os.path.join(folder, "s"), "--group", "no-such-group")
    check(code == 4 and "no-such-group" in err, f"a group that is none: {code} {err}")
    check(run("--control-fd", "77")[0] == 4, "a descriptor that is none")
    check(run("--group", "root")[0] == 2, "a group of no socket")


def check_group(folder):
    if os.geteuid() != 0:
        return
    try:
        os.chown(folder, -1, NOBODY)
    except OSError as error:
        print(f"not checked: --group, since this root can't give a file to another group: {error.strerror}")
        return
    os.chmod(folder, 0o755)
    firmware = Firmware(folder, "--group", str(NOBODY))
    found = os.stat(firmware.path)
    check(stat.S_IMODE(found.st_mode) == 0o660 and found.st_gid == NOBODY,
          f"with --group the socket has mode {found.st_mode:o} and group {found.st_gid}")
    def member(path, group):
        """How a process of that group, and no other, fares: 0 when it gets an answer."""
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.setgroups([])
                os.setgid(group)
                os.setuid(NOBODY)
                code = 0 if Connection(path).call(PROBE) else 1
            except OSError:
                pass
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    check(member(firmware.path, NOBODY) == 0, "a member of the group is refused")
    check(member(firmware.path, NOBODY - 1) != 0, "a user outside of the group is let in")
    # The credentials count too: a wider mode alone lets no user in.
    os.chmod(firmware.path, 0o666)
    check(member(firmware.path, NOBODY - 1) != 0, "the mode alone lets a user in")
    check(firmware.end()[0] == 0, "with --group it does not end well")


def check_requests(folder):
    firmware = Firmware(folder, "--devices", "2", "--quota-channels", "5", "--quota-memory", "32M",
                        "--quota-semaphores", "100", "--quota-graphs", "7")
    peer = Connection(firmware.path)
    _, payload, _ = peer.expect(OK, PROBE)
    devices, = struct.unpack_from("<I", payload, 16)
    check(devices == 2, f"it has {devices} devices")
    peer.expect(BAD_MESSAGE, PROBE, status=1)
    peer.expect(BAD_MESSAGE, PROBE, reserved=1)
    peer.expect(BAD_MESSAGE, 0)
    peer.expect(BAD_MESSAGE, 99)
    peer.expect(VERSION_MISMATCH, PROBE, abi=2 << 16)
    peer.expect(BAD_MESSAGE, CONNECT)
    peer.expect(BAD_MESSAGE, PROBE, descriptors=[0])
    peer.expect(BAD_MESSAGE, TAKE_SEGMENT, payload=struct.pack("<Q", 1))
    peer.expect(INVALID_DEVICE, ATTACH, payload=struct.pack("<II", 2, 0))
    peer.expect(BAD_MESSAGE, ATTACH, payload=struct.pack("<II", 0, 2))
    # Whatever a request has no use for has to be zero.
    for kind, used in ((PROBE, 0), (ATTACH, 8), (TAKE_SEGMENT, 8), (SNAPSHOT, 12)):
        for at in range(used, PAYLOAD_BYTES):
            payload = bytes(at) + b"\1"
            peer.expect(BAD_MESSAGE, kind, payload=payload)
    peer.expect(BAD_MESSAGE, SNAPSHOT, payload=struct.pack("<QI", 1, 0))
    peer.expect(INVALID_DEVICE, SNAPSHOT, payload=struct.pack("<QI", 0, 2))

    _, payload, fds = peer.call(ATTACH, payload=struct.pack("<II", 1, 0))
    device, flags, memory, channels, semaphores, graphs = struct.unpack_from("<IIQIII", payload)
    check((device, flags, memory, channels, semaphores, graphs) == (1, 0, 32 << 20, 5, 100, 7),
          f"ATTACH answers {(device, flags, memory, channels, semaphores, graphs)}")
    check(len(fds) == 4, f"there are {len(fds)} descriptors beside ATTACH")
    peer.expect(BAD_MESSAGE, ATTACH, payload=struct.pack("<II", 1, 0))
    peer.expect(INVALID_HANDLE, TAKE_SEGMENT, payload=struct.pack("<Q", 1))
    check_segments(fds)
    seen = peer.snapshot(1)
    check(seen["device"] == 1 and [client["pid"] for client in seen["clients"]] == [os.getpid()],
          f"the snapshot is {seen}")
    for fd in fds:
        os.close(fd)
    for options in ({"magic": MAGIC + 1}, {"cut": 1}):
        rude = Connection(firmware.path)
        check(rude.call(PROBE, **options) is None, f"{options} did not end the connection")
        rude.close()
    check(peer.call(PROBE) is not None, "one client's nonsense ended another's connection")
    peer.close()
    code, log = firmware.end()
    check(code == 0, f"it ended with {code}: {log}")


def check_segments(fds):
    """The BAR and the completion lines are the firmware's, and no client can change a size."""
    for at, name in enumerate(("BAR", "completion", "client")):
        size = os.fstat(fds[at]).st_size
        for change in (0, size * 2):
            try:
                os.ftruncate(fds[at], change)
                check(False, f"the {name} segment can get another size")
            except PermissionError:
                pass
        again = None
        try:
            again = os.open(f"/proc/self/fd/{fds[at]}", os.O_RDWR)
            mmap.mmap(again, size).close()
            check(name == "client", f"the {name} segment can be mapped for writing")
        except PermissionError:
            check(name != "client", "the client's own segment can't be written")
        if again is not None:
            os.close(again)


def check_devices(folder):
    """Each device is as it was asked for."""
    firmware = Firmware(folder, "--devices", "8", "--numa-node", "0,1", "--engines", "3",
                        "--soc", "Some910")
    peer = Connection(firmware.path)
    for index in range(8):
        seen = peer.snapshot(index)
        wanted = {"device": index, "name": "Some910", "node": min(index, 1), "engines": 3,
                  "memory_total_bytes": 64 << 20, "pid": firmware.process.pid, "clients": []}
        found = {key: seen[key] for key in wanted}
        check(found == wanted, f"device {index} is {found}")
    peer.close()
    check(firmware.end()[0] == 0, "with 8 devices it does not end well")


def check_unit(folder):
    """The unit starts this program with options that it has, and systemd can read it."""
    with open(UNIT, encoding="utf-8") as file:
        unit = file.read()
    command = re.search(r"(?m)^ExecStart=(\S*/firmware-sim) (.*)$", unit)
    check(command is not None, "the unit starts something else")
    offered = subprocess.run([PROGRAM, "--help"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    for option in re.findall(r"--[a-z-]+", command.group(2)):
        check(option in offered, f"the unit says {option}")
    check("Type=notify" in unit, "the unit does not wait until it is ready")
    if not shutil.which("systemd-analyze"):
        return
    copy = os.path.join(folder, "unpu-firmware.service")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(re.sub(r"(?m)^Documentation=.*$", "",
                          unit.replace(command.group(1), os.path.abspath(PROGRAM))))
    done = subprocess.run(["systemd-analyze", "verify", copy], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    wrong = [line for line in done.stdout.splitlines() if "unpu-firmware" in line]
    check(not wrong, f"systemd-analyze verify: {wrong}")


def check_loops(folder):
    code, log = Firmware(folder, "--event-loop", "poll").end()
    check(code == 0 and "event loop: poll" in log, f"--event-loop poll: {code} {log}")
    code, log = Firmware(folder, "--event-loop", "auto", "--log-level", "debug").end()
    check(code == 0 and "event loop:" in log, f"--event-loop auto: {code} {log}")
    code, log = Firmware(folder, "--log-level", "off").end()
    check(code == 0 and log == "", f"--log-level off: {log!r}")


def check_sandbox(folder):
    """Every thread is behind it, a client is served, and the manager is told of the end."""
    if SANITIZED:
        return  # a sanitizer needs calls that the sandbox gives up
    try:
        firmware = Firmware(folder, "--sandbox")
    except Ended as end:
        if NO_FILTERS not in str(end):
            raise
        print("not checked: --sandbox, since this kernel has no filters of system calls")
        return
    threads = f"/proc/{firmware.process.pid}/task"
    for thread in os.listdir(threads):
        with open(f"{threads}/{thread}/status", encoding="utf-8") as file:
            status = file.read()
        check("NoNewPrivs:\t1" in status and "Seccomp:\t2" in status,
              f"--sandbox: a thread is not behind it: {status}")
    peer = Connection(firmware.path)
    peer.expect(OK, ATTACH, struct.pack("<II", 0, 0))
    peer.close()
    code, log = firmware.end()
    check(code == 0 and "event loop: poll" in log, f"--sandbox: {code} {log}")
    check(not os.path.exists(firmware.path), "--sandbox: it leaves its socket")


def check_patience(folder):
    """Many connections that say nothing do not keep one out that does."""
    firmware = Firmware(folder)
    silent = [Connection(firmware.path) for _ in range(100)]
    peer = Connection(firmware.path)
    start = time.monotonic()
    peer.expect(OK, PROBE)
    check(time.monotonic() - start < READY_SECONDS / 2, "silent connections hold others up")
    for connection in [*silent, peer]:
        connection.close()
    check(firmware.end()[0] == 0, "it does not end well with connections that say nothing")


def check_idle(folder):
    """Connections that say nothing are bounded for a user. The oldest of them end, and a client gets in."""
    firmware = Firmware(folder)
    silent = [Connection(firmware.path) for _ in range(SILENT)]
    peer = Connection(firmware.path)
    peer.expect(OK, PROBE)
    ended = 0
    for connection in silent:
        connection.socket.setblocking(False)
        try:
            ended += connection.socket.recv(1) == b""
        except BlockingIOError:
            pass
    check(ended == SILENT + 1 - IDLE_OF_USER, f"{ended} of {SILENT} silent connections have ended")
    more = [Connection(firmware.path) for _ in range(2 * IDLE_OF_USER)]
    peer.expect(OK, ATTACH, struct.pack("<II", 0, 0))
    for connection in [*silent, peer, *more]:
        connection.close()
    check(firmware.end()[0] == 0, "it does not end well with idle connections")


def check_unread(folder):
    """A connection has one reply with descriptors that it has not read, and no more."""
    firmware = Firmware(folder)
    peer = Connection(firmware.path)
    message = HEADER.pack(MAGIC, peer.abi, SNAPSHOT, 0, 0).ljust(128, b"\0")
    for _ in range(8):
        peer.socket.send(message)
    time.sleep(0.5)
    statuses = []
    for _ in range(8):
        data, ancillary, _, _ = peer.socket.recvmsg(256, socket.CMSG_SPACE(64))
        statuses.append(HEADER.unpack(data[:HEADER.size])[3])
        check(len(ancillary) == (statuses[-1] == OK), f"a reply has {ancillary}")
        for _, _, raw in ancillary:
            os.close(array.array("i", raw)[0])
    check(statuses[0] == OK and statuses.count(NO_RESOURCE) >= 6, f"unread snapshots: {statuses}")
    peer.snapshot(0)
    peer.close()
    check(firmware.end()[0] == 0, "it does not end well with unread replies")


def check_file_limit(folder):
    """A write past the limit of file sizes ends with EFBIG, and not with a signal that kills."""
    firmware = Firmware(folder)
    with open(f"/proc/{firmware.process.pid}/status", encoding="utf-8") as file:
        ignored = int(re.search(r"SigIgn:\t(\w+)", file.read())[1], 16)
    check(ignored >> (signal.SIGXFSZ - 1) & 1, "SIGXFSZ kills it")
    check(firmware.end()[0] == 0, "it does not end well")


for part in (check_modes, check_signals, check_places, check_group, check_requests, check_devices,
             check_unit, check_loops, check_sandbox, check_patience, check_idle,
             check_unread, check_file_limit):
    with tempfile.TemporaryDirectory(prefix="unpu-") as place:
        part(place)
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
