// SPDX-License-Identifier: MIT
/**
 * DOC: Host
 *
 * The facts without which a figure can't be compared with another one.
 */
#include "host.h"

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "client.h"
#include "unpu/unpu.h"

namespace bench {

static std::string cpu_model()
{
	std::ifstream file("/proc/cpuinfo");
	std::string line;
	while (std::getline(file, line)) {
		const size_t colon = line.find(": ");
		if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
			return line.substr(colon + 2);
	}
	return "unknown";
}

static std::string load_average()
{
	std::ifstream file("/proc/loadavg");
	std::string minute;
	file >> minute;
	return minute;
}

nlohmann::ordered_json describe_host()
{
	nlohmann::ordered_json host;
	struct unpu_topology topology = {};
	struct utsname system = {};
	int major = 0;
	int minor = 0;
	int patch = 0;
	topology.size = sizeof(topology);
	check(static_cast<int>(unpu_get_topology(&topology)), "unpu_get_topology");
	uname(&system);
	unpu_version(&major, &minor, &patch);
	const char *device = getenv("UNPU_DEVICE");
	host["cpu"] = cpu_model();
	host["cpus"] = topology.cpus;
	host["nodes"] = topology.nodes;
	host["load_average"] = load_average();
	host["kernel"] = fmt::format("{} {}", system.sysname, system.release);
	host["architecture"] = system.machine;
	host["memory_bytes"] = topology.memory_bytes;
	host["page_bytes"] = topology.page_bytes;
	host["huge_page_bytes"] = topology.huge_page_bytes;
	host["huge_pages_free"] = topology.huge_pages_free;
	host["transparent_huge_page_bytes"] = topology.thp_bytes;
	host["membarrier"] = topology.membarrier_works != 0;
	host["compiler"] = __VERSION__;
	host["unpu"] = fmt::format("{}.{}.{}", major, minor, patch);
	host["device"] = device ? device : "";
	return host;
}

} // namespace bench
