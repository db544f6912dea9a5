// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "base/zeroed.h"
#include "hal/device.h"
#include "heap.h"
#include "mailbox.h"
#include "reserved.h"
#include "sharing.h"
#include "uapi/kernel.h"

namespace drv {

/** enum class Place - the kind of memory at an address. */
enum class Place {
	OUTSIDE, /* memory of the program that the device can't access */
	DEVICE,	 /* device memory: a host access to this address faults */
	PINNED,	 /* host memory that both sides access at this address */
};

/** struct Chunk - one segment, mapped on both sides, from which allocations are cut. */
struct Chunk {
	Chunk(Place kind, uint64_t address, uint64_t size)
		: place(kind), va(address), bytes(size), heap(size)
	{
	}

	/** aperture() - the host's mapping of [address, address + size), or nullptr. */
	std::byte *aperture(uint64_t address, uint64_t size) const;

	const Place place;
	const uint64_t va; /* device address; for pinned memory also the host address */
	const uint64_t bytes;
	uint64_t segment = 0; /* the firmware's id of the segment */
	unpu_page_kind pages = UNPU_PAGE_4K;
	int32_t node = -1;	  /* requested node; -1: the device's */
	uint64_t ahead_first = 0; /* offsets of the range that was queued for prefault */
	uint64_t ahead_last = 0;
	bool is_locked = false; /* pinned memory: pages are locked per chunk, not per object */
	/* pinned memory: copies treat it as neither host nor device memory */
	bool is_managed = false;
	bool has_pieces = false;  /* a reservation: memory is mapped in pieces */
	size_t place_in_list = 0; /* index in AddressSpace::chunks_ */
	uint64_t age = 0;	  /* used by Memory: a later chunk has a larger number */
	bool is_shared = false;	  /* used by Memory: small objects share the chunk */
	base::Mapping
		/* the client's mapping: the aperture, or the memory itself; imported memory may have none */
		window;
	Heap heap;
	std::vector<uint16_t>
		/* pinned memory whose pages are locked per object: the number of objects on each page */
		page_users;
	/* a reservation: the bytes of each mapped piece, by address */
	std::map<uint64_t, uint64_t> mapped;
	std::map<uint64_t, uint64_t>
		/* a reservation: the bytes of each unmapped piece, by address. Such a piece stays in the aperture
		 * while host threads may copy there. */
		left;
};

/** struct KeptRange - a range of addresses of a window that outlives the address space. */
struct KeptRange {
	Place place;
	uint64_t va;
	uint64_t bytes;
};

/** struct AdoptedRange - memory of the program that it registered. */
struct AdoptedRange {
	uint64_t bytes = 0;
	uint32_t access = 0;	 /* UNPU_ACCESS_*: what the program itself may do there */
	bool is_reached = false; /* the device accesses the memory in place */
};

/** struct SegmentFile - a segment that is not mapped. */
struct SegmentFile {
	uint64_t id = 0;
	hal::SharedSegment shared;
};

/** struct Piece - memory that is mapped into a part of a reservation. */
struct Piece {
	uint64_t va;
	uint64_t bytes;
	const SegmentFile &segment;
	uint32_t access;      /* UNPU_ACCESS_* of the device */
	bool is_host_visible; /* the host can access it at the same address */
};

/** struct HostRange - host memory that a device accesses: a pinned chunk, or registered memory in place. */
struct HostRange {
	uint64_t va = 0;
	uint64_t bytes = 0;
	uint64_t segment = 0; /* 0 for registered memory */
	uint32_t access = 0;  /* UNPU_ACCESS_* */
};

/**
 * class MemoryWatcher - an observer: an address space reports the memory that it gains and loses. Context:
 * under the space's lock.
 */
class MemoryWatcher {
public:
	virtual ~MemoryWatcher() = default;
	/** chunk_added(), chunk_removed() - the space has gained or is about to lose a chunk of device
	 * memory. */
	virtual void chunk_added(const Chunk &) {}
	virtual void chunk_removed(const Chunk &) {}
	/** host_range_removed() - the HostRange that starts at @va is about to be unmapped. */
	virtual void host_range_removed(uint64_t) {}
};

/**
 * class AddressSpace - the device addresses of one context.
 *
 * Device and pinned memory lie in two windows that are reserved once, so the address alone tells the kind of
 * memory. A table with one entry per 2 MiB finds the chunk without a lock. Reserved addresses belong to the
 * process (ReservedAddresses); the space has a chunk for each reservation in which it maps memory. Adopted
 * memory lies outside the windows, has no chunk, and is found in a map. find() may run concurrently with all
 * methods; the methods that create or destroy chunks take the space's lock.
 */
class AddressSpace {
public:
	/** create() - reserves the windows.
	 * @window_bytes: the maximum size of each window; 0 for no limit. Return: NO_MEMORY. */
	static base::Result<std::unique_ptr<AddressSpace>> create(hal::Device &device,
								  Mailbox &mailbox,
								  uint64_t window_bytes);
	~AddressSpace();

