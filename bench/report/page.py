# SPDX-License-Identifier: MIT
"""A result for people: a table for the terminal, and a page with headlines, groups and plots."""
import html
import os

from report import figures, plots

HEAD = ("what", "time", "over the rounds", "p99", "each", "GB/s", "ratio", "of what", "bytes each", "wake-ups")
HINTS = {
    "time": "median over the rounds",
    "over the rounds": "the smallest and the largest round",
    "p99": "99th percentile of single operations, median over the rounds",
    "each": "time of one of the parts, as the nodes of a graph",
    "ratio": "median over the rounds, with the smallest and the largest",
}
STYLE = """
body { font-family: sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; line-height: 1.4 }
.wide { overflow-x: auto } table { border-collapse: collapse } td, th { padding: 0.15em 0.7em; text-align: left }
th { border-bottom: 1px solid #888 } tr:nth-child(even) td { background: #f2f2f2 } td.number { text-align: right;
white-space: nowrap } img { max-width: 100% } .busy { background: #fde7c8; border: 1px solid #c77700; padding: 0.7em }
.figures { display: flex; flex-wrap: wrap; gap: 1em } .figure { border: 1px solid #bbb; border-radius: 6px;
padding: 0.7em 1em; min-width: 15em; flex: 1 } .figure b { display: block; font-size: 1.8em }
.figure small { color: #444; display: block } pre { overflow-x: auto; background: #f2f2f2; padding: 0.7em }
"""


def columns(measure, measures):
    time, each, gigabytes, ratio = measure["time_ns"], "", "", ""
    if measure.get("items", 1) > 1:
        each = figures.time_text(figures.each_ns(measure))
    if figures.rate(measure) is not None:
        gigabytes = f"{figures.rate(measure):.2f}"
    base = figures.base_of(measure, measures)
    if base:
        found = measure["ratio"]
        ratio = f"{figures.digits(found['median'])} [{figures.digits(found['min'])} .. {figures.digits(found['max'])}]"
    return [measure["title"], figures.time_text(time["median"]),
            f"[{figures.time_text(time['min'])} .. {figures.time_text(time['max'])}]",
            figures.time_text(measure["p99_ns"]), each, gigabytes, ratio, base,
            figures.bytes_text(measure["object_bytes"]) if "object_bytes" in measure else "",
            f"{measure['wakes']:.0f}" if "wakes" in measure else ""]


def compared(measure, others):
    """What a headline is compared with."""
    for other in others if measure["time_ns"]["median"] else ():
        times = other["time_ns"]["median"] / measure["time_ns"]["median"]
        title = other["title"].removesuffix(" (base)")
        yield f"{title}: {figures.time_text(other['time_ns']['median'])}, {figures.digits(times)} times as long"


def table(result):
    """Return: the text for a terminal."""
    measures = figures.by_key(result)
    lines = [figures.busy_text(result), ""] if figures.busy_text(result) else []
    for text, measure, others in figures.headlines(result):
        lines.append(f"{text}: {figures.time_text(measure['time_ns']['median'])}")
        lines += [f"    {other}" for other in compared(measure, others)]
    for (heading, _), found in figures.by_group(result).items():
        rows = [[heading, *HEAD[1:]]] + [columns(measure, measures) for measure in found]
        used = [i for i in range(len(HEAD)) if any(row[i] for row in rows[1:])]
        widths = {i: max(len(row[i]) for row in rows) for i in used}
        lines.append("")
        lines += ["  ".join(row[i].ljust(widths[i]) for i in used).rstrip() for row in rows]
    lines += [""] + [f"peer {name}: {state}" for name, state in result["peers"].items() if state != "found"]
    return "\n".join(lines + result.get("notes", []) + result["trouble"])


def rows_of(pairs):
    return "".join(f"<tr><td>{html.escape(str(name))}<td>{html.escape(str(value))}"
                   for name, value in pairs)


def headlines(result):
    boxes = ""
    for text, measure, others in figures.headlines(result):
        small = "".join(f"<small>{html.escape(other)}</small>" for other in compared(measure, others))
        time = measure["time_ns"]
        spread = f"[{figures.time_text(time['min'])} .. {figures.time_text(time['max'])}]"
        boxes += (f'<div class="figure">{html.escape(text)}<b>{figures.time_text(time["median"])}</b>'
                  f"<small>{html.escape(spread)}</small>{small}</div>")
    return f'<div class="figures">{boxes}</div>' if boxes else ""


def group(heading, note, found, measures, images):
    """A heading, the plots, and a table with the columns that its measures have."""
    rows = [columns(measure, measures) for measure in found]
    used = [i for i in range(len(HEAD)) if any(row[i] for row in rows)]
    head = "".join(f'<th title="{HINTS.get(HEAD[i], "")}">{HEAD[i]}' for i in used)
    body = ""
    for row in rows:
        kinds = ("" if HEAD[i] in ("what", "of what") else ' class="number"' for i in used)
        body += "<tr>" + "".join(f"<td{kind}>{html.escape(row[i])}" for kind, i in zip(kinds, used))
    pictures = "".join(f'<p><img src="{name}" alt="plot of {html.escape(heading)}">' for name in images)
    return (f"<h2>{html.escape(heading)}</h2><p>{html.escape(note)}{pictures}"
            f'<div class="wide"><table><tr>{head}{body}</table></div>')


def write(result, folder):
    """Writes the page, its plots and the table in CSV. Return: the page's path."""
    measures = figures.by_key(result)
    images = plots.draw(result, folder)
    figures.write_csv(result, os.path.join(folder, "result.csv"))
    groups = "".join(group(*names, found, measures, images.get(names, ()))
                     for names, found in figures.by_group(result).items())
    busy = figures.busy_text(result)
    warning = f'<p class="busy">{html.escape(busy)}' if busy else ""
    no_plots = "" if plots.plt else "<p>There are no plots: no python3 with matplotlib was found."
    page = f"""<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>unpu: what calls cost</title>
<style>{STYLE}</style>
<h1>What calls cost</h1>{warning}
<p>{result['date']}, {result['rounds']} rounds{', quick' if result['quick'] else ''}, {html.escape(str(
    result['host'].get('cpu', 'an unknown CPU')))}, {result['host'].get('cpus', '?')} CPUs. Times are medians over the
rounds, with the smallest and the largest in brackets; bars in plots are the same. A ratio is taken inside each round, to
what stands beside it. Dashed lines are limits of the machine. <a href="result.csv">The same as CSV</a>.
{headlines(result)}{no_plots}
{groups}
<h2>Which peers were found</h2><table>{rows_of(result['peers'].items())}</table>
<h2>Host</h2><table>{rows_of(result['host'].items())}{rows_of(result['versions'].items())}</table>
<h2>Commands</h2><pre>{html.escape(chr(10).join(result['commands']))}</pre>
<p>{html.escape(' '.join(result.get('notes', []) + result['trouble']))}
</html>
"""
    path = os.path.join(folder, "report.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    return path
