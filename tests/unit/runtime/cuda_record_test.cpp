// SPDX-License-Identifier: MIT
/**
 * DOC: CUDA's records and failures, seen from inside
 *
 * Packets and fences of CUDA's records, which the suite of the interface cannot see. The front end
 * is linked into the test. The device is stepped, so nothing runs before a thread waits.
 */
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "acl/acl.h"
#include "cuda/cuda.h"
#include "drv/device.h"
#include "drv/packet/packets.h"
#include "umd/core/stream/stream.h"

namespace {

class CudaRecord : public testing::Test {
protected:
	void SetUp() override
	{
		const char *before = getenv("UNPU_DEVICE");
		had_ = before != nullptr;
		before_ = had_ ? before : "";
		setenv("UNPU_DEVICE", "sim:step,memory=256M", 1);
		/* Its end makes the device string be read anew. */
		ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
		ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
		ASSERT_EQ(cuCtxCreate(&context_, nullptr, 0, 0), CUDA_SUCCESS);
		ASSERT_EQ(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
	}

	void TearDown() override
	{
		EXPECT_EQ(cuStreamDestroy(stream_), CUDA_SUCCESS);
		EXPECT_EQ(cuCtxDestroy(context_), CUDA_SUCCESS);
		EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
		if (had_)
			setenv("UNPU_DEVICE", before_.c_str(), 1);
		else
			unsetenv("UNPU_DEVICE");
	}

	/* Packets that the stream was ever given. */
	uint64_t submits() const
	{
		return umd::Stream::table().get(stream_)->channel->last().value;
	}

	/* The packets of repeated records of one event, most of them while the last record is pending. */
	void records_cost(unsigned flags, uint64_t most)
	{
		constexpr int TURNS = 100;
		CUevent event = nullptr;
		ASSERT_EQ(cuEventCreate(&event, flags), CUDA_SUCCESS);
		for (int i = 0; i < TURNS; i++) {
			const uint64_t before = submits();
			ASSERT_EQ(cuEventRecord(event, stream_), CUDA_SUCCESS);
			EXPECT_LE(submits() - before, most) << "record " << i;
			if (i == TURNS / 2) {
				EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
			}
		}
		EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
		EXPECT_EQ(cuEventDestroy(event), CUDA_SUCCESS);
	}

	CUcontext context_ = nullptr;
	CUstream stream_ = nullptr;

private:
	std::string before_;
	bool had_ = false;
};

} // namespace

TEST_F(CudaRecord, WithoutTimeStampNothingIsSubmitted)
{
	records_cost(CU_EVENT_DISABLE_TIMING, 0);
}

TEST_F(CudaRecord, WithTimeStampOnePacketIsSubmitted)
{
	records_cost(CU_EVENT_DEFAULT, 1);
}

/* The stream has nothing else to do, so it is the stamp alone that is still to come. */
TEST_F(CudaRecord, IsNotDoneBeforeItsTimeStamp)
{
	CUevent event = nullptr;
	float ms = -1;
	ASSERT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(cuEventRecord(event, stream_), CUDA_SUCCESS);
		EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY) << "record " << i;
		EXPECT_EQ(cuEventElapsedTime(&ms, event, event), CUDA_ERROR_NOT_READY);
		EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
		EXPECT_EQ(cuEventQuery(event), CUDA_SUCCESS);
		EXPECT_EQ(cuEventElapsedTime(&ms, event, event), CUDA_SUCCESS);
	}
	EXPECT_EQ(cuEventDestroy(event), CUDA_SUCCESS);
}

/* The device forgets a destroyed stream once it has nothing more to do; the failure of one of its
 * tasks is kept until a call has reported it, however many streams come and go meanwhile. */
TEST_F(CudaRecord, FailuresOfADestroyedStreamAreReported)
{
	CUstream failing = nullptr;
	ASSERT_EQ(cuStreamCreate(&failing, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
	umd::Stream &stream = *umd::Stream::table().get(failing);
	auto fence = umd::submit(stream, drv::fill_packet(1, 64, 8, 1, 1), nullptr);
	ASSERT_TRUE(fence.ok());
	ASSERT_EQ(stream.context->device().wait(*fence, base::NO_DEADLINE), base::Status::OK);
	EXPECT_EQ(cuStreamDestroy(failing), CUDA_SUCCESS);
	for (int i = 0; i < 3; i++) {
		CUstream other = nullptr;
		EXPECT_EQ(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
		EXPECT_EQ(cuStreamDestroy(other), CUDA_SUCCESS);
	}
	EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(CudaRecord, AWaitForWhatTheStreamDoesAnywaySubmitsNothing)
{
	CUevent event = nullptr;
	ASSERT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
	ASSERT_EQ(cuEventRecord(event, stream_), CUDA_SUCCESS);
	const uint64_t before = submits();
	EXPECT_EQ(cuStreamWaitEvent(stream_, event, 0), CUDA_SUCCESS);
	EXPECT_EQ(submits(), before);
	EXPECT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
	EXPECT_EQ(cuEventDestroy(event), CUDA_SUCCESS);
}
