// SPDX-License-Identifier: MIT
/**
 * DOC: Reservations
 *
 * A reservation costs addresses and no memory. All clients share the address space of this process.
 * Half of it is for reservations, and a client may have a quarter of what the others leave of that
 * half, so no client can take all.
 */
#include "reservations.h"

#include <algorithm>

#include "base/sync/ordering.h"
#include "uapi/mailbox.h"

namespace fw {

using base::Status;

static constexpr uint64_t SHARED_BYTES = uint64_t{1} << 46;
static constinit uint64_t all_bytes = 0; /* atomic: of all clients of all devices */

bool Reservations::charge(uint64_t bytes)
{
	const uint64_t others = base::fetch_add(all_bytes, bytes) - bytes_;
	const uint64_t left = SHARED_BYTES - std::min(SHARED_BYTES, others);
	const uint64_t most = std::min<uint64_t>(UNPU_MAX_RESERVED_BYTES, left / 4);
	if (bytes_ <= most && bytes <= most - bytes_)
		return true;
	base::fetch_add(all_bytes, -bytes);
	return false;
}

Reservation::~Reservation()
{
	base::fetch_add(all_bytes, -bytes());
}

Status Reservations::reserve(uint64_t va, uint64_t bytes, Charge entry)
{
	constexpr uint64_t UNIT = base::HUGE_PAGE_BYTES;
	if (va == 0 || bytes == 0 || va % UNIT != 0 || bytes % UNIT != 0 || va + bytes < va ||
	    touches(va, bytes))
		return Status::INVALID_ARGUMENT;
	auto reservation = std::make_shared<Reservation>(std::move(entry));
	if (bytes > UNPU_MAX_RESERVED_BYTES || !charge(bytes))
		return Status::QUOTA;
	auto range = base::reserve_range(bytes, UNIT);
	if (!range) {
		base::fetch_add(all_bytes, -bytes);
		return Status::NO_MEMORY;
	}
	/* From here on the destructor returns the addresses. */
	reservation->range_ = range.take();
	ranges_.emplace(va, std::move(reservation));
	bytes_ += bytes;
	return Status::OK;
}

Status Reservations::release(uint64_t va, uint64_t bytes)
{
	auto found = ranges_.find(va);
	if (found == ranges_.end() || found->second->bytes() != bytes)
		return Status::INVALID_ARGUMENT;
	ranges_.erase(found);
	bytes_ -= bytes;
	return Status::OK;
}

void Reservations::clear()
{
	ranges_.clear();
	bytes_ = 0;
}

Reservations::Position Reservations::find(uint64_t va, uint64_t bytes) const
{
	auto after = ranges_.upper_bound(va);
	if (after == ranges_.begin())
		return {};
	const auto &[start, range] = *std::prev(after);
	uint64_t offset = va - start;
	if (offset >= range->bytes() || bytes > range->bytes() - offset)
		return {};
	return {range, range->data() + offset};
}

bool Reservations::touches(uint64_t va, uint64_t bytes) const
{
	auto after = ranges_.upper_bound(va);
	if (after != ranges_.end() && after->first - va < bytes)
		return true;
	return after != ranges_.begin() &&
	       va - std::prev(after)->first < std::prev(after)->second->bytes();
}

} // namespace fw
