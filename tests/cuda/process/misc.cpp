// SPDX-License-Identifier: MIT
/*
 * DOC: initialisation, contexts, results, addresses (checks X1 to X11)
 */
#include "graph/graphs.h"
#include "support/child.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

using namespace cuda_test;

/* The function itself, and not the inline one that another header may have in its place. */
extern "C" CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int version,
					cuuint64_t flags, CUdriverProcAddressQueryResult *status);
extern "C" CUresult cuEventRecord_ptsz(CUevent event, CUstream stream);

namespace {

class Misc : public ContextTest {};
using MiscWithoutContext = DriverTest;
using MiscAlone = testing::Test;

constexpr int kVersion = 12000;

/* The result of cuGetProcAddress(). */
struct Found {
	void *address = reinterpret_cast<void *>(1);
	CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
	CUresult code;

	Found(const char *name, int version, cuuint64_t flags)
	{
		code = cuGetProcAddress_v2(name, &address, version, flags, &status);
	}
};

CUcontext current()
{
	CUcontext context = nullptr;

	EXPECT_OK(cuCtxGetCurrent(&context));
	return context;
}

} // namespace

TEST_F(MiscWithoutContext, X1_Init)
{
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuInit(1));
	EXPECT_OK(cuInit(0));
	EXPECT_OK(cuInit(0));
}

TEST_F(MiscWithoutContext, X2_StackOfContexts)
{
	CUcontext popped = nullptr;

	EXPECT_EQ(current(), nullptr);
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(nullptr));
	const Context first;
	const Context second;
	EXPECT_EQ(current(), static_cast<CUcontext>(second));
	EXPECT_OK(cuCtxPushCurrent(first));
	EXPECT_EQ(current(), static_cast<CUcontext>(first));
	EXPECT_OK(cuCtxPopCurrent(nullptr));
	EXPECT_OK(cuCtxPopCurrent(&popped));
	EXPECT_EQ(popped, static_cast<CUcontext>(second));
	EXPECT_EQ(current(), static_cast<CUcontext>(first));
	EXPECT_OK(cuCtxSetCurrent(second));
	EXPECT_EQ(current(), static_cast<CUcontext>(second));
	EXPECT_OK(cuCtxSetCurrent(nullptr));
	EXPECT_EQ(current(), nullptr);
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(garbage<CUcontext>()));
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(nullptr));
}

TEST_F(MiscWithoutContext, X3_PrimaryContext)
{
	CUcontext primary = nullptr;
	CUcontext again = nullptr;
	unsigned flags = 77;
	int active = 77;

	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 0);
	EXPECT_EQ(flags, 0u);
	EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	EXPECT_EQ(current(), nullptr);
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 1);
	EXPECT_OK(cuDevicePrimaryCtxRetain(&again, 0));
	EXPECT_EQ(primary, again);
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 1);
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 0);
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
}

TEST_F(MiscWithoutContext, X3_PrimaryContextFlagsAndReset)
{
	CUcontext primary = nullptr;
	unsigned flags = 0;
	int active = 0;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, 0x1000));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, 3));
	EXPECT_OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
	EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	EXPECT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	EXPECT_OK(cuCtxSetCurrent(primary));
	EXPECT_OK(cuCtxGetFlags(&flags));
	EXPECT_EQ(flags & CU_CTX_SCHED_MASK, unsigned{CU_CTX_SCHED_BLOCKING_SYNC});
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_OK(cuDevicePrimaryCtxReset(0));
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 0);
	EXPECT_OK(cuDevicePrimaryCtxReset(0));
	EXPECT_OK(cuDevicePrimaryCtxSetFlags(0, 0));
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_OK(cuCtxSetCurrent(nullptr));
}

TEST_F(MiscWithoutContext, LimitsAreThoseOfAContext)
{
	CUcontext first = nullptr;
	CUcontext second = nullptr;
	size_t value = 99;

	ASSERT_OK(cuCtxCreate(&first, nullptr, 0, 0));
	EXPECT_OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
	EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
	EXPECT_EQ(value, 4096u);
	ASSERT_OK(cuCtxCreate(&second, nullptr, 0, 0));
	EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
	EXPECT_EQ(value, 0u);
	EXPECT_OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 8192));
	EXPECT_OK(cuCtxDestroy(second));
	EXPECT_EQ(current(), first);
	EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
	EXPECT_EQ(value, 4096u);
	EXPECT_CU(CUDA_ERROR_UNSUPPORTED_LIMIT,
		  cuCtxSetLimit(static_cast<CUlimit>(CU_LIMIT_PERSISTING_L2_CACHE_SIZE + 1), 1));
	EXPECT_CU(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&value, static_cast<CUlimit>(-1)));
	EXPECT_OK(cuCtxDestroy(first));
	/* A later context may reuse what the first one had. */
	ASSERT_OK(cuCtxCreate(&first, nullptr, 0, 0));
	EXPECT_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
	EXPECT_EQ(value, 0u);
	EXPECT_OK(cuCtxDestroy(first));
}

