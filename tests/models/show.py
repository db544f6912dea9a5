#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""show.py ATC UNPU: what "unpu model show" says of files of models, and that these can't harm it or a terminal."""
import pathlib
import subprocess
import sys
import tempfile
import xml.dom.minidom

from onnx_bytes import node, number, part, port

ORDERS = "\x1b[2J<script>&\"\u009b1m\x07"


class Tries:
    def __init__(self, atc, unpu, folder):
        self.atc, self.unpu, self.folder, self.problems, self.count = atc, unpu, folder, [], 0

    def compile(self, name, nodes, dims, *options):
        graph = b"".join(nodes) + port(11, "x", dims) + port(12, "y", dims)
        (self.folder / f"{name}.onnx").write_bytes(number(1, 8) + part(7, graph) + part(8, number(2, 17)))
        subprocess.run([self.atc, f"--model={name}.onnx", f"--output={name}", "--soc_version=Ascend310", *options],
                       stdout=subprocess.DEVNULL, check=True, cwd=self.folder)

    def show(self, name, words, status, *told, command="show"):
        """@told: texts that the output has to have."""
        done = subprocess.run([self.unpu, "model", command, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, cwd=self.folder)
        text = done.stdout.decode("utf-8", "replace")
        self.count += 1
        missing = [each for each in told if each not in text]
        orders = [letter for letter in text if letter != "\n" and not letter.isprintable()]
        if done.returncode != status or missing or orders:
            self.problems.append(f"{name}: ended with {done.returncode}, lacks {missing}, has {orders}:\n{text}")

    def picture(self, name, path, *told):
        """That it is XML without scripts."""
        self.count += 1
        document = xml.dom.minidom.parseString((self.folder / path).read_bytes())
        texts = " ".join(each.firstChild.data for each in document.getElementsByTagName("text"))
        missing = [each for each in told if each not in texts]
        if missing or document.getElementsByTagName("script"):
            self.problems.append(f"{name}: the picture lacks {missing}, or has a script")


def run(tries):
    good = [node("Abs", "a", "x", "m"), node("Relu", "r", "m", "y")]
    tries.compile("one", good, (2, 4))
    tries.show("static", ["one.om", "--nodes", "--svg", "one.svg"], 0, "nodes of the file: 2", "launches: 2", "weights: 0 B",
               "inputs: 32 B", "workspace: 64 B", "of 2 nodes, 2 run", "Relu r (opset 17)", "input 0: x, FLOAT [2, 4], 32 B")
    tries.picture("static", "one.svg", "0 Abs a (opset 17)", "32 at most")
    tries.compile("open", good, (-1, 4), "--input_shape=x:-1,4", "--dynamic_batch_size=1,8")
    tries.show("a profile", ["open.om"], 0, "FLOAT [8, 4]")
    tries.show("dims", ["open.om", "--dims", "5"], 0, "FLOAT [5, 4]")
    tries.show("too many dims", ["one.om", "--dims", "5"], 2, "the inputs have 0 open dims")
    tries.show("ONNX", ["open.onnx"], 0, "not compiled yet", "FLOAT [32, 4]")
    tries.show("no folder", ["one.om", "--svg", "none/x.svg"], 2, "can't be written")
    tries.show("no file", ["none.om"], 2, "E10005")
    silu = [node("Sigmoid", "s", "x", "m"), node("Mul", "p", ["x", "m"], "y")]
    tries.compile("silu", silu, (2, 4))
    tries.show("fused", ["silu.om"], 0, "launches: 1", "1 Silu")
    tries.show("fusion explained", ["silu.om"], 0, "silu: 1 of 1 places", "gelu: 0 of 0 places", command="explain")
    (tries.folder / "off.json").write_text('{"Switch": {"GraphFusion": {"silu": "off", "OtherPass": "off"}}}', "utf-8")
    tries.compile("off", silu, (2, 4), "--fusion_switch_file=off.json")
    tries.show("switched off", ["off.om"], 0, "launches: 2")
    tries.show("switched off explained", ["off.om"], 0, "silu: switched off", command="explain")
    tries.compile("alone", [node("Sigmoid", "s", "x", "m"), node("Add", "p", ["x", "m"], "y")], (2, 4))
    tries.show("why not", ["alone.om"], 0, "silu: 0 of 1 places", "Sigmoid s (opset 17): its result is not", command="explain")
    tries.compile("rude", [node("Abs", ORDERS, "x", "m"), node("Relu", "r" * 5000, "m", "y")], (2, 4))
    tries.show("orders for the terminal", ["rude.om", "--nodes", "--svg", "rude.svg"], 0)
    tries.picture("orders for the terminal", "rude.svg", "Abs")
    bad = b"".join([node("Unique", f"find{ORDERS}", "x", "y"), node("Nothing", "n", "x", "z")])
    (tries.folder / "bad.onnx").write_bytes(number(1, 8) + part(7, bad + port(11, "x", (2,)) + port(12, "y", (2,))) +
                                            part(8, number(2, 17)))
    tries.show("what atc would refuse", ["bad.onnx"], 2, "the number of its results depends on data", "Nothing n (opset 17)")
    whole = (tries.folder / "one.om").read_bytes()
    for at in range(0, len(whole), 97):
        broken = bytearray(whole)
        broken[at] ^= 0x5A
        (tries.folder / "broken.om").write_bytes(bytes(broken if at % 2 else whole[:at]))
        done = subprocess.run([tries.unpu, "model", "show", "broken.om"], capture_output=True, check=False, cwd=tries.folder)
        tries.count += 1
        if done.returncode not in (0, 2):
            tries.problems.append(f"broken at {at}: ended with {done.returncode}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as place:
        tries = Tries(sys.argv[1], sys.argv[2], pathlib.Path(place))
        run(tries)
    for problem in tries.problems:
        print(problem)
    print(f"{tries.count} tries, {len(tries.problems)} wrong")
    sys.exit(bool(tries.problems))


main()
