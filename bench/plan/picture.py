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
# The legend says of each what it does. A dashed line lets one that has the same times show.
WORDS = {"chain": "pieces go through all islands and back, as many under way as there are islands",
         "chain, short lag": "the same, with at most four pieces under way",
         "gather and reduce": "each island gets the data of all ranks, and reduces them by itself",
         "ring": "each block begins at another island: the order of the ranks is lost",
         "tree": "neighbours add first: the order of the ranks is lost",
         "bound": "no schedule is faster: the bytes by the rate of the card or the memory, and one latency"}
DASHES = {"chain, short lag": "7 5", "bound": "2 3"}
WIDTH, HEIGHT, LEFT, TOP, STEP = 330, 250, 60, 40, 460
LEGEND, LINE = TOP + HEIGHT + 66, 18


def times_of(size):
    """By name: a time for each number of islands, or None."""
    found = {}
    for column, islands in enumerate(ISLANDS):
        shape = Shape(islands, RANKS)
        for name, made, _ in plan.alternatives(shape, models.RACK, size, COLOURS):
            found.setdefault(name, [None] * len(ISLANDS))[column] = made.seconds
        found.setdefault("bound", [None] * len(ISLANDS))[column] = bounds.bound("AllReduce", shape, models.RACK, size)
    return found


def stroke(name):
    dashes = f' stroke-dasharray="{DASHES[name]}"' if name in DASHES else ""
    return f'stroke="{COLOURS[name]}" stroke-width="2"{dashes}'


def legend():
    for row, (name, words) in enumerate(WORDS.items()):
        down = LEGEND + row * LINE
        yield (f'<path d="M{LEFT} {down - 4}h40" {stroke(name)}/><text x="{LEFT + 50}" y="{down}">'
               f'<tspan fill="{COLOURS[name]}" font-weight="bold">{name}</tspan>: {words}</text>')


def draw(number, size):
    """The lines of one plot: both axes are logarithmic."""
    found, left = times_of(size), LEFT + number * STEP
    every = [value for values in found.values() for value in values if value]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))

    def x(column):
        return left + WIDTH * column / (len(ISLANDS) - 1)

    def y(value):
        return TOP + HEIGHT * (high - math.log10(value)) / (high - low)
    yield (f'<text x="{left}" y="{TOP - 16}" font-weight="bold">Time of an AllReduce of '
           f'{plan.size_text(size)}</text>')
    for decade in range(low, high + 1):
        yield (f'<path d="M{left} {y(10 ** decade):.1f}h{WIDTH}" stroke="#ddd"/><text x="{left - 6}" '
               f'y="{y(10 ** decade) + 4:.1f}" text-anchor="end">{plan.time_text(10 ** decade)}</text>')
    for column, islands in enumerate(ISLANDS):
        yield f'<text x="{x(column):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{islands}</text>'
    yield (f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 36}" text-anchor="middle">islands of {RANKS} ranks; '
           'both axes are logarithmic</text>')
    heights = []
    for name, values in sorted(found.items(), key=lambda item: -(item[1][-1] or 1)):
        points = [(x(column), y(value)) for column, value in enumerate(values) if value]
        path = " ".join(f"{across:.1f},{down:.1f}" for across, down in points)
        yield f'<polyline points="{path}" fill="none" {stroke(name)}/>'
        across, down = points[-1]
        down = max(down, heights[-1] + 13) if heights and across > left + WIDTH - 1 else down
        heights.append(down)
        yield f'<text x="{across + 5:.1f}" y="{down + 4:.1f}" fill="{COLOURS[name]}">{name}</text>'


def picture():
    width, height = LEFT + 2 * STEP + 20, LEGEND + len(WORDS) * LINE
    lines = ["<!-- SPDX-License-Identifier: MIT -->", "<!-- made by bench/plan/picture.py -->",
             f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="12">']
    for number, size in enumerate(SIZES):
        lines += draw(number, size)
    lines += legend()
    return "\n".join(lines + ["</svg>", ""])


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(picture())


if __name__ == "__main__":
    main()
