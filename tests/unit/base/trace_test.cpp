// SPDX-License-Identifier: MIT
/**
 * DOC: What a device and a program record
 *
 * A stepped device does known things. Its entries have to be in that order, with the fields by
 * which the other side's entries are found. The host's entries are read from the files that the
 * host writes.
 */
#include <cstdlib>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "acl/acl.h"
#include "hal/trace.h"
#include "tests/unit/support/graph_image.h"
#include "tests/unit/support/wire_client.h"
#include "unpu/unpu.h"

namespace {

using namespace wire;
using testing::IsEmpty;
using Json = nlohmann::json;
using Kinds = std::vector<unsigned>;

constexpr uint64_t COOKIE = 0x0102030405060708;
constexpr uint32_t ENTRIES = 256;

class Recorded : public Stepped {
protected:
	Recorded()
	{
		settle(*device);
		EXPECT_EQ(device->record(ENTRIES), Status::OK);
	}

	std::vector<unpu_trace_entry> entries() { return device->recorded().entries; }

	Kinds kinds()
	{
		Kinds all;
		for (const unpu_trace_entry &entry : entries())
			all.push_back(entry.kind);
		return all;
	}
};

TEST_F(Stepped, RecordsNothingUnlessAsked)
{
	channel.publish(drv::nop_packet(COOKIE));
	settle(*device);
	base::DeviceTrace trace = device->recorded();
	EXPECT_TRUE(trace.entries.empty());
	EXPECT_EQ(trace.overwritten, 0u);
	EXPECT_EQ(trace.generation, client.bar().generation);
	EXPECT_EQ(trace.name, "unit");
}

TEST(RecordedFromTheStart, IsAWishOfTheConfiguration)
{
	fw::Config config;
	config.memory_bytes = MEMORY_BYTES;
	config.features = UNPU_FEATURE_STEPPED;
	config.trace = ENTRIES;
	auto device = fw::Device::create(config).take();
	Client client{*device};
	Channel channel{client};
	base::DeviceTrace trace = device->recorded();
	ASSERT_FALSE(trace.entries.empty());
	EXPECT_EQ(trace.entries[0].kind, UNPU_TRACE_MESSAGE);
	EXPECT_EQ(trace.entries[0].object, unsigned{UNPU_MSG_SEGMENT_CREATE});
}

TEST_F(Recorded, APacketFromFetchToSignal)
{
	channel.publish(drv::nop_packet(COOKIE));
	settle(*device);
	auto all = entries();
	EXPECT_EQ(kinds(),
		  (Kinds{UNPU_TRACE_FETCH, UNPU_TRACE_START, UNPU_TRACE_END, UNPU_TRACE_SIGNAL}));
	ASSERT_EQ(all.size(), 4u);
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_EQ(all[i].cookie, COOKIE);
		EXPECT_EQ(all[i].lane, channel.index());
	}
	EXPECT_EQ(all[0].object, channel.timeline());
	EXPECT_EQ(all[0].value, 1u);
	EXPECT_EQ(all[1].object, unsigned{UNPU_OP_NOP});
	EXPECT_EQ(all[2].object, channel.timeline());
	EXPECT_EQ(all[2].value, 1u);
	EXPECT_EQ(all[3].object, channel.timeline());
	EXPECT_EQ(all[3].value, 1u);
	for (unsigned i = 1; i < all.size(); i++)
		EXPECT_GE(all[i].time_ns, all[i - 1].time_ns);
	EXPECT_LE(all.back().time_ns, base::now_ns()) << "the monotonic clock's time";
}

TEST_F(Recorded, RecordingAgainForgetsAndStoppingKeeps)
{
	channel.publish(drv::nop_packet(COOKIE));
	settle(*device);
	EXPECT_EQ(device->record(ENTRIES), Status::OK);
	EXPECT_TRUE(entries().empty());
	channel.publish(drv::nop_packet(COOKIE));
	settle(*device);
	EXPECT_EQ(device->record(0), Status::OK);
	channel.publish(drv::nop_packet(COOKIE));
	settle(*device);
	EXPECT_EQ(entries().size(), 4u);
}

