# SPDX-License-Identifier: MIT
"""The ranks of a simulated communicator, and what class Emitter of umd/hccl/schedule makes of their steps: packets.

All islands have the same number of ranks, and their ranks follow each other. By default one rank of each island is simulated,
a lane, since those at the same place of all islands do the same work and the lanes of an island differ only in their parts.
The others count in the number of packets, in the rate of the memory and in the share of the card."""
import collections
import copy

from clock import COPIES, FOLDS, NOTES, START, Clock, Flag, Stream, after, later, shares

PAGE_BYTES = 4096
LINE_BYTES = 64
SLOT_MOST = 1 << 20
COLLECTIVE_MOST = 16 << 20
MESSAGE_MOST = 1 << 20
SHORT_BYTES = 32 << 10
LINK_SLOTS = 3
BUFFER_BYTES = 200 << 20
READY, REDUCED, READ = range(3)


class Shape:
    """Islands, their ranks, and the sizes that follow from them."""

    def __init__(self, islands, ranks, buffer_bytes=BUFFER_BYTES, slots=LINK_SLOTS, slot_bytes=0):
        self.islands, self.ranks, self.total, self.slots = islands, ranks, islands * ranks, slots
        half = buffer_bytes // 2
        self.collective_bytes = min(COLLECTIVE_MOST, half) // PAGE_BYTES * PAGE_BYTES
        self.message_bytes = min(MESSAGE_MOST, half // ranks) // PAGE_BYTES * PAGE_BYTES
        most = min(SLOT_MOST, half // self.total // (2 * LINK_SLOTS))
        self.slot_bytes = slot_bytes or max(PAGE_BYTES, most // PAGE_BYTES * PAGE_BYTES)

    def shortened(self, collective_bytes):
        """The same with a smaller part of the buffer, and so with shorter rounds."""
        other = copy.copy(self)
        other.collective_bytes = collective_bytes
        return other

    def lag(self):
        """So many pieces later agents take the result of a piece. One slot does not hold as many as several do."""
        return min(max(self.slots, self.islands), self.longest_lag())

    def longest_lag(self):
        """With one piece more between a piece and its result, the chain blocks; the test has found this."""
        return self.slots * (self.islands + 2) // 2

    def reduced_bytes(self, size):
        """Bytes of a round of an AllReduce of @size. Ranks that are alone on their islands put nothing into buffers, and so
        have one round."""
        return size if self.ranks == 1 and self.islands > 1 else self.collective_bytes

    def memory(self):
        """Bytes of one rank: its buffer, and links to one rank of each other island."""
        return self.collective_bytes + self.ranks * self.message_bytes + (self.islands - 1) * 2 * self.slots * self.slot_bytes

    def message_memory(self):
        """Bytes of one rank for messages with all ranks of other islands."""
        return (self.total - self.ranks) * 2 * self.slots * self.slot_bytes

    def flags(self):
        """Semaphores of one rank: those by which it waits and by which it signals. Each flag has three: the one that shows
        its value, one to wait for it, and one of each rank that raises it. Of one island; for collective calls between
        islands; and for long messages with all ranks of other islands."""
        near = 2 * (3 + 2 * (self.ranks - 1)) + 5 * (self.ranks - 1)
        return near, (self.islands - 1) * 2 * self.slots * 3, (self.total - self.ranks) * 2 * self.slots * 3


class Emitter:
    """Makes the packets of one rank for one call."""

    def __init__(self, group, island, place):
        self.group, self.shape, self.costs = group, group.shape, group.clock.costs
        self.island, self.place, self.rank = island, place, (island, place)
        self.packets, self.sent, self.taken = [], collections.Counter(), collections.Counter()

    def copy(self, size, sharers=1):
        """@sharers: ranks of the island that copy at the same time"""
        if size:
            self.packets.append((Stream.work, size / min(self.costs.copy_rate, self.costs.memory_rate / sharers), COPIES))

    def fold(self, operands, size, sharers=1):
        if operands == 1:
            self.copy(size, sharers)
        elif size:
            rate = min(self.costs.fold_rate, self.costs.memory_rate / sharers)
            self.packets += [(Stream.work, size / rate, FOLDS)] * (operands - 1)

    def tell(self, counter):
        others = [place for place in self.group.places if place != self.place]
        for place in others:
            self.packets.append((Stream.signal, self.group.flag(counter, self.island, place)))
        self.packets += [(Stream.signal, None)] * (self.shape.ranks - 1 - len(others))

    def wait_all(self, counter):
        if self.shape.ranks > 1:
            others = len(self.group.places) - 1
            flag = self.group.flag(counter, self.island, self.place) if others else None
            self.packets.append((Stream.wait, flag, others, counter != READ))

    def meet(self, counter):
        self.tell(counter)
        self.wait_all(counter)

    def begin_send(self, to):
        slot = self.sent[to] % self.shape.slots
        self.packets.append((Stream.wait, self.group.flag("taken", self.rank, to, slot), 1, False))

    def end_send(self, to, size):
        slot = self.sent[to] % self.shape.slots
        self.sent[to] += 1
        self.packets.append((Stream.host, (self.rank, to, size, self.group.flag("sent", to, self.rank, slot))))

    def begin_take(self, source):
        slot = self.taken[source] % self.shape.slots
        self.packets.append((Stream.wait, self.group.flag("sent", self.rank, source, slot), 1, False))

    def end_take(self, source):
        slot = self.taken[source] % self.shape.slots
        self.taken[source] += 1
        self.packets.append((Stream.host, (self.rank, source, 0, self.group.flag("taken", source, self.rank, slot))))


class Group:
    """The simulated ranks. @places: of each island; @share: of the card and of the connections"""

    def __init__(self, shape, costs, places, share):
        self.shape, self.places = shape, list(places)
        self.clock = Clock(costs, share)
        self.flags = collections.defaultdict(Flag)
        self.begun = START
        self.ranks = [(island, place) for island in range(shape.islands) for place in self.places]
        self.streams = {rank: Stream(self.clock, rank) for rank in self.ranks}
        # At first, all have read the buffers.
        for island, place in self.ranks:
            self.flag(READ, island, place).signals.extend([START] * (len(self.places) - 1))

    def flag(self, *name):
        """At first all slots are free, so their taken flags are raised."""
        if name[0] == "taken" and name not in self.flags:
            self.flags[name].signals.append(START)
        return self.flags[name]

    def call(self, emit, first=None):
        """One call of all ranks, which begins when all streams are idle unless @first says when.
        @emit: makes the packets of an emitter. Return: the first moment and the last one."""
        if first is None:
            first = max((stream.now for stream in self.streams.values()), key=lambda moment: moment[0])
        self._tell_calls(first)
        for (island, place), stream in self.streams.items():
            emitter = Emitter(self, island, place)
            emit(emitter)
            stream.begin(emitter.packets, first)
        self.clock.run()
        for rank, stream in self.streams.items():
            if stream.next != len(stream.packets):
                raise RuntimeError(f"rank {rank} waits for ever, at packet {stream.next} of {len(stream.packets)}")
        last = max((stream.now for stream in self.streams.values()), key=lambda moment: moment[0])
        return first, last

    def _tell_calls(self, first):
        """Each rank tells the first rank of each other island about its call, and that one looks at all ranks' calls."""
        shape, costs = self.shape, self.clock.costs
        others = shape.islands - 1
        if not others:
            return
        for island, place in self.ranks:
            seconds = others * costs.frame
            if place == 0:
                seconds += others * shape.ranks * (costs.frame + shape.total * costs.note)
            free = later(self.clock.threads[(island, place)], first)
            self.clock.threads[(island, place)] = after(free, seconds, NOTES)


def spent_between(first, last):
    """Seconds of each kind from one moment of a path to its end."""
    return [b - a for a, b in zip(shares(first), shares(last))]
