# SPDX-License-Identifier: MIT
"""A firmware-sim of its own: started, waited for until it serves, and ended."""
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import weakref

from . import places

READY_SECONDS = 60
END_SECONDS = 30


class Server:
    """A firmware process that serves devices at a socket in a folder of its own.

    device is the string for UNPU_DEVICE. The process ends with stop(), at the end of the with statement, or when this
    process dies.
    """

    def __init__(self, devices=1, memory=None, soc=None, faults=None, folder=None, options=(), prefix="unpu-"):
        self._folder = tempfile.mkdtemp(prefix=prefix, dir=folder)
        self._owner = os.getpid()
        self.address = os.path.join(self._folder, "npu")
        self.device = "unix:" + self.address
        command = [places.program("firmware-sim"), "--listen", self.address, "--devices", str(devices),
                   "--log-level", "warning"]
        for name, value in (("--memory", memory), ("--soc", soc), ("--faults", faults)):
            if value is not None:
                command += [name, str(value)]
        try:
            self.process = self._start(command + list(options))
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        # A program that ends with the server open leaves no folder.
        self._at_exit = weakref.finalize(self, _end, self.process, self._folder, self._owner)

    def _start(self, command):
        notify = os.path.join(self._folder, "ready")
        environment = dict(os.environ, NOTIFY_SOCKET=notify)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
            ready.bind(notify)
            ready.settimeout(0.05)
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                                       preexec_fn=_die_with_parent)
            for _ in range(int(READY_SECONDS / 0.05)):
                try:
                    if b"READY=1" in ready.recv(4096):
                        os.unlink(notify)
                        return process
                except socket.timeout:
                    pass
                if process.poll() is not None:
                    raise RuntimeError(f"{command[0]} ended with {process.returncode} before it served")
        process.kill()
        process.wait()
        raise RuntimeError(f"{command[0]} did not serve within {READY_SECONDS} seconds")

    def stop(self):
        """Ends the firmware. Returns its exit status; a second call gives it again. In a fork of the process that
        started the firmware it does nothing and returns None."""
        self._at_exit()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def _end(process, folder, owner):
    """Ends a firmware and removes its folder. Both belong to @owner, and not to its forks."""
    if os.getpid() != owner:
        return
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    shutil.rmtree(folder, ignore_errors=True)


# Found here: between fork and exec, a lock of the loader that another thread holds would never be free.
_prctl = ctypes.CDLL(None).prctl


def _die_with_parent():
    """In the child: when this process dies, the firmware is told to end, and takes its socket away."""
    _prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
