# SPDX-License-Identifier: MIT
"""Callbacks that raise, end the thread, take no argument, or call the interface: each is told, the next one runs, and none
keeps its data."""
import functools
import gc
import sys
import time

import acl

NO_BLOCK, BLOCK = 0, 1
NO_CALLBACK_THREAD = 107015
SECONDS = 60

told, ran, freed = [], [], []
sys.unraisablehook = lambda what: told.append(what.exc_type.__name__)


class Data:
    """Tells when nobody has it any more."""
    def __del__(self):
        freed.append(1)


def raises(_):
    raise ValueError("in a callback")


def ends(_):
    sys.exit(3)


def without_argument():
    ran.append("never")


def asks(_):
    ran.append(acl.rt.get_device())


def waits_for_its_stream(_):
    ran.append(acl.rt.synchronize_stream(stream))


def wait_until(true):
    """The stream does not wait for a callback that does not block it, nor for what the thread does behind one."""
    deadline = time.monotonic() + SECONDS
    while not true() and time.monotonic() < deadline:
        time.sleep(0.001)


def report(arguments):
    acl.rt.set_context(arguments[0])
    while not stopping:
        acl.rt.process_report(10)


stopping = False
assert acl.init() == 0 and acl.rt.set_device(0) == 0
context, ret = acl.rt.get_context()
stream, ret = acl.rt.create_stream()
thread, ret = acl.util.start_thread(report, [context])
assert ret == 0 and acl.rt.subscribe_report(thread, stream) == 0
for function in (raises, ends, without_argument, asks, ran.append, functools.partial(ran.append)):
    assert acl.rt.launch_callback(function, Data(), BLOCK, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
assert told == ["ValueError", "SystemExit", "TypeError"], told
assert ran[0] == (0, 0) and len(ran) == 3, ran
ran.clear()
wait_until(lambda: gc.collect() >= 0 and len(freed) == 6)
assert len(freed) == 6, freed
assert acl.rt.launch_callback(waits_for_its_stream, None, NO_BLOCK, stream) == 0
assert acl.rt.synchronize_stream(stream) == 0
wait_until(lambda: ran)
stopping = True
assert acl.util.stop_thread(thread) == 0
assert ran == [0], ran
# No thread calls this one; its data is free when the stream has ended.
assert acl.rt.launch_callback(ran.append, Data(), NO_BLOCK, stream) == 0
assert acl.rt.unsubscribe_report(thread, stream) == 0
assert acl.rt.launch_callback(ran.append, Data(), NO_BLOCK, stream) == NO_CALLBACK_THREAD
assert "call aclrtSubscribeReport first" in acl.get_recent_err_msg()
assert acl.rt.destroy_stream_force(stream) == 0
gc.collect()
assert len(freed) == 8 and ran == [0], (freed, ran)
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("callbacks that misbehave: ok")
