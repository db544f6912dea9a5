// SPDX-License-Identifier: MIT
/**
 * DOC: Launches of graphs of several devices
 *
 * Parts of the launch stream's device are posted to that stream. Each other device has a stream of its own, which
 * first waits for what the launch stream had to do; at the end the launch stream waits for it. A part waits for the
 * fence of the execution of each part that it follows, in this launch. A task waits only for tasks that were posted
 * before it, whichever threads post, so tasks never wait for each other in a circle. Such a fence also passes if
 * the execution fails or is dropped.
 *
 * A launch begins after the one before it has ended. It follows the fences of that launch, which are known when all
 * its parts are posted; so threads queue up. The first thread of the queue may wait for room in a ring. It then
 * holds no stream but the one that it posts to, so that no other stream or context waits for it to end.
 */
#include <algorithm>

#include <fmt/format.h>

#include "drv/device.h"
#include "drv/packet/packets.h"
#include "multi_exec.h"
#include "umd/core/context/context_streams.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/host_launch.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

namespace {

/* class FailureCheck - fails a task of the launch stream if a stream of another device has failed. */
class FailureCheck final : public HostWork {
public:
	explicit FailureCheck(std::vector<DeviceFence> ends) : ends_(std::move(ends)) {}

	Status run() const override
	{
		for (const DeviceFence &end : ends_) {
			const DeviceHold device = end.device.hold();
			const Status status = device ? device->status(end.fence.sem) : Status::OK;
			if (status != Status::OK)
				return status;
		}
		return Status::OK;
	}

private:
	const std::vector<DeviceFence> ends_; /* ends of the other streams */
};

} // namespace

/* struct Launch - a launch of which some parts are not posted yet. */
struct MultiExec::Launch {
	Held<Stream> &stream; /* the launch stream; it is often an empty hold */
	const void *handle;   /* handle of the launch stream */
	const DeviceRef device;
	const uint32_t priority;
	const uint16_t call;
	Fence start;		   /* the work that the launch stream had before */
	std::vector<Fence> fences; /* fences of the parts posted so far */
	/* by index into streams_: fence of the last part there */
	std::vector<Fence> endings;
	std::unique_ptr<recorder::GraphRecord::Launch>
		record{}; /* nullptr if no trace is recorded */
};

/* Makes the next task of @stream wait for @before. */
static Status follow_fence(Stream &stream, const DeviceFence &before)
{
	const DeviceHold home = before.device.hold();
	if (!home || before.fence.empty() || home->done(before.fence))
		return Status::OK;
	drv::Device &here = stream.context->device();
	if (home.holds(here)) {
		add_gate(stream, before.fence);
		return Status::OK;
	}
	auto fence = here.peers().follow(*home, before.fence);
	if (!fence)
		return set_error(fence.status(),
				 fmt::format("device {} can't follow device {}: {}",
					     stream.context->state->index, home.state().index,
					     base::status_sentence(fence.status())));
	add_gate(stream, *fence);
	return Status::OK;
}

static Held<Stream> hold_by_handle(const void *handle)
{
	Held<Stream> stream(Stream::table(), handle);
	return stream && !stream->ends.load() ? std::move(stream) : Held<Stream>();
}

static Status refuse_ended()
{
	return set_error(Status::CONTEXT_DYING,
			 "a stream or a context of the launch was destroyed, or its device was "
			 "reset; make the graph again in live ones");
}

/* Context: the thread is the first of the queue. */
Status MultiExec::make_stream(DeviceStream &own, uint32_t priority)
{
	const ContextHold context = Contexts::hold_context(own.home.context);
	if (!context || !own.device.is(*context->open))
		return refuse_ended();
	auto stream = TRY(create_stream(*context, priority, 0));
	own.stream = Stream::table().pointer(*stream);
	pass_entry(*context, *stream);
	return stop_stream_on_failure(*stream);
}

