// SPDX-License-Identifier: MIT
/*
 * DOC: several threads, many streams, full queues
 *
 * Every handle may be used by any thread that has its context. Results are checked, not durations;
 * the suite also runs on a single CPU and with a device that moves only inside a waiting call.
 */
#include <atomic>
#include <chrono>
#include <thread>

#include "capture/capture_objects.h"
#include "operator/operator_objects.h"
#include "support/child_process.h"

using namespace conformance;

namespace {

using Concurrency = DeviceTest;

constexpr int kThreads = 8;
constexpr size_t kBytes = 4096;

/* Run body(i) on several threads that have the device set, and wait for them. */
template <typename Body> void on_threads(int count, Body body)
{
	std::vector<std::thread> threads;

	for (int i = 0; i < count; ++i) {
		threads.emplace_back([&body, i] {
			EXPECT_OK(aclrtSetDevice(0));
			body(i);
			EXPECT_OK(aclrtResetDevice(0));
		});
	}
	for (std::thread &thread : threads)
		thread.join();
}

/* Copy up, double, copy down, many times, on a stream that may be shared. */
void work_and_check(int seed, aclrtStream stream)
{
	constexpr int64_t count = kBytes / sizeof(float);
	const PinnedBuffer host(kBytes);
	const DeviceBuffer device(kBytes);
	const Tensor tensor(device, ACL_FLOAT, {count});
	const Scalar one(1.0f, ACL_FLOAT);

	for (int turn = 0; turn < 50; ++turn) {
		const float value = static_cast<float>(seed * 1000 + turn);

		std::fill_n(host.as<float>(), count, value);
		EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, host.data(), kBytes,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		add(tensor, tensor, one, tensor, stream);
		EXPECT_OK(aclrtMemcpyAsync(host.data(), kBytes, device.data(), kBytes,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		for (int64_t i = 0; i < count; ++i)
			ASSERT_EQ(host.as<float>()[i], 2 * value) << i;
	}
}

/* Wait, turning the device, until another thread has made no progress for a good while. */
void turn_until_stalled(const std::atomic<int> &progress, int end)
{
	int seen = -1;

	for (int still = 0; still < 64; ++still) {
		const int now = progress;

		if (now == end)
			return;
		if (now != seen)
			still = 0;
		seen = now;
		turn_device();
	}
}

} // namespace

TEST_F(Concurrency, ThreadsWithTheirOwnStreams)
{
	on_threads(kThreads, [](int i) {
		const Stream stream;

		work_and_check(i, stream);
	});
}

TEST_F(Concurrency, ThreadsThatShareAStream)
{
	const Stream stream;

	on_threads(kThreads, [&stream](int i) { work_and_check(i, stream); });
}

TEST_F(Concurrency, ThreadsThatShareTheDefaultStream)
{
	on_threads(kThreads, [](int i) { work_and_check(i, nullptr); });
}

TEST_F(Concurrency, ThreadsWithTheirOwnContexts)
{
	on_threads(4, [](int i) {
		const ForeignContext context;
		const Stream stream;

		work_and_check(i, stream);
	});
}

TEST_F(Concurrency, OrderOfOneThreadHoldsOnASharedStream)
{
	const Counter counters[4];
	const Stream stream;

	on_threads(4, [&](int i) {
		for (int turn = 0; turn < 50; ++turn)
			counters[i].step(stream);
	});
	EXPECT_OK(aclrtSynchronizeStream(stream));
	for (const Counter &counter : counters)
		EXPECT_EQ(counter.value(), 50u);
}

TEST_F(Concurrency, ManyThreadsWaitForOneEvent)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	const Event event = Event::plain();
	std::atomic<int> woken = 0;
	Gate gate;

	gate.block(stream);
	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtRecordEvent(event, stream));

	std::thread waiters([&] {
		on_threads(kThreads, [&](int) {
			EXPECT_OK(aclrtSynchronizeEvent(event));
			EXPECT_TRUE(holds(buffer, 1));
			++woken;
		});
	});

	turn_device();
	EXPECT_EQ(woken, 0);
	gate.open();
	waiters.join();
	EXPECT_EQ(woken, kThreads);
}

TEST_F(Concurrency, WaitersOfAStreamAndOfTheDeviceWakeTogether)
{
	const Stream stream;
	Gate gate;

	gate.block(stream);

	std::thread waiters([&] {
		on_threads(kThreads, [&](int i) {
			EXPECT_OK(i % 2 ? aclrtSynchronizeStream(stream)
					: aclrtSynchronizeDevice());
			EXPECT_EQ(query(stream), ACL_STREAM_STATUS_COMPLETE);
		});
	});

	turn_device();
	gate.open();
	waiters.join();
}

