// SPDX-License-Identifier: MIT
/*
 * DOC: callbacks - functions of a stream on threads of the program
 *
 * Checks 64 and 65: both ways to run functions in the order of a stream, that a function holds its
 * stream, that the two ways exclude each other, and their codes for wrong uses.
 */
#include <atomic>
#include <future>
#include <thread>

#include <pthread.h>

#include "capture/capture_objects.h"

using namespace conformance;

namespace {

using Callbacks = DeviceTest;

constexpr size_t kBytes = 64;

uint64_t my_id()
{
	return static_cast<uint64_t>(pthread_self());
}

/* The work of a callback under test. */
struct Call {
	std::thread::id thread;
	std::atomic<int> count{0};
	std::promise<void> entered;
	std::shared_future<void> may_return;
};

void note(void *data)
{
	auto *call = static_cast<Call *>(data);

	call->thread = std::this_thread::get_id();
	++call->count;
}

void hold(void *data)
{
	auto *call = static_cast<Call *>(data);

	note(data);
	call->entered.set_value();
	call->may_return.wait();
}

/* A thread that processes reports until the end of the scope. */
class Reporter {
public:
	explicit Reporter(aclError (*process)(int32_t) = aclrtProcessReport) : process_(process)
	{
		std::promise<uint64_t> id;

		thread_ = std::thread([this, &id] {
			EXPECT_OK(aclrtSetDevice(0));
			id.set_value(my_id());
			started_.get_future().wait();
			while (!over_)
				(void)process_(20);
			EXPECT_OK(aclrtResetDevice(0));
		});
		id_ = id.get_future().get();
	}

	~Reporter()
	{
		if (!running_)
			started_.set_value();
		over_ = true;
		thread_.join();
	}

	void run()
	{
		running_ = true;
		started_.set_value();
	}

	uint64_t id() const { return id_; }
	std::thread::id thread() const { return thread_.get_id(); }

private:
	aclError (*process_)(int32_t);
	std::thread thread_;
	std::promise<void> started_;
	std::atomic<bool> over_{false};
	bool running_ = false;
	uint64_t id_ = 0;
};

} // namespace

TEST_F(Callbacks, Check64_LaunchNeedsASubscription)
{
	const Stream stream;
	Call call;

	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG, "subscribe",
		     aclrtLaunchCallback(note, &call, ACL_CALLBACK_BLOCK, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "fn",
		     aclrtLaunchCallback(nullptr, &call, ACL_CALLBACK_BLOCK, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "blockType",
		     aclrtLaunchCallback(note, &call, raw_enum<aclrtCallbackBlockType>(2), stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "thread",
		     aclrtUnSubscribeReport(my_id(), stream));
}

TEST_F(Callbacks, Check64_ProcessNeedsASubscriptionAndATime)
{
	const Stream stream;

	EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, "thread", aclrtProcessReport(1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "timeout", aclrtProcessReport(0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "timeout", aclrtProcessReport(-2));
	EXPECT_OK(aclrtSubscribeReport(my_id(), stream));
	EXPECT_FAILS(ACL_ERROR_RT_REPORT_TIMEOUT, "time", aclrtProcessReport(1));
	EXPECT_OK(aclrtUnSubscribeReport(my_id(), stream));
	EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, "thread", aclrtProcessReport(1));
	EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, "thread", aclrtProcessHostFunc(1));
}

TEST_F(Callbacks, Check64_BlockHoldsTheStreamUntilTheEnd)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	Reporter reporter;
	Call call;
	std::promise<void> go;

	call.may_return = go.get_future().share();
	EXPECT_OK(aclrtSubscribeReport(reporter.id(), stream));
	EXPECT_OK(aclrtLaunchCallback(hold, &call, ACL_CALLBACK_BLOCK, stream));
	buffer.fill_async(1, stream);
	reporter.run();
	turn_device();
	call.entered.get_future().wait();
	turn_device();
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(buffer, 0));
	go.set_value();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_EQ(call.thread, reporter.thread());
	EXPECT_OK(aclrtUnSubscribeReport(reporter.id(), stream));
}

