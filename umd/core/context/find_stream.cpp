// SPDX-License-Identifier: MIT
/**
 * DOC: Finding streams
 *
 * Finds the stream of a handle that the program gives, or the default stream of the thread's context.
 */
#include "find_stream.h"

#include <algorithm>

#include "base/hot_path.h"
#include "context_streams.h"
#include "contexts.h"
#include "umd/core/device/device_state.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"

namespace umd {

using base::Result;
using base::Status;

Result<uint32_t> streams_left()
{
	auto context = TRY(Contexts::get().current());
	const uint32_t most = most_streams(*context);
	return most - std::min(context->state->streams.load(), most);
}

static Held<Stream> hold_default(Context &context)
{
	auto stream = default_stream(context);
	return stream ? hold_stream(**stream) : Held<Stream>(stream.status());
}

/* The live stream of a handle, of any context, or the failure. */
static Held<Stream> hold_live(const void *handle)
{
	Held<Stream> stream(Stream::table(), handle);
	if (stream && !stream->ends.load())
		return stream;
	stream.leave();
	TRY(Process::check_fork());
	return refuse_stale_stream(handle);
}

static Held<Stream> hold_launching(const void *handle)
{
	auto context = TRY(Contexts::get().current());
	if (!handle)
		return hold_default(*context);
	Held<Stream> stream = hold_live(handle);
	if (!stream || stream->context == context.get())
		return stream;
	return set_error(Status::WRONG_CONTEXT,
			 "stream belongs to another context than the thread's current one; make "
			 "that current with $set_current_context");
}

/* The slow path of find_stream_parts(). */
[[gnu::noinline]] static Held<Stream>::Parts search_stream(const void *handle, bool launching)
{
	if (!handle || launching)
		return hold_launching(handle).release();
	return hold_live(handle).release();
}

/* search_stream() has all function calls, so that this function saves no registers. */
HOT_PATH Held<Stream>::Parts find_stream_parts(const void *handle, bool launching)
{
	if (const auto *streams = Process::find<Stream::Table>()) [[likely]] {
		auto stream = Held<Stream>::peek(*streams, handle);
		if (stream && (launching ? is_current(*stream) : !stream->ends.load())) [[likely]]
			return stream.release();
	}
	return search_stream(handle, launching);
}

} // namespace umd
