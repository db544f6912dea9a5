#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_bench.py SOURCES: the report of bench/run.py and bench/compare.py. The programs that they start are small
scripts here, which write figures of their own."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

SOURCES = sys.argv[1]
sys.path.insert(0, os.path.join(SOURCES, "tests", "common"))

from expectations import expect, expect_in, expect_true, problems  # noqa: E402

RUN = os.path.join(SOURCES, "bench", "run.py")
COMPARE = os.path.join(SOURCES, "bench", "compare.py")
# Of a measure in an overview.
NAME = "an array of calls that stand behind each other and are made by turns"
NAMES = "latency, graph, scale, operators, peers, standard, tbb"

# A program of bench/: figures that grow with each call, so rounds differ.
PROGRAM = f"#!{sys.executable} -SB\n" + r"""
import json, os, sys
name = os.path.basename(sys.argv[0])
if name == "peers" and "--peer" not in sys.argv:
    print("tbb found\ntaskflow absent")
    sys.exit(0)
count_path = os.path.join(os.path.dirname(sys.argv[0]), name + ".count")
calls = int(open(count_path).read()) + 1 if os.path.exists(count_path) else 1
open(count_path, "w").write(str(calls))
measures = []
def add(key, title, ns, base=None, of="time", **more):
    ns = ns * (1 + calls / 10)
    sample = {"median_ns": ns, "p99_ns": 2 * ns, "batches_ns": [ns], "singles_ns": [ns, 1.5 * ns]}
    row = {"key": key, "title": title, "time_ns": {"median": ns, "min": ns, "max": ns}, "p99_ns": 2 * ns,
           "samples": [sample], **more}
    if base:
        row["ratio"] = {"median": 2.5, "min": 2.5, "max": 2.5, "to": base, "of": of}
    measures.append(row)
if name == "latency":
    print("bench: no copies of more than 64 MiB: a limit", file=sys.stderr)
    add("machine.descriptor", "descriptor there and back (base)", 500, "machine.descriptor")
    add("task.submit", "submit a task", 50, "machine.descriptor")
    add("task.trip.caller runs", "task, caller runs", 180, "machine.descriptor")
    for size in (4096, 67108864):
        add("copy.memcpy.%d" % size, "memcpy", size / 30, bytes=size)
        add("copy.pinned_to_device.%d" % size, "pinned", size / 20, "copy.memcpy.%d" % size, "speed", bytes=size)
elif name == "graph":
    add("replay.add.1000", "replay of 1000", 4000, "machine.descriptor", items=1000)
    add("peer.calls.add", "array of calls", 3000, items=1000)
elif name == "peers":
    add("peer.tbb_task_group.trip", "task_group <&>", 60, "machine.descriptor")
else:
    add("scale.streams.trip.1", "a task on one of so many streams, 1", 200, object_bytes=5000)
json.dump({"host": {"cpu": "a CPU", "cpus": 2}, "measures": measures}, open(sys.argv[sys.argv.index("--json") + 1], "w"))
"""


