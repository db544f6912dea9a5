// SPDX-License-Identifier: MIT
/**
 * DOC: theorems of the model, and a second scheduler, on random graphs
 */
#include <algorithm>
#include <array>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "timed_program.h"

namespace timing::test {

constexpr uint32_t LINES = 3;
constexpr uint64_t CUBE_CORES = 4;
constexpr uint64_t VECTOR_CORES = 6;

/* class Dice - random numbers that each seed gives again. */
class Dice {
public:
	explicit Dice(uint32_t seed) : engine_(seed) {}

	/* below() - a number below @end. */
	uint64_t below(uint64_t end) { return engine_() % end; }

private:
	std::mt19937 engine_;
};

/* struct Play - a random graph with its costs. */
struct Play {
	Graph graph;
	std::vector<Cost> costs;
	Profile profile = bare_profile();
	uint64_t gap = 0;
};

static Play random_play(Dice &dice, bool has_memory)
{
	Play play;
	play.gap = dice.below(2) * dice.below(5);
	(void)play.profile.set("launch.gap", std::to_string(play.gap) + "ps");
	(void)play.profile.set("cube.cores", std::to_string(CUBE_CORES));
	(void)play.profile.set("vector.cores", std::to_string(VECTOR_CORES));
	(void)play.profile.set("memory.rate", "1GB/s");
	for (uint32_t i = 0; i < LINES; i++)
		play.graph.lines.push_back({0, i / 2, 0});
	const auto count = static_cast<uint32_t>(1 + dice.below(12));
	for (Id id = 0; id < count; id++) {
		Vertex vertex;
		vertex.step = Step::COMMAND;
		vertex.line = static_cast<uint32_t>(dice.below(LINES));
		vertex.number = static_cast<uint32_t>(dice.below(6));
		vertex.first = static_cast<uint32_t>(play.graph.before.size());
		for (Id before = 0; before < id; before++) {
			if (dice.below(4) == 0)
				play.graph.before.push_back(before);
		}
		vertex.count = static_cast<uint32_t>(play.graph.before.size()) - vertex.first;
		play.graph.vertices.push_back(vertex);
		Cost cost;
		cost.time = dice.below(8);
		cost.engine = static_cast<Engine>(dice.below(static_cast<uint64_t>(Engine::COUNT)));
		cost.units =
			static_cast<uint32_t>(1 + dice.below(units_of(cost.engine, play.profile)));
		if (cost.engine == Engine::NONE)
			play.graph.vertices.back().step = Step::WAIT;
		else if (has_memory && cost.time != 0)
			cost.memory = 1 + dice.below(GIGA);
		play.costs.push_back(cost);
	}
	return play;
}

/*
 * A second scheduler, without queues and events: at each picosecond it looks at all steps. It knows no sharing of the
 * memory.
 */
static std::vector<Picoseconds> slow_schedule(const Play &play)
{
	const size_t count = play.costs.size();
	constexpr Picoseconds NEVER = UINT64_MAX;
	std::vector<Picoseconds> ready(count, NEVER);
	std::vector<Picoseconds> begin(count, NEVER);
	std::vector<Picoseconds> end(count, NEVER);
	std::array<Picoseconds, 2> next{};
	const auto device = [&](Id id) {
		return play.graph.lines[play.graph.vertices[id].line].device;
	};
	const auto used = [&](uint32_t on, Engine engine, Picoseconds now) {
		uint64_t sum = 0;
		for (Id id = 0; id < count; id++) {
			if (begin[id] != NEVER && end[id] > now && device(id) == on &&
			    play.costs[id].engine == engine)
				sum += play.costs[id].units;
		}
		return sum;
	};
	for (Picoseconds now = 0; std::count(begin.begin(), begin.end(), NEVER) > 0; now++) {
		for (bool is_changed = true; is_changed;) {
			is_changed = false;
			for (Id id = 0; id < count; id++) {
				const Vertex &vertex = play.graph.vertices[id];
				bool is_ready = true;
				for (uint32_t i = 0; i < vertex.count; i++)
					is_ready = is_ready &&
						   end[play.graph.before[vertex.first + i]] <= now;
				if (!is_ready || ready[id] != NEVER)
					continue;
				ready[id] = now;
				is_changed = true;
				if (play.costs[id].engine != Engine::NONE)
					continue;
				begin[id] = now;
				end[id] = now + play.costs[id].time;
			}
			if (is_changed)
				continue;
			std::vector<std::tuple<Picoseconds, uint32_t, Id>> order;
			for (Id id = 0; id < count; id++) {
				if (ready[id] != NEVER && begin[id] == NEVER)
					order.emplace_back(ready[id],
							   play.graph.vertices[id].number, id);
			}
			std::sort(order.begin(), order.end());
			std::vector<std::pair<uint32_t, Engine>> held;
			for (const auto &[when, number, id] : order) {
				const Cost &cost = play.costs[id];
				const std::pair<uint32_t, Engine> place{device(id), cost.engine};
				if (std::find(held.begin(), held.end(), place) != held.end() ||
				    now < next[device(id)])
					continue;
				if (used(device(id), cost.engine, now) + cost.units >
				    units_of(cost.engine, play.profile)) {
					held.push_back(place);
					continue;
				}
				begin[id] = now;
				end[id] = now + cost.time;
				next[device(id)] = now + play.gap;
				/* A task that takes no time ends before others of the moment start. */
				is_changed = is_changed || cost.time == 0;
			}
		}
	}
	return begin;
}

TEST(Random, another_scheduler_gives_the_same_times)
{
	constexpr uint32_t GRAPHS = 10'000;
	for (uint32_t seed = 0; seed < GRAPHS; seed++) {
		Dice dice(seed);
		Play play = random_play(dice, false);
		/* Where a task takes no time, the order within a moment is a matter of taste. */
		for (Cost &cost : play.costs)
			cost.time += cost.engine != Engine::NONE && cost.time == 0;
		const Timeline line = schedule_of(play.graph, play.costs, play.profile);
		const std::vector<Picoseconds> slow = slow_schedule(play);
		for (Id id = 0; id < play.costs.size(); id++)
			ASSERT_EQ(line.slots[id].begin, slow[id])
				<< "seed " << seed << " step " << id;
	}
}

static void check_path(const Timeline &line, uint32_t seed)
{
	Picoseconds at = 0;
	for (const Segment &segment : path_of(line)) {
		ASSERT_EQ(segment.begin, at) << "seed " << seed;
		ASSERT_LT(segment.begin, segment.end) << "seed " << seed;
		at = segment.end;
	}
	ASSERT_EQ(at, line.total) << "seed " << seed;
}

TEST(Random, the_bound_is_a_bound_and_the_path_is_the_total)
{
	for (uint32_t seed = 0; seed < 5000; seed++) {
		Dice dice(seed);
		const Play play = random_play(dice, true);
		const Timeline bound = bound_of(play.graph, play.costs);
		const Timeline line = schedule_of(play.graph, play.costs, play.profile);
		Picoseconds sum = 0;
		for (const Cost &cost : play.costs)
			sum += cost.time + play.gap + play.costs.size();
		EXPECT_LE(bound.total, line.total) << "seed " << seed;
		EXPECT_LE(line.total, sum) << "seed " << seed;
		for (Id id = 0; id < play.costs.size(); id++) {
			EXPECT_LE(bound.slots[id].end, line.slots[id].end) << "seed " << seed;
			EXPECT_LE(line.slots[id].begin + play.costs[id].time, line.slots[id].end);
		}
		check_path(bound, seed);
		check_path(line, seed);
	}
}

TEST(Random, no_gap_is_without_a_reason)
{
	for (uint32_t seed = 0; seed < 2000; seed++) {
		Dice dice(seed);
		Play play = random_play(dice, true);
		Answer all;
		all.schedule = schedule_of(play.graph, play.costs, play.profile);
		all.graph = play.graph;
		std::array<Picoseconds, LINES> idle{};
		std::array<Picoseconds, LINES> end{};
		for (const Gap &gap : gaps_of(all)) {
			const bool has_cause = gap.cause != NO_VERTEX || gap.reason == Reason::OWN;
			EXPECT_TRUE(has_cause) << "seed " << seed;
			idle[all.graph.vertices[gap.task].line] += gap.end - gap.begin;
		}
		for (uint32_t line = 0; line < LINES; line++) {
			std::string name = "stream:" + std::to_string(line + 1);
			Selector steps;
			ASSERT_TRUE(Selector::parse(name, steps));
			for (Id id = 0; id < all.graph.vertices.size(); id++) {
				if (steps.has(all.graph, all.graph.vertices[id]))
					end[line] = std::max(end[line], all.schedule.slots[id].end);
			}
			EXPECT_EQ(idle[line] + busy_time(all, steps), end[line]) << "seed " << seed;
		}
	}
}

TEST(Random, costs_times_k_give_the_total_times_k)
{
	for (uint32_t seed = 0; seed < 2000; seed++) {
		Dice dice(seed);
		Play play = random_play(dice, false);
		const uint64_t times = 2 + dice.below(5);
		const Timeline once = schedule_of(play.graph, play.costs, play.profile);
		const Timeline bound = bound_of(play.graph, play.costs);
		for (Cost &cost : play.costs)
			cost.time *= times;
		(void)play.profile.set("launch.gap", std::to_string(play.gap * times) + "ps");
		EXPECT_EQ(schedule_of(play.graph, play.costs, play.profile).total,
			  once.total * times);
		EXPECT_EQ(bound_of(play.graph, play.costs).total, bound.total * times);
	}
}

TEST(Random, less_never_raises_the_bound)
{
	for (uint32_t seed = 0; seed < 5000; seed++) {
		Dice dice(seed);
		Play play = random_play(dice, false);
		const Picoseconds before = bound_of(play.graph, play.costs).total;
		Play cheaper = play;
		Cost &cost = cheaper.costs[dice.below(cheaper.costs.size())];
		cost.time -= std::min<Picoseconds>(cost.time, dice.below(4));
		EXPECT_LE(bound_of(cheaper.graph, cheaper.costs).total, before) << seed;
		Vertex &vertex = play.graph.vertices[dice.below(play.costs.size())];
		vertex.count -= vertex.count > 0;
		EXPECT_LE(bound_of(play.graph, play.costs).total, before) << seed;
	}
}

/* A random program of two streams and a third one. With @is_merged the first two are one. */
static TimedProgram random_program(uint32_t seed, bool is_merged)
{
	Dice dice(seed);
	TimedProgram program;
	const uint32_t a = program.stream("a");
	const uint32_t b = is_merged ? a : program.stream("b");
	const std::array<uint32_t, 3> streams{a, b, program.stream("c")};
	const std::array<uint64_t, 3> events{program.event("e"), program.event("f"),
					     program.event("g", san::EVENT_LATCH)};
	for (uint64_t i = 0, count = 4 + dice.below(20); i < count; i++) {
		const uint32_t stream = streams[dice.below(3)];
		const uint64_t event = events[dice.below(3)];
		switch (dice.below(9)) {
		case 0:
			program.record(event, stream);
			break;
		case 1:
			program.site("wait " + std::to_string(i));
			program.wait(stream, events[dice.below(2)]);
			break;
		case 2:
			program.sync(stream);
			break;
		case 3:
			program.signal(1 + dice.below(2), stream, 1, san::SIGNAL_ADD);
			break;
		case 4:
			program.sync_device();
			break;
		case 5:
		case 6:
			program.in(stream, 1 + dice.below(5));
			break;
		default:
			program.out(stream, 1 + dice.below(5));
			break;
		}
	}
	return program;
}

TEST(Random, a_merge_is_what_the_changed_program_does)
{
	const Profile plain;
	for (uint32_t seed = 0; seed < 1000; seed++) {
		const Answer changed = answer(random_program(seed, false), plain, {{{1, 2}}, {}});
		const Answer real = answer(random_program(seed, true), plain);
		EXPECT_EQ(changed.bound.total, real.bound.total) << "seed " << seed;
		EXPECT_EQ(changed.schedule.total, real.schedule.total) << "seed " << seed;
	}
}

TEST(Random, a_wait_less_never_raises_the_bound_of_a_program)
{
	const Profile plain;
	for (uint32_t seed = 0; seed < 1000; seed++) {
		const TimedProgram program = random_program(seed, false);
		const Picoseconds before = answer(program, plain).bound.total;
		for (int i = 0; i < 20; i += 5) {
			Changes changes;
			const std::string place = "wait " + std::to_string(i);
			changes.drops_wait = [&](const std::string &site) { return site == place; };
			EXPECT_LE(answer(program, plain, changes).bound.total, before) << seed;
		}
	}
}

TEST(Random, steps_come_after_what_they_depend_on)
{
	for (uint32_t seed = 0; seed < 1000; seed++) {
		const Graph graph = graph_of(random_program(seed, false));
		for (Id id = 0; id < graph.vertices.size(); id++) {
			const Vertex &vertex = graph.vertices[id];
			for (uint32_t i = 0; i < vertex.count; i++)
				ASSERT_LT(graph.before[vertex.first + i], id);
		}
		EXPECT_EQ(graph.missing.problems, 0u);
	}
}

} // namespace timing::test
