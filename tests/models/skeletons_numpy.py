# SPDX-License-Identifier: MIT
"""What the graphs of skeletons.py compute, in double precision, by the text of the ONNX specification."""
import math

import numpy as np

TYPES = {1: np.float64, 7: np.int64, 9: np.bool_}


def windows(x, size, stride, pads, fill):
    """[n, c, h, w, size, size]"""
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, tuple(size), axis=(2, 3))
    return view[:, :, ::stride[0], ::stride[1]]


def conv(at, x, w, b):
    groups, view = at.get("group", 1), windows(x, w.shape[2:], at["strides"], at["pads"], 0)
    parts = [np.einsum("nchwij,ocij->nohw", image, weight)
             for image, weight in zip(np.split(view, groups, axis=1), np.split(w, groups, axis=0))]
    return np.concatenate(parts, axis=1) + b[:, None, None]


def batch_norm(at, x, scale, bias, mean, variance):
    wide = [each[:, None, None] for each in (scale, bias, mean, variance)]
    return (x - wide[2]) / np.sqrt(wide[3] + at["epsilon"]) * wide[0] + wide[1]


def softmax(x, axis):
    raised = np.exp(x - x.max(axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def one_lstm(x, w, r, b, hidden):
    """The gates stand in the order input, output, forget, cell."""
    h = c = np.zeros((x.shape[1], hidden))
    results = []
    for step in x:
        gates = step @ w.T + h @ r.T + b[:4 * hidden] + b[4 * hidden:]
        i, o, f, z = np.split(gates, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(z)
        h = sigmoid(o) * np.tanh(c)
        results.append(h)
    return np.stack(results), h, c


def lstm(at, x, w, r, b):
    forward = one_lstm(x, w[0], r[0], b[0], at["hidden_size"])
    y, h, c = one_lstm(x[::-1], w[1], r[1], b[1], at["hidden_size"])
    backward = (y[::-1], h, c)
    return [np.stack([a, b], axis=1 if k == 0 else 0) for k, (a, b) in enumerate(zip(forward, backward))]


def reshape(x, shape):
    return x.reshape([x.shape[i] if size == 0 else size for i, size in enumerate(shape)])


def unsqueeze(x, axes):
    return np.expand_dims(x, tuple(int(axis) for axis in axes))


def reduce(function):
    def made(at, x):
        return function(x, axis=tuple(at["axes"]) if "axes" in at else None, keepdims=bool(at.get("keepdims", 1)))
    return made


def cut(x, starts, ends, axes):
    for start, end, axis in zip(starts, ends, axes):
        x = np.take(x, range(start, end), axis=axis)
    return x


OPERATORS = {
    "Abs": lambda at, x: np.abs(x),
    "Add": lambda at, a, b: a + b,
    "BatchNormalization": batch_norm,
    "Cast": lambda at, x: x.astype(TYPES[at["to"]]),
    "Clip": lambda at, x, low, high: np.clip(x, low, high),
    "Concat": lambda at, *parts: np.concatenate(parts, axis=at["axis"]),
    "Conv": conv,
    "Div": lambda at, a, b: a / b,
    "Equal": lambda at, a, b: a == b,
    "Erf": lambda at, x: np.vectorize(math.erf)(x),
    "Flatten": lambda at, x: x.reshape(x.shape[0], -1),
    "Gather": lambda at, x, indices: np.take(x, indices, axis=at.get("axis", 0)),
    "Gemm": lambda at, a, b, c: a @ b.T + c,
    "GlobalAveragePool": lambda at, x: x.mean(axis=(2, 3), keepdims=True),
    "Greater": lambda at, a, b: a > b,
    "HardSigmoid": lambda at, x: np.clip(at["alpha"] * x + at["beta"], 0, 1),
    "Identity": lambda at, x: x,
    "LSTM": lstm,
    "Less": lambda at, a, b: a < b,
    "LogSoftmax": lambda at, x: np.log(softmax(x, at["axis"])),
    "MatMul": lambda at, a, b: a @ b,
    "MaxPool": lambda at, x: windows(x, at["kernel_shape"], at["strides"], at["pads"], -np.inf).max(axis=(4, 5)),
    "Mul": lambda at, a, b: a * b,
    "Pow": lambda at, a, b: a ** b,
    "ReduceMax": reduce(np.max),
    "ReduceMean": reduce(np.mean),
    "Relu": lambda at, x: np.maximum(x, 0),
    "Reshape": lambda at, x, shape: reshape(x, shape),
    "Shape": lambda at, x: np.array(x.shape),
    "Slice": lambda at, x, starts, ends, axes: cut(x, starts, ends, axes),
    "Softmax": lambda at, x: softmax(x, at["axis"]),
    "Sqrt": lambda at, x: np.sqrt(x),
    "Squeeze": lambda at, x, axes: x.squeeze(tuple(axes)),
    "Sub": lambda at, a, b: a - b,
    "Tanh": lambda at, x: np.tanh(x),
    "Transpose": lambda at, x: x.transpose(at["perm"]),
    "Unsqueeze": lambda at, x, axes: unsqueeze(x, axes),
}


def loop(at, values, most, go, *states):
    turn = 0
    while turn < most and go:
        inner = dict(zip(at["body"].inputs, (np.array(turn), go, *states)))
        go, *states = run(at["body"], {**values, **inner})
        turn += 1
    return states


def scan(at, values, state, x):
    steps = []
    for k in reversed(range(x.shape[1])):
        state, step = run(at["body"], {**values, **dict(zip(at["body"].inputs, (state, x[:, k])))})
        steps.append(step)
    return [state, np.stack(steps, axis=1)]


def run(graph, values):
    """The results of a graph. @values: what its nodes may read"""
    for name, (kind, dims, elements) in graph.constants.items():
        values[name] = np.array(elements, dtype=TYPES[kind]).reshape(dims)
    for kind, sources, names, at in graph.nodes:
        operands = [values[each] for each in sources]
        if kind == "If":
            made = run(at["then_branch"] if operands[0] else at["else_branch"], dict(values))
        elif kind == "Loop":
            made = loop(at, values, *operands)
        elif kind == "Scan":
            made = scan(at, values, *operands)
        else:
            made = OPERATORS[kind](at, *operands)
        values.update(zip(names, made if isinstance(made, list) else [made]))
    return [values[name] for name in graph.outputs]


def evaluate(graph):
    return run(graph, {name: np.array(values, dtype=TYPES[kind]).reshape(dims)
                       for name, (kind, dims, values) in graph.inputs.items()})
