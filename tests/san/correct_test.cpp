// SPDX-License-Identifier: MIT
/**
 * DOC: corpus of correct programs that look wrong
 *
 * The programs S01 to S24. A finding in one of them is a false alarm.
 */
#include "tests/san/corpus.h"

using namespace san;
using namespace san::test;

TEST(Correct, S01_chain_of_streams)
{
	Program p(Profile::ASCENDCL);
	const Bytes x = p.memory("x", 64);
	uint32_t last = p.stream("first");
	p.op(last, "write", {writes(x)});
	for (int i = 0; i < 10; i++) {
		const uint64_t event = p.event("link");
		p.record(event, last);
		last = p.stream("next");
		p.wait(last, event);
	}
	p.op(last, "write at the end", {writes(x)});
	expect_silent(p);
}

TEST(Correct, S02_event_recorded_again_and_waits_by_value)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t made = p.event("made");
	for (int i = 0; i < 4; i++) {
		const Bytes x = p.memory("x", 64);
		p.op(a, "make", {writes(x)});
		p.record(made, a);
		p.wait(b, made);
		p.op(b, "use", {reads(x)});
	}
	expect_silent(p);
}

TEST(Correct, S03_writer_waits_for_all_readers)
{
	Program p(Profile::ASCENDCL);
	const uint32_t writer = p.stream("writer");
	const Bytes x = p.memory("x", 64);
	const uint64_t made = p.event("made");
	p.op(writer, "write", {writes(x)});
	p.record(made, writer);
	for (int i = 0; i < 8; i++) {
		const uint32_t reader = p.stream("reader");
		const uint64_t done = p.event("done");
		p.wait(reader, made);
		p.op(reader, "read", {reads(x)});
		p.record(done, reader);
		p.wait(writer, done);
	}
	p.op(writer, "write again", {writes(x)});
	expect_silent(p);
}

TEST(Correct, S04_order_through_a_stream_and_the_host)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b"), c = p.stream("c");
	const Bytes x = p.memory("x", 64);
	const uint64_t first = p.event("first"), second = p.event("second");
	p.op(a, "write", {writes(x)});
	p.record(first, a);
	p.wait(b, first);
	p.record(second, b);
	p.thread(1);
	p.sync_event(second);
	p.thread(2);
	p.op(c, "write", {writes(x)});
	expect_silent(p);
}

TEST(Correct, S05_S06_polling)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t done = p.event("done");
	p.op(a, "write", {writes(x)});
	p.record(done, a);
	p.query_event(done);
	p.op(b, "reuse", {writes(x)});
	p.query(b);
	p.op(a, "reuse", {writes(x)});
	expect_silent(p);
}

TEST(Correct, S07_blocking_streams_and_the_legacy_stream)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY), a = p.stream("a"),
		       b = p.stream("b");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	p.op(a, "before", {writes(x)});
	p.op(legacy, "between", {reads(x), writes(y)});
	p.op(b, "after", {reads(y), writes(x)});
	expect_silent(p);
}

TEST(Correct, S08_disjoint_halves_and_columns)
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

TEST(Correct, S09_S10_no_bytes_and_no_memory)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	p.op(a, "empty", {writes({0, 0, {}})});
	p.op(b, "empty", {writes({0, 0, {}}), reads({0x10, 0, {}})});
	p.op(a, "a view", {});
	expect_silent(p);
}

TEST(Correct, S11_S12_reuse_after_a_query)
{
	Program p(Profile::CUDA);
	const uint32_t main = p.stream("main"), side = p.stream("side");
	const Bytes block = p.memory("block", 64);
	const uint64_t made = p.event("made"), used = p.event("used");
	p.op(main, "make", {writes(block)});
	p.record(made, main);
	p.wait(side, made);
	p.op(side, "use", {reads(block)});
	p.record(used, side);
	p.query_event(used);
	p.op(main, "reuse", {writes(block)});
	p.sync(main);
	p.free(block);
	expect_silent(p);
}

TEST(Correct, S13_reductions_from_two_streams)
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

