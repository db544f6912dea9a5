// SPDX-License-Identifier: MIT
/**
 * DOC: Calls that captures forbid
 *
 * A call that a capture does not allow invalidates the capture. The capture stores the name and the
 * thread of that call, and its end reports them.
 */
#include <unistd.h>

#include "capture.h"
#include "umd/core/process/thread_state.h"

namespace umd::cuda {

static std::string who(const char *call)
{
	return keeps_history() ? call_text() : fmt::format("{}, by thread {}", call, gettid());
}

static bool forbids(const Capture &capture, CaptureMode thread_mode)
{
	bool mine = capture.thread() == std::this_thread::get_id();
	bool mine_strict = mine && capture.mode() != CaptureMode::RELAXED;
	switch (thread_mode) {
	case CaptureMode::GLOBAL:
		return mine_strict || (!mine && capture.mode() == CaptureMode::GLOBAL);
	case CaptureMode::THREAD_LOCAL:
		return mine_strict;
	case CaptureMode::RELAXED:
		break;
	}
	return false;
}

CUresult check_unsafe_call(const char *call)
{
	if (!captures_open()) [[likely]]
		return CUDA_SUCCESS;
	std::unique_lock lock(TaskSink::mutex);
	bool refused = false;
	for (Capture *capture : Capture::all()) {
		if (!forbids(*capture, ThreadState::mine().exchange_mode))
			continue;
		mention(capture->origin());
		capture->invalidate(who(call));
		refused = true;
	}
	if (!refused)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
		      fmt::format("{}: a capture forbids calls that might touch work in progress, "
				  "and is invalid now. Begin it in a more relaxed mode, or relax "
				  "this thread by cuThreadExchangeStreamCaptureMode",
				  call));
}

/* Calls @visit for each capture of @context that has a blocking stream, that is one that takes turns with the
 * legacy stream.
 * Return: whether there was such a capture. */
template <class F>
static bool for_turn_takers(const Context &context, F visit) REQUIRES(TaskSink::mutex)
{
	bool found = false;
	for (Capture *capture : Capture::all()) {
		if (!capture->any_member([&](Stream &stream) {
			    return stream.context == &context && stream.takes_turns;
		    }))
			continue;
		mention(capture->origin());
		visit(*capture);
		found = true;
	}
	return found;
}

CUresult check_implicit(const Stream &stream, const char *call)
{
	if (!stream.is_default || !captures_open()) [[likely]]
		return CUDA_SUCCESS;
	std::unique_lock lock(TaskSink::mutex);
	bool found =
		for_turn_takers(*stream.context, [&](Capture &capture) REQUIRES(TaskSink::mutex) {
			if (call)
				capture.invalidate(who(call));
		});
	if (!found)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
		      "the legacy stream takes turns with a stream that captures, whose work it "
		      "can't wait for; make that stream with CU_STREAM_NON_BLOCKING");
}

CUresult take_stream(CUstream handle, Held<Stream> &stream, const char *call)
{
	TRY(find_stream(handle, stream));
	if (!captures_open()) [[likely]]
		return CUDA_SUCCESS;
	if (keeps_history())
		note_use(*stream);
	return check_implicit(*stream, call);
}

CUresult refuse_capturing(Stream &stream, const char *call)
{
	if (!capturing(stream)) [[likely]]
		return CUDA_SUCCESS;
	std::unique_lock lock(TaskSink::mutex);
	if (Capture *capture = capture_of(stream))
		capture->invalidate(who(call));
	return refuse(
		CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
		fmt::format("{}: stream {} captures, so its tasks are noted and not done; the "
			    "capture is invalid now",
			    call, stream.id));
}

CUresult refuse_context_capturing(Context &context, const char *call)
{
	if (context.capture_count.load() == 0) [[likely]]
		return CUDA_SUCCESS;
	std::unique_lock lock(TaskSink::mutex);
	for (Capture *capture : Capture::all()) {
		if (!capture->any_member(
			    [&](Stream &stream) { return stream.context == &context; }))
			continue;
		mention(capture->origin());
		capture->invalidate(who(call));
	}
	return refuse(
		CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
		fmt::format("{}: a stream of the context captures; the capture is invalid now",
			    call));
}

CUresult check_event_call(Event &event, const char *call)
{
	if (!captures_open()) [[likely]]
		return CUDA_SUCCESS;
	mention(event.handle);
	{
		std::unique_lock lock(TaskSink::mutex);
		if (Capture *capture = capture_of(event)) {
			capture->invalidate(who(call));
			return refuse(CUDA_ERROR_CAPTURED_EVENT,
				      fmt::format("{}: event {:#x} was last recorded in capture "
						  "{}, which is under way and invalid now",
						  call, event.handle, capture->id()));
		}
	}
	return check_unsafe_call(call);
}

CUresult check_not_captured(const Event &event)
{
	if (!event.is_last_captured.load() || event.capture.load()) [[likely]]
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("event {:#x} was last recorded in a capture that has ended; "
				  "record it in a stream, or by CU_EVENT_RECORD_EXTERNAL in the "
				  "capture",
				  event.handle));
}

CUresult note_violation(Stream &stream, CUresult code, const char *call)
{
	if (code < CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED ||
	    code > CUDA_ERROR_STREAM_CAPTURE_IMPLICIT ||
	    code == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) [[likely]]
		return code;
	std::unique_lock lock(TaskSink::mutex);
	if (Capture *capture = capture_of(stream))
		capture->invalidate(who(call));
	return code;
}

} // namespace umd::cuda
