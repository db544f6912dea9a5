// SPDX-License-Identifier: MIT
/**
 * DOC: Machine
 *
 * CPU and memory limits of the machine, from which host and device choose their defaults, and the places of
 * the toolkit's files.
 */
#include "machine.h"

#include <algorithm>
#include <cinttypes>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

namespace base {

/* The cgroup's CPU quota in CPUs; 0 if it sets no limit. */
static unsigned quota_cpus()
{
	std::ifstream file("/sys/fs/cgroup/cpu.max");
	std::string quota;
	uint64_t period = 0;
	if (!(file >> quota >> period) || quota == "max" || period == 0)
		return 0;
	uint64_t granted = strtoull(quota.c_str(), nullptr, 10);
	return static_cast<unsigned>(std::max<uint64_t>(1, granted / period));
}

unsigned usable_cpus()
{
	cpu_set_t set;
	unsigned cpus = 1;
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		cpus = static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
	unsigned quota = quota_cpus();
	return quota ? std::min(cpus, quota) : cpus;
}

uint64_t host_memory_bytes()
{
	return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
	       static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
}

/* Reads a byte count from a cgroup file; The result is @otherwise if the file contains "max" or does not
 * exist. */
static uint64_t cgroup_bytes(const char *path, uint64_t otherwise)
{
	std::ifstream file(path);
	uint64_t bytes = 0;
	return file >> bytes ? bytes : otherwise;
}

uint64_t available_memory_bytes()
{
	constexpr uint64_t KIB = 1024;
	uint64_t host = host_memory_bytes();
	std::ifstream file("/proc/meminfo");
	std::string word;
	while (file >> word) {
		if (word == "MemAvailable:" && file >> host) {
			host *= KIB;
			break;
		}
	}
	uint64_t most = cgroup_bytes("/sys/fs/cgroup/memory.max", UINT64_MAX);
	uint64_t used = cgroup_bytes("/sys/fs/cgroup/memory.current", 0);
	return std::min(host, most - std::min(most, used));
}

uint64_t process_cpu_ns(uint32_t pid)
{
	clockid_t clock;
	timespec used = {};
	if (clock_getcpuclockid(static_cast<pid_t>(pid), &clock) != 0 ||
	    clock_gettime(clock, &used) != 0)
		return 0;
	return static_cast<uint64_t>(used.tv_sec) * NS_PER_S + static_cast<uint64_t>(used.tv_nsec);
}

/* The path of a mapping in /proc/self/maps; "" if no file is mapped at @address. */
static std::string mapped_path(uint64_t address)
{
	std::ifstream maps("/proc/self/maps");
	for (std::string line; std::getline(maps, line);) {
		uint64_t begin = 0, end = 0;
		int path_at = 0;
		if (sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &begin, &end,
			   &path_at) == 2 &&
		    address >= begin && address < end)
			return line.substr(static_cast<size_t>(path_at));
	}
	return {};
}

/* Used without /proc: the name by which the dynamic loader knows the library. If the name is relative, it is
 * not used: the working folder is not searched. */
static std::string loaded_path(const void *code)
{
	Dl_info info{};
	return dladdr(code, &info) && info.dli_fname ? info.dli_fname : "";
}

/* Return: the canonical path of a file; "" if @path is relative, or there is no such file. */
static std::string canonical(const std::string &path)
{
	char resolved[PATH_MAX];
	if (path.empty() || path[0] != '/' || !realpath(path.c_str(), resolved))
		return {};
	return resolved;
}

std::string file_of(const void *code)
{
	std::string path = mapped_path(reinterpret_cast<uintptr_t>(code));
	if (path.empty())
		path = loaded_path(code);
	std::string file = canonical(path);
	/* An update of the toolkit may have replaced the mapped file by another file. */
	const std::string_view mark = " (deleted)";
	if (file.empty() && path.ends_with(mark))
		file = canonical(path.substr(0, path.size() - mark.size()));
	return file;
}

/* The folder of the file or folder at @path; "" for "". */
static std::string parent(const std::string &path)
{
	return path.substr(0, std::min(path.rfind('/'), path.size()));
}

std::string toolkit_folder(const void *code)
{
	return parent(parent(file_of(code)));
}

std::string toolkit_file(const void *code, const char *folder, const char *name)
{
	const std::string own = parent(file_of(code));
	if (own.empty())
		return {};
	std::string beside = own + "/" + name;
	return access(beside.c_str(), R_OK) == 0 ? beside : parent(own) + "/" + folder + "/" + name;
}

std::string toolkit_program(const void *code, const char *name, const char *variable,
			    const std::string &given, std::string &why)
{
	std::string path = given.empty() ? toolkit_file(code, "bin", name) : given;
	if (!path.empty() && path[0] == '/')
		return path;
	if (path.empty())
		why = std::string(name) +
		      " can't be looked for: /proc/self/maps does not tell "
		      "where this toolkit is; mount /proc, or set " +
		      variable;
	else
		why = std::string(variable) + " is '" + given +
		      "'; it must be an absolute path, as the working folder is no place for "
		      "programs";
	return {};
}

} // namespace base
