// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "drv/heap.h"
#include "drv/mailbox.h"
#include "drv/reserved.h"
#include "drv/sharing.h"
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
	int32_t node = -1;	  /* that was asked for; -1: the device's */
	uint64_t ahead_first = 0; /* what was given to be present ahead of its use: offsets */
	uint64_t ahead_last = 0;
	bool locked = false;	  /* pinned: all of it is locked, not just what is in use */
	bool managed = false;	  /* pinned: to a copy it is neither host nor device memory */
	bool pieces = false;	  /* a reservation: what is mapped comes and goes in pieces */
	size_t place_in_list = 0; /* the space's own use */
	uint64_t age = 0;	  /* the memory's: chunks made later have more */
	bool shared = false;	  /* the memory's: objects are cut from it */
	base::Mapping
		window; /* the client's own mapping: aperture, or the memory itself; of imported
			       * memory it may be empty */
	Heap heap;
	std::vector<uint16_t> page_users; /* pinned, not locked as a whole: objects on each page */
	std::map<uint64_t, uint64_t> mapped; /* a reservation: bytes of its pieces by address */
};

/** struct SegmentFile - a segment as the firmware made it, mapped nowhere. */
struct SegmentFile {
	uint64_t id = 0;
	hal::SharedSegment shared;
};

/** struct Piece - what a part of a reservation becomes. */
struct Piece {
	uint64_t va;
	uint64_t bytes;
	const SegmentFile &segment;
	uint32_t access;   /* UNPU_ACCESS_* of the device */
	bool host_visible; /* the host reaches it at the same address */
};

/**
 * class ChunkWatcher - hears of the device memory of a space. Context: under the space's lock.
 */
class ChunkWatcher {
public:
	virtual ~ChunkWatcher() = default;
	virtual void chunk_added(const Chunk &chunk) = 0;
	virtual void chunk_removed(const Chunk &chunk) = 0;
};

/**
 * class AddressSpace - the device addresses of one context.
 *
 * Device and pinned memory live in two windows that are reserved once, so an address tells what it
 * is, and a table by 2 MiB finds its chunk without a lock. Reserved addresses belong to the process
 * (ReservedAddresses); the space has a chunk for each reservation that it maps memory in. Adopted memory
 * lies outside, and costs a look into a map. find() may run beside anything else; create() and destroy()
 * take the space's lock.
 */
class AddressSpace {
public:
	/** create() - reserves the windows.
	 * @window_bytes: the most that either may take; 0 for no bound. Return: NO_MEMORY. */
	static base::Result<std::unique_ptr<AddressSpace>> create(hal::Device &device,
								  Mailbox &mailbox,
								  uint64_t window_bytes);
	~AddressSpace();

	/** place() - what @address is. Reserved addresses are DEVICE in every space while nothing is mapped
	 * there, and then in the one that mapped it. Context: any thread. */
	Place place(uint64_t address) const;

	/** find() - the chunk that holds @address, or nullptr. Context: any thread. */
	Chunk *find(uint64_t address) const;

	/** aperture() - where the host reaches [va, va + bytes), or nullptr outside one chunk and in one
	 * that only the device reaches. */
	std::byte *aperture(uint64_t va, uint64_t bytes) const;

	/** create_chunk() - a new segment of at least @bytes, mapped on both sides.
	 * @node: NUMA node wanted instead of the device's; -1 for none. Return: NO_MEMORY. */
	base::Result<Chunk *> create_chunk(Place place, uint64_t bytes, unpu_page_kind wish,
					   int32_t node);

	/** import_chunk() - gives another client's memory an address here; the segment is the chunk's.
	 * Return: NO_MEMORY; the segment is then destroyed. */
	base::Result<Chunk *> import_chunk(const ImportedSegment &segment);

	/** destroy_chunk() - takes a chunk away on both sides. */
	void destroy_chunk(Chunk *chunk);

	/** create_segment(), destroy_segment() - memory without an address.
	 * @flags: UNPU_SEGMENT_*. Return: NO_MEMORY. */
	base::Result<SegmentFile> create_segment(unpu_segment_kind kind, uint64_t bytes,
						 unpu_page_kind wish, uint32_t flags);
	void destroy_segment(uint64_t segment);

