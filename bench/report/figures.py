# SPDX-License-Identifier: MIT
"""What the figures of a result are: groups, units, the base of each ratio, headlines, and the table in CSV."""
import csv

# Beginning of the key -> heading, and what the rows have in common. The longest beginning counts.
GROUPS = {
    "machine": ("Limits of the machine", "What two CPUs and the kernel need for the same. Nothing here is unpu."),
    "task": ("Tasks", "A task is a fill of 32 bytes: the device fetches, checks and executes it."),
    "event": ("Events", "Records, queries and waits, and hops between two streams."),
    "copy": ("Copies", "Beside memcpy() by one thread, or by two, of the same size."),
    "replay": ("Graphs", "A captured graph is launched again, and waited for."),
    "capture": ("Captures", "What the capture of a graph costs the program."),
    "threads": ("Threads", "The same call by several threads at once, by the speed of one."),
    "idle": ("Idle devices", "CPU time within a second without work, and the first task after it."),
    "call": ("Calls of operators", "The program's part of an operator: both phases, tensors."),
    "product": ("Products of matrices", "By the speed of the fastest other library or loop of the same round."),
    "element": ("Element-wise operators", "By the speed of the fastest other library or loop of the same round."),
    "row": ("Operators along rows", "By the speed of the fastest other library or loop of the same round."),
    "window": ("Operators with windows", "By the speed of the fastest other library or loop of the same round."),
    "decoder": ("Decoder", "A step of a small transformer, eager and captured."),
    "start": ("Start", "A program's start and end."),
    "scale.streams": ("Many streams", "One of many streams; the others are idle."),
    "scale.parked": ("Many parked streams", "One of many streams; the others wait."),
    "scale.turns": ("Streams by turns", "All of many streams, one after the other."),
    "scale.clients": ("Many processes", "One of many clients of a firmware in a process of its own."),
    "scale.events": ("Many events", "One of many events."),
    "scale.buffers": ("Many buffers", "Beside many allocations."),
    "scale.devices": ("Many devices", "One of many devices."),
    "scale.graphs": ("Large graphs", "Captures, models and replays of up to a million nodes."),
    "scale": ("Other rows of many objects", "First writes to memory, and round trips beside large copies."),
    "peer": ("Peers", "What other libraries need for the same, on this machine, in the same rounds."),
}
OTHERS = ("Other rows", "")

# What stands on top: text, key, and keys of what it is compared with: limits of the machine, then peers.
HEADLINES = (
    ("submit a task", "task.submit", ("peer.pocl_basic.submit", "peer.lavapipe.submit")),
    ("run a task and wait for it", "task.trip.caller runs", ("peer.tbb_task_group.trip", "peer.pocl_basic.trip")),
    ("the same, with the device on another CPU", "task.trip.spinning", ("machine.descriptor", "peer.pocl_threads.trip")),
    ("replay a graph of 1000 additions", "replay.add.1000", ("peer.calls.add", "peer.tbb.chain.add")),
    ("copy 64 MiB from pinned memory to the device", "copy.pinned_to_device.67108864",
     ("copy.two_threads.67108864", "copy.memcpy.67108864")),
    ("first task after an idle second", "idle.first_task", ("idle.futex",)),
)

NS_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns"))
BYTE_UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "bytes"))


def digits(value):
    """Three of them that count."""
    if value == 0:
        return "0"
    places = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{places}f}"


def with_unit(value, units):
    scale, unit = next((pair for pair in units if value >= pair[0]), units[-1])
    return f"{digits(value / scale)} {unit}"


def time_text(value_ns):
    return with_unit(value_ns, NS_UNITS)


def bytes_text(value):
    return with_unit(value, BYTE_UNITS)


def group_of(key):
    parts = key.split(".")
    for count in range(len(parts), 0, -1):
        found = GROUPS.get(".".join(parts[:count]))
        if found:
            return found
    return OTHERS


def by_group(result):
    """Return: heading and note -> measures. Groups are in the order of the table above."""
    groups = {group: [] for group in (*GROUPS.values(), OTHERS)}
    for measure in result["measures"]:
        groups[group_of(measure["key"])].append(measure)
    return {group: measures for group, measures in groups.items() if measures}


def by_key(result):
    return {measure["key"]: measure for measure in result["measures"]}


def base_of(measure, measures):
    """What the ratio of a measure says: "time by that of: TITLE"; "" without a ratio, or for a base itself."""
    ratio = measure.get("ratio")
    if not ratio or ratio["to"] == measure["key"]:
        return ""
    base = measures.get(ratio["to"])
    name = base["title"] if base else ratio["to"]
    return f"{ratio['of']} by that of: {name.removesuffix(' (base)')}"


def each_ns(measure):
    return measure["time_ns"]["median"] / measure.get("items", 1)


def rate(measure):
    """GB/s, or None."""
    return measure["bytes"] / measure["time_ns"]["median"] if "bytes" in measure else None


def headlines(result):
    """(text, measure, those it is compared with) of each that was measured."""
    measures = by_key(result)
    for text, key, others in HEADLINES:
        if key in measures:
            yield text, measures[key], [measures[other] for other in others if other in measures]


CSV_HEAD = ("group", "key", "title", "median_ns", "min_ns", "max_ns", "p99_ns", "items", "each_ns", "bytes", "gb_per_s",
            "ratio", "ratio_min", "ratio_max", "ratio_of", "ratio_to", "object_bytes", "wakes", "rounds")


def csv_row(measure):
    time, ratio = measure["time_ns"], measure.get("ratio", {})
    return (group_of(measure["key"])[0], measure["key"], measure["title"], time["median"], time["min"], time["max"],
            measure["p99_ns"], measure.get("items", 1), each_ns(measure), measure.get("bytes", ""),
            "" if rate(measure) is None else rate(measure), ratio.get("median", ""), ratio.get("min", ""),
            ratio.get("max", ""), ratio.get("of", ""), ratio.get("to", ""), measure.get("object_bytes", ""),
            measure.get("wakes", ""), measure["rounds"])


def write_csv(result, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(CSV_HEAD)
        writer.writerows(csv_row(measure) for measure in result["measures"])


def busy_text(result):
    """A sentence when other programs used the machine, or ""."""
    busy = result.get("busy")
    if not busy or not busy["is_busy"]:
        return ""
    others = round(busy["others_percent"])
    said = f"other programs used up to {others} % of its {busy['cpus']} CPUs between the rounds, and " if others else ""
    return (f"The machine was busy: {said}the load of its {busy['cpus']} CPUs was {busy['load_average']:.1f} at the start. "
            "Times are worse than the machine could do; ratios, which are taken inside a round, are worth more.")
