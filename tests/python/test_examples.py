# SPDX-License-Identifier: MIT
"""The worked example of the book runs as the book says."""
import os
import subprocess
import sys

import pytest

OVERLAP = os.path.join(os.environ["UNPU_SOURCE"], "examples", "overlap")
FOLDER = os.path.join(os.environ["UNPU_SOURCE"], "examples", "python")


@pytest.mark.parametrize("options", [(), ("--unpu-isolate",), ("-n", "2"), ("--unpu-san",)], ids=" ".join)
def test_example(options):
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "unpu.pytest", "-p", "no:cacheprovider",
                           *options, FOLDER], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "5 passed" in done.stdout, done.stdout[-3000:]


def test_overlap():
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "unpu.pytest", "-p", "no:cacheprovider", OVERLAP],
                          env={**os.environ, "OVERLAP": os.path.join(os.environ["UNPU_BUILD"], "examples", "overlap")},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout[-3000:]
