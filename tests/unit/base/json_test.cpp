// SPDX-License-Identifier: MIT
/*
 * DOC: Texts of JSON
 */
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json/text.h"

namespace {

std::string nested(size_t depth, const std::string &inner)
{
	return std::string(depth, '[') + inner + std::string(depth, ']');
}

/* Values are written by recursion: a text that anybody has made would end the thread. */
TEST(Json, IsNotReadBeyondADepth)
{
	const auto read = [](const std::string &text) {
		return base::read_json<nlohmann::ordered_json>(text);
	};
	EXPECT_FALSE(read(nested(64, "")).is_discarded());
	EXPECT_TRUE(read(nested(65, "")).is_discarded());
	EXPECT_TRUE(read(nested(1000000, "")).is_discarded());
	const auto objects = read(R"({"a":)" + nested(64, "") + "}");
	EXPECT_TRUE(objects.is_discarded());
}

TEST(Json, CountsNoBracketsInTexts)
{
	const std::string brackets(100, '[');
	const std::string text = R"(["\"\\)" + brackets + R"(", {"\\)" + brackets + R"(": []}])";
	const auto value = base::read_json<nlohmann::json>(text);
	ASSERT_EQ(value.size(), 2u);
	EXPECT_EQ(value[0], "\"\\" + brackets);
	EXPECT_TRUE(value[1].contains("\\" + brackets));
}

} // namespace
