// SPDX-License-Identifier: MIT
/*
 * DOC: calls about virtual memory that are refused
 *
 * The rules are those of the interface's own text on each function.
 */
#include "process/vmm.h"

using namespace cuda_test;

namespace {

class VmmRefused : public ContextTest {};

} // namespace

TEST_F(VmmRefused, ReservationsThatAreRefused)
{
	CUdeviceptr address = 0;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(nullptr, kUnit, 0, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, 0, 0, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, 4095, 0, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, kUnit, 3, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, kUnit, 0, 100, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, kUnit, 0, 0, 1));
	EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY,
		  cuMemAddressReserve(&address, size_t{1} << 60, 0, 0, 0));
	EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY,
		  cuMemAddressReserve(&address, kUnit, size_t{1} << 60, 0, 0));
	EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY,
		  cuMemAddressReserve(&address, ~size_t{4095}, size_t{1} << 63, 0, 0));
	EXPECT_EQ(address, 0u);
}

TEST_F(VmmRefused, ReservationsAreFreedAsTheyWereMade)
{
	CUdeviceptr address = 0;

	ASSERT_OK(cuMemAddressReserve(&address, 2 * kUnit, 4 * kUnit, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, kUnit));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address + kUnit, kUnit));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(0, kUnit));
	{
		const Mapped memory(address + kUnit, kUnit);
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, 2 * kUnit));
	}
	EXPECT_OK(cuMemAddressFree(address, 2 * kUnit));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, 2 * kUnit));
	/* A size that is no multiple of the granularity has to match, too. */
	ASSERT_OK(cuMemAddressReserve(&address, 4096, 0, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(address, kUnit));
	EXPECT_OK(cuMemAddressFree(address, 4096));
}

TEST_F(VmmRefused, MemoryThatIsRefused)
{
	CUmemGenericAllocationHandle handle = 0;
	const CUmemAllocationProp good = properties();

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemCreate(nullptr, kUnit, &good, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, kUnit, nullptr, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, kUnit, &good, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, 0, &good, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, kUnit + 4096, &good, 0));
	EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, kUnit << 24, &good, 0));

	struct Case {
		CUresult expected;
		void (*change)(CUmemAllocationProp &);
	};
	const Case cases[] = {
		{CUDA_ERROR_INVALID_VALUE,
		 [](auto &prop) { prop.type = CU_MEM_ALLOCATION_TYPE_INVALID; }},
		{CUDA_ERROR_NOT_SUPPORTED,
		 [](auto &prop) { prop.type = CU_MEM_ALLOCATION_TYPE_MANAGED; }},
		{CUDA_ERROR_INVALID_VALUE,
		 [](auto &prop) { prop.location.type = CU_MEM_LOCATION_TYPE_INVALID; }},
		{CUDA_ERROR_NOT_SUPPORTED,
		 [](auto &prop) { prop.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA; }},
		/* "HOST_NUMA_CURRENT ... will result in CUDA_ERROR_INVALID_VALUE" */
		{CUDA_ERROR_INVALID_VALUE,
		 [](auto &prop) { prop.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT; }},
		{CUDA_ERROR_INVALID_DEVICE, [](auto &prop) { prop.location.id = 64; }},
		{CUDA_ERROR_INVALID_DEVICE, [](auto &prop) { prop.location.id = -1; }},
		{CUDA_ERROR_NOT_SUPPORTED,
		 [](auto &prop) { prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC; }},
		{CUDA_ERROR_NOT_SUPPORTED,
		 [](auto &prop) { prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32; }},
		{CUDA_ERROR_INVALID_VALUE,
		 [](auto &prop) { prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_MAX; }},
		/* "HOST allocations are not IPC capable ... CUDA_ERROR_INVALID_VALUE" */
		{CUDA_ERROR_INVALID_VALUE,
		 [](auto &prop) {
			 prop.location.type = CU_MEM_LOCATION_TYPE_HOST;
			 prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
		 }},
		{CUDA_ERROR_INVALID_VALUE, [](auto &prop) { prop.allocFlags.compressionType = 2; }},
		{CUDA_ERROR_NOT_SUPPORTED,
		 [](auto &prop) { prop.allocFlags.gpuDirectRDMACapable = 1; }},
		{CUDA_ERROR_NOT_SUPPORTED,
		 [](auto &prop) { prop.allocFlags.usage = CU_MEM_CREATE_USAGE_TILE_POOL; }},
		{CUDA_ERROR_INVALID_VALUE, [](auto &prop) { prop.allocFlags.usage = 4; }},
		{CUDA_ERROR_INVALID_VALUE, [](auto &prop) { prop.allocFlags.reserved[3] = 1; }},
	};
	for (const Case &one : cases) {
		CUmemAllocationProp prop = good;
		size_t granularity = 0;

		one.change(prop);
		SCOPED_TRACE(&one - cases);
		EXPECT_CU(one.expected, cuMemCreate(&handle, kUnit, &prop, 0));
		EXPECT_CU(one.expected,
			  cuMemGetAllocationGranularity(&granularity, &prop,
							CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	}
	EXPECT_EQ(handle, 0u);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRelease(0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRelease(0x1234560));
}

TEST_F(VmmRefused, MapsThatAreRefused)
{
	const Reservation address(3 * kUnit);
	const CUmemGenericAllocationHandle handle = create(2 * kUnit);
	const CUmemGenericAllocationHandle gone = create(kUnit);

	EXPECT_OK(cuMemRelease(gone));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, kUnit, 0, gone, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, kUnit, 0, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, 2 * kUnit, 0, handle, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, kUnit, kUnit, handle, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, kUnit, 0, handle, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, 3 * kUnit, 0, handle, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, 0, 0, handle, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address + 4096, 2 * kUnit, 0, handle, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address + 2 * kUnit, 2 * kUnit, 0, handle, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(0, 2 * kUnit, 0, handle, 0));
	/* "can only create mappings on VA range reservations that are not currently mapped" */
	{
		const Mapped memory(address + kUnit, kUnit);
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemMap(address, 2 * kUnit, 0, handle, 0));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuMemMap(address + kUnit, 2 * kUnit, 0, handle, 0));
	}
	EXPECT_OK(cuMemMap(address, 2 * kUnit, 0, handle, 0));
	EXPECT_OK(cuMemUnmap(address, 2 * kUnit));
	EXPECT_OK(cuMemRelease(handle));
}

