#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_tools.py UNPU_INFO NPU_SMI HOLDER VERSION: what scripts rely on in the tools' output and exit codes."""
import fcntl
import json
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

from expectations import expect, expect_in, expect_true, problems  # noqa: E402

INFO, SMI, HOLDER, VERSION = sys.argv[1:]


def run(*command, device=None):
    environment = dict(os.environ)
    if device is not None:
        environment["UNPU_DEVICE"] = device
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def field(output, line, number):
    """What awk 'NR == line { print $number }' gives."""
    lines = output.splitlines()
    words = lines[line - 1].split() if len(lines) >= line else []
    return words[number - 1] if len(words) >= number else None


def check_smi():
    table = run(SMI, "info")
    expect("npu-smi info ends with", table.returncode, 0)
    expect("its 7th line's first three fields",
           [field(table.stdout, 7, number) for number in (1, 2, 3)], ["|", "0", "910B3"])
    expect("widths of its lines", len({len(line) for line in table.stdout.splitlines()}), 1)
    table = run(SMI, "info", device="sim:devices=2,memory=64M,soc=Ascend310P3")
    expect("the chip of two devices", [field(table.stdout, line, 3) for line in (7, 10)],
           ["310P3", "310P3"])
    expect("their addresses", [field(table.stdout, line, 4) for line in (8, 11)], ["0000:01:00.0", "0000:02:00.0"])
    expect_in("npu-smi info", table.stdout, "No running processes found in NPU 1")
    expect("heads of its processes", [line.split() for line in table.stdout.splitlines() if "Process id" in line],
           ["| NPU Chip | Process id | Process name | Process memory(MB) | User |".split()])
    expect("npu-smi without a word", run(SMI).returncode, 2)


def check_info():
    text = run(INFO)
    expect("unpu-info ends with", text.returncode, 0)
    for word in ("wire", "memory_free", "segments_huge", "cpus", "memlock_limit", "Ascend910B3"):
        expect_in("unpu-info", text.stdout, word)
    answer = json.loads(run(INFO, "--json", "--dump", "--device-string",
                            "null:memory=64M,devices=2").stdout)
    expect("version", answer["version"], VERSION)
    device = answer["devices"][1]
    for key in ("wire", "generation", "memory_used_bytes", "busy_ns", "counters", "clients"):
        expect_in("a device", device, key)
    for key in ("packets", "doorbells", "messages", "kicks", "wakes", "faults", "arms_won", "arms_lost"):
        expect_in("its counters", device["counters"], key)
    expect("its clients", [client["client"] for client in device["clients"]], [0])
    for key in ("pid", "memory_used_bytes", "segments", "channels", "graphs", "semaphores"):
        expect_in("a client", device["clients"][0], key)
    expect("devices", [device["device"] for device in answer["devices"]], [0, 1])
    expect("memory", answer["devices"][1]["memory_total_bytes"], 64 << 20)
    expect_in("features", answer["devices"][0]["features"], "null")
    expect_in("dump", answer["devices"][1]["dump"], "device 1")


def check_program(pid):
    """What a running program shows, and a process that shows nothing."""
    nothing = run(INFO, "--pid", str(os.getpid()))
    expect("a process without a device", nothing.returncode, 1)
    expect_in("its sentence", nothing.stderr, f"process {os.getpid()} ", "shows no device")
    for number, sentence in (("4194304", "there is no process 4194304"), ("-5", "not in range"), ("0", "not in range")):
        expect_in(f"unpu-info --pid {number}", run(INFO, "--pid", number).stderr, sentence)
    shown = run(INFO, "--pid", str(pid))
    if "step" in os.environ.get("UNPU_DEVICE", ""):
        # It shows them when it hangs: tests/mistakes.
        expect("unpu-info --pid of a stepped device", shown.returncode, 1)
        return
    expect("unpu-info --pid ends with", shown.returncode, 0)
    expect_in("unpu-info --pid", shown.stdout, f"process {pid} (holder), unpu {VERSION}", "device 0", "clients of",
              "every stream is idle")
    told = json.loads(run(INFO, "--pid", str(pid), "--json").stdout)
    expect("a program", (told["pid"], told["program"], told["devices"][0]["streams"]), (pid, "holder", []))
    expect_true("its memory", told["devices"][0]["memory_used_bytes"] > 0)


