// SPDX-License-Identifier: MIT
/**
 * DOC: Topology of the host
 *
 * The resources of the host that this process can use. A missing file means that the kernel does not
 * have the feature; its value is then 0, and the call succeeds.
 */
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

#include "api.h"
#include "base/os/machine.h"
#include "base/sync/ordering.h"
#include "hal/topology.h"
#include "umd/core/memory/memory.h"

static constexpr uint64_t KIB = 1024;

static uint64_t read_number(const std::string &path)
{
	std::ifstream file(path);
	uint64_t number = 0;
	return file >> number ? number : 0;
}

/* The default size of huge pages, which only /proc/meminfo shows. */
static uint64_t huge_page_bytes()
{
	std::ifstream file("/proc/meminfo");
	std::string word;
	while (file >> word) {
		uint64_t kib = 0;
		if (word == "Hugepagesize:" && file >> kib)
			return kib * KIB;
	}
	return 0;
}

static uint64_t huge_pages_free(uint64_t page_bytes)
{
	return read_number(fmt::format("/sys/kernel/mm/hugepages/hugepages-{}kB/free_hugepages",
				       page_bytes / KIB));
}

static uint64_t memlock_limit_bytes()
{
	rlimit limit{};
	if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return UNPU_UNLIMITED;
	return limit.rlim_cur;
}

unpu_result unpu_set_memory_node(int32_t node)
{
	return umd::to_result(umd::set_memory_node(node));
}

unpu_result unpu_get_topology(struct unpu_topology *out)
{
	base::Status status = umd::check_size(out, "unpu_topology");
	if (status != base::Status::OK)
		return umd::to_result(status);
	struct unpu_topology machine {};
	machine.nodes = hal::numa_nodes();
	machine.cpus = base::usable_cpus();
	machine.membarrier_works = base::heavy_fence_available() ? 1 : 0;
	machine.memory_bytes = base::host_memory_bytes();
	machine.page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
	machine.huge_page_bytes = huge_page_bytes();
	machine.huge_pages_free = huge_pages_free(machine.huge_page_bytes);
	machine.thp_bytes = read_number("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
	machine.memlock_limit_bytes = memlock_limit_bytes();
	umd::give(out, machine);
	return 0;
}
