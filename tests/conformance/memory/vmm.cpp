// SPDX-License-Identifier: MIT
/*
 * DOC: virtual memory
 *
 * Check 43: addresses and memory that a program puts together, end to end, and what is refused; and
 * what the calls that ask about an address say of each kind of memory (check 40).
 */
#include "support/child_process.h"

#include <cstdlib>

#include <sys/mman.h>

using namespace conformance;

namespace {

using Vmm = DeviceTest;
using MemoryQuery = DeviceTest;

constexpr size_t kUnit = size_t{2} << 20;

aclrtPhysicalMemProp properties(aclrtMemLocationType type = ACL_MEM_LOCATION_TYPE_DEVICE)
{
	aclrtPhysicalMemProp prop = {};

	prop.memAttr = ACL_HBM_MEM_HUGE;
	prop.location.type = type;
	return prop;
}

aclrtDrvMemHandle physical(size_t size, aclrtMemLocationType type = ACL_MEM_LOCATION_TYPE_DEVICE)
{
	const aclrtPhysicalMemProp prop = properties(type);
	aclrtDrvMemHandle handle = nullptr;

	EXPECT_OK(aclrtMallocPhysical(&handle, size, &prop, 0));
	return handle;
}

char *reserve(size_t size)
{
	void *address = nullptr;

	EXPECT_OK(aclrtReserveMemAddress(&address, size, 0, nullptr, 0));
	return static_cast<char *>(address);
}

std::vector<char> load(const void *from, size_t size)
{
	std::vector<char> bytes(size);

	EXPECT_OK(aclrtMemcpy(bytes.data(), size, from, size, ACL_MEMCPY_DEVICE_TO_HOST));
	return bytes;
}

aclrtMemAccessDesc access_of(aclrtMemAccessFlags flags)
{
	aclrtMemAccessDesc desc = {};

	desc.flags = flags;
	desc.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	return desc;
}

} // namespace

TEST_F(Vmm, Check43_PiecesAreOneRangeToCopiesOfBothKinds)
{
	const size_t size = 2 * kUnit;
	char *address = reserve(size);
	aclrtDrvMemHandle first = physical(kUnit);
	aclrtDrvMemHandle second = physical(kUnit);
	const Stream stream;

	ASSERT_NE(address, nullptr);
	EXPECT_OK(aclrtMapMem(address, kUnit, 0, first, 0));
	EXPECT_OK(aclrtMapMem(address + kUnit, kUnit, 0, second, 0));
	EXPECT_OK(aclrtMemset(address, size, 1, size));
	EXPECT_OK(aclrtMemsetAsync(address + kUnit - 64, 128, 7, 128, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	std::vector<char> expected(size, 1);
	std::fill_n(expected.begin() + kUnit - 64, 128, 7);
	EXPECT_TRUE(load(address, size) == expected);

	EXPECT_OK(aclrtUnmapMem(address));
	EXPECT_OK(aclrtUnmapMem(address + kUnit));
	EXPECT_OK(aclrtFreePhysical(first));
	EXPECT_OK(aclrtFreePhysical(second));
	EXPECT_OK(aclrtReleaseMemAddress(address));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "reserved", aclrtReleaseMemAddress(address));
}

TEST_F(Vmm, Check43_MemoryLivesUntilItIsUnmapped)
{
	char *address = reserve(kUnit);
	aclrtDrvMemHandle handle = physical(kUnit);
	aclrtDrvMemHandle again = nullptr;
	char *other = reserve(kUnit);
	size_t before = 0;
	size_t after = 0;
	size_t total = 0;

	EXPECT_OK(aclrtMapMem(address, kUnit, 0, handle, 0));
	EXPECT_OK(aclrtMemset(address, kUnit, 9, kUnit));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "freed", aclrtFreePhysical(handle));
	EXPECT_TRUE(load(address, kUnit) == std::vector<char>(kUnit, 9));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mapped", aclrtReleaseMemAddress(address));

	/* With a new reference it outlives this mapping. */
	EXPECT_OK(aclrtMemRetainAllocationHandle(address + 5, &again));
	EXPECT_OK(aclrtUnmapMem(address));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation",
		     aclrtMemset(address, kUnit, 1, kUnit));
	EXPECT_OK(aclrtMapMem(other, kUnit, 0, again, 0));
	EXPECT_TRUE(load(other, kUnit) == std::vector<char>(kUnit, 9));
	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
	EXPECT_OK(aclrtUnmapMem(other));
	EXPECT_OK(aclrtFreePhysical(again));
	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
	EXPECT_EQ(after, before + kUnit);
	EXPECT_OK(aclrtReleaseMemAddress(address));
	EXPECT_OK(aclrtReleaseMemAddress(other));
}

