# SPDX-License-Identifier: MIT
"""The plots of a result, with the spread over the rounds and the limits of the machine, where matplotlib is found."""
import os
import re
import textwrap

from report import figures

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

# Round trips that stand beside each other, and limits that are drawn into the same plot.
TRIPS = ("task.trip.spinning", "task.trip.caller runs", "task.trip.device in a process",
         "peer.condition_variable.trip", "peer.tbb_arena.trip", "peer.pocl_basic.trip",
         "peer.pocl_threads.trip", "peer.zeromq.trip", "peer.lavapipe.trip")
LIMITS = ("machine.line", "machine.descriptor", "machine.futex")
LIMIT = {"color": "black", "linestyle": "--", "linewidth": 1}


def by_size(result, pattern):
    """(size, measure) of each key that the pattern matches, ordered."""
    found = []
    for measure in result["measures"]:
        match = re.fullmatch(pattern, measure["key"])
        if match:
            found.append((int(match.group(1)), measure))
    return sorted(found, key=lambda pair: pair[0])


def time_ns(measure):
    return measure["time_ns"]


def each_ns(measure):
    return {which: value / measure.get("items", 1) for which, value in measure["time_ns"].items()}


def rate(measure):
    """GB/s; the longest time is the lowest rate."""
    time = measure["time_ns"]
    return {"median": measure["bytes"] / time["median"], "min": measure["bytes"] / time["max"],
            "max": measure["bytes"] / time["min"]}


def speed(measure):
    return measure.get("ratio", {"median": 1, "min": 1, "max": 1})


def bars(spreads):
    """What errorbar() takes: how far the smallest and the largest round are from the median."""
    return [[one["median"] - one["min"] for one in spreads], [one["max"] - one["median"] for one in spreads]]


def words_of(title):
    """What a measure is for any size."""
    return re.sub(r"^[\d.]+ [KMG]?i?B, |,( threads:)? \d+$", "", title).replace("many, ", "many ")


def line_plot(axes, result, series, spread_of, **style):
    """A line through the medians of each series, with a bar from the smallest to the largest round.
    @series: a label, or None for what the measure says of itself, and the keys"""
    for label, pattern in series:
        points = by_size(result, pattern)
        if points:
            spreads = [spread_of(measure) for _, measure in points]
            axes.errorbar([size for size, _ in points], [one["median"] for one in spreads], yerr=bars(spreads),
                          label=label or words_of(points[0][1]["title"]), **{"marker": "o", "capsize": 3, **style})


def draw_limit(axes, result, key, upright=False, line="--"):
    """A line across the plot."""
    measure = figures.by_key(result).get(key)
    if measure:
        draw = axes.axvline if upright else axes.axhline
        draw(figures.each_ns(measure), label="limit: " + measure["title"].removesuffix(" (base)"),
             **{**LIMIT, "linestyle": line})


def shares(samples):
    return [i / len(samples) for i in range(len(samples))]


def plot_trips(result, axes):
    """Thick lines are all rounds together; thin ones are the rounds."""
    measures = figures.by_key(result)
    for key in TRIPS:
        rounds = [sorted(sample["singles_ns"]) for sample in measures[key]["samples"]] if key in measures else []
        together = sorted(one for samples in rounds for one in samples)
        if not together:
            continue
        line, = axes.plot(together, shares(together), label=measures[key]["title"])
        for samples in rounds:
            axes.plot(samples, shares(samples), color=line.get_color(), linewidth=0.5, alpha=0.4)
    for key, line in zip(LIMITS, ("--", "-.", ":")):
        draw_limit(axes, result, key, upright=True, line=line)
    axes.set(xscale="log", xlabel="ns, a reading of the clock included", ylabel="share of trips", title="Round trips")


def plot_graphs(result, axes):
    kinds = (("nothing", "empty"), ("memset", "a fill of 32 bytes"), ("add", "an addition of 8 floats"))
    line_plot(axes, result, [(f"replay, each node {kind}", rf"replay\.{key}\.(\d+)") for key, kind in kinds], each_ns)
    for measure in result["measures"]:
        if re.match(r"peer\.(tbb|taskflow)\.chain", measure["key"]):
            spread = each_ns(measure)
            axes.errorbar([measure.get("items", 1)], [spread["median"]], yerr=bars([spread]), fmt="x", capsize=3,
                          label=measure["title"])
    draw_limit(axes, result, "peer.calls.nothing")
    draw_limit(axes, result, "peer.calls.add", line=":")
    axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel="ns a node", title="Cost against graph size")


