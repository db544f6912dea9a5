// SPDX-License-Identifier: MIT
/**
 * DOC: corpus of mistakes: order between commands
 *
 * The programs B01 to B11 and B24 to B28. Each has @fixed: the same program with the repair is silent.
 */
#include <map>

#include "san/report/entry.h"
#include "tests/san/corpus.h"

using namespace san;
using namespace san::test;

namespace {

class Race : public testing::TestWithParam<bool> {
protected:
	bool fixed = GetParam();
	void judge(const Program &program, const Rules &wanted)
	{
		expect(program, fixed ? Rules{} : wanted);
	}
};

INSTANTIATE_TEST_SUITE_P(Corpus, Race, testing::Values(false, true),
			 [](const auto &which) { return which.param ? "fixed" : "bug"; });

} // namespace

TEST_P(Race, B01_no_wait_between_copy_and_operator)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes source = p.memory("source", 4096), input = p.memory("input", 4096);
	const uint64_t ready = p.event("ready");
	p.copy(copies, "copy", input, source);
	if (fixed) {
		p.record(ready, copies);
		p.wait(compute, ready);
	}
	p.op(compute, "matmul", {reads(input)});
	judge(p, {"RACE-RAW"});
	EXPECT_EQ(has_hint(p, "RACE-RAW", "no-edge"), !fixed);
}

TEST_P(Race, B02_copy_does_not_wait_for_the_producer)
{
	Program p(Profile::ASCENDCL);
	const uint32_t compute = p.stream("compute"), copies = p.stream("copies");
	const Bytes result = p.memory("result", 4096), saved = p.memory("saved", 4096);
	const uint64_t produced = p.event("produced"), copied = p.event("copied");
	p.op(compute, "produce", {writes(result)});
	if (fixed) {
		p.record(produced, compute);
		p.wait(copies, produced);
	}
	p.copy(copies, "save", saved, result);
	p.record(copied, copies);
	p.wait(compute, copied);
	p.op(compute, "overwrite", {writes(result)});
	judge(p, {"RACE-RAW"});
}

TEST_P(Race, B03_two_streams_fill_one_buffer)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes buffer = p.memory("buffer", 4096);
	p.op(a, "fill a", {writes(buffer)});
	if (fixed)
		p.sync(a);
	p.op(b, "fill b", {writes(buffer)});
	judge(p, {"RACE-WAW"});
}

TEST_P(Race, B04_next_input_overwrites_one_in_use)
{
	Program p(Profile::ASCENDCL);
	const uint32_t compute = p.stream("compute"), copies = p.stream("copies");
	const Bytes next = p.pinned("next", 4096), input = p.memory("input", 4096);
	const uint64_t used = p.event("used");
	p.op(compute, "use", {reads(input)});
	if (fixed) {
		p.record(used, compute);
		p.wait(copies, used);
	}
	p.copy(copies, "next input", input, next);
	judge(p, {"RACE-WAR"});
}

TEST_P(Race, B05_event_is_recorded_too_early)
{
	Program p(Profile::ASCENDCL);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes source = p.memory("source", 64), input = p.memory("input", 64);
	const uint64_t ready = p.event("ready");
	p.op(copies, "before", {reads(source)});
	if (!fixed)
		p.record(ready, copies);
	p.copy(copies, "copy", input, source);
	if (fixed)
		p.record(ready, copies);
	p.wait(compute, ready);
	p.op(compute, "use", {reads(input)});
	judge(p, {"RACE-RAW"});
	EXPECT_EQ(has_hint(p, "RACE-RAW", "record-too-early"), !fixed);
}

TEST_P(Race, B06_wait_before_the_first_record)
{
	Program p(Profile::CUDA);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes input = p.memory("input", 64);
	const uint64_t ready = p.event("ready");
	p.op(copies, "produce", {writes(input)});
	if (fixed)
		p.record(ready, copies);
	p.wait(compute, ready);
	if (!fixed)
		p.record(ready, copies);
	p.op(compute, "use", {reads(input)});
	judge(p, {"EVT-NOOP-WAIT", "RACE-RAW"});
	EXPECT_EQ(has_hint(p, "RACE-RAW", "wait-without-record"), !fixed);
}

TEST_P(Race, B07_one_event_for_two_streams)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b"), c = p.stream("c");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t done = p.event("done"), other = p.event("other");
	p.op(a, "produce x", {writes(x)});
	p.record(done, a);
	p.op(b, "produce y", {writes(y)});
	p.record(fixed ? other : done, b);
	p.wait(c, done);
	p.wait(c, other);
	p.op(c, "use", {reads(x), reads(y)});
	if (fixed)
		return expect_silent(p);
	expect(p, {"EVT-LOST-RECORD", "RACE-RAW", "EVT-NOOP-WAIT"});
	EXPECT_TRUE(has_hint(p, "RACE-RAW", "lost-record"));
}

TEST_P(Race, B08_last_use_is_kept_in_one_event)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes buffer = p.memory("buffer", 64);
	const uint64_t used = p.event("used"), used_by_b = p.event("used by b");
	p.op(a, "use a", {reads(buffer)});
	p.record(used, a);
	p.op(b, "use b", {reads(buffer)});
	p.record(fixed ? used_by_b : used, b);
	p.sync_event(used);
	p.sync_event(used_by_b);
	p.free(buffer);
	judge(p, {"UAF", "EVT-LOST-RECORD"});
}

