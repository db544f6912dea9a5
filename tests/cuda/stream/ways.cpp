// SPDX-License-Identifier: MIT
/*
 * DOC: how threads wait: CU_CTX_SCHED_..., the policies of streams, CU_EVENT_BLOCKING_SYNC
 */
#include "support/fixture.h"

#include <cstdlib>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <thread>

using namespace cuda_test;

namespace {

using Ways = DriverTest;

/* A thread that waits on a stepped device runs it, and sleeps while another thread does. */
bool is_stepped()
{
	const char *device = std::getenv("UNPU_DEVICE");

	return device && std::string(device).find("step") != std::string::npos;
}

/* Whether the thread was asleep in many looks in a row. One that polls is so at most by chance, in a lock.
 * @looks: how many at most; 0: until it was */
bool falls_asleep(long thread, int looks)
{
	constexpr int kInARow = 20;
	int seen = 0;

	for (int i = 0; seen < kInARow && (looks == 0 || i < looks); ++i) {
		seen = asleep(thread) ? seen + 1 : 0;
		std::this_thread::yield();
	}
	return seen == kInARow;
}

/* A context with these flags. */
class Flagged {
public:
	explicit Flagged(unsigned flags) { EXPECT_OK(cuCtxCreate(&handle_, nullptr, flags, 0)); }
	~Flagged() { EXPECT_OK(cuCtxDestroy(handle_)); }
	Flagged(const Flagged &) = delete;
	Flagged &operator=(const Flagged &) = delete;

private:
	CUcontext handle_ = nullptr;
};

void set_policy(CUstream stream, CUsynchronizationPolicy policy)
{
	CUstreamAttrValue value = {};

	value.syncPolicy = policy;
	EXPECT_OK(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
}

/* The gate opens when the thread in @wait sleeps, or has not slept for so many looks.
 * Return: whether it slept */
bool sleeps_in(CUstream stream, const std::function<void()> &wait, int looks)
{
	const long waiter = thread_number();
	bool slept = false;
	Gate gate;

	gate.block(stream);
	std::thread opener([&] {
		slept = falls_asleep(waiter, looks);
		gate.open();
	});
	wait();
	opener.join();
	return slept;
}

void expect_wait(bool sleeps, CUstream stream, const std::function<void()> &wait)
{
	constexpr int kLooks = 2000;

	EXPECT_EQ(sleeps_in(stream, wait, sleeps ? 0 : kLooks), sleeps);
}

/* How often the kernel has taken the CPU from the thread. */
long taken()
{
	rusage used = {};

	getrusage(RUSAGE_THREAD, &used);
	return used.ru_nivcsw;
}

/* If the kernel took the CPU from the thread, it may sleep in the waits after that. */
void expect_polite(CUstream stream, const std::function<void()> &wait)
{
	constexpr int kWaits = 20;
	constexpr int kLooks = 200;
	const long before = taken();
	bool slept = false;

	for (int i = 0; i < kWaits; ++i)
		slept = sleeps_in(stream, wait, kLooks);
	if (taken() == before) {
		EXPECT_FALSE(slept);
	}
}

/* Waits for a stream and for its context. */
void expect_waits(bool sleep, CUstream stream)
{
	expect_wait(sleep, stream, [&] { EXPECT_OK(cuStreamSynchronize(stream)); });
	expect_wait(sleep, stream, [] { EXPECT_OK(cuCtxSynchronize()); });
}

} // namespace

TEST_F(Ways, AThreadSleepsWithBlockingSync)
{
	const Flagged context(CU_CTX_SCHED_BLOCKING_SYNC);
	const Stream stream;
	const Event event(CU_EVENT_BLOCKING_SYNC);

	expect_waits(true, stream);
	expect_wait(true, stream, [&] {
		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_OK(cuEventSynchronize(event));
	});
}

TEST_F(Ways, AThreadDoesNotSleepWithSpinOrYield)
{
	if (is_stepped())
		return;
	for (unsigned flags : {CU_CTX_SCHED_SPIN, CU_CTX_SCHED_YIELD}) {
		SCOPED_TRACE(flags);
		const Flagged context(flags);
		const Stream stream;

		expect_waits(false, stream);
	}
}

TEST_F(Ways, AThreadSleepsWithAutoOnlyIfOthersWantItsCpu)
{
	if (is_stepped())
		return;
	const Flagged context(CU_CTX_SCHED_AUTO);
	const Stream stream;

	expect_polite(stream, [&] { EXPECT_OK(cuStreamSynchronize(stream)); });
	expect_polite(stream, [] { EXPECT_OK(cuCtxSynchronize()); });
}

TEST_F(Ways, ThePolicyOfAStreamIsStrongerThanTheContext)
{
	const Flagged context(CU_CTX_SCHED_SPIN);
	const Stream stream;

	set_policy(stream, CU_SYNC_POLICY_BLOCKING_SYNC);
	expect_wait(true, stream, [&] { EXPECT_OK(cuStreamSynchronize(stream)); });
	const Flagged other(CU_CTX_SCHED_BLOCKING_SYNC);
	const Stream theirs;
	if (is_stepped())
		return;
	for (CUsynchronizationPolicy policy : {CU_SYNC_POLICY_SPIN, CU_SYNC_POLICY_YIELD}) {
		set_policy(theirs, policy);
		expect_wait(false, theirs, [&] { EXPECT_OK(cuStreamSynchronize(theirs)); });
	}
	set_policy(theirs, CU_SYNC_POLICY_AUTO);
	expect_wait(true, theirs, [&] { EXPECT_OK(cuStreamSynchronize(theirs)); });
}

/* The context's flags say nothing about events. */
TEST_F(Ways, AnEventWithoutBlockingSyncIsWaitedForAsWithAuto)
{
	if (is_stepped())
		return;
	const Flagged context(CU_CTX_SCHED_BLOCKING_SYNC);
	const Stream stream;
	const Event event;

	expect_polite(stream, [&] {
		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_OK(cuEventSynchronize(event));
	});
}

/* More threads than CPUs poll, and the device comes on. */
TEST_F(Ways, ThreadsThatPollStarveNobody)
{
	constexpr int kThreads = 16;
	constexpr int kTrips = 50;
	const Flagged context(CU_CTX_SCHED_SPIN);
	CUcontext current = nullptr;
	const Words words(kThreads);
	std::vector<std::thread> threads;

	EXPECT_OK(cuCtxGetCurrent(&current));
	for (int i = 0; i < kThreads; ++i)
		threads.emplace_back([&, i] {
			EXPECT_OK(cuCtxSetCurrent(current));
			const Stream stream;

			for (int trip = 1; trip <= kTrips; ++trip) {
				EXPECT_OK(cuMemsetD32Async(words + i * sizeof(uint32_t), trip, 1,
							   stream));
				EXPECT_OK(cuStreamSynchronize(stream));
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(words.load(), std::vector<uint32_t>(kThreads, kTrips));
}
