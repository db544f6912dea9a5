// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL streams
 */
#include "umd/core/stream/stream.h"
#include "acl/acl.h"
#include "base/hot_path.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/memory/made.h"
#include "umd/core/process/call.h"
#include "umd/core/process/process.h"
#include "umd/core/task/launch.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::Process;
using umd::set_error;
using umd::Stream;

/* The program's flags are passed to the runtime unchanged, so their values must be the same. */
static_assert(umd::STREAM_FAST_LAUNCH == ACL_STREAM_FAST_LAUNCH);
static_assert(umd::STREAM_FAST_SYNC == ACL_STREAM_FAST_SYNC);
static_assert(umd::STREAM_PERSISTENT == ACL_STREAM_PERSISTENT);
static_assert(umd::STREAM_HUGE == ACL_STREAM_HUGE);
static_assert(umd::STREAM_CPU_SCHEDULE == ACL_STREAM_CPU_SCHEDULE);
static_assert(umd::STREAM_DEVICE_USE_ONLY == ACL_STREAM_DEVICE_USE_ONLY);

/* With UNPU_CHECK, refuses arguments of a new stream that have no effect. */
static Status check_config(uint32_t priority, uint32_t flag)
{
	constexpr uint32_t LOWEST = 7;
	if (!umd::check::is_on()) [[likely]]
		return Status::OK;
	if (flag & ~umd::STREAM_FLAGS)
		TRY(umd::check::misuse(
			Status::INVALID_ENUM,
			fmt::format("aclrtCreateStreamWithConfig: flag is {:#x}; the "
				    "bits {:#x} are no flags, and are ignored",
				    flag, flag & ~umd::STREAM_FLAGS)));
	if (priority > LOWEST)
		return umd::check::misuse(
			Status::INVALID_ARGUMENT,
			fmt::format(
				"aclrtCreateStreamWithConfig: priority is {}; it is taken as 7, "
				"the lowest",
				priority));
	return Status::OK;
}

/* @site: the return address of the API call */
static aclError create(aclrtStream *stream, uint32_t priority, uint32_t flag, const void *site)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	TRY(check_config(priority, flag));
	auto context = TRY(Contexts::get().current());
	auto made = TRY(umd::create_stream(*context, priority, flag));
	*stream = Stream::table().pointer(*made);
	umd::check::made(*stream, "a stream", 0, site);
	return ACL_SUCCESS;
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
	return create(stream, priority, flag, __builtin_return_address(0));
}

aclError aclrtCreateStream(aclrtStream *stream)
{
	return create(stream, 0, 0, __builtin_return_address(0));
}

static aclError destroy(aclrtStream stream, bool wait)
{
	if (!stream)
		return acl_return(
			set_error(Status::NULL_POINTER,
				  "stream is NULL: the default stream can't be destroyed"));
	umd::Held<Stream> found(Stream::table(), stream);
	if (!found && Process::check_fork() != Status::OK)
		return acl_return(Status::NOT_INITIALISED);
	if (!found)
		return acl_return(set_error(
			Status::INVALID_HANDLE,
			fmt::format("stream {} is not a live stream: it was destroyed, or "
				    "is something else",
				    fmt::ptr(stream))));
	const bool ended = found->ends.load();
	if (found->is_default && !ended)
		return acl_return(set_error(Status::NULL_POINTER,
					    "stream is the default stream, which can't "
					    "be destroyed; it goes with its context"));
	if (!ended) {
		auto context = TRY(Contexts::get().current());
		if (found->context != context.get())
			return acl_return(set_error(
				Status::WRONG_CONTEXT,
				"stream belongs to another context than the thread's current one; "
				"make that current with aclrtSetCurrentContext"));
	}
	Stream &object = *found;
	found.leave();
	const Status status = umd::destroy_stream(object, stream, wait);
	if (status == Status::OK)
		umd::check::gone(stream);
	return acl_return(status);
}

aclError aclrtDestroyStream(aclrtStream stream)
{
	return destroy(stream, true);
}

aclError aclrtDestroyStreamForce(aclrtStream stream)
{
	return destroy(stream, false);
}

HOT_PATH aclError aclrtSynchronizeStream(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(umd::wait_stream(*found, base::NO_DEADLINE));
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
	auto deadline_ns = TRY(umd::parse_timeout(timeout));
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(umd::wait_stream(*found, deadline_ns));
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
	if (!status)
		return acl_return(null_argument("status"));
	auto found = TRY(umd::find_stream(stream, false));
	bool ready = false;
	Status result = umd::query_stream(*found, ready);
	if (result == Status::OK)
		*status = ready ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
	return acl_return(result);
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
	if (!streamId)
		return acl_return(null_argument("streamId"));
	auto found = TRY(umd::find_stream(stream, false));
	*streamId = static_cast<int32_t>(found->id);
	return ACL_SUCCESS;
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority)
{
	if (!priority)
		return acl_return(null_argument("priority"));
	auto found = TRY(umd::find_stream(stream, false));
	*priority = found->priority;
	return ACL_SUCCESS;
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags)
{
	if (!flags)
		return acl_return(null_argument("flags"));
	auto found = TRY(umd::find_stream(stream, false));
	*flags = found->flags;
	return ACL_SUCCESS;
}

aclError aclrtGetStreamAvailableNum(uint32_t *streamCount)
{
	if (!streamCount)
		return acl_return(null_argument("streamCount"));
	auto left = TRY(umd::streams_left());
	*streamCount = left;
	return ACL_SUCCESS;
}

namespace umd {

base::Status launch_operator(void *stream, uint16_t number, const unpu_operator &op)
{
	const auto found = TRY(find_stream(stream, true));
	auto cookie = drv::cookie_call(operator_call(number));
	uint8_t flags = operator_flags(*found);
	unpu_packet packet;
	if (flags == 0 && drv::row_packet(cookie, op, packet))
		return enqueue(*found, packet);
	packet = drv::operator_packet(cookie, 0);
	packet.flags = flags;
	return enqueue(*found, packet, &op);
}

base::Status launch_nothing(void *stream)
{
	const Held<Stream> found = find_stream(stream, true);
	if (!found || found->sink.is_empty())
		return found.status();
	return enqueue(*found,
		       drv::nop_packet(drv::cookie_call(static_cast<uint8_t>(Call::OPERATOR))));
}

base::Status launch_tensor(void *stream, uint16_t number, uint32_t kind,
			   std::span<const uint64_t> words)
{
	const auto found = TRY(find_stream(stream, true));
	const auto cookie = drv::cookie_call(operator_call(number));
	unpu_packet packet = drv::tensor_packet(cookie, kind, words.size_bytes());
	packet.flags = operator_flags(*found);
	return enqueue_tensor(*found, packet, words);
}

} // namespace umd
