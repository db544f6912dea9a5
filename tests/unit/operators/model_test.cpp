// SPDX-License-Identifier: MIT
/*
 * DOC: Kinds of models, tested
 *
 * Kinds that no entry point launches, because only models have them, against naive loops in double.
 */
#include <map>

#include "random_call.h"

namespace {

using namespace random_call;

int64_t element(const Operand &operand, const Dims &at)
{
	return static_cast<int64_t>(operand.get(at));
}

/* fill_indices() - numbers of -@size .. @size - 1. */
void fill_indices(Random &random, const Operand &index, int64_t size)
{
	for_each(index.dims(), [&](const Dims &at) {
		index.set(at,
			  static_cast<double>(static_cast<int64_t>(random() % (2 * size)) - size));
	});
}

int64_t wrapped(int64_t index, int64_t size)
{
	return index < 0 ? index + size : index;
}

Operand indices(Random &random, const Dims &dims)
{
	return {random, random() % 2 ? uint32_t{UNPU_DTYPE_I32} : uint32_t{UNPU_DTYPE_I64}, dims,
		false, false};
}

TEST(Model, TellsNumbersThatAreNone)
{
	Random random(seed());
	for (const uint32_t compute : {uint32_t{UNPU_DTYPE_F32}, uint32_t{UNPU_DTYPE_F64}}) {
		const Operand out(random, UNPU_DTYPE_BOOL, {7, 33}, true, false);
		const Operand self(random, compute, {7, 33}, true, false);
		fill(random, self, 3, true);
		CallBuilder builder(UNPU_TENSOR_IS_NAN, compute);
		run(random, builder.add(0, out).add(1, self).call);
		for_each({7, 33},
			 [&](const Dims &at) { EXPECT_EQ(out.get(at), std::isnan(self.get(at))); });
	}
}

TEST(Model, DividesIntegersTowardZero)
{
	Random random(seed());
	const Operand out(random, UNPU_DTYPE_I32, {9, 21}, true, false);
	const Operand self(random, UNPU_DTYPE_I32, {9, 21}, true, false);
	const Operand other(random, UNPU_DTYPE_I32, {9, 21}, true, false);
	for_each({9, 21}, [&](const Dims &at) {
		self.set(at, at[1] == 0 ? INT32_MIN : static_cast<double>(random() % 2001) - 1000);
		other.set(at, at[1] == 0 ? -1 : static_cast<double>(random() % 13) - 6);
	});
	CallBuilder builder(UNPU_TENSOR_DIV_TRUNC, UNPU_DTYPE_I64);
	run(random, builder.add(0, out).add(1, self).add(2, other).call);
	for_each({9, 21}, [&](const Dims &at) {
		const int64_t y = element(other, at);
		const auto want = static_cast<int32_t>(y ? element(self, at) / y : 0);
		EXPECT_EQ(out.get(at), want) << self.get(at) << " " << y;
	});
}

TEST(Model, GathersByPlaces)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(60); i++) {
		const Dims dims = {3, 4, 5, 2};
		const int64_t batch = static_cast<int64_t>(random() % 2);
		const auto depth = 1 + static_cast<int64_t>(random() % (4 - batch));
		const Operand self(random, UNPU_DTYPE_F32, dims, true, false);
		fill(random, self, 9, false);
		const Dims outer = batch ? Dims{3, 6} : Dims{2, 7};
		Dims place = outer, shape = outer;
		place.push_back(depth);
		shape.insert(shape.end(), dims.begin() + batch + depth, dims.end());
		const Operand index = indices(random, place),
			      out(random, UNPU_DTYPE_F32, shape, true, false);
		fill_indices(random, index, 2);
		CallBuilder builder(UNPU_TENSOR_GATHER_ND, 0);
		builder.add(0, out).add(1, self).add(2, index).integer(batch);
		EXPECT_EQ(run(random, builder.call).status, base::Status::OK);
		for_each(shape, [&](const Dims &at) {
			Dims from(at.begin(), at.begin() + batch);
			for (int64_t k = 0; k < depth; k++) {
				const auto told = element(index, {at[0], at[1], k});
				from.push_back(wrapped(told, dims[static_cast<size_t>(batch + k)]));
			}
			from.insert(from.end(), at.begin() + 2, at.end());
			EXPECT_EQ(out.get(at), self.get(from));
		});
	}
}

double reduced(int64_t how, double old, double more)
{
	switch (how) {
	case 1:
		return old + more;
	case 2:
		return old * more;
	case 3:
		return std::max(old, more);
	case 4:
		return std::min(old, more);
	default:
		return more;
	}
}

