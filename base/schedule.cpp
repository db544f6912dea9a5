// SPDX-License-Identifier: MIT
/**
 * DOC: Plans of schedules
 *
 * The syntax of UNPU_SCHEDULE and of firmware-sim --schedule.
 */
#include "schedule.h"

#include <iterator>

#include <fmt/format.h>

#include "number.h"

namespace base {

using Strategy = SchedulePlan::Strategy;

namespace {

struct StrategyName {
	std::string_view text;
	Strategy strategy;
};

constexpr StrategyName NAMES[] = {
	{"fifo", Strategy::FIFO},	{"eager", Strategy::EAGER},   {"lazy", Strategy::LAZY},
	{"starve", Strategy::STARVE},	{"random", Strategy::RANDOM}, {"pct", Strategy::PCT},
	{"confirm", Strategy::CONFIRM}, {"replay", Strategy::REPLAY},
};

/* One strategy of the portfolio. The seed of a run chooses it, and each run has the next seed. */
struct Share {
	Strategy strategy;
	uint32_t depth;
};

constexpr Share PORTFOLIO[] = {
	{Strategy::EAGER, 0}, {Strategy::LAZY, 0}, {Strategy::STARVE, 0},
	{Strategy::PCT, 2},   {Strategy::PCT, 3},  {Strategy::RANDOM, 0},
};

constexpr std::string_view PORTFOLIO_NAME = "portfolio";

/* A key with a numeric value: its limits, and the field that it sets. */
struct Key {
	std::string_view name;
	uint64_t least;
	uint64_t most;
	void (*store)(SchedulePlan &plan, uint64_t value);
};

constexpr Key KEYS[] = {
	{"seed", 0, UINT64_MAX, [](SchedulePlan &plan, uint64_t value) { plan.seed = value; }},
	{"depth", 1, 16,
	 [](SchedulePlan &plan, uint64_t value) { plan.depth = static_cast<uint32_t>(value); }},
	{"steps", 0, UINT32_MAX, [](SchedulePlan &plan, uint64_t value) { plan.steps = value; }},
	{"stream", 0, UINT32_MAX,
	 [](SchedulePlan &plan, uint64_t value) { plan.stream = static_cast<int64_t>(value); }},
	{"address", 0, UINT64_MAX,
	 [](SchedulePlan &plan, uint64_t value) { plan.address = value; }},
	{"bytes", 1, UINT64_MAX, [](SchedulePlan &plan, uint64_t value) { plan.bytes = value; }},
	{"kernels", 0, 1, [](SchedulePlan &plan, uint64_t value) { plan.kernels = value != 0; }},
};

} // namespace

static bool read_value(std::string_view text, uint64_t &value)
{
	const bool is_hex = text.substr(0, 2) == "0x";
	return read_number(is_hex ? text.substr(2) : text, value, is_hex ? 16 : 10);
}

static std::string read_key(SchedulePlan &plan, std::string_view word)
{
	const size_t equals = word.find('=');
	const std::string_view name = word.substr(0, equals);
	const std::string_view value = equals == word.npos ? "" : word.substr(equals + 1);
	if ((name == "log" || name == "from") && !value.empty()) {
		(name == "log" ? plan.log : plan.from) = value;
		return "";
	}
	for (const Key &key : KEYS) {
		uint64_t number = 0;
		if (key.name != name)
			continue;
		if (!read_value(value, number) || number < key.least || number > key.most)
			return fmt::format("{}={} is no number from {} to {}", name, value,
					   key.least, key.most);
		key.store(plan, number);
		return "";
	}
	return fmt::format("unknown word '{}'; known are seed=, depth=, steps=, stream=, address=, "
			   "bytes=, kernels=, from= and log=",
			   word);
}

static std::string check(const SchedulePlan &plan)
{
	if (plan.strategy == Strategy::CONFIRM && plan.bytes == 0)
		return "confirm needs address= and bytes= of the memory";
	if (plan.strategy == Strategy::REPLAY && plan.from.empty())
		return "replay needs from=, a file of decisions or the decisions";
	return "";
}

static void choose_share(SchedulePlan &plan)
{
	const Share &share = PORTFOLIO[plan.seed % std::size(PORTFOLIO)];
	plan.strategy = share.strategy;
	if (share.depth != 0)
		plan.depth = share.depth;
}

static std::string read_plan(std::string_view text, SchedulePlan &plan)
{
	const size_t colon = text.find(':');
	const std::string_view name = text.substr(0, colon);
	std::string_view rest = colon == text.npos ? "" : text.substr(colon + 1);
	bool is_known = name == PORTFOLIO_NAME;
	for (const StrategyName &each : NAMES) {
		if (each.text != name)
			continue;
		plan.strategy = each.strategy;
		is_known = true;
	}
	if (!is_known)
		return fmt::format("unknown strategy '{}'; known are fifo, eager, lazy, starve, "
				   "random, pct, portfolio, confirm and replay",
				   name);
	if (name == PORTFOLIO_NAME)
		plan.steps = 0;
	while (!rest.empty()) {
		const size_t comma = rest.find(',');
		std::string why = read_key(plan, rest.substr(0, comma));
		if (!why.empty())
			return why;
		rest = comma == rest.npos ? "" : rest.substr(comma + 1);
	}
	if (name == PORTFOLIO_NAME)
		choose_share(plan);
	return check(plan);
}

Result<std::shared_ptr<const SchedulePlan>> parse_schedule(std::string_view text, std::string &why)
{
	auto plan = std::make_shared<SchedulePlan>();
	plan->text = text;
	const std::string problem = read_plan(text, *plan);
	if (problem.empty())
		return std::shared_ptr<const SchedulePlan>(std::move(plan));
	why = fmt::format("schedule '{}': {}", text, problem);
	return Status::INVALID_ARGUMENT;
}

std::string describe_schedule(const SchedulePlan &plan)
{
	std::string text;
	for (const StrategyName &each : NAMES) {
		if (each.strategy == plan.strategy)
			text = each.text;
	}
	switch (plan.strategy) {
	case Strategy::FIFO:
	case Strategy::EAGER:
	case Strategy::LAZY:
		return text;
	case Strategy::STARVE:
		if (plan.stream != SchedulePlan::ANY_STREAM)
			return text + fmt::format(":stream={}", plan.stream);
		return text + fmt::format(":seed={}", plan.seed);
	case Strategy::RANDOM:
		return text + fmt::format(":seed={}", plan.seed);
	case Strategy::PCT:
		return text +
		       fmt::format(":seed={},depth={},steps={}", plan.seed, plan.depth, plan.steps);
	case Strategy::CONFIRM:
		return text + fmt::format(":address={:#x},bytes={}{}", plan.address, plan.bytes,
					  plan.kernels ? ",kernels=1" : "");
	case Strategy::REPLAY:
		return text + ":from=" + plan.from;
	}
	return text;
}

} // namespace base
