# SPDX-License-Identifier: MIT
"""The sanitizer for Python programs: their frames in a report, and the plug-in's --unpu-san."""
import glob
import json
import os
import subprocess
import sys
import time

import pytest
from unpu import places

pytest_plugins = "pytester"
SECONDS = 60

# Two streams use one block of memory; the right one waits for the copy.
PIPELINE = """import acl

BYTES = 4096

def prefetch(npu):
    return acl.rt.memcpy_async(npu.input, BYTES, npu.staging, BYTES, 1, npu.copies)

def step(npu):
    return acl.rt.memcpy_async(npu.result, BYTES, npu.input, BYTES, 3, npu.compute)

class Buffers:
    def __init__(self):
        self.copies, self.compute = acl.rt.create_stream()[0], acl.rt.create_stream()[0]
        self.ready = acl.rt.create_event()[0]
        self.staging = acl.rt.malloc_host(BYTES)[0]
        self.input, self.result = acl.rt.malloc(BYTES, 2)[0], acl.rt.malloc(BYTES, 2)[0]
        assert acl.rt.memset(self.staging, BYTES, 1, BYTES) == 0

    def run(self, waits):
        assert prefetch(self) == 0
        if waits:
            assert acl.rt.record_event(self.ready, self.copies) == 0
            assert acl.rt.stream_wait_event(self.compute, self.ready) == 0
        assert step(self) == 0
        assert acl.rt.synchronize_device() == 0
"""
PREFETCH, STEP = 6, 9  # lines of PIPELINE
SUITE = """
import pytest
from pipeline import Buffers

@pytest.fixture
def buffers(npu):
    return Buffers()

def test_right(buffers):
    buffers.run(waits=True)

def test_wrong(buffers):
    buffers.run(waits=False)

def test_right_again(buffers):
    buffers.run(waits=True)
"""


@pytest.fixture
def suite(pytester, monkeypatch):
    """A function that writes a suite beside pipeline.py and runs it with the sanitizer."""
    for variable in ("UNPU_DEVICE", "ASCEND_HOME_PATH", "UNPU_SANITIZE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TMPDIR", str(pytester.mkdir("tmp")))
    pytester.makepyfile(pipeline=PIPELINE)

    def run(text, *options):
        pytester.makepyfile(test_it=text)
        return pytester.runpytest_subprocess("-p", "unpu.pytest", "-p", "no:cacheprovider", "--unpu-san", *options)

    yield run
    # However the session ended, nothing stays.
    assert os.listdir("tmp") == []


def check_race(result, test="test_it.py::test_wrong"):
    """The race of PIPELINE is an error of @test, with the lines of both calls."""
    result.stdout.fnmatch_lines([
        f"*ERROR at teardown of {test.partition('::')[2]} *",
        "unpu-san F1 error RACE-RAW  aclrtMemcpyAsync reads memory that aclrtMemcpyAsync may still be writing *",
        f"*later *, at step() pipeline.py:{STEP} <- run() pipeline.py:* <- {test.partition('::')[2]}() test_it.py:*",
        f"*earlier *, at prefetch() pipeline.py:{PREFETCH} <- run() pipeline.py:* <- *",
        f"ERROR {test} - unpu-san F1 error RACE-RAW*"])
    result.stdout.no_fnmatch_line("*_pytest*")


def test_race_is_an_error_of_its_test(suite):
    result = suite(SUITE, "--junitxml=junit.xml")
    result.assert_outcomes(passed=3, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    check_race(result)
    result.stdout.fnmatch_lines(["unpu-san: 1 finding: 1 error (armed, * commands checked, 0 undecided, 0 suppressed)"])
    with open("junit.xml", encoding="utf-8") as file:
        assert "RACE-RAW" in file.read()


def test_repaired_program_is_silent(suite):
    result = suite(SUITE.replace("waits=False", "waits=True"))
    result.assert_outcomes(passed=3)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["unpu-san: 0 findings (armed, * commands checked, 0 undecided, 0 suppressed)"])


def test_all_tests_that_make_the_mistake_fail(suite):
    text = SUITE + "\ndef test_wrong_too(buffers):\n    buffers.run(waits=False)\n"
    result = suite(text)
    result.assert_outcomes(passed=4, errors=2)
    result.stdout.fnmatch_lines(["*ERROR at teardown of test_wrong *", "*later *<- test_wrong() test_it.py:12",
                                 "*ERROR at teardown of test_wrong_too *", "*later *<- test_wrong_too() test_it.py:18",
                                 "ERROR test_it.py::test_wrong -*", "ERROR test_it.py::test_wrong_too -*"])


