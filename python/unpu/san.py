# SPDX-License-Identifier: MIT
"""The sanitizer in a pytest session: each process records what its tests ask of the library, unpu-san judges the traces
after the last test, and a finding is an error of the tests that made its later call.

The judge needs the whole trace: a command of one test may race with one of an earlier test."""
import json
import os
import re
import shutil
import subprocess
import tempfile

import pytest

from . import _native, places
from .isolate import Text

FOLDER, MARK = "UNPU_SANITIZE", "UNPU_SANITIZE_MARK"
WORKER = "PYTEST_XDIST_WORKER"
ERRORS_FOUND = 1
MOST_TRACES = 256  # that unpu-san judges together


def begin_worker():
    """Before the options are known: whether this looks like a worker of xdist, which then records into a folder in that of
    the session."""
    if WORKER not in os.environ or FOLDER not in os.environ:
        return False
    os.environ[FOLDER] = os.path.join(os.environ[FOLDER], os.environ[WORKER])
    return True


def begin(keep):
    """Chooses where this process and its children record, before anything uses the library. Returns the folder."""
    try:
        if keep is not None:
            os.makedirs(keep, exist_ok=True)
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="unpu-san-", dir=keep)
    except OSError as error:
        raise pytest.UsageError(f"unpu-san: no folder for the traces: {error}") from error
    return os.environ[FOLDER]


def runs(base):
    """The folders of traces that are judged together. The traces of too many processes are moved into several."""
    for folder, _, names in list(os.walk(base)):
        traces = sorted(name for name in names if name.endswith(".unpusan"))
        if len(traces) <= MOST_TRACES:
            yield from [folder] if traces else []
            continue
        for begin_at in range(0, len(traces), MOST_TRACES):
            part = os.path.join(folder, f"part-{begin_at}")
            os.mkdir(part)
            for name in traces[begin_at:begin_at + MOST_TRACES]:
                os.rename(os.path.join(folder, name), os.path.join(part, name))
            yield part


class Record:
    """Tells the library which test runs, in the process that runs it."""

    def __init__(self, isolated):
        self.folder, self.isolated, self.count = os.environ[FOLDER], isolated, 0
        os.makedirs(self.folder, exist_ok=True)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        # Processes that the test starts have the mark of the environment.
        os.environ[MARK] = item.nodeid
        if self.isolated:
            # The child records, and its test is a run of its own.
            self.count += 1
            os.environ[FOLDER] = os.path.join(self.folder, f"test-{self.count}")
        else:
            _native.san_mark(item.nodeid)
        yield


class Judge:
    """Judges the traces of all processes of the session."""

    def __init__(self, config, folder):
        self.config, self.folder = config, folder
        self.locations, self.summary, self.others = {}, "", []
        suppressions = config.getoption("unpu_san_suppressions")
        self.options = ["--suppressions", suppressions] if suppressions else []

    def check_options(self):
        """Refuses a file of suppressions that unpu-san can't read, before the tests run."""
        done = self.run("report", *self.options, self.folder)
        if done.returncode not in (0, ERRORS_FOUND):
            raise pytest.UsageError(done.stderr.strip())

    @staticmethod
    def run(*arguments):
        return subprocess.run([places.program("unpu-san"), *arguments], capture_output=True, text=True, check=False)

    def pytest_runtest_logstart(self, nodeid, location):
        self.locations[nodeid] = location

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self):
        yield
        self.judge()

    def judge(self):
        """Makes the report and fails the tests. pytest decides its exit status afterwards."""
        path = os.path.join(self.folder, "report.json")
        folders = sorted(runs(self.folder))
        done = self.run("report", "--by-mark", "--format", "json", "-o", path, *self.options,
                        *(folders or [self.folder]))
        self.summary = done.stderr.rstrip("\n")
        if done.returncode not in (0, ERRORS_FOUND):
            self.fail("unpu-san", [self.summary])
            return
        with open(path, encoding="utf-8") as file:
            found = [entry for entry in map(json.loads, file) if entry["kind"] == "finding"]
        shown = self.run("report", "--by-mark", path)
        texts = [text.strip() for text in re.split(r"(?m)^(?=unpu-san F\d+ )", shown.stdout)[1:]]
        of_test = {}
        for entry, text in zip(found, texts):
            if entry["severity"] != "error":
                self.others.append(text)
                continue
            for test in entry.get("during", ["unpu-san"]):
                of_test.setdefault(test, []).append(text)
        terminal = self.config.pluginmanager.getplugin("terminalreporter")
        if of_test and terminal:
            terminal.write_line("")
        for test, blocks in of_test.items():
            self.fail(test, blocks)

    def fail(self, test, blocks):
        """An error of the test after its end; of calls that no test made, a failure by the name of the tool."""
        known = test in self.locations
        report = pytest.TestReport(
            nodeid=test, location=self.locations.get(test, ("unpu-san", None, "unpu-san: calls outside of tests")),
            keywords={}, outcome="failed", longrepr=Text("\n\n".join(blocks)), when="teardown" if known else "call")
        self.config.hook.pytest_runtest_logreport(report=report)

    def pytest_terminal_summary(self, terminalreporter):
        for text in self.others:
            terminalreporter.write_line(text)
        for line in self.summary.splitlines():
            terminalreporter.write_line(line)
        if self.config.getoption("unpu_san_keep") is not None:
            terminalreporter.write_line(f"unpu-san: the traces and report.json are in {self.folder}")

    def pytest_unconfigure(self):
        if self.config.getoption("unpu_san_keep") is None:
            shutil.rmtree(self.folder, ignore_errors=True)
        for variable in (FOLDER, MARK):
            os.environ.pop(variable, None)
