// SPDX-License-Identifier: MIT
/**
 * DOC: Host functions
 *
 * The device posts a call, the stream stands still, a thread of ours runs the function and tells the
 * device so by a packet on a channel of its own. The thread sleeps in the kernel while there are no
 * calls, and ends when it is called with the number 0.
 */
#include "umd/host_calls.h"

#include "base/futex.h"
#include "base/thread.h"
#include "drv/packets.h"
#include "umd/runtime.h"

namespace umd {

using base::Result;
using base::Status;

/* As many as a stream holds are known without asking for more memory. */
static constexpr size_t FUNCTIONS = 1024;

HostCalls::~HostCalls()
{
	if (!thread_.joinable())
		return;
	auto last = channel_->submit(drv::host_call_packet(0, 0));
	const uint64_t &calls = device_.hal().completion().semaphores[UNPU_SEM_CALLS].value;
	while (!finished_.load()) {
		if (device_.hal().alive()) {
			if (!last)
				break;
			/* The channel stands in that call for ever; waiting for it moves a stepped device
			 * up to it. */
			(void)device_.wait(*last, base::deadline_after(base::NS_PER_MS));
			continue;
		}
		/* A device that is lost calls nobody: woken for nothing, the thread asks and ends. */
		const auto &low = reinterpret_cast<const uint32_t &>(calls);
		base::futex_wake_all(low, true);
		(void)base::futex_wait(low, base::load_relaxed(low),
				       base::deadline_after(base::NS_PER_MS), true);
	}
	thread_.join();
}

Status HostCalls::start()
{
	if (thread_.joinable())
		return Status::OK;
	if (!channel_) {
		auto channel = drv::Channel::create(device_, {});
		if (!channel)
			return channel.status();
		channel_ = channel.take();
	}
	functions_.reserve(FUNCTIONS);
	auto thread = base::start_thread("unpu-callback", [this] { serve(); });
	if (!thread)
		return thread.status();
	thread_ = thread.take();
	return Status::OK;
}

Result<uint64_t> HostCalls::add(void (*fn)(void *), void *args, bool permanent)
{
	std::lock_guard lock(mutex_);
	TRY(start());
	if (free_ == 0) {
		functions_.push_back({});
		free_ = static_cast<uint32_t>(functions_.size());
	}
	uint32_t place = free_;
	Function &function = functions_[place - 1];
	free_ = function.next;
	uint32_t uses = function.uses + 1;
	function = {fn, args, permanent, true, uses, 0};
	return uint64_t{uses} << 32 | place;
}

HostCalls::Function *HostCalls::find(uint64_t call)
{
	auto place = static_cast<uint32_t>(call);
	if (place == 0 || place > functions_.size())
		return nullptr;
	Function &function = functions_[place - 1];
	return function.known && function.uses == call >> 32 ? &function : nullptr;
}

void HostCalls::forget(uint64_t call)
{
	if (Function *function = find(call)) {
		function->known = false;
		function->next = free_;
		free_ = static_cast<uint32_t>(call);
	}
}

void HostCalls::remove(uint64_t call)
{
	std::lock_guard lock(mutex_);
	forget(call);
}

void HostCalls::run(uint64_t call)
{
	Function function{};
	{
		std::lock_guard lock(mutex_);
		const Function *found = find(call);
		if (!found)
			return;
		function = *found;
		if (!function.permanent)
			forget(call);
	}
	device_.hal().acquire_host_work();
	Runtime::thread().in_host_function = true;
	function.fn(function.args);
	Runtime::thread().in_host_function = false;
	device_.hal().release_host_work();
}

void HostCalls::serve()
{
	const unpu_completion &completion = device_.hal().completion();
	for (uint64_t done = 0;; done++) {
		if (hal::wait_passively(device_.hal(), UNPU_SEM_CALLS, done + 1) != Status::OK)
			break;
		const unpu_call_entry &entry = completion.calls[done % UNPU_CALL_QUEUE_ENTRIES];
		if (base::load_acquire(entry.sequence) != done + 1)
			break;
		uint64_t call = base::load_relaxed(entry.call);
		uint64_t token = base::load_relaxed(entry.token);
		if (call == 0)
			break;
		run(call);
		(void)channel_->submit(drv::host_done_packet(0, token));
	}
	finished_ = true;
}

} // namespace umd
