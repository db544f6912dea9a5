// SPDX-License-Identifier: MIT
/**
 * DOC: Unsafe calls
 *
 * A call that waits, or that can't become a graph node, is unsafe during a capture. Whether a capture forbids
 * it depends on the capture's mode and on the mode of the calling thread.
 */
#include "unsafe_call.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "umd/core/object/context_object.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/task/capture_notes.h"
#include "umd/core/task/task_sink.h"

namespace umd {

using base::Status;

/* Mode numbers grow with permissiveness: GLOBAL 0, THREAD_LOCAL 1, RELAXED 2, none 3. */
static constexpr int NO_MODE = 3;

Status check_unsafe(Context &context, const char *call)
{
	if (context.capture_count.load() == 0) [[likely]]
		return Status::OK;
	std::unique_lock lock(TaskSink::mutex);
	int context_mode = NO_MODE;
	int thread_mode = NO_MODE;
	for (const CaptureSink *capture : context.captures) {
		int mode = static_cast<int>(capture->mode());
		context_mode = std::min(context_mode, mode);
		if (capture->thread() == std::this_thread::get_id())
			thread_mode = std::min(thread_mode, mode);
	}
	constexpr int GLOBAL = static_cast<int>(CaptureMode::GLOBAL);
	constexpr int THREAD_LOCAL = static_cast<int>(CaptureMode::THREAD_LOCAL);
	bool refused = false;
	switch (ThreadState::mine().exchange_mode) {
	case CaptureMode::GLOBAL:
		refused = context_mode == GLOBAL || thread_mode == THREAD_LOCAL;
		break;
	case CaptureMode::THREAD_LOCAL:
		refused = thread_mode == GLOBAL || thread_mode == THREAD_LOCAL;
		break;
	case CaptureMode::RELAXED:
		break;
	}
	if (!refused)
		return Status::OK;
	return refuse_for_capture(
		context.notes, Status::CAPTURE_MODE,
		fmt::format("{}: a capture in this context forbids calls that are not captured; "
			    "relax this thread with $model_capture_thread_exchange_mode, or begin "
			    "the capture in a more relaxed mode",
			    call));
}

} // namespace umd
