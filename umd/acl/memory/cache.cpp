// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL cache operations
 *
 * The device's caches are coherent, so a cache operation has no effect on data. It is still a task of
 * its stream: the runtime checks, orders and captures it as one.
 */
#include "acl/acl.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/copy.h"
#include "umd/core/memory/released.h"
#include "umd/core/model/cache_barrier.h"
#include "umd/core/model/model_build.h"
#include "umd/core/process/call.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::set_error;

/* struct CacheDescription - the layout that aclrtCmoSetDesc() writes to device memory. */
struct CacheDescription {
	uint64_t address;
	uint64_t bytes;
	uint64_t reserved[6];
};

static Status check_type(aclrtCmoType type)
{
	if (type == ACL_RT_CMO_TYPE_PREFETCH)
		return Status::OK;
	if (type < ACL_RT_CMO_TYPE_PREFETCH || type > ACL_RT_CMO_TYPE_FLUSH)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("cmoType is {}; it must be ACL_RT_CMO_TYPE_PREFETCH (0)",
				    static_cast<int>(type)));
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("cmoType is {}; of the cache operations only "
				     "ACL_RT_CMO_TYPE_PREFETCH (0) is supported on a stream",
				     static_cast<int>(type)));
}

static Status check_range(const char *name, const void *address, size_t size)
{
	if (!address)
		return null_argument(name);
	if (size == 0)
		return set_error(Status::NULL_POINTER, "size is 0; it must be positive");
	return Status::OK;
}

static Status check_device(const char *name, const void *address)
{
	if (umd::side_of(address) != umd::Side::HOST)
		return Status::OK;
	TRY(umd::ReleasedMemory::check(name, address));
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} {} is not device memory", name, fmt::ptr(address)));
}

static aclError enqueue_operation(aclrtStream stream)
{
	auto found = TRY(umd::find_stream(stream, true));
	auto cookie = drv::cookie_call(static_cast<uint8_t>(umd::Call::CACHE));
	return acl_return(umd::enqueue(*found, drv::nop_packet(cookie)));
}

aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream)
{
	Status status = check_range("src", src, size);
	if (status == Status::OK)
		status = check_type(cmoType);
	if (status == Status::OK)
		status = check_device("src", src);
	return status == Status::OK ? enqueue_operation(stream) : acl_return(status);
}

/* Only streams that are bound to a model have barriers. */
static umd::Held<umd::Stream> find_bound(aclrtStream stream)
{
	if (!stream)
		return null_argument("stream");
	auto found = umd::find_stream(stream, true);
	if (found)
		TRY(umd::require_bound(*found, "stream"));
	return found;
}

static Status check_barrier(aclrtCmoType type, uint32_t barrier)
{
	if (type < ACL_RT_CMO_TYPE_PREFETCH || type > ACL_RT_CMO_TYPE_FLUSH)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("cmoType is {}; it must be an aclrtCmoType",
					     static_cast<int>(type)));
	if (barrier == 0 || type == ACL_RT_CMO_TYPE_INVALID)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("barrierId is {} and cmoType {}; only operations of "
				     "ACL_RT_CMO_TYPE_INVALID (2) can be waited for, others have "
				     "barrierId 0",
				     barrier, static_cast<int>(type)));
}

aclError aclrtCmoAsyncWithBarrier(void *src, size_t size, aclrtCmoType cmoType, uint32_t barrierId,
				  aclrtStream stream)
{
	TRY(check_range("src", src, size));
	TRY(check_barrier(cmoType, barrierId));
	TRY(check_device("src", src));
	auto found = TRY(find_bound(stream));
	if (barrierId != 0)
		return acl_return(umd::add_barrier(*found, barrierId));
	return enqueue_operation(stream);
}

aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream, uint32_t flag)
{
	if (!taskInfo)
		return acl_return(null_argument("taskInfo"));
	if (flag != 0)
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("flag is {}; it must be 0", flag)));
	if (taskInfo->barrierNum == 0 || taskInfo->barrierNum > ACL_RT_CMO_MAX_BARRIER_NUM)
		return acl_return(
			set_error(Status::INVALID_ARGUMENT,
				  fmt::format("taskInfo->barrierNum is {}; it must be 1 to {}",
					      taskInfo->barrierNum, ACL_RT_CMO_MAX_BARRIER_NUM)));
	uint32_t ids[ACL_RT_CMO_MAX_BARRIER_NUM];
	for (size_t i = 0; i < taskInfo->barrierNum; i++) {
		const aclrtBarrierCmoInfo &info = taskInfo->cmoInfo[i];
		if (info.cmoType != ACL_RT_CMO_TYPE_INVALID || info.barrierId == 0)
			return acl_return(set_error(
				Status::INVALID_ARGUMENT,
				fmt::format(
					"taskInfo->cmoInfo[{}] has cmoType {} and barrierId {}; "
					"only ACL_RT_CMO_TYPE_INVALID (2) with a number over 0 "
					"can be waited for",
					i, static_cast<int>(info.cmoType), info.barrierId)));
		ids[i] = info.barrierId;
	}
	auto found = TRY(find_bound(stream));
	return acl_return(umd::await_barriers(*found, {ids, taskInfo->barrierNum}));
}

aclError aclrtCmoGetDescSize(size_t *size)
{
	if (!size)
		return acl_return(null_argument("size"));
	*size = sizeof(CacheDescription);
	return ACL_SUCCESS;
}

aclError aclrtCmoSetDesc(void *cmoDesc, void *src, size_t size)
{
	if (!cmoDesc)
		return acl_return(null_argument("cmoDesc"));
	TRY(check_range("src", src, size));
	TRY(check_device("cmoDesc", cmoDesc));
	auto context = TRY(Contexts::get().current());
	CacheDescription description{reinterpret_cast<uint64_t>(src), size, {}};
	return acl_return(umd::copy_now(context, "aclrtCmoSetDesc", cmoDesc, &description,
					sizeof(description)));
}

aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
			       const void *reserve)
{
	if (!cmoDesc)
		return acl_return(null_argument("cmoDesc"));
	if (reserve)
		return acl_return(
			set_error(Status::NULL_POINTER, "reserve is reserved; it must be NULL"));
	Status status = check_type(cmoType);
	if (status == Status::OK)
		status = check_device("cmoDesc", cmoDesc);
	return status == Status::OK ? enqueue_operation(stream) : acl_return(status);
}

/* The host and the device see each other's writes without a flush, so only the arguments are
 * checked. */
aclError aclrtMemFlush(void *devPtr, size_t size)
{
	Status status = check_range("devPtr", devPtr, size);
	return acl_return(status == Status::OK ? check_device("devPtr", devPtr) : status);
}

aclError aclrtMemInvalidate(void *devPtr, size_t size)
{
	return aclrtMemFlush(devPtr, size);
}
