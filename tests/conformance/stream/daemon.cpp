// SPDX-License-Identifier: MIT
/*
 * DOC: a firmware that is a process, seen from a program
 *
 * The limits of one client, and what a program sees when the firmware is killed. Each test starts a
 * firmware of its own, whatever device string the run has.
 */
#include "capture/capture_objects.h"
#include "firmware_process.h"
#include "support/child_process.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

using namespace conformance;

namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr aclError kLost = ACL_ERROR_RT_LOST_HEARTBEAT;

/* This process becomes a client of a firmware with these options. */
class Client {
public:
	explicit Client(const std::vector<std::string> &options, const std::string &words = "")
		: firmware_(options)
	{
		setenv("UNPU_DEVICE", (firmware_.device_string() + words).c_str(), 1);
		open_device();
	}
	~Client() { close_device(); }
	Client(const Client &) = delete;
	Client &operator=(const Client &) = delete;

	Firmware &firmware() { return firmware_; }

private:
	Firmware firmware_;
};

void *allocate(size_t bytes)
{
	void *memory = nullptr;

	EXPECT_OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	return memory;
}

/* The library checks the connection from time to time, so it notices within milliseconds. */
void kill_firmware(Client &client)
{
	EXPECT_EQ(client.firmware().end(SIGKILL), -SIGKILL);
	while (aclrtSynchronizeDevice() == ACL_SUCCESS)
		std::this_thread::yield();
	take_message();
}

/* A call on a thread of its own. */
class Blocked {
public:
	explicit Blocked(std::function<aclError()> call)
		: thread_([this, call = std::move(call)] { code_ = call(); })
	{
	}
	Blocked(const Blocked &) = delete;
	Blocked &operator=(const Blocked &) = delete;

	aclError code()
	{
		thread_.join();
		return code_;
	}

private:
	aclError code_ = ACL_SUCCESS;
	std::thread thread_;
};

} // namespace

TEST(Quotas, OfMemory)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-memory", "80M"});
	size_t free_bytes = 0;
	size_t total_bytes = 0;
	void *more = nullptr;
	void *first = allocate(40 * kMiB);

	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes));
	EXPECT_EQ(total_bytes, 80 * kMiB);
	EXPECT_LE(free_bytes, 40 * kMiB);
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "--quota-memory",
		     aclrtMalloc(&more, 64 * kMiB, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "--quota-memory",
		     aclrtMallocHost(&more, 64 * kMiB));
	EXPECT_OK(aclrtFree(first));
	more = allocate(64 * kMiB);
	EXPECT_OK(aclrtFree(more));
	expect_device_works();
}

TEST(Quotas, OfStreams)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-channels", "8"});
	std::vector<aclrtStream> streams;
	aclrtStream stream = nullptr;

	while (streams.size() < 9 && aclrtCreateStream(&stream) == ACL_SUCCESS)
		streams.push_back(stream);
	EXPECT_GE(streams.size(), 6u);
	EXPECT_LT(streams.size(), 9u);
	EXPECT_FAILS(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
		     "one process have 8 channels, of which each stream has one (firmware-sim "
		     "--quota-channels)",
		     aclrtCreateStream(&stream));
	EXPECT_OK(aclrtDestroyStream(streams.back()));
	streams.pop_back();
	expect_device_works();
	for (aclrtStream each : streams)
		EXPECT_OK(aclrtDestroyStream(each));
}

static bool fits(size_t bytes)
{
	void *memory = nullptr;

	if (aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY) != ACL_SUCCESS)
		return false;
	EXPECT_OK(aclrtFree(memory));
	return true;
}

/* What the library keeps of destroyed streams is the program's again when it is needed. */
TEST(Quotas, OfMemoryBehindManyStreams)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-memory", "80M"});
	std::vector<aclrtStream> streams(64);
	size_t most = 80;

	while (most > 0 && !fits(most * kMiB))
		most--;
	EXPECT_GE(most, 64u);
	for (aclrtStream &each : streams)
		EXPECT_OK(aclrtCreateStream(&each));
	for (aclrtStream each : streams)
		EXPECT_OK(aclrtDestroyStream(each));
	EXPECT_TRUE(fits(most * kMiB));
}

