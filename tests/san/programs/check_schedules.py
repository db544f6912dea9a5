#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_schedules.py UNPU_SAN PROGRAMS CUDA KERNELS: runs, replays and confirmations by unpu-san, with the programs of the corpus."""
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from expectations import expect, expect_in, problems  # noqa: E402

SAN, PROGRAMS, CUDA, KERNELS = sys.argv[1:]
WRONG, FOUND, CHANGED, USAGE = 5, 1, 1, 2


def call(*words, **variables):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env=dict(os.environ, **variables))


def san(*words):
    return call(SAN, *words)


def program(name, variant="bug", **variables):
    return call(PROGRAMS, name, variant, **variables)


def decisions_of(folder):
    """The decisions of the only device, without the head."""
    files = glob.glob(f"{folder}/**/*.decisions", recursive=True)
    expect(f"files of decisions in {folder}", len(files), 1)
    with open(files[0], encoding="utf-8") as file:
        return files[0], file.read().split("\n", 1)[1].split()


def check_replay():
    """A replay makes the decisions that were recorded, and gives the same result."""
    for name in ("B03", "B07", "B18", "B23", "S14", "S20", "S21", "W01_rows_of_two_copies_overlap"):
        for schedule in ("lazy", "eager", "random:seed=3", "pct:seed=5,steps=10"):
            first, again = tempfile.mkdtemp(dir="."), tempfile.mkdtemp(dir=".")
            joint = "," if ":" in schedule else ":"
            done = program(name, UNPU_SCHEDULE=f"{schedule}{joint}log={first}")
            path, recorded = decisions_of(first)
            replayed = program(name, UNPU_SCHEDULE=f"replay:from={path},log={again}")
            expect(f"{name} {schedule}: ends as recorded", replayed.returncode, done.returncode)
            expect(f"{name} {schedule}: decisions", " ".join(decisions_of(again)[1]), " ".join(recorded))
            expect(f"{name} {schedule}: says", replayed.stderr, "")


def check_divergence():
    os.mkdir("other")
    program("B03", UNPU_SCHEDULE="fifo:log=other")
    path = decisions_of("other")[0]
    done = san("replay", path, "--", PROGRAMS, "B07", "fixed")
    expect("a replay of another program ends with", done.returncode, CHANGED)
    expect_in("it says", done.stderr, "replay: decision ", ": expected ", " in stream ", "ready is ")
    done = san("replay", "absent", "--", PROGRAMS, "B03")
    expect("without a file it ends with", done.returncode, USAGE)
    expect_in("it says", done.stderr, "absent: No such file")


def check_runs():
    done = san("run", "--schedule", "portfolio", "--runs", "20", "--keep", "kept", "--", PROGRAMS, "B03", "bug")
    expect("runs with a wrong result end with", done.returncode, WRONG)
    expect_in("they say", done.stderr, "20 runs, schedule portfolio", "of 20 runs failed; the first one again: ",
              "RACE-WAW", "the program ended with 5")
    again = re.search(r"unpu-san replay (\S+\.decisions) -- PROGRAM", done.stderr)
    expect("they name a file", bool(again), True)
    if again:
        done = san("replay", again.group(1), "--", PROGRAMS, "B03", "bug")
        expect("its replay ends with", done.returncode, WRONG)
        expect("its replay says", done.stderr, "")
    # On a machine that is busy the time may decide too, but not each time.
    for _ in range(20):
        done = san("run", "--schedule", "random", "--seed", "4", "--runs", "3", "--check", "--", PROGRAMS, "S21")
        expect("runs of a correct program end with", done.returncode, 0)
        expect_in("they say", done.stderr, "0 findings")
        if "each repetition made the same decisions" in done.stderr:
            return
    problems.append("no repetition made the same decisions:\n" + done.stderr)


def check_confirm():
    for programs, name, rule in ((PROGRAMS, "B01", "RACE-RAW"), (PROGRAMS, "B03", "RACE-WAW"),
                                 (PROGRAMS, "B04", "RACE-WAR"), (PROGRAMS, "B07", "RACE-RAW"),
                                 (PROGRAMS, "B15", "HOST-WRITE-INFLIGHT"), (PROGRAMS, "B16", "HOST-READ-INFLIGHT"),
                                 (CUDA, "C22_edge_between_two_nodes_is_missing", "GRAPH-RACE"),
                                 (KERNELS, "K02_halves_that_overlap", "RACE-WAW"),
                                 (KERNELS, "K03_results_that_are_read_too_early", "RACE-RAW"),
                                 (KERNELS, "K13_branches_of_a_graph", "GRAPH-RACE")):
        report = f"{name}.json"
        san("run", "--format", "json", "--log", report, "--", programs, name, "bug")
        done = san("confirm", report, "--", programs, name, "bug")
        expect(f"confirm {name} ends with", done.returncode, FOUND)
        expect_in(f"confirm {name} says", done.stderr, rule, "is confirmed: ", "ended with 5")
        fixed = san("confirm", report, "--", programs, name, "fixed")
        expect(f"confirm of the repaired {name} ends with", fixed.returncode, USAGE)
    san("run", "--format", "json", "--log", "B13.json", "--", PROGRAMS, "B13", "bug")
    done = san("confirm", "--finding", "F1", "B13.json", "--", PROGRAMS, "B13", "bug")
    expect("confirm without a wrong result ends with", done.returncode, 0)
    expect_in("it says", done.stderr, "USE-BEFORE-ALLOC", "is not confirmed")
    expect("an unknown finding", san("confirm", "--finding", "F9", "B13.json", "--", PROGRAMS, "B13").returncode, USAGE)


