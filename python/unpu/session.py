# SPDX-License-Identifier: MIT
"""A device for a part of a program."""
import os
import sys

from . import _native, faults as rules, places
from .errors import check
from .server import Server

VARIABLE = "UNPU_DEVICE"
REPEAT_INITIALIZE = 100002


class Session:
    """A context in which programs find a device.

    device is the device string. On entry UNPU_DEVICE is set to it, and a device that there is not is an Error. At the
    end the library is finalised, whoever initialised it, UNPU_DEVICE is what it was, and a firmware that the session
    started has ended.
    """

    def __init__(self, device, server=None):
        self.device = device
        self.server = server
        self._before = None

    def __enter__(self):
        if in_use():
            self._end_server()
            raise RuntimeError("unpu.session: the library is in use in this process; call acl.finalize() first")
        if places.acl_folder() not in sys.path:
            sys.path.insert(0, places.acl_folder())
        self._before = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = self.device
        try:
            check("unpu.session: aclInit", _native.init())
        except BaseException:
            self._restore()
            raise
        _native.finalize()
        return self

    def __exit__(self, *_):
        _native.finalize()
        _native.get_recent_err_msg()
        self._restore()

    def _restore(self):
        if self._before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = self._before
        self._end_server()

    def _end_server(self):
        if self.server is not None:
            self.server.stop()


def in_use():
    """Whether the library is initialised in this process. If it is not, what an earlier call opened is closed, so
    that the next call reads UNPU_DEVICE again. There need be no device that it names now."""
    ret = _native.init()
    if ret == REPEAT_INITIALIZE:
        _native.finalize_reference()
    else:
        _native.finalize()
    _native.get_recent_err_msg()
    return ret == REPEAT_INITIALIZE


def device_string(device, devices=1, memory=None, soc=None, faults=None):
    """The device string @device with these properties."""
    parts = [f"devices={devices}"] if devices != 1 else []
    parts += [f"{key}={value}" for key, value in (("memory", memory), ("soc", soc)) if value is not None]
    text = rules.text(faults)
    if text:
        # A comma would end the value.
        parts.append(f"faults={text}")
    if not parts:
        return device
    return device + ("" if device.endswith(":") else ",") + ",".join(parts)


def session(device="sim:", devices=1, memory=None, soc=None, faults=None):
    """Makes a Session.

    device: "sim:" (threads of this process), "sim:step", "sim+proc:" (a process), or "server", a firmware-sim at a
    socket that other processes can use too. devices, memory ("1G") and soc are properties of the device, faults one
    rule or a list of them (unpu.faults.rule).
    """
    if device == "server":
        server = Server(devices=devices, memory=memory, soc=soc, faults=rules.text(faults))
        return Session(server.device, server)
    return Session(device_string(device, devices, memory, soc, faults))
