// SPDX-License-Identifier: MIT
/**
 * DOC: Reservations
 *
 * Addresses first, memory later. The client has two ranges for a reservation: the addresses
 * themselves, which the host can't touch unless a piece is host memory, and the aperture, where the
 * pieces lie in the same order, so that a copy may run over several of them. The addresses are taken
 * from the device window, or are free ones of the process that the program names.
 */
#include "drv/address_space.h"

#include <algorithm>

namespace drv {

using base::Result;
using base::Status;

Result<Chunk *> AddressSpace::reserve(uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	Window &in = device_window_;
	if (bytes > in.range.bytes())
		return Status::NO_MEMORY;
	bytes = base::round_up(bytes, base::HUGE_PAGE_BYTES);
	auto offset = in.heap->allocate(bytes, base::HUGE_PAGE_BYTES);
	if (!offset)
		return offset.status();
	auto chunk = std::make_unique<Chunk>(Place::DEVICE, in.start() + *offset, bytes);
	auto aperture = base::reserve_range(bytes, base::HUGE_PAGE_BYTES);
	Status status =
		aperture ? call_range(UNPU_MSG_RESERVE, chunk->va, bytes) : aperture.status();
	if (status != Status::OK) {
		in.heap->release(*offset);
		return status;
	}
	chunk->window = aperture.take();
	chunk->pieces = true;
	enter(*chunk, chunk.get());
	return list(std::move(chunk));
}

Result<Chunk *> AddressSpace::reserve_at(uint64_t va, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	bytes = base::round_up(bytes, base::HUGE_PAGE_BYTES);
	auto range = base::reserve_range_at(va, bytes);
	if (!range)
		return range.status();
	auto aperture = base::reserve_range(bytes, base::HUGE_PAGE_BYTES);
	if (!aperture)
		return aperture.status();
	TRY(call_range(UNPU_MSG_RESERVE, va, bytes));
	auto chunk = std::make_unique<Chunk>(Place::DEVICE, va, bytes);
	chunk->window = aperture.take();
	chunk->pieces = true;
	Chunk *raw = chunk.get();
	enter_outside(va, {bytes, std::move(chunk), range.take()});
	return raw;
}

Status AddressSpace::release(Chunk *reservation)
{
	std::lock_guard lock(mutex_);
	TRY(call_range(UNPU_MSG_RELEASE, reservation->va, reservation->bytes));
	if (!window_of(reservation->va)) {
		forget_outside(reservation->va);
		return Status::OK;
	}
	enter(*reservation, nullptr);
	device_window_.heap->release(reservation->va - device_window_.start());
	unlist(*reservation);
	return Status::OK;
}

Status AddressSpace::map_piece(Chunk &reservation, const Piece &piece)
{
	std::lock_guard lock(mutex_);
	const hal::SharedSegment &shared = piece.segment.shared;
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map.va = piece.va;
	message.map.bytes = piece.bytes;
	message.map.segment = piece.segment.id;
	message.map.access = piece.access;
	TRY(mailbox_.call(message));
	std::byte *aperture = reservation.window.data() + (piece.va - reservation.va);
	void *places[] = {aperture, reinterpret_cast<void *>(piece.va)};
	for (unsigned i = 0; i < (piece.host_visible ? 2 : 1); i++) {
		auto mapped = device_.map(shared.fd, piece.bytes, shared.pages, places[i]);
		if (!mapped) {
			base::unmap_in_place(aperture, piece.bytes);
			unmap_on_device(piece.va, piece.bytes);
			return mapped.status();
		}
		mapped->release();
	}
	return Status::OK;
}

Status AddressSpace::unmap_piece(Chunk &reservation, uint64_t va, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	TRY(call_range(UNPU_MSG_UNMAP, va, bytes));
	base::unmap_in_place(reservation.window.data() + (va - reservation.va), bytes);
	base::unmap_in_place(reinterpret_cast<void *>(va), bytes);
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
