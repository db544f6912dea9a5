// SPDX-License-Identifier: MIT
/*
 * DOC: Rows, tested
 *
 * The driver sends some operators as rows. A row gives the same result as the operator, and an
 * operator that does not fit into a row stays an operator.
 */
#include <random>

#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

class Row : public Stepped {
protected:
	static constexpr uint64_t FLOATS = 1024;

	Memory memory = client.memory(4 * FLOATS * sizeof(float));

	uint64_t at(uint64_t block) const { return memory.va + block * FLOATS * sizeof(float); }
	float *block(uint64_t i) const { return memory.as<float>() + i * FLOATS; }

	/* random_operator() - dims of up to @elements, packed or broadcast operands. */
	unpu_operator random_operator(std::mt19937_64 &random)
	{
		unpu_operator op{};
		op.kind = random() % 2 ? UNPU_OPERATOR_ADD : UNPU_OPERATOR_MUL;
		op.compute = UNPU_DTYPE_F32;
		op.noperands = 3;
		op.ndim = static_cast<uint32_t>(random() % 4);
		for (uint32_t d = 0; d < op.ndim; d++)
			op.dims[d] = static_cast<int64_t>(random() % 6 + 1);
		if (op.kind == UNPU_OPERATOR_ADD) {
			double scalar = static_cast<double>(random() % 64) / 7;
			memcpy(&op.scalar_bits, &scalar, sizeof(scalar));
		}
		for (unsigned i = 0; i < 3; i++) {
			op.operands[i].address = at(i);
			op.operands[i].dtype = UNPU_DTYPE_F32;
			op.operands[i].access = i ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE;
			bool broadcast = i > 0 && random() % 3 == 0;
			int64_t step = 1;
			for (uint32_t d = op.ndim; d-- > 0;) {
				op.operands[i].strides[d] = broadcast ? 0 : step;
				step *= op.dims[d];
			}
		}
		return op;
	}

	void fill(std::mt19937_64 &random)
	{
		for (uint64_t i = 0; i < 3 * FLOATS; i++)
			block(0)[i] = static_cast<float>(random() % 2000) / 13 - 70;
	}
};

TEST_F(Row, DoesWhatTheOperatorDoes)
{
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	std::mt19937_64 random(seed);
	unsigned rows = 0;
	for (unsigned round = 0; round < 2000; round++) {
		unpu_operator op = random_operator(random);
		unpu_packet packet;
		if (!drv::row_packet(7, op, packet))
			continue;
		rows++;
		fill(random);
		std::vector<float> before(block(0), block(0) + FLOATS);
		ASSERT_EQ(channel.run(drv::operator_packet(1, 0), &op), Status::OK);
		std::vector<float> wanted(block(0), block(0) + FLOATS);
		std::copy(before.begin(), before.end(), block(0));
		ASSERT_EQ(channel.run(packet), Status::OK);
		ASSERT_EQ(memcmp(block(0), wanted.data(), FLOATS * sizeof(float)), 0) << round;
		unpu_operator again = drv::row_operator(packet);
		std::copy(before.begin(), before.end(), block(0));
		ASSERT_EQ(channel.run(drv::operator_packet(1, 0), &again), Status::OK);
		ASSERT_EQ(memcmp(block(0), wanted.data(), FLOATS * sizeof(float)), 0) << round;
	}
	EXPECT_GT(rows, 500u);
}

TEST_F(Row, OtherOperatorsAreNone)
{
	unpu_packet packet;
	auto none = [&](auto &&change) {
		auto op = packed_operator(UNPU_OPERATOR_ADD, 8, at(0), at(1), at(2), 1.0);
		EXPECT_TRUE(drv::row_packet(1, op, packet));
		change(op);
		return !drv::row_packet(1, op, packet);
	};
	EXPECT_TRUE(none([](auto &op) { op.kind = UNPU_OPERATOR_MAX; }));
	EXPECT_TRUE(none([](auto &op) { op.compute = UNPU_DTYPE_I64; }));
	EXPECT_TRUE(none([](auto &op) { op.operands[2].dtype = UNPU_DTYPE_F16; }));
	EXPECT_TRUE(none([](auto &op) { op.operands[0].strides[0] = 2; }));
	EXPECT_TRUE(none([](auto &op) { op.operands[1].strides[0] = -1; }));
	EXPECT_TRUE(none([](auto &op) {
		op.operands[1].strides[0] = 0;
		op.operands[2].strides[0] = 0;
	}));
	EXPECT_TRUE(none([](auto &op) { op.dims[0] = int64_t{1} << 32; }));
}

TEST_F(Row, WrongOnesAreRefusedOrFault)
{
	auto op = packed_operator(UNPU_OPERATOR_MUL, 8, at(0), at(1), at(2), 0.0);
	unpu_packet good;
	ASSERT_TRUE(drv::row_packet(1, op, good));
	EXPECT_EQ(channel.run(good), Status::OK);
	auto run = [&](auto &&change) {
		unpu_packet packet = good;
		change(packet);
		return channel.run(packet);
	};
	EXPECT_EQ(run([](auto &p) { p.row.count = 0; }), Status::BAD_PACKET);
	EXPECT_EQ(run([](auto &p) { p.row.scalar = 1; }), Status::BAD_PACKET);
	EXPECT_EQ(run([](auto &p) { p.variant = 0; }), Status::BAD_PACKET);
	EXPECT_EQ(run([](auto &p) { p.variant = UNPU_OPERATOR_COPY; }), Status::BAD_PACKET);
	EXPECT_EQ(run([](auto &p) { p.variant |= UNPU_ROW_LEFT_ONE | UNPU_ROW_RIGHT_ONE; }),
		  Status::BAD_PACKET);
	EXPECT_EQ(run([](auto &p) { p.variant |= 0x400; }), Status::BAD_PACKET);
	EXPECT_EQ(run([](auto &p) { p.row.count = UINT32_MAX; }), Status::MMU_FAULT);
	EXPECT_EQ(run([](auto &p) { p.row.left = 64; }), Status::MMU_FAULT);
	Memory blind = client.memory(4096, UNPU_ACCESS_READ);
	EXPECT_EQ(run([&](auto &p) { p.row.out = blind.va; }), Status::ACCESS_FAULT);
}

} // namespace
