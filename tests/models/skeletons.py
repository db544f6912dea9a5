#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""skeletons.py RUNNER [--update]: whole models whose graphs are those of known families, small, with weights from a seed.

Each is written as an ONNX file with its inputs and the results of skeletons.tsv, and RUNNER (unpu_model_backend) compiles,
runs and compares it. --update computes the results with numpy, which the test itself does not need."""
import pathlib
import struct
import subprocess
import sys
import tempfile

from onnx_bytes import BOOL, FLOAT, INT64, number, part, port

LIST = pathlib.Path(__file__).parent / "skeletons.tsv"
LETTERS = {FLOAT: "f", INT64: "q", BOOL: "?"}


class Seed:
    """Numbers that are the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        return self.state >> 33

    def reals(self, count, scale):
        unit = scale / (1 << 30)
        return [struct.unpack("f", struct.pack("f", (self.next() - (1 << 30)) * unit))[0] for _ in range(count)]


def size_of(dims):
    size = 1
    for dim in dims:
        size *= dim
    return size


def tensor(name, kind, dims, values):
    data = struct.pack(f"<{len(values)}{LETTERS[kind]}", *values)
    return b"".join(number(1, dim) for dim in dims) + number(2, kind) + part(8, name) + part(9, data)


def attribute(name, value):
    if isinstance(value, Graph):
        return part(5, part(1, name) + part(6, value.body()) + number(20, 5))
    if isinstance(value, str):
        return part(5, part(1, name) + part(4, value) + number(20, 3))
    if isinstance(value, float):
        return part(5, part(1, name) + number(20, 1) + b"\x15" + struct.pack("<f", value))
    if isinstance(value, int):
        return part(5, part(1, name) + number(3, value) + number(20, 2))
    return part(5, part(1, name) + b"".join(number(8, each) for each in value) + number(20, 7))


class Graph:
    def __init__(self, seed, prefix=""):
        self.seed, self.prefix = Seed(seed), prefix
        self.nodes, self.constants, self.inputs, self.outputs = [], {}, {}, []
        self.count = 0

    def name(self):
        self.count += 1
        return f"{self.prefix}v{self.count}"

    def constant(self, dims, values, kind=FLOAT):
        name = self.name()
        self.constants[name] = (kind, tuple(dims), list(values))
        return name

    def weight(self, *dims, scale=None):
        fan = size_of(dims[1:]) or 1
        return self.constant(dims, self.seed.reals(size_of(dims), scale or (3 / fan) ** 0.5))

    def integers(self, *values):
        return self.constant((len(values),), values, INT64)

    def input(self, name, dims, values=None, kind=FLOAT):
        self.inputs[name] = (kind, tuple(dims), values or self.seed.reals(size_of(dims), 1.0))
        return name

    def node(self, kind, *sources, results=1, **attributes):
        names = [self.name() for _ in range(results)]
        self.nodes.append((kind, sources, names, attributes))
        return names[0] if results == 1 else names

    def body(self):
        data = b""
        for i, (kind, sources, names, attributes) in enumerate(self.nodes):
            data += part(1, b"".join(part(1, each) for each in sources) + b"".join(part(2, each) for each in names) +
                         part(3, f"{self.prefix}{kind}_{i}") + part(4, kind) +
                         b"".join(attribute(key, value) for key, value in attributes.items()))
        data += part(2, "graph")
        data += b"".join(part(5, tensor(name, *each)) for name, each in self.constants.items())
        data += b"".join(port(11, name, dims, kind) for name, (kind, dims, _) in self.inputs.items())
        return data + b"".join(part(12, part(1, name)) for name in self.outputs)

    def model(self):
        return number(1, 8) + part(7, self.body()) + part(8, number(2, 13))