	/** attach() - memory of this device can be mapped in [va, va + bytes), which the process reserved.
	 * Return: NO_MEMORY; QUOTA when the firmware has no more addresses for this client. */
	base::Result<Chunk *> attach(uint64_t va, uint64_t bytes);

	/** detach() - undoes attach(). Return: IN_USE while something is mapped there. */
	base::Status detach(uint64_t va);

	/** map_piece(), unmap_piece() - puts all of a segment into a reservation, and takes it out.
	 * Return: INVALID_ARGUMENT when the place is taken or not there; NO_MEMORY. */
	base::Status map_piece(Chunk &reservation, const Piece &piece);
	base::Status unmap_piece(Chunk &reservation, uint64_t va, uint64_t bytes);

	/** protect() - what the device may do with a piece from now on.
	 * @access: UNPU_ACCESS_* */
	base::Status protect(uint64_t va, uint64_t bytes, uint32_t access);

	/** adopt() - memory of the program becomes pinned memory where it lies, with its contents. The
	 * pages from @start, a page's start, on are exchanged; nobody may write them meanwhile.
	 * @lock: keep them from being swapped out
	 * Return: INVALID_ARGUMENT when it can't be read, IN_USE when some of it is adopted, NO_PERMISSION
	 * when it can't be locked, NO_MEMORY. */
	base::Result<Chunk *> adopt(uint64_t start, uint64_t bytes, bool lock);

	/** give_up() - adopted memory becomes ordinary memory again. Return: NO_MEMORY. */
	base::Status give_up(Chunk *chunk);
	/** watch() - @watcher hears of each chunk of device memory there is, and that comes and goes. */
	void watch(ChunkWatcher &watcher);
	/** unwatch() - @watcher hears that each chunk goes, and nothing more. */
	void unwatch(ChunkWatcher &watcher);

private:
	struct Outside {
		uint64_t bytes; /* less than the chunk's pages have */
		std::unique_ptr<Chunk> chunk;
	};

	struct Window {
		base::Mapping range;
		std::unique_ptr<Heap> heap;
		std::vector<Chunk *> table; /* by 2 MiB; entries are atomic words */

		uint64_t start() const { return reinterpret_cast<uint64_t>(range.data()); }
		bool holds(uint64_t address) const { return address - start() < range.bytes(); }
	};

	AddressSpace(hal::Device &device, Mailbox &mailbox) : device_(device), mailbox_(mailbox) {}

	static base::Status open_window(Window &window, uint64_t bytes);
	const Window *window_of(uint64_t address) const;
	Chunk *outside(uint64_t address) const;
	void enter_outside(uint64_t address, Outside entry);
	void forget_outside(uint64_t address);
	void leave_reservations();
	base::Status map_on_host(Chunk &reservation, const Piece &piece);
	void unmap_on_host(const Chunk &reservation, uint64_t va, uint64_t bytes);
	base::Status exchange_pages(Chunk &chunk, const SegmentFile &segment, bool lock);
	void unmap_on_device(uint64_t va, uint64_t bytes);
	base::Status call_range(unpu_message_type type, uint64_t va, uint64_t bytes);
	base::Status build(Chunk &chunk, const SegmentFile &segment);
	base::Status build_import(Chunk &chunk, const ImportedSegment &segment);
	void announce(const Chunk &chunk);
	Chunk *list(std::unique_ptr<Chunk> chunk);
	void unlist(const Chunk &chunk);
	void enter(const Chunk &chunk, Chunk *entry);
	base::Status map_on_device(const Chunk &chunk);

	hal::Device &device_;
	Mailbox &mailbox_;
	/* An address is mapped by both sides before another thread may take it. */
	base::Mutex mutex_{"AddressSpace::mutex_", base::HeldOver::ANSWERS};
	Window device_window_;
	Window pinned_window_;
	std::vector<std::unique_ptr<Chunk>> chunks_;
	mutable base::Mutex outside_mutex_{"AddressSpace::outside_mutex_"};
	std::map<uint64_t, Outside> outside_; /* of the windows; adopted; by address */
	uint32_t outside_count_ = 0;	      /* atomic: most programs have nothing there */
	std::vector<ChunkWatcher *> watchers_;
	std::map<uint64_t, std::unique_ptr<Chunk>> attached_; /* by address */
};

} // namespace drv
