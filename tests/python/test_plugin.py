# SPDX-License-Identifier: MIT
"""The pytest plug-in, in suites of its own: under pytest, under xdist, isolated."""
import glob
import os
import signal
import subprocess
import sys
import time

import pytest

pytest_plugins = "pytester"
SECONDS = 60


@pytest.fixture
def suite(pytester, monkeypatch):
    """A function that writes a suite and runs it with the plug-in."""
    monkeypatch.delenv("UNPU_DEVICE", raising=False)
    monkeypatch.delenv("ASCEND_HOME_PATH", raising=False)
    # As most suites run: pytest explains each failure at full length there.
    monkeypatch.setenv("CI", "1")

    def run(text, *options, conftest=None):
        pytester.makepyfile(test_it=text)
        if conftest:
            pytester.makeconftest(conftest)
        try:
            return pytester.runpytest_subprocess("-p", "unpu.pytest", "-p", "no:cacheprovider",
                                                 f"--override-ini=faulthandler_timeout={SECONDS}", *options,
                                                 timeout=2 * SECONDS)
        except pytester.TimeoutExpired:
            for name in ("stdout", "stderr"):
                print(f"{name} of a suite that hangs:", (pytester.path / name).read_text())
            raise

    return run


def test_active_before_conftest(suite):
    conftest = """
        import os, sys
        import acl
        assert acl.get_soc_name().startswith("Ascend")
        assert os.environ["UNPU_DEVICE"] == "sim:" and os.path.isdir(os.environ["ASCEND_HOME_PATH"])
    """
    suite("def test(): pass", conftest=conftest).assert_outcomes(passed=1)


def test_mock_in_the_place_of_the_module_is_named(suite):
    conftest = """
        import sys
        from unittest.mock import MagicMock
        sys.modules["acl"] = MagicMock()
    """
    text = """
        def test_mocked():
            import acl
            assert acl.rt.malloc(64).anything
        def test_real(npu):
            pass
    """
    result = suite(text, conftest=conftest)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["npu: *is a MagicMock, not the module; take it out of *"])


def test_folder_that_cannot_be_made_is_a_usage_error(suite, tmp_path):
    (tmp_path / "file").write_text("")
    result = suite("def test(npu): pass", "--unpu-san", f"--unpu-san-keep={tmp_path}/file/below")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*unpu-san: no folder for the traces: *"])


def test_device_string_option(suite):
    text = """
        import acl
        def test(npu):
            assert npu.device == "sim:soc=Ascend910B2" and acl.get_soc_name() == "Ascend910B2"
    """
    suite(text, "--unpu-device=sim:soc=Ascend910B2").assert_outcomes(passed=1)


def test_device_is_open_and_shared_by_the_tests(suite):
    text = """
        kept = []
        def test_first(npu):
            kept.append(npu.acl.rt.malloc(64, 2)[0])
        def test_second(npu):
            assert npu.acl.rt.free(kept[0]) == 0
    """
    suite(text).assert_outcomes(passed=2)


@pytest.mark.parametrize("options", [(), ("--unpu-isolate",)])
def test_program_that_opens_the_device_itself_and_fixture(suite, options):
    text = """
        def test_program():
            import acl
            assert acl.init() in (0, 100002) and acl.rt.set_device(0) == 0
        def test_fixture(npu):
            assert npu.acl.rt.get_device() == (0, 0)
            assert npu.acl.finalize_reference() == (0, 0)
    """
    suite(text, *options).assert_outcomes(passed=2)


def test_device_that_a_conftest_opened(suite):
    conftest = """
        import acl
        assert acl.init() == 0 and acl.rt.set_device(0) == 0
    """
    suite("def test(npu): assert npu.acl.rt.malloc(64, 2)[1] == 0", conftest=conftest).assert_outcomes(passed=1)


@pytest.mark.parametrize("end", ["npu.acl.finalize()", "npu.acl.rt.reset_device(0)", "npu.acl.rt.reset_device_force(0)",
                                 "npu.acl.rt.destroy_context(context)"])
