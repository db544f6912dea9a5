#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_operator.py FIRMWARE_SIM CONFORMANCE UNPU NPU_SMI PROGRAM MISTAKES [SANITIZER]: what an operator of a shared daemon sees of
it: limits of the process and sizes that do not fit, what bounds clients, whose they are, and what they were refused.

PROGRAM is an example that closes its device; MISTAKES has one that waits for ever."""
import os
import pwd
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from expectations import expect, expect_in, expect_true, problems  # noqa: E402

PROGRAM, CONFORMANCE, UNPU, SMI, EXAMPLE, MISTAKES = sys.argv[1:7]
SANITIZED = len(sys.argv) > 7
USER, NAME = os.geteuid(), pwd.getpwuid(os.geteuid()).pw_name
SECONDS = 60
KIB, MIB = 1 << 10, 1 << 20


def limit(kind, number):
    return lambda: resource.setrlimit(kind, (number, number))


class Daemon:
    """A firmware-sim that listens in a folder; ready when this is made."""

    def __init__(self, folder, *options, memory="256M", before=None):
        self.path = os.path.join(folder, "socket")
        self.log_path = os.path.join(folder, "log")
        with open(self.log_path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([PROGRAM, "--listen", self.path, "--memory", memory, *options],
                                            stderr=log, preexec_fn=before)
        end = time.monotonic() + SECONDS
        while "listening at" not in self.log() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        expect(f"the daemon with {options} has ended", self.process.poll(), None)

    def log(self):
        """Return: the log so far."""
        with open(self.log_path, encoding="utf-8") as file:
            return file.read()

    def wait_for(self, what, text):
        end = time.monotonic() + SECONDS
        while text not in self.log() and time.monotonic() < end:
            time.sleep(0.02)
        expect_in(what, self.log(), text)

    def run(self, *command, **variables):
        """Return: what the program prints."""
        done = subprocess.run(command, env=dict(os.environ, UNPU_DEVICE="unix:" + self.path, UNPU_LOG_ERRORS="1", **variables),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=240)
        return done.stdout

    def test(self, name):
        return self.run(CONFORMANCE, "--gtest_filter=" + name)

    def end(self):
        """Return: the log."""
        self.process.send_signal(signal.SIGTERM)
        expect("the daemon ends with", self.process.wait(SECONDS), 0)
        return self.log()


KERNEL = "Binaries.LoadFromFileAndData"


def check_low_limits(folder):
    """A limit that is too low is in the log at the start, and in the sentence of who runs into it."""
    if SANITIZED:
        return  # a sanitizer needs files and addresses of its own
    daemon = Daemon(folder)
    daemon.test(KERNEL)
    expect_true(f"no warning without a low limit: {daemon.log()}", "RLIMIT" not in daemon.end())

    daemon = Daemon(folder, before=limit(resource.RLIMIT_NOFILE, 20))
    expect_in("the log with few files", daemon.log(), "warning: RLIMIT_NOFILE (ulimit -n) is 20: the firmware keeps up to 584")
    said = daemon.test(KERNEL)
    expect_in("a program of a daemon with few files", said, f"RLIMIT_NOFILE (ulimit -n) of firmware-sim, process {daemon.process.pid}, is 20")
    expect_true(f"a quota that was not set is named: {said}", "--quota-clients" not in said)
    expect_in("the log of a refusal", daemon.end(), "can't attach to device 0: 0 of 2 descriptors")

    daemon = Daemon(folder, before=limit(resource.RLIMIT_NOFILE, 64))
    said = daemon.test(KERNEL)
    expect_in("a kernel of a daemon with few files", said, "takes 6 descriptors of the firmware", "left (a share of RLIMIT_NOFILE (ulimit -n) of firmware-sim, 64)")
    expect_true(f"quotas that were not set are named: {said}", "(--quota-memory" not in said)
    daemon.end()

    daemon = Daemon(folder, before=limit(resource.RLIMIT_AS, 2000000 * KIB))
    expect_in("the log with few addresses", daemon.log(), "warning: RLIMIT_AS (ulimit -v) is 1953 MiB")
    expect_in("a kernel of a daemon with few addresses", daemon.test(KERNEL), "MiB of addresses, and RLIMIT_AS (ulimit -v) of the firmware is 1953 MiB")
    daemon.end()

    daemon = Daemon(folder, before=limit(resource.RLIMIT_FSIZE, 4 * KIB))
    expect_in("the log with small files", daemon.log(), "warning: RLIMIT_FSIZE (ulimit -f) is 4 KiB")
    expect_in("a program of a daemon with small files", daemon.test(KERNEL), f"RLIMIT_FSIZE (ulimit -f) of firmware-sim, process {daemon.process.pid}, is 4096")
    daemon.end()


def check_relative_place(folder):
    """The log names the place of the socket from any folder."""
    with subprocess.Popen([PROGRAM, "--listen", "./socket", "--memory", "256M"], cwd=folder, stderr=subprocess.PIPE, text=True) as daemon:
        line = next(line for line in daemon.stderr if "listening at" in line)
        daemon.send_signal(signal.SIGTERM)
        expect_in("the log of a relative place", line, f"listening at {folder}/socket; programs find the devices by UNPU_DEVICE=unix:{folder}/socket\n")


def check_stopped_before(folder):
    """A daemon that does not answer is not told as one that is gone."""
    daemon = Daemon(folder)
    daemon.process.send_signal(signal.SIGSTOP)
    said = daemon.test(KERNEL)
    daemon.process.send_signal(signal.SIGCONT)
    expect_in("a program of a stopped daemon", said, f"unix:{folder}/socket: the process that listens there does not answer; it is stopped (SIGCONT lets it go on)")
    daemon.end()


def check_large_sizes(folder):
    daemon = Daemon(folder, "--quota-memory", "4G")
    expect_in("a quota that bounds nothing", daemon.end(), "warning: --quota-memory is 4096 MiB, and a device has 256 MiB")
    daemon = Daemon(folder, "--devices", "2", memory="900G")
    expect_in("more memory than the machine has", daemon.end(), "warning: 2 device(s) with 921600 MiB each have more memory than this machine")
    daemon = Daemon(folder, "--quota-memory", "64M")
    log = daemon.end()
    expect_true(f"a warning without a cause: {log}", "--quota-memory is" not in log and "device(s) with 256 MiB each have" not in log)


def check_bounds(folder):
    """What bounds clients is in the log, and in unpu info."""
    daemon = Daemon(folder, "--quota-clients", "3", "--quota-channels", "5", "--quota-memory", "64M", "--watchdog-ms", "2000")
    expect_in("the log's bounds", daemon.log(), "a client may have 64 MiB of memory, 5 channels, ", "; a user may have 3 clients; the socket is its owner's; "
              "the watchdog waits 2000 ms; without a sandbox")
    said = daemon.run(UNPU, "info")
    expect_in("bounds in unpu info", said, "quotas of device 0, 0 for none\n  memory             64 MiB\n  channels           5\n", "\n  clients            3\n",
              "descriptors_by     a share of RLIMIT_NOFILE")
    daemon.end()


def check_users(folder):
    """Each client's user is named, where there are clients."""
    daemon = Daemon(folder)
    with subprocess.Popen([MISTAKES, "hang-at-a-flag-never-recorded"], env=dict(os.environ, UNPU_DEVICE="unix:" + daemon.path),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
        program.stderr.readline()
        for command in ((UNPU, "info"), (UNPU, "top", "--looks", "1")):
            expect_true(f"{command} names the user", f" {program.pid} {NAME[:8]} " in daemon.run(*command))
        expect_in("npu-smi names the user", daemon.run(SMI, "info", "-t", "proc-mem", "-i", "0"), "Process user", NAME)
        for table in (("info",), ("info", "proc")):
            expect_true(f"npu-smi {table} names the user in the last column", re.search(
                rf"^\| 0 +0 +\| {program.pid} +\| \S+ +\| \d+ +\| {NAME[:11]} +\|$", daemon.run(SMI, *table), re.M))
        expect_in("the number in JSON", daemon.run(UNPU, "info", "--json"), f'"user": {USER},')
        program.kill()
    daemon.end()


def check_stopped(folder):
    """A tool that waits for a daemon says so, and goes on when that does."""
    daemon = Daemon(folder)
    for command in ((UNPU, "info"), (SMI, "info"), (UNPU, "top", "--looks", "1")):
        daemon.process.send_signal(signal.SIGSTOP)
        with subprocess.Popen(command, env=dict(os.environ, UNPU_DEVICE="unix:" + daemon.path), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as tool:
            expect(f"what {command} says of a daemon that is stopped", tool.stderr.readline(),
                   f"unpu: the firmware of UNPU_DEVICE=unix:{daemon.path} has not answered for 2 s: it is stopped, or busy; waiting\n")
            daemon.process.send_signal(signal.SIGCONT)
            tool.communicate(timeout=SECONDS)
        expect(f"{command} ends with", tool.returncode, 0)
    daemon.end()


def check_ends(folder):
    """The log says whether a program has closed its device."""
    daemon = Daemon(folder)
    left = f"(process {{}}, user {USER}) has left: {{}}"
    for _ in range(5):
        with subprocess.Popen([EXAMPLE], env=dict(os.environ, UNPU_DEVICE="unix:" + daemon.path), stdout=subprocess.DEVNULL) as program:
            program.wait(SECONDS)
        daemon.wait_for("a program that ends well", left.format(program.pid, "its program has closed the device"))
    for _ in range(5):
        with subprocess.Popen([MISTAKES, "hang-at-a-flag-never-recorded"], env=dict(os.environ, UNPU_DEVICE="unix:" + daemon.path),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
            program.stderr.readline()
            program.kill()
        daemon.wait_for("a program that is killed", left.format(program.pid, "its process has ended without closing the device"))
    daemon.end()


def check_kernels(folder):
    """A kernel that fails, or does not end, is a line of the log."""
    daemon = Daemon(folder)
    daemon.test("KernelFailures.ReachTheSynchronisation:KernelFailures.TimeLimits")
    log = daemon.end()
    for what in ("block", "it did not end within"):
        expect_true(f"a kernel's failure, {what}, is not in {log}",
                    re.search(rf"warning: client 0 of device 0 \(process \d+, user {USER}\): kernel .*{what}", log))


def check_busy(folder):
    """A kernel that runs is seen: the cores are busy, and its worker's memory counts."""
    daemon = Daemon(folder, "--quota-memory", "192M")
    with subprocess.Popen([CONFORMANCE, "--gtest_filter=KernelFailures.TimeLimits", "--gtest_repeat=300"], env=dict(os.environ, UNPU_DEVICE="unix:" + daemon.path),
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        most = {"kernels": 0, "AICore": 0, "charged": 0.0}
        end = time.monotonic() + SECONDS
        while program.poll() is None and not all(value >= 30 for value in most.values()) and time.monotonic() < end:
            top, smi = daemon.run(UNPU, "top", "--looks", "1"), daemon.run(SMI, "info", "-t", "usages")
            for name, pattern, text in (("kernels", r"^  kernels +\[.*\] (\d+) %", top), ("AICore", r"Aicore Usage Rate\(%\) +: (\d+)", smi),
                                        ("charged", rf"^ +\d+ +{program.pid} \S+ +\S+ +\S+ \S+ +\S+ \S+ +([\d.]+) MiB", top)):
                most[name] = max([most[name], *(float(number) for number in re.findall(pattern, text, re.M))])
        expect_true(f"a kernel that runs for long shows as {most}", all(value >= 30 for value in most.values()))
        program.kill()
    daemon.end()


def check_refusals(folder):
    """What a quota refuses is a line of the log, and there are not too many."""
    for options, program, wanted in (
            (("--quota-memory", "16M"), (CONFORMANCE, "--gtest_filter=" + KERNEL), "KERNEL_LOAD is refused by a quota; in use are "),
            (("--quota-channels", "1"), (CONFORMANCE, "--gtest_filter=Launches.FollowTheStream"), "CHANNEL_CREATE is refused by a quota; in use are "),
            (("--quota-memory", "16M"), (CONFORMANCE, "--gtest_filter=Memory.*:Copy.*"), "SEGMENT_CREATE is refused by a quota; in use are ")):
        daemon = Daemon(folder, *options)
        daemon.run(*program)
        log = daemon.end()
        expect_true(f"{wanted} is not in {log}", re.search(rf"warning: client 0 of device 0 \(process \d+, user {USER}\): {wanted}\d+ of \d+ ", log))
        expect_true(f"{log.count('refused')} lines of refusals", log.count("refused") < 150)


def fill(pipe):
    """Fills a pipe. Return: how many bytes fit."""
    os.set_blocking(pipe, False)
    written = 0
    try:
        while True:
            written += os.write(pipe, b"\n" * (4 * KIB))
    except BlockingIOError:
        os.set_blocking(pipe, True)
        return written


def check_full_pipe(folder):
    """A log that nobody reads stops no client; lines that had to go are counted, and the daemon ends."""
    path = os.path.join(folder, "socket")
    reads, writes = os.pipe()
    with subprocess.Popen([PROGRAM, "--listen", path, "--memory", "256M", "--log-level", "debug"], stderr=writes) as daemon:
        text = b""
        while b"listening at" not in text:
            text += os.read(reads, 4 * KIB)
        fill(writes)

        def run(name):
            done = subprocess.run([CONFORMANCE, "--gtest_filter=" + name], env=dict(os.environ, UNPU_DEVICE="unix:" + path),
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS)
            expect(f"{name} at a daemon whose log nobody reads, {done.stdout}, ends with", done.returncode, 0)

        try:
            run("KernelFailures.ReachTheSynchronisation:KernelFailures.TimeLimits")
            for _ in range(1 if SANITIZED else 3):
                run("Streams.*:Events.*")
        except subprocess.TimeoutExpired as late:
            problems.append(f"a client waits for the reader of the log: {late}")
        daemon.send_signal(signal.SIGTERM)
        try:
            expect("a daemon whose log nobody reads ends with", daemon.wait(SECONDS), 0)
        except subprocess.TimeoutExpired:
            problems.append("a daemon whose log nobody reads does not end")
            daemon.kill()
    os.close(writes)
    os.close(reads)


for part in (check_low_limits, check_relative_place, check_large_sizes, check_bounds, check_users, check_stopped, check_stopped_before, check_ends, check_kernels, check_busy, check_refusals,
             check_full_pipe):
    with tempfile.TemporaryDirectory(prefix="unpu-") as place:
        part(place)
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
