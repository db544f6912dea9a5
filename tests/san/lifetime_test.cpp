// SPDX-License-Identifier: MIT
/**
 * DOC: corpus of mistakes: lifetimes, the host, graphs, events, callbacks, processes
 *
 * The programs B12 to B23, B29 to B32, and B38 to B47, of which B40 to B45 are about what a wait of one thread
 * says of the work that another one submits meanwhile. Each has @fixed: the same program with the repair is silent.
 */
#include "tests/san/corpus.h"

using namespace san;
using namespace san::test;

namespace {

class Lifetime : public testing::TestWithParam<bool> {
protected:
	bool fixed = GetParam();
	void judge(const Program &program, const Rules &wanted)
	{
		expect(program, fixed ? Rules{} : wanted);
	}
};

INSTANTIATE_TEST_SUITE_P(Corpus, Lifetime, testing::Values(false, true),
			 [](const auto &which) { return which.param ? "fixed" : "bug"; });

/* The wait of thread 2 begins, and thread 1 goes on. */
template <class Block> void begin_wait(Program &p, const Block &block)
{
	p.thread(2);
	block();
	p.thread(1);
}

} // namespace

TEST_P(Lifetime, B12_free_in_a_stream_while_another_uses_it)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.memory("x", 64);
	const uint64_t used = p.event("used");
	p.op(b, "use", {reads(x)});
	if (fixed) {
		p.record(used, b);
		p.wait(a, used);
	}
	p.free(x, a);
	judge(p, {"UAF-STREAM"});
}

TEST_P(Lifetime, B13_use_before_the_allocation_in_another_stream)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t allocated = p.event("allocated");
	const Bytes x = p.allocate("x", 64, ALLOC_ASYNC, a);
	if (fixed) {
		p.record(allocated, a);
		p.wait(b, allocated);
	}
	p.op(b, "use", {writes(x)});
	judge(p, {"USE-BEFORE-ALLOC"});
}

TEST_P(Lifetime, B38_free_in_a_stream_that_does_not_know_the_allocation)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes x = p.allocate("x", 64, ALLOC_ASYNC, a);
	if (fixed)
		p.sync(a);
	p.free(x, b);
	judge(p, {"USE-BEFORE-ALLOC"});
}

/* One finding: the use is without order, too, and says more. */
TEST_P(Lifetime, B39_use_and_free_in_two_streams)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t used = p.event("used");
	const Bytes x = p.allocate("x", 64, ALLOC_ASYNC, a);
	p.op(a, "use", {writes(x.part(0, 32))});
	if (fixed) {
		p.record(used, a);
		p.wait(b, used);
	}
	p.free(x, b);
	judge(p, {"UAF-STREAM"});
}

TEST_P(Lifetime, B14_free_does_not_wait)
{
	Program p(fixed ? Profile::CUDA : Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes x = p.memory("x", 64);
	p.op(s, "use", {reads(x)});
	p.free(x, HOST, fixed ? WAITS : 0);
	judge(p, {"UAF"});
}

TEST_P(Lifetime, B15_host_rewrites_the_source_of_a_copy)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("input", 64), x = p.memory("x", 64);
	p.host("step 1", {writes(host)});
	p.copy(s, "copy", x, host);
	if (fixed)
		p.sync(s);
	p.host("step 2", {writes(host)});
	judge(p, {"HOST-WRITE-INFLIGHT"});
}

TEST_P(Lifetime, B16_host_reads_a_result_too_early)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("result", 64), x = p.memory("x", 64);
	const uint64_t copied = p.event("copied");
	p.copy(s, "copy", host, x, COMMAND_TO_HOST);
	p.record(copied, s);
	if (fixed)
		p.sync_event(copied);
	p.host("look", {reads(host)});
	judge(p, {"HOST-READ-INFLIGHT"});
}

TEST_P(Lifetime, B17_pinned_block_is_given_to_another_thread)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("cached", 64), x = p.memory("x", 64);
	const uint64_t copied = p.event("copied");
	p.copy(s, "copy", x, host);
	p.record(copied, s);
	p.thread(2);
	if (fixed)
		p.query_event(copied);
	p.host("new owner", {writes(host)});
	judge(p, {"HOST-WRITE-INFLIGHT"});
}

