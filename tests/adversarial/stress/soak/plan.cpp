// SPDX-License-Identifier: MIT
/*
 * DOC: Plan of an episode
 */
#include "plan.h"

#include <algorithm>
#include <random>

#include "abilities.h"
#include "soak_shape.h"

namespace soak {

namespace {

class Dice {
public:
	explicit Dice(uint64_t seed) : random_(seed) {}

	uint64_t draw(uint64_t least, uint64_t most)
	{
		return std::uniform_int_distribution<uint64_t>(least, most)(random_);
	}
	template <size_t N> const char *pick(const char *const (&words)[N])
	{
		return words[draw(0, N - 1)];
	}

private:
	std::mt19937_64 random_;
};

/* No watchdog ends a stall: a stall shows as one. */
std::string draw_options(Dice &dice, const Plan &plan)
{
	std::string options = "devices=" + std::to_string(plan.devices) + ",memory=2G";
	static constexpr const char *WATCHDOGS[] = {",watchdog_ms=0", ",watchdog_ms=600000"};

	options += dice.pick(WATCHDOGS);
	return options;
}

std::string draw_tuning(Dice &dice)
{
	static constexpr const char *CALLERS[] = {"", "", ",caller-runs=on", ",caller-runs=off"};
	static constexpr const char *ENGINES[] = {"",		"",	      "",
						  ",engines=0", ",engines=1", ",engines=3"};
	static constexpr const char *SPINS[] = {"", "", ",spin_us=0", ",spin_us=1000"};
	std::string tuning = dice.pick(CALLERS);

	tuning += dice.pick(ENGINES);
	return tuning + dice.pick(SPINS);
}

void draw_device(Dice &dice, Plan &plan)
{
	const uint64_t backend = dice.draw(0, 9);

	plan.devices = static_cast<uint32_t>(dice.draw(1, 4));
	plan.one_cpu = dice.draw(0, 3) == 0;
	plan.needs_daemon = backend == 8;
	if (plan.needs_daemon)
		plan.device = "unix:";
	else if (backend == 9)
		plan.device = "sim+proc:" + draw_options(dice, plan);
	else
		plan.device = "sim:" + draw_options(dice, plan) + draw_tuning(dice);
}

#if defined(UNPU_ASAN) || defined(UNPU_TSAN)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

bool fits(const Shape &shape, const Plan &plan, const Wishes &wishes)
{
	static const bool kForks = !kHasSanitizer && !is_emulated();

	if (!kForks && shape.round == fork_children)
		return false;
	if (!wishes.only.empty() && wishes.only != shape.name)
		return false;
	if (shape.is_misuse && !plan.has_misuse)
		return false;
	/* A reset by force takes the memory that the thread frees afterwards. */
	return !shape.has_own_device || (plan.devices > 1 && !plan.has_misuse);
}

void draw_roles(Dice &dice, Plan &plan, const Wishes &wishes)
{
	const auto last = static_cast<int32_t>(plan.devices - 1);
	std::vector<const Shape *> choice;
	bool last_is_taken = false;

	for (const Shape &shape : shapes()) {
		if (fits(shape, plan, wishes))
			choice.push_back(&shape);
	}
	if (choice.empty())
		return;
	const size_t threads = dice.draw(2, 8);
	while (plan.roles.size() < threads) {
		const Shape *shape = choice[dice.draw(0, choice.size() - 1)];
		if (shape->has_own_device) {
			if (!last_is_taken)
				plan.roles.push_back({shape, last});
			last_is_taken = true;
			if (choice.size() == 1)
				break;
			continue;
		}
		for (unsigned i = 0; i < shape->threads; i++)
			plan.roles.push_back(
				{shape, static_cast<int32_t>(dice.draw(0, plan.devices - 1))});
	}
	for (Role &role : plan.roles) {
		if (last_is_taken && !role.shape->has_own_device && role.device == last)
			role.device = 0;
	}
}

} // namespace

Plan draw_plan(uint64_t seed, const Wishes &wishes)
{
	Dice dice(seed);
	Plan plan;
	bool wants_misuse = false;

	for (const Shape &shape : shapes())
		wants_misuse = wants_misuse || (shape.is_misuse && wishes.only == shape.name);
	plan.seed = seed;
	plan.wants_stacks = wishes.wants_stacks;
	plan.has_misuse =
		(dice.draw(0, 2) == 0 && !wishes.no_misuse) || wants_misuse || wishes.all_misuse;
	draw_device(dice, plan);
	plan.duration_ms =
		static_cast<unsigned>(dice.draw(wishes.max_ms / 4, std::max(wishes.max_ms, 1u)));
	draw_roles(dice, plan, wishes);
	return plan;
}

std::string describe(const Plan &plan)
{
	std::string text = "seed " + std::to_string(plan.seed) + ", " + plan.device;

	text += plan.needs_daemon ? " (" + std::to_string(plan.devices) + " devices)" : "";
	text += plan.one_cpu ? ", one CPU" : "";
	text += plan.has_misuse ? ", misuse" : "";
	text += ", " + std::to_string(plan.duration_ms) + " ms:";
	for (const Role &role : plan.roles)
		text += std::string(" ") + role.shape->name + "@" + std::to_string(role.device);
	return text;
}

} // namespace soak
