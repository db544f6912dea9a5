#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_overlap.py UNPU_TIME OVERLAP: the model tells the double buffer from its twin with a mistake, gives equal bytes for
each recording, whatever the number of threads of the device and the load of the machine, and says of a change what the
changed program does."""
import glob
import json
import os
import subprocess
import sys
import tempfile

TIME, OVERLAP = sys.argv[1:]
ENGINES = (1, 2, 8, 2, 8)
SENTENCES = ("overlap(copy_in, matmul) > 80%", "elapsed < 250us", "count(matmul) == 6")


def ask(*words, code=0, **options):
    done = subprocess.run([TIME, *words], capture_output=True, text=True, check=False, **options)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout


def record(folder, engines, *arguments):
    ask("run", "--keep", folder, "--", OVERLAP, *arguments, env={**os.environ, "UNPU_DEVICE": f"sim:engines={engines}"})
    return folder


def check_equal(base):
    """Half of the recordings are made while all CPUs are busy."""
    answers = set()
    busy = []
    for number, engines in enumerate(ENGINES):
        if number == len(ENGINES) // 2:
            busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
        try:
            folder = record(f"{base}/{number}", engines)
        except BaseException:
            stop(busy)
            raise
        answers.add(ask("report", "--json", folder))
    stop(busy)
    assert len(answers) == 1, answers
    return json.loads(answers.pop())


def stop(busy):
    for each in busy:
        each.kill()
        each.wait()


def main():
    with tempfile.TemporaryDirectory() as base:
        answer = check_equal(base)
        kinds = [task["kind"] for task in answer["tasks"]]
        assert {kind: kinds.count(kind) for kind in kinds} == {"copy_in": 6, "matmul": 6, "copy_out": 6}, kinds
        assert not any(answer["missing"].values()), answer["missing"]
        # 2 * 256^3 operations take 0.34 us, but 768 KiB at 1 TB/s take 0.786432 us, behind an overhead of 10 us.
        assert {task["end_ps"] - task["begin_ps"] for task in answer["tasks"] if task["kind"] == "matmul"} == {10786432}
        ask("assert", f"{base}/0", *SENTENCES)
        broken = record(f"{base}/broken", 2, "broken")
        told = ask("assert", broken, *SENTENCES, code=1)
        assert "fails: overlap" in told and "fails: elapsed" in told and "holds: count" in told, told
        # Without the wrong wait the twin takes as long as the right program.
        changed = json.loads(ask("what-if", "--json", "--no-wait", "wait_for_wrong_buffer", broken).splitlines()[1])
        assert changed["total_ps"] == answer["total_ps"], (changed["total_ps"], answer["total_ps"])
        merged = [json.loads(line) for line in ask("what-if", "--json", "--merge", "1,2", "--merge", "1,3",
                                                   f"{base}/0").splitlines()]
        real = json.loads(ask("report", "--json", record(f"{base}/merged", 2, "merged")))
        assert merged[1]["total_ps"] == real["total_ps"] > merged[0]["total_ps"], (merged[1]["total_ps"], real["total_ps"])
        faster = json.loads(ask("what-if", "--json", "--set", "copy=2x", f"{base}/0").splitlines()[1])
        assert faster["total_ps"] < answer["total_ps"]
        ask("what-if", "--merge", "1,9", f"{base}/0", code=2)
        ask("what-if", "--no-wait", "nowhere", f"{base}/0", code=2)
        ask("what-if", "--set", "copy.h2d=0x", f"{base}/0", code=2)
        ask("report", "--profile", __file__, f"{base}/0", code=2)
        ask("report", __file__, code=2)
        ask("assert", f"{base}/0", "elapsed", code=2)
        # A trace that was cut is no fast program.
        cut = f"{base}/cut.unpusan"
        with open(next(glob.iglob(f"{base}/0/*.unpusan")), "rb") as whole, open(cut, "wb") as part:
            part.write(whole.read(3000))
        ask("assert", cut, "elapsed < 1ms", code=2)
        ask("run", "--assert", "elapsed < 1us", "--", OVERLAP, code=1)
        ask("run", "--", "/nothing", code=127)
        ask("export", "-o", f"{base}/picture", f"{base}/0")
        with open(f"{base}/picture", encoding="utf-8") as file:
            picture = json.load(file)["traceEvents"]
        ends = [event["ts"] + event["dur"] for event in picture if event["ph"] == "X"]
        assert abs(max(ends) - answer["total_ps"] / 1e6) < 1e-6, max(ends)
        starts = [event["id"] for event in picture if event["ph"] == "s"]
        assert starts and starts == [event["id"] for event in picture if event["ph"] == "f"], starts
        profile = f"{base}/profile"
        with open(profile, "w", encoding="utf-8") as file:
            file.write(ask("profiles"))
        assert ask("report", "--json", "--profile", profile, f"{base}/0") == ask("report", "--json", f"{base}/0")


main()
