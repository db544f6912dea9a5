// SPDX-License-Identifier: MIT
/**
 * DOC: what tests of the judge expect
 */
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "record_program.h"

namespace san::test {

using Rules = std::set<std::string>;

/* expect() - the program has exactly these mistakes; each of them may be found several times. */
inline void expect(const Program &program, const Rules &wanted, Options options = {})
{
	Rules found;
	std::string text;
	for (const Finding &finding : program.findings(options)) {
		found.insert(rule_text(finding.rule));
		text += std::string(rule_text(finding.rule)) + " " + finding.later.label + " / " +
			finding.earlier.label + "\n";
	}
	EXPECT_EQ(found, wanted) << text;
}

inline void expect_silent(const Program &program)
{
	expect(program, {});
}

/* class Repaired - a program with a mistake; with @fixed the same program with the repair, which is silent. */
class Repaired : public testing::TestWithParam<bool> {
protected:
	const bool fixed = GetParam();

	void judge(const Program &program, const Rules &wanted) const
	{
		expect(program, fixed ? Rules{} : wanted);
	}
};

#define BUG_AND_REPAIR(suite) \
	class suite : public Repaired {}; \
	INSTANTIATE_TEST_SUITE_P(Judge, suite, testing::Bool(), \
				 [](const auto &which) { return which.param ? "fixed" : "bug"; })

/* has_hint() - whether a finding of the rule explains itself with this hint. */
inline bool has_hint(const Program &program, const std::string &rule, const std::string &code)
{
	for (const Finding &finding : program.findings()) {
		if (rule_text(finding.rule) != rule)
			continue;
		if (std::any_of(finding.hints.begin(), finding.hints.end(),
				[&](const Hint &hint) { return hint.code == code; }))
			return true;
	}
	return false;
}

} // namespace san::test
