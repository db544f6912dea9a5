// SPDX-License-Identifier: MIT
/**
 * DOC: engines, memory and answers, computed by hand
 */
#include <gtest/gtest.h>

#include "time/answer/assertion.h"
#include "timed_program.h"

namespace timing::test {

static TimedProgram two_copies_in()
{
	TimedProgram program;
	program.in(program.stream("a"), 3);
	program.in(program.stream("b"), 5);
	return program;
}

TEST(Schedule, a_direction_has_one_engine)
{
	const Answer all = answer(two_copies_in());
	EXPECT_EQ(all.bound.total, 5 * US);
	EXPECT_EQ(all.schedule.total, 8 * US);
	const std::vector<Gap> gaps = gaps_of(all);
	ASSERT_EQ(gaps.size(), 1u);
	EXPECT_EQ(gaps[0].reason, Reason::ENGINE);
	EXPECT_EQ(gaps[0].end - gaps[0].begin, 3 * US);
}

TEST(Schedule, tasks_share_the_memory)
{
	TimedProgram program;
	program.in(program.stream("a"), 3);
	program.out(program.stream("b"), 5);
	Profile profile = bare_profile();
	ASSERT_EQ(profile.set("memory.rate", "1GB/s"), "");
	const Answer all = answer(program, profile);
	EXPECT_EQ(all.bound.total, 5 * US);
	/* Both get half until the first one has ended after 6 us; then the second one has 2 us left. */
	EXPECT_EQ(all.schedule.total, 8 * US);
	ASSERT_EQ(profile.set("memory.rate", "1.5GB/s"), "");
	/* 0.75 GB/s each: the first one ends after 4 us, and the second one, of which 3 us are done, after 6. */
	EXPECT_EQ(answer(program, profile).schedule.total, 6 * US);
}

TEST(Schedule, a_device_starts_one_task_at_a_time)
{
	TimedProgram program;
	program.in(program.stream("a"), 3);
	program.out(program.stream("b"), 5);
	Profile profile = bare_profile();
	ASSERT_EQ(profile.set("launch.gap", "2us"), "");
	const Answer all = answer(program, profile);
	EXPECT_EQ(all.schedule.total, 7 * US);
	const std::vector<Gap> gaps = gaps_of(all);
	ASSERT_EQ(gaps.size(), 1u);
	EXPECT_EQ(gaps[0].reason, Reason::LAUNCH);
	const std::vector<Segment> path = path_of(all.schedule);
	ASSERT_EQ(path.size(), 2u);
	EXPECT_TRUE(path[0].is_start);
	EXPECT_EQ(path[0].end, 2 * US);
	EXPECT_EQ(path[1].end, 7 * US);
}

TEST(Schedule, an_operator_takes_all_cores)
{
	TimedProgram program;
	const Bytes memory = program.memory("m", 4);
	program.op(program.stream("a"), "x", {reads(memory)});
	program.op(program.stream("b"), "y", {reads(memory)});
	const Answer all = answer(program);
	EXPECT_EQ(all.bound.total / US, 10u);
	EXPECT_EQ(all.schedule.total / US, 20u);
	EXPECT_EQ(all.graph.missing.works, 2u);
	EXPECT_NE(headline(all).find("not known: 2 commands"), std::string::npos);
}

/* A record of the work of a command, as the recorder writes it before the command. */
static san::Record work_record(uint64_t command, san::WorkClass what, uint64_t amount)
{
	san::Record record;
	record.kind = san::Kind::WORK;
	record.object = command;
	record.flags = static_cast<uint16_t>(what);
	record.address = amount;
	record.bytes = 4;
	return record;
}

TEST(Schedule, blocks_of_kernels_share_the_cores)
{
	for (const uint64_t blocks : {10u, 11u}) {
		TimedProgram program;
		const Bytes memory = program.memory("m", 4);
		program.op(program.stream("a"), "x", {reads(memory)});
		program.op(program.stream("b"), "y", {reads(memory)});
		Builder builder;
		for (const san::Record &record : program.records()) {
			if (record.kind == san::Kind::COMMAND)
				builder.take(
					work_record(record.object, san::WorkClass::KERNEL, blocks));
			builder.take(record);
		}
		const Answer all = answer_of(builder.finish(), bare_profile());
		/* There are 20 vector cores. */
		EXPECT_EQ(all.schedule.total / US, blocks == 10 ? 10u : 20u);
		EXPECT_EQ(all.graph.missing.works, 0u);
		EXPECT_EQ(all.graph.missing.costs, 2u);
	}
}

TEST(Schedule, an_operator_takes_the_time_of_its_operations)
{
	TimedProgram program;
	program.op(program.stream("a"), "x", {reads(program.memory("m", 4))});
	Builder builder;
	for (const san::Record &record : program.records()) {
		if (record.kind == san::Kind::COMMAND)
			builder.take(work_record(record.object, san::WorkClass::CUBE, 200 * TERA));
		builder.take(record);
	}
	EXPECT_EQ(answer_of(builder.finish(), bare_profile()).schedule.total, 2 * SECOND + 10 * US);
}

TEST(Answers, the_path_names_what_the_total_consists_of)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t event = program.event("e");
	program.in(a, 3);
	program.record(event, a);
	program.wait(b, event);
	program.out(b, 5);
	const Answer all = answer(program);
	const std::vector<Segment> path = path_of(all.schedule);
	ASSERT_EQ(path.size(), 2u);
	EXPECT_EQ(kind_of(all.graph, all.graph.vertices[path[0].step]), "copy_in");
	EXPECT_EQ(kind_of(all.graph, all.graph.vertices[path[1].step]), "copy_out");
	const std::vector<Gap> gaps = gaps_of(all);
	ASSERT_EQ(gaps.size(), 1u);
	EXPECT_EQ(gaps[0].reason, Reason::STREAM);
	EXPECT_NE(text_of(all, 10).find(
			  "stream 2 (b) before copy_out: waits for stream 1 (a): copy_in"),
		  std::string::npos);
}

