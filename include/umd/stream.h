// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "drv/channel.h"
#include "umd/context.h"

namespace umd {

class Capture;

/** enum class Call - which API call made a packet; the top byte of its cookie. */
enum class Call : uint8_t {
	OTHER = 0,
	MEMCPY_ASYNC,
	MEMSET_ASYNC,
	RECORD_EVENT,
	WAIT_EVENT,
	RESET_EVENT,
	OPERATOR,
	HOST_FUNC,
	EXECUTE_MODEL,
	MEMCPY_BOX,
	MEMCPY_INDIRECT,
	VALUE_WRITE,
	VALUE_WAIT,
	REDUCE,
	RANDOM,
	CACHE,
	PREFETCH,
	COUNT,
};

/** call_name() - for sentences about failed tasks. */
const char *call_name(Call call);

/** struct Stream - an ordered sequence of tasks: one channel. */
struct Stream {
	uint64_t handle = 0;
	Context *context = nullptr; /* nullptr: its device was reset, only destroy works */
	std::unique_ptr<drv::Channel> channel;
	uint32_t id = 0;
	uint32_t priority = 0;
	uint32_t flags = 0;
	bool is_default = false;
	bool takes_turns = false;	     /* with the default stream, where the API has that */
	std::atomic<uint8_t> wait_policy{1}; /* how threads wait for it, where the API has that */
	std::atomic<bool> stops_on_failure{false};

	std::atomic<Capture *> capture{nullptr}; /* under Capture::lock() but for the test */

	/* Fences of other channels that the next task has to wait for. */
	std::mutex gate_mutex;
	std::vector<drv::Fence> gate;
	std::atomic<bool> gated{false};
};

/** create_stream() - in @context. Return: NO_RESOURCE, NO_MEMORY. */
base::Result<Stream *> create_stream(Context &context, uint32_t priority, uint32_t flags);

/** destroy_stream() - @wait: lets queued work finish first, else it is dropped.
 * Return: STREAM_CAPTURED, WRONG_CONTEXT. */
base::Status destroy_stream(Stream &stream, bool wait);

/** detach_stream() - destroys the stream; its channel stays until queued work is done.
 * Return: STREAM_CAPTURED. */
base::Status detach_stream(Stream &stream);

/** stop_stream_on_failure() - tasks after a failed one are skipped from now on. */
base::Status stop_stream_on_failure(Stream &stream);

/** release_stream() - takes the channel away; the object stays. Context: its context's lock held. */
void release_stream(Stream &stream, bool wait);

/** find_stream() - the stream of an API handle; nullptr means the current default stream.
 * @launching: also requires that it belongs to the current context.
 * Return: INVALID_HANDLE, WRONG_CONTEXT, NO_CONTEXT, with the sentence set. */
base::Result<Stream *> find_stream(const void *handle, bool launching);

/** submit() - appends a packet to a stream that does not capture. */
base::Result<drv::Fence> submit(Stream &stream, const unpu_packet &packet,
				const unpu_operator *op = nullptr);

/** enqueue() - appends a task: to the stream, or to the graph it is capturing. */
base::Status enqueue(Stream &stream, const unpu_packet &packet, const unpu_operator *op = nullptr);

/** add_gate() - the stream's next task waits for @fence, and for no earlier one of its semaphore. */
void add_gate(Stream &stream, const drv::Fence &fence);

/** stream_tail() - the fence of everything the stream has to do, what its next task would have to
 * wait for included. Return: DEVICE_LOST. */
base::Result<drv::Fence> stream_tail(Stream &stream);

/** report_failure() - the first failure of a task since the last report, with its sentence. */
base::Status report_failure(Stream &stream);

/** wait_stream() - until everything submitted so far is done; reports a failure once.
 * @spin: false sleeps at once.
 * Return: STREAM_CAPTURED, STREAM_TIMEOUT, the failure's status. */
base::Status wait_stream(Stream &stream, uint64_t deadline_ns, bool spin = true);

/** query_stream() - @ready tells whether everything is done. Return: STREAM_CAPTURED. */
base::Status query_stream(Stream &stream, bool &ready);

/** capturing() - whether the stream takes part in a capture. */
inline bool capturing(const Stream &stream)
{
	return stream.capture.load() != nullptr;
}

/** launch_host_func() - @fn(@args) runs on a thread of the runtime, in stream order.
 * @always: also where the stream has stopped on a failure */
base::Status launch_host_func(Stream &stream, void (*fn)(void *), void *args, bool always = false);

} // namespace umd
