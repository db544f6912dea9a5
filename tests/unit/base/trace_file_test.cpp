// SPDX-License-Identifier: MIT
/**
 * DOC: Trace rings and trace files
 *
 * Each test writes entries by hand and compares the picture that they become: rows, slices, arrows
 * with both ends in one file, and arrows whose other end is in the file of the other side.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/trace/trace_file.h"
#include "base/trace/trace_ring.h"
#include "drv/packet/cookie.h"
#include "uapi/mailbox.h"
#include "uapi/packet.h"
#include "uapi/regs.h"
#include "uapi/status.h"

namespace {

using base::Status;
using base::TraceRing;
using Json = nlohmann::json;

constexpr uint64_t GENERATION = 0xfeed;
constexpr uint64_t SESSION = 7;
constexpr uint32_t HOST = 100;	   /* pid */
constexpr uint32_t FIRMWARE = 200; /* pid, in the files of two processes */
constexpr uint32_t TIMELINE = 9;
constexpr uint64_t COPY = drv::cookie_call(1); /* the call with number 1 */

uint64_t cookie(uint32_t channel, uint64_t packet)
{
	return COPY | drv::cookie_place(channel, packet);
}

TEST(TraceRing, HoldsAPowerOfTwo)
{
	EXPECT_EQ(TraceRing::room(0), TraceRing::DEFAULT_ENTRIES);
	EXPECT_EQ(TraceRing::room(1), TraceRing::MIN_ENTRIES);
	EXPECT_EQ(TraceRing::room(65), 128u);
	EXPECT_EQ(TraceRing::room(UINT32_MAX), TraceRing::MAX_ENTRIES);
}

TEST(TraceRing, KeepsTheLastAndCountsTheRest)
{
	TraceRing ring;
	std::vector<unpu_trace_entry> copy;
	ASSERT_EQ(ring.init(64), Status::OK);
	EXPECT_EQ(ring.copy(copy), 0u);
	EXPECT_TRUE(copy.empty());
	for (uint64_t i = 0; i < 100; i++)
		ring.put({i, 0, 0, 0, 0, 0, UNPU_TRACE_MARK});
	EXPECT_EQ(ring.copy(copy), 36u);
	ASSERT_EQ(copy.size(), 64u);
	EXPECT_EQ(copy.front().time_ns, 36u);
	EXPECT_EQ(copy.back().time_ns, 99u);
	ASSERT_EQ(ring.init(64), Status::OK);
	copy.clear();
	EXPECT_EQ(ring.copy(copy), 0u);
	EXPECT_TRUE(copy.empty()) << "init() did not empty it";
}

class TraceFile : public testing::Test {
protected:
	TraceFile()
	{
		host.pid = HOST;
		host.name = "program";
		host.attachments = {{GENERATION, SESSION, 0}};
		host.calls = {"a task", "aclrtMemcpyAsync"};
		host.texts = {"", "a \"step\"", "train"};
		host.threads = {{HOST, "main", {}, 0}};
		device.pid = HOST;
		device.generation = GENERATION;
		device.name = "chip";
		device.clients = {{0, SESSION, 3, HOST}};
	}

	void TearDown() override { remove(path.c_str()); }

	/* One side writes something down. Times go up by a microsecond. */
	void on_host(unpu_trace_kind kind, uint64_t task, uint32_t object, uint64_t value)
	{
		host.threads[0].entries.push_back(
			{now_ns += 1000, task, value, object, 0, 0, static_cast<uint8_t>(kind)});
	}
	void on_device(unpu_trace_kind kind, uint64_t task, uint32_t object, uint64_t value,
		       uint16_t lane = 5)
	{
		device.entries.push_back(
			{now_ns += 1000, task, value, object, lane, 3, static_cast<uint8_t>(kind)});
	}

	void run_task(uint64_t packet)
	{
		on_device(UNPU_TRACE_FETCH, cookie(5, packet), TIMELINE, packet + 1);
		on_device(UNPU_TRACE_START, cookie(5, packet), UNPU_OP_COPY, 0);
		on_device(UNPU_TRACE_END, cookie(5, packet), TIMELINE, packet + 1);
	}

