// SPDX-License-Identifier: MIT
/**
 * DOC: which suppression files are refused
 */
#include <string>

#include <gtest/gtest.h>

#include "san/report/suppressions.h"

using san::Suppressions;

TEST(SuppressionFiles, lines_without_a_reason_are_refused)
{
	const struct {
		const char *text;
		const char *where; /* of the line that is refused; "": none is */
	} cases[] = {{"UAF", "file:1:"},
		     {"UAF #", "file:1:"},
		     {"UAF # #\t", "file:1:"},
		     {"#\nUAF", "file:2:"},
		     {"# known\n\nUAF", "file:3:"},
		     {"# known\nUAF\nRACE-RAW\n\nRACE-WAR", "file:5:"},
		     {"UAF # known\nRACE-RAW", "file:2:"},
		     {"UAF # known", ""},
		     {"# known\n#\nUAF\nRACE-RAW", ""},
		     {"#\n# known\nUAF # and more\nRACE-RAW", ""}};
	for (const auto &each : cases) {
		Suppressions suppressions;
		const std::string why = suppressions.read(each.text, "file");
		EXPECT_EQ(why.find("the rule has no reason") != why.npos, *each.where != 0)
			<< each.text;
		EXPECT_EQ(why.substr(0, std::string(each.where).size()), each.where) << each.text;
	}
}
