// SPDX-License-Identifier: MIT
/**
 * DOC: Topology
 *
 * NUMA, huge pages and page locking. The library uses each of them if the machine has it, and works without
 * it too. A query returns which of them are in use.
 */
#include "topology.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include <fmt/format.h>
#include <numa.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/os/numa.h"
#include "base/os/shm.h"
#include "base/sync/ordering.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace hal {

using base::Status;

unsigned numa_nodes()
{
	if (numa_available() < 0)
		return 1;
	return static_cast<unsigned>(std::max(1, numa_num_configured_nodes()));
}

Status populate(void *start, uint64_t bytes)
{
	const auto address = reinterpret_cast<uint64_t>(start);
	const uint64_t page = base::kernel_page_bytes();
	const uint64_t head = address % page;
	auto *first = static_cast<char *>(start) - head;
	const uint64_t whole = base::round_up(head + bytes, page);
	if (madvise(first, whole, MADV_POPULATE_WRITE) == 0)
		return Status::OK;
	if (errno != EINVAL)
		return Status::NO_MEMORY;
	/* Linux before 5.14 has no MADV_POPULATE_WRITE: add 0 to each page to make it present. */
	for (uint64_t at = 0; at < whole; at += page)
		base::fetch_add(*reinterpret_cast<uint32_t *>(first + at), uint32_t{0});
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

/* Bytes that this process has locked (VmLck), which count against RLIMIT_MEMLOCK. */
static uint64_t locked_bytes()
{
	std::ifstream file("/proc/self/status");
	std::string word;
	uint64_t kib = 0;
	while (file >> word) {
		if (word == "VmLck:" && file >> kib)
			return kib * 1024;
	}
	return 0;
}

/* With a limit this low the process may lack descriptors even if one more can be opened. */
static constexpr rlim_t FEW_FILES = 64;

std::string limits_sentence()
{
	rlimit limit{};
	std::string text;
	getrlimit(RLIMIT_FSIZE, &limit);
	if (limit.rlim_cur != RLIM_INFINITY)
		text += fmt::format("; RLIMIT_FSIZE (ulimit -f) is {} bytes, and each piece of a "
				    "device's memory is a file of this size at most",
				    limit.rlim_cur);
	const base::Fd probe(memfd_create("unpu-probe", MFD_CLOEXEC));
	const bool has_none = !probe.valid() && (errno == EMFILE || errno == ENFILE);
	getrlimit(RLIMIT_NOFILE, &limit);
	if (has_none)
		text += fmt::format("; no file can be opened: RLIMIT_NOFILE (ulimit -n) is {}",
				    limit.rlim_cur);
	else if (limit.rlim_cur < FEW_FILES)
		text += fmt::format(
			"; RLIMIT_NOFILE (ulimit -n) is {}, and a device takes about 20 "
			"files in the program and as many in firmware-sim",
			limit.rlim_cur);
	getrlimit(RLIMIT_AS, &limit);
	if (limit.rlim_cur != RLIM_INFINITY)
		text += fmt::format("; RLIMIT_AS (ulimit -v) is {} bytes, which all addresses of "
				    "the process count against; memory= and window= of UNPU_DEVICE "
				    "ask for less",
				    limit.rlim_cur);
	return text;
}

std::string memlock_sentence(uint64_t wanted_bytes)
{
	rlimit limit{};
	getrlimit(RLIMIT_MEMLOCK, &limit);
	return fmt::format(
		"locking {} bytes of host memory exceeds RLIMIT_MEMLOCK ({} bytes, of which {} are "
		"locked already); raise it with 'ulimit -l', LimitMEMLOCK= or limits.conf, or free "
		"pinned memory",
		wanted_bytes, limit.rlim_cur, locked_bytes());
}

} // namespace hal
