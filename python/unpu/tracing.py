# SPDX-License-Identifier: MIT
"""Traces of a part of a program."""
import contextlib
import os

from . import _native

_open = []


@contextlib.contextmanager
def trace(path, entries=0):
    """Records what host and device do in the with statement and writes it to @path, in the format that
    https://ui.perfetto.dev shows. entries: room for the last so many of each thread; 0 for the default."""
    text = os.fsdecode(path)
    if _open:
        # The library has one recording in a process, and a second beginning would forget the first one's entries.
        raise RuntimeError(f"unpu.trace: a trace to {_open[0]} is being recorded; traces do not nest")
    _check("unpu.trace", _native.trace_begin(entries))
    _open.append(text)
    try:
        yield
    finally:
        _open.clear()
        _check("unpu.trace", _native.trace_end())
        _, status = _native.trace_write(text)
        _check("unpu.trace", status)


def _check(call, status):
    """These calls give a status of the device, not one of the interface."""
    if status != 0:
        sentence = _native.get_recent_err_msg() or _native.status_sentence(status)
        raise RuntimeError(f"{call}: {_native.status_name(status)}: {sentence}")