def test_device_is_open_again_after_a_test_that_ended_it(suite, end):
    text = f"""
        def test_end(npu):
            context, ret = npu.acl.rt.create_context(0)
            assert ret == 0 and {end} == 0
        def test_next(npu, npu_leaks):
            memory, ret = npu.acl.rt.malloc(64, 2)
            assert ret == 0 and npu.acl.rt.free(memory) == 0
    """
    suite(text).assert_outcomes(passed=2)


def test_isolated_tests_have_devices_of_their_own(suite):
    text = """
        import os
        def test_first(npu):
            assert npu.acl.rt.malloc(64, 2)[1] == 0
            os.environ["SEEN"] = "1"
        def test_second(npu):
            assert npu.acl.rt.malloc(64, 2)[1] == 0 and "SEEN" not in os.environ
        def test_without_a_device():
            import acl
            assert acl.init() == 0 and acl.rt.set_device(0) == 0
    """
    suite(text, "--unpu-isolate").assert_outcomes(passed=3)


def test_crash_ends_the_isolated_test_alone(suite):
    text = """
        import ctypes, os
        def test_crash(npu):
            ctypes.string_at(16)
        def test_exit():
            os._exit(3)
        def test_fails():
            assert 1 == 2
        def test_other(npu):
            pass
    """
    result = suite(text, "--unpu-isolate")
    result.assert_outcomes(failed=3, passed=1)
    # A sanitizer ends the process itself.
    crash = "*ended with *" if "UNPU_SANITIZED" in os.environ else "*was ended by SIG*"
    result.stdout.fnmatch_lines([crash, "*ended with 3 before it had a result*", "*assert 1 == 2*"])
    # The summary says why, too.
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_exit - test_it.py::test_exit: the process of the test ended with 3 *"])


def test_isolated_test_that_takes_too_long_tells_its_stack(suite):
    text = """
        import time
        def test_slow():
            time.sleep(2)
            assert 1 == 2
    """
    for options in ((), ("-p", "no:faulthandler")):
        result = suite(text, "--unpu-isolate", "--override-ini=faulthandler_timeout=0.5", *options)
        result.assert_outcomes(failed=1)
        assert ("in test_slow" in result.stderr.str()) == (not options)


def test_dead_bytes_fail_the_test_with_both_lines(suite):
    text = """
        import numpy
        def test_dead(npu):
            memory, ret = npu.acl.rt.malloc(4096, 2)
            pointer = npu.acl.util.bytes_to_ptr(numpy.zeros(4096, numpy.uint8).tobytes())
            assert npu.acl.rt.memcpy(memory, 4096, pointer, 4096, 1) == 0
            assert npu.acl.rt.free(memory) == 0
        def test_alive(npu):
            memory, ret = npu.acl.rt.malloc(4096, 2)
            data = numpy.zeros(4096, numpy.uint8).tobytes()
            assert npu.acl.rt.memcpy(memory, 4096, npu.acl.util.bytes_to_ptr(data), 4096, 1) == 0
    """
    result = suite(text, "--junitxml=report.xml")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*test_it.py:5 in test_dead() reads from a bytes object that no longer exists; "
                                 "bytes_to_ptr() gave its address at *test_it.py:4 in test_dead()*"])
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_dead - *no longer exists*"])
    assert "no longer exists" in open("report.xml", encoding="utf-8").read()
    # Without the check the copy reads freed memory, and a sanitizer says so.
    if "UNPU_SANITIZED" not in os.environ:
        suite(text, "--unpu-check-bytes=off").assert_outcomes(passed=2)
    suite(text, "--unpu-isolate").assert_outcomes(failed=1, passed=1)


def test_dead_destination_fails_the_test_with_both_lines(suite):
    text = """
        def test_dead(npu):
            memory, ret = npu.acl.rt.malloc(4096, 2)
            pointer = npu.acl.util.bytes_to_ptr(bytes(bytearray(4096)))
            assert npu.acl.rt.memcpy(pointer, 4096, memory, 4096, 2) == 0
    """
    result = suite(text)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*test_it.py:4 in test_dead() writes into a bytes object that no longer exists; "
                                 "bytes_to_ptr() gave its address at *test_it.py:3 in test_dead()*"])


