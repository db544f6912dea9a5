// SPDX-License-Identifier: MIT
/**
 * DOC: Neighbours of an address
 */
#include <algorithm>
#include <iterator>
#include <mutex>

#include "memory.h"

namespace drv {

Nearby Memory::nearby(uint64_t address)
{
	std::lock_guard lock(mutex_);
	Nearby found;
	const auto above = objects_.upper_bound(address);
	if (above != objects_.end())
		found.above = above->second;
	if (above != objects_.begin())
		found.below = std::prev(above)->second;
	/* The youngest one. */
	const uint64_t first = frees_ - std::min<uint64_t>(frees_, freed_.size());
	for (uint64_t i = frees_; i > first && found.freed_bytes == 0; i--) {
		const auto &[va, bytes] = freed_[(i - 1) % freed_.size()];
		if (address - va < bytes) {
			found.freed_va = va;
			found.freed_bytes = bytes;
		}
	}
	return found;
}

} // namespace drv
