#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_started.py FIRMWARE_SIM CONFORMANCE [SANITIZER]: however firmware-sim is started, it finds the kernels and operators of its
own toolkit, and runs nothing of the working folder. One that lacks them names the files that it looked for. Where there is
strace, what the firmware and its workers open and execute is the toolkit's and the system's, whatever the attacker has in
the working folder, in PATH and in LD_LIBRARY_PATH."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, CONFORMANCE = (os.path.realpath(path) for path in sys.argv[1:3])
BIN = os.path.dirname(PROGRAM)
LIBRARIES = os.path.join(os.path.dirname(BIN), "lib64")
WITH_FIRMWARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "with_firmware.py")
TESTS = "Binaries.LoadFromFileAndData:TensorOperators.WorkInPlaceAndOnIntegers"
WORKER, OPERATORS = "unpu-kernel-worker", "libunpu_operators.so"
problems = []


def run(what, *command, firmware="firmware-sim", options=(), folder, path=BIN, leaves=False, **environment):
    """The two tests on a firmware that is started in @folder; @leaves: the folder is removed before. The program itself
    needs a folder."""
    line = [sys.executable, "-B", WITH_FIRMWARE, firmware, *options, "--", "env", "-C", folder, *command]
    if leaves:
        line = ["sh", "-c", 'mkdir left && cd left && rmdir ../left && exec "$@"', "sh", *line]
    done = subprocess.run(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env=dict(os.environ, PATH=path + ":" + os.environ["PATH"], **environment))
    print(f"{what}: ended with {done.returncode}")
    return done


def good(what, **options):
    done = run(what, CONFORMANCE, "--gtest_filter=" + TESTS, **options)
    if done.returncode != 0 or "2 tests" not in done.stdout:
        problems.append(f"{what}:\n{done.stdout[-3000:]}")


def plant(folder):
    """Files with the names that a firmware looks for, around the folder. The worker tells that it was run."""
    working = os.path.join(folder, "planted", "working")
    for place in (working, os.path.join(working, "..", "bin"), os.path.join(working, "..", "lib64")):
        os.makedirs(place)
        for name in (WORKER, "firmware-sim"):
            with open(os.path.join(place, name), "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\ntouch '{folder}/was_run'\n")
            os.chmod(os.path.join(place, name), 0o755)
        with open(os.path.join(place, OPERATORS), "w", encoding="utf-8") as file:
            file.write("no library")
    return working


