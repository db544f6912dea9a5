#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The decoder's model in numpy, in double precision.

	check.py FILE

FILE is what `decoder --logits FILE` wrote. The program follows the words that the decoder chose, computes the
logits of each step, and prints the normalised mean square error. It ends with 1 if that is more than 1e-4.
"""
import sys

import numpy as np

HIDDEN, LAYERS, HEADS, KEY_HEADS, HEAD = 256, 4, 4, 2, 64
GATED, WORDS, POSITIONS = 512, 512, 64
QUERY, KEY = HEADS * HEAD, KEY_HEADS * HEAD
EPSILON, FIRST_WORD, LIMIT = 1e-5, 1, 1e-4


def parameter(number, dims, scale, base=0.0):
    x = np.arange(np.prod(dims), dtype=np.uint64) + np.uint64(number * 0x9E3779B9 % 2**32)
    x &= np.uint64(0xFFFFFFFF)
    for _ in range(2):
        x = (x ^ (x >> np.uint64(16))) * np.uint64(0x45D9F3B) & np.uint64(0xFFFFFFFF)
    x ^= x >> np.uint64(16)
    numbers = ((x % np.uint64(1024)).astype(np.float64) - 512) / 512
    return (base + scale * numbers).astype(np.float16).astype(np.float64).reshape(dims)


def norm(x, gamma):
    return x / np.sqrt(np.mean(x * x) + EPSILON) * gamma


def turn(x, position):
    """Rotary embedding by halves; @x has a row for each head."""
    angle = position * 10000.0 ** (-2 * np.arange(HEAD // 2) / HEAD)
    cosine, sine = np.cos(angle), np.sin(angle)
    low, high = x[:, : HEAD // 2], x[:, HEAD // 2 :]
    return np.concatenate([low * cosine - high * sine, high * cosine + low * sine], axis=1)


class Layer:
    def __init__(self, number):
        first = 8 * number
        self.attention_norm = parameter(first + 1, [HIDDEN], 0.125, 1)
        self.query_key_value = parameter(first + 2, [HIDDEN, QUERY + 2 * KEY], 0.125)
        self.attention_out = parameter(first + 3, [QUERY, HIDDEN], 0.125)
        self.gate_norm = parameter(first + 4, [HIDDEN], 0.125, 1)
        self.gate_up = parameter(first + 5, [HIDDEN, 2 * GATED], 0.125)
        self.down = parameter(first + 6, [GATED, HIDDEN], 0.0625)
        self.keys, self.values = [], []

    def attend(self, x, position):
        row = x @ self.query_key_value
        query = turn(row[:QUERY].reshape(HEADS, HEAD), position)
        self.keys.append(turn(row[QUERY : QUERY + KEY].reshape(KEY_HEADS, HEAD), position))
        self.values.append(row[QUERY + KEY :].reshape(KEY_HEADS, HEAD))
        out = []
        for head in range(HEADS):
            of = head // (HEADS // KEY_HEADS)
            scores = np.array([key[of] for key in self.keys]) @ query[head] / np.sqrt(HEAD)
            weights = np.exp(scores - scores.max())
            out.append(weights / weights.sum() @ np.array([value[of] for value in self.values]))
        return np.concatenate(out)

    def run(self, hidden, position):
        attention = self.attend(norm(hidden, self.attention_norm), position)
        hidden = hidden + attention @ self.attention_out
        gate, up = np.split(norm(hidden, self.gate_norm) @ self.gate_up, 2)
        return hidden + gate / (1 + np.exp(-gate)) * up @ self.down


def main():
    found = np.fromfile(sys.argv[1], dtype=np.float32).astype(np.float64).reshape(POSITIONS, WORDS)
    embedding = parameter(1000, [WORDS, HIDDEN], 1)
    layers = [Layer(i) for i in range(LAYERS)]
    gamma, out = parameter(1001, [HIDDEN], 0.125, 1), parameter(1002, [HIDDEN, WORDS], 0.125)
    word, expected = FIRST_WORD, []
    for position in range(POSITIONS):
        hidden = embedding[word]
        for layer in layers:
            hidden = layer.run(hidden, position)
        expected.append(norm(hidden, gamma) @ out)
        word = int(found[position].argmax())
    expected = np.array(expected)
    error = np.mean((found - expected) ** 2) / np.mean(expected**2)
    agree = int((found.argmax(axis=1) == expected.argmax(axis=1)).sum())
    print(f"decoder: NMSE {error:.2e}, limit {LIMIT:.0e}; {agree} of {POSITIONS} words are numpy's choice")
    sys.exit(0 if error <= LIMIT else 1)


main()
