#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_trace.py TRACED UNPU_INFO: the files that UNPU_TRACE writes however a program ends, and
what unpu-info makes of several of them."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from picture import Picture, load, problems_of_schema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from expectations import expect, expect_true, problems  # noqa: E402

TRACED, INFO = sys.argv[1:]
MEMSET = "aclrtMemsetAsync"


def run(*command, trace=None, entries=None):
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("UNPU_TRACE")}
    if trace is not None:
        environment["UNPU_TRACE"] = trace
    # What the child of a fork has no mapping of seems to leak.
    if command[1] == "fork":
        environment["ASAN_OPTIONS"] = "detect_leaks=0"
    if entries is not None:
        environment["UNPU_TRACE_ENTRIES"] = str(entries)
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def check_schema():
    """That the check of the schema finds what is wrong."""
    row = {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "row"}}
    task = {"ph": "X", "name": "task", "pid": 1, "tid": 2, "ts": 1.0, "dur": 2.0}
    start = {"ph": "s", "name": "arrow", "cat": "unpu", "pid": 1, "tid": 2, "ts": 1.0, "id": "a"}
    finish = dict(start, ph="f", bp="e", ts=2.0)
    for events, count in (([row, task, dict(task, ts=3.0), dict(task, dur=1.0)], 0), ([row, start, finish], 0),
                          ([row, task, dict(task, ts=2.5)], 1), ([task], 1), ([row, start], 1),
                          ([row, start, dict(finish, ts=0.5)], 1), ([row, dict(task, ts="1")], 1),
                          ([row, dict(task, dur=-1)], 1), ([row, {"ph": "Q"}], 1), ([dict(row, pid=None)], 1)):
        found = problems_of_schema({"traceEvents": events})
        expect(f"the schema of {events}", len(found), count)
    expect("the schema of no trace", len(problems_of_schema([])), 1)


def check_picture(way, path):
    picture = Picture(path)
    expect(f"{way}: the schema", problems_of_schema(picture.file), [])
    expect(f"{way}: tasks of stream 0", len(picture.slices("stream 0", MEMSET)) >= 1, True)
    expect(f"{way}: tasks of stream 1", len(picture.slices("stream 1", MEMSET)), 1)
    expect(f"{way}: nodes", len(picture.slices("graph on stream 0, line 0", MEMSET)), 2)
    expect(f"{way}: launches", len(picture.slices("stream 0", "aclmdlRIExecuteAsync")), 1)
    expect(f"{way}: host functions", len(picture.slices("unpu-callback", "host function")), 1)
    expect(f"{way}: submits of the main thread", len(picture.slices("traced", MEMSET)) >= 2, True)
    expect(f"{way}: marks of stream 1", len(picture.slices("stream 1", "a mark")), 1)
    expect(f"{way}: moments and ranges", sorted(
        (event["ph"], event["args"]["category"]) for event in picture.events
        if event["name"] in ("a mark", "a range") and "category" in event.get("args", {})),
           [("b", "a domain"), ("i", "a domain")])
    expect(f"{way}: overwritten", picture.file["otherData"]["overwritten"], 0)
    expect(f"{way}: loose ends", picture.file["unpuLooseEnds"], {"from": [], "to": []})
    expect_true(f"{way}: an arrow to each stream",
                {("traced", "stream 0"), ("traced", "stream 1")} <= set(picture.between("submit")))
    expect(f"{way}: calls", picture.between("call")[:1], [("stream 0", "unpu-callback")])
    for name in ("submit", "done", "wake", "call"):
        for start, end in picture.arrows(name):
            expect_true(f"{way}: {name} leads backwards", start["ts"] <= end["ts"])
            expect_true(f"{way}: {name} begins beside its slice", picture.inside(start))
            expect_true(f"{way}: {name} ends beside its slice", picture.inside(end))
    return picture


def check_waits(picture):
    """Where the second stream had to wait, an arrow says for whom; where it had not, there is none."""
    parked = picture.slices("stream 1", "parked")
    expect("wakes", picture.between("wake"), [("stream 0", "stream 1")] * len(parked))


def check_ways(folder):
    for way in ("finalize", "exit", "busy", "thread", "late", "fork"):
        path = os.path.join(folder, f"{way}.json")
        done = run(TRACED, way, trace=path)
        expect(f"{way} ends with", (done.returncode, done.stderr), (0, ""))
        check_waits(check_picture(way, path))


