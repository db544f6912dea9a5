// SPDX-License-Identifier: MIT
/*
 * DOC: capture - modes and threads
 *
 * Checks 54 to 56 and 58: which synchronous calls a capture forbids, to whom, and how a thread
 * lifts the ban for itself; who may end a capture; what becomes of pageable memory.
 */
#include "capture/capture_objects.h"

#include <functional>
#include <thread>
#include <tuple>

using namespace conformance;

namespace {

using CaptureModes = DeviceTest;

constexpr size_t kBytes = 4096;
constexpr aclmdlRICaptureMode kModes[] = {ACL_MODEL_RI_CAPTURE_MODE_GLOBAL,
					  ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL,
					  ACL_MODEL_RI_CAPTURE_MODE_RELAXED};

/* The text says which memory the copy needs. */
constexpr char kPinned[] = "pageable|pinned|page-locked|MallocHost";

struct ModeCase {
	aclmdlRICaptureMode capture;
	bool capturing_thread;
	aclmdlRICaptureMode exchange;

	/* The rule, as the facts put it. */
	bool allowed() const
	{
		const bool context_global = capture == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
		const bool mine_global = capturing_thread && context_global;
		const bool mine_local =
			capturing_thread && capture == ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;

		if (exchange == ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
			return true;
		if (exchange == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL)
			return !context_global && !mine_local;
		return !mine_global && !mine_local;
	}
};

class CaptureModeMatrix : public DeviceTest,
			  public testing::WithParamInterface<
				  std::tuple<aclmdlRICaptureMode, bool, aclmdlRICaptureMode>> {
protected:
	ModeCase mode_case() const
	{
		return {std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam())};
	}
};

/* The unsafe calls, by a thread that has exchanged its mode. */
void expect_unsafe_calls(bool allowed, aclmdlRICaptureMode exchange, const DeviceBuffer &device)
{
	std::vector<uint8_t> host(kBytes, 1);
	aclmdlRICaptureMode mode = exchange;

	const auto copy = [&] {
		return aclrtMemcpy(device.data(), kBytes, host.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE);
	};
	const auto set = [&] { return aclrtMemset(device.data(), kBytes, 2, kBytes / 2); };

	EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
	if (allowed) {
		EXPECT_OK(copy());
		EXPECT_OK(set());
	} else {
		EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, "captur", copy());
		EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, "captur", set());
	}
	EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
}

void on_another_thread(const std::function<void()> &body)
{
	std::thread([&] {
		EXPECT_OK(aclrtSetDevice(0));
		body();
		EXPECT_OK(aclrtResetDevice(0));
	}).join();
}

} // namespace

TEST_P(CaptureModeMatrix, Check54_UnsafeCallsFollowTheRule)
{
	const ModeCase row = mode_case();
	const DeviceBuffer device(kBytes);
	const DeviceBuffer recorded(kBytes);
	const Stream stream;

	begin_capture(stream, row.capture);
	recorded.fill_async(3, stream);
	if (row.capturing_thread) {
		expect_unsafe_calls(row.allowed(), row.exchange, device);
	} else {
		on_another_thread(
			[&] { expect_unsafe_calls(row.allowed(), row.exchange, device); });
	}

	/* The call is refused; the capture is none the worse for it. */
	const Model model(stream);

	if (row.allowed()) {
		const std::vector<uint8_t> bytes = device.load<uint8_t>();

		EXPECT_EQ(bytes.front(), 2);
		EXPECT_EQ(bytes.back(), 1);
	} else {
		EXPECT_TRUE(holds(device, 0));
	}

	/* An allowed call ran at once and was not recorded. */
	EXPECT_OK(aclrtMemset(device.data(), kBytes, 9, kBytes));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(recorded, 3));
	EXPECT_TRUE(holds(device, 9));
}

INSTANTIATE_TEST_SUITE_P(All, CaptureModeMatrix,
			 testing::Combine(testing::ValuesIn(kModes), testing::Bool(),
					  testing::ValuesIn(kModes)));

TEST_F(CaptureModes, Check54_NoCaptureForbidsNothing)
{
	const DeviceBuffer device(kBytes);

	for (const aclmdlRICaptureMode mode : kModes)
		expect_unsafe_calls(true, mode, device);
}

