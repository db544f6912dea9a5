// SPDX-License-Identifier: MIT
/*
 * DOC: Jobs in pieces, tested
 *
 * Any cut of a job leaves the memory that the job as a whole does, in whatever order the pieces run;
 * what depends on the order is not cut.
 */
#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include <sched.h>

#include <gtest/gtest.h>

#include "firmware_sim/device/core.h"
#include "firmware_sim/engine/engine.h"
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
		EXPECT_EQ(fw::run_units(job, cuts[i], cuts[i + 1] - cuts[i]), base::Status::OK);
	}
}

/* @make: a job on the memory it is given */
template <class Make> void expect_same(uint64_t units, const Make &make)
{
	Memory whole;
	Memory pieces;
	run_whole(make(whole));
	fw::Job job = make(pieces);
	ASSERT_EQ(fw::piece_units(job), units);
	run_pieces(job, units);
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
	Memory memory;
	EXPECT_EQ(fw::piece_units(copy_job(memory, 0, FLOATS - 1)), 0u);
	EXPECT_EQ(fw::piece_units(copy_job(memory, 1, 0)), 0u);
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
	Memory memory;
	EXPECT_EQ(fw::piece_units(row_job(memory, 1, 0, 2 * FLOATS, 0)), 0u);
	EXPECT_EQ(fw::piece_units(row_job(memory, 0, 0, FLOATS, UNPU_ROW_LEFT_ONE)), 0u);
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
	Memory memory;
	EXPECT_EQ(fw::piece_units(operator_job(memory, 16, 0, ROWS, COLUMNS)), 0u);
	EXPECT_EQ(fw::piece_units(operator_job(memory, 0, 2 * FLOATS, ROWS, 1)), 0u);
	fw::Job indirect = operator_job(memory, 0, 2 * FLOATS, ROWS, COLUMNS);
	indirect.op.kind = UNPU_OPERATOR_COPY_INDIRECT;
	EXPECT_EQ(fw::piece_units(indirect), 0u);
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
		for (uint32_t dtype = UNPU_DTYPE_F32; fw::dtype_bytes(dtype); dtype++) {
			for (uint32_t compute : {UNPU_DTYPE_F32, UNPU_DTYPE_I64, UNPU_DTYPE_BOOL}) {
				std::vector<std::byte> whole = before;
				std::vector<std::byte> pieces = before;
				run_whole(typed_job(whole, kind, dtype, compute));
				const fw::Job job = typed_job(pieces, kind, dtype, compute);
				ASSERT_EQ(fw::piece_units(job), uint64_t{ROWS});
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

} // namespace