TEST_F(Recorded, AParkedTaskAndWhatWakesIt)
{
	Channel other{client};
	EXPECT_EQ(device->record(ENTRIES), Status::OK);
	channel.publish(drv::wait_packet(COOKIE, other.timeline(), 1, 0));
	settle(*device);
	EXPECT_EQ(kinds(), (Kinds{UNPU_TRACE_FETCH, UNPU_TRACE_START, UNPU_TRACE_PARK}));
	EXPECT_EQ(entries().back().object, other.timeline());
	EXPECT_EQ(entries().back().value, 1u);
	EXPECT_EQ(device->record(ENTRIES), Status::OK);
	other.publish(drv::nop_packet(COOKIE + 1));
	settle(*device);
	EXPECT_EQ(kinds(),
		  (Kinds{UNPU_TRACE_FETCH, UNPU_TRACE_START, UNPU_TRACE_END, UNPU_TRACE_SIGNAL,
			 UNPU_TRACE_WAKE, UNPU_TRACE_END, UNPU_TRACE_SIGNAL}));
	EXPECT_EQ(entries()[4].lane, channel.index());
	EXPECT_EQ(entries()[4].cookie, COOKIE);
	EXPECT_EQ(entries()[4].object, unsigned{UNPU_STATUS_OK});
}

TEST_F(Recorded, AFault)
{
	EXPECT_EQ(channel.run(drv::copy_packet(COOKIE, 4096, 8192, 64)), Status::MMU_FAULT);
	auto all = entries();
	ASSERT_GE(all.size(), 4u);
	EXPECT_EQ(all[2].kind, UNPU_TRACE_FAULT);
	EXPECT_EQ(all[2].object, unsigned{UNPU_STATUS_MMU_FAULT});
	EXPECT_EQ(all[2].value, 4096u);
	EXPECT_EQ(all[3].kind, UNPU_TRACE_END);
}

TEST_F(Recorded, NodesOfAGraphAndALineThatWaits)
{
	uint32_t sem = client.new_semaphore();
	Image image;
	image.line({drv::nop_packet(COOKIE), drv::wait_packet(COOKIE + 1, sem, 3, 0)});
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	EXPECT_EQ(device->record(ENTRIES), Status::OK);
	channel.publish(drv::graph_packet(COOKIE + 2, graph));
	settle(*device);
	EXPECT_EQ(kinds(), (Kinds{UNPU_TRACE_FETCH, UNPU_TRACE_START, UNPU_TRACE_NODE_START,
				  UNPU_TRACE_NODE_END, UNPU_TRACE_NODE_START, UNPU_TRACE_NODE_PARK,
				  UNPU_TRACE_PARK}));
	EXPECT_EQ(entries()[2].value, channel.timeline());
	EXPECT_EQ(entries()[4].cookie, COOKIE + 1);
	EXPECT_EQ(entries()[5].object, sem);
	EXPECT_EQ(entries()[6].object, 0u) << "the channel waits for the graph";
	EXPECT_EQ(device->record(ENTRIES), Status::OK);
	EXPECT_EQ(client.set_semaphore(sem, 3), Status::OK);
	settle(*device);
	EXPECT_EQ(kinds(), (Kinds{UNPU_TRACE_MESSAGE, UNPU_TRACE_SIGNAL, UNPU_TRACE_NODE_WAKE,
				  UNPU_TRACE_SIGNAL, UNPU_TRACE_NODE_END, UNPU_TRACE_WAKE,
				  UNPU_TRACE_END, UNPU_TRACE_SIGNAL}));
}

