// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL virtual memory
 */
#include "umd/core/memory/vmm.h"
#include "sharing.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/made.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::set_error;
using umd::VirtualMemory;

static_assert(int{ACL_RT_MEM_ACCESS_FLAGS_READ} == int{UNPU_ACCESS_READ});
static_assert(int{ACL_RT_MEM_ACCESS_FLAGS_READWRITE} == int{UNPU_ACCESS_MASK});

static Status check_zero(const char *name, uint64_t value)
{
	if (value == 0)
		return Status::OK;
	return set_error(Status::INVALID_ENUM, fmt::format("{} is {}; it must be 0", name, value));
}

static Status check_positive(size_t size)
{
	return size ? Status::OK
		    : set_error(Status::INVALID_ENUM, "size is 0; it must be positive");
}

static Status check_reservation(void *const *virPtr, size_t size, size_t alignment, uint64_t flags)
{
	TRY(virPtr ? check_positive(size) : null_argument("virPtr"));
	TRY(check_zero("alignment", alignment));
	if (flags <= 1)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("flags is {}; it must be 0 or 1", flags));
}

/* @reserved: size of the reservation at @address. @site: return address of the call that made it */
static aclError note_reservation(Status reserved, void *const *address, size_t size,
				 const void *site)
{
	if (reserved == Status::OK)
		umd::check::made(*address, "reserved addresses", size, site);
	return acl_return(reserved);
}

/* The documented range of addresses that a program may ask for. */
static Status check_expected(const void *address, size_t size)
{
	constexpr uint64_t TIB = uint64_t{1} << 40;
	constexpr uint64_t FIRST = 16 * TIB;
	constexpr uint64_t END = 24 * TIB;
	const auto start = reinterpret_cast<uint64_t>(address);
	if (start >= FIRST && start < END && size <= END - start)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("expectPtr is {}; the {} bytes must lie between 16 TiB ({:#x}) "
			    "and 24 TiB ({:#x}); pass NULL to let the library choose",
			    fmt::ptr(address), size, FIRST, END));
}

aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr,
				uint64_t flags)
{
	TRY(check_reservation(virPtr, size, alignment, flags));
	if (expectPtr)
		TRY(check_expected(expectPtr, size));
	Status status = expectPtr ? VirtualMemory::get().reserve_at(size, expectPtr, virPtr)
				  : VirtualMemory::get().reserve(size, nullptr, virPtr);
	return note_reservation(status, virPtr, size, __builtin_return_address(0));
}

aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size, size_t alignment,
					  void *expectPtr, uint64_t flags)
{
	constexpr size_t UNIT = size_t{1} << 30;
	TRY(check_reservation(virPtr, size, alignment, flags));
	if (size % UNIT != 0)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("size is {}; it must be a multiple of 1 GiB", size)));
	if (!expectPtr)
		return acl_return(null_argument("expectPtr"));
	Status status = VirtualMemory::get().reserve_at(size, expectPtr, virPtr);
	return note_reservation(status, virPtr, size, __builtin_return_address(0));
}

aclError aclrtReleaseMemAddress(void *virPtr)
{
	const Status status = VirtualMemory::get().release(virPtr);
	if (status == Status::OK)
		umd::check::gone(virPtr);
	return acl_return(status);
}

static bool on_host(aclrtMemLocationType type)
{
	return type == ACL_MEM_LOCATION_TYPE_HOST || type == ACL_MEM_LOCATION_TYPE_HOST_NUMA;
}

static bool is_ddr(aclrtMemAttr attr)
{
	return attr == ACL_DDR_MEM || attr == ACL_DDR_MEM_HUGE || attr == ACL_DDR_MEM_NORMAL ||
	       attr == ACL_DDR_MEM_P2P_HUGE || attr == ACL_DDR_MEM_P2P_NORMAL;
}

static Status check_attribute(const aclrtPhysicalMemProp &prop)
{
	auto attr = static_cast<int>(prop.memAttr);
	if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("prop.memAttr is {}; it must be an aclrtMemAttr", attr));
	if (is_ddr(prop.memAttr) && !on_host(prop.location.type))
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("prop.memAttr is {}, of DDR; the device has HBM, and DDR "
				    "is for the host",
				    attr));
	return Status::OK;
}

static Status check_location(const aclrtMemLocation &location)
{
	auto type = static_cast<int>(location.type);
	if (on_host(location.type))
		return Status::OK;
	if (location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("location.type is {}; it must be HOST, DEVICE or HOST_NUMA",
				    type));
	auto count = TRY(Devices::get().device_count());
	if (location.id < count)
		return Status::OK;
	return set_error(Status::INVALID_DEVICE,
			 fmt::format("location.id is {}, but the devices are 0 to {}", location.id,
				     count - 1));
}

