# SPDX-License-Identifier: MIT
"""What the tests share: a device, and what programs call numbers of the interface."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.environ["UNPU_SOURCE"], "python", "acl"))
sys.path.insert(0, os.path.dirname(__file__))


@pytest.fixture(scope="session")
def acl():
    """The module, initialised, with device 0 set in this thread."""
    import acl as module
    assert module.init() == 0
    assert module.rt.set_device(0) == 0
    yield module
    assert module.rt.reset_device(0) == 0
    assert module.finalize() == 0


@pytest.fixture
def stream(acl):
    """A stream of its own."""
    made, ret = acl.rt.create_stream()
    assert ret == 0
    yield made
    assert acl.rt.destroy_stream(made) == 0


@pytest.fixture
def context(acl):
    """The thread's context, for other threads."""
    found, ret = acl.rt.get_context()
    assert ret == 0
    return found


@pytest.fixture
def device_server():
    """The environment of programs that share a firmware, which runs while the test does."""
    from unpu.server import Server
    with Server(memory="1G") as server:
        yield dict(os.environ, UNPU_DEVICE=server.device)
        assert server.stop() == 0


@pytest.fixture
def program_environment():
    """The environment of a program of its own."""
    return dict(os.environ)
