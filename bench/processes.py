#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""processes.py BUILD [--rounds N] [--ranks N...]: AllReduce of ranks that are processes of this machine: by unpu with one
firmware, with a wait after each call and after 32 of them, by Gloo over TCP, and by Open MPI and MPICH, by turns. Prints
medians over the rounds in microseconds, and the ratios in one round to the best of the others. What is not installed has
no row."""
import os
import subprocess
import sys
import tempfile
import time

from networks import MPIS, SECONDS, measure_mpi, options_of, samples_of, show

QUEUED = 32


def start_firmware(build, folder, devices):
    path = os.path.join(folder, "npu")
    firmware = subprocess.Popen([os.path.join(build, "bin", "firmware-sim"), "--log-level", "error", "--listen", path,
                                 "--devices", str(devices)])
    while not os.path.exists(path):
        if firmware.poll() is not None:
            raise SystemExit(f"processes.py: firmware-sim ended with {firmware.returncode}")
        time.sleep(0.01)
    return firmware


def measure(build, engine, ranks, samples, queued=1):
    """Return: a time of each size; nothing where the engine is not there."""
    with tempfile.TemporaryDirectory() as folder:
        firmware = start_firmware(build, folder, ranks) if engine == "unpu" else None
        processes = [subprocess.Popen(
            [os.path.join(build, "bench", "far_rank"), engine, str(ranks), str(rank), folder, "127.0.0.1", str(samples)],
            env=dict(os.environ, UNPU_DEVICE=f"unix:{folder}/npu", BENCH_DEVICE=str(rank), BENCH_QUEUED=str(queued)),
            stdout=subprocess.PIPE) for rank in range(ranks)]
        texts = [process.communicate(timeout=SECONDS)[0].decode() for process in processes]
        if firmware:
            firmware.terminate()
            firmware.wait()
        return {} if any(process.returncode != 0 for process in processes) else samples_of(texts[0])


def measure_round(build, ranks, samples):
    return {"unpu": measure(build, "unpu", ranks, samples), "queued": measure(build, "unpu", ranks, samples, QUEUED),
            "Gloo": measure(build, "gloo", ranks, samples),
            **{name: measure_mpi(build, name, ranks, samples) for name in MPIS}}


def main():
    options = options_of("processes.py", 3)
    for ranks in options.ranks:
        show("", ranks, [measure_round(options.build, ranks, options.samples) for _ in range(options.rounds)],
             ("unpu", "queued"))


if __name__ == "__main__":
    main()
