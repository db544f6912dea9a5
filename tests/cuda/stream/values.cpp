// SPDX-License-Identifier: MIT
/*
 * DOC: words in memory that streams wait for and write (checks S19 to S22)
 */
#include "support/fixture.h"

#include <atomic>

using namespace cuda_test;

namespace {

class Values : public ContextTest {};

void store(uint32_t &word, uint32_t value)
{
	std::atomic_ref<uint32_t>(word).store(value);
}

/* Whether a wait for the word ends without another call. */
bool passes(uint32_t word, uint32_t value, unsigned flags)
{
	const PinnedWords pinned(1, word);
	const Stream stream;
	const Event event(CU_EVENT_DISABLE_TIMING);

	EXPECT_OK(cuStreamWaitValue32(stream, pinned.address(), value, flags));
	EXPECT_OK(cuEventRecord(event, stream));
	/* One round trip of other work: what the device can do, it has done then. */
	const Stream other;
	EXPECT_OK(cuMemsetD32Async(pinned.address(), word, 1, other));
	EXPECT_OK(cuStreamSynchronize(other));
	const bool passed = cuEventQuery(event) == CUDA_SUCCESS;
	/* Ends each of the four waits, with the values that are used here. */
	store(pinned[0], flags == CU_STREAM_WAIT_VALUE_NOR ? 0 : value);
	EXPECT_OK(cuStreamSynchronize(stream));
	return passed;
}

CUstreamBatchMemOpParams wait_for(CUdeviceptr address, uint32_t value)
{
	CUstreamBatchMemOpParams params = {};

	params.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
	params.waitValue.address = address;
	params.waitValue.value = value;
	params.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
	return params;
}

CUstreamBatchMemOpParams write(CUdeviceptr address, uint32_t value)
{
	CUstreamBatchMemOpParams params = {};

	params.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	params.writeValue.address = address;
	params.writeValue.value = value;
	return params;
}

} // namespace

TEST_F(Values, S19_GreaterOrEqualIsCyclic)
{
	EXPECT_TRUE(passes(0x00000001, 0xffffffff, CU_STREAM_WAIT_VALUE_GEQ));
	EXPECT_TRUE(passes(5, 5, CU_STREAM_WAIT_VALUE_GEQ));
	EXPECT_FALSE(passes(4, 5, CU_STREAM_WAIT_VALUE_GEQ));
	EXPECT_FALSE(passes(0xffffffff, 1, CU_STREAM_WAIT_VALUE_GEQ));
}

TEST_F(Values, S20_Conditions)
{
	EXPECT_TRUE(passes(5, 5, CU_STREAM_WAIT_VALUE_EQ));
	EXPECT_FALSE(passes(6, 5, CU_STREAM_WAIT_VALUE_EQ));
	EXPECT_TRUE(passes(6, 2, CU_STREAM_WAIT_VALUE_AND));
	EXPECT_FALSE(passes(5, 2, CU_STREAM_WAIT_VALUE_AND));
	EXPECT_TRUE(passes(0xfffffff0, 1, CU_STREAM_WAIT_VALUE_NOR));
	EXPECT_FALSE(passes(0xfffffff0, 0xf, CU_STREAM_WAIT_VALUE_NOR));
	EXPECT_TRUE(passes(5, 5, CU_STREAM_WAIT_VALUE_EQ | CU_STREAM_WAIT_VALUE_FLUSH));
}

TEST_F(Values, S20_Arguments)
{
	const Words words(4);
	const Stream stream;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(stream, 0, 1, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, 0, 1, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(stream, words, 1, 4));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, words, 1, 2));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(stream, words + 2, 1, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(stream, words + 4, 1, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64(stream, words + 4, 1, 0));
	EXPECT_OK(cuStreamQuery(stream));
}

TEST_F(Values, S20_LongWords)
{
	const PinnedWords pinned(2);
	const Stream stream;

	EXPECT_OK(cuStreamWriteValue64(stream, pinned.address(), 0x100000002, 0));
	EXPECT_OK(cuStreamWaitValue64(stream, pinned.address(), 0x100000002,
				      CU_STREAM_WAIT_VALUE_EQ));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(pinned[0], 2u);
	EXPECT_EQ(pinned[1], 1u);
}

TEST_F(Values, S21_Batches)
{
	const PinnedWords pinned(2);
	const Stream stream;
	std::vector<CUstreamBatchMemOpParams> many(256, write(pinned.address(), 1));
	std::vector<CUstreamBatchMemOpParams> bad = {write(pinned.address(), 1), write(0, 1)};
	std::vector<CUstreamBatchMemOpParams> good = {
		write(pinned.address(), 1), wait_for(pinned.address(), 1),
		write(pinned.address(), 2), write(pinned.address() + 4, 3)};

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 256, many.data(), 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 1, many.data(), 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 1, nullptr, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 2, bad.data(), 0));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(pinned[0], 0u);
	EXPECT_OK(cuStreamBatchMemOp(stream, 255, many.data(), 0));
	EXPECT_OK(cuStreamBatchMemOp(stream, 4, good.data(), 0));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(pinned[0], 2u);
	EXPECT_EQ(pinned[1], 3u);
}

TEST_F(Values, S21_AWaitInABatchHoldsWhatFollows)
{
	const PinnedWords pinned(2);
	const Stream stream;
	std::vector<CUstreamBatchMemOpParams> batch = {wait_for(pinned.address(), 7),
						       write(pinned.address() + 4, 1)};

	EXPECT_OK(cuStreamBatchMemOp(stream, 2, batch.data(), 0));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
	EXPECT_EQ(std::atomic_ref<uint32_t>(pinned[1]).load(), 0u);
	store(pinned[0], 7);
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(pinned[1], 1u);
}

TEST_F(Values, S22_AnEventAfterAWaitIsPendingUntilTheHostWrites)
{
	const PinnedWords pinned(1);
	const Stream stream;
	const Event event;

	EXPECT_OK(cuStreamWaitValue32(stream, pinned.address(), 1, CU_STREAM_WAIT_VALUE_EQ));
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	store(pinned[0], 1);
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuEventQuery(event));
}
