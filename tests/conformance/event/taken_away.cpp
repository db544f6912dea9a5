// SPDX-License-Identifier: MIT
/*
 * DOC: a handle is used while another thread destroys it
 *
 * This is a mistake of the program. Each call on the handle either does its work or reports that
 * the handle is stale. No other object changes, and only one of several destroys succeeds.
 */
#include <atomic>
#include <functional>
#include <set>
#include <thread>
#include <vector>

#include <pthread.h>
#include <unistd.h>

#include "abilities.h"
#include "support/child_process.h"
#include "support/fixture.h"

using namespace conformance;

namespace {

constexpr unsigned kUsers = 3;
constexpr size_t kBytes = 64;

/* Done, or the handle had become stale. */
bool told(aclError rc)
{
	if (rc != ACL_SUCCESS)
		take_message();
	return rc == ACL_SUCCESS || rc == ACL_ERROR_RT_INVALID_HANDLE;
}

/* Threads that make the same call again and again until the end of the scope. */
class Users {
public:
	Users(unsigned count, const std::function<void()> &call)
	{
		EXPECT_OK(aclrtGetCurrentContext(&context_));
		for (unsigned i = 0; i < count; i++)
			threads_.emplace_back([this, call] {
				EXPECT_OK(aclrtSetCurrentContext(context_));
				ready_++;
				while (!stop_) {
					call();
					calls_++;
				}
			});
		while (ready_ < count)
			std::this_thread::yield();
	}
	~Users()
	{
		stop_ = true;
		for (std::thread &thread : threads_)
			thread.join();
	}
	Users(const Users &) = delete;
	Users &operator=(const Users &) = delete;

	/* So many more calls have been made. */
	void await(unsigned calls) const
	{
		const unsigned end = calls_ + calls;
		while (calls_ < end)
			std::this_thread::yield();
	}

private:
	aclrtContext context_ = nullptr;
	std::atomic<bool> stop_{false};
	std::atomic<unsigned> ready_{0}; /* threads that have the context */
	std::atomic<unsigned> calls_{0};
	std::vector<std::thread> threads_;
};

/* Two threads destroy each of many handles at the same time. */
template <typename Make, typename Destroy>
void expect_one_destroys(unsigned rounds, const Make &make, const Destroy &destroy)
{
	std::atomic<void *> handle{nullptr};
	std::atomic<unsigned> round{0};
	std::atomic<unsigned> done{0};
	std::atomic<unsigned> successes{0};
	aclrtContext context = nullptr;
	const auto take_part = [&] {
		const aclError rc = destroy(handle.load());
		EXPECT_TRUE(told(rc)) << rc;
		successes += rc == ACL_SUCCESS;
		done++;
	};

	EXPECT_OK(aclrtGetCurrentContext(&context));
	std::thread other([&] {
		EXPECT_OK(aclrtSetCurrentContext(context));
		for (unsigned i = 1; i <= rounds; i++) {
			while (round < i)
				std::this_thread::yield();
			take_part();
		}
	});
	for (unsigned i = 1; i <= rounds; i++) {
		handle = make();
		done = 0;
		successes = 0;
		round = i;
		take_part();
		while (done < 2)
			std::this_thread::yield();
		EXPECT_EQ(successes, 1u) << "of two destroys, in round " << i;
	}
	other.join();
	std::set<void *> made;
	for (unsigned i = 0; i < 100; i++)
		EXPECT_TRUE(made.insert(make()).second) << "two live objects have one handle";
	for (void *one : made)
		EXPECT_OK(destroy(one));
}

aclrtEvent make_event()
{
	aclrtEvent event = nullptr;
	EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
	return event;
}

aclrtStream make_stream()
{
	aclrtStream stream = nullptr;
	EXPECT_OK(aclrtCreateStream(&stream));
	return stream;
}

/* What threads do to a stream that is destroyed and made anew all the time. */
using Use = std::function<aclError(aclrtStream)>;

void use_while_destroyed(unsigned rounds, const Use &use)
{
	std::atomic<aclrtStream> stream{make_stream()};
	{
		const Users users(kUsers, [&] {
			const aclError rc = use(stream.load());
			EXPECT_TRUE(told(rc)) << rc;
		});
		for (unsigned i = 0; i < rounds; i++) {
			users.await(1);
			EXPECT_OK(i % 2 ? aclrtDestroyStream(stream)
					: aclrtDestroyStreamForce(stream));
			stream = make_stream();
		}
	}
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtDestroyStream(stream));
}

using TakenAway = DeviceTest;
constexpr unsigned kStreams = 40;

} // namespace

TEST_F(TakenAway, OneOfTwoDestroysOfAnEventSucceeds)
{
	expect_one_destroys(3000, make_event, aclrtDestroyEvent);
}

TEST_F(TakenAway, OneOfTwoDestroysOfAStreamSucceeds)
{
	expect_one_destroys(100, make_stream, aclrtDestroyStreamForce);
}

TEST_F(TakenAway, OneOfTwoDestroysOfANotifySucceeds)
{
	const auto make = [] {
		aclrtNotify notify = nullptr;
		EXPECT_OK(aclrtCreateNotify(&notify, 0));
		return notify;
	};
	expect_one_destroys(200, make, aclrtDestroyNotify);
}

TEST_F(TakenAway, SubmitsToAStream)
{
	const DeviceBuffer buffer(kBytes);
	use_while_destroyed(kStreams, [&](aclrtStream stream) {
		return aclrtMemsetAsync(buffer.data(), kBytes, 1, kBytes, stream);
	});
}

