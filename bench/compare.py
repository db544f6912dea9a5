#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py OLD NEW: two results of bench/run.py beside each other. A measure has changed when the
ranges over the rounds do not touch; of measures that have a ratio it is the ratio that is compared,
since machines change their speed."""
import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return {measure["key"]: measure for measure in json.load(file)["measures"]}


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


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = read(sys.argv[1]), read(sys.argv[2])
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
    sys.exit(1 if worse else 0)


main()
