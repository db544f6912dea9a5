// SPDX-License-Identifier: MIT
/**
 * DOC: the edges of the model, one kind each, computed by hand
 *
 * A copy in takes 3 us and a copy out 5 us. They take 8 us one after the other, and 5 us at the same time.
 */
#include <algorithm>

#include <gtest/gtest.h>

#include "timed_program.h"

namespace timing::test {

using san::Profile;

constexpr int64_t TOGETHER = 5;
constexpr int64_t APART = 8;

TEST(Edges, commands_of_a_stream_come_one_after_the_other)
{
	TimedProgram program;
	const uint32_t stream = program.stream("a");
	program.in(stream, 3);
	program.out(stream, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, streams_run_at_the_same_time)
{
	TimedProgram program;
	program.in(program.stream("a"), 3);
	program.out(program.stream("b"), 5);
	EXPECT_EQ(micros(program), TOGETHER);
}

TEST(Edges, a_stream_waits_for_an_event)
{
	for (const bool waits : {false, true}) {
		TimedProgram program;
		const uint32_t a = program.stream("a");
		const uint32_t b = program.stream("b");
		const uint64_t event = program.event("e");
		program.in(a, 3);
		program.record(event, a);
		if (waits)
			program.wait(b, event);
		program.out(b, 5);
		EXPECT_EQ(micros(program), waits ? APART : TOGETHER);
	}
}

TEST(Edges, a_wait_is_for_the_record_before_it)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t event = program.event("e");
	program.in(a, 3);
	program.record(event, a);
	program.in(a, 4);
	program.wait(b, event);
	program.record(event, a);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, an_event_that_is_a_flag_waits_for_a_later_record)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t event = program.event("e", san::EVENT_LATCH);
	program.wait(b, event);
	program.out(b, 5);
	program.in(a, 3);
	program.record(event, a);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, the_host_waits_for_an_event)
{
	for (const bool waits : {false, true}) {
		TimedProgram program;
		const uint32_t a = program.stream("a");
		const uint32_t b = program.stream("b");
		const uint64_t event = program.event("e");
		program.in(a, 3);
		program.record(event, a);
		program.in(a, 4);
		if (waits)
			program.sync_event(event);
		program.out(b, 5);
		EXPECT_EQ(micros(program), waits ? APART : 7);
	}
}

TEST(Edges, a_query_that_succeeds_is_a_wait)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t event = program.event("e");
	program.in(a, 3);
	program.record(event, a);
	program.query_event(event);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, the_host_waits_for_a_stream)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	program.in(b, 1);
	program.sync(a);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, the_host_waits_for_the_work_that_a_wait_covers)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	program.block_on(a);
	program.thread(2);
	program.in(a, 90);
	program.thread(1);
	program.sync(a);
	program.out(b, 5);
	EXPECT_EQ(micros(program), 93);
	const Answer all = answer(program);
	const auto last = std::find_if(all.graph.vertices.rbegin(), all.graph.vertices.rend(),
				       [](const Vertex &v) { return v.step == Step::COMMAND; });
	EXPECT_EQ(all.bound.slots[static_cast<size_t>(all.graph.vertices.rend() - last) - 1].end,
		  APART * US);
}

TEST(Edges, the_host_waits_for_the_device)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	program.sync_device();
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, a_free_that_waits_is_a_wait)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const Bytes memory = program.memory("m", 8);
	program.in(a, 3);
	program.free(memory, san::HOST, san::WAITS);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, a_stream_that_is_destroyed_is_waited_for)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	program.destroy_stream(a, san::WAITS);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, a_copy_that_returns_when_it_has_ended_holds_the_host)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3, san::COMMAND_RETURNED);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, threads_do_not_wait_for_each_other)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	program.sync(a);
	program.thread(2);
	program.out(b, 5);
	EXPECT_EQ(micros(program), TOGETHER);
}

/* The judge knows from the first thread that the copy has ended; the second thread has to learn it, too. */
TEST(Edges, each_thread_waits_for_itself)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	program.sync(a);
	program.thread(2);
	program.sync(a);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, a_legacy_stream_takes_turns)
{
	TimedProgram program(Profile::CUDA);
	const uint32_t legacy = program.stream("default", san::STREAM_LEGACY);
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b", san::STREAM_NON_BLOCKING);
	program.in(a, 3);
	program.out(legacy, 5);
	program.in(b, 1);
	program.in(a, 2);
	EXPECT_EQ(micros(program), 10);
}

