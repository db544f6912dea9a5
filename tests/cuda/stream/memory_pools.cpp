// SPDX-License-Identifier: MIT
/*
 * DOC: memory pools
 *
 * The rules are those of the interface's own text on each function.
 */
#include "graph/multi_device.h"
#include "support/child.h"

#include <utility>

using namespace cuda_test;

namespace {

class Pools : public ContextTest {};
using PoolsWithoutContext = DriverTest;

constexpr size_t kBytes = size_t{1} << 20;

CUmemPoolProps properties(int device = 0)
{
	CUmemPoolProps props = {};

	props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	props.location.id = device;
	return props;
}

class Pool {
public:
	explicit Pool(const CUmemPoolProps &props = properties())
	{
		EXPECT_OK(cuMemPoolCreate(&handle_, &props));
	}
	~Pool()
	{
		if (handle_)
			EXPECT_OK(cuMemPoolDestroy(handle_));
	}
	Pool(const Pool &) = delete;
	Pool &operator=(const Pool &) = delete;

	operator CUmemoryPool() const { return handle_; }

	/* The caller destroys it. */
	CUmemoryPool release() { return std::exchange(handle_, nullptr); }

private:
	CUmemoryPool handle_ = nullptr;
};

CUmemoryPool default_pool(int device = 0)
{
	CUmemoryPool pool = nullptr;

	EXPECT_OK(cuDeviceGetDefaultMemPool(&pool, device));
	return pool;
}

CUmemoryPool present_pool(int device = 0)
{
	CUmemoryPool pool = nullptr;

	EXPECT_OK(cuDeviceGetMemPool(&pool, device));
	return pool;
}

cuuint64_t number(CUmemoryPool pool, CUmemPool_attribute attribute)
{
	cuuint64_t value = 77;

	EXPECT_OK(cuMemPoolGetAttribute(pool, attribute, &value));
	return value;
}

int policy(CUmemoryPool pool, CUmemPool_attribute attribute)
{
	int value = 77;

	EXPECT_OK(cuMemPoolGetAttribute(pool, attribute, &value));
	return value;
}

CUresult set_number(CUmemoryPool pool, CUmemPool_attribute attribute, cuuint64_t value)
{
	return cuMemPoolSetAttribute(pool, attribute, &value);
}

CUdeviceptr take(CUmemoryPool pool, CUstream stream, size_t bytes = kBytes)
{
	CUdeviceptr memory = 0;

	EXPECT_OK(cuMemAllocFromPoolAsync(&memory, bytes, pool, stream));
	return memory;
}

template <class T> T of(CUpointer_attribute attribute, CUdeviceptr address)
{
	T value = {};

	EXPECT_OK(cuPointerGetAttribute(&value, attribute, address));
	return value;
}

} // namespace

TEST_F(PoolsWithoutContext, EachDeviceHasOne)
{
	int supported = 0;
	int types = 77;
	CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
	CUmemoryPool pool = nullptr;

	EXPECT_OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0));
	EXPECT_EQ(supported, 1);
	EXPECT_OK(cuDeviceGetAttribute(&types, CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES,
				       0));
	EXPECT_EQ(types, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
	EXPECT_NE(default_pool(), nullptr);
	EXPECT_EQ(present_pool(), default_pool());
	EXPECT_OK(cuMemGetDefaultMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
	EXPECT_EQ(pool, default_pool());
	EXPECT_OK(cuMemGetMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
	EXPECT_EQ(pool, default_pool());
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(default_pool()));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDeviceGetMemPool(nullptr, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDeviceGetDefaultMemPool(nullptr, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetMemPool(&pool, 99));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemGetMemPool(&pool, nullptr, CU_MEM_ALLOCATION_TYPE_PINNED));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuMemGetMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_MANAGED));
	location.type = CU_MEM_LOCATION_TYPE_HOST;
	EXPECT_OK(cuMemGetMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED));
	EXPECT_NE(pool, default_pool());
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDeviceSetMemPool(0, pool));
}

TEST_F(Pools, PropertiesAreChecked)
{
	CUmemoryPool pool = nullptr;
	CUmemPoolProps props = properties();

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(nullptr, &props));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, nullptr));
	props.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
	props = properties(99);
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuMemPoolCreate(&pool, &props));
	props = properties();
	props.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 999};
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
	props.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0};
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
	props.location = {CU_MEM_LOCATION_TYPE_HOST, 0};
	props.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
	props = properties();
	props.handleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&pool, &props));
	props.handleTypes = static_cast<CUmemAllocationHandleType>(64);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
	props.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
	props.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&pool, &props));
	props = properties();
	props.reserved[3] = 1;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(&pool, &props));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolTrimTo(nullptr, 0));
}

