#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_command.py UNPU NPU_SMI PROGRAM MISTAKES VERSION: the commands of unpu, npu-smi's own commands, and completion.

PROGRAM is an example that ends with 0 on any device; MISTAKES makes the mistakes of tests/mistakes."""
import json
import os
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from expectations import expect, expect_in, expect_true, problems  # noqa: E402

UNPU, SMI, PROGRAM, MISTAKES, VERSION = sys.argv[1:]
ASCENDCC = os.path.join(os.path.dirname(UNPU), "unpu-ascendcc")
HCCL_BENCH = os.path.join(os.path.dirname(UNPU), "hccl_bench")
NULL = "null:memory=64M"
NOBODY = 65534


def run(*command, before=None, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("UNPU_DEVICE", "NO_COLOR")}
    environment.update(variables)
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, timeout=240, preexec_fn=before)


def check_run(folder):
    """The program's ending, its environment, and sentences before it starts."""
    trace = os.path.join(folder, "trace.json")
    done = run(UNPU, "run", "--device", "sim:memory=64M", "--trace", trace, "--", PROGRAM)
    expect("a program ends with", (done.returncode, done.stderr), (0, ""))
    with open(trace, encoding="utf-8") as file:
        expect_true("its trace has events", json.load(file)["traceEvents"])
    shell = ("sh", "-c", "echo $UNPU_DEVICE $UNPU_SCHEDULE $ASCEND_HOME_PATH $LD_LIBRARY_PATH; exit 7")
    done = run(UNPU, "run", "--faults", "fail:op=copy:nth=3", "--schedule", "lazy", "--cuda", "--", *shell,
               UNPU_DEVICE="sim:memory=64M", LD_LIBRARY_PATH="/elsewhere")
    home = os.path.dirname(os.path.dirname(os.path.realpath(UNPU)))
    expect("what a program finds", (done.returncode, done.stdout.split()),
           (7, ["sim:memory=64M,faults=fail:op=copy:nth=3", "lazy", home,
                f"{home}/lib64/cuda:{home}/lib64:/elsewhere"]))
    for option, word in (("--check", "warn"), ("--check=error", "error"), (None, "")):
        done = run(UNPU, "run", *filter(None, [option]), "--", "sh", "-c", "echo $UNPU_CHECK")
        expect(f"strict mode by {option}", (done.returncode, done.stdout.strip()), (0, word))
    expect("a strict mode that is none", run(UNPU, "run", "--check=nonsense", "--", "true").returncode, 2)
    expect("a program that is killed", run(UNPU, "run", "--", "sh", "-c", "kill -9 $$").returncode, -signal.SIGKILL)
    done = run(UNPU, "run", "--", "/nowhere/at/all")
    expect("a program that is not there", (done.returncode, done.stderr),
           (127, "unpu: /nowhere/at/all: No such file or directory\n"))
    for words, sentence in ((("--device", "sim:nonsense"), "nonsense"), (("--faults", "nonsense"), "nonsense"),
                            (("--faults", "fail:op=copy,drop:op=copy"), "comma"),
                            (("--device", "sim:faults=fail:op=copy", "--faults", "drop:op=copy"), "already"),
                            (("--trace",), "--trace: a value is missing"), (("--faults",), "a value is missing"),
                            (("--device",), "a value is missing"), (("--schedule",), "a value is missing"),
                            (("--schedule", "nonsense"), "--schedule: schedule 'nonsense'"), (("--device", "null:", "--schedule", "lazy"), "--schedule: only devices of sim:")):
        done = run(UNPU, "run", *words, "--", "sh", "-c", "echo started")
        expect(f"{words} ends with", (done.returncode, done.stdout), (2, ""))
        expect_in(f"{words}", done.stderr, sentence)
    done = run(UNPU, "tpo")
    expect("a command that is none", (done.returncode, done.stderr), (2, "unpu: there is no command 'tpo'; --help lists them\n"))
    done = run(UNPU, "run", "--nonsense", "--", "true")
    expect("an option that is none", (done.returncode, done.stderr),
           (2, "unpu: not expected: --nonsense; unpu run --help lists what is\n"))
    for words, sentence in (((UNPU, "run", "--nonsense", "value", "--", "sh", "-c", "true"), "not expected: --nonsense; unpu run --help"),
                            ((SMI, "info", "-t", "board", "--nonsense", "1"), "not expected: --nonsense; npu-smi info --help"),
                            ((UNPU, "info", "--nonsense", "1"), "not expected: --nonsense; unpu-info --help"),
                            ((UNPU, "bench", "more"), "not expected: more; unpu bench --help")):
        done = run(*words)
        expect(f"{words} ends with", done.returncode, 2)
        expect_in(f"{words}", done.stderr, sentence)
    done = run(UNPU, "run", "--sanitize", "--", PROGRAM)
    expect_in("a program that is watched", done.stderr, f"unpu-san: watches {PROGRAM}")


