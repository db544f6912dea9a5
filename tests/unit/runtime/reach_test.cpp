// SPDX-License-Identifier: MIT
/*
 * DOC: Reach of operands, tested
 *
 * Whether two elements of a view lie in one place, against a loop over all indices.
 */
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "uapi/tensor.h"
#include "umd/aclnn/reach.h"

namespace {

using Numbers = std::vector<int64_t>;

bool shares_places(const Numbers &dims, const Numbers &strides)
{
	std::set<int64_t> places;
	Numbers at(dims.size());
	for (;;) {
		int64_t place = 0;
		for (size_t d = 0; d < dims.size(); d++)
			place += at[d] * strides[d];
		if (!places.insert(place).second)
			return true;
		size_t d = dims.size();
		while (d > 0 && ++at[d - 1] == dims[d - 1])
			at[--d] = 0;
		if (d == 0)
			return false;
	}
}

const char *check(const Numbers &dims, const Numbers &strides, bool is_written)
{
	return umd::check_reach(
		{uint64_t{1} << 20, UNPU_DTYPE_F32, is_written, dims, strides.data()});
}

TEST(Reach, RefusesResultsExactlyWhereTwoElementsShareAPlace)
{
	std::mt19937 random(47);
	unsigned shared = 0;
	for (unsigned i = 0; i < 20000; i++) {
		Numbers dims(random() % 6), strides;
		for (int64_t &size : dims) {
			size = 1 + random() % 5;
			strides.push_back(static_cast<int64_t>(random() % (i % 2 ? 40 : 400)) -
					  (i % 3 ? 0 : 20));
		}
		const bool shares = shares_places(dims, strides);
		ASSERT_EQ(check(dims, strides, true) != nullptr, shares) << i;
		ASSERT_EQ(check(dims, strides, false), nullptr) << i;
		shared += shares;
	}
	EXPECT_GT(shared, 1000u);
}

TEST(Reach, FindsSharedPlacesOfViewsThatAreTooLargeToTryEachIndex)
{
	const Numbers many(8, 100);
	EXPECT_NE(check(many, {1000003, 999983, 999979, 999961, 999959, 999953, 999931, 999917},
			true),
		  nullptr);
	/* 3 * 1048576 = 3145728 * 1: only the last step of the second dim gets there. */
	EXPECT_NE(check({1 << 20, 3145729}, {1048576, 1}, true), nullptr);
	EXPECT_EQ(check({1 << 20, 1048576}, {1048576, 1}, true), nullptr);
	/* Even and odd places. */
	EXPECT_EQ(check({1 << 20, 2}, {2, 2097153}, true), nullptr);
	EXPECT_NE(check({1 << 20, 2}, {2, 2097150}, true), nullptr);
}

} // namespace