def test_workers_of_xdist(suite):
    result = suite(SUITE, "-n", "2")
    result.assert_outcomes(passed=3, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    check_race(result)


def test_isolated_tests(suite):
    for options in ((), ("-n", "2")):
        result = suite(SUITE, "--unpu-isolate", *options)
        result.assert_outcomes(passed=3, errors=1)
        check_race(result)


def test_race_with_a_command_of_an_earlier_test(suite):
    text = """
        import pytest
        from pipeline import Buffers, prefetch, step

        @pytest.fixture(scope="module")
        def buffers(npu):
            return Buffers()

        def test_first(buffers):
            assert prefetch(buffers) == 0

        def test_second(buffers):
            assert step(buffers) == 0
    """
    result = suite(text)
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["ERROR test_it.py::test_second - unpu-san F1 error RACE-RAW*"])


def test_programs_that_a_test_starts(suite):
    text = """
        import subprocess, sys

        def test_child():
            code = '''
        import acl
        assert acl.init() == 0 == acl.rt.set_device(0)
        import pipeline
        pipeline.Buffers().run(waits=False)
        '''.replace("        ", "")
            subprocess.run([sys.executable, "-c", code], check=True)
    """
    result = suite(text)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines([f"*later *, at step() pipeline.py:{STEP} <- run() pipeline.py:*",
                                 "ERROR test_it.py::test_child - unpu-san F1 error RACE-RAW*"])


def test_more_processes_than_are_judged_together(suite):
    text = """
        import os

        def test_many():
            for i in range(260):
                pid = os.fork()
                if pid == 0:
                    import acl
                    assert acl.init() == 0
                    os._exit(0)
                assert os.waitpid(pid, 0)[1] == 0

        def test_wrong(npu):
            from pipeline import Buffers
            Buffers().run(waits=False)
    """
    result = suite(text)
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["ERROR test_it.py::test_wrong - unpu-san F1 error RACE-RAW*"])


def test_calls_outside_of_tests(suite, pytester):
    pytester.makeconftest("""
        import acl
        assert acl.init() == 0 == acl.rt.set_device(0)
        import pipeline
        pipeline.Buffers().run(waits=False)
    """)
    result = suite("def test(): pass")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*unpu-san: calls outside of tests*", f"*later *, at step() pipeline.py:{STEP} <- *",
                                 "FAILED unpu-san - unpu-san F1 error RACE-RAW*"])


def test_calls_of_a_callback(suite):
    text = """
        import acl
        import pytest
        from pipeline import BYTES, Buffers, prefetch, step

        def test_callback(npu):
            buffers, done = Buffers(), []
            context = acl.rt.get_context()[0]

            def in_callback(_):
                done.append(step(buffers))

            def process(_):
                assert acl.rt.set_context(context) == 0
                while not done:
                    acl.rt.process_report(1000)

            thread, _ = acl.util.start_thread(process, [])
            control = acl.rt.create_stream()[0]
            assert acl.rt.subscribe_report(thread, control) == 0
            assert prefetch(buffers) == 0
            assert acl.rt.launch_callback(in_callback, None, 0, control) == 0
            assert acl.rt.synchronize_stream(control) == 0
            assert acl.util.stop_thread(thread) == 0
            assert acl.rt.unsubscribe_report(thread, control) == 0
            assert acl.rt.synchronize_device() == 0
    """
    result = suite(text)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines([f"*later *, at step() pipeline.py:{STEP} <- in_callback() test_it.py:* <- process() *",
                                 f"*earlier *, at prefetch() pipeline.py:{PREFETCH} <- test_callback() test_it.py:*"])


KILLED = """
import os, signal
from pipeline import Buffers

def test_before(npu):
    Buffers().run(waits=True)

def test_killed(npu, npu_server):
    Buffers().run(waits=False)
    with open("server", "w") as file:
        file.write(f"{npu_server.process.pid} {npu_server.address}")
    os.kill(os.getpid(), signal.SIGKILL)

def test_after(npu):
    Buffers().run(waits=True)
"""


