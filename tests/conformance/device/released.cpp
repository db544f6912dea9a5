// SPDX-License-Identifier: MIT
/*
 * DOC: memory that the last reset releases
 *
 * The last reset of a device, its force form and aclFinalize free what the program did not: device memory, handles of
 * memory, pools, exports. A later use says so. Pinned memory stays the program's own until it is freed.
 */
#include <array>
#include <functional>
#include <thread>

#include "acl/acl_rt_memory_soma.h"
#include "support/child_process.h"

using namespace conformance;

namespace {

constexpr size_t kBytes = 4096;
constexpr size_t kUnit = size_t{2} << 20;

using Released = InitTest;

void *take(size_t bytes = kBytes)
{
	void *memory = nullptr;

	EXPECT_OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	return memory;
}

/* As many threads, files and mappings as before the device was set. /proc shows a thread a little longer than it
 * runs. */
void expect_closed(const World &before)
{
	constexpr int kLooks = 1000000;
	World now = World::look();

	for (int i = 0; i < kLooks && now.threads != before.threads; ++i) {
		std::this_thread::yield();
		now = World::look();
	}

	EXPECT_EQ(now.threads, before.threads);
	EXPECT_EQ(now.fds, before.fds);
	EXPECT_EQ(now.memfd_maps, before.memfd_maps);
}

/* The calls that take nothing but device memory, and those whose code for what is none is another one. */
void expect_told(void *memory, const char *words, const Stream &stream, const DeviceBuffer &device)
{
	char key[65] = {};
	char row[2 * sizeof(uint64_t)] = {};
	void *start = nullptr;
	void *to[] = {row};
	void *from[] = {memory};
	size_t bytes = sizeof(row);
	size_t index = 0;
	size_t failed = 0;
	aclrtMemcpyBatchAttr ends{};
	const std::function<aclError()> uses[] = {
		[&] {
			return aclrtMemcpy2d(row, sizeof(uint64_t), memory, sizeof(uint64_t),
					     sizeof(uint64_t), 2, ACL_MEMCPY_DEVICE_TO_HOST);
		},
		[&] { return aclrtValueWrite(memory, 1, 0, stream); },
		[&] { return aclrtIpcMemGetExportKey(memory, kBytes, key, sizeof(key), 0); },
		[&] { return aclrtMemGetAddressRange(memory, &start, &bytes); },
		[&] { return aclrtCmoAsync(memory, kBytes, ACL_RT_CMO_TYPE_PREFETCH, stream); },
		[&] {
			return aclrtReduceAsync(device.data(), memory, kBytes,
						ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, stream,
						nullptr);
		},
	};

	for (const auto &use : uses)
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, words, use());
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, words,
		     aclrtMemsetD32Async(memory, kBytes, 1, kBytes / 4, stream));
	/* A copy that finds the address in memory is a task that fails. */
	EXPECT_OK(aclrtMemcpy(device.data(), sizeof(memory), &memory, sizeof(memory),
			      ACL_MEMCPY_HOST_TO_DEVICE));
	void **word = static_cast<void **>(device.data());
	EXPECT_OK(aclrtMemcpyAsyncWithOffset(word, 8, 0, const_cast<const void **>(word), 8, 0,
					     ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, words, aclrtSynchronizeStream(stream));
	ends.dstLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
	ends.srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, words,
		     aclrtMemcpyBatch(to, &bytes, from, &bytes, 1, &ends, &index, 1, &failed));
}

