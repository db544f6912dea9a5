#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Words that the tree does not have, and words that only some places may have. A place that may have a word and has
it no more needs no permission. --self-test checks that the gate finds what is wrong."""
import re
import sys

import tree

# pattern, where it is allowed (a path or a folder with its /), why not elsewhere
CODE_RULES = [
    (r"(?<!asm )\bvolatile\b", [], "volatile orders nothing; base/sync/ordering.h does"),
    (r"\bmemory_order(_\w+|::\w+)?\b|\batomic_(thread|signal)_fence\b|\b__(atomic|sync)_\w+"
     r"|\basm\b|\b__asm__\b|\b_mm_[lsm]fence\b|\bmembarrier\b|\bSYS_membarrier\b",
     # Headers of kernels stand alone, and <atomic> would make each kernel slower to compile.
     ["base/", "firmware_sim/daemon/sandbox.cpp", "kernels/runner/", "kernels/worker/", "kernels/include/unpu_ascendc/core/spin_lock.h"],
     "barriers are base's alone"),
    # The runner of kernels switches stacks, and it and a worker share no code with the layers: it is the process of its kernels.
    # sandbox.cpp names the system calls and makes none of them.
    # A function of ours that is called sleep() takes no argument; the C library's takes a time.
    (r"\b(usleep|nanosleep|clock_nanosleep)\b|\bsleep\s*\(\s*[^)\s]|\bsleep_(for|until)\b",
     # Deaths and lies come at moments of their own, and strike other processes.
     # After a fork() that failed there is nothing to wait for. Nothing tells a rank
     # that another machine has opened its port. Signals of tests come at moments of their own, too. Nothing tells a thread that
     # describes a client that the device's thread, which it has woken, has had the token.
     ["hal/", "base/os/calls/", "tests/conformance/process/idle.cpp", "tests/adversarial/stress/", "tests/adversarial/hostile/", "tests/adversarial/attacker/",
      "bench/flood.cpp", "firmware_sim/daemon/sandbox.cpp", "kernels/worker/", "firmware_sim/storage/discarder.cpp",
      "umd/hccl/meeting/meeting_joiner.cpp", "firmware_sim/device/sim_device.cpp", "tests/unit/base/calls_test.cpp",
      "tests/common/interruptions.cpp"],
     "wait for the thing itself, with a deadline"),
    (r"\bp?poll\s*\(\s*(nullptr|NULL|0)\s*,",
     ["bench/rows/idle.cpp"],
     "a poll of no descriptor is a sleep"),
    (r"\bpthread_cond_\w+|\bsem_(timed|clock)?wait\s*\(|\bstd::(latch|barrier|(counting|binary)_semaphore)\b",
     # The Python modules have no layer below them.
     ["python/acl/exit.cpp", "bench/"], "waits go through base/sync/futex.h or hal"),
    (r"\bFUTEX_\w+|\bSYS_futex\b|\bcondition_variable\w*\b",
     ["base/", "bench/peers/", "kernels/runner/", "kernels/worker/", "tests/kernels/worker/calls_image.cpp"],
     "waits go through base/sync/futex.h or hal"),
    # lanes.cpp gives its CPU once to a thread that it has just woken there. hal/wait.cpp yields for a program that
    # asked for waits that do not sleep. wire.cpp polls for a bounded time before it sleeps.
    (r"\b(sched_yield|this_thread::yield)\b",
     ["base/", "hal/wait.cpp", "firmware_sim/worker/lanes.cpp", "firmware_sim/device/device_thread.cpp", "firmware_sim/device/explore_thread.cpp",
      "firmware_sim/daemon/sandbox.cpp", "kernels/runner/", "kernels/worker/", "umd/hccl/wire/wire.cpp", "tests/"],
     "yielding in a loop is a sleep by another name"),
    (r"\b(secure_)?getenv\b", ["hal/", "firmware_sim/daemon/service_manager.cpp", "firmware_sim/worker/worker_process.cpp",
      "firmware_sim/schedule/token_work.h", "kernels/host/cpu/", "tools/common/tool.h", "tools/san/run.cpp", "tests/", "bench/"],
     "one device string, parsed in one place"),
    # device_failed() begins with what could not be done.
    (r"\bset_error\(\s*[^;,]*,\s*(base::)?status_sentence\(", [],
     "the sentence of a status alone names no argument and no call"),
]
TEXT_RULES = [
    (r"\b(TODO|FIXME|XXX|HACK)\b", "an open end"),
    (r"(?i)\bfor now\b|\bplaceholder\b|\bnot (yet )?implemented\b", "an open end"),
    (r"/work/|/home/|/root/", "a path of one machine"),
]


def allowed(path, places):
    return any(path == place or place.endswith("/") and path.startswith(place)
               for place in places)


def search(path, text, pattern, why):
    for found in re.finditer(pattern, text):
        number = text.count("\n", 0, found.start()) + 1
        yield f"{path}:{number}: {found.group(0).strip()!r}: {why}"


def problems_of_code(texts, rules):
    """@texts: path -> code without comments and literals."""
    for pattern, places, why in rules:
        unused = set(places)
        for path, text in texts.items():
            found = list(search(path, text, pattern, why))
            if not found:
                continue
            if not allowed(path, places):
                yield from found
            unused -= {place for place in unused if allowed(path, [place])}
        yield from (f"{place}: has none of {pattern} any more, and needs no permission" for place in sorted(unused))


def check_self():
    code = ("volatile int i;", "std::atomic_thread_fence(x);", "usleep(1);", "std::this_thread::sleep_for(x);",
            "poll(nullptr, 0, 5);", "pthread_cond_wait(&c, &m);", "std::condition_variable v;", "sched_yield();",
            "secure_getenv(name);", "set_error(status, base::status_sentence(status));")
    for text in code:
        rules = [(pattern, [], why) for pattern, _, why in CODE_RULES]
        if len(list(problems_of_code({"drv/x.cpp": text}, rules))) != 1:
            yield f"the gate itself: finds not one problem in {text!r}"
    good = "poll(&entry, 1, 0); sleep(); sem_wait_packet(x); forget_environment();"
    yield from problems_of_code({"drv/x.cpp": good}, [(pattern, [], why) for pattern, _, why in CODE_RULES])
    rule = [(r"\bword\b", ["drv/x.cpp", "hal/"], "no")]
    if len(list(problems_of_code({"drv/x.cpp": "word"}, rule))) != 1:
        yield "the gate itself: does not find a permission that is not needed"
    texts = ("/* TODO */", "/* not yet implemented */", '"/home/x"')
    for text in texts:
        if not any(list(search("x", text, pattern, why)) for pattern, why in TEXT_RULES):
            yield f"the gate itself: finds nothing in {text!r}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("words --self-test", list(check_self()), 15)
        return
    code = {path: tree.without_comments(tree.read(path), literals=False)
            for path in tree.files(tree.CODE + ("include",), (".cpp", ".c", ".h"))}
    problems = list(problems_of_code(code, CODE_RULES))
    texts = tree.files(tree.CODE + ("include", "cmake", "scripts", "Documentation"),
                       (".cpp", ".c", ".h", ".cmake", ".txt", ".in", ".sh", ".rst", ".pml", ".py",
                        ".md", ".c.in", ".dot"))
    texts += ["README.md", "CONTRIBUTING.md", "MAINTAINERS", "CMakeLists.txt"]
    for path in texts:
        if path == "tests/gates/words.py":
            continue
        for pattern, why in TEXT_RULES:
            problems += search(path, tree.read(path), pattern, why)
    tree.verdict("words", problems, len(code) + len(texts))


main()