TEST(Model, ScattersToPlacesInOrder)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(60); i++) {
		const Dims dims = {3, 4, 5};
		const auto depth = 1 + static_cast<int64_t>(random() % 3),
			   how = static_cast<int64_t>(i % 5);
		const Operand out(random, UNPU_DTYPE_I32, dims, true, false);
		const Operand self(random, UNPU_DTYPE_I32, dims, true, false);
		const Operand index = indices(random, {8, depth});
		Dims shape = {8};
		shape.insert(shape.end(), dims.begin() + depth, dims.end());
		const Operand updates(random, UNPU_DTYPE_I32, shape, true, false);
		fill(random, self, 9, false);
		fill(random, updates, 9, false);
		fill_indices(random, index, 2);
		std::map<Dims, double> want;
		for_each(dims, [&](const Dims &at) { want[at] = self.get(at); });
		for_each(shape, [&](const Dims &at) {
			Dims to;
			for (int64_t k = 0; k < depth; k++)
				to.push_back(wrapped(element(index, {at[0], k}),
						     dims[static_cast<size_t>(k)]));
			to.insert(to.end(), at.begin() + 1, at.end());
			want[to] = reduced(how, want[to], updates.get(at));
		});
		CallBuilder builder(UNPU_TENSOR_SCATTER_ND, 0);
		builder.add(0, out).add(1, self).add(2, index).add(3, updates).integer(how);
		EXPECT_EQ(run(random, builder.call).status, base::Status::OK);
		for_each(dims, [&](const Dims &at) {
			EXPECT_EQ(out.get(at), static_cast<int32_t>(want[at])) << how;
		});
	}
}

/* nearest_of() - the element of 4 that is nearest to element @i of 7, as ONNX defines its modes. */
int64_t nearest_of(int64_t coordinates, int64_t rounding, int64_t i)
{
	const double scale = 7.0 / 4, n = static_cast<double>(i);
	double x = (n + 0.5) / scale - 0.5;
	if (coordinates == 1)
		x = n / scale;
	if (coordinates == 2)
		x = n * 3 / 6;
	const double down = std::floor(x), part = x - down;
	double near = rounding == 3 ? std::ceil(x) : down;
	if (rounding == 0)
		near = part > 0.5 ? down + 1 : down;
	if (rounding == 1)
		near = part >= 0.5 ? down + 1 : down;
	return std::clamp<int64_t>(static_cast<int64_t>(near), 0, 3);
}

TEST(Model, TakesTheNearestElementInEachMode)
{
	Random random(seed());
	for (int64_t coordinates = 0; coordinates < 5; coordinates++) {
		for (int64_t rounding = 0; rounding < 4; rounding++) {
			const Operand out(random, UNPU_DTYPE_I16, {2, 7}, true, false);
			const Operand self(random, UNPU_DTYPE_I16, {2, 4}, true, false);
			fill(random, self, 99, false);
			CallBuilder builder(UNPU_TENSOR_RESIZE, 0);
			builder.add(0, out)
				.add(1, self)
				.integer(0)
				.integer(coordinates)
				.integer(rounding);
			builder.words(
				{std::bit_cast<uint64_t>(1.0), std::bit_cast<uint64_t>(1.75)});
			run(random, builder.real(-0.75).integer(0).call);
			for_each({2, 7}, [&](const Dims &at) {
				EXPECT_EQ(
					out.get(at),
					self.get({at[0], nearest_of(coordinates, rounding, at[1])}))
					<< coordinates << " " << rounding << " " << at[1];
			});
		}
	}
}

/* An image of one colour keeps it: the weights that are left add up to 1. */
TEST(Model, LeavesOutWeightsBehindTheEdge)
{
	Random random(seed());
	const Operand out(random, UNPU_DTYPE_F64, {5}, false, false);
	const Operand self(random, UNPU_DTYPE_F64, {3}, false, false);
	for (int64_t i = 0; i < 3; i++)
		self.set({i}, 7);
	CallBuilder builder(UNPU_TENSOR_RESIZE, UNPU_DTYPE_F64);
	builder.add(0, out).add(1, self).integer(2).integer(0).integer(0);
	builder.words({std::bit_cast<uint64_t>(5.0 / 3)});
	run(random, builder.real(-0.5).integer(1).call);

	for (int64_t i = 0; i < 5; i++)
		EXPECT_NEAR(out.get({i}), 7, 1e-12) << i;
}

} // namespace
