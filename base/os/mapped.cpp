// SPDX-License-Identifier: MIT
/**
 * DOC: Mapped ranges
 *
 * Reads /proc/self/maps. No other way tells the access rights of memory that the program mapped, on every kernel
 * and without a store to that memory.
 */
#include "mapped.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include <sys/mman.h>

#include "shm.h"

namespace base {

MappedAccess mapped_access(uint64_t start, uint64_t bytes)
{
	std::ifstream maps("/proc/self/maps");
	std::string line;
	uint64_t end = 0;
	if (!maps || bytes == 0 || __builtin_add_overflow(start, bytes, &end))
		return {};
	MappedAccess access{true, true};
	uint64_t first;
	uint64_t last;
	char rights[5];
	/* The list is sorted by address. */
	while (start < end && std::getline(maps, line) &&
	       sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &first, &last, rights) == 3) {
		if (last <= start)
			continue;
		if (first > start)
			return {};
		access.can_read = access.can_read && rights[0] == 'r';
		access.can_write = access.can_write && rights[1] == 'w';
		start = last;
	}
	return start >= end ? access : MappedAccess{};
}

bool is_mapped(uint64_t start, uint64_t bytes)
{
	/* This kind of msync() only looks for gaps. */
	const uint64_t skipped = start % kernel_page_bytes();
	return msync(reinterpret_cast<void *>(start - skipped), bytes + skipped, MS_ASYNC) == 0;
}

} // namespace base
