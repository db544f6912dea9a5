# SPDX-License-Identifier: MIT
"""Devices, contexts, streams and events: what the calls mean, beyond their shape."""
import os
import subprocess
import sys
import threading

import pytest
from interface import CONTEXT_NULL, INVALID_HANDLE, INVALID_PARAM, PARAM_INVALID, REPEAT_INITIALIZE


def run(code):
    """Runs a program of its own and returns what it printed."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def test_soc_name_and_device_count_need_no_init():
    assert run("import acl\nprint(acl.get_soc_name(), *acl.rt.get_device_count())")[1:] == ["1", "0"]


def test_get_device_tells_whether_the_program_initialised():
    assert run("import acl\nprint(acl.rt.get_device()[1])") == [str(CONTEXT_NULL)]


def test_init_takes_a_path_or_nothing(tmp_path):
    config = tmp_path / "acl.json"
    config.write_text("{}")
    code = f"import acl\nprint(acl.init({str(config)!r}), acl.finalize())"
    assert run(code) == ["0", "0"]


def test_second_init_is_told(acl):
    assert acl.init() == REPEAT_INITIALIZE
    assert "already initialised" in acl.get_recent_err_msg()
    assert acl.finalize_reference() == (1, 0)


def test_run_mode_is_that_of_a_host(acl):
    assert acl.rt.get_run_mode() == (1, 0)


def test_version(acl):
    major, minor, patch, ret = acl.get_version()
    assert ret == 0 and major >= 1 and minor >= 0 and patch >= 0
    version, ret = acl.get_cann_version(0)
    assert ret == 0 and {"version", "major_version", "minor_version"} <= set(version)
    text, ret = acl.get_version_str("runtime")
    assert ret == 0 and text


def test_attributes(acl):
    attributes, ret = acl.get_cann_attribute_list()
    assert ret == 0 and attributes
    for attribute in attributes:
        value, ret = acl.get_cann_attribute(attribute)
        assert ret == 0 and isinstance(value, int)


def test_sizes_of_types(acl):
    assert [acl.data_type_size(kind) for kind in (0, 1, 2, 3, 9, 11, 27)] == [4, 2, 1, 4, 8, 8, 2]


@pytest.mark.parametrize("value, bits", [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (0.5, 0x3800), (65504.0, 0x7bff)])
def test_half_precision(acl, value, bits):
    assert acl.float_to_float16(value) == bits
    assert acl.float16_to_float(bits) == value


class OfAnIndex:
    """What __index__() of a program raises is not hidden."""
    def __index__(self):
        raise ZeroDivisionError("of the program")


def test_exception_of_an_index_is_the_programs(acl):
    with pytest.raises(ZeroDivisionError, match="of the program"):
        acl.rt.set_device(OfAnIndex())
    with pytest.raises(OverflowError):
        acl.float_to_float16(10 ** 400)


def test_context_is_a_property_of_the_thread(acl, context):
    seen = []

    def other():
        seen.append(acl.rt.get_context()[1])
        seen.append(acl.rt.set_context(context))
        seen.append(acl.rt.get_context())

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [CONTEXT_NULL, 0, (context, 0)]


def test_own_context(acl, context):
    made, ret = acl.rt.create_context(0)
    assert ret == 0 and made not in (0, context)
    assert acl.rt.get_context() == (made, 0)
    assert acl.rt.set_context(context) == 0
    assert acl.rt.destroy_context(made) == 0
    assert acl.rt.destroy_context(made) != 0


def test_primary_context_state_has_active_first(acl):
    active, flags, ret = acl.rt.get_primary_ctx_state(0)
    assert (active, flags, ret) == (1, 0, 0)


def test_stream(acl, stream):
    assert acl.rt.stream_query(stream) == (0, 0)
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.synchronize_stream_with_timeout(stream, 1000) == 0
    assert acl.rt.synchronize_stream_with_timeout(stream, 0) == PARAM_INVALID
    number, ret = acl.rt.stream_get_id(stream)
    assert ret == 0 and number >= 0


def test_stream_with_config(acl):
    low, high, ret = acl.rt.device_get_stream_priority_range()
    assert ret == 0 and low >= high
    made, ret = acl.rt.create_stream_with_config(high, 1)
    assert ret == 0
    assert acl.rt.stream_get_priority(made) == (high, 0)
    assert acl.rt.destroy_stream_force(made) == 0
    assert acl.rt.destroy_stream(made) != 0


@pytest.mark.parametrize("attribute, given, read", [
    (1, {"failureMode": 1}, {"failure_mode": 1}), (2, {"overflowSwitch": 1}, {"overflow_switch": 1}),
    (3, {"userCustomTag": 9, "reserve": [0] * 4}, {"user_custom_tag": 9}),
    (3, {"failureMode": 0, "overflowSwitch": 1, "userCustomTag": 9}, {"user_custom_tag": 9}),
    (5, {"streamPriority": 2}, {"stream_priority": 2})])
def test_attribute_is_the_field_that_its_number_names(acl, stream, attribute, given, read):
    assert acl.rt.set_stream_attribute(stream, attribute, given) == 0, acl.get_recent_err_msg()
    assert acl.rt.get_stream_attribute(stream, attribute) == (read, 0)


def test_attribute_without_its_field(acl, stream):
    with pytest.raises(TypeError, match="has no userCustomTag, which attribute 3 is"):
        acl.rt.set_stream_attribute(stream, 3, {"failureMode": 1})
    with pytest.raises(TypeError, match="must be dict"):
        acl.rt.set_stream_attribute(stream, 3, None)
    assert acl.rt.set_stream_attribute(stream, 77, {"failureMode": 1}) == PARAM_INVALID
    assert "stmAttrType is 77" in acl.get_recent_err_msg()
    assert acl.rt.set_stream_attribute(stream, 3, {}) == 0


def test_stream_attribute(acl, stream):
    assert acl.rt.set_stream_attribute(stream, 3, {"userCustomTag": 7}) == 0
    assert acl.rt.get_stream_attribute(stream, 3) == ({"user_custom_tag": 7}, 0)
    assert acl.rt.set_stream_attribute(stream, 1, {"failureMode": 1}) == 0
    assert acl.rt.get_stream_attribute(stream, 1) == ({"failure_mode": 1}, 0)


def test_handle_of_another_kind_is_told(acl, stream):
    assert acl.rt.destroy_event(stream) == INVALID_HANDLE
    assert "event" in acl.get_recent_err_msg()


def test_null_handle_is_a_status(acl):
    assert acl.rt.destroy_event(0) == INVALID_PARAM
    assert acl.get_recent_err_msg()
    assert acl.get_recent_err_msg() is None


def test_event(acl, stream):
    event, ret = acl.rt.create_event()
    assert ret == 0
    assert acl.rt.record_event(event, stream) == 0
    assert acl.rt.synchronize_event(event) == 0
    assert acl.rt.query_event(event) == (0, 0)
    assert acl.rt.query_event_status(event) == (1, 0)
    assert acl.rt.stream_wait_event(stream, event) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.query_event_wait_status(event) == (0, 0)
    assert acl.rt.destroy_event(event) == 0


def test_elapsed_time_is_a_float(acl, stream):
    first, second = acl.rt.create_event()[0], acl.rt.create_event()[0]
    for event in (first, second):
        assert acl.rt.record_event(event, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    elapsed, ret = acl.rt.event_elapsed_time(first, second)
    assert ret == 0 and isinstance(elapsed, float) and elapsed >= 0
    assert acl.rt.destroy_event(first) == 0 and acl.rt.destroy_event(second) == 0


@pytest.mark.parametrize("flag", [1, 2, 8])
def test_event_with_flag(acl, flag):
    event, ret = acl.rt.create_event_ex_with_flag(flag)
    assert ret == 0
    assert acl.rt.destroy_event(event) == 0


def test_notify(acl, stream):
    notify, ret = acl.rt.create_notify(0)
    assert ret == 0
    assert acl.rt.record_notify(notify, stream) == 0
    assert acl.rt.wait_and_reset_notify(notify, stream, 1000) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.notify_batch_reset([notify]) == 0
    assert acl.rt.destroy_notify(notify) == 0


def test_device_facts(acl):
    assert acl.rt.get_device() == (0, 0)
    uuid, ret = acl.rt.device_get_uuid(0)
    assert ret == 0 and len(uuid["bytes"]) == 16
    rate, ret = acl.rt.get_device_utilization_rate(0)
    assert ret == 0 and set(rate) == {"cube_utilization", "vector_utilization", "aicpu_utilization",
                                      "memory_utilization", "utilization_extend"}
    address, ret = acl.rt.device_get_pci_bus_id(0, 32)
    assert ret == 0 and address.count(":") == 2
    assert acl.rt.device_get_by_pci_bus_id(address) == (0, 0)
    cores, ret = acl.rt.get_device_info(0, 101)
    assert ret == 0 and cores > 0


def test_unknown_device_is_a_status(acl):
    assert acl.rt.set_device(99) != 0
    assert "99" in acl.get_recent_err_msg()


def test_fork_before_init():
    code = ("import acl, os\npid = os.fork()\n"
            "ret = acl.init() or acl.rt.set_device(0) or acl.rt.malloc(64, 2)[1] or acl.rt.reset_device(0) "
            "or acl.finalize()\nif pid == 0: os._exit(ret)\nprint(ret, os.waitpid(pid, 0)[1])")
    assert run(code) == ["0", "0"]


def test_numpy_integers_are_integers(acl):
    numpy = pytest.importorskip("numpy")
    address, ret = acl.rt.malloc(numpy.int64(64), numpy.int32(2))
    assert ret == 0
    assert acl.rt.free(numpy.uint64(address)) == 0
    with pytest.raises(TypeError):
        acl.rt.malloc(numpy.float64(64), 2)


def test_text_with_null_is_a_value_error(acl):
    with pytest.raises(ValueError, match="null"):
        acl.rt.ipc_mem_close("a\0b")


def test_strict_mode_names_lines_of_python(tmp_path):
    program = tmp_path / "of a user.py"
    program.write_text("import acl\n\n\ndef make():\n    return acl.rt.malloc(1000, 2)[0]\n\n\n"
                       "acl.init()\nacl.rt.set_device(0)\nleft, freed = make(), make()\nacl.rt.free(freed)\n"
                       "stream = acl.rt.create_stream()\nacl.rt.memcpy(freed, 8, acl.rt.malloc_host(8)[0], 8, 1)\n"
                       "print(acl.get_recent_err_msg())\nacl.finalize()\n")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True,
                          env=dict(os.environ, UNPU_CHECK="warn"))
    assert f"made on device 0 by a call at {program}:5 in make(), and freed by a call at {program}:11" in done.stdout
    assert f"made on device 0 by a call at {program}:5 in make()\n" in done.stderr
    assert "a stream 0x" in done.stderr and f"made on device 0 by a call at {program}:12\n" in done.stderr
    assert ".so+0x" not in done.stdout + done.stderr


def test_environment_is_not_needed():
    assert "UNPU_SOURCE" in os.environ
    assert "ASCEND_HOME_PATH" not in os.environ or os.environ["ASCEND_HOME_PATH"]
