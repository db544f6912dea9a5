// SPDX-License-Identifier: MIT
/*
 * DOC: Descriptors of tensor operators, tested
 *
 * Descriptors with one wrong field are refused, and random changes of good ones are refused, or compute inside of
 * the memory that is mapped: pages around it can't be accessed.
 */
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include <sys/mman.h>

#include "base/os/shm.h"
#include "firmware_sim/tensor/operator_library.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "tests/common/good_operators.h"

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
		data = segment->memory.as<std::byte>();
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
		return op.run(0, op.units(), {address, index});
	}

	std::vector<std::byte> bytes() const { return {data, data + BYTES}; }

	std::byte *data = nullptr;
	uint64_t address = 0, index = 0; /* the last bad index */
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

/* Strides of a view without elements may be any number. UndefinedBehaviorSanitizer sees arithmetic with them. */
TEST(TensorDescriptor, ComputesNoPlaceInAViewWithoutElements)
{
	Memory memory;
	for (const int64_t stride : {int64_t{1}, INT64_MAX, INT64_MIN}) {
		std::fill_n(memory.data, 16, std::byte{1});
		tensor_words::Builder builder(UNPU_TENSOR_REDUCE_SUM, UNPU_DTYPE_F32);
		builder.operand(0, UNPU_ACCESS_WRITE, UNPU_DTYPE_F32, VA, {4, 1}, {1, 0})
			.operand(1, UNPU_ACCESS_READ, UNPU_DTYPE_F32, 0, {4, 0}, {stride, stride});
		EXPECT_EQ(memory.run(builder.words()), Status::OK);
		const std::vector<std::byte> bytes = memory.bytes();
		EXPECT_EQ(std::count(bytes.begin(), bytes.begin() + 16, std::byte{0}), 16);
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

TEST(TensorDescriptor, IsGoodForEachKind)
{
	Memory memory;
	unsigned kinds = 0;
	std::vector<bool> seen(256);
	for (const tensor_words::Good &good : tensor_words::good_operators()) {
		tensor_words::prepare(good, memory.data);
		EXPECT_EQ(memory.run(tensor_words::words_of(good, VA)), Status::OK) << good.name;
		EXPECT_GT(memory.op.units(), 0u) << good.name;
		kinds += !seen[good.kind];
		seen[good.kind] = true;
	}
#define COUNT(name, number, slots, attributes) +1
	EXPECT_EQ(kinds, unsigned{0 UNPU_TENSOR_LIST(COUNT)});
#undef COUNT
}

/* good_with_indices() - a kind with a slot in which indices say which elements are accessed, and the operand that
 * has the indices; 0: an attribute has them. */
struct GoodWithIndices {
	tensor_words::Good good;
	size_t indices;
};

std::vector<GoodWithIndices> good_with_indices()
{
	std::vector<GoodWithIndices> all;
	for (const tensor_words::Good &good : tensor_words::good_operators()) {
		if (!std::strpbrk(tensor_words::slots_of(good.kind), "pq"))
			continue;
		switch (good.kind) {
		case UNPU_TENSOR_GATHER:
		case UNPU_TENSOR_GATHER_ELEMENTS:
		case UNPU_TENSOR_GATHER_ND:
		case UNPU_TENSOR_SCATTER:
		case UNPU_TENSOR_SCATTER_ND:
			all.push_back({good, 2});
			break;
		case UNPU_TENSOR_MASKED_FILL:
		case UNPU_TENSOR_AIPP:
			break; /* A mask is no index, nor are steps. */
		case UNPU_TENSOR_INDEX_COPY:
			all.push_back({good, 1});
			break;
		case UNPU_TENSOR_INDEX_FILL:
			all.push_back({good, 0});
			break;
		default:
			ADD_FAILURE() << good.name << ": which of its operands has the indices?";
		}
	}
	return all;
}

/* store_indices() - valid ones, of which the second one is @bad. */
void store_indices(std::byte *to, uint32_t dtype, int64_t bad)
{
	const int64_t indices[] = {1, bad, -1};
	for (size_t i = 0; i < 3; i++) {
		const auto narrow = static_cast<int32_t>(indices[i]);
		if (dtype == UNPU_DTYPE_I64)
			std::memcpy(to + 8 * i, &indices[i], 8);
		else
			std::memcpy(to + 4 * i, &narrow, 4);
	}
}

void expect_bad_index(Memory &memory, const GoodWithIndices &kind, int64_t bad)
{
	SCOPED_TRACE(kind.good.name + (" " + std::to_string(bad)));
	const uint32_t dtype = kind.good.types[0].second;
	const size_t begin = 512 * kind.indices;
	for (size_t i = 0; i < BYTES; i++)
		memory.data[i] = static_cast<std::byte>(i % 251);
	store_indices(memory.data + begin, dtype, bad);
	std::vector<std::byte> before = memory.bytes();
	EXPECT_EQ(memory.run(tensor_words::words_of(kind.good, VA)), Status::BAD_INDEX);
	EXPECT_EQ(memory.address, VA + begin + (dtype == UNPU_DTYPE_I64 ? 8 : 4));
	std::vector<std::byte> after = memory.bytes();
	/* The result of a gather has up to 3 rows of 6 floats; a copy by indices changes nothing. */
	const bool is_gather = tensor_words::slots_of(kind.good.kind)[0] == 'w';
	const size_t changed = is_gather ? 3 * 6 * sizeof(float) : 0;
	std::fill_n(before.begin(), changed, std::byte{0});
	std::fill_n(after.begin(), changed, std::byte{0});
	EXPECT_EQ(after, before);
}

/* Each kind with a partial slot is in the table, so that a new one gets a test. */
TEST(TensorDescriptor, ChecksTheIndicesOfEachKindThatHasThem)
{
	Memory memory;
	for (GoodWithIndices &kind : good_with_indices()) {
		for (const int64_t bad : {int64_t{4}, int64_t{-5}, int64_t{INT32_MAX},
					  int64_t{INT32_MIN}, INT64_MAX, INT64_MIN}) {
			if (kind.indices == 0) {
				kind.good.attributes[0][1] = static_cast<uint64_t>(bad);
				const std::vector<std::byte> before = memory.bytes();
				EXPECT_EQ(memory.run(tensor_words::words_of(kind.good, VA)),
					  Status::BAD_OPERATOR);
				EXPECT_EQ(memory.bytes(), before);
			} else if (kind.good.types[0].second == UNPU_DTYPE_I64 ||
				   static_cast<int32_t>(bad) == bad) {
				expect_bad_index(memory, kind, bad);
			}
		}
	}
}

TEST(TensorDescriptor, NeverLeavesItsMemory)
{
	Memory memory;
	std::mt19937_64 random(20261124);
	const char *wanted = std::getenv("UNPU_CASES");
	const unsigned cases = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 300;
	unsigned ran = 0;
	for (const tensor_words::Good &good : tensor_words::good_operators()) {
		for (unsigned i = 0; i < cases; i++) {
			tensor_words::prepare(good, memory.data);
			Words words = tensor_words::words_of(good, VA);
			change(random, words);
			ran += memory.run(words) == Status::OK;
		}
	}
	EXPECT_GT(ran, cases);
}

} // namespace
