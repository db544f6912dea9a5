// SPDX-License-Identifier: MIT
/*
 * DOC: the watchdog, seen from a program
 *
 * Tasks that hang and streams that wait for each other, at a firmware of the test's own.
 */
#include "firmware_process.h"
#include "support/child_process.h"

#include <csignal>
#include <cstdlib>

using namespace conformance;

namespace {

constexpr size_t kBytes = 4096;

aclError finish(aclrtStream stream)
{
	return aclrtSynchronizeStream(stream);
}

/* This process becomes the client of a firmware that gets these things wrong. */
class FaultyDevice {
public:
	FaultyDevice(const char *rules, const char *watchdog_ms)
		: firmware_({"--memory", "2G", "--engines", "1", "--faults", rules, "--watchdog-ms",
			     watchdog_ms})
	{
		setenv("UNPU_DEVICE", firmware_.device_string().c_str(), 1);
		open_device();
	}
	~FaultyDevice() { close_device(); }
	FaultyDevice(const FaultyDevice &) = delete;
	FaultyDevice &operator=(const FaultyDevice &) = delete;

private:
	Firmware firmware_;
};

/* The firmware is the test's own whatever the device is, so one backend is enough: some tests wait for seconds. */
class Watchdog : public testing::Test {
protected:
	void SetUp() override
	{
		const char *device = getenv("UNPU_DEVICE");

		if (device && std::string(device) != "sim:")
			GTEST_SKIP() << "conformance.sim has the tests of a firmware of their own";
	}
};

} // namespace

/* The watchdog costs the program its context, which says why, and a reset makes a new one. */
TEST_F(Watchdog, AHungTaskIsNoticed)
{
	if (!alone())
		return;
	const FaultyDevice device("hang:op=fill:nth=2", "200");
	void *memory = nullptr;
	aclrtStream stuck = nullptr;
	aclrtStream waits = nullptr;
	aclrtEvent event = nullptr;
	aclrtContext other = nullptr;

	EXPECT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_OK(aclrtCreateStream(&stuck));
	EXPECT_OK(aclrtCreateStream(&waits));
	EXPECT_OK(aclrtCreateEvent(&event));
	EXPECT_OK(aclrtMemsetAsync(memory, kBytes, 1, kBytes, stuck));
	EXPECT_OK(finish(stuck));
	EXPECT_OK(aclrtMemsetAsync(memory, kBytes, 2, kBytes, stuck));
	EXPECT_OK(aclrtRecordEvent(event, stuck));
	EXPECT_OK(aclrtStreamWaitEvent(waits, event));
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog", finish(waits));
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "aclrtMemsetAsync", finish(stuck));
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog", aclrtSynchronizeDevice());
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "the event's record",
		     aclrtSynchronizeEvent(event));
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "can't be dropped", aclrtStreamAbort(stuck));
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog", aclrtCreateContext(&other, 0));
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));
	expect_device_works();
}

/* A reset by force does not wait for what never ends. */
TEST_F(Watchdog, AForcedResetDropsBlockedWork)
{
	if (!alone())
		return;
	const FaultyDevice device("hang:op=fill:nth=1", "0");
	void *memory = nullptr;
	aclrtStream stuck = nullptr;

	EXPECT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_OK(aclrtCreateStream(&stuck));
	EXPECT_OK(aclrtMemsetAsync(memory, kBytes, 2, kBytes, stuck));
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));
	expect_device_works();
}

/* Nothing ends the engine's task, not even the watchdog; the firmware ends all the same. */
TEST_F(Watchdog, AFirmwareEndsWithoutAnEngineThatIsStuck)
{
	if (!alone())
		return;
	Firmware firmware({"--memory", "256M", "--engines", "1", "--watchdog-ms", "0", "--faults",
			   "jam:op=fill:nth=1"});
	void *memory = nullptr;
	aclrtStream stuck = nullptr;

	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	open_device();
	EXPECT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_OK(aclrtCreateStream(&stuck));
	EXPECT_OK(aclrtMemsetAsync(memory, kBytes, 1, kBytes, stuck));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
		     aclrtSynchronizeStreamWithTimeout(stuck, 200));
	EXPECT_EQ(firmware.end(SIGTERM), 0);
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "", finish(stuck));
	EXPECT_OK(aclrtResetDeviceForce(0));
	firmware.start_again();
	EXPECT_OK(aclrtSetDevice(0));
	close_device();
}

/* An abort waits for a task that runs; one that never ends costs the program its context. */
TEST_F(Watchdog, AnAbortHasALimitToo)
{
	if (!alone())
		return;
	const FaultyDevice device("jam:op=fill:nth=1", "2000");
	void *memory = nullptr;
	aclrtStream stuck = nullptr;

	EXPECT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_OK(aclrtCreateStream(&stuck));
	EXPECT_OK(aclrtMemsetAsync(memory, kBytes, 1, kBytes, stuck));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
		     aclrtSynchronizeStreamWithTimeout(stuck, 500));
	(void)aclrtStreamAbort(stuck);
	EXPECT_NE(finish(stuck), ACL_SUCCESS);
	EXPECT_FAILS(ACL_ERROR_RT_LOST_HEARTBEAT, "watchdog", aclrtSynchronizeDevice());
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));
	expect_device_works();
}

/* Each waits for what the other is to do next. */
TEST_F(Watchdog, StreamsThatWaitForEachOtherAreNamed)
{
	if (!alone())
		return;
	const FaultyDevice device("seed=1", "200");
	aclrtEvent first = nullptr;
	aclrtEvent second = nullptr;
	{
		const Stream a;
		const Stream b;
		int32_t id_a = -1;
		int32_t id_b = -1;

		EXPECT_OK(aclrtStreamGetId(a, &id_a));
		EXPECT_OK(aclrtStreamGetId(b, &id_b));
		EXPECT_OK(aclrtCreateEventWithFlag(&first, ACL_EVENT_SYNC));
		EXPECT_OK(aclrtCreateEventWithFlag(&second, ACL_EVENT_SYNC));
		EXPECT_OK(aclrtStreamWaitEvent(a, first));
		EXPECT_OK(aclrtStreamWaitEvent(b, second));
		EXPECT_OK(aclrtRecordEvent(second, a));
		EXPECT_OK(aclrtRecordEvent(first, b));
		const std::string ab = std::to_string(id_a) + ", " + std::to_string(id_b);

		EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ("streams " + ab).c_str(),
			     aclrtSynchronizeStreamWithTimeout(a, 2000));
		EXPECT_OK(aclrtStreamAbort(a));
		EXPECT_OK(aclrtStreamAbort(b));
		(void)finish(a);
		(void)finish(b);
	}
	EXPECT_OK(aclrtDestroyEvent(first));
	EXPECT_OK(aclrtDestroyEvent(second));
	take_message();
	expect_device_works();
}