TEST_F(Pools, CountWhatIsReservedAndUsed)
{
	const Pool pool;
	const Stream stream;

	EXPECT_EQ(policy(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES), 1);
	EXPECT_EQ(policy(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC), 1);
	EXPECT_EQ(policy(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES), 1);
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 0u);
	EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
	const CUdeviceptr first = take(pool, stream);
	const CUdeviceptr second = take(pool, stream);
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 2 * kBytes);
	EXPECT_OK(cuMemFreeAsync(first, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kBytes);
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 2 * kBytes);
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 2 * kBytes);
	EXPECT_OK(cuMemPoolTrimTo(pool, 0));
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), kBytes);
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 2 * kBytes);
	EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0));
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), kBytes);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  set_number(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, kBytes));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, set_number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, nullptr));
	/* A free that waits takes the memory out of the pool. */
	EXPECT_OK(cuMemFree(second));
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
}

TEST_F(Pools, WhatAStreamFreesItGetsAgain)
{
	const Pool pool;
	const Stream stream;
	const Stream other;
	uint32_t word = 0;

	EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
	const CUdeviceptr memory = take(pool, stream);
	EXPECT_OK(cuMemsetD32Async(memory, 1, kBytes / 4, stream));
	EXPECT_OK(cuMemFreeAsync(memory, stream));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(memory, stream));
	EXPECT_EQ(take(pool, stream), memory);
	/* Another stream waits for the work of the first. */
	EXPECT_OK(cuMemsetD32Async(memory, 2, kBytes / 4, stream));
	EXPECT_OK(cuMemFreeAsync(memory, stream));
	EXPECT_EQ(take(pool, other), memory);
	EXPECT_OK(cuMemsetD32Async(memory, 3, kBytes / 4, other));
	EXPECT_OK(cuMemcpyDtoHAsync(&word, memory + kBytes - 4, 4, other));
	EXPECT_OK(cuStreamSynchronize(other));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(word, 3u);
	EXPECT_OK(cuMemFreeAsync(memory, other));
}

TEST_F(Pools, AnotherStreamGetsItOnlyWhereItMayWait)
{
	const Pool pool;
	const Stream stream;
	const Stream other;
	Gate gate;
	int no = 0;

	EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
	EXPECT_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
					&no));
	const CUdeviceptr memory = take(pool, stream);
	gate.block(stream);
	EXPECT_OK(cuMemFreeAsync(memory, stream));
	const CUdeviceptr second = take(pool, other);
	EXPECT_NE(second, memory);
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(take(pool, other), memory);
	EXPECT_OK(cuMemFreeAsync(memory, other));
	EXPECT_OK(cuMemFreeAsync(second, other));
	EXPECT_OK(cuStreamSynchronize(other));
}

TEST_F(Pools, ThePresentOneServesAllocationsOfStreams)
{
	const Stream stream;
	CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
	CUdeviceptr memory = 0;
	CUmemoryPool gone = nullptr;

	{
		Pool pool;

		EXPECT_OK(cuDeviceSetMemPool(0, pool));
		EXPECT_EQ(present_pool(), pool);
		EXPECT_OK(cuMemAllocAsync(&memory, 100, stream));
		EXPECT_GE(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 100u);
		EXPECT_EQ(of<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory), pool);
		EXPECT_EQ(of<size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory + 99), 100u);
		EXPECT_OK(
			cuMemSetMemPool(&location, CU_MEM_ALLOCATION_TYPE_PINNED, default_pool()));
		EXPECT_EQ(present_pool(), default_pool());
		EXPECT_OK(cuDeviceSetMemPool(0, pool));
		gone = pool.release();
		EXPECT_OK(cuMemPoolDestroy(gone));
	}
	EXPECT_EQ(present_pool(), default_pool());
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDeviceSetMemPool(0, gone));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolTrimTo(gone, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&memory, 8, gone, stream));
	/* Memory in use stays until it is freed. */
	EXPECT_OK(cuMemsetD8Async(memory, 1, 100, stream));
	EXPECT_OK(cuMemFreeAsync(memory, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
}

TEST_F(Pools, KeepToTheirMostBytes)
{
	CUmemPoolProps props = properties();
	CUdeviceptr memory = 0;

	props.maxSize = 2 * kBytes;
	const Pool pool(props);
	const Stream stream;
	const CUdeviceptr first = take(pool, stream);
	EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY,
		  cuMemAllocFromPoolAsync(&memory, 2 * kBytes, pool, stream));
	const CUdeviceptr second = take(pool, stream);
	EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&memory, 1, pool, stream));
	EXPECT_OK(cuMemFreeAsync(first, stream));
	EXPECT_OK(cuMemFreeAsync(second, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
}

TEST_F(Pools, AddressesOfFreedMemoryAreOfNoAllocation)
{
	const Pool pool;
	const Stream stream;
	CUdeviceptr base = 0;
	size_t size = 0;

	EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
	const CUdeviceptr memory = take(pool, stream, 1000);
	EXPECT_OK(cuMemGetAddressRange(&base, &size, memory + 999));
	EXPECT_EQ(base, memory);
	EXPECT_EQ(size, 1000u);
	EXPECT_EQ(of<int>(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, memory), 0);
	CUipcMemHandle handle = {};
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&handle, memory));
	EXPECT_OK(cuMemFreeAsync(memory, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, memory));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory));
}

