#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The project's own programs are silent under the sanitizer.

Runs programs with UNPU_SANITIZE, those of googletest in a process for each suite or each test, and lets unpu-san judge
all traces. A finding that is neither a mistake nor repaired stands in --known, with its reason. Ends with 1 when
there is another one, or when a program fails. With --times it runs each process without the recorder, too, and prints
both times."""
import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))

from gtest_list import list_tests  # noqa: E402

UNUSED = "nothing matched this suppression"


class Job:
    """One process to run."""

    def __init__(self, name, command):
        self.name = name
        self.command = command
        self.folder = ""
        self.problem = ""
        self.seconds = 0.0
        self.plain_seconds = 0.0


def filters_of(executable, pattern, each_test):
    """One for each test, or for each suite."""
    tests = list_tests(executable, pattern)
    if each_test:
        return [suite + test for suite, test in tests]
    return [suite + "*" for suite in dict.fromkeys(suite for suite, _ in tests)]


def jobs_of(options):
    jobs = []
    for executable in options.gtest:
        for name in filters_of(executable, options.filter, options.tests):
            jobs.append(Job(f"{os.path.basename(executable)} {name}", [executable, "--gtest_filter=" + name]))
    for text in options.program:
        words = shlex.split(text)
        jobs.append(Job(os.path.basename(words[0]), words))
    return jobs


def show_times(jobs):
    print(f"{'process':60} {'without':>8} {'with':>8} {'ratio':>6}")
    for job in jobs:
        print(f"{job.name:60} {job.plain_seconds:8.2f} {job.seconds:8.2f} {job.seconds / job.plain_seconds:6.2f}")
    plain = sum(job.plain_seconds for job in jobs)
    recorded = sum(job.seconds for job in jobs)
    print(f"{'all':60} {plain:8.2f} {recorded:8.2f} {recorded / plain:6.2f}")


def plain_seconds(job, options):
    start = time.monotonic()
    subprocess.run(job.command, check=False, timeout=options.limit, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=options.folder)
    return time.monotonic() - start


def run(job, options, place):
    """Runs it in a folder of its own below @place."""
    job.folder = os.path.join(place, re.sub(r"\W", "_", job.name))
    os.mkdir(job.folder)
    if options.times:
        job.plain_seconds = plain_seconds(job, options)
    start = time.monotonic()
    try:
        done = subprocess.run(job.command, env={**os.environ, "UNPU_SANITIZE": job.folder}, check=False,
                              timeout=options.limit, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=options.folder)
        if done.returncode != 0:
            tail = done.stdout.decode(errors="replace").splitlines()[-options.lines:]
            job.problem = "\n    ".join([f"ends with {done.returncode}", *tail])
    except subprocess.TimeoutExpired:
        job.problem = f"has not ended after {options.limit} s"
    job.seconds = time.monotonic() - start


def without_notes(text):
    """The findings that fail the suite, which are few, are not to be lost among the notes, which are many."""
    return "\n\n".join(part for part in text.split("\n\n") if not re.match(r"\s*unpu-san F\d+ note ", part))


def report(options, folders):
    """What unpu-san says: its code, and its lines."""
    command = [options.san, "report", "--fail-on", "warning"]
    if options.known:
        command += ["--suppressions", options.known]
    done = subprocess.run(command + folders, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--san", required=True, help="unpu-san")
    parser.add_argument("--known", default="", help="suppressions, with reasons")
    parser.add_argument("--gtest", action="append", default=[], help="a googletest program")
    parser.add_argument("--filter", default="*", help="which of its tests")
    parser.add_argument("--tests", action="store_true", help="a process for each test, not for each suite")
    parser.add_argument("--program", action="append", default=[], help="a command line")
    parser.add_argument("--times", action="store_true", help="compare the times; with --jobs 1")
    parser.add_argument("--notes", action="store_true", help="print the notes, too")
    parser.add_argument("--limit", type=float, default=200, help="seconds that a process may take")
    parser.add_argument("--lines", type=int, default=15, help="of the output of a program that fails")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--folder", default=None, help="where the programs run")
    parser.add_argument("--keep", default="", help="a folder for the traces")
    options = parser.parse_args()
    jobs = jobs_of(options)
    with tempfile.TemporaryDirectory(prefix="unpu-suite-") as temporary:
        place = options.keep or temporary
        os.makedirs(place, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda job: run(job, options, place), jobs))
        code, text, remarks = report(options, [job.folder for job in jobs])
    print(text if options.notes else without_notes(text), end="")
    print("\n".join(line for line in remarks.splitlines() if not line.endswith(UNUSED)), file=sys.stderr)
    failed = [job for job in jobs if job.problem]
    for job in failed:
        print(f"{job.name}: {job.problem}")
    slowest = sorted(jobs, key=lambda job: -job.seconds)[:5]
    print(f"{len(jobs)} processes, {len(failed)} failed; the slowest: " +
          ", ".join(f"{job.name} {job.seconds:.1f} s" for job in slowest))
    if options.times:
        show_times(jobs)
    return 1 if code != 0 or failed else 0


if __name__ == "__main__":
    sys.exit(main())