TEST_P(Lifetime, B18_ring_of_buffers_misses_a_wait)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes ring[2] = {p.pinned("ring 0", 64), p.pinned("ring 1", 64)};
	const Bytes x = p.memory("x", 128);
	const uint64_t copied[2] = {p.event("copied 0"), p.event("copied 1")};
	for (uint64_t i = 0; i < 4; i++) {
		if (i >= 2 && (fixed || i == 2))
			p.sync_event(copied[i % 2]);
		p.host("prepare", {writes(ring[i % 2])});
		p.copy(s, "copy", x.part(i % 2 * 64, 64), ring[i % 2]);
		p.record(copied[i % 2], s);
	}
	judge(p, {"HOST-WRITE-INFLIGHT"});
}

TEST_P(Lifetime, B19_tensor_is_reallocated_under_an_async_read)
{
	Program p(Profile::CUDA);
	const uint32_t copies = p.stream("copies"), compute = p.stream("compute");
	const Bytes logits = p.memory("logits", 64), host = p.pinned("host", 64);
	p.copy(copies, "read logits", host, logits, COMMAND_TO_HOST);
	if (fixed)
		p.sync(copies);
	p.free(logits);
	p.again("logits", logits, ALLOC_DEFINED);
	p.op(compute, "next graph", {writes(logits)});
	judge(p, {"UAF"});
}

TEST_P(Lifetime, B20_pinned_block_of_a_captured_copy_is_recycled)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes host = p.pinned("captured", 64), x = p.memory("x", 64);
	p.node(1, "copy", {reads(host), writes(x)}, HOST, COMMAND_COPY);
	p.ready(1);
	p.launch(1, s);
	p.sync(s);
	if (!fixed) {
		p.free(host);
		p.again("another owner", host, ALLOC_HOST);
	}
	p.launch(1, s);
	judge(p, {"UAF-GRAPH"});
}

TEST_P(Lifetime, B21_tensor_of_a_graph_is_freed)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes x = p.memory("x", 64);
	p.node(1, "use", {reads(x)});
	p.ready(1);
	p.launch(1, s);
	p.sync(s);
	p.free(x);
	if (!fixed)
		p.launch(1, s);
	judge(p, {"UAF-GRAPH"});
}

TEST_P(Lifetime, B22_edge_between_two_nodes_is_missing)
{
	Program p(Profile::CUDA);
	const Bytes x = p.memory("x", 64);
	const uint64_t a = p.node(1, "first", {writes(x)}), b = p.node(1, "second", {writes(x)});
	const uint64_t c = p.node(1, "third", {reads(x)});
	p.edge(1, b, c);
	p.edge(1, a, c);
	if (fixed)
		p.edge(1, a, b);
	p.ready(1);
	judge(p, {"GRAPH-RACE"});
}

TEST_P(Lifetime, B23_update_of_a_running_graph)
{
	Program p(Profile::ASCENDCL);
	const uint32_t run = p.stream("run"), updates = p.stream("updates");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t done = p.event("done"), updated = p.event("updated");
	const uint64_t node = p.node(1, "use", {reads(x)});
	p.ready(1);
	p.launch(1, run);
	if (fixed) {
		p.record(done, run);
		p.wait(updates, done);
	}
	p.update(1, node, {reads(y)}, updates);
	if (fixed) {
		p.record(updated, updates);
		p.wait(run, updated);
	}
	p.launch(1, run);
	judge(p, {"GRAPH-UPDATE-RACE"});
}

TEST_P(Lifetime, B29_reset_before_another_stream_has_waited)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b"), c = p.stream("c");
	const uint64_t flag = p.event("flag", EVENT_LATCH), waited = p.event("waited");
	p.record(flag, a);
	p.wait(b, flag);
	if (fixed) {
		p.wait(c, flag);
		p.record(waited, c);
		p.wait(b, waited);
	}
	p.reset(flag, b);
	if (!fixed)
		p.wait(c, flag);
	judge(p, {"EVT-RESET-BEFORE-WAIT", "DEADLOCK"});
}