TEST_F(MiscWithoutContext, X4_DestroyedButCurrentElsewhere)
{
	CUcontext context = nullptr;
	std::promise<void> set;
	std::promise<void> destroyed;

	ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
	std::thread other([&] {
		CUdeviceptr memory = 0;
		CUevent event = nullptr;

		EXPECT_OK(cuCtxSetCurrent(context));
		set.set_value();
		destroyed.get_future().wait();
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&memory, 64));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventCreate(&event, 0));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamQuery(nullptr));
		EXPECT_OK(cuCtxSetCurrent(nullptr));
	});
	set.get_future().wait();
	EXPECT_OK(cuCtxDestroy(context));
	destroyed.set_value();
	other.join();
	EXPECT_EQ(current(), nullptr);
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy(context));
}

TEST_F(MiscWithoutContext, X5_ObjectsAfterTheirContext)
{
	CUevent event = nullptr;
	CUstream stream = nullptr;
	{
		const Context context;

		EXPECT_OK(cuEventCreate(&event, 0));
		EXPECT_OK(cuStreamCreate(&stream, 0));
		EXPECT_OK(cuEventRecord(event, stream));
	}
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventQuery(event));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventSynchronize(event));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventDestroy(event));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamDestroy(stream));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(event));
}

TEST_F(Misc, X6_AForkHasNoDriver)
{
	const Event event;

	EXPECT_TRUE(in_fork([&] {
		CUdeviceptr memory = 0;
		int count = 0;

		EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuInit(0));
		EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
		EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&memory, 64));
		EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventQuery(event));
		EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
	}));
	EXPECT_OK(cuEventQuery(event));
}

TEST_F(MiscWithoutContext, X7_NamesAndSentences)
{
	const char *text = nullptr;

	EXPECT_OK(cuGetErrorString(CUDA_SUCCESS, &text));
	EXPECT_STREQ(text, "no error");
	EXPECT_OK(cuGetErrorName(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, &text));
	EXPECT_STREQ(text, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED");
	for (int number : {-1, 9, 99999}) {
		const auto unknown = static_cast<CUresult>(number);

		text = "something";
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(unknown, &text));
		EXPECT_EQ(text, nullptr);
		text = "something";
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(unknown, &text));
		EXPECT_EQ(text, nullptr);
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(CUDA_SUCCESS, nullptr));
}

TEST_F(MiscWithoutContext, X8_AddressesOfFunctions)
{
	int version = 0;
	const Found unknown("cuNoSuchFunction", kVersion, 0);
	const Found suffixed("cuEventDestroy_v2", kVersion, 0);
	const Found too_old("cuEventRecordWithFlags", 11000, 0);
	const Found found("cuEventRecordWithFlags", 11010, 0);
	const Found legacy("cuEventRecord", kVersion, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
	const Found thread("cuEventRecord", kVersion,
			   CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
	const Found plain("cuEventQuery", kVersion, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);

	for (const Found &nothing : {unknown, suffixed}) {
		EXPECT_OK(nothing.code);
		EXPECT_EQ(nothing.address, nullptr);
		EXPECT_EQ(nothing.status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	}
	EXPECT_OK(too_old.code);
	EXPECT_EQ(too_old.address, nullptr);
	EXPECT_EQ(too_old.status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
	for (const Found &something : {found, legacy, thread, plain}) {
		EXPECT_OK(something.code);
		EXPECT_NE(something.address, nullptr);
		EXPECT_EQ(something.status, CU_GET_PROC_ADDRESS_SUCCESS);
	}
	EXPECT_NE(legacy.address, thread.address);
	EXPECT_OK(cuDriverGetVersion(&version));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, Found("cuInit", version + 10, 0).code);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, Found("cuInit", version, 4).code);
}

TEST_F(Misc, X8_WhatIsFoundWorks)
{
	const Found record("cuEventRecord", kVersion,
			   CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
	const auto function = reinterpret_cast<CUresult (*)(CUevent, CUstream)>(record.address);
	const Event event(CU_EVENT_DISABLE_TIMING);
	Gate gate;

	ASSERT_NE(function, nullptr);
	gate.block(CU_STREAM_PER_THREAD);
	EXPECT_OK(function(event, nullptr));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
}

/* Programs pass NULL for what they don't want to know. */
TEST_F(Misc, ResultsThatMayBeNull)
{
	using OldUpdate = CUresult(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *);
	const Words words(1);
	const Graph graph;
	const Exec exec(graph);
	CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_ERROR;
	CUdeviceptr base = 0;
	OldUpdate *update = nullptr;
	size_t free = 0;
	size_t total = 0;
	size_t size = 0;
	int greatest = 0;

	EXPECT_OK(cuMemGetInfo(nullptr, nullptr));
	EXPECT_OK(cuMemGetInfo(&free, nullptr));
	EXPECT_OK(cuMemGetInfo(nullptr, &total));
	EXPECT_GE(total, free);
	EXPECT_OK(cuMemGetAddressRange(nullptr, &size, words));
	EXPECT_OK(cuMemGetAddressRange(&base, nullptr, words));
	EXPECT_EQ(base, CUdeviceptr(words));
	EXPECT_OK(cuCtxGetStreamPriorityRange(nullptr, &greatest));
	EXPECT_OK(cuCtxGetStreamPriorityRange(nullptr, nullptr));
	EXPECT_OK(cuGetProcAddress_v2("cuGraphExecUpdate", reinterpret_cast<void **>(&update),
				      10020, 0, nullptr));
	ASSERT_NE(update, nullptr);
	EXPECT_OK(update(exec, graph, nullptr, &result));
	EXPECT_EQ(result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
}

TEST_F(Misc, X9_AllocationsOfZeroBytes)
{
	CUdeviceptr memory = 0;
	void *pinned = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&memory, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(nullptr, 64));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAllocHost(&pinned, 0));
	EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&memory, size_t{1} << 45));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(12345));
	EXPECT_OK(cuMemFree(0));
	EXPECT_OK(cuMemFreeHost(nullptr));
}