	Json write(bool with_host = true, bool with_device = true)
	{
		std::vector<base::DeviceTrace> devices;
		if (with_device)
			devices.push_back(device);
		EXPECT_EQ(base::write_trace(path, with_host ? &host : nullptr, devices),
			  Status::OK);
		std::ifstream file(path);
		return Json::parse(file);
	}

	/* events() - those of a phase with a name, in the order of the file. */
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

	static std::string row_of(const Json &file, const Json &event)
	{
		for (const Json &row : events(file, "M", "thread_name")) {
			if (row["pid"] == event["pid"] && row["tid"] == event["tid"])
				return row["args"]["name"];
		}
		return "";
	}

	/* ends() - "row -> row" of each arrow with a name. */
	static std::vector<std::string> ends(const Json &file, const std::string &name)
	{
		std::vector<std::string> found;
		for (const Json &from : events(file, "s", name)) {
			for (const Json &to : events(file, "f", name)) {
				if (from["id"] == to["id"])
					found.push_back(row_of(file, from) + " -> " +
							row_of(file, to));
			}
		}
		return found;
	}

	base::HostTrace host;
	base::DeviceTrace device;
	uint64_t now_ns = 1000000;
	const std::string path =
		testing::TempDir() + "trace_file_test." + std::to_string(getpid()) + ".json";
};

TEST_F(TraceFile, ATaskIsASliceNamedAfterItsCall)
{
	run_task(0);
	Json file = write();
	auto tasks = events(file, "X", "aclrtMemcpyAsync");
	ASSERT_EQ(tasks.size(), 1u);
	EXPECT_EQ(row_of(file, tasks[0]), "stream 5");
	EXPECT_EQ(tasks[0]["ts"], 1002.0) << "microseconds, from START on";
	EXPECT_EQ(tasks[0]["dur"], 1.0);
	EXPECT_EQ(tasks[0]["args"]["packet"], 0);
	EXPECT_EQ(tasks[0]["args"]["pid"], HOST);
	EXPECT_EQ(tasks[0]["args"]["opcode"], "COPY");
	EXPECT_NE(tasks[0]["pid"], HOST) << "the device is a process of the picture";
}

TEST_F(TraceFile, ArrowsLeadFromSubmitToTaskAndFromItsEndToTheWaiter)
{
	on_host(UNPU_TRACE_SUBMIT, cookie(5, 0), TIMELINE, 1);
	on_host(UNPU_TRACE_WAIT_BEGIN, 0, TIMELINE, 1);
	run_task(0);
	on_host(UNPU_TRACE_WAIT_END, UNPU_STATUS_OK, TIMELINE, 1);
	Json file = write();
	EXPECT_EQ(ends(file, "submit"), std::vector<std::string>{"main -> stream 5"});
	EXPECT_EQ(ends(file, "done"), std::vector<std::string>{"stream 5 -> main"});
	ASSERT_EQ(events(file, "X", "wait for stream 5").size(), 1u);
	EXPECT_TRUE(file["unpuLooseEnds"]["from"].empty()) << "both sides are in the file";
}

TEST_F(TraceFile, EveryThreadThatWaitedForAFenceGetsAnArrow)
{
	host.threads.push_back({HOST + 1, "other", {}, 0});
	on_host(UNPU_TRACE_WAIT_BEGIN, 0, TIMELINE, 1);
	on_host(UNPU_TRACE_WAIT_SLEEP, 0, TIMELINE, 1);
	run_task(0);
	on_host(UNPU_TRACE_WAIT_END, UNPU_STATUS_OK, TIMELINE, 1);
	host.threads[1].entries = host.threads[0].entries;
	Json file = write();
	EXPECT_EQ(ends(file, "done"),
		  (std::vector<std::string>{"stream 5 -> main", "stream 5 -> other"}));
	EXPECT_EQ(events(file, "X", "asleep").size(), 2u);
}

