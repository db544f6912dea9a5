# SPDX-License-Identifier: MIT
"""The package unpu: sessions, faults, traces, arrays, captured graphs."""
import gc
import json
import os
import re
import subprocess
import sys
import weakref

import numpy
import pytest
import unpu
from interface import PARAM_INVALID
from unpu import faults


@pytest.fixture
def module():
    import acl
    return acl


@pytest.fixture
def opened(module):
    """A session with a device that is set."""
    with unpu.session(memory="1G") as session:
        assert module.init() == 0 and module.rt.set_device(0) == 0
        yield session


def test_session_has_the_properties(module):
    with unpu.session(devices=2, memory="512M", soc="Ascend910B4") as session:
        assert session.device == "sim:devices=2,memory=512M,soc=Ascend910B4" == os.environ["UNPU_DEVICE"]
        assert module.init() == 0 and module.rt.set_device(1) == 0
        assert module.rt.get_device_count() == (2, 0)
        assert module.get_soc_name() == "Ascend910B4"
        assert module.rt.get_mem_info(1)[1] <= 512 << 20
    assert module.rt.get_device()[1] != 0


def test_sessions_follow_each_other(module, monkeypatch):
    monkeypatch.setenv("UNPU_DEVICE", "sim:soc=Ascend910B1")
    for soc in ("Ascend910B2", "Ascend910B3"):
        with unpu.session(soc=soc):
            assert module.get_soc_name() == soc
    assert os.environ["UNPU_DEVICE"] == "sim:soc=Ascend910B1"


def test_session_leaves_a_library_in_use_alone(module):
    with unpu.session():
        assert module.init() == 0 and module.rt.set_device(0) == 0
        memory, ret = module.rt.malloc(64, 2)
        with pytest.raises(RuntimeError, match="in use"):
            with unpu.session():
                pass
        assert module.rt.free(memory) == 0 == ret
        assert module.finalize_reference() == (0, 0)


@pytest.mark.parametrize("arguments, text", [({"devices": 0}, "devices must be 1 to 16"),
                                             ({"memory": "lots"}, "memory=lots is not a number"),
                                             ({"device": "gpu:"}, "unknown backend 'gpu'"),
                                             ({"faults": "explode"}, "'explode' is none of")])
def test_session_without_such_a_device_is_an_error(module, arguments, text):
    before = os.environ.get("UNPU_DEVICE")
    with pytest.raises(unpu.Error, match=re.escape(text)):
        with unpu.session(**arguments):
            pass
    assert os.environ.get("UNPU_DEVICE") == before
    with unpu.session():
        assert module.init() == 0


@pytest.mark.parametrize("stale", ["unix:/nowhere/socket", "gpu:"])
def test_session_does_not_need_the_device_of_before(module, monkeypatch, stale):
    monkeypatch.setenv("UNPU_DEVICE", stale)
    with unpu.session(devices=2):
        assert module.init() == 0 and module.rt.get_device_count() == (2, 0)
    assert os.environ["UNPU_DEVICE"] == stale


def test_session_with_a_server_of_its_own(module):
    with unpu.session("server", devices=2) as session:
        assert module.init() == 0 and module.rt.set_device(1) == 0
        code = "import acl\nprint(acl.init(), *acl.rt.get_device_count(), acl.finalize())"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["0", "2", "0", "0"]
        process = session.server.process
    assert process.returncode == 0
    assert not os.path.exists(session.device.partition(":")[2])


def test_fork_leaves_the_server_to_its_parent(module):
    with unpu.session("server") as session:
        child = os.fork()
        if child == 0:
            # What a child does that leaves the with statement by sys.exit().
            try:
                session.__exit__(None, None, None)
            finally:
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert os.path.exists(session.server.address) and session.server.process.poll() is None
        assert module.init() == 0 and module.rt.set_device(0) == 0
    assert session.server.process.returncode == 0


