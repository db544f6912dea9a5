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
#include <memory>

namespace base {

MappedAccess mapped_access(uint64_t start, uint64_t bytes)
{
	const std::unique_ptr<FILE, int (*)(FILE *)> maps(fopen("/proc/self/maps", "re"), fclose);
	uint64_t end = 0;
	if (!maps || bytes == 0 || __builtin_add_overflow(start, bytes, &end))
		return {};
	MappedAccess access{true, true};
	uint64_t first;
	uint64_t last;
	char rights[5];
	/* The list is sorted by address. The rest of each line is skipped. */
	while (start < end && fscanf(maps.get(), "%" SCNx64 "-%" SCNx64 " %4s%*[^\n]", &first,
				     &last, rights) == 3) {
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

} // namespace base
