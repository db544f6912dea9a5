// SPDX-License-Identifier: MIT
/*
 * DOC: graphs that signal other streams, and wait for them
 */
#include "expect_findings.h"

using namespace san;
using namespace san::test;

namespace {

BUG_AND_REPAIR(Exchange);

} // namespace

TEST_P(Exchange, signal_that_is_sent_too_early)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t write = p.node(1, "write", {writes(x)});
	const uint64_t signal = p.signal_node(1, 7);
	if (fixed)
		p.edge(1, write, signal);
	else
		p.edge(1, signal, write);
	p.ready(1);
	for (int i = 0; i < 3; i++) {
		p.launch(1, a);
		p.await(7, b, 0, LATCH_CONSUME);
		p.op(b, "read", {reads(x)});
		p.sync(b);
	}
	judge(p, {"RACE-RAW"});
}

TEST_P(Exchange, node_that_is_not_behind_the_wait)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t go = p.await_node(1, 7, 1, LATCH_AT_LEAST);
	const uint64_t right = p.node(1, "behind", {reads(x)});
	const uint64_t other = p.node(1, "beside", {reads(x), writes(y)});
	p.edge(1, go, right);
	if (fixed)
		p.edge(1, go, other);
	p.ready(1);
	p.launch(1, a);
	p.op(b, "make", {writes(x)});
	p.signal(7, b, 1);
	judge(p, {"RACE-WAR"});
}

TEST_P(Exchange, graph_that_waits_for_an_answer)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t ask = p.signal_node(1, 1), answer = p.await_node(1, 2);
	const uint64_t use = p.node(1, "use", {writes(x)});
	p.edge(1, ask, answer);
	p.edge(1, answer, use);
	p.ready(1);
	p.launch(1, a);
	p.await(1, b, 0, LATCH_CONSUME);
	p.op(b, "answer", {writes(x)});
	if (fixed)
		p.signal(2, b, 1);
	judge(p, {"DEADLOCK"});
}

TEST_P(Exchange, two_graphs_that_wait_for_each_other)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	for (const uint64_t graph : {1, 2}) {
		const uint64_t wait = p.await_node(graph, graph);
		const uint64_t signal = p.signal_node(graph, 3 - graph);
		if (fixed && graph == 1)
			p.edge(graph, signal, wait);
		else
			p.edge(graph, wait, signal);
		p.ready(graph);
	}
	p.launch(1, a);
	p.launch(2, b);
	judge(p, {"DEADLOCK"});
	if (!fixed) {
		EXPECT_EQ(p.findings()[0].circle.size(), 2u);
	}
}

/* The second launch waits for the second round of additions. */
TEST_P(Exchange, counter_that_both_sides_change)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t write = p.node(1, "write", {writes(x)});
	const uint64_t count = p.signal_node(1, 7, 1, SIGNAL_ADD);
	p.edge(1, write, count);
	p.ready(1);
	p.signal(7, b, 1, SIGNAL_ADD);
	p.launch(1, a);
	p.launch(1, a);
	p.await(7, b, fixed ? 3 : 2, LATCH_AT_LEAST);
	p.op(b, "read", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* A counter reaches 2 by both of two streams, so a wait for it is after both; it is 0 after the wait. */
TEST_P(Exchange, counter_that_two_streams_raise_and_a_wait_clears)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b"), c = p.stream("c");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	for (int turn = 0; turn < 3; turn++) {
		p.op(a, "left", {writes(x)});
		p.signal(7, a, 1, SIGNAL_ADD);
		if (fixed)
			p.op(b, "right", {writes(y)});
		p.signal(7, b, 1, SIGNAL_ADD);
		if (!fixed)
			p.op(b, "right", {writes(y)});
		p.await(7, c, 2, LATCH_AT_LEAST | LATCH_CLEAR);
		p.op(c, "read", {reads(x), reads(y)});
		p.signal(8, c, static_cast<uint64_t>(turn) + 1);
		p.await(8, a, static_cast<uint64_t>(turn) + 1);
		p.await(8, b, static_cast<uint64_t>(turn) + 1);
	}
	judge(p, {"RACE-RAW"});
}

