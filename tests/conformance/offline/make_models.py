#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_models.py ATC FOLDER: compiles the models that the tests load."""
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../models"))
from onnx_bytes import BOOL, FLOAT, INT64, UINT8, branches, constant, loop, node, number, part, port  # noqa: E402

# Name -> the graph.
# dense: y = relu(x * w + b)
# pair: y = |x|, z = x + y: what is read last, x, is read after y is written
# look: y = w[ids]
# choice: y = |x| if go, else -x without its first dim, which no run can compute
# branch: y = w[ids] if go, else -x if turned, else |x|; z = y + x
# turns: of the rows of w from the first one on, sums the first n, which is data; there are three
# long: products of x with itself, some hundred milliseconds of them
# free: y = x * w + b, where b gets the shape of x
MODELS = {
    "dense": [node("Mul", "scale", ["x", "w"], "m"), node("Add", "shift", ["m", "b"], "s"), node("Relu", "cut", "s", "y"),
              constant("w", (4,), struct.pack("<4f", 1, 2, 3, 4)), constant("b", (4,), struct.pack("<4f", -1, -1, -1, -1)),
              port(11, "x", (2, 4)), port(12, "y", (2, 4))],
    "pair": [node("Abs", "size", "x", "y"), node("Add", "sum", ["x", "y"], "z"), port(11, "x", (2, 4)),
             port(12, "y", (2, 4)), port(12, "z", (2, 4))],
    "look": [node("Gather", "find", ["w", "ids"], "y"), constant("w", (3, 2), struct.pack("<6f", 1, 2, 3, 4, 5, 6)),
             port(11, "ids", (2,), INT64), port(12, "y", (2, 2), FLOAT)],
    "choice": [branches("pick", "go", "y", [node("Abs", "size", "x", "a"), port(12, "a", (2, 4))],
                        [node("Squeeze", "drop", ["x", "zero"], "d"), node("Neg", "turn", "d", "e"),
                         constant("zero", (1,), struct.pack("<q", 0), INT64), port(12, "e", (4,))]),
               port(11, "x", (2, 4)), port(11, "go", (), BOOL), port(12, "y", (2, 4))],
    "branch": [branches("pick", "go", "y", [node("Gather", "find", ["w", "ids"], "f"), port(12, "f", (2, 2))],
                        [branches("side", "turned", "s", [node("Neg", "turn", "x", "t"), port(12, "t", (2, 2))],
                                  [node("Abs", "size", "x", "a"), port(12, "a", (2, 2))]), port(12, "s", (2, 2))]),
               node("Add", "sum", ["y", "x"], "z"), constant("w", (3, 2), struct.pack("<6f", 1, 2, 3, 4, 5, 6)),
               port(11, "x", (2, 2)), port(11, "ids", (2,), INT64), port(11, "go", (), BOOL), port(11, "turned", (), BOOL),
               port(12, "y", (2, 2)), port(12, "z", (2, 2))],
    "turns": [loop("walk", ["most", "", "first", "nothing"], ["last", "y"],
                   [port(11, "turn", (), INT64), port(11, "on", (), BOOL), port(11, "at", (1,), INT64), port(11, "s", (1, 2)),
                    node("Gather", "find", ["w", "at"], "row"), node("Add", "grow", ["s", "row"], "more"),
                    node("Add", "step", ["at", "one"], "next"), node("Less", "ask", ["next", "n"], "again"),
                    port(12, "again", (1,), BOOL), port(12, "next", (1,), INT64), port(12, "more", (1, 2))]),
              constant("w", (3, 2), struct.pack("<6f", 1, 2, 3, 4, 5, 6)), constant("nothing", (1, 2), bytes(8)),
              constant("most", (), struct.pack("<q", 6), INT64), constant("first", (1,), bytes(8), INT64),
              constant("one", (1,), struct.pack("<q", 1), INT64), port(11, "n", (1,), INT64), port(12, "y", (1, 2))],
    "long": [node("MatMul", f"turn{i}", [f"m{i}" if i else "x", "x"], f"m{i + 1}" if i < 39 else "y") for i in range(40)] +
            [port(11, "x", (512, 512)), port(12, "y", (512, 512))],
    "quantise": [node("DynamicQuantizeLinear", "squeeze", "x", ["y", "scale", "zero"]), port(11, "x", (4,)),
                 port(12, "y", (4,), UINT8), port(12, "scale", ()), port(12, "zero", (), UINT8)],
    "batch": [node("Relu", "cut", "x", "y"), port(11, "x", (-1, 4)), port(12, "y", (-1, 4))],
    "image": [node("Relu", "cut", "x", "y"), port(11, "x", (1, 1, -1, -1)), port(12, "y", (1, 1, -1, -1))],
    "dims": [node("Relu", "cut", "x", "y"), port(11, "x", (-1, 2)), port(12, "y", (-1, 2))],
    "free": [node("Shape", "measure", "x", "s"), node("Expand", "spread", ["b", "s"], "e"),
             node("Mul", "scale", ["x", "w"], "m"), node("Add", "shift", ["m", "e"], "y"),
             constant("w", (4,), struct.pack("<4f", 1, 2, 3, 4)), constant("b", (4,), struct.pack("<4f", -1, -1, -1, -1)),
             port(11, "x", (-1, 4)), port(12, "y", (-1, 4))],
    "names": [node("Relu", "cut", "n" * 200, "y"), port(11, "n" * 200, (2, 2)), port(12, "y", (2, 2))],
    "photo": [node("Abs", "size", "x", "y"), port(11, "x", (1, 3, 2, 2)), port(12, "y", (1, 3, 2, 2))],
    "steps": [node("Relu", "cut", "x", "y"), port(11, "x", (-1, 3, 2, 2)), port(12, "y", (-1, 3, 2, 2))],
    "range": [node("Relu", "cut", "x", "y"), port(11, "x", (-1, 2)), port(12, "y", (-1, 2))],
}
OPTIONS = {"batch": ["--input_shape=x:-1,4", "--dynamic_batch_size=1,4,2"],
           "image": ["--input_shape=x:1,1,-1,-1", "--dynamic_image_size=2,2;2,4"],
           "dims": ["--input_shape=x:-1,2", "--dynamic_dims=3;6"],
           "free": ["--input_shape=x:-1,4"],
           "range": ["--input_shape=x:1~4,2"],
           "photo": ["--insert_op_conf=photo.cfg"],
           "steps": ["--insert_op_conf=steps.cfg", "--input_shape=x:-1,3,2,2", "--dynamic_batch_size=1,2"]}
