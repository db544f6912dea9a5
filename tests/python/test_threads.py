# SPDX-License-Identifier: MIT
"""Python threads with callbacks, on each way to a device. Under the race detector a report is a failure."""
import os
import subprocess
import sys

import pytest
import unpu

PROGRAM = os.path.join(os.path.dirname(__file__), "four_threads.py")
PAIRS = 30


def run(device):
    done = subprocess.run([sys.executable, PROGRAM, str(PAIRS)], env=dict(os.environ, UNPU_DEVICE=device),
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr[-4000:]
    assert "Sanitizer" not in done.stderr, done.stderr[-4000:]


@pytest.mark.parametrize("device", ["sim:", "sim:caller-runs=off", "sim+proc:"])
def test_four_threads(device):
    run(device)


def test_four_threads_on_a_shared_firmware():
    with unpu.Server(memory="1G") as server:
        run(server.device)
