// SPDX-License-Identifier: MIT
/**
 * DOC: scale
 *
 * The cost of calls, and the memory of objects, when there are many: streams, clients, events,
 * buffers, devices, nodes of a graph; and small work beside large work. Each part runs in a process
 * of its own, so that none finds state of another.
 */
#include <array>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "harness/again.h"
#include "harness/program.h"
#include "process/client.h"
#include "process/member.h"
#include "scale/scale.h"

using namespace bench;

namespace {

struct Part {
	const char *name;
	void (*measure)(const Effort &effort, Round &round);
};

constexpr std::array<Part, 8> PARTS = {{
	{"streams", measure_streams},
	{"clients", measure_clients},
	{"events", measure_scaled_events},
	{"buffers", measure_buffers},
	{"touch", measure_first_touch},
	{"devices", measure_devices},
	{"graphs", measure_graphs},
	{"engines", measure_engines},
}};

/* As medians, on a machine with two CPUs that runs nothing else. */
std::vector<Floor> floors()
{
	constexpr double MOST = 1.3;
	return {
		{"scale.streams.submit.4096", "submit, 4096 streams by 1", Figure::RATIO, false,
		 MOST},
		{"scale.streams.record.4096", "record, 4096 streams by 1", Figure::RATIO, false,
		 MOST},
		{"scale.streams.wait.4096", "wait, 4096 streams by 1", Figure::RATIO, false, MOST},
		{"scale.streams.query.4096", "query, 4096 streams by 1", Figure::RATIO, false,
		 MOST},
		{"scale.streams.trip.4096", "round trip, 4096 streams by 1", Figure::RATIO, false,
		 MOST},
		{"scale.streams.life.4096", "a stream's life, 4096 by 1", Figure::RATIO, false,
		 MOST},
		{"scale.streams.buffer.4096", "a buffer's life, 4096 streams by 1", Figure::RATIO,
		 false, MOST},
		{"scale.streams.device.4096", "synchronize the device, 4096 streams by 1",
		 Figure::RATIO, false, MOST},
		{"scale.parked.submit.4096", "submit, 4096 parked streams by 1", Figure::RATIO,
		 false, MOST},
		{"scale.parked.trip.4096", "round trip, 4096 parked streams by 1", Figure::RATIO,
		 false, MOST},
		{"scale.turns.trip.64", "round trip, 64 streams by turns by 1", Figure::RATIO,
		 false, 3},
		{"scale.turns.trip.4096", "round trip, 4096 streams by turns by 1", Figure::RATIO,
		 false, 5},
		{"scale.clients.submit.64", "submit, 64 clients by 1", Figure::RATIO, false, MOST},
		{"scale.clients.trip.64", "round trip, 64 clients by 1", Figure::RATIO, false,
		 MOST},
		{"scale.clients.trip.8", "round trip, 8 clients by 1", Figure::RATIO, false, MOST},
		{"scale.clients.query.64", "query, 64 clients by 1", Figure::RATIO, false, MOST},
		{"scale.events.life.1000000", "an event's life, 1000000 by 1", Figure::RATIO, false,
		 MOST},
		{"scale.buffers.life.100000", "a buffer's life, 100000 by 1", Figure::RATIO, false,
		 1.2},
		{"scale.streams.life.64", "a stream's life", Figure::TIME_NS, false, 3000},
		{"scale.engines.beside", "round trip beside copies by alone", Figure::RATIO, false,
		 2},
	};
}

} // namespace

int main(int argc, char **argv)
{
	std::string name;
	std::string only;
	std::string member;
	Program program;
	program.name = "scale";
	program.about = "Measures what calls cost when there are many objects.";
	program.floors = floors();
	program.extend = [&](CLI::App &app) {
		std::vector<std::string> names;
		for (const Part &part : PARTS)
			names.emplace_back(part.name);
		app.add_option("--part", name)->group("")->check(CLI::IsMember(names));
		app.add_option("--member", member)->group("");
		app.add_option("--only", only, "a part of the rows")->check(CLI::IsMember(names));
	};
	program.instead = [&](const Options &options) {
		if (!member.empty())
			return member_of_crowd(member);
		for (const Part &part : PARTS) {
			if (name != part.name)
				continue;
			Round round;
			part.measure(options.effort, round);
			return answer(round);
		}
		return -1;
	};
	program.rounds = [&](const Options &options) {
		std::vector<Round> rounds;
		for (unsigned i = 0; i < options.rounds; i++) {
			Round &round = rounds.emplace_back();
			for (const Part &part : PARTS) {
				if (!only.empty() && only != part.name)
					continue;
				progress(options, i, part.name);
				for (Measure &measure :
				     run_again({"--part", part.name}, options.effort))
					round.push_back(std::move(measure));
			}
		}
		progress_end();
		return rounds;
	};
	return run_program(program, argc, argv);
}
