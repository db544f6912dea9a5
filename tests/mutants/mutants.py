#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutants.py [NUMBER...]: puts small faults into a copy of the tree, one at a time, builds it and runs the
suite; prints which of them the suite notices, and by which test. The faults are in table.py.

For each mutant its aimed tests run first, and the whole programs only where these notice nothing: unit,
and conformance, cuda and litmus on sim:, of the release build. A test that fails or crashes, or a program
that does not end in time, notices it. The tree itself is never changed: the copy, with its build, is in
--scratch and can be used again. Ends with 1 when fewer than --wanted are noticed, or when a mutant does not
apply or does not build: whoever changes the code under a mutant changes the mutant too."""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from table import MUTANTS

TREE = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {"unit": "unpu_unit", "conformance": "unpu_conformance", "cuda": "unpu_cuda_conformance",
            "litmus": "unpu_litmus", "workers": "unpu_kernel_workers", "confinement": "unpu_kernel_confinement",
            "wire": "unpu_wire_test", "hostile": "unpu_hostile_kernels", "time": "unpu_time_test"}
# What runs as a whole where the aimed tests notice nothing.
WHOLE = ["unit", "conformance", "cuda", "litmus"]
# Programs that the tests of another one start.
BESIDE = {"conformance": ["firmware-sim"], "cuda": ["firmware-sim"],
          "hostile": ["firmware-sim", "unpu-kernel-worker"]}
AIMED_SECONDS = 300
WHOLE_SECONDS = 1800
BUILD_SECONDS = 7200
SHARE_WANTED = 0.95
# A program with a fault in it may signal processes that are none of its own, and leave some behind.
APART = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]


class Mutant:
    def __init__(self, number, what, file, old, new, aimed):
        self.number, self.what, self.file = number, what, file
        self.old, self.new = old, new
        self.aimed = [test.split(":", 1) for test in aimed]

    def problem(self, tree):
        """Why it can't be applied, or None."""
        path = tree / self.file
        if not path.is_file():
            return f"there is no {self.file}"
        count = path.read_text().count(self.old)
        if count != 1:
            return f"{self.file} has its old text {count} times"
        if self.old == self.new:
            return "it changes nothing"
        for program, _ in self.aimed:
            if program not in PROGRAMS:
                return f"there is no program {program}"
        return None


def check(mutants):
    """What stands in the way of any of them, as lines."""
    problems = [f"mutant {mutant.number} ({mutant.what}): {problem}"
                for mutant in mutants if (problem := mutant.problem(TREE))]
    numbers = [mutant.number for mutant in mutants]
    problems += [f"mutant {number} stands there twice"
                 for number in sorted(set(numbers)) if numbers.count(number) > 1]
    return problems


def run(command, seconds, **options):
    """(exit status, output); the status is None when it did not end in time. All it started ends with it."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True, **options)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        return status, output.read().decode(errors="replace")


class Scratch:
    """A copy of the tree and its build."""

    def __init__(self, folder, jobs):
        # Where the kernel lets this user.
        self.apart = APART if run([*APART, "true"], AIMED_SECONDS)[0] == 0 else []
        self.folder = folder
        self.build_folder = folder / "build" / "release"
        self.jobs = jobs

    def update(self):
        """Makes it equal to the tree. Files that are equal keep their times, so that a build of them stays
        good."""
        listed = subprocess.run(["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"], cwd=TREE,
                                check=True, capture_output=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (TREE / name).is_file()}
        for name in wanted:
            source, target = TREE / name, self.folder / name
            if target.is_file() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        for path in list(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            if not name.startswith("build/") and path.is_file() and name not in wanted:
                path.unlink()

    def configure(self):
        status, output = run(["cmake", "--preset", "release", "-DUNPU_TESTS=ON"], BUILD_SECONDS,
                             cwd=self.folder)
        if status != 0:
            sys.exit(output + "\nthe copy can't be configured")

    def build(self, programs):
        """None, or what the compiler says."""
        targets = sorted({target for program in programs
                          for target in [PROGRAMS[program], *BESIDE.get(program, [])]})
        status, output = run(["cmake", "--build", self.build_folder, "-j", str(self.jobs), "--target",
                              *targets], BUILD_SECONDS)
        return None if status == 0 else output

    def apply(self, mutant):
        """Puts the fault in. Return: what takes it out."""
        path = self.folder / mutant.file
        text, times = path.read_text(), path.stat()
        path.write_text(text.replace(mutant.old, mutant.new))
        started = time.time()

        def take_back():
            path.write_text(text)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            # The file is as old as it was, so what was built from the mutant has to go.
            for made in self.build_folder.rglob("*"):
                if made.is_file() and not made.is_symlink() and made.stat().st_mtime >= started - 1 \
                        and not made.name.startswith((".ninja", "CMakeCache")):
                    made.unlink()
        return take_back

    def test(self, program, pattern, seconds):
        """None, or the names of the tests that failed, or how the program ended."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("GTEST_", "UNPU_"))}
        environment.update(UNPU_DEVICE="sim:", UNPU_CHECK_TOKEN="1")
        programs = self.build_folder / "bin"
        wanted = [f"--gtest_filter={pattern}", "--gtest_brief=1"]
        # It is no gtest: a pattern is one of its attacks.
        if program == "hostile":
            wanted = [programs / "firmware-sim", "--seconds", "1", "--only", pattern]
        status, output = run([*self.apart, programs / PROGRAMS[program], *wanted], seconds,
                             env=environment, cwd=self.folder)
        if status == 0:
            return None
        failed = [line.split()[3].rstrip(",") for line in output.splitlines()
                  if line.startswith("[  FAILED  ] ") and line.endswith(" ms)")]
        if failed:
            return " ".join(dict.fromkeys(failed))
        return "it does not end" if status is None else f"it ends with {status}"


