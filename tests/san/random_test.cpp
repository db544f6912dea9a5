// SPDX-License-Identifier: MIT
/**
 * DOC: random programs: the judge finds what the definition finds
 *
 * UNPU_CASES and UNPU_SEED say how many programs, and which.
 */
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/san/reference.h"

using namespace san::test;

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, nullptr, 0) : otherwise;
}

static std::string text(const Races &races)
{
	std::string text;
	for (const auto &[later, earlier, rule] : races)
		text += rule + " " + std::to_string(later) + " after " + std::to_string(earlier) +
			"\n";
	return text;
}

TEST(Random, findings_equal_the_reference)
{
	const uint64_t cases = number("UNPU_CASES", 10000);
	const uint64_t first = number("UNPU_SEED", 1);
	uint64_t races = 0;
	uint64_t silent = 0;
	for (uint64_t seed = first; seed < first + cases; seed++) {
		const RandomProgram program = random_program(seed);
		const Races wanted = reference_races(program);
		const Races found = judged_races(program);
		races += wanted.size();
		silent += wanted.empty();
		ASSERT_EQ(found, wanted) << "seed " << seed << "\n"
					 << program.text() << "wanted\n"
					 << text(wanted) << "found\n"
					 << text(found);
	}
	/* The programs are neither all wrong nor all right. */
	if (cases >= 1000) {
		EXPECT_GT(races, cases);
		EXPECT_GT(silent, cases / 100);
	}
	printf("%lu programs, %lu races, %lu programs without one\n", cases, races, silent);
}
