// SPDX-License-Identifier: MIT
/*
 * DOC: functions that streams call (checks S15 to S18)
 */
#include "support/fixture.h"

#include <atomic>
#include <thread>

using namespace cuda_test;

namespace {

class HostFunctions : public ContextTest {};

/* The arguments of a callback. */
struct Told {
	std::atomic<int> calls{0};
	CUstream stream = nullptr;
	CUresult status = CUDA_ERROR_UNKNOWN;
	/* What calls of the interface return inside. */
	CUresult inside[3] = {};
	CUevent event = nullptr;

	void call_inside()
	{
		CUstream made = nullptr;
		CUdeviceptr memory = 0;

		inside[0] = cuStreamCreate(&made, 0);
		inside[1] = cuMemAlloc(&memory, 64);
		inside[2] = cuEventQuery(event);
	}
};

void callback(CUstream stream, CUresult status, void *told)
{
	auto *mine = static_cast<Told *>(told);

	mine->stream = stream;
	mine->status = status;
	mine->call_inside();
	++mine->calls;
}

void host_function(void *told)
{
	auto *mine = static_cast<Told *>(told);

	mine->call_inside();
	++mine->calls;
}

void count(void *counter)
{
	++*static_cast<std::atomic<int> *>(counter);
}

} // namespace

TEST_F(HostFunctions, S15_CallbackArguments)
{
	const Stream stream;
	Told told;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, nullptr, &told, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, callback, &told, 1));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(told.calls.load(), 0);
}

TEST_F(HostFunctions, S15_CallbackIsCalledOnceInOrder)
{
	const Words words(1);
	const Stream stream;
	Told told;

	EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
	EXPECT_OK(cuStreamAddCallback(stream, callback, &told, 0));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(told.calls.load(), 1);
	EXPECT_EQ(told.stream, static_cast<CUstream>(stream));
	EXPECT_EQ(told.status, CUDA_SUCCESS);
}

TEST_F(HostFunctions, S15_LaterWorkWaitsForACallback)
{
	const Words words(1);
	const Stream stream;
	Gate gate;

	EXPECT_OK(cuStreamAddCallback(
		stream,
		[](CUstream, CUresult, void *future) {
			static_cast<std::shared_future<void> *>(future)->wait();
		},
		gate.future(), 0));
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load()[0], 1u);
}

TEST_F(HostFunctions, S16_NoCallsInsideACallback)
{
	const Stream stream;
	const Event event;
	Told told;

	told.event = event;
	EXPECT_OK(cuStreamAddCallback(stream, callback, &told, 0));
	EXPECT_OK(cuStreamSynchronize(stream));
	for (CUresult code : told.inside)
		EXPECT_CU(CUDA_ERROR_NOT_PERMITTED, code);
}

TEST_F(HostFunctions, S16_NoCallsInsideAHostFunction)
{
	const Stream stream;
	const Event event;
	Told told;

	told.event = event;
	EXPECT_OK(cuLaunchHostFunc(stream, host_function, &told));
	EXPECT_OK(cuStreamSynchronize(stream));
	for (CUresult code : told.inside)
		EXPECT_CU(CUDA_ERROR_NOT_PERMITTED, code);
}

TEST_F(HostFunctions, S17_HostFunctionsKeepTheOrder)
{
	const PinnedWords pinned(2);
	const Words words(1);
	const Stream stream;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(stream, nullptr, nullptr));
	EXPECT_OK(cuMemsetD32Async(pinned.address(), 1, 1, stream));
	/* The function sees the results of earlier work, and later work sees its results. */
	EXPECT_OK(cuLaunchHostFunc(
		stream,
		[](void *data) {
			auto *values = static_cast<uint32_t *>(data);
			values[1] = values[0] + 1;
		},
		pinned.data()));
	EXPECT_OK(cuMemcpyDtoDAsync(words, pinned.address() + sizeof(uint32_t), sizeof(uint32_t),
				    stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load()[0], 2u);
}

TEST_F(HostFunctions, S18_AFunctionMayWaitForThreads)
{
	constexpr int kStreams = 4;
	const Stream first;
	std::atomic<int> calls{0};
	Gate gate;

	gate.block(first);
	{
		std::vector<std::unique_ptr<Stream>> streams;

		for (int i = 0; i < kStreams; ++i) {
			streams.push_back(std::make_unique<Stream>());
			EXPECT_OK(cuLaunchHostFunc(*streams.back(), count, &calls));
		}
		std::thread([&] { gate.open(); }).join();
		for (const auto &stream : streams)
			EXPECT_OK(cuStreamSynchronize(*stream));
	}
	EXPECT_EQ(calls.load(), kStreams);
}
