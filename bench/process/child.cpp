// SPDX-License-Identifier: MIT
/**
 * DOC: Child
 *
 * Measures in a separate process: how a device waits is configured when it is opened.
 */
#include "child.h"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "client.h"
#include "daemon.h"
#include "folder.h"
#include "harness/again.h"
#include "harness/machine.h"
#include "rows/idle.h"
#include "rows/tasks.h"

namespace bench {

/* The name of a part, and its device string; nullptr: the parent's. */
struct Setting {
	const char *name;
	const char *title;
	const char *device;
};

static Setting setting_of(Part part)
{
	switch (part) {
	case Part::BLOCKING:
		return {"blocking", "blocking", "sim:spin_us=0,poll_us=0,caller-runs=off"};
	case Part::SPINNING:
		return {"spinning", "spinning", "sim:caller-runs=off"};
	case Part::CALLERS:
		return {"callers", "caller runs", "sim:caller-runs=on"};
	case Part::ONE_CPU:
		return {"one-cpu", "one CPU", "sim:caller-runs=off"};
	case Part::CALLERS_ONE_CPU:
		return {"callers-one-cpu", "caller runs, one CPU", "sim:caller-runs=on"};
	case Part::PROCESS:
		return {"process", "device in a process", "sim+proc:"};
	case Part::START:
		return {"start", "device inside", "sim:"};
	case Part::SPAWN:
		return {"spawn", "device started with it", "sim+proc:"};
	case Part::ATTACH:
		return {"attach", "device runs already", nullptr};
	case Part::IDLE:
		return {"idle", "device inside", "sim:"};
	case Part::RECORDED:
		return {"recorded", "recorded", nullptr};
	default:
		return {"all", "", nullptr};
	}
}

const char *part_name(Part part)
{
	return setting_of(part).name;
}

static void run_child(Part part, const Effort &effort, const std::string &device, Round &round)
{
	for (Measure &measure :
	     run_again({"--part", part_name(part), "--since", std::to_string(base::now_ns())},
		       effort, device))
		round.push_back(std::move(measure));
}

void run_child(Part part, const Effort &effort, Round &round)
{
	const char *device = setting_of(part).device;
	run_child(part, effort, device ? device : "", round);
}

/* Several children are one measure: its samples are theirs. */
static void measure_start(Part part, const Effort &effort, const std::string &device, Round &round)
{
	std::vector<double> samples;
	Round child;
	for (unsigned i = 0; i < effort.scaled(8); i++) {
		run_child(part, effort, device, child);
		samples.push_back(child.back().summary.median_ns);
	}
	Measure measure = child.back();
	measure.summary = {quantile(samples, 0.5), quantile(samples, 0.99)};
	round.push_back(measure);
}

void measure_start(const Effort &effort, Round &round)
{
	measure_start(Part::START, effort, setting_of(Part::START).device, round);
	measure_start(Part::SPAWN, effort, setting_of(Part::SPAWN).device, round);
	const Daemon daemon;
	measure_start(Part::ATTACH, effort, daemon.device(), round);
}

/* The first result of a program that was started at @since_ns. */
static void first_result(Part part, uint64_t since_ns, Round &round)
{
	Client client;
	client.open();
	client.task(client.first);
	Client::sync(client.first);
	const auto spent_ns = static_cast<double>(base::now_ns() - since_ns);
	client.close();
	round.push_back({std::string("start.") + part_name(part),
			 std::string("exec to first result, ") + setting_of(part).title,
			 {spent_ns, spent_ns},
			 part == Part::START ? "" : "start.start"});
}

static void trips(Part part, const Effort &effort, Round &round)
{
	Client client;
	if (part == Part::ONE_CPU || part == Part::CALLERS_ONE_CPU)
		pin_thread(usable_cpus().back());
	client.open();
	measure_trip(client, effort, setting_of(part).title, round);
	client.close();
	if (part == Part::PROCESS)
		round.back().base = "task.trip.spinning";
	else if (part == Part::BLOCKING)
		round.back().base = KEY_FUTEX;
	else if (part == Part::ONE_CPU)
		round.back().base = KEY_FUTEX_ONE_CPU;
	else if (part == Part::CALLERS_ONE_CPU)
		round.back().base = "task.trip.caller runs";
}

/* The same calls as the parent's, with a trace in a folder of its own. Each is compared with the parent's. */
static void recorded_calls(const Effort &effort, Round &round)
{
	const std::set<std::string> CALLS = {"task.submit", "event.record", "event.wait_done"};
	const std::string folder = make_folder();
	if (folder.empty() || setenv("UNPU_SANITIZE", folder.c_str(), 1) != 0)
		return;
	Round all;
	Client client;
	client.open();
	measure_submit(client, effort, all);
	measure_events(client, effort, all);
	client.close();
	for (Measure &measure : all) {
		if (!CALLS.contains(measure.key))
			continue;
		measure.base = measure.key;
		measure.key += ".recorded";
		measure.title += ", recorded";
		round.push_back(std::move(measure));
	}
	std::filesystem::remove_all(folder);
}

int answer_parent(Part part, const Effort &effort, uint64_t since_ns)
{
	Round round;
	if (part == Part::START || part == Part::SPAWN || part == Part::ATTACH)
		first_result(part, since_ns, round);
	else if (part == Part::IDLE)
		measure_idle_device(effort, round);
	else if (part == Part::RECORDED)
		recorded_calls(effort, round);
	else
		trips(part, effort, round);
	return answer(round);
}

} // namespace bench
