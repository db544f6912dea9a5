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


STATIC = "aipp_mode : static\ninput_format : RGB888_U8\n"
# Name, dims of the input, inside of the aipp_op, what is told.
CONFIGS = (
    ("no mode", (1, 3, 4, 4), "input_format : RGB888_U8", "line 1: aipp_mode is missing"),
    ("no format", (1, 3, 4, 4), "aipp_mode : static", "input_format is missing"),
    ("no size", (1, 3, 4, 4), "aipp_mode : dynamic", "max_src_image_size is missing"),
    ("another mode", (1, 3, 4, 4), "aipp_mode : static2", "line 2: aipp_mode is static2; allowed are static and dynamic"),
    ("another format", (1, 3, 4, 4), "input_format : RAW10", "allowed are YUV420SP_U8, XRGB8888_U8, RGB888_U8"),
    ("no field", (1, 3, 4, 4), STATIC + "mean_chn_4 : 1", "line 4: there is no field mean_chn_4"),
    ("a field twice", (1, 3, 4, 4), STATIC + "crop : true crop : false", "crop is there twice"),
    ("a large mean", (1, 3, 4, 4), STATIC + "mean_chn_0 : 256", "mean_chn_0 is 256; allowed are integers from 0 to 255"),
    ("a mean with a fraction", (1, 3, 4, 4), STATIC + "mean_chn_0 : 1.5", "mean_chn_0 is 1.5"),
    ("no number", (1, 3, 4, 4), STATIC + "min_chn_0 : 1x", "min_chn_0 is 1x; allowed are numbers"),
    ("a large border", (1, 3, 4, 4), STATIC + "left_padding_size : 33", "from 0 to 32"),
    ("no switch", (1, 3, 4, 4), STATIC + "crop : maybe", "crop is maybe; allowed are true and false"),
    ("resize", (1, 3, 4, 4), STATIC + "resize : true", "resize is not supported: images are not resized"),
    ("an edge", (1, 3, 4, 4), STATIC + "input_edge_idx : 1", "input_edge_idx is not supported"),
    ("no value", (1, 3, 4, 4), STATIC + "crop :", "crop has no value"),
    ("no colon", (1, 3, 4, 4), STATIC + "crop true", "behind crop there is no :"),
    ("another input", (1, 3, 4, 4), STATIC + "related_input_rank : 1", "input 1: the model has 1 inputs"),
    ("grey", (1, 3, 4, 4), "aipp_mode : static input_format : YUV400_U8", "the network has 3 channels"),
    ("colours of grey", (1, 1, 4, 4), "aipp_mode : static input_format : YUV400_U8 csc_switch : true", "no colours"),
    ("two dims", (2, 4), STATIC, "it has 2 dims"),
    ("a part outside", (1, 3, 4, 4), STATIC + "src_image_size_w : 6 crop : true load_start_pos_w : 3 crop_size_w : 4",
     "leaves the image, which has height 4 and width 6"),
    ("another size", (1, 3, 4, 4), STATIC + "src_image_size_h : 6", "give height 6 and width 4; the network takes height 4"),
    ("odd", (1, 3, 4, 5), "aipp_mode : static input_format : YUV420SP_U8", "are even"),
    ("an open size", (-1, 3, 4, 4), STATIC, "its dim N is open"))


def refuse_images(tries):
    """Configurations of images that have one mistake each."""
    usual = ["--model=i.onnx", "--output=i", "--soc_version=Ascend310", "--insert_op_conf=i.cfg"]
    for name, dims, inside, told in CONFIGS:
        with open(os.path.join(tries.folder, "i.onnx"), "wb") as file:
            file.write(onnx([node("Abs", "a", "x", "y")], dims))
        with open(os.path.join(tries.folder, "i.cfg"), "w", encoding="utf-8") as file:
            file.write(f"aipp_op {{\n{inside}\n}}\n")
        shape = ["--input_shape=x:" + ",".join(map(str, dims))]
        tries.run("images, " + name, [*usual, *shape], 1, "E10001: --insert_op_conf", told)
    for name, text, told in (("nothing", "# nothing\n", "line 2: there is no aipp_op"), ("another word", "x {}", "there is x"),
                             ("no end", "aipp_op {\n" + STATIC, "a } is missing")):
        with open(os.path.join(tries.folder, "i.cfg"), "w", encoding="utf-8") as file:
            file.write(text)
        tries.run("images, " + name, usual, 1, "E10001: --insert_op_conf", told)
    tries.run("images, no file", [*usual[:3], "--insert_op_conf=none.cfg"], 1, "E10005")


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
        tries.run("free", [*usual, "--output=d", "--input_shape=x:-1,4"], 0, f"The model is in d_linux_{os.uname().machine}.om\n")
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
        tries.run("a new folder", [*usual, "--output=new/one/f", "--input_shape=x:2,4"], 0, "The model is in new/one/f.om")
        tries.run("no folder", [*usual, "--output=good.onnx/f", "--input_shape=x:2,4"], 1, "the folder good.onnx can't be made")
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
        refuse_images(tries)
    for problem in tries.problems:
        print(problem)
    print(f"{tries.count} tries, {len(tries.problems)} wrong")
    sys.exit(bool(tries.problems))


main()
