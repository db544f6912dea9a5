# SPDX-License-Identifier: MIT
"""A trace file as a person sees it: what is on which row, and where arrows lead.

problems_of_schema() checks what viewers of traces rely on: the members that each kind of event needs and their types,
rows with names, slices of a row that nest or follow each other, and both ends of each arrow and range."""
import collections
import json


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


NUMBERS = (int, float)
# What each kind of event has beside name and ph -> the types.
MEMBERS = {
    "X": {"pid": int, "tid": int, "ts": NUMBERS, "dur": NUMBERS},
    "i": {"pid": int, "tid": int, "ts": NUMBERS, "s": str},
    "M": {"pid": int, "args": dict},
    "b": {"pid": int, "ts": NUMBERS, "id": (int, str), "cat": str},
    "e": {"pid": int, "ts": NUMBERS, "id": (int, str), "cat": str},
    "s": {"pid": int, "tid": int, "ts": NUMBERS, "id": (int, str), "cat": str},
    "f": {"pid": int, "tid": int, "ts": NUMBERS, "id": (int, str), "cat": str, "bp": str},
}


def ns(microseconds):
    return round(microseconds * 1000)


def problems_of_members(event):
    """What an event lacks."""
    if not isinstance(event, dict) or event.get("ph") not in MEMBERS:
        yield f"no kind of event: {event}"
        return
    wanted = dict(MEMBERS[event["ph"]], name=str)
    for name, kind in wanted.items():
        if not isinstance(event.get(name), kind) or isinstance(event.get(name), bool):
            yield f"{name} is missing or of another type: {event}"
        elif name in ("ts", "dur") and event[name] < 0:
            yield f"{name} is negative: {event}"


def problems_of_rows(events):
    """Slices of one row that cross, and rows without a name."""
    named = {(event["pid"], event.get("tid")) for event in events if event["name"] == "thread_name"}
    rows = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            begin = ns(event["ts"])
            rows[event["pid"], event["tid"]].append((begin, -(begin + ns(event["dur"])), event["name"]))
    for row, slices in rows.items():
        if row not in named:
            yield f"row {row} has no name"
        around = []
        for begin, end, name in sorted(slices):
            while around and around[-1][0] <= begin:
                around.pop()
            if around and -end > around[-1][0]:
                yield f"row {row}: {name} at {begin} ns crosses the end of {around[-1][1]}"
            around.append((-end, name))


def problems_of_pairs(events, first, second):
    """Ends of arrows or ranges without the other end, or in the wrong order."""
    ends = collections.defaultdict(lambda: collections.defaultdict(list))
    for event in events:
        if event["ph"] in (first, second):
            ends[event["cat"], event["name"], event["pid"] if first == "b" else 0, event["id"]][event["ph"]].append(event["ts"])
    for key, found in ends.items():
        if len(found[first]) != 1 or len(found[second]) != 1:
            yield f"{first}-{second} {key}: {dict(found)}"
        elif found[first][0] > found[second][0]:
            yield f"{first}-{second} {key} leads backwards: {dict(found)}"


def problems_of_schema(file):
    """What viewers of traces would not show, or show wrongly."""
    if not isinstance(file, dict) or not isinstance(file.get("traceEvents"), list):
        return ["the file has no list traceEvents"]
    events = file["traceEvents"]
    problems = [problem for event in events for problem in problems_of_members(event)]
    if problems:
        return problems
    return [*problems_of_rows(events), *problems_of_pairs(events, "s", "f"), *problems_of_pairs(events, "b", "e")]


class Picture:
    """A trace file, by rows."""

    def __init__(self, path):
        self.file = load(path)
        self.events = self.file["traceEvents"]
        self.rows = {(event["pid"], event["tid"]): event["args"]["name"]
                     for event in self.events if event["name"] == "thread_name"}

    def slices(self, row, name):
        return [event for event in self.events if event["ph"] == "X" and event["name"] == name
                and self.rows[event["pid"], event["tid"]] == row]

    def inside(self, end):
        """The names of the slices that an end of an arrow lies in."""
        return {event["name"] for event in self.events if event["ph"] == "X"
                and (event["pid"], event["tid"]) == (end["pid"], end["tid"])
                and event["ts"] <= end["ts"] <= event["ts"] + event["dur"]}

    def arrows(self, name):
        ends = {}
        for event in self.events:
            if event["ph"] in "sf" and event["name"] == name:
                ends.setdefault(event["id"], {})[event["ph"]] = event
        return [(pair["s"], pair["f"]) for pair in ends.values()]

    def between(self, name):
        return [(self.rows[start["pid"], start["tid"]], self.rows[end["pid"], end["tid"]])
                for start, end in self.arrows(name)]