	/** keep() - makes the destructor leave @ranges as they are: device memory reserved, pinned memory
	 * mapped. The caller unmaps them. Context: once, before the destructor. */
	void keep(std::vector<KeptRange> ranges) { kept_ = std::move(ranges); }

	/** place() - the kind of memory at @address. An address that is reserved and has no memory is DEVICE
	 * in every space. If it has memory, it is DEVICE only in the space that mapped the memory. Context:
	 * any thread. */
	Place place(uint64_t address) const;

	/** window() - the addresses of all memory of @place that is neither reserved nor adopted. */
	unpu_kernel_window window(Place place) const
	{
		const Window &of = place == Place::DEVICE ? device_window_ : pinned_window_;
		return {of.start(), of.range.bytes()};
	}

	/** find() - the chunk that holds @address, or nullptr; adopted memory has none. Context: any thread. */
	Chunk *find(uint64_t address) const;

	/** aperture() - the host's mapping of [va, va + bytes). nullptr if the range is not inside one chunk,
	 * or if only the device can access the chunk. */
	std::byte *aperture(uint64_t va, uint64_t bytes) const;

	/** create_chunk() - a new segment of at least @bytes, mapped on both sides.
	 * @node: requested NUMA node; -1 for the device's. Return: NO_MEMORY. */
	base::Result<Chunk *> create_chunk(Place place, uint64_t bytes, unpu_page_kind wish,
					   int32_t node);

	/** import_chunk() - maps another client's memory into this space; the chunk owns the segment.
	 * Return: NO_MEMORY; the segment is then destroyed. */
	base::Result<Chunk *> import_chunk(const ImportedSegment &segment);

	/** destroy_chunk() - unmaps and destroys a chunk on both sides. */
	void destroy_chunk(Chunk *chunk);

	/** create_segment(), destroy_segment() - memory without an address.
	 * @flags: UNPU_SEGMENT_*. Return: NO_MEMORY. */
	base::Result<SegmentFile> create_segment(unpu_segment_kind kind, uint64_t bytes,
						 unpu_page_kind wish, uint32_t flags);
	void destroy_segment(uint64_t segment);

	/** attach() - prepares [va, va + bytes), which the process reserved, for memory of this device.
	 * Return: NO_MEMORY; QUOTA when the firmware has no more addresses for this client. */
	base::Result<Chunk *> attach(uint64_t va, uint64_t bytes);

	/** detach() - undoes attach(). Return: IN_USE while something is mapped there. */
	base::Status detach(uint64_t va);

	/** map_piece(), unmap_piece() - maps a whole segment into a reservation, and unmaps it.
	 * Return: INVALID_ARGUMENT when the range is occupied or has no such piece; NO_MEMORY. */
	base::Status map_piece(Chunk &reservation, const Piece &piece);
	base::Status unmap_piece(Chunk &reservation, uint64_t va, uint64_t bytes);

	/** protect() - changes the device's access rights to a piece.
	 * @access: UNPU_ACCESS_* */
	base::Status protect(uint64_t va, uint64_t bytes, uint32_t access);

	/** adopt() - [@start, @start + @bytes) of the program's memory becomes PINNED. Its pages stay as they
	 * are, and memory beside the range is not affected. No part of the range may be adopted already.
	 * Return: INVALID_ARGUMENT if the program can't read the memory, NO_MEMORY, QUOTA. */
	base::Result<AdoptedRange> adopt(uint64_t start, uint64_t bytes);

	/** give_up() - undoes adopt(). Returns when the device does not access the memory any more. */
	void give_up(uint64_t start);

	/** adopted() - whether @address is in adopted memory. Context: any thread. */
	bool adopted(uint64_t address) const;

