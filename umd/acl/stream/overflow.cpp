// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL floating-point overflow
 *
 * A process has one overflow status for all its work on a device. A read and a clear of the status are
 * tasks of a stream. Operators set the status on streams that check for overflow or saturate.
 */
#include "acl/acl.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/call.h"
#include "umd/core/task/capture_notes.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::set_error;
using umd::Stream;

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode)
{
	if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("mode is {}; it must be ACL_RT_OVERFLOW_MODE_SATURATION (0) or "
				    "ACL_RT_OVERFLOW_MODE_INFNAN (1)",
				    static_cast<int>(mode))));
	auto context = TRY(Contexts::get().current());
	context->state->saturates = mode == ACL_RT_OVERFLOW_MODE_SATURATION;
	return ACL_SUCCESS;
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode)
{
	if (!mode)
		return acl_return(null_argument("mode"));
	auto context = TRY(Contexts::get().current());
	*mode = context->state->saturates.load() ? ACL_RT_OVERFLOW_MODE_SATURATION
						 : ACL_RT_OVERFLOW_MODE_INFNAN;
	return ACL_SUCCESS;
}

static Status submit_overflow(Stream &stream, unpu_overflow_action action, const void *address)
{
	if (umd::capturing(stream))
		return umd::refuse_for_capture(
			stream.context->notes, Status::STREAM_CAPTURED,
			"the stream captures; the overflow status can't be part of a graph",
			umd::subject_of(stream));
	auto cookie = drv::cookie_call(static_cast<uint8_t>(umd::Call::OVERFLOW_STATUS));
	return umd::enqueue(
		stream, drv::overflow_packet(cookie, action, reinterpret_cast<uint64_t>(address)));
}

static aclError read_status(void *address, uint64_t bytes, aclrtStream stream)
{
	if (!address)
		return acl_return(null_argument("outputAddr"));
	if (bytes != sizeof(unpu_overflow_status))
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("outputSize is {}; the status has {} bytes",
							bytes, sizeof(unpu_overflow_status))));
	auto found = TRY(umd::find_stream(stream, true));
	auto value = reinterpret_cast<uint64_t>(address);
	TRY(umd::ReleasedMemory::check("outputAddr", address));
	if (!found->context->device().memory().covers(value, bytes))
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("the {} bytes from outputAddr {} are not in one live "
					      "allocation of device memory",
					      bytes, fmt::ptr(address))));
	return acl_return(submit_overflow(*found, UNPU_OVERFLOW_READ, address));
}

static aclError clear_status(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(submit_overflow(*found, UNPU_OVERFLOW_CLEAR, nullptr));
}

static Status check_mode(uint32_t mode)
{
	if (mode <= 1)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("checkMode is {}; it must be 0 or 1", mode));
}

aclError aclrtGetOverflowStatus(void *outputAddr, size_t outputSize, aclrtStream stream)
{
	return read_status(outputAddr, outputSize, stream);
}

aclError aclrtResetOverflowStatus(aclrtStream stream)
{
	return clear_status(stream);
}

aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize, aclrtStream stream)
{
	return read_status(outputAddr, outputSize, stream);
}

aclError aclrtResetFloatOverflowStatus(aclrtStream stream)
{
	return clear_status(stream);
}

aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize, uint32_t checkMode,
					aclrtStream stream)
{
	Status status = check_mode(checkMode);
	return status == Status::OK ? read_status(outputAddr, outputSize, stream)
				    : acl_return(status);
}

aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream)
{
	Status status = check_mode(checkMode);
	return status == Status::OK ? clear_status(stream) : acl_return(status);
}
