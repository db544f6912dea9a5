// SPDX-License-Identifier: MIT
/**
 * DOC: order between commands
 *
 * What programs of the corpus (programs/) do not show by themselves: contexts, streams that end, parts of the findings.
 */
#include <map>

#include "expect_findings.h"
#include "san/report/entry.h"

using namespace san;
using namespace san::test;

namespace {

BUG_AND_REPAIR(Race);

} // namespace

TEST_P(Race, legacy_stream_of_another_context)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY, 1);
	const uint32_t other = p.stream("other", STREAM_LEGACY, 2);
	const uint32_t own = p.stream("own", 0, fixed ? 1 : 2);
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	p.op(legacy, "produce", {writes(x)});
	p.op(other, "elsewhere", {writes(y)});
	p.op(own, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
	EXPECT_EQ(has_hint(p, "RACE-RAW", "other-context"), !fixed);
}

/* The legacy stream waits for the blocking streams of its context, also for those that are gone. */
TEST_P(Race, legacy_stream_and_ended_streams_of_another_context)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY, 1);
	const uint32_t own = p.stream("own", 0, fixed ? 1 : 2);
	const Bytes x = p.memory("x", 64);
	p.op(own, "produce", {writes(x)});
	p.destroy_stream(own);
	p.op(legacy, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* A synchronization of a context is one for its streams, also for those that are gone. */
TEST_P(Race, synchronization_of_another_context)
{
	Program p(Profile::CUDA);
	const uint32_t own = p.stream("own", 0, 1), other = p.stream("other", 0, 2);
	const Bytes x = p.memory("x", 64);
	p.op(own, "produce", {writes(x)});
	p.destroy_stream(own);
	p.sync_device(fixed ? 1 : 2);
	p.op(other, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* A stream that was destroyed goes on, and the legacy stream follows what it does. */
TEST_P(Race, stream_that_was_destroyed_while_it_waited)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY);
	const uint32_t own = p.stream("own", fixed ? 0 : STREAM_NON_BLOCKING);
	const uint32_t opener = p.stream("opener", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64);
	p.await(1, own, 1);
	p.op(own, "produce", {writes(x)});
	p.destroy_stream(own);
	p.op(legacy, "use", {reads(x)});
	p.signal(1, opener, 1);
	p.sync_device();
	judge(p, {"RACE-WAR"});
}

/* What it waits for is done by then, so what follows the wait is after that. */
TEST_P(Race, end_of_a_stream_and_what_it_waited_for)
{
	Program p(Profile::CUDA);
	const uint32_t held = p.stream("held", STREAM_NON_BLOCKING);
	const uint32_t own = p.stream("own", STREAM_NON_BLOCKING);
	const uint32_t opener = p.stream("opener", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64);
	const uint64_t written = p.event("written");
	p.await(1, held, 1);
	p.op(held, "produce", {writes(x)});
	p.record(written, held);
	if (fixed)
		p.wait(own, written);
	p.op(own, "use", {reads(x)});
	p.destroy_stream(own);
	p.signal(1, opener, 1);
	p.sync_device();
	judge(p, {"RACE-WAR"});
}

TEST_P(Race, library_uses_a_stream_of_its_own)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY);
	const uint32_t own = p.stream("own", STREAM_NON_BLOCKING);
	const Bytes workspace = p.memory("workspace", 256);
	p.op(fixed ? own : legacy, "clear workspace", {writes(workspace)});
	p.op(own, "convolution", {reads(workspace), writes(workspace)});
	judge(p, {"RACE-RAW", "RACE-WAW"});
}

