// SPDX-License-Identifier: MIT
/**
 * DOC: copies of pinned memory whose contents have changed
 *
 * A difference is a mistake only where nothing but the host can have made it.
 */
#include "expect_findings.h"

using namespace san;
using namespace san::test;

namespace {

const Rules WRITTEN{"HOST-WRITE-INFLIGHT"};

/* A program with a copy from pinned memory, of which the first bytes are found changed. */
class Compared : public testing::Test {
protected:
	Compared() : p(Profile::ASCENDCL)
	{
		s = p.stream("s");
		t = p.stream("t");
		host = p.pinned("host", 8192);
		x = p.memory("x", 8192);
		y = p.memory("y", 8192);
	}

	uint64_t copy(uint16_t flags = COMMAND_COMPARED)
	{
		return p.copy(s, "copy", x, host, flags);
	}
	void differ(uint64_t number, uint16_t flags = 0)
	{
		p.compared(number, {writes(host.part(0, 4096))}, flags);
	}
	/* The copy is made and found to differ. */
	void copy_and_differ() { differ(copy()); }

	Program p;
	uint32_t s, t;
	Bytes host, x, y;
};

} // namespace

TEST_F(Compared, a_difference_is_a_write_by_the_host)
{
	copy_and_differ();
	expect(p, WRITTEN);
	const Finding finding = p.findings().front();
	EXPECT_EQ(finding.later.label, "copy");
	EXPECT_EQ(finding.earlier.label, "");
	EXPECT_EQ(finding.memory.label, "host");
	EXPECT_EQ(finding.memory.overlap, (Range{0, 4096}));
	EXPECT_TRUE(has_hint(p, "HOST-WRITE-INFLIGHT", "synchronize"));
}

TEST_F(Compared, no_difference_is_no_mistake)
{
	p.compared(copy(), {});
	expect_silent(p);
}

TEST_F(Compared, an_ended_copy_is_compared_once)
{
	const uint64_t number = copy();
	p.compared(number, {});
	differ(number);
	differ(number + 1);
	expect_silent(p);
}

TEST_F(Compared, a_command_before_it_writes_the_source)
{
	p.copy(s, "back", host, y);
	copy_and_differ();
	expect_silent(p);
}

TEST_F(Compared, the_host_knew_the_end_of_the_command_before_it)
{
	p.copy(s, "back", host, y);
	p.sync(s);
	copy_and_differ();
	expect(p, WRITTEN);
}

TEST_F(Compared, a_command_of_another_stream_before_it_writes_the_source)
{
	const uint64_t made = p.event("made");
	p.copy(t, "back", host, y);
	p.record(made, t);
	p.wait(s, made);
	copy_and_differ();
	expect_silent(p);
}

TEST_F(Compared, a_command_before_it_writes_other_bytes)
{
	p.op(s, "fill", {writes(y)});
	copy_and_differ();
	expect(p, WRITTEN);
}

TEST_F(Compared, a_host_function_before_it_may_write_the_source)
{
	const uint64_t made = p.event("made");
	p.callback(t, "prepare");
	p.record(made, t);
	p.wait(s, made);
	copy_and_differ();
	expect_silent(p);
}

TEST_F(Compared, the_host_knew_the_end_of_the_host_function)
{
	const uint64_t callback = p.callback(s, "prepare");
	p.begin(callback, 2);
	p.end(callback, 2);
	copy_and_differ();
	expect(p, WRITTEN);
}

TEST_F(Compared, a_host_function_beside_it_does_not_count)
{
	p.callback(t, "elsewhere");
	copy_and_differ();
	expect(p, WRITTEN);
}

TEST_F(Compared, a_stream_that_waits_for_the_host_is_the_hosts)
{
	p.await(7, s, 1);
	const uint64_t number = copy();
	p.signal(7, t, 1);
	p.sync(s);
	differ(number);
	expect_silent(p);
}

TEST_F(Compared, a_flag_that_is_recorded_later)
{
	const uint64_t go = p.event("go", EVENT_LATCH);
	p.wait(s, go);
	const uint64_t number = copy();
	p.record(go, t);
	p.sync(s);
	differ(number);
	expect_silent(p);
}

TEST_F(Compared, a_word_may_have_been_written_by_the_host)
{
	p.signal(7, t, 1);
	p.await(7, s, 1);
	copy_and_differ();
	expect_silent(p);
}

