#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""networks.py BUILD [--rounds N] [--ranks N]: AllReduce of ranks in two network namespaces that a cable of this machine
joins: by unpu with a firmware in each namespace, and by Gloo, Open MPI and MPICH where they are installed, over TCP by
turns. Prints medians over the rounds, and the ratios in one round to the best of the others. Ends with 77 where the kernel
allows no namespaces."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ADDRESSES = ("10.78.0.1", "10.78.0.2")
SECONDS = 300
# Program of a build -> what builds it.
TARGETS = {"bin/firmware-sim": "firmware-sim", "bench/far_rank": "bench_far_rank"}
# Calls of one sample, as far_rank has them.
BATCHES = {8: 64, 4 << 10: 64, 64 << 10: 20, 1 << 20: 5, 64 << 20: 1}


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


# What starts the ranks of an MPI, what it needs in the environment, which variable has the rank, and what leads it over the
# cable. Open MPI binds ranks to CPUs and starts no more than there are, and none as root, unless it is told.
MPIS = {"Open MPI": (["mpiexec.openmpi", "--oversubscribe", "--bind-to", "none"],
                     {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}, "OMPI_COMM_WORLD_RANK",
                     {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_btl_tcp_if_include": "10.78.0.0/24",
                      "PMIX_MCA_ptl_base_if_include": "bench0"}),
        "MPICH": (["mpiexec.mpich"], {}, "PMI_RANK",
                  {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "bench0,bench1"})}

# UCX looks there for the interfaces of its network.
MOUNT = "mount -t sysfs sysfs /sys && "


