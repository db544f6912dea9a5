#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_trace_processes.py FIRMWARE_SIM TRACED UNPU_INFO: a firmware and two of its clients write a
trace each; merged, the tasks of both have their names, and arrows lead from process to process. And
what the tools see of a firmware that is another process."""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile

from picture import Picture

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from expectations import expect, expect_true, problems  # noqa: E402

FIRMWARE, TRACED, INFO = sys.argv[1:]
MEMSET = "aclrtMemsetAsync"
SECONDS = 60


def start(folder, *options):
    """A firmware that has said that it is ready, and the path of its socket."""
    path = os.path.join(folder, "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(os.path.join(folder, "manager"))
        manager.settimeout(SECONDS)
        firmware = subprocess.Popen(
            [FIRMWARE, "--listen", path, "--memory", "64M", "--log-level", "warning", *options],
            env={**os.environ, "NOTIFY_SOCKET": manager.getsockname()})
        expect_true("the firmware is ready", manager.recv(256).startswith(b"READY=1"))
    os.remove(os.path.join(folder, "manager"))
    return firmware, path


def end(firmware):
    firmware.send_signal(signal.SIGTERM)
    expect("the firmware ends with", firmware.wait(SECONDS), 0)


def run(path, *command, trace=None):
    environment = dict(os.environ, UNPU_DEVICE="unix:" + path)
    if trace:
        environment["UNPU_TRACE"] = trace
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    expect(f"{command} ends with", (done.returncode, done.stderr), (0, ""))
    return done.stdout


def pid_of(trace):
    with open(trace, encoding="utf-8") as file:
        return int(next(iter(json.load(file)["otherData"]["calls"])))


def check_merged(picture, pids):
    ends = picture.file["unpuLooseEnds"]
    expect("ends without a beginning", ends["to"], [])
    expect("submits without a task", [end for end in ends["from"] if end[0][0] == "s"], [])
    expect("overwritten", picture.file["otherData"]["overwritten"], 0)
    for pid in pids:
        row = f"pid {pid} stream 1"
        expect(f"tasks of {pid}", len(picture.slices(row, MEMSET)), 1)
        expect(f"marks of {pid}", len(picture.slices(row, "a mark")), 1)
        expect(f"nodes of {pid}",
               len(picture.slices(f"pid {pid} graph on stream 0, line 0", MEMSET)), 2)
    for name in ("submit", "done", "call"):
        arrows = picture.arrows(name)
        expect_true(f"no arrows '{name}'", arrows)
        for first, last in arrows:
            expect_true(f"{name} stays in its process", first["pid"] != last["pid"])
            expect_true(f"{name} leads backwards", first["ts"] <= last["ts"])
            expect_true(f"{name} begins beside its slice", picture.inside(first))
            expect_true(f"{name} ends beside its slice", picture.inside(last))
    submits = picture.between("submit")
    for pid in pids:
        expect_true(f"an arrow to stream 0 of {pid}", ("traced", f"pid {pid} stream 0") in submits)


def check_trace(folder):
    firmware_file, first, second, out = (os.path.join(folder, name) for name in
                                         ("firmware.json", "1.json", "2.json", "out.json"))
    firmware, path = start(folder, "--trace", firmware_file, "--devices", "2")
    # The second client gets the number that the first one had.
    for file in (first, second):
        run(path, TRACED, "finalize", trace=file)
    end(firmware)
    pids = [pid_of(file) for file in (first, second)]
    expect_true("a firmware knows calls by number", not Picture(firmware_file).slices(
        f"pid {pids[0]} stream 1", MEMSET))
    said = run(path, INFO, "--merge-trace", firmware_file, first, second, "-o", out)
    expect_true("the tool says what it did", "arrows between the files, 0 without" in said)
    check_merged(Picture(out), pids)


def check_options(folder):
    for code, options in ((5, ["--trace", "/nowhere/at/all"]), (2, ["--trace-entries", "64"])):
        done = subprocess.run([FIRMWARE, "--listen", os.path.join(folder, "other"), *options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        expect(f"firmware-sim {options} ends with", done.returncode, code)


def check_small_ring(folder):
    file = os.path.join(folder, "small.json")
    firmware, path = start(folder, "--trace", file, "--trace-entries", "64")
    run(path, TRACED, "busy")
    end(firmware)
    expect_true("overwritten entries are counted",
                Picture(file).file["otherData"]["overwritten"] > 0)


def check_looks(folder):
    """The tools are no clients: a snapshot of a firmware shows only the processes that use it."""
    firmware, path = start(folder, "--devices", "2")
    seen = json.loads(run(path, INFO, "--json"))["devices"]
    expect("devices", [device["device"] for device in seen], [0, 1])
    expect("their process", {device["pid"] for device in seen}, {firmware.pid})
    expect("their clients", [device["clients"] for device in seen], [[], []])
    end(firmware)


def main():
    with tempfile.TemporaryDirectory(prefix="unpu-") as folder:
        check_trace(folder)
        check_options(folder)
        check_small_ring(folder)
        check_looks(folder)
    for problem in problems:
        print(problem)
    print(f"trace of processes: {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
