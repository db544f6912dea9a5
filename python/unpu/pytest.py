# SPDX-License-Identifier: MIT
"""The pytest plug-in. Before any conftest is imported it makes "import acl" find the module and the simulated device;
then it gives fixtures, checks copies from bytes that no longer exist and the synchronization of streams, and runs tests
in processes of their own.

Installed as a wheel it is active by itself; from the toolkit, by "-p unpu.pytest"."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import types

import pytest

from . import isolate, places
from .session import REPEAT_INITIALIZE


def prepare():
    """What a program finds in its environment. What is set already stays."""
    folder = places.acl_folder()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    os.environ.setdefault("ASCEND_HOME_PATH", places.toolkit())
    os.environ.setdefault("UNPU_DEVICE", "sim:")


def pytest_addoption(parser):
    group = parser.getgroup("unpu", "the simulated NPU")
    group.addoption("--unpu-device", metavar="STRING", help="the device string, as UNPU_DEVICE")
    group.addoption("--unpu-isolate", action="store_true",
                    help="run each test in a forked process, with a device of its own")
    group.addoption("--unpu-check-bytes", choices=("on", "off"), default="on",
                    help="fail a test that copies from a bytes object that no longer exists (default: on)")
    group.addoption("--unpu-server-devices", type=int, default=1, metavar="N",
                    help="devices of the fixture npu_server (default: 1)")
    group.addoption("--unpu-san", action="store_true",
                    help="fail tests whose streams lack synchronization, judged after the last test")
    group.addoption("--unpu-san-suppressions", metavar="FILE", help="findings to leave out, as unpu-san has them")
    group.addoption("--unpu-san-keep", metavar="FOLDER", help="folder that keeps the traces and the report in JSON")
    group.addoption("--unpu-schedule", metavar="STRING", help="the order of commands that have none, as UNPU_SCHEDULE")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    given = early_config.known_args_namespace
    if getattr(given, "unpu_device", None):
        os.environ["UNPU_DEVICE"] = given.unpu_device
    prepare()
    if getattr(given, "unpu_san", False):
        from . import san
        if not san.begin_worker():
            early_config.unpu_san_folder = san.begin(given.unpu_san_keep)


def set_schedule(text):
    """Gives the device its schedule, if the library knows of schedules."""
    with open(places.library(places.LIBRARY), "rb") as library:
        if b"UNPU_SCHEDULE\0" not in library.read():
            raise pytest.UsageError("--unpu-schedule: this version has no schedules; run without the option")
    os.environ["UNPU_SCHEDULE"] = text


def configure_san(config):
    """In a worker of xdist it records only; the session judges."""
    from . import san
    folder = getattr(config, "unpu_san_folder", None)
    if not hasattr(config, "workerinput"):
        folder = folder or san.begin(config.getoption("unpu_san_keep"))
        judge = san.Judge(config, folder)
        config.pluginmanager.register(judge, "unpu-san-judge")
        judge.check_options()
    config.pluginmanager.register(san.Record(config.getoption("unpu_isolate")), "unpu-san-record")


def server_prefix(session, worker):
    """How the folders of the servers of a worker of xdist begin, short as paths of sockets have to be."""
    return f"unpu-{session[:8]}-{worker}-"


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """A worker that was killed left the folder of its server, which has ended with it."""
    if error:
        prefix = server_prefix(node.workerinput["testrunuid"], node.workerinput["workerid"])
        for folder in glob.glob(os.path.join(tempfile.gettempdir(), glob.escape(prefix) + "*")):
            shutil.rmtree(folder, ignore_errors=True)


def pytest_configure(config):
    prepare()
    if config.getoption("unpu_schedule") is not None:
        set_schedule(config.getoption("unpu_schedule"))
    if config.getoption("unpu_san"):
        configure_san(config)
    if config.getoption("unpu_check_bytes") == "on":
        config.pluginmanager.register(DeadBytes(), "unpu-dead-bytes")
    if config.getoption("unpu_isolate"):
        config.pluginmanager.register(isolate.Isolate(), "unpu-isolate")


class DeadBytes:
    """Fails the test in which a copy reads from a bytes object that the program let go."""

    def __init__(self):
        # Now, as a conftest may put a mock in its place.
        import acl
        self.acl, self.found = acl, []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self):
        self.acl.util._check_bytes(self.found.append)
        yield
        self.acl.util._check_bytes(None)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, call):
        outcome = yield
        if call.when != "call" or not self.found:
            return
        report, text = outcome.get_result(), "\n".join(self.found)
        self.found.clear()
        if report.passed:
            report.outcome, report.longrepr = "failed", isolate.Text(text)
        else:
            report.sections.append(("unpu: dead bytes", text))


class Npu:
    """A device of this process. acl is the module; device_id the device that is set in the test's thread."""

    def __init__(self, acl):
        self.acl = acl
        self.device_id = 0

    @property
    def device(self):
        """The device string."""
        return os.environ["UNPU_DEVICE"]

    def open(self):
        """Initialises the library and sets the device. A conftest or a test may have initialised it before."""
        ret = self.acl.init()
        if ret == REPEAT_INITIALIZE:
            self.acl.finalize_reference()
            self.acl.get_recent_err_msg()
        else:
            self._check("acl.init", ret)
        self._check("acl.rt.set_device", self.acl.rt.set_device(self.device_id))

    def reopen(self):
        """Opens the device again if an earlier test closed the library, reset the device, or took the context from
        this thread."""
        device_id, ret = self.acl.rt.get_device()
        if ret != 0:
            self.acl.get_recent_err_msg()
            self.open()
        elif device_id != self.device_id:
            self._check("acl.rt.set_device", self.acl.rt.set_device(self.device_id))

    def close(self):
        """Closes the library, with everything that was made on it. Does nothing if it is closed."""
        self.acl.finalize()
        self.acl.get_recent_err_msg()

    def _check(self, call, ret):
        if ret != 0:
            raise RuntimeError(f"{call}() failed with {ret}: {self.acl.get_recent_err_msg()}")