TEST(Answers, a_late_host_is_a_reason)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	program.in(a, 3);
	program.sync(a);
	program.in(a, 3);
	Profile profile = bare_profile();
	ASSERT_EQ(profile.set("host.wait", "7us"), "");
	const std::vector<Gap> gaps = gaps_of(answer(program, profile));
	ASSERT_EQ(gaps.size(), 1u);
	EXPECT_EQ(gaps[0].reason, Reason::HOST);
	EXPECT_EQ(gaps[0].end - gaps[0].begin, 7 * US);
}

TEST(Answers, assertions_hold_or_fail)
{
	TimedProgram program;
	program.in(program.stream("a"), 4);
	program.out(program.stream("b"), 5);
	const Answer all = answer(program);
	for (const auto &[sentence, holds] :
	     std::map<std::string, bool>{{"elapsed < 6us", true},
					 {"elapsed < 5us", false},
					 {"elapsed == 0.005ms", true},
					 {"bound >= 5000ns", true},
					 {"overlap(copy_in, copy_out) >= 100%", true},
					 {"overlap( copy_in , copy_out ) > 100%", false},
					 {"path(copy_out) == 100%", true},
					 {"path(copy_in) <= 0.5%", true},
					 {"busy(copy) == 5us", true},
					 {"count(copy) == 2", true},
					 {"count(matmul) == 0", true},
					 {"overlap(copy_in, matmul) > 0%", false},
					 {"busy(kernel:x) < 1s", false}}) {
		Assertion assertion;
		ASSERT_EQ(assertion.parse(sentence), "") << sentence;
		EXPECT_EQ(assertion.check(all).holds, holds) << sentence;
	}
}