/* A wait for 1 may be over before the other stream has come so far: one of them is enough, the first to be told. */
TEST_P(Exchange, counter_that_is_high_enough_before)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b"), c = p.stream("c");
	const Bytes x = p.memory("x", 64);
	p.signal(7, a, 1, SIGNAL_ADD);
	p.op(b, "write", {writes(x)});
	p.signal(7, b, fixed ? 4 : 1, fixed ? SIGNAL_OR : SIGNAL_ADD);
	p.await(7, c, fixed ? 5 : 1, LATCH_AT_LEAST);
	p.op(c, "read", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* What the host takes back no wait sees. */
TEST_P(Exchange, notify_that_the_host_clears)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	p.signal(7, a, 1);
	p.sync(a);
	if (!fixed)
		p.signal(7, HOST, 0);
	p.await(7, b, 1, LATCH_AT_LEAST | LATCH_CLEAR);
	judge(p, {"DEADLOCK"});
}

/* A host that polls a word learns without a call what the stream has done, and says so. */
TEST_P(Exchange, word_that_the_host_has_read)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64), word = p.pinned("word", 8);
	p.op(a, "write", {writes(x)});
	p.op(a, "tell", {writes(word)});
	if (fixed)
		p.has_read(word);
	p.op(b, "read", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* The second value is not there yet, so the host knows of the first half alone. */
TEST_P(Exchange, word_that_a_stream_writes_and_the_host_has_read)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64), word = p.pinned("word", 8);
	p.op(a, "left", {writes(x.part(0, 32))});
	p.signal(7, a, 1);
	p.op(a, "right", {writes(x.part(32, 32))});
	p.signal(7, a, 2);
	p.has_read(word, 7, 1);
	p.op(b, "read", {reads(fixed ? x.part(0, 32) : x)});
	judge(p, {"RACE-RAW"});
}

/* The stream waits for a word that the program has written by itself. */
TEST_P(Exchange, word_behind_a_wait_that_the_trace_does_not_end)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64), word = p.pinned("word", 8);
	p.await(9, a, 1);
	p.op(a, "write", {writes(x)});
	p.op(a, "tell", {writes(word)});
	if (!fixed)
		p.op(a, "write again", {writes(x)});
	p.has_read(word);
	p.op(b, "read", {reads(x)});
	p.sync(a);
	judge(p, {"RACE-RAW"});
}

TEST_P(Exchange, graph_in_the_place_of_another_one)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64);
	for (const uint64_t graph : {1, 2}) {
		p.node(graph, "write", {writes(x)});
		p.ready(graph);
	}
	p.launch(1, a);
	if (fixed)
		p.follow(2, 1);
	p.launch(2, b);
	judge(p, {"RACE-WAW"});
}

TEST(Exchanges, ping_pong_with_a_stream)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64), host = p.pinned("host", 64);
	const uint64_t go = p.await_node(1, 1);
	const uint64_t step = p.node(1, "step", {writes(x), writes(host)}, HOST, COMMAND_TO_HOST);
	const uint64_t gone = p.signal_node(1, 2);
	p.edge(1, go, step);
	p.edge(1, step, gone);
	p.ready(1);
	for (int i = 0; i < 3; i++) {
		p.launch(1, a);
		p.op(b, "before", {writes(x)});
		p.signal(1, b, 1);
		p.await(2, b, 0, LATCH_CONSUME);
		p.op(b, "after", {reads(x)});
		p.sync(b);
		p.host("look", {reads(host)});
	}
	expect_silent(p);
}

/* The launch is held for the judge when the program destroys its graph. */
TEST(Exchanges, graph_that_is_destroyed_while_it_waits)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64);
	p.edge(1, p.await_node(1, 7), p.node(1, "use", {reads(x)}));
	p.ready(1);
	p.launch(1, a);
	p.destroy_graph(1);
	p.op(b, "make", {writes(x)});
	p.signal(7, b, 1);
	p.sync(a);
	expect_silent(p);
}

/* Some condition: it is after all that was signalled so far. */
TEST(Exchanges, condition_that_the_trace_can_not_express)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	p.signal(7, a, 5);
	p.op(a, "make", {writes(x)});
	p.signal(7, a, 3);
	p.await(7, b, 0, LATCH_ANY);
	p.op(b, "use", {reads(x)});
	expect_silent(p);
}

/* The end of the blocking stream shows that of the legacy stream, which something outside of the trace has let go. */
TEST(Exchanges, legacy_stream_that_the_host_lets_go)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY), blocking = p.stream("blocking");
	const Bytes x = p.memory("x", 64);
	const uint64_t wait = p.await_node(1, 7, 1, LATCH_AT_LEAST);
	p.edge(1, wait, p.node(1, "first", {writes(x)}));
	p.ready(1);
	p.launch(1, legacy);
	p.op(blocking, "second", {writes(x)});
	p.op(legacy, "third", {writes(x)});
	p.op(blocking, "fourth", {writes(x)});
	p.sync(blocking);
	p.host("look", {reads(x)});
	expect_silent(p);
}