# What --insert_op_conf has.
IMAGES = {"photo": "aipp_mode : static\ninput_format : RGB888_U8\nsrc_image_size_w : 4\nsrc_image_size_h : 2\ncrop : true\n"
                   "load_start_pos_w : 1\ncrop_size_w : 2\ncrop_size_h : 2\n" +
                   "".join(f"mean_chn_{c} : 10\nvar_reci_chn_{c} : 0.5\n" for c in range(3)),
          "steps": "aipp_mode : dynamic\nmax_src_image_size : 64\n"}


def main():
    atc, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    for name, graph in MODELS.items():
        with open(os.path.join(folder, name + ".onnx"), "wb") as file:
            file.write(number(1, 8) + part(7, b"".join(graph)) + part(8, number(2, 17)))
        if name in IMAGES:
            with open(os.path.join(folder, name + ".cfg"), "w", encoding="utf-8") as file:
                file.write("aipp_op {\n" + IMAGES[name] + "}\n")
        subprocess.run([atc, f"--model={name}.onnx", "--framework=5", "--soc_version=Ascend310P3", f"--output={name}",
                        *OPTIONS.get(name, [])],
                       check=True, cwd=folder, stdout=subprocess.DEVNULL)
        # atc names the machine where dims are free.
        free = os.path.join(folder, f"{name}_linux_{os.uname().machine}.om")
        if os.path.exists(free):
            os.replace(free, os.path.join(folder, name + ".om"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
