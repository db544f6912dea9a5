// SPDX-License-Identifier: MIT
/*
 * DOC: memory belongs to the context that allocated it (F6) unless a stream ordered it, and contexts that are
 * reset (F15)
 */
#include "graph/multi_device.h"
#include "support/child.h"

#include <cstdlib>

using namespace cuda_test;

namespace {

using ContextMemory = DriverTest;

constexpr size_t kBytes = size_t{16} << 20;
/* Several times what the device has. */
constexpr int kRounds = 16;

/* The memory that one context allocates and never frees. */
struct Allocated {
	CUdeviceptr device = 0;
	CUdeviceptr rows = 0;
	CUdeviceptr managed = 0;
	void *pinned = nullptr;

	void make()
	{
		size_t pitch = 0;

		ASSERT_OK(cuMemAlloc(&device, kBytes));
		ASSERT_OK(cuMemAllocPitch(&rows, &pitch, 1000, 1000, 4));
		ASSERT_OK(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL));
		ASSERT_OK(cuMemAllocHost(&pinned, 4096));
		ASSERT_OK(cuMemsetD8(device, 1, kBytes));
	}

	/* The addresses mean nothing any more; another context is current. */
	void expect_gone() const
	{
		char byte = 0;

		for (const CUdeviceptr address : {device, rows, managed}) {
			EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
			EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(address, 1, 1));
		}
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&byte, device, 1));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(pinned));
	}
};

} // namespace

/* F6 */
TEST_F(ContextMemory, DestroyingAContextFreesItsMemory)
{
	if (!alone("memory=64M"))
		return;
	ASSERT_OK(cuInit(0));
	const Context stays;
	CUdeviceptr kept = 0;
	size_t free_before = 0;
	size_t free_after = 0;
	size_t total = 0;

	ASSERT_OK(cuMemAlloc(&kept, 4096));
	ASSERT_OK(cuMemGetInfo(&free_before, &total));
	for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
		Allocated allocated;
		CUcontext context = nullptr;

		ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
		allocated.make();
		EXPECT_OK(cuCtxDestroy(context));
		ASSERT_OK(cuCtxSetCurrent(stays));
		allocated.expect_gone();
	}
	EXPECT_OK(cuMemGetInfo(&free_after, &total));
	EXPECT_EQ(free_after, free_before);
	EXPECT_OK(cuMemsetD8(kept, 1, 4096));
	EXPECT_OK(cuMemFree(kept));
}

/* F6 */
TEST_F(ContextMemory, SoDoesTheLastReleaseOfThePrimaryContext)
{
	if (!alone("memory=64M"))
		return;
	ASSERT_OK(cuInit(0));
	for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
		Allocated allocated;
		CUcontext primary = nullptr;

		ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
		ASSERT_OK(cuCtxSetCurrent(primary));
		allocated.make();
		if (round % 2) {
			EXPECT_OK(cuDevicePrimaryCtxReset(0));
		}
		EXPECT_OK(cuDevicePrimaryCtxRelease(0));
		const Context other;
		allocated.expect_gone();
	}
}

/* What a stream orders is the device's. It outlives the context, and the device stays open for it. */
TEST_F(ContextMemory, MemoryThatAStreamOrderedIsOfNoContext)
{
	for (const bool is_open : {true, false}) {
		const auto stays = is_open ? std::make_unique<Context>() : nullptr;
		CUcontext context = nullptr;
		CUcontext owner = reinterpret_cast<CUcontext>(this);
		CUdeviceptr memory = 0;
		uint32_t value = 0;
		int ordinal = 77;

		ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
		ASSERT_OK(cuMemAllocAsync(&memory, 64, nullptr));
		EXPECT_OK(cuMemsetD32Async(memory, 7, 16, nullptr));
		EXPECT_OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
		EXPECT_EQ(owner, nullptr);
		EXPECT_OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
						memory));
		EXPECT_EQ(ordinal, 0);
		EXPECT_OK(cuStreamSynchronize(nullptr));
		EXPECT_OK(cuCtxDestroy(context));
		const Context other;
		const Stream stream;
		EXPECT_OK(cuMemcpyDtoH(&value, memory, 4));
		EXPECT_EQ(value, 7u);
		EXPECT_OK(cuMemFreeAsync(memory, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
	}
}

/* A graph that uses it needs the context of the node alone. */
TEST_F(ContextMemory, GraphsWithMemoryThatAStreamOrdered)
{
	const Context stays;
	CUcontext context = nullptr;
	CUdeviceptr memory = 0;
	uint32_t value = 0;

	ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
	ASSERT_OK(cuMemAllocAsync(&memory, 64, nullptr));
	const Graph graph;
	add_fill(graph, {}, stays, memory, 3);
	ASSERT_OK(cuCtxDestroy(context));
	const Stream stream;
	Exec(graph).run(stream);
	EXPECT_OK(cuMemcpyDtoH(&value, memory, 4));
	EXPECT_EQ(value, 3u);
	EXPECT_OK(cuMemFree(memory));
}

/* F6 */
TEST_F(ContextMemory, RegistrationsEndWithTheirContext)
{
	const Context stays;
	std::vector<char> memory(100);
	CUcontext context = nullptr;

	ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
	EXPECT_OK(cuMemHostRegister(memory.data(), 100, 0));
	EXPECT_OK(cuCtxDestroy(context));
	EXPECT_CU(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory.data()));
	EXPECT_OK(cuCtxSetCurrent(stays));
	EXPECT_OK(cuMemHostRegister(memory.data(), 100, 0));
	EXPECT_OK(cuMemHostUnregister(memory.data()));
}

/* F15: a reset does not release the references. */
TEST_F(ContextMemory, ReleasesAfterAReset)
{
	CUcontext primary = nullptr;
	unsigned flags = 0;
	int active = 1;

	ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	EXPECT_OK(cuDevicePrimaryCtxReset(0));
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 0);
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	/* The next context lives until the last reference is released, whichever it was for. */
	ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 1);
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 0);
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
}

/* F23: whatever keeps the device open: nothing, another context, or memory. */
TEST_F(ContextMemory, EventsOfAContextThatWasDestroyed)
{
	for (const bool is_open : {false, true}) {
		CUcontext context = nullptr;
		CUevent events[2] = {};
		CUstream stream = nullptr;
		float milliseconds = 0;

		const auto other = is_open ? std::make_unique<Context>() : nullptr;
		ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
		for (CUevent &event : events) {
			EXPECT_OK(cuEventCreate(&event, 0));
			EXPECT_OK(cuEventRecord(event, nullptr));
		}
		EXPECT_OK(cuCtxSynchronize());
		EXPECT_OK(cuCtxDestroy(context));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventQuery(events[0]));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventSynchronize(events[0]));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED,
			  cuEventElapsedTime(&milliseconds, events[0], events[1]));
		if (is_open) {
			EXPECT_OK(cuStreamCreate(&stream, 0));
			EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED,
				  cuStreamWaitEvent(stream, events[0], 0));
			EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED,
				  cuEventRecord(events[0], stream));
			EXPECT_OK(cuStreamDestroy(stream));
		}
		for (const CUevent event : events) {
			EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventDestroy(event));
			EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(event));
		}
	}
}
