# SPDX-License-Identifier: MIT
"""A result for people: a table, and a page with plots where matplotlib is found."""
import html
import os
import re

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

# Round trips that stand beside each other in the histogram.
TRIPS = ("task.trip.spinning", "task.trip.caller runs", "task.trip.device in a process",
         "peer.condition_variable.trip", "peer.tbb_arena.trip", "peer.pocl_basic.trip",
         "peer.pocl_threads.trip", "peer.zeromq.trip", "peer.lavapipe.trip")


def short(value):
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def columns(measure):
    time, each, rate, ratio = measure["time_ns"], "", "", ""
    if measure.get("items", 1) > 1:
        each = f"{time['median'] / measure['items']:.1f}"
    if "bytes" in measure:
        rate = f"{measure['bytes'] / time['median']:.2f}"
    if "ratio" in measure:
        found = measure["ratio"]
        ratio = f"{found['median']:.3f} [{found['min']:.3f} .. {found['max']:.3f}]"
    return [measure["title"], short(time["median"]),
            f"[{short(time['min'])} .. {short(time['max'])}]", short(measure["p99_ns"]), ratio,
            each, rate, short(measure["object_bytes"]) if "object_bytes" in measure else "",
            f"{measure['wakes']:.0f}" if "wakes" in measure else ""]


HEAD = ["what", "ns", "over rounds", "p99", "ratio", "ns each", "GB/s", "bytes each",
        "wake-ups"]


def table(result):
    rows = [HEAD] + [columns(measure) for measure in result["measures"]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
             for row in rows]
    lines += [f"peer {name}: {state}" for name, state in result["peers"].items()
              if state != "found"]
    return "\n".join(lines + result["trouble"])


def by_size(result, pattern):
    """(size, measure) of each key that the pattern matches, ordered."""
    found = []
    for measure in result["measures"]:
        match = re.fullmatch(pattern, measure["key"])
        if match:
            found.append((int(match.group(1)), measure))
    return sorted(found, key=lambda pair: pair[0])


def line_plot(axes, result, series, value):
    for label, pattern in series:
        points = by_size(result, pattern)
        if points:
            axes.plot([size for size, _ in points], [value(size, one) for size, one in points],
                      marker="o", label=label)


def plot_trips(result, axes):
    for measure in result["measures"]:
        samples = [one for sample in measure["samples"] for one in sample["singles_ns"]]
        if measure["key"] not in TRIPS or not samples:
            continue
        samples.sort()
        shares = [i / len(samples) for i in range(len(samples))]
        axes.plot(samples, shares, label=measure["title"])
    axes.set(xscale="log", xlabel="ns, a reading of the clock included", ylabel="share of trips",
             title="Round trips")


def each_node(_, measure):
    return measure["time_ns"]["median"] / measure.get("items", 1)


def plot_graphs(result, axes):
    kinds = ("nothing", "memset", "add")
    line_plot(axes, result, [(f"replay, {kind}", rf"replay\.{kind}\.(\d+)") for kind in kinds],
              each_node)
    for measure in result["measures"]:
        if re.match(r"peer\.(tbb|taskflow|calls)\..*chain", measure["key"]):
            axes.plot([measure.get("items", 1)], [each_node(0, measure)], "x",
                      label=measure["title"])
    axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel="ns a node",
             title="Cost against graph size")


def plot_copies(result, axes):
    def rate(_, measure):
        return measure["bytes"] / measure["time_ns"]["median"]
    kinds = sorted({re.sub(r"\.\d+$", "", measure["key"]) for measure in result["measures"]
                    if re.fullmatch(r"copy\..*\.\d+", measure["key"])})
    line_plot(axes, result, [(kind, re.escape(kind) + r"\.(\d+)") for kind in kinds], rate)
    axes.set(xscale="log", xlabel="bytes", ylabel="GB/s", title="Bandwidth against copy size")


def plot_threads(result, axes):
    def speed(_, measure):
        return measure["ratio"]["median"] if "ratio" in measure else 1
    kinds = ("record", "query", "create", "task")
    line_plot(axes, result, [(kind, rf"threads\.{kind}\.(\d+)") for kind in kinds], speed)
    axes.set(xlabel="threads", ylabel="speed by that of one", title="Threads")


