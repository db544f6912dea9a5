// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL registered host memory
 */
#include "acl/acl.h"
#include "base/os/shm.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/made.h"
#include "umd/core/memory/registrations.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::Registrations;
using umd::set_error;

static Status check_range(const void *ptr, uint64_t size)
{
	if (!ptr)
		return null_argument("ptr");
	if (size == 0)
		return set_error(Status::INVALID_ENUM, "size is 0; it must be positive");
	if (reinterpret_cast<uintptr_t>(ptr) % base::PAGE_BYTES == 0)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("ptr is {}; it must be a multiple of 4096", fmt::ptr(ptr)));
}

aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr)
{
	TRY(devPtr ? check_range(ptr, size) : null_argument("devPtr"));
	if (type != ACL_HOST_REGISTER_MAPPED)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("type is {}; it must be ACL_HOST_REGISTER_MAPPED (0)",
					      static_cast<int>(type))));
	auto context = TRY(Contexts::get().current());
	TRY(Registrations::get().add(*context, ptr, size, true));
	*devPtr = ptr;
	umd::check::made(ptr, "registered host memory", size, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag)
{
	constexpr uint32_t KNOWN = ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED;
	TRY(check_range(ptr, size));
	if (flag == 0 || flag & ~KNOWN)
		return acl_return(
			set_error(Status::NOT_SUPPORTED,
				  fmt::format("flag is {:#x}; only ACL_HOST_REG_MAPPED (0x2), "
					      "ACL_HOST_REG_PINNED (0x10000000) and both are "
					      "supported",
					      flag)));
	auto context = TRY(Contexts::get().current());
	Status status = Registrations::get().add(*context, ptr, size, flag & ACL_HOST_REG_MAPPED);
	if (status == Status::OK)
		umd::check::made(ptr, "registered host memory", size, __builtin_return_address(0));
	return acl_return(status);
}

aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag)
{
	if (!pHost || !pDevice)
		return acl_return(null_argument(pHost ? "pDevice" : "pHost"));
	if (flag != 0)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("flag is {}; it must be 0", flag)));
	auto address = TRY(Registrations::get().device_address(pHost));
	*pDevice = address;
	return ACL_SUCCESS;
}

aclError aclrtHostUnregister(void *ptr)
{
	const Status status = Registrations::get().remove(ptr);
	if (status == Status::OK)
		umd::check::gone(ptr);
	return acl_return(status);
}

/* Only copies, operators and the scheduler access memory; the device has none of the other units. */
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
				     aclrtHostMemMapCapability *capabilities)
{
	if (!capabilities)
		return acl_return(null_argument("capabilities"));
	auto count = TRY(Devices::get().device_count());
	if (deviceId >= count)
		return acl_return(set_error(Status::INVALID_DEVICE,
					    fmt::format("deviceId is {}; the devices are 0 to {}",
							deviceId, count - 1)));
	switch (hacType) {
	case ACL_RT_HAC_TYPE_STARS:
	case ACL_RT_HAC_TYPE_AICPU:
	case ACL_RT_HAC_TYPE_AIC:
	case ACL_RT_HAC_TYPE_AIV:
	case ACL_RT_HAC_TYPE_PCIEDMA:
	case ACL_RT_HAC_TYPE_SDMA:
		*capabilities = ACL_RT_HOST_MEM_MAP_SUPPORTED;
		return ACL_SUCCESS;
	case ACL_RT_HAC_TYPE_RDMA:
	case ACL_RT_HAC_TYPE_DVPP:
	case ACL_RT_HAC_TYPE_UDMA:
	case ACL_RT_HAC_TYPE_CCU:
		*capabilities = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
		return ACL_SUCCESS;
	default:
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("hacType is {}; it must be an aclrtHacType",
							static_cast<int>(hacType))));
	}
}