/* Each use of device memory that was released names the call. */
void expect_released(void *memory, const char *call)
{
	const std::string words = std::string("released by ") + call;
	std::vector<char> host(kBytes);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, words.c_str(), aclrtFree(memory));
	EXPECT_OK(aclrtSetDevice(0));
	{
		const Stream stream;
		const DeviceBuffer device(kBytes);
		const std::function<aclError()> uses[] = {
			[&] { return aclrtFree(memory); },
			[&] {
				return aclrtMemcpy(host.data(), kBytes, memory, kBytes,
						   ACL_MEMCPY_DEVICE_TO_HOST);
			},
			[&] {
				return aclrtMemcpy(memory, kBytes, host.data(), kBytes,
						   ACL_MEMCPY_HOST_TO_DEVICE);
			},
			[&] {
				return aclrtMemcpyAsync(device.data(), kBytes, memory, kBytes,
							ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
			},
			[&] {
				return aclrtMemcpyAsync(host.data(), kBytes, memory, kBytes,
							ACL_MEMCPY_DEVICE_TO_HOST, stream);
			},
			[&] { return aclrtMemset(memory, kBytes, 1, kBytes); },
			[&] { return aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream); },
		};

		for (const auto &use : uses)
			EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, words.c_str(), use());
		expect_told(memory, words.c_str(), stream, device);
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	EXPECT_OK(aclrtResetDevice(0));
}

} // namespace

TEST_F(Released, DeviceMemoryByTheLastReset)
{
	const World before = World::look();

	ASSERT_OK(aclrtSetDevice(0));
	ASSERT_OK(aclrtSetDevice(0));
	void *small = take();
	void *large = take(size_t{64} << 20);
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclrtMemset(small, kBytes, 1, kBytes));
	EXPECT_OK(aclrtResetDevice(0));
	expect_closed(before);
	expect_released(small, "aclrtResetDevice");
	expect_released(large, "aclrtResetDevice");
}

TEST_F(Released, DeviceMemoryByForce)
{
	const World before = World::look();

	ASSERT_OK(aclrtSetDevice(0));
	ASSERT_OK(aclrtSetDevice(0));
	void *memory = take();
	EXPECT_OK(aclrtResetDeviceForce(0));
	expect_closed(before);
	expect_released(memory, "aclrtResetDevice");
}

TEST_F(Released, DeviceMemoryByFinalize)
{
	ASSERT_OK(aclrtSetDevice(0));
	void *memory = take();
	EXPECT_OK(aclFinalize());
	EXPECT_OK(aclInit(nullptr));
	expect_released(memory, "aclFinalize");
}

TEST_F(Released, MemoryOfAContextWithIt)
{
	aclrtContext context = nullptr;
	const World before = World::look();

	ASSERT_OK(aclrtSetDevice(0));
	ASSERT_OK(aclrtCreateContext(&context, 0));
	void *memory = take();
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclrtMemset(memory, kBytes, 1, kBytes));
	EXPECT_OK(aclrtDestroyContext(context));
	expect_closed(before);
	expect_released(memory, "aclrtResetDevice");
}

TEST_F(Released, PinnedMemoryStaysUntilItIsFreed)
{
	constexpr size_t kLarge = 3 * kUnit;
	const World before = World::look();
	std::array<void *, 3> memory = {};

	ASSERT_OK(aclrtSetDevice(0));
	for (void *&one : memory)
		ASSERT_OK(aclrtMallocHost(&one, &one == &memory[2] ? kLarge : kBytes));
	std::memset(memory[0], 5, kBytes);
	std::memset(memory[2], 6, kLarge);
	void *device = take();
	EXPECT_OK(aclrtResetDevice(0));
	expect_closed(before);
	EXPECT_EQ(static_cast<char *>(memory[0])[kBytes - 1], 5);
	EXPECT_EQ(static_cast<char *>(memory[2])[kLarge - 1], 6);
	std::memset(memory[1], 7, kBytes);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "released", aclrtFree(device));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(memory[0]));
	EXPECT_OK(aclrtFreeHost(memory[0]));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFreeHost(memory[0]));

	/* It is ordinary memory for a device that is set again. */
	ASSERT_OK(aclrtSetDevice(0));
	{
		const DeviceBuffer buffer(kBytes);
		const Stream stream;

		EXPECT_OK(aclrtMemcpyAsync(buffer.data(), kBytes, memory[1], kBytes,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(buffer, 7));
		EXPECT_OK(aclrtFreeHost(memory[1]));
	}
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclrtFreeHost(memory[2]));
	expect_closed(before);
}

