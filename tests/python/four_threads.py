# SPDX-License-Identifier: MIT
"""Four Python threads, each with a stream, events, copies and callbacks that a report thread of its own runs, while the
main thread counts. test_threads.py runs it, under the race detector too."""
import sys
import threading

import acl

ROUNDS = 2 * int(sys.argv[1])
THREADS = 4
SIZE = 4096


class Worker:
    """One thread's part."""

    def __init__(self, context, index):
        self.context, self.index, self.seen, self.error = context, index, [], None
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def report(self, arguments):
        acl.rt.set_context(arguments[0])
        while not self.ends.is_set():
            acl.rt.process_report(20)

    def run(self):
        try:
            self.work()
        except BaseException as error:
            self.error = error

    def work(self):
        assert acl.rt.set_context(self.context) == 0
        stream, ret = acl.rt.create_stream()
        assert ret == 0
        event, ret = acl.rt.create_event()
        assert ret == 0
        reporter, ret = acl.util.start_thread(self.report, [self.context])
        assert ret == 0 and acl.rt.subscribe_report(reporter, stream) == 0
        device, ret = acl.rt.malloc(SIZE, 2)
        assert ret == 0
        host, ret = acl.rt.malloc_host(SIZE)
        assert ret == 0
        for turn in range(ROUNDS):
            value = (self.index * 60 + turn) % 251
            assert acl.rt.memset_async(device, SIZE, value, SIZE, stream) == 0
            assert acl.rt.memcpy_async(host, SIZE, device, SIZE, 2, stream) == 0
            assert acl.rt.launch_callback(self.seen.append, (turn, value), turn % 2, stream) == 0
            assert acl.rt.record_event(event, stream) == 0
            if turn % 3 == 0:
                assert acl.rt.synchronize_event(event) == 0
                assert acl.util.ptr_to_bytes(host, 1) == bytes([value])
            # A refused launch drops its entry while others add theirs.
            assert acl.rt.launch_callback(print, None, 9, stream) != 0
            acl.get_recent_err_msg()
        assert acl.rt.synchronize_stream(stream) == 0
        assert acl.rt.unsubscribe_report(reporter, stream) == 0
        self.ends.set()
        assert acl.util.stop_thread(reporter) == 0
        assert acl.rt.destroy_event(event) == 0 and acl.rt.destroy_stream(stream) == 0
        assert acl.rt.free(device) == 0 and acl.rt.free_host(host) == 0


assert acl.init() == 0 and acl.rt.set_device(0) == 0
current, _ = acl.rt.get_context()
workers = [Worker(current, i) for i in range(THREADS)]
for worker in workers:
    worker.thread.start()
while any(worker.thread.is_alive() for worker in workers):
    dataset, buffer = acl.mdl.create_dataset(), acl.create_data_buffer(4096, 16)
    assert acl.mdl.add_dataset_buffer(dataset, buffer) == (dataset, 0)
    assert acl.mdl.destroy_dataset(dataset) == 0 and acl.destroy_data_buffer(buffer) == 0
    other, status = acl.rt.create_stream()
    # Its end looks at the callbacks of all threads.
    assert status == 0 and acl.rt.destroy_stream(other) == 0
for worker in workers:
    worker.thread.join()
    assert worker.error is None, worker.error
    # The last callback blocks, and they run in order, so all have run when the stream is done.
    assert [turn for turn, _ in worker.seen] == list(range(ROUNDS)), worker.seen[-3:]
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("done")