def check_tools():
    """Commands that are tools, and what is wrong with the others."""
    for command, words in (("info", ["--json", "--device-string", NULL]), ("smi", ["info"]), ("san", ["selftest"]),
                           ("daemon", ["--version"])):
        expect(f"unpu {command}", run(UNPU, command, *words).returncode, 0)
    expect("unpu --version", run(UNPU, "--version").stdout.strip(), VERSION)
    expect("unpu alone", run(UNPU).returncode, 2)
    expect("an unknown command", run(UNPU, "nonsense").returncode, 2)
    expect("a wrong device string", run(UNPU, "top", "--device", "sim:nonsense").returncode, 2)


def check_calls(device):
    """top names the call that waits and its event, and goes on when the program is stopped."""
    sentence = r"^  stream \d+ +task 0 of stream \d+ \(aclrtStreamWaitEvent\) waits for event 0x\w+, which no call has recorded"
    with subprocess.Popen([MISTAKES, "hang-at-a-flag-never-recorded"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=dict(os.environ, UNPU_DEVICE=device)) as program:
        end = time.monotonic() + 60
        text = ""
        while not re.search(sentence, text, re.M) and time.monotonic() < end:
            text = run(UNPU, "top", "--device", device, "--looks", "1").stdout
        expect_in("the process that waits", text, f"  process {program.pid} (mistakes)\n")
        expect_true(f"the call that waits: {text}", re.search(sentence, text, re.M))
        program.send_signal(signal.SIGSTOP)
        begin = time.monotonic()
        done = run(UNPU, "top", "--device", device, "--looks", "1")
        expect("top beside a stopped program ends with", done.returncode, 0)
        expect_true("top does not wait for a stopped program", time.monotonic() - begin < 8)
        program.kill()


def await_listening(daemon, path):
    """The file of the socket is there a moment before the daemon listens, and names its place."""
    for line in daemon.stderr:
        if "listening at" in line:
            expect_in("what it says", line, f"listening at {path}; programs find the devices by UNPU_DEVICE=unix:{path}\n")
            return


def check_daemon(folder):
    with subprocess.Popen([UNPU, "daemon", "--memory", "64M"], stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, XDG_RUNTIME_DIR=folder)) as daemon:
        device = f"unix:{folder}/unpu"
        await_listening(daemon, f"{folder}/unpu")
        done = run(UNPU, "run", "--device", device, "--", PROGRAM)
        expect(f"a program that finds it, which says {done.stderr!r},", done.returncode, 0)
        check_calls(device)
        # Where no other program of this user has a device open, which it would show.
        said = subprocess.run([UNPU, "info"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                              env={**{name: value for name, value in os.environ.items() if name != "UNPU_DEVICE"},
                                   "XDG_RUNTIME_DIR": folder}).stderr
        expect_true(f"a tool without UNPU_DEVICE says {said}", not said or f"UNPU_DEVICE={device} shows those of the daemon of this user" in said)
        daemon.send_signal(signal.SIGTERM)
        daemon.stderr.read()
        expect("the daemon ends with", daemon.wait(timeout=60), 0)


def check_daemon_in_tmp(folder):
    """Without XDG_RUNTIME_DIR: only where no other user can have put a socket."""
    surroundings = dict(os.environ, TMPDIR=folder)
    surroundings.pop("XDG_RUNTIME_DIR", None)
    own = f"{folder}/unpu-{os.geteuid()}"

    def refused(what):
        done = subprocess.run([UNPU, "daemon", "--memory", "64M"], env=surroundings, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=60)
        expect(f"the daemon beside {what} ends with", done.returncode, 1)
        expect_in(f"the daemon beside {what}", done.stderr, own, "XDG_RUNTIME_DIR")
        expect_true("it names no place to programs", "UNPU_DEVICE" not in done.stderr)

    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as other:
        other.bind(own)
        other.listen()
        refused("a socket that listens")
    os.unlink(own)
    os.mkdir(own)
    os.chmod(own, 0o777)
    refused("a folder that all may write into")
    os.rename(own, own + "-other")
    os.symlink(own + "-other", own)
    refused("a link")
    os.unlink(own)
    with subprocess.Popen([UNPU, "daemon", "--memory", "64M"], stderr=subprocess.PIPE, text=True,
                          env=surroundings) as daemon:
        await_listening(daemon, f"{own}/unpu")
        expect("the mode of its folder", stat.S_IMODE(os.stat(own).st_mode), 0o700)
        daemon.send_signal(signal.SIGTERM)
        daemon.stderr.read()
        expect("it ends with", daemon.wait(timeout=60), 0)


def check_top():
    """Looks without a terminal, colours, and the end by a key on a terminal."""
    command = (UNPU, "top", "--device", NULL, "--every", "0.05")
    done = run(*command, "--looks", "3")
    expect("three looks", (done.returncode, done.stdout.count("device 0")), (0, 3))
    expect_in("a look", done.stdout, "busy", "engines", "memory", "packets", "[----", "client")
    expect_true("a look without colours", "\033" not in done.stdout)
    expect_in("bars in colours", run(*command, "--looks", "2", "--colour", "always", NO_COLOR="1").stdout, "\033[32m")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (60, 160))
    screen = b""

    def read_until(text):
        nonlocal screen
        screen = b""
        end = time.monotonic() + 60
        while text not in screen and time.monotonic() < end and select.select([ours], [], [], 60)[0]:
            screen += os.read(ours, 4096)
        expect_true(f"the screen shows {text.decode()}", text in screen)

    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, env=environment) as shown:
        os.close(theirs)
        read_until(b"q quit  p pause")
        expect_true("colours on a terminal", b"\033[1m" in screen)
        read_until(b"client")
        # Each key changes the next picture. A look comes every 50 ms, so each text is awaited.
        for key, text in ((b"h", b"Each history ends with the newest look"), (b"-", b"every 0.1 s"),
                          (b"-", b"every 0.2 s"), (b"+", b"every 0.1 s")):
            os.write(ours, key)
            read_until(text)
        os.write(ours, b"p")
        read_until(b", paused")
        # What is left of the picture that says so, and no further one.
        more = b""
        while select.select([ours], [], [], 1)[0]:
            more += os.read(ours, 4096)
        expect_true("a pause", b"unpu top" not in more)
        os.write(ours, b"p")
        read_until(b"unpu top")
        read_until(b"client")
        os.write(ours, b"q")
        expect("unpu top and q", shown.wait(timeout=60), 0)
    os.close(ours)


