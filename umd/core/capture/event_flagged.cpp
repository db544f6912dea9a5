// SPDX-License-Identifier: MIT
/**
 * DOC: Records and waits with a flag
 *
 * In a capture, an external record or wait synchronises with work outside the graph.
 */
#include <fmt/format.h>

#include "capture.h"
#include "umd/core/event/event.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Status;

/* The event keeps the flag from its first use on, even if that use failed. */
static Status check_sticky(int &sticky, uint32_t flag, Stream &stream)
{
	if (flag > 1)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("flag is {}; it must be 0 (default) or 1 (external)", flag));
	if (sticky >= 0 && sticky != static_cast<int>(flag))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("event was used with flag {} before; it can't change "
					     "to {}; use another event",
					     sticky, flag));
	sticky = static_cast<int>(flag);
	if (flag == 0)
		return Status::OK;
	if (!capturing(stream))
		return set_error(Status::NOT_CAPTURING,
				 "flag 1 (external) is for streams that capture; this one does "
				 "not; use 0, or begin the capture first");
	return Status::OK;
}

Status record_event_flagged(Event &event, Stream &stream, uint32_t flag)
{
	{
		std::lock_guard lock(event.mutex);
		TRY(check_sticky(event.record_flag, flag, stream));
	}
	if (flag == 0)
		return record_event(event, stream);
	std::unique_lock lock(TaskSink::mutex);
	auto capture = Capture::of(stream);
	return capture ? (*capture)->record_outside(event, stream) : capture.status();
}

Status wait_event_flagged(Event &event, Stream &stream, uint64_t timeout_ns, uint32_t flag)
{
	{
		std::lock_guard lock(event.mutex);
		TRY(check_sticky(event.wait_flag, flag, stream));
	}
	if (flag == 0)
		return wait_event(event, stream, timeout_ns);
	if (timeout_ns != 0)
		return set_error(Status::INVALID_ENUM,
				 "timeout must be 0 for an external wait: a graph waits for ever");
	std::unique_lock lock(TaskSink::mutex);
	auto capture = Capture::of(stream);
	return capture ? (*capture)->wait_outside(event, stream) : capture.status();
}

} // namespace umd
