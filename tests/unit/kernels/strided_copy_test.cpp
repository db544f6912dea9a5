// SPDX-License-Identifier: MIT
/*
 * DOC: Strided copies, tested
 *
 * Random views of every element size against a loop over all indices.
 */
#include <gtest/gtest.h>

#include <numeric>

#include "firmware_sim/kernels/strided_copy.h"
#include "tests/unit/support/elementwise_reference.h"

namespace {

using namespace reference;

unpu_operator make_copy(uint32_t dtype, const std::vector<int64_t> &dims)
{
	unpu_operator op = make_operator(UNPU_OPERATOR_COPY, 0, dims, {dtype, dtype, dtype});

	op.noperands = 2;
	op.operands[2] = {};
	return op;
}

/* A layout with the dims in any order and gaps between them; the source may repeat itself. */
void shuffle_layout(Random &random, unpu_operator &op, unsigned i)
{
	std::vector<unsigned> order(op.ndim);
	int64_t stride = 1 + (int64_t)(random() % 2);

	std::iota(order.begin(), order.end(), 0u);
	std::shuffle(order.begin(), order.end(), random);
	for (const unsigned d : order) {
		op.operands[i].strides[d] = random() % 4 ? stride : -stride;
		if (i == 1 && random() % 6 == 0)
			op.operands[i].strides[d] = 0;
		stride = stride * op.dims[d] + (int64_t)(random() % 3);
	}
}

void expect_copied(Random &random, const unpu_operator &op)
{
	const size_t size = fw::dtype_bytes(op.operands[0].dtype);
	Bytes buffers[2];
	std::byte *base[2];

	for (unsigned i = 0; i < 2; i++) {
		const fw::Reach reach = fw::operand_reach(op, i);
		buffers[i].resize(reach.bytes);
		for (std::byte &byte : buffers[i])
			byte = (std::byte)random();
		base[i] = buffers[i].data() + (op.operands[i].address - reach.first);
	}
	Bytes expected = buffers[0];
	std::vector<int64_t> index(op.ndim, 0);
	for (bool more = true; more;) {
		int64_t at[2] = {};
		for (unsigned d = 0; d < op.ndim; d++)
			for (unsigned i = 0; i < 2; i++)
				at[i] += index[d] * op.operands[i].strides[d];
		std::memcpy(expected.data() + (base[0] - buffers[0].data()) + at[0] * (int64_t)size,
			    base[1] + at[1] * (int64_t)size, size);
		more = false;
		for (unsigned d = op.ndim; d-- > 0 && !more;) {
			more = ++index[d] < op.dims[d];
			if (!more)
				index[d] = 0;
		}
	}
	fw::copy_strided(op, {base[0], base[1], nullptr, nullptr});
	ASSERT_EQ(buffers[0], expected) << "ndim " << op.ndim << " size " << size;
}

TEST(StridedCopy, ViewsOfEverySizeAgreeWithALoop)
{
	const uint64_t seed = new_seed();
	SCOPED_TRACE("seed " + std::to_string(seed));
	Random random(seed);

	for (unsigned n = 0; n < 3000; n++) {
		std::vector<int64_t> dims(random() % 6);
		for (int64_t &dim : dims)
			dim = 1 + (int64_t)(random() % 7);
		if (!dims.empty() && random() % 3 == 0)
			dims.back() = 1 + (int64_t)(random() % 200);
		unpu_operator op = make_copy(dtypes[n % 9], dims);
		for (unsigned i = 0; i < 2; i++)
			if (random() % 3)
				shuffle_layout(random, op, i);
		ASSERT_EQ(fw::check_operator(op), base::Status::OK);
		expect_copied(random, op);
		if (HasFatalFailure())
			return;
	}
}

TEST(StridedCopy, TheCheckWantsOneTypeAndNoArithmetic)
{
	const unpu_operator good = make_copy(UNPU_DTYPE_I32, {4, 6});
	const auto refuses = [&](auto &&change) {
		unpu_operator op = good;
		change(op);
		return fw::check_operator(op) == base::Status::BAD_OPERATOR;
	};

	EXPECT_EQ(fw::check_operator(good), base::Status::OK);
	EXPECT_TRUE(refuses([](auto &op) { op.compute = UNPU_DTYPE_I64; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].dtype = UNPU_DTYPE_F32; }));
	EXPECT_TRUE(refuses([](auto &op) { op.scalar_bits = 1; }));
	EXPECT_TRUE(refuses([](auto &op) { op.parameters[0] = 1; }));
	EXPECT_TRUE(refuses([](auto &op) { op.noperands = 3; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[0].strides[0] = 0; }));
	EXPECT_TRUE(refuses([](auto &op) { op.operands[1].access = UNPU_ACCESS_WRITE; }));
}

} // namespace
