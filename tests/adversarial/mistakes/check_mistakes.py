#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_mistakes.py MISTAKES TABLE UNPU_INFO [NAME...]: makes each mistake of the table, and looks for the sentence that names it.

A line of the table has a mistake, environment variables or "-", how the program ends, and a regular expression that one
line of its output matches. The end is an exit status, the name of a signal, or "hang": once the line is there,
unpu-info says the same of the process, which is then killed. UNPU_DEVICE=unix: stands for a firmware of its own.
A mistake without a line, and a line without a mistake, are wrong."""
import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect, expect_in, expect_true, problems  # noqa: E402

PROGRAM, TABLE, INFO, *CHOSEN = sys.argv[1:]
LIMIT_S = 120


def read_table():
    rows = []
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            name, variables, end, pattern = re.split(r"\t+", line.rstrip("\n"))
            pairs = [] if variables == "-" else [word.split("=", 1) for word in variables.split(" ")]
            rows.append((name, dict(pairs), end, pattern))
    return rows


@contextlib.contextmanager
def firmware(variables):
    """The variables with the path of a firmware that listens, where they ask for one."""
    if variables.get("UNPU_DEVICE") != "unix:":
        yield variables
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "npu")
        program = os.path.join(os.path.dirname(PROGRAM), "firmware-sim")
        with subprocess.Popen([program, "--listen", path, "--memory", "64M", "--log-level", "error"]) as process:
            end = time.monotonic() + LIMIT_S
            while not os.path.exists(path) and process.poll() is None and time.monotonic() < end:
                time.sleep(0.02)
            yield dict(variables, UNPU_DEVICE="unix:" + path)
            process.terminate()


def start(name, variables):
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("UNPU_CHECK", "UNPU_HANG_S", "UNPU_LOG_ERRORS", "UNPU_TRACE")}
    environment.update(variables)
    # A program that a signal ends leaves no core file.
    return subprocess.Popen(["prlimit", "--core=0", PROGRAM, name], env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)


def read_until(process, wanted):
    """The output up to a line that matches, or to the end of the program."""
    output = b""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end and select.select([process.stdout], [], [], LIMIT_S)[0]:
        part = os.read(process.stdout.fileno(), 65536)
        output += part
        if not part or (wanted and wanted.search(output.decode(errors="replace"))):
            break
    return output.decode(errors="replace")


def check(name, variables, end, pattern):
    wanted = re.compile(pattern, re.M)
    with firmware(variables) as complete, start(name, complete) as process:
        output = read_until(process, wanted if end == "hang" else None)
        if end == "hang":
            expect(f"{name} still waits", process.poll(), None)
            seen = subprocess.run([INFO, "--pid", str(process.pid)], stdout=subprocess.PIPE, text=True, check=False)
            expect(f"unpu-info --pid of {name}", seen.returncode, 0)
            expect_in(f"unpu-info --pid of {name}", seen.stdout, ") waits for ")
            process.kill()
            process.wait()
        else:
            status = -signal.Signals[end] if end.startswith("SIG") else int(end)
            expect(f"the end of {name}", process.wait(timeout=LIMIT_S), status)
    expect_true(f"{name}: no line matches {pattern!r} in:\n{output}", wanted.search(output))


def main():
    rows = read_table()
    known = subprocess.run([PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    expect("mistakes with a line in the table", sorted({row[0] for row in rows}), sorted(known))
    for row in rows:
        if not CHOSEN or row[0] in CHOSEN:
            check(*row)
    for problem in problems:
        print(problem)
    print(f"mistakes: {len(rows)} checked, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
