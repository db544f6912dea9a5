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

uint64_t entries_of(const std::string &folder)
{
	uint64_t count = 0;
	DIR *open = opendir(folder.c_str());

	if (!open)
		return 0;
	while (const dirent *entry = readdir(open))
		count += entry->d_name[0] != '.';
	closedir(open);
	return count;
}

} // namespace

Census census(int pid)
{
	const std::string root = pid ? "/proc/" + std::to_string(pid) : "/proc/self";
	Census found;
	std::ifstream maps(root + "/maps");
	std::string line;

	found.fds = entries_of(root + "/fd");
	found.threads = entries_of(root + "/task");
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
