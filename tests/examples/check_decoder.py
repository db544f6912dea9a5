#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_decoder.py DECODER CHECK [PYTHON]: the decoder ends with 0, and PYTHON, which has numpy, finds the same logits.

CHECK is examples/decoder/check.py. Without PYTHON the logits are not checked.
"""
import os
import subprocess
import sys
import tempfile


def main():
    program, check, *python = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        logits = os.path.join(folder, "logits")
        if subprocess.run([program, "--logits", logits], check=False).returncode != 0:
            return 1
        if not python:
            print("the logits are not checked: there is no numpy")
            return 0
        return subprocess.run([python[0], check, logits], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
