// SPDX-License-Identifier: MIT
/**
 * DOC: Again
 *
 * Runs this program again in a new process, with another device string, with fewer CPUs, or without state of
 * earlier measures. The child writes its measures as JSON to standard output.
 */
#include "again.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

/* The command line's own words. */
static std::string said(const std::vector<std::string> &words)
{
	std::string text;
	for (const std::string &word : words)
		text += " " + word;
	return text;
}

[[noreturn]] static void give_up(const std::vector<std::string> &words, const char *what)
{
	std::fprintf(stderr, "%s: the process for%s %s\n", program_invocation_short_name,
		     said(words).c_str(), what);
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
static pid_t spawn(const std::vector<std::string> &arguments, const std::string &device, int output)
{
	std::vector<std::string> words = arguments;
	words.insert(words.begin(), program_invocation_short_name);
	std::vector<std::string> variables = environment_of(device);
	posix_spawn_file_actions_t actions;
	pid_t child = -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers(words).data(),
			pointers(variables).data()) != 0)
		give_up(arguments, "can't be started");
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

Round run_again(std::vector<std::string> arguments, const Effort &effort, const std::string &device)
{
	int ends[2];
	int status = 0;
	Round round;
	if (effort.quick)
		arguments.push_back("--quick");
	if (pipe2(ends, O_CLOEXEC) != 0)
		give_up(arguments, "can't have a pipe");
	const pid_t child = spawn(arguments, device, ends[1]);
	close(ends[1]);
	const std::string text = read_all(ends[0]);
	close(ends[0]);
	if (waitpid(child, &status, 0) != child || status != 0)
		give_up(arguments, "failed");
	const auto measures = nlohmann::json::parse(text, nullptr, false);
	if (!measures.is_array())
		give_up(arguments, "gave no answer");
	for (const auto &entry : measures) {
		Measure measure;
		measure.key = entry["key"];
		measure.title = entry["title"];
		measure.base = entry["base"];
		measure.against = entry["is_speed"] ? Against::SPEED : Against::TIME;
		measure.summary = {entry["median_ns"], entry["p99_ns"], entry["batches_ns"],
				   entry["singles_ns"]};
		measure.items = entry["items"];
		measure.bytes = entry["bytes"];
		measure.object_bytes = entry["object_bytes"];
		measure.wakes = entry["wakes"];
		round.push_back(std::move(measure));
	}
	return round;
}

int answer(const Round &round)
{
	auto measures = nlohmann::json::array();
	for (const Measure &measure : round)
		measures.push_back({{"key", measure.key},
				    {"title", measure.title},
				    {"base", measure.base},
				    {"is_speed", measure.against == Against::SPEED},
				    {"median_ns", measure.summary.median_ns},
				    {"p99_ns", measure.summary.p99_ns},
				    {"batches_ns", measure.summary.batches_ns},
				    {"singles_ns", measure.summary.singles_ns},
				    {"items", measure.items},
				    {"bytes", measure.bytes},
				    {"object_bytes", measure.object_bytes},
				    {"wakes", measure.wakes}});
	std::printf("%s\n", measures.dump().c_str());
	return 0;
}

} // namespace bench
