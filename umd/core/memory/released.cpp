// SPDX-License-Identifier: MIT
/**
 * DOC: Memory that outlives its device
 *
 * The last reset of a device frees its memory. A program may still have the addresses. The addresses of
 * device memory stay reserved without access, so that no other memory gets them. A use of such an address is
 * refused, with an error message that says why. Pinned memory is memory of the program, too, so it stays
 * mapped until the program frees it.
 */
#include "released.h"

#include <cstring>
#include <mutex>

#include <fmt/format.h>
#include <sys/mman.h>

#include "umd/core/process/error.h"

namespace umd {

using base::Status;

/* The most reservations that are kept, so that a program which leaks memory at each reset does not use up
 * addresses and mappings of the kernel. */
static constexpr size_t MOST_RESERVATIONS = 256;

static bool is_zero(const std::byte *page, size_t bytes)
{
	return page[0] == std::byte{0} && memcmp(page, page + 1, bytes - 1) == 0;
}

/* Skips pages that contain only zeros, so that memory which was never used needs no page. */
static void copy_pages(std::byte *to, const std::byte *from, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += base::PAGE_BYTES) {
		if (!is_zero(from + at, base::PAGE_BYTES))
			memcpy(to + at, from + at, base::PAGE_BYTES);
	}
}

/* A firmware that is a process frees the pages of its client's memory when the client leaves. So pinned memory becomes
 * private memory of the process, with the same contents at the same address. */
static void make_private(const drv::KeptRange &range)
{
	constexpr size_t PIECE = base::HUGE_PAGE_BYTES;
	for (uint64_t done = 0; done < range.bytes; done += PIECE) {
		auto *old = reinterpret_cast<std::byte *>(range.va + done);
		void *made = mmap(nullptr, PIECE, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (made == MAP_FAILED)
			return;
		copy_pages(static_cast<std::byte *>(made), old, PIECE);
		if (mremap(made, PIECE, PIECE, MREMAP_MAYMOVE | MREMAP_FIXED, old) == MAP_FAILED)
			munmap(made, PIECE);
	}
}

void ReleasedMemory::forget_oldest()
{
	ranges_.erase(reservations_.front());
	reservations_.pop_front();
}

void ReleasedMemory::add(drv::Memory &memory, int32_t device, const char *call)
{
	std::lock_guard lock(mutex_);
	/* The count is raised before the objects are read. A thread that frees an object later sees the
	 * count, and waits for the lock. */
	base::store_release(added_, added_ + 1);
	for (const drv::Remains &one : memory.remains()) {
		if (one.range.place == drv::Place::PINNED)
			make_private(one.range);
		Range range{one.range.place,
			    base::Mapping(reinterpret_cast<void *>(one.range.va), one.range.bytes),
			    device,
			    call,
			    {}};
		for (const drv::Bo &bo : one.objects)
			range.objects.emplace(bo.va, bo.use);
		ranges_.insert_or_assign(one.range.va, std::move(range));
		if (one.range.place == drv::Place::DEVICE)
			reservations_.push_back(one.range.va);
	}
	while (reservations_.size() > MOST_RESERVATIONS)
		forget_oldest();
	base::store_relaxed(reserved_, static_cast<uint32_t>(reservations_.size()));
}

ReleasedMemory::Ranges::iterator ReleasedMemory::find(uint64_t address)
{
	auto after = ranges_.upper_bound(address);
	if (after == ranges_.begin())
		return ranges_.end();
	auto found = std::prev(after);
	return address - found->first < found->second.memory.bytes() ? found : ranges_.end();
}

std::string ReleasedMemory::told(const void *address)
{
	auto *all = Process::find<ReleasedMemory>();
	if (!all)
		return "";
	std::lock_guard lock(all->mutex_);
	auto found = all->find(reinterpret_cast<uint64_t>(address));
	if (found == all->ranges_.end() || found->second.place != drv::Place::DEVICE)
		return "";
	return fmt::format("{} was memory of device {}, released by {}", fmt::ptr(address),
			   found->second.device, found->second.call);
}

Status ReleasedMemory::refuse(const char *name, const void *address, Status status)
{
	const std::string text = told(address);
	if (text.empty())
		return Status::OK;
	return set_error(
		status,
		fmt::format("{}: {}; allocate memory after the device is set again", name, text));
}

Status ReleasedMemory::free(const void *address, drv::Use use)
{
	auto *all = Process::find<ReleasedMemory>();
	if (!all)
		return Status::INVALID_ARGUMENT;
	const auto value = reinterpret_cast<uint64_t>(address);
	std::lock_guard lock(all->mutex_);
	auto range = all->find(value);
	if (range == all->ranges_.end())
		return Status::INVALID_ARGUMENT;
	auto object = range->second.objects.find(value);
	if (object == range->second.objects.end() || object->second != use)
		return Status::INVALID_ARGUMENT;
	range->second.objects.erase(object);
	if (range->second.objects.empty())
		all->ranges_.erase(range);
	return Status::OK;
}

} // namespace umd
