// SPDX-License-Identifier: MIT
/*
 * DOC: virtual memory: addresses and memory that a program puts together
 *
 * The rules are those of the interface's own text on each function.
 */
#include "process/vmm.h"

#include "support/child.h"

#include <cstring>
#include <sys/mman.h>

using namespace cuda_test;

namespace {

class Vmm : public ContextTest {};
using VmmWithoutContext = DriverTest;

size_t free_bytes()
{
	size_t free = 0;
	size_t total = 0;

	EXPECT_OK(cuMemGetInfo(&free, &total));
	return free;
}

} // namespace

TEST_F(Vmm, AttributesSayThatItIsThere)
{
	for (CUdevice_attribute there :
	     {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
	      CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
	      CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED}) {
		int value = -1;

		EXPECT_OK(cuDeviceGetAttribute(&value, there, 0));
		EXPECT_EQ(value, 1) << "attribute " << there;
	}
}

TEST_F(Vmm, PiecesAreOneRange)
{
	const Reservation address(3 * kUnit);
	const Mapped first(address, kUnit);
	const Mapped second(address + kUnit, 2 * kUnit);
	const Stream stream;

	/* One call for several mappings that follow each other. */
	ASSERT_OK(set_access(address, 3 * kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	EXPECT_OK(cuMemsetD32(address, 1, 3 * kUnit / 4));
	EXPECT_OK(cuStreamSynchronize(nullptr));
	EXPECT_OK(cuMemsetD32Async(address + kUnit - 64, 7, 32, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(word_at(address + kUnit - 68), 1u);
	EXPECT_EQ(word_at(address + kUnit - 64), 7u);
	EXPECT_EQ(word_at(address + kUnit + 60), 7u);
	EXPECT_EQ(word_at(address + kUnit + 64), 1u);
}

TEST_F(Vmm, MemoryIsMappedWithoutAccess)
{
	const Reservation address(kUnit);
	const CUmemLocation device = properties().location;
	const Mapped memory(address, kUnit);
	uint32_t word = 5;

	EXPECT_EQ(access_at(address, device), 0u);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(address, &word, sizeof(word)));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(address, 1, 16));
	EXPECT_OK(set_access(address, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READ)));
	EXPECT_EQ(access_at(address + kUnit - 1, device), 1u);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(address, &word, sizeof(word)));
	EXPECT_OK(cuMemcpyDtoH(&word, address, sizeof(word)));
	EXPECT_OK(set_access(address, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	EXPECT_EQ(access_at(address, device), 3u);
	word = 6;
	EXPECT_OK(cuMemcpyHtoD(address, &word, sizeof(word)));
	EXPECT_EQ(word_at(address), 6u);
	EXPECT_OK(set_access(address, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_NONE)));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&word, address, sizeof(word)));
}

