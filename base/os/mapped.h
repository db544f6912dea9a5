// SPDX-License-Identifier: MIT
#pragma once

#include <array>
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

/** watch_unmaps(), end_watch() - start and end the watch of a range of the program's memory: the program may
 * unmap it while a thread in an UnmapGuard accesses it. The first call installs a handler of SIGSEGV. Ranges
 * beyond WATCHED_MOST are not watched. */
constexpr unsigned WATCHED_MOST = 4096;
void watch_unmaps(uint64_t start, uint64_t bytes);
void end_watch(uint64_t start);

/**
 * class UnmapGuard - a scope in which the thread survives accesses to watched memory that the program has
 * unmapped. Such an access finds zeros, until the end of the scope. Other threads see these zeros too.
 * Without watched memory it costs two loads. Guards may be nested. Context: one thread.
 */
class UnmapGuard {
public:
	UnmapGuard();
	~UnmapGuard();
	UnmapGuard(const UnmapGuard &) = delete;
	UnmapGuard &operator=(const UnmapGuard &) = delete;

	/** lost_at() - the first address at which this thread found no memory; 0 if there was memory
	 * everywhere. */
	uint64_t lost_at() const { return lost_at_; }
	/** has_lost() - whether the thread may have read such zeros in the watched range that contains
	 * @address, including zeros that were mapped for another thread. */
	bool has_lost(const void *address) const;

private:
	friend struct UnmapHandler;

	struct Patch {
		uint64_t start;
		uint64_t end;
	};

	UnmapGuard *const outer_;
	const uint32_t seen_;
	const bool was_patched_;
	uint64_t lost_at_ = 0;
	unsigned count_ = 0;
	std::array<Patch, 4> patches_;
};

} // namespace base
