// SPDX-License-Identifier: MIT
/**
 * DOC: Heap
 *
 * A range allocator for the address windows and inside segments. Its data is kept outside the memory that it
 * manages, because the host may not be able to access that memory.
 */
#include "heap.h"

#include <bit>

#include "base/assert.h"

namespace drv {

using base::Result;
using base::Status;

Heap::Heap(uint64_t bytes) : bytes_(bytes)
{
	if (bytes != 0)
		free_.insert(0, bytes);
}

Result<uint64_t> Heap::allocate(uint64_t bytes, uint64_t alignment)
{
	unpu_assert(std::has_single_bit(alignment));
	auto lead_of = [&](uint64_t start) { return -start & (alignment - 1); };
	FirstFit::Entry hole = free_.first(bytes);
	/* The hole is too small after alignment. This happens only if smaller alignments are in use too. */
	while (hole.size != 0 && hole.size - bytes < lead_of(hole.key))
		[[unlikely]] hole = free_.first(bytes, hole.key + 1);
	if (hole.size == 0)
		return Status::NO_MEMORY;
	const uint64_t lead = lead_of(hole.key);
	const uint64_t offset = hole.key + lead;
	const uint64_t rest = hole.size - lead - bytes;
	if (lead != 0)
		free_.resize(hole.key, lead);
	else
		free_.erase(hole.key);
	if (rest != 0)
		free_.insert(offset + bytes, rest);
	used_.emplace(offset, bytes);
	used_bytes_ += bytes;
	return offset;
}

uint64_t Heap::release(uint64_t offset)
{
	auto found = used_.find(offset);
	if (found == used_.end())
		return 0;
	const uint64_t bytes = found->second;
	unpu_assert(used_bytes_ >= bytes);
	used_.erase(found);
	used_bytes_ -= bytes;
	const FirstFit::Entry before = free_.before(offset);
	const FirstFit::Entry after = free_.at(offset + bytes);
	if (after.size != 0)
		free_.erase(after.key);
	if (before.size != 0 && before.key + before.size == offset)
		free_.resize(before.key, before.size + bytes + after.size);
	else
		free_.insert(offset, bytes + after.size);
	return bytes;
}

} // namespace drv