TEST(RaceReport, names_both_commands_the_last_common_point_and_the_repair)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("h2d"), b = p.stream("compute");
	const Bytes x = p.memory("act0", 1024);
	const uint64_t ready = p.event("ready");
	p.op(a, "first copy", {writes(x)});
	p.record(ready, a);
	p.op(a, "second copy", {writes(x.part(256, 256))});
	p.wait(b, ready);
	p.op(b, "matmul", {reads(x)});
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].later.label, "matmul");
	EXPECT_EQ(found[0].earlier.label, "second copy");
	EXPECT_EQ(found[0].later.stream, "stream 2 (compute)");
	EXPECT_EQ(found[0].memory.label, "act0");
	EXPECT_EQ(found[0].memory.overlap, (Range{256, 512}));
	EXPECT_EQ(found[0].order, "nothing orders stream 1 (h2d) before stream 2 (compute) since "
				  "the record of event \"ready\"");
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].text,
		  "event \"ready\" was recorded, BEFORE second copy; recording "
		  "it after that would order this pair");
}

/* The trace numbers streams by itself. Reports have the ids of the API, of which each device has its own. */
TEST(Names, are_ids_of_the_api_and_its_devices)
{
	Program p(Profile::ASCENDCL);
	const Bytes x = p.memory("x", 64);
	const uint32_t old = p.stream_of(4, 0);
	p.op(old, "old", {writes(p.memory("y", 64))});
	p.destroy_stream(old);
	const uint32_t a = p.stream_of(4, 0), b = p.stream_of(4, 1);
	p.op(a, "write", {writes(x)});
	p.record(p.event_of(0x5300000000000001), a);
	p.destroy_stream(a);
	p.op(b, "read", {reads(x)});
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].earlier.stream, "stream 4 (the 2nd of this id)");
	EXPECT_EQ(found[0].later.stream, "stream 4 of device 1");
	EXPECT_EQ(found[0].order,
		  "nothing orders stream 4 (the 2nd of this id) before stream 4 of device 1");
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].text,
		  "event 0x5300000000000001, recorded, already marks the end of write; stream 4 of "
		  "device 1 never waits for it: call aclrtStreamWaitEvent on stream 4 of device 1 "
		  "for it before read");
}

/* The runtime joins the streams of a graph by events that the program does not have. */
TEST(Hints, name_no_event_that_is_gone)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t own = p.event("own");
	p.op(a, "write", {writes(x)});
	p.record(own, a);
	p.destroy_event(own);
	p.op(b, "read", {reads(x)});
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].text.find("call aclrtRecordEvent on stream 1 (a) after write"),
		  0u)
		<< found[0].hints[0].text;
}

/* An allocation in a stream has no name but that of the memory. */
TEST(Names, of_an_allocation_that_a_free_does_not_know)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	p.free(p.allocate("x", 64, ALLOC_ASYNC, a), b);
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].earlier.label, "the allocation from a pool");
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_NE(found[0].hints[0].text.find(
			  "on stream 1 (a) after the allocation from a pool, and "),
		  std::string::npos)
		<< found[0].hints[0].text;
	Entry entry;
	entry.later.label = "cuMemFreeAsync";
	entry.later.use = found[0].later.use;
	entry.earlier.label = found[0].earlier.label;
	EXPECT_EQ(title(entry, found[0].rule),
		  "cuMemFreeAsync frees memory that may not be allocated by then");
}

/* Each rule gives a sentence that names the call. */
TEST(Names, every_rule_has_a_sentence){
#define SAN_RULE_CASE(name, text, severity, sentence) \
	{ \
		Entry entry; \
		entry.later.label = "LATER"; \
		entry.later.stream = "host"; \
		entry.earlier.label = "EARLIER"; \
		const std::string line = title(entry, Rule::name); \
		EXPECT_TRUE(line.find("LATER") != std::string::npos || \
			    line.find("EARLIER") != std::string::npos) \
			<< text << ": " << line; \
	}
	SAN_RULE_LIST(SAN_RULE_CASE)
#undef SAN_RULE_CASE
}

