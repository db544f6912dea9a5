// SPDX-License-Identifier: MIT
/*
 * DOC: a firmware that dies under a program of the CUDA driver interface
 *
 * The firmware dies under a program. From then on every call reports that. After a reset of the
 * primary context the same process works with the next firmware at that socket.
 */
#include "firmware_process.h"
#include "support/child.h"

#include <csignal>
#include <cstdlib>
#include <thread>

using namespace cuda_test;

namespace {

constexpr size_t kBytes = 4096;

/* The primary context of device 0, current, and what a program has in it. */
struct Program {
	CUcontext context = nullptr;
	CUstream stream = nullptr;
	CUevent event = nullptr;
	CUdeviceptr memory = 0;

	void open()
	{
		ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
		ASSERT_OK(cuCtxSetCurrent(context));
		ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
		ASSERT_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
		ASSERT_OK(cuMemAlloc(&memory, kBytes));
	}

	void work(unsigned char value) const
	{
		std::vector<unsigned char> found(kBytes);

		EXPECT_OK(cuMemsetD8Async(memory, value, kBytes, stream));
		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_OK(cuEventSynchronize(event));
		EXPECT_OK(cuMemcpyDtoH(found.data(), memory, kBytes));
		EXPECT_EQ(found, std::vector<unsigned char>(kBytes, value));
	}

	/* Completed work stays completed: the first call that waits for the device reports the loss. */
	void expect_lost() const
	{
		CUdeviceptr more = 0;
		CUstream another = nullptr;

		(void)cuMemsetD8Async(memory, 1, kBytes, stream);
		EXPECT_CU(CUDA_ERROR_DEVICE_UNAVAILABLE, cuStreamSynchronize(stream));
		EXPECT_CU(CUDA_ERROR_DEVICE_UNAVAILABLE, cuCtxSynchronize());
		EXPECT_CU(CUDA_ERROR_DEVICE_UNAVAILABLE,
			  cuMemsetD8Async(memory, 1, kBytes, stream));
		EXPECT_CU(CUDA_ERROR_DEVICE_UNAVAILABLE, cuMemAlloc(&more, size_t{64} << 20));
		EXPECT_CU(CUDA_ERROR_DEVICE_UNAVAILABLE, cuStreamCreate(&another, 0));
	}
};

} // namespace

TEST(FirmwareLost, AResetOfThePrimaryContextContinuesWithTheNext)
{
	if (!alone())
		return;
	conformance::Firmware firmware({"--memory", "256M"});
	Program program;

	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	ASSERT_OK(cuInit(0));
	for (unsigned char round = 1; round <= 3; ++round) {
		program.open();
		program.work(round);
		EXPECT_EQ(firmware.end(SIGKILL), -SIGKILL);
		program.expect_lost();
		EXPECT_OK(cuDevicePrimaryCtxReset(0));
		EXPECT_NE(cuDevicePrimaryCtxRetain(&program.context, 0), CUDA_SUCCESS)
			<< "nobody listens there";
		firmware.start_again();
	}
	program.open();
	program.work(9);
	EXPECT_OK(cuDevicePrimaryCtxReset(0));
}

/* A call that waits ends when the firmware does. */
TEST(FirmwareLost, ACallThatWaitsEndsWithIt)
{
	if (!alone())
		return;
	conformance::Firmware firmware({"--memory", "256M", "--faults", "hang:op=fill:nth=2"});
	Program program;

	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	ASSERT_OK(cuInit(0));
	program.open();
	EXPECT_OK(cuMemsetD8Async(program.memory, 1, kBytes, program.stream));
	EXPECT_OK(cuMemsetD8Async(program.memory, 2, kBytes, program.stream));
	std::promise<void> waits;
	std::thread other([&] {
		EXPECT_OK(cuCtxSetCurrent(program.context));
		waits.set_value();
		EXPECT_CU(CUDA_ERROR_DEVICE_UNAVAILABLE, cuStreamSynchronize(program.stream));
	});

	waits.get_future().wait();
	EXPECT_EQ(firmware.end(SIGKILL), -SIGKILL);
	other.join();
	EXPECT_OK(cuDevicePrimaryCtxReset(0));
}