@pytest.fixture(scope="session")
def npu():
    """The device of this process, open for all tests of the session; with --unpu-isolate, for one test."""
    import acl
    if not isinstance(acl, types.ModuleType):
        pytest.fail(f"npu: sys.modules['acl'] is a {type(acl).__name__}, not the module; take it out of the conftest "
                    "or the test that puts it there", pytrace=False)
    made = Npu(acl)
    made.open()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _npu_is_open(request):
    """Opens the device for each test that uses it, whatever the test before did."""
    if "npu" in request.fixturenames:
        request.getfixturevalue("npu").reopen()


@pytest.fixture(scope="session")
def npu_server(request):
    """A firmware-sim at a socket, which processes share by UNPU_DEVICE=npu_server.device. Each xdist worker has one."""
    from .server import Server
    worker = getattr(request.config, "workerinput", None)
    prefix = server_prefix(worker["testrunuid"], worker["workerid"]) if worker else "unpu-"
    with Server(devices=request.config.getoption("unpu_server_devices"), prefix=prefix) as server:
        yield server


@pytest.fixture
def npu_faults(npu):
    """A function that opens the device anew with rules of unpu.faults. Handles from before are gone. After the test
    the device is opened once more, without rules."""
    before = os.environ["UNPU_DEVICE"]

    def inject(*rules):
        from .faults import text
        from .session import device_string
        if before.startswith("unix:"):
            raise RuntimeError("npu_faults: a firmware that is shared gets its rules when it starts: "
                               "unpu.Server(faults=...)")
        npu.close()
        os.environ["UNPU_DEVICE"] = device_string(before, faults=text(list(rules)))
        npu.open()

    yield inject
    if os.environ["UNPU_DEVICE"] != before:
        npu.close()
        os.environ["UNPU_DEVICE"] = before
        npu.open()


@pytest.fixture
def npu_time():
    """A function that runs a program and checks sentences about its modelled time, as unpu-time has them:
    npu_time(["./overlap"], "overlap(copy_in, matmul) > 80%"). The machine's load has no part in it."""
    def check(command, *sentences, profile="plain"):
        options = [f"--profile={profile}", *(f"--assert={sentence}" for sentence in sentences)]
        done = subprocess.run([places.program("unpu-time"), "run", *options, "--", *command],
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            pytest.fail(f"npu_time: unpu-time ended with {done.returncode}\n{done.stderr}", pytrace=False)
    return check


def _in_use(acl):
    """What a program can leak: streams, events, bytes of memory."""
    free, _, ret = acl.rt.get_mem_info(1)
    streams, other = acl.rt.get_stream_available_num(), acl.rt.get_event_avail_num()
    if ret or streams[1] or other[1]:
        raise RuntimeError(f"npu_leaks: {acl.get_recent_err_msg()}")
    return {"bytes of device memory": -free, "streams": -streams[0], "events": -other[0]}


@pytest.fixture
def npu_leaks(npu):
    """Fails a test that leaves more streams, events or device memory than there were. An event counts while it has
    a number: one with a flag from its creation on, another one from its first record on."""
    npu.acl.rt.synchronize_device()
    before = _in_use(npu.acl)
    yield
    npu.acl.rt.synchronize_device()
    after = _in_use(npu.acl)
    grown = {name: after[name] - before[name] for name in before if after[name] > before[name]}
    leaks = [f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in grown.items()]
    if leaks:
        hint = ""
        if any("memory" in leak for leak in leaks):
            hint = " (in units of 512 bytes; UNPU_CHECK=warn with pytest -s names each allocation, its size and the call that made it)"
        pytest.fail("npu_leaks: the test left " + ", ".join(leaks) + hint, pytrace=False)
