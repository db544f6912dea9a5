// SPDX-License-Identifier: MIT
/**
 * DOC: Streams
 */
#include "umd/cuda/front.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/sync/mutex.h"
#include "order.h"
#include "stream.h"
#include "umd/core/context/context_streams.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/context/context.h"
#include "umd/cuda/device/device_list.h"
#include "umd/cuda/thread.h"

namespace umd::cuda {

using base::Status;

CUresult make_stream(Context &context, uint32_t flags, int priority, Stream *&stream)
{
	stream = TRY(
		create_stream(context, static_cast<uint32_t>(priority - GREATEST_PRIORITY), flags));
	if (!(flags & CU_STREAM_NON_BLOCKING))
		join_turns(*stream);
	pass_entry(context, *stream);
	return result(stop_stream_on_failure(*stream));
}

/* Whether @handle is NULL or one of the two numbers for special streams. */
static bool is_special(CUstream handle)
{
	return reinterpret_cast<uintptr_t>(handle) <=
	       reinterpret_cast<uintptr_t>(CU_STREAM_PER_THREAD);
}

/* Return: CUDA_ERROR_INVALID_HANDLE if another thread has destroyed the stream meanwhile. */
static CUresult hold(Stream &found, Held<Stream> &stream)
{
	stream = hold_stream(found);
	return stream ? CUDA_SUCCESS : result(stream.status());
}

static CUresult legacy_stream(Context &context, Held<Stream> &stream)
{
	auto found = TRY(default_stream(context));
	TRY(hold(*found, stream));
	if (stream->stops_on_failure.load()) [[likely]]
		return CUDA_SUCCESS;
	pass_entry(context, *stream);
	return result(stop_stream_on_failure(*stream));
}

static CUresult per_thread_stream(Context &context, Held<Stream> &stream)
{
	auto &streams = thread_objects().streams;
	auto own = std::find_if(streams.begin(), streams.end(),
				[&](const auto &it) { return it.context == context.handle; });
	if (own != streams.end()) {
		stream = Held<Stream>(Stream::table(), reinterpret_cast<void *>(own->stream));
		if (stream && !stream->ends.load())
			return CUDA_SUCCESS;
		stream.leave();
		streams.erase(own);
	}
	std::erase_if(streams, [](const auto &it) {
		return !Context::table().get(reinterpret_cast<void *>(it.context));
	});
	Stream *made = nullptr;
	TRY(make_stream(context, 0, LEAST_PRIORITY, made));
	streams.push_back({context.handle, made->handle});
	return hold(*made, stream);
}

CUresult find_stream(CUstream handle, Held<Stream> &stream)
{
	if (is_special(handle)) [[unlikely]] {
		ContextHold context;
		TRY(current_context(context));
		return handle == CU_STREAM_PER_THREAD ? per_thread_stream(*context, stream)
						      : legacy_stream(*context, stream);
	}
	stream = Held<Stream>(Stream::table(), handle);
	if (stream && !stream->ends.load()) [[likely]]
		return check_context(*stream->context);
	stream.leave();
	return refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED,
		      fmt::format("stream {} is not a live stream: it or its context was "
				  "destroyed, or it is something else",
				  fmt::ptr(handle)));
}

int priority_of(const Stream &stream)
{
	return stream.is_default ? LEAST_PRIORITY
				 : static_cast<int>(stream.priority) + GREATEST_PRIORITY;
}

hal::WaitWay way_of(const Stream &stream)
{
	switch (static_cast<int>(stream.wait_policy.load())) {
	case CU_SYNC_POLICY_SPIN:
		return hal::WaitWay::SPIN;
	case CU_SYNC_POLICY_YIELD:
		return hal::WaitWay::YIELD;
	case CU_SYNC_POLICY_BLOCKING_SYNC:
		return hal::WaitWay::SLEEP;
	}
	return way_of(*stream.context);
}

CUresult synchronize_stream(Stream &stream)
{
	Context &context = *stream.context;
	return settle(context, wait_stream(stream, base::NO_DEADLINE, way_of(stream)));
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Context;
using umd::Stream;

static CUresult create(CUstream *phStream, unsigned flags, int priority)
{
	if (!phStream)
		return null_argument("phStream");
	if (flags & ~unsigned{CU_STREAM_NON_BLOCKING})
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be CU_STREAM_DEFAULT (0) or "
					  "CU_STREAM_NON_BLOCKING (1)",
					  flags));
	ContextHold context;
	TRY(current_context(context));
	Stream *stream = nullptr;
	TRY(make_stream(*context, flags, std::clamp(priority, GREATEST_PRIORITY, LEAST_PRIORITY),
			stream));
	note(stream->handle, Action::MADE);
	*phStream = stream_handle(*stream);
	return CUDA_SUCCESS;
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
	TRY(enter());
	return create(phStream, flags, priority);
}

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
	TRY(enter());
	return create(phStream, Flags, LEAST_PRIORITY);
}

