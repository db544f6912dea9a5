# SPDX-License-Identifier: MIT
"""Programs after the patterns of public ones, each run as it is in a process of its own."""
import glob
import os
import subprocess
import sys

import pytest
import unpu

FOLDER = os.path.join(os.path.dirname(__file__), "programs")
PROGRAMS = sorted(glob.glob(os.path.join(FOLDER, "*.py")))
SECONDS = 300
# Programs that need more than one device of their own process.
DEVICES = {"two_devices.py": "sim:devices=2"}
SHARED = ("ipc_share.py",)


def run(path, environment):
    done = subprocess.run([sys.executable, "-W", "error::ResourceWarning", path], env=environment, capture_output=True,
                          text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("\n") == 1 and done.stderr == "", done.stderr[-3000:]


def test_there_are_programs():
    assert len(PROGRAMS) >= 25


@pytest.mark.parametrize("path", PROGRAMS, ids=os.path.basename)
def test_program(path):
    name = os.path.basename(path)
    if name in SHARED:
        with unpu.Server(memory="1G") as server:
            run(path, dict(os.environ, UNPU_DEVICE=server.device))
        return
    run(path, dict(os.environ, UNPU_DEVICE=DEVICES.get(name, "sim:")))


@pytest.mark.parametrize("path", [path for path in PROGRAMS if os.path.basename(path) not in DEVICES],
                         ids=os.path.basename)
def test_program_on_a_shared_firmware(path, shared):
    run(path, dict(os.environ, UNPU_DEVICE=shared.device))


@pytest.fixture(scope="module")
def shared():
    with unpu.Server(memory="1G") as server:
        yield server
