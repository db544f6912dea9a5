// SPDX-License-Identifier: MIT
/**
 * DOC: Aborting a device
 *
 * Drops the tasks of all streams of the process on one device. The device then refuses tasks of the process
 * until it is repaired or closed.
 */
#include <fmt/format.h>

#include "context_streams.h"
#include "contexts.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;

static Status ask(int32_t index, AbortStage stage, uint32_t timeout_ms)
{
	int32_t answer = 0;
	Devices::get().abort_callbacks.call_all([&](const AbortCallback &callback) {
		int32_t said = callback(index, stage, timeout_ms);
		if (answer == 0)
			answer = said;
	});
	if (answer == 0)
		return Status::OK;
	return set_error(Status::INTERNAL,
			 fmt::format("a callback of $set_device_task_abort_callback answered {}; "
				     "it must answer 0",
				     answer));
}

Status Contexts::abort_tasks(int32_t index, uint32_t timeout_ms)
{
	auto state = TRY(Devices::get().device_state(index));
	TRY(ask(index, AbortStage::BEFORE, timeout_ms));
	{
		const std::lock_guard lock(Devices::get().mutex());
		if (!Devices::opened(*state))
			return set_error(
				Status::DEVICE_SET_MISSING,
				fmt::format("device {} is not open; call $set_device first",
					    index));
		/* Set before the streams are aborted, so that tasks which another thread submits
		 * meanwhile are refused. */
		state->is_aborted = true;
		Status first = Status::OK;
		Context::table().for_each([&](Context &context) {
			Status status =
				context.state == state ? abort_context(context) : Status::OK;
			if (first == Status::OK)
				first = status;
		});
		TRY(first);
	}
	return ask(index, AbortStage::AFTER, timeout_ms);
}

} // namespace umd