TEST_F(TraceFile, AWaitThatRanOutOfTimeHasNoArrow)
{
	on_host(UNPU_TRACE_WAIT_BEGIN, 0, TIMELINE, 1);
	on_host(UNPU_TRACE_WAIT_END, UNPU_STATUS_TIMEOUT, TIMELINE, 1);
	run_task(0);
	Json file = write();
	EXPECT_TRUE(ends(file, "done").empty());
	EXPECT_EQ(events(file, "X", "wait for semaphore 9")[0]["args"]["status"], "TIMEOUT");
}

TEST_F(TraceFile, AnArrowLeadsFromTheSignallingTaskToTheParkedOne)
{
	on_device(UNPU_TRACE_FETCH, cookie(6, 0), TIMELINE + 1, 1, 6);
	on_device(UNPU_TRACE_START, cookie(6, 0), UNPU_OP_SEM_WAIT, 0, 6);
	on_device(UNPU_TRACE_PARK, cookie(6, 0), TIMELINE, 1, 6);
	run_task(0);
	on_device(UNPU_TRACE_SIGNAL, 0, TIMELINE, 1);
	on_device(UNPU_TRACE_WAKE, cookie(6, 0), UNPU_STATUS_OK, 0, 6);
	on_device(UNPU_TRACE_END, cookie(6, 0), TIMELINE + 1, 1, 6);
	Json file = write();
	EXPECT_EQ(ends(file, "wake"), std::vector<std::string>{"stream 5 -> stream 6"});
	auto parked = events(file, "X", "parked");
	ASSERT_EQ(parked.size(), 1u);
	EXPECT_EQ(parked[0]["args"]["semaphore"], TIMELINE);
}

TEST_F(TraceFile, ASignalThatNoTaskMadeHasNoArrow)
{
	on_device(UNPU_TRACE_FETCH, cookie(6, 0), TIMELINE + 1, 1, 6);
	on_device(UNPU_TRACE_START, cookie(6, 0), UNPU_OP_SEM_WAIT, 0, 6);
	on_device(UNPU_TRACE_PARK, cookie(6, 0), TIMELINE, 1, 6);
	run_task(0);
	on_device(UNPU_TRACE_MESSAGE, 0, UNPU_MSG_SEM_SET, 1);
	on_device(UNPU_TRACE_SIGNAL, 0, TIMELINE, 1);
	on_device(UNPU_TRACE_WAKE, cookie(6, 0), UNPU_STATUS_OK, 0, 6);
	on_device(UNPU_TRACE_SIGNAL, 0, UNPU_SEM_MAILBOX, 1);
	Json file = write();
	EXPECT_TRUE(ends(file, "wake").empty());
	EXPECT_EQ(events(file, "X", "SEM_SET").size(), 1u);
}

TEST_F(TraceFile, NodesStandOnRowsOfTheirLines)
{
	on_device(UNPU_TRACE_FETCH, cookie(5, 0), TIMELINE, 1);
	on_device(UNPU_TRACE_START, cookie(5, 0), UNPU_OP_GRAPH, 0);
	for (uint16_t line = 0; line < 2; line++) {
		on_device(UNPU_TRACE_NODE_START, cookie(drv::COOKIE_GRAPH, line), UNPU_OP_COPY,
			  TIMELINE, line);
		on_device(UNPU_TRACE_NODE_END, cookie(drv::COOKIE_GRAPH, line), 0, TIMELINE, line);
	}
	on_device(UNPU_TRACE_END, cookie(5, 0), TIMELINE, 1);
	Json file = write();
	auto tasks = events(file, "X", "aclrtMemcpyAsync");
	ASSERT_EQ(tasks.size(), 3u);
	EXPECT_EQ(row_of(file, tasks[0]), "graph on stream 5, line 0");
	EXPECT_EQ(row_of(file, tasks[1]), "graph on stream 5, line 1");
	EXPECT_EQ(tasks[1]["args"]["node"], 1);
	EXPECT_EQ(row_of(file, tasks[2]), "stream 5");
}