TEST(Quotas, OfStreamsOfAnotherPriority)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-channels", "8"});

	for (uint32_t priority = 0; priority < 8; priority++) {
		std::vector<aclrtStream> streams(6);

		for (aclrtStream &each : streams)
			EXPECT_OK(aclrtCreateStreamWithConfig(&each, priority,
							      ACL_STREAM_FAST_LAUNCH));
		for (aclrtStream each : streams)
			EXPECT_OK(aclrtDestroyStream(each));
	}
}

TEST(Quotas, OfSemaphores)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-semaphores", "32"});
	std::vector<aclrtEvent> events;
	aclrtEvent event = nullptr;

	while (events.size() < 33 &&
	       aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC) == ACL_SUCCESS)
		events.push_back(event);
	EXPECT_GE(events.size(), 16u);
	EXPECT_LT(events.size(), 33u);
	EXPECT_FAILS(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
		     "one process have 32 semaphores (firmware-sim --quota-semaphores)",
		     aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
	EXPECT_OK(aclrtDestroyEvent(events.back()));
	EXPECT_EQ(aclrtCreateEventWithFlag(&events.back(), ACL_EVENT_SYNC), ACL_SUCCESS)
		<< "one is free again";
	for (aclrtEvent each : events)
		EXPECT_OK(aclrtDestroyEvent(each));
}

/* Records events until no semaphore is left for their time stamps. */
static std::vector<aclrtEvent> record_until_none_left(aclrtStream stream)
{
	std::vector<aclrtEvent> events;

	while (events.size() < 33) {
		aclrtEvent event = nullptr;

		EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_TIME_LINE));
		if (aclrtRecordEvent(event, stream) != ACL_SUCCESS) {
			EXPECT_NE(take_message().find("--quota-semaphores"), std::string::npos);
			EXPECT_OK(aclrtDestroyEvent(event));
			break;
		}
		events.push_back(event);
	}
	return events;
}

/* Nothing is allocated, freed or synchronised in between. */
TEST(Quotas, OfSemaphoresOfEventsDestroyedWhileTheyArePending)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-semaphores", "32"});
	const Stream stream;
	Gate gate;

	gate.block(stream);
	const std::vector<aclrtEvent> pending = record_until_none_left(stream);
	EXPECT_GE(pending.size(), 16u);
	EXPECT_LT(pending.size(), 33u);
	for (aclrtEvent event : pending)
		EXPECT_OK(aclrtDestroyEvent(event));
	gate.open();
	while (query(stream) != ACL_STREAM_STATUS_COMPLETE)
		std::this_thread::yield();
	const std::vector<aclrtEvent> again = record_until_none_left(stream);
	EXPECT_GE(again.size(), pending.size());
	for (aclrtEvent event : again)
		EXPECT_OK(aclrtDestroyEvent(event));
}

/* Segments of 2 MiB of device memory, until the firmware refuses one. */
static void expect_physical_refused(const std::string &why)
{
	std::vector<aclrtDrvMemHandle> handles;
	aclrtDrvMemHandle handle = nullptr;
	aclrtPhysicalMemProp prop = {};
	aclError code = ACL_SUCCESS;

	prop.memAttr = ACL_HBM_MEM_HUGE;
	prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	while ((code = aclrtMallocPhysical(&handle, 2 * kMiB, &prop, 0)) == ACL_SUCCESS)
		handles.push_back(handle);
	EXPECT_EQ(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
	const std::string message = take_message();
	EXPECT_NE(message.find(why), std::string::npos) << message;
	EXPECT_GT(handles.size(), 3u);
	EXPECT_LT(handles.size(), 64u);
	for (aclrtDrvMemHandle each : handles)
		EXPECT_OK(aclrtFreePhysical(each));
}

/* A program is not told of these two at its start. There is memory for more. */
TEST(Quotas, OfEntries)
{
	if (!alone())
		return;
	const Client client(
		{"--memory", "256M", "--quota-entries", "64", "--quota-memory", "200M"});

	/* An entry is free again when the call that freed its memory has returned. */
	for (int round = 0; round < 8; round++) {
		expect_physical_refused("one process have 64 entries, ");
		expect_device_works();
	}
}

TEST(Quotas, OfDescriptors)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-descriptors", "24"});

	expect_physical_refused("segment and file (firmware-sim --quota-descriptors)");
	expect_device_works();
}