def notice(scratch, mutant, whole):
    """(whether, by what)"""
    tried = []
    for program, pattern in mutant.aimed:
        tried.append(program)
        if problem := scratch.build([program]):
            return False, "does not build: " + problem[-2000:]
        if found := scratch.test(program, pattern, AIMED_SECONDS):
            return True, f"{program}: {found}"
    for program in WHOLE if whole else []:
        if problem := scratch.build([program]):
            return False, "does not build: " + problem[-2000:]
        found = scratch.test(program, "*", WHOLE_SECONDS)
        # What fails once and not again has another cause, such as a machine that does other things too.
        if found and not found.startswith("it "):
            found = scratch.test(program, found.replace(" ", ":"), WHOLE_SECONDS)
        if found:
            return True, f"{program}, all of it: {found}"
    return False, "by all of the programs" if whole else "by its aimed tests"


def check_copy(scratch, mutants):
    """The aimed tests have to pass where there is no fault, or a failure would say nothing."""
    programs = sorted({program for mutant in mutants for program, _ in mutant.aimed})
    if problem := scratch.build(programs):
        sys.exit(problem + "\nthe copy does not build")
    for program in programs:
        patterns = sorted({pattern for mutant in mutants for one, pattern in mutant.aimed
                           if one == program})
        for pattern in patterns if program == "hostile" else [":".join(patterns)]:
            if found := scratch.test(program, pattern, WHOLE_SECONDS):
                sys.exit(f"without any mutant, {program} fails: {found}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("numbers", type=int, nargs="*", metavar="NUMBER", help="all if none is given")
    parser.add_argument("--scratch", type=pathlib.Path,
                        help="the folder of the copy; one that is gone afterwards if not given")
    parser.add_argument("--wanted", type=int, help="how many have to be noticed; 95 % if not given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--aimed", action="store_true", help="run the aimed tests alone")
    parser.add_argument("--check", action="store_true", help="only look whether each one applies")
    return parser.parse_args()


def score(options, mutants, folder):
    scratch = Scratch(folder.resolve(), options.jobs)
    if TREE == scratch.folder or TREE in scratch.folder.parents:
        sys.exit("the copy has to be outside of the tree")
    scratch.update()
    scratch.configure()
    check_copy(scratch, mutants)
    noticed = broken = 0
    for mutant in mutants:
        take_back = scratch.apply(mutant)
        try:
            found, by_what = notice(scratch, mutant, not options.aimed)
        finally:
            take_back()
        noticed += found
        broken += by_what.startswith("does not build")
        print(f"{'noticed' if found else 'UNNOTICED'} {mutant.number}: {mutant.what} "
              f"({mutant.file}) - {by_what}", flush=True)
    print(f"{noticed} of {len(mutants)} noticed")
    wanted = int(SHARE_WANTED * len(mutants)) if options.wanted is None else options.wanted
    return 0 if noticed >= wanted and not broken else 1


def main():
    options = arguments()
    mutants = [Mutant(*row) for row in MUTANTS]
    if problems := check(mutants):
        print("\n".join(problems))
        sys.exit(1)
    if options.check:
        return
    if options.numbers:
        mutants = [mutant for mutant in mutants if mutant.number in options.numbers]
    os.nice(10)
    if options.scratch:
        options.scratch.mkdir(parents=True, exist_ok=True)
        sys.exit(score(options, mutants, options.scratch))
    with tempfile.TemporaryDirectory(prefix="unpu-mutants-") as folder:
        sys.exit(score(options, mutants, pathlib.Path(folder)))


main()
