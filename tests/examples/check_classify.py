#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_classify.py ATC FOLDER PROGRAM...: atc compiles the model of examples/classify, FOLDER, and the program prints what
classify.expected says, which PyTorch has computed from the same files."""
import os
import subprocess
import sys
import tempfile


def main():
    atc, source, *program = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-B", os.path.join(source, "make_model.py"), folder], check=True)
        subprocess.run([os.path.abspath(atc), "--model=classify.onnx", "--framework=5", "--soc_version=Ascend310P3",
                        "--output=classify"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        printed = subprocess.run([*program, os.path.join(folder, "classify.om"), os.path.join(folder, "picture.ppm")],
                                 check=True, stdout=subprocess.PIPE, text=True).stdout
    with open(os.path.join(source, "classify.expected"), encoding="utf-8") as file:
        expected = file.read()
    if printed != expected:
        sys.exit(f"expected:\n{expected}\nprinted:\n{printed}")


if __name__ == "__main__":
    main()
