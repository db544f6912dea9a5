#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""with_firmware.py FIRMWARE_SIM [OPTION...] -- PROGRAM [ARGUMENT...]: runs a program against a firmware
that listens, as UNPU_DEVICE=unix:PATH, and looks at the firmware afterwards: no client is left, it has
as many open files as before, ends with 0 when told to, takes its socket away, and has logged no error.
Warnings are about clients, and programs of the suite give cause for some; they are passed on and no more.
A line that is not of its log, such as a sanitizer's, is an error. Where the kernel has no filters of system calls, it
has no sandbox, and says so; where there is no io_uring, the status is 77 for a firmware that was to use it."""
import errno
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HARMLESS = re.compile(rb"\d{4}-\d\d-\d\dT\S+ firmware-sim\[\d+\] (trace|debug|info|warning): ")
READY_SECONDS = 60
SETTLE_SECONDS = 10
NOBODY = 65534
# What a firmware says that was asked for --sandbox, where the kernel has no filters.
NO_FILTERS = "the kernel does not give up system calls: Operation not supported"
# And one that was asked for --event-loop uring, where the kernel has none.
NO_URING = "io_uring is not available: " + os.strerror(errno.ENOSYS)


def open_files(pid):
    found = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            found.append(os.readlink(f"/proc/{pid}/fd/{fd}").split(":")[0])
        except FileNotFoundError:
            pass  # closed between the two looks
    return sorted(found)


def settled(pid, wanted):
    """The open files when they are as wanted, or after a while: a connection is closed by one process
    and noticed by the other a moment later."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        found = open_files(pid)
        if wanted(found) or time.monotonic() > deadline:
            return found
        time.sleep(0.01)


class Log:
    """What a firmware writes, passed on; errors has the lines that must not be there."""

    def __init__(self, pipe):
        self.errors = []
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True)
        self._thread.start()

    def _read(self, pipe):
        for line in pipe:
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()
            if not HARMLESS.match(line):
                self.errors.append(line.decode(errors="replace").rstrip())

    def ended(self):
        """All there was, once the firmware has ended."""
        self._thread.join()
        return self.errors


def has_group(number):
    """Whether files may have this group."""
    with open("/proc/self/gid_map", encoding="utf-8") as file:
        ranges = [[int(word) for word in line.split()] for line in file]
    return any(first <= number < first + count for first, _, count in ranges)


def first_words(manager, firmware):
    """What a firmware says to its manager; nothing if it ends before."""
    manager.settimeout(1)
    for _ in range(READY_SECONDS):
        try:
            return manager.recv(256)
        except TimeoutError:
            if firmware.poll() is not None:
                return b""
    sys.exit("the firmware says nothing")


def start(command, folder):
    """A firmware, once it has said that it is ready."""
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(os.path.join(folder, "manager"))
    extra = []
    # Tests that give up root may still connect. In a namespace of users a root may have no other group.
    if os.geteuid() == 0 and has_group(NOBODY):
        extra = ["--group", str(NOBODY)]
    firmware = subprocess.Popen([*command, *extra],
                                env={**os.environ, "NOTIFY_SOCKET": manager.getsockname()},
                                stderr=subprocess.PIPE)
    log = Log(firmware.stderr)
    said = first_words(manager, firmware)
    lacks = "" if said else "".join(log.ended())
    if NO_FILTERS in lacks and "--sandbox" in command:
        print("not proven: this kernel has no filters of system calls, so the firmware has no sandbox", flush=True)
        manager.close()
        os.remove(os.path.join(folder, "manager"))
        at = command.index("--sandbox")
        return start([*command[:at], "--event-loop", "poll", *command[at + 1:]], folder)
    if NO_URING in lacks:
        print("skipped: this kernel has no io_uring")
        sys.exit(77)
    if not said.startswith(b"READY=1"):
        sys.exit("the firmware is not ready")
    manager.close()
    return firmware, log


def watched(firmware, log, path, command):
    """Runs the program; what is wrong with the firmware after it, and how the program ended."""
    problems = []
    # It listens and does no more: the socket by which it said so is closed.
    before = settled(firmware.pid, lambda found: found.count("socket") == 1)
    code = subprocess.run(command, check=False,
                          env={**os.environ, "UNPU_DEVICE": "unix:" + path}).returncode
    if firmware.poll() is not None:
        sys.exit(f"the firmware has ended with {firmware.returncode}")
    after = settled(firmware.pid, lambda found: found == before)
    if after != before:
        problems.append(f"the firmware's open files were {before}, are {after}")
    firmware.send_signal(signal.SIGTERM)
    ended = firmware.wait(SETTLE_SECONDS)
    if ended != 0:
        problems.append(f"the firmware ended with {ended}")
    if os.path.exists(path):
        problems.append("the firmware left its socket behind")
    problems += [f"the firmware wrote: {line}" for line in log.ended()]
    return problems, code


def main():
    cut = sys.argv.index("--")
    with tempfile.TemporaryDirectory(prefix="unpu-") as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "socket")
        firmware, log = start([sys.argv[1], "--listen", path, "--log-level", "warning",
                               *sys.argv[2:cut]], folder)
        try:
            problems, code = watched(firmware, log, path, sys.argv[cut + 1:])
        finally:
            firmware.kill()
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else code)


if __name__ == "__main__":
    main()