TEST(Edges, a_signal_ends_a_wait)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.await(7, b, 1);
	program.out(b, 5);
	program.in(a, 3);
	program.signal(7, a, 1);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, a_signal_of_the_host_ends_a_wait)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.await(7, b, 1);
	program.out(b, 5);
	program.in(a, 3);
	program.sync(a);
	program.signal(7, san::HOST, 1);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, nodes_wait_for_the_edges_of_their_graph_alone)
{
	for (const bool has_edge : {false, true}) {
		TimedProgram program;
		const uint32_t a = program.stream("a");
		const uint64_t in = program.in_node(1, 3);
		const uint64_t out = program.out_node(1, 5);
		if (has_edge)
			program.edge(1, in, out);
		program.ready(1);
		program.launch(1, a);
		EXPECT_EQ(micros(program), has_edge ? APART : TOGETHER);
		program.in(a, 2);
		EXPECT_EQ(micros(program), 2 + (has_edge ? APART : TOGETHER));
	}
}

TEST(Edges, launches_of_a_graph_come_one_after_the_other)
{
	TimedProgram program;
	program.in_node(1, 3);
	program.out_node(1, 5);
	program.ready(1);
	program.launch(1, program.stream("a"));
	program.launch(1, program.stream("b"));
	EXPECT_EQ(micros(program), 2 * TOGETHER);
}

TEST(Edges, a_node_signals_another_stream)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t in = program.in_node(1, 3);
	const uint64_t signal = program.signal_node(1, 7);
	program.edge(1, in, signal);
	program.in_node(1, 90);
	program.ready(1);
	program.await(7, b, 1);
	program.out(b, 5);
	program.launch(1, a);
	const Answer all = answer(program);
	EXPECT_EQ(all.bound.total, 90 * US);
	for (Id id = 0; id < all.graph.vertices.size(); id++) {
		const Vertex &vertex = all.graph.vertices[id];
		if (vertex.step == Step::COMMAND && vertex.line == 1) {
			EXPECT_EQ(all.bound.slots[id].end, APART * US);
		}
	}
}

TEST(Edges, a_node_waits_for_another_stream)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t wait = program.await_node(1, 7);
	const uint64_t out = program.out_node(1, 5);
	program.edge(1, wait, out);
	program.in_node(1, 2);
	program.ready(1);
	program.launch(1, a);
	program.in(b, 3);
	program.signal(7, b, 1, san::SIGNAL_ADD);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, a_stream_waits_for_its_host_function)
{
	for (const uint16_t flags : {uint16_t{0}, san::BLOCKS}) {
		TimedProgram program;
		const uint32_t a = program.stream("a");
		program.in(a, 3);
		const uint64_t function = program.callback(a, "f", flags);
		program.out(a, 5);
		program.begin(function, 9);
		program.end(function, 9);
		EXPECT_EQ(micros(program), flags == 0 ? APART : APART + 5);
	}
}

TEST(Edges, a_host_function_submits_at_its_end)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	const uint64_t function = program.callback(a, "f");
	program.begin(function, 9);
	program.thread(9);
	program.out(b, 5);
	program.end(function, 9);
	EXPECT_EQ(micros(program), APART + 5);
}

/* When the function runs is chance; the thread that submitted it goes on. */
TEST(Edges, a_host_function_does_not_hold_the_host)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	program.in(a, 3);
	const uint64_t function = program.callback(a, "f");
	program.begin(function, 9);
	program.end(function, 9);
	program.thread(1);
	program.out(b, 5);
	EXPECT_EQ(micros(program), 8);
	EXPECT_EQ(answer(program).schedule.total, 8 * US);
}

TEST(Edges, processes_tell_each_other_by_keys)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	program.in(a, 3);
	program.sync(a);
	program.release(4);
	program.client(2, Profile::ASCENDCL);
	const uint32_t b = program.stream("b");
	program.acquire(4);
	program.out(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, a_host_that_reads_a_word_waits_for_its_writer)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const Bytes target = program.pinned("t", 3000);
	program.copy(a, "out", target, program.memory("d", 3000));
	program.has_read(target);
	program.in(b, 5);
	EXPECT_EQ(micros(program), APART);
}

TEST(Edges, every_call_and_wait_of_the_host_takes_its_time)
{
	san::test::Program none(Profile::ASCENDCL);
	TimedProgram program;
	const uint32_t a = program.stream("a");
	program.in(a, 3);
	program.in(a, 3);
	program.sync(a);
	timing::Profile profile = bare_profile();
	EXPECT_EQ(profile.set("host.call", "2us"), "");
	EXPECT_EQ(profile.set("host.wait", "7us"), "");
	EXPECT_EQ(micros(program, profile), 2 + 3 + 3 + 7);
	EXPECT_EQ(micros(none, profile), 0);
}

} // namespace timing::test
