# SPDX-License-Identifier: MIT
"""A report thread with an exit flag, callbacks that block and that do not, as in the samples for callbacks."""
import acl

ACL_CALLBACK_NO_BLOCK = 0
ACL_CALLBACK_BLOCK = 1
exit_flag = False
counter = []


def process_callback(args_list):
    context, timeout = args_list
    acl.rt.set_context(context)
    while not exit_flag:
        acl.rt.process_report(timeout)


def callback(user_data_list):
    counter.append(user_data_list[0] * user_data_list[1])


assert acl.init() == 0 and acl.rt.set_device(0) == 0
context, ret = acl.rt.create_context(0)
assert ret == 0
stream, ret = acl.rt.create_stream()
assert ret == 0
tid, ret = acl.util.start_thread(process_callback, [context, 50])
assert ret == 0
assert acl.rt.subscribe_report(tid, stream) == 0
device, ret = acl.rt.malloc(4096, 2)
for i in range(20):
    assert acl.rt.memset_async(device, 4096, i, 4096, stream) == 0
    block = ACL_CALLBACK_BLOCK if i % 2 else ACL_CALLBACK_NO_BLOCK
    assert acl.rt.launch_callback(callback, [i, 2], block, stream) == 0
assert acl.rt.synchronize_stream(stream) == 0
assert acl.rt.unsubscribe_report(tid, stream) == 0
exit_flag = True
assert acl.util.stop_thread(tid) == 0
assert sorted(counter) == [2 * i for i in range(20)], counter
assert acl.rt.free(device) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.destroy_context(context) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("callback thread: ok")
