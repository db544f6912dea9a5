// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace base {

/** struct MappedAccess - what threads of this process may do with a range of addresses. */
struct MappedAccess {
	bool can_read = false;
	bool can_write = false;
};

/** mapped_access() - asks the kernel (/proc/self/maps) about [@start, @start + @bytes). If a part
 * is not mapped, or the list cannot be read, no access is allowed. Context: any thread; reads the whole list of
 * mappings. */
MappedAccess mapped_access(uint64_t start, uint64_t bytes);

/** is_mapped() - whether all of [@start, @start + @bytes) is mapped in the process, readable or not; one system
 * call. Another thread may unmap it at any time. */
bool is_mapped(uint64_t start, uint64_t bytes);

} // namespace base