TEST_F(CaptureModes, Check54_CaptureOfAnotherContextForbidsNothing)
{
	const DeviceBuffer device(kBytes);
	const ForeignContext foreign;
	const Stream stream;

	begin_capture(stream);
	foreign.leave();
	on_another_thread(
		[&] { expect_unsafe_calls(true, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL, device); });
	foreign.enter();

	const Model model(stream);
}

TEST_F(CaptureModes, Check55_ExchangeGivesThePreviousMode)
{
	std::thread([] {
		aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

		EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
		EXPECT_EQ(mode, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
		mode = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
		EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
		EXPECT_EQ(mode, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
		mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
		EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
		EXPECT_EQ(mode, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL);
	}).join();
}

TEST_F(CaptureModes, Check55_ExchangeRefusesAnotherMode)
{
	aclmdlRICaptureMode mode = raw_enum<aclmdlRICaptureMode>(3);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mode", aclmdlRICaptureThreadExchangeMode(&mode));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "mode", aclmdlRICaptureThreadExchangeMode(nullptr));
	mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
	EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
	EXPECT_EQ(mode, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
}

TEST_F(CaptureModes, Check56_RelaxedCaptureMayEndOnAnotherThread)
{
	const Counter counter;
	const Stream stream;
	aclmdlRI model = nullptr;

	begin_capture(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
	counter.step(stream);
	on_another_thread([&] {
		counter.step(stream);
		EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	});
	ASSERT_NE(model, nullptr);
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 2u);
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(CaptureModes, Check56_OtherCapturesMayNotEndOnAnotherThread)
{
	for (const aclmdlRICaptureMode mode :
	     {ACL_MODEL_RI_CAPTURE_MODE_GLOBAL, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL}) {
		const Stream stream;

		begin_capture(stream, mode);
		on_another_thread([&] {
			expect_failed_end(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD, stream,
					  {stream});
		});
		/* And nothing of it is left with the thread that began. */
		expect_unsafe_calls(true, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL, DeviceBuffer(kBytes));
	}
}

TEST_F(CaptureModes, Check58_PageableMemoryOnTheCapturingStream)
{
	const DeviceBuffer device(kBytes);
	const Stream stream;
	std::vector<uint8_t> host(kBytes, 1);

	for (const aclmdlRICaptureMode mode : kModes) {
		aclmdlRI model = nullptr;

		begin_capture(stream, mode);
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, kPinned,
			     aclrtMemcpyAsync(device.data(), kBytes, host.data(), kBytes,
					      ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, kPinned,
			     aclrtMemcpyAsync(host.data(), kBytes, device.data(), kBytes,
					      ACL_MEMCPY_DEVICE_TO_HOST, stream));
		if (aclmdlRICaptureEnd(stream, &model) == ACL_SUCCESS) {
			EXPECT_OK(aclmdlRIDestroy(model));
		}
	}
	EXPECT_TRUE(holds(device, 0));
	EXPECT_EQ(host, std::vector<uint8_t>(kBytes, 1));
}

TEST_F(CaptureModes, Check58_PageableMemoryOnAnotherStream)
{
	const DeviceBuffer device(kBytes);
	const PinnedBuffer pinned(kBytes);
	const Stream stream;
	const Stream other;
	std::vector<uint8_t> host(kBytes, 1);

	pinned.fill(2);
	begin_capture(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
	EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC, "captur",
		     aclrtMemcpyAsync(device.data(), kBytes, host.data(), kBytes,
				      ACL_MEMCPY_HOST_TO_DEVICE, other));
	EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, pinned.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE, other));
	EXPECT_OK(aclrtSynchronizeStream(other));

	const Model model(stream);

	EXPECT_TRUE(holds(device, 2));

	const Stream third;

	begin_capture(third, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
	EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, host.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE, other));

	const Model relaxed(third);

	EXPECT_TRUE(holds(device, 1));
}

TEST_F(CaptureModes, MemoryMayBeAllocatedAndFreedDuringACapture)
{
	const Stream stream;
	void *device = nullptr;
	void *host = nullptr;

	begin_capture(stream);
	EXPECT_OK(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
	EXPECT_OK(aclrtMallocHost(&host, kBytes));
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(host));

	const Model model(stream);
}
