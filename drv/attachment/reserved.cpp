// SPDX-License-Identifier: MIT
/**
 * DOC: Reserved addresses
 *
 * The window is much larger than any memory, but cheap: the kernel keeps one VMA for a PROT_NONE range, and
 * the table has pages only where memory was mapped. If the process may have less address space (RLIMIT_AS,
 * valgrind, a sanitizer), the window is smaller.
 */
#include "reserved.h"

#include <algorithm>

#include "base/no_destructor.h"
#include "base/os/reserve.h"

namespace drv {

using base::Result;
using base::Status;

static constexpr uint64_t GRANULE = base::HUGE_PAGE_BYTES;

ReservedAddresses &ReservedAddresses::get()
{
	static base::NoDestructor<ReservedAddresses> made;
	return *made;
}

Result<base::Mapping> ReservedAddresses::make_entries(uint64_t bytes)
{
	return base::map_private_zeroed(bytes / GRANULE * sizeof(Entry));
}

Status ReservedAddresses::open_window(uint64_t bytes)
{
	if (window_.range.data())
		return Status::OK;
	auto range = TRY(base::reserve_up_to(bytes, GRANULE));
	auto entries = TRY(make_entries(range.bytes()));
	window_.range = std::move(range);
	window_.entries = std::move(entries);
	heap_ = std::make_unique<Heap>(window_.range.bytes());
	window_start_ = window_.start();
	base::store_release(window_bytes_, uint64_t{window_.range.bytes()});
	return Status::OK;
}

Result<uint64_t> ReservedAddresses::reserve(uint64_t bytes, uint64_t window_bytes)
{
	std::lock_guard lock(mutex_);
	const uint64_t most = window_bytes ? base::round_up(window_bytes, GRANULE) : WINDOW_BYTES;
	TRY(open_window(std::min(most, WINDOW_BYTES)));
	if (bytes > window_.range.bytes())
		return Status::NO_MEMORY;
	auto offset = TRY(heap_->allocate(base::round_up(bytes, GRANULE), GRANULE));
	return window_start_ + offset;
}

Status ReservedAddresses::reserve_at(uint64_t va, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	bytes = base::round_up(bytes, GRANULE);
	auto range = TRY(base::reserve_range_at(va, bytes));
	auto entries = TRY(make_entries(bytes));
	elsewhere_.emplace(va, Table{std::move(range), std::move(entries)});
	base::store_release(elsewhere_count_, static_cast<uint32_t>(elsewhere_.size()));
	return Status::OK;
}

void ReservedAddresses::release(uint64_t va)
{
	std::lock_guard lock(mutex_);
	if (va - window_start_ < window_bytes_) {
		heap_->release(va - window_start_);
		return;
	}
	elsewhere_.erase(va);
	base::store_release(elsewhere_count_, static_cast<uint32_t>(elsewhere_.size()));
}

const ReservedAddresses::Table *ReservedAddresses::elsewhere(uint64_t address) const
{
	auto after = elsewhere_.upper_bound(address);
	if (after == elsewhere_.begin())
		return nullptr;
	const Table &table = std::prev(after)->second;
	return address - table.start() < table.range.bytes() ? &table : nullptr;
}

bool ReservedAddresses::elsewhere_holds(uint64_t address) const
{
	std::lock_guard lock(mutex_);
	return elsewhere(address) != nullptr;
}

ReservedAddresses::Entry ReservedAddresses::look_elsewhere(uint64_t address) const
{
	std::lock_guard lock(mutex_);
	const Table *table = elsewhere(address);
	return table ? read(*table->entry(address)) : Entry{};
}

const ReservedAddresses::Table *ReservedAddresses::table_of(uint64_t address) const
{
	return address - window_start_ < window_bytes_ ? &window_ : elsewhere(address);
}

/* Stores the chunk before the space (release), so that a reader that sees the space also sees its chunk. */
void ReservedAddresses::enter(uint64_t va, uint64_t bytes, Chunk *chunk, const AddressSpace *space)
{
	std::lock_guard lock(mutex_);
	const Table *table = table_of(va);
	if (!table)
		return;
	Entry *first = table->entry(va);
	for (uint64_t i = 0; i < bytes / GRANULE; i++) {
		base::store_release(first[i].chunk, chunk);
		base::store_release(first[i].space, space);
	}
}

void ReservedAddresses::leave(uint64_t va, uint64_t bytes, const AddressSpace *space)
{
	std::lock_guard lock(mutex_);
	const Table *table = table_of(va);
	if (!table)
		return;
	Entry *first = table->entry(va);
	/* The table may belong to a new, smaller reservation at the same address. */
	const uint64_t count =
		std::min(bytes, table->start() + table->range.bytes() - va) / GRANULE;
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t begin = i;
		for (; i < count && first[i].space == space; i++) {
			base::store_release(first[i].chunk, static_cast<Chunk *>(nullptr));
			base::store_release(first[i].space,
					    static_cast<const AddressSpace *>(nullptr));
		}
		if (i > begin)
			base::unmap_in_place(reinterpret_cast<void *>(va + begin * GRANULE),
					     (i - begin) * GRANULE);
	}
}

} // namespace drv
