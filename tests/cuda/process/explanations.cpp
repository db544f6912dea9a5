// SPDX-License-Identifier: MIT
/*
 * DOC: failures that explain themselves
 *
 * With UNPU_LOG_ERRORS each INVALID_HANDLE and each failure of a capture writes a line into the
 * log; with 2, each NOT_READY does too. The line names the handle, its state, and the call that
 * brought it into that state. Each test runs in a process whose log has no other writer, provokes a
 * failure and reads the line.
 */
#include "graph/graphs.h"
#include "support/child.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cinttypes>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

using namespace cuda_test;

namespace {

class Explanations : public ContextTest {
protected:
	void SetUp() override
	{
		/* The log's file is open from its first line on, and stays so. */
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuInit(1));
		ContextTest::SetUp();
	}

	/* True in a process with a log of its own; see alone(). */
	bool logging(const char *level, const std::string &check = "off")
	{
		const std::string path =
			testing::TempDir() + "unpu_explained." + std::to_string(getpid());

		if (!dlsym(RTLD_DEFAULT, "unpu_cuEventQuery")) {
			skip();
			return false;
		}
		if (!alone("", {std::string("UNPU_LOG_ERRORS=") + level, "UNPU_LOG_FILE=" + path,
				"UNPU_CHECK=" + check}))
			return false;
		path_ = getenv("UNPU_LOG_FILE");
		return true;
	}

	void TearDown() override
	{
		if (!path_.empty())
			unlink(path_.c_str());
		ContextTest::TearDown();
	}

	/* The lines that were logged since the last call. */
	std::string news()
	{
		std::ifstream file(path_);
		std::stringstream all;

		all << file.rdbuf();
		const std::string text = all.str();
		const std::string fresh = text.substr(read_);

		read_ = text.size();
		return fresh;
	}

	/* The call returned the code, and its line says all of these; each is a regular expression. */
	void explains(CUresult code, const char *name, CUresult expected,
		      const std::vector<std::string> &wanted)
	{
		const std::string line = news();

		EXPECT_CU(expected, code);
		EXPECT_NE(line.find(name), std::string::npos) << name << " is not in: " << line;
		for (const std::string &part : wanted)
			EXPECT_TRUE(std::regex_search(line, std::regex(part)))
				<< part << " is not in: " << line;
	}

private:
	static void skip() { GTEST_SKIP() << "another driver, which has other sentences"; }

	std::string path_;
	size_t read_ = 0;
};

template <class T> std::string hex(T handle)
{
	char text[32];

	std::snprintf(text, sizeof(text), "0x%" PRIxPTR, reinterpret_cast<uintptr_t>(handle));
	return text;
}

std::string of(CUevent event)
{
	return "event " + hex(event);
}

std::string of(CUstream stream)
{
	return "stream " + hex(stream);
}

std::string since(const char *call)
{
	return std::string(", since ") + call + R"( \(call [0-9]+, thread [0-9]+\))";
}

#define EXPLAINS(code, call, ...) \
	do { \
		news(); \
		const CUresult returned_ = (call); \
		explains(returned_, #code, code, {__VA_ARGS__}); \
	} while (0)

/* Ends a capture that broke, or was broken. */
void give_up(CUstream stream)
{
	CUgraph graph = nullptr;

	if (cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS) {
		EXPECT_OK(cuGraphDestroy(graph));
	}
}

} // namespace

TEST_F(Explanations, HandlesOfNoEvent)
{
	if (!logging("1"))
		return;
	CUevent gone = destroyed_event();

	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(gone),
		 of(gone) + " was destroyed" + since("cuEventDestroy"));
	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(gone, nullptr),
		 of(gone) + " was destroyed" + since("cuEventDestroy"));
	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(garbage<CUevent>()),
		 hex(garbage<CUevent>()) + " is no handle of an event");
	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuEventSynchronize(nullptr), "hEvent is NULL");
	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(nullptr),
		 "hStream is .*, a stream that can't be destroyed");
}

TEST_F(Explanations, EventsOfOtherKindsAndContexts)
{
	if (!logging("1"))
		return;
	const Event timed;
	const Event untimed(CU_EVENT_DISABLE_TIMING);
	CUipcEventHandle shared;
	float ms = 0;

	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, timed, timed), "never recorded",
		 of(timed) + " has no record" + since("cuEventCreate"));
	EXPECT_OK(cuEventRecord(timed, nullptr));
	EXPECT_OK(cuEventRecord(untimed, nullptr));
	EXPECT_OK(cuCtxSynchronize());
	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, timed, untimed),
		 "DISABLE_TIMING", of(untimed) + " is recorded.*done" + since("cuEventRecord"));
	EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuIpcGetEventHandle(&shared, untimed),
		 "without CU_EVENT_INTERPROCESS", of(untimed));
	{
		const Context other;

		EXPLAINS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(timed, nullptr),
			 of(timed) + " was made in context " + hex(context_),
			 "context " + hex(static_cast<CUcontext>(other)), since("cuEventRecord"));
	}
}

