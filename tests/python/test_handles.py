# SPDX-License-Identifier: MIT
"""Handles of data buffers, descriptions and configurations that are stale, of another kind, or any integer: each is a
status, and a sentence with the function, the argument and what it got. None may end the process."""
import importlib
import subprocess
import sys

import pytest
import signatures
from harmless import ZERO
from interface import INVALID_HANDLE, INVALID_PARAM

UNKNOWN = 0xffffffff
STRAY = [1, 77, 4096, 0xdeadbeef, (1 << 47) - 8, (1 << 63) + 5, (1 << 64) - 1]


def config_of_profile(acl):
    return acl.prof.create_config([0], 255, 0, 2)


# How a handle is made, how it is destroyed, and the calls that take one: name of C, argument, call.
KINDS = {
    "data buffer": (lambda acl: acl.create_data_buffer(64, 8), lambda acl, it: acl.destroy_data_buffer(it), [
        ("aclDestroyDataBuffer", "dataBuffer", lambda acl, it: acl.destroy_data_buffer(it), INVALID_HANDLE),
        ("aclUpdateDataBuffer", "dataBuffer", lambda acl, it: acl.update_data_buffer(it, 0, 8), INVALID_HANDLE),
        ("aclGetDataBufferAddr", "dataBuffer", lambda acl, it: acl.get_data_buffer_addr(it), 0),
        ("aclGetDataBufferSize", "dataBuffer", lambda acl, it: acl.get_data_buffer_size(it), 0),
        ("aclGetDataBufferSizeV2", "dataBuffer", lambda acl, it: acl.get_data_buffer_size_v2(it), 0)]),
    "description": (lambda acl: acl.create_tensor_desc(1, [2, 3], 2), lambda acl, it: acl.destroy_tensor_desc(it), [
        ("aclDestroyTensorDesc", "desc", lambda acl, it: acl.destroy_tensor_desc(it), None),
        ("aclGetTensorDescType", "desc", lambda acl, it: acl.get_tensor_desc_type(it), -1),
        ("aclGetTensorDescFormat", "desc", lambda acl, it: acl.get_tensor_desc_format(it), -1),
        ("aclGetTensorDescSize", "desc", lambda acl, it: acl.get_tensor_desc_size(it), 0),
        ("aclGetTensorDescElementCount", "desc", lambda acl, it: acl.get_tensor_desc_element_count(it), 0),
        ("aclGetTensorDescNumDims", "desc", lambda acl, it: acl.get_tensor_desc_num_dims(it), 0),
        ("aclGetTensorDescDim", "desc", lambda acl, it: acl.get_tensor_desc_dim(it, 0), -1),
        ("aclGetTensorDescDimV2", "desc", lambda acl, it: acl.get_tensor_desc_dim_v2(it, 0), (0, INVALID_HANDLE)),
        ("aclGetTensorDescDimRange", "desc", lambda acl, it: acl.get_tensor_desc_dim_range(it, 0, 2),
         ([0, 0], INVALID_HANDLE)),
        ("aclGetTensorDescName", "desc", lambda acl, it: acl.get_tensor_desc_name(it), None),
        ("aclSetTensorDescName", "desc", lambda acl, it: acl.set_tensor_desc_name(it, "x"), None),
        ("aclSetTensorShapeRange", "desc", lambda acl, it: acl.set_tensor_shape_range(it, [[1, 2]]), INVALID_HANDLE),
        ("aclSetTensorFormat", "desc", lambda acl, it: acl.set_tensor_format(it, 2), INVALID_HANDLE),
        ("aclSetTensorShape", "desc", lambda acl, it: acl.set_tensor_shape(it, [1]), INVALID_HANDLE),
        ("aclSetTensorPlaceMent", "desc", lambda acl, it: acl.set_tensor_place_ment(it, 0), INVALID_HANDLE),
        ("aclSetTensorConst", "desc", lambda acl, it: acl.set_tensor_const(it, 0, 0), INVALID_HANDLE)]),
    "configuration of streams": (
        lambda acl: acl.rt.create_stream_config_handle(), lambda acl, it: acl.rt.destroy_stream_config_handle(it), [
            ("aclrtDestroyStreamConfigHandle", "handle", lambda acl, it: acl.rt.destroy_stream_config_handle(it),
             INVALID_HANDLE),
            ("aclrtSetStreamConfigOpt", "handle", lambda acl, it: acl.rt.set_stream_config_opt(it, 3, 64, 4),
             INVALID_HANDLE),
            ("aclrtCreateStreamV2", "handle", lambda acl, it: acl.rt.create_stream_v2(it), (0, INVALID_HANDLE))]),
    "configuration of a profile": (config_of_profile, lambda acl, it: acl.prof.destroy_config(it), [
        ("aclprofDestroyConfig", "profilerConfig", lambda acl, it: acl.prof.destroy_config(it), INVALID_HANDLE),
        ("aclprofStart", "profilerConfig", lambda acl, it: acl.prof.start(it), INVALID_HANDLE),
        ("aclprofStop", "profilerConfig", lambda acl, it: acl.prof.stop(it), INVALID_HANDLE)]),
    "subscription": (None, None, [
        ("aclprofModelSubscribe", "profSubscribeConfig", lambda acl, it: acl.prof.model_subscribe(1, it),
         INVALID_HANDLE)]),
    "step": (lambda acl: acl.prof.create_step_info(), lambda acl, it: acl.prof.destroy_step_info(it), [
        ("aclprofDestroyStepInfo", "stepinfo", lambda acl, it: acl.prof.destroy_step_info(it), None),
        ("aclprofGetStepTimestamp", "stepInfo", lambda acl, it: acl.prof.get_step_timestamp(it, 0, 0),
         INVALID_HANDLE)]),
    "exception info": (None, None, [
        (f"aclrtGet{part}FromExceptionInfo", "info",
         lambda acl, it, part=part: getattr(acl.rt, f"get_{name_of(part)}_from_exception_info")(it), UNKNOWN)
        for part in ("TaskId", "StreamId", "ThreadId", "DeviceId", "ErrorCode")]),
}


