// SPDX-License-Identifier: MIT
/**
 * DOC: Aborting a device
 *
 * All streams of the process on one device lose their tasks, and the device takes none from it until
 * it is repaired or closed.
 */
#include <fmt/format.h>

#include "umd/error.h"
#include "umd/runtime.h"
#include "umd/stream_failure.h"

namespace umd {

using base::Status;

static Status ask(Runtime &runtime, int32_t index, AbortStage stage, uint32_t timeout_ms)
{
	int32_t answer = 0;
	runtime.abort_callbacks.call_all([&](const AbortCallback &callback) {
		int32_t said = callback(index, stage, timeout_ms);
		if (answer == 0)
			answer = said;
	});
	if (answer == 0)
		return Status::OK;
	return set_error(
		Status::INTERNAL,
		fmt::format("a callback of aclrtSetDeviceTaskAbortCallback answered {}", answer));
}

Status Runtime::abort_tasks(int32_t index, uint32_t timeout_ms)
{
	auto state = device_state(index);
	if (!state)
		return state.status();
	TRY(ask(*this, index, AbortStage::BEFORE, timeout_ms));
	{
		std::lock_guard lock(mutex_);
		if (!(*state)->open_)
			return set_error(
				Status::DEVICE_SET_MISSING,
				fmt::format("device {} is not open; call aclrtSetDevice first",
					    index));
		/* First of all: what is submitted meanwhile is refused. */
		(*state)->aborted = true;
		Status first = Status::OK;
		contexts.for_each([&](Context &context) {
			Status status =
				context.state == *state ? abort_context(context) : Status::OK;
			if (first == Status::OK)
				first = status;
		});
		TRY(first);
	}
	return ask(*this, index, AbortStage::AFTER, timeout_ms);
}

Status Runtime::last_fault(int32_t index, Status &fault, uint64_t &address)
{
	auto state = device_state(index);
	if (!state)
		return state.status();
	std::lock_guard lock((*state)->fault.mutex);
	fault = (*state)->fault.status;
	address = (*state)->fault.address;
	return Status::OK;
}

Status Runtime::repair(int32_t index)
{
	auto state = device_state(index);
	if (!state)
		return state.status();
	if (!(*state)->aborted.exchange(false))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("the tasks of device {} were not aborted; call "
					     "aclrtDeviceTaskAbort before it is repaired",
					     index));
	std::lock_guard lock((*state)->fault.mutex);
	(*state)->fault.status = Status::OK;
	return Status::OK;
}

} // namespace umd