TEST(Correct, S14_ring_with_a_wait_two_steps_back)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes ring[2] = {p.pinned("ring 0", 64), p.pinned("ring 1", 64)},
		    x = p.memory("x", 64);
	const uint64_t copied[2] = {p.event("copied 0"), p.event("copied 1")};
	for (uint64_t i = 0; i < 10; i++) {
		if (i >= 2)
			p.sync_event(copied[i % 2]);
		p.host("prepare", {writes(ring[i % 2])});
		p.copy(s, "copy", x, ring[i % 2]);
		p.record(copied[i % 2], s);
	}
	expect_silent(p);
}

TEST(Correct, S15_staged_source_is_reused_at_once)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("pageable", 64), x = p.memory("x", 64);
	for (int i = 0; i < 3; i++) {
		p.host("prepare", {writes(host)});
		p.op(s, "copy", {with(reads(host), OPERAND_STAGED), writes(x)}, COMMAND_STAGED);
	}
	expect_silent(p);
}

TEST(Correct, S16_neighbours_of_bytes_in_flight)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("page", 4096), x = p.memory("x", 64);
	p.copy(s, "copy", x, host.part(64, 64));
	p.host("before it", {writes(host.part(0, 64))});
	p.host("behind it", {writes(host.part(128, 64))});
	expect_silent(p);
}

TEST(Correct, S17_host_function_prepares_the_next_copy)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("host", 64), x = p.memory("x", 64);
	p.copy(s, "first", x, host);
	const uint64_t function = p.callback(s, "prepare");
	p.copy(s, "second", x, host);
	/* The function runs later than the copy was submitted, and before the copy runs. */
	p.begin(function, 9);
	p.host("body", {writes(host)});
	p.end(function, 9);
	expect_silent(p);
}

/* A host function of AscendCL may not wait or launch, and one of CUDA may call nothing. */
TEST(Correct, W22_host_function_makes_calls_that_neither_wait_nor_launch)
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

TEST(Correct, W22_host_function_that_waits_is_reported_as_a_wait)
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
	EXPECT_EQ(found[0].later.label, "a wait by the host");
}

TEST(Correct, S18_S19_gate_and_mailbox)
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

TEST(Correct, S20_graph_in_two_streams)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t first = p.node(1, "first", {reads(x), writes(y)});
	const uint64_t second = p.node(1, "second", {reads(y), writes(x)});
	p.edge(1, first, second);
	p.ready(1);
	for (int i = 0; i < 1000; i++)
		p.launch(1, i % 3 == 0 ? a : b);
	expect_silent(p);
}

TEST(Correct, S21_capture_with_fork_and_join)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t event = p.event("fork");
	const uint64_t fork = p.node(1, "fork", {writes(x)}, a);
	const uint64_t left = p.node(1, "left", {reads(x)}, a),
		       right = p.node(1, "right", {reads(x), writes(y)}, b);
	const uint64_t join = p.node(1, "join", {reads(y), writes(x)}, a);
	p.edge(1, fork, left);
	p.edge(1, fork, right);
	p.edge(1, left, join);
	p.edge(1, right, join);
	p.ready(1);
	p.op(b, "live work", {writes(y)});
	p.launch(1, a); /* after the work of the streams that were captured */
	p.op(b, "live work", {writes(y)});
	p.record(event, b);
	p.wait(a, event);
	p.op(a, "use", {reads(y)});
	expect_silent(p);
}

TEST(Correct, S22_free_that_waits_and_the_same_address_again)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	p.op(a, "use", {writes(x)});
	p.free(x, HOST, WAITS);
	p.again("y", x, ALLOC_DEFINED);
	p.op(b, "use", {writes(x)});
	expect_silent(p);
}

TEST(Correct, S23_padding_that_is_copied)
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

TEST(Correct, S24_remapped_address_and_a_harmless_wait)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t first = p.block("first", 64), second = p.block("second", 64);
	const Bytes x = p.map(first, 64);
	p.op(a, "use", {writes(x)});
	p.sync(a);
	p.unmap(x);
	p.map_at(x, second);
	p.op(b, "use", {writes(x)});
	expect_silent(p);
	p.wait(a, p.event("of the first use"));
	expect(p, {"EVT-NOOP-WAIT"});
}

/* The reset takes effect when its stream comes to it, so each turn waits for a record of its own. */
TEST(Correct, W13_reset_that_is_queued_behind_its_wait)
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
TEST(Correct, W14_mapping_that_another_process_gives_up)
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
TEST(Correct, W15_process_that_was_told)
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
