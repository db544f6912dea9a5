# SPDX-License-Identifier: MIT
"""Litmus tests as text: threads of the functions of base/sync/ordering.h, what must never be seen, and mutants.

A test is

    test NAME
    about SENTENCE                      (any number)
    init LOCATION VALUE                 (others begin with 0)
    killed P0                           (the thread may be killed after any step; then `dead` is 1)
    P0 WHO
        STEP...
    P1 WHO
        STEP...
    never CONDITION                     (or: allowed CONDITION)
    sometimes CONDITION                 (optional: the test reaches it)
    mutant SENTENCE                     (or: mutant(MODE) SENTENCE)
        drop STEP
        swap STEP                       (with the step behind it)
        replace STEP -> STEP

Steps: load R X, load_relaxed R X, load_acquire R X, load_seq R X, store X V, store_relaxed X V, store_release X V,
store_seq X V, fetch_add R X V, exchange R X V, compare_exchange R X EXPECTED V, full_fence, store_fence, load_fence,
light_fence, heavy_fence. A step of a mutant may begin with P0: where several threads have it. Registers have
different names in all threads. A condition has R=V, [X]=V for the last value, &, | and parentheses.
"""
import itertools
import re

LOADS = ("load", "load_relaxed", "load_acquire", "load_seq")
STORES = ("store", "store_relaxed", "store_release", "store_seq")
CHANGES = {"fetch_add": 4, "exchange": 4, "compare_exchange": 5}
FENCES = ("full_fence", "store_fence", "load_fence", "light_fence", "heavy_fence")
MODES = ("membarrier", "fences")


class Bad(Exception):
    """A file that is no list of litmus tests."""


class Mutant:
    def __init__(self, sentence, modes):
        self.sentence, self.modes, self.changes = sentence, modes, []


class Test:
    def __init__(self, name):
        self.name, self.about, self.init, self.killed = name, [], {}, None
        self.who, self.threads, self.mutants = [], [], []
        self.never = self.allowed = None
        self.sometimes = []

    def modes(self):
        """Pairs with a light side run with membarrier, and with full fences on both sides."""
        steps = [step for thread in self.threads for step in thread]
        return MODES if ("light_fence",) in steps or ("heavy_fence",) in steps else ("plain",)

    def mutated(self, mutant):
        """The threads with the changes of @mutant."""
        threads = [list(thread) for thread in self.threads]
        for kind, place, old, new in mutant.changes:
            found = [(t, i) for t, thread in enumerate(threads) for i, step in enumerate(thread)
                     if step == old and place in (None, t)]
            if len(found) != 1:
                raise Bad(f"{self.name}: {' '.join(old)}: is there {len(found)} times")
            thread, at = found[0]
            if kind == "drop":
                del threads[thread][at]
            elif kind == "swap":
                threads[thread][at:at + 2] = reversed(threads[thread][at:at + 2])
            else:
                threads[thread][at] = new
        return threads


def parse_step(text):
    step = tuple(text.split())
    sizes = {**dict.fromkeys(LOADS + STORES, 3), **CHANGES, **dict.fromkeys(FENCES, 1)}
    if not step or len(step) != sizes.get(step[0], 0):
        raise Bad(f"not a step: {text}")
    return step


def parse_change(text):
    kind, _, rest = text.partition(" ")
    if kind not in ("drop", "swap", "replace"):
        raise Bad(f"not a change: {text}")
    thread = re.match(r"P(\d): ", rest)
    if thread:
        rest = rest[thread.end():]
    old, _, new = rest.partition(" -> ")
    return (kind, int(thread.group(1)) if thread else None, parse_step(old),
            parse_step(new) if kind == "replace" else None)


def parse_head(tests, key, rest):
    """A line that is not indented."""
    if key == "test":
        tests.append(Test(rest))
        return
    test = tests[-1]
    mutant = re.fullmatch(r"mutant(?:\((\w+)\))?", key)
    if mutant:
        test.mutants.append(Mutant(rest, (mutant.group(1),) if mutant.group(1) else None))
    elif re.fullmatch(r"P\d", key) and int(key[1:]) == len(test.threads):
        test.who.append(rest)
        test.threads.append([])
    elif key == "about":
        test.about.append(rest)
    elif key == "init":
        place, value = rest.split()
        test.init[place] = int(value)
    elif key == "killed":
        test.killed = int(rest[1:])
    elif key == "sometimes":
        test.sometimes.append(rest)
    elif key in ("never", "allowed"):
        setattr(test, key, rest)
    else:
        raise Bad(f"not a line of a test: {key} {rest}")


def parse(text):
    tests = []
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if not line[0].isspace():
            parse_head(tests, *bare.split(maxsplit=1))
        elif tests[-1].mutants:
            tests[-1].mutants[-1].changes.append(parse_change(bare))
        else:
            tests[-1].threads[-1].append(parse_step(bare))
    for test in tests:
        if (test.never is None) == (test.allowed is None) or len(test.threads) < 1:
            raise Bad(f"{test.name}: needs threads, and either never or allowed")
    return tests


def truth(condition, values, last):
    """Whether @condition holds for registers @values and the last values @last of the locations."""
    text = re.sub(r"\[(\w+)\]=(\d+)", r"(last['\1'] == \2)", condition)
    text = re.sub(r"\b(\w+)=(\d+)", r"(values['\1'] == \2)", text)
    text = text.replace("&", " and ").replace("|", " or ")
    return bool(eval(text, {"__builtins__": {}}, {"values": values, "last": last}))  # our own files


def interrupted(thread, at, number):
    """The interrupt of membarrier at a step of a light thread: a full fence, in which its processor answers."""
    return (thread[:at] + [("load", f"ipi{number}", f"ipi{number}"), ("full_fence",),
                           ("store", f"ack{number}", "1")] + thread[at:])


def with_membarrier(threads):
    """All ways in which the heavy fences reach the light threads: yields threads and an extra condition. The call
    passes a full fence, interrupts every processor, waits for the answers, and passes a full fence again."""
    heavy = [t for t, thread in enumerate(threads) if ("heavy_fence",) in thread]
    light = [t for t in range(len(threads)) if t not in heavy]
    if len(heavy) > 1:
        raise Bad("one thread with heavy fences at most")
    call = ([("full_fence",)] + [("store", f"ipi{t}", "1") for t in light] +
            [("load", f"ack{t}", f"ack{t}") for t in light] + [("full_fence",)])
    places = [range(len(threads[t]) + 1) for t in light] if heavy else []
    for chosen in itertools.product(*places):
        made = [list(thread) for thread in threads]
        for t, at in zip(light, chosen):
            made[t] = interrupted(made[t], at, t)
        for t in heavy:
            made[t] = [one for step in made[t] for one in (call if step == ("heavy_fence",) else [step])]
        extra = [f"{word}{t}=1" for t in light for word in ("ipi", "ack")] if heavy else []
        yield [[s for s in thread if s != ("light_fence",)] for thread in made], extra


def variants(test, mode, threads=None):
    """Yields (threads, extra condition): what one mode of a test amounts to on the machine."""
    threads = threads or test.threads
    if test.killed is not None:
        for length in range(len(threads[test.killed]) + 1):
            made = [list(thread) for thread in threads]
            made[test.killed] = made[test.killed][:length] + [("full_fence",), ("store", "dead", "1")]
            yield made, []
    elif mode == "membarrier":
        yield from with_membarrier(threads)
    else:
        fence = {("light_fence",): ("full_fence",), ("heavy_fence",): ("full_fence",)}
        yield [[fence.get(step, step) for step in thread] for thread in threads], []
