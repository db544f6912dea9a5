// SPDX-License-Identifier: MIT
/**
 * DOC: Executions that the caller waits for, and their abort
 *
 * No stream is named for such an execution. A built model runs in the channel of its first stream, which has
 * no other work. A captured model runs in the default stream of its context, so it runs after the earlier
 * work of that stream.
 */
#include "model_run.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "model.h"
#include "umd/core/context/context_streams.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/open_device.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/handle/held.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/task/own_function.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

static Status check_run(const Model &model, const Context &current) REQUIRES(model.lock)
{
	TRY(require_ready(model));
	TRY(refuse_inner(model, "executed"));
	if (model.context == &current && model.context_handle == current.handle)
		return Status::OK;
	return set_error(
		Status::MODEL_CONTEXT,
		"the model belongs to another context than the thread's current one; make that "
		"current with $set_current_context");
}

/* The calling thread may run a function of the program for which @stream waits. */
static Status check_wait(const Stream &stream)
{
	if (ThreadState::mine().host_stream == stream.serial && stream.serial != 0)
		return check::refuse_own_function(stream.id, "execute the model");
	return check::refuse_wait_in_function("the run of a model");
}

/* The stream that executes the model. */
static Held<Stream> find_runner(Model &model, Context &context)
{
	uint64_t first = 0;
	{
		base::BiasedGuard lock(model.lock);
		TRY(check_run(model, context));
		if (model.is_built)
			first = model.bound.front().stream;
	}
	if (first == 0) {
		auto stream = default_stream(context);
		return stream ? hold_stream(**stream) : Held<Stream>(stream.status());
	}
	Held<Stream> stream(Stream::table(), reinterpret_cast<void *>(first));
	if (stream && !stream->ends.load())
		return stream;
	return set_error(Status::INVALID_HANDLE,
			 "a stream of the model was destroyed; build another model");
}

/* The first stream of a built model collects tasks, so launch_model() refuses it. */
static Result<Fence> launch(Model &model, Stream &stream)
{
	if (!model.is_built)
		return launch_model(model, stream);
	std::shared_ptr<GraphExec> exec;
	{
		base::BiasedGuard lock(model.lock);
		TRY(require_ready(model));
		exec = model.exec;
	}
	return exec->launch(stream, static_cast<uint8_t>(Call::EXECUTE_MODEL));
}

Status run_model(Model &model, uint64_t deadline_ns)
{
	auto context = TRY(Contexts::get().current());
	const auto stream = TRY(find_runner(model, *context));
	TRY(check_wait(*stream));
	const uint32_t aborts = stream->channel->aborts();
	auto fence = TRY(launch(model, *stream));
	recorder::observer.note_stream(san::Kind::BLOCKED, *stream);
	const Status status = context->device().wait(fence, deadline_ns);
	if (status == Status::TIMEOUT)
		return set_error(Status::STREAM_TIMEOUT,
				 "the model did not end within the time limit; it keeps running, "
				 "and $model_abort ends it");
	if (status != Status::OK)
		return device_failed(context->device(), status, "the model did not end");
	if (stream->channel->aborts() != aborts)
		return stream_aborted(*stream);
	recorder::observer.look_behind(*stream->context->open, fence);
	recorder::observer.note_stream(san::Kind::STREAM_SYNC, *stream);
	return report_end(*stream, fence);
}

/* The streams of @context on whose channels one of the fences @pending is. */
static std::vector<Stream *> streams_of(Context &context, const std::vector<Fence> &pending)
{
	std::vector<Stream *> found;
	const std::lock_guard lock(context.mutex);
	std::copy_if(context.streams.begin(), context.streams.end(), std::back_inserter(found),
		     [&](const Stream *stream) {
			     const uint32_t timeline = stream->channel->last().sem;
			     return std::any_of(
				     pending.begin(), pending.end(),
				     [&](const Fence &fence) { return fence.sem == timeline; });
		     });
	return found;
}

Status abort_model(Model &model)
{
	std::vector<Fence> pending;
	uint64_t handle;
	{
		base::BiasedGuard lock(model.lock);
		TRY(require_ready(model));
		TRY(refuse_inner(model, "aborted"));
		const DeviceHold device = model.device.hold();
		if (!device)
			return Status::OK;
		pending = model.exec->pending(*device);
		handle = model.context_handle;
	}
	const ContextHold context = Contexts::hold_context(handle);
	if (!context || pending.empty())
		return Status::OK;
	Status first = Status::OK;
	visit_streams(*context, streams_of(*context, pending), [&](Stream &stream) {
		const Status status = drop_running(stream);
		if (first == Status::OK)
			first = status;
	});
	return first;
}

} // namespace umd
