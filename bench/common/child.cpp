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
#include "machine.h"
#include "tasks.h"

namespace bench {

static constexpr const char *BLOCKING_DEVICE = "UNPU_DEVICE=sim:spin_us=0,poll_us=0";

const char *part_name(Part part)
{
	switch (part) {
	case Part::BLOCKING:
		return "blocking";
	case Part::ONE_CPU:
		return "one-cpu";
	default:
		return "all";
	}
}

[[noreturn]] static void give_up(Part part, const char *what)
{
	std::fprintf(stderr, "latency: the process for --part %s %s\n", part_name(part), what);
	std::exit(1);
}

/* This process's environment, but for the device string. */
static std::vector<char *> environment_of(Part part)
{
	std::vector<char *> variables;
	for (char **variable = environ; *variable; variable++) {
		if (part == Part::BLOCKING && strncmp(*variable, "UNPU_DEVICE=", 12) == 0)
			continue;
		variables.push_back(*variable);
	}
	if (part == Part::BLOCKING)
		variables.push_back(const_cast<char *>(BLOCKING_DEVICE));
	variables.push_back(nullptr);
	return variables;
}

/* spawn() and not fork(): a fork would make every buffer of the parent copy-on-write. */
static pid_t spawn(Part part, const Effort &effort, int output)
{
	std::vector<const char *> words = {"latency", "--part", part_name(part)};
	if (effort.quick)
		words.push_back("--quick");
	words.push_back(nullptr);
	std::vector<char *> variables = environment_of(part);
	posix_spawn_file_actions_t actions;
	pid_t child = -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr,
			const_cast<char **>(words.data()), variables.data()) != 0)
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

void run_child(Part part, const Effort &effort, Round &round)
{
	int ends[2];
	int status = 0;
	if (pipe2(ends, O_CLOEXEC) != 0)
		give_up(part, "can't have a pipe");
	const pid_t child = spawn(part, effort, ends[1]);
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
				 {measure["median_ns"], measure["p99_ns"]}});
}

int answer_parent(Part part, const Effort &effort)
{
	Round round;
	Client client;
	if (part == Part::ONE_CPU)
		pin_thread(usable_cpus().back());
	client.open();
	measure_trip(client, effort, part == Part::ONE_CPU ? "one CPU" : "blocking", round);
	client.close();
	nlohmann::json answer = nlohmann::json::array();
	for (const Measure &measure : round)
		answer.push_back({{"key", measure.key},
				  {"title", measure.title},
				  {"median_ns", measure.summary.median_ns},
				  {"p99_ns", measure.summary.p99_ns}});
	std::printf("%s\n", answer.dump().c_str());
	return 0;
}

} // namespace bench
