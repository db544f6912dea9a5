// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "heap.h"

namespace drv {

class AddressSpace;
struct Chunk;

/**
 * class ReservedAddresses - the device addresses that the program reserved.
 *
 * They belong to the process and not to a device, so a program may reserve addresses before it opens a
 * device, and map memory of any device. A table with one entry per 2 MiB has the space and the chunk that are
 * mapped at an address. The table never dereferences a space, because another thread may close its device.
 * Context: any thread. holds(), owner() and find() take no lock for addresses that the library chose.
 */
class ReservedAddresses {
public:
	/** WINDOW_BYTES - the total size of all reservations whose address the library chooses. */
	static constexpr uint64_t WINDOW_BYTES = uint64_t{1} << 44;

	/** get() - the process's instance. Never destroyed: programs call release() in static destructors. */
	static ReservedAddresses &get();

	/** reserve() - reserves @bytes, rounded up to 2 MiB, in the window. The first call reserves the
	 * window.
	 * @window_bytes: the most that the window takes; 0 for WINDOW_BYTES
	 * Return: the first address; NO_MEMORY. */
	base::Result<uint64_t> reserve(uint64_t bytes, uint64_t window_bytes);

	/** reserve_at() - as reserve(), at the address @va, which is a multiple of 2 MiB.
	 * Return: NO_MEMORY when the range is occupied or not available to the process. */
	base::Status reserve_at(uint64_t va, uint64_t bytes);

	/** release() - releases a reservation of reserve() or reserve_at(). Nothing may be mapped there. */
	void release(uint64_t va);

	/** holds() - whether @address is reserved, or lies in the window. */
	bool holds(uint64_t address) const
	{
		const uint64_t bytes = base::load_acquire(window_bytes_);
		if (bytes != 0 && address - window_start_ < bytes)
			return true;
		return base::load_acquire(elsewhere_count_) != 0 && elsewhere_holds(address);
	}

	/** owner() - the space that has memory mapped at @address, or nullptr. The space may be destroyed
	 * already, so only compare the pointer. */
	const AddressSpace *owner(uint64_t address) const { return look(address).space; }

	/** find() - the chunk that @space has mapped at @address, or nullptr. */
	Chunk *find(uint64_t address, const AddressSpace *space) const
	{
		const Entry found = look(address);
		return found.space == space ? found.chunk : nullptr;
	}

	/** enter() - records that @space has mapped @chunk at [va, va + bytes), inside one reservation. */
	void enter(uint64_t va, uint64_t bytes, Chunk *chunk, const AddressSpace *space);

	/** leave() - undoes enter() and unmaps the memory where @space is still the owner. A space may end
	 * late, after the addresses were released or entered by another space. */
	void leave(uint64_t va, uint64_t bytes, const AddressSpace *space);

	/** window_bytes() - the size of the window, or 0 before the first reserve(). */
	uint64_t window_bytes() const { return base::load_acquire(window_bytes_); }

private:
	struct Entry {
		const AddressSpace *space = nullptr; /* atomic: the space that has memory there */
		Chunk *chunk = nullptr;		     /* atomic: the chunk of that space */
	};

	/* struct Table - a reserved range with one entry per 2 MiB. */
	struct Table {
		base::Mapping range;
		base::Mapping entries; /* pages are allocated on first use */

		uint64_t start() const { return reinterpret_cast<uint64_t>(range.data()); }
		Entry *entry(uint64_t address) const
		{
			return entries.as<Entry>() + (address - start()) / base::HUGE_PAGE_BYTES;
		}
	};

	base::Status open_window(uint64_t bytes) REQUIRES(mutex_);
	static base::Result<base::Mapping> make_entries(uint64_t bytes);
	bool elsewhere_holds(uint64_t address) const;
	const Table *elsewhere(uint64_t address) const REQUIRES(mutex_);
	const Table *table_of(uint64_t address) const REQUIRES(mutex_);
	Entry look_elsewhere(uint64_t address) const;
	static Entry read(const Entry &entry)
	{
		const AddressSpace *space = base::load_acquire(entry.space);
		return {space, base::load_acquire(entry.chunk)};
	}
	Entry look(uint64_t address) const
	{
		const uint64_t bytes = base::load_acquire(window_bytes_);
		if (bytes != 0 && address - window_start_ < bytes)
			return read(*window_.entry(address));
		if (base::load_acquire(elsewhere_count_) == 0) [[likely]]
			return {};
		return look_elsewhere(address);
	}

	mutable base::Mutex mutex_{"ReservedAddresses::mutex_"};
	Table window_; /* constant once @window_bytes_ is set, like @window_start_ */
	std::unique_ptr<Heap> heap_ GUARDED_BY(mutex_); /* the free addresses of the window */
	uint64_t window_start_ = 0;
	uint64_t window_bytes_ = 0; /* atomic */
	/* Reservations at addresses that the program chose. */
	std::map<uint64_t, Table> elsewhere_ GUARDED_BY(mutex_);
	/* atomic: the size of @elsewhere_; usually 0, which saves the lookup */
	uint32_t elsewhere_count_ = 0;
};

} // namespace drv
