#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rank.py LIBRARIES SCENE RANKS RANK FOLDER: one rank of a scene of processes.py. Ranks meet by files in FOLDER."""
import json
import os
import signal
import socket
import sys
import threading
import time

import client

COUNT = 1000


def post(folder, name, data):
    with open(os.path.join(folder, name + ".new"), "wb") as file:
        file.write(data)
    os.rename(os.path.join(folder, name + ".new"), os.path.join(folder, name))


def fetch(folder, name):
    path, deadline = os.path.join(folder, name), time.monotonic() + 60
    while not os.path.exists(path):
        if time.monotonic() > deadline:
            raise SystemExit(f"nobody wrote {name}")
        time.sleep(0.01)
    with open(path, "rb") as file:
        return file.read()


def expect(found, wanted):
    if found != wanted:
        raise SystemExit(f"found {found}, not {wanted}")


def fails(code, words, call, *arguments):
    """The call fails with the code and a sentence that has the words."""
    try:
        call(*arguments)
    except client.Failed as failure:
        expect(failure.code, code)
        for word in words:
            if word not in failure.text:
                raise SystemExit(f"'{word}' is not in: {failure.text}")
        return
    raise SystemExit(f"{call.__name__} did not fail")


def values(rank, count=COUNT):
    return [float(rank * 10 + i % 7) for i in range(count)]


def flow(rank, _folder):
    """What frameworks do: a reduction of one element at first, then all of it."""
    ranks = rank.ranks
    warm = rank.put([1.0])
    rank.all_reduce(warm, warm, 1)
    rank.synchronise()
    expect(rank.get(warm, 1), [float(ranks)])
    own, total = rank.put(values(rank.rank)), rank.put([0.0] * COUNT)
    rank.all_reduce(own, total, COUNT)
    gathered = rank.put([0.0] * COUNT * ranks)
    rank.all_gather(own, gathered, COUNT)
    copied = rank.put(values(rank.rank))
    rank.broadcast(copied, COUNT, ranks - 1)
    around = rank.put([0.0] * COUNT)
    if rank.rank % 2 == 0 and rank.rank + 1 < ranks:
        rank.send(own, COUNT, rank.rank + 1)
    elif rank.rank % 2 == 1:
        rank.receive(around, COUNT, rank.rank - 1)
    big = rank.put([float(rank.rank + 1)] * 3000000)
    for _ in range(3):
        rank.all_reduce(big, big, 3000000, client.MAX)
    rank.synchronise()
    expect(rank.get(total, COUNT), [sum(values(r)[i] for r in range(ranks)) for i in range(COUNT)])
    expect(rank.get(gathered, COUNT * ranks), [value for r in range(ranks) for value in values(r)])
    expect(rank.get(copied, COUNT), values(ranks - 1))
    if rank.rank % 2 == 1:
        expect(rank.get(around, COUNT), values(rank.rank - 1))
    expect(set(rank.get(big, 3000000)), {float(ranks)})
    rank.destroy()


def mismatch(rank, folder):
    """Rank 1 calls with another count, after the others."""
    own = rank.put(values(rank.rank))
    if rank.rank == 1:
        for other in range(rank.ranks):
            if other != 1:
                fetch(folder, f"called{other}")
        # Calls of another firmware may be told a moment later.
        try:
            rank.all_reduce(own, own, COUNT - 1)
            rank.synchronise()
            raise SystemExit("the calls differ")
        except client.Failed as failure:
            if failure.code not in (client.PARA, 107035) or any(
                    words not in failure.text for words in ("(999 FP32, SUM)", "(1000 FP32, SUM)")):
                raise SystemExit(f"{failure}") from None
    else:
        rank.all_reduce(own, own, COUNT)
        post(folder, f"called{rank.rank}", b"")
        fails(107035, ["(999 FP32, SUM)", "(1000 FP32, SUM)", "rank 1"], rank.synchronise)
        expect(rank.async_error(), client.PARA)
    rank.destroy()


WRONG_REPORTS = [7, {}, {"id": 7, "rank": "0"}, {"id": "", "rank": 0, "members": 3, "pending": [{}]}]


