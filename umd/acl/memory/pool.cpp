// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL memory pools
 */
#include "umd/core/memory/pool.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "acl/acl_rt_memory_soma.h"
#include "umd/acl/front.h"
#include "umd/core/check/owned.h"
#include "umd/core/context/contexts.h"
#include "umd/core/stream/find_stream.h"

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
	TRY_VALUE(context, Contexts::get().current());
	Status status = check_properties(*context, *poolProps);
	if (status != Status::OK)
		return acl_return(status);
	TRY_VALUE(made, Pools::get().create(*context, poolProps->maxSize));
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

static bool *policy_of(Pool &pool, aclrtMemPoolAttr attr)
{
	switch (attr) {
	case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
		return &pool.reuse_events;
	case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
		return &pool.reuse_done;
	case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
		return &pool.reuse_waiting;
	default:
		return nullptr;
	}
}

static const uint64_t *number_of(const Pool &pool, aclrtMemPoolAttr attr)
{
	switch (attr) {
	case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
		return &pool.threshold;
	case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
		return &pool.reserved;
	case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
		return &pool.reserved_high;
	case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
		return &pool.used;
	default:
		return &pool.used_high;
	}
}

static Status check_attribute(aclrtMemPoolAttr attr, const void *value)
{
	if (!value)
		return null_argument("value");
	if (attr >= ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
	    attr <= ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("attr is {}; it must be 1 to 8", static_cast<int>(attr)));
}

static Status set_number(Pool &pool, aclrtMemPoolAttr attr, uint64_t value)
{
	if (attr == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD) {
		pool.threshold = value;
		return Status::OK;
	}
	bool mark = attr == ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH ||
		    attr == ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH;
	if (!mark || value != 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("attr {} can't be set to {}; of the counters only the "
					     "high-water marks can be set, to 0",
					     static_cast<int>(attr), value));
	if (attr == ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH)
		pool.reserved_high = pool.reserved;
	else
		pool.used_high = pool.used;
	return Status::OK;
}

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value)
{
	Status status = check_attribute(attr, value);
	if (status != Status::OK)
		return acl_return(status);
	Status visited = Pools::get().visit(memPool, [&](Pool &pool) {
		if (bool *policy = policy_of(pool, attr)) {
			int number;
			memcpy(&number, value, sizeof(number));
			*policy = number != 0;
			return;
		}
		uint64_t number;
		memcpy(&number, value, sizeof(number));
		status = set_number(pool, attr, number);
	});
	return acl_return(visited == Status::OK ? status : visited);
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value)
{
	Status status = check_attribute(attr, value);
	if (status != Status::OK)
		return acl_return(status);
	return acl_return(Pools::get().visit(memPool, [&](Pool &pool) {
		if (const bool *policy = policy_of(pool, attr)) {
			int number = *policy ? 1 : 0;
			memcpy(value, &number, sizeof(number));
			return;
		}
		memcpy(value, number_of(pool, attr), sizeof(uint64_t));
	}));
}

aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool, aclrtStream stream)
{
	if (!ptr || !stream)
		return acl_return(null_argument(ptr ? "stream" : "ptr"));
	if (size == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "size is 0; it must be positive"));
	TRY_VALUE(found, umd::find_stream(stream, true));
	return acl_return(Pools::get().allocate(memPool, size, *found, ptr));
}

aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream)
{
	if (!ptr)
		return acl_return(null_argument("ptr"));
	TRY_VALUE(found, umd::find_stream(stream, true));
	return acl_return(Pools::get().free(ptr, *found));
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep)
{
	return acl_return(Pools::get().trim(memPool, minBytesToKeep));
}