/* Only the newest streams that are gone keep their names. */
TEST(Names, of_streams_that_are_long_gone_are_not_invented)
{
	Program p(Profile::ASCENDCL);
	const Bytes x = p.memory("x", 64);
	const uint32_t first = p.stream_of(1, 0), other = p.stream_of(2, 0);
	p.op(first, "write", {writes(x)});
	p.destroy_stream(first);
	for (size_t i = 0; i <= StreamNames::MAX_GONE; i++)
		p.destroy_stream(p.stream_of(3, 0));
	p.op(other, "read", {reads(x)});
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].earlier.stream, "a stream that is gone");
}

TEST(Hints, name_the_event_of_a_stream_that_is_destroyed)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	p.op(a, "write", {writes(x)});
	p.record(p.event("done"), a);
	p.destroy_stream(a);
	p.op(b, "read", {reads(x)});
	EXPECT_TRUE(has_hint(p, "RACE-RAW", "never-waited"));
}

/* A wait for what the stream has recorded by itself is often meant for another stream. */
TEST(Hints, name_an_event_that_the_waiting_stream_records_itself)
{
	for (const bool between : {false, true}) {
		Program p(Profile::CUDA);
		const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
			       b = p.stream("b", STREAM_NON_BLOCKING);
		const Bytes x = p.memory("x", 64);
		const uint64_t ready = p.event("ready");
		if (between)
			p.op(a, "write", {writes(x)});
		p.record(ready, b);
		p.wait(b, ready);
		if (!between)
			p.op(a, "write", {writes(x)});
		p.op(b, "read", {reads(x)});
		EXPECT_EQ(has_hint(p, "RACE-RAW", "record-on-waiter"), between);
		EXPECT_EQ(has_hint(p, "RACE-RAW", "no-edge"), !between);
	}
}

/* An event is recorded after the launch, and not after the node. */
TEST(Hints, name_the_launch_of_a_node)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64);
	p.node(1, "write", {writes(x)});
	p.ready(1);
	p.launch(1, a);
	p.op(b, "read", {reads(x)});
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].earlier.label, "write");
	EXPECT_EQ(found[0].earlier.launch, "launch");
	EXPECT_EQ(found[0].later.launch, "");
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].text,
		  "call cuEventRecord on stream 1 (a) after launch of the graph with write, and "
		  "cuStreamWaitEvent on stream 2 (b) for that event before read");
}

TEST(Tasks, of_launches_and_host_functions_have_numbers)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64);
	p.node(1, "write", {writes(x)});
	p.ready(1);
	p.callback(a, "prepare");
	p.task(2);
	p.launch(1, a);
	p.task(3);
	p.op(b, "read", {reads(x)});
	p.task(0);
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].earlier.task, 4u);
	EXPECT_EQ(found[0].later.task, 1u);
	std::map<std::string, uint64_t> tasks;
	for (const Step &step : found[0].steps)
		tasks[step.label] = step.task;
	EXPECT_EQ(tasks["prepare"], 3u);
	EXPECT_EQ(tasks["launch"], 4u);
}

TEST(Hints, name_the_edge_that_a_graph_lacks)
{
	Program p(Profile::CUDA);
	const Bytes x = p.memory("x", 64);
	p.node(1, "first", {writes(x)});
	p.node(1, "second", {reads(x)});
	p.ready(1);
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].text,
		  "let second depend on first; in a capture, call cuEventRecord after first on its "
		  "stream, and cuStreamWaitEvent for that event on the other stream before second");
	EXPECT_EQ(found[0].earlier.stream, "a node of the graph");
	EXPECT_EQ(found[0].later.stream, "a node of the graph");
}

/* The nodes are compared when the graph is made, so they are in no stream yet. */
TEST(Hints, name_the_edge_of_nodes_that_may_access_the_same_bytes)
{
	Program p(Profile::CUDA);
	const Bytes x = p.memory("x", 64);
	p.node(1, "first", {writes(x)});
	p.node(1, "second", {with(reads(x), OPERAND_PARTIAL)});
	p.ready(1);
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].rule, Rule::RACE_PARTIAL);
	EXPECT_EQ(found[0].order, "");
	EXPECT_TRUE(has_hint(p, "RACE-PARTIAL", "no-edge"));
	EXPECT_EQ(found[0].earlier.stream, "a node of the graph");
}