/* A number may have belonged to another program before. */
TEST_F(TraceFile, ANodeOfAProgramHasItsName)
{
	host.programs = {{0, 2, {"Conv a", "Relu b"}}, {2000000, 3, {"Mul c"}}};
	const auto run_node = [&](uint64_t node) {
		const uint64_t task = cookie(drv::COOKIE_GRAPH, node);
		on_device(UNPU_TRACE_NODE_START, task, UNPU_OP_COPY, TIMELINE, 0);
		on_device(UNPU_TRACE_NODE_END, task, 0, TIMELINE, 0);
	};
	run_node(drv::cookie_program(2) | 1);
	run_node(drv::cookie_program(2) | 7);
	run_node(drv::cookie_program(3));
	now_ns = 2000000;
	run_node(drv::cookie_program(3));
	const Json file = write();
	const auto named = events(file, "X", "Relu b");
	ASSERT_EQ(named.size(), 2u) << "what is behind the last one is of the last one";
	EXPECT_EQ(named[0]["args"]["node"], 1);
	EXPECT_EQ(named[0]["args"]["program"], 2);
	EXPECT_EQ(events(file, "X", "aclrtMemcpyAsync").size(), 1u);
	EXPECT_EQ(events(file, "X", "Mul c").size(), 1u);
	const Json nodes = {{0.0, 2, {"Conv a", "Relu b"}}, {2000.0, 3, {"Mul c"}}};
	EXPECT_EQ(file["otherData"]["nodes"][std::to_string(HOST)], nodes);
}

TEST_F(TraceFile, SaysWhatFailedAndWhatDidNotEnd)
{
	on_device(UNPU_TRACE_FETCH, cookie(5, 0), TIMELINE, 1);
	on_device(UNPU_TRACE_START, cookie(5, 0), UNPU_OP_COPY, 0);
	on_device(UNPU_TRACE_FAULT, cookie(5, 0), UNPU_STATUS_MMU_FAULT, 0xabc);
	on_device(UNPU_TRACE_END, cookie(5, 0), TIMELINE, 1);
	on_device(UNPU_TRACE_FETCH, cookie(5, 1), TIMELINE, 2);
	on_device(UNPU_TRACE_START, cookie(5, 1), UNPU_OP_COPY, 0);
	on_host(UNPU_TRACE_RANGE_PUSH, 0, 0, 2);
	on_host(UNPU_TRACE_WAIT_BEGIN, 0, TIMELINE, 2);
	auto tasks = events(write(), "X", "aclrtMemcpyAsync");
	ASSERT_EQ(tasks.size(), 2u);
	EXPECT_EQ(tasks[0]["args"]["status"], "MMU_FAULT");
	EXPECT_EQ(tasks[0]["args"]["address"], "0xabc");
	EXPECT_FALSE(tasks[0]["args"].contains("unfinished"));
	EXPECT_EQ(tasks[1]["args"]["unfinished"], true);
	EXPECT_FALSE(tasks[1]["args"].contains("status"));
}

TEST_F(TraceFile, MarksAndRangesAreTheProgramsOwn)
{
	on_host(UNPU_TRACE_RANGE_PUSH, 0, 0, 2);
	on_host(UNPU_TRACE_RANGE_PUSH, 0, 2, 1);
	on_host(UNPU_TRACE_MARK, 0, 0, 1);
	on_host(UNPU_TRACE_RANGE_POP, 0, 0, 0);
	on_host(UNPU_TRACE_RANGE_START, 41, 0, 2);
	on_host(UNPU_TRACE_RANGE_POP, 0, 0, 0);
	on_host(UNPU_TRACE_RANGE_POP, 0, 0, 0);
	on_host(UNPU_TRACE_RANGE_STOP, 41, 0, 0);
	Json file = write();
	auto inner = events(file, "X", "a \"step\"");
	ASSERT_EQ(inner.size(), 1u);
	EXPECT_EQ(inner[0]["args"]["category"], "train");
	EXPECT_EQ(inner[0]["dur"], 2.0);
	ASSERT_EQ(events(file, "X", "train").size(), 1u);
	EXPECT_EQ(events(file, "X", "train")[0]["dur"], 5.0);
	EXPECT_EQ(events(file, "i", "a \"step\"").size(), 1u);
	ASSERT_EQ(events(file, "b", "train").size(), 1u);
	EXPECT_EQ(events(file, "e", "train")[0]["id"], events(file, "b", "train")[0]["id"]);
}