TEST_F(Vmm, Check43_AccessIsCheckedAndReported)
{
	char *address = reserve(kUnit);
	aclrtDrvMemHandle handle = physical(kUnit);
	aclrtMemAccessDesc read = access_of(ACL_RT_MEM_ACCESS_FLAGS_READ);
	aclrtMemAccessDesc both = access_of(ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
	aclrtMemLocation device = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
	uint64_t flag = 99;
	char byte = 0;

	EXPECT_OK(aclrtMemMapNoAccess(address, kUnit, 0, handle, 0));
	EXPECT_OK(aclrtMemGetAccess(address, &device, &flag));
	EXPECT_EQ(flag, 0u);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "access",
		     aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "access",
		     aclrtMemsetAsync(address, 64, 1, 64, nullptr));

	EXPECT_OK(aclrtMemSetAccess(address, kUnit, &read, 1));
	EXPECT_OK(aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "access", aclrtMemset(address, 64, 1, 64));
	EXPECT_OK(aclrtMemGetAccess(address, &device, &flag));
	EXPECT_EQ(flag, uint64_t{ACL_RT_MEM_ACCESS_FLAGS_READ});

	EXPECT_OK(aclrtMemSetAccess(address, kUnit, &both, 1));
	EXPECT_OK(aclrtMemset(address, 64, 1, 64));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtMemSetAccess(address, kUnit / 2, &both, 1));
	both.flags = raw_enum<aclrtMemAccessFlags>(2);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags", aclrtMemSetAccess(address, kUnit, &both, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "count", aclrtMemSetAccess(address, kUnit, &read, 0));

	EXPECT_OK(aclrtUnmapMem(address));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(Vmm, Check43_HostMemoryHasOneAddress)
{
	char *address = reserve(kUnit);
	aclrtDrvMemHandle handle = physical(kUnit, ACL_MEM_LOCATION_TYPE_HOST);
	aclrtPtrAttributes attributes = {};

	EXPECT_OK(aclrtMapMem(address, kUnit, 0, handle, 0));
	std::memset(address, 3, kUnit);
	EXPECT_OK(aclrtMemsetAsync(address, 64, 4, 64, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(address[63], 4);
	EXPECT_EQ(address[64], 3);
	EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
	EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
	EXPECT_OK(aclrtUnmapMem(address));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(Vmm, OneMemoryHasTwoAddresses)
{
	char *first = reserve(kUnit);
	char *second = reserve(kUnit);
	aclrtDrvMemHandle handle = physical(kUnit);

	EXPECT_OK(aclrtMemMapSetLink(handle, ACL_RT_MEM_ACCESS_LINK_HCCS));
	EXPECT_OK(aclrtMapMem(first, kUnit, 0, handle, 0));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_FAILS(ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED, "HCCS",
		     aclrtMemMapSelectedLink(second, kUnit, first, ACL_RT_MEM_LINK_IDX_0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "linkIdx",
		     aclrtMemMapSelectedLink(second, kUnit, first, 2));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "virPtrSrc",
		     aclrtMemMapSelectedLink(second, kUnit, nullptr, ACL_RT_MEM_LINK_IDX_1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mapped",
		     aclrtMemMapSelectedLink(first, kUnit, second, ACL_RT_MEM_LINK_IDX_1));
	EXPECT_OK(aclrtMemMapSelectedLink(second, kUnit, first, ACL_RT_MEM_LINK_IDX_1));
	EXPECT_OK(aclrtMemset(first, kUnit, 3, kUnit));
	EXPECT_TRUE(load(second, kUnit) == std::vector<char>(kUnit, 3));
	EXPECT_OK(aclrtUnmapMem(first));
	EXPECT_TRUE(load(second, kUnit) == std::vector<char>(kUnit, 3)) << "it lives on";
	EXPECT_OK(aclrtUnmapMem(second));
	EXPECT_OK(aclrtReleaseMemAddress(first));
	EXPECT_OK(aclrtReleaseMemAddress(second));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "handle",
		     aclrtMemMapSetLink(handle, ACL_RT_MEM_ACCESS_LINK_HCCS));
	EXPECT_FAILS(ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED, "adviceLink",
		     aclrtMemMapSetLink(handle, ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "adviceLink",
		     aclrtMemMapSetLink(handle, raw_enum<aclrtMemLinkType>(4)));
}

/* Addresses where this process has nothing, as the kernel knows best. */
static void *free_addresses(size_t size, size_t alignment)
{
	void *found = mmap(nullptr, size + alignment, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	EXPECT_NE(found, MAP_FAILED);
	EXPECT_EQ(munmap(found, size + alignment), 0);
	const auto start = reinterpret_cast<uintptr_t>(found);
	return reinterpret_cast<void *>((start + alignment - 1) / alignment * alignment);
}

TEST_F(Vmm, AddressesMayBeChosen)
{
	constexpr size_t kSize = size_t{1} << 30;
	void *wish = free_addresses(kSize, kSize);
	void *address = nullptr;
	void *other = nullptr;
	aclrtDrvMemHandle memory = physical(kUnit);

	ASSERT_OK(aclrtReserveMemAddressNoUCMemory(&address, kSize, 0, wish, 0));
	EXPECT_EQ(address, wish);
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "they overlap a mapping",
		     aclrtReserveMemAddressNoUCMemory(&other, kSize, 0, wish, 0));

	char *inside = static_cast<char *>(address) + kSize - kUnit;
	EXPECT_OK(aclrtMapMem(inside, kUnit, 0, memory, 0));
	EXPECT_OK(aclrtMemset(inside, kUnit, 3, kUnit));
	{
		const Stream stream;

		EXPECT_OK(aclrtMemsetAsync(inside + 64, 64, 5, 64, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	std::vector<char> expected(kUnit, 3);
	std::fill_n(expected.begin() + 64, 64, 5);
	EXPECT_TRUE(load(inside, kUnit) == expected);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mapped", aclrtReleaseMemAddress(address));
	EXPECT_OK(aclrtUnmapMem(inside));
	EXPECT_OK(aclrtReleaseMemAddress(address));

	EXPECT_OK(aclrtReserveMemAddressNoUCMemory(&other, kSize, 0, wish, 0));
	EXPECT_EQ(other, wish);
	EXPECT_OK(aclrtFreePhysical(memory));
	/* The addresses are given back with the device. */
}

TEST_F(Vmm, AnExpectedAddressIsTakenOrRefused)
{
	const auto at = [](uint64_t address) { return reinterpret_cast<void *>(address); };
	constexpr uint64_t kTebibyte = uint64_t{1} << 40;
	void *address = nullptr;
	void *other = nullptr;

	for (const uint64_t wrong : {uint64_t{0x1000000}, 16 * kTebibyte - kUnit, 24 * kTebibyte,
				     24 * kTebibyte - kUnit / 2})
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "16 TiB",
			     aclrtReserveMemAddress(&address, kUnit, 0, at(wrong), 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "2 MiB",
		     aclrtReserveMemAddress(&address, kUnit, 0, at(20 * kTebibyte + 4096), 0));
	EXPECT_EQ(address, nullptr);
#if !defined(UNPU_TSAN) /* its own memory is there */
	ASSERT_OK(aclrtReserveMemAddress(&address, kUnit, 0, at(20 * kTebibyte), 0));
	EXPECT_EQ(address, at(20 * kTebibyte));
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "overlap",
		     aclrtReserveMemAddress(&other, kUnit, 0, address, 0));
	EXPECT_OK(aclrtReleaseMemAddress(address));
#endif
}

TEST_F(Vmm, AddressesThatCannotBeChosen)
{
	constexpr size_t kSize = size_t{1} << 30;
	char *wish = static_cast<char *>(free_addresses(kSize, kSize));
	void *address = nullptr;
	const auto wrong = [&](aclError code, const char *mention, size_t size, size_t alignment,
			       void *at, uint64_t flags) {
		EXPECT_FAILS(
			code, mention,
			aclrtReserveMemAddressNoUCMemory(&address, size, alignment, at, flags));
	};

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "virPtr",
		     aclrtReserveMemAddressNoUCMemory(nullptr, kSize, 0, wish, 0));
	wrong(ACL_ERROR_INVALID_PARAM, "size", 0, 0, wish, 0);
	wrong(ACL_ERROR_INVALID_PARAM, "1 GiB", kSize + kUnit, 0, wish, 0);
	wrong(ACL_ERROR_INVALID_PARAM, "alignment", kSize, 64, wish, 0);
	wrong(ACL_ERROR_INVALID_PARAM, "flags", kSize, 0, wish, 2);
	wrong(ACL_ERROR_INVALID_PARAM, "expectPtr", kSize, 0, nullptr, 0);
	wrong(ACL_ERROR_RT_PARAM_INVALID, "2 MiB", kSize, 0, wish + 4096, 0);
	wrong(ACL_ERROR_RT_MEMORY_ALLOCATION, "leave the address space", kSize, 0,
	      reinterpret_cast<void *>(uintptr_t{1} << 56), 0);
	EXPECT_EQ(address, nullptr);
}

/* Reservations as large as the device's free memory, as pools make them, and memory beside them. */
TEST_F(Vmm, ReservationsTakeNothingFromAllocations)
{
	constexpr int kReservations = 8;
	std::vector<char *> reserved;
	size_t free_bytes = 0;
	size_t total = 0;

	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
	for (int i = 0; i < kReservations; ++i)
		reserved.push_back(reserve(free_bytes));
	const DeviceBuffer beside(kUnit);
	aclrtDrvMemHandle memory = physical(kUnit);

	EXPECT_OK(aclrtMapMem(reserved.back(), kUnit, 0, memory, 0));
	EXPECT_OK(aclrtMemset(reserved.back(), kUnit, 3, kUnit));
	EXPECT_OK(aclrtMemcpy(beside.data(), kUnit, reserved.back(), kUnit,
			      ACL_MEMCPY_DEVICE_TO_DEVICE));
	EXPECT_TRUE(holds(beside, 3));
	EXPECT_OK(aclrtUnmapMem(reserved.back()));
	EXPECT_OK(aclrtFreePhysical(memory));
	for (char *address : reserved)
		EXPECT_OK(aclrtReleaseMemAddress(address));
}

#if !defined(UNPU_TSAN)

/* An emulator of one program may give it few addresses. */
bool has_addresses(size_t bytes)
{
	void *all =
		mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return all != MAP_FAILED && munmap(all, bytes) == 0;
}

TEST_F(Vmm, SixteenTebibytesOfAddressesAreThere)
{
	constexpr size_t kTebibyte = size_t{1} << 40;
	if (!has_addresses(16 * kTebibyte))
		GTEST_SKIP() << "this process has less than 16 TiB of addresses";
	char *half = reserve(8 * kTebibyte);
	std::vector<char *> rest;
	aclrtDrvMemHandle memory = physical(kUnit);

	for (int i = 0; i < 8; ++i)
		rest.push_back(reserve(kTebibyte));
	char *last = half + 8 * kTebibyte - kUnit;
	EXPECT_OK(aclrtMapMem(last, kUnit, 0, memory, 0));
	EXPECT_OK(aclrtMemset(last, kUnit, 5, kUnit));
	EXPECT_TRUE(load(last, kUnit) == std::vector<char>(kUnit, 5));
	EXPECT_OK(aclrtUnmapMem(last));
	EXPECT_OK(aclrtFreePhysical(memory));
	EXPECT_OK(aclrtReleaseMemAddress(half));
	for (char *address : rest)
		EXPECT_OK(aclrtReleaseMemAddress(address));
}

#endif

/* Where nothing is mapped the addresses are no memory, of the host neither. */
TEST_F(Vmm, CopiesOfReservedAddressesAreRefused)
{
	char *address = reserve(2 * kUnit);
	char byte = 0;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation",
		     aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation",
		     aclrtMemset(address + kUnit, 64, 1, 64));
	EXPECT_OK(aclrtReleaseMemAddress(address));
}

/* A pool is set up before the thread chooses a device, and for any device. */
TEST_F(Vmm, NeedsNoContext)
{
	EXPECT_OK(aclrtResetDevice(0));
	aclrtPhysicalMemProp prop = properties();
	aclrtDrvMemHandle handle = nullptr;
	size_t unit = 0;

	EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
						   &unit));
	EXPECT_EQ(unit, kUnit);
	char *address = reserve(kUnit);
	EXPECT_OK(aclrtMallocPhysical(&handle, kUnit, &prop, 0));
	EXPECT_OK(aclrtMapMem(address, kUnit, 0, handle, 0));
	prop.location.id = 4711;
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "location.id",
		     aclrtMemGetAllocationGranularity(
			     &prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &unit));

	/* Reservations and mappings exist when the device is chosen. */
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_OK(aclrtMemset(address, kUnit, 7, kUnit));
	EXPECT_TRUE(load(address, kUnit) == std::vector<char>(kUnit, 7));
	EXPECT_OK(aclrtUnmapMem(address));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_OK(aclrtReleaseMemAddress(address));
}

/* Each device's memory in one reservation, made while another device is the thread's. */
TEST(VmmDevices, MemoryOfAnyDevice)
{
	if (!alone("devices=2"))
		return;
	open_device();
	aclrtPhysicalMemProp prop = properties();
	aclrtDrvMemHandle handles[2] = {};
	char *address = reserve(2 * kUnit);
	std::vector<char> out(2 * kUnit);

	for (uint32_t i = 0; i < 2; ++i) {
		prop.location.id = i;
		EXPECT_OK(aclrtMallocPhysical(&handles[i], kUnit, &prop, 0));
		EXPECT_OK(aclrtMapMem(address + i * kUnit, kUnit, 0, handles[i], 0));
	}
	EXPECT_OK(aclrtSetDevice(1));
	for (int i = 0; i < 2; ++i)
		EXPECT_OK(aclrtMemset(address + i * kUnit, kUnit, i + 1, kUnit));
	EXPECT_OK(aclrtMemcpy(address, kUnit, address + kUnit, kUnit, ACL_MEMCPY_DEVICE_TO_DEVICE));
	EXPECT_TRUE(load(address, kUnit) == std::vector<char>(kUnit, 2));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation",
		     aclrtMemset(address + kUnit - 64, 128, 1, 128));
	EXPECT_OK(aclrtMemsetAsync(address + kUnit, kUnit, 9, kUnit, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(load(address + kUnit, kUnit) == std::vector<char>(kUnit, 9));
	for (uint32_t i = 0; i < 2; ++i) {
		EXPECT_OK(aclrtUnmapMem(address + i * kUnit));
		EXPECT_OK(aclrtFreePhysical(handles[i]));
	}
	EXPECT_OK(aclrtReleaseMemAddress(address));
	EXPECT_OK(aclrtResetDevice(1));
	close_device();
}

TEST_F(Vmm, Check43_ArgumentsThatAreRefused)
{
	aclrtPhysicalMemProp prop = properties();
	aclrtPhysicalMemProp told = {};
	aclrtDrvMemHandle handle = nullptr;
	void *address = nullptr;
	size_t unit = 0;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtReserveMemAddress(&address, 0, 0, nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "alignment",
		     aclrtReserveMemAddress(&address, kUnit, 64, nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags",
		     aclrtReserveMemAddress(&address, kUnit, 0, nullptr, 2));
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "addresses",
		     aclrtReserveMemAddress(&address, SIZE_MAX, 0, nullptr, 0));

	EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
						   &unit));
	EXPECT_EQ(unit, kUnit);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtMallocPhysical(&handle, kUnit + 1, &prop, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags",
		     aclrtMallocPhysical(&handle, kUnit, &prop, 1));
	prop.memAttr = ACL_DDR_MEM_HUGE;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "DDR", aclrtMallocPhysical(&handle, kUnit, &prop, 0));
	prop = properties();
	prop.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handleType",
		     aclrtMallocPhysical(&handle, kUnit, &prop, 0));

	handle = physical(kUnit);
	char *place = reserve(2 * kUnit);
	EXPECT_OK(aclrtMemGetAllocationPropertiesFromHandle(handle, &told));
	EXPECT_EQ(told.memAttr, ACL_HBM_MEM_HUGE);
	EXPECT_EQ(told.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", aclrtMapMem(place, 2 * kUnit, 0, handle, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "offset", aclrtMapMem(place, kUnit, 64, handle, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags", aclrtMapMem(place, kUnit, 0, handle, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "reserved",
		     aclrtMapMem(&prop, kUnit, 0, handle, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "2 MiB",
		     aclrtMapMem(place + 4096, kUnit, 0, handle, 0));
	EXPECT_OK(aclrtMapMem(place + kUnit, kUnit, 0, handle, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mapped",
		     aclrtMapMem(place + kUnit, kUnit, 0, handle, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mapped", aclrtUnmapMem(place));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "handle", aclrtFreePhysical(place));
	EXPECT_OK(aclrtUnmapMem(place + kUnit));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_OK(aclrtReleaseMemAddress(place));
}

TEST_F(MemoryQuery, Check40_EachKindOfMemoryIsReported)
{
	const DeviceBuffer device(64);
	const PinnedBuffer pinned(64);
	void *ordinary = std::malloc(64);
	void *base = nullptr;
	size_t size = 0;
	const struct {
		void *address;
		aclrtMemLocationType type;
	} cases[] = {
		{device.data(), ACL_MEM_LOCATION_TYPE_DEVICE},
		{pinned.data(), ACL_MEM_LOCATION_TYPE_HOST},
		{ordinary, ACL_MEM_LOCATION_TYPE_UNREGISTERED},
	};

	for (const auto &entry : cases) {
		aclrtPtrAttributes attributes = {};
		EXPECT_OK(aclrtPointerGetAttributes(entry.address, &attributes));
		EXPECT_EQ(attributes.location.type, entry.type);
		EXPECT_EQ(attributes.location.id, 0u);
	}
	EXPECT_OK(aclrtMemGetAddressRange(device.at(5), &base, &size));
	EXPECT_EQ(base, device.data());
	EXPECT_GE(size, 64u);
	EXPECT_OK(aclrtMemGetAddressRange(pinned.data(), &base, &size));
	EXPECT_EQ(base, pinned.data());
	EXPECT_EQ(size, 64u);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "ptr",
		     aclrtMemGetAddressRange(ordinary, &base, &size));
	std::free(ordinary);
}

TEST_F(MemoryQuery, TypesAndUsage)
{
	const DeviceBuffer device(kUnit);
	const PinnedBuffer pinned(64);
	void *same[] = {device.data(), device.at(8)};
	void *mixed[] = {device.data(), pinned.data()};
	uint32_t result = 9;
	aclrtMemUsageInfo usage = {};
	size_t count = 0;

	EXPECT_OK(aclrtCheckMemType(same, 2, ACL_RT_MEM_TYPE_DEV, &result, 0));
	EXPECT_EQ(result, 1u);
	EXPECT_OK(aclrtCheckMemType(mixed, 2, ACL_RT_MEM_TYPE_DEV, &result, 0));
	EXPECT_EQ(result, 0u);
	EXPECT_OK(aclrtCheckMemType(same, 2, ACL_RT_MEM_TYPE_DVPP, &result, 0));
	EXPECT_EQ(result, 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "reserve",
		     aclrtCheckMemType(same, 2, ACL_RT_MEM_TYPE_DEV, &result, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "memType", aclrtCheckMemType(same, 2, 1, &result, 0));
	EXPECT_OK(aclrtGetMemUsageInfo(0, &usage, 1, &count));
	EXPECT_EQ(count, 1u);
	EXPECT_GE(usage.curMemSize, kUnit);
	EXPECT_GE(usage.memPeakSize, usage.curMemSize);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "inputNum",
		     aclrtGetMemUsageInfo(0, &usage, 0, &count));
}

TEST_F(MemoryQuery, AllocationsWithAConfiguration)
{
	aclrtMallocAttribute attribute = {};
	aclrtMallocConfig config = {&attribute, 1};
	void *pointer = nullptr;

	attribute.attr = ACL_RT_MEM_ATTR_MODULE_ID;
	attribute.value.moduleId = 33;
	EXPECT_OK(aclrtMallocWithCfg(&pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config));
	EXPECT_OK(aclrtFree(pointer));
	EXPECT_OK(aclrtMallocForTaskScheduler(&pointer, 64, ACL_MEM_MALLOC_NORMAL_ONLY, nullptr));
	EXPECT_OK(aclrtFree(pointer));
	EXPECT_OK(aclrtMallocHostWithCfg(&pointer, 64, nullptr));
	EXPECT_OK(aclrtFreeHost(pointer));
	attribute.attr = raw_enum<aclrtMallocAttrType>(99);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attribute",
		     aclrtMallocWithCfg(&pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config));
	config.attrs = nullptr;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attrs",
		     aclrtMallocHostWithCfg(&pointer, 64, &config));
}
