# SPDX-License-Identifier: MIT
"""Captured graphs: the work that a part of a program launches on a stream is recorded, and replayed as often as needed.

    with unpu.graph.capture(stream) as graph:
        acl.rt.memcpy_async(...)
    graph.replay(stream)
"""
import os

from . import _native
from .errors import check

GLOBAL, THREAD_LOCAL, RELAXED = range(3)
MOST_NAME = 256


class Graph:
    """A captured graph. It is destroyed by destroy(), or at the end of a with statement over it."""

    def __init__(self):
        self.handle = 0

    def replay(self, stream):
        """Launches the recorded work on @stream; it does not wait."""
        check("unpu.graph.replay", _native.ri_execute_async(self._alive(), stream))

    @property
    def name(self):
        """The graph's name, in traces and dumps."""
        text, ret = _native.ri_get_name(self._alive(), MOST_NAME)
        check("unpu.graph.name", ret)
        return text

    @name.setter
    def name(self, text):
        check("unpu.graph.name", _native.ri_set_name(self._alive(), text))

    def write_json(self, path):
        """Writes the recorded work to a file."""
        check("unpu.graph.write_json", _native.ri_debug_json_print(self._alive(), os.fsdecode(path), 0))

    def destroy(self):
        """Destroys the graph. Later calls do nothing."""
        handle, self.handle = self.handle, 0
        if handle:
            check("unpu.graph.destroy", _native.ri_destroy(handle))

    def _alive(self):
        if not self.handle:
            raise RuntimeError("unpu.graph: the graph was destroyed, or its capture has not ended")
        return self.handle

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.destroy()


class capture:
    """Captures the work of a with statement on @stream, and of streams that wait for its events. @mode: which calls
    of other threads the capture forbids, as in aclmdlRICaptureBegin()."""

    def __init__(self, stream, mode=THREAD_LOCAL):
        self._stream, self._mode, self._graph = stream, mode, Graph()

    def __enter__(self):
        check("unpu.graph.capture", _native.ri_capture_begin(self._stream, self._mode))
        return self._graph

    def __exit__(self, kind, *_):
        handle, ret = _native.ri_capture_end(self._stream)
        if kind is not None:
            # The program's own exception counts; what was recorded until then does not.
            if ret == 0 and handle:
                _native.ri_destroy(handle)
            _native.get_recent_err_msg()
            return
        check("unpu.graph.capture", ret)
        self._graph.handle = handle
