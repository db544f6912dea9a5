// SPDX-License-Identifier: MIT
/*
 * DOC: Random calls of kernels
 *
 * Operands with random shapes, strides and values, in memory of their own with a margin that must not
 * change. A test fills them, runs the kernel in random pieces, and compares with a naive loop in double.
 */
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/kernels.h"

namespace random_call {

using namespace fw::tensor;
using Random = std::mt19937_64;
using Dims = std::vector<int64_t>;

/* cases() - how many cases a test runs: UNPU_CASES, or @usual. */
inline unsigned cases(unsigned usual)
{
	const char *wanted = std::getenv("UNPU_CASES");
	return wanted ? static_cast<unsigned>(std::atoi(wanted)) : usual;
}

/* seed() - UNPU_SEED, or a fixed one. Tests print it when they fail. */
inline uint64_t seed()
{
	const char *wanted = std::getenv("UNPU_SEED");
	return wanted ? std::strtoull(wanted, nullptr, 0) : 20261124;
}

/* random_dims() - a shape of at most @max_count elements. Some have a dim of size 0. */
inline Dims random_dims(Random &random, unsigned max_dims, int64_t max_count)
{
	Dims dims(random() % (max_dims + 1));
	int64_t left = max_count;
	for (int64_t &dim : dims) {
		dim = random() % 8 ? 1 + static_cast<int64_t>(random() % std::min<int64_t>(left, 8))
				   : 1 + static_cast<int64_t>(random() % left);
		left /= dim;
	}
	std::shuffle(dims.begin(), dims.end(), random);
	if (!dims.empty() && random() % 32 == 0)
		dims[random() % dims.size()] = 0;
	return dims;
}

/* class Operand - a view and its memory. */
class Operand {
public:
	/* @spread: permuted and padded strides, some negative; else packed
	 * @broadcast: some dims have stride 0 */
	Operand(Random &random, uint32_t dtype, const Dims &dims, bool spread, bool broadcast)
	{
		view.dtype = dtype;
		view.ndim = static_cast<unsigned>(dims.size());
		std::vector<unsigned> order(dims.size());
		for (unsigned d = 0; d < dims.size(); d++)
			order[d] = view.ndim - 1 - d;
		if (spread && random() % 2)
			std::shuffle(order.begin(), order.end(), random);
		int64_t stride =
			spread && random() % 2 ? 1 + static_cast<int64_t>(random() % 3) : 1;
		int64_t low = 0, high = 0;
		for (const unsigned d : order) {
			view.dims[d] = dims[d];
			if (dims[d] <= 1 || (broadcast && random() % 4 == 0))
				continue;
			view.strides[d] = spread && random() % 4 == 0 ? -stride : stride;
			(view.strides[d] < 0 ? low : high) += view.strides[d] * (dims[d] - 1);
			stride *= dims[d];
			stride += spread ? static_cast<int64_t>(random() % 3) : 0;
		}
		const auto bits = static_cast<int64_t>(element_bits(dtype));
		/* A margin on both sides; sometimes no element is aligned. */
		const int64_t before =
			MARGIN + (bits > 8 ? static_cast<int64_t>(random() % 4 == 0) : 0);
		bytes.resize(
			static_cast<size_t>(before + ((high - low + 2) * bits + 7) / 8 + MARGIN));
		for (std::byte &byte : bytes)
			byte = static_cast<std::byte>(random());
		view.data = bytes.data() + before - low * bits / 8;
	}

	/* place() - where element @at lies. */
	std::byte *place(const Dims &at) const
	{
		int64_t element = 0;
		for (unsigned d = 0; d < view.ndim; d++)
			element += at[d] * view.strides[d];
		return view.data + element * static_cast<int64_t>(element_bits(view.dtype) / 8);
	}

	double get(const Dims &at) const
	{
		double value;
		load_row<double>(view.dtype, place(at), 0, 1, &value);
		return value;
	}

	void set(const Dims &at, double value) const
	{
		store_row<double>(view.dtype, place(at), 0, 1, &value);
	}

	Dims dims() const { return {view.dims.begin(), view.dims.begin() + view.ndim}; }

	View view;
	std::vector<std::byte> bytes;

private:
	static constexpr int64_t MARGIN = 64;
};

/* for_each() - calls @visit with the index of each element of a shape. */
template <class Visit> void for_each(const Dims &dims, Visit visit)
{
	Dims at(dims.size());
	for (const int64_t dim : dims)
		if (dim == 0)
			return;
	for (;;) {
		visit(at);
		size_t d = dims.size();
		while (d > 0 && ++at[d - 1] == dims[d - 1])
			at[--d] = 0;
		if (d == 0)
			return;
	}
}

/* fill() - numbers of @range around 0, and with @special zeros, infinities and NaN. */
inline void fill(Random &random, const Operand &operand, double range, bool special)
{
	static constexpr double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, 65504, 3e38};
	for_each(operand.dims(), [&](const Dims &at) {
		double value = (static_cast<double>(random() >> 11) / 0x1p52 - 1) * range;
		if (special && random() % 8 == 0)
			value = odd[random() % std::size(odd)];
		operand.set(at, value);
	});
}

