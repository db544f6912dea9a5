#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hccl_ranks.py SCENE LIBRARIES [UNPU_INFO]: ranks as processes, whose words Documentation/hccl.rst shows. "circle": the streams of
two ranks wait for each other. "missing": rank 0 of three does not call what the others call, and UNPU_INFO --hccl looks at
them."""
import multiprocessing
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hccl"))

import client  # noqa: E402

SCENE, LIBRARIES = sys.argv[1:3]
COMMUNICATORS, RANKS = {"circle": (2, 2), "missing": (1, 3)}[SCENE]
SECONDS = 30


def run(number, infos, joined):
    """@infos: a pipe's end of each other rank for rank 0, and the other end for the others."""
    rank = client.Rank(LIBRARIES, number)
    comms = []
    for _ in range(COMMUNICATORS):
        if number == 0:
            info = rank.root_info()
            for pipe in infos:
                pipe.send(info)
        else:
            info = infos.recv()
        rank.comm = client.ctypes.c_void_p()
        rank.join(RANKS, info, number)
        comms.append(rank.comm)
    memory = rank.put([1.0] * 1000)
    joined.wait(SECONDS)
    if SCENE == "missing":
        if number != 0:
            rank.all_reduce(memory, memory, 1000)
        joined.wait(SECONDS)
        time.sleep(SECONDS)
        return
    for turn in (0, 1):
        rank.comm = comms[turn if number == 0 else 1 - turn]
        if turn == number:
            rank.all_reduce(memory, memory, 8)
        else:
            rank.broadcast(memory, 8, 1)
    joined.wait(SECONDS)
    if number == 0:
        rank.synchronise()
    time.sleep(SECONDS)


def main():
    fork = multiprocessing.get_context("fork")
    joined = fork.Barrier(RANKS + 1)
    pipes = [fork.Pipe() for _ in range(RANKS - 1)]
    ranks = [fork.Process(target=run, args=(0, [pipe[0] for pipe in pipes], joined))]
    ranks += [fork.Process(target=run, args=(i + 1, pipe[1], joined)) for i, pipe in enumerate(pipes)]
    for rank in ranks:
        rank.start()
    joined.wait(SECONDS)
    joined.wait(SECONDS)
    if SCENE == "circle":
        ranks[0].join(2.5)
    else:
        print(subprocess.run([sys.argv[3], "--hccl"], stdout=subprocess.PIPE, text=True, check=True).stdout, end="")
    for rank in ranks:
        rank.kill()


main()
