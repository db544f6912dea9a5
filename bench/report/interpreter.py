# SPDX-License-Identifier: MIT
"""Plots whatever python3 is first in PATH: where that one lacks matplotlib, the system's own takes over if it has it."""
import importlib.util
import os
import subprocess
import sys

SYSTEM = "/usr/bin/python3"
# Set for the one that took over, so that this happens once.
MARK = "UNPU_BENCH_PYTHON"


def has_matplotlib(python):
    """Whether it finds matplotlib; to import it takes a second."""
    find = "import importlib.util, sys; sys.exit(importlib.util.find_spec('matplotlib') is None)"
    return subprocess.run([python, "-c", find], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def take_one_that_plots():
    """Becomes another interpreter, or returns."""
    if importlib.util.find_spec("matplotlib") or MARK in os.environ or not os.access(SYSTEM, os.X_OK):
        return
    if has_matplotlib(SYSTEM):
        sys.stdout.flush()
        os.execve(SYSTEM, [SYSTEM, "-B", *sys.argv], dict(os.environ, **{MARK: sys.executable}))