TEST_P(Race, B09_merged_free_list_loses_its_event)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b"), c = p.stream("c");
	const Bytes block = p.memory("block", 64);
	const uint64_t list_a = p.event("list of a"), list_b = p.event("list of b");
	p.record(list_b, b);
	p.op(a, "last use", {writes(block)});
	p.record(list_a, a);
	/* The block moves to the list of b, which is after list_a but whose event is older. */
	p.wait(b, list_a);
	if (fixed)
		p.record(list_b, b);
	p.wait(c, list_b);
	p.op(c, "steal", {writes(block)});
	judge(p, {"RACE-WAW"});
}

TEST_P(Race, B10_caching_allocator_gives_a_block_to_another_stream)
{
	Program p(Profile::CUDA);
	const uint32_t main = p.stream("main"), side = p.stream("side");
	const Bytes block = p.memory("block", 64);
	const uint64_t made = p.event("made"), used = p.event("used");
	p.op(main, "make", {writes(block)});
	p.record(made, main);
	p.wait(side, made);
	p.op(side, "use", {reads(block)});
	if (fixed) {
		p.record(used, side);
		p.wait(main, used);
	}
	p.op(main, "another tensor", {writes(block)});
	judge(p, {"RACE-WAR"});
}

TEST_P(Race, B11_lifetime_is_right_and_order_is_not)
{
	Program p(Profile::CUDA);
	const uint32_t main = p.stream("main"), side = p.stream("side");
	const Bytes tensor = p.allocate("tensor", 64, ALLOC_ASYNC, main);
	const uint64_t made = p.event("made"), allocated = p.event("allocated"),
		       used = p.event("used");
	p.record(allocated, main);
	p.wait(side, allocated);
	p.op(main, "make", {writes(tensor)});
	if (fixed) {
		p.record(made, main);
		p.wait(side, made);
	}
	p.op(side, "use", {reads(tensor)});
	/* The stream-ordered free waits for the use. */
	p.record(used, side);
	p.wait(main, used);
	p.free(tensor, main);
	judge(p, {"RACE-RAW"});
}

TEST_P(Race, B24_non_blocking_stream_and_the_legacy_stream)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY);
	const uint32_t own = p.stream("own", fixed ? 0 : STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64);
	p.op(legacy, "produce", {writes(x)});
	p.op(own, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
	EXPECT_EQ(has_hint(p, "RACE-RAW", "non-blocking"), !fixed);
}

TEST_P(Race, B33_legacy_stream_of_another_context)
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
TEST_P(Race, B34_legacy_stream_and_ended_streams_of_another_context)
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
TEST_P(Race, B35_synchronization_of_another_context)
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
TEST_P(Race, B36_stream_that_was_destroyed_while_it_waited)
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
TEST_P(Race, B37_end_of_a_stream_and_what_it_waited_for)
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

TEST_P(Race, B25_staged_copy_and_a_non_blocking_stream)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY);
	const uint32_t own = p.stream("own", STREAM_NON_BLOCKING);
	const Bytes host = p.pinned("pageable", 64), x = p.memory("x", 64);
	p.op(legacy, "cuMemcpyHtoD", {with(reads(host), OPERAND_STAGED), writes(x)},
	     COMMAND_STAGED);
	p.host("reuse of the source", {writes(host)});
	if (fixed)
		p.sync(legacy);
	p.op(own, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
}

TEST_P(Race, B26_memset_that_returns_early)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY);
	const uint32_t own = p.stream("own", STREAM_NON_BLOCKING);
	const Bytes x = p.undefined("x", 64);
	p.op(legacy, "cuMemsetD8", {writes(x)}, fixed ? COMMAND_RETURNED : 0);
	p.op(own, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
}

TEST_P(Race, B27_library_uses_a_stream_of_its_own)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY);
	const uint32_t own = p.stream("own", STREAM_NON_BLOCKING);
	const Bytes workspace = p.memory("workspace", 256);
	p.op(fixed ? own : legacy, "clear workspace", {writes(workspace)});
	p.op(own, "convolution", {reads(workspace), writes(workspace)});
	judge(p, {"RACE-RAW", "RACE-WAW"});
}

TEST_P(Race, B28_default_stream_of_ascendcl_orders_nothing)
{
	Program p(Profile::ASCENDCL);
	const uint32_t standard = p.stream("default", STREAM_DEFAULT), own = p.stream("own");
	const Bytes x = p.memory("x", 64);
	p.op(standard, "produce", {writes(x)});
	if (fixed)
		p.sync(standard);
	p.op(own, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
	EXPECT_EQ(has_hint(p, "RACE-RAW", "default-stream"), !fixed);
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

/* An allocation in a stream has no name but that of the memory. */
TEST(Names, of_an_allocation_that_a_free_does_not_know)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	p.free(p.allocate("x", 64, ALLOC_ASYNC, a), b);
	const std::vector<Finding> found = p.findings();
	ASSERT_EQ(found.size(), 1u);
	EXPECT_EQ(found[0].earlier.label, "the allocation");
	ASSERT_EQ(found[0].hints.size(), 1u);
	EXPECT_NE(found[0].hints[0].text.find("on stream 1 (a) after the allocation, and "),
		  std::string::npos)
		<< found[0].hints[0].text;
	Entry entry;
	entry.later.label = "cuMemFreeAsync";
	entry.later.use = found[0].later.use;
	entry.earlier.label = found[0].earlier.label;
	EXPECT_EQ(title(entry, found[0].rule),
		  "cuMemFreeAsync frees memory that may not be allocated by then");
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
}