def test_schedule_reaches_the_library_or_is_refused(suite):
    from unpu import places
    with open(places.library(places.LIBRARY), "rb") as library:
        is_known = b"UNPU_SCHEDULE\0" in library.read()
    result = suite("import os\ndef test(): assert os.environ['UNPU_SCHEDULE'] == 'lazy'", "--unpu-schedule=lazy")
    if is_known:
        result.assert_outcomes(passed=1)
    else:
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*--unpu-schedule: this version has no schedules*"])


PIPELINE = """
    BYTES = 1 << 16
    def test_step_gets_the_input(npu):
        rt = npu.acl.rt
        copies, compute, event = rt.create_stream()[0], rt.create_stream()[0], rt.create_event()[0]
        host, back = rt.malloc_host(BYTES)[0], rt.malloc_host(BYTES)[0]
        given, result = rt.malloc(BYTES, 2)[0], rt.malloc(BYTES, 2)[0]
        assert rt.memset(host, BYTES, 7, BYTES) == 0 == rt.memset(given, BYTES, 0, BYTES)
        assert rt.memcpy_async(given, BYTES, host, BYTES, 1, copies) == 0
        if %s:
            assert rt.record_event(event, copies) == 0 == rt.stream_wait_event(compute, event)
        assert rt.memcpy_async(result, BYTES, given, BYTES, 3, compute) == 0
        assert rt.synchronize_stream(compute) == 0
        assert rt.memcpy(back, BYTES, result, BYTES, 2) == 0
        # Where CI is set, pytest explains two different strings of bytes for minutes; a number is explained at once.
        assert npu.acl.util.ptr_to_bytes(back, BYTES).count(7) == BYTES
"""


@pytest.mark.parametrize("plan", ["lazy", "eager", "starve:seed=1", "random:seed=7", "pct:seed=3,depth=2,steps=16"])
def test_schedule_runs_right_programs_right(suite, plan):
    suite(PIPELINE % True, f"--unpu-schedule={plan}").assert_outcomes(passed=1)


@pytest.mark.parametrize("plan, outcome", [("lazy", "failed"), ("eager", "passed"), ("starve", "failed")])
def test_schedule_decides_a_missing_order(suite, plan, outcome):
    for options in ((), ("-n", "2"), ("--unpu-isolate",)):
        suite(PIPELINE % False, f"--unpu-schedule={plan}", *options).assert_outcomes(**{outcome: 1})


def test_schedule_of_a_seed_is_the_same_each_time(suite):
    for seed in (1, 7):
        found = [suite(PIPELINE % False, f"--unpu-schedule=random:seed={seed}").ret for _ in range(3)]
        assert len(set(found)) == 1, (seed, found)


def test_schedule_that_is_none_says_so(suite):
    result = suite("def test(npu): pass", "--unpu-schedule=nonsense")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*unknown strategy 'nonsense'; known are fifo*"])


def test_faults_and_back(suite):
    text = """
        from unpu import faults
        def fill(npu):
            stream, memory = npu.acl.rt.create_stream()[0], npu.acl.rt.malloc(64, 2)[0]
            assert npu.acl.rt.memset_async(memory, 64, 1, 64, stream) == 0
            return npu.acl.rt.synchronize_stream(stream)
        def test_before(npu):
            assert fill(npu) == 0
        def test_faults(npu, npu_faults):
            npu_faults(faults.rule("fail", op="fill", nth=2))
            assert fill(npu) == 0
            assert fill(npu) != 0
        def test_after(npu):
            assert fill(npu) == 0
    """
    suite(text).assert_outcomes(passed=3)