TEST_F(TraceFile, AMarkNamesTheThreadsNextPacketOfItsCall)
{
	on_host(UNPU_TRACE_MARK, COPY, 0, 1);
	on_host(UNPU_TRACE_SUBMIT, drv::cookie_place(5, 0), TIMELINE, 1);
	on_host(UNPU_TRACE_SUBMIT, cookie(5, 1), TIMELINE, 2);
	on_host(UNPU_TRACE_SUBMIT, cookie(5, 2), TIMELINE, 3);
	for (uint64_t packet : {1, 2})
		run_task(packet);
	Json file = write();
	EXPECT_EQ(events(file, "i", "a \"step\"").size(), 1u);
	EXPECT_EQ(events(file, "X", "a \"step\"").size(), 2u) << "submit and task";
	EXPECT_EQ(events(file, "X", "aclrtMemcpyAsync").size(), 2u) << "submit and task";
	EXPECT_EQ(file["otherData"]["marks"]["100"]["0.5.1"], "a \"step\"");
}

TEST_F(TraceFile, HostCallsAndRepliesHaveArrowsToo)
{
	on_host(UNPU_TRACE_WAIT_BEGIN, 0, UNPU_SEM_MAILBOX, 1);
	on_device(UNPU_TRACE_MESSAGE, 0, UNPU_MSG_MAP, 1);
	on_device(UNPU_TRACE_SIGNAL, 0, UNPU_SEM_MAILBOX, 1);
	on_host(UNPU_TRACE_WAIT_END, UNPU_STATUS_OK, UNPU_SEM_MAILBOX, 1);
	on_device(UNPU_TRACE_FETCH, cookie(5, 0), TIMELINE, 1);
	on_device(UNPU_TRACE_START, cookie(5, 0), UNPU_OP_HOST_CALL, 0);
	on_device(UNPU_TRACE_HOST_CALL, cookie(5, 0), 0, 77);
	on_device(UNPU_TRACE_PARK, cookie(5, 0), 0, 0);
	on_host(UNPU_TRACE_CALL_BEGIN, cookie(5, 0), 0, 77);
	on_host(UNPU_TRACE_CALL_END, cookie(5, 0), 0, 77);
	on_device(UNPU_TRACE_WAKE, cookie(5, 0), UNPU_STATUS_OK, 0);
	on_device(UNPU_TRACE_END, cookie(5, 0), TIMELINE, 1);
	Json file = write();
	EXPECT_EQ(ends(file, "done"), std::vector<std::string>{"device -> main"});
	EXPECT_EQ(ends(file, "call"), std::vector<std::string>{"stream 5 -> main"});
}

TEST_F(TraceFile, OverwrittenEntriesAreSaid)
{
	run_task(0);
	on_host(UNPU_TRACE_MARK, 0, 0, 1);
	device.overwritten = 10;
	host.threads[0].overwritten = 4;
	host.overwritten = 2;
	Json file = write();
	EXPECT_EQ(file["otherData"]["overwritten"], 16);
	EXPECT_EQ(events(file, "i", "10 earlier entries were overwritten").size(), 1u);
	EXPECT_EQ(events(file, "i", "4 earlier entries were overwritten").size(), 1u);
}

TEST_F(TraceFile, ATaskWhoseBeginningWasOverwrittenIsLeftOut)
{
	on_device(UNPU_TRACE_END, cookie(5, 0), TIMELINE, 1);
	on_device(UNPU_TRACE_WAKE, cookie(5, 0), UNPU_STATUS_OK, 0);
	on_host(UNPU_TRACE_WAIT_END, UNPU_STATUS_OK, TIMELINE, 1);
	on_host(UNPU_TRACE_RANGE_POP, 0, 0, 0);
	on_host(UNPU_TRACE_CALL_END, 0, 0, 0);
	Json file = write();
	for (const Json &event : file["traceEvents"])
		EXPECT_NE(event["ph"], "X") << event;
}