TEST_F(Released, ManagedMemoryStaysUntilItIsFreed)
{
	void *memory = nullptr;
	const World before = World::look();

	ASSERT_OK(aclrtSetDevice(0));
	ASSERT_OK(aclrtMemAllocManaged(&memory, kUnit, ACL_RT_MEM_ATTACH_GLOBAL));
	std::memset(memory, 3, kUnit);
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_EQ(static_cast<char *>(memory)[kUnit - 1], 3);
	EXPECT_OK(aclrtFree(memory));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(memory));
	expect_closed(before);
}

TEST_F(Released, MappedMemoryWithItsHandle)
{
	const World before = World::look();
	aclrtPhysicalMemProp prop = {};
	aclrtDrvMemHandle handle = nullptr;
	void *address = nullptr;
	char byte = 0;

	prop.memAttr = ACL_HBM_MEM_HUGE;
	prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	ASSERT_OK(aclrtSetDevice(0));
	ASSERT_OK(aclrtMallocPhysical(&handle, kUnit, &prop, 0));
	ASSERT_OK(aclrtReserveMemAddress(&address, kUnit, 0, nullptr, 0));
	ASSERT_OK(aclrtMapMem(address, kUnit, 0, handle, 0));
	EXPECT_OK(aclrtMemset(address, kUnit, 1, kUnit));
	EXPECT_OK(aclrtResetDevice(0));
	expect_closed(before);
	ASSERT_OK(aclrtSetDevice(0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation",
		     aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "released by aclrtResetDevice",
		     aclrtUnmapMem(address));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "released by aclrtResetDevice",
		     aclrtMapMem(address, kUnit, 0, handle, 0));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_OK(aclrtReleaseMemAddress(address));
	EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(Released, BlocksOfAPool)
{
	const World before = World::look();
	aclrtMemPoolProps props = {};
	aclrtMemPool pool = nullptr;
	void *block = nullptr;

	props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	ASSERT_OK(aclrtSetDevice(0));
	ASSERT_OK(aclrtMemPoolCreate(&pool, &props));
	{
		const Stream stream;

		ASSERT_OK(aclrtMemPoolMallocAsync(&block, kBytes, pool, stream));
	}
	EXPECT_OK(aclrtResetDevice(0));
	expect_closed(before);
	ASSERT_OK(aclrtSetDevice(0));
	{
		const Stream stream;

		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "released by aclrtResetDevice",
			     aclrtMemPoolFreeAsync(block, stream));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "reset",
			     aclrtMemPoolMallocAsync(&block, kBytes, pool, stream));
	}
	EXPECT_OK(aclrtMemPoolDestroy(pool));
	EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(Released, RegisteredMemoryBecomesOrdinary)
{
	alignas(4096) static char memory[4096];
	void *mapped = nullptr;
	const World before = World::look();

	ASSERT_OK(aclrtSetDevice(0));
	ASSERT_OK(aclrtHostRegister(memory, sizeof(memory), ACL_HOST_REGISTER_MAPPED, &mapped));
	EXPECT_OK(aclrtResetDevice(0));
	expect_closed(before);
	memory[0] = 1;
	EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "a reset of its device releases it",
		     aclrtHostUnregister(memory));
}

TEST_F(Released, ExportedMemoryWithItsKey)
{
	const World before = World::look();
	char key[65] = {};

	ASSERT_OK(aclrtSetDevice(0));
	void *memory = take();
	EXPECT_OK(aclrtIpcMemGetExportKey(memory, kBytes, key, sizeof(key), 0));
	EXPECT_OK(aclrtResetDevice(0));
	expect_closed(before);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "released by a reset", aclrtIpcMemClose(key));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "released", aclrtFree(memory));
}

/* A program that leaks at each reset keeps its addresses, but not more and more mappings. */
TEST_F(Released, AgainAndAgain)
{
	const World before = World::look();

	for (int i = 0; i < 300; ++i) {
		ASSERT_OK(aclrtSetDevice(0));
		void *memory = take();
		EXPECT_OK(aclrtResetDevice(0));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "released", aclrtFree(memory));
	}
	expect_closed(before);
}
