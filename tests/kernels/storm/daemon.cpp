// SPDX-License-Identifier: MIT
/*
 * DOC: What a firmware has
 */
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <unistd.h>

#include "storm.h"

namespace storm {

/* Calls @found for each process with its number, name and parent. */
static void for_each_process(const std::function<void(int, const std::string &, int)> &found)
{
	for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
		const std::string number = entry.path().filename();
		if (number.find_first_not_of("0123456789") != std::string::npos)
			continue;
		std::ifstream stat(entry.path() / "stat");
		std::string pid, name, state;
		int parent = 0;
		if (stat >> pid >> name >> state >> parent && state != "Z")
			found(std::stoi(number), name, parent);
	}
}

Daemon Daemon::look()
{
	int daemon = -1, helper = -1;
	for_each_process([&](int pid, const std::string &name, int parent) {
		if (name == "(firmware-sim)" && parent == getppid())
			daemon = pid;
	});
	Daemon now;
	for_each_process([&](int pid, const std::string &name, int parent) {
		if (name == "(unpu-workers)" && parent == daemon)
			helper = pid;
	});
	for_each_process([&](int, const std::string &name, int parent) {
		now.workers +=
			name == "(unpu-kernel-wor)" && (parent == daemon || parent == helper);
	});
	const std::string folder = "/proc/" + std::to_string(daemon);
	std::ifstream status(folder + "/status");
	for (std::string key; status >> key;) {
		if (key == "Threads:")
			status >> now.threads;
		else if (key == "RssAnon:")
			status >> now.anonymous_kb;
		else if (key == "RssShmem:")
			status >> now.shared_kb;
	}
	now.files = static_cast<unsigned>(
		std::distance(std::filesystem::directory_iterator(folder + "/fd"),
			      std::filesystem::directory_iterator()));
	return now;
}

} // namespace storm
