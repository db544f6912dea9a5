#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py OLD NEW [--picture FILE [--all] | --store]: two results of bench/run.py beside each other. A measure has changed when the
ranges over the rounds do not touch; of measures that have a ratio it is the ratio that is compared,
since machines change their speed. FILE ends with .svg, .png or .pdf. Ends with 1 when a measure is worse, when one can't be
compared (one of the two results has a ratio of it and the other none, or a ratio to something else), or when the results
have no measure in common.

With --store nothing is compared: OLD becomes the ratios of NEW, as bench/baseline.json keeps them."""
import argparse
import json
import sys

from report import interpreter, results

PICTURES = (".svg", ".png", ".pdf")


def read(path):
    """The measures of a result by their keys."""
    try:
        return {measure["key"]: measure for measure in results.read(path)["measures"]}
    except (OSError, results.NotAResult) as error:
        sys.exit(f"compare.py: {error}")


def figure(measure):
    """(spread, whether more is better)"""
    if "ratio" in measure:
        return measure["ratio"], measure["ratio"]["of"] == "speed"
    return measure["time_ns"], False


def base_of(measure):
    """What the figure of a measure is: None is its time."""
    ratio = measure.get("ratio")
    return ratio and (ratio["of"], ratio.get("to"))


def base_text(measure):
    of, to = base_of(measure) or ("time", None)
    return f"{of} by that of {to}" if to else "a ratio" if "ratio" in measure else "no ratio"


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


def gain(old, new):
    """How many times as good the new one is: the quotient where more is better, else the old one by the new one."""
    times = quotient(old, new)
    if figure(old)[1]:
        return times
    return {"median": 1 / times["median"], "min": 1 / times["max"], "max": 1 / times["min"]}


def draw(old, new, path, is_whole):
    from report import plots  # pylint: disable=import-outside-toplevel
    if not plots.plt:
        sys.exit("compare.py: a picture needs python3-matplotlib, which was not found")
    from report import figures  # pylint: disable=import-outside-toplevel
    of = quotient if is_whole else gain
    rows = [(figures.group_of(key)[0], measure["title"], verdict(old[key], measure), of(old[key], measure))
            for key, measure in new.items() if key in old and base_of(old[key]) == base_of(measure)
            and figure(old[key])[0]["min"] > 0 and figure(measure)[0]["min"] > 0]
    try:
        if is_whole:
            plots.draw_comparison([row[1:] for row in rows], path)
        else:
            plots.draw_overview(rows, path)
    except (OSError, ValueError) as error:
        sys.exit(f"compare.py: {path}: {error}")


def store(new, options):
    """Ratios only: the times of one machine say nothing about another."""
    kept = [{"key": key, "title": measure["title"], "ratio": measure["ratio"]}
            for key, measure in new.items() if "ratio" in measure]
    if not kept:
        sys.exit(f"compare.py: {options.new} has no ratio to keep; {options.old} stays as it is")
    path = options.old
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"measures": [\n' + ",\n".join(json.dumps(measure) for measure in kept) + "\n]}\n")
    except OSError as error:
        sys.exit(f"compare.py: {error}")
    print(f"{path}: the ratios of {len(kept)} measures")


def picture(path):
    if not path.endswith(PICTURES):
        raise argparse.ArgumentTypeError(f"{path} does not end with {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
    return path


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--picture", metavar="FILE", type=picture, help="draw an overview of the comparison into this file, too")
    instead.add_argument("--store", action="store_true", help="write the ratios of NEW into OLD")
    parser.add_argument("--all", action="store_true", help="of --picture: a row for each measure, on a page that is long")
    options = parser.parse_args()
    if options.all and not options.picture:
        parser.error("--all is of --picture, which is not there")
    return options


def main():
    options = parse()
    if options.picture:
        interpreter.take_one_that_plots()
    new = read(options.new)
    if options.store:
        store(new, options)
        return
    old = read(options.old)
    worse = lost = compared = 0
    print(f"{'what':52}{'old':>12}{'new':>12}{'new/old':>9}")
    for key, measure in new.items():
        if key not in old:
            print(f"{measure['title'][:51]:52}{'':>12}{'':>12}{'new':>9}")
            continue
        if base_of(old[key]) != base_of(measure):
            lost += 1
            print(f"{measure['title'][:51]:52}{'':>12}{'':>12}{'':>9}  incomparable: {base_text(old[key])} in the old "
                  f"result, {base_text(measure)} in the new one")
            continue
        compared += 1
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
        draw(old, new, options.picture, options.all)
        print(options.picture)
    if not compared and not lost:
        sys.exit(f"compare.py: {options.new} has no measure of {options.old}; nothing was compared")
    sys.exit(1 if worse or lost else 0)


main()
