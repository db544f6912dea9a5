# SPDX-License-Identifier: MIT
"""Callbacks and the threads that run them: order, references, exceptions, the end of the interpreter."""
import gc
import subprocess
import sys
import threading
import time
import weakref

import pytest
from interface import BLOCK, INVALID_PARAM, NO_BLOCK, REPORT_TIMEOUT, STREAM_NO_CB_REG

SECONDS = 60


class Reporter:
    """A thread that processes the reports of streams until it is stopped, as programs write it."""

    def __init__(self, acl, context):
        self.acl, self.context, self.running, self.results = acl, context, True, []
        self.subscribed = threading.Event()
        self.thread, ret = acl.util.start_thread(self.loop, [context])
        assert ret == 0

    def loop(self, arguments):
        self.acl.rt.set_context(arguments[0])
        assert self.subscribed.wait(SECONDS)
        while self.running:
            self.results.append(self.acl.rt.process_report(50))

    def subscribe(self, stream):
        assert self.acl.rt.subscribe_report(self.thread, stream) == 0
        self.subscribed.set()

    def stop(self):
        self.running = False
        assert self.acl.util.stop_thread(self.thread) == 0


@pytest.fixture
def reporter(acl, context, stream):
    made = Reporter(acl, context)
    made.subscribe(stream)
    yield made
    acl.rt.unsubscribe_report(made.thread, stream)
    made.stop()


def wait_until(true):
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.001)


class Thing:
    """Something whose end can be seen."""

    def __call__(self, data):
        self.seen = data


