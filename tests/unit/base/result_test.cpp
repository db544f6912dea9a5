// SPDX-License-Identifier: MIT
/*
 * DOC: Results, tested
 *
 * In both of their forms: of plain values, which registers carry, and of others.
 */
#include <memory>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "base/result.h"

namespace {

using base::Result;
using base::Status;

template <class T> void expect_both(T value)
{
	Result<T> good = value;
	EXPECT_TRUE(good.ok());
	EXPECT_TRUE(good);
	EXPECT_EQ(good.status(), Status::OK);
	EXPECT_EQ(*good, value);
	EXPECT_EQ(good.take(), value);
	Result<T> bad = Status::NO_MEMORY;
	EXPECT_FALSE(bad.ok());
	EXPECT_EQ(bad.status(), Status::NO_MEMORY);
	bad = value;
	EXPECT_TRUE(bad);
}

TEST(Result, HoldsAValueOrAReason)
{
	int word = 0;
	expect_both<int *>(&word);
	expect_both<uint32_t>(7);
	expect_both<bool>(false);
	expect_both<std::string>("text");
}

/* No value is there, whatever the reason says. */
TEST(Result, AReasonIsNoValue)
{
	EXPECT_FALSE(Result<uint64_t>(Status::OK).ok());
	EXPECT_FALSE(Result<std::string>(Status::OK).ok());
}

TEST(Result, OfWhatCanOnlyBeMoved)
{
	Result<std::unique_ptr<int>> made = std::make_unique<int>(5);
	ASSERT_TRUE(made);
	EXPECT_EQ(**made, 5);
	std::unique_ptr<int> taken = made.take();
	EXPECT_EQ(*taken, 5);
}

TEST(Result, OfPlainValuesIsPlain)
{
	EXPECT_TRUE(std::is_trivially_copyable_v<Result<int *>>);
	EXPECT_LE(sizeof(Result<int *>), 16u);
}

} // namespace