TEST_F(VmmRefused, RangesThatAreNoMappings)
{
	const Reservation address(4 * kUnit);
	const Mapped first(address, 2 * kUnit);
	const Mapped second(address + 3 * kUnit, kUnit);
	const CUmemAccessDesc desc = access_of(CU_MEM_ACCESS_FLAGS_PROT_READ);
	struct Range {
		size_t offset;
		size_t size;
	};

	for (const Range &range :
	     {Range{0, kUnit}, Range{0, 3 * kUnit}, Range{0, 4 * kUnit}, Range{kUnit, kUnit},
	      Range{2 * kUnit, kUnit}, Range{0, 0}, Range{3 * kUnit, 2 * kUnit}}) {
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(address + range.offset, range.size));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  set_access(address + range.offset, range.size, desc));
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(0, kUnit));
	EXPECT_OK(set_access(address, 2 * kUnit, desc));
}

TEST_F(VmmRefused, AccessThatIsRefusedChangesNothing)
{
	const Reservation address(kUnit);
	const Mapped memory(address, kUnit);
	const CUmemLocation device = properties().location;
	const CUmemAccessDesc good = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	CUmemAccessDesc pair[] = {good, good};
	unsigned long long flags = 0;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(address, kUnit, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(address, kUnit, pair, 0));
	pair[1] = access_of(static_cast<CUmemAccess_flags>(2));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(address, kUnit, pair, 2));
	pair[1] = access_of(CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_LOCATION_TYPE_DEVICE, 64);
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuMemSetAccess(address, kUnit, pair, 2));
	/* "Users cannot specify ... HOST_NUMA accessibility for allocations created on with other
	 * location types" */
	pair[1] = access_of(CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_LOCATION_TYPE_HOST_NUMA);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(address, kUnit, pair, 2));
	/* The host does not reach device memory. */
	pair[1] = access_of(CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_LOCATION_TYPE_HOST);
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuMemSetAccess(address, kUnit, pair, 2));
	EXPECT_EQ(access_at(address, device), 0u);
	pair[1] = access_of(CU_MEM_ACCESS_FLAGS_PROT_NONE, CU_MEM_LOCATION_TYPE_HOST);
	EXPECT_OK(cuMemSetAccess(address, kUnit, pair, 2));
	EXPECT_EQ(access_at(address, device), 3u);

	const CUmemLocation bad = {CU_MEM_LOCATION_TYPE_DEVICE, 64};
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(nullptr, &device, address));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, nullptr, address));
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuMemGetAccess(&flags, &bad, address));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, &device, address + kUnit));
}

TEST_F(VmmRefused, HandlesOfAddressesThatAreNotMapped)
{
	const Reservation address(kUnit);
	CUmemGenericAllocationHandle handle = 0;
	auto *pointer = reinterpret_cast<void *>(static_cast<CUdeviceptr>(address));

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRetainAllocationHandle(&handle, pointer));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRetainAllocationHandle(&handle, nullptr));
	const Mapped memory(address, kUnit);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRetainAllocationHandle(nullptr, pointer));
}
