#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""processes.py FIRMWARE_SIM UNPU_INFO LIBHCCL [ROUNDS]: ranks that are processes of one firmware, and of two, in scenes of
rank.py: what frameworks do, ranks that differ, one that does not call, and one that is killed, ROUNDS times."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 120


class Firmware:
    def __init__(self, program, folder, name="npu", devices=4):
        self.path, self.log = os.path.join(folder, name), os.path.join(folder, name + ".log")
        # Not a pipe, which nobody reads while it runs: a full one holds the firmware up.
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([program, "--listen", self.path, "--devices", str(devices)], stderr=log)
        deadline = time.monotonic() + SECONDS
        while not os.path.exists(self.path):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit("the firmware did not start")
            time.sleep(0.01)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=SECONDS)
        if self.process.returncode != 0:
            with open(self.log, encoding="utf-8") as log:
                sys.stderr.write(log.read())
            raise SystemExit(f"the firmware ended with {self.process.returncode}")


def start(firmwares, libraries, scene, ranks, folder, **environment):
    """The ranks take the firmwares by turns."""
    def start_one(rank):
        path = firmwares[rank % len(firmwares)].path
        settings = dict(os.environ, UNPU_DEVICE=f"unix:{path}", HCCL_CONNECT_TIMEOUT="60", **environment)
        return subprocess.Popen([sys.executable, "-B", os.path.join(HERE, "rank.py"), libraries, scene, str(ranks),
                                 str(rank), folder], env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [start_one(rank) for rank in range(ranks)]


def await_files(folder, *names):
    """Return: what is in them."""
    deadline = time.monotonic() + SECONDS
    while not all(os.path.exists(os.path.join(folder, name)) for name in names):
        if time.monotonic() > deadline:
            raise SystemExit(f"nobody wrote {names}")
        time.sleep(0.01)
    return [open(os.path.join(folder, name), encoding="latin-1").read() for name in names]


def finish(scene, processes, dead=None):
    """Waits for all ranks. Return: what they printed."""
    texts = []
    for rank, process in enumerate(processes):
        try:
            text = process.communicate(timeout=SECONDS)[0].decode()
        except subprocess.TimeoutExpired:
            for each in processes:
                each.kill()
            raise SystemExit(f"{scene}: rank {rank} hangs") from None
        texts.append(text)
        wanted = -signal.SIGKILL if rank == dead else 0
        if process.returncode != wanted:
            for each in processes:
                each.kill()
            raise SystemExit(f"{scene}: rank {rank} ended with {process.returncode}: {text}")
    return "".join(texts)


def play(firmwares, libraries, scene, ranks, **environment):
    with tempfile.TemporaryDirectory() as folder:
        finish(scene, start(firmwares, libraries, scene, ranks, folder, **environment))
    print(f"{scene} with {ranks} ranks and {len(firmwares)} firmwares: passed", flush=True)


def play_kill(firmwares, libraries, ranks):
    with tempfile.TemporaryDirectory() as folder:
        processes = start(firmwares, libraries, "kill", ranks, folder)
        await_files(folder, *(f"ready{rank}" for rank in range(ranks)))
        time.sleep(0.2)
        victim = processes[ranks - 1]
        with open(os.path.join(folder, "killed.new"), "w", encoding="ascii") as file:
            file.write(str(time.monotonic()))
        victim.kill()
        os.rename(os.path.join(folder, "killed.new"), os.path.join(folder, "killed"))
        print(finish("kill", processes, ranks - 1), end="", flush=True)


class Impatient:
    """A firmware whose programs give it up soon."""
    def __init__(self, firmware):
        self.path = f"{firmware.path},patience_ms=3000"


def play_paused(firmware, libraries):
    with tempfile.TemporaryDirectory() as folder:
        processes = start([Impatient(firmware)], libraries, "paused", 2, folder)
        pid = int(await_files(folder, "waits")[0])
        # As when the machine sleeps. The program has seen the last heartbeat, and looks again before there is a new one.
        for pause, who, number in ((1.5, firmware.process.pid, signal.SIGSTOP), (0.7, pid, signal.SIGSTOP),
                                   (5, pid, signal.SIGCONT), (0.3, firmware.process.pid, signal.SIGCONT)):
            time.sleep(pause)
            os.kill(who, number)
        with open(os.path.join(folder, "goes on"), "wb"):
            pass
        finish("paused", processes)
    print("paused: passed", flush=True)


def play_parting(firmwares, libraries):
    with tempfile.TemporaryDirectory() as folder:
        processes = start(firmwares, libraries, "parting", 3, folder, HCCL_EXEC_TIMEOUT="2")
        processes[0].wait(timeout=SECONDS)
        with open(os.path.join(folder, "parted"), "wb"):
            pass
        await_files(folder, "waits")
        time.sleep(0.2)
        killed = time.monotonic()
        processes[2].kill()
        finish("parting", processes, 2)
        when, said = await_files(folder, "told")[0].split(" ", 1)
    if float(when) - killed > 2 + 5:
        raise SystemExit(f"parting: rank 1 knew {float(when) - killed:.1f} s after the kill: {said}")
    print(f"parting with {len(firmwares)} firmwares: passed, rank 1 knew {float(when) - killed:.3f} s after the kill: {said}",
          flush=True)


def play_lost(firmware, program, libraries):
    """The firmware of rank 1 is killed while rank 0 waits for it."""
    with tempfile.TemporaryDirectory() as folder:
        other = Firmware(program, folder)
        processes = start([firmware, other], libraries, "lost", 2, folder)
        await_files(folder, *(f"ready{rank}" for rank in range(2)))
        time.sleep(0.2)
        killed = time.monotonic()
        other.process.kill()
        other.process.wait()
        finish("lost", processes)
        with open(os.path.join(folder, "told0"), encoding="ascii") as file:
            late = float(file.read()) - killed
        if late > 2:
            raise SystemExit(f"rank 0 knew {late:.1f} s after the kill of a firmware")
    print(f"lost: passed, rank 0 knew {late:.3f} s after the kill of a firmware", flush=True)


def play_look(firmwares, info, libraries, ranks):
    """unpu-info shows who waits, and for whom."""
    with tempfile.TemporaryDirectory() as folder:
        processes = start(firmwares, libraries, "shown", ranks, folder)
        await_files(folder, *(f"called{rank}" for rank in range(1, ranks)))
        time.sleep(0.3)
        text = subprocess.run([info, "--hccl", "--pid", *(str(each.pid) for each in processes)], check=True,
                              capture_output=True, timeout=SECONDS).stdout.decode()
        with open(os.path.join(folder, "looked"), "wb"):
            pass
        finish("shown", processes)
    lines = text.splitlines()
    if len(lines) != 1 + ranks or f", {ranks} ranks" not in lines[0] or ", 0 calls, idle" not in lines[1]:
        raise SystemExit(f"unpu-info --hccl printed: {text}")
    for rank in range(1, ranks):
        if f"process {processes[rank].pid} (" not in lines[1 + rank] or \
                f"device {rank}, 1 calls, is in call 1, HcclAllReduce(1000 FP32, SUM), stream" not in lines[1 + rank]:
            raise SystemExit(f"unpu-info --hccl printed: {text}")
    print("shown: passed", flush=True)


def look_at(info, pids, is_json=False):
    """What unpu-info says of these processes, within two seconds although some may be stopped."""
    began = time.monotonic()
    command = [info, "--hccl", *(["--json"] if is_json else []), "--pid", *(str(pid) for pid in pids)]
    text = subprocess.run(command, check=True, capture_output=True, timeout=SECONDS).stdout.decode()
    if time.monotonic() - began > 2:
        raise SystemExit(f"unpu-info --hccl took {time.monotonic() - began:.1f} s: {text}")
    return text


def play_look_at_stopped(firmwares, info, libraries):
    """unpu-info names stopped processes at once, whether others know of them or not."""
    with tempfile.TemporaryDirectory() as folder:
        processes = start(firmwares, libraries, "shown", 3, folder)
        await_files(folder, *(f"called{rank}" for rank in range(1, 3)))
        stopped = [each.pid for each in processes[:2]]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            some, alone = look_at(info, [each.pid for each in processes]), look_at(info, stopped)
            told = [each["silent"]["process"] for each in json.loads(look_at(info, stopped, True))]
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        with open(os.path.join(folder, "looked"), "wb"):
            pass
        finish("shown", processes)
    lines = some.splitlines()
    if len(lines) != 4 or ", 0 calls, its process is stopped" not in lines[1] or \
            ", 1 calls, its process is stopped" not in lines[2] or "is in call 1" not in lines[3]:
        raise SystemExit(f"unpu-info --hccl printed: {some}")
    lines = alone.splitlines()
    if told != stopped or len(lines) != 2 or any(
            not line.startswith(f"process {pid} (") or not line.endswith("does not answer: it is stopped")
            for pid, line in zip(stopped, lines)):
        raise SystemExit(f"unpu-info --hccl printed: {alone}")
    print("shown with stopped processes: passed", flush=True)


def main():
    program, info, library = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 2
    libraries = os.path.dirname(library)
    with tempfile.TemporaryDirectory() as folder:
        firmwares = [Firmware(program, folder), Firmware(program, folder, "other")]
        try:
            for ranks in (1, 2):
                play(firmwares[:1], libraries, "flow", ranks)
            play_paused(firmwares[0], libraries)
            play_look(firmwares[:1], info, libraries, 3)
            play_look_at_stopped(firmwares[:1], info, libraries)
            for some in (firmwares[:1], firmwares):
                play(some, libraries, "flow", 4)
                play(some, libraries, "mismatch", 3)
                play(some, libraries, "missing", 3, HCCL_EXEC_TIMEOUT="1")
                play(some, libraries, "liar", 3, HCCL_EXEC_TIMEOUT="1")
                play(some, libraries, "stopped", 3, HCCL_EXEC_TIMEOUT="1")
                play(some, libraries, "left", 3, HCCL_EXEC_TIMEOUT="1")
                play(some, libraries, "ends", 2)
                play_parting(some, libraries)
                for _ in range(rounds):
                    play_kill(some, libraries, 3)
            play_lost(firmwares[0], program, libraries)
        finally:
            for firmware in firmwares:
                firmware.end()


if __name__ == "__main__":
    main()
