// SPDX-License-Identifier: MIT
/*
 * DOC: sixteen threads on shared and private streams
 *
 * Sixteen threads do everything that a thread may do to streams and events, at the same time. Each
 * thread adds to counters of its own through streams that other threads use too, and aborts only
 * its own work. At the end each counter has a known value.
 */
#include <array>
#include <atomic>
#include <random>
#include <thread>

#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using Stress = DeviceTest;

constexpr int kThreads = 16;
constexpr int kShared = 4;
constexpr int kTurns = 60;

/* A float that operators add one to. */
class Counter {
public:
	Counter()
		: memory_(device_copy(std::vector<float>{0, 1})), self_(memory_, ACL_FLOAT, {1}),
		  one_(memory_, ACL_FLOAT, {1}, {1}, 1), alpha_(1.0f, ACL_FLOAT)
	{
	}

	void add_one(aclrtStream stream) const { add(self_, one_, alpha_, self_, stream); }
	float value() const { return memory_.load<float>()[0]; }

private:
	DeviceBuffer memory_;
	Tensor self_;
	Tensor one_;
	Scalar alpha_;
};

void count_call(void *args)
{
	++*static_cast<std::atomic<int> *>(args);
}

struct Shared {
	std::array<Stream, kShared> streams;
	std::array<Event, 2> snapshots = {Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE),
					  Event::plain()};
	Event flag = Event::with_flag(ACL_EVENT_SYNC);
	std::atomic<int> calls{0};
	std::atomic<int> wanted_calls{0};
};

/* One turn of a thread with a stream that other threads use too. */
void touch(Shared &shared, aclrtStream stream, std::mt19937 &random)
{
	const Event &event = shared.snapshots[random() % 2];
	aclrtEventRecordedStatus recorded;
	aclrtEventWaitStatus waited;
	aclrtStreamStatus status;
	uint64_t stamp_us = 0;

	switch (random() % 8) {
	case 0:
		EXPECT_OK(aclrtRecordEvent(event, stream));
		break;
	case 1:
		EXPECT_OK(aclrtStreamWaitEvent(stream, event));
		break;
	case 2:
		EXPECT_OK(aclrtQueryEventStatus(event, &recorded));
		(void)aclrtEventGetTimestamp(event, &stamp_us);
		break;
	case 3:
		EXPECT_OK(aclrtRecordEvent(shared.flag, stream));
		EXPECT_OK(aclrtStreamWaitEvent(stream, shared.flag));
		EXPECT_OK(aclrtQueryEventWaitStatus(shared.flag, &waited));
		break;
	case 4:
		EXPECT_OK(aclrtStreamQuery(stream, &status));
		break;
	case 5:
		EXPECT_OK(aclrtSynchronizeEvent(event));
		break;
	case 6:
		++shared.wanted_calls;
		EXPECT_OK(aclrtLaunchHostFunc(stream, count_call, &shared.calls));
		break;
	default:
		EXPECT_OK(aclrtSynchronizeStream(stream));
		break;
	}
}

void work(Shared &shared, int seed)
{
	std::mt19937 random(static_cast<unsigned>(seed));
	const Counter counter;
	int added = 0;

	for (int turn = 0; turn < kTurns; ++turn) {
		const aclrtStream stream = shared.streams[random() % kShared];

		touch(shared, stream, random);
		/* The counter is this thread's own; one stream at a time adds to it. */
		counter.add_one(stream);
		++added;
		touch(shared, stream, random);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		if (turn % 8 == 0) {
			const Stream mine(random() % 8, random() % 4);
			const Event ends = Event::ex(ACL_EVENT_SYNC);

			counter.add_one(mine);
			++added;
			EXPECT_OK(aclrtRecordEvent(ends, mine));
			EXPECT_OK(aclrtStreamWaitEvent(stream, ends));
			EXPECT_OK(aclrtSynchronizeStream(stream));
		}
		if (turn % 16 == 1) {
			const Stream dropped;
			const Event never = Event::with_flag(ACL_EVENT_SYNC);

			EXPECT_OK(aclrtStreamWaitEvent(dropped, never));
			counter.add_one(dropped);
			EXPECT_OK(aclrtStreamAbort(dropped));
		}
	}
	EXPECT_EQ(counter.value(), static_cast<float>(added));
}

} // namespace

TEST_F(Stress, SixteenThreadsOnSharedAndPrivateStreams)
{
	Shared shared;
	std::vector<std::thread> threads;

	EXPECT_OK(aclrtRecordEvent(shared.snapshots[1], shared.streams[0]));
	for (int i = 0; i < kThreads; ++i) {
		threads.emplace_back([&shared, i] {
			EXPECT_OK(aclrtSetDevice(0));
			work(shared, i);
			EXPECT_OK(aclrtResetDevice(0));
		});
	}
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(shared.calls, shared.wanted_calls);
}

TEST_F(Stress, ThreadsChangeSettingsWhileOthersLaunch)
{
	const Stream stream;
	const Counter counter;
	std::atomic<bool> over{false};
	std::thread changer([&] {
		EXPECT_OK(aclrtSetDevice(0));
		for (uint32_t i = 0; !over; ++i) {
			aclrtStreamAttrValue value = {};
			uint32_t told = 0;

			value.streamPriority = i % 8;
			EXPECT_OK(
				aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value));
			EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, i % 2));
			EXPECT_OK(aclrtStreamGetPriority(stream, &told));
			EXPECT_EQ(told, i % 8);
			EXPECT_OK(aclrtStreamStop(stream));
			EXPECT_OK(aclrtGetEventAvailNum(&told));
			EXPECT_OK(aclrtGetStreamAvailableNum(&told));
		}
		EXPECT_OK(aclrtResetDevice(0));
	});

	for (int i = 0; i < 500; ++i) {
		counter.add_one(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	over = true;
	changer.join();
	EXPECT_EQ(counter.value(), 500);
}