def name_of(part):
    return {"TaskId": "task_id", "StreamId": "stream_id", "ThreadId": "thread_id", "DeviceId": "device_id",
            "ErrorCode": "error_code"}[part]


CALLS = [pytest.param(kind, *call, id=call[0]) for kind, (_, _, calls) in KINDS.items() for call in calls]


@pytest.mark.parametrize("kind, function, argument, call, wanted", CALLS)
def test_stray_integer(acl, kind, function, argument, call, wanted):
    others = [make(acl) for other, (make, _, _) in KINDS.items() if make and other != kind]
    for stray in STRAY + others:
        assert call(acl, stray) == wanted
        text = acl.get_recent_err_msg()
        assert text.startswith(f"{function}: {argument} {stray:#x} is not a live "), text
    for other, (make, destroy, _) in KINDS.items():
        if make and other != kind:
            destroy(acl, others.pop(0))


@pytest.mark.parametrize("kind, function, argument, call, wanted",
                         [param for param in CALLS if KINDS[param.values[0]][0]])
def test_handle_after_destroy(acl, kind, function, argument, call, wanted):
    make, destroy, _ = KINDS[kind]
    handle = make(acl)
    assert handle, acl.get_recent_err_msg()
    assert destroy(acl, handle) in (0, None)
    assert call(acl, handle) == wanted
    assert f"{function}: {argument} {handle:#x} is not a live " in acl.get_recent_err_msg()


INFO = """
import acl
assert acl.init() == 0 and acl.rt.set_device(0) == 0
stream, ret = acl.rt.create_stream()
seen = []
def tell(info):
    seen.append((info, acl.rt.get_device_id_from_exception_info(info), acl.rt.get_error_code_from_exception_info(info)))
assert acl.rt.set_exception_info_callback(tell) == 0
memory, ret = acl.rt.malloc(64, 2)
assert acl.rt.memset_async(memory, 64, 1, 64, stream) == 0
assert acl.rt.synchronize_stream(stream) != 0
# The synchronization returns after the callback has.
(info, device, code), = seen
assert device == 0 and code not in (0, 0xffffffff), seen
while acl.get_recent_err_msg():
    pass
assert acl.rt.get_error_code_from_exception_info(info) == 0xffffffff
text = acl.get_recent_err_msg()
assert text.startswith(f"aclrtGetErrorCodeFromExceptionInfo: info {info:#x} is not a live exception info"), text
print("told")
"""


def test_exception_info_lives_until_its_callback_returns(program_environment):
    environment = dict(program_environment, UNPU_DEVICE="sim:faults=fail:op=fill")
    done = subprocess.run([sys.executable, "-c", INFO], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "told\n", done.stderr[-2000:]


def test_null_is_a_sentence_too(acl):
    assert acl.get_data_buffer_addr(0) == 0 and "dataBuffer is NULL" in acl.get_recent_err_msg()
    assert acl.destroy_data_buffer(0) == INVALID_PARAM
    assert acl.get_tensor_desc_type(0) == -1 and "desc is NULL" in acl.get_recent_err_msg()
    assert acl.destroy_tensor_desc(0) is None and acl.get_recent_err_msg() is None


def handles_of(entry):
    """The places of its arguments that are handles. That of a list of arguments of a kernel may be an address."""
    return [place for place, argument in enumerate(entry.arguments)
            if argument.kind == "address" and argument.parameter.base not in ("void", "char", "aclrtArgsHandle")]


# With these a copy of nothing succeeds before it looks at the stream.
COPY_NOTHING = ("acl.rt.memcpy_2d_async", "acl.rt.memcpy_async", "acl.rt.memcpy_async_with_condition", "acl.rt.memset_async",
                "acl.rt.memset_d32_async")
TAKE_HANDLES = [entry for entry in signatures.Table().calls if handles_of(entry)]


def test_functions_that_take_handles_are_known():
    assert len(TAKE_HANDLES) > 120


@pytest.mark.parametrize("fill", [0, 1])
@pytest.mark.parametrize("entry", TAKE_HANDLES, ids=lambda entry: entry.full_name)
def test_stray_integer_for_each_handle(acl, entry, fill):
    """Whatever else the arguments are, a number that is no handle is no success, and no end of the process."""
    function = getattr(importlib.import_module(entry.module), entry.name)
    places = handles_of(entry)
    for place in places:
        for stray in STRAY:
            arguments = [ZERO[annotation] if annotation in ZERO else [] for _, annotation, _ in entry.parameters()]
            for other, argument in enumerate(entry.arguments):
                if argument.kind == "number":
                    arguments[other] = fill
            arguments[place] = stray
            given = function(*arguments)
            if entry.status and (fill or entry.full_name not in COPY_NOTHING):
                assert (given[-1] if isinstance(given, tuple) else given) != 0
