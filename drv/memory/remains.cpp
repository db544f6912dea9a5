// SPDX-License-Identifier: MIT
/**
 * DOC: What outlives a device
 *
 * A program may still have addresses of objects when their device closes. The chunks of these objects stay reserved or
 * mapped, and the caller owns them.
 */
#include <mutex>
#include <utility>

#include "memory.h"

#include "drv/channel/channel_set.h"

namespace drv {

std::vector<Remains> Memory::remains()
{
	std::lock_guard lock(mutex_);
	std::vector<Remains> all;
	for (auto [address, bo] : objects_) {
		if (!bo.chunk || bo.use == Use::MAPPED)
			continue;
		const Chunk &chunk = *std::exchange(bo.chunk, nullptr);
		const uint64_t bytes = base::round_up(chunk.bytes, base::HUGE_PAGE_BYTES);
		Remains *last = all.empty() ? nullptr : &all.back();
		const uint64_t end = last ? last->range.va + last->range.bytes : 0;
		const bool is_inside = last && chunk.va < end;
		if (!is_inside && last && chunk.va == end && chunk.place == Place::DEVICE &&
		    last->range.place == Place::DEVICE)
			last->range.bytes += bytes;
		else if (!is_inside)
			all.push_back({{chunk.place, chunk.va, bytes}, {}});
		if (chunk.place == Place::PINNED)
			all.back().objects.push_back(bo);
	}
	std::vector<KeptRange> kept;
	for (const Remains &one : all)
		kept.push_back(one.range);
	set_.space().keep(std::move(kept));
	return all;
}

} // namespace drv