TEST_P(Lifetime, B30_operand_was_never_written)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s");
	const Bytes x = p.undefined("x", 64), y = p.undefined("y", 64), z = p.memory("z", 64);
	if (fixed)
		p.copy(s, "fill", x, z);
	p.copy(s, "copies carry it along", y, x);
	p.op(s, "use", {reads(y)});
	judge(p, {"UNINIT"});
}

TEST_P(Lifetime, B31_host_function_synchronizes_its_own_stream)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const uint64_t function = p.callback(s, "host function");
	p.begin(function, 7);
	if (!fixed)
		p.block_on(s);
	p.end(function, 7);
	judge(p, {"CALLBACK-API", "DEADLOCK"});
}

TEST_P(Lifetime, B32_another_process_waits_only_once)
{
	Program p(Profile::CUDA);
	const uint64_t ready = p.event("ready"), block = p.block("shared", 64);
	const uint32_t producer = p.stream("producer");
	const Bytes mine = p.map(block, 64);
	p.client(1, Profile::CUDA);
	const uint32_t consumer = p.stream("consumer");
	const Bytes theirs = p.map(block, 64);
	const uint64_t used = p.event("used");
	for (int i = 0; i < 2; i++) {
		p.client(0, Profile::CUDA);
		if (i > 0)
			p.wait(producer, used);
		p.op(producer, "produce", {writes(mine)});
		p.record(ready, producer);
		p.client(1, Profile::CUDA);
		if (i == 0 || fixed)
			p.wait(consumer, ready);
		p.op(consumer, "consume", {reads(theirs)});
		p.record(used, consumer);
	}
	judge(p, {"RACE-XCLIENT"});
}

/* The parent knows that the work of its child is over; for anybody else it was luck. */
TEST_P(Lifetime, B46_process_that_was_killed)
{
	constexpr uint32_t PARENT = 7, CHILD = 8, OTHER = 9;
	Program p(Profile::CUDA);
	const uint64_t block = p.block("shared", 64);
	p.client(PARENT, Profile::CUDA, 1);
	const uint32_t mine = p.stream("mine");
	const Bytes memory = p.map(block, 64);
	p.client(OTHER, Profile::CUDA, 1);
	const uint32_t others = p.stream("others");
	const Bytes again = p.map(block, 64);
	p.client(CHILD, Profile::CUDA, PARENT);
	const uint32_t theirs = p.stream("theirs");
	const Bytes copy = p.map(block, 64);
	p.op(theirs, "read", {reads(copy)});
	p.client(fixed ? PARENT : OTHER, Profile::CUDA);
	p.gone(CHILD);
	p.op(fixed ? mine : others, "write", {writes(fixed ? memory : again)});
	judge(p, {"RACE-XCLIENT"});
}

TEST_P(Lifetime, second_wave_aliases_of_one_block)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t block = p.block("physical", 0x20000);
	const Bytes one = p.map(block, 0x20000), other = p.map(block, 0x10000, 0x10000);
	p.op(a, "write", {writes(one.part(fixed ? 0 : 0x18000, 64))});
	p.op(b, "read", {reads(other.part(0x8000, 64))});
	judge(p, {"RACE-RAW"});
}

TEST_P(Lifetime, second_wave_rows_of_two_copies_overlap)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes matrix = p.memory("matrix", 1 << 20);
	/* 8192 rows of 128 bytes: too many to be cut into runs. */
	p.op(a, "left columns", {writes(matrix.column(0, 32, 8192, 128))});
	p.op(b, "right columns", {writes(matrix.column(fixed ? 32 : 31, 32, 8192, 128))});
	judge(p, {"RACE-WAW"});
}

TEST_P(Lifetime, second_wave_circle_of_value_waits)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	p.await(1, a, 1);
	p.signal(2, a, 1);
	if (fixed)
		p.signal(1, HOST, 1);
	p.await(2, b, 1);
	p.signal(1, b, 1);
	judge(p, {"DEADLOCK"});
	if (fixed)
		return;
	EXPECT_EQ(p.findings()[0].circle.size(), 2u);
}

