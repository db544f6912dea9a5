# SPDX-License-Identifier: MIT
"""Which results a processor may show: the axioms of the AArch64 memory model, and those of x86-64.

The axioms are those of the Arm Architecture Reference Manual as "Simplifying ARM Concurrency" (Pulte and others,
POPL 2018) writes them: each location is coherent, read-modify-writes are atomic, and the order in which observers see
events has no cycle. Three choices make the model weaker than some machines, so that what it forbids no machine does:

- No dependencies: branches and addresses order nothing.
- A read-modify-write is a pair of exclusive load and store, which is no full fence.
- load_acquire() is LDAPR, which is not ordered after a store-release. Compilers use LDAR or LDAPR.
"""
import itertools

MODELS = ("aarch64", "x86-64")


class Event:
    """A load, a store or a fence of a thread; @place: its place in the thread's order."""

    def __init__(self, thread, place, kind, where=None, value=None, marks=""):
        self.thread, self.place, self.kind, self.where = thread, place, kind, where
        self.value, self.marks = value, marks
        self.register = self.expected = self.is_equal = self.partner = None

    def has(self, mark):
        return mark in self.marks


def load_event(thread, place, step):
    marks = {"load_acquire": "Q", "load_seq": "A"}.get(step[0], "")
    event = Event(thread, place, "R", step[2], None, marks)
    event.register = step[1]
    return event


def change_events(thread, place, step, is_equal):
    """A read-modify-write; @is_equal: whether a compare-exchange finds what it expects."""
    load = load_event(thread, place, ("load_seq", step[1], step[2]))
    if step[0] == "compare_exchange":
        load.expected, load.is_equal = int(step[3]), is_equal
        if not is_equal:
            return [load]
    value = (lambda old: old + int(step[3])) if step[0] == "fetch_add" else int(step[-1])
    store = Event(thread, place + 1, "W", step[2], value, "L")
    load.partner = store
    store.partner = load
    return [load, store]


def events_of(threads, outcomes):
    """The events of all threads; @outcomes: of each compare-exchange, in order."""
    outcomes = iter(outcomes)
    events = []
    for number, thread in enumerate(threads):
        place = 0
        for step in thread:
            if step[0].startswith("load") and step[0] != "load_fence":
                made = [load_event(number, place, step)]
            elif step[0].startswith("store") and step[0] != "store_fence":
                marks = "L" if step[0] in ("store_release", "store_seq") else ""
                made = [Event(number, place, "W", step[1], int(step[2]), marks)]
                made[0].is_seq = step[0] == "store_seq"
            elif step[0].endswith("_fence"):
                made = [Event(number, place, step[0])]
            else:
                made = change_events(number, place, step,
                                     next(outcomes) if step[0] == "compare_exchange" else None)
            events += made
            place += 2
    return events


def all_events(threads):
    count = sum(step[0] == "compare_exchange" for thread in threads for step in thread)
    for outcomes in itertools.product((True, False), repeat=count):
        yield events_of(threads, outcomes)


class Execution:
    """Events, for each load the store that it reads from, and for each location the order of its stores."""

    def __init__(self, events, source, order):
        self.events, self.source, self.order = events, source, order
        self.values = {}

    def value_of(self, store, depth=0):
        """None: the value depends on itself."""
        if not callable(store.value):
            return store.value
        if depth > len(self.events):
            return None
        old = self.value_of(self.source[store.partner], depth + 1)
        return None if old is None else store.value(old)

    def is_sound(self):
        """Computes what the registers hold; whether compare-exchanges find what they are meant to."""
        for load, store in self.source.items():
            value = self.value_of(store)
            if value is None:
                return False
            self.values[load.register] = value
            if load.expected is not None and (value == load.expected) != load.is_equal:
                return False
        return True

    def last(self):
        return {where: self.value_of(stores[-1]) for where, stores in self.order.items()}

    def communication(self):
        """Edges (kind, from, to): a store and who reads it, a store and the next, a load and what overwrites it."""
        for load, store in self.source.items():
            yield "rf", store, load
            stores = self.order[load.where]
            for later in stores[stores.index(store) + 1:]:
                yield "fr", load, later
        for stores in self.order.values():
            for first, second in itertools.combinations(stores, 2):
                yield "co", first, second


