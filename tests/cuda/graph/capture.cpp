// SPDX-License-Identifier: MIT
/*
 * DOC: captures (checks C1 to C18, C21, C23)
 */
#include <thread>

#include "graph/graphs.h"

using namespace cuda_test;

namespace {

class Capture : public ContextTest {};

const CUstreamCaptureMode kModes[] = {CU_STREAM_CAPTURE_MODE_GLOBAL,
				      CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
				      CU_STREAM_CAPTURE_MODE_RELAXED};

/* The second stream takes part in the capture of the first. */
void fork(CUstream from, CUstream to, CUevent event)
{
	EXPECT_OK(cuEventRecord(event, from));
	EXPECT_OK(cuStreamWaitEvent(to, event, 0));
}

/* This thread's mode, until the end of the scope. */
class ThreadMode {
public:
	explicit ThreadMode(CUstreamCaptureMode mode) : mode_(mode)
	{
		EXPECT_OK(cuThreadExchangeStreamCaptureMode(&mode_));
	}
	~ThreadMode() { EXPECT_OK(cuThreadExchangeStreamCaptureMode(&mode_)); }
	ThreadMode(const ThreadMode &) = delete;
	ThreadMode &operator=(const ThreadMode &) = delete;

private:
	CUstreamCaptureMode mode_;
};

} // namespace

TEST_F(Capture, C1_TheLegacyStreamDoesNotCapture)
{
	for (CUstream stream : {CUstream{nullptr}, CU_STREAM_LEGACY})
		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
			  cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
}

TEST_F(Capture, C1_AThreadsOwnStreamDoes)
{
	const Words words(1);
	CUgraph captured = nullptr;
	{
		Capturing capture(CU_STREAM_PER_THREAD);

		EXPECT_OK(cuMemsetD32Async(words, 4, 1, CU_STREAM_PER_THREAD));
		ASSERT_OK(capture.end(&captured));
	}
	const Graph graph(captured);
	Exec(graph).run(CU_STREAM_PER_THREAD);
	EXPECT_EQ(words.load()[0], 4u);
}

TEST_F(Capture, C2_AStreamCapturesOnce)
{
	const Stream stream;
	const Stream joined;
	const Event event;
	Capturing capture(stream);

	EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE,
		  cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	fork(stream, joined, event);
	EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE,
		  cuStreamBeginCapture(joined, CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
}

TEST_F(Capture, C3_Arguments)
{
	const Stream stream;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(-1)));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(3)));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED,
		  cuStreamBeginCapture(destroyed_stream(), CU_STREAM_CAPTURE_MODE_GLOBAL));
}

TEST_F(Capture, C4_EndWithoutACapture)
{
	const Stream stream;
	CUgraph graph = nullptr;

	EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, &graph));
	EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(nullptr, &graph));
	EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(stream, nullptr));
}

TEST_F(Capture, C5_EndByAnotherThread)
{
	for (CUstreamCaptureMode mode : kModes) {
		const bool relaxed = mode == CU_STREAM_CAPTURE_MODE_RELAXED;
		const Stream stream;
		CUgraph graph = nullptr;
		Capturing capture(stream, mode);

		std::thread([&] {
			EXPECT_CU(relaxed ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
				  cuStreamEndCapture(stream, &graph));
		}).join();
		if (!relaxed) {
			EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
			EXPECT_OK(capture.end(&graph));
		}
		EXPECT_OK(cuGraphDestroy(graph));
	}
}

TEST_F(Capture, C6_EndInAStreamThatJoined)
{
	const Stream stream;
	const Stream joined;
	const Event event;
	CUgraph graph = nullptr;
	Capturing capture(stream);

	fork(stream, joined, event);
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(joined, &graph));
}

TEST_F(Capture, C7_AForkHasToComeBack)
{
	const Words words(2);
	const Stream stream;
	const Stream joined;
	const Event event;
	const Event back;
	{
		Capturing capture(stream);

		fork(stream, joined, event);
		EXPECT_OK(cuMemsetD32Async(words, 1, 1, joined));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
	}
	{
		Capturing capture(stream);

		fork(stream, joined, event);
		fork(joined, stream, back);
		EXPECT_OK(cuMemsetD32Async(words, 1, 1, joined));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
	}
	/* The stream that joined is an ordinary one again, too. */
	EXPECT_OK(cuStreamSynchronize(joined));
}