TEST(Quotas, OfGraphs)
{
	if (!alone())
		return;
	const Client client({"--memory", "256M", "--quota-graphs", "1"});
	const DeviceBuffer x(kMiB);
	const Stream stream;
	aclmdlRI refused = nullptr;

	begin_capture(stream);
	x.fill_async(1, stream);
	{
		const Model model(stream);

		begin_capture(stream);
		x.fill_async(2, stream);
		EXPECT_FAILS(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
			     "one process have 1 graphs (firmware-sim --quota-graphs)",
			     aclmdlRICaptureEnd(stream, &refused));
		EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(x, 1));
	}
	begin_capture(stream);
	x.fill_async(3, stream);
	const Model model(stream);

	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(x, 3));
}

/* Every call that waits for the firmware ends when the firmware does. */
TEST(FirmwareKilled, EndsEveryBlockedCall)
{
	if (!alone())
		return;
	Client client({"--memory", "256M"});
	aclrtContext context = nullptr;
	aclrtStream stream = nullptr;
	aclrtStream full = nullptr;
	aclrtEvent gate = nullptr;
	aclrtEvent event = nullptr;
	void *memory = allocate(kMiB);

	EXPECT_OK(aclrtGetCurrentContext(&context));
	EXPECT_OK(aclrtCreateStream(&stream));
	EXPECT_OK(aclrtCreateStream(&full));
	EXPECT_OK(aclrtCreateEventWithFlag(&gate, ACL_EVENT_SYNC));
	EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
	for (aclrtStream each : {stream, full})
		EXPECT_OK(aclrtStreamWaitEvent(each, gate));
	EXPECT_OK(aclrtRecordEvent(event, stream));
	std::atomic<size_t> started{0};
	const auto with_context = [&](const std::function<aclError()> &call) {
		return [&, call] {
			EXPECT_OK(aclrtSetCurrentContext(context));
			++started;
			return call();
		};
	};
	Blocked calls[] = {
		Blocked(with_context([&] { return aclrtSynchronizeStream(stream); })),
		Blocked(with_context(
			[&] { return aclrtSynchronizeStreamWithTimeout(stream, -1); })),
		Blocked(with_context([&] { return aclrtSynchronizeEvent(event); })),
		Blocked(with_context([&] { return aclrtSynchronizeDevice(); })),
		/* Until the ring is full, and then until the firmware is dead. */
		Blocked(with_context([&] {
			aclError code = ACL_SUCCESS;

			while (code == ACL_SUCCESS)
				code = aclrtMemsetAsync(memory, 64, 1, 64, full);
			return code;
		})),
		/* Polling is waiting too. */
		Blocked(with_context([&] {
			aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
			aclError code = ACL_SUCCESS;

			while (code == ACL_SUCCESS && status == ACL_STREAM_STATUS_NOT_READY)
				code = aclrtStreamQuery(stream, &status);
			return code;
		})),
		Blocked(with_context([&] {
			aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
			aclError code = ACL_SUCCESS;

			while (code == ACL_SUCCESS && status == ACL_EVENT_RECORDED_STATUS_NOT_READY)
				code = aclrtQueryEventStatus(event, &status);
			return code;
		})),
		/* Messages to the firmware, one after the other. */
		Blocked(with_context([&] {
			aclError code = ACL_SUCCESS;

			while (code == ACL_SUCCESS) {
				aclrtStream made = nullptr;

				code = aclrtCreateStream(&made);
				if (code == ACL_SUCCESS)
					code = aclrtDestroyStream(made);
			}
			return code;
		})),
	};

	while (started < std::size(calls))
		std::this_thread::yield();
	EXPECT_EQ(client.firmware().end(SIGKILL), -SIGKILL);
	for (size_t i = 0; i < std::size(calls); ++i)
		EXPECT_EQ(calls[i].code(), kLost) << "call " << i;
}