TEST_F(Vmm, ANewMappingHasNoAccess)
{
	const Reservation address(kUnit);

	for (unsigned round = 0; round < 2; ++round) {
		const Mapped memory(address, kUnit);

		EXPECT_EQ(access_at(address, properties().location), 0u);
		EXPECT_OK(
			set_access(address, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	}
}

TEST_F(Vmm, MemoryLivesWhileItIsMappedOrReferenced)
{
	const Reservation address(kUnit);
	const Reservation other(kUnit);
	const size_t before = free_bytes();
	const CUmemGenericAllocationHandle handle = create(kUnit);
	CUmemGenericAllocationHandle again = 0;

	EXPECT_EQ(free_bytes(), before - kUnit);
	EXPECT_OK(cuMemMap(address, kUnit, 0, handle, 0));
	EXPECT_OK(cuMemRelease(handle));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
	EXPECT_OK(set_access(address, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	EXPECT_OK(cuMemsetD32(address, 9, kUnit / 4));

	/* "guaranteed to be the same handle value used to map the memory"; any address inside */
	EXPECT_OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void *>(address + 5)));
	EXPECT_EQ(again, handle);
	EXPECT_OK(cuMemUnmap(address, kUnit));
	EXPECT_EQ(free_bytes(), before - kUnit);
	EXPECT_OK(cuMemMap(other, kUnit, 0, again, 0));
	EXPECT_OK(set_access(other, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READ)));
	EXPECT_EQ(word_at(other + kUnit - 4), 9u);
	EXPECT_OK(cuMemRelease(again));
	EXPECT_EQ(free_bytes(), before - kUnit);
	EXPECT_OK(cuMemUnmap(other, kUnit));
	EXPECT_EQ(free_bytes(), before);
}

TEST_F(Vmm, OneMemoryHasTwoAddresses)
{
	const Reservation address(2 * kUnit);
	const CUmemGenericAllocationHandle handle = create(kUnit);

	EXPECT_OK(cuMemMap(address, kUnit, 0, handle, 0));
	EXPECT_OK(cuMemMap(address + kUnit, kUnit, 0, handle, 0));
	EXPECT_OK(cuMemRelease(handle));
	EXPECT_OK(set_access(address, 2 * kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	EXPECT_OK(cuMemsetD32(address, 3, 1));
	EXPECT_EQ(word_at(address + kUnit), 3u);
	/* One call unmaps both. */
	EXPECT_OK(cuMemUnmap(address, 2 * kUnit));
}

TEST_F(Vmm, ReservationsAreAligned)
{
	for (size_t alignment :
	     {size_t{0}, size_t{1}, size_t{4096}, kUnit, 8 * kUnit, 256 * kUnit}) {
		/* One before it, so that the next free address is not aligned by luck. */
		const Reservation odd(kUnit);
		const Reservation address(4096, alignment);

		EXPECT_EQ(address % std::max(alignment, kUnit), 0u) << alignment;
	}
}

/* free_addresses() - an address where this process has no mapping for kUnit bytes. The kernel chooses it:
 * TSan ends a program that maps outside of the areas that it knows. */
static CUdeviceptr free_addresses()
{
	void *area = mmap(nullptr, 2 * kUnit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT_NE(area, MAP_FAILED);
	EXPECT_EQ(munmap(area, 2 * kUnit), 0);
	return (reinterpret_cast<CUdeviceptr>(area) + kUnit - 1) / kUnit * kUnit;
}

TEST_F(Vmm, AWishIsAHint)
{
	/* Between munmap() and the reservation another thread of this process may take the addresses: a
	 * sanitizer's own, or the device's. A library that does not look at the wish fails each try. */
	constexpr int kTries = 8;
	bool granted = false;

	for (int i = 0; i < kTries && !granted; i++) {
		const CUdeviceptr wish = free_addresses();
		{
			const Reservation first(kUnit, 0, wish);

			if (first != wish)
				continue;
			/* Taken: it is placed elsewhere. */
			const Reservation second(kUnit, 0, wish);
			EXPECT_NE(second, wish);
		}
		const Reservation again(kUnit, 0, wish);
		granted = again == wish;
	}
	EXPECT_TRUE(granted);

	/* Not a multiple of the alignment: it is placed elsewhere. */
	const Reservation odd(kUnit, 0, free_addresses() + 4096);
	EXPECT_EQ(odd % kUnit, 0u);
}

TEST_F(Vmm, HostMemoryHasOneAddress)
{
	const CUmemAllocationProp prop = properties(CU_MEM_LOCATION_TYPE_HOST);
	const Reservation address(kUnit);
	const Mapped memory(address, kUnit, prop);
	auto *words = reinterpret_cast<uint32_t *>(static_cast<CUdeviceptr>(address));
	const CUmemAccessDesc both[] = {
		access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
		access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CU_MEM_LOCATION_TYPE_HOST),
	};

	EXPECT_EQ(access_at(address, prop.location), 0u);
	EXPECT_OK(cuMemSetAccess(address, kUnit, both, 2));
	EXPECT_EQ(access_at(address, prop.location), 3u);
	words[1] = 11;
	EXPECT_OK(cuMemsetD32(address, 12, 1));
	EXPECT_EQ(words[0], 12u);
	EXPECT_EQ(word_at(address + 4), 11u);
	EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address),
		  unsigned{CU_MEMORYTYPE_HOST});
}

TEST_F(Vmm, PropertiesAreThoseOfTheMemory)
{
	CUmemAllocationProp wish = properties();
	CUmemAllocationProp told;
	size_t granularity = 0;

	/* Compression is a wish; a program asks the handle whether it came true. */
	wish.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
	const CUmemGenericAllocationHandle handle = create(kUnit, wish);
	memset(&told, 0xff, sizeof(told));
	EXPECT_OK(cuMemGetAllocationPropertiesFromHandle(&told, handle));
	EXPECT_EQ(told.type, CU_MEM_ALLOCATION_TYPE_PINNED);
	EXPECT_EQ(told.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
	EXPECT_EQ(told.location.id, 0);
	EXPECT_EQ(told.requestedHandleTypes, CU_MEM_HANDLE_TYPE_NONE);
	EXPECT_EQ(told.allocFlags.compressionType, CU_MEM_ALLOCATION_COMP_NONE);
	EXPECT_EQ(told.win32HandleMetaData, nullptr);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemGetAllocationPropertiesFromHandle(nullptr, handle));
	EXPECT_OK(cuMemRelease(handle));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemGetAllocationPropertiesFromHandle(&told, handle));

	for (auto option :
	     {CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
		granularity = 0;
		EXPECT_OK(cuMemGetAllocationGranularity(&granularity, &wish, option));
		EXPECT_EQ(granularity, kUnit);
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemGetAllocationGranularity(&granularity, &wish,
						static_cast<CUmemAllocationGranularity_flags>(2)));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemGetAllocationGranularity(nullptr, &wish, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
}

TEST_F(Vmm, AttributesOfAddresses)
{
	const Reservation range(3 * kUnit);
	const CUdeviceptr address = range + kUnit;
	int mapped = -1;

	{
		const Mapped memory(address, kUnit);

		EXPECT_OK(set_access(address, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READ)));
		EXPECT_EQ(attribute<int>(CU_POINTER_ATTRIBUTE_MAPPED, address + 8), 1);
		EXPECT_EQ(
			attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, address + 8),
			address);
		EXPECT_EQ(attribute<size_t>(CU_POINTER_ATTRIBUTE_MAPPING_SIZE, address + 8), kUnit);
		EXPECT_EQ(
			attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address + 8),
			static_cast<CUdeviceptr>(range));
		EXPECT_EQ(attribute<size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, address + 8),
			  3 * kUnit);
		EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address),
			  unsigned{CU_MEMORYTYPE_DEVICE});
		EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, address), 1u);
		EXPECT_EQ(attribute<int>(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, address),
			  0);
		/* It is no allocation of cuMemAlloc(). */
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
	}
	/* "a valid address range that is mapped to a backing allocation" */
	EXPECT_OK(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, address));
	EXPECT_EQ(mapped, 0);
	EXPECT_EQ(attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address),
		  static_cast<CUdeviceptr>(range));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
}