def test_killed_worker(suite):
    """Its trace is judged, and it leaves nothing behind."""
    shared = set(os.listdir("/dev/shm"))
    result = suite(KILLED, "-n", "1")
    result.assert_outcomes(passed=2, failed=1, errors=1)
    result.stdout.fnmatch_lines(["ERROR test_it.py::test_killed - unpu-san F1 error RACE-RAW*"])
    with open("server", encoding="utf-8") as file:
        pid, address = file.read().split()
    deadline = time.monotonic() + SECONDS
    while os.path.exists(f"/proc/{pid}") or os.path.exists(address):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert set(os.listdir("/dev/shm")) <= shared


def test_suppressions(suite, pytester):
    pytester.makefile(".txt", known="RACE-* function=prefetch  # the test of this option")
    result = suite(SUITE, "--unpu-san-suppressions=known.txt")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["unpu-san: 0 findings (armed, * 1 suppressed)"])
    pytester.makefile(".txt", wrong="RACE-* color=red")
    result = suite(SUITE, "--unpu-san-suppressions=wrong.txt")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*wrong.txt:1: 'color' is none of the keys*"])


def test_what_is_kept(suite):
    suite(SUITE, "--unpu-san-keep=kept").assert_outcomes(passed=3, errors=1)
    path, = glob.glob("kept/unpu-san-*/report.json")
    with open(path, encoding="utf-8") as file:
        entry = json.loads(file.readlines()[1])
    assert entry["during"] == ["test_it.py::test_wrong"]
    assert [frame["line"] for frame in entry["later"]["stack"][:1]] == [STEP]
    assert entry["earlier"]["stack"][0]["file"].endswith("/pipeline.py")


def test_session_without_the_library_says_so(suite):
    result = suite("def test(): pass")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["unpu-san: 0 findings (not armed: there is no trace)"])


def test_program_under_the_tool(pytester):
    """Frames of a module, of more functions than are shown, and of code that has no file."""
    pytester.makepyfile(pipeline=PIPELINE, program="""
        import acl
        import pipeline

        def deep(n, buffers):
            if n:
                deep(n - 1, buffers)
            else:
                exec("buffers.run(waits=False)", {"buffers": buffers})

        assert acl.init() == 0 == acl.rt.set_device(0)
        deep(12, pipeline.Buffers())
        memory, host = acl.rt.malloc(64, 2)[0], acl.rt.malloc_host(64)[0]
        assert acl.rt.memcpy(host, 64, memory, 64, 2) == 0
    """)
    done = subprocess.run([places.program("unpu-san"), "run", "--", sys.executable, "program.py"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 1, done.stderr
    later, = [line for line in done.stderr.splitlines() if line.startswith("  later") and "step()" in line]
    frames = later.partition(", at ")[2].split(" <- ")
    assert frames[0] == f"step() pipeline.py:{STEP}" and frames[1].startswith("run() pipeline.py:")
    assert frames[2] == "<string>:1" and frames[3] == "deep() program.py:8" and len(frames) == 8, frames
    assert set(frames[4:]) == {"deep() program.py:6"}
    assert "UNINIT" in done.stderr and ", at program.py:13\n" in done.stderr, done.stderr


def test_more_places_than_are_kept(pytester):
    """Calls from one place leave no object; code that is made anew has its own lines, also when nothing more is kept."""
    pytester.makepyfile(pipeline=PIPELINE, program="""
        import sys
        import acl
        import pipeline

        def call(times):
            for _ in range(times):
                acl.rt.get_device()

        assert acl.init() == 0 == acl.rt.set_device(0)
        call(100)
        before = sys.getallocatedblocks()
        call(10000)
        assert sys.getallocatedblocks() < before + 100
        buffers = pipeline.Buffers()
        for i in range(5000):
            exec(compile("acl.rt.get_device()", f"made_{i}.py", "exec"))
        exec(compile("pipeline.prefetch(buffers)", "made_before.py", "exec"))
        exec(compile("\\n" * 41 + "pipeline.step(buffers)", "made_last.py", "exec"))
        assert acl.rt.synchronize_device() == 0
    """)
    done = subprocess.run([places.program("unpu-san"), "run", "--", sys.executable, "program.py"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert f"at step() pipeline.py:{STEP} <- made_last.py:42 <- program.py:18\n" in done.stderr, done.stderr
    assert f"at prefetch() pipeline.py:{PREFETCH} <- made_before.py:1 <- program.py:17\n" in done.stderr, done.stderr
