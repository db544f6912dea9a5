// SPDX-License-Identifier: MIT
/**
 * DOC: Child
 *
 * The same program once more, with another device string or fewer CPUs. It answers with its measures
 * as JSON on standard output.
 */
#include "child.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "daemon.h"
#include "machine.h"
#include "tasks.h"

namespace bench {

/* What a part is called, and the device string it runs with; nullptr leaves the parent's. */
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
	default:
		return {"all", "", nullptr};
	}
}

const char *part_name(Part part)
{
	return setting_of(part).name;
}

[[noreturn]] static void give_up(Part part, const char *what)
{
	std::fprintf(stderr, "latency: the process for --part %s %s\n", part_name(part), what);
	std::exit(1);
}

/* This process's environment with another device string; an empty one changes nothing. */
static std::vector<std::string> environment_of(const std::string &device)
{
	std::vector<std::string> variables;
	for (char **variable = environ; *variable; variable++) {
		if (device.empty() || strncmp(*variable, "UNPU_DEVICE=", 12) != 0)
			variables.push_back(*variable);
	}
	if (!device.empty())
		variables.push_back("UNPU_DEVICE=" + device);
	return variables;
}

/* Pointers to @words, ended as exec wants them. */
static std::vector<char *> pointers(std::vector<std::string> &words)
{
	std::vector<char *> result;
	for (std::string &word : words)
		result.push_back(word.data());
	result.push_back(nullptr);
	return result;
}

/* spawn() and not fork(): a fork would make every buffer of the parent copy-on-write. */
static pid_t spawn(Part part, const Effort &effort, const std::string &device, int output)
{
	std::vector<std::string> words = {"latency", "--part", part_name(part), "--since",
					  std::to_string(base::now_ns())};
	if (effort.quick)
		words.push_back("--quick");
	std::vector<std::string> variables = environment_of(device);
	posix_spawn_file_actions_t actions;
	pid_t child = -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers(words).data(),
			pointers(variables).data()) != 0)
		give_up(part, "can't be started");
	posix_spawn_file_actions_destroy(&actions);
	return child;
}

static std::string read_all(int fd)
{
	std::string text;
	char buffer[4096];
	ssize_t got;
	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		text.append(buffer, static_cast<size_t>(got));
	return text;
}

static void run_child(Part part, const Effort &effort, const std::string &device, Round &round)
{
	int ends[2];
	int status = 0;
	if (pipe2(ends, O_CLOEXEC) != 0)
		give_up(part, "can't have a pipe");
	const pid_t child = spawn(part, effort, device, ends[1]);
	close(ends[1]);
	const std::string text = read_all(ends[0]);
	close(ends[0]);
	if (waitpid(child, &status, 0) != child || status != 0)
		give_up(part, "failed");
	const auto answer = nlohmann::json::parse(text, nullptr, false);
	if (!answer.is_array())
		give_up(part, "gave no answer");
	for (const auto &measure : answer)
		round.push_back({measure["key"],
				 measure["title"],
				 {measure["median_ns"], measure["p99_ns"], measure["batches_ns"],
				  measure["singles_ns"]},
				 measure["base"]});
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

int answer_parent(Part part, const Effort &effort, uint64_t since_ns)
{
	Round round;
	if (part == Part::START || part == Part::SPAWN || part == Part::ATTACH)
		first_result(part, since_ns, round);
	else
		trips(part, effort, round);
	nlohmann::json answer = nlohmann::json::array();
	for (const Measure &measure : round)
		answer.push_back({{"key", measure.key},
				  {"title", measure.title},
				  {"base", measure.base},
				  {"median_ns", measure.summary.median_ns},
				  {"p99_ns", measure.summary.p99_ns},
				  {"batches_ns", measure.summary.batches_ns},
				  {"singles_ns", measure.summary.singles_ns}});
	std::printf("%s\n", answer.dump().c_str());
	return 0;
}

} // namespace bench
