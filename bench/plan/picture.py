#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""picture.py FILE: draws AllReduce by the number of islands as plan.py predicts it, for Documentation/hccl-plan.rst."""
import math
import sys

import bounds
import costs as models
import plan
from ranks import Shape

ISLANDS = (2, 4, 8, 16, 32, 64)
RANKS = 16
SIZES = (8, 32 << 20)
COLOURS = {"chain": "#1f6f43", "chain, short lag": "#b02a2a", "gather and reduce": "#1f5fa8", "ring": "#8a5a00",
           "tree": "#6b3fa0", "bound": "#777777"}
WIDTH, HEIGHT, LEFT, TOP, STEP = 330, 250, 60, 40, 460


def times_of(size):
    """By name: a time for each number of islands, or None."""
    found = {}
    for column, islands in enumerate(ISLANDS):
        shape = Shape(islands, RANKS)
        for name, made, _ in plan.alternatives(shape, models.RACK, size, COLOURS):
            found.setdefault(name, [None] * len(ISLANDS))[column] = made.seconds
        found.setdefault("bound", [None] * len(ISLANDS))[column] = bounds.bound("AllReduce", shape, models.RACK, size)
    return found


def draw(number, size):
    """The lines of one plot: both axes are logarithmic."""
    found, left = times_of(size), LEFT + number * STEP
    every = [value for values in found.values() for value in values if value]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))

    def x(column):
        return left + WIDTH * column / (len(ISLANDS) - 1)

    def y(value):
        return TOP + HEIGHT * (high - math.log10(value)) / (high - low)
    yield f'<text x="{left}" y="{TOP - 16}" font-weight="bold">AllReduce of {plan.size_text(size)}</text>'
    for decade in range(low, high + 1):
        yield (f'<path d="M{left} {y(10 ** decade):.1f}h{WIDTH}" stroke="#ddd"/><text x="{left - 6}" '
               f'y="{y(10 ** decade) + 4:.1f}" text-anchor="end">{plan.time_text(10 ** decade)}</text>')
    for column, islands in enumerate(ISLANDS):
        yield f'<text x="{x(column):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{islands}</text>'
    yield f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 36}" text-anchor="middle">islands of {RANKS} ranks</text>'
    heights = []
    for name, values in sorted(found.items(), key=lambda item: -(item[1][-1] or 1)):
        points = [(x(column), y(value)) for column, value in enumerate(values) if value]
        dashes = ' stroke-dasharray="5 4"' if name == "bound" else ""
        path = " ".join(f"{across:.1f},{down:.1f}" for across, down in points)
        yield f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"{dashes}/>'
        across, down = points[-1]
        down = max(down, heights[-1] + 13) if heights and across > left + WIDTH - 1 else down
        heights.append(down)
        yield f'<text x="{across + 5:.1f}" y="{down + 4:.1f}" fill="{COLOURS[name]}">{name}</text>'


def picture():
    width, height = LEFT + 2 * STEP + 20, TOP + HEIGHT + 50
    lines = ["<!-- SPDX-License-Identifier: MIT -->", "<!-- made by bench/plan/picture.py -->",
             f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="12">']
    for number, size in enumerate(SIZES):
        lines += draw(number, size)
    return "\n".join(lines + ["</svg>", ""])


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(picture())


if __name__ == "__main__":
    main()