def conv(g, x, inputs, outputs, size, stride=1, groups=1):
    pad = size // 2
    return g.node("Conv", x, g.weight(outputs, inputs // groups, size, size), g.weight(outputs, scale=0.1),
                  kernel_shape=[size, size], strides=[stride, stride], pads=[pad] * 4, group=groups)


def norm(g, x, channels):
    variance = [abs(each) + 0.5 for each in g.seed.reals(channels, 1.0)]
    return g.node("BatchNormalization", x, g.weight(channels, scale=1.0), g.weight(channels, scale=0.2),
                  g.weight(channels, scale=0.2), g.constant((channels,), variance), epsilon=1e-5)


def head(g, x, channels, classes):
    pooled = g.node("Flatten", g.node("GlobalAveragePool", x), axis=1)
    return g.node("Gemm", pooled, g.weight(classes, channels), g.weight(classes, scale=0.1), transB=1)


def resnet():
    g = Graph(1)
    x = g.node("Relu", norm(g, conv(g, g.input("image", (2, 3, 32, 32)), 3, 16, 7, 2), 16))
    x = g.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for inputs, outputs, stride in ((16, 16, 1), (16, 32, 2)):
        short = x if stride == 1 else norm(g, conv(g, x, inputs, outputs, 1, stride), outputs)
        x = g.node("Relu", norm(g, conv(g, x, inputs, outputs, 3, stride), outputs))
        x = g.node("Relu", g.node("Add", norm(g, conv(g, x, outputs, outputs, 3), outputs), short))
    g.outputs = [head(g, x, 32, 10)]
    return g


def mobilenet():
    g = Graph(2)

    def clip(x):
        return g.node("Clip", x, g.constant((), [0.0]), g.constant((), [6.0]))

    x = clip(conv(g, g.input("image", (1, 3, 24, 24)), 3, 16, 3, 2))
    for stride in (1, 2):
        wide = clip(conv(g, x, 16, 48, 1))
        wide = clip(conv(g, wide, 48, 48, 3, stride, 48))
        weight = g.node("Relu", conv(g, g.node("GlobalAveragePool", wide), 48, 12, 1))
        weight = g.node("HardSigmoid", conv(g, weight, 12, 48, 1), alpha=1 / 6, beta=0.5)
        narrow = conv(g, g.node("Mul", wide, weight), 48, 16, 1)
        x = g.node("Add", x, narrow) if stride == 1 else narrow
    x = g.node("Mul", x, g.node("HardSigmoid", x, alpha=1 / 6, beta=0.5))
    g.outputs = [head(g, x, 16, 10)]
    return g


def layer_norm(g, x, width):
    """As exporters wrote it before opset 17: nine nodes."""
    off = g.node("Sub", x, g.node("ReduceMean", x, axes=[-1], keepdims=1))
    spread = g.node("ReduceMean", g.node("Pow", off, g.constant((), [2.0])), axes=[-1], keepdims=1)
    by = g.node("Sqrt", g.node("Add", spread, g.constant((), [1e-5])))
    return g.node("Add", g.node("Mul", g.node("Div", off, by), g.weight(width, scale=1.0)), g.weight(width, scale=0.1))


def linear(g, x, inputs, outputs):
    weight = g.constant((inputs, outputs), g.seed.reals(inputs * outputs, (3 / inputs) ** 0.5))
    return g.node("Add", g.node("MatMul", x, weight), g.weight(outputs, scale=0.1))


def bert():
    g = Graph(3)
    width, heads, words, tokens = 32, 4, 50, 7
    ids = g.input("ids", (2, tokens), [(5 * i * i + 3) % words for i in range(2 * tokens)], INT64)
    mask = g.input("mask", (2, tokens), [1] * tokens + [1] * 4 + [0] * 3, INT64)
    x = g.node("Add", g.node("Gather", g.weight(words, width, scale=1.0), ids),
               g.node("Slice", g.weight(16, width, scale=1.0), g.integers(0), g.integers(tokens), g.integers(0)))
    x = layer_norm(g, x, width)
    seen = g.node("Cast", g.node("Unsqueeze", mask, g.integers(1, 2)), to=FLOAT)
    bias = g.node("Mul", g.node("Sub", g.constant((), [1.0]), seen), g.constant((), [-10000.0]))
    for _ in range(2):
        shape = g.node("Shape", x)
        batch = g.node("Unsqueeze", g.node("Gather", shape, g.constant((), [0], INT64)), g.integers(0))
        length = g.node("Unsqueeze", g.node("Gather", shape, g.constant((), [1], INT64)), g.integers(0))
        split = g.node("Concat", batch, length, g.integers(heads), g.integers(width // heads), axis=0)
        queries, keys, values = (g.node("Reshape", linear(g, x, width, width), split) for _ in range(3))
        scores = g.node("MatMul", g.node("Transpose", queries, perm=[0, 2, 1, 3]),
                        g.node("Transpose", keys, perm=[0, 2, 3, 1]))
        scores = g.node("Div", scores, g.constant((), [(width / heads) ** 0.5]))
        seen = g.node("Softmax", g.node("Add", scores, bias), axis=-1)
        mixed = g.node("MatMul", seen, g.node("Transpose", values, perm=[0, 2, 1, 3]))
        mixed = g.node("Reshape", g.node("Transpose", mixed, perm=[0, 2, 1, 3]),
                       g.node("Concat", batch, length, g.integers(-1), axis=0))
        x = layer_norm(g, g.node("Add", x, linear(g, mixed, width, width)), width)
        wide = linear(g, x, width, 4 * width)
        erf = g.node("Add", g.node("Erf", g.node("Div", wide, g.constant((), [2 ** 0.5]))), g.constant((), [1.0]))
        wide = g.node("Mul", g.node("Mul", wide, erf), g.constant((), [0.5]))
        x = layer_norm(g, g.node("Add", x, linear(g, wide, 4 * width, width)), width)
    first = g.node("Gather", x, g.constant((), [0], INT64), axis=1)
    g.outputs = [g.node("Tanh", linear(g, first, width, width))]
    return g


def lstm():
    g = Graph(4)
    steps, batch, inputs, hidden, classes = 9, 2, 8, 6, 5
    x = g.input("x", (steps, batch, inputs))
    y, last, _ = g.node("LSTM", x, g.weight(2, 4 * hidden, inputs), g.weight(2, 4 * hidden, hidden),
                        g.weight(2, 8 * hidden, scale=0.2), results=3, hidden_size=hidden, direction="bidirectional")
    y = g.node("Reshape", g.node("Transpose", y, perm=[0, 2, 1, 3]), g.integers(steps, batch, 2 * hidden))
    scores = g.node("Gemm", g.node("Reshape", y, g.integers(-1, 2 * hidden)), g.weight(classes, 2 * hidden),
                    g.weight(classes, scale=0.1), transB=1)
    g.outputs = [g.node("LogSoftmax", scores, axis=1), last]
    return g


def branches(positive):
    """An If by the mean of the input, within a Loop that ends by data."""
    g = Graph(5)
    x = g.input("x", (1, 8))
    if not positive:
        kind, dims, values = g.inputs["x"]
        g.inputs["x"] = (kind, dims, [-each for each in values])
    sides = []
    for side in ("then", "else"):
        body = Graph(6 if side == "then" else 7, side)
        body.outputs = [body.node("Tanh", linear(body, "l_x", 8, 8))]
        sides.append(body)
    loop = Graph(8, "l_")
    loop.inputs = {"l_turn": (INT64, (), None), "l_go": (BOOL, (), None), "l_x": (FLOAT, (1, 8), None)}
    above = loop.node("Greater", loop.node("ReduceMean", "l_x", keepdims=0), loop.constant((), [0.0]))
    y = loop.node("If", above, then_branch=sides[0], else_branch=sides[1])
    more = loop.node("Less", loop.node("ReduceMax", loop.node("Abs", y), keepdims=0), loop.constant((), [0.55]))
    loop.outputs = [more, y]
    y = g.node("Loop", g.constant((), [6], INT64), g.constant((), [True], BOOL), x, body=loop)
    g.outputs = [linear(g, y, 8, 4)]
    return g


def rates():
    """A detector of voice with a branch for each rate. At this length one of them has two frames, and none that can be."""
    g = Graph(11)
    x, rate = g.input("x", (1, 64)), g.input("rate", (), [16000], INT64)
    sides = []
    for side, size in (("then", 64), ("else", 32)):
        body = Graph(size, side)
        frames = body.node("Reshape", x, body.integers(1, -1, size))
        one = body.node("Squeeze", frames, body.integers(1))
        body.outputs = [body.node("Tanh", linear(body, one, size, 4))]
        sides.append(body)
    is_fast = g.node("Equal", rate, g.constant((), [16000], INT64))
    g.outputs = [g.node("If", is_fast, then_branch=sides[0], else_branch=sides[1])]
    return g


def scan():
    """A running product and all of its steps, backwards along the second dim."""
    g = Graph(9)
    body = Graph(10, "s_")
    body.inputs = {"s_state": (FLOAT, (3,), None), "s_x": (FLOAT, (3,), None)}
    state = body.node("Tanh", body.node("Add", body.node("Mul", "s_state", "s_x"), body.constant((), [0.3])))
    body.outputs = [state, body.node("Identity", state)]
    last, steps = g.node("Scan", g.input("first", (3,)), g.input("x", (3, 5)), results=2, body=body, num_scan_inputs=1,
                         scan_input_axes=[1], scan_input_directions=[1], scan_output_axes=[1])
    g.outputs = [last, steps]
    return g


MODELS = {"resnet": resnet, "mobilenet": mobilenet, "bert": bert, "lstm": lstm, "if in a loop, above": lambda: branches(True),
          "if in a loop, below": lambda: branches(False), "if with a branch that can't run": rates, "scan": scan}


def listed():
    """Model -> its results, each as dims and values."""
    found = {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, dims, values = line.split("\t")
            found.setdefault(name, []).append(([int(each) for each in dims.split(",")],
                                               [float(each) for each in values.split()]))
    return found


def update():
    import skeletons_numpy  # pylint: disable=import-outside-toplevel
    text = "# SPDX-License-Identifier: MIT\n# Written by skeletons.py --update: model, shape and elements of a result.\n"
    for name, make in MODELS.items():
        for result in skeletons_numpy.evaluate(make()):
            values = " ".join(f"{each:.7g}" for each in result.flatten())
            text += f"{name}\t{','.join(str(each) for each in result.shape)}\t{values}\n"
    LIST.write_text(text, encoding="utf-8")


def write(folder, graph, results):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(graph.model())
    for i, (name, (kind, dims, values)) in enumerate(graph.inputs.items()):
        (data / f"input_{i}.pb").write_bytes(tensor(name, kind, dims, values))
    for i, (dims, values) in enumerate(results):
        (data / f"output_{i}.pb").write_bytes(tensor("y", FLOAT, dims, values))


def main():
    if "--update" in sys.argv:
        update()
    results, problems = listed(), []
    with tempfile.TemporaryDirectory() as place:
        folders = []
        for name, make in MODELS.items():
            folders.append(pathlib.Path(place) / name.replace(" ", "_"))
            write(folders[-1], make(), results[name])
        done = subprocess.run([sys.argv[1], *folders], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    problems = [line for line in lines if not line.startswith("passed\t")]
    if done.returncode != 0 or len(lines) != len(MODELS):
        problems.append(f"the runner ended with {done.returncode} after {len(lines)} models: {done.stderr[-500:]}")
    for problem in problems:
        print(problem)
    print(f"{len(lines)} models, {len(problems)} wrong")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
