// SPDX-License-Identifier: MIT
/**
 * DOC: Topology
 *
 * What the machine is and where memory comes from. NUMA, huge pages and locking are wishes: a
 * machine without them runs the same programs, and says so where somebody asks.
 */
#include "hal/topology.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include <fmt/format.h>
#include <numa.h>
#include <numaif.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/ordering.h"
#include "base/shm.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace hal {

using base::Status;

/* CPUs' worth of time that the cgroup grants; 0 when it sets no limit. */
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

unsigned numa_nodes()
{
	if (numa_available() < 0)
		return 1;
	return static_cast<unsigned>(std::max(1, numa_num_configured_nodes()));
}

void place_on_node(void *start, uint64_t bytes, int32_t node)
{
	if (node < 0 || numa_available() < 0 || node > numa_max_node())
		return;
	unsigned long mask[16] = {};
	constexpr unsigned BITS = sizeof(mask[0]) * 8;
	if (static_cast<unsigned>(node) >= BITS * 16)
		return;
	mask[static_cast<unsigned>(node) / BITS] = 1ul << (static_cast<unsigned>(node) % BITS);
	mbind(start, bytes, MPOL_PREFERRED, mask, BITS * 16, 0);
}

Status populate(void *start, uint64_t bytes)
{
	if (madvise(start, bytes, MADV_POPULATE_WRITE) == 0)
		return Status::OK;
	if (errno != EINVAL)
		return Status::NO_MEMORY;
	/* Before Linux 5.14: touch each page without changing it. */
	auto *page = static_cast<char *>(start);
	for (uint64_t at = 0; at < bytes; at += base::PAGE_BYTES)
		base::fetch_add(*reinterpret_cast<uint32_t *>(page + at), uint32_t{0});
	return Status::OK;
}

Status lock_pages(void *start, uint64_t bytes)
{
	return mlock(start, bytes) == 0 ? Status::OK : Status::NO_PERMISSION;
}

void unlock_pages(void *start, uint64_t bytes)
{
	munlock(start, bytes);
}

std::string memlock_sentence(uint64_t wanted_bytes)
{
	rlimit limit{};
	getrlimit(RLIMIT_MEMLOCK, &limit);
	return fmt::format(
		"locking {} bytes of host memory exceeds RLIMIT_MEMLOCK ({} bytes); raise it "
		"with 'ulimit -l', LimitMEMLOCK= or limits.conf, or free pinned memory",
		wanted_bytes, limit.rlim_cur);
}

} // namespace hal
