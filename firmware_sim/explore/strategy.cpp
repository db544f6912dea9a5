// SPDX-License-Identifier: MIT
/**
 * DOC: Strategies
 *
 * A strategy chooses the next command when several unordered commands are ready. Every choice is legal: a
 * device could run this command at this moment. So if a result is wrong under some strategy, the program is
 * wrong.
 */
#include "strategy.h"

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace fw {

namespace {

using Key = std::pair<uint32_t, uint32_t>; /* client, stream */

Key key_of(const Choice &choice)
{
	return {choice.client, choice.stream};
}

/* A number that looks random, the same for the same stream and seed: the steps of SplitMix64. */
uint64_t mix(const Key &key, uint64_t seed)
{
	uint64_t word = uint64_t{key.first} << 32 | key.second;
	word = seed + (word + 1) * 0x9e3779b97f4a7c15u;
	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
	word = (word ^ word >> 27) * 0x94d049bb133111ebu;
	return word ^ word >> 31;
}

/* The earliest submitted choice for which @allows is true; choices.size() if there is none. */
template <class Allows> size_t first_of(std::span<const Choice> choices, const Allows &allows)
{
	size_t best = choices.size();
	for (size_t i = 0; i < choices.size(); i++) {
		if (allows(choices[i]) &&
		    (best == choices.size() || choices[i].arrival < choices[best].arrival))
			best = i;
	}
	return best;
}

class Fifo : public Strategy {
public:
	size_t choose(std::span<const Choice> choices, Reason) override
	{
		return first_of(choices, [](const Choice &) { return true; });
	}
};

class Eager final : public Fifo {
public:
	uint64_t at_submit() override { return UINT64_MAX; }
};

class Lazy final : public Fifo {
public:
	/* Runs copies last, because programs often forget to wait for copies. */
	size_t choose(std::span<const Choice> choices, Reason reason) override
	{
		if (reason == Reason::PROGRESS)
			return Fifo::choose(choices, reason);
		const size_t work = first_of(choices, [](const Choice &choice) {
			return choice.is_needed && choice.kind != 'c';
		});
		if (work != choices.size())
			return work;
		return first_of(choices, [](const Choice &choice) { return choice.is_needed; });
	}

	bool needs() const override { return true; }
};

class Starve final : public Strategy {
public:
	explicit Starve(const base::SchedulePlan &plan) : plan_(plan) {}

	size_t choose(std::span<const Choice> choices, Reason) override
	{
		for (const Choice &choice : choices)
			note(key_of(choice));
		const size_t other = first_of(
			choices, [&](const Choice &choice) { return key_of(choice) != starved_; });
		if (other != choices.size())
			return other;
		return first_of(choices, [](const Choice &) { return true; });
	}

private:
	/* The stream with the smallest number is starved. */
	void note(const Key &key)
	{
		uint64_t number = mix(key, plan_.seed);
		if (plan_.stream != base::SchedulePlan::ANY_STREAM)
			number = key.second == static_cast<uint64_t>(plan_.stream) ? 0 : UINT64_MAX;
		if (number >= least_)
			return;
		least_ = number;
		starved_ = key;
	}

	const base::SchedulePlan plan_;
	uint64_t least_ = UINT64_MAX;
	Key starved_{UINT32_MAX, UINT32_MAX};
};

class Random final : public Strategy {
public:
	explicit Random(uint64_t seed) : random_(seed) {}

	size_t choose(std::span<const Choice> choices, Reason) override
	{
		return random_() % choices.size();
	}

	/* Half of the submits run nothing, a quarter runs one command, and so on. */
	uint64_t at_submit() override
	{
		uint64_t count = 0;
		for (uint64_t bits = random_(); bits & 1; bits >>= 1)
			count++;
		return count;
	}

private:
	std::mt19937_64 random_;
};

/* Random priorities with few changes: a bug that needs @depth commands in a certain order shows with a
 * probability of at least 1 / (streams * steps^(depth - 1)) in one run. */
class Pct final : public Strategy {
public:
	explicit Pct(const base::SchedulePlan &plan) : plan_(plan)
	{
		std::mt19937_64 random(plan.seed);
		for (uint32_t i = 1; i < plan.depth; i++)
			changes_.push_back(plan.steps != 0 ? random() % plan.steps
							   : draw_step(random));
	}

	size_t choose(std::span<const Choice> choices, Reason) override
	{
		size_t best = highest(choices);
		if (choices.size() == 1)
			return best;
		for (size_t i = 0; i < changes_.size(); i++) {
			/* The new priority is lower than every priority that was drawn. */
			if (changes_[i] == step_)
				priorities_[key_of(choices[best])] = i;
		}
		step_++;
		return highest(choices);
	}

private:
	/* Draws a step for a change of priority. The length of the run is unknown, so the distribution must
	 * give changes in short runs, and also late changes in long runs. */
	static uint64_t draw_step(std::mt19937_64 &random)
	{
		constexpr unsigned BITS = 9;
		return random() & ((uint64_t{1} << (1 + random() % BITS)) - 1);
	}

	uint64_t priority(const Key &key)
	{
		const auto [place, is_new] = priorities_.try_emplace(key, 0);
		if (is_new)
			place->second = mix(key, plan_.seed) | uint64_t{1} << 63;
		return place->second;
	}

	size_t highest(std::span<const Choice> choices)
	{
		size_t best = 0;
		for (size_t i = 1; i < choices.size(); i++) {
			const uint64_t one = priority(key_of(choices[i]));
			const uint64_t other = priority(key_of(choices[best]));
			if (one > other ||
			    (one == other && choices[i].arrival < choices[best].arrival))
				best = i;
		}
		return best;
	}

	const base::SchedulePlan plan_;
	std::vector<uint64_t> changes_;
	uint64_t step_ = 0;
	std::map<Key, uint64_t> priorities_;
};

/* Tries to run the first access of a finding after the second one, if the program allows that order. */
class Confirm final : public Strategy {
public:
	size_t choose(std::span<const Choice> choices, Reason reason) override
	{
		const size_t other =
			first_of(choices, [](const Choice &choice) { return !choice.is_suspect; });
		if (other != choices.size()) {
			asked_ = 0;
			return other;
		}
		size_t last = 0;
		/* The second access may not have been submitted yet. */
		bool must_run = reason == Reason::PROGRESS && ++asked_ >= ASKED_MOST;
		for (size_t i = 0; i < choices.size(); i++) {
			must_run |= choices[i].is_needed;
			/* Lines of one graph have the same arrival number. */
			if (choices[i].arrival >= choices[last].arrival)
				last = i;
		}
		if (must_run)
			asked_ = 0;
		return must_run ? last : choices.size();
	}

	bool needs() const override { return true; }

private:
	/* How often nothing else must have happened before a suspect runs that no thread waits for. */
	static constexpr unsigned ASKED_MOST = 16;

	unsigned asked_ = 0;
};

} // namespace

std::unique_ptr<Strategy> make_strategy(const base::SchedulePlan &plan)
{
	using Which = base::SchedulePlan::Strategy;
	switch (plan.strategy) {
	case Which::EAGER:
		return std::make_unique<Eager>();
	case Which::LAZY:
		return std::make_unique<Lazy>();
	case Which::STARVE:
		return std::make_unique<Starve>(plan);
	case Which::RANDOM:
		return std::make_unique<Random>(plan.seed);
	case Which::PCT:
		return std::make_unique<Pct>(plan);
	case Which::CONFIRM:
		return std::make_unique<Confirm>();
	case Which::FIFO:
	case Which::REPLAY:
		break;
	}
	return std::make_unique<Fifo>();
}

} // namespace fw
