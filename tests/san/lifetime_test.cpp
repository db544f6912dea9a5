// SPDX-License-Identifier: MIT
/**
 * DOC: lifetimes, the host, events, processes
 *
 * What programs of the corpus (programs/) do not show, or not each time: what a wait of one thread says of the work
 * that another one submits meanwhile, and the words of findings.
 */
#include "expect_findings.h"

using namespace san;
using namespace san::test;

namespace {

BUG_AND_REPAIR(Lifetime);

/* The wait of thread 2 begins, and thread 1 goes on. */
template <class Block> void begin_wait(Program &p, const Block &block)
{
	p.thread(2);
	block();
	p.thread(1);
}

} // namespace

/* One finding: the use is without order, too, and says more. */
TEST_P(Lifetime, use_and_free_in_two_streams)
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

TEST_P(Lifetime, reset_before_another_stream_has_waited)
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

/* The parent knows that the work of its child is over; for anybody else it was luck. */
TEST_P(Lifetime, process_that_was_killed)
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

TEST_P(Lifetime, rows_of_two_copies_overlap)
{
	Program p(Profile::CUDA);
	const uint32_t a = p.stream("a"), b = p.stream("b");
	const Bytes matrix = p.memory("matrix", 1 << 20);
	/* 8192 rows of 128 bytes: too many to be cut into runs. */
	p.op(a, "left columns", {writes(matrix.column(0, 32, 8192, 128))});
	p.op(b, "right columns", {writes(matrix.column(fixed ? 32 : 31, 32, 8192, 128))});
	judge(p, {"RACE-WAW"});
}

TEST_P(Lifetime, circle_of_value_waits)
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

TEST_P(Lifetime, unmapped_address)
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

TEST_P(Lifetime, work_that_came_after_the_call)
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
TEST_P(Lifetime, work_of_before_is_covered_behind_a_wait)
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
TEST_P(Lifetime, event_that_is_recorded_again_meanwhile)
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
TEST_P(Lifetime, event_behind_a_wait)
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

TEST_P(Lifetime, work_that_came_after_the_wait_for_the_device)
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
TEST_P(Lifetime, blocking_stream_after_the_wait_for_the_legacy_one)
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
TEST_P(Lifetime, commands_that_are_too_long)
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

TEST_P(Lifetime, commands_that_go_on_in_other_memory)
{
	Program p(Profile::ASCENDCL);
	const uint32_t stream = p.stream("stream");
	const Bytes memory = p.memory("memory", 0x10000);
	p.slack(64);
	p.memory("other", 4096);
	p.op(stream, "fill", {writes(memory.part(8, fixed ? 65464 : 65568))});
	judge(p, {"OVERRUN-OTHER"});
	for (const Finding &finding : p.findings()) {
		EXPECT_EQ(finding.memory.bytes, 65472u);
		EXPECT_EQ(finding.order.find("it ends 104 bytes behind the 65472 bytes that the "
					     "program asked for, in the 4096 bytes of another"),
			  0u)
			<< finding.order;
	}
}

TEST_P(Lifetime, kernels_that_go_behind_their_tensor)
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