TEST_F(Pools, AccessIsTheDevicesOwn)
{
	const Pool pool;
	CUmemAccessDesc desc = {};
	CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;

	desc.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	EXPECT_OK(cuMemPoolSetAccess(pool, &desc, 1));
	EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
	EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	desc.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAccess(pool, &desc, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAccess(pool, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAccess(nullptr, pool, &desc.location));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolGetAccess(&flags, pool, nullptr));
}

TEST_F(Pools, ACapturedAllocationIsANode)
{
	const Pool pool;
	const Stream stream;
	CUgraph graph = nullptr;
	CUdeviceptr memory = 0;

	EXPECT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(cuMemAllocFromPoolAsync(&memory, 64, pool, stream));
	EXPECT_OK(cuMemFreeAsync(memory, stream));
	EXPECT_OK(cuStreamEndCapture(stream, &graph));
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
	EXPECT_OK(cuGraphDestroy(graph));
}

/* Host and device use the memory at one address. */
TEST_F(Pools, OfTheHostHavePinnedMemory)
{
	const CUmemLocation places[] = {{CU_MEM_LOCATION_TYPE_HOST, 77},
					{CU_MEM_LOCATION_TYPE_HOST_NUMA, 0}};
	const Stream stream;
	const Words words(1, 5);
	CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
	CUmemAccessDesc desc = {};
	int supported = 0;

	EXPECT_OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED,
				       0));
	EXPECT_EQ(supported, 1);
	for (const CUmemLocation &place : places) {
		CUmemPoolProps props = properties();

		props.location = place;
		const Pool pool(props);
		EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
		const CUdeviceptr memory = take(pool, stream);
		auto *const host = reinterpret_cast<uint32_t *>(memory);
		EXPECT_EQ(of<CUmemorytype>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory),
			  CU_MEMORYTYPE_HOST);
		EXPECT_EQ(of<void *>(CU_POINTER_ATTRIBUTE_HOST_POINTER, memory), host);
		EXPECT_EQ(of<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory), pool);
		host[1] = 7;
		EXPECT_OK(cuMemcpyDtoDAsync(memory, words, 4, stream));
		EXPECT_OK(cuMemcpyDtoDAsync(words, memory + 4, 4, stream));
		EXPECT_OK(cuMemcpyDtoDAsync(memory + 4, memory, 4, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_EQ(host[0], 5u);
		EXPECT_EQ(host[1], 5u);
		EXPECT_EQ(words.load().front(), 7u);
		EXPECT_OK(cuMemcpyHtoD(words, host, 4));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
		EXPECT_OK(cuMemFreeAsync(memory, stream));
		EXPECT_EQ(take(pool, stream), memory);
		EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kBytes);
		desc.location = place;
		EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
		EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAccess(pool, &desc, 1));
		desc.location = properties().location;
		desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
		EXPECT_OK(cuMemPoolSetAccess(pool, &desc, 1));
		EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
		EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READ);
		desc = {};
		EXPECT_OK(cuMemFree(memory));
		EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
	}
	const Pool pool;
	desc.location = places[0];
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolSetAccess(pool, &desc, 1));
	EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
	EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
}

TEST_F(Pools, OfTheHostAreInNoGraph)
{
	CUmemPoolProps props = properties();

	props.location.type = CU_MEM_LOCATION_TYPE_HOST;
	const Pool pool(props);
	const Stream stream;
	CUgraph graph = nullptr;
	CUdeviceptr memory = 0;

	EXPECT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuMemAllocFromPoolAsync(&memory, 64, pool, stream));
	EXPECT_OK(cuStreamEndCapture(stream, &graph));
	EXPECT_OK(cuGraphDestroy(graph));
}

/* A pool is of a device and of no context. */
TEST_F(PoolsWithoutContext, OutliveContexts)
{
	const Pool pool;
	CUdeviceptr memory = 0;

	EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
	for (uint32_t round = 1; round <= 3; ++round) {
		const Context context;
		const Stream stream;

		memory = take(pool, stream);
		EXPECT_OK(cuMemsetD32Async(memory, round, 1, stream));
		EXPECT_OK(cuMemFreeAsync(memory, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), kBytes);
	}
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
	{
		const Context context;
		const Stream stream;

		memory = take(pool, stream);
	}
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kBytes);
	EXPECT_OK(cuMemFree(memory));
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
}