	/** watch() - tells @watcher about all existing chunks of device memory, and from then on about all that
	 * is added or removed. */
	void watch(MemoryWatcher &watcher);
	/** unwatch() - tells @watcher that each chunk of device memory is removed, and unregisters it. */
	void unwatch(MemoryWatcher &watcher);

	/** set_views() - @is_viewed tells whether a thread of the host may access a chunk through its window now. The
	 * window of a destroyed chunk stays until no thread does, and so do pieces that are unmapped from a
	 * reservation. Context: no other thread uses the space yet. */
	void set_views(bool (*is_viewed)(const void *chunk)) { is_viewed_ = is_viewed; }

	/** with_host_range() - calls @visit with the HostRange that contains @address. The space keeps it meanwhile.
	 * Return: INVALID_ARGUMENT if there is none, or what @visit returned. */
	base::Status with_host_range(uint64_t address,
				     const std::function<base::Status(const HostRange &)> &visit);

	/** unmap() - removes [@va, @va + @bytes) from the device's page table, once no work uses it any more. */
	base::Status unmap(uint64_t va, uint64_t bytes);

private:
	struct Window {
		base::Mapping range;
		std::unique_ptr<Heap> heap; /* used under the space's lock */
		/* one entry per 2 MiB of the window; threads read the entries without a lock */
		base::Zeroed<Chunk *> table;

		uint64_t start() const { return reinterpret_cast<uint64_t>(range.data()); }
		bool holds(uint64_t address) const { return address - start() < range.bytes(); }
	};

	AddressSpace(hal::Device &device, Mailbox &mailbox) : device_(device), mailbox_(mailbox) {}

	static base::Status open_window(Window &window, uint64_t bytes);
	void unmap_but_kept(Window &window);
	const Window *window_of(uint64_t address) const;
	bool adopts_part_of(uint64_t start, uint64_t bytes) const;
	HostRange find_adopted(uint64_t address) const;
	base::Result<bool> map_in_place(uint64_t start, uint64_t bytes, uint32_t access);
	void leave_reservations() REQUIRES(mutex_);
	base::Status map_on_host(Chunk &reservation, const Piece &piece);
	void unmap_on_host(Chunk &reservation, uint64_t va, uint64_t bytes) REQUIRES(mutex_);
	void drop_left_pieces(Chunk &reservation) REQUIRES(mutex_);
	base::Status call_range(unpu_message_type type, uint64_t va, uint64_t bytes);
	base::Status build(Chunk &chunk, const SegmentFile &segment);
	base::Status build_import(Chunk &chunk, const ImportedSegment &segment);
	void announce(const Chunk &chunk) REQUIRES(mutex_);
	void note_host_range_removed(uint64_t va) REQUIRES(mutex_);
	Chunk *list(std::unique_ptr<Chunk> chunk) REQUIRES(mutex_);
	std::unique_ptr<Chunk> unlist(const Chunk &chunk) REQUIRES(mutex_);
	void drop_window(Chunk &chunk) REQUIRES(mutex_);
	void drop_left_windows() REQUIRES(mutex_);
	void enter(const Chunk &chunk, Chunk *entry);
	base::Status map_on_device(const Chunk &chunk);

	hal::Device &device_;
	Mailbox &mailbox_;
	/* Held during requests: both sides must map an address before another thread may use it. */
	base::Mutex mutex_{"AddressSpace::mutex_", base::HeldOver::ANSWERS};
	Window device_window_;
	Window pinned_window_;
	std::vector<KeptRange> kept_; /* sorted by address */
	std::vector<std::unique_ptr<Chunk>> chunks_ GUARDED_BY(mutex_);
	bool (*is_viewed_)(const void *) = nullptr;
	/* Destroyed chunks whose windows host threads still use. */
	std::vector<std::unique_ptr<Chunk>> viewed_ GUARDED_BY(mutex_);
	mutable base::Mutex adopted_mutex_{"AddressSpace::adopted_mutex_"};
	/* indexed by address */
	std::map<uint64_t, AdoptedRange> adopted_ GUARDED_BY(adopted_mutex_);
	uint32_t adopted_count_ = 0; /* read without the lock; usually 0, which saves the lookup */
	std::vector<MemoryWatcher *> watchers_ GUARDED_BY(mutex_);
	/* indexed by address */
	std::map<uint64_t, std::unique_ptr<Chunk>> attached_ GUARDED_BY(mutex_);
};

} // namespace drv
