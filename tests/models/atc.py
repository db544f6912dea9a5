#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""atc.py ATC: the command line of the compiler: what it prints, writes and ends with."""
import json
import os
import subprocess
import sys
import tempfile

from onnx_bytes import node, number, part, port


def onnx(nodes, dims):
    graph = b"".join(nodes) + port(11, "x", dims) + port(12, "y", dims)
    return number(1, 8) + part(7, graph) + part(8, number(2, 17))


class Tries:
    def __init__(self, atc, folder):
        self.atc, self.folder, self.problems, self.count = atc, folder, [], 0

    def run(self, name, words, status, *told):
        """@told: texts that the output has to have."""
        done = subprocess.run([self.atc, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, cwd=self.folder)
        self.count += 1
        told += ("ATC run success",) if status == 0 else ("ATC run failed",)
        missing = [text for text in told if text not in done.stdout]
        if done.returncode != status or missing:
            self.problems.append(f"{name}: ended with {done.returncode}, lacks {missing}:\n{done.stdout}")
        return done.stdout

    def has(self, name, file):
        self.count += 1
        if not os.path.exists(os.path.join(self.folder, file)):
            self.problems.append(f"{name}: there is no {file}")


def refuse_models(tries):
    """Small models that have one mistake each."""
    face = [port(11, "x", (2, 4)), port(12, "y", (2, 4))]
    relu = node("Relu", "r", "x", "y")
    for name, graph, told in (
            ("no outputs", [], "no outputs"),
            ("one name twice", [relu, port(11, "x", (2, 4)), *face], "two inputs have the name x"),
            ("a large dim", [relu, port(11, "x", (2, 1 << 40)), face[1]], "has a dim of 1099511627776; at most 68719476736"),
            ("turned letters", [node("Nothing", "a\u202eb", "x", "y"), *face], "Nothing a   b (opset 17)"),
            ("one sentence often", [*(node("Nothing", "n", "x", f"y{i}") for i in range(1000)), face[0],
                                    port(12, "y0", (2, 4))], "Nothing n (opset 17)")):
        with open(os.path.join(tries.folder, "m.onnx"), "wb") as file:
            file.write(number(1, 8) + part(7, b"".join(graph)) + part(8, number(2, 17)))
        shown = tries.run(name, ["--model=m.onnx", "--output=m", "--soc_version=Ascend310"], 1, told)
        if len(shown.splitlines()) != 3:
            tries.problems.append(f"{name}: {len(shown.splitlines())} lines in place of 3")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tries = Tries(sys.argv[1], folder)
        for name, nodes, dims in (("good", [node("Abs", "a", "x", "m"), node("Relu", "r", "m", "y")], (-1, 4)),
                                  ("bad", [node("Unique", "find", "x", "y"), node("Nothing", "n", "x", "z")], (2, 4))):
            with open(os.path.join(folder, name + ".onnx"), "wb") as file:
                file.write(onnx(nodes, dims))
        with open(os.path.join(folder, "two.onnx"), "wb") as file:
            graph = node("Add", "sum", ["x", "w"], "y") + port(11, "w", (2,))
            file.write(number(1, 8) + part(7, graph + port(11, "x", (2,)) + port(12, "y", (2,))) + part(8, number(2, 17)))
        usual = ["--model=good.onnx", "--framework=5", "--soc_version=Ascend310"]
        tries.run("static", [*usual, "--output=a", "--input_shape=x:2,4", "--log=error"], 0)
        tries.has("static", "a.om")
        tries.run("one dash and blanks", ["-model", "good.onnx", "--output", "b", "--soc_version", "Ascend910B",
                                         "--input_shape", " x : 2, 4 ;"], 0)
        tries.run("a known option", [*usual, "--output=c", "--input_shape=x:2,4", "--precision_mode=force_fp16"], 0,
                  "--precision_mode has no effect")
        tries.run("free", [*usual, "--output=d", "--input_shape=x:-1,4"], 0)
        tries.has("free", f"d_linux_{os.uname().machine}.om")
        shown = tries.run("profiles", [*usual, "--output=e", "--input_shape=x:-1,4", "--dynamic_batch_size=1,8"], 0)
        shown = tries.run("mode 6", ["--mode=6", "--om=e.om"], 0, "profile: [8]", "output 0: r:0:y, FLOAT [8, 4], 128 bytes")
        tries.run("mode 1", ["--mode=1", "--om=e.om", "--json=e.json"], 0)
        with open(os.path.join(folder, "e.json"), encoding="utf-8") as file:
            if [each["type"] for each in json.load(file)["nodes"]] != ["Abs", "Relu"]:
                tries.problems.append("mode 1 writes other nodes")
        tries.run("no shape", [*usual, "--output=f"], 1, "E11005", "--input_shape=\"x:...\"")
        tries.run("no such input", [*usual, "--output=f", "--input_shape=z:1"], 1, "E10002")
        tries.run("no such option", [*usual, "--output=f", "--nothing=1"], 1, "E10001")
        tries.run("the shape of a fixed input", ["--model=two.onnx", "--output=f", "--soc_version=Ascend310",
                                                 "--input_shape=x:2;w:2", "--fix_input=w:1,2"], 0)
        tries.run("no such file", ["--model=none.onnx", "--output=f", "--soc_version=Ascend310"], 1, "E10005")
        tries.run("no folder", [*usual, "--output=none/f", "--input_shape=x:2,4"], 1, "can't be written")
        tries.run("no name", [*usual, "--output=sub/", "--input_shape=x:2,4"], 1, "needs the name of a file")
        tries.run("no level", [*usual, "--output=f", "--input_shape=x:2,4", "--log=zz"], 1, "E10001: --log is zz")
        tries.run("no index", [*usual, "--output=f", "--input_shape=x:2,4", "--out_nodes=r:"], 1, "E10016", "node:0")
        tries.run("a size", [*usual, "--output=f", "--input_shape=x:2,1099511627776"], 1, "at most 2147483647")
        tries.run("TensorFlow", ["--model=m.pb", "--output=f", "--framework=3", "--soc_version=Ascend310"], 1, "tf2onnx")
        tries.run("a chip", ["--model=good.onnx", "--output=f", "--soc_version=x"], 1, "begin with Ascend")
        tries.run("two kinds", [*usual, "--output=f", "--input_shape=x:-1,4", "--dynamic_batch_size=1,8",
                               "--dynamic_dims=1;2"], 1, "exclude each other")
        tries.run("not ONNX", ["--model=a.om", "--output=f", "--soc_version=Ascend310"], 1, "E10041")
        bad = ["--model=bad.onnx", "--output=g", "--soc_version=Ascend310", "--check_report=g.json"]
        tries.run("all refusals", bad, 1, "Unique find (opset 17)", "Nothing n (opset 17)", "EZ3003")
        tries.has("all refusals", "g.json")
        if shown and os.path.exists(os.path.join(folder, "g.om")):
            tries.problems.append("a model that is refused has a file")
        refuse_models(tries)
    for problem in tries.problems:
        print(problem)
    print(f"{tries.count} tries, {len(tries.problems)} wrong")
    sys.exit(bool(tries.problems))


main()