def make_build(folder):
    bench = os.path.join(folder, "bench")
    os.makedirs(bench)
    for name in ("latency", "graph", "scale", "operators", "peers"):
        path = os.path.join(bench, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        os.chmod(path, 0o755)
    return folder


def run(script, *words, plots=False):
    """By a python3 that finds no matplotlib: -S leaves its packages out.
    @plots: another one may take over. Else the script is told that one has, as plots take seconds."""
    environment = dict(os.environ) if plots else dict(os.environ, UNPU_BENCH_PYTHON="told")
    return subprocess.run([sys.executable, "-S", "-B", script, *words], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=300)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def system_plots():
    return subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def check_whole(build, out):
    """All parts, three rounds, while other programs use each CPU."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    try:
        done = run(RUN, "--build", build, "--rounds", "3", "--out", out, plots=True)
    finally:
        for other in others:
            other.kill()
            other.wait()
    expect("a run ends with", done.returncode, 0)
    expect_in("the warning of a busy machine", done.stderr, "warning: the machine is busy: other programs use")
    result = json.loads(read(out, "result.json"))
    expect("it says so", (result["busy"]["is_busy"], result["rounds"]), (True, 3))
    expect_in("the table", done.stdout, "bench: no copies of more than 64 MiB: a limit\n", "The machine was busy", "submit a task: 60.0 ns", "Limits of the machine", "Copies",
              "time by that of: descriptor there and back", "speed by that of: memcpy", "[55.0 ns .. 65.0 ns]", "4.88 KiB",
              "array of calls: 3.60 us, 0.750 times as long", "peer taskflow: absent")
    page = read(out, "report.html")
    expect_in("the page", page, '<p class="busy">The machine was busy', '<div class="figure">submit a task<b>60.0 ns</b>',
              "<h2>Tasks</h2>", "<h2>Peers</h2>", "task_group &lt;&amp;&gt;", 'href="result.csv"',
              "time by that of: descriptor there and back<")
    expect_true("the base has no ratio to itself", page.count("[2.50 .. 2.50]") == 6)
    rows = {row["key"]: row for row in csv.DictReader(read(out, "result.csv").splitlines())}
    expect("rows of the CSV", len(rows), len(result["measures"]))
    row = rows["copy.pinned_to_device.4096"]
    expect("a row of the CSV", (row["group"], row["ratio_of"], row["ratio_to"], row["rounds"]),
           ("Copies", "speed", "copy.memcpy.4096", "3"))
    expect_true("its rate", abs(float(row["gb_per_s"]) - 20 / 1.2) < 0.01)
    check_plots(out, page)


def check_plots(out, page):
    if not system_plots():
        expect_in("a page without plots", page, "no python3 with matplotlib was found")
        print("plots were not tried: /usr/bin/python3 has no matplotlib")
        return
    for name in ("trips", "copies", "graphs", "streams"):
        expect_in("the page", page, f'<img src="{name}.svg"')
    expect_true("no plot of what was not measured", not os.path.exists(os.path.join(out, "threads.svg")))
    # The spread over the rounds is drawn as lines; texts are in comments beside their outlines.
    for name, limit in (("copies", "limit: memcpy() by one thread"), ("trips", "limit: descriptor there and back"),
                        ("graphs", "limit: array of calls"), ("streams", "limit: descriptor there and back")):
        drawn = read(out, f"{name}.svg")
        expect_true(f"{name}: {limit}", limit in drawn)
        expect_true(f"{name}: the spread", "LineCollection" in drawn or name == "trips")
        expect_true(f"{name}: how to read it", ("thin: a round" if name == "trips" else "bars: the smallest") in drawn)
    expect_true("numbers of an axis in words", "<!-- 10 M -->" in read(out, "copies.svg"))
    expect_true("a series has the words of its measures", "<!-- a task on one of so many streams -->" in read(out, "streams.svg"))


def check_redraw(out, folder):
    """A page again, elsewhere, of a machine that was not busy."""
    result = json.loads(read(out, "result.json"))
    result["busy"]["is_busy"] = False
    path = os.path.join(folder, "quiet.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
    again = os.path.join(folder, "again")
    done = run(RUN, "--redraw", path, "--out", again)
    expect("a redraw ends with", (done.returncode, done.stderr), (0, ""))
    page = read(again, "report.html")
    expect_true("no warning of a quiet machine", "busy" not in page.partition("</style>")[2] + done.stdout)
    expect("the same CSV", read(again, "result.csv"), read(out, "result.csv"))
    result["busy"].update(is_busy=True, others_percent=0)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
    expect_true("no other programs that used 0 %", "other programs" not in run(RUN, "--redraw", path, "--out", again).stdout)
    del result["busy"]  # as results of before
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
    expect("a redraw of an older result", run(RUN, "--redraw", path).returncode, 0)
    check_redraw_beside(out, folder)
    del result["measures"][0]["samples"]
    for text, sentence in (("[]", "the whole is not an object"), ("{", "it is no JSON from line 1, column 2"),
                           ('{"measures": []}', "date is missing"), (json.dumps({**result, "rounds": "3"}), "rounds is not a whole"),
                           (json.dumps(result), "measure machine.descriptor: samples is missing")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = run(RUN, "--redraw", path)
        expect(f"no result: {sentence}", (done.returncode, len(done.stderr.splitlines())), (1, 1))
        expect_in("no result", done.stderr, f"run.py: {path} is no result of run.py: {sentence}")


def check_redraw_beside(out, folder):
    """A page again, and a comparison with another result."""
    path, again = os.path.join(out, "result.json"), os.path.join(folder, "beside")
    done = run(RUN, "--redraw", path, "--out", again, "--compare", path)
    expect("a redraw with a comparison", done.returncode, 0)
    expect_in("a redraw with a comparison", done.stdout, "report.html", "new/old")
    result = json.loads(read(path))
    for measure in result["measures"]:
        measure["time_ns"] = dict.fromkeys(("median", "min", "max"), 1)
    faster = os.path.join(folder, "faster.json")
    with open(faster, "w", encoding="utf-8") as file:
        json.dump(result, file)
    expect("a redraw beside a better result", run(RUN, "--redraw", path, "--out", again, "--compare", faster).returncode, 1)


def check_only(build, folder):
    out = os.path.join(folder, "only")
    for parts, keys in ((("latency",), {"machine", "task", "copy"}), (("tbb",), {"peer"}),
                        (("peers", "scale"), {"peer", "scale"})):
        words = [word for part in parts for word in ("--only", part)]
        done = run(RUN, "--build", build, "--rounds", "1", "--out", out, *words)
        expect(f"--only {parts} ends with", done.returncode, 0)
        found = {measure["key"].partition(".")[0] for measure in json.loads(read(out, "result.json"))["measures"]}
        expect(f"--only {parts}", found, keys)
    done = run(RUN, "--build", build, "--rounds", "1", "--out", out, "--only", "nonsense")
    expect("a part that is none", done.returncode, 2)
    expect_in("a part that is none", done.stderr, f"nonsense: there are {NAMES}")
    done = run(RUN, "--build", build, "--rounds", "1", "--out", out, "--only", "taskflow")
    expect("a peer that was not found", done.returncode, 1)
    expect_in("a peer that was not found", done.stderr, "run.py: --only taskflow: this build does not have that peer")
    known = re.findall(r'^\s*\{"([a-z-]+)", ', read(SOURCES, "bench", "peers.cpp"), re.M)
    told = run(RUN, "--build", build, "--parse", "--only", "nonsense").stderr
    expect_in("the peers that run.py knows", told, f"operators, peers, {', '.join(dict.fromkeys(known))}\n")


def check_mistakes(build, folder):
    for words, sentence in ((("--build", build, "--rounds", "2"), "a number of rounds is odd"),
                            (("--build", build, "--rounds", "0"), "a number of rounds is odd"), ((), "--redraw is needed"),
                            (("--build", build, "--rounds", "x"), "x is not a number of rounds")):
        done = run(RUN, *words)
        expect(f"{words} ends with", done.returncode, 2)
        expect_in(f"{words}", done.stderr, sentence)
    nowhere = ("--compare", "/nowhere/at/all")
    for words in (("--build", folder), ("--build", build, "--out", "/dev/full"), ("--redraw", "/nowhere/at/all"),
                  ("--build", build, *nowhere), ("--build", build, "--parse", *nowhere)):
        done = run(RUN, *words, *(("--only", "graph", "--rounds", "1") if "--build" in words else ()))
        expect(f"{words} ends with", (done.returncode, len(done.stderr.splitlines())), (1, 1))
        expect_in(f"{words}", done.stderr, "run.py: ")
    out = os.path.join(folder, "broken")
    expect_true("nothing was measured before", not os.path.exists(out))
    for script, sentence in (("echo it broke >&2\nexit 3", "it broke"), ("true", "it wrote no measures")):
        write_script(os.path.join(build, "bench", "graph"), script)
        done = run(RUN, "--build", build, "--rounds", "1", "--out", out, "--only", "graph", "--only", "latency")
        expect("a program that fails", (done.returncode, done.stderr.count("Traceback")), (1, 0))
        expect_in("a program that fails", done.stdout, sentence)
    write_script(os.path.join(build, "bench", "peers"), "case $* in *--peer*) echo no memory >&2; exit 1;; esac; echo tbb found")
    for words, status in (((), 0), (("--only", "peers"), 0), (("--only", "tbb"), 1)):
        done = run(RUN, "--build", build, "--rounds", "1", "--out", out, "--only", "latency", *words)
        expect(f"a peer that can't run {words}", done.returncode, status)
        if words:
            expect_in(f"a peer that can't run {words}", done.stdout, "peer tbb: can't run here", "no memory")
    write_script(os.path.join(build, "bench", "peers"), "echo no such library >&2\nexit 127")
    done = run(RUN, "--build", build, "--rounds", "1", "--out", out)
    expect("peers that can't start", (done.returncode, len(done.stderr.splitlines())), (1, 1))
    expect_in("peers that can't start", done.stderr, "run.py: ", "bench/peers ended with 127: no such library")


def write_script(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, 0o755)


def check_others():
    """The other programs of bench/ tell what they can't find."""
    for words in (("networks.py", "/nowhere"), ("processes.py", "/nowhere"), ("sanitizer.py", "--build", "/nowhere"), ("plan/measure.py", "/nowhere", "/there"),
                  ("plan/measure.py", sys.executable, "/nowhere")):
        done = run(os.path.join(SOURCES, "bench", words[0]), *words[1:])
        expect(f"{words} ends with", (done.returncode, len(done.stderr.splitlines())), (1, 1))
        expect_in(f"{words}", done.stderr, f"{os.path.basename(words[0])}: ", "/nowhere")


def one_measure(**figures):
    """A result as text."""
    return '{"measures": [{"key": "a", "title": "a"' + "".join(f', "{name}": {text}' for name, text in figures.items()) + "}]}"


def check_incomparable(old, folder):
    """A ratio is not compared with a time, nor a result with one that has other measures."""
    new = os.path.join(folder, "incomparable.json")
    result = json.loads(read(old))
    del next(measure for measure in result["measures"] if measure["key"] == "task.submit")["ratio"]
    with open(new, "w", encoding="utf-8") as file:
        json.dump(result, file)
    for pair in ((old, new), (new, old)):
        done = run(COMPARE, *pair)
        line = next(line for line in done.stdout.splitlines() if line.startswith("submit a task"))
        expect_in("a ratio in one result only", line, "incomparable: ", "time by that of machine.descriptor", "no ratio")
        expect("a ratio in one result only", done.returncode, 1)
    for text in ('{"measures": []}', one_measure(time_ns='{"median": 1, "min": 1, "max": 1}')):
        with open(new, "w", encoding="utf-8") as file:
            file.write(text)
        done = run(COMPARE, old, new)
        expect("nothing in common", (done.returncode, len(done.stderr.splitlines())), (1, 1))
        expect_in("nothing in common", done.stderr, f"compare.py: {new} has no measure of {old}")
        before = read(old)
        done = run(COMPARE, old, new, "--store")
        expect("no ratio to keep", (done.returncode, read(old) == before), (1, True))
        expect_in("no ratio to keep", done.stderr, f"compare.py: {new} has no ratio to keep")


def check_compare(out, folder):
    result = json.loads(read(out, "result.json"))
    old, new = os.path.join(out, "result.json"), os.path.join(folder, "new.json")
    measures = {measure["key"]: measure for measure in result["measures"]}
    for value in ("median", "min", "max"):
        measures["peer.calls.add"]["time_ns"][value] *= 3
        measures["scale.streams.trip.1"]["time_ns"][value] /= 3
        measures["copy.pinned_to_device.4096"]["ratio"][value] *= 2
    with open(new, "w", encoding="utf-8") as file:
        json.dump(result, file)
    expect("a result beside itself", run(COMPARE, old, old).returncode, 0)
    done = run(COMPARE, old, new)
    expect("a worse result", done.returncode, 1)
    for title, verdict in (("array of calls", "WORSE"), ("a task on one of so many streams, 1", "better"), ("submit a task", "")):
        line = next(line for line in done.stdout.splitlines() if line.startswith(title))
        expect(f"what is said of {title}", line.endswith(verdict) and (verdict or line.split()[-1] == "1.00"), verdict or True)
    expect("the old result is not there", run(COMPARE, "/nowhere/at/all", new).returncode, 1)
    wrong = os.path.join(folder, "wrong.json")
    no_object, no_number = "the whole is not an object", "measure a: time_ns.median is not a finite number"
    for text, sentence in (("[]", no_object), ("null", no_object), ("{}", "measures is missing"),
                           ("a word", "it is no JSON from line 1, column 1"), ('{"measures": 5}', "measures is not a list"),
                           ('{"measures": [5]}', "measures[0] is not an object"),
                           ('{"measures": [{"key": "a"}]}', "measure a: title is missing"),
                           (one_measure(time_ns='{"median": "a", "min": 1, "max": 1}'), no_number),
                           (one_measure(time_ns='{"median": NaN, "min": 1, "max": 1}'), no_number),
                           (one_measure(time_ns='{"median": 1, "min": 1}'), "measure a: time_ns.max is missing"),
                           (one_measure(ratio='{"median": 1, "min": 1, "max": 1}'), "measure a: ratio.of is missing")):
        with open(wrong, "w", encoding="utf-8") as file:
            file.write(text)
        for pair in ((old, wrong), (wrong, new)):
            done = run(COMPARE, *pair)
            expect(f"no result: {text}", (done.returncode, len(done.stderr.splitlines())), (1, 1))
            expect_in(f"no result: {text}", done.stderr, f"compare.py: {wrong} is no result of run.py: {sentence}")
    check_baseline(old, new, folder)
    check_incomparable(old, folder)
    for name in ("picture.nonsense", "picture"):
        done = run(COMPARE, old, new, "--picture", os.path.join(folder, name))
        expect(f"--picture {name}", (done.returncode, done.stdout), (2, ""))
        expect_in(f"--picture {name}", done.stderr, "compare.py: ", f"{name} does not end with .svg, .png or .pdf")
    picture = os.path.join(folder, "comparison.svg")
    for path in (old, new):
        text = read(path).replace('"array of calls"', f'"{NAME}"')
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    done = run(COMPARE, old, new, "--picture", picture, plots=True)
    if not system_plots():
        expect_in("a picture without matplotlib", done.stderr, "python3-matplotlib")
        return
    expect("a comparison as a picture", done.returncode, 1)
    drawn = read(picture)
    expect_true("a long name has two lines", re.search("<!-- an array of calls that .* -->", drawn) and NAME not in drawn)
    for text in ("a task on one of so many streams, 1", "better", "worse", "times as good as before"):
        expect_true(f"the picture has {text}", f"<!-- {text} -->" in drawn)
    expect_true("the overview has what did not change", "not known to have changed" in drawn)
    expect_true("the overview has no name of what did not change", "<!-- submit a task -->" not in drawn)
    size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"|height="([\d.]+)pt"', drawn)
    height = float(size.group(2) or size.group(3))
    expect_true(f"the overview fits a screen: {height} pt", height < 800)
    expect("all measures as a picture", run(COMPARE, old, new, "--picture", picture, "--all", plots=True).returncode, 1)
    expect_true("it has what did not change, too", "<!-- submit a task -->" in read(picture))
    expect("--all without a picture", run(COMPARE, old, new, "--all").returncode, 2)


def check_baseline(old, new, folder):
    """The ratios of a result are kept, and compared like a result."""
    kept = os.path.join(folder, "kept.json")
    expect("a result is kept", run(COMPARE, kept, old, "--store").returncode, 0)
    expect_true("no time is kept", "time_ns" not in read(kept))
    expect("a result beside its own ratios", run(COMPARE, kept, old).returncode, 0)
    expect("a better result is kept", run(COMPARE, kept, new, "--store").returncode, 0)
    done = run(COMPARE, kept, old)
    expect("a result beside better ratios", done.returncode, 1)
    expect_in("a result beside better ratios", done.stdout, "WORSE")
    expect("a baseline that can't be written", run(COMPARE, "/nowhere/at/all", old, "--store").returncode, 1)


def check_script():
    """scripts/bench.sh tells wrong arguments, and helps, before it builds."""
    script = os.path.join(SOURCES, "scripts", "bench.sh")
    for words, status, sentence in ((("--help",), 0, "usage: run.py"), (("--rounds", "2"), 2, "a number of rounds is odd"),
                                    (("--nonsense",), 2, "--nonsense"), (("--rounds", "x"), 2, "x is not a number of rounds"),
                                    (("--only", "nonsense"), 2, f"nonsense: there are {NAMES}"),
                                    (("--compare", "/nowhere/at/all"), 1, "/nowhere/at/all"),
                                    (("--redraw", "/nowhere/at/all"), 1, "/nowhere/at/all")):
        done = subprocess.run([script, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=60)
        expect(f"bench.sh {words} ends with", done.returncode, status)
        expect_in(f"bench.sh {words}", done.stdout, sentence)
        expect_true(f"bench.sh {words} builds nothing", "building" not in done.stdout)


def main():
    check_script()
    check_others()
    with tempfile.TemporaryDirectory() as folder:
        build = make_build(os.path.join(folder, "build"))
        out = os.path.join(folder, "out")
        check_whole(build, out)
        check_redraw(out, folder)
        check_only(build, folder)
        check_compare(out, folder)
        check_mistakes(build, folder)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