TEST_P(Lifetime, circle_whose_work_the_program_drops)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const uint64_t first = p.event("first", EVENT_LATCH),
		       second = p.event("second", EVENT_LATCH);
	if (!fixed)
		p.wait(a, second);
	p.record(first, a);
	p.wait(b, first);
	p.record(second, b);
	p.block_on(b);
	p.drop(a);
	p.drop(b);
	judge(p, {"DEADLOCK"});
	if (!fixed) {
		EXPECT_EQ(p.findings()[0].circle.size(), 2u);
	}
}

/* What the program would still have done for a stream that it gives up is not known. */
TEST(LifetimeDropped, a_stream_that_is_dropped_while_it_waits_is_no_deadlock)
{
	Program p(Profile::ASCENDCL);
	const uint32_t a = p.stream("a");
	p.wait(a, p.event("flag", EVENT_LATCH));
	p.drop(a);
	EXPECT_TRUE(p.findings().empty());
}

TEST_P(Lifetime, second_wave_unmapped_address)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s");
	const Bytes x = p.map(p.block("physical", 64), 64);
	p.op(s, "use", {reads(x)});
	if (fixed)
		p.sync(s);
	p.unmap(x);
	judge(p, {"UAF"});
}

TEST_P(Lifetime, B40_work_that_came_after_the_call)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s"), u = p.stream("u");
	const Bytes x = p.memory("x", 64);
	begin_wait(p, [&] { p.block_on(s); });
	p.op(s, "late", {writes(x)});
	p.thread(2);
	p.sync(s);
	p.thread(1);
	if (fixed) {
		p.block_on(s);
		p.sync(s);
	}
	p.op(u, "use", {reads(x)});
	judge(p, {"RACE-RAW"});
}

/* What came before the call is covered, and also what that waited for. */
TEST_P(Lifetime, B41_work_of_before_is_covered_behind_a_wait)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s"), u = p.stream("u"), v = p.stream("v");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64), z = p.memory("z", 64);
	p.await(1, s, 1);
	p.op(s, "early", {writes(x)});
	begin_wait(p, [&] { p.block_on(s); });
	p.op(s, "late", {writes(y)});
	p.op(v, "open", {writes(z)});
	p.signal(1, v, 1);
	p.thread(2);
	p.sync(s);
	p.thread(1);
	p.op(u, "use", {reads(x), reads(z)});
	p.op(u, "use too early", {reads(fixed ? z : y)});
	judge(p, {"RACE-RAW"});
}

/* The thread waits for the first record, so that it is not lost. */
TEST_P(Lifetime, B42_event_that_is_recorded_again_meanwhile)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s"), v = p.stream("v"), u = p.stream("u");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t event = p.event("done");
	p.op(s, "first", {writes(y)});
	p.record(event, s);
	begin_wait(p, [&] { p.block_on_event(event); });
	p.op(v, "second", {writes(x)});
	p.record(event, v);
	p.thread(2);
	p.sync_event(event);
	p.thread(1);
	if (fixed)
		p.sync_event(event);
	p.op(u, "use", {reads(x), reads(y)});
	judge(p, {"RACE-RAW"});
}

/* An event of work that still waits when the call begins. */
TEST_P(Lifetime, B43_event_behind_a_wait)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s"), u = p.stream("u");
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	const uint64_t event = p.event("done");
	p.await(1, s, 1);
	p.op(s, "first", {writes(x)});
	p.record(event, s);
	begin_wait(p, [&] { p.block_on_event(event); });
	p.op(s, "late", {writes(y)});
	p.signal(1, HOST, 1);
	p.thread(2);
	p.sync_event(event);
	p.thread(1);
	p.op(u, "use", {reads(fixed ? x : y)});
	judge(p, {"RACE-RAW"});
}