/* A launch and a stream that give each other turns, by events that are flags. */
TEST(Exchanges, flags_in_the_middle_of_a_graph)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t asked = p.event("asked", EVENT_LATCH),
		       answered = p.event("answered", EVENT_LATCH);
	const uint64_t ask = p.node(1, "ask", {writes(x)}), set = p.signal_node(1, asked),
		       wait = p.await_node(1, answered, 0, LATCH_EQUAL),
		       reset = p.signal_node(1, answered, 0, SIGNAL_RESET),
		       use = p.node(1, "use", {reads(y)});
	p.edge(1, ask, set);
	p.edge(1, set, wait);
	p.edge(1, wait, reset);
	p.edge(1, reset, use);
	p.ready(1);
	for (int i = 0; i < 3; i++) {
		p.launch(1, a);
		p.wait(b, asked);
		p.reset(asked, b);
		p.copy(b, "answer", y, x);
		p.record(answered, b);
		p.sync(a);
		p.sync(b);
	}
	expect_silent(p);
}

/* The flag is recorded before the node whose result is used. */
TEST_P(Exchange, flag_that_a_graph_sets_too_early)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t made = p.event("made", EVENT_LATCH);
	const uint64_t write = p.node(1, "write", {writes(x)});
	const uint64_t set = p.signal_node(1, made);
	if (fixed)
		p.edge(1, write, set);
	else
		p.edge(1, set, write);
	p.ready(1);
	p.launch(1, a);
	p.wait(b, made);
	p.op(b, "read", {reads(x)});
	p.sync(b);
	judge(p, {"RACE-RAW"});
}

/* Nothing but the launch would record the flag, and it waits for the stream that waits for it. */
TEST_P(Exchange, flags_in_a_circle)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t go = p.event("go", EVENT_LATCH), gone = p.event("gone", EVENT_LATCH);
	const uint64_t wait = p.await_node(1, go, 0, LATCH_EQUAL), set = p.signal_node(1, gone);
	p.edge(1, wait, set);
	p.ready(1);
	p.launch(1, a);
	if (fixed)
		p.record(go, b);
	p.wait(b, gone);
	if (!fixed)
		p.record(go, b);
	p.block_on(a);
	judge(p, {"DEADLOCK"});
	const std::vector<Finding> findings = p.findings();
	ASSERT_EQ(findings.empty(), fixed);
	EXPECT_TRUE(fixed || findings.front().circle.size() > 1);
}

/* A wait of the launch may come after a reset by another stream. */
TEST_P(Exchange, flag_that_is_reset_while_a_graph_waits)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t go = p.event("go", EVENT_LATCH);
	p.edge(1, p.await_node(1, go, 0, LATCH_EQUAL), p.node(1, "use", {reads(x)}));
	p.ready(1);
	p.record(go, b);
	p.launch(1, a);
	if (fixed)
		p.sync(a);
	p.reset(go, b);
	judge(p, {"EVT-RESET-BEFORE-WAIT"});
}

/* A counter that is far ahead of its waits ends as many of them as it has counted. */
TEST_P(Exchange, more_signals_than_are_kept)
{
	constexpr int SIGNALS = 40;
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	for (int i = 1; i <= SIGNALS; i++) {
		if (fixed && i == SIGNALS)
			p.op(a, "make", {writes(x)});
		p.signal(7, a, 1, SIGNAL_ADD);
	}
	if (!fixed)
		p.op(a, "make", {writes(x)});
	for (int i = 0; i < SIGNALS; i++)
		p.await(7, b, 0, LATCH_CONSUME);
	p.op(b, "read", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* A signal that nothing has waited for does not end a wait of a later use of the latch. */
TEST_P(Exchange, signal_that_was_left)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	p.signal(7, a, 1, SIGNAL_ADD);
	if (fixed)
		p.signal(7, HOST, 0, SIGNAL_RESET);
	p.op(a, "make", {writes(x)});
	p.signal(7, a, 1, SIGNAL_ADD);
	p.await(7, b, 0, LATCH_CONSUME);
	p.op(b, "read", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* The host ends all waits for a latch. */
TEST(Exchanges, waits_that_the_host_ends)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a");
	for (int i = 0; i < 3; i++)
		p.await(7, a, 0, LATCH_CONSUME);
	p.signal(7, HOST, UINT32_MAX, SIGNAL_ADD);
	expect(p, {});
}