TEST(FirmwareKilled, IsReportedByEveryLaterCall)
{
	if (!alone())
		return;
	Client client({"--memory", "256M"});
	aclrtStream stream = nullptr;
	aclrtStream late = nullptr;
	aclrtEvent event = nullptr;
	void *memory = allocate(kMiB);
	void *pinned = nullptr;
	void *more = nullptr;

	EXPECT_OK(aclrtMallocHost(&pinned, kMiB));
	EXPECT_OK(aclrtCreateStream(&stream));
	EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
	EXPECT_OK(aclrtMemsetAsync(memory, kMiB, 1, kMiB, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	kill_firmware(client);
	EXPECT_FAILS(kLost, "gone", aclrtSynchronizeDevice());
	EXPECT_FAILS(kLost, "gone", aclrtMemsetAsync(memory, kMiB, 1, kMiB, stream));
	EXPECT_FAILS(kLost, "gone", aclrtRecordEvent(event, stream));
	EXPECT_FAILS(kLost, "gone", aclrtSynchronizeStream(stream));
	EXPECT_FAILS(kLost, "gone", aclrtCreateStream(&late));
	EXPECT_FAILS(kLost, "", aclrtMalloc(&more, 100 * kMiB, ACL_MEM_MALLOC_NORMAL_ONLY));
	EXPECT_FAILS(
		kLost, "",
		aclrtMemcpyAsync(memory, kMiB, pinned, kMiB, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

/* A device that was reset is opened anew, at whatever firmware listens there by then. */
TEST(FirmwareKilled, AProgramContinuesWithTheNextOne)
{
	if (!alone())
		return;
	Client client({"--memory", "256M"});
	aclrtStream stream = nullptr;

	expect_device_works();
	/* Memory that the program does not free is lost with the device and does not keep the device
	 * open. */
	(void)allocate(kMiB);
	EXPECT_OK(aclrtCreateStream(&stream));
	kill_firmware(client);
	client.firmware().start_again();
	EXPECT_FAILS(kLost, "gone", aclrtSynchronizeDevice()) << "it has to be reset";
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));
	expect_device_works();
}

TEST(FirmwareKilled, ByItsOwnProgramsSignalItEndsWell)
{
	if (!alone())
		return;
	Client client({"--memory", "256M"});

	expect_device_works();
	EXPECT_EQ(client.firmware().end(SIGTERM), 0) << "with a client";
	while (aclrtSynchronizeDevice() == ACL_SUCCESS)
		std::this_thread::yield();
	EXPECT_FAILS(kLost, "gone", aclrtSynchronizeDevice());
}

/* What listens for a firmware that was killed may outlive it for a moment. */
TEST(FirmwareKilled, AnotherOneTakesItsPlaceAtOnce)
{
	if (!alone())
		return;
	Client client({"--memory", "64M"});

	for (int round = 0; round < 8; ++round) {
		expect_device_works();
		kill_firmware(client);
		client.firmware().start_again();
		ASSERT_TRUE(client.firmware().ready()) << "round " << round;
		EXPECT_OK(aclrtResetDeviceForce(0));
		EXPECT_OK(aclrtSetDevice(0));
	}
	expect_device_works();
}

/* All threads of a process, from now on: the signal alone takes its time. */
void stop(pid_t pid)
{
	ASSERT_GT(pid, 0);
	EXPECT_EQ(kill(pid, SIGSTOP), 0);
	for (const auto &task :
	     std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
		std::string state;
		while (state != "T") {
			std::ifstream file(task.path() / "stat");
			ASSERT_TRUE(file >> state >> state >> state);
		}
	}
}

/* A firmware that is there and does nothing. */
TEST(FirmwareStopped, IsDetectedByAWaitingThread)
{
	if (!alone())
		return;
	Client client({"--memory", "64M"}, ",patience_ms=500");
	const pid_t pid = client.firmware().pid();

	{
		const DeviceBuffer x(kMiB);
		const Stream stream;

		x.fill_async(1, stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		stop(pid);
		x.fill_async(2, stream);
		EXPECT_FAILS(kLost, "gone", aclrtSynchronizeStream(stream));
		EXPECT_FAILS(kLost, "gone", aclrtSynchronizeDevice());
		ASSERT_GT(pid, 0);
		EXPECT_EQ(kill(pid, SIGCONT), 0);
	}
	(void)aclrtResetDeviceForce(0);
	take_message();
	EXPECT_OK(aclrtSetDevice(0));
	expect_device_works();
}

/* Waiting for long is not being dead: a device that sleeps says that it lives when it is asked. */
TEST(FirmwareStopped, ASleepingOneIsNotTakenForIt)
{
	if (!alone())
		return;
	Client client({"--memory", "64M"}, ",patience_ms=300");
	aclrtEvent gate = nullptr;
	{
		const Stream stream;

		EXPECT_OK(aclrtCreateEventWithFlag(&gate, ACL_EVENT_SYNC));
		EXPECT_OK(aclrtStreamWaitEvent(stream, gate));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit",
			     aclrtSynchronizeStreamWithTimeout(stream, 1500));
		EXPECT_OK(aclrtRecordEvent(gate, nullptr));
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	EXPECT_OK(aclrtDestroyEvent(gate));
}
