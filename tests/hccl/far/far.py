#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""far.py LIBRARIES SCENE RANKS RANK FOLDER: one rank of a scene of networks.py, whose ranks are in two networks. They
meet by files in FOLDER."""
import ctypes
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import client  # noqa: E402
from rank import expect, fetch, flow, kill, post  # noqa: E402


def early(rank, folder, info):
    """The last rank never comes, and the one before it is killed while it waits."""
    post(folder, f"coming{rank.rank}", str(os.getpid()).encode())
    try:
        rank.join(rank.ranks, info, rank.rank)
    except client.Failed as failure:
        post(folder, f"told{rank.rank}", f"{failure.code} {failure.text}".encode())
        return
    raise SystemExit("the ranks have joined without the last one")


def cut(rank, folder, info):
    """The link is cut. Each rank is told, and its streams wait no longer."""
    rank.join(rank.ranks, info, rank.rank)
    own = rank.put([1.0])
    if rank.rank != 0:
        rank.all_reduce(own, own, 1)
    post(folder, f"ready{rank.rank}", b"")
    since = float(fetch(folder, "cut"))
    while rank.async_error() == client.SUCCESS:
        time.sleep(0.01)
    print(f"rank {rank.rank} knew after {time.monotonic() - since:.1f} s")
    expect(rank.async_error(), client.REMOTE)
    try:
        rank.all_reduce(own, own, 1)
        raise SystemExit("a call was accepted")
    except client.Failed as failure:
        expect(failure.code, client.REMOTE)
        post(folder, f"told{rank.rank}", failure.text.encode())
    rank.destroy()


def subs(rank, folder, info):
    """Some ranks make a communicator of their own, twice; its rank 0 is not rank 0 of the first one."""
    rank.join(rank.ranks, info, rank.rank)
    for number, members in enumerate(([3, 0, 1], [2, 3], [1, 3, 2])):
        if rank.rank not in members:
            continue
        ids, sub = (ctypes.c_uint32 * len(members))(*members), ctypes.c_void_p()
        # The first of them comes last.
        time.sleep(0.5 if rank.rank == members[0] else 0)
        rank.call("HcclCreateSubCommConfig", ctypes.byref(rank.comm), ctypes.c_uint32(len(members)), ids,
                  ctypes.c_uint64(number), ctypes.c_uint32(members.index(rank.rank)), None, ctypes.byref(sub))
        whole, rank.comm = rank.comm, sub
        own = rank.put([float(rank.rank)])
        rank.all_reduce(own, own, 1)
        rank.synchronise()
        expect(rank.get(own, 1), [float(sum(members))])
        rank.destroy()
        rank.comm = whole
    rank.destroy()


def table(rank, folder, _info):
    """A table of two servers leads all to rank 0, which comes last."""
    time.sleep(1 if rank.rank == 0 else 0)
    rank.call("HcclCommInitClusterInfo", os.path.join(folder, "table.json").encode(), ctypes.c_uint32(rank.rank),
              ctypes.byref(rank.comm))
    flow(rank, folder)


def joined(scene):
    def play(rank, folder, info):
        rank.join(rank.ranks, info, rank.rank)
        scene(rank, folder)
    return play


def main():
    libraries, scene, ranks, number, folder = sys.argv[1:]
    rank = client.Rank(libraries, int(number))
    rank.ranks, rank.rank = int(ranks), int(number)
    if rank.rank == 0:
        post(folder, "root", rank.root_info())
    info = fetch(folder, "root")
    if scene == "late":
        fetch(folder, "go")
    {"flow": joined(flow), "late": joined(flow), "kill": joined(kill), "early": early, "cut": cut,
     "subs": subs, "table": table}[scene](rank, folder, info)
    rank.close()


if __name__ == "__main__":
    main()
