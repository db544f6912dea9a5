# SPDX-License-Identifier: MIT
"""A simulated clock for streams of several ranks and for the wire between them.

A moment is a tuple: its time, the moment that it follows, and what the time between them was spent on. So the last moment of
an operation knows its critical path, and shares() adds up what that cost. The clock runs a stream until the stream has to
wait, and frames in the order of their times, so all that comes about at one time depends on earlier times alone."""
import collections
import heapq

KINDS = ("submit", "packets", "copies", "folds", "meetings", "wakes", "host tasks", "wire", "latency", "link", "notes")
SUBMIT, PACKETS, COPIES, FOLDS, MEETINGS, WAKES, HOST_TASKS, WIRE, LATENCY, LINK, NOTES = range(len(KINDS))

START = (0.0, None, SUBMIT)

# Data of at most so many bytes go with the head of a frame, and the receiver's thread copies them. For others, the sender
# asks first where they go.
EAGER_BYTES = 65536


def after(moment, seconds, kind):
    return (moment[0] + seconds, moment, kind)


def later(one, other):
    return one if one[0] >= other[0] else other


def shares(moment):
    """Seconds of each kind, on the path that ends at @moment."""
    spent = [0.0] * len(KINDS)
    while moment[1] is not None:
        spent[moment[2]] += moment[0] - moment[1][0]
        moment = moment[1]
    return spent


class Flag:
    """A semaphore: signals that have come, and the stream that waits."""
    __slots__ = ("signals", "waiter", "wanted")

    def __init__(self):
        self.signals, self.waiter, self.wanted = collections.deque(), None, 0


class Stream:
    """The packets of one rank: tuples whose first member is a function of this class."""

    def __init__(self, clock, rank):
        self.clock, self.rank, self.now = clock, rank, START
        self.packets, self.next, self.first = [], 0, START

    def begin(self, packets, moment):
        """Submits the packets of one call. The host submits them while the device runs."""
        self.packets, self.next, self.first = packets, 0, moment
        self.now = later(self.now, moment)
        self.clock.at(self.now, self.run)

    def run(self, _moment):
        costs, packets = self.clock.costs, self.packets
        while self.next < len(packets):
            packet = packets[self.next]
            issued = self.first[0] + costs.call + (self.next + 1) * costs.submit
            if issued > self.now[0]:
                self.now = (issued, self.first, SUBMIT)
            if not packet[0](self, *packet[1:]):
                return
            self.next += 1

    def work(self, seconds, kind):
        self.now = after(after(self.now, self.clock.costs.packet, PACKETS), seconds, kind)
        return True

    def signal(self, flag):
        self.now = after(self.now, self.clock.costs.packet, PACKETS)
        if flag is not None:
            self.clock.raise_flag(flag, self.now)
        return True

    def wait(self, flag, count, is_meeting):
        """@count: signals, which it takes."""
        if flag is not None and len(flag.signals) < count:
            flag.waiter, flag.wanted = self, count
            return False
        costs = self.clock.costs
        came = START
        for _ in range(count if flag is not None else 0):
            came = later(came, flag.signals.popleft())
        own = after(self.now, costs.packet, PACKETS)
        if is_meeting:
            self.now = after(later(own, came), costs.meeting, MEETINGS)
        else:
            self.now = after(came, costs.wake, WAKES) if came[0] > own[0] else own
        return True

    def host(self, send):
        """A function of the host, which gives a frame to the wire. @send: the arguments of Clock.send()"""
        half = self.clock.costs.host_task / 2
        self.now = after(after(self.now, self.clock.costs.packet, PACKETS), half, HOST_TASKS)
        self.clock.send(self.now, *send)
        self.now = after(self.now, half, HOST_TASKS)
        return True


class Clock:
    """@share: what a rank's machine gives to its link, as a part of the card, where the other ranks are not simulated."""

    def __init__(self, costs, share=1.0):
        self.costs, self.nic_rate = costs, costs.nic_rate * share
        self.events, self.order = [], 0
        self.threads = collections.defaultdict(lambda: START)
        self.leaving = collections.defaultdict(lambda: START)
        self.coming = collections.defaultdict(lambda: START)
        self.connections = collections.defaultdict(lambda: START)
        self.frames = 0

    def at(self, moment, function, *arguments):
        self.order += 1
        heapq.heappush(self.events, (moment[0], self.order, function, moment, arguments))

    def run(self):
        events = self.events
        while events:
            _, _, function, moment, arguments = heapq.heappop(events)
            function(moment, *arguments)

    def raise_flag(self, flag, moment):
        flag.signals.append(moment)
        waiter = flag.waiter
        if waiter is not None and len(flag.signals) >= flag.wanted:
            flag.waiter = None
            self.at(later(waiter.now, moment), waiter.run)

    def thread(self, rank, moment, seconds, kind=WIRE):
        """The wire's thread of a rank works. It sleeps when it has nothing to do."""
        free = self.threads[rank]
        moment = free if free[0] > moment[0] else after(moment, self.costs.wire_wake, WAKES)
        self.threads[rank] = moment = after(moment, seconds, kind)
        return moment

    def send(self, moment, source, target, size, flag):
        """A frame of @size bytes from rank to rank; ranks are (machine, number). It raises a flag there."""
        self.frames += 1
        self.at(moment, self._leave, source, target, size, flag)

    def _leave(self, moment, source, target, size, flag):
        costs = self.costs
        moment = self.thread(source, moment, costs.frame)
        if size == 0:
            self.at(after(moment, costs.latency, LATENCY), self._arrive, target, 0, flag)
        elif size <= EAGER_BYTES:
            self._depart(moment, source, target, size, flag)
        else:
            # The other side says where the data go.
            asked = after(after(moment, 2 * costs.latency, LATENCY), 2 * costs.frame, WIRE)
            self.at(after(asked, 2 * costs.wire_wake, WAKES), self._depart, source, target, size, flag)

    def _depart(self, moment, source, target, size, flag):
        costs, pair = self.costs, (source, target)
        first = later(later(moment, self.leaving[source[0]]), self.connections[pair])
        self.leaving[source[0]] = after(first, size / self.nic_rate, LINK)
        self.connections[pair] = last = after(first, size / min(costs.connection_rate, self.nic_rate), LINK)
        self.at(after(first, costs.latency, LATENCY), self._come, after(last, costs.latency, LATENCY), target, size, flag)

    def _come(self, moment, last, target, size, flag):
        self.coming[target[0]] = read = after(later(moment, self.coming[target[0]]), size / self.nic_rate, LINK)
        self.at(later(last, read), self._arrive, target, size if size <= EAGER_BYTES else 0, flag)

    def _arrive(self, moment, target, copied, flag):
        self.raise_flag(flag, self.thread(target, moment, self.costs.frame + copied / self.costs.copy_rate))