TEST_F(Concurrency, ThreadsMakeAndDestroyEverything)
{
	on_threads(kThreads, [](int i) {
		for (int turn = 0; turn < 25; ++turn) {
			const DeviceBuffer buffer(kBytes * size_t(1 + turn % 7));
			const PinnedBuffer host(buffer.size());
			const Stream stream;
			const Event event = turn % 2 ? Event::plain() : Event::ex(ACL_EVENT_SYNC);

			buffer.fill_async(i + 1, stream);
			EXPECT_OK(aclrtRecordEvent(event, stream));
			EXPECT_OK(aclrtMemcpyAsync(host.data(), host.size(), buffer.data(),
						   buffer.size(), ACL_MEMCPY_DEVICE_TO_HOST,
						   stream));
			EXPECT_OK(aclrtSynchronizeEvent(event));
			EXPECT_OK(aclrtSynchronizeStream(stream));
			EXPECT_TRUE(holds(host, i + 1));
		}
	});
}

/* A synchronisation of the device looks at streams while other threads end them. */
TEST_F(Concurrency, StreamsEndWhileTheDeviceIsSynchronised)
{
	constexpr int kStreamsEach = 100;
	std::atomic<int> makers{2};

	on_threads(3, [&](int i) {
		const DeviceBuffer buffer(kBytes);

		if (i == 2) {
			while (makers > 0)
				EXPECT_OK(aclrtSynchronizeDevice());
			return;
		}
		for (int turn = 0; turn < kStreamsEach; ++turn) {
			const Stream stream;

			buffer.fill_async(i + 1, stream);
		}
		makers--;
	});
}