TEST_F(Recorded, HostCallsRequestsAndJobsOfEngines)
{
	channel.publish(drv::host_call_packet(COOKIE, 1));
	settle(*device);
	EXPECT_EQ(kinds(), (Kinds{UNPU_TRACE_FETCH, UNPU_TRACE_START, UNPU_TRACE_HOST_CALL,
				  UNPU_TRACE_SIGNAL, UNPU_TRACE_PARK}));
	EXPECT_EQ(entries()[2].value, 1u) << "its token";

	auto engines = make_device(0, 1);
	Client user{*engines};
	Channel work{user};
	Memory memory = user.memory(2u << 20);
	EXPECT_EQ(engines->record(ENTRIES), Status::OK);
	uint64_t wanted = work.publish(drv::fill_packet(COOKIE, memory.va, 2u << 20, 1, 1));
	while (user.value(work.timeline()) != wanted)
		engines->step();
	std::vector<unpu_trace_entry> jobs;
	for (const unpu_trace_entry &entry : engines->recorded().entries) {
		if (entry.kind == UNPU_TRACE_JOB)
			jobs.push_back(entry);
	}
	ASSERT_EQ(jobs.size(), 1u);
	EXPECT_EQ(jobs[0].cookie, COOKIE);
	EXPECT_GT(jobs[0].value, 0u) << "its duration";
}

TEST_F(Recorded, SessionsAreNeverUsedAgain)
{
	uint64_t first = client.completion().status.session;
	uint64_t second = 0;
	{
		Client other{*device};
		second = other.completion().status.session;
	}
	Client third{*device};
	EXPECT_NE(first, second);
	EXPECT_NE(second, third.completion().status.session);
	auto clients = device->recorded().clients;
	ASSERT_EQ(clients.size(), 3u);
	EXPECT_EQ(clients[1].client, clients[2].client);
	EXPECT_EQ(clients[2].session, third.completion().status.session);
	EXPECT_EQ(clients[2].pid, third.completion().status.pid);
}

/* The host's part, on a device that only this thread moves. */
class Traced : public testing::Test {
protected:
	void SetUp() override
	{
		setenv("UNPU_DEVICE", "sim:step,memory=64M,window=256M", 1);
		ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
		ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
		ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
		ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
	}

	void TearDown() override
	{
		EXPECT_EQ(unpu_trace_end(), 0u);
		EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
		unsetenv("UNPU_DEVICE");
		remove(path.c_str());
	}

	void task() { EXPECT_EQ(aclrtMemsetAsync(memory, 64, 1, 64, stream), ACL_SUCCESS); }

	Json write(uint64_t *overwritten = nullptr)
	{
		EXPECT_EQ(unpu_trace_write(path.c_str(), overwritten), 0u);
		std::ifstream file(path);
		return Json::parse(file);
	}

	static std::vector<Json> events(const Json &file, const std::string &phase,
					const std::string &name)
	{
		std::vector<Json> found;
		for (const Json &event : file["traceEvents"]) {
			if (event["ph"] == phase && event["name"] == name)
				found.push_back(event);
		}
		return found;
	}

	aclrtStream stream = nullptr;
	void *memory = nullptr;
	const std::string path =
		testing::TempDir() + "trace_test." + std::to_string(getpid()) + ".json";
};

TEST_F(Traced, BothSidesAreInOneFile)
{
	task();
	ASSERT_EQ(unpu_trace_begin(0), 0u);
	task();
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
	Json file = write();
	/* The first task was submitted before, and ran meanwhile. */
	EXPECT_EQ(events(file, "X", "aclrtMemsetAsync").size(), 1u + 2u);
	EXPECT_EQ(events(file, "s", "submit").size(), 1u);
	EXPECT_EQ(events(file, "s", "done").size(), 1u);
	EXPECT_EQ(file["otherData"]["overwritten"], 0);
	EXPECT_TRUE(file["unpuLooseEnds"]["from"].empty());
	EXPECT_TRUE(file["unpuLooseEnds"]["to"].empty());
}

TEST_F(Traced, EndStopsAndBeginForgets)
{
	ASSERT_EQ(unpu_trace_begin(0), 0u);
	task();
	ASSERT_EQ(unpu_trace_end(), 0u);
	task();
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
	EXPECT_EQ(events(write(), "X", "aclrtMemsetAsync").size(), 1u) << "a submit, and no task";
	ASSERT_EQ(unpu_trace_begin(0), 0u);
	EXPECT_THAT(events(write(), "X", "aclrtMemsetAsync"), IsEmpty());
}