def plot_copies(result, axes):
    limits = ("copy.memcpy", "copy.two_threads")
    kinds = sorted({re.sub(r"\.\d+$", "", measure["key"]) for measure in result["measures"]
                    if re.fullmatch(r"copy\..*\.\d+", measure["key"])} - set(limits))
    line_plot(axes, result, [(None, re.escape(kind) + r"\.(\d+)") for kind in kinds], rate)
    for kind, text, line in zip(limits, ("memcpy() by one thread", "memcpy() by two threads"), ("--", ":")):
        line_plot(axes, result, [("limit: " + text, re.escape(kind) + r"\.(\d+)")], rate, **{**LIMIT, "linestyle": line})
    axes.set(xscale="log", xlabel="bytes", ylabel="GB/s", title="Bandwidth against copy size")


def plot_threads(result, axes):
    kinds = ("record", "query", "create", "task")
    line_plot(axes, result, [(None, rf"threads\.{kind}\.(\d+)") for kind in kinds], speed)
    most = max((size for kind in kinds for size, _ in by_size(result, rf"threads\.{kind}\.(\d+)")), default=1)
    cpus = result["host"].get("cpus", 1)
    counts = range(1, most + 1)
    axes.set_xticks(sorted({size for kind in kinds for size, _ in by_size(result, rf"threads\.{kind}\.(\d+)")}))
    axes.plot(counts, [min(count, cpus) for count in counts], label=f"limit: {cpus} CPUs", **LIMIT)
    axes.set(xlabel="threads", ylabel="speed by that of one thread", title="Threads")


def plot_scale(part, title, kinds):
    def plot(result, axes):
        line_plot(axes, result, [(None, rf"scale\.{part}\.{kind}\.(\d+)") for kind in kinds], time_ns)
        if "trip" in kinds:
            draw_limit(axes, result, "machine.descriptor")
        axes.set(xscale="log", yscale="log", xlabel="streams" if part in ("parked", "turns") else part, ylabel="ns",
                 title=title)
    return plot


def plot_nodes(result, axes):
    kinds = ("capture", "make", "replay")
    line_plot(axes, result, [(None, rf"scale\.graphs\.{kind}\.(\d+)") for kind in kinds], each_ns)
    axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel="ns a node",
             title="Graphs of up to a million nodes")


def plot_memory(result, axes):
    for part in ("streams", "clients", "events", "buffers", "devices", "graphs"):
        points = [pair for kind in ("life", "query", "trip", "make")
                  for pair in by_size(result, rf"scale\.{part}\.{kind}\.(\d+)")
                  if "object_bytes" in pair[1]]
        if points:
            axes.plot([size for size, _ in points], [one["object_bytes"] for _, one in points],
                      marker="o", label=part)
    axes.set(xscale="log", yscale="log", xlabel="objects", ylabel="bytes each",
             title="Memory of objects, one round")


# File -> the group that it belongs to, and what draws it.
PLOTS = {
    "trips": ("task", plot_trips),
    "graphs": ("replay", plot_graphs),
    "copies": ("copy", plot_copies),
    "threads": ("threads", plot_threads),
    "streams": ("scale.streams", plot_scale("streams", "One of many streams",
                                            ("submit", "record", "wait", "query", "trip", "life", "buffer"))),
    "parked": ("scale.parked", plot_scale("parked", "One of many streams, the others parked",
                                          ("submit", "record", "wait", "query", "trip", "buffer"))),
    "turns": ("scale.turns", plot_scale("turns", "Many streams by turns", ("submit", "trip", "lines"))),
    "clients": ("scale.clients", plot_scale("clients", "Many clients", ("submit", "trip", "query", "together"))),
    "events": ("scale.events", plot_scale("events", "One of many events",
                                          ("record", "query", "wait", "synchronize", "life"))),
    "buffers": ("scale.buffers", plot_scale("buffers", "Many buffers", ("life", "large"))),
    "devices": ("scale.devices", plot_scale("devices", "One of many devices", ("submit", "trip"))),
    "nodes": ("scale.graphs", plot_nodes),
    "memory": ("scale", plot_memory),
}


# How to read the marks of a plot.
POINTS = "points: medians of all rounds\nbars: the smallest and the largest round"
MARKS = {"trips": "thick: all rounds together\nthin: a round", "memory": None}


def name_numbers(axis):
    """1,000 and 10 M in place of powers of ten. Between the powers only where few of them are on the axis."""
    low, high = axis.get_view_interval()
    firsts = "1" if high > 100 * low else "125" if high > 10 * low else "123456789"

    def name(value, _):
        if f"{value:.0e}"[0] not in firsts:
            return ""
        return f"{value / 1e6:,.0f} M" if value >= 1e6 else f"{value:,.0f}" if value >= 1 else f"{value:g}"
    axis.set_major_formatter(name)
    axis.set_minor_formatter(name)


