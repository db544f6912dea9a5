// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL queries about memory
 */
#include <algorithm>
#include <cstring>

#include "sharing.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/memory.h"
#include "umd/core/memory/released.h"
#include "umd/core/memory/vmm.h"

using base::Status;
using drv::Place;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::set_error;
using umd::VirtualMemory;

/* The chip has one kind of memory, which counts as HBM; a query about DDR returns 0. */
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
	auto context = TRY(Contexts::get().current());
	*free = *total = 0;
	if (!counts_as_hbm(attr))
		return ACL_SUCCESS;
	*total = umd::device_bytes(context->device());
	*free = umd::free_device_bytes(*context);
	return ACL_SUCCESS;
}

/* The only entry is this process as a whole; its memory is not counted by component. */
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum,
			      size_t *outputNum)
{
	if (!memUsageInfo || !outputNum)
		return acl_return(null_argument(memUsageInfo ? "outputNum" : "memUsageInfo"));
	if (inputNum == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "inputNum is 0; it must be positive"));
	auto fill = [&](drv::Device &device) {
		device.reap_all();
		aclrtMemUsageInfo info{};
		strcpy(info.name, "APP");
		info.curMemSize = device.memory().in_use_bytes(Place::DEVICE);
		info.memPeakSize = device.memory().peak_bytes();
		*memUsageInfo = info;
		*outputNum = 1;
		return Status::OK;
	};
	return acl_return(Devices::get().with_device(deviceId, true, fill));
}

aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult,
			   uint32_t reserve)
{
	constexpr uint32_t KNOWN =
		ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD;
	if (!addrList || !checkResult)
		return acl_return(null_argument(addrList ? "checkResult" : "addrList"));
	if (size == 0 || reserve != 0)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("size is {}, reserve is {}; size must be "
							"positive and reserve 0",
							size, reserve)));
	if (memType == 0 || memType & ~KNOWN)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("memType is {:#x}; it must be bits of "
							"ACL_RT_MEM_TYPE_*",
							memType)));
	TRY(Contexts::get().current());
	/* All device memory is of type ACL_RT_MEM_TYPE_DEV. */
	bool all = std::all_of(addrList, addrList + size, [](const void *address) {
		Place place;
		const umd::DeviceHold device = Devices::get().locate(address, place);
		return device && place == Place::DEVICE &&
		       device->memory().lookup(reinterpret_cast<uint64_t>(address)).bytes;
	});
	*checkResult = all && memType & ACL_RT_MEM_TYPE_DEV ? 1 : 0;
	return ACL_SUCCESS;
}

static aclrtMemLocation location_of(const drv::Bo &bo, const umd::DeviceState &state)
{
	auto device = static_cast<uint32_t>(state.index);
	if (bo.use == drv::Use::MANAGED)
		return {device, ACL_MEM_LOCATION_TYPE_MANAGED};
	if (bo.use != drv::Use::MAPPED)
		return bo.place == Place::DEVICE
			       ? aclrtMemLocation{device, ACL_MEM_LOCATION_TYPE_DEVICE}
			       : aclrtMemLocation{0, ACL_MEM_LOCATION_TYPE_HOST};
	auto mapped = VirtualMemory::get().mapped(reinterpret_cast<void *>(bo.va));
	if (!mapped)
		return {0, ACL_MEM_LOCATION_TYPE_UNREGISTERED};
	return umd::location_of(*mapped);
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
	if (!ptr || !attributes)
		return acl_return(null_argument(ptr ? "attributes" : "ptr"));
	TRY(Contexts::get().current());
	*attributes = aclrtPtrAttributes{};
	attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
	Place place;
	const umd::DeviceHold device = Devices::get().locate(ptr, place);
	drv::Bo bo;
	if (device)
		bo = device->memory().lookup(reinterpret_cast<uint64_t>(ptr));
	if (bo.bytes == 0)
		return ACL_SUCCESS;
	attributes->location = location_of(bo, device.state());
	const bool is_small =
		device->memory().part_of(reinterpret_cast<uint64_t>(ptr)).has_small_pages;
	attributes->pageSize = is_small ? base::PAGE_BYTES : base::HUGE_PAGE_BYTES;
	return ACL_SUCCESS;
}

aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize)
{
	if (!ptr)
		return acl_return(null_argument("ptr"));
	if (!pbase || !psize)
		return acl_return(null_argument(pbase ? "psize" : "pbase"));
	Place place;
	const umd::DeviceHold device = Devices::get().locate(ptr, place);
	drv::Bo bo;
	if (device)
		bo = device->memory().lookup(reinterpret_cast<uint64_t>(ptr));
	if (bo.bytes == 0) {
		TRY(umd::ReleasedMemory::check("ptr", ptr));
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("ptr {} is not inside a live allocation or "
							"mapping",
							fmt::ptr(ptr))));
	}
	*pbase = reinterpret_cast<void *>(bo.va);
	*psize = bo.bytes;
	return ACL_SUCCESS;
}