def executions(events, init):
    """All candidates. Each location begins with a store of its initial value that belongs to no thread."""
    order = {}
    for event in events:
        if event.where and event.where not in order:
            order[event.where] = [Event(-1, 0, "W", event.where, init.get(event.where, 0))]
    begin = {where: stores[0] for where, stores in order.items()}
    stores = {where: [e for e in events if e.kind == "W" and e.where == where] for where in order}
    loads = [event for event in events if event.kind == "R"]
    orders = [[[begin[where], *chosen] for chosen in itertools.permutations(stores[where])] for where in order]
    sources = [[begin[load.where]] + [s for s in stores[load.where] if s.thread != load.thread or s.place < load.place]
               for load in loads]
    for chosen in itertools.product(*sources):
        for each in itertools.product(*orders):
            yield Execution(events, dict(zip(loads, chosen)), dict(zip(order, each)))


def has_cycle(edges):
    after = {}
    for first, second in edges:
        after.setdefault(first, []).append(second)
    state = {}

    def visit(event):
        state[event] = 1
        for second in after.get(event, ()):
            if state.get(second) == 1 or (second not in state and visit(second)):
                return True
        state[event] = 2
        return False
    return any(event not in state and visit(event) for event in after)


def order_aarch64(first, second, between):
    """Whether observers see @first before @second of the same thread; @between: the fences between them."""
    if "full_fence" in between or "store_fence" in between:
        return True  # release fences are DMB ISH too
    if "load_fence" in between and first.kind == "R":
        return True
    return (first.has("A") or first.has("Q") or second.has("L") or
            (first.has("L") and second.has("A")) or first.partner is second)


def order_x86(first, second, between):
    """All but a store and a later load. Read-modify-writes and sequentially consistent stores are full fences."""
    if first.kind == "R" or second.kind == "W" or "full_fence" in between:
        return True
    return first.partner is not None or second.partner is not None or getattr(first, "is_seq", False)


def thread_order(events, rule):
    """The edges within threads that @rule allows observers to rely on."""
    for first, second in itertools.permutations(events, 2):
        if first.thread != second.thread or first.place >= second.place or not first.where or not second.where:
            continue
        between = [e.kind for e in events if e.thread == first.thread and not e.where and
                   first.place < e.place < second.place]
        if rule(first, second, between):
            yield first, second


def is_consistent(execution, model, inner):
    """@inner: thread_order() of the events for @model."""
    links = list(execution.communication())
    same = [(a, b) for a, b in itertools.permutations(execution.events, 2)
            if a.where and a.where == b.where and a.thread == b.thread and a.place < b.place]
    if has_cycle(same + [(a, b) for _, a, b in links]):
        return False
    for load, store in execution.source.items():
        if load.partner is None:
            continue
        stores = execution.order[load.where]
        between = stores[stores.index(store) + 1:stores.index(load.partner)]
        if any(e.thread != load.thread for e in between):
            return False
    seen = [(a, b) for _, a, b in links if a.thread != b.thread]
    if model == "aarch64":
        seen += [(a, b) for kind, a, b in links if kind == "rf" and a.thread == b.thread and
                 a.partner is not None and (b.has("A") or b.has("Q"))]
    return not has_cycle(inner + seen)


def find(threads, init, wanted, model):
    """The first execution that @model allows and that @wanted(values, last) accepts, or None."""
    rule = order_aarch64 if model == "aarch64" else order_x86
    for events in all_events(threads):
        inner = list(thread_order(events, rule))
        for execution in executions(events, init):
            if (execution.is_sound() and wanted(execution.values, execution.last()) and
                    is_consistent(execution, model, inner)):
                return execution
    return None
