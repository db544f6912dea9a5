#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""missing.py PROGRAM LIBRARIES: a program that uses tensor operators is told what is absent where libunpu.so lies without
libunpu_operators.so."""
import os
import shutil
import subprocess
import sys
import tempfile

ABSENT = "libunpu_operators.so"


def main():
    program, libraries = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        # The device looks beside its own library, and in ../lib64.
        own = os.path.join(folder, "toolkit", "lib", "libunpu.so")
        os.makedirs(os.path.dirname(own))
        shutil.copy(os.path.join(libraries, "libunpu.so"), own)
        # The program names the folder of its libraries, so another search path does not replace it.
        run = subprocess.run([program], env=dict(os.environ, LD_PRELOAD=own), capture_output=True, text=True, check=False)
    print(run.stdout, run.stderr, sep="", end="")
    if run.returncode == 0 or f"the firmware can't load its toolkit's lib64/{ABSENT}" not in run.stderr + run.stdout:
        sys.exit(f"{program} ended with {run.returncode} and did not name {ABSENT}")
    # Also where the program waits for another stream alone.
    if run.stderr.count("unpu: tensor operators will fail: ") != 1:
        sys.exit("the device does not warn once")


if __name__ == "__main__":
    main()
