#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calls.py PROGRAM: what calls of acl cost beside the same calls in C, which PROGRAM (unpu_bench_python) measures.

Both run twice, by turns. A row is the best of all rounds: nanoseconds in C, in Python without the loop itself, and the
difference. A large copy takes turns with the C function in this process, on the same memory. The targets are at most
250 ns above C, and a copy of 64 MiB within 1.02 of C. The script prints whether they are met and always ends with 0."""
import ctypes
import itertools
import os
import statistics
import subprocess
import sys
import time

import acl

LARGE = 64 << 20
# Short rounds, so that some of them are not interrupted where other programs run, too.
ROUNDS = 100
COPIES = 100
CALLS = 10000
MOST_ABOVE_NS, MOST_RATIO = 250, 1.02


def loop(function, arguments, calls):
    """Nanoseconds of one call in a loop."""
    times = itertools.repeat(None, calls)
    begin = time.perf_counter_ns()
    for _ in times:
        function(*arguments)
    return (time.perf_counter_ns() - begin) / calls


def loop_alone(calls):
    times = itertools.repeat(None, calls)
    begin = time.perf_counter_ns()
    for _ in times:
        pass
    return (time.perf_counter_ns() - begin) / calls


def python_times(rows):
    empty = min(loop_alone(CALLS) for _ in range(ROUNDS))
    return {name: min(loop(function, arguments, calls) for _ in range(ROUNDS)) - empty
            for name, (function, arguments, calls) in rows.items()}


def c_times(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def copy_times(device, host):
    """Nanoseconds of a large copy in C and in Python, each the best of many by turns, and the median of the ratios of
    two that follow each other."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        library = next(line.split()[-1] for line in maps if os.path.basename(line.split()[-1]).startswith("libunpu.so"))
    function = ctypes.CDLL(library).aclrtMemcpy
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    arguments = (device, LARGE, host, LARGE, 1)
    pairs = [(loop(function, arguments, 1), loop(acl.rt.memcpy, arguments, 1)) for _ in range(COPIES)]
    return *(min(times) for times in zip(*pairs)), statistics.median(second / first for first, second in pairs)


def best(first, second):
    return {name: min(first[name], second[name]) for name in first}


def main():
    assert acl.init() == 0 and acl.rt.set_device(0) == 0
    device, host = acl.rt.malloc(LARGE, 0)[0], acl.rt.malloc_host(LARGE)[0]
    stream, event, context = acl.rt.create_stream()[0], acl.rt.create_event()[0], acl.rt.get_context()[0]
    assert acl.rt.record_event(event, stream) == 0 == acl.rt.synchronize_stream(stream)
    buffer = acl.create_data_buffer(device, LARGE)
    rows = {"get_data_buffer_addr": (acl.get_data_buffer_addr, (buffer,), CALLS),
            "get_device": (acl.rt.get_device, (), CALLS),
            "get_context": (acl.rt.get_context, (), CALLS),
            "set_context": (acl.rt.set_context, (context,), CALLS),
            "query_event_status": (acl.rt.query_event_status, (event,), CALLS),
            "stream_query": (acl.rt.stream_query, (stream,), CALLS),
            "memcpy_8": (acl.rt.memcpy, (host, 8, host + 64, 8, 0), CALLS)}
    c, python = c_times(sys.argv[1]), python_times(rows)
    c, python = best(c, c_times(sys.argv[1])), best(python, python_times(rows))
    c["memcpy_64M"], python["memcpy_64M"], ratio = copy_times(device, host)
    met = True
    print(f"{'call':24}{'C ns':>12}{'Python ns':>12}{'above ns':>12}")
    for name in c:
        large = name == "memcpy_64M"
        good = ratio <= MOST_RATIO if large else python[name] - c[name] <= MOST_ABOVE_NS
        met = met and good
        note = f"   {ratio:.3f} of C" if large else ""
        print(f"{name:24}{c[name]:12.1f}{python[name]:12.1f}{python[name] - c[name]:12.1f}{note}{'' if good else '   above'}")
    print("targets met" if met else "targets missed")
    acl.destroy_data_buffer(buffer)
    acl.finalize()


main()
