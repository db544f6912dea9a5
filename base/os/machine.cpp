// SPDX-License-Identifier: MIT
/**
 * DOC: Machine
 *
 * CPU and memory limits of the machine, by which host and device choose their defaults, and where the files of the
 * toolkit are.
 */
#include "machine.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <string>

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

/* Reads a byte count from a cgroup file; @otherwise if it says "max" or does not exist. */
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

std::string folder_of(const void *code)
{
	Dl_info info{};
	char path[PATH_MAX];
	if (!dladdr(code, &info) || !info.dli_fname || !realpath(info.dli_fname, path))
		return ".";
	const std::string file = path;
	return file.substr(0, file.rfind('/'));
}

} // namespace base