def test_callbacks_run_in_order_in_the_subscribed_thread(acl, stream, reporter):
    seen = []
    for i in range(100):
        assert acl.rt.launch_callback(lambda data: seen.append((data, threading.get_native_id())), i, BLOCK, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert [data for data, _ in seen] == list(range(100))
    assert len({thread for _, thread in seen} - {threading.get_native_id()}) == 1


def test_blocking_callback_holds_the_stream(acl, stream, reporter):
    gate, entered = threading.Event(), threading.Event()

    def wait(_):
        entered.set()
        gate.wait(SECONDS)

    assert acl.rt.launch_callback(wait, None, BLOCK, stream) == 0
    assert entered.wait(SECONDS)
    assert acl.rt.stream_query(stream) == (1, 0)
    gate.set()
    assert acl.rt.synchronize_stream(stream) == 0


def test_callback_that_does_not_block(acl, stream, reporter):
    gate = threading.Event()
    assert acl.rt.launch_callback(lambda _: gate.wait(SECONDS), None, NO_BLOCK, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    gate.set()


def test_callback_gets_the_object_itself(acl, stream, reporter):
    data, seen = {"a": [1, 2]}, []
    assert acl.rt.launch_callback(seen.append, data, BLOCK, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert seen[0] is data


def test_references_are_dropped_after_the_call(acl, stream, reporter):
    function, data = Thing(), Thing()
    ends = [weakref.ref(function), weakref.ref(data)]
    assert acl.rt.launch_callback(function, data, BLOCK, stream) == 0
    del function, data
    assert acl.rt.synchronize_stream(stream) == 0
    wait_until(lambda: gc.collect() >= 0 and [end() for end in ends] == [None, None])


def test_references_are_kept_until_the_call(acl, stream, reporter):
    gate, seen = threading.Event(), []
    assert acl.rt.launch_callback(lambda _: gate.wait(SECONDS), None, BLOCK, stream) == 0
    data = Thing()
    end = weakref.ref(data)
    assert acl.rt.launch_callback(seen.append, data, BLOCK, stream) == 0
    del data
    gc.collect()
    assert end() is not None
    gate.set()
    assert acl.rt.synchronize_stream(stream) == 0
    assert seen[0] is end()


def test_references_of_a_destroyed_stream_are_dropped(acl, context):
    stream, ret = acl.rt.create_stream()
    assert ret == 0
    # The thread is subscribed and processes nothing, so the callback never runs.
    gate = threading.Event()
    thread, ret = acl.util.start_thread(lambda _: gate.wait(SECONDS), [])
    assert ret == 0 and acl.rt.subscribe_report(thread, stream) == 0
    data = Thing()
    end = weakref.ref(data)
    assert acl.rt.launch_callback(print, data, NO_BLOCK, stream) == 0
    del data
    assert end() is not None
    assert acl.rt.destroy_stream_force(stream) == 0
    gc.collect()
    assert end() is None
    gate.set()
    assert acl.util.stop_thread(thread) == 0


def test_references_of_a_refused_launch_are_dropped(acl, stream):
    data = Thing()
    end = weakref.ref(data)
    assert acl.rt.launch_callback(data, data, BLOCK, stream) == STREAM_NO_CB_REG
    del data
    gc.collect()
    assert end() is None
    assert acl.get_recent_err_msg()


def test_exception_is_printed(acl, stream, reporter, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: seen.append(what.exc_value))
    assert acl.rt.launch_callback(lambda _: 1 / 0, None, BLOCK, stream) == 0
    assert acl.rt.launch_callback(lambda: None, None, BLOCK, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert [type(error) for error in seen] == [ZeroDivisionError, TypeError]


def test_block_type_is_checked(acl, stream, reporter):
    assert acl.rt.launch_callback(print, None, 2, stream) == INVALID_PARAM


def test_function_must_be_callable(acl, stream):
    with pytest.raises(TypeError, match="must be callable"):
        acl.rt.launch_callback(7, None, BLOCK, stream)


def test_report_with_nothing_to_do_times_out(acl, stream, reporter):
    wait_until(lambda: len(reporter.results) > 1)
    assert set(reporter.results) <= {0, REPORT_TIMEOUT} and REPORT_TIMEOUT in reporter.results


def test_other_threads_run_while_a_call_waits(acl, stream, reporter):
    gate, counted = threading.Event(), []

    def count():
        for i in range(1000):
            counted.append(i)
        gate.set()

    assert acl.rt.launch_callback(lambda _: gate.wait(SECONDS), None, BLOCK, stream) == 0
    thread = threading.Thread(target=count)
    thread.start()
    assert acl.rt.synchronize_stream(stream) == 0
    thread.join()
    assert len(counted) == 1000


def test_exception_of_a_thread_is_printed(acl, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: seen.append(what.exc_value))
    thread, ret = acl.util.start_thread(lambda _: [][0], [])
    assert ret == 0 and acl.util.stop_thread(thread) == 0
    assert [type(error) for error in seen] == [IndexError]


def test_thread_gets_its_list_and_no_context(acl):
    seen, arguments = [], [1, "two"]
    thread, ret = acl.util.start_thread(lambda given: seen.append((given, acl.rt.get_context()[1])), arguments)
    assert ret == 0 and acl.util.stop_thread(thread) == 0
    assert seen[0][0] is arguments and seen[0][1] != 0


def test_thread_that_is_none_is_told(acl):
    assert acl.util.stop_thread(12345) == INVALID_PARAM
    assert "is no thread of" in acl.get_recent_err_msg()
    thread, ret = acl.util.start_thread(lambda _: None, [])
    assert ret == 0 and acl.util.stop_thread(thread) == 0
    assert acl.util.stop_thread(thread) == INVALID_PARAM


def test_thread_cannot_stop_itself(acl):
    box, started, seen = [], threading.Event(), []

    def body(_):
        started.wait(SECONDS)
        seen.append(acl.util.stop_thread(box[0]))

    thread, ret = acl.util.start_thread(body, [])
    assert ret == 0
    box.append(thread)
    started.set()
    assert acl.util.stop_thread(thread) == 0
    assert seen == [INVALID_PARAM]


@pytest.mark.parametrize("arguments", [(None, []), (print, None), (print, 3)])
def test_start_thread_checks_its_arguments(acl, arguments):
    with pytest.raises(TypeError):
        acl.util.start_thread(*arguments)


FAULT = """
import acl
assert acl.init() == 0 and acl.rt.set_device(0) == 0
stream, ret = acl.rt.create_stream()
seen = []
assert acl.rt.set_exception_info_callback(lambda info: seen.append((acl.rt.get_device_id_from_exception_info(info),
    acl.rt.get_error_code_from_exception_info(info), info != 0))) == 0
memory, ret = acl.rt.malloc(64, 2)
assert acl.rt.memset_async(memory, 64, 1, 64, stream) == 0
assert acl.rt.synchronize_stream(stream) != 0
import time
deadline = time.monotonic() + 60
while not seen and time.monotonic() < deadline:
    time.sleep(0.001)
assert seen and seen[0][0] == 0 and seen[0][1] != 0 and seen[0][2], seen
assert acl.rt.set_exception_info_callback(None) == 0
assert acl.rt.set_exception_info_callback() == 0
print("told")
"""


def test_exception_callback(program_environment):
    environment = dict(program_environment, UNPU_DEVICE="sim:faults=fail:op=fill")
    done = subprocess.run([sys.executable, "-c", FAULT], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "told\n", done.stderr[-2000:]


def test_exception_callback_must_be_callable(acl):
    with pytest.raises(TypeError, match="must be callable or None"):
        acl.rt.set_exception_info_callback(3)


END = """
import acl, threading
assert acl.init() == 0 and acl.rt.set_device(0) == 0
stream, ret = acl.rt.create_stream()
context, ret = acl.rt.get_context()
def loop(_):
    acl.rt.set_context(context)
    while True:
        acl.rt.process_report(-1)
thread, ret = acl.util.start_thread(loop, [])
assert acl.rt.subscribe_report(thread, stream) == 0
for i in range(1000):
    assert acl.rt.launch_callback(lambda data: data * 2, i, {block}, stream) == 0
print("end", flush=True)
"""


@pytest.mark.parametrize("block", [BLOCK, NO_BLOCK])
def test_end_of_the_interpreter_while_callbacks_run(block, program_environment):
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", END.format(block=block)], capture_output=True, text=True,
                              timeout=SECONDS, env=program_environment, check=False)
        assert done.returncode == 0 and done.stdout == "end\n" and done.stderr == "", done.stderr[-2000:]


def test_captured_callback_runs_at_each_replay(acl, stream, context):
    from unpu import _native as native
    reporter = Reporter(acl, context)
    reporter.subscribe(stream)
    seen, data = [], Thing()
    end = weakref.ref(data)
    assert native.ri_capture_begin(stream, 1) == 0
    assert acl.rt.launch_callback(lambda given: seen.append(given is end()), data, BLOCK, stream) == 0, \
        acl.get_recent_err_msg()
    model, ret = native.ri_capture_end(stream)
    assert ret == 0
    del data
    for _ in range(3):
        assert native.ri_execute_async(model, stream) == 0
        assert acl.rt.synchronize_stream(stream) == 0
    assert seen == [True] * 3
    assert native.ri_destroy(model) == 0
    other, ret = acl.rt.create_stream()
    assert ret == 0 and acl.rt.destroy_stream(other) == 0
    gc.collect()
    assert end() is None
    assert acl.rt.unsubscribe_report(reporter.thread, stream) == 0
    reporter.stop()