TEST_F(Concurrency, ThreadsCaptureAndExecuteTheirOwnModels)
{
	on_threads(4, [](int) {
		const Counter counter;
		const Stream stream;

		begin_capture(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
		counter.step(stream);

		const Model model(stream);

		for (int turn = 0; turn < 50; ++turn)
			model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(counter.value(), 50u);
	});
}

TEST_F(Concurrency, ThreadsExecuteOneModel)
{
	const Counter counter;
	const Stream origin;

	begin_capture(origin);
	counter.step(origin);

	const Model model(origin);

	on_threads(4, [&](int) {
		const Stream stream;

		for (int turn = 0; turn < 25; ++turn)
			model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
	});
	EXPECT_EQ(counter.value(), 100u);
}

/* The launch that finds its queue full comes after one that another thread makes meanwhile. */
TEST_F(Concurrency, AModelIsDestroyedAfterTheExecutionsOfAllThreads)
{
	constexpr int kTasks = 3000;
	const Counter counter;
	const Stream full;
	const Stream other;
	std::atomic<int> submitted = 0;
	std::atomic<bool> opened = false;
	std::atomic<bool> destroyed = false;
	Gate gate;
	Gate other_gate;
	aclmdlRI model = nullptr;

	{
		/* While it lives, executions follow each other through it. */
		const Stream origin;

		begin_capture(origin);
		counter.step(origin);
		ASSERT_OK(aclmdlRICaptureEnd(origin, &model));
	}
	gate.block(full);
	other_gate.block(other);

	std::thread launcher([&] {
		EXPECT_OK(aclrtSetDevice(0));
		for (int i = 0; i < kTasks; ++i, ++submitted)
			EXPECT_OK(aclmdlRIExecuteAsync(model, full));
		EXPECT_OK(aclrtResetDevice(0));
	});

	turn_until_stalled(submitted, kTasks);
	EXPECT_OK(aclmdlRIExecuteAsync(model, other));
	gate.open();

	std::thread destroyer([&] {
		EXPECT_OK(aclrtSetDevice(0));
		launcher.join();
		EXPECT_OK(aclmdlRIDestroy(model));
		EXPECT_TRUE(opened);
		destroyed = true;
		EXPECT_OK(aclrtResetDevice(0));
	});

	turn_until_stalled(submitted, kTasks);
	for (int turn = 0; turn < 64 && !destroyed; ++turn)
		turn_device();
	opened = true;
	other_gate.open();
	destroyer.join();
	EXPECT_OK(aclrtSynchronizeStream(other));
	EXPECT_OK(aclrtSynchronizeStream(full));
}

TEST_F(Concurrency, ChainOverManyStreams)
{
	constexpr size_t kStreams = 256;
	const DeviceBuffer bytes(kStreams);
	std::vector<Stream> streams(kStreams);
	std::vector<Event> events;
	Gate gate;

	gate.block(streams[0]);
	EXPECT_OK(aclrtMemsetAsync(bytes.data(), 1, 0x77, 1, streams[0]));
	for (size_t i = 1; i < kStreams; ++i) {
		events.push_back(Event::ex(ACL_EVENT_SYNC));
		EXPECT_OK(aclrtRecordEvent(events.back(), streams[i - 1]));
		EXPECT_OK(aclrtStreamWaitEvent(streams[i], events.back()));
		EXPECT_OK(aclrtMemcpyAsync(bytes.at(i), 1, bytes.at(i - 1), 1,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, streams[i]));
	}
	turn_device();
	EXPECT_TRUE(holds(bytes, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(streams.back()));
	EXPECT_TRUE(holds(bytes, 0x77));
	EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(Concurrency, ManyStreamsAtOnce)
{
	constexpr size_t kStreams = 256;
	const DeviceBuffer bytes(kStreams * 64);
	std::vector<Stream> streams(kStreams);

	for (int turn = 1; turn <= 20; ++turn) {
		for (size_t i = 0; i < kStreams; ++i) {
			EXPECT_OK(aclrtMemsetAsync(bytes.at(i * 64), 64, turn, 64, streams[i]));
		}
	}
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_TRUE(holds(bytes, 20));
	for (const Stream &stream : streams)
		EXPECT_EQ(query(stream), ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(Concurrency, FullQueueOfABlockedStreamBlocksAndNeverFails)
{
	constexpr int kTasks = 10000;
	const DeviceBuffer buffer(64);
	const Stream stream;
	std::atomic<int> submitted = 0;
	Gate gate;

	gate.block(stream);

	std::thread submitter([&] {
		EXPECT_OK(aclrtSetDevice(0));
		for (int i = 0; i < kTasks; ++i) {
			buffer.fill_async(i % 251, stream);
			++submitted;
		}
		EXPECT_OK(aclrtResetDevice(0));
	});

	/* By now the queue is full, or deep enough for all; either way nothing has run. */
	turn_until_stalled(submitted, kTasks);
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(buffer, 0));
	gate.open();
	submitter.join();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(submitted, kTasks);
	EXPECT_TRUE(holds(buffer, (kTasks - 1) % 251));
}

TEST_F(Concurrency, MoreTasksThanAnyQueueHoldsFromOneThread)
{
	const Counter counter;
	const DeviceBuffer buffer(64);
	const Stream stream;

	for (int i = 0; i < 200; ++i)
		counter.step(stream);
	for (int i = 0; i < 10000; ++i)
		buffer.fill_async(i % 251, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 200u);
	EXPECT_TRUE(holds(buffer, 9999 % 251));
}

TEST_F(Concurrency, BlockedFullQueueDoesNotHoldOtherStreams)
{
	const DeviceBuffer buffer(64);
	const Stream stream;
	const Stream other;
	std::atomic<int> submitted = 0;
	Gate gate;

	gate.block(stream);

	std::thread submitter([&] {
		EXPECT_OK(aclrtSetDevice(0));
		for (int i = 0; i < 10000; ++i, ++submitted)
			EXPECT_OK(aclrtLaunchHostFunc(
				stream, [](void *) {}, nullptr));
		EXPECT_OK(aclrtResetDevice(0));
	});

	turn_until_stalled(submitted, 10000);
	work_and_check(1, other);
	gate.open();
	submitter.join();
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

/* The thread that waits does part of the long task itself and leaves. It only asks afterwards, and no
 * watchdog wakes a device that sleeps. */
TEST_F(Concurrency, TasksBehindLongWorkRunThoughNoThreadWaits)
{
	constexpr size_t long_bytes = 16u << 20;
	constexpr auto limit = std::chrono::seconds(60);

	if (!alone("watchdog_ms=0"))
		return;
	const bool stepped = strstr(getenv("UNPU_DEVICE"), "step") != nullptr;
	const DeviceBuffer from(long_bytes), to(long_bytes), small(kBytes);
	const Stream stream;
	const Event copied = Event::ex(ACL_EVENT_SYNC);

	for (int round = 0; round < 40; ++round) {
		EXPECT_OK(aclrtMemcpyAsync(to.data(), long_bytes, from.data(), long_bytes,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		EXPECT_OK(aclrtRecordEvent(copied, stream));
		for (int i = 0; i < 40; ++i)
			small.fill_async(i, stream);
		EXPECT_OK(aclrtSynchronizeEvent(copied));
		const auto end = std::chrono::steady_clock::now() + limit;
		while (query(stream) != ACL_STREAM_STATUS_COMPLETE) {
			ASSERT_LT(std::chrono::steady_clock::now(), end) << "round " << round;
			if (stepped)
				turn_device();
		}
	}
}
