// SPDX-License-Identifier: MIT
/*
 * DOC: Operator check, tested
 *
 * One wrong field at a time, then random words. Whatever a client writes into a descriptor, the
 * check must not crash, and each descriptor that it accepts must have a reach.
 */
#include <gtest/gtest.h>

#include "tests/unit/support/elementwise_reference.h"

namespace {

using namespace reference;

TEST(OperatorCheck, RefusesEachWrongField)
{
	const unpu_operator good =
		make_operator(UNPU_OPERATOR_ADD, UNPU_DTYPE_F32, {4, 6}, {1, 2, 3});
	const auto refuses = [&](auto &&change) {
		unpu_operator op = good;
		change(op);
		return fw::check_operator(op) == base::Status::BAD_OPERATOR;
	};

	EXPECT_EQ(fw::check_operator(good), base::Status::OK);
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].dtype = UNPU_DTYPE_F64; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].dtype = UNPU_DTYPE_U32; }));
	EXPECT_TRUE(refuses([](auto &op) { op.compute = UNPU_DTYPE_U64; }));
	EXPECT_TRUE(refuses([](auto &op) {
		op.compute = op.operands[0].dtype = op.operands[1].dtype = UNPU_DTYPE_U16;
		op.scalar_bits = 1;
	})) << "the third operand";
	EXPECT_TRUE(refuses([](auto &op) {
		op.compute = op.operands[0].dtype = UNPU_DTYPE_U16;
		op.operands[1].dtype = op.operands[2].dtype = UNPU_DTYPE_U16;
		op.scalar_bits = 2;
	})) << "the scalar";
	EXPECT_TRUE(refuses([](auto &op) { op.kind = 0; }));
	EXPECT_TRUE(refuses([](auto &op) { op.kind = 255; }));
	EXPECT_TRUE(refuses([](auto &op) { op.kind = UNPU_OPERATOR_MUL; })) << "MUL has no scalar";
	EXPECT_TRUE(refuses([](auto &op) { op.compute = UNPU_DTYPE_F16; }));
	EXPECT_TRUE(refuses([](auto &op) { op.compute = 77; }));
	EXPECT_TRUE(refuses([](auto &op) { op.ndim = 9; }));
	EXPECT_TRUE(refuses([](auto &op) { op.ndim = 3; }));
	EXPECT_TRUE(refuses([](auto &op) { op.ndim = 1; }));
	EXPECT_TRUE(refuses([](auto &op) { op.noperands = 2; }));
	EXPECT_TRUE(refuses([](auto &op) { op.noperands = 4; }));
	EXPECT_TRUE(refuses([](auto &op) { op.dims[0] = 0; }));
	EXPECT_TRUE(refuses([](auto &op) { op.dims[1] = -6; }));
	EXPECT_TRUE(refuses([](auto &op) { op.dims[7] = 1; }));
	EXPECT_TRUE(refuses([](auto &op) { op.dims[0] = op.dims[1] = int64_t(1) << 32; }));
	EXPECT_TRUE(refuses([](auto &op) { op.parameters[4] = 1; }));
	EXPECT_TRUE(refuses([](auto &op) { op.reserved1[0] = 1; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[3].address = 8; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[3].strides[2] = 8; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].dtype = 0; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].dtype = 11; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[0].access = UNPU_ACCESS_MASK; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[2].access = UNPU_ACCESS_WRITE; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[2].strides[2] = 1; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[0].strides[0] = 0; }))
		<< "a written broadcast";
	EXPECT_TRUE(refuses([](auto &op) { op.operands[0].strides[0] = 1; }))
		<< "elements share addresses";
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].strides[0] = INT64_MAX; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].strides[0] = INT64_MIN; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].address = UINT64_MAX - 3; }));
	EXPECT_TRUE(refuses([](auto &op) {
		op.operands[1].strides[0] = -1;
		op.operands[1].address = 4;
	})) << "below address 0";
	EXPECT_FALSE(refuses([](auto &op) { op.operands[1].strides[0] = 0; }));
	EXPECT_FALSE(refuses([](auto &op) { op.operands[1].strides[0] = -17; }));
}

TEST(OperatorCheck, ReachCountsBothDirections)
{
	unpu_operator op = make_operator(UNPU_OPERATOR_MUL, UNPU_DTYPE_F32, {4, 6}, {1, 2, 7});

	op.operands[1].strides[0] = -10;
	op.operands[2].strides[0] = op.operands[2].strides[1] = 0;
	const fw::Reach out = fw::operand_reach(op, 0), a = fw::operand_reach(op, 1),
			b = fw::operand_reach(op, 2);

	EXPECT_TRUE(out.is_ok && a.is_ok && b.is_ok);
	EXPECT_EQ(out.first, op.operands[0].address);
	EXPECT_EQ(out.bytes, 4u * 6 * 4);
	EXPECT_EQ(a.first, op.operands[1].address - 60);
	EXPECT_EQ(a.bytes, 60u + 5 * 2 + 2);
	EXPECT_EQ(b.bytes, 8u);
}

TEST(OperatorCheck, SurvivesNoise)
{
	const uint64_t seed = new_seed();
	SCOPED_TRACE("seed " + std::to_string(seed));
	Random random(seed);
	const uint64_t corners[] = {0,	       1, 2, 9, UINT32_MAX, INT64_MAX, uint64_t(INT64_MIN),
				    UINT64_MAX};

	for (unsigned n = 0; n < 100000; n++) {
		unpu_operator op =
			make_operator(UNPU_OPERATOR_ADD, UNPU_DTYPE_F32, {4, 6}, {1, 2, 3});
		for (unsigned k = 0; k <= random() % 4; k++) {
			const uint64_t word = random() % 2 ? random() : corners[random() % 8];
			const size_t at = random() % (sizeof(op) / 8) * 8;
			std::memcpy(reinterpret_cast<std::byte *>(&op) + at, &word, 8);
		}
		if (fw::check_operator(op) != base::Status::OK)
			continue;
		for (unsigned i = 0; i < 3; i++)
			EXPECT_TRUE(fw::operand_reach(op, i).is_ok);
	}
}

} // namespace