def check_signals(folder):
    """A process that a signal ends leaves what it had done, in a whole file."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        path = os.path.join(folder, f"{number.name}.json")
        with subprocess.Popen([TRACED, "killed"], env=dict(os.environ, UNPU_TRACE=path)) as process:
            end = time.monotonic() + 600
            # The file of the first second may be without the last of the work, or its tasks may not have ended.
            while time.monotonic() < end and not has_tasks(path):
                time.sleep(0.05)
            process.send_signal(number)
            expect(f"{number.name} ends with", process.wait(timeout=60), -number)
        picture = Picture(path)
        expect(f"{number.name}: the schema", problems_of_schema(picture.file), [])
        expect(f"{number.name}: tasks", has_tasks(path), True)


def has_tasks(path):
    return os.path.exists(path) and len(Picture(path).slices("stream 0", MEMSET)) >= 1


def check_nowhere(folder):
    """One line says why there is no file, and nothing is left of it."""
    for path, why in ((os.path.join(folder, "no", "trace.json"), "No such file or directory"),
                      ("/dev/full", "No space left on device")):
        done = run(TRACED, "finalize", trace=path)
        expect(f"a trace into {path}: lines", (done.returncode, len(done.stderr.splitlines())), (0, 1))
        expect_true(f"a trace into {path}: {done.stderr}", f"file '{path}' can't be written: {why}" in done.stderr)


def check_names(folder):
    done = run(TRACED, "finalize", trace=os.path.join(folder, "of.%p.json"))
    expect("%p ends with", done.returncode, 0)
    names = [name for name in os.listdir(folder) if name.startswith("of.")]
    expect("files of %p", len(names), 1)
    pid = int(names[0].split(".")[1])
    expect_true("the file's process",
                str(pid) in load(os.path.join(folder, names[0]))["otherData"]["calls"])
    quiet = run(TRACED, "finalize")
    expect("without UNPU_TRACE", (quiet.returncode, quiet.stdout, quiet.stderr), (0, "", ""))
    limited = run(TRACED, "limit", trace=os.path.join(folder, "limit.json"))
    expect("a file past the limit ends with", limited.returncode, 0)
    expect_true("that is said", "limit.json' can't be written: File too large" in limited.stderr)
    loud = run(TRACED, "finalize", trace="/nowhere/at/all")
    expect("a file that can't be written ends with", loud.returncode, 0)
    expect_true("it is said", "/nowhere/at/all" in loud.stderr)


def check_overwritten(folder):
    path = os.path.join(folder, "small.json")
    expect("small ends with", run(TRACED, "busy", trace=path, entries=64).returncode, 0)
    picture = Picture(path)
    expect_true("overwritten entries are counted", picture.file["otherData"]["overwritten"] > 0)
    expect_true("and said", any("earlier entries were overwritten" in event["name"]
                                for event in picture.events))


def write(path, events, ends, other):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"traceEvents": events, "unpuLooseEnds": ends, "otherData": other}, file)


def row(pid, tid, name):
    return {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}}


def check_merge(folder):
    """A program's file and a firmware's, made by hand."""
    client, firmware, out = (os.path.join(folder, name) for name in ("c.json", "f.json", "m.json"))
    write(client, [row(5, 5, "main"),
                   {"ph": "X", "pid": 5, "tid": 5, "ts": 10.0, "dur": 1.0, "name": MEMSET}],
          {"from": [["s.1.2.3.4", 5, 5, 10.001]], "to": [["e.1.2.3.4", 5, 5, 10.9]]},
          {"calls": {"5": ["a task", "aclrtMemcpyAsync", MEMSET]}, "overwritten": 1,
           "version": "1"})
    write(firmware, [row(9, 9, "pid 5 stream 0"),
                     {"ph": "X", "pid": 9, "tid": 9, "ts": 10.2, "dur": 0.2, "name": "FILL",
                      "args": {"pid": 5, "call": 2}},
                     {"ph": "X", "pid": 9, "tid": 9, "ts": 10.5, "dur": 0.2, "name": "FILL",
                      "args": {"pid": 6, "call": 2}}],
          {"from": [["e.1.2.3.4", 9, 9, 10.3], ["e.1.2.3.5", 9, 9, 10.6]],
           "to": [["s.1.2.3.4", 9, 9, 10.2]]}, {"overwritten": 2, "version": "1"})
    done = run(INFO, "--merge-trace", client, firmware, "-o", out)
    expect("the merge ends with", (done.returncode, done.stderr), (0, ""))
    picture = Picture(out)
    expect("the schema of a merge", problems_of_schema(picture.file), [])
    expect("merged tasks", [len(picture.slices("pid 5 stream 0", name)) for name in
                            (MEMSET, "FILL")], [1, 1])
    expect("merged submits", picture.between("submit"), [("main", "pid 5 stream 0")])
    expect("merged waits", picture.between("done"), [("pid 5 stream 0", "main")])
    expect("left over", picture.file["unpuLooseEnds"],
           {"from": [["e.1.2.3.5", 9, 9, 10.6]], "to": []})
    expect("overwritten", picture.file["otherData"]["overwritten"], 3)
    expect("one file", run(INFO, "--merge-trace", client, "-o", out).returncode, 2)
    expect("no output", run(INFO, "--merge-trace", client, firmware).returncode, 2)
    expect("a file that is none",
           run(INFO, "--merge-trace", client, TRACED, "-o", out).returncode, 2)
    expect("an output that can't be",
           run(INFO, "--merge-trace", client, firmware, "-o", "/nowhere/at/all").returncode, 2)


def main():
    check_schema()
    with tempfile.TemporaryDirectory() as folder:
        check_ways(folder)
        check_signals(folder)
        check_names(folder)
        check_nowhere(folder)
        check_overwritten(folder)
        check_merge(folder)
    for problem in problems:
        print(problem)
    print(f"trace: {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
