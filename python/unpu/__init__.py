# SPDX-License-Identifier: MIT
"""unpu for Python programs and their tests: sessions on a simulated device, faults, traces, arrays, captured graphs.

Programs for the device itself import acl, whose functions are those of the C interface. This package holds what acl
does not have."""
from . import faults, graph
from .arrays import Array, as_array
from .errors import Error, last_error
from .server import Server
from .session import Session, session
from .tracing import trace

__all__ = ["Array", "Error", "Server", "Session", "as_array", "faults", "graph", "last_error", "session", "trace"]
