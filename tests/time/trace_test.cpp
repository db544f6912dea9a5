// SPDX-License-Identifier: MIT
/**
 * DOC: traces that are broken, and traces of other versions
 */
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "san/trace/merge.h"
#include "timed_program.h"

namespace timing::test {

static TimedProgram full_program()
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t event = program.event("e");
	program.in(a, 3);
	program.record(event, a);
	program.wait(b, event);
	const uint64_t in = program.in_node(1, 3);
	const uint64_t signal = program.signal_node(1, 7);
	program.edge(1, in, signal);
	program.ready(1);
	program.await(7, b, 1);
	program.launch(1, a);
	program.launch(1, b);
	const uint64_t function = program.callback(a, "f");
	program.begin(function, 9);
	program.thread(9);
	program.out(b, 5);
	program.end(function, 9);
	program.sync(a);
	program.sync_device();
	program.destroy_stream(a, san::WAITS);
	return program;
}

static Graph read(const std::string &bytes, Changes changes = {})
{
	san::Merger merger;
	merger.add(bytes);
	Builder builder(std::move(changes));
	san::Record record;
	while (merger.next(record))
		builder.take(record);
	return builder.finish();
}

TEST(Traces, a_trace_is_the_same_as_its_records)
{
	const TimedProgram program = full_program();
	const Profile plain;
	const std::string bytes = program.trace();
	EXPECT_EQ(json_of(answer_of(read(bytes), plain)),
		  json_of(answer_of(graph_of(program), plain)));
}

/* Each change of a byte gives a graph, too, and it can be played. */
TEST(Traces, broken_traces_are_played_or_refused)
{
	const std::string whole = full_program().trace();
	std::mt19937 dice(7);
	const Profile plain;
	for (int round = 0; round < 3000; round++) {
		std::string bytes = whole;
		for (unsigned i = 0; i < 1 + dice() % 4; i++)
			bytes[dice() % bytes.size()] =
				static_cast<char>(dice() % 3 ? dice() % 48 : dice());
		bytes.resize(dice() % 8 == 0 ? dice() % bytes.size() : bytes.size());
		Changes changes;
		if (dice() % 2 == 0)
			changes.merged = {{1, 2}};
		const Answer all = answer_of(read(bytes, changes), plain);
		EXPECT_LE(all.bound.total, all.schedule.total);
		EXPECT_FALSE(text_of(all, 100).empty());
	}
}

} // namespace timing::test