TEST_F(Misc, X10_WhatAnAddressIs)
{
	const Words words(16);
	int local = 0;
	const auto outside = reinterpret_cast<CUdeviceptr>(&local);
	unsigned type = 77;
	CUcontext context = nullptr;
	CUdeviceptr start = 77;
	CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
					    CU_POINTER_ATTRIBUTE_CONTEXT,
					    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
	void *data[] = {&type, &context, &start};

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, outside));
	EXPECT_OK(cuPointerGetAttributes(3, attributes, data, words + 4));
	EXPECT_EQ(type, unsigned{CU_MEMORYTYPE_DEVICE});
	EXPECT_EQ(context, context_);
	EXPECT_EQ(start, static_cast<CUdeviceptr>(words));
	EXPECT_OK(cuPointerGetAttributes(3, attributes, data, outside));
	EXPECT_EQ(type, 0u);
	EXPECT_EQ(context, nullptr);
	EXPECT_EQ(start, 0u);
}

/* Any address outside of the devices' windows may be memory of the host. */
TEST_F(Misc, AnAddressOfNoDeviceIsItself)
{
	const Words words(16);
	CUdeviceptr freed = 0;
	int ordinal = 77;
	CUdeviceptr device = 77;
	CUdeviceptr host = 77;
	CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
					    CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
					    CU_POINTER_ATTRIBUTE_HOST_POINTER};
	void *data[] = {&ordinal, &device, &host};

	for (const CUdeviceptr address :
	     {CUdeviceptr{0}, CUdeviceptr{0xdead}, reinterpret_cast<CUdeviceptr>(&ordinal)}) {
		EXPECT_OK(cuPointerGetAttributes(3, attributes, data, address));
		EXPECT_EQ(ordinal, -2);
		EXPECT_EQ(device, address);
		EXPECT_EQ(host, address);
	}
	EXPECT_OK(cuMemAlloc(&freed, 64));
	EXPECT_OK(cuMemFree(freed));
	EXPECT_OK(cuPointerGetAttributes(3, attributes, data, freed));
	EXPECT_EQ(ordinal, -2);
	EXPECT_EQ(device, 0u);
	EXPECT_EQ(host, 0u);
	EXPECT_OK(cuPointerGetAttributes(3, attributes, data, words));
	EXPECT_EQ(ordinal, 0);
	EXPECT_EQ(device, static_cast<CUdeviceptr>(words));
	EXPECT_EQ(host, 0u);
}

namespace {

CUevent left_over;

/* Runs after the library's own exit handler, which was registered later. */
void look_after_exit()
{
	CUdeviceptr memory = 0;

	_exit(cuEventDestroy(left_over) == CUDA_ERROR_DEINITIALIZED &&
			      cuMemAlloc(&memory, 64) == CUDA_ERROR_DEINITIALIZED &&
			      cuCtxSynchronize() == CUDA_ERROR_DEINITIALIZED
		      ? 0
		      : 3);
}

} // namespace

TEST(MiscAlone, X11_CallsAfterExitHandlers)
{
	if (!alone())
		return;
	CUcontext context = nullptr;

	atexit(look_after_exit);
	ASSERT_OK(cuInit(0));
	ASSERT_OK(cuCtxCreate(&context, nullptr, 0, 0));
	ASSERT_OK(cuEventCreate(&left_over, 0));
}