TEST(PoolsOfDevices, AStreamMayAllocateFromThePoolOfAnotherDevice)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Pool pool(properties(1));
	CUmemAccessDesc desc = {};
	CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

	two.use_first();
	EXPECT_OK(set_number(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDeviceSetMemPool(0, pool));
	const CUdeviceptr memory = take(pool, two.here);
	EXPECT_EQ(of<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory), 1);
	EXPECT_OK(cuMemFreeAsync(memory, two.here));
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_OK(cuMemPoolTrimTo(pool, 0));
	EXPECT_EQ(number(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
	desc.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
	EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
}

/* A stream of another device frees memory that it still uses, and the pool gives that memory back. */
TEST(PoolsOfDevices, MemoryIsKeptForTasksOfAnotherDevice)
{
	constexpr size_t kCount = kBytes / sizeof(uint32_t);
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	CUmemPoolProps props = properties();

	for (const CUmemLocation place : {CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, 1},
					  CUmemLocation{CU_MEM_LOCATION_TYPE_HOST, 0}}) {
		const bool is_host = place.type == CU_MEM_LOCATION_TYPE_HOST;
		const CUstream stream = is_host ? two.there : two.here;
		CUmemAccessDesc desc = {};
		CUdeviceptr other = 0;
		uint32_t word = 0;
		Gate gate;

		props.location = place;
		const Pool pool(props);
		desc.location = {CU_MEM_LOCATION_TYPE_DEVICE, is_host ? 1 : 0};
		desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
		EXPECT_OK(cuMemPoolSetAccess(pool, &desc, 1));
		EXPECT_OK(cuCtxSetCurrent(is_host ? two.second : two.first));
		const CUdeviceptr memory = take(pool, stream);
		gate.block(stream);
		EXPECT_OK(cuMemsetD32Async(memory, 9, kCount, stream));
		EXPECT_OK(cuMemFreeAsync(memory, stream));
		EXPECT_OK(cuMemPoolTrimTo(pool, 0));
		EXPECT_OK(cuCtxSetCurrent(is_host ? two.first : two.second));
		if (is_host) {
			void *host = nullptr;

			EXPECT_OK(cuMemAllocHost(&host, kBytes));
			other = reinterpret_cast<CUdeviceptr>(host);
		} else {
			EXPECT_OK(cuMemAlloc(&other, kBytes));
		}
		EXPECT_OK(cuMemsetD32(other, 5, kCount));
		EXPECT_OK(cuCtxSynchronize());
		gate.open();
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_OK(cuMemcpyDtoH(&word, other, sizeof(word)));
		EXPECT_EQ(word, 5u);
		if (is_host) {
			EXPECT_OK(cuMemFreeHost(reinterpret_cast<void *>(other)));
		} else {
			EXPECT_OK(cuMemFree(other));
		}
	}
}

/* Tasks of the other device name memory of the pool, in the way that the program allowed. */
TEST(PoolsOfDevices, AccessOfAnotherDevice)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Pool pool(properties(1));
	CUmemAccessDesc desc = {};
	CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	uint32_t word = 0;

	two.use_first();
	const CUdeviceptr early = take(pool, two.here);
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(early, 3, 1, two.here));
	desc.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	desc.flags = static_cast<CUmemAccess_flags>(2);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAccess(pool, &desc, 1));
	desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	EXPECT_OK(cuMemPoolSetAccess(pool, &desc, 1));
	EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
	EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	/* Memory of before and of after the call, and none that is not the pool's. */
	const CUdeviceptr late = take(pool, two.here);
	for (const CUdeviceptr memory : {early, late}) {
		EXPECT_OK(cuMemsetD32Async(memory, 3, 1, two.here));
		EXPECT_OK(cuStreamSynchronize(two.here));
		EXPECT_OK(cuMemcpyDtoH(&word, memory, 4));
		EXPECT_EQ(word, 3u);
	}
	two.use_second();
	CUdeviceptr other = 0;
	EXPECT_OK(cuMemAlloc(&other, 64));
	two.use_first();
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(other, 3, 1, two.here));
	/* Reads alone. */
	desc.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
	EXPECT_OK(cuMemPoolSetAccess(pool, &desc, 1));
	EXPECT_OK(cuMemPoolGetAccess(&flags, pool, &desc.location));
	EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READ);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(early, 4, 1, two.here));
	desc.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
	EXPECT_OK(cuMemPoolSetAccess(pool, &desc, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(late, 4, 1, two.here));
	EXPECT_OK(cuMemFree(other));
	EXPECT_OK(cuMemFreeAsync(early, two.here));
	EXPECT_OK(cuMemFreeAsync(late, two.here));
	EXPECT_OK(cuStreamSynchronize(two.here));
}
