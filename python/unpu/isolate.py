# SPDX-License-Identifier: MIT
"""Each test in a forked process: a device of its own, and a crash ends that test alone.

The parent must not have used the library, as a device does not outlive a fork."""
import contextlib
import faulthandler
import os
import pickle
import signal
import types

import pytest


class Text(str):
    """What pytest shows of a failure. The line of the summary is its first one."""

    @property
    def reprcrash(self):
        return types.SimpleNamespace(message=self.partition("\n")[0])


class Isolate:
    """Runs the protocol of a test in a child, and logs its reports in the parent."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        from _pytest.runner import runtestprotocol
        del nextitem
        hook = item.ihook
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)

        def reports_of_test():
            with watched(item):
                return pickle.dumps([
                    item.config.hook.pytest_report_to_serializable(config=item.config, report=report)
                    for report in runtestprotocol(item, log=False, nextitem=None)])

        # The thread of pytest's timer is not in the child, which would wait for its end.
        faulthandler.cancel_dump_traceback_later()
        data, status = in_child(reports_of_test)
        for report in self.reports(item, data, status):
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    @staticmethod
    def reports(item, data, status):
        if status == 0 and data:
            return [item.config.hook.pytest_report_from_serializable(config=item.config, data=one)
                    for one in pickle.loads(data)]
        if os.WIFSIGNALED(status):
            what = f"was ended by {signal.Signals(os.WTERMSIG(status)).name}"
        else:
            what = f"ended with {os.WEXITSTATUS(status)} before it had a result"
        return [pytest.TestReport(nodeid=item.nodeid, location=item.location, keywords={}, outcome="failed",
                                  longrepr=Text(f"{item.nodeid}: the process of the test {what}"), when="call")]


def watched(item):
    """With faulthandler_timeout: tells the stacks of @item's process when it takes too long."""
    if not item.config.pluginmanager.hasplugin("faulthandler"):
        return contextlib.nullcontext()
    from _pytest import faulthandler as plugin
    return contextlib.contextmanager(plugin.pytest_runtest_protocol)(item)


def in_child(function):
    """(what @function returns in a forked process, its wait status)."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(reader)
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(function())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    return data, os.waitpid(pid, 0)[1]
