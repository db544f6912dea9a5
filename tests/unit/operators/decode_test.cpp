// SPDX-License-Identifier: MIT
/*
 * DOC: Descriptors of tensor operators, tested
 *
 * Descriptors with one wrong field are refused, and random changes of good ones are refused, or compute inside of
 * the memory that is mapped: pages around it can't be accessed.
 */
#include <gtest/gtest.h>

#include <random>

#include <sys/mman.h>

#include "base/os/shm.h"
#include "firmware_sim/tensor/library.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "tests/common/tensor_words.h"

namespace {

using base::Status;
using Words = std::vector<uint64_t>;

constexpr uint64_t VA = uint64_t{1} << 32;
constexpr uint64_t BYTES = 64 << 10;

/* class Memory - mapped device memory between pages without access. */
class Memory {
public:
	Memory()
	{
		std::byte *around = static_cast<std::byte *>(
			mmap(nullptr, 3 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
		auto file = base::create_sealed("unit", BYTES, UNPU_PAGE_4K);
		auto memory = base::map_shared(file->fd, BYTES, true, UNPU_PAGE_4K, around + BYTES);
		auto segment = std::make_shared<fw::Segment>();
		segment->memory = memory.take();
		segment->data = segment->memory.data();
		segment->bytes = BYTES;
		segment->fd = std::move(file->fd);
		EXPECT_EQ(mmu.map(VA, BYTES, segment, 0, UNPU_ACCESS_READ | UNPU_ACCESS_WRITE),
			  Status::OK);
	}

	/* run() - decodes and runs a descriptor. Return: the status of the step that refused it. */
	Status run(const Words &words)
	{
		const Status status = op.decode(words);
		if (status != Status::OK)
			return status;
		const fw::Translation placed = op.place(mmu);
		if (placed.status != Status::OK)
			return placed.status;
		/* A view may repeat elements without end; a test has less patience than a device. */
		if (op.units() > 64)
			return Status::OK;
		uint64_t address = 0;
		return op.run(0, op.units(), address);
	}

	fw::Mmu mmu;
	fw::TensorOp op;
};

TEST(TensorDescriptor, RunsInMappedMemory)
{
	Memory memory;
	ASSERT_TRUE(fw::load_kernels());
	EXPECT_EQ(memory.run(tensor_words::sub(VA, UNPU_DTYPE_F32)), Status::OK);
	EXPECT_TRUE(memory.op.can_be_cut());
	EXPECT_EQ(memory.run(tensor_words::sub(VA + BYTES, UNPU_DTYPE_F32)), Status::MMU_FAULT);
	EXPECT_EQ(memory.run(tensor_words::sub(VA + BYTES - 1024, UNPU_DTYPE_F32)),
		  Status::MMU_FAULT);
}

/* sub_of() - a subtraction of which one operand has a view of the test's choice. */
Words sub_of(unsigned slot, uint64_t address, const std::vector<int64_t> &strides,
	     const std::vector<int64_t> &dims = {4, 6})
{
	tensor_words::Builder builder(UNPU_TENSOR_SUB, UNPU_DTYPE_F32);
	builder.scalar(2);
	for (unsigned s = 0; s < 3; s++) {
		const bool is_chosen = s == slot;
		builder.operand(s, s ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE, UNPU_DTYPE_F32,
				is_chosen ? address : VA + 1024 * s,
				is_chosen ? dims : std::vector<int64_t>{4, 6},
				is_chosen ? strides : std::vector<int64_t>{6, 1});
	}
	return builder.words();
}

TEST(TensorDescriptor, RefusesReachesThatLeaveTheAddressSpace)
{
	Memory memory;
	constexpr int64_t MOST = INT64_MAX, LEAST = INT64_MIN;
	for (unsigned slot = 0; slot < 3; slot++) {
		EXPECT_EQ(memory.run(sub_of(slot, VA, {MOST, 1})), Status::BAD_OPERATOR);
		EXPECT_EQ(memory.run(sub_of(slot, VA, {MOST, MOST})), Status::BAD_OPERATOR);
		EXPECT_EQ(memory.run(sub_of(slot, VA, {LEAST, 1})), Status::BAD_OPERATOR);
		EXPECT_EQ(memory.run(sub_of(slot, VA, {-(int64_t{1} << 31), 1})),
			  Status::BAD_OPERATOR);
		EXPECT_EQ(memory.run(sub_of(slot, UINT64_MAX - 8, {6, 1})), Status::BAD_OPERATOR);
		EXPECT_EQ(memory.run(sub_of(slot, 0, {6, 1})), Status::MMU_FAULT);
		EXPECT_EQ(memory.run(sub_of(slot, VA + 60, {-6, 1})), Status::MMU_FAULT);
	}
}

TEST(TensorDescriptor, RefusesResultsThatShareElements)
{
	Memory memory;
	EXPECT_EQ(memory.run(sub_of(0, VA, {0, 1})), Status::BAD_OPERATOR);
	EXPECT_EQ(memory.run(sub_of(0, VA, {1, 1})), Status::BAD_OPERATOR);
	EXPECT_EQ(memory.run(sub_of(1, VA, {0, 0})), Status::OK);
}

/* A row of one element, repeated without end: no engine would ever come back from it. */
TEST(TensorDescriptor, RefusesUnitsWithoutEnd)
{
	Memory memory;
	ASSERT_TRUE(fw::load_kernels());
	for (const uint32_t kind : {UNPU_TENSOR_REDUCE_SUM, UNPU_TENSOR_ARGMAX, UNPU_TENSOR_NORM}) {
		for (const unsigned log : {20, 34, 40, 61, 62}) {
			tensor_words::Builder builder(kind, UNPU_DTYPE_F32);
			if (kind == UNPU_TENSOR_NORM)
				builder.scalar(2);
			builder.operand(0, UNPU_ACCESS_WRITE,
					kind == UNPU_TENSOR_ARGMAX ? UNPU_DTYPE_I64
								   : UNPU_DTYPE_F32,
					VA, {1}, {1});
			builder.operand(1, UNPU_ACCESS_READ, UNPU_DTYPE_F32, VA + 1024,
					{int64_t{1} << log}, {0});
			EXPECT_EQ(memory.op.decode(builder.words()),
				  log == 20 ? Status::OK : Status::BAD_OPERATOR)
				<< kind << " " << log;
		}
	}
}

TEST(TensorDescriptor, IsNotCutWhereAResultOverlapsAnOperand)
{
	Memory memory;
	EXPECT_EQ(memory.run(sub_of(1, VA, {6, 1})), Status::OK);
	EXPECT_TRUE(memory.op.can_be_cut());
	EXPECT_EQ(memory.run(sub_of(1, VA + 4, {6, 1})), Status::OK);
	EXPECT_FALSE(memory.op.can_be_cut());
}

TEST(TensorDescriptor, RefusesWrongHeads)
{
	Memory memory;
	const Words good = tensor_words::sub(VA, UNPU_DTYPE_F32);
	const auto with = [&](size_t byte, uint8_t value) {
		Words words = good;
		memcpy(reinterpret_cast<char *>(words.data()) + byte, &value, 1);
		return memory.run(words);
	};
	EXPECT_EQ(with(0, 255), Status::BAD_OPERATOR); /* kind */
	EXPECT_EQ(with(4, 200), Status::BAD_OPERATOR); /* compute */
	EXPECT_EQ(with(5, 0), Status::BAD_OPERATOR);   /* operands */
	EXPECT_EQ(with(5, 2), Status::BAD_OPERATOR);
	EXPECT_EQ(with(5, 17), Status::BAD_OPERATOR);
	EXPECT_EQ(with(6, 0), Status::BAD_OPERATOR); /* attributes */
	EXPECT_EQ(with(7, 1), Status::BAD_OPERATOR); /* reserved */
	EXPECT_EQ(with(8, 1), Status::BAD_OPERATOR); /* words of an attribute */
	EXPECT_EQ(with(9, 1), Status::BAD_OPERATOR);
	EXPECT_EQ(with(32 + 8, 1), Status::BAD_OPERATOR); /* slot of the first operand */
	EXPECT_EQ(with(32 + 9, 77), Status::BAD_OPERATOR);
	EXPECT_EQ(with(32 + 10, UNPU_ACCESS_READ), Status::BAD_OPERATOR);
	EXPECT_EQ(with(32 + 11, 9), Status::BAD_OPERATOR);
	EXPECT_EQ(with(32 + 12, 1), Status::BAD_OPERATOR);
	EXPECT_EQ(memory.run({}), Status::BAD_OPERATOR);
	for (size_t n = 0; n < good.size(); n++)
		EXPECT_EQ(memory.run(Words(good.begin(), good.begin() + static_cast<long>(n))),
			  Status::BAD_OPERATOR)
			<< n;
}

/* change() - changes bits, bytes or words of a descriptor. */
void change(std::mt19937_64 &random, Words &words)
{
	static constexpr uint64_t odd[] = {0,
					   1,
					   2,
					   3,
					   7,
					   8,
					   64,
					   UINT64_MAX,
					   INT64_MAX,
					   uint64_t{1} << 63,
					   VA,
					   VA + BYTES,
					   VA + BYTES - 4};
	for (unsigned changes = 1 + random() % 4; changes > 0; changes--) {
		uint64_t &word = words[random() % words.size()];
		switch (random() % 4) {
		case 0:
			word ^= uint64_t{1} << random() % 64;
			break;
		case 1:
			word = odd[random() % std::size(odd)];
			break;
		case 2:
			word += random() % 17 - 8;
			break;
		default:
			reinterpret_cast<uint8_t *>(&word)[random() % 8] =
				static_cast<uint8_t>(random() % 16);
			break;
		}
	}
}

TEST(TensorDescriptor, NeverLeavesItsMemory)
{
	static constexpr struct {
		uint32_t kind;
		const char *slots, *attributes;
	} kinds[] = {
#define KIND(name, number, slots, attributes) {number, slots, attributes},
		UNPU_TENSOR_LIST(KIND)
#undef KIND
	};
	Memory memory;
	std::mt19937_64 random(20261124);
	const char *wanted = std::getenv("UNPU_CASES");
	const unsigned cases = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 300;
	unsigned ran = 0;
	for (const auto &kind : kinds) {
		if (!fw::find_tensor_kernel(kind.kind))
			continue;
		for (unsigned i = 0; i < cases; i++) {
			Words words = i % 4 ? tensor_words::of_kind(kind.kind, kind.slots,
								    kind.attributes, VA)
					    : tensor_words::sub(VA, UNPU_DTYPE_F16);
			change(random, words);
			ran += memory.run(words) == Status::OK;
		}
	}
	EXPECT_GT(ran, 0u);
}

} // namespace
