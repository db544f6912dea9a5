// SPDX-License-Identifier: MIT
/**
 * DOC: Letting ready work run before the rest is dropped
 *
 * On a chip a kernel has run some microseconds after its launch. Programs rely on that: they launch a kernel,
 * and soon end the stream by force. A simulated device is slower. So, before a stream or a context is ended
 * by force, the runtime lets the tasks run that would have run on a chip. It stops when each stream is at a
 * task that waits for a signal which no running task will send.
 */
#include "ready.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "blocked.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "hang_watch.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/call.h"
#include "umd/core/process/opcode.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/process/words.h"

namespace umd {

using base::Status;
using drv::Fence;

namespace {

constexpr uint64_t LOOK_NS = 10 * base::NS_PER_MS;

bool holds(uint64_t value, const unpu_sem_wait &wait)
{
	switch (wait.op) {
	case UNPU_WAIT_GE:
		return value >= wait.value;
	case UNPU_WAIT_LT:
		return value < wait.value;
	case UNPU_WAIT_EQ:
		return value == wait.value;
	case UNPU_WAIT_GT:
		return value > wait.value;
	default:
		return (value & wait.value) == wait.value;
	}
}

/* Whether the packet calls a function of the program by a thread of the runtime. That thread can't call it
 * while it runs another function. */
bool is_own_function(uint64_t cookie)
{
	return drv::decode_cookie(cookie).call != static_cast<uint8_t>(Call::CALLBACK) &&
	       ThreadState::mine().host_stream == 0;
}

/* Whether the stream of @fence can continue without a call of the program. */
bool is_ready(OpenDevice &open, const Fence &fence)
{
	drv::Device &device = *open.device;
	const auto task = device.oldest_task(fence.sem);
	if (!task)
		return false;
	switch (opcode_row(task->packet).ended_by) {
	case EndedBy::SEMAPHORE: {
		if (holds(device.value(task->packet.wait.sem), task->packet.wait))
			return true;
		const WakeSource wake_source = blocked_by(open, fence).wake_source;
		return wake_source == WakeSource::WORKS || wake_source == WakeSource::KERNEL;
	}
	case EndedBy::WORD:
		return false;
	case EndedBy::PROGRAM:
		return is_own_function(task->packet.cookie);
	case EndedBy::DEVICE:
	case EndedBy::KERNEL:
	case EndedBy::TASKS:
		break;
	}
	return true;
}

/* struct LeftWork - the work that is not done yet. */
struct LeftWork {
	std::optional<Fence> fence; /* a fence of ready work, if there is any */
	bool is_ready = false;
};

LeftWork look_at(OpenDevice &open, std::span<const Fence> fences)
{
	LeftWork left;
	for (const Fence &fence : fences) {
		if (open.device->done(fence))
			continue;
		left.fence = fence;
		left.is_ready = is_ready(open, fence);
		if (left.is_ready)
			break;
	}
	return left;
}

/* Writes one line: how many tasks are dropped, which one is the first, and how long they were given. */
void tell_dropped(OpenDevice &open, std::span<const Fence> fences)
{
	drv::Device &device = *open.device;
	uint64_t dropped = 0;
	std::string first;
	for (const Fence &fence : fences) {
		const auto task = device.done(fence) ? std::nullopt : device.oldest_task(fence.sem);
		if (!task)
			continue;
		dropped += 1 + task->behind;
		if (first.empty())
			first = blocked_by(open, fence).sentence;
	}
	if (dropped == 0 || hang_lines_are_off())
		return;
	fmt::print(stderr, "unpu: {}\n",
		   expand_words(fmt::format(
			   "an end by force drops {} task{} of device {} that had not ended; the "
			   "first: {} "
			   "(force_ms={} of UNPU_DEVICE bounds how long ready tasks may run; "
			   "UNPU_HANG_S=0: no such lines)",
			   dropped, dropped == 1 ? "" : "s", open.state.index, first,
			   device.hal().force_ns() / base::NS_PER_MS)));
}

} // namespace

Status await_ready(OpenDevice &open, std::span<const Fence> fences, uint64_t since_ns,
		   unsigned most_looks)
{
	drv::Device &device = *open.device;
	const hal::Device &hal = device.hal();
	const uint64_t limit_ns = since_ns + std::min(hal.force_ns(), hal.answer_limit_ns());
	unsigned looks = 0;
	for (;;) {
		const LeftWork left = look_at(open, fences);
		if (!left.fence)
			return Status::OK;
		looks = left.is_ready ? 0 : looks + 1;
		if (looks > most_looks || base::now_ns() >= limit_ns)
			return Status::TIMEOUT;
		const uint64_t look_ns = std::min(base::deadline_after(LOOK_NS), limit_ns);
		const Status status = device.wait(*left.fence, look_ns);
		if (status != Status::OK && status != Status::TIMEOUT)
			return status;
	}
}

Status run_ready(OpenDevice &open, std::span<const Fence> fences, uint64_t since_ns)
{
	const Status status = await_ready(open, fences, since_ns, MOST_LOOKS);
	if (status == Status::TIMEOUT)
		tell_dropped(open, fences);
	return status;
}

} // namespace umd