static Status check_properties(const aclrtPhysicalMemProp &prop)
{
	if (prop.handleType != ACL_MEM_HANDLE_TYPE_NONE)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("prop.handleType is {}; it must be "
					     "ACL_MEM_HANDLE_TYPE_NONE (0)",
					     static_cast<int>(prop.handleType)));
	if (prop.allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("prop.allocationType is {}; it must be "
					     "ACL_MEM_ALLOCATION_TYPE_PINNED (0)",
					     static_cast<int>(prop.allocationType)));
	TRY(check_location(prop.location));
	return check_attribute(prop);
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
			     const aclrtPhysicalMemProp *prop, uint64_t flags)
{
	if (!handle || !prop)
		return acl_return(null_argument(handle ? "prop" : "handle"));
	TRY(check_positive(size));
	TRY(check_zero("flags", flags));
	TRY(check_properties(*prop));
	if (size % base::HUGE_PAGE_BYTES != 0)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("size is {}; it must be a multiple of 2 MiB, see "
					      "aclrtMemGetAllocationGranularity",
					      size)));
	umd::PhysicalProperties wish{size, on_host(prop->location.type),
				     static_cast<uint32_t>(prop->memAttr),
				     static_cast<uint32_t>(prop->location.type), prop->location.id};
	/* Host memory belongs to no device, so the device that the thread uses allocates it. */
	const int32_t index =
		wish.is_host ? umd::chosen_device() : static_cast<int32_t>(prop->location.id);
	auto made = TRY(VirtualMemory::get().create(index, wish));
	*handle = made;
	umd::check::taken(made, "physical memory", size, __builtin_return_address(0), index);
	return ACL_SUCCESS;
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle)
{
	const Status status = VirtualMemory::get().drop(handle);
	if (status == Status::OK)
		umd::check::gone(handle);
	return acl_return(status);
}

static aclError map(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
		    uint64_t flags, uint32_t access)
{
	TRY(virPtr ? check_zero("offset", offset) : null_argument("virPtr"));
	TRY(check_zero("flags", flags));
	return acl_return(VirtualMemory::get().map(virPtr, size, handle, {.device = access}));
}

aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
		     uint64_t flags)
{
	return map(virPtr, size, offset, handle, flags, UNPU_ACCESS_MASK);
}

aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
			     uint64_t flags)
{
	return map(virPtr, size, offset, handle, flags, 0);
}

aclError aclrtUnmapMem(void *virPtr)
{
	return acl_return(VirtualMemory::get().unmap(virPtr));
}

/* Sets @host if @location is the host. A device must be the one that @virPtr is mapped on. */
static Status parse_location(const void *virPtr, const aclrtMemLocation &location, bool &host)
{
	host = on_host(location.type);
	if (host)
		return Status::OK;
	if (location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("location.type is {}; it must be HOST or DEVICE",
					     static_cast<int>(location.type)));
	int32_t device = VirtualMemory::get().device_of(virPtr);
	if (device < 0 || location.id == static_cast<uint32_t>(device))
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("location.id is {}; the memory is mapped on device {} alone",
				     location.id, device));
}

static Status check_description(const void *virPtr, const aclrtMemAccessDesc &desc)
{
	bool host;
	TRY(parse_location(virPtr, desc.location, host));
	if (desc.flags == ACL_RT_MEM_ACCESS_FLAGS_NONE ||
	    desc.flags == ACL_RT_MEM_ACCESS_FLAGS_READ ||
	    desc.flags == ACL_RT_MEM_ACCESS_FLAGS_READWRITE)
		return Status::OK;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format("desc.flags is {}; it must be NONE (0), READ (1) or READWRITE (3)",
			    static_cast<int>(desc.flags)));
}

aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count)
{
	if (!virPtr || !desc)
		return acl_return(null_argument(virPtr ? "desc" : "virPtr"));
	if (count == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "count is 0; it must be positive"));
	for (size_t i = 0; i < count; i++) {
		TRY(check_description(virPtr, desc[i]));
	}
	for (size_t i = 0; i < count; i++) {
		TRY(VirtualMemory::get().set_access(virPtr, size, on_host(desc[i].location.type),
						    static_cast<uint32_t>(desc[i].flags)));
	}
	return ACL_SUCCESS;
}

aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag)
{
	if (!virPtr)
		return acl_return(null_argument("virPtr"));
	if (!location || !flag)
		return acl_return(null_argument(location ? "flag" : "location"));
	bool host;
	TRY(parse_location(virPtr, *location, host));
	auto access = TRY(VirtualMemory::get().access(virPtr, host));
	*flag = access;
	return ACL_SUCCESS;
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
					  aclrtMemGranularityOptions option, size_t *granularity)
{
	if (!prop || !granularity)
		return acl_return(null_argument(prop ? "granularity" : "prop"));
	TRY(check_properties(*prop));
	if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
	    option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED)
		return acl_return(set_error(
			Status::INVALID_ENUM,
			fmt::format("option is {}; it must be MINIMUM (0) or RECOMMENDED (1)",
				    static_cast<int>(option))));
	*granularity = base::HUGE_PAGE_BYTES;
	return ACL_SUCCESS;
}

aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle)
{
	if (!virPtr || !handle)
		return acl_return(null_argument(virPtr ? "handle" : "virPtr"));
	auto retained = TRY(VirtualMemory::get().retain(virPtr));
	*handle = retained;
	umd::check::taken(retained, "physical memory", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
						   aclrtPhysicalMemProp *prop)
{
	if (!prop)
		return acl_return(null_argument("prop"));
	auto found = TRY(VirtualMemory::get().properties(handle));
	*prop = aclrtPhysicalMemProp{};
	prop->memAttr = umd::attribute_of(found);
	prop->location = umd::location_of(found);
	return ACL_SUCCESS;
}
