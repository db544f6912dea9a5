// SPDX-License-Identifier: MIT
/*
 * DOC: random numbers, tested
 *
 * The generator against published results, and descriptors with one wrong field.
 */
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/kernels/random.h"

namespace {

using Block = std::array<uint32_t, 4>;

unpu_operator uniform(uint32_t dtype)
{
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_RANDOM;
	op.compute = dtype;
	op.noperands = 2;
	op.parameters[0] = UNPU_RANDOM_UNIFORM;
	op.operands[0] = {0x1000, dtype, UNPU_ACCESS_WRITE, {}};
	op.operands[1] = {0x2000, UNPU_DTYPE_I64, UNPU_ACCESS_MASK, {}};
	return op;
}

bool refuses(const unpu_operator &op)
{
	return fw::check_operator(op) == base::Status::BAD_OPERATOR;
}

TEST(Random, GivesThePublishedAnswers)
{
	EXPECT_EQ(fw::random_block(0, 0, 0),
		  (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
	EXPECT_EQ(fw::random_block(UINT64_MAX, UINT64_MAX, UINT64_MAX),
		  (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
	EXPECT_EQ(fw::random_block(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
		  (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, CounterCarriesIntoItsHighWord)
{
	uint64_t counter[2] = {UINT64_MAX, 7};
	uint32_t result[8] = {};
	unpu_operator op;

	ASSERT_EQ(fw::draw_output(uniform(UNPU_DTYPE_I32), {0, UINT32_MAX, 5, 8}, op),
		  base::Status::OK);
	fw::take_blocks(op, reinterpret_cast<std::byte *>(counter));
	EXPECT_EQ(counter[0], 1u);
	EXPECT_EQ(counter[1], 8u);
	fw::run_random(op, reinterpret_cast<std::byte *>(result), 0, 1);
	const Block first = fw::random_block(5, UINT64_MAX, 7);
	const Block second = fw::random_block(5, 0, 8);
	for (unsigned i = 0; i < 4; i++) {
		EXPECT_NEAR(result[i], first[i], 1.0);
		EXPECT_NEAR(result[4 + i], second[i], 1.0);
	}
}

/* Threads draw the units in any order. */
TEST(Random, UnitsMakeTheWhole)
{
	constexpr uint64_t COUNT = 3 * fw::RANDOM_UNIT + 77;
	for (uint64_t distribution :
	     {UNPU_RANDOM_UNIFORM, UNPU_RANDOM_NORMAL, UNPU_RANDOM_TRUNCATED, UNPU_RANDOM_MASK}) {
		const bool mask = distribution == UNPU_RANDOM_MASK;
		unpu_operator wanted = uniform(mask ? UNPU_DTYPE_U8 : UNPU_DTYPE_F32);
		wanted.parameters[0] = distribution;
		wanted.compute = UNPU_DTYPE_F32;
		unpu_operator op;
		const auto half = std::bit_cast<uint32_t>(0.5f);
		const auto one = std::bit_cast<uint32_t>(1.0f);
		ASSERT_EQ(fw::draw_output(wanted, {half, one, 5, COUNT}, op), base::Status::OK);
		uint64_t counter[2] = {9, 0};
		fw::take_blocks(op, reinterpret_cast<std::byte *>(counter));
		const uint64_t units = fw::random_units(op);
		EXPECT_EQ(units, 4u);
		std::vector<float> whole(COUNT), pieces(COUNT);
		fw::run_random(op, reinterpret_cast<std::byte *>(whole.data()), 0, units);
		for (uint64_t unit : {2, 0, 3, 1})
			fw::run_random(op, reinterpret_cast<std::byte *>(pieces.data()), unit, 1);
		EXPECT_EQ(whole, pieces) << distribution;
		EXPECT_NE(whole, std::vector<float>(COUNT));
	}
}

TEST(Random, ADescriptorIsRefusedForEachWrongField)
{
	const unpu_operator good = uniform(UNPU_DTYPE_F32);
	const auto wrong = [&](auto &&change) {
		unpu_operator op = good;
		change(op);
		return refuses(op);
	};

	EXPECT_FALSE(refuses(good));
	EXPECT_FALSE(refuses(uniform(UNPU_DTYPE_I64)));
	EXPECT_TRUE(refuses(uniform(UNPU_DTYPE_I8)));
	EXPECT_TRUE(wrong([](auto &op) { op.parameters[0] = 4; }));
	EXPECT_TRUE(wrong([](auto &op) { op.parameters[0] = UNPU_RANDOM_MASK; })) << "a mask is U8";
	EXPECT_TRUE(wrong([](auto &op) {
		op.parameters[0] = UNPU_RANDOM_NORMAL;
		op.compute = op.operands[0].dtype = UNPU_DTYPE_I32;
	})) << "whole numbers are not normal";
	EXPECT_TRUE(wrong([](auto &op) { op.ndim = 1; }));
	EXPECT_TRUE(wrong([](auto &op) { op.scalar_bits = 1; }));
	EXPECT_TRUE(wrong([](auto &op) { op.compute = UNPU_DTYPE_F16; }));
	EXPECT_TRUE(wrong([](auto &op) { op.noperands = 1; }));
	EXPECT_TRUE(wrong([](auto &op) { op.operands[0].strides[0] = 1; }));
	EXPECT_TRUE(wrong([](auto &op) { op.operands[0].access = UNPU_ACCESS_READ; }));
	EXPECT_TRUE(wrong([](auto &op) { op.operands[1].access = UNPU_ACCESS_READ; }));
	EXPECT_TRUE(wrong([](auto &op) { op.operands[1].address = 0x2004; }));
	EXPECT_TRUE(wrong([](auto &op) { op.operands[1].dtype = UNPU_DTYPE_I32; }));
}

TEST(Random, SizesPastTheAddressSpaceAreRefused)
{
	unpu_operator op;

	EXPECT_EQ(fw::draw_output(uniform(UNPU_DTYPE_F32), {0, 0, 0, UINT64_MAX}, op),
		  base::Status::BAD_OPERATOR);
}

} // namespace