def answer_wrongly():
    """The socket that this process would have, if UNPU_LOOK were not 0."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(f"\0unpu-look-{os.getpid()}")
    listener.listen()
    while True:
        peer, _ = listener.accept()
        with peer:
            peer.sendall(json.dumps({"communicators": WRONG_REPORTS}).encode())


def liar(rank, folder):
    """Rank 0 calls, but its stream does not come so far, and its process answers with reports that are none. The others
    have HCCL_EXEC_TIMEOUT=1."""
    own = rank.put(values(rank.rank))
    if rank.rank == 0:
        threading.Thread(target=answer_wrongly, daemon=True).start()
        rank.hold()
    else:
        fetch(folder, "called0")
    rank.all_reduce(own, own, COUNT)
    post(folder, f"called{rank.rank}", b"")
    if rank.rank == 0:
        for other in range(1, rank.ranks):
            fetch(folder, f"done{other}")
        rank.go_on()
    else:
        try:
            rank.synchronise()
            raise SystemExit("the wait did not end")
        except client.Failed as failure:
            if "the stream of one of them has not come so far" not in failure.text:
                raise SystemExit(f"{failure}") from None
        post(folder, f"done{rank.rank}", b"")
    rank.destroy()


def missing(rank, folder):
    """Rank 0 does not call. The others have HCCL_EXEC_TIMEOUT=1."""
    own = rank.put(values(rank.rank))
    if rank.rank == 0:
        for other in range(1, rank.ranks):
            fetch(folder, f"done{other}")
    else:
        rank.all_reduce(own, own, COUNT)
        # Another one may have told its time limit to all before.
        try:
            rank.synchronise()
            raise SystemExit("the wait did not end")
        except client.Failed as failure:
            if failure.code not in (107020, 107035) or "rank 0 (process" not in failure.text:
                raise SystemExit(f"{failure}") from None
        expect(rank.async_error(), client.TIMEOUT)
        post(folder, f"done{rank.rank}", b"")
    rank.destroy()


def stopped(rank, folder):
    """The process of rank 0 is stopped before its call. The others have HCCL_EXEC_TIMEOUT=1."""
    own = rank.put(values(rank.rank))
    if rank.rank == 0:
        # Its process tells the others when all have joined.
        for other in range(1, rank.ranks):
            fetch(folder, f"joined{other}")
        post(folder, "stopping", str(os.getpid()).encode())
        os.kill(os.getpid(), signal.SIGSTOP)
        for other in range(1, rank.ranks):
            fetch(folder, f"done{other}")
    else:
        post(folder, f"joined{rank.rank}", b"")
        pid = int(fetch(folder, "stopping"))
        rank.all_reduce(own, own, COUNT)
        try:
            rank.synchronise()
            raise SystemExit("the wait did not end")
        except client.Failed as failure:
            if "rank 0 (process" not in failure.text or "its process is stopped" not in failure.text:
                raise SystemExit(f"{failure}") from None
        post(folder, f"done{rank.rank}", b"")
        for other in range(1, rank.ranks):
            fetch(folder, f"done{other}")
        os.kill(pid, signal.SIGCONT)
    rank.destroy()


def left(rank, folder):
    """The process of rank 0 is stopped, and the others destroy the communicator meanwhile. They have
    HCCL_EXEC_TIMEOUT=1."""
    own = rank.put(values(rank.rank, 300000))
    if rank.rank == 0:
        for other in range(1, rank.ranks):
            fetch(folder, f"joined{other}")
        post(folder, "stopping", str(os.getpid()).encode())
        os.kill(os.getpid(), signal.SIGSTOP)
        rank.destroy()
        return
    post(folder, f"joined{rank.rank}", b"")
    pid = int(fetch(folder, "stopping"))
    rank.all_reduce(own, own, 300000)
    try:
        rank.synchronise()
        raise SystemExit("the wait did not end")
    except client.Failed:
        pass
    began = time.monotonic()
    rank.destroy()
    if time.monotonic() - began > 10:
        raise SystemExit(f"HcclCommDestroy took {time.monotonic() - began:.1f} s")
    post(folder, f"done{rank.rank}", b"")
    for other in range(1, rank.ranks):
        fetch(folder, f"done{other}")
    os.kill(pid, signal.SIGCONT)


def paused(rank, folder):
    """Rank 0 waits for rank 1, and its process and the firmware are stopped meanwhile for longer than patience_ms."""
    own = rank.put(values(rank.rank))
    if rank.rank == 0:
        post(folder, "waits", str(os.getpid()).encode())
    else:
        fetch(folder, "goes on")
    rank.all_reduce(own, own, COUNT)
    rank.synchronise()
    expect(rank.get(own, COUNT), [sum(values(each)[i] for each in range(rank.ranks)) for i in range(COUNT)])
    rank.destroy()


def ends(rank, folder):
    """The ends of a message differ, and are named as what they are."""
    own, words = rank.put(values(rank.rank)), ["HcclSend(1000 FP32)", "HcclRecv(999 FP32)"]
    if rank.rank == 0:
        rank.send(own, COUNT, 1)
        post(folder, "called0", b"")
        fails(107035, words, rank.synchronise)
    elif rank.rank == 1:
        fetch(folder, "called0")
        try:
            rank.receive(own, COUNT - 1, 0)
            rank.synchronise()
            raise SystemExit("the ends differ")
        except client.Failed as failure:
            if any(word not in failure.text for word in words):
                raise SystemExit(f"{failure}") from None
    rank.destroy()


def lost(rank, folder):
    """The firmware of the last rank is killed, whose program makes no call. The streams of the others have the error."""
    own = rank.put(values(rank.rank))
    rank.all_reduce(own, own, COUNT, client.MAX)
    rank.synchronise()
    if rank.rank + 1 < rank.ranks:
        rank.all_reduce(own, own, COUNT, client.MAX)
    post(folder, f"ready{rank.rank}", b"")
    if rank.rank + 1 < rank.ranks:
        fails(107035, [f"the firmware of rank {rank.ranks - 1} (process "], rank.synchronise)
        post(folder, f"told{rank.rank}", str(time.monotonic()).encode())
    for other in range(rank.ranks - 1):
        fetch(folder, f"told{other}")
    expect(rank.async_error(), client.REMOTE)
    rank.destroy()
    # The runtime of a rank whose device is gone ends with an error.
    os._exit(0)


def shown(rank, folder):
    """Rank 0 does not call until somebody has looked at the others."""
    own = rank.put(values(rank.rank))
    if rank.rank == 0:
        fetch(folder, "looked")
    rank.all_reduce(own, own, COUNT)
    post(folder, f"called{rank.rank}", b"")
    rank.synchronise()
    rank.destroy()


def kill(rank, folder):
    """All reduce again and again until rank number last is killed; the others then have an error."""
    own = rank.put(values(rank.rank, 300000))
    post(folder, f"ready{rank.rank}", str(os.getpid()).encode())
    try:
        while True:
            for _ in range(20):
                rank.all_reduce(own, own, 300000, client.MAX)
            rank.synchronise()
    except client.Failed as failure:
        told = time.monotonic()
        killed = float(fetch(folder, "killed"))
        if f"rank {rank.ranks - 1} has ended" not in failure.text:
            raise SystemExit(f"{failure}") from None
        print(f"rank {rank.rank} knew after {told - killed:.3f} s")
    expect(rank.async_error(), client.REMOTE)
    # What was submitted ends, and no call of the dead communicator hangs.
    try:
        rank.synchronise()
    except client.Failed:
        pass
    fails(client.REMOTE, ["has ended"], rank.all_reduce, own, own, 1)
    rank.destroy()


def parting(rank, folder):
    """The process of rank 0, which hosts the communicator, ends when it has no more to do. The others go on, and who
    waits for a rank that ends waits until HCCL_EXEC_TIMEOUT=2."""
    own, around = rank.put(values(rank.rank)), rank.put([0.0] * COUNT)
    rank.all_reduce(own, around, COUNT, client.MAX)
    rank.synchronise()
    if rank.rank == 0:
        rank.destroy()
        return
    fetch(folder, "parted")
    # Until the news have come.
    time.sleep(0.3)
    expect(rank.async_error(), client.SUCCESS)
    if rank.rank == 2:
        rank.send(own, COUNT, 1)
        rank.synchronise()
        post(folder, "sent", b"")
        fetch(folder, "never")
    rank.receive(around, COUNT, 2)
    rank.synchronise()
    expect(rank.get(around, COUNT), values(2))
    fetch(folder, "sent")
    rank.receive(around, COUNT, 2)
    post(folder, "waits", b"")
    try:
        rank.synchronise()
    except client.Failed as failure:
        post(folder, "told", f"{time.monotonic()} {failure.code} {failure.text}".encode())
        rank.destroy()
        return
    raise SystemExit("a message came from nobody")


def main():
    libraries, scene, ranks, number, folder = sys.argv[1:]
    if scene == "liar" and number == "0":
        os.environ["UNPU_LOOK"] = "0"
    rank = client.Rank(libraries, int(number))
    if int(number) == 0:
        post(folder, "root", rank.root_info())
    rank.join(int(ranks), fetch(folder, "root"), int(number))
    {"flow": flow, "mismatch": mismatch, "missing": missing, "liar": liar, "stopped": stopped, "paused": paused, "left": left,
     "ends": ends, "lost": lost, "shown": shown, "kill": kill, "parting": parting}[scene](rank, folder)
    rank.close()


if __name__ == "__main__":
    main()
