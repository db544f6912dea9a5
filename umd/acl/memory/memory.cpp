// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL memory
 */
#include "umd/core/memory/memory.h"
#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/wait_device.h"
#include "umd/core/memory/made.h"

using base::Status;
using drv::Place;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::set_error;

/* Sizes are rounded up to 32 bytes, and most calls add 32 bytes that a program may overrun an
 * allocation by. */
static constexpr uint64_t UNIT_BYTES = 32;

static Status check_size(const char *name, const void *out, size_t size)
{
	if (!out)
		return null_argument(name);
	if (size == 0)
		return set_error(Status::NULL_POINTER, "size is 0; it must be positive");
	return Status::OK;
}

static unpu_page_kind pages_of(aclrtMemMallocPolicy policy, size_t size)
{
	constexpr size_t SMALL = 1u << 20;
	constexpr int KINDS = 0xff;
	policy = static_cast<aclrtMemMallocPolicy>(static_cast<int>(policy) & KINDS);
	if (policy == ACL_MEM_MALLOC_NORMAL_ONLY || policy == ACL_MEM_MALLOC_NORMAL_ONLY_P2P ||
	    size <= SMALL)
		return UNPU_PAGE_THP;
	return UNPU_PAGE_HUGETLB;
}

/* With UNPU_CHECK, refuses a policy that is no enumerator, or that has unknown bits. */
static Status check_policy(aclrtMemMallocPolicy policy)
{
	constexpr int KNOWN = 0xff | ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
			      ACL_MEM_ACCESS_USER_SPACE_READONLY;
	const int bits = static_cast<int>(policy);
	if (!umd::check::is_on() ||
	    ((bits & ~KNOWN) == 0 && (bits & 0xff) <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P)) [[likely]]
		return Status::OK;
	return umd::check::misuse(
		Status::INVALID_ENUM,
		fmt::format("aclrtMalloc: policy is {:#x}, which is no aclrtMemMallocPolicy; the "
			    "memory gets pages of the default kind",
			    static_cast<unsigned>(bits)));
}

/* @site: the return address of the API call */
static aclError malloc_device(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
			      uint64_t padding, const void *site)
{
	TRY(check_size("devPtr", devPtr, size));
	TRY(check_policy(policy));
	auto context = TRY(Contexts::get().current());
	if (size <= SIZE_MAX - UNIT_BYTES)
		padding += base::round_up(size, UNIT_BYTES) - size;
	Status status = umd::malloc_device(*context, size, padding, pages_of(policy, size), devPtr);
	if (status == Status::OK)
		umd::check::made(*devPtr, "device memory", size, site);
	return acl_return(status);
}

/* Objects of 1 GiB pages are not padded. */
static uint64_t padding_of(aclrtMemMallocPolicy policy)
{
	constexpr int KINDS = 0xff;
	const int kind = static_cast<int>(policy) & KINDS;
	return kind == ACL_MEM_MALLOC_HUGE1G_ONLY || kind == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P
		       ? 0
		       : UNIT_BYTES;
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return malloc_device(devPtr, size, policy, padding_of(policy), __builtin_return_address(0));
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return malloc_device(devPtr, size, policy, 0, __builtin_return_address(0));
}

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return malloc_device(devPtr, size, policy, padding_of(policy), __builtin_return_address(0));
}

aclError acldvppMalloc(void **devPtr, size_t size)
{
	return malloc_device(devPtr, size, ACL_MEM_MALLOC_HUGE_FIRST, UNIT_BYTES,
			     __builtin_return_address(0));
}

static Status check_attribute(const umd::Context &context, const aclrtMallocAttribute &attribute)
{
	auto device = static_cast<uint32_t>(context.state->index);
	switch (attribute.attr) {
	case ACL_RT_MEM_ATTR_RSV:
	case ACL_RT_MEM_ATTR_MODULE_ID:
	case ACL_RT_MEM_ATTR_VA_FLAG:
		return Status::OK;
	case ACL_RT_MEM_ATTR_DEVICE_ID:
		if (attribute.value.deviceId == device)
			return Status::OK;
		return set_error(
			Status::INVALID_DEVICE,
			fmt::format("cfg: the device is {}; it must be the current one, {}",
				    attribute.value.deviceId, device));
	default:
		return set_error(Status::INVALID_ENUM,
				 fmt::format("cfg: attribute {} is not an aclrtMallocAttrType",
					     static_cast<int>(attribute.attr)));
	}
}

/* Module ids and address kinds are accepted and have no effect on this device. */
static Status check_config(const aclrtMallocConfig *cfg)
{
	auto context = TRY(Contexts::get().current());
	if (!cfg || cfg->numAttrs == 0)
		return Status::OK;
	if (!cfg->attrs)
		return null_argument("cfg->attrs");
	for (size_t i = 0; i < cfg->numAttrs; i++)
		TRY(check_attribute(*context, cfg->attrs[i]));
	return Status::OK;
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
			    aclrtMallocConfig *cfg)
{
	TRY(check_config(cfg));
	return malloc_device(devPtr, size, policy, padding_of(policy), __builtin_return_address(0));
}

/* The scheduler can access all device memory, so this is an ordinary allocation. */
aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
				     aclrtMallocConfig *cfg)
{
	return aclrtMallocWithCfg(devPtr, size, policy, cfg);
}

/* @site: the return address of the API call */
static aclError malloc_host(void **hostPtr, size_t size, const void *site)
{
	TRY(check_size("hostPtr", hostPtr, size));
	auto context = TRY(Contexts::get().current());
	Status status = umd::malloc_host(*context, size, hostPtr);
	if (status == Status::OK)
		umd::check::made(*hostPtr, "pinned host memory", size, site);
	return acl_return(status);
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
	return malloc_host(hostPtr, size, __builtin_return_address(0));
}

aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg)
{
	TRY(check_config(cfg));
	return malloc_host(ptr, size, __builtin_return_address(0));
}

/* The entry is removed only if the memory was really freed. */
static aclError release(void *address, Place place, const void *site)
{
	const Status status = umd::free_memory(address, place);
	if (status == Status::OK)
		umd::check::gone(address, site);
	return acl_return(status);
}

aclError aclrtFree(void *devPtr)
{
	if (!devPtr)
		return acl_return(null_argument("devPtr"));
	return release(devPtr, Place::DEVICE, __builtin_return_address(0));
}

aclError acldvppFree(void *devPtr)
{
	if (!devPtr)
		return acl_return(null_argument("devPtr"));
	return release(devPtr, Place::DEVICE, __builtin_return_address(0));
}

aclError aclrtFreeHost(void *hostPtr)
{
	if (!hostPtr)
		return acl_return(null_argument("hostPtr"));
	return release(hostPtr, Place::PINNED, __builtin_return_address(0));
}

static aclError free_after_sync(void *address, const char *name, Place place, const void *site)
{
	if (!address)
		return acl_return(null_argument(name));
	auto context = TRY(Contexts::get().current());
	TRY(umd::wait_device(*context, base::NO_DEADLINE));
	return release(address, place, site);
}

aclError aclrtFreeWithDevSync(void *devPtr)
{
	return free_after_sync(devPtr, "devPtr", Place::DEVICE, __builtin_return_address(0));
}

aclError aclrtFreeHostWithDevSync(void *hostPtr)
{
	return free_after_sync(hostPtr, "hostPtr", Place::PINNED, __builtin_return_address(0));
}
