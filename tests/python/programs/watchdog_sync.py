# SPDX-License-Identifier: MIT
"""A wait with a limit on a stream that a callback holds, then an end by force."""
import threading

import acl

gate = threading.Event()
ended = False


def loop(args):
    acl.rt.set_context(args[0])
    while not ended:
        acl.rt.process_report(20)


assert acl.init() == 0 and acl.rt.set_device(0) == 0
context, ret = acl.rt.get_context()
stream, ret = acl.rt.create_stream()
tid, ret = acl.util.start_thread(loop, [context])
assert acl.rt.subscribe_report(tid, stream) == 0
assert acl.rt.launch_callback(lambda data: gate.wait(60), [0], 1, stream) == 0
ret = acl.rt.synchronize_stream_with_timeout(stream, 20)
assert ret != 0
gate.set()
assert acl.rt.synchronize_stream_with_timeout(stream, 60000) == 0
assert acl.rt.unsubscribe_report(tid, stream) == 0
ended = True
assert acl.util.stop_thread(tid) == 0
assert acl.rt.destroy_stream_force(stream) == 0
assert acl.rt.reset_device_force(0) == 0 and acl.finalize() == 0
print("limit: ok")