TEST_F(Compared, opaque_commands_and_nodes)
{
	for (const bool graph : {false, true}) {
		if (graph) {
			p.node(1, "host", {}, HOST, COMMAND_OPAQUE);
			p.ready(1);
			p.launch(1, s);
		} else {
			p.op(s, "indirect", {reads(y)}, COMMAND_OPAQUE);
		}
		copy_and_differ();
		expect_silent(p);
		p.sync(s);
	}
	copy_and_differ();
	expect(p, WRITTEN);
}

TEST_F(Compared, a_race_says_it_already)
{
	const uint64_t number = copy();
	p.op(t, "write", {writes(host)});
	differ(number);
	expect(p, {"RACE-WAR"});
}

TEST_F(Compared, a_race_of_another_copy_does_not_count)
{
	const uint64_t number = copy();
	p.op(t, "write", {writes(x)});
	const uint64_t other = p.copy(s, "other", y, host, COMMAND_COMPARED);
	p.compared(number, {});
	differ(other);
	expect(p, {"RACE-WAW", "HOST-WRITE-INFLIGHT"});
}

TEST_F(Compared, a_target_belongs_to_the_copy)
{
	p.callback(s, "before");
	p.op(s, "before", {reads(host)});
	const uint64_t number = p.copy(s, "copy", host, x, COMMAND_COMPARED);
	differ(number, COMPARED_TARGET);
	expect(p, WRITTEN);
}

TEST_F(Compared, another_process_can_not_say_it)
{
	const uint64_t number = copy();
	p.client(1, Profile::ASCENDCL);
	differ(number);
	expect_silent(p);
}

/* A judge that has forgotten accesses does not know who may have written the source. */
TEST_F(Compared, after_the_past_is_forgotten)
{
	Options narrow;
	narrow.bounds.cells = 16;
	const Bytes z = p.memory("z", 4096);
	p.copy(s, "back", host, y);
	for (uint64_t i = 0; i < 16; i++)
		p.op(t, "fill", {writes(z.part(i * 64, 32))});
	p.op(t, "fill all", {writes(z)});
	copy_and_differ();
	expect(p, {}, narrow);
	p.sync_device();
	copy_and_differ();
	expect(p, WRITTEN, narrow);
}

TEST_F(Compared, what_is_not_compared_is_counted)
{
	copy(COMMAND_UNCOMPARED);
	p.callback(s, "prepare");
	copy();
	copy();
	Options options;
	options.bounds.compared = 1;
	Judge judge(options, [](const Finding &) {});
	for (const Record &record : p.records())
		judge.take(record);
	EXPECT_EQ(judge.summary().uncompared, 3u);
}

namespace {

/* The source is found changed when a wait for the copy ends. */
class ComparedAfter : public Compared {
protected:
	void differ_after(uint64_t number) { differ(number, COMPARED_AFTER); }
	/* What comes between the copy and the wait. */
	template <class Between> void copy_and(const Between &between)
	{
		const uint64_t number = copy();
		between();
		differ_after(number);
	}
	/* A graph that copies @host to @x. */
	uint64_t graph()
	{
		p.node(1, "node", {reads(host), writes(x)}, HOST, COMMAND_COPY);
		return 1;
	}
};

} // namespace

TEST_F(ComparedAfter, a_difference_is_a_write_by_the_host)
{
	copy_and([&] { p.op(s, "after", {reads(x), writes(y)}); });
	expect(p, WRITTEN);
	EXPECT_NE(p.findings().front().order.find("or a host function"), std::string::npos);
}

TEST_F(ComparedAfter, the_host_knew_the_end)
{
	const uint64_t done = p.event("done");
	copy_and([&] { p.sync(s); });
	copy_and([&] { p.query(s); });
	copy_and([&] { p.sync_device(); });
	copy_and([&] {
		p.record(done, s);
		p.wait(t, done);
		p.sync(t);
	});
	expect_silent(p);
}

TEST_F(ComparedAfter, the_host_of_another_process_knew_the_end)
{
	const uint64_t number = copy(), done = p.event("done");
	p.record(done, s);
	p.client(1, Profile::ASCENDCL);
	p.sync_event(done);
	p.client(0, Profile::ASCENDCL);
	differ_after(number);
	expect_silent(p);
}

TEST_F(ComparedAfter, a_command_after_it_writes_the_source)
{
	copy_and([&] { p.copy(s, "back", host, y); });
	expect_silent(p);
}