@pytest.mark.parametrize("leak, what", [("npu.acl.rt.create_stream()", "1 stream"),
                                        ("npu.acl.rt.create_event_with_flag(1)", "1 event"),
                                        ("npu.acl.rt.malloc(8 << 20, 2)", "bytes of device memory")])
def test_leaks_are_counted(suite, leak, what):
    text = f"""
        def test_clean(npu, npu_leaks):
            memory, stream = npu.acl.rt.malloc(8 << 20, 2)[0], npu.acl.rt.create_stream()[0]
            event = npu.acl.rt.create_event()[0]
            assert npu.acl.rt.free(memory) == 0 == npu.acl.rt.destroy_stream(stream) == npu.acl.rt.destroy_event(event)
        def test_leak(npu, npu_leaks):
            assert {leak}[1] == 0
    """
    result = suite(text)
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines([f"*npu_leaks: the test left *{what}*"])


SERVER = """
    import os, subprocess, sys
    import pytest
    CODE = "import acl; assert acl.init() == 0 and acl.rt.set_device(1) == 0; print(acl.rt.get_device_count())"
    @pytest.mark.parametrize("i", range(4))
    def test_server(npu_server, i):
        assert os.path.exists(npu_server.address)
        environment = dict(os.environ, UNPU_DEVICE=npu_server.device)
        done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == "(2, 0)\\n"
        with open("servers", "a") as file:
            file.write(f"{os.environ.get('PYTEST_XDIST_WORKER')} {npu_server.process.pid}\\n")
"""


def servers():
    with open("servers", encoding="utf-8") as file:
        return [line.split() for line in file]


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_server_serves_the_session_and_ends(suite):
    suite(SERVER, "--unpu-server-devices=2").assert_outcomes(passed=4)
    assert len({pid for _, pid in servers()}) == 1
    assert not is_alive(servers()[0][1])


def test_one_server_for_each_worker(suite):
    suite(SERVER, "--unpu-server-devices=2", "-n", "2", "--dist", "each").assert_outcomes(passed=8)
    found = {tuple(line) for line in servers()}
    assert {worker for worker, _ in found} == {"gw0", "gw1"} and len(found) == 2
    assert not any(is_alive(pid) for _, pid in found)


def test_plug_in_under_xdist(suite):
    text = """
        import pytest
        @pytest.mark.parametrize("i", range(8))
        def test(npu, npu_leaks, i):
            memory, ret = npu.acl.rt.malloc(1 << 20, 2)
            assert ret == 0 and npu.acl.rt.free(memory) == 0
    """
    suite(text, "-n", "2").assert_outcomes(passed=8)
    suite(text, "-n", "2", "--unpu-isolate").assert_outcomes(passed=8)


def test_killed_worker_leaves_nothing_behind(pytester, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(pytester.path))
    pytester.makepyfile(test_it="""
        import os, signal, time
        def test(npu_server):
            with open("told", "w") as file:
                file.write(f"{npu_server.process.pid} {npu_server.address}")
            os.rename("told", "servers")
            os.kill(os.getpid(), signal.SIGSTOP)
    """)
    command = [sys.executable, "-m", "pytest", "-p", "unpu.pytest", "-p", "no:cacheprovider", "test_it.py"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as worker:
        deadline = time.monotonic() + SECONDS
        while not os.path.exists("servers"):
            assert time.monotonic() < deadline and worker.poll() is None
            time.sleep(0.01)
        (pid, address), = servers()
        assert is_alive(pid)
        os.kill(worker.pid, signal.SIGKILL)
    while is_alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert not os.path.exists(address)
    assert not [path for path in glob.glob(str(pytester.path / "**" / "*"), recursive=True) if "npu" == path[-3:]]


MOCKED = """
    import sys
    from unittest.mock import MagicMock
    sys.modules["acl"] = MagicMock()
"""


def test_suite_with_a_mock_still_runs(suite):
    text = """
        from unittest.mock import MagicMock
        def test():
            import acl
            assert isinstance(acl, MagicMock)
    """
    suite(text, conftest=MOCKED).assert_outcomes(passed=1)
