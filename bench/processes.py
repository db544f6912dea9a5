#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""processes.py BUILD [--rounds N] [--ranks N...]: AllReduce of ranks that are processes of this machine: by unpu with one
firmware, with a wait after each call and after 32 of them, by Gloo over TCP, and by Open MPI and MPICH, by turns. Prints
medians over the rounds in microseconds, and the ratios in one round to the best of the others. What is not installed has
no row."""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from networks import BATCHES, SECONDS, options_of, samples_of

QUEUED = 32
# What starts the ranks of an MPI, and what it needs in the environment: Open MPI binds ranks to CPUs and starts no more than
# there are, and none as root, unless it is told.
MPIS = {"Open MPI": ("openmpi", ["--oversubscribe", "--bind-to", "none"],
                     {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}),
        "MPICH": ("mpich", [], {})}


def start_firmware(build, folder, devices):
    path = os.path.join(folder, "npu")
    firmware = subprocess.Popen([os.path.join(build, "bin", "firmware-sim"), "--log-level", "warning", "--listen", path,
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


def measure_mpi(build, name, ranks, samples):
    kind, options, settings = MPIS[name]
    program, found = os.path.join(build, "bench", f"mpi_rank.{kind}"), {}
    if not os.path.exists(program):
        return {}
    for size, batch in BATCHES.items():
        ended = subprocess.run([f"mpiexec.{kind}", *options, "-n", str(ranks), program, str(size), str(samples), str(batch)],
                               env=dict(os.environ, **settings), capture_output=True, timeout=SECONDS, check=False)
        times = [float(line) for line in ended.stdout.decode().split() if re.fullmatch(r"[0-9.]+", line)]
        if ended.returncode == 0 and times:
            found[size] = statistics.median(times)
    return found


def measure_round(build, ranks, samples):
    return {"unpu": measure(build, "unpu", ranks, samples), "queued": measure(build, "unpu", ranks, samples, QUEUED),
            "Gloo": measure(build, "gloo", ranks, samples),
            **{name: measure_mpi(build, name, ranks, samples) for name in MPIS}}


def show(ranks, rounds):
    for size in BATCHES:
        cells = []
        for engine in rounds[0]:
            times = [each[engine][size] for each in rounds if size in each[engine]]
            cells += [f"{engine} {statistics.median(times) / 1e3:.1f}"] if times else []
        for own in ("unpu", "queued"):
            ratios = [each[own][size] / min(each[other][size] for other in ("Gloo", *MPIS) if size in each[other])
                      for each in rounds if any(size in each[other] for other in ("Gloo", *MPIS))]
            cells += [f"{own} by the best {statistics.median(ratios):.2f}"] if ratios else []
        print(f"{ranks} ranks, {size} bytes: " + ", ".join(cells), flush=True)


def main():
    options = options_of("processes.py", 3)
    for ranks in options.ranks:
        show(ranks, [measure_round(options.build, ranks, options.samples) for _ in range(options.rounds)])


if __name__ == "__main__":
    main()