TEST(Silent, disjoint_halves_and_columns)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 4096), matrix = p.memory("matrix", 1 << 20);
	p.op(a, "left half", {writes(x.part(0, 2048))});
	p.op(b, "right half", {writes(x.part(2048, 2048))});
	p.op(a, "even columns", {writes(matrix.column(0, 4, 131072, 8))});
	p.op(b, "odd columns", {writes(matrix.column(4, 4, 131072, 8))});
	p.sync_device();
	p.op(a, "rows in between", {writes(x.column(0, 64, 32, 128))});
	p.op(b, "the other rows", {writes(x.column(64, 64, 32, 128))});
	expect_silent(p);
}

TEST(Silent, reductions_from_two_streams)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes sum = p.memory("sum", 64);
	p.op(a, "add", {reduces(sum)});
	p.op(b, "add", {reduces(sum)});
	p.sync_device();
	p.op(a, "use", {reads(sum)});
	expect_silent(p);
	/* Without the join, both are in the way of the reader. */
	p.op(b, "add", {reduces(sum)});
	EXPECT_EQ(p.rules()["RACE-WAR"], 1);
}

TEST(Silent, gate_and_mailbox)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("host", 64), x = p.memory("x", 64), back = p.pinned("back", 64);
	p.await(1, s, 1);
	p.copy(s, "copy behind the gate", x, host);
	p.copy(s, "result", back, x, COMMAND_TO_HOST);
	p.signal(2, s, 1);
	p.host("fill", {writes(host)});
	p.signal(1, HOST, 1);
	p.await(2, HOST, 1);
	p.host("look", {reads(back)});
	expect_silent(p);
}

TEST(Silent, padding_that_is_copied)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes x = p.undefined("x", 64), y = p.undefined("y", 64);
	p.op(s, "fields", {writes(x.part(0, 40))});
	p.copy(s, "struct", y, x);
	p.op(s, "use of the fields", {reads(y.part(0, 40))});
	p.op(s, "use of all", {reads(y)}); /* a part only: reported on request */
	expect_silent(p);
	Options options;
	options.undefined_parts = true;
	expect(p, {"UNINIT-PART"}, options);
}

TEST(Labels, bytes_that_were_never_written_are_named)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes x = p.undefined("x", 1000);
	p.op(s, "fields", {writes(x.part(100, 300))});
	p.op(s, "use", {reads(x)});
	Options options;
	options.undefined_parts = true;
	const std::vector<Finding> found = p.findings(options);
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].order, "bytes 0 to 99, 400 to 999 of the memory were never written");
}

TEST(Labels, gaps_between_parts_were_never_written)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes x = p.undefined("x", 1000);
	p.op(s, "blocks", {writes(x.column(0, 200, 4, 250))});
	p.op(s, "use of the blocks", {reads(x.column(0, 200, 4, 250))});
	p.op(s, "use", {reads(x)});
	Options options;
	options.undefined_parts = true;
	const std::vector<Finding> found = p.findings(options);
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].order, "bytes 200 to 249, 450 to 499, 700 to 749, 950 to 999 of the "
				  "memory were never written");
}

TEST(Labels, reset_before_a_wait_names_what_to_call)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t flag = p.event("flag", EVENT_LATCH);
	p.record(flag, a);
	p.wait(b, flag);
	p.reset(flag, a);
	const std::vector<Finding> found = p.findings();
	ASSERT_FALSE(found.empty());
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].code, "reset-too-early");
	EXPECT_NE(found[0].hints[0].text.find("call aclrtRecordEvent for another event on "),
		  std::string::npos)
		<< found[0].hints[0].text;
	EXPECT_EQ(found[0].order, "nothing orders the wait for event \"flag\" before its reset");
}

