# SPDX-License-Identifier: MIT
"""Two streams that are ordered by events, and the time between two events, as a backend of a framework does."""
import acl
import acl.rt as aclrt

ACL_EVENT_TIME_LINE = 0x00000008
ACL_EVENT_SYNC = 0x00000001

assert acl.init() == 0 and aclrt.set_device(0) == 0
producer, ret = aclrt.create_stream_with_config(0, 0x1)
assert ret == 0
consumer, ret = aclrt.create_stream_with_config(0, 0x1)
assert ret == 0
done, ret = aclrt.create_event_with_flag(ACL_EVENT_SYNC)
assert ret == 0
start, ret = aclrt.create_event_ex_with_flag(ACL_EVENT_TIME_LINE)
end, ret = aclrt.create_event_ex_with_flag(ACL_EVENT_TIME_LINE)
a, ret = aclrt.malloc(1 << 20, 0)
b, ret = aclrt.malloc(1 << 20, 0)
assert aclrt.record_event(start, producer) == 0
assert aclrt.memset_async(a, 1 << 20, 42, 1 << 20, producer) == 0
assert aclrt.record_event(done, producer) == 0
assert aclrt.stream_wait_event(consumer, done) == 0
assert aclrt.memcpy_async(b, 1 << 20, a, 1 << 20, 3, consumer) == 0
assert aclrt.record_event(end, consumer) == 0
assert aclrt.synchronize_event(end) == 0
milliseconds, ret = aclrt.event_elapsed_time(start, end)
assert ret == 0 and milliseconds >= 0
status, ret = aclrt.query_event_status(end)
assert (status, ret) == (1, 0)
host, ret = aclrt.malloc_host(16)
assert aclrt.memcpy(host, 16, b, 16, 2) == 0
assert acl.util.ptr_to_bytes(host, 16) == b"*" * 16
for event in (done, start, end):
    assert aclrt.destroy_event(event) == 0
for stream in (producer, consumer):
    assert aclrt.destroy_stream(stream) == 0
assert aclrt.free(a) == 0 and aclrt.free(b) == 0 and aclrt.free_host(host) == 0
assert aclrt.reset_device(0) == 0 and acl.finalize() == 0
print("events: ok")