TEST_P(Lifetime, B44_work_that_came_after_the_wait_for_the_device)
{
	Program p(Profile::CUDA);
	const uint32_t s = p.stream("s", STREAM_NON_BLOCKING),
		       u = p.stream("u", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	p.op(s, "early", {writes(y)});
	begin_wait(p, [&] { p.block_on_device(); });
	const uint32_t fresh = p.stream("fresh", STREAM_NON_BLOCKING);
	p.op(fresh, "late", {writes(x)});
	p.thread(2);
	p.sync_device();
	p.thread(1);
	if (fixed)
		p.sync_device();
	p.op(u, "use", {reads(x), reads(y)});
	judge(p, {"RACE-RAW"});
}

/* A wait for the legacy stream is one for the blocking streams, as they were. */
TEST_P(Lifetime, B45_blocking_stream_after_the_wait_for_the_legacy_one)
{
	Program p(Profile::CUDA);
	const uint32_t legacy = p.stream("legacy", STREAM_LEGACY), s = p.stream("s"),
		       u = p.stream("u", STREAM_NON_BLOCKING);
	const Bytes x = p.memory("x", 64), y = p.memory("y", 64);
	p.op(s, "early", {writes(y)});
	begin_wait(p, [&] { p.block_on(legacy); });
	p.op(s, "late", {writes(x)});
	p.thread(2);
	p.sync(legacy);
	p.thread(1);
	if (fixed)
		p.sync(s);
	p.op(u, "use", {reads(x), reads(y)});
	judge(p, {"RACE-RAW"});
}

/* With its contents compared: a wait that had begun before says nothing of the copy that writes the source. */
TEST(LifetimeContents, ASourceThatACopyWritesWhileAnotherThreadWaits)
{
	Program p(Profile::ASCENDCL);
	const uint32_t s = p.stream("s"), u = p.stream("u");
	const Bytes host = p.pinned("host", 64), x = p.memory("x", 64), o = p.memory("o", 64);
	const uint64_t copied = p.event("copied");
	begin_wait(p, [&] { p.block_on(s); });
	p.copy(u, "fill host", host, x, COMMAND_TO_HOST);
	p.record(copied, u);
	p.wait(s, copied);
	p.thread(2);
	p.sync(s);
	p.thread(1);
	p.compared(p.copy(s, "copy", o, host, COMMAND_COMPARED), {writes(host)});
	expect_silent(p);
}

/* The allocator adds bytes. A kernel may use the whole last block of 32 that the program asked for a part of. */
TEST_P(Lifetime, B47_commands_that_are_too_long)
{
	Program p(Profile::ASCENDCL);
	const uint32_t stream = p.stream("stream");
	const Bytes memory = p.memory("memory", 2112);
	p.slack(72);
	p.op(stream, "fill", {writes(memory.part(8, fixed ? 2032 : 2072))});
	p.op(stream, "kernel", {with(reads(memory.part(8, fixed ? 2040 : 2072)), OPERAND_BLOCKS)});
	p.op(stream, "some", {with(writes(memory), OPERAND_PARTIAL)});
	judge(p, {"OVERRUN"});
	for (const Finding &finding : p.findings()) {
		EXPECT_EQ(finding.memory.bytes, 2040u);
		EXPECT_EQ(finding.order,
			  "it ends 40 bytes behind the 2040 bytes that the program asked for");
	}
}

TEST_P(Lifetime, B50_kernels_that_go_behind_their_tensor)
{
	Program p(Profile::ASCENDCL);
	const uint32_t stream = p.stream("stream");
	const Bytes memory = p.memory("memory", 2048);
	std::vector<Operand> operands = {with(reads(memory.part(0, 1056)), OPERAND_BLOCKS)};
	if (!fixed)
		operands.push_back(with(reads(memory.part(1024, 32)), OPERAND_BEYOND));
	p.op(stream, "fill", {writes(memory)});
	p.op(stream, "kernel", operands);
	judge(p, {"OVERRUN"});
	for (const Finding &finding : p.findings())
		EXPECT_EQ(finding.order,
			  "32 bytes from byte 1024 of the memory on are behind the size that "
			  "SetGlobalBuffer() gave the tensor; UNPU_KERNEL_CHECK=2 names the line");
}