TEST_F(ComparedAfter, a_host_function_after_it_may_write_the_source)
{
	uint64_t function = 0;
	copy_and([&] { function = p.callback(s, "refill"); });
	p.begin(function, 2);
	p.end(function, 2);
	expect_silent(p);
}

TEST_F(ComparedAfter, a_host_function_beside_it_does_not_count)
{
	copy_and([&] { p.callback(t, "elsewhere"); });
	expect(p, WRITTEN);
}

TEST_F(ComparedAfter, a_host_function_before_it_may_have)
{
	p.callback(s, "prepare");
	copy_and([] {});
	expect_silent(p);
}

TEST_F(ComparedAfter, the_host_may_be_told_by_a_word)
{
	const Bytes word = p.pinned("word", 64);
	copy_and([&] { p.signal(7, s, 1); });
	copy_and([&] { p.copy(s, "tell", word.part(0, 4), y.part(0, 4)); });
	copy_and([&] { p.op(s, "compute", {reads(x), writes(word)}); });
	copy_and([&] { p.op(s, "indirect", {reads(x)}, COMMAND_OPAQUE); });
	expect_silent(p);
}

TEST_F(ComparedAfter, a_result_is_nothing_that_is_polled)
{
	const Bytes result = p.pinned("result", 4096);
	copy_and([&] { p.copy(s, "back", result, y.part(0, 4096)); });
	expect(p, WRITTEN);
}

TEST_F(ComparedAfter, a_word_of_another_stream_tells_nothing)
{
	copy_and([&] { p.signal(7, t, 1); });
	expect(p, WRITTEN);
}

TEST_F(ComparedAfter, a_race_says_it_already)
{
	copy_and([&] { p.op(t, "write", {writes(host)}); });
	expect(p, {"RACE-WAR"});
}

TEST_F(ComparedAfter, a_source_that_was_freed)
{
	copy_and([&] { p.free(host); });
	expect(p, {"UAF-HOST"});
}

TEST_F(ComparedAfter, a_launch_of_a_graph)
{
	p.ready(graph());
	const uint64_t first = p.launch(1, s, COMMAND_COMPARED);
	const uint64_t second = p.launch(1, s, COMMAND_COMPARED);
	differ_after(first);
	p.sync(s);
	differ_after(second);
	expect(p, WRITTEN);
	ASSERT_EQ(p.findings().size(), 1u);
	EXPECT_EQ(p.findings().front().later.label, "node");
}

TEST_F(ComparedAfter, a_graph_that_writes_its_source)
{
	p.node(1, "back", {reads(y), writes(host.part(64, 64))}, HOST, COMMAND_COPY);
	graph();
	p.edge(1, 0, 1);
	p.ready(1);
	differ_after(p.launch(1, s, COMMAND_COMPARED));
	expect_silent(p);
}

TEST_F(ComparedAfter, a_graph_with_a_host_function)
{
	graph();
	p.node(1, "host", {}, HOST, COMMAND_OPAQUE);
	p.edge(1, 0, 1);
	p.ready(1);
	differ_after(p.launch(1, s, COMMAND_COMPARED));
	expect_silent(p);
}

TEST_F(ComparedAfter, a_graph_that_is_gone)
{
	p.ready(graph());
	const uint64_t launch = p.launch(1, s, COMMAND_COMPARED);
	p.destroy_graph(1);
	differ_after(launch);
	expect_silent(p);
}

TEST_F(ComparedAfter, launches_that_are_not_compared_are_counted)
{
	p.ready(graph());
	p.launch(1, s, COMMAND_UNCOMPARED);
	Judge judge({}, [](const Finding &) {});
	for (const Record &record : p.records())
		judge.take(record);
	EXPECT_EQ(judge.summary().uncompared, 1u);
}

namespace {

/* How many copies to pinned memory a program waits for with everything else, or not at all. */
uint64_t unawaited_of(const Program &p)
{
	Judge judge({}, [](const Finding &) {});
	for (const Record &record : p.records())
		judge.take(record);
	judge.finish();
	return judge.summary().unawaited;
}

} // namespace

TEST(Results, that_a_call_of_their_own_waits_for)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes x = p.memory("x", 64), host = p.pinned("host", 64);
	const uint64_t done = p.event("done");
	p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	p.sync(s);
	p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	p.record(done, s);
	p.query_event(done);
	p.copy(s, "copy", host, x, COMMAND_TO_HOST | COMMAND_RETURNED);
	p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	p.copy(s, "copy", host, x, COMMAND_TO_HOST | COMMAND_RETURNED);
	p.sync_device();
	EXPECT_EQ(unawaited_of(p), 0u);
}

