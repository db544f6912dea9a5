// SPDX-License-Identifier: MIT
/**
 * DOC: Cores
 *
 * The cores of the device are threads of the host: the command processor and the engines. The memories of a
 * core are the caches of the CPU on which it runs, and its clock is the clock of that CPU.
 */
#include "cores.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

namespace fw {

static uint64_t cache_bytes(int name)
{
	long bytes = sysconf(name);
	return bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
}

/* The highest clock if the kernel scales the clock, else the one measured at boot. */
static uint32_t clock_mhz()
{
	uint32_t khz = 0;
	std::ifstream highest("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
	if (highest >> khz)
		return khz / 1000;
	std::ifstream cpus("/proc/cpuinfo");
	std::string line;
	while (std::getline(cpus, line)) {
		if (line.rfind("cpu MHz", 0) == 0 && line.find(':') != line.npos)
			return static_cast<uint32_t>(strtod(&line[line.find(':') + 1], nullptr));
	}
	return 0;
}

const CoreFacts &core_facts()
{
	static const CoreFacts facts = {cache_bytes(_SC_LEVEL1_DCACHE_SIZE),
					cache_bytes(_SC_LEVEL2_CACHE_SIZE),
					cache_bytes(_SC_LEVEL3_CACHE_SIZE), clock_mhz()};
	return facts;
}

} // namespace fw
