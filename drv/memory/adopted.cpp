// SPDX-License-Identifier: MIT
/**
 * DOC: Adopted memory
 *
 * The device can access only segments of the firmware. To make memory of the program accessible, the driver
 * copies its contents into a segment and maps the segment over the program's pages. The addresses do not
 * change, so the program does not notice.
 */
#include "address_space.h"

#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "hal/topology.h"

namespace drv {

using base::Result;
using base::Status;

Chunk *AddressSpace::outside(uint64_t address) const
{
	if (base::load_acquire(outside_count_) == 0) [[likely]]
		return nullptr;
	std::lock_guard lock(outside_mutex_);
	auto after = outside_.upper_bound(address);
	if (after == outside_.begin())
		return nullptr;
	const auto &[start, entry] = *std::prev(after);
	return address - start < entry.bytes ? entry.chunk.get() : nullptr;
}

void AddressSpace::enter_outside(uint64_t address, Outside entry)
{
	std::lock_guard lock(outside_mutex_);
	outside_.emplace(address, std::move(entry));
	base::store_release(outside_count_, static_cast<uint32_t>(outside_.size()));
}

void AddressSpace::forget_outside(uint64_t address)
{
	std::lock_guard lock(outside_mutex_);
	outside_.erase(address);
	base::store_release(outside_count_, static_cast<uint32_t>(outside_.size()));
}

/* Copies with a system call: a bad address then gives an error and not SIGSEGV. */
static Status save(int fd, uint64_t start, uint64_t bytes)
{
	uint64_t done = 0;
	while (done < bytes) {
		ssize_t written = pwrite(fd, reinterpret_cast<void *>(start + done), bytes - done,
					 static_cast<off_t>(done));
		if (written <= 0)
			return Status::INVALID_ARGUMENT;
		done += static_cast<uint64_t>(written);
	}
	return Status::OK;
}

Status AddressSpace::exchange_pages(Chunk &chunk, const SegmentFile &segment, bool lock)
{
	auto *where = reinterpret_cast<std::byte *>(chunk.va);
	chunk.segment = segment.id;
	chunk.pages = segment.shared.pages;
	TRY(save(segment.shared.fd.get(), chunk.va, chunk.bytes));
	if (lock) {
		/* Lock a trial mapping first: if it fails, the program's pages are still unchanged. */
		auto trial = device_.map(segment.shared.fd, chunk.bytes, chunk.pages);
		if (!trial)
			return trial.status();
		TRY(hal::lock_pages(trial->data(), chunk.bytes));
	}
	TRY(map_on_device(chunk));
	auto mapped = device_.map(segment.shared.fd, chunk.bytes, chunk.pages, where);
	if (!mapped) {
		unmap_on_device(chunk.va, chunk.bytes);
		return mapped.status();
	}
	chunk.window = mapped.take();
	chunk.locked = lock && hal::lock_pages(where, chunk.bytes) == Status::OK;
	return Status::OK;
}

Result<Chunk *> AddressSpace::adopt(uint64_t start, uint64_t bytes, bool lock)
{
	std::lock_guard guard(mutex_);
	uint64_t whole = base::round_up(bytes, base::PAGE_BYTES);
	{
		std::lock_guard lookup(outside_mutex_);
		auto after = outside_.lower_bound(start + whole);
		if (after != outside_.begin()) {
			const Chunk &before = *std::prev(after)->second.chunk;
			if (before.va + before.bytes > start)
				return Status::IN_USE;
		}
	}
	auto segment = create_segment(UNPU_SEGMENT_PINNED, whole, UNPU_PAGE_4K, 0);
	if (!segment)
		return segment.status();
	auto chunk = std::make_unique<Chunk>(Place::PINNED, start, whole);
	Status status = exchange_pages(*chunk, *segment, lock);
	if (status != Status::OK) {
		destroy_segment(segment->id);
		return status;
	}
	Chunk *raw = chunk.get();
	enter_outside(start, {bytes, std::move(chunk)});
	return raw;
}

Status AddressSpace::give_up(Chunk *chunk)
{
	std::lock_guard guard(mutex_);
	auto fresh = base::map_private_zeroed(chunk->bytes);
	if (!fresh)
		return fresh.status();
	memcpy(fresh->data(), chunk->window.data(), chunk->bytes);
	void *moved = mremap(fresh->data(), chunk->bytes, chunk->bytes,
			     MREMAP_MAYMOVE | MREMAP_FIXED, chunk->window.data());
	if (moved == MAP_FAILED)
		return Status::NO_MEMORY;
	fresh->release();
	chunk->window.release();
	unmap_on_device(chunk->va, chunk->bytes);
	destroy_segment(chunk->segment);
	forget_outside(chunk->va);
	return Status::OK;
}

} // namespace drv
