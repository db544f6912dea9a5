// SPDX-License-Identifier: MIT
/**
 * DOC: Reservations
 *
 * A reservation costs addresses and no memory. What a client may reserve is bounded, since all
 * clients share the addresses of this process.
 */
#include "reservations.h"

#include "uapi/mailbox.h"

namespace fw {

using base::Status;

Status Reservations::reserve(uint64_t va, uint64_t bytes)
{
	constexpr uint64_t UNIT = base::HUGE_PAGE_BYTES;
	if (va == 0 || bytes == 0 || va % UNIT != 0 || bytes % UNIT != 0 || va + bytes < va ||
	    touches(va, bytes))
		return Status::INVALID_ARGUMENT;
	if (bytes > UNPU_MAX_RESERVED_BYTES - bytes_)
		return Status::QUOTA;
	auto range = base::reserve_range(bytes, UNIT);
	if (!range)
		return Status::NO_MEMORY;
	ranges_.emplace(va, range.take());
	bytes_ += bytes;
	return Status::OK;
}

Status Reservations::release(uint64_t va, uint64_t bytes)
{
	auto found = ranges_.find(va);
	if (found == ranges_.end() || found->second.bytes() != bytes)
		return Status::INVALID_ARGUMENT;
	ranges_.erase(found);
	bytes_ -= bytes;
	return Status::OK;
}

std::byte *Reservations::place(uint64_t va, uint64_t bytes) const
{
	auto after = ranges_.upper_bound(va);
	if (after == ranges_.begin())
		return nullptr;
	const auto &[start, range] = *std::prev(after);
	uint64_t offset = va - start;
	if (offset >= range.bytes() || bytes > range.bytes() - offset)
		return nullptr;
	return range.data() + offset;
}

bool Reservations::touches(uint64_t va, uint64_t bytes) const
{
	auto after = ranges_.upper_bound(va);
	if (after != ranges_.end() && after->first - va < bytes)
		return true;
	return after != ranges_.begin() &&
	       va - std::prev(after)->first < std::prev(after)->second.bytes();
}

} // namespace fw
