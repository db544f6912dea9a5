#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""models.py BUILD [--rounds N] [--runs N] [--only WORD] [--file FILE.onnx=SHAPES]...: offline models by unpu and by
onnxruntime in the same rounds, on one thread and on two, each in a process of its own. SHAPES is what atc's --input_shape
takes. Node and its package onnxruntime-node are found by NODE_PATH; without them only unpu is measured. A row has medians
over the rounds, and the ratios in one round."""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "models"))

import skeletons  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 600
TYPES = {"FLOAT": "float32", "INT64": "int64", "INT32": "int32", "BOOL": "bool"}


def bottlenecks():
    """Blocks of a ResNet of 50 layers at their sizes."""
    g = skeletons.Graph(21)
    x = g.input("image", (1, 64, 56, 56))
    for inputs, middle in ((64, 64), (256, 64), (256, 128)):
        short = x if inputs == 4 * middle else skeletons.conv(g, x, inputs, 4 * middle, 1)
        x = g.node("Relu", skeletons.conv(g, x, inputs, middle, 1))
        x = g.node("Relu", skeletons.conv(g, x, middle, middle, 3))
        x = g.node("Relu", g.node("Add", skeletons.conv(g, x, middle, 4 * middle, 1), short))
    g.outputs = [skeletons.head(g, x, 512, 10)]
    return g


def separable():
    """Blocks of a MobileNet at their sizes."""
    g = skeletons.Graph(22)

    def clip(x):
        return g.node("Clip", x, g.constant((), [0.0]), g.constant((), [6.0]))

    x = clip(skeletons.conv(g, g.input("image", (1, 3, 224, 224)), 3, 32, 3, 2))
    for inputs, outputs, stride in ((32, 16, 1), (16, 24, 2), (24, 24, 1), (24, 32, 2), (32, 64, 2), (64, 64, 1)):
        wide = clip(skeletons.conv(g, x, inputs, 6 * inputs, 1))
        wide = clip(skeletons.conv(g, wide, 6 * inputs, 6 * inputs, 3, stride, 6 * inputs))
        narrow = skeletons.conv(g, wide, 6 * inputs, outputs, 1)
        x = g.node("Add", x, narrow) if inputs == outputs else narrow
    g.outputs = [skeletons.head(g, x, 64, 10)]
    return g


def products():
    """Products of the sizes of a small transformer, one behind the other."""
    g = skeletons.Graph(23)
    x = g.input("x", (128, 384))
    for _ in range(8):
        weight = g.constant((384, 384), g.seed.reals(384 * 384, (3 / 384) ** 0.5))
        x = g.node("MatMul", x, weight)
    g.outputs = [x]
    return g


def encoder():
    """Two layers of a small transformer: 12 heads of 32 numbers, 128 tokens."""
    g = skeletons.Graph(24)
    width, heads, tokens = 384, 12, 128
    x = g.input("x", (1, tokens, width))
    for _ in range(2):
        split = g.integers(1, tokens, heads, width // heads)
        queries, keys, values = (g.node("Reshape", skeletons.linear(g, x, width, width), split) for _ in range(3))
        scores = g.node("MatMul", g.node("Transpose", queries, perm=[0, 2, 1, 3]),
                        g.node("Transpose", keys, perm=[0, 2, 3, 1]))
        seen = g.node("Softmax", g.node("Div", scores, g.constant((), [(width / heads) ** 0.5])), axis=-1)
        mixed = g.node("MatMul", seen, g.node("Transpose", values, perm=[0, 2, 1, 3]))
        mixed = g.node("Reshape", g.node("Transpose", mixed, perm=[0, 2, 1, 3]), g.integers(1, tokens, width))
        x = skeletons.layer_norm(g, g.node("Add", x, skeletons.linear(g, mixed, width, width)), width)
        wide = skeletons.linear(g, x, width, 4 * width)
        erf = g.node("Add", g.node("Erf", g.node("Div", wide, g.constant((), [2 ** 0.5]))), g.constant((), [1.0]))
        wide = g.node("Mul", g.node("Mul", wide, erf), g.constant((), [0.5]))
        x = skeletons.layer_norm(g, g.node("Add", x, skeletons.linear(g, wide, 4 * width, width)), width)
    g.outputs = [x]
    return g


MADE = {"resnet, tiny": skeletons.resnet, "mobilenet, tiny": skeletons.mobilenet, "bert, tiny": skeletons.bert,
        "lstm, tiny": skeletons.lstm, "bottlenecks": bottlenecks, "separable": separable, "products": products,
        "encoder": encoder}


class Model:
    """An ONNX file, what atc makes of it, and what `unpu model show` says of that."""

    def __init__(self, build, folder, name, file, shapes=""):
        self.name, self.onnx = name, file
        self.om = str(folder / (re.sub(r"\W", "_", name) + ".om"))
        command = [build / "bin" / "atc", f"--model={file}", "--framework=5", "--soc_version=Ascend310P3",
                   f"--output={self.om[:-3]}"]
        subprocess.run(command + ([f"--input_shape={shapes}"] if shapes else []), check=True, stdout=subprocess.DEVNULL)
        text = subprocess.run([build / "bin" / "unpu", "model", "show", self.om], check=True, capture_output=True,
                              text=True).stdout
        self.launches = int(re.search(r"^launches: (\d+)", text, re.M)[1])
        self.arena, self.bound = re.search(r"memory: (.*) for numbers on the way, (.*) live", text).groups()
        self.moved = re.search(r"moved: (.*) by", text)[1]
        self.ports = ";".join(f"{name}|{TYPES[kind]}|{dims.replace(' ', '')}" for name, kind, dims in
                              re.findall(r"^input \d+: (.*), (\w+) \[(.*?)\]", text, re.M))


def measure(command, **settings):
    """What a program printed; None if it is absent."""
    done = subprocess.run([str(each) for each in command], env=dict(os.environ, **settings), capture_output=True,
                          text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        if done.returncode != 77:
            print(done.stderr[-500:], file=sys.stderr)
        return None
    found = json.loads(done.stdout.splitlines()[-1])
    return {"load": found["load"], "run": statistics.median(found["times"][2:]), "first": found["times"][0],
            "resident": found["resident"] / 1024}


def take_round(build, model, runs, threads, has_peer):
    own = measure([build / "bench" / "run_model", model.om, runs], UNPU_DEVICE=f"sim:engines={threads}")
    peer = measure(["node", HERE / "models" / "onnxruntime.js", model.onnx, runs, threads, model.ports]) if has_peer else None
    return {"unpu": own, "onnxruntime": peer}


def show(model, threads, rounds):
    cells = []
    for engine in ("unpu", "onnxruntime"):
        found = [each[engine] for each in rounds if each[engine]]
        if found:
            middle = {key: statistics.median(each[key] for each in found) for key in found[0]}
            cells.append(f"{engine} {middle['run']:.3f} ms, first {middle['first']:.2f}, load {middle['load']:.1f}, "
                         f"{middle['resident']:.0f} MiB")
    both = [each for each in rounds if each["unpu"] and each["onnxruntime"]]
    if both:
        cells.append("unpu by onnxruntime: " + ", ".join(
            f"{key} {statistics.median(each['unpu'][key] / each['onnxruntime'][key] for each in both):.2f}"
            for key in ("run", "load", "resident")))
    print(f"{model.name}, {threads} thread{'s' if threads > 1 else ''}: " + "; ".join(cells), flush=True)


def has_onnxruntime():
    try:
        return subprocess.run(["node", "-e", "require('onnxruntime-node')"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def find_models(options, folder):
    for name, make in MADE.items():
        if options.only in name:
            file = folder / (re.sub(r"\W", "_", name) + ".onnx")
            file.write_bytes(make().model())
            yield Model(options.build, folder, name, file)
    for each in options.file:
        file, _, shapes = each.partition("=")
        if options.only in file:
            yield Model(options.build, folder, pathlib.Path(file).stem, file, shapes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--file", action="append", default=[])
    options = parser.parse_args()
    for program, target in (("bin/atc", "atc"), ("bin/unpu", "unpu-command"), ("bench/run_model", "bench_run_model")):
        if not os.access(options.build / program, os.X_OK):
            sys.exit(f"models.py: {options.build} has no program {program}; the target is {target}")
    has_peer = has_onnxruntime()
    if not has_peer:
        print("onnxruntime-node is absent: only unpu is measured")
    with tempfile.TemporaryDirectory() as place:
        for model in find_models(options, pathlib.Path(place)):
            print(f"{model.name}: {model.launches} launches, moved {model.moved}, {model.arena} planned, "
                  f"{model.bound} live at once")
            for threads in (1, 2):
                show(model, threads, [take_round(options.build, model, options.runs, threads, has_peer)
                                      for _ in range(options.rounds)])


if __name__ == "__main__":
    main()