TEST_F(Callbacks, Check64_NoBlockLetsTheStreamGoOn)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	Reporter reporter;
	Call call;

	EXPECT_OK(aclrtSubscribeReport(reporter.id(), stream));
	EXPECT_OK(aclrtLaunchCallback(note, &call, ACL_CALLBACK_NO_BLOCK, stream));
	buffer.fill_async(1, stream);
	/* No thread processes reports yet. */
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_EQ(call.count, 0);
	reporter.run();
	while (call.count == 0)
		std::this_thread::yield();
	EXPECT_OK(aclrtUnSubscribeReport(reporter.id(), stream));
	EXPECT_EQ(call.count, 1);
}

TEST_F(Callbacks, OneThreadServesManyStreamsInTheirOrder)
{
	constexpr int kStreams = 4;
	constexpr int kCalls = 25;
	std::array<Stream, kStreams> streams;
	std::array<std::vector<int>, kStreams> seen;
	struct Step {
		std::vector<int> *seen;
		int number;
	};
	std::vector<Step> steps;
	Reporter reporter;

	steps.reserve(kStreams * kCalls);
	for (int i = 0; i < kStreams; ++i)
		EXPECT_OK(aclrtSubscribeReport(reporter.id(), streams[static_cast<size_t>(i)]));
	for (int turn = 0; turn < kCalls; ++turn) {
		for (size_t i = 0; i < kStreams; ++i) {
			steps.push_back({&seen[i], turn});
			EXPECT_OK(aclrtLaunchCallback(
				[](void *data) {
					auto *step = static_cast<Step *>(data);
					step->seen->push_back(step->number);
				},
				&steps.back(),
				turn % 2 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK, streams[i]));
		}
	}
	reporter.run();
	EXPECT_OK(aclrtSynchronizeDevice());
	for (size_t i = 0; i < kStreams; ++i) {
		EXPECT_OK(aclrtUnSubscribeReport(reporter.id(), streams[i]));
		ASSERT_GE(seen[i].size(), static_cast<size_t>(kCalls - 1));
		for (size_t k = 0; k < seen[i].size(); ++k)
			EXPECT_EQ(seen[i][k], static_cast<int>(k));
	}
}

TEST_F(Callbacks, SubscriptionsAreOneThreadToAStream)
{
	const Stream stream;
	Reporter reporter;

	EXPECT_OK(aclrtSubscribeReport(reporter.id(), stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "thread",
		     aclrtSubscribeReport(reporter.id(), stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "thread",
		     aclrtSubscribeReport(my_id(), stream));
	EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, "thread",
		     aclrtUnSubscribeReport(my_id(), stream));
	EXPECT_OK(aclrtUnSubscribeReport(reporter.id(), stream));
	EXPECT_OK(aclrtSubscribeReport(my_id(), nullptr));
	EXPECT_OK(aclrtUnSubscribeReport(my_id(), nullptr));
}

TEST_F(Callbacks, CallbacksThatDidNotRunAreDroppedWithTheSubscription)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	Call call;

	EXPECT_OK(aclrtSubscribeReport(my_id(), stream));
	EXPECT_OK(aclrtLaunchCallback(note, &call, ACL_CALLBACK_BLOCK, stream));
	buffer.fill_async(1, stream);
	turn_device();
	EXPECT_OK(aclrtUnSubscribeReport(my_id(), stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_EQ(call.count, 0);
}

TEST_F(Callbacks, UnsubscribingWaitsForTheFunctionThatRuns)
{
	const Stream stream;
	Reporter reporter;
	Call call;
	std::promise<void> go;
	std::atomic<bool> gone{false};

	call.may_return = go.get_future().share();
	EXPECT_OK(aclrtSubscribeReport(reporter.id(), stream));
	EXPECT_OK(aclrtLaunchCallback(hold, &call, ACL_CALLBACK_NO_BLOCK, stream));
	reporter.run();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	call.entered.get_future().wait();
	std::thread leaver([&] {
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtUnSubscribeReport(reporter.id(), stream));
		gone = true;
		EXPECT_OK(aclrtResetDevice(0));
	});
	turn_device();
	EXPECT_FALSE(gone);
	go.set_value();
	leaver.join();
	EXPECT_TRUE(gone);
}

TEST_F(Callbacks, AStreamCanBeDestroyedWithItsSubscription)
{
	Reporter reporter;
	Call call;
	{
		const Stream stream;
		EXPECT_OK(aclrtSubscribeReport(reporter.id(), stream));
		EXPECT_OK(aclrtLaunchCallback(note, &call, ACL_CALLBACK_NO_BLOCK, stream));
	}
	reporter.run();
	const Stream next;
	EXPECT_OK(aclrtSubscribeReport(reporter.id(), next));
	EXPECT_OK(aclrtUnSubscribeReport(reporter.id(), next));
}

TEST_F(Callbacks, Check65_HostFunctionsAndReportsExcludeEachOther)
{
	const Stream used;
	const Stream subscribed;
	Call call;

	EXPECT_OK(aclrtLaunchHostFunc(used, note, &call));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "HostFunc",
		     aclrtSubscribeReport(my_id(), used));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "HostFunc",
		     aclrtLaunchCallback(note, &call, ACL_CALLBACK_BLOCK, used));
	EXPECT_OK(aclrtSubscribeReport(my_id(), subscribed));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "Callback",
		     aclrtLaunchHostFunc(subscribed, note, &call));
	EXPECT_OK(aclrtUnSubscribeReport(my_id(), subscribed));
	EXPECT_OK(aclrtLaunchHostFunc(subscribed, note, &call));
	EXPECT_OK(aclrtSynchronizeStream(used));
	EXPECT_OK(aclrtSynchronizeStream(subscribed));
	EXPECT_EQ(call.count, 2);
}

