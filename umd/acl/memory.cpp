// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL memory
 */
#include "umd/memory.h"
#include "front.h"

using base::Status;
using drv::Place;
using umd::acl_return;
using umd::null_argument;
using umd::Runtime;
using umd::set_error;

/* What a program may overrun an allocation by: sizes are rounded to 32 and 32 are added. */
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
	if (policy == ACL_MEM_MALLOC_NORMAL_ONLY || policy == ACL_MEM_MALLOC_NORMAL_ONLY_P2P ||
	    size <= SMALL)
		return UNPU_PAGE_THP;
	return UNPU_PAGE_HUGETLB;
}

static aclError malloc_device(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
			      uint64_t padding)
{
	Status status = check_size("devPtr", devPtr, size);
	if (status != Status::OK)
		return acl_return(status);
	TRY_VALUE(context, Runtime::get().current());
	uint64_t rounded = size > SIZE_MAX - UNIT_BYTES ? size : base::round_up(size, UNIT_BYTES);
	return acl_return(
		umd::malloc_device(*context, rounded, padding, pages_of(policy, size), devPtr));
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return malloc_device(devPtr, size, policy, UNIT_BYTES);
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return malloc_device(devPtr, size, policy, 0);
}

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	switch (policy) {
	case ACL_MEM_MALLOC_HUGE_FIRST:
	case ACL_MEM_MALLOC_HUGE_ONLY:
	case ACL_MEM_MALLOC_NORMAL_ONLY:
	case ACL_MEM_MALLOC_HUGE1G_ONLY:
		return malloc_device(devPtr, size, policy, UNIT_BYTES);
	default:
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("policy is {}; cached memory takes HUGE_FIRST, "
					      "HUGE_ONLY, NORMAL_ONLY or HUGE1G_ONLY",
					      static_cast<int>(policy))));
	}
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
	Status status = check_size("hostPtr", hostPtr, size);
	if (status != Status::OK)
		return acl_return(status);
	TRY_VALUE(context, Runtime::get().current());
	return acl_return(umd::malloc_host(*context, size, hostPtr));
}

aclError aclrtFree(void *devPtr)
{
	if (!devPtr)
		return acl_return(null_argument("devPtr"));
	return acl_return(umd::free_memory(devPtr, Place::DEVICE));
}

aclError aclrtFreeHost(void *hostPtr)
{
	if (!hostPtr)
		return acl_return(null_argument("hostPtr"));
	return acl_return(umd::free_memory(hostPtr, Place::PINNED));
}

static aclError free_after_sync(void *address, const char *name, Place place)
{
	if (!address)
		return acl_return(null_argument(name));
	TRY_VALUE(context, Runtime::get().current());
	Status status = umd::wait_context(*context, base::NO_DEADLINE);
	if (status != Status::OK)
		return acl_return(status);
	return acl_return(umd::free_memory(address, place));
}

aclError aclrtFreeWithDevSync(void *devPtr)
{
	return free_after_sync(devPtr, "devPtr", Place::DEVICE);
}

aclError aclrtFreeHostWithDevSync(void *hostPtr)
{
	return free_after_sync(hostPtr, "hostPtr", Place::PINNED);
}

/* The chip has one kind of memory, and calls it HBM; a question about DDR has the answer 0. */
static bool counts_as_hbm(aclrtMemAttr attr)
{
	switch (attr) {
	case ACL_DDR_MEM:
	case ACL_DDR_MEM_HUGE:
	case ACL_DDR_MEM_NORMAL:
	case ACL_DDR_MEM_P2P_HUGE:
	case ACL_DDR_MEM_P2P_NORMAL:
		return false;
	default:
		return true;
	}
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
	if (!free || !total)
		return acl_return(null_argument(free ? "total" : "free"));
	if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("attr is {}; it must be an aclrtMemAttr",
							static_cast<int>(attr))));
	TRY_VALUE(context, Runtime::get().current());
	*free = *total = 0;
	if (!counts_as_hbm(attr))
		return ACL_SUCCESS;
	*total = context->device().hal().bar().memory_bytes;
	*free = umd::free_device_bytes(*context);
	return ACL_SUCCESS;
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
	if (!ptr || !attributes)
		return acl_return(null_argument(ptr ? "attributes" : "ptr"));
	TRY_VALUE(context, Runtime::get().current());
	(void)context;
	*attributes = aclrtPtrAttributes{};
	attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
	Place place;
	umd::DeviceState *state = Runtime::get().locate(ptr, place);
	auto value = reinterpret_cast<uint64_t>(ptr);
	if (!state || state->device->memory().lookup(value).bytes == 0)
		return ACL_SUCCESS;
	const drv::Chunk *chunk = state->device->space().find(value);
	attributes->location.type =
		place == Place::DEVICE ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST;
	attributes->location.id = place == Place::DEVICE ? static_cast<uint32_t>(state->index) : 0;
	attributes->pageSize =
		chunk->pages == UNPU_PAGE_4K ? base::PAGE_BYTES : base::HUGE_PAGE_BYTES;
	return ACL_SUCCESS;
}