TEST_F(Capture, C7_AForkMayComeBackByOthers)
{
	const Words words(3);
	const Stream first;
	const Stream second;
	const Stream third;
	const Event events[4];
	CUgraph captured = nullptr;
	Capturing capture(first);

	EXPECT_OK(cuMemsetD32Async(words, 1, 1, first));
	fork(first, second, events[0]);
	fork(second, third, events[1]);
	EXPECT_OK(cuMemcpyDtoDAsync(words + 4, words, 4, third));
	fork(third, second, events[2]);
	EXPECT_OK(cuMemcpyDtoDAsync(words + 8, words + 4, 4, second));
	fork(second, first, events[3]);
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 3u);
	Exec(graph).run(first);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 1, 1}));
}

TEST_F(Capture, C8_TwoCapturesStayApart)
{
	const Stream first;
	const Stream second;
	const Event event;
	Capturing one(first, CU_STREAM_CAPTURE_MODE_RELAXED);
	Capturing other(second, CU_STREAM_CAPTURE_MODE_RELAXED);

	EXPECT_OK(cuEventRecord(event, first));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_MERGE, cuStreamWaitEvent(second, event, 0));
	EXPECT_EQ(one.status(), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	EXPECT_EQ(other.status(), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	one.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	other.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, C9_WorkOutsideIsNotWaitedFor)
{
	const Stream stream;
	const Stream outside;
	const Event event;

	EXPECT_OK(cuEventRecord(event, outside));
	{
		Capturing capture(stream);

		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(stream, event, 0));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
	CUgraph captured = nullptr;
	Capturing capture(stream);
	EXPECT_OK(cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	ASSERT_EQ(graph.size(), 1u);
	EXPECT_EQ(type_of(graph.nodes()[0]), CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}

TEST_F(Capture, C10_NoLookAtTheStream)
{
	for (CUstreamCaptureMode mode : kModes) {
		const Stream stream;
		{
			Capturing capture(stream, mode);

			EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
				  cuStreamSynchronize(stream));
			capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
		}
		Capturing capture(stream, mode);
		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(stream));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
}

TEST_F(Capture, C11_NoLookAtTheContext)
{
	for (CUstreamCaptureMode mode : kModes) {
		const Stream stream;
		Capturing capture(stream, mode);

		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
}

TEST_F(Capture, C12_NoLookAtACapturedEvent)
{
	for (CUstreamCaptureMode mode : kModes) {
		const Stream stream;
		const Event event;
		{
			Capturing capture(stream, mode);

			EXPECT_OK(cuEventRecord(event, stream));
			EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(event));
		}
		Capturing capture(stream, mode);
		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cuEventSynchronize(event));
	}
}

TEST_F(Capture, C13_OtherEventsByTheMode)
{
	const Event event;
	const Stream stream;
	{
		Capturing capture(stream);

		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuEventQuery(event));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
	{
		Capturing capture(stream);

		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuEventSynchronize(event));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
	Capturing capture(stream);
	const ThreadMode relaxed(CU_STREAM_CAPTURE_MODE_RELAXED);
	EXPECT_OK(cuEventQuery(event));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
}

TEST_F(Capture, C14_AnEventOfACaptureThatEnded)
{
	const Stream stream;
	const Event event;
	CUgraph graph = nullptr;
	float time = 0;
	{
		Capturing capture(stream);

		EXPECT_OK(cuEventRecord(event, stream));
		ASSERT_OK(capture.end(&graph));
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventSynchronize(event));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventElapsedTime(&time, event, event));
	EXPECT_OK(cuGraphDestroy(graph));
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuEventSynchronize(event));
}

TEST_F(Capture, C15_AllocationsByTheMode)
{
	const Stream stream;
	CUdeviceptr memory = 0;

	for (CUstreamCaptureMode mode :
	     {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL}) {
		Capturing capture(stream, mode);

		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&memory, 64));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
	Capturing capture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
	EXPECT_OK(cuMemAlloc(&memory, 64));
	EXPECT_OK(cuMemFree(memory));
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
}

TEST_F(Capture, C16_NoTurnsWithACapture)
{
	const Words words(4);
	const Stream stream(CU_STREAM_DEFAULT);
	uint32_t value = 0;

	for (CUstreamCaptureMode mode : kModes) {
		{
			Capturing capture(stream, mode);

			EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
				  cuMemcpyHtoD(words, &value, 4));
			capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
		}
		{
			Capturing capture(stream, mode);

			EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemsetD32(words, 1, 1));
		}
		Capturing capture(stream, mode);
		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
			  cuMemsetD32Async(words, 1, 1, nullptr));
	}
	/* A stream that takes no turns does not mind. */
	const Stream free;
	Capturing capture(free, CU_STREAM_CAPTURE_MODE_RELAXED);
	EXPECT_OK(cuMemsetD32(words, 1, 1));
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
}

