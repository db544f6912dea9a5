# SPDX-License-Identifier: MIT
"""Results of bench/run.py as files. Each mistake in one is told by a sentence with the file and the field."""
import json
import math

WORDS = {str: "text", bool: "true or false", int: "a whole number", float: "a finite number from 0", dict: "an object",
         list: "a list"}
# What the page of a result needs, beside the measures.
WHOLE = {"date": str, "rounds": int, "quick": bool, "host": dict, "versions": dict, "peers": dict, "commands": list,
         "trouble": list}
BUSY = {"load_average": float, "cpus": int, "others_percent": float, "is_busy": bool}
NUMBERS = ("items", "bytes", "object_bytes", "wakes")


class NotAResult(Exception):
    """The sentence about a file that is none."""


def is_of(value, kind):
    """Whether a value of JSON is of that kind. NaN and Infinity, which Python reads, are no numbers."""
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def need(where, owner, field, kind):
    """The field of an object. @where: the words for that object, "", or with a mark behind them"""
    if not is_of(owner, dict):
        raise NotAResult(f"{where.rstrip(' .:') or 'the whole'} is not {WORDS[dict]}")
    if field not in owner:
        raise NotAResult(f"{where}{field} is missing")
    if not is_of(owner[field], kind):
        raise NotAResult(f"{where}{field} is not {WORDS[kind]}")
    return owner[field]


def check_spread(where, measure, field):
    spread = need(where, measure, field, dict)
    for word in ("median", "min", "max"):
        need(f"{where}{field}.", spread, word, float)
    return spread


def check_measure(place, measure):
    where = f"measure {need(f'measures[{place}].', measure, 'key', str)}: "
    need(where, measure, "title", str)
    if "ratio" in measure:
        if need(f"{where}ratio.", check_spread(where, measure, "ratio"), "of", str) not in ("time", "speed"):
            raise NotAResult(f"{where}ratio.of is neither time nor speed")
    if "time_ns" in measure or "ratio" not in measure:
        check_spread(where, measure, "time_ns")


def check_row(measure):
    """What the page needs of a measure more."""
    where = f"measure {measure['key']}: "
    check_spread(where, measure, "time_ns")
    if "bytes" in measure and 0 in measure["time_ns"].values():
        raise NotAResult(f"{where}time_ns is 0, which leaves no rate")
    need(where, measure, "p99_ns", float)
    need(where, measure, "rounds", int)
    if "ratio" in measure:
        need(f"{where}ratio.", measure["ratio"], "to", str)
    for sample in need(where, measure, "samples", list):
        need(f"{where}sample ", sample, "singles_ns", list)
    for field in NUMBERS:
        if field in measure:
            need(where, measure, field, float)


def check_page(result):
    for field, kind in WHOLE.items():
        need("", result, field, kind)
    for field, kind in BUSY.items() if result.get("busy") else ():
        need("busy.", result["busy"], field, kind)
    for measure in result["measures"]:
        check_row(measure)


def read(path, whole=False):
    """The result in a file. @whole: with all that its page needs, not only what is compared. OSError is left to the
    caller."""
    with open(path, encoding="utf-8") as file:
        try:
            result = json.load(file)
            for place, measure in enumerate(need("", result, "measures", list)):
                check_measure(place, measure)
            if whole:
                check_page(result)
        except NotAResult as error:
            raise NotAResult(f"{path} is no result of run.py: {error}") from None
        except json.JSONDecodeError as error:
            raise NotAResult(f"{path} is no result of run.py: it is no JSON from line {error.lineno}, "
                             f"column {error.colno}") from None
        except (UnicodeDecodeError, RecursionError):
            raise NotAResult(f"{path} is no result of run.py: it is no JSON") from None
    return result