def check_programs():
    """Devices that programs have in them are shown, where no other device is asked for."""
    variables = dict(os.environ, UNPU_DEVICE="sim:memory=64M")
    with subprocess.Popen([MISTAKES, "hang-at-a-flag-never-recorded"], env=variables, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as program:
        line = program.stderr.readline()
        expect_in("a program that waits", line, "which no call has recorded")
        pid = str(program.pid)
        for command in ((UNPU, "top", "--looks", "1", "--pid", pid), (UNPU, "top", "--looks", "1"), (UNPU, "info"),
                        (SMI, "info", "proc")):
            done = run(*command)
            expect(f"{command[1:]} of a program ends with", done.returncode, 0)
            expect_true(f"{command[1:]} names {pid}: {done.stdout}", re.search(rf"\b{pid}\b", done.stdout))
            if "top" in command:
                expect_true(f"rates at the first look: {done.stdout}", re.search(r"busy .* \d+ %", done.stdout))
        expect("unpu top of no program", run(UNPU, "top", "--looks", "1", "--pid", str(os.getpid())).returncode, 1)
        program.kill()


def check_programs_that_come():
    """Programs that begin and end between the two looks of npu-smi do not disturb it."""
    again = f"while :; do UNPU_DEVICE=sim: {shlex.quote(PROGRAM)}; done"
    with subprocess.Popen(["sh", "-c", f"({again}) & {again}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as program:
        codes = [run(UNPU, "smi", "info").returncode for _ in range(12)]
        os.killpg(program.pid, signal.SIGKILL)
    expect("npu-smi beside programs that come and go", codes, [0] * 12)


def check_quota(folder):
    """A program that a full firmware turns away is told of the quota."""
    path = os.path.join(folder, "full")
    device = {"UNPU_DEVICE": "unix:" + path}
    firmware = os.path.join(os.path.dirname(UNPU), "firmware-sim")
    with subprocess.Popen([firmware, "--listen", path, "--memory", "64M", "--quota-clients", "1",
                           "--log-level", "error"]) as process:
        end = time.monotonic() + 60
        while not os.path.exists(path) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        with subprocess.Popen([MISTAKES, "hang-at-a-flag-never-recorded"], env=dict(os.environ, **device),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as first:
            first.stderr.readline()
            done = run(MISTAKES, "freed-twice", **device)
            expect_in("a second client", done.stdout + done.stderr,
                      f"user {os.geteuid()} has as many clients of this firmware as one may have: the quota is --quota-clients")
            first.kill()
        process.terminate()


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def check_strangers(folder):
    """Another user is told who may connect to a firmware, and who may look at a program."""
    try:
        run(UNPU, "--version", before=as_nobody)
    except (PermissionError, subprocess.SubprocessError):
        print("not checked: what another user is told, which needs root and programs that all users can reach")
        return
    path = os.path.join(folder, "stranger")
    os.chmod(folder, 0o755)
    firmware = os.path.join(os.path.dirname(UNPU), "firmware-sim")
    for group, sentence in ((["--group", "0"], "of members of the group root"), ([], "firmware-sim --group opens it to a group")):
        with subprocess.Popen([firmware, "--listen", path, "--memory", "64M", "--log-level", "error", *group]) as process:
            end = time.monotonic() + 60
            while not os.path.exists(path) and process.poll() is None and time.monotonic() < end:
                time.sleep(0.02)
            done = run(UNPU, "info", before=as_nobody, UNPU_DEVICE="unix:" + path)
            expect_in(f"a stranger at a firmware with {group}", done.stderr, "Permission denied", sentence)
            process.terminate()
    with subprocess.Popen([MISTAKES, "hang-at-a-flag-never-recorded"], env=dict(os.environ, UNPU_DEVICE="sim:memory=64M"),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as program:
        program.stderr.readline()
        done = run(UNPU, "info", "--pid", str(program.pid), before=as_nobody)
        expect_in("a stranger's look", done.stderr, "belongs to another user, and only that user and root may look at it")
        program.kill()


def limit(kind, number):
    return lambda: resource.setrlimit(kind, (number, number))


def check_doctor():
    done = run(UNPU, "doctor", "--json", "--device", NULL)
    checks = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    for name in ("CPUs", "memlock", "huge pages", "THP", "io_uring", "membarrier", "NUMA", "seccomp", "open files",
                 "file size", "addresses", "overcommit", "clock", "libraries", "devices"):
        expect_in("checks of the doctor", checks, name)
    expect("a machine that can run programs", done.returncode, 0)
    for check in checks.values():
        expect_true(f"a remedy for {check['check']}", check["state"] == "ok" or check["remedy"])
    done = run(UNPU, "doctor", "--device", NULL, before=limit(resource.RLIMIT_MEMLOCK, 1 << 16))
    expect_true("a small memlock", re.search(r"^less +memlock +64 KiB may be locked.*\n +-> ulimit -l unlimited",
                                             done.stdout, re.M))
    done = run(UNPU, "doctor", "--device", NULL, before=limit(resource.RLIMIT_FSIZE, 1 << 20))
    expect("a machine that lacks something", done.returncode, 1)
    expect_true("a small limit on files", re.search(r"^LACKS +file size +1 MiB", done.stdout, re.M))
    done = run(UNPU, "doctor", "--device", "sim:nonsense")
    expect("the doctor with a wrong device string", done.returncode, 1)
    expect_true("its devices", re.search(r"^LACKS +devices +.*nonsense", done.stdout, re.M))
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "libascendcl.so"), "wb").close()
        done = run(UNPU, "doctor", "--device", NULL, LD_LIBRARY_PATH=folder)
        expect_true("another toolkit", re.search(r"^LACKS +libraries +programs find .* of another toolkit", done.stdout,
                                                 re.M) or done.returncode != 0)


def check_bench():
    done = run(UNPU, "bench", "--rounds", "1", "--json", "--device", "sim:memory=256M,engines=0")
    rows = json.loads(done.stdout)["rows"] if done.returncode == 0 else []
    expect("rows of the bench", len(rows), 8)
    for row in rows:
        expect_true(f"{row['text']}: numbers", 0 < row["lowest"] <= row["median"] <= row["highest"])
    done = run(UNPU, "bench", "--device", "nonsense")
    expect("a bench on no device string", (done.returncode, len(done.stderr.splitlines())), (2, 1))
    expect("an even number of rounds", run(UNPU, "bench", "--rounds", "4").returncode, 2)


def check_collective_bench():
    """A line for each size of which at least one element fits, with as many bytes as its elements have."""
    for words, lines in ((("all_reduce", "-b", "1", "-e", "16"), [("4", "1"), ("8", "2"), ("16", "4")]),
                         (("all_gather", "-b", "4", "-e", "44", "-i", "8"),
                          [("8", "1"), ("16", "2"), ("24", "3"), ("32", "4"), ("40", "5")]),
                         (("broadcast", "-d", "fp64", "-b", "1", "-e", "4"), [])):
        done = run(HCCL_BENCH, *words, "-g", "2", "-n", "1", "-w", "0")
        rows = [line.split() for line in done.stdout.splitlines() if not line.startswith("#")]
        expect(f"sizes of {words}: {done.stderr}", [tuple(row[:2]) for row in rows], lines)
        expect(f"wrong elements of {words}", {row[8] for row in rows}, {"0"} if lines else set())


def check_full():
    """A disk that is full, and folders that are not there."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        for words in ((UNPU, "info", "--json", "--dump"), (UNPU, "doctor"), (UNPU, "completion", "bash"), (SMI, "info", "-l"),
                      (UNPU, "top", "--every", "0.05"), (SMI, "info", "watch", "-d", "1")):
            done = subprocess.run(words, env=dict(os.environ, UNPU_DEVICE="null:memory=64M"), stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False, timeout=240)
            expect(f"{words[1:]} on a full disk ends with", done.returncode, 1)
            expect_in(f"{words[1:]} on a full disk", done.stderr, "standard output can't be written: No space left on device\n")
    done = run(UNPU, "run", "--trace", "/nowhere/trace.json", "--", "sh", "-c", "echo started")
    expect("a trace that can't be", (done.returncode, done.stdout), (2, ""))
    expect_in("a trace that can't be", done.stderr, "into /nowhere: No such file or directory")
    expect_true("unpu daemon --help says where it listens", run(UNPU, "daemon", "--help").stdout.startswith(
        "unpu daemon is firmware-sim. Without --listen, --control-fd and --self-test it listens at unpu in\n$XDG_RUNTIME_DIR"))
    done = run(UNPU, "daemon", "--listen", "/nowhere/npu")
    expect_in("a daemon without a folder", done.stderr, "the folder of the socket can't be opened: No such file")


def value(text, name):
    found = re.search(rf"^\t{re.escape(name)} +: (.*)$", text, re.M)
    return found.group(1) if found else None


def check_smi():
    """Names and places that scripts of the chip's users cut."""
    def smi(*words, device="sim:devices=2,memory=64M"):
        return run(SMI, *words, UNPU_DEVICE=device)
    text = smi("info", "-l").stdout
    expect("info -l", (value(text, "Total Count"), re.findall(r"NPU ID +: (\d)", text)), ("2", ["0", "1"]))
    lines = smi("info", "-m").stdout.splitlines()
    expect("info -m", [line.split() for line in lines[1:]],
           [["0", "0", "0", "Ascend", "910B3"], ["1", "0", "1", "Ascend", "910B3"]])
    text = smi("info", "-t", "usages", "-i", "1").stdout
    expect("info -t usages -i 1", [value(text, name) for name in ("NPU ID", "HBM Capacity(MB)", "HBM Usage Rate(%)",
                                                                    "Aicpu Usage Rate(%)")], ["1", "64", "0", "NA"])
    for kind, name in (("board", "Software Version"), ("memory", "HBM Capacity(MB)"), ("health", "Health Status"),
                       ("common", "Aicore Usage Rate(%)"), ("temp", "NPU Temperature (C)"), ("proc-mem", "Processes"),
                       ("power", "NPU Real-time Power(W)"), ("product", "Product Type"),
                       ("ecc", "HBM Single Bit Error Count")):
        expect_true(f"info -t {kind}: {name}", value(smi("info", "-t", kind, "-i", "0").stdout, name))
    topology = [line.split() for line in smi("info", "-t", "topo").stdout.splitlines()[:3]]
    expect("info -t topo", (topology[0][:4], [line[:3] for line in topology[1:]]),
           (["NPU0", "NPU1", "CPU", "Affinity"], [["NPU0", "X", topology[1][2]], ["NPU1", topology[2][1], "X"]]))
    expect_in("info proc -i 1", smi("info", "proc", "-i", "1").stdout, "Process id", "found in NPU 1")
    masked = {"UNPU_DEVICE": "sim:devices=4,memory=64M", "ASCEND_RT_VISIBLE_DEVICES": "1,3"}
    listed = re.findall(r"NPU ID +: (\d)", run(SMI, "info", "-l", **masked).stdout)
    expect("info -l under a mask", listed, ["0", "1", "2", "3"])
    expect("-i of each device of the list",
           [value(run(SMI, "info", "-t", "board", "-i", number, **masked).stdout, "NPU ID") for number in listed], listed)
    done = smi("info", "-t", "health", device="sim:memory=64M,faults=delay:op=copy:ms=1")
    expect("faults on purpose", value(done.stdout, "Faults On Purpose"), "delay:op=copy:ms=1;seed=1")
    expect("a device that is not there", smi("info", "-t", "health", "-i", "2").returncode, 2)
    expect("a device without a type", smi("info", "-i", "1").returncode, 2)
    expect("a type that is none", smi("info", "-t", "nonsense").returncode, 2)
    with subprocess.Popen([SMI, "info", "watch", "-i", "1", "-d", "1", "-s", "am"], stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, UNPU_DEVICE="sim:devices=2,memory=64M")) as watched:
        lines = [watched.stdout.readline().split() for _ in range(2)]
        expect("the heading of watch", lines[0], ["NpuID(Idx)", "ChipId(Idx)", "AI", "Core(%)", "Memory(%)"])
        expect("a line of watch", (lines[1][:2], len(lines[1])), (["1", "0"], 4))
        watched.send_signal(signal.SIGINT)
        expect("watch and ctrl-c", watched.wait(timeout=60), 0)


BASH = r"""
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_unpu_complete "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""

ZSH = r"""
compdef() { }
compadd() { shift; print -l -- $@ }
_normal() { print -l "word $CURRENT of" $words }
source "$1"
shift
words=("$@")
CURRENT=$#
_unpu
"""


# fish leaves its own name, which other shells take for $0, in the list.
FISH = r"""
source $argv[2]
complete -C (string join ' ' -- $argv[3..-1]) | string split -f1 \t
"""


# How zsh itself calls a script of its folders: as the body of a function of the file's name.
AUTOLOAD = r"""
compdef() { print compdef }
compadd() { shift; print -l -- $@ }
fpath=("$1" $fpath)
shift
autoload -U _unpu
words=("$@")
CURRENT=$#
_unpu
"""


def check_autoload(folder):
    os.rename(os.path.join(folder, "completion.zsh"), os.path.join(folder, "_unpu"))
    done = run("zsh", "-c", AUTOLOAD, "zsh", folder, UNPU, "top", "--")
    expect("the file of zsh's folders: stderr", done.stderr, "")
    expect_true(f"the file of zsh's folders offers {done.stdout}", "--every" in done.stdout.split())


def check_completion(folder):
    """What a shell offers is what the tool has."""
    for shell, script in (("bash", BASH), ("zsh", ZSH), ("fish", FISH)):
        done = run(UNPU, "completion", shell)
        expect(f"the script for {shell}", done.returncode, 0)
        if not shutil.which(shell):
            print(f"completion for {shell} was not tried: there is no {shell}")
            continue
        path = os.path.join(folder, f"completion.{shell}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(done.stdout)
        for words, offered in (((UNPU, ""), {"run", "top", "doctor", "bench", "info", "daemon", "completion"}),
                               ((UNPU, "run", "--"), {"--device", "--trace", "--faults", "--check"}),
                               ((UNPU, "top", "--"), {"--every", "--colour"}),
                               ((UNPU, "kernel", ""), {"debug"}), ((UNPU, "kernel", "debug", "--"), {"--break", "--device"}),
                               ((UNPU, "info", "--"), {"--topology", "--merge-trace"}),
                               ((SMI, ""), {"info"}), ((UNPU, "san", "run", "--"), {"--runs", "--keep"}),
                               ((UNPU, "top", "--device", ""), {"sim:", "unix:"}),
                               ((UNPU, "top", "--colour", ""), {"always", "never", "auto"}),
                               ((SMI, "info", ""), {"-l", "-m", "-t", "-i", "watch"}),
                               ((SMI, "info", "-t", ""), {"board", "usages"}),
                               ((HCCL_BENCH, ""), {"all_reduce", "--minbytes"}),
                               ((HCCL_BENCH, "-d", "fp"), {"fp16"}),
                               ((UNPU, "completion", ""), {"bash", "zsh", "fish"}),
                               ((UNPU, "san", "run", "--schedule", ""), {"fifo", "random", "pct"}),
                               ((ASCENDCC, "--"), {"--keep", "--fatbin"})):
            done = run(shell, "-c", script, shell, path, *words)
            expect(f"{shell} completes {words[1:]} without a word on stderr", done.stderr, "")
            found = set(done.stdout.split())
            expect_true(f"{shell} offers for {words[1:]}: {found} {done.stderr}", offered <= found)
            if words[-1] == "--":
                expect_true(f"{shell} offers only options for {words[1:]}: {found}",
                            shell == "zsh" or all(word.startswith("--") for word in found))
    if shutil.which("zsh"):
        # The program of the user is completed by its own rules: not by those of the tool, which would call themselves.
        done = run("zsh", "-c", ZSH, "zsh", os.path.join(folder, "completion.zsh"), UNPU, "run", "--", "./program", "a")
        expect("what zsh completes behind --", done.stdout, "word 2 of\n./program\na\n")
        check_autoload(folder)
    expect("a shell that is unknown", run(UNPU, "completion", "tcsh").returncode, 2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_run(folder)
        check_daemon(folder)
        check_daemon_in_tmp(folder)
        check_completion(folder)
        check_quota(folder)
        check_strangers(folder)
    check_tools()
    check_top()
    check_programs()
    check_programs_that_come()
    check_doctor()
    check_bench()
    check_collective_bench()
    check_smi()
    check_full()
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