TEST_F(Capture, C17_AskingTheLegacyStreamHarmsNothing)
{
	const Stream stream(CU_STREAM_DEFAULT);
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	CUgraph graph = nullptr;
	Capturing capture(stream);

	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuStreamIsCapturing(nullptr, &status));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
		  cuStreamGetCaptureInfo(nullptr, &status, nullptr, nullptr, nullptr, nullptr,
					 nullptr));
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	EXPECT_OK(capture.end(&graph));
	EXPECT_OK(cuGraphDestroy(graph));
	EXPECT_OK(cuStreamIsCapturing(nullptr, &status));
	EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(Capture, C18_AskingFromAnotherThread)
{
	const Stream stream;
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamIsCapturing(stream, nullptr));
	EXPECT_OK(cuStreamIsCapturing(stream, &status));
	EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
	Capturing capture(stream);
	std::thread([&] {
		EXPECT_OK(cuStreamIsCapturing(stream, &status));
		EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
	}).join();
}

TEST_F(Capture, C19_NoLookAtOtherStreamsByThisThread)
{
	const Stream stream;
	const Stream other;

	for (CUstreamCaptureMode mode : kModes) {
		const bool relaxed = mode == CU_STREAM_CAPTURE_MODE_RELAXED;
		Capturing capture(stream, mode);

		EXPECT_CU(relaxed ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
			  cuStreamSynchronize(other));
		EXPECT_EQ(capture.status(), relaxed ? CU_STREAM_CAPTURE_STATUS_ACTIVE
						    : CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	}
}

TEST_F(Capture, C20_OtherThreadsAreHeldByGlobalCaptures)
{
	const Stream stream;
	const Stream other;

	for (CUstreamCaptureMode mode : kModes) {
		const bool global = mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
		CUgraph graph = nullptr;
		Capturing capture(stream, mode);

		std::thread([&] {
			EXPECT_CU(global ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS,
				  cuStreamSynchronize(other));
		}).join();
		EXPECT_CU(global ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS,
			  capture.end(&graph));
		if (!global) {
			EXPECT_OK(cuGraphDestroy(graph));
		}
	}
}

TEST_F(Capture, C20_AThreadMayBeRelaxed)
{
	const Stream stream;
	const Stream other;
	CUgraph graph = nullptr;
	Capturing capture(stream);

	for (CUstreamCaptureMode mode :
	     {CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED}) {
		std::thread([&] {
			const ThreadMode own(mode);

			EXPECT_OK(cuStreamSynchronize(other));
		}).join();
	}
	EXPECT_OK(capture.end(&graph));
	EXPECT_OK(cuGraphDestroy(graph));
}

TEST_F(Capture, C21_AfterAViolation)
{
	const Words words(1);
	const Stream stream;
	Capturing capture(stream);

	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(stream));
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuMemsetD32Async(words, 1, 1, stream));
	capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load()[0], 2u);
	/* And may capture again. */
	CUgraph graph = nullptr;
	Capturing again(stream);
	EXPECT_OK(again.end(&graph));
	EXPECT_OK(cuGraphDestroy(graph));
}

TEST_F(Capture, C22_OnlyCapturesThatForbidTheCallAreHurt)
{
	const Stream global;
	const Stream relaxed;
	CUgraph graph = nullptr;
	Capturing strict(global);
	Capturing loose(relaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
	CUdeviceptr memory = 0;

	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&memory, 64));
	EXPECT_EQ(loose.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	strict.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	EXPECT_OK(loose.end(&graph));
	EXPECT_OK(cuGraphDestroy(graph));
}

TEST_F(Capture, C23_ExchangeOfTheMode)
{
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;

	EXPECT_OK(cuThreadExchangeStreamCaptureMode(&mode));
	EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
	EXPECT_OK(cuThreadExchangeStreamCaptureMode(&mode));
	EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuThreadExchangeStreamCaptureMode(nullptr));
	mode = static_cast<CUstreamCaptureMode>(7);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuThreadExchangeStreamCaptureMode(&mode));
}