TEST_F(Explanations, WhatIsNotReady)
{
	if (!logging("2"))
		return;
	const Words words(1);
	const Event first;
	const Event last;
	const Stream stream;
	Gate gate;
	float ms = 0;
	const std::string busy = of(stream) + " is busy" + since("cuLaunchHostFunc");

	EXPECT_OK(cuEventRecord(first, stream));
	gate.block(stream);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
	EXPECT_OK(cuEventRecord(last, stream));
	EXPLAINS(CUDA_ERROR_NOT_READY, cuEventQuery(last),
		 of(last) + " marks packet [0-9]+ .* has done [0-9]+" + since("cuEventRecord"),
		 busy);
	EXPLAINS(CUDA_ERROR_NOT_READY, cuEventElapsedTime(&ms, first, last),
		 of(last) + " marks packet" + ".*" + since("cuEventRecord"), busy);
	EXPLAINS(CUDA_ERROR_NOT_READY, cuStreamQuery(stream),
		 of(stream) + " has done [0-9]+ of [0-9]+ packets" + since("cuLaunchHostFunc"));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(news(), "");
}

TEST_F(Explanations, WhatAGraphHasNotDone)
{
	if (!logging("2"))
		return;
	const Event event;
	const Stream stream;
	Gate gate;
	CUgraph graph = nullptr;
	CUgraphNode node = nullptr;
	CUgraphExec exec = nullptr;

	EXPECT_OK(cuGraphCreate(&graph, 0));
	EXPECT_OK(cuGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	gate.block(stream);
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPLAINS(CUDA_ERROR_NOT_READY, cuEventQuery(event),
		 of(event) + ".*" + since("cuGraphLaunch"));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_OK(cuGraphDestroy(graph));
}

TEST_F(Explanations, CallsThatACaptureForbids)
{
	if (!logging("1"))
		return;
	const Stream stream;
	const Stream other;
	CUdeviceptr memory = 0;
	CUgraph graph = nullptr;
	const std::string captures = of(stream) + " captures" + since("cuStreamBeginCapture");

	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
		 cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL), "legacy stream");
	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream), captures);
	/* The first call is the one that broke it. */
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(other), captures);
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&memory, 64), captures);
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize(), captures);
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph),
		 R"(invalidated: cuStreamSynchronize \(call [0-9]+, thread [0-9]+\))",
		 of(stream) + " captured" + since("cuStreamBeginCapture") +
			 " until cuStreamEndCapture");
	EXPECT_OK(cuStreamQuery(stream));
}

TEST_F(Explanations, EndsOfCaptures)
{
	if (!logging("1"))
		return;
	const Event fork;
	const Words words(1);
	const Stream first;
	const Stream second;
	CUgraph graph = nullptr;

	ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(cuEventRecord(fork, first));
	EXPECT_OK(cuStreamWaitEvent(second, fork, 0));
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, second));
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(second, &graph),
		 of(second) + " captures" + since("cuStreamWaitEvent"),
		 of(first) + " captures" + since("cuStreamBeginCapture"));
	std::thread([&] {
		EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, cuStreamEndCapture(first, &graph),
			 of(first) + " captures" + since("cuStreamBeginCapture"));
	}).join();
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(first, &graph),
		 of(first) + " captured" + since("cuStreamBeginCapture"),
		 of(second) + " captured" + since("cuStreamWaitEvent"));
}

TEST_F(Explanations, EventsAndCaptures)
{
	if (!logging("1"))
		return;
	const Event inside;
	const Event outside;
	const Stream first;
	const Stream second;
	const Stream plain;

	EXPECT_OK(cuEventRecord(outside, plain));
	EXPECT_OK(cuStreamSynchronize(plain));
	ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
	ASSERT_OK(cuStreamBeginCapture(second, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPECT_OK(cuEventRecord(inside, first));
	EXPLAINS(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(inside),
		 of(inside) + " is part of a capture" + since("cuEventRecord"));
	give_up(first);
	ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPECT_OK(cuEventRecord(inside, first));
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_MERGE, cuStreamWaitEvent(second, inside, 0),
		 of(inside) + " is part of a capture" + since("cuEventRecord"),
		 of(second) + " captures" + since("cuStreamBeginCapture"));
	give_up(second);
	give_up(first);
	ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(first, outside, 0),
		 of(outside) + " is recorded.*" + since("cuEventRecord"),
		 of(first) + " captures" + since("cuStreamBeginCapture"));
	give_up(first);
}

TEST_F(Explanations, TheLegacyStreamBesideACapture)
{
	if (!logging("1"))
		return;
	const Words words(1);
	const Stream stream(CU_STREAM_DEFAULT);
	CUstreamCaptureStatus status;

	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuStreamIsCapturing(nullptr, &status),
		 of(stream) + " captures" + since("cuStreamBeginCapture"));
	EXPLAINS(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemsetD32(words, 1, 1),
		 of(stream) + " captures" + since("cuStreamBeginCapture"));
	give_up(stream);
}

TEST_F(Explanations, OneAsksForFailuresAlone)
{
	if (!logging("1"))
		return;
	const Event event;
	const Stream stream;
	Gate gate;

	news();
	gate.block(stream);
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
	EXPECT_EQ(news(), "");
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
}