TEST(Labels, deadlock_names_what_to_call)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t first = p.event("first", EVENT_LATCH),
		       second = p.event("second", EVENT_LATCH);
	p.wait(a, first);
	p.record(second, a);
	p.wait(b, second);
	p.record(first, b);
	const std::vector<Finding> found = p.findings();
	ASSERT_FALSE(found.empty());
	EXPECT_EQ(found[0].rule, Rule::DEADLOCK);
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].text,
		  "on one stream of the circle, submit what the other one waits for first "
		  "(aclrtRecordEvent), and its own wait then (aclrtStreamWaitEvent)");
}

TEST(Labels, unwritten_memory_names_what_to_call)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a");
	p.op(a, "use", {reads(p.allocate("x", 64, 0, HOST))});
	const std::vector<Finding> found = p.findings();
	ASSERT_FALSE(found.empty());
	EXPECT_EQ(found[0].rule, Rule::UNINIT);
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_EQ(found[0].hints[0].text.find("write the memory before, by cuMemsetD8Async"), 0u);
}

/* The reset takes effect when its stream comes to it, so each turn waits for a record of its own. */
TEST(Silent, reset_that_is_queued_behind_its_wait)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t flag = p.event("flag", EVENT_LATCH);
	const Bytes x = p.memory("x", 64);
	for (int i = 0; i < 3; i++) {
		p.wait(a, flag);
		p.reset(flag, a);
		p.op(a, "use", {reads(x)});
		p.op(b, "make", {writes(x)});
		p.record(flag, b);
		p.sync(a);
	}
	expect_silent(p);
}

/* What a process has unmapped, the one whose memory it is may go on to use. */
TEST(Silent, mapping_that_another_process_gives_up)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a");
	const uint64_t block = p.block("block", 64);
	const Bytes x = p.map(block, 64);
	p.client(1, Profile::ASCENDCL);
	const Bytes y = p.map(block, 64);
	p.client(0, Profile::ASCENDCL);
	p.op(a, "use", {writes(x)});
	p.client(1, Profile::ASCENDCL);
	p.unmap(y);
	expect_silent(p);
}

/* A process that has waited for its work tells another one, by a pipe. */
TEST(Silent, process_that_was_told)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a");
	const uint64_t block = p.block("block", 64);
	const Bytes x = p.map(block, 64);
	p.op(a, "make", {writes(x)});
	p.sync(a);
	p.client(1, Profile::ASCENDCL);
	const uint32_t b = p.stream("b");
	const Bytes y = p.map(block, 64);
	p.op(b, "use", {reads(y)});
	expect_silent(p);
	/* It has not waited for this. */
	p.client(0, Profile::ASCENDCL);
	p.op(a, "make", {writes(x)});
	p.client(1, Profile::ASCENDCL);
	p.op(b, "use", {reads(y)});
	expect(p, {"RACE-XCLIENT"});
}

/* A host function of AscendCL may not wait or launch, and one of CUDA may call nothing. */
TEST(Silent, host_function_makes_calls_that_neither_wait_nor_launch)
{
	for (const Profile profile : {Profile::ASCENDCL, Profile::CUDA}) {
		Program p(profile);
		const uint32_t s = p.stream("s");
		const uint64_t used = p.event("used"), other = p.event("other");
		const uint64_t function = p.callback(s, "tidy up");
		p.begin(function, 7);
		p.query_event(other);
		p.destroy_event(used);
		p.event("new");
		p.end(function, 7);
		expect(p, profile == Profile::CUDA ? Rules{"CALLBACK-API"} : Rules{});
	}
}

TEST(Labels, host_function_that_waits_is_reported_as_a_wait)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s"), other = p.stream("other");
	const uint64_t done = p.event("done");
	p.record(done, other);
	const uint64_t function = p.callback(s, "tidy up");
	p.begin(function, 7);
	p.block_on_event(done);
	p.sync_event(done);
	p.end(function, 7);
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].later.label, "a host's wait (as aclrtSynchronizeStream or "
					"aclrtSynchronizeEvent)");
}