def copy(folder, *names):
    """A toolkit in a folder of its own; the programs find the other libraries where the build has them."""
    for name in names:
        source = os.path.join(LIBRARIES if ".so" in name else BIN, name)
        place = os.path.join(folder, os.path.basename(os.path.dirname(source)), name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy2(source, place)
    return os.path.join(folder, "bin")


def check_ways(folder):
    working = plant(folder)
    good("by name", folder=working)
    # A sanitizer needs calls that the sandbox gives up.
    if not sys.argv[3:]:
        good("by name, in a sandbox", folder=working, options=("--sandbox",))
    good("by a relative path", folder=working, firmware=os.path.relpath(PROGRAM, working))
    good("from a folder that is gone", folder=folder, leaves=True)
    links = os.path.join(folder, "links")
    os.mkdir(links)
    os.symlink(PROGRAM, os.path.join(links, "firmware-sim"))
    good("by a link in PATH", folder=working, path=links)
    good("by a relative link", folder=working, firmware="../../links/firmware-sim")
    if os.path.exists(os.path.join(folder, "was_run")):
        problems.append("a program of the working folder was run")


CALL = re.compile(r'^\d+ +(execve|execveat|open|openat)\((?:AT_FDCWD, )?"([^"]*)"(.*)= (-?\d+)', re.M)
SYSTEM = ("/usr/", "/lib/", "/lib64/", "/etc/", "/proc/", "/sys/", "/dev/")


def check_calls(what, trace, toolkit):
    """The first call is the start itself, by a name that the user chose. The socket and its folder are looked at only."""
    with open(trace, encoding="utf-8", errors="replace") as file:
        calls = CALL.findall(file.read())
    if len(calls) < 20 or not any(path.endswith("/" + WORKER) for _, path, *_ in calls):
        problems.append(f"{what}: strace has seen {len(calls)} calls and no worker")
    for call, path, rest, result in calls[1:]:
        if not path.startswith("/"):
            problems.append(f"{what}: {call} of the relative path {path!r}")
        elif int(result) >= 0 and "O_PATH" not in rest and "O_DIRECTORY" not in rest and not (
                os.path.normpath(path).startswith("/proc/") or os.path.realpath(path).startswith((*SYSTEM, *toolkit))):
            problems.append(f"{what}: {call} of {path}, which is neither the toolkit's nor the system's")


def check_opened(folder):
    if sys.argv[3:] or not shutil.which("strace"):
        print("skipped: what is opened; " + ("a sanitizer opens files" if sys.argv[3:] else "there is no strace"))
        return
    working = plant(os.path.join(folder, "opened"))
    links = os.path.join(folder, "opened", "links")
    os.mkdir(links)
    os.symlink(PROGRAM, os.path.join(links, "firmware-sim"))
    hostile = {"LD_LIBRARY_PATH": working, "path": BIN + ":" + working}
    ways = {"by name": {}, "with hostile variables": hostile, "in a gone folder": {"leaves": True},
            "by a link": {"path": links}, "by a relative path": {"firmware": os.path.relpath(PROGRAM, working)}}
    for way, more in ways.items():
        what = f"{way}, watched"
        trace = os.path.join(folder, "trace")
        watch = os.path.join(folder, "watch")
        with open(watch, "w", encoding="utf-8") as file:
            words = ["strace", "-D", "-f", "-qq", "-s", "4096", "-o", trace, "-e", "trace=execve,execveat,open,openat",
                     more.pop("firmware", "firmware-sim")]
            file.write(f"#!{sys.executable}\nimport os, sys\nos.execvp('strace', {words} + sys.argv[1:])\n")
        os.chmod(watch, 0o755)
        place = os.path.join(folder, "opened") if more.get("leaves") else working
        done = run(what, CONFORMANCE, "--gtest_filter=" + TESTS, firmware=watch, folder=place, **more)
        if "Operation not permitted" in done.stdout and "ptrace" in done.stdout.lower():
            print("skipped: strace may not trace here")
            return
        if done.returncode != 0:
            problems.append(f"{what}:\n{done.stdout[-3000:]}")
        check_calls(what, trace, (BIN + "/", LIBRARIES + "/"))
    if os.path.exists(os.path.join(folder, "opened", "was_run")):
        problems.append("watched: a program of the working folder was run")


def check_layouts(folder):
    """Those of Debian's packages, where a folder of PATH has a link, and of the wheel."""
    names = ("firmware-sim", WORKER, OPERATORS)
    copy(os.path.join(folder, "usr/lib/machine/unpu"), *names)
    os.mkdir(os.path.join(folder, "usr/bin"))
    os.symlink("../lib/machine/unpu/bin/firmware-sim", os.path.join(folder, "usr/bin/firmware-sim"))
    good("Debian's packages", folder=folder, path=os.path.join(folder, "usr/bin"))
    wheel = copy(os.path.join(folder, "lib/python3/site-packages/unpu"), *names)
    good("the wheel", folder=folder, path=wheel)


def check_lacks(folder):
    """The sentences name the files, the log does so at the start."""
    alone = copy(os.path.join(folder, "alone"), "firmware-sim")
    worker, operators = (os.path.join(folder, "alone", *name) for name in (("bin", WORKER), ("lib64", OPERATORS)))
    done = run("alone", CONFORMANCE, "--gtest_filter=" + TESTS, folder=folder, path=alone, UNPU_LOG_ERRORS="1")
    if done.stdout.count(worker) < 2 or done.stdout.count(operators) < 2 or "No such file" not in done.stdout:
        problems.append(f"the log and the sentences do not name {worker} and {operators}:\n{done.stdout[-3000:]}")
    done = run("a relative variable", CONFORMANCE, "--gtest_filter=" + TESTS, folder=plant(os.path.join(folder, "own")),
               UNPU_KERNEL_WORKER=WORKER, UNPU_LOG_ERRORS="1")
    if "UNPU_KERNEL_WORKER is 'unpu-kernel-worker'; it must be an absolute path" not in done.stdout:
        problems.append(f"no sentence says that UNPU_KERNEL_WORKER is relative:\n{done.stdout[-3000:]}")
    if os.path.exists(os.path.join(folder, "own", "was_run")):
        problems.append("UNPU_KERNEL_WORKER names a program of the working folder, which was run")


with tempfile.TemporaryDirectory(prefix="unpu-") as place:
    place = os.path.realpath(place)
    check_ways(place)
    check_opened(place)
    check_layouts(place)
    check_lacks(place)
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
