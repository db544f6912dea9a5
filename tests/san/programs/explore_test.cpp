// SPDX-License-Identifier: MIT
/**
 * DOC: runs the programs in other orders
 *
 * A program with a mistake that shows has to give a wrong result in one of PORTFOLIO_RUNS runs of the portfolio.
 * Repaired and correct programs have to be right in each run of each strategy. UNPU_EXPLORE_RUNS says how many
 * runs of each strategy these are.
 *
 * With a sanitizer (UNPU_EXPLORE_BRIEF) a program is so slow that the device takes it for one that polls, and runs
 * commands that were to be late (Documentation/adr/0290-orders-of-commands.rst). So no wrong result is asked for then,
 * and each program has two strategies, others than the next one.
 */
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "folder.h"
#include "program.h"

namespace {

struct Case {
	std::string executable;
	std::string name;
	bool shows = false;
	size_t number = 0;
};

constexpr int PORTFOLIO_RUNS = 20;
constexpr bool IS_BRIEF = UNPU_EXPLORE_BRIEF != 0;
constexpr bool IS_EMULATED = UNPU_EXPLORE_EMULATED != 0;
constexpr size_t BRIEF_STRATEGIES = 2;
constexpr const char *STRATEGIES[] = {"fifo",	"eager",       "lazy",	     "starve",
				      "random", "pct:depth=2", "pct:depth=3"};

} // namespace

static std::vector<Case> all_cases()
{
	std::vector<Case> cases;
	std::istringstream executables(UNPU_SAN_PROGRAMS);
	for (std::string executable; std::getline(executables, executable, ':');) {
		const Folder folder;
		const std::string list = folder.path() + "/list";
		if (std::system((executable + " >" + list).c_str()) != 0)
			continue;
		std::ifstream lines(list);
		for (std::string line; std::getline(lines, line);) {
			std::istringstream words(line);
			Case one{executable, "", false, 0};
			words >> one.name;
			const std::vector<std::string> rules{
				std::istream_iterator<std::string>(words), {}};
			one.shows = !rules.empty() && rules.back() == "SHOWS";
			one.number = cases.size();
			cases.push_back(one);
		}
	}
	return cases;
}

static int run(const Case &one, const char *variant, const std::string &schedule)
{
	const std::string command = "UNPU_SCHEDULE=" + schedule + " " + one.executable + " " +
				    one.name + " " + variant + " >/dev/null";
	const int status = std::system(command.c_str());
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The strategies that a program is run with. Each device begins with another one. */
static std::vector<std::string> strategies_of(const Case &one)
{
	const size_t all = std::size(STRATEGIES);
	if (!IS_BRIEF)
		return {std::begin(STRATEGIES), std::end(STRATEGIES)};
	const char *device = getenv("UNPU_DEVICE");
	const size_t first = BRIEF_STRATEGIES * one.number + (device ? std::strlen(device) : 0);
	std::vector<std::string> some;
	for (size_t i = 0; i < BRIEF_STRATEGIES; i++)
		some.push_back(STRATEGIES[(first + i) % all]);
	return some;
}

static int runs_wanted()
{
	const char *text = getenv("UNPU_EXPLORE_RUNS");
	return text ? std::atoi(text) : 1;
}

namespace {

class Explored : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Corpus, Explored, testing::ValuesIn(all_cases()),
			 [](const auto &which) { return which.param.name; });

} // namespace

TEST_P(Explored, shows_a_wrong_result_in_one_of_twenty_runs)
{
	const Case &one = GetParam();
	if (IS_BRIEF)
		GTEST_SKIP() << "a program with a sanitizer is too slow for this";
	if (!one.shows)
		GTEST_SKIP() << "no result of this program depends on the order of its commands";
	for (int seed = 1; seed <= PORTFOLIO_RUNS; seed++) {
		const int ended = run(one, "bug", "portfolio:seed=" + std::to_string(seed));
		ASSERT_TRUE(ended == 0 || ended == programs::WRONG) << seed << ": " << ended;
		if (ended != programs::WRONG)
			continue;
		RecordProperty("run", seed);
		return;
	}
	if (IS_EMULATED)
		GTEST_SKIP()
			<< "an emulator can take longer between two commands than the device waits";
	FAIL() << "the result was right in all runs";
}

TEST_P(Explored, is_right_in_all_orders_without_its_mistake)
{
	const Case &one = GetParam();
	const int runs = runs_wanted();
	for (int seed = 1; seed <= runs; seed++) {
		for (const std::string &strategy : strategies_of(one)) {
			const char *joint = strategy.find(':') == std::string::npos ? ":" : ",";
			const std::string schedule =
				strategy + joint + "seed=" + std::to_string(seed);
			ASSERT_EQ(run(one, "fixed", schedule), 0) << schedule;
		}
	}
}

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
