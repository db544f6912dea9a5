# SPDX-License-Identifier: MIT
"""What programs do wrong: each call is refused with a code and a sentence, and the program goes on."""
import acl

INVALID_PARAM, PARAM_INVALID, INVALID_HANDLE, NO_MEMORY = 100000, 107000, 107017, 207001
BYTES = 4096


def refused(result, code, words):
    """The status is last; the sentence has these words."""
    ret = result[-1] if isinstance(result, tuple) else result
    text = acl.get_recent_err_msg()
    assert ret == code and words in text, (result, text)


assert acl.rt.malloc(BYTES, 2)[1] != 0 and "no current context" in acl.get_recent_err_msg()
assert acl.init() == 0 and acl.rt.set_device(0) == 0
refused(acl.rt.set_device(99), 107001, "deviceId is 99")
device, ret = acl.rt.malloc(BYTES, 2)
host, ret = acl.rt.malloc_host(BYTES)
refused(acl.rt.malloc(0, 2), INVALID_PARAM, "size is 0")
refused(acl.rt.malloc((1 << 64) - 1, 2), NO_MEMORY, "can't be allocated")
refused(acl.rt.memcpy(device, BYTES, host, BYTES, 9), INVALID_PARAM, "kind is 9")
refused(acl.rt.memcpy(device, 2 * BYTES, host, 2 * BYTES, 1), PARAM_INVALID, "not inside one live allocation")
refused(acl.rt.memcpy(0, BYTES, host, BYTES, 1), INVALID_PARAM, "dst is NULL")
refused(acl.rt.free(host), PARAM_INVALID, "use aclrtFreeHost")
refused(acl.rt.free_host(device), PARAM_INVALID, "use aclrtFree")
refused(acl.rt.free(device + 16), PARAM_INVALID, "it is byte 16 of the allocation of")
assert acl.rt.free(device) == 0
refused(acl.rt.free(device), PARAM_INVALID, "were freed")
refused(acl.rt.memset(device, 16, 1, 16), PARAM_INVALID, "not inside one live allocation")
stream, ret = acl.rt.create_stream()
event, ret = acl.rt.create_event()
refused(acl.rt.synchronize_stream(event), INVALID_HANDLE, "is not a live stream")
refused(acl.rt.record_event(stream, stream), INVALID_HANDLE, "is not a live event")
refused(acl.rt.synchronize_stream_with_timeout(stream, -5), PARAM_INVALID, "timeout is -5 ms")
assert acl.rt.destroy_stream(stream) == 0
refused(acl.rt.destroy_stream(stream), INVALID_HANDLE, "is not a live stream")
refused(acl.rt.memset_async(host, 16, 1, 16, stream), INVALID_HANDLE, "is not a live stream")
buffer = acl.create_data_buffer(host, BYTES)
assert acl.destroy_data_buffer(buffer) == 0
refused(acl.destroy_data_buffer(buffer), INVALID_HANDLE, "aclDestroyDataBuffer: dataBuffer ")
refused(acl.util.stop_thread(12345), INVALID_PARAM, "12345 is no thread of acl.util.start_thread()")
refused(acl.rt.process_report(1), 107012, "call aclrtSubscribeReport")
dataset = acl.mdl.create_dataset()
assert acl.mdl.destroy_dataset(dataset) == 0
refused(acl.mdl.destroy_dataset(dataset), INVALID_HANDLE, "is not a live dataset")
refused(acl.mdl.load_from_file("model.om"), 145002, "file model.om can't be opened")
assert acl.rt.destroy_event(event) == 0 and acl.rt.free_host(host) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
assert acl.finalize() != 0 and "call aclInit first" in acl.get_recent_err_msg()
print("misuse: ok")
