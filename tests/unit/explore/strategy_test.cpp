// SPDX-License-Identifier: MIT
/**
 * DOC: which command a strategy chooses
 */
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "firmware_sim/explore/strategy.h"

using namespace fw;

namespace {

/* class Model - streams with commands that are all ready, which a strategy runs. A command is "1a": the first of
 * stream a. */
class Model {
public:
	void add(uint32_t stream, char kind = 'f', bool is_suspect = false)
	{
		Choice choice;
		choice.stream = stream;
		choice.kind = kind;
		choice.is_suspect = is_suspect;
		choice.arrival = ++arrivals_;
		waiting_.push_back(choice);
	}

	void need(uint32_t stream) { needed_.insert(stream); }

	/* Runs commands until the strategy has none. Return: their arrivals, as text. */
	std::string run(Strategy &strategy, Reason reason)
	{
		std::string order;
		for (;;) {
			const std::vector<Choice> heads = find_heads();
			if (heads.empty())
				return order;
			const size_t which = strategy.choose(heads, reason);
			if (which >= heads.size())
				return order;
			const uint64_t arrival = heads[which].arrival;
			std::erase_if(waiting_, [&](const Choice &choice) {
				return choice.arrival == arrival;
			});
			order += std::to_string(arrival);
		}
	}

private:
	std::vector<Choice> find_heads() const
	{
		std::vector<Choice> heads;
		std::set<uint32_t> seen;
		for (Choice choice : waiting_) {
			if (!seen.insert(choice.stream).second)
				continue;
			choice.is_needed = needed_.contains(choice.stream);
			heads.push_back(choice);
		}
		/* The device lists streams in any order. */
		std::reverse(heads.begin(), heads.end());
		return heads;
	}

	std::vector<Choice> waiting_;
	std::set<uint32_t> needed_;
	uint64_t arrivals_ = 0;
};

} // namespace

static std::unique_ptr<Strategy> make(const std::string &text)
{
	std::string why;
	return make_strategy(**base::parse_schedule(text, why));
}

/* The program submits commands 1 and 3 to stream 1, and commands 2 and 4 to stream 2. */
static Model two_streams()
{
	Model model;
	for (uint32_t i = 0; i < 4; i++)
		model.add(1 + i % 2);
	return model;
}

static std::string order_of(const std::string &schedule, Reason reason = Reason::WAIT)
{
	Model model = two_streams();
	return model.run(*make(schedule), reason);
}

TEST(Strategies, fifo_and_eager_keep_the_order_of_submission)
{
	EXPECT_EQ(order_of("fifo"), "1234");
	EXPECT_EQ(order_of("eager"), "1234");
	EXPECT_EQ(make("fifo")->at_submit(), 0u);
	EXPECT_EQ(make("eager")->at_submit(), UINT64_MAX);
}

TEST(Strategies, lazy_runs_what_is_needed_and_copies_last)
{
	EXPECT_EQ(order_of("lazy"), "");
	EXPECT_EQ(order_of("lazy", Reason::PROGRESS), "1234");
	Model model = two_streams();
	model.need(2);
	EXPECT_EQ(model.run(*make("lazy"), Reason::WAIT), "24");
	Model copies;
	copies.add(1, 'c');
	copies.add(2);
	copies.need(1);
	copies.need(2);
	EXPECT_EQ(copies.run(*make("lazy"), Reason::WAIT), "21");
}

TEST(Strategies, starve_runs_one_stream_last)
{
	EXPECT_EQ(order_of("starve:stream=1"), "2413");
	EXPECT_EQ(order_of("starve:stream=2"), "1324");
	std::set<std::string> orders;
	for (int seed = 0; seed < 20; seed++)
		orders.insert(order_of("starve:seed=" + std::to_string(seed)));
	EXPECT_EQ(orders, (std::set<std::string>{"2413", "1324"}));
}

TEST(Strategies, random_finds_all_orders_and_depends_on_the_seed_alone)
{
	std::set<std::string> orders;
	for (int seed = 0; seed < 200; seed++) {
		const std::string schedule = "random:seed=" + std::to_string(seed);
		orders.insert(order_of(schedule));
		EXPECT_EQ(order_of(schedule), order_of(schedule));
	}
	/* Four of which each stream's two have their order: 4! / (2! 2!). */
	EXPECT_EQ(orders.size(), 6u);
	uint64_t ran = 0;
	const auto strategy = make("random:seed=1");
	for (int i = 0; i < 1000; i++)
		ran += strategy->at_submit();
	EXPECT_GT(ran, 800u);
	EXPECT_LT(ran, 1200u);
}

TEST(Strategies, pct_changes_priorities_depth_minus_one_times)
{
	std::set<std::string> one, two;
	for (int seed = 0; seed < 200; seed++) {
		const std::string text = std::to_string(seed) + ",steps=4";
		one.insert(order_of("pct:depth=1,seed=" + text));
		two.insert(order_of("pct:depth=2,seed=" + text));
	}
	EXPECT_EQ(one, (std::set<std::string>{"1324", "2413"}));
	EXPECT_TRUE(two.contains("1243") && two.contains("2134"));
	EXPECT_FALSE(two.contains("1234")) << "it takes two changes";
}

TEST(Strategies, confirm_delays_suspects_and_turns_them_round)
{
	Model model;
	model.add(1, 'c', true);
	model.add(2);
	model.add(2, 'f', true);
	EXPECT_EQ(model.run(*make("confirm:address=1,bytes=1"), Reason::WAIT), "2");
	model.need(1);
	EXPECT_EQ(model.run(*make("confirm:address=1,bytes=1"), Reason::WAIT), "31");
	Model polled;
	polled.add(1, 'c', true);
	const auto strategy = make("confirm:address=1,bytes=1");
	for (int i = 1; i < 16; i++)
		EXPECT_EQ(polled.run(*strategy, Reason::PROGRESS), "") << i;
	EXPECT_EQ(polled.run(*strategy, Reason::PROGRESS), "1");
}