def median(_, measure):
    return measure["time_ns"]["median"]


def plot_scale(part, title, kinds):
    def plot(result, axes):
        line_plot(axes, result, [(kind, rf"scale\.{part}\.{kind}\.(\d+)") for kind in kinds],
                  median)
        axes.set(xscale="log", yscale="log", xlabel=part, ylabel="ns", title=title)
    return plot


def plot_nodes(result, axes):
    kinds = ("capture", "make", "replay")
    line_plot(axes, result, [(kind, rf"scale\.graphs\.{kind}\.(\d+)") for kind in kinds],
              each_node)
    axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel="ns a node",
             title="Graphs of up to a million nodes")


def plot_memory(result, axes):
    parts = ("streams", "clients", "events", "buffers", "devices", "graphs")
    for part in parts:
        points = [pair for kind in ("life", "query", "trip", "make")
                  for pair in by_size(result, rf"scale\.{part}\.{kind}\.(\d+)")
                  if "object_bytes" in pair[1]]
        if points:
            axes.plot([size for size, _ in points], [one["object_bytes"] for _, one in points],
                      marker="o", label=part)
    axes.set(xscale="log", yscale="log", xlabel="objects", ylabel="bytes each",
             title="Memory of objects")


PLOTS = {"trips": plot_trips, "graphs": plot_graphs, "copies": plot_copies,
         "threads": plot_threads,
         "streams": plot_scale("streams", "One of many streams",
                               ("submit", "record", "wait", "query", "trip", "life", "buffer")),
         "parked": plot_scale("parked", "One of many streams, the others parked",
                              ("submit", "record", "wait", "query", "trip", "buffer")),
         "turns": plot_scale("turns", "Many streams by turns", ("submit", "trip", "lines")),
         "clients": plot_scale("clients", "Many clients", ("submit", "trip", "query", "together")),
         "events": plot_scale("events", "One of many events",
                              ("record", "query", "wait", "synchronize", "life")),
         "buffers": plot_scale("buffers", "Many buffers", ("life", "large")),
         "devices": plot_scale("devices", "One of many devices", ("submit", "trip")),
         "nodes": plot_nodes, "memory": plot_memory}


def draw(result, folder):
    names = []
    for name, plot in PLOTS.items() if plt else ():
        figure, axes = plt.subplots(figsize=(9, 5))
        plot(result, axes)
        axes.grid(True, alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize=8)
        figure.savefig(os.path.join(folder, f"{name}.svg"))
        plt.close(figure)
        names.append(f"{name}.svg")
    return names


def rows_of(pairs):
    return "".join(f"<tr><td>{html.escape(str(name))}<td>{html.escape(str(value))}"
                   for name, value in pairs)


def write(result, folder):
    """Writes the page. Return: its path."""
    figures = draw(result, folder)
    measures = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in columns(measure))
                       for measure in result["measures"])
    head = "".join(f"<th>{cell}" for cell in HEAD)
    images = "".join(f'<p><img src="{name}">' for name in figures)
    if not figures:
        images = "<p>There are no plots: python3-matplotlib was not found."
    commands = "\n".join(result["commands"])
    page = f"""<!doctype html><meta charset="utf-8"><title>unpu: latency</title>
<style>body {{ font-family: sans-serif; margin: 2em }} td, th {{ padding: 0 0.7em;
text-align: left }} tr:nth-child(even) {{ background: #f2f2f2 }}</style>
<h1>What calls cost</h1>
<p>{result['date']}, {result['rounds']} rounds{', quick' if result['quick'] else ''}. Medians over
the rounds, the smallest and the largest in brackets; ratios are taken inside each round.
{images}
<table><tr>{head}{measures}</table>
<h2>Peers</h2><table>{rows_of(result['peers'].items())}</table>
<h2>Host</h2><table>{rows_of(result['host'].items())}{rows_of(result['versions'].items())}</table>
<h2>Commands</h2><pre>{html.escape(commands)}</pre>
<p>{html.escape(' '.join(result['trouble']))}
"""
    path = os.path.join(folder, "report.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    return path
