// SPDX-License-Identifier: MIT
/**
 * DOC: what a judge keeps
 *
 * A program that does the same again and again needs no more memory after a million turns than after some
 * thousand, and a trace that is made to fill the judge stops at its bounds. UNPU_SAN_TURNS=1000000 runs the
 * loops for longer.
 *
 * The operators new and delete of this program count, so that a test sees what a judge keeps, whatever the
 * allocator does with it. The judge has one thread.
 */
#include <cstdlib>
#include <new>
#include <random>

#include <malloc.h>

#include "expect_findings.h"

using namespace san;
using namespace san::test;

static size_t live_bytes;

void *operator new(size_t bytes)
{
	void *memory = malloc(bytes > 0 ? bytes : 1);
	if (!memory)
		throw std::bad_alloc();
	live_bytes += malloc_usable_size(memory);
	return memory;
}

void operator delete(void *memory) noexcept
{
	if (memory)
		live_bytes -= malloc_usable_size(memory);
	free(memory);
}

void operator delete(void *memory, size_t) noexcept
{
	operator delete(memory);
}

namespace {

/* heap_bytes() - what this program has allocated with new and not deleted. */
size_t heap_bytes()
{
	return live_bytes;
}

/* struct Watched - a judge, and the program that it judges turn by turn. */
struct Watched {
	explicit Watched(Profile profile, Options options = {})
		: program(profile), judge(options, [this](const Finding &finding) {
			  findings++;
			  last = rule_text(finding.rule);
		  })
	{
	}
	void flush()
	{
		for (const Record &record : program.records())
			judge.take(record);
		program.clear();
	}

	Program program;
	Judge judge;
	uint64_t findings = 0;
	std::string last;
};

int turns()
{
	const char *asked = getenv("UNPU_SAN_TURNS");
	return asked ? atoi(asked) : 8000;
}

/* More turns than ends of memory are remembered, so that what is kept has reached its size. */
constexpr int WARM_TURNS = 5000;

template <class Turn> void expect_flat(Watched &run, Turn &&turn)
{
	for (int i = 0; i < WARM_TURNS; i++) {
		turn(i);
		run.flush();
	}
	const size_t warm = heap_bytes();
	size_t most = 0;
	for (int i = 0; i < turns(); i++) {
		turn(i);
		run.flush();
		most = std::max(most, heap_bytes());
	}
	EXPECT_LE(most, warm + warm / 50 + 4096);
	EXPECT_EQ(run.judge.summary().problem, "");
	EXPECT_EQ(run.judge.summary().forgotten, 0u);
}

} // namespace

TEST(Bounds, training_loop_is_flat)
{
	Watched run(Profile::CUDA);
	Program &p = run.program;
	const uint32_t copies = p.stream("copies", STREAM_NON_BLOCKING),
		       compute = p.stream("compute", STREAM_NON_BLOCKING);
	const Bytes staging = p.pinned("staging", 4096), input = p.memory("input", 4096);
	const uint64_t filled = p.event("filled"), used = p.event("used");
	p.record(used, compute);
	expect_flat(run, [&](int) {
		p.sync_event(filled);
		p.host("prepare", {writes(staging)});
		p.wait(copies, used);
		p.copy(copies, "copy", input, staging);
		p.record(filled, copies);
		p.wait(compute, filled);
		const Bytes scratch = p.allocate("scratch", 65536, ALLOC_ASYNC, compute);
		p.op(compute, "forward", {reads(input), writes(scratch)});
		p.free(scratch, compute);
		p.record(used, compute);
	});
	EXPECT_EQ(run.findings, 0u) << run.last;
}

TEST(Bounds, objects_of_each_turn_are_forgotten)
{
	Watched run(Profile::ASCENDCL);
	Program &p = run.program;
	const uint32_t main = p.stream("main");
	expect_flat(run, [&](int i) {
		const uint32_t stream = p.stream("side");
		const uint64_t event = p.event("done"), graph = 1000 + i;
		const Bytes memory = p.memory("memory", 4096);
		p.node(graph, "node", {writes(memory)});
		p.ready(graph);
		p.launch(graph, stream);
		const uint64_t call = p.callback(stream, "function");
		p.begin(call, 7);
		p.end(call, 7);
		p.record(event, stream);
		p.wait(main, event);
		p.op(main, "use", {reads(memory)});
		p.sync(main);
		p.destroy_stream(stream, WAITS);
		p.destroy_event(event);
		Record gone;
		gone.kind = Kind::GRAPH_DESTROY;
		gone.object = graph;
		p.free(memory);
		run.flush();
		run.judge.take(gone);
		p.forget_names();
	});
	EXPECT_EQ(run.findings, 0u) << run.last;
}

/* Nothing of the streams that end is known to the host, so their slots are not free by themselves. */
TEST(Bounds, streams_that_nothing_waits_for_do_not_use_up_the_slots)
{
	Watched run(Profile::CUDA);
	Program &p = run.program;
	for (size_t i = 0; i < Actors::MAX_SLOTS + 100; i++) {
		const uint32_t stream = p.stream("side", STREAM_NON_BLOCKING);
		p.op(stream, "nothing", {});
		p.destroy_stream(stream);
		run.flush();
	}
	EXPECT_EQ(run.judge.summary().problem, "");
	/* And a race is still found afterwards. */
	const uint32_t a = p.stream("a", STREAM_NON_BLOCKING),
		       b = p.stream("b", STREAM_NON_BLOCKING);
	const Bytes memory = p.memory("memory", 64);
	p.op(a, "a", {writes(memory)});
	p.op(b, "b", {writes(memory)});
	run.flush();
	EXPECT_EQ(run.findings, 1u);
}

