// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "drv/heap.h"
#include "drv/mailbox.h"
#include "hal/device.h"

namespace drv {

/** enum class Place - what an address is. */
enum class Place {
	OUTSIDE, /* memory of the program that the device can't reach */
	DEVICE,	 /* device memory: touching it on the host faults */
	PINNED,	 /* host memory that both sides reach at this address */
};

/** struct Chunk - one segment, mapped on both sides, from which allocations are cut. */
struct Chunk {
	Chunk(Place kind, uint64_t address, uint64_t size)
		: place(kind), va(address), bytes(size), heap(size)
	{
	}

	const Place place;
	const uint64_t va; /* device address; of pinned memory also the host's */
	const uint64_t bytes;
	uint64_t segment = 0; /* the firmware's id */
	unpu_page_kind pages = UNPU_PAGE_4K;
	bool locked = false;  /* pinned: all of it is locked, not just what is in use */
	base::Mapping window; /* the client's own mapping: aperture, or the memory itself */
	Heap heap;
};

/**
 * class AddressSpace - the device addresses of one context.
 *
 * Device and pinned memory live in two windows that are reserved once, so an address tells what it
 * is, and a table by 2 MiB finds its chunk without a lock. find() may run beside anything else;
 * create() and destroy() take the space's lock.
 */
class AddressSpace {
public:
	/** create() - reserves the windows.
	 * @window_bytes: the most that either may take; 0 for no bound. Return: NO_MEMORY. */
	static base::Result<std::unique_ptr<AddressSpace>> create(hal::Device &device,
								  Mailbox &mailbox,
								  uint64_t window_bytes);
	~AddressSpace();

	/** place() - what @address is. Context: any thread. */
	Place place(uint64_t address) const;

	/** find() - the chunk that holds @address, or nullptr. Context: any thread. */
	Chunk *find(uint64_t address) const;

	/** aperture() - where the host reaches [va, va + bytes), or nullptr outside one chunk. */
	std::byte *aperture(uint64_t va, uint64_t bytes) const;

	/** create_chunk() - a new segment of at least @bytes, mapped on both sides.
	 * @node: NUMA node wanted for pinned memory. Return: NO_MEMORY. */
	base::Result<Chunk *> create_chunk(Place place, uint64_t bytes, unpu_page_kind wish,
					   int32_t node);

	/** destroy_chunk() - takes a chunk away on both sides. */
	void destroy_chunk(Chunk *chunk);

private:
	struct Window {
		base::Mapping range;
		std::unique_ptr<Heap> heap;
		std::vector<Chunk *> table; /* by 2 MiB; entries are atomic words */

		uint64_t start() const { return reinterpret_cast<uint64_t>(range.data()); }
		bool holds(uint64_t address) const { return address - start() < range.bytes(); }
	};

	AddressSpace(hal::Device &device, Mailbox &mailbox) : device_(device), mailbox_(mailbox) {}

	static base::Status reserve(Window &window, uint64_t bytes);
	const Window &window(Place place) const
	{
		return place == Place::DEVICE ? device_window_ : pinned_window_;
	}
	base::Status build(Chunk &chunk, uint64_t segment);
	void enter(const Chunk &chunk, Chunk *entry);
	base::Status map_on_device(const Chunk &chunk);
	void destroy_segment(uint64_t segment);

	hal::Device &device_;
	Mailbox &mailbox_;
	std::mutex mutex_;
	Window device_window_;
	Window pinned_window_;
	std::vector<std::unique_ptr<Chunk>> chunks_;
};

} // namespace drv