/* The log has the interface's names of results and flags, also for failures that the runtime below finds. */
TEST_F(Explanations, NamesAreTheInterfacesOwn)
{
	if (!logging("1"))
		return;
	const Event event;
	const Stream stream, other;

	ASSERT_OK(cuEventRecord(event, other));
	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	(void)news();
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(stream, event, 0));
	const std::string lines = news();
	EXPECT_NE(lines.find("unless it waits with CU_EVENT_WAIT_EXTERNAL"), std::string::npos)
		<< lines;
	EXPECT_EQ(lines.find('$'), std::string::npos) << lines;
	EXPECT_EQ(lines.find("unpu: CAPTURE_"), std::string::npos) << lines;
	give_up(stream);
}

/* Strict mode knows who made and freed memory. */
TEST_F(Explanations, MemoryThatWasFreed)
{
	if (!logging("1", "warn"))
		return;
	CUdeviceptr memory = 0;
	void *pinned = nullptr;

	ASSERT_OK(cuMemAlloc(&memory, 4096));
	ASSERT_OK(cuMemFree(memory));
	EXPLAINS(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory),
		 "4096 bytes of device memory 0x\\w+, made on device 0 by a call at .*, and freed "
		 "by a call at ");
	ASSERT_OK(cuMemHostAlloc(&pinned, 512, 0));
	EXPLAINS(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory + 8, 1, 8),
		 "4096 bytes of device memory 0x\\w+, made on device 0");
	ASSERT_OK(cuMemFreeHost(pinned));
}

/* The destruction succeeds, and says what is lost. */
TEST_F(Explanations, CapturesThatEndWithTheirStream)
{
	if (!logging("1"))
		return;
	CUstream stream = nullptr;

	ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	(void)news();
	EXPECT_OK(cuStreamDestroy(stream));
	const std::string lines = news();
	EXPECT_TRUE(std::regex_search(
		lines,
		std::regex("cuStreamDestroy: stream \\d+ began a capture that has not ended, "
			   "so the captured tasks are lost; call cuStreamEndCapture first")))
		<< lines;
}

/* Strict mode looks at the memory of a graph when it is launched. */
TEST_F(Explanations, MemoryOfGraphsThatWasFreed)
{
	if (!logging("1", "error"))
		return;
	const Stream stream;
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	CUdeviceptr memory = 0;
	CUdeviceptr other = 0;

	ASSERT_OK(cuMemAlloc(&memory, 4096));
	ASSERT_OK(cuMemAlloc(&other, 4096));
	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	ASSERT_OK(cuMemsetD8Async(memory, 7, 4096, stream));
	ASSERT_OK(cuMemcpyDtoDAsync(other, memory, 4096, stream));
	ASSERT_OK(cuStreamEndCapture(stream, &graph));
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	ASSERT_OK(cuMemFree(other));
	(void)news();
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(exec, stream));
	const std::string lines = news();
	EXPECT_TRUE(std::regex_search(
		lines,
		std::regex("UNPU_CHECK: cuGraphLaunch: node 1 \\(cuMemcpyDtoDAsync\\), result: no "
			   "task of the stream can use 0x\\w+: 4096 bytes of device memory 0x\\w+, "
			   "made on device 0 by a call at ")))
		<< lines;
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_OK(cuGraphDestroy(graph));
	EXPECT_OK(cuMemFree(memory));
}

/* Strict mode: each address is memory of the context beside it. */
TEST_F(Explanations, ContextsOfCopiesBetweenPeers)
{
	if (!logging("1", "error"))
		return;
	CUcontext other = nullptr;
	CUdeviceptr mine = 0;
	CUdeviceptr theirs = 0;

	ASSERT_OK(cuMemAlloc(&mine, 4096));
	ASSERT_OK(cuCtxCreate(&other, nullptr, 0, 0));
	ASSERT_OK(cuMemAlloc(&theirs, 4096));
	EXPECT_OK(cuMemcpyPeer(theirs, other, mine, context_, 4096));
	(void)news();
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(theirs, context_, mine, other, 4096));
	const std::string lines = news();
	EXPECT_TRUE(std::regex_search(
		lines,
		std::regex("UNPU_CHECK: cuMemcpyPeer: dstDevice 0x\\w+ is memory of context " +
			   hex(other) + ", and dstContext is " + hex(context_))))
		<< lines;
	EXPECT_OK(cuMemFree(theirs));
	EXPECT_OK(cuCtxDestroy(other));
	EXPECT_OK(cuMemFree(mine));
}

/* A function that the device can't perform names itself and the reason. */
TEST_F(Explanations, RefusedFunctions)
{
	if (!logging("1"))
		return;
	const auto launch =
		reinterpret_cast<CUresult (*)()>(dlsym(RTLD_DEFAULT, "cuLaunchKernel_ptsz"));

	ASSERT_NE(launch, nullptr);
	(void)news();
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, launch());
	EXPECT_NE(news().find("cuLaunchKernel_ptsz is not supported: the device runs no kernels"),
		  std::string::npos);
}
