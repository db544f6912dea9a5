#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py OLD NEW [--picture FILE | --store]: two results of bench/run.py beside each other. A measure has changed when the
ranges over the rounds do not touch; of measures that have a ratio it is the ratio that is compared,
since machines change their speed. FILE ends with .svg, .png or .pdf. Ends with 1 when a measure is worse.

With --store nothing is compared: OLD becomes the ratios of NEW, as bench/baseline.json keeps them."""
import argparse
import json
import sys

from report import interpreter


def read(path):
    """The measures of a result by their keys, with all that this program uses of them."""
    try:
        with open(path, encoding="utf-8") as file:
            measures = {measure["key"]: measure for measure in json.load(file)["measures"]}
        for measure in measures.values():
            _ = measure["title"][:1], [figure(measure)[0][word] + 0 for word in ("median", "min", "max")]
    except OSError as error:
        sys.exit(f"compare.py: {error}")
    except (ValueError, KeyError, TypeError) as error:
        sys.exit(f"compare.py: {path} is no result of run.py: {type(error).__name__} {error}")
    return measures


def figure(measure):
    """(spread, whether more is better)"""
    if "ratio" in measure:
        return measure["ratio"], measure["ratio"]["of"] == "speed"
    return measure["time_ns"], False


def verdict(old, new):
    before, more = figure(old)
    after, _ = figure(new)
    if after["min"] <= before["max"] and before["min"] <= after["max"]:
        return ""
    return "better" if (after["median"] > before["median"]) == more else "WORSE"


def quotient(old, new):
    """New by old: of the medians, and the smallest and the largest of any two rounds."""
    before, after = figure(old)[0], figure(new)[0]
    return {"median": after["median"] / before["median"], "min": after["min"] / before["max"],
            "max": after["max"] / before["min"]}


def draw(old, new, path):
    from report import plots  # pylint: disable=import-outside-toplevel
    if not plots.plt:
        sys.exit("compare.py: a picture needs python3-matplotlib, which was not found")
    rows = [(measure["title"], verdict(old[key], measure), quotient(old[key], measure)) for key, measure in new.items()
            if key in old and figure(old[key])[0]["min"] > 0 and figure(measure)[0]["min"] > 0]
    try:
        plots.draw_comparison(rows, path)
    except (OSError, ValueError) as error:
        sys.exit(f"compare.py: {path}: {error}")


def store(new, path):
    """Ratios only: the times of one machine say nothing about another."""
    kept = [{"key": key, "title": measure["title"], "ratio": measure["ratio"]}
            for key, measure in new.items() if "ratio" in measure]
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"measures": [\n' + ",\n".join(json.dumps(measure) for measure in kept) + "\n]}\n")
    except OSError as error:
        sys.exit(f"compare.py: {error}")
    print(f"{path}: the ratios of {len(kept)} measures")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--picture", metavar="FILE", help="draw the comparison into this file, too")
    instead.add_argument("--store", action="store_true", help="write the ratios of NEW into OLD")
    return parser.parse_args()


def main():
    options = parse()
    if options.picture:
        interpreter.take_one_that_plots()
    new = read(options.new)
    if options.store:
        store(new, options.old)
        return
    old = read(options.old)
    worse = 0
    print(f"{'what':52}{'old':>12}{'new':>12}{'new/old':>9}")
    for key, measure in new.items():
        if key not in old:
            print(f"{measure['title'][:51]:52}{'':>12}{'':>12}{'new':>9}")
            continue
        before = figure(old[key])[0]["median"]
        after = figure(measure)[0]["median"]
        said = verdict(old[key], measure)
        worse += said == "WORSE"
        times = after / before if before else 0
        print(f"{measure['title'][:51]:52}{before:12.3f}{after:12.3f}{times:9.2f}  {said}")
    for key in old:
        if key not in new:
            print(f"{old[key]['title'][:51]:52}gone")
    if options.picture:
        draw(old, new, options.picture)
        print(options.picture)
    sys.exit(1 if worse else 0)


main()
