// SPDX-License-Identifier: MIT
/*
 * DOC: events of all streams of a context (check E28)
 */
#include "support/fixture.h"

using namespace cuda_test;

namespace {

class ContextEvents : public ContextTest {};

} // namespace

TEST_F(ContextEvents, E28_AnEventOfAllStreams)
{
	const Stream slow;
	const Stream idle;
	const Event event;
	const Event timed;
	float milliseconds = 0;
	Gate gate;

	EXPECT_OK(cuCtxRecordEvent(context_, timed));
	EXPECT_OK(cuEventSynchronize(timed));
	gate.block(slow);
	EXPECT_OK(cuCtxRecordEvent(context_, event));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	/* The event blocks no stream. */
	EXPECT_OK(cuStreamQuery(idle));
	gate.open();
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuEventElapsedTime(&milliseconds, timed, event));
	EXPECT_GT(milliseconds, 0.0f);
	const Context other;
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuCtxRecordEvent(other, event));
}

TEST_F(ContextEvents, E28_AWaitOfAllStreams)
{
	const Words words(4);
	const Stream slow;
	const Stream early;
	const Event event;
	Gate gate;

	gate.block(slow);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, slow));
	EXPECT_OK(cuEventRecord(event, slow));
	EXPECT_OK(cuCtxWaitEvent(context_, event));
	const Stream late;
	EXPECT_OK(cuMemcpyDtoDAsync(words + 4, words, 4, early));
	EXPECT_OK(cuMemcpyDtoDAsync(words + 8, words, 4, late));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(early));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(late));
	gate.open();
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_EQ(words.load()[1], 1u);
	EXPECT_EQ(words.load()[2], 1u);
}
