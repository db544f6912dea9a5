// SPDX-License-Identifier: MIT
/**
 * DOC: Reservations
 *
 * The program reserves addresses first and maps memory there later. A reservation belongs to the process
 * (ReservedAddresses). For each reservation in which a device has memory, the device has a second range of
 * the same size, the aperture. Its pieces lie there at the same offsets, so that a copy may cross several
 * pieces. The host can access the reserved addresses only where a piece is host memory.
 */
#include <algorithm>

#include "drv/attachment/address_space.h"

namespace drv {

using base::Result;
using base::Status;

Result<Chunk *> AddressSpace::attach(uint64_t va, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	auto found = attached_.find(va);
	if (found != attached_.end())
		return found->second.get();
	auto aperture = TRY(base::reserve_range(bytes, base::HUGE_PAGE_BYTES));
	TRY(call_range(UNPU_MSG_RESERVE, va, bytes));
	auto chunk = std::make_unique<Chunk>(Place::DEVICE, va, bytes);
	chunk->window = std::move(aperture);
	chunk->has_pieces = true;
	return attached_.emplace(va, std::move(chunk)).first->second.get();
}

Status AddressSpace::detach(uint64_t va)
{
	std::lock_guard lock(mutex_);
	auto found = attached_.find(va);
	if (found == attached_.end())
		return Status::OK;
	TRY(call_range(UNPU_MSG_RELEASE, va, found->second->bytes));
	std::unique_ptr<Chunk> pending = std::move(found->second);
	attached_.erase(found);
	if (is_viewed_ && is_viewed_(pending.get()))
		viewed_.push_back(std::move(pending));
	return Status::OK;
}

/* Runs when the device closes: unmaps the pieces of the device. The addresses stay reserved. */
void AddressSpace::leave_reservations()
{
	for (const auto &[va, chunk] : attached_) {
		for (const auto &[start, bytes] : chunk->mapped)
			ReservedAddresses::get().leave(start, bytes, this);
	}
	attached_.clear();
}

/* Enters the piece into the process's table before it maps it. Until then another space, whose device closes,
 * may unmap its own pieces there. */
Status AddressSpace::map_on_host(Chunk &reservation, const Piece &piece)
{
	const hal::SharedSegment &shared = piece.segment.shared;
	void *const places[] = {reservation.window.data() + (piece.va - reservation.va),
				reinterpret_cast<void *>(piece.va)};
	ReservedAddresses::get().enter(piece.va, piece.bytes, &reservation, this);
	for (unsigned i = 0; i < (piece.is_host_visible ? 2 : 1); i++) {
		auto mapped = TRY(device_.map(shared.fd, piece.bytes, shared.pages, places[i]));
		mapped.release();
	}
	return Status::OK;
}

/* Calls @visit for each part of [va, va + bytes) where no piece is mapped. */
template <class Visit>
static void for_gaps(const Chunk &reservation, uint64_t va, uint64_t bytes, const Visit &visit)
{
	const auto &mapped = reservation.mapped;
	const uint64_t end = va + bytes;
	auto piece = mapped.upper_bound(va);
	if (piece != mapped.begin())
		piece = std::prev(piece);
	for (; piece != mapped.end() && piece->first < end; ++piece) {
		if (piece->first > va)
			visit(va, piece->first - va);
		va = std::max(va, piece->first + piece->second);
	}
	if (va < end)
		visit(va, end - va);
}

/* If a piece was mapped since then, it has replaced the unmapped piece in the aperture. */
void AddressSpace::drop_left_pieces(Chunk &reservation)
{
	if (reservation.left.empty() || (is_viewed_ && is_viewed_(&reservation)))
		return;
	for (const auto &[start, bytes] : reservation.left)
		for_gaps(reservation, start, bytes, [&](uint64_t va, uint64_t gap) {
			base::unmap_in_place(reservation.window.data() + (va - reservation.va),
					     gap);
		});
	reservation.left.clear();
}

/* A thread that copies the piece has found the piece before it left the table, so the thread's hazard pointer
 * names the reservation. The aperture keeps the piece for this thread. */
void AddressSpace::unmap_on_host(Chunk &reservation, uint64_t va, uint64_t bytes)
{
	ReservedAddresses::get().leave(va, bytes, this);
	reservation.mapped.erase(va);
	uint64_t &left = reservation.left[va];
	left = std::max(left, bytes);
	drop_left_pieces(reservation);
}

Status AddressSpace::map_piece(Chunk &reservation, const Piece &piece)
{
	std::lock_guard lock(mutex_);
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map.va = piece.va;
	message.map.bytes = piece.bytes;
	message.map.segment = piece.segment.id;
	message.map.access = piece.access;
	TRY(mailbox_.call(message));
	Status status = map_on_host(reservation, piece);
	if (status != Status::OK) {
		unmap_on_host(reservation, piece.va, piece.bytes);
		(void)unmap(piece.va, piece.bytes);
		return status;
	}
	reservation.mapped.emplace(piece.va, piece.bytes);
	drop_left_pieces(reservation);
	return Status::OK;
}

Status AddressSpace::unmap_piece(Chunk &reservation, uint64_t va, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	TRY(unmap(va, bytes));
	unmap_on_host(reservation, va, bytes);
	return Status::OK;
}

Status AddressSpace::protect(uint64_t va, uint64_t bytes, uint32_t access)
{
	unpu_message message{};
	message.type = UNPU_MSG_PROTECT;
	message.map.va = va;
	message.map.bytes = bytes;
	message.map.access = access;
	return mailbox_.call(message);
}

} // namespace drv