class Networks:
    """This process's namespace, and another one."""

    def __init__(self):
        self.keeper = subprocess.Popen(["unshare", "-nm", "sh", "-c", MOUNT + "echo ready; exec cat"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.keeper.stdout.readline() != b"ready\n":
            raise OSError("there is no second network namespace")
        self.inside = ([], ["nsenter", "-t", str(self.keeper.pid), "-n", "-m"])
        run("ip", "link", "add", "bench0", "type", "veth", "peer", "name", "bench1", "netns", str(self.keeper.pid))
        for side in (0, 1):
            run(*self.inside[side], "ip", "address", "add", f"{ADDRESSES[side]}/24", "dev", f"bench{side}")
            run(*self.inside[side], "ip", "link", "set", f"bench{side}", "up")
            run(*self.inside[side], "ip", "link", "set", "lo", "up")
        for side in (0, 1):
            while b"state UP" not in subprocess.run([*self.inside[side], "ip", "link", "show", f"bench{side}"], check=True,
                                                    stdout=subprocess.PIPE).stdout:
                time.sleep(0.01)

    def end(self):
        self.keeper.kill()
        self.keeper.wait()


def samples_of(text):
    """What rank 0 printed: a time of each size."""
    found = {}
    for line in text.splitlines():
        size, ns = line.split()
        found.setdefault(int(size), []).append(float(ns))
    return {size: statistics.median(times) for size, times in found.items()}


def start_firmwares(build, networks, folder):
    firmwares = []
    for side in (0, 1):
        path = os.path.join(folder, f"npu{side}")
        firmwares.append(subprocess.Popen([*networks.inside[side], os.path.join(build, "bin", "firmware-sim"), "--log-level",
                                           "error", "--listen", path, "--devices", "8"]))
        while not os.path.exists(path):
            if firmwares[side].poll() is not None:
                raise SystemExit(f"networks.py: firmware-sim ended with {firmwares[side].returncode}")
            time.sleep(0.01)
    return firmwares


def measure(build, networks, engine, ranks, samples):
    with tempfile.TemporaryDirectory() as folder:
        firmwares = start_firmwares(build, networks, folder) if engine == "unpu" else []
        processes = []
        for rank in range(ranks):
            side = rank * 2 // ranks
            settings = dict(os.environ, UNPU_DEVICE=f"unix:{folder}/npu{side}", BENCH_DEVICE=str(rank % (ranks // 2)))
            processes.append(subprocess.Popen(
                [*networks.inside[side], os.path.join(build, "bench", "far_rank"), engine, str(ranks), str(rank), folder,
                 ADDRESSES[side], str(samples)], env=settings, stdout=subprocess.PIPE))
        texts = [process.communicate(timeout=SECONDS)[0].decode() for process in processes]
        for firmware in firmwares:
            firmware.terminate()
            firmware.wait()
        if any(process.returncode != 0 for process in processes):
            return {}
        return samples_of(texts[0])


def measure_mpi(build, name, ranks, samples, inside=None):
    """@inside: what enters the other namespace, into which the second half of the ranks go. Without it all are here."""
    start, settings, number, over_cable = MPIS[name]
    program, found = os.path.join(build, "bench", f"mpi_rank.{start[0].rsplit('.', 1)[1]}"), {}
    if not os.path.exists(program):
        return {}
    if inside:
        settings = {**settings, **over_cable}
    for size, batch in BATCHES.items():
        rank = [program, str(size), str(samples), str(batch)]
        if inside:
            line = " ".join(rank)
            rank = ["sh", "-c", f"[ ${number} -lt {ranks // 2} ] && exec {line}; exec {' '.join(inside)} {line}"]
        ended = subprocess.run([*start, "-n", str(ranks), *rank], env=dict(os.environ, **settings), capture_output=True,
                               timeout=SECONDS, check=False)
        times = [float(line) for line in ended.stdout.decode().split() if re.fullmatch(r"[0-9.]+", line)]
        if ended.returncode == 0 and times:
            found[size] = statistics.median(times)
    return found


def show(what, ranks, rounds, own):
    """A line for each size. @own: the columns that are not rivals"""
    for size in BATCHES:
        cells = []
        for engine in rounds[0]:
            times = [each[engine][size] for each in rounds if size in each[engine]]
            cells += [f"{engine} {statistics.median(times) / 1e3:.1f}"] if times else []
        rivals = [engine for engine in rounds[0] if engine not in own]
        for engine in own:
            ratios = [each[engine][size] / min(each[other][size] for other in rivals if size in each[other])
                      for each in rounds if size in each[engine] and any(size in each[other] for other in rivals)]
            cells += [f"{engine} by the best {statistics.median(ratios):.2f}"] if ratios else []
        print(f"{what}{ranks} ranks, {size} bytes: " + ", ".join(cells), flush=True)


def options_of(script, rounds):
    """What the command line asks for; the build is a whole path, and has the programs. @rounds: if it does not say"""
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=os.path.realpath)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--samples", type=int, default=10)
    options = parser.parse_args()
    for program, target in TARGETS.items():
        if not os.access(os.path.join(options.build, program), os.X_OK):
            sys.exit(f"{script}: {options.build} has no program {program}; the target is {target}")
    return options


def main():
    options = options_of("networks.py", 5)
    if os.environ.get("BENCH_INSIDE") != "1":
        if subprocess.run(["unshare", "-rnm", "sh", "-c", MOUNT + "true"], check=False).returncode != 0:
            print("skipped: this kernel allows no network namespaces to users")
            sys.exit(77)
        os.environ["BENCH_INSIDE"] = "1"
        os.execvp("unshare", ["unshare", "-rnm", "sh", "-c", MOUNT + 'exec "$@"', "sh", sys.executable, "-B", *sys.argv])
    networks = Networks()
    try:
        for ranks in options.ranks:
            rounds = []
            for _ in range(options.rounds):
                rounds.append({"unpu": measure(options.build, networks, "unpu", ranks, options.samples),
                               "Gloo": measure(options.build, networks, "gloo", ranks, options.samples),
                               **{name: measure_mpi(options.build, name, ranks, options.samples, networks.inside[1])
                                  for name in MPIS}})
            show("two networks, ", ranks, rounds, ("unpu",))
    finally:
        networks.end()


if __name__ == "__main__":
    main()