TEST(Answers, a_program_without_work_is_not_fast)
{
	TimedProgram program;
	(void)program.stream("a");
	const Answer none = answer(program);
	for (const auto &[sentence, holds] :
	     std::map<std::string, bool>{{"elapsed < 1s", false}, {"count(copy) == 0", true}}) {
		Assertion assertion;
		ASSERT_EQ(assertion.parse(sentence), "") << sentence;
		EXPECT_EQ(assertion.check(none).holds, holds) << sentence;
	}
}

TEST(Answers, wrong_assertions_are_refused)
{
	for (const char *sentence :
	     {"", "elapsed", "elapsed < ", "elapsed < 5", "elapsed < 5%", "elapsed => 5us",
	      "now < 5us", "overlap(copy_in) > 5%", "overlap(a, b) > 5us", "busy(a, b) < 5us",
	      "busy < 5us", "busy() < 5us", "count(copy) < 5us", "elapsed(copy) < 5us",
	      "path(stream:x) > 1%", "busy(thing:x) < 5us", "elapsed < 99999999999s"}) {
		Assertion assertion;
		EXPECT_NE(assertion.parse(sentence), "") << sentence;
	}
}

TEST(Changes, merged_streams_are_one)
{
	TimedProgram program;
	TimedProgram merged;
	for (TimedProgram *each : {&program, &merged}) {
		const uint32_t a = each->stream("a");
		const uint32_t b = each == &merged ? a : each->stream("b");
		const uint64_t event = each->event("e");
		each->in(a, 3);
		each->record(event, a);
		each->wait(b, event);
		each->out(b, 5);
		each->in(a, 4);
		each->sync(a);
		each->sync(b);
	}
	program.destroy_stream(1);
	program.destroy_stream(2);
	const Answer changed = answer(program, bare_profile(), {{{1, 2}}, {}});
	const Answer real = answer(merged);
	EXPECT_EQ(changed.schedule.total, 12 * US);
	EXPECT_EQ(changed.schedule.total, real.schedule.total);
	EXPECT_EQ(changed.bound.total, real.bound.total);
}

TEST(Changes, a_wait_can_be_left_out)
{
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = program.stream("b");
	const uint64_t event = program.event("e");
	program.in(a, 3);
	program.record(event, a);
	program.site("main.cpp:7 wait");
	program.wait(b, event);
	program.site("main.cpp:8 out");
	program.out(b, 5);
	Changes changes;
	changes.drops_wait = [](const std::string &site) { return site == "main.cpp:7 wait"; };
	EXPECT_EQ(answer(program).bound.total, 8 * US);
	EXPECT_EQ(answer(program, bare_profile(), changes).bound.total, 5 * US);
}

TEST(Profiles, a_profile_is_a_text)
{
	Profile profile;
	Profile again;
	EXPECT_EQ(profile.name(), "plain");
	EXPECT_EQ(again.read(profile.text()), "");
	EXPECT_EQ(again.text(), profile.text());
	EXPECT_EQ(again.read("name mine\ncopy.latency 2.5 us measured # once\n\n"), "");
	EXPECT_EQ(again.name(), "mine");
	EXPECT_EQ(again[Figure::COPY_LATENCY], 2'500'000u);
	EXPECT_EQ(again.set("cube.cores", "4cores"), "");
	EXPECT_EQ(again.name(), "mine, changed");
	for (const char *text :
	     {"copy.latency 2 us\n", "copy.latency us assumed\n", "nothing 2 us assumed",
	      "memory.rate 0 GB/s assumed", "memory.rate 2 us assumed",
	      "cube.cores 5000 cores assumed", "copy.latency 2 us guessed",
	      "copy.latency 1 2 us assumed", "host.call -1 us assumed"})
		EXPECT_NE(again.read(text), "") << text;
}

TEST(Profiles, times_have_three_digits)
{
	EXPECT_EQ(time_text(0), "0.000 ns");
	EXPECT_EQ(time_text(1234), "1.234 ns");
	EXPECT_EQ(time_text(201'347'000), "201.347 us");
	EXPECT_EQ(time_text(2 * SECOND + 5 * MS), "2.005 s");
}

} // namespace timing::test
