// SPDX-License-Identifier: MIT
/**
 * DOC: Failed, stopped and aborted streams
 *
 * The device latches a failure in the stream's timeline, and the next synchronisation reports and clears it.
 * In a context that stops on failure the failure is not cleared: the device skips the tasks after the failed
 * one, and the streams refuse work once a synchronisation has reported the failure. Until then the program
 * can't know of it. After an abort of a device the streams of the device refuse work too.
 */
#include "stream_failure.h"

#include <fmt/format.h>

#include "base/hot_path.h"
#include "drv/packet/cookie.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/fault_watch.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/call.h"
#include "umd/core/process/collective.h"
#include "umd/core/process/error.h"
#include "umd/core/process/node_names.h"
#include "umd/core/record/observer.h"
#include "umd/core/report/kernel_failure.h"
#include "umd/core/task/capture_notes.h"
#include "umd/core/task/collective_failure.h"
#include "umd/core/watch/failure_note.h"

namespace umd {

using base::Status;
using drv::Fence;

static Status device_aborted(const Stream &stream)
{
	return set_error(
		Status::DEVICE_ABORTED,
		fmt::format("the tasks of device {} were aborted by $device_task_abort; repair "
			    "or reset the device before it is used again",
			    stream.context->state->index));
}

static void remember(DeviceState &state, Status status, uint64_t address)
{
	std::lock_guard lock(state.fault.mutex);
	state.fault.status = status;
	state.fault.address = address;
}

static bool runs_on_engines(Call named)
{
	const Call call = kind_of_call(named);
	return is_operator(static_cast<uint16_t>(call)) || call == Call::MEMCPY_ASYNC ||
	       call == Call::MEMSET_ASYNC || call == Call::MEMCPY_BOX ||
	       call == Call::MEMCPY_INDIRECT || call == Call::MEMCPY_BATCH ||
	       call == Call::REDUCE || call == Call::RANDOM;
}

/* The error message for a status and a call. One status may have several meanings: a wait and long work of an
 * engine both end with a time-out, and a wait for an ended process has the same status as a wait of a failed
 * communicator. */
static const char *sentence_of(Status status, Call call)
{
	if (status == Status::PEER_LOST && is_collective(static_cast<uint16_t>(call)))
		return "its communicator has failed, or was destroyed";
	if (status == Status::WAIT_TIMEOUT && runs_on_engines(call))
		return "it took longer than the limit that the program has set for tasks";
	return base::status_sentence(status);
}

/* The failure of the stream's first task that has failed since the last report. */
static drv::Failure failure_of(const Stream &stream)
{
	return collective_failure(stream.channel->failure());
}

/* What is at the address of a failure, or "". */
static std::string tell_address(const Stream &stream, const drv::Failure &failure)
{
	if (failure.status == Status::MMU_FAULT)
		return check::tell_unusable(failure.address, stream.context->state->index);
	return ReleasedMemory::told(reinterpret_cast<const void *>(failure.address));
}

static Status describe(const Stream &stream, const drv::Failure &failure)
{
	drv::Command command = drv::decode_cookie(failure.cookie);
	auto call = static_cast<Call>(command.call);
	bool node = command.is_node();
	uint32_t at = node ? stream.id : command.channel;
	const std::string name = node ? NodeNames::get().text(command.program(), command.node())
				      : NodeNames::get().task_text(stream.serial, command.index);
	std::string text = fmt::format(
		"stream {}: {}{} {} ({}) failed: {}", at, name.empty() ? "" : name + ", ",
		node ? "graph node" : "task", node ? command.node() : command.index,
		call_name(call), sentence_of(failure.status, call));
	if (is_kernel_failure(failure.status) || failure.status == Status::NO_OPERATORS) {
		const KernelFailure found =
			kernel_failure(stream.context->device(), failure.cookie);
		const std::string &why = found.sentence;
		text += why.empty() ? "" : ": " + why;
		const bool is_check = (failure.status == Status::KERNEL_FAULT_VECTOR ||
				       failure.status == Status::KERNEL_FAULT_CORE) &&
				      found.is_check();
		if (is_kernel_failure(failure.status) && !why.empty())
			tell_once(failure.status,
				  why + (is_check ? "; UNPU_KERNEL_CHECK=0 leaves the checks of "
						    "kernels out"
						  : ""));
	}
	if (failure.status == Status::BAD_INDEX)
		text += fmt::format(", index {}", static_cast<int64_t>(failure.detail));
	/* A copy that reads its addresses from memory may have read 0. */
	const bool is_null = failure.status == Status::MMU_FAULT && call == Call::MEMCPY_INDIRECT;
	if (failure.address || is_null)
		text += fmt::format(", address {:#x}", failure.address);
	if (const std::string why = tell_address(stream, failure); !why.empty())
		text += ": " + why;
	if (is_collective(command.call)) {
		const std::string why =
			FailureNotes::get().text(stream, command.index, failure.status);
		text += why.empty() ? "" : ": " + why;
	}
	if (stream.context->stops_on_failure.load() && failure.status != Status::OVERFLOW)
		text += "; the streams of the context stopped there";
	Status status = fault_status(failure.status, failure.cookie);
	stream.context->open->faults.flush(stream.ends);
	remember(*stream.context->state, status, failure.address);
	return set_error(status, text);
}

Status refusal(Stream &stream)
{
	if (stream.context->state->is_aborted.load())
		return device_aborted(stream);
	const Status failed = stream.context->failed.load();
	if (failed == Status::OK)
		return Status::OK;
	TRY(report_stop(stream));
	return set_error(
		failed,
		fmt::format("stream {}: a task of another stream failed, and the streams of the "
			    "context stopped there; the error of that stream tells why",
			    stream.id));
}

/* Whether @failure stops the streams of its context: an overflow is reported, but stops no stream. */
static bool stops(const Context &context, const drv::Failure &failure)
{
	return context.stops_on_failure.load() && failure.status != Status::OK &&
	       failure.status != Status::OVERFLOW;
}

Status report_stop(Stream &stream)
{
	Context &context = *stream.context;
	const drv::Failure failure = failure_of(stream);
	if (!stops(context, failure))
		return Status::OK;
	Status status = describe(stream, failure);
	context.failed.store(status);
	return status;
}

void keep_failure(const Stream &stream)
{
	Context &context = *stream.context;
	const drv::Failure failure = failure_of(stream);
	if (stops(context, failure))
		context.failed.store(fault_status(failure.status, failure.cookie));
}

Status report_failure(Stream &stream)
{
	const drv::Failure failure = failure_of(stream);
	if (failure.status == Status::OK) [[likely]]
		return Status::OK;
	TRY(report_stop(stream));
	stream.channel->clear_failure();
	stream.noted = 0;
	return describe(stream, failure);
}

Status note_failure(Context &context)
{
	std::lock_guard lock(context.mutex);
	for (Stream *stream : context.streams) {
		const drv::Failure failure = failure_of(*stream);
		if (failure.status != Status::OK &&
		    stream->noted.exchange(failure.cookie) != failure.cookie)
			return fault_status(failure.status, failure.cookie);
	}
	return Status::OK;
}

bool may_have_failed(const Stream &stream)
{
	return stream.channel->failure().status != Status::OK ||
	       (stream.attention.load() & Stream::REFUSES &&
		stream.context->state->is_aborted.load());
}

Status stream_aborted(const Stream &stream)
{
	if (stream.context->state->is_aborted.load())
		return device_aborted(stream);
	return set_error(Status::CHANNEL_STOPPED,
			 fmt::format("stream {} was aborted; its tasks were dropped, and it can be "
				     "used again",
				     stream.id));
}

HOT_PATH Status report_end(Stream &stream, const Fence &tail)
{
	TRY(report_failure(stream));
	if (stream.attention.load() & Stream::REFUSES)
		TRY(refusal(stream));
	return stream.channel->take_abort(tail) ? stream_aborted(stream) : Status::OK;
}

static Status refuse_collecting(const Stream &stream, Status status, const char *what)
{
	if (!collects(stream))
		return Status::OK;
	if (stream.flags & STREAM_PERSISTENT)
		return set_error(status,
				 fmt::format("stream {} keeps its tasks for a model, so it can't "
					     "{}; do that with the stream that executes the model",
					     stream.id, what));
	const char *flag = stream.flags & STREAM_DEVICE_USE_ONLY ? "$STREAM_DEVICE_USE_ONLY"
								 : "$STREAM_CPU_SCHEDULE";
	return set_error(status,
			 fmt::format("stream {} was made with {}: the host does not run its tasks, "
				     "so it can't {}; make one without that flag",
				     stream.id, flag, what));
}

Status set_failure_mode(Stream &stream, bool stop)
{
	TRY(refuse_collecting(stream, Status::NOT_SUPPORTED, "stop on failure"));
	const bool is_set = stream.has_failure_mode.exchange(true);
	if (stream.stops_on_failure.load() == stop)
		return Status::OK;
	if (is_set || !stop)
		return set_error(
			Status::NOT_SUPPORTED,
			fmt::format("the failure mode of stream {} is set, to {} on failure, and "
				    "can't be set back; create another stream",
				    stream.id, stop ? "continue" : "stop"));
	Status status = stream.channel->stop_on_failure();
	if (status != Status::OK)
		return device_failed(stream.context->device(), status,
				     fmt::format("stream {} can't stop on failures", stream.id));
	stream.stops_on_failure = true;
	Context &context = *stream.context;
	std::lock_guard lock(context.mutex);
	context.stops_on_failure = true;
	for (Stream *member : context.streams)
		member->attention |= Stream::REFUSES;
	return Status::OK;
}

/* A host thread that waits for the stream notices the abort, because the channel's abort count changes. */
Status drop_running(Stream &stream)
{
	stream.context->device().note_unsettled(*stream.channel);
	HostCalls &calls = stream.context->open->calls;
	const uint64_t added = calls.added();
	Status status = stream.channel->abort();
	if (status != Status::OK)
		return device_failed(
			stream.context->device(), status,
			fmt::format("the tasks of stream {} can't be dropped", stream.id));
	calls.drop(stream.serial, added);
	/* The dropped tasks use no memory any more. */
	recorder::observer.forget_sources();
	recorder::observer.note_dropped(stream);
	std::lock_guard lock(stream.gate_mutex);
	stream.gate.clear();
	stream.turn.clear();
	stream.attention &= ~Stream::GATED;
	return Status::OK;
}

static Status refuse_captured(const Stream &stream)
{
	if (!capturing(stream))
		return Status::OK;
	return refuse_for_capture(stream.context->notes, Status::STREAM_CAPTURED,
				  "the stream captures: its tasks are recorded, not run, so there "
				  "is nothing to abort; end the capture first",
				  subject_of(stream));
}

Status abort_stream(Stream &stream)
{
	TRY(refuse_collecting(stream, Status::INVALID_ARGUMENT, "be aborted"));
	TRY(refuse_captured(stream));
	return drop_running(stream);
}

Status stop_task(Stream &stream)
{
	/* The API allows the call for device-only streams. Their tasks never run, so there is nothing to stop. */
	if ((stream.flags & STREAM_COLLECTS) == STREAM_DEVICE_USE_ONLY)
		return Status::OK;
	TRY(refuse_collecting(stream, Status::INVALID_ARGUMENT, "be stopped"));
	TRY(refuse_captured(stream));
	Status status = stream.channel->stop_current();
	if (status == Status::OK)
		return status;
	return device_failed(
		stream.context->device(), status,
		fmt::format("the running task of stream {} can't be stopped", stream.id));
}

} // namespace umd
