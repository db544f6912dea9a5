// SPDX-License-Identifier: MIT
/**
 * DOC: Heap
 *
 * Bookkeeping of ranges, used for the address windows and inside segments. The books are kept apart
 * from the memory they describe, which the host may not even be able to touch.
 */
#include "drv/heap.h"

namespace drv {

using base::Result;
using base::Status;

Heap::Heap(uint64_t bytes) : bytes_(bytes)
{
	insert_free(0, bytes);
}

void Heap::insert_free(uint64_t offset, uint64_t bytes)
{
	if (bytes == 0)
		return;
	free_.emplace(offset, bytes);
	by_size_.emplace(bytes, offset);
}

void Heap::erase_free(std::map<uint64_t, uint64_t>::iterator range)
{
	by_size_.erase({range->second, range->first});
	free_.erase(range);
}

Result<uint64_t> Heap::allocate(uint64_t bytes, uint64_t alignment)
{
	for (auto fit = by_size_.lower_bound({bytes, 0}); fit != by_size_.end(); ++fit) {
		auto [size, start] = *fit;
		uint64_t offset = (start + alignment - 1) & ~(alignment - 1);
		uint64_t lead = offset - start;
		if (lead > size || size - lead < bytes)
			continue;
		erase_free(free_.find(start));
		insert_free(start, lead);
		insert_free(offset + bytes, size - lead - bytes);
		used_.emplace(offset, bytes);
		used_bytes_ += bytes;
		return offset;
	}
	return Status::NO_MEMORY;
}

uint64_t Heap::release(uint64_t offset)
{
	auto found = used_.find(offset);
	if (found == used_.end())
		return 0;
	uint64_t bytes = found->second;
	used_.erase(found);
	used_bytes_ -= bytes;
	uint64_t start = offset;
	uint64_t end = offset + bytes;
	auto after = free_.lower_bound(offset);
	if (after != free_.end() && after->first == end) {
		end += after->second;
		auto next = std::next(after);
		erase_free(after);
		after = next;
	}
	if (after != free_.begin()) {
		auto before = std::prev(after);
		if (before->first + before->second == start) {
			start = before->first;
			erase_free(before);
		}
	}
	insert_free(start, end - start);
	return bytes;
}

} // namespace drv