def save(figure, axes, path, marks=None):
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            name_numbers(axis)
    axes.grid(True, alpha=0.3)
    handles, _ = axes.get_legend_handles_labels()
    if handles:
        # Beside the plot, where it hides no line.
        axes.legend(title=marks, title_fontsize=8, alignment="left", fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)


def draw(result, folder):
    """Draws the plots of what was measured. Return: group's beginning -> names of files."""
    names = {}
    measured = {figures.group_of(measure["key"]) for measure in result["measures"]}
    for name, (group, plot) in PLOTS.items() if plt else ():
        if figures.GROUPS[group] not in measured:
            continue
        figure, axes = plt.subplots(figsize=(8, 5))
        plot(result, axes)
        save(figure, axes, os.path.join(folder, f"{name}.svg"), MARKS.get(name, POINTS))
        names.setdefault(figures.GROUPS[group], []).append(f"{name}.svg")
    return names


# Measures that an overview names, those that changed most, and letters in a line of a name.
NAMED = 16
NAME_LETTERS = 44

COLOURS = {"better": "#2a7d3f", "WORSE": "#b3261e", "": "#777777"}


def draw_key(axes):
    for verdict, text in (("better", "better"), ("WORSE", "worse"), ("", "ranges touch: not known to have changed")):
        axes.plot([], [], "o", color=COLOURS[verdict], label=text)


def change(row):
    """How far the medians are from each other, whichever is larger."""
    return max(row[3]["median"], 1 / row[3]["median"])


def draw_overview(rows, path):
    """One screen for any number of measures: on the left a line for each group with a point for each of its measures and
    how many changed, on the right the measures that changed most. What is better stands right of the dashed line.
    @rows: group, title, verdict, and how many times as good as before"""
    groups = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row)
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 7), gridspec_kw={"wspace": 0.95})
    names = []
    for place, (group, found) in enumerate(groups.items()):
        count = {verdict: sum(row[2] == verdict for row in found) for verdict in COLOURS}
        names.append(f"{group}: {len(found)}, {count['better']} better, {count['WORSE']} worse")
        for verdict, colour in COLOURS.items():
            points = [row[3]["median"] for row in found if row[2] == verdict]
            left.plot(points, [place + {"better": -0.2, "WORSE": 0.2, "": 0}[verdict]] * len(points), "o", color=colour,
                      markersize=5, alpha=0.6)
    left.axvline(1, **LIMIT)
    left.set(xscale="log", xlabel="times as good as before", title="All measures, by groups", yticks=range(len(names)),
             ylim=(len(names) - 0.5, -0.5))
    left.set_yticklabels(names, fontsize=9)
    left.grid(True, alpha=0.3)
    name_times(left)
    changed = sorted((row for row in rows if row[2]), key=change, reverse=True)
    # Whole names, and none that reaches into the left part.
    draw_rows(right, [(textwrap.fill(row[1], NAME_LETTERS), *row[2:]) for row in changed[:NAMED]], 9)
    right.set_xlabel("times as good as before")
    name_times(right)
    right.set_title(f"The {min(NAMED, len(changed))} of {len(changed)} changed measures that changed most" if changed else
                    "No measure is known to have changed")
    figure.suptitle("New and old result: times, or the ratios where a measure has one. Right of the dashed line is better")
    draw_key(left)
    left.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=3)
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)


def name_times(axes):
    """0.5, 1 and 2 in place of powers of ten; the others would stand in each other's way."""
    for which in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        which(lambda value, _: f"{value:.2g}" if f"{value:.0e}"[0] in "1235" else "")


def draw_rows(axes, rows, size):
    for place, (_, verdict, quotient) in enumerate(rows):
        axes.errorbar([quotient["median"]], [place], xerr=bars([quotient]), fmt="o", markersize=4, capsize=2,
                      color=COLOURS[verdict])
    axes.axvline(1, **LIMIT)
    axes.set(xscale="log", xlabel="new by old", yticks=range(len(rows)), ylim=(len(rows) - 0.5, -0.5))
    axes.set_yticklabels([title for title, _, _ in rows], fontsize=size)
    axes.grid(True, alpha=0.3)


def draw_comparison(rows, path):
    """A line for each measure from the smallest to the largest quotient of rounds, and a point at that of the medians.
    @rows: title, verdict, and new by old as median, min, max"""
    figure, axes = plt.subplots(figsize=(9, 1.2 + 0.22 * len(rows)))
    draw_rows(axes, rows, 7)
    draw_key(axes)
    axes.set_title("New by old: times, or the ratios where a measure has one")
    save(figure, axes, path)
