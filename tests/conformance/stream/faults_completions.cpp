// SPDX-License-Identifier: MIT
/*
 * DOC: engines that stop and completions that are wrong, on purpose
 *
 * The recipes of Documentation/watchdog.rst that the watchdog ends, and those in which a task reports
 * a wrong completion.
 */
#include "event/notify.h"
#include "operator/operator_objects.h"
#include "stream/failing_tasks.h"

#include <atomic>

using namespace conformance;

namespace {

/* The objects that a program loses to the watchdog; after a reset it works again. */
void expect_the_watchdog(aclrtStream stuck)
{
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog", finish(stuck));
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog", aclrtSynchronizeDevice());
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));
	expect_device_works();
}

} // namespace

/* Recipe "The compute engine hangs" without an abort by the program: the watchdog aborts after its
 * limit. */
TEST(Faults, TheComputeEngineHangsUntilTheWatchdogComes)
{
	if (!alone("memory=2G,engines=2,watchdog_ms=300,faults=hang:op=operator:nth=1"))
		return;
	open_device();
	{
		DeviceBuffer x(kBytes);
		DeviceBuffer y(kBytes);
		const Tensor in(x, ACL_FLOAT, {16});
		const Tensor out(y, ACL_FLOAT, {16});
		aclrtStream stuck = nullptr;

		EXPECT_OK(aclrtCreateStream(&stuck));
		multiply(in, in, out, stuck);
		/* They go with the device. */
		(void)x.release();
		(void)y.release();
		expect_the_watchdog(stuck);
	}
	take_message();
	close_device();
}

/* Recipe "An engine never comes back": another engine replaces it, also for later clients. */
TEST(Faults, AnEngineThatNeverComesBackIsReplaced)
{
	if (!alone("memory=2G,engines=1,watchdog_ms=300,faults=jam:op=copy:nth=1"))
		return;
	open_device();
	void *x = nullptr;
	void *y = nullptr;
	aclrtStream stuck = nullptr;

	EXPECT_OK(aclrtMalloc(&x, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_OK(aclrtMalloc(&y, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_OK(aclrtCreateStream(&stuck));
	EXPECT_OK(aclrtMemcpyAsync(y, kBytes, x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stuck));
	expect_the_watchdog(stuck);
	{
		/* Long work that only an engine does. A device of the program's own is a new one, which
		 * counts copies from 1 again. */
		const DeviceBuffer to(64 * kMiB);
		const Stream stream;

		EXPECT_OK(aclrtMemsetAsync(to.data(), to.size(), 9, to.size(), stream));
		EXPECT_OK(finish(stream));
		EXPECT_TRUE(holds(to, 9));
	}
	close_device();
}

/* "Completions come twice": whatever waits for a value has it already. */
TEST(Faults, CompletionsThatComeTwiceChangeNothing)
{
	WITH_FAULTS("twice");
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream a;
	const Stream b;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const ThreeFills graph(y, b);
	std::atomic<int> called{0};

	for (int i = 0; i < 50; ++i) {
		x.fill_async(i, a);
		EXPECT_OK(aclrtRecordEvent(event, a));
		EXPECT_OK(aclrtStreamWaitEvent(b, event));
		graph.launch(b);
		copy(y, x, b);
		EXPECT_OK(aclrtLaunchHostFunc(
			b, [](void *count) { ++*static_cast<std::atomic<int> *>(count); },
			&called));
		EXPECT_OK(finish(b));
		EXPECT_TRUE(holds(y, static_cast<unsigned char>(i)));
		EXPECT_EQ(called, i + 1) << "a function is called once";
	}
}

/* A notify that is recorded twice has been recorded once more when its wait is over. */
TEST(Faults, ANotifyIsRecordedTwice)
{
	WITH_FAULTS("twice:op=sem_signal");
	const Notify notify;
	const Stream a;
	const Stream b;

	EXPECT_OK(aclrtWaitAndResetNotify(notify, b, 0));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "",
		     aclrtSynchronizeStreamWithTimeout(b, 200));
	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(finish(a));
	EXPECT_OK(finish(b));
	EXPECT_OK(aclrtWaitAndResetNotify(notify, b, 0));
	EXPECT_EQ(finish(b), ACL_SUCCESS) << "nobody has recorded it again";
}

/* Recipe "A task fails in another one's name": the failure is reported, and no thread looks for a task
 * that does not exist. */
TEST(Faults, AFailureInTheNameOfATaskThatIsNotThere)
{
	WITH_FAULTS("cookie:op=fill:nth=2;cookie:op=copy:nth=1:status=mmu_fault");
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream stream;

	x.fill_async(1, stream);
	EXPECT_OK(finish(stream));
	x.fill_async(2, stream);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "failed", finish(stream));
	EXPECT_TRUE(holds(x, 1)) << "a task that fails is not done";
	const Stream other;

	copy(y, x, other);
	EXPECT_NE(finish(other), ACL_SUCCESS);
	EXPECT_TRUE(take_message().find("aclrtMemcpyAsync") == std::string::npos);
	x.fill_async(3, stream);
	EXPECT_OK(finish(stream));
	EXPECT_TRUE(holds(x, 3));
}
