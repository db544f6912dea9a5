// SPDX-License-Identifier: MIT
/*
 * DOC: Jobs in pieces, tested
 *
 * However a job is cut, and in whatever order its pieces run, the memory is the same afterwards as
 * after the whole job. A job whose result depends on the order is not cut.
 */
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include <sched.h>

#include <gtest/gtest.h>

#include "firmware_sim/core/core.h"
#include "firmware_sim/engine/engine.h"
#include "firmware_sim/engine/opcode.h"
#include "firmware_sim/engine/pieces.h"
#include "firmware_sim/kernels/dtype.h"

namespace {

constexpr int FLOATS = 4096;
constexpr int ROWS = 64;
constexpr int COLUMNS = FLOATS / ROWS;

/* class Memory - some floats, the same each time. */
class Memory {
public:
	Memory() : floats_(4 * FLOATS)
	{
		for (unsigned i = 0; i < floats_.size(); i++)
			floats_[i] = static_cast<float>(i % 1000) * 0.37f - 100;
	}
	std::byte *at(unsigned index) { return reinterpret_cast<std::byte *>(&floats_[index]); }
	const std::vector<float> &floats() const { return floats_; }

private:
	std::vector<float> floats_;
};

void run_whole(const fw::Job &job)
{
	EXPECT_EQ(fw::execute_job(job.packet, &job.op, job.operands), base::Status::OK);
}

void run_pieces(const fw::Job &job, uint64_t units)
{
	std::mt19937 random(7);
	std::vector<uint64_t> cuts = {0, units};
	for (unsigned i = 0; i < 9; i++)
		cuts.push_back(random() % units);
	std::sort(cuts.begin(), cuts.end());
	std::vector<size_t> order(cuts.size() - 1);
	std::iota(order.begin(), order.end(), 0);
	std::shuffle(order.begin(), order.end(), random);
	for (size_t i : order) {
		if (cuts[i + 1] == cuts[i])
			continue;
		fw::PieceFault fault;
		EXPECT_EQ(fw::run_units(job, cuts[i], cuts[i + 1] - cuts[i], fault),
			  base::Status::OK);
	}
}

/* @make: a job on the memory it is given */
template <class Make> void expect_same(uint64_t units, const Make &make)
{
	Memory whole;
	Memory pieces;
	run_whole(make(whole));
	fw::Job job = make(pieces);
	ASSERT_EQ(fw::cut_of(job).units, units);
	run_pieces(job, units);
	EXPECT_EQ(whole.floats(), pieces.floats());
}

/* Pieces of a job whose order matters, in order, leave what memmove() or the whole job leaves. */
template <class Make> void expect_ordered(uint64_t units, const Make &make)
{
	Memory whole;
	Memory pieces;
	run_whole(make(whole));
	const fw::Job job = make(pieces);
	const fw::Cut cut = fw::cut_of(job);
	ASSERT_EQ(cut.units, units);
	EXPECT_TRUE(cut.is_ordered);
	/* A multiple of what a vector of the processor holds. */
	const uint64_t each = units / 16;
	fw::PieceFault fault;
	for (uint64_t first = 0; first < units; first += each)
		EXPECT_EQ(fw::run_units(job, first, std::min(each, units - first), fault),
			  base::Status::OK);
	EXPECT_EQ(whole.floats(), pieces.floats());
}

fw::Job copy_job(Memory &memory, unsigned to, unsigned from)
{
	fw::Job job;
	job.packet.opcode = UNPU_OP_COPY;
	job.packet.copy.bytes = FLOATS * sizeof(float);
	job.operands = {memory.at(to), memory.at(from), nullptr, nullptr};
	return job;
}

TEST(Pieces, CopiesBytes)
{
	expect_same(FLOATS * sizeof(float),
		    [](Memory &memory) { return copy_job(memory, 0, FLOATS); });
	constexpr uint64_t BYTES = FLOATS * sizeof(float);
	expect_ordered(BYTES, [](Memory &memory) { return copy_job(memory, 0, FLOATS - 1); });
	expect_ordered(BYTES, [](Memory &memory) { return copy_job(memory, 0, 1); });
	expect_ordered(BYTES, [](Memory &memory) { return copy_job(memory, 1, 0); });
	expect_ordered(BYTES, [](Memory &memory) { return copy_job(memory, FLOATS - 1, 0); });
}

TEST(Pieces, FillsElements)
{
	for (uint32_t width : {1u, 2u, 4u}) {
		expect_same(FLOATS * sizeof(float) / width, [&](Memory &memory) {
			fw::Job job;
			job.packet.opcode = UNPU_OP_FILL;
			job.packet.fill.bytes = FLOATS * sizeof(float);
			job.packet.fill.width = width;
			job.packet.fill.pattern = 0x01020304;
			job.operands = {memory.at(5), nullptr, nullptr, nullptr};
			return job;
		});
	}
}

fw::Job row_job(Memory &memory, unsigned to, unsigned left, unsigned right, uint32_t variant)
{
	fw::Job job;
	job.packet.opcode = UNPU_OP_ROW;
	job.packet.variant = static_cast<uint16_t>(UNPU_OPERATOR_MUL | variant);
	job.packet.row.count = FLOATS;
	job.operands = {memory.at(to), memory.at(left), memory.at(right), nullptr};
	return job;
}

TEST(Pieces, CalculatesRows)
{
	for (uint32_t variant : {0u, uint32_t{UNPU_ROW_LEFT_ONE}, uint32_t{UNPU_ROW_RIGHT_ONE}})
		expect_same(FLOATS, [&](Memory &memory) {
			return row_job(memory, 0, FLOATS, 2 * FLOATS, variant);
		});
	expect_same(FLOATS, [](Memory &memory) { return row_job(memory, 0, 0, FLOATS, 0); });
	expect_ordered(FLOATS, [](Memory &memory) { return row_job(memory, 1, 0, 2 * FLOATS, 0); });
}

/* The operand of one element lies in the target: every piece uses the value from before the work. */
TEST(Pieces, CaptureTheOneElementOfARow)
{
	for (uint32_t variant : {uint32_t{UNPU_ROW_LEFT_ONE}, uint32_t{UNPU_ROW_RIGHT_ONE}}) {
		Memory memory;
		const float one = memory.floats()[77];
		const unsigned left = variant == UNPU_ROW_LEFT_ONE ? 77 : FLOATS;
		fw::Job job = row_job(memory, 0, left, FLOATS + 77 - left, variant);
		fw::opcode_row(job.packet.opcode).work->capture(job);
		EXPECT_FALSE(fw::cut_of(job).is_ordered);
		run_pieces(job, FLOATS);
		for (unsigned i = 0; i < FLOATS; i++)
			ASSERT_EQ(memory.floats()[i], memory.floats()[FLOATS + i] * one) << i;
	}
}

/* @stride: of the target's rows, in elements */
fw::Job operator_job(Memory &memory, unsigned to, unsigned left, int64_t rows, int64_t stride)
{
	fw::Job job;
	job.packet.opcode = UNPU_OP_OPERATOR;
	job.op.kind = UNPU_OPERATOR_ADD;
	job.op.compute = UNPU_DTYPE_F32;
	job.op.ndim = 3;
	job.op.noperands = 3;
	job.op.scalar_bits = std::bit_cast<uint64_t>(1.1);
	const int64_t columns = FLOATS / rows;
	job.op.dims[0] = 1;
	job.op.dims[1] = rows;
	job.op.dims[2] = columns;
	const unsigned places[] = {to, left, 3 * FLOATS};
	for (unsigned i = 0; i < 3; i++) {
		unpu_operand &operand = job.op.operands[i];
		operand.address = 0x100000 + places[i] * sizeof(float);
		operand.dtype = UNPU_DTYPE_F32;
		operand.access = i ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE;
		operand.strides[1] = i == 2 ? 0 : stride;
		operand.strides[2] = 1;
		job.operands[i] = memory.at(places[i]);
	}
	return job;
}

TEST(Pieces, CutsOperatorsAlongTheOutermostDimension)
{
	expect_same(ROWS, [](Memory &memory) {
		return operator_job(memory, 0, 2 * FLOATS, ROWS, COLUMNS);
	});
	/* In place, and from the last row to the first. */
	expect_same(ROWS, [](Memory &memory) { return operator_job(memory, 0, 0, ROWS, COLUMNS); });
	expect_same(ROWS, [](Memory &memory) {
		return operator_job(memory, FLOATS, 3 * FLOATS - COLUMNS, ROWS, -COLUMNS);
	});
	expect_ordered(ROWS, [](Memory &of) { return operator_job(of, 16, 0, ROWS, COLUMNS); });
	expect_ordered(ROWS, [](Memory &of) { return operator_job(of, 0, 2 * FLOATS, ROWS, 1); });
	Memory memory;
	fw::Job indirect = operator_job(memory, 0, 2 * FLOATS, ROWS, COLUMNS);
	indirect.op.kind = UNPU_OPERATOR_COPY_INDIRECT;
	EXPECT_EQ(fw::cut_of(indirect).units, 0u);
}

/* Bytes of all kinds: infinite numbers, denormal ones and none. */
std::vector<std::byte> any_bytes(size_t count)
{
	std::mt19937 random(11);
	std::vector<std::byte> bytes(count);
	for (std::byte &byte : bytes)
		byte = static_cast<std::byte>(random());
	return bytes;
}

/* Rows of an odd length, far enough apart; the right operand has one row for all. */
fw::Job typed_job(std::vector<std::byte> &memory, uint32_t kind, uint32_t dtype, uint32_t compute)
{
	constexpr int64_t LENGTH = 37;
	constexpr int64_t APART = 41;
	fw::Job job;
	job.packet.opcode = UNPU_OP_OPERATOR;
	job.op.kind = kind;
	job.op.compute = kind == UNPU_OPERATOR_COPY ? 0 : compute;
	job.op.ndim = 2;
	job.op.noperands = kind == UNPU_OPERATOR_COPY ? 2 : 3;
	if (kind == UNPU_OPERATOR_ADD)
		job.op.scalar_bits = compute == UNPU_DTYPE_F32 ? std::bit_cast<uint64_t>(1.1) : 3;
	job.op.dims[0] = ROWS;
	job.op.dims[1] = LENGTH;
	for (uint32_t i = 0; i < job.op.noperands; i++) {
		const uint64_t place = i * ROWS * APART * sizeof(uint64_t);
		unpu_operand &operand = job.op.operands[i];
		operand.address = 0x100000 + place;
		operand.dtype = dtype;
		operand.access = i ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE;
		operand.strides[0] = i == 2 ? 0 : APART;
		operand.strides[1] = 1;
		job.operands[i] = memory.data() + place;
	}
	return job;
}

TEST(Pieces, HaveTheBitsOfTheWholeWhateverTheTypes)
{
	const std::vector<std::byte> before = any_bytes(3 * ROWS * 41 * sizeof(uint64_t));
	for (uint32_t kind : {UNPU_OPERATOR_ADD, UNPU_OPERATOR_MUL, UNPU_OPERATOR_MAX,
			      UNPU_OPERATOR_MIN, UNPU_OPERATOR_COPY}) {
		for (uint32_t dtype = UNPU_DTYPE_F32; dtype <= UNPU_DTYPE_BOOL; dtype++) {
			for (uint32_t compute : {UNPU_DTYPE_F32, UNPU_DTYPE_I64, UNPU_DTYPE_BOOL}) {
				std::vector<std::byte> whole = before;
				std::vector<std::byte> pieces = before;
				run_whole(typed_job(whole, kind, dtype, compute));
				const fw::Job job = typed_job(pieces, kind, dtype, compute);
				ASSERT_EQ(fw::cut_of(job).units, uint64_t{ROWS});
				run_pieces(job, ROWS);
				EXPECT_EQ(whole, pieces)
					<< "kind " << kind << ", type " << dtype << ", " << compute;
			}
		}
	}
}

/* A long operator along one dimension, done by several engines: every element, once, and no other. */
std::unique_ptr<fw::Job> long_job(std::vector<float> &memory, int64_t count)
{
	auto job = std::make_unique<fw::Job>();
	job->packet.opcode = UNPU_OP_OPERATOR;
	job->packet.flags = UNPU_PACKET_OVERFLOW_FAILS;
	job->bytes = static_cast<uint64_t>(count) * sizeof(float);
	job->op.kind = UNPU_OPERATOR_ADD;
	job->op.compute = UNPU_DTYPE_F32;
	job->op.ndim = 1;
	job->op.noperands = 3;
	job->op.scalar_bits = std::bit_cast<uint64_t>(1.0);
	job->op.dims[0] = count;
	for (unsigned i = 0; i < 3; i++) {
		unpu_operand &operand = job->op.operands[i];
		operand.address = 0x100000;
		operand.dtype = UNPU_DTYPE_F32;
		operand.access = i ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE;
		operand.strides[0] = 1;
		job->operands[i] = reinterpret_cast<std::byte *>(memory.data());
	}
	return job;
}

/* Two rows that are far longer than a piece: pieces are parts of them. */
TEST(Pieces, CutLongRowsOfAnOperator)
{
	constexpr int64_t COLUMNS_MANY = (int64_t{3} << 18) + 5;
	std::vector<float> memory(2 * COLUMNS_MANY);
	for (size_t i = 0; i < memory.size(); i++)
		memory[i] = static_cast<float>(i % 4096);
	auto job = long_job(memory, 2);
	job->op.ndim = 2;
	job->op.dims[1] = COLUMNS_MANY;
	for (unsigned i = 0; i < 3; i++) {
		job->op.operands[i].strides[0] = COLUMNS_MANY;
		job->op.operands[i].strides[1] = 1;
	}
	ASSERT_EQ(fw::cut_of(*job).units, uint64_t{2 * COLUMNS_MANY});
	EXPECT_FALSE(fw::cut_of(*job).is_ordered);
	run_pieces(*job, 2 * COLUMNS_MANY);
	for (size_t i = 0; i < memory.size(); i++)
		ASSERT_EQ(memory[i], static_cast<float>(2 * (i % 4096))) << i;
}

base::Status run_on_engines(std::unique_ptr<fw::Job> job)
{
	const std::unique_ptr<fw::Engines, fw::Stop> engines(new fw::Engines(3, [] {}));
	engines->submit(std::move(job));
	while (!engines->finished())
		sched_yield();
	return engines->take_finished()->status;
}

TEST(Pieces, OfAnOperatorAreDoneByEnginesInPlace)
{
	constexpr int64_t COUNT = (int64_t{5} << 20) / 2 + 13;
	std::vector<float> memory(COUNT + 1);
	for (size_t i = 0; i < memory.size(); i++)
		memory[i] = static_cast<float>(i % 4096);
	EXPECT_EQ(run_on_engines(long_job(memory, COUNT)), base::Status::OK);
	for (size_t i = 0; i < COUNT; i++)
		ASSERT_EQ(memory[i], static_cast<float>(2 * (i % 4096))) << i;
	EXPECT_EQ(memory[COUNT], static_cast<float>(COUNT % 4096));
	/* Whichever piece it is in. */
	memory[COUNT / 2] = 3e38f;
	EXPECT_EQ(run_on_engines(long_job(memory, COUNT)), base::Status::OVERFLOW);
}

/* Waits for the next job that ends. Return: its cookie. */
uint64_t await_job(fw::Engines &engines)
{
	while (!engines.finished())
		sched_yield();
	return engines.take_finished()->packet.cookie;
}

std::unique_ptr<fw::Job> overlapping_copy(std::vector<std::byte> &memory, const void *client_queue,
					  uint64_t bytes)
{
	auto job = std::make_unique<fw::Job>();
	job->packet.opcode = UNPU_OP_COPY;
	job->packet.cookie = bytes;
	job->packet.copy.bytes = bytes;
	job->operands = {memory.data() + 4096, memory.data(), nullptr, nullptr};
	job->bytes = bytes;
	job->client_queue = client_queue;
	return job;
}

/* One client has work on every engine whose order matters. Another one waits for a piece of it alone. The engines
 * are held until all work is there: on a busy machine a copy may else end before the next one is submitted. */
TEST(Pieces, OfOrderedCopiesLetOthersRunBetweenThem)
{
	constexpr uint64_t LONG = uint64_t{64} << 20;
	constexpr uint64_t SHORT = uint64_t{2} << 20;
	const std::unique_ptr<fw::Engines, fw::Stop> engines(new fw::Engines(2, [] {}));
	std::vector<std::byte> one(LONG + 4096), two(LONG + 4096), other(SHORT + 4096);
	std::atomic<bool> is_open{false};
	for (int engine = 0; engine < 2; engine++) {
		auto gate = std::make_unique<fw::Job>();
		gate->work = [&is_open] {
			while (!is_open.load())
				sched_yield();
		};
		gate->client_queue = &is_open;
		engines->submit(std::move(gate));
	}
	engines->submit(overlapping_copy(one, &one, LONG));
	engines->submit(overlapping_copy(two, &one, LONG));
	engines->submit(overlapping_copy(other, &other, SHORT));
	is_open = true;
	uint64_t short_start_ns = 0;
	uint64_t long_end_ns = UINT64_MAX;
	for (int jobs = 0; jobs < 5; jobs++) {
		while (!engines->finished())
			sched_yield();
		const std::unique_ptr<fw::Job> job = engines->take_finished();
		if (job->packet.cookie == SHORT)
			short_start_ns = job->start_ns;
		if (job->packet.cookie == LONG)
			long_end_ns = std::min(long_end_ns, job->end_ns);
	}
	EXPECT_LT(short_start_ns, long_end_ns);
}

TEST(Pieces, OfOrderedCopiesLeaveWhatMemmoveLeaves)
{
	constexpr uint64_t BYTES = (uint64_t{5} << 20) + 6;
	for (bool upward : {false, true}) {
		std::vector<std::byte> memory(BYTES + 4096);
		for (size_t i = 0; i < memory.size(); i++)
			memory[i] = static_cast<std::byte>(i * 131 >> 7);
		std::vector<std::byte> wanted = memory;
		memmove(wanted.data() + (upward ? 4096 : 0), wanted.data() + (upward ? 0 : 4096),
			BYTES);
		auto job = overlapping_copy(memory, nullptr, BYTES);
		if (!upward)
			std::swap(job->operands[0], job->operands[1]);
		EXPECT_EQ(run_on_engines(std::move(job)), base::Status::OK);
		EXPECT_TRUE(memory == wanted) << upward;
	}
}

/* A job in steps gives others their turns between the steps, and is dropped between them. */
TEST(Pieces, AreStepsOfAJob)
{
	const std::unique_ptr<fw::Engines, fw::Stop> engines(new fw::Engines(1, [] {}));
	int left = 100, other = 0;
	auto steps = std::make_unique<fw::Job>();
	steps->packet.cookie = 1;
	steps->client_queue = &left;
	steps->step = [&left] { return --left != 0; };
	engines->submit(std::move(steps));
	auto whole = std::make_unique<fw::Job>();
	whole->packet.cookie = 2;
	whole->client_queue = &other;
	whole->work = [&other] { other++; };
	engines->submit(std::move(whole));
	EXPECT_EQ(await_job(*engines) + await_job(*engines), 3u);
	EXPECT_EQ(left, 0);
	EXPECT_EQ(other, 1);
	std::atomic<int> done{0};
	auto endless = std::make_unique<fw::Job>();
	endless->client_queue = &left;
	endless->step = [&done] { return ++done != 0; };
	engines->submit(std::move(endless));
	while (done < 10)
		sched_yield();
	EXPECT_TRUE(engines->drop_client(&left).size() <= 1);
	while (engines->running())
		sched_yield();
	EXPECT_FALSE(engines->works_for(&left));
}

TEST(Pieces, OfAFillAreDoneByEngines)
{
	constexpr uint64_t BYTES = (uint64_t{5} << 20) + 6;
	std::vector<uint16_t> memory(BYTES / 2 + 1, 7);
	auto job = std::make_unique<fw::Job>();
	job->packet.opcode = UNPU_OP_FILL;
	job->packet.fill.bytes = BYTES;
	job->packet.fill.width = 2;
	job->packet.fill.pattern = 0x1234;
	job->bytes = BYTES;
	job->operands[0] = reinterpret_cast<std::byte *>(memory.data());
	EXPECT_EQ(run_on_engines(std::move(job)), base::Status::OK);
	for (size_t i = 0; i < BYTES / 2; i++)
		ASSERT_EQ(memory[i], 0x1234) << i;
	EXPECT_EQ(memory[BYTES / 2], 7);
}

/* A client with little work waits for one piece of each other client, and those are the smaller the more
 * clients there are. */
TEST(Pieces, OfManyClientsAreSmall)
{
	constexpr unsigned CLIENTS = 64;
	std::vector<std::vector<uint8_t>> filled(CLIENTS, std::vector<uint8_t>(fw::PIECE_BYTES));
	std::atomic<bool> all_wait{false};
	uint64_t before = 0; /* bytes that are done when the last client has its turn */
	fw::Engines engines(1, [] {});
	const auto submit = [&](const void *client_queue, std::function<void()> work) {
		auto job = std::make_unique<fw::Job>();
		job->client_queue = client_queue;
		job->work = std::move(work);
		engines.submit(std::move(job));
	};
	submit(&engines, [&] {
		while (!all_wait)
			sched_yield();
	});
	for (std::vector<uint8_t> &memory : filled) {
		auto job = std::make_unique<fw::Job>();
		job->client_queue = &memory;
		job->packet.opcode = UNPU_OP_FILL;
		job->packet.fill.bytes = memory.size();
		job->packet.fill.width = 1;
		job->packet.fill.pattern = 1;
		job->operands[0] = reinterpret_cast<std::byte *>(memory.data());
		job->bytes = memory.size();
		engines.submit(std::move(job));
	}
	submit(&before, [&] {
		for (const std::vector<uint8_t> &memory : filled)
			before += static_cast<uint64_t>(
				std::count(memory.begin(), memory.end(), uint8_t{1}));
	});
	all_wait = true;
	for (unsigned left = CLIENTS + 2; left != 0;) {
		if (engines.take_finished())
			left--;
		else
			sched_yield();
	}
	/* The first few were not cut: few others had work when they came. */
	EXPECT_LE(before, 2 * fw::ROUND_BYTES + fw::PIECE_BYTES);
	for (const std::vector<uint8_t> &memory : filled)
		EXPECT_EQ(std::count(memory.begin(), memory.end(), uint8_t{1}), memory.size());
	EXPECT_TRUE(engines.stop());
}

} // namespace