def check_contents():
    """What the program writes by itself is looked at without an option, but not in a run with a schedule, which is repeated."""
    for name in ("H18_ring_waits_for_a_step_too_few", "H20_source_of_a_graph_is_written_in_flight",
                 "H21_host_function_fills_what_another_stream_copies"):
        for options, variant, wanted in (([], "bug", FOUND), ([], "fixed", 0), (["--host", "off"], "bug", 0),
                                         (["--schedule", "fifo"], "bug", 0)):
            done = san("run", *options, "--", PROGRAMS, name, variant)
            expect(f"run {options} of {name} {variant} ends with", done.returncode, wanted)
            if wanted:
                expect_in("it says", done.stderr, "HOST-WRITE-INFLIGHT")
    for name in ("H10_device_writes_the_source", "H12_host_writes_behind_a_gate", "H13_host_writes_before_a_flag",
                 "H22_source_is_written_behind_the_copy", "H23_source_is_written_after_the_end_of_another_stream",
                 "H24_source_is_written_after_a_word_says_so", "H25_graph_writes_its_own_source",
                 "H27_result_is_written_to_a_file_after_the_end_of_another_stream",
                 "H28_result_is_read_after_a_word_says_so", "H29_result_is_the_source_of_the_next_copy"):
        done = san("run", "--", PROGRAMS, name)
        expect(f"run of {name} ends with", done.returncode, 0)


def check_targets():
    """Who uses the target of a copy before its end is seen, too."""
    for name, wanted in (("H04_target_is_written_in_flight", "HOST-WRITE-INFLIGHT"),
                         ("H05_target_is_read_too_early", "HOST-READ-INFLIGHT"),
                         ("H19_target_behind_a_task_is_read_too_early", "HOST-READ-INFLIGHT")):
        for variant, ends in (("bug", FOUND), ("fixed", 0)):
            done = san("run", "--", PROGRAMS, name, variant)
            expect(f"run of {name} {variant} ends with", done.returncode, ends)
            expect(f"{name} {variant} is seen", wanted in done.stderr, variant == "bug")


def check_hint():
    """An early read of a result is seen; who has results that only a wait for the device covers hears of the option that
    shows more of them."""
    name = "H26_result_is_waited_for_with_the_device_alone"
    for options, variant, wanted, hints in (([], "bug", FOUND, True), ([], "fixed", 0, False),
                                            (["--host", "digest+late", "--schedule", "lazy"], "bug", WRONG, False)):
        done = san("run", *options, "--", PROGRAMS, name, variant)
        expect(f"run {options} of {name} {variant} ends with", done.returncode, wanted)
        expect("it names the option", "run with --host digest+late" in done.stderr, hints)
        expect("it has seen the read", "HOST-READ-INFLIGHT" in done.stderr, wanted == FOUND)


def check_mistakes():
    done = san("run", "--schedule", "fast", "--", PROGRAMS, "B03")
    expect("an unknown schedule ends with", done.returncode, USAGE)
    expect_in("it says", done.stderr, "unknown strategy 'fast'; known are fifo")
    expect("an unknown schedule in the environment", program("B03", UNPU_SCHEDULE="fast").returncode, 3)
    expect("a device that is stepped", program("B03", UNPU_SCHEDULE="fifo", UNPU_DEVICE="sim:step").returncode, 3)


def check_killed():
    """A tool that ends as its program does, by a signal, leaves no folder behind."""
    os.mkdir("temporary")
    for command in (["replay", "@1w"], ["run"]):
        done = call(SAN, *command, "--", "sh", "-c", "kill -KILL $$", TMPDIR=os.path.abspath("temporary"))
        expect(f"{command[0]} of a program that is killed ends with", done.returncode, -signal.SIGKILL)
        expect("it leaves in the folder for temporary files", os.listdir("temporary"), [])


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (check_replay, check_divergence, check_runs, check_confirm, check_contents, check_targets, check_hint,
                      check_mistakes, check_killed):
            check()
    print("\n".join(problems))
    print(f"check_schedules: {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