def serve(listener, answer):
    """A process of anybody that answers as programs with a device do. Without an answer it never comes to an end."""
    while True:
        peer, _ = listener.accept()
        try:
            peer.sendall(answer or b" ")
            while answer is None:
                time.sleep(0.1)
                peer.sendall(b" " * 65536)
        except OSError:
            pass
        peer.close()


def is_listening(pid):
    with open("/proc/net/unix", encoding="latin-1") as table:
        return any(line.endswith(f"unpu-look-{pid}\n") and line.split()[3] == "00010000" for line in table)


def check_liars():
    """Whatever a process answers, the tools say so, and go on."""
    order = "\x1b]0;title\x07\r\u009b31m"
    program = {"program": "a" + order, "version": VERSION, "devices": [{"streams": [{"stream": 1, "state": "b" + order}]}]}
    rank = {"rank": 0, "process": 1, "host": "c" + order, "here": True, "device": 0, "calls": 1, "left": False}
    report = {"name": "d" + order, "id": "1", "rank": 0, "calls": 1, "failure": "e" + order, "trouble": "", "members": [rank],
              "pending": []}
    liars = [dict(program, communicators=[dict(report, rank=1 << 40)]), dict(program, communicators=[{}]),
             dict(program, devices=[{"streams": [], "clients": [{}]}]), {"devices": 7}, dict(program, more=json.loads("[" * 100 + "]" * 100)),
             dict(program, devices=[{"streams": [], order: 1}])]
    for answer in [dict(program, communicators=[report]), *liars, None]:
        with socket.socket(socket.AF_UNIX) as listener:
            pid = os.fork()
            if pid == 0:
                listener.bind(f"\0unpu-look-{os.getpid()}")
                listener.listen(8)
                serve(listener, None if answer is None else json.dumps(answer).encode())
            while not is_listening(pid):
                time.sleep(0.01)
            several = run(INFO, "--hccl")
            expect("unpu-info --hccl beside a liar", several.returncode, 0)
            one = several if answer is None else run(INFO, "--pid", str(pid))
            if answer in liars:
                expect("unpu-info --pid of a liar", one.returncode, 1)
                expect_in("its sentence", one.stderr, "does not fit")
            shown = one.stdout + several.stdout
            expect_true(f"no orders in {shown!r}", all(letter == "\n" or letter.isprintable() for letter in shown))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def answer_as_firmware(listener, text, size):
    """A firmware of another user: it tells how many devices it has, and shows @text, of which it says that it has @size bytes."""
    while True:
        peer, _ = listener.accept()
        while len(asked := peer.recv(128)) == 128:
            kind = int.from_bytes(asked[12:16], "little")
            reply = bytearray(asked)
            files = []
            if kind == 1:
                reply[24:64] = struct.pack("<QQIi16s", 1, 64 << 20, 1, 0, b"Ascend910B3")
            else:
                reply[24:32] = size.to_bytes(8, "little")
                files = [os.memfd_create("snapshot", os.MFD_ALLOW_SEALING)]
                os.write(files[0], text)
                os.truncate(files[0], size)
                fcntl.fcntl(files[0], fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
            socket.send_fds(peer, [bytes(reply)], files)
            for file in files:
                os.close(file)
        peer.close()


def check_lying_firmwares():
    """Whatever a firmware shows, the tools show it without orders to the terminal, or say that it does not fit."""
    order = "\x1b]0;title\x07\r\u009b31m"
    good = json.loads(run(INFO, "--json", device="sim:memory=64M").stdout)["devices"][0]
    shown = json.dumps(dict(good, name="Ascend" + order)).encode()
    lies = [json.dumps(dict(good, **{order: 1})), json.dumps({name: good[name] for name in good if name != "watchdog"}),
            json.dumps(dict(good, placement={})), json.dumps(dict(good, faults=[])), "[" * 1000000, "7"]
    answers = [(shown, len(shown)), *[(text.encode(), len(text)) for text in lies], (shown, 1 << 40)]
    for text, size in answers:
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(folder + "/socket")
            listener.listen(8)
            pid = os.fork()
            if pid == 0:
                answer_as_firmware(listener, text, size)
            for command in (INFO,), (INFO, "--topology"), (SMI, "info"), (SMI, "info", "-t", "health", "-i", "0"):
                told = run(*command, device=f"unix:{folder}/socket")
                expect(f"{command} of a firmware that shows {text[:40]!r}", told.returncode, 0 if size == len(shown) else 1)
                output = told.stdout + told.stderr
                expect_true(f"no orders in {output!r}", all(letter in "\n\t" or letter.isprintable() for letter in output))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def check_foreign_traces():
    """A trace of anybody is merged, or refused."""
    args = {"call": 1, "pid": 1, "packet": 2}
    trace = {"traceEvents": [{"ph": "X", "name": "x", "pid": 1, "args": args}], "unpuLooseEnds": {},
             "otherData": {"calls": {"1": ["", "a"]}, "marks": {"1": {}}}}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ("one", json.dumps(trace)), ("deep", "[" * 1000000):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        for name, code in ("one", 0), ("deep", 2):
            merged = run(INFO, "--merge-trace", f"{folder}/one", f"{folder}/{name}", "-o", f"{folder}/out")
            expect(f"a merge with the trace {name}", merged.returncode, code)
        # A node of a model, in the file of a firmware and in that of its client.
        args = {"call": 1, "pid": 1, "node": 1, "program": 2}
        trace["traceEvents"] = [{"ph": "X", "name": "x", "pid": 1, "ts": 5.5, "args": args}]
        for nodes, name, code in (([[0.0, 2, ["Conv a", "Relu b"]], [9.0, 2, ["Mul c"]]], "Relu b", 0), ([[0.0, 3, ["Conv a"]]], "a", 0),
                                  ([[0.0, 2, ["Conv a"]]], "Conv a", 0), ([7], None, 2)):
            trace["otherData"]["nodes"] = {"1": nodes}
            with open(f"{folder}/one", "w", encoding="utf-8") as file:
                json.dump(trace, file)
            merged = run(INFO, "--merge-trace", f"{folder}/one", f"{folder}/one", "-o", f"{folder}/out")
            expect(f"a merge with the nodes {nodes}", merged.returncode, code)
            if code == 0:
                with open(f"{folder}/out", encoding="utf-8") as file:
                    expect(f"a name of the nodes {nodes}", json.load(file)["traceEvents"][0]["name"], name)


def check_topology():
    """What is drawn is what move_pages() tells the program whose memory it is."""
    device = os.environ.get("UNPU_DEVICE", "sim:")
    # Nothing becomes present by itself between the two looks.
    device += "prefault=0" if device.endswith(":") else ",prefault=0"
    with subprocess.Popen([HOLDER], env=dict(os.environ, UNPU_DEVICE=device),
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        told = json.loads(holder.stdout.readline())
        drawn = run(INFO, "--topology", "--pid", str(holder.pid))
        answer = json.loads(run(INFO, "--topology", "--json", "--pid", str(holder.pid)).stdout)
        check_program(holder.pid)
        holder.stdin.close()
        expect("the holder", holder.wait(timeout=60), 0)
    expect("unpu-info --topology ends with", drawn.returncode, 0)
    for word in ("cpus", "device   0, Ascend910B3", "thread   holder", "pinned memory", "hugetlb"):
        expect_in("unpu-info --topology", drawn.stdout, word)
    expect("--topology", sorted(answer),
           ["devices", "machine", "nodes", "processes", "version"])
    found = [process for process in answer["processes"] if process["pid"] == holder.pid]
    expect("the holder's process", len(found), 1)
    for kind, nodes in told.items():
        if nodes is None:
            print(f"not compared: nodes of {kind} memory, this kernel has no move_pages()")
            continue
        pages = found[0]["pages"].get(kind, {})
        expect(f"nodes of its {kind} memory", pages.get("nodes"), nodes)
        expect(f"sizes of its {kind} memory",
               sum(pages.get(size, 0) for size in ("small_bytes", "thp_bytes", "huge_bytes")),
               sum(nodes.values()))
    expect_in("its threads", [thread["thread"] for thread in found[0]["threads"]], holder.pid)


def check_watch():
    """--watch shows the devices again and again; ctrl-c, or q on a terminal, ends it with 0."""
    command = [INFO, "--watch", "0.05", "--device-string", "null:memory=64M"]
    with subprocess.Popen(command + ["--json"], stdout=subprocess.PIPE, text=True) as piped:
        for _ in range(3):
            line = piped.stdout.readline()
            expect("devices of a look", [device["device"] for device in json.loads(line)], [0])
        piped.send_signal(signal.SIGINT)
        expect("--watch and ctrl-c", piped.wait(timeout=60), 0)
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs) as shown:
        os.close(theirs)
        screen = b""
        while screen.count(b"device 0") < 3 and select.select([ours], [], [], 60)[0]:
            screen += os.read(ours, 4096)
        os.write(ours, b"q")
        expect("--watch and q", shown.wait(timeout=60), 0)
    while select.select([ours], [], [], 0)[0]:
        try:
            screen += os.read(ours, 4096)
        except OSError:
            break
    os.close(ours)
    expect_in("the screen", screen.decode(), "\033[H\033[Jdevice 0")
    expect("the cursor comes back", screen.rstrip().endswith(b"\033[?25h"), True)


def check_names():
    """A program may have any name: nothing in it reaches a terminal, and a letter that the kernel has cut is no error."""
    odd_bytes = b"\033\007\177\233\xc3"
    for program, options in ((INFO, []), (INFO, ["--topology"]), (INFO, ["--json"]), (SMI, ["info"])):
        with tempfile.TemporaryDirectory() as folder:
            odd = os.fsencode(folder) + b"/]0;x" + odd_bytes
            os.symlink(os.path.abspath(program), odd)
            shown = subprocess.run([odd, *options], stdout=subprocess.PIPE, check=False)
        expect(f"{program} {options} of an odd name ends with", shown.returncode, 0)
        expect(f"{program} {options}: bytes of its name that a terminal obeys",
               sorted(set(shown.stdout) & set(odd_bytes)), [])


def check_ends():
    bad = run(INFO, "--device-string", "sim:nonsense")
    expect("unpu-info with a wrong device string", bad.returncode, 2)
    expect_in("its complaint", bad.stderr, "nonsense")
    expect("npu-smi with a wrong device string",
           run(SMI, "info", device="sim:nonsense").returncode, 2)
    expect("unpu-info with an unknown option", run(INFO, "--nonsense").returncode, 2)
    expect("unpu-info that shall watch for no time", run(INFO, "--watch", "0").returncode, 2)
    expect("unpu-info that watches a wrong device string",
           run(INFO, "--watch", "--device-string", "sim:nonsense").returncode, 2)
    for program in (INFO, SMI):
        usage = run(program, "--help")
        expect(f"{program} --help", usage.returncode, 0)
        expect_in(f"{program} --help", usage.stdout, "Ends with 0")
        expect(f"{program} --version", run(program, "--version").stdout.strip(), VERSION)


check_smi()
check_info()
check_liars()
check_lying_firmwares()
check_foreign_traces()
check_topology()
check_watch()
check_names()
check_ends()
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