def test_server_that_a_program_leaves_open_leaves_nothing(tmp_path):
    code = "import unpu\nserver = unpu.Server()\nprint(server.process.pid)"
    environment = dict(os.environ, TMPDIR=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert not os.path.exists(f"/proc/{int(done.stdout)}") and not list(tmp_path.iterdir())


def test_server_that_cannot_start_says_so():
    with pytest.raises(RuntimeError, match="before it served"):
        unpu.Server(devices=99)


def test_faults_of_a_session(module):
    with unpu.session(faults=[faults.rule("fail", op="fill", nth=1)]):
        assert module.init() == 0 and module.rt.set_device(0) == 0
        stream, _ = module.rt.create_stream()
        memory, _ = module.rt.malloc(64, 2)
        assert module.rt.memset_async(memory, 64, 0, 64, stream) == 0
        assert module.rt.synchronize_stream(stream) != 0
        assert "aclrtMemsetAsync" in unpu.last_error()
        assert unpu.last_error() is None


def test_rules_are_texts():
    assert faults.rule("delay", op="copy", ms="0-2") == "delay:op=copy:ms=0-2"
    assert faults.rule("fail", in_="graph", nth=2) == "fail:in=graph:nth=2"
    assert faults.text(["hang:op=fill", "drop"], seed=7) == "hang:op=fill;drop;seed=7"
    assert faults.text(None) is None and faults.text([]) is None
    for wrong in (dict(op="a:b"), dict(op=""), dict(nope=1)):
        with pytest.raises(ValueError):
            faults.rule("fail", **wrong)
    with pytest.raises(ValueError, match="must be one of"):
        faults.rule("explode")


def test_trace_has_the_calls(module, opened, tmp_path):
    stream, _ = module.rt.create_stream()
    memory, _ = module.rt.malloc(4096, 2)
    with unpu.trace(tmp_path / "trace.json"):
        assert module.rt.memset_async(memory, 4096, 0, 64, stream) == 0
        assert module.rt.synchronize_stream(stream) == 0
    text = (tmp_path / "trace.json").read_text()
    assert json.loads(text) and "aclrtMemsetAsync" in text


def test_trace_to_nowhere_is_an_error(opened):
    with pytest.raises(RuntimeError, match="unpu.trace"):
        with unpu.trace("/nowhere/trace.json"):
            pass


@pytest.mark.parametrize("path", [None, 5, 1.5])
def test_paths_are_texts_or_paths(module, opened, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stream, _ = module.rt.create_stream()
    with unpu.graph.capture(stream) as graph:
        pass
    with graph, pytest.raises(TypeError):
        graph.write_json(path)
    with pytest.raises(TypeError):
        with unpu.trace(path):
            pass
    assert not list(tmp_path.iterdir())


def test_bytes_are_a_path(module, opened, tmp_path):
    with unpu.trace(os.fsencode(tmp_path / "trace.json")):
        pass
    assert (tmp_path / "trace.json").exists()


def test_traces_do_not_nest(module, opened, tmp_path):
    stream, _ = module.rt.create_stream()
    memory, _ = module.rt.malloc(4096, 2)
    with unpu.trace(tmp_path / "outer.json"):
        assert module.rt.memset_async(memory, 4096, 0, 64, stream) == 0
        with pytest.raises(RuntimeError, match="outer.json is being recorded"):
            with unpu.trace(tmp_path / "inner.json"):
                pass
    assert "aclrtMemsetAsync" in (tmp_path / "outer.json").read_text()
    with unpu.trace(tmp_path / "next.json"):
        pass


@pytest.mark.parametrize("ptr, shape", [(1.5, 4), (None, 4), ("1", 4), (64, 1.5), (64, (1.5,)), (64, "4"), (64, None)])
def test_array_wants_integers(ptr, shape):
    with pytest.raises(TypeError):
        unpu.Array(ptr, shape, "int8")


def test_array_takes_the_integers_of_numpy():
    for shape in (numpy.int32(6), [numpy.int64(2), 3], numpy.array([2, 3])):
        array = unpu.Array(numpy.uint64(64), shape, "int16", 1)
        assert array.nbytes == 12 and repr(array).startswith("<unpu.Array (") and "on device 1" in repr(array)


def test_device_array(module, opened):
    memory, _ = module.rt.malloc(4096, 2)
    array = unpu.as_array(memory, (3, 5), "float32")
    values = numpy.arange(15, dtype=numpy.float32).reshape(3, 5)
    array.copy_from(values)
    assert array.on_device and array.nbytes == 60 and array.__dlpack_device__() == (21, 0)
    assert (array.numpy() == values).all() and (numpy.asarray(array) == values).all()
    array.numpy()[0, 0] = 9
    assert array.numpy()[0, 0] == 0
    with pytest.raises(ValueError, match="shape"):
        array.copy_from(values.T)
    with pytest.raises(BufferError, match="copy"):
        array.__dlpack__(dl_device=(1, 0), copy=False)


def test_host_array_is_a_view(module, opened):
    memory, _ = module.rt.malloc_host(4096)
    array = unpu.as_array(memory, 4, "int32")
    array.numpy()[:] = [1, 2, 3, 4]
    other = numpy.from_dlpack(array)
    assert other.tolist() == [1, 2, 3, 4] and other.ctypes.data == memory
    array.numpy()[0] = 7
    assert other[0] == 7 and array.__dlpack_device__() == (1, 0)


def test_managed_array_is_a_view(module, opened):
    memory, _ = module.rt.mem_alloc_managed(1 << 21, 1)
    array = unpu.as_array(memory, (2, 2), "float64")
    array.numpy()[:] = 1.5
    assert numpy.from_dlpack(array).sum() == 6


class Cpu:
    """What numpy of this version cannot ask for: a device array as one of the CPU."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__(stream=stream, dl_device=(1, 0))


def test_device_array_for_the_cpu_is_a_copy(module, opened):
    memory, _ = module.rt.malloc(4096, 2)
    array = unpu.as_array(memory, (4,), "int16")
    array.copy_from([1, 2, 3, 4])
    assert numpy.from_dlpack(Cpu(array)).tolist() == [1, 2, 3, 4]


def test_consumer_that_refuses_an_array_gets_its_own_exception(module, opened):
    memory, _ = module.rt.malloc(4096, 2)
    array = unpu.as_array(memory, (4,), "int16")
    end = weakref.ref(array)
    # numpy refuses the device.
    with pytest.raises(RuntimeError, match="Unsupported device"):
        numpy.from_dlpack(array)
    del array
    gc.collect()
    assert end() is None


def test_numbers_of_another_byte_order_have_no_dlpack(module, opened):
    memory, _ = module.rt.malloc_host(64)
    array = unpu.as_array(memory, (4,), ">f4")
    array.numpy()[:] = 1.5
    with pytest.raises(BufferError, match="no type for >f4"):
        numpy.from_dlpack(array)


def test_capsule_that_is_never_taken_at_the_end_of_the_interpreter():
    code = ("import acl, unpu\nassert acl.init() == 0 and acl.rt.set_device(0) == 0\n"
            "array = unpu.as_array(acl.rt.malloc_host(64)[0], 4, 'int8')\nkept = array.__dlpack__()\n"
            "array.kept = kept")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_capsules_keep_what_they_show(module, opened):
    memory, _ = module.rt.malloc_host(64)
    array = unpu.as_array(memory, (4,), "int32")
    end = weakref.ref(array)
    capsule = array.__dlpack__()
    taken = numpy.from_dlpack(array)
    del array
    gc.collect()
    assert end() is not None
    del capsule, taken
    gc.collect()
    assert end() is None


@pytest.mark.parametrize("shape", [(-1,), (2, -3)])
def test_array_of_a_negative_length(module, opened, shape):
    memory, _ = module.rt.malloc_host(64)
    with pytest.raises(ValueError, match="0 or more"):
        unpu.as_array(memory, shape, "int8")


def test_captured_graph(module, opened):
    stream, _ = module.rt.create_stream()
    memory, _ = module.rt.malloc(64, 2)
    array = unpu.as_array(memory, 64, "uint8")
    with unpu.graph.capture(stream) as graph:
        assert module.rt.memset_async(memory, 64, 3, 64, stream) == 0
    for _ in range(3):
        array.copy_from(numpy.zeros(64))
        graph.replay(stream)
        assert module.rt.synchronize_stream(stream) == 0
        assert set(array.numpy().tolist()) == {3}
    graph.name = "fill"
    assert graph.name == "fill"
    graph.destroy()
    graph.destroy()
    with pytest.raises(RuntimeError, match="destroyed"):
        graph.replay(stream)


def test_exception_ends_the_capture(module, opened):
    stream, _ = module.rt.create_stream()
    with pytest.raises(ZeroDivisionError):
        with unpu.graph.capture(stream):
            raise ZeroDivisionError
    with unpu.graph.capture(stream) as graph:
        pass
    with graph:
        graph.replay(stream)
    assert module.rt.synchronize_stream(stream) == 0


def test_failure_is_an_error_with_the_code(opened):
    with pytest.raises(unpu.Error) as told:
        with unpu.graph.capture(12345):
            pass
    assert told.value.code in (107017, PARAM_INVALID) and "unpu.graph.capture failed with" in str(told.value)