TEST_F(Callbacks, ThreadsForBothSchemesMayServeOneStream)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	Reporter reports;
	Reporter functions(aclrtProcessHostFunc);
	Call reported;
	Call called;

	EXPECT_OK(aclrtSubscribeReport(reports.id(), stream));
	EXPECT_OK(aclrtSubscribeHostFunc(functions.id(), stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "thread",
		     aclrtSubscribeHostFunc(functions.id(), stream));
	reports.run();
	functions.run();
	EXPECT_OK(aclrtLaunchCallback(note, &reported, ACL_CALLBACK_BLOCK, stream));
	EXPECT_OK(aclrtLaunchHostFunc(stream, note, &called));
	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_EQ(reported.thread, reports.thread());
	EXPECT_EQ(called.thread, functions.thread());
	EXPECT_OK(aclrtUnSubscribeHostFunc(functions.id(), stream));
	EXPECT_OK(aclrtUnSubscribeReport(reports.id(), stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "thread",
		     aclrtUnSubscribeHostFunc(functions.id(), stream));
}

TEST_F(Callbacks, CapturedCallbacksRunWithEachExecution)
{
	const Stream stream;
	Reporter reporter;
	Call call;
	aclmdlRI model = nullptr;

	EXPECT_OK(aclrtSubscribeReport(reporter.id(), stream));
	reporter.run();
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_OK(aclrtLaunchCallback(note, &call, ACL_CALLBACK_BLOCK, stream));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_EQ(call.count, 0);
	for (int i = 1; i <= 3; ++i) {
		EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(call.count, i);
	}
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_OK(aclrtUnSubscribeReport(reporter.id(), stream));
}

TEST_F(Callbacks, AThreadThatWaitsForEverEndsWithItsLastStream)
{
	const Stream stream;
	std::promise<uint64_t> id;
	std::promise<void> subscribed;
	std::thread waiter([&] {
		EXPECT_OK(aclrtSetDevice(0));
		id.set_value(my_id());
		subscribed.get_future().wait();
		EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, "", aclrtProcessReport(-1));
		EXPECT_OK(aclrtResetDevice(0));
	});
	const uint64_t thread = id.get_future().get();

	EXPECT_OK(aclrtSubscribeReport(thread, stream));
	subscribed.set_value();
	turn_device();
	EXPECT_OK(aclrtUnSubscribeReport(thread, stream));
	waiter.join();
}