TEST(Results, that_are_waited_for_with_all_or_not_at_all)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s"), t = p.stream("t");
	const Bytes x = p.memory("x", 64), host = p.pinned("host", 64);
	p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	p.sync(t);
	p.sync_device();
	EXPECT_EQ(unawaited_of(p), 1u);
	p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	EXPECT_EQ(unawaited_of(p), 2u);
}

namespace {

/* The host has touched the target of a copy that was in flight. */
class Touched : public testing::Test {
protected:
	template <class Between> void copy_and(const Between &between)
	{
		const uint64_t number = p.copy(s, "copy", host, x, COMMAND_TO_HOST);
		between();
		p.compared(number, {reads(host.part(8, 1))}, COMPARED_TARGET | COMPARED_AFTER);
	}

	Program p{Profile::ASCENDCL};
	const uint32_t s = p.stream("s"), t = p.stream("t");
	const Bytes x = p.memory("x", 4096), host = p.pinned("host", 4096);
};

} // namespace

TEST_F(Touched, before_a_call_told_of_the_end)
{
	copy_and([] {});
	expect(p, {"HOST-READ-INFLIGHT"});
	EXPECT_NE(p.findings().front().order.find("the program read"), std::string::npos);
	EXPECT_NE(p.findings().front().order.find("byte 8"), std::string::npos);
}

TEST_F(Touched, by_a_write)
{
	const uint64_t number = p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	p.compared(number, {writes(host.part(8, 1))}, COMPARED_TARGET | COMPARED_AFTER);
	expect(p, {"HOST-WRITE-INFLIGHT"});
}

TEST_F(Touched, after_the_host_knew_the_end)
{
	const uint64_t done = p.event("done");
	copy_and([&] { p.sync(s); });
	copy_and([&] { p.sync_device(); });
	copy_and([&] {
		p.record(done, s);
		p.wait(t, done);
		p.sync(t);
	});
	expect_silent(p);
}

TEST_F(Touched, after_something_may_have_told_it)
{
	const Bytes word = p.pinned("word", 64);
	copy_and([&] { p.callback(s, "look"); });
	copy_and([&] { p.signal(7, s, 1); });
	copy_and([&] { p.copy(s, "tell", word.part(0, 4), x.part(0, 4)); });
	copy_and([&] { p.op(s, "indirect", {reads(x)}, COMMAND_OPAQUE); });
	expect_silent(p);
}

TEST_F(Touched, by_another_process)
{
	const uint64_t number = p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	p.client(1, Profile::ASCENDCL);
	p.compared(number, {reads(host.part(8, 1))}, COMPARED_TARGET | COMPARED_AFTER);
	expect_silent(p);
}

/* The source of a copy is touched at a known place. Bytes that differ later have the same reason. */
TEST_F(Touched, the_source_by_a_store)
{
	const uint64_t number = p.copy(s, "copy", x, host, COMMAND_COMPARED);
	p.site("prepare");
	p.compared(number, {writes(host.part(8, 1))}, COMPARED_TARGET | COMPARED_AFTER);
	p.compared(number, {writes(host)});
	expect(p, {"HOST-WRITE-INFLIGHT"});
	const Finding finding = p.findings().front();
	EXPECT_EQ(finding.later.label, "the program");
	EXPECT_EQ(finding.later.stream, "host");
	EXPECT_EQ(finding.later.use, "writes");
	EXPECT_NE(finding.later.site, "");
	EXPECT_EQ(finding.earlier.label, "copy");
	EXPECT_EQ(finding.earlier.use, "reads");
}

TEST_F(Touched, the_source_of_a_copy_whose_end_the_host_knew)
{
	const uint64_t number = p.copy(s, "copy", x, host, COMMAND_COMPARED);
	p.sync(s);
	p.compared(number, {writes(host.part(8, 1))}, COMPARED_TARGET | COMPARED_AFTER);
	expect_silent(p);
}

/* The stream waits for what the host lets go later, so the source is still the host's. */
TEST_F(Touched, the_source_of_a_copy_behind_a_gate)
{
	p.await(7, s, 1);
	const uint64_t number = p.copy(s, "copy", x, host, COMMAND_COMPARED);
	p.compared(number, {writes(host.part(8, 1))}, COMPARED_TARGET | COMPARED_AFTER);
	p.signal(7, t, 1);
	p.sync(s);
	expect_silent(p);
}
