// SPDX-License-Identifier: MIT
/**
 * DOC: scale
 *
 * What calls cost, and objects take, when there are many: streams, clients, events, buffers, devices,
 * nodes of a graph; and small work beside large. Each part is a process of its own, so that none finds
 * what another has left.
 */
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/client.h"
#include "common/program.h"
#include "common/scale.h"

using namespace bench;

namespace {

struct Part {
	const char *name;
	void (*measure)(const Effort &effort, Round &round);
};

constexpr std::array<Part, 7> PARTS = {{
	{"streams", measure_streams},
	{"clients", measure_clients},
	{"events", measure_scaled_events},
	{"buffers", measure_buffers},
	{"devices", measure_devices},
	{"graphs", measure_graphs},
	{"engines", measure_engines},
}};

/* As medians, on a machine with two CPUs that nobody else uses. */
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
		{"scale.parked.submit.4096", "submit, 4096 parked streams by 1", Figure::RATIO,
		 false, MOST},
		{"scale.parked.trip.4096", "round trip, 4096 parked streams by 1", Figure::RATIO,
		 false, MOST},
		{"scale.clients.submit.64", "submit, 64 clients by 1", Figure::RATIO, false, MOST},
		{"scale.clients.trip.64", "round trip, 64 clients by 1", Figure::RATIO, false,
		 MOST},
		{"scale.clients.query.64", "query, 64 clients by 1", Figure::RATIO, false, MOST},
		{"scale.events.life.1000000", "an event's life, 1000000 by 1", Figure::RATIO, false,
		 MOST},
		{"scale.buffers.life.100000", "a buffer's life, 100000 by 1", Figure::RATIO, false,
		 MOST},
		{"scale.engines.beside", "round trip beside copies by alone", Figure::RATIO, false,
		 2},
	};
}

std::string read_all(int fd)
{
	std::string text;
	char buffer[4096];
	ssize_t got;
	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		text.append(buffer, static_cast<size_t>(got));
	close(fd);
	return text;
}

void run_part(const Part &part, const Effort &effort, Round &round)
{
	int ends[2];
	int status = 0;
	pid_t child = -1;
	check(pipe2(ends, O_CLOEXEC), "pipe2");
	std::string words[] = {"scale", "--part", part.name, "--quick"};
	char *arguments[] = {words[0].data(), words[1].data(), words[2].data(),
			     effort.quick ? words[3].data() : nullptr, nullptr};
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	check(posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ),
	      "posix_spawn");
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	const auto answer = nlohmann::json::parse(read_all(ends[0]), nullptr, false);
	if (waitpid(child, &status, 0) != child || status != 0 || !answer.is_array()) {
		std::fprintf(stderr, "scale: --part %s failed\n", part.name);
		std::exit(1);
	}
	for (const auto &entry : answer) {
		Measure measure;
		measure.key = entry["key"];
		measure.title = entry["title"];
		measure.base = entry["base"];
		measure.summary = {entry["median_ns"], entry["p99_ns"], entry["batches_ns"]};
		measure.items = entry["items"];
		measure.bytes = entry["bytes"];
		measure.object_bytes = entry["object_bytes"];
		round.push_back(std::move(measure));
	}
}

int answer_parent(const Part &part, const Effort &effort)
{
	Round round;
	part.measure(effort, round);
	auto answer = nlohmann::json::array();
	for (const Measure &measure : round)
		answer.push_back({{"key", measure.key},
				  {"title", measure.title},
				  {"base", measure.base},
				  {"median_ns", measure.summary.median_ns},
				  {"p99_ns", measure.summary.p99_ns},
				  {"batches_ns", measure.summary.batches_ns},
				  {"items", measure.items},
				  {"bytes", measure.bytes},
				  {"object_bytes", measure.object_bytes}});
	std::printf("%s\n", answer.dump().c_str());
	return 0;
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
		app.add_option("--part", name)->group("");
		app.add_option("--member", member)->group("");
		app.add_option(
			"--only", only,
			"One of streams, clients, events, buffers, devices, graphs, engines");
	};
	program.instead = [&](const Options &options) {
		if (!member.empty())
			return member_of_crowd(member == "busy");
		for (const Part &part : PARTS) {
			if (name == part.name)
				return answer_parent(part, options.effort);
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
				run_part(part, options.effort, round);
			}
		}
		progress_end();
		return rounds;
	};
	return run_program(program, argc, argv);
}