TEST_F(TraceFile, TwoFilesNameTheirLooseEndsAlike)
{
	device.pid = FIRMWARE;
	on_host(UNPU_TRACE_SUBMIT, cookie(5, 0), TIMELINE, 1);
	on_host(UNPU_TRACE_WAIT_BEGIN, 0, TIMELINE, 1);
	run_task(0);
	on_host(UNPU_TRACE_WAIT_END, UNPU_STATUS_OK, TIMELINE, 1);
	Json program = write(true, false)["unpuLooseEnds"];
	Json file = write(false, true);
	const Json &firmware = file["unpuLooseEnds"];
	ASSERT_EQ(program["from"].size(), 1u);
	ASSERT_EQ(program["to"].size(), 1u);
	ASSERT_EQ(firmware["from"].size(), 1u);
	ASSERT_EQ(firmware["to"].size(), 1u);
	EXPECT_EQ(program["from"][0][0], firmware["to"][0][0]);
	EXPECT_EQ(program["to"][0][0], firmware["from"][0][0]);
	/* Only the client knows what a call's number means. */
	auto tasks = events(file, "X", "COPY");
	ASSERT_EQ(tasks.size(), 1u);
	EXPECT_EQ(tasks[0]["args"]["call"], 1);
	EXPECT_EQ(row_of(file, tasks[0]), "pid 100 stream 5");
}

TEST_F(TraceFile, ClientsThatHadTheSameNumberHaveRowsOfTheirOwn)
{
	run_task(0);
	device.clients.push_back({now_ns + 1, SESSION + 1, 3, HOST + 1});
	run_task(0);
	auto tasks = events(write(), "X", "aclrtMemcpyAsync");
	ASSERT_EQ(tasks.size(), 2u);
	EXPECT_NE(tasks[0]["tid"], tasks[1]["tid"]);
	EXPECT_EQ(tasks[1]["args"]["pid"], HOST + 1);
}

TEST_F(TraceFile, AFileThatCantBeMadeIsAnError)
{
	EXPECT_EQ(base::write_trace("/nowhere/at/all.json", &host, {}), Status::BAD_FILE);
	EXPECT_EQ(base::write_trace("/dev/full", &host, {device}), Status::BAD_FILE);
}

TEST_F(TraceFile, JobsOfAnEngineNeverOverlapOnARow)
{
	/* As they end, with their times: two engines share the pieces of these jobs. */
	struct Span {
		uint64_t start_ns;
		uint64_t duration_ns;
		uint16_t engine;
	};
	std::vector<Span> spans = {{1000, 500, 0}, {900, 900, 0},  {2000, 10, 0}, {1999, 1, 0},
				   {1500, 1, 0},   {1000, 900, 1}, {1501, 0, 0}};
	for (uint64_t i = 0; i < 40; i++) /* more than there are rows */
		spans.push_back({5000 + i, 1000 - i, 1});
	for (const Span &span : spans)
		device.entries.push_back({span.start_ns, cookie(5, span.start_ns), span.duration_ns,
					  0, span.engine, 3, UNPU_TRACE_JOB});
	const Json file = write();
	std::map<std::string, std::vector<std::pair<int64_t, int64_t>>> rows;
	for (const Json &job : events(file, "X", "aclrtMemcpyAsync")) {
		const auto begin = std::llround(job["ts"].get<double>() * 1000);
		rows[row_of(file, job)].emplace_back(
			begin, begin + std::llround(job["dur"].get<double>() * 1000));
	}
	size_t jobs = 0;
	for (auto &[name, slices] : rows) {
		std::sort(slices.begin(), slices.end());
		jobs += slices.size();
		for (size_t i = 1; i < slices.size(); i++)
			EXPECT_LE(slices[i - 1].second, slices[i].first) << name;
	}
	EXPECT_EQ(jobs, spans.size());
	EXPECT_EQ(rows["engine 0"].size(), 2u);
	EXPECT_EQ(rows["engine 0, beside it 1"].size(), 3u);
}

} // namespace