CUresult cuStreamDestroy(CUstream hStream)
{
	TRY(enter());
	if (is_special(hStream))
		return refuse(CUDA_ERROR_INVALID_HANDLE,
			      fmt::format("hStream is {}, a stream that can't be destroyed; "
					  "destroy only those of cuStreamCreate",
					  fmt::ptr(hStream)));
	Held<Stream> stream(Stream::table(), hStream);
	if (stream && !stream->is_default) {
		Stream &object = *stream;
		const bool ended = object.ends.load();
		if (!ended) {
			mention(stream->handle);
			TRY(leave_capture(object, "cuStreamDestroy"));
			note(stream->handle, Action::DESTROYED);
		}
		stream.leave();
		if (!ended)
			return result(umd::detach_stream(object, hStream));
		(void)umd::destroy_stream(object, hStream, false);
	}
	return find_stream(hStream, stream);
}

CUresult cuStreamGetPriority(CUstream hStream, int *priority)
{
	TRY(enter());
	if (!priority)
		return null_argument("priority");
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	*priority = priority_of(*stream);
	return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
	TRY(enter());
	if (!flags)
		return null_argument("flags");
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	*flags = stream->flags;
	return CUDA_SUCCESS;
}

namespace {

/* class StreamNumbers - numbers of streams for cuStreamGetId(). The lower bits are the id of the stream, as
 * error messages and reports show it, and its device. A device reuses ids, so the bits above count how many
 * streams have had the id. */
class StreamNumbers {
public:
	uint64_t find(const Stream &stream)
	{
		const uint64_t place = static_cast<uint64_t>(stream.context->state->index)
					       << DEVICE_SHIFT |
				       stream.id;
		const uint64_t handle = stream.handle.now();
		const std::lock_guard lock(mutex_);
		Last &last = last_.try_emplace(place, Last{handle, 0}).first->second;
		if (last.handle != handle)
			last = {handle, last.count + 1};
		return last.count << COUNT_SHIFT | place;
	}

private:
	static constexpr unsigned DEVICE_SHIFT = 16, COUNT_SHIFT = 32;

	/* The latest stream of each id whose number was queried. */
	struct Last {
		uint64_t handle;
		uint64_t count;
	};

	base::Mutex mutex_{"StreamNumbers::mutex_"};
	std::map<uint64_t, Last> last_ GUARDED_BY(mutex_);
};

} // namespace

CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId)
{
	TRY(enter());
	if (!streamId)
		return null_argument("streamId");
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	*streamId = umd::Process::own<StreamNumbers>().find(*stream);
	return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
	TRY(enter());
	if (!pctx)
		return null_argument("pctx");
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	*pctx = context_handle(*stream->context);
	return CUDA_SUCCESS;
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device)
{
	TRY(enter());
	if (!device)
		return null_argument("device");
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	*device = device_number(stream->context->state->index);
	return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream hStream)
{
	TRY(enter());
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuStreamQuery"));
	TRY(refuse_capturing(*stream, "cuStreamQuery"));
	TRY(check_unsafe_call("cuStreamQuery"));
	bool ready = false;
	{
		/* If the stream is the legacy stream, the work of the streams that take turns with it counts,
		 * too. */
		const umd::recorder::CallScope scope({.is_quiet = stream->is_default});
		TRY(umd::query_stream(*stream, ready));
	}
	ready = ready && (!stream->is_default || others_done(*stream));
	if (ready && stream->is_default) {
		umd::recorder::observer.note_stream(san::Kind::STREAM_DONE, *stream);
		TRY(settle(*stream->context, report_others(*stream)));
	}
	if (ready)
		return settle(*stream->context, umd::report_failure(*stream));
	if (!umd::explains_answers())
		return CUDA_ERROR_NOT_READY;
	return refuse(CUDA_ERROR_NOT_READY,
		      fmt::format("stream {} has work that is not done", stream->id));
}

CUresult cuStreamSynchronize(CUstream hStream)
{
	TRY(enter());
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuStreamSynchronize"));
	TRY(refuse_capturing(*stream, "cuStreamSynchronize"));
	TRY(check_unsafe_call("cuStreamSynchronize"));
	if (stream->is_default)
		TRY(settle(*stream->context, wait_others(*stream, way_of(*stream))));
	return synchronize_stream(*stream);
}