/* A part of what was freed is in use again, and its rest has an end of its own. */
TEST(Bounds, rests_of_freed_memory_are_forgotten)
{
	Watched run(Profile::ASCENDCL);
	Program &p = run.program;
	expect_flat(run, [&](int) {
		const Bytes whole = p.memory("whole", 4096);
		p.free(whole);
		const Bytes part = p.again("part", whole.part(0, 512), ALLOC_DEFINED);
		p.free(part);
	});
}

TEST(Bounds, forgetting_the_past_reports_nothing_wrong)
{
	Options options;
	options.bounds.cells = 64;
	options.bounds.ticks = 256;
	for (const bool fixed : {true, false}) {
		Watched run(Profile::ASCENDCL, options);
		Program &p = run.program;
		const uint32_t a = p.stream("a"), b = p.stream("b");
		const Bytes memory = p.memory("memory", 65536);
		const uint64_t there = p.event("there"), back = p.event("back");
		for (int i = 0; i < 1000; i++) {
			p.op(a, "write", {writes(memory.part(64 * (i % 512), 32))});
			p.record(there, a);
			if (fixed || i != 900)
				p.wait(b, there);
			p.op(b, "read", {reads(memory.part(64 * (i % 512), 32))});
			p.record(back, b);
			p.wait(a, back);
			run.flush();
		}
		EXPECT_GT(run.judge.summary().forgotten, 0u);
		EXPECT_EQ(run.findings, fixed ? 0u : 1u) << run.last;
	}
}

TEST(Bounds, a_signal_that_was_forgotten_is_no_deadlock)
{
	Options options;
	options.bounds.latches = 16;
	Watched run(Profile::CUDA, options);
	Program &p = run.program;
	const uint32_t stream = p.stream("stream", STREAM_NON_BLOCKING);
	for (uint64_t latch = 1; latch < 100; latch++)
		p.signal(latch, HOST, 1);
	p.await(1, stream, 1);
	run.flush();
	run.judge.finish();
	EXPECT_EQ(run.findings, 0u) << run.last;
}

namespace {

/* class Hostile - records that are made to fill the judge. */
class Hostile {
public:
	explicit Hostile(uint32_t seed) : random_(seed) {}

	Record next()
	{
		Record record;
		do
			record.kind = static_cast<Kind>(1 + random_() % 35);
		while (!kind_name(static_cast<uint16_t>(record.kind)));
		record.flags = random_() % 8;
		record.client = number(4);
		record.thread = number(1000);
		record.stream = random_() % 8 == 0 ? HOST : number(64);
		record.object = number(1000);
		record.address = number(1000) * 4096;
		record.bytes = number(64) * 1024;
		record.value = number(200);
		record.label = number(100);
		if (record.kind == Kind::STRING)
			record.text.assign(random_() % 1000, 'x');
		const uint32_t operands = random_() % 6;
		for (uint32_t i = 0; i < operands; i++)
			record.operands.push_back(operand());
		return record;
	}

private:
	/* Mostly small, so that records meet each other; any number now and then. */
	uint32_t number(uint32_t below)
	{
		return random_() % 16 == 0 ? static_cast<uint32_t>(random_()) : random_() % below;
	}
	Operand operand()
	{
		Operand operand{number(4000) * 1024, number(64), Access::READ, 0, 0, {}};
		operand.access = static_cast<Access>(1 + random_() % 4);
		operand.flags = random_() % 8;
		const uint32_t dimensions = random_() % 3;
		for (uint32_t i = 0; i < dimensions; i++)
			operand.dimensions.push_back({number(128), number(2048)});
		return operand;
	}

	std::mt19937 random_;
};

} // namespace

TEST(Bounds, hostile_traces_stop_at_the_bounds)
{
	Options options;
	options.bounds = {.cells = 4096,
			  .ticks = 1 << 16,
			  .name_bytes = 1 << 16,
			  .graph_parts = 4096,
			  .held_parts = 1024,
			  .blocks = 256,
			  .mappings = 256,
			  .events = 256,
			  .latches = 64,
			  .keys = 64,
			  .bodies = 64,
			  .threads = 64,
			  .pairs = 64,
			  .findings = 16};
	constexpr size_t MOST_BYTES = 8 << 20;
	for (uint32_t seed = 1; seed <= 4; seed++) {
		const size_t before = heap_bytes();
		size_t most = 0;
		{
			Judge judge(options, [](const Finding &) {});
			Hostile hostile(seed);
			for (int i = 0; i < 20000; i++) {
				judge.take(hostile.next());
				most = std::max(most, heap_bytes() - before);
			}
			judge.finish();
		}
		EXPECT_LT(most, MOST_BYTES) << seed;
		EXPECT_EQ(heap_bytes(), before) << seed;
	}
}
