// SPDX-License-Identifier: MIT
/*
 * DOC: Results, tested
 *
 * In both of their forms: of plain values, which registers carry, and of others. And TRY of them, in functions that
 * return a Status, a Result, or the code of an interface.
 */
#include <memory>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "base/result.h"

enum class ToolCode { GOOD, NO_MEMORY, OTHER };

template <> struct base::CodeOf<ToolCode> {
	static ToolCode make(Status status)
	{
		return status == Status::NO_MEMORY ? ToolCode::NO_MEMORY : ToolCode::OTHER;
	}
};

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

using OwnedInt = std::unique_ptr<int>;

Result<OwnedInt> make_int(Status status)
{
	if (status != Status::OK)
		return status;
	return std::make_unique<int>(5);
}

Status in_status(Status status, int &got)
{
	TRY(status);
	const OwnedInt made = TRY(make_int(status));
	got = *made;
	return Status::OK;
}

Result<std::string> in_result(const Result<uint32_t> &number)
{
	const auto value = TRY(number);
	return std::to_string(value);
}

ToolCode in_code(ToolCode code, Status status, const Result<std::string> &text, std::string &got)
{
	TRY(code);
	TRY(status);
	got = TRY(text);
	return ToolCode::GOOD;
}

TEST(Try, GivesTheValueOrReturnsTheStatus)
{
	int got = 0;
	EXPECT_EQ(in_status(Status::OK, got), Status::OK);
	EXPECT_EQ(got, 5);
	got = 0;
	EXPECT_EQ(in_status(Status::NO_MEMORY, got), Status::NO_MEMORY);
	EXPECT_EQ(got, 0);
}

TEST(Try, ReturnsAResult)
{
	EXPECT_EQ(*in_result(7), "7");
	EXPECT_EQ(in_result(Status::TIMEOUT).status(), Status::TIMEOUT);
}

TEST(Try, ReturnsTheCodeOfAnInterface)
{
	std::string got;
	EXPECT_EQ(in_code(ToolCode::GOOD, Status::OK, std::string("text"), got), ToolCode::GOOD);
	EXPECT_EQ(got, "text");
	EXPECT_EQ(in_code(ToolCode::OTHER, Status::NO_MEMORY, std::string("text"), got),
		  ToolCode::OTHER);
	EXPECT_EQ(in_code(ToolCode::GOOD, Status::NO_MEMORY, std::string("text"), got),
		  ToolCode::NO_MEMORY);
	EXPECT_EQ(in_code(ToolCode::GOOD, Status::OK, Status::TIMEOUT, got), ToolCode::OTHER);
}

TEST(Try, LeavesAResultThatHasAName)
{
	Result<std::string> kept = std::string("a text that is too long to lie in the string");
	auto copy = [&]() -> Result<std::string> { return TRY(kept); };
	EXPECT_EQ(*copy(), *kept);
	EXPECT_FALSE(kept->empty());
}

/* What a function has made is destroyed when a later TRY returns. */
TEST(Try, DestroysWhatWasMade)
{
	auto alive = std::make_shared<int>(1);
	auto hold = [&](Status status) -> Status {
		const auto held = TRY(Result<std::shared_ptr<int>>(alive));
		EXPECT_EQ(alive.use_count(), 2);
		TRY(make_int(status));
		return Status::OK;
	};
	EXPECT_EQ(hold(Status::NO_MEMORY), Status::NO_MEMORY);
	EXPECT_EQ(hold(Status::OK), Status::OK);
	EXPECT_EQ(alive.use_count(), 1);
}

} // namespace
