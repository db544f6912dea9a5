# SPDX-License-Identifier: MIT
"""Failures of the C interface as exceptions."""
import sys

from . import _native


class Error(RuntimeError):
    """A call of the C interface failed. code is its status."""

    def __init__(self, call, code, sentence):
        super().__init__(f"{call} failed with {code}: {sentence}" if sentence else f"{call} failed with {code}")
        self.code = code


def last_error():
    """The error sentences of the calling thread's failures, newest first, or None. The call clears them."""
    acl = sys.modules.get("acl")
    # acl has sentences of its own before those of the library. A mock has none.
    ask = getattr(acl, "get_recent_err_msg", None) if hasattr(acl, "__file__") else None
    return ask() if ask else _native.get_recent_err_msg()


def check(call, ret):
    """Raises Error unless @ret is 0."""
    if ret != 0:
        raise Error(call, ret, _native.get_recent_err_msg())
