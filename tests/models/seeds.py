#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seeds.py ATC FOLDER: writes inputs of the fuzz target "models" to FOLDER: the smaller models of the ONNX project's backend
tests, and the sections of what ATC makes of those that it compiles. run_fuzz.py --add FOLDER takes them into the corpus."""
import pathlib
import struct
import subprocess
import sys
import tempfile

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
MOST = 1400


def sections(path):
    data = path.read_bytes()
    count = struct.unpack_from("<I", data, 24)[0]
    found = {}
    for i in range(count):
        kind, _, offset, size = struct.unpack_from("<IIQQ", data, 64 + 32 * i)
        found[kind] = data[offset:offset + size]
    return found[1], found[2], found[4]


def main():
    atc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    written = 0
    for path in sorted(DATA.glob("*/*/model.onnx")):
        if path.stat().st_size > MOST:
            continue
        name = path.parent.name
        (folder / f"onnx-{name}").write_bytes(b"\0\2" + path.read_bytes())
        written += 1
        with tempfile.TemporaryDirectory() as place:
            stem = f"{place}/x"
            done = subprocess.run([atc, f"--model={path}", f"--output={stem}", "--soc_version=Ascend310"],
                                  stdout=subprocess.DEVNULL, check=False)
            if done.returncode != 0:
                continue
            face, graph, weights = sections(pathlib.Path(stem + ".om"))
            seed = b"\1" + struct.pack("<H", len(face)) + face + struct.pack("<H", len(graph)) + graph + weights
            if len(seed) <= MOST:
                (folder / f"om-{name}").write_bytes(seed)
                written += 1
    print(f"{written} inputs")


main()
