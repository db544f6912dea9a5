#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_fuzz.py PROGRAM [--seconds N] [--runs N] [--jobs N] [--keep]: runs a fuzz target over its corpus in
the tree, and from there on with new inputs until the time is over or so many were run, and prints how many
that were. An input that ends the program is written to the folder of the program and named. With --keep,
inputs that reached something new are merged into the corpus. With --add FOLDER, so are those of a folder."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

MAX_BYTES = 1536
# One input takes microseconds; a device that does not come to rest takes longer than this.
INPUT_SECONDS = 25
MEGABYTES = 4096
# Inputs of these reach so many places that the choice of the next input by them takes half of the time.
CHOSEN_AT_RANDOM = ("models", "san")


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--add", type=pathlib.Path)
    return parser.parse_args()


def unpack(archive, folder):
    if archive.exists():
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
    return len(os.listdir(folder))


def pack(archive, folder):
    """The same inputs make the same file."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in sorted(os.listdir(folder)):
            packed.writestr(zipfile.ZipInfo(name), (pathlib.Path(folder) / name).read_bytes(),
                            zipfile.ZIP_DEFLATED)


def merge(program, archive, *folders):
    with tempfile.TemporaryDirectory(prefix="unpu-fuzz-") as result:
        subprocess.run([program, "-merge=1", "-detect_leaks=0", f"-max_len={MAX_BYTES}", result,
                        *folders], check=True, stderr=subprocess.DEVNULL)
        pack(archive, result)


def fuzz(asked, job, folder, corpus, log):
    command = [asked.program, f"-max_len={MAX_BYTES}", f"-timeout={INPUT_SECONDS}",
               f"-rss_limit_mb={MEGABYTES}", f"-seed={asked.seed + job}", "-detect_leaks=0",
               "-reload=0", "-print_final_stats=1", f"-artifact_prefix={asked.program.parent}/"]
    if asked.program.name.removeprefix("unpu_fuzz_") in CHOSEN_AT_RANDOM:
        command.append("-entropic=0")
    if asked.seconds:
        command.append(f"-max_total_time={asked.seconds}")
    command.append(f"-runs={asked.runs // asked.jobs if asked.runs else -1 if asked.seconds else 0}")
    return subprocess.Popen([*command, folder, corpus], stdout=log, stderr=subprocess.STDOUT)


def main():
    asked = options()
    name = asked.program.name.removeprefix("unpu_fuzz_")
    archive = pathlib.Path(__file__).parent / "corpus" / f"{name}.zip"
    inputs = 0
    with tempfile.TemporaryDirectory(prefix="unpu-fuzz-") as folder, \
            tempfile.TemporaryDirectory(prefix="unpu-fuzz-") as corpus:
        known = unpack(archive, corpus)
        if asked.add:
            merge(asked.program, archive, corpus, asked.add)
            return
        logs = [tempfile.TemporaryFile() for _ in range(asked.jobs)]
        jobs = [fuzz(asked, job, folder, corpus, log) for job, log in enumerate(logs)]
        for process, log in zip(jobs, logs):
            process.wait()
            log.seek(0)
            text = log.read().decode(errors="replace")
            counted = re.search(r"stat::number_of_executed_units: +(\d+)", text)
            inputs += int(counted.group(1)) if counted else 0
            if process.returncode != 0 or not counted:
                sys.exit(f"{text[-20000:]}\n{name}: a finding, after {inputs} inputs")
        print(f"{name}: {inputs} inputs, {known} of them from the corpus, no finding", flush=True)
        if asked.keep:
            merge(asked.program, archive, corpus, folder)


main()
