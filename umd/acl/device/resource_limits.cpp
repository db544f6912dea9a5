// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL limits on the number of cores
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/device/cores.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/stream/stream.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::Resource;
using umd::set_error;
using umd::Stream;
using umd::ThreadState;

static base::Result<Resource> find_resource(aclrtDevResLimitType type)
{
	if (type == ACL_RT_DEV_RES_CUBE_CORE || type == ACL_RT_DEV_RES_VECTOR_CORE)
		return static_cast<Resource>(type);
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("type is {}; it must be ACL_RT_DEV_RES_CUBE_CORE (0) or "
				     "ACL_RT_DEV_RES_VECTOR_CORE (1)",
				     static_cast<int>(type)));
}

static base::Result<uint32_t> device_limit(const umd::DeviceState &state, Resource resource)
{
	if (uint32_t cap = state.limits.get(resource))
		return cap;
	auto cores = TRY(umd::read_cores(state.index));
	return cores.of(resource);
}

static base::Result<uint32_t> stream_limit(const umd::Stream &stream, Resource resource)
{
	if (uint32_t cap = stream.settings.limits.get(resource))
		return cap;
	return device_limit(*stream.context->state, resource);
}

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto resource = TRY(find_resource(type));
	auto state = TRY(Devices::get().device_state(deviceId));
	auto cores = TRY(device_limit(*state, resource));
	*value = cores;
	return ACL_SUCCESS;
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value)
{
	auto resource = TRY(find_resource(type));
	auto state = TRY(Devices::get().device_state(deviceId));
	return acl_return(umd::set_limit(state->limits, deviceId, resource, value));
}

aclError aclrtResetDeviceResLimit(int32_t deviceId)
{
	auto state = TRY(Devices::get().device_state(deviceId));
	state->limits.clear();
	return ACL_SUCCESS;
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto resource = TRY(find_resource(type));
	auto found = TRY(umd::find_stream(stream, false));
	auto cores = TRY(stream_limit(*found, resource));
	*value = cores;
	return ACL_SUCCESS;
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value)
{
	auto resource = TRY(find_resource(type));
	auto found = TRY(umd::find_stream(stream, false));
	return acl_return(umd::set_limit(found->settings.limits, found->context->state->index,
					 resource, value));
}

aclError aclrtResetStreamResLimit(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, false));
	found->settings.limits.clear();
	return ACL_SUCCESS;
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, false));
	ThreadState::mine().limited_stream = found->handle;
	return ACL_SUCCESS;
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, false));
	uint64_t &used = ThreadState::mine().limited_stream;
	if (used != found->handle)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("stream {} is not the one whose limits this thread uses",
				    found->id)));
	used = 0;
	return ACL_SUCCESS;
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	auto resource = TRY(find_resource(type));
	auto context = TRY(Contexts::get().current());
	auto *used = reinterpret_cast<void *>(ThreadState::mine().limited_stream);
	const umd::Held<Stream> stream(Stream::table(), used);
	bool used_here = stream && stream->context;
	auto cores = TRY(used_here ? stream_limit(*stream, resource)
				   : device_limit(*context->state, resource));
	*value = cores;
	return ACL_SUCCESS;
}
