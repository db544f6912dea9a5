# SPDX-License-Identifier: MIT
"""A trace file as a person sees it: what is on which row, and where arrows lead."""
import json


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


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