/* "This function exhibits synchronous behavior" */
TEST_F(Vmm, AnUnmapWaitsForTheWork)
{
	const Reservation address(kUnit);
	const Reservation other(kUnit);
	const CUmemGenericAllocationHandle handle = create(kUnit);
	const Stream stream;
	const CUmemAccessDesc all = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);

	for (unsigned round = 1; round < 9; ++round) {
		EXPECT_OK(cuMemMap(address, kUnit, 0, handle, 0));
		EXPECT_OK(set_access(address, kUnit, all));
		EXPECT_OK(cuMemsetD32Async(address, round, kUnit / 4, stream));
		EXPECT_OK(cuMemUnmap(address, kUnit));
		EXPECT_OK(cuStreamQuery(stream));
	}
	EXPECT_OK(cuMemMap(other, kUnit, 0, handle, 0));
	EXPECT_OK(set_access(other, kUnit, all));
	EXPECT_EQ(word_at(other + kUnit - 4), 8u);
	EXPECT_OK(cuMemUnmap(other, kUnit));
	EXPECT_OK(cuMemRelease(handle));
}

TEST_F(VmmWithoutContext, NeedsNone)
{
	const Reservation address(kUnit);
	const Mapped memory(address, kUnit);
	CUcontext context = nullptr;

	EXPECT_OK(set_access(address, kUnit, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	/* Memory outlives contexts: it belongs to its handle and its mappings. */
	for (unsigned round = 0; round < 2; ++round) {
		ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
		if (round == 0) {
			EXPECT_OK(cuMemsetD32(address, 21, 1));
		}
		EXPECT_EQ(word_at(address), 21u);
		EXPECT_OK(cuCtxDestroy(context));
	}
}

TEST(VmmDevices, MemoryOfTwoDevicesInOneReservation)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Reservation address(2 * kUnit);
	const CUmemAllocationProp one = properties(CU_MEM_LOCATION_TYPE_DEVICE, 1);
	const CUmemAccessDesc descs[] = {
		access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
		access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CU_MEM_LOCATION_TYPE_DEVICE, 1),
	};
	const Mapped first(address, kUnit);
	const Mapped second(address + kUnit, kUnit, one);

	/* Neither device reaches the memory of the other. */
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuMemSetAccess(address, 2 * kUnit, descs, 2));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuMemSetAccess(address, kUnit, descs + 1, 1));
	EXPECT_OK(cuMemSetAccess(address, kUnit, descs, 1));
	EXPECT_OK(cuMemSetAccess(address + kUnit, kUnit, descs + 1, 1));
	EXPECT_EQ(access_at(address, descs[1].location), 0u);
	EXPECT_EQ(access_at(address + kUnit, descs[1].location), 3u);
	for (int device : {0, 1}) {
		const Context context(device);
		const CUdeviceptr mine = address + static_cast<size_t>(device) * kUnit;
		EXPECT_OK(cuMemsetD32(mine, 30 + static_cast<unsigned>(device), 1));
		EXPECT_EQ(word_at(mine), 30u + static_cast<unsigned>(device));
		EXPECT_EQ(attribute<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, mine), device);
	}
}

TEST_F(Vmm, EachFunctionIsFound)
{
	for (const char *name :
	     {"cuMemAddressReserve", "cuMemAddressFree", "cuMemCreate", "cuMemRelease", "cuMemMap",
	      "cuMemUnmap", "cuMemSetAccess", "cuMemGetAccess", "cuMemGetAllocationGranularity",
	      "cuMemGetAllocationPropertiesFromHandle", "cuMemRetainAllocationHandle",
	      "cuMemExportToShareableHandle", "cuMemImportFromShareableHandle"}) {
		const bool retain = strcmp(name, "cuMemRetainAllocationHandle") == 0;
		void *function = nullptr;
		CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;

		EXPECT_OK(cuGetProcAddress(name, &function, retain ? 11000 : 10020, 0, &status));
		EXPECT_NE(function, nullptr) << name;
		EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS) << name;
		EXPECT_OK(cuGetProcAddress(name, &function, 10010, 0, &status));
		EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT) << name;
	}
}