TEST_F(Traced, ADeviceThatHasClosedIsStillInTheFile)
{
	ASSERT_EQ(unpu_trace_begin(0), 0u);
	task();
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
	EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
	EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
	EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
	EXPECT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
	task();
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
	Json file = write();
	EXPECT_EQ(events(file, "X", "aclrtMemsetAsync").size(), 4u);
	EXPECT_EQ(events(file, "s", "submit").size(), 2u) << "each to its own device";
}

TEST_F(Traced, AFullRingLosesTheOldestAndSaysSo)
{
	constexpr unsigned TASKS = 200;
	ASSERT_EQ(unpu_trace_begin(64), 0u);
	for (unsigned i = 0; i < TASKS; i++)
		task();
	uint64_t overwritten = 0;
	Json file = write(&overwritten);
	EXPECT_GE(overwritten, TASKS - 64);
	EXPECT_EQ(file["otherData"]["overwritten"], overwritten);
	auto submits = events(file, "X", "aclrtMemsetAsync");
	ASSERT_EQ(submits.size(), 64u);
	EXPECT_EQ(submits.back()["args"]["packet"], TASKS - 1);
}

TEST_F(Traced, MarksOfManyThreads)
{
	ASSERT_EQ(unpu_trace_begin(0), 0u);
	uint64_t range = hal::trace::range_start(hal::trace::text("epoch"));
	std::thread([&] {
		hal::trace::range_push("step");
		hal::trace::mark("half way");
		hal::trace::range_pop();
		hal::trace::range_stop(range);
	}).join();
	Json file = write();
	ASSERT_EQ(events(file, "X", "step").size(), 1u)
		<< "its thread is gone, its entries are not";
	ASSERT_EQ(events(file, "i", "half way").size(), 1u);
	EXPECT_EQ(events(file, "b", "epoch").size(), 1u);
	EXPECT_EQ(events(file, "X", "step")[0]["tid"], events(file, "i", "half way")[0]["tid"]);
	EXPECT_EQ(hal::trace::text("step"), hal::trace::text("step"));
	EXPECT_NE(hal::trace::text("step"), hal::trace::text("epoch"));
}

TEST_F(Traced, RingsOfThreadsThatEndedAreUsedAgain)
{
	constexpr unsigned THREADS = 200;
	ASSERT_EQ(unpu_trace_begin(0), 0u);
	for (unsigned i = 0; i < THREADS; i++)
		std::thread([] { hal::trace::mark("once"); }).join();
	uint64_t overwritten = 0;
	Json file = write(&overwritten);
	size_t seen = events(file, "i", "once").size();
	EXPECT_LT(seen, THREADS);
	EXPECT_GE(seen, 64u);
	EXPECT_EQ(seen + overwritten, THREADS) << "what is not seen is counted";
}

TEST_F(Traced, AChildOfAForkRecordsNothing)
{
	ASSERT_EQ(unpu_trace_begin(0), 0u);
	task();
	pid_t child = fork();
	if (child == 0) {
		bool on = hal::trace::on();
		bool refused =
			unpu_trace_begin(0) == UNPU_STATUS_NOT_INITIALISED &&
			unpu_trace_write("/dev/null", nullptr) == UNPU_STATUS_NOT_INITIALISED;
		_exit(!on && refused ? 0 : 1);
	}
	int status = 0;
	ASSERT_EQ(waitpid(child, &status, 0), child);
	EXPECT_EQ(status, 0);
	EXPECT_EQ(events(write(), "X", "aclrtMemsetAsync").size(), 1u);
}

TEST_F(Traced, MistakesHaveSentences)
{
	EXPECT_EQ(unpu_trace_write(nullptr, nullptr), unsigned{UNPU_STATUS_NULL_POINTER});
	aclGetRecentErrMsg();
	EXPECT_EQ(unpu_trace_write("/nowhere/at/all", nullptr), unsigned{UNPU_STATUS_BAD_FILE});
	EXPECT_THAT(aclGetRecentErrMsg(), testing::HasSubstr("/nowhere/at/all"));
}

} // namespace
