// SPDX-License-Identifier: MIT
/*
 * DOC: what a process holds
 */
#include "board.h"

#include <dirent.h>

#include <cstring>
#include <fstream>
#include <string>

namespace stress {

namespace {

template <class Which> uint64_t entries_of(const std::string &folder, const Which &which)
{
	uint64_t count = 0;
	DIR *open = opendir(folder.c_str());

	if (!open)
		return 0;
	while (const dirent *entry = readdir(open))
		count += entry->d_name[0] != '.' && which(entry->d_name);
	closedir(open);
	return count;
}

bool is_engine(const std::string &thread)
{
	std::ifstream comm(thread + "/comm");
	std::string name;

	return std::getline(comm, name) && (name == "unpu-engine" || name == "unpu-upkeep");
}

} // namespace

Census census(int pid)
{
	const std::string root = pid ? "/proc/" + std::to_string(pid) : "/proc/self";
	Census found;
	std::ifstream maps(root + "/maps");
	std::string line;

	found.fds = entries_of(root + "/fd", [](const char *) { return true; });
	found.threads = entries_of(root + "/task", [&](const char *id) {
		const bool engine = is_engine(root + "/task/" + id);
		found.engines += engine;
		return !engine;
	});
	while (std::getline(maps, line)) {
		unsigned long first = 0;
		unsigned long end = 0;

		if (line.find("/memfd:unpu") != line.npos &&
		    sscanf(line.c_str(), "%lx-%lx", &first, &end) == 2)
			found.memfd_bytes += end - first;
	}
	return found;
}

} // namespace stress
