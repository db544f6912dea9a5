// SPDX-License-Identifier: MIT
/*
 * DOC: AscendCL and the CUDA driver interface in one process
 *
 * Both interfaces use device 0: its primary context, its memory, its streams. The fixture compares
 * the process's descriptors, threads and mappings before and after.
 */
#include "support/fixture.h"

#include <acl/acl.h>

#include <atomic>
#include <thread>

using namespace cuda_test;

namespace {

constexpr size_t kWords = 1024;
constexpr size_t kBytes = kWords * sizeof(uint32_t);

class Both : public DriverTest {
protected:
	void SetUp() override
	{
		DriverTest::SetUp();
		ASSERT_EQ(aclInit(nullptr), 0);
		ASSERT_EQ(aclrtSetDevice(0), 0);
		ASSERT_OK(cuDevicePrimaryCtxRetain(&context_, 0));
		ASSERT_OK(cuCtxSetCurrent(context_));
		ASSERT_EQ(aclrtCreateStream(&acl_stream_), 0);
		ASSERT_EQ(aclrtMalloc(&acl_memory_, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
	}

	void TearDown() override
	{
		EXPECT_EQ(aclrtFree(acl_memory_), 0);
		EXPECT_EQ(aclrtDestroyStream(acl_stream_), 0);
		EXPECT_EQ(aclrtResetDevice(0), 0);
		EXPECT_OK(cuDevicePrimaryCtxRelease(0));
		EXPECT_EQ(aclFinalize(), 0);
		DriverTest::TearDown();
	}

	CUdeviceptr shared() const { return reinterpret_cast<CUdeviceptr>(acl_memory_); }

	CUcontext context_ = nullptr;
	aclrtStream acl_stream_ = nullptr;
	void *acl_memory_ = nullptr;
};

using BothUnprepared = DriverTest;

} // namespace

TEST_F(Both, MemoryOfOneIsMemoryOfTheOther)
{
	const Stream stream;
	const Words words(kWords, 7);
	uint32_t value = 0;

	EXPECT_EQ(aclrtMemsetAsync(acl_memory_, kBytes, 3, kBytes, acl_stream_), 0);
	EXPECT_EQ(aclrtSynchronizeStream(acl_stream_), 0);
	EXPECT_OK(cuMemcpyDtoH(&value, shared() + kBytes - sizeof(value), sizeof(value)));
	EXPECT_EQ(value, 0x03030303u);

	EXPECT_OK(cuMemcpyDtoDAsync(shared(), words, kBytes, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(aclrtMemcpy(&value, sizeof(value), acl_memory_, sizeof(value),
			      ACL_MEMCPY_DEVICE_TO_HOST),
		  0);
	EXPECT_EQ(value, 7u);
}

TEST_F(Both, EachSynchronisesTheDevice)
{
	const Stream stream;
	const Words words(kWords);
	uint32_t value = 0;

	EXPECT_OK(cuMemsetD32Async(shared(), 5, kWords, stream));
	EXPECT_EQ(aclrtSynchronizeDevice(), 0);
	EXPECT_EQ(aclrtMemcpyAsync(reinterpret_cast<void *>(static_cast<CUdeviceptr>(words)),
				   kBytes, acl_memory_, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
				   acl_stream_),
		  0);
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_OK(cuMemcpyDtoH(&value, words, sizeof(value)));
	EXPECT_EQ(value, 5u);
}

/* The device closes when neither needs it, in either order. */
TEST_F(Both, OneMayLeaveBeforeTheOther)
{
	uint32_t value = 0;

	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_EQ(aclrtMemset(acl_memory_, kBytes, 1, kBytes), 0);
	EXPECT_OK(cuDevicePrimaryCtxRetain(&context_, 0));
	EXPECT_OK(cuCtxSetCurrent(context_));
	EXPECT_OK(cuMemcpyDtoH(&value, shared(), sizeof(value)));
	EXPECT_EQ(value, 0x01010101u);
}

TEST_F(Both, ThreadsOfEachDoNotDisturbTheOther)
{
	constexpr int kRounds = 200;
	std::atomic<int> failures{0};
	std::thread acl([&] {
		aclrtEvent event = nullptr;

		failures += aclrtSetDevice(0) != 0;
		failures += aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC) != 0;
		for (int i = 0; i < kRounds; ++i) {
			failures += aclrtMemsetAsync(acl_memory_, kBytes, i & 0xff, kBytes,
						     acl_stream_) != 0;
			failures += aclrtRecordEvent(event, acl_stream_) != 0;
			failures += aclrtSynchronizeEvent(event) != 0;
		}
		failures += aclrtDestroyEvent(event) != 0;
		failures += aclrtResetDevice(0) != 0;
	});
	const Stream stream;
	const Words words(kWords);
	const Event event(CU_EVENT_DISABLE_TIMING);

	for (unsigned i = 0; i < kRounds; ++i) {
		EXPECT_OK(cuMemsetD32Async(words, i, kWords, stream));
		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_OK(cuEventSynchronize(event));
		ASSERT_EQ(words.load()[kWords - 1], i);
	}
	acl.join();
	EXPECT_EQ(failures, 0);
}

/* A capture of one keeps the tasks of its stream, and those of no other. */
TEST_F(Both, CapturesOfEach)
{
	const Stream stream;
	const Words words(1, 1);
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	aclmdlRI model = nullptr;

	EXPECT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPECT_EQ(aclmdlRICaptureBegin(acl_stream_, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
	EXPECT_OK(cuMemsetD32Async(words, 9, 1, stream));
	EXPECT_EQ(aclrtMemsetAsync(acl_memory_, kBytes, 9, kBytes, acl_stream_), 0);
	EXPECT_OK(cuStreamEndCapture(stream, &graph));
	EXPECT_EQ(aclmdlRICaptureEnd(acl_stream_, &model), 0);
	EXPECT_EQ(words.load()[0], 1u);
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load()[0], 9u);
	EXPECT_EQ(aclmdlRIExecuteAsync(model, acl_stream_), 0);
	EXPECT_EQ(aclrtSynchronizeStream(acl_stream_), 0);
	EXPECT_EQ(aclmdlRIDestroy(model), 0);
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_OK(cuGraphDestroy(graph));
}

/* When one interface is finalized, all contexts end, even those to which the other has references. */
TEST_F(BothUnprepared, FinalizeEndsTheContextsOfBoth)
{
	CUcontext primary = nullptr;
	CUcontext own = nullptr;
	CUstream stream = nullptr;
	CUdevice device = -1;

	ASSERT_EQ(aclInit(nullptr), 0);
	ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	ASSERT_OK(cuCtxCreate(&own, nullptr, 0, 0));
	ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	EXPECT_EQ(aclFinalize(), 0);
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&device));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSetCurrent(primary));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSetCurrent(own));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamDestroy(stream));
	/* What comes after opens the device anew. */
	ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	EXPECT_OK(cuCtxSetCurrent(primary));
	EXPECT_OK(cuCtxGetDevice(&device));
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
}
