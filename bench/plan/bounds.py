# SPDX-License-Identifier: MIT
"""What no schedule can beat, formulas for simple cases, and what the library keeps for a communicator."""

def moved_far(name, shape, size):
    """Bytes that leave the card of one island at least."""
    islands = shape.islands
    if islands == 1:
        return 0
    return {"AllReduce": 2 * size * (islands - 1) / islands, "AllGather": size / islands * (islands - 1),
            "Broadcast": size, "Barrier": 0}[name]


def moved_near(name, shape, size):
    """Bytes that the devices of one island copy at least, each out of its memory and into it."""
    ranks = shape.ranks
    return {"AllReduce": size * ranks, "AllGather": size * ranks, "Broadcast": size * ranks, "Barrier": 0}[name]


def bound(name, shape, costs, size):
    """Bytes over the slowest link, and one message over the network, without any work of hosts."""
    rate = min(costs.nic_rate, costs.connection_rate * shape.ranks)
    near = moved_near(name, shape, size) / min(costs.memory_rate, costs.copy_rate * shape.ranks)
    return max(moved_far(name, shape, size) / rate, near) + (costs.latency if shape.islands > 1 else costs.packet)


def broadcast_to_one(costs, size):
    """A Broadcast of one piece of at most 64 KiB from a rank to the only other one, on another island. The host and the
    frames about the call take less time than the root's first copies."""
    copied = costs.packet + size / costs.copy_rate
    task = costs.packet + costs.host_task / 2
    carried = 2 * (costs.wire_wake + costs.frame) + costs.latency + costs.wake
    link = size / min(costs.connection_rate, costs.nic_rate) + size / costs.copy_rate
    # A packet of the root waits for a slot, which is free.
    taken = costs.call + costs.submit + 2 * copied + costs.packet + task + carried + link
    # The other rank gives the slot back, and copies the piece to where the program wants it. Nobody waits for that slot.
    return taken + copied + task + costs.host_task / 2 + copied


def call_log_bytes(islands, ranks):
    """The call log of an island: 256 notes and 1024 digests of each rank's calls, and 32 and 256 at both ends of the messages
    of its ranks."""
    head, entry, digest = 64, 32, 8
    total, directions = islands * ranks, 1 if islands == 1 else 2
    calls = total * (head + head + 256 * entry + 1024 * digest)
    messages = directions * ranks * total * 2 * (head + 32 * entry + 256 * digest)
    return calls + messages


def peer_bytes(islands, ranks):
    """What a rank receives about the others when it joins: who each is, where it is reached, and the keys of its island."""
    who, place, seat = 256, 96 + 8 + 768, (1 + 3 + 16 + 16 + 1) * 32
    return islands * ranks * (who + place) + ranks * seat
