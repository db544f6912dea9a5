// SPDX-License-Identifier: MIT
/*
 * DOC: idleness
 *
 * In a process that has a device open and does nothing, no thread of the library runs. The test
 * reads the kernel's counts of context switches, which do not grow while a thread sleeps. It is the
 * only test that lets time pass, because it checks that nothing happens.
 */
#include "support/fixture.h"

#include <dirent.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>
#include <thread>

using namespace conformance;

namespace {

constexpr auto kIdleTime = std::chrono::seconds(2);
/* A spin budget is some microseconds; a thread that still runs after all these turns never sleeps. */
constexpr auto kSettleTurn = std::chrono::milliseconds(200);
constexpr int kSettleTurns = 25;
constexpr size_t kBytes = 64 * 1024;

/* Context switches so far, by the thread's name and number. */
using Switches = std::map<std::string, uint64_t>;

bool read_thread(const std::string &task, std::string &name, uint64_t &switches)
{
	std::ifstream status("/proc/self/task/" + task + "/status");
	std::string key;

	switches = 0;
	while (status >> key) {
		uint64_t count = 0;

		if (key == "Name:") {
			status >> name;
		} else if (key == "voluntary_ctxt_switches:" ||
			   key == "nonvoluntary_ctxt_switches:") {
			status >> count;
			switches += count;
		}
	}
	return !name.empty();
}

/* All threads but the calling one, and the one that answers tools: who looks at all programs of the user wakes it. */
Switches look_at_threads()
{
	const std::string me = std::to_string(gettid());
	Switches threads;
	DIR *dir = opendir("/proc/self/task");

	if (!dir)
		return threads;
	while (const dirent *entry = readdir(dir)) {
		const std::string task = entry->d_name;
		std::string name;
		uint64_t switches = 0;

		if (task[0] == '.' || task == me)
			continue;
		if (read_thread(task, name, switches) && name != "unpu-look")
			threads[name + " " + task] = switches;
	}
	closedir(dir);
	return threads;
}

void expect_idle()
{
	Switches before = look_at_threads();

	for (int turn = 0; turn < kSettleTurns; ++turn) {
		std::this_thread::sleep_for(kSettleTurn);
		Switches now = look_at_threads();
		const bool settled = now == before;

		before = std::move(now);
		if (settled)
			break;
	}
	std::this_thread::sleep_for(kIdleTime);
	EXPECT_EQ(look_at_threads(), before) << "a thread ran, or came or went";
}

void work(const Stream &first, const Stream &second)
{
	const DeviceBuffer from(kBytes);
	const DeviceBuffer to(kBytes);
	const Event filled = Event::with_flag(ACL_EVENT_SYNC);

	from.fill_async(42, first);
	EXPECT_OK(aclrtRecordEvent(filled, first));
	EXPECT_OK(aclrtStreamWaitEvent(second, filled));
	EXPECT_OK(aclrtMemcpyAsync(to.data(), kBytes, from.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, second));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_TRUE(holds(to, 42));
}

void set_flag(void *flag)
{
	*static_cast<bool *>(flag) = true;
}

class Idle : public DeviceTest {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(DeviceTest::SetUp());
#ifdef UNPU_TSAN
		GTEST_SKIP() << "ThreadSanitizer has a thread of its own that wakes up";
#endif
	}
};

} // namespace

TEST_F(Idle, JustOpened)
{
	expect_idle();
}

TEST_F(Idle, AfterWork)
{
	const Stream first;
	const Stream second;

	for (int round = 0; round < 10; ++round)
		work(first, second);
	expect_idle();
}

TEST_F(Idle, AfterAHostFunction)
{
	const Stream stream;
	bool called = false;

	EXPECT_OK(aclrtLaunchHostFunc(stream, set_flag, &called));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(called);
	expect_idle();
}

TEST_F(Idle, WithAStreamThatWaits)
{
	const DeviceBuffer behind(kBytes);
	const Stream stream;

	{
		Gate gate;

		gate.block(stream);
		behind.fill_async(7, stream);
		turn_device();
		expect_idle();
	}
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(behind, 7));
}

TEST_F(Idle, AfterAWaitForAWord)
{
	const DeviceBuffer word(64);
	const Stream stream;

	EXPECT_OK(aclrtValueWait(word.data(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
	turn_device();
	word.store<uint64_t>({1});
	EXPECT_OK(aclrtSynchronizeStream(stream));
	expect_idle();
}
