// SPDX-License-Identifier: MIT
/**
 * DOC: latency
 *
 * The cost of the calls of an ordinary AscendCL program, beside the best that the machine can do.
 */
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "harness/machine.h"
#include "harness/program.h"
#include "harness/threads.h"
#include "process/child.h"
#include "process/client.h"
#include "process/member.h"
#include "rows/copies.h"
#include "rows/idle.h"
#include "rows/tasks.h"

using namespace bench;

/* 0.0 percent of a second. */
static constexpr double IDLE_NS = 500000;

/* As medians, on a machine with two CPUs that runs nothing else. */
static std::vector<Floor> floors()
{
	return {
		{"task.trip.spinning", "round trip by the descriptor's", Figure::RATIO, false,
		 1.15},
		{"task.trip.caller runs", "round trip where the caller runs", Figure::TIME_NS,
		 false, 150},
		{"task.submit", "submit by a line through the machine's ring", Figure::RATIO, false,
		 1},
		{"event.record", "record by a call that loads", Figure::RATIO, false, 2},
		{"event.query", "query by a call that loads", Figure::RATIO, false, 2},
		{"event.wait_done", "wait for what is done by a call that loads", Figure::RATIO,
		 false, 2},
		{"threads.record.2", "records by two threads", Figure::RATIO, true, 1.8},
		{"threads.task.2", "submits by two threads", Figure::RATIO, true, 0.9},
		{"threads.task.4", "submits by four threads", Figure::RATIO, true, 3},
		{"task.submit.recorded", "submit, recorded by the sanitizer", Figure::TIME_NS,
		 false, 300},
		{"event.create_destroy", "make and destroy an event", Figure::TIME_NS, false, 60},
		{"task.stream", "a task of 1000 by a line of the machine's ring by 8",
		 Figure::RATIO, false, 2},
		{"task.stream.long", "a task of 100,000 by a line of the machine's ring by 8",
		 Figure::RATIO, false, 2},
		{"event.hop", "a hop between two streams", Figure::ITEM_NS, false, 50},
		{"copy.pinned_to_device.16777216", "pinned copy of 16 MiB by two threads'",
		 Figure::RATIO, true, 0.95},
		{"copy.pinned_to_device.67108864", "pinned copy of 64 MiB by two threads'",
		 Figure::RATIO, true, 0.95},
		{"copy.pinned_to_device.268435456", "pinned copy of 256 MiB by two threads'",
		 Figure::RATIO, true, 0.95},
		{"copy.sync_to_device.4096", "synchronous copy of 4 KiB", Figure::TIME_NS, false,
		 100},
		{"copy.page", "4 KiB written and copied by two CPUs' trip with it", Figure::RATIO,
		 false, 1.5},
		{"task.trip.one CPU", "round trip on one CPU by a futex's", Figure::RATIO, false,
		 1.3},
		{"task.trip.caller runs, one CPU", "caller runs: one CPU by two", Figure::RATIO,
		 false, 1.15},
		{"task.trip.device in a process", "round trip to a process by the embedded one's",
		 Figure::RATIO, false, 1.15},
		{"idle.embedded", "wake-ups in an idle second, embedded", Figure::WAKES, false, 0},
		{"idle.embedded", "CPU time in an idle second, embedded", Figure::TIME_NS, false,
		 IDLE_NS},
		{"idle.daemon", "wake-ups in an idle second, firmware-sim", Figure::WAKES, false,
		 0},
		{"idle.daemon", "CPU time in an idle second, firmware-sim", Figure::TIME_NS, false,
		 IDLE_NS},
		{"idle.first_task", "first task after a second by a futex wake", Figure::RATIO,
		 false, 1.1},
	};
}

static Round run_round(const Options &options, unsigned number, const Client &client,
		       const Copies &copies)
{
	const Effort &effort = options.effort;
	Round round;
	progress(options, number, "machine");
	measure_machine(effort, round);
	progress(options, number, "tasks");
	measure_submit(client, effort, round);
	measure_trip(client, effort, "default", round);
	run_child(Part::SPINNING, effort, round);
	run_child(Part::CALLERS, effort, round);
	run_child(Part::BLOCKING, effort, round);
	run_child(Part::ONE_CPU, effort, round);
	run_child(Part::CALLERS_ONE_CPU, effort, round);
	run_child(Part::PROCESS, effort, round);
	progress(options, number, "starts");
	measure_start(effort, round);
	progress(options, number, "idleness");
	run_child(Part::IDLE, effort, round);
	measure_idle_daemon(effort, round);
	progress(options, number, "events");
	measure_events(client, effort, round);
	progress(options, number, "recorded calls");
	run_child(Part::RECORDED, effort, round);
	progress(options, number, "threads");
	measure_threads(effort, round);
	progress(options, number, "copies");
	copies.run(effort, round);
	return round;
}

static std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	Client client;
	std::fprintf(stderr, "buffers");
	client.open();
	{
		const Copies copies(client);
		for (unsigned i = 0; i < options.rounds; i++)
			rounds.push_back(run_round(options, i, client, copies));
	}
	client.close();
	progress_end();
	return rounds;
}

int main(int argc, char **argv)
{
	std::string part = part_name(Part::ALL);
	std::string member;
	uint64_t since_ns = 0;
	Program program;
	program.name = "latency";
	program.about = "Measures what calls of the AscendCL interface cost.";
	program.floors = floors();
	program.rounds = run_rounds;
	program.extend = [&](CLI::App &app) {
		app.add_option("--part", part)->group("");
		app.add_option("--since", since_ns)->group("");
		app.add_option("--member", member)->group("");
	};
	program.instead = [&](const Options &options) {
		if (!member.empty())
			return member_of_crowd(member);
		for (Part one : PARTS) {
			if (part == part_name(one))
				return answer_parent(one, options.effort, since_ns);
		}
		return -1;
	};
	return run_program(program, argc, argv);
}
