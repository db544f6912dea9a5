// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL memory pools
 */
#include "umd/core/stream/pool.h"

#include <algorithm>

#include "acl/acl.h"
#include "acl/acl_rt_memory_soma.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/made.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::Pool;
using umd::Pools;
using umd::set_error;

static Status check_properties(const umd::Context &context, const aclrtMemPoolProps &props)
{
	if (props.allocType != ACL_MEM_ALLOCATION_TYPE_PINNED ||
	    props.handleType != ACL_MEM_HANDLE_TYPE_NONE)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("poolProps: allocType is {}, handleType {}; they must be "
				    "PINNED (0) and NONE (0)",
				    static_cast<int>(props.allocType),
				    static_cast<int>(props.handleType)));
	if (props.location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("poolProps: location.type is {}; it must be DEVICE (1)",
				    static_cast<int>(props.location.type)));
	if (props.location.id != static_cast<uint32_t>(context.state->index))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("poolProps: location.id is {}; it must be the current "
					     "device, {}",
					     props.location.id, context.state->index));
	bool zero = std::all_of(std::begin(props.reserved), std::end(props.reserved),
				[](unsigned char byte) { return byte == 0; });
	return zero ? Status::OK
		    : set_error(Status::INVALID_ENUM, "poolProps: reserved must be zero");
}

aclError aclrtMemPoolCreate(aclrtMemPool *memPool, const aclrtMemPoolProps *poolProps)
{
	if (!memPool || !poolProps)
		return acl_return(null_argument(memPool ? "poolProps" : "memPool"));
	auto context = TRY(Contexts::get().current());
	TRY(check_properties(*context, *poolProps));
	auto made =
		TRY(Pools::get().create(umd::DeviceRef(*context->open), poolProps->maxSize, false));
	*memPool = made;
	umd::check::made(made, "a memory pool", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclrtMemPoolDestroy(const aclrtMemPool memPool)
{
	const Status status = Pools::get().destroy(memPool);
	if (status == Status::OK)
		umd::check::gone(memPool);
	return acl_return(status);
}

static Status check_attribute(aclrtMemPoolAttr attr, const void *value)
{
	if (!value)
		return null_argument("value");
	if (umd::is_pool_attribute(static_cast<uint32_t>(attr)))
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("attr is {}; it must be 1 to 8", static_cast<int>(attr)));
}

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value)
{
	Status status = check_attribute(attr, value);
	if (status != Status::OK)
		return acl_return(status);
	Status visited = Pools::get().visit(memPool, [&](Pool &pool) {
		status = umd::set_attribute(pool, static_cast<umd::PoolAttribute>(attr), value);
	});
	return acl_return(visited == Status::OK ? status : visited);
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value)
{
	TRY(check_attribute(attr, value));
	return acl_return(Pools::get().visit(memPool, [&](const Pool &pool) {
		umd::get_attribute(pool, static_cast<umd::PoolAttribute>(attr), value);
	}));
}

aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool, aclrtStream stream)
{
	if (!ptr || !stream)
		return acl_return(null_argument(ptr ? "stream" : "ptr"));
	if (size == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "size is 0; it must be positive"));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(Pools::get().allocate(memPool, size, *found, ptr));
}

aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream)
{
	if (!ptr)
		return acl_return(null_argument("ptr"));
	auto found = TRY(umd::find_stream(stream, true));
	return acl_return(Pools::get().free(ptr, *found));
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep)
{
	return acl_return(Pools::get().trim(memPool, minBytesToKeep));
}