/* class CallBuilder - puts a Call together. Operands must be added in the order of their slots. */
class CallBuilder {
public:
	explicit CallBuilder(uint32_t kind, uint32_t compute = 0)
	{
		call.kind = kind;
		call.compute = compute;
		call.views = views_.data();
		call.words = words_.data();
	}
	CallBuilder(const CallBuilder &) = delete;

	CallBuilder &add(unsigned slot, const Operand &operand)
	{
		views_[call.count++] = operand.view;
		for (unsigned s = slot + 1; s < call.first.size(); s++)
			call.first[s] = static_cast<uint8_t>(call.count);
		return *this;
	}

	/* words() - an attribute; call it for each in order, with no words for one that is absent. */
	CallBuilder &words(const std::vector<uint64_t> &values)
	{
		const unsigned attribute = attributes_++;
		std::copy(values.begin(), values.end(), words_.begin() + used_);
		used_ += static_cast<unsigned>(values.size());
		for (unsigned a = attribute + 1; a < call.word.size(); a++)
			call.word[a] = static_cast<uint8_t>(used_);
		return *this;
	}
	CallBuilder &real(double value) { return words({std::bit_cast<uint64_t>(value)}); }
	CallBuilder &integer(int64_t value) { return words({static_cast<uint64_t>(value)}); }
	CallBuilder &scalar(double value)
	{
		return words({UNPU_DTYPE_F64, std::bit_cast<uint64_t>(value)});
	}
	CallBuilder &scalar_integer(int64_t value)
	{
		return words({UNPU_DTYPE_I64, static_cast<uint64_t>(value)});
	}
	CallBuilder &scalar_above(uint64_t value) { return words({UNPU_DTYPE_U64, value}); }

	Call call; /* points into this object */

private:
	std::array<View, UNPU_TENSOR_MAX_OPERANDS> views_;
	std::array<uint64_t, UNPU_TENSOR_MAX_WORDS> words_;
	unsigned attributes_ = 0;
	unsigned used_ = 0;
};

/* run() - runs a call in pieces of random size and order, as engines do. */
inline Finding run(Random &random, const Call &call)
{
	const Kernel *kernel = find_kernel(call.kind);
	EXPECT_NE(kernel, nullptr);
	EXPECT_TRUE(kernel->check(call));
	(void)kernel->cost_bytes(call);
	const uint64_t units = kernel->units(call);
	std::vector<std::pair<uint64_t, uint64_t>> pieces;
	for (uint64_t first = 0; first < units;) {
		const uint64_t count = std::min<uint64_t>(units - first, 1 + random() % 4);
		pieces.emplace_back(first, count);
		first += count;
	}
	std::shuffle(pieces.begin(), pieces.end(), random);
	const size_t bytes = kernel->scratch_bytes ? kernel->scratch_bytes(call) : 0;
	std::vector<std::byte> scratch(bytes + 64);
	std::byte *aligned =
		scratch.data() + (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64);
	Finding worst;
	for (const auto &[first, count] : pieces) {
		std::fill(scratch.begin(), scratch.end(), std::byte{0xa5});
		const Finding found = kernel->run(call, first, count, aligned);
		if (found.status != base::Status::OK)
			worst = found;
	}
	return worst;
}

/* class Comparison - the normalised mean square error between results and expected values. */
class Comparison {
public:
	/* add() - fails the test if one is NaN or infinite and the other is not the same. */
	void add(double got, double wanted, uint32_t dtype)
	{
		/* The expected value as the result's type has it. */
		double rounded = wanted;
		std::byte bits[8];
		store_row<double>(dtype, bits, 0, 1, &wanted);
		load_row<double>(dtype, bits, 0, 1, &rounded);
		if (std::isnan(rounded) || std::isinf(rounded)) {
			EXPECT_EQ(std::isnan(got), std::isnan(rounded)) << got << " " << rounded;
			/* An error of one unit may end at the largest finite number. */
			if (std::isinf(rounded) && std::isfinite(got)) {
				EXPECT_GT(std::fabs(got), dtype == UNPU_DTYPE_F16 ? 6.5e4 : 3.3e38);
			}
			return;
		}
		EXPECT_TRUE(std::isfinite(got)) << got << " " << rounded;
		const double scale = std::max(std::fabs(rounded), std::fabs(got));
		const double unit = scale > 0 ? std::ldexp(1.0, -std::ilogb(scale)) : 1.0;
		const double difference = (got - rounded) * unit;
		error_ += difference * difference;
		square_ += rounded * unit * rounded * unit;
	}

	double nmse() const { return square_ > 0 ? error_ / square_ : error_; }

private:
	double error_ = 0, square_ = 0;
};

/* bytes_outside() - the bytes of an operand's memory that belong to no element, to compare them. */
inline std::vector<std::byte> bytes_outside(const Operand &operand)
{
	std::vector<std::byte> copy = operand.bytes;
	for_each(operand.dims(), [&](const Dims &at) {
		std::memset(copy.data() + (operand.place(at) - operand.bytes.data()), 0,
			    element_bits(operand.view.dtype) / 8);
	});
	return copy;
}

} // namespace random_call