TEST_F(TakenAway, QueriesOfAStream)
{
	use_while_destroyed(kStreams, [](aclrtStream stream) {
		aclrtStreamStatus status;
		return aclrtStreamQuery(stream, &status);
	});
}

TEST_F(TakenAway, RecordsAndWaitsOnAStream)
{
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const Event timed = Event::plain();
	use_while_destroyed(kStreams, [&](aclrtStream stream) {
		aclError rc = aclrtRecordEvent(event, stream);
		if (rc == ACL_SUCCESS)
			rc = aclrtStreamWaitEvent(stream, event);
		return rc == ACL_SUCCESS ? aclrtRecordEvent(timed, stream) : rc;
	});
}

/* A record belongs to the event that had the handle, not to the next one in its place. */
TEST_F(TakenAway, RecordsOfAnEvent)
{
	const Stream stream;
	Gate gate;
	gate.block(stream);
	std::atomic<aclrtEvent> event{make_event()};
	{
		const Users users(kUsers, [&] {
			const aclError rc = aclrtRecordEvent(event.load(), stream);
			EXPECT_TRUE(told(rc)) << rc;
		});
		for (unsigned i = 0; i < 30000; i++) {
			EXPECT_OK(aclrtDestroyEvent(event));
			aclrtEvent next = make_event();
			ASSERT_EQ(query_event(next), ACL_EVENT_RECORDED_STATUS_COMPLETE)
				<< "nobody has recorded it";
			event = next;
		}
	}
	EXPECT_OK(aclrtDestroyEvent(event));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

/* A thread that has begun to use the event still uses its semaphores. */
TEST_F(TakenAway, RecordsOfATimedEvent)
{
	const Stream stream;
	const auto make = [] {
		aclrtEvent event = nullptr;
		EXPECT_OK(aclrtCreateEvent(&event));
		return event;
	};
	std::atomic<aclrtEvent> event{make()};
	{
		const Users users(kUsers, [&] {
			const aclError rc = aclrtRecordEvent(event.load(), stream);
			EXPECT_TRUE(told(rc)) << rc;
		});
		for (unsigned i = 0; i < 1000; i++) {
			EXPECT_OK(aclrtDestroyEvent(event));
			event = make();
		}
	}
	EXPECT_OK(aclrtDestroyEvent(event));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

/* The device goes while threads make streams and events, submit, capture and look. */
static void use_all(const std::atomic<aclrtStream> &shared)
{
	aclrtStream stream = shared.load();
	aclrtStream own = nullptr;
	aclrtEvent event = nullptr;
	aclmdlRI model = nullptr;
	aclrtStreamStatus status;

	(void)aclrtStreamQuery(stream, &status);
	if (aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC) == ACL_SUCCESS) {
		(void)aclrtRecordEvent(event, stream);
		(void)aclrtStreamWaitEvent(stream, event);
	}
	if (aclrtCreateStream(&own) == ACL_SUCCESS) {
		(void)aclrtRecordEvent(event, own);
		if (aclmdlRICaptureBegin(own, ACL_MODEL_RI_CAPTURE_MODE_RELAXED) == ACL_SUCCESS &&
		    aclmdlRICaptureEnd(own, &model) == ACL_SUCCESS)
			(void)aclmdlRIDestroy(model);
		(void)aclrtDestroyStream(own);
	}
	if (event)
		(void)aclrtDestroyEvent(event);
	(void)aclrtSynchronizeStreamWithTimeout(stream, 1000);
	take_message();
}

TEST_F(TakenAway, TheDeviceByForce)
{
	for (unsigned i = 0; i < 20; i++) {
		std::atomic<aclrtStream> shared{make_stream()};
		{
			const Users users(kUsers, [&] { use_all(shared); });
			users.await(5);
			EXPECT_OK(aclrtResetDeviceForce(0));
			users.await(5);
		}
		EXPECT_OK(aclrtDestroyStream(shared));
		EXPECT_OK(aclrtSetDevice(0));
	}
}

TEST(TakenAwayAlone, TheLibrary)
{
	if (!alone())
		return;
	for (unsigned i = 0; i < 10; i++) {
		open_device();
		std::atomic<aclrtStream> shared{make_stream()};
		const Users users(kUsers, [&] { use_all(shared); });
		users.await(5);
		EXPECT_OK(aclFinalize());
		users.await(5);
	}
}

/* In a fork the thread that made it is alone, and it may end as a thread does. */
TEST_F(TakenAway, TheOtherThreadsOfAFork)
{
#if defined(UNPU_TSAN)
	GTEST_SKIP() << "the race detector forbids threads in a child of a program with threads";
#elif defined(UNPU_ASAN)
	GTEST_SKIP() << "the leak checker takes memory of the parent's threads for lost";
#endif
	if (is_emulated())
		GTEST_SKIP()
			<< "a child can hang at a lock that another thread of the emulator had";
	const Users users(2, [] {
		std::vector<aclrtEvent> events;
		for (unsigned i = 0; i < 100; i++)
			events.push_back(make_event());
		for (aclrtEvent event : events)
			EXPECT_OK(aclrtDestroyEvent(event));
	});
	std::thread([] {
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtDestroyEvent(make_event()));
		for (unsigned i = 0; i < 15; i++)
			EXPECT_TRUE(in_fork([] {
				aclrtEvent event = nullptr;
				EXPECT_NE(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
				EXPECT_NE(aclrtSetDevice(0), ACL_SUCCESS);
				pthread_exit(nullptr);
			}));
		EXPECT_OK(aclrtResetDevice(0));
	}).join();
}