/* The launch stream follows the launch before this one. */
Status MultiExec::begin(Launch &launch)
{
	Stream &stream = *launch.stream;
	for (const DeviceFence &fence : pending())
		TRY(follow_fence(stream, fence));
	TRY(begin_submit(stream));
	if (traced_)
		launch.record = traced_->begin_launch(stream, launch.call, false);
	launch.start = stream.channel->last();
	return Status::OK;
}

Status MultiExec::post(Launch &launch, size_t index)
{
	const Part &part = parts_[index];
	DeviceStream &own = streams_[part.stream];
	const bool is_apart = own.device.state != launch.device.state;
	if (is_apart && !own.stream)
		TRY(make_stream(own, launch.priority));
	Held<Stream> stream = hold_by_handle(is_apart ? own.stream : launch.handle);
	if (!stream || !own.device.is(*stream->context->open))
		return refuse_ended();
	if (is_apart && launch.endings[part.stream].empty())
		TRY(follow_fence(*stream, {launch.device, launch.start}));
	for (uint32_t before : part.follows)
		TRY(follow_fence(*stream,
				 {streams_[parts_[before].stream].device, launch.fences[before]}));
	auto fence = TRY(part.exec->launch(*stream, launch.call));
	launch.fences.push_back(fence);
	if (is_apart)
		launch.endings[part.stream] = fence;
	return Status::OK;
}

/* The launch stream waits for the other streams, and fails if they have. */
Status MultiExec::join(Launch &launch)
{
	std::vector<DeviceFence> ends;
	for (size_t i = 0; i < streams_.size(); i++) {
		if (!launch.endings[i].empty())
			ends.push_back({streams_[i].device, launch.endings[i]});
	}
	std::vector<DeviceFence> all = ends;
	launch.stream = hold_by_handle(launch.handle);
	if (launch.stream)
		all.push_back({launch.device, launch.stream->channel->last()});
	note_last(std::move(all));
	if (!launch.stream)
		return refuse_ended();
	if (ends.empty())
		return Status::OK;
	Stream &stream = *launch.stream;
	for (const DeviceFence &end : ends)
		TRY(follow_fence(stream, end));
	auto check = std::make_shared<FailureCheck>(std::move(ends));
	GraphTask task = work_task(TaskKind::HOST_COPY, launch.call, std::move(check));
	TRY(launch_work(stream, task));
	note_last({{launch.device, stream.channel->last()}});
	return Status::OK;
}

/* Publishes the records. Ending a context waits for its own streams, and so for its part of the launch. The
 * trace has the launch only on the launch stream, so this order is added. */
void MultiExec::publish(Launch &launch)
{
	if (!traced_)
		return;
	/* The task number of the launch's end in the launch stream. */
	launch.record->publish_task(
		launch.stream->channel->task_number(launch.stream->channel->last()));
	for (size_t i = 0; i < streams_.size(); i++) {
		const Held<Stream> own = launch.endings[i].empty()
						 ? Held<Stream>()
						 : hold_by_handle(streams_[i].stream);
		if (own)
			recorder::observer.note_order(*launch.stream, *own);
	}
}

Status MultiExec::launch(Held<Stream> &stream, uint16_t call)
{
	Launch launch{stream,
		      Stream::table().pointer(*stream),
		      DeviceRef(*stream->context->open),
		      stream->priority.load(),
		      call,
		      {},
		      {},
		      std::vector<Fence>(streams_.size())};
	stream.leave();
	const LaunchQueue::Entry entry(queue_);
	stream = hold_by_handle(launch.handle);
	if (!stream)
		return refuse_ended();
	TRY(begin(launch));
	stream.leave();
	Status status = Status::OK;
	for (size_t part = 0; part < parts_.size() && status == Status::OK; part++)
		status = post(launch, part);
	/* The streams are joined after a failure, too, because some parts may have been posted. */
	const Status joined = join(launch);
	if (status == Status::OK && joined == Status::OK)
		publish(launch);
	return status == Status::OK ? joined : status;
}

} // namespace umd
