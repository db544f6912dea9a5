// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/sync/mutex.h"
#include "drv/attachment/address_space.h"
#include "drv/packet/fence.h"
#include "hal/options.h"
#include "object_log.h"
#include "prefault.h"
#include "uapi/operator.h"

namespace drv {

class ChannelSet;

/** enum class Use - how an object was created, and therefore how it must be freed. */
enum class Use : uint8_t {
	PLAIN,	 /* made by allocate() */
	MANAGED, /* made by allocate_managed() */
	/* made by allocate() for a pool, which keeps the memory after the program has freed it */
	POOLED,
	MAPPED,	    /* a piece of memory that is mapped into a reservation */
	REGISTERED, /* memory of the program that the address space adopted */
	IMPORTED,   /* made by import() */
};

/** struct Bo - one buffer object: the result of an allocation. */
struct Bo {
	uint64_t va = 0;
	uint64_t bytes = 0; /* the requested size */
	/* unique: distinguishes an object from an earlier one at the same address */
	uint64_t generation = 0;
	Chunk *chunk =
		nullptr; /* nullptr: REGISTERED; in a copy, it may be freed like the object */
	Use use = Use::PLAIN;
	uint32_t access = UNPU_ACCESS_MASK; /* UNPU_ACCESS_*: what copies and fills may do */
	bool is_reached = true;		    /* REGISTERED: the device accesses it in place */
	/* Devices that may read or write the object although they have no access to all memory: one bit for
	 * each device. */
	uint32_t readers = 0;
	uint32_t writers = 0;
	uint64_t slack = 0; /* how many bytes at the end the program did not ask for */

	Place place = Place::PINNED;

	static Bo in_chunk(Chunk &chunk, uint64_t va, uint64_t bytes, Use use)
	{
		return {.va = va,
			.bytes = bytes,
			.chunk = &chunk,
			.use = use,
			.place = chunk.place};
	}

	uint64_t asked_bytes() const { return bytes - slack; }
};

/** struct SegmentPart - where an object lies in the memory of its device. */
struct SegmentPart {
	uint64_t va = 0;      /* of the object */
	uint64_t segment = 0; /* the firmware's id; 0: REGISTERED */
	uint64_t offset = 0;  /* of the address in the segment */
	bool has_small_pages = true;
};

/** struct Nearby - the objects near an address that lies in no live object. A size of 0: no such object. */
struct Nearby {
	Bo below; /* the last object that begins at or below the address */
	Bo above; /* the first object above the address */
	/* an object that contained the address and was freed a short time ago */
	uint64_t freed_va = 0;
	uint64_t freed_bytes = 0;
};

/** struct Remains - a range with objects that nothing freed before their device closed. */
struct Remains {
	KeptRange range;
	/* only for pinned memory: the objects, sorted by address; their chunk does not exist any more */
	std::vector<Bo> objects;
};

/** struct RecentObjects - a thread's cache of the objects it used last; valid while the epoch is unchanged. */
struct RecentObjects {
	struct Object {
		uint64_t va = 0;
		uint64_t bytes = 0;
		Place place = Place::OUTSIDE;
	};

	uint64_t epoch = 0;
	Object objects[2];
	unsigned next = 0;
};

/**
 * class Memory - buffer objects of one context. Context: any thread.
 *
 * Small objects are cut from shared chunks, so they need no system call. free() does not wait: the range is
 * reused after all work has passed that was submitted between the allocation and the free.
 */
class Memory {
public:
	explicit Memory(ChannelSet &set) : set_(set) {}
	~Memory();

	/** configure() - before anything is allocated.
	 * @prefault_bytes: how much of each object of device memory to prefault in the background */
	void configure(hal::PagePolicy pages, uint64_t prefault_bytes)
	{
		pages_ = pages;
		prefault_.configure(prefault_bytes);
	}

	/** with_room() - calls @attempt, a function that returns a Result, and retries while it fails for
	 * lack of memory and memory may become free. Between attempts it returns empty chunks and parked
	 * channels to the device, or waits until work no longer uses freed ranges, for at most 10 seconds.
	 * Context: no lock is held. Return: the last result of @attempt. */
	template <class Attempt> auto with_room(const Attempt &attempt)
	{
		const uint64_t deadline_ns = base::deadline_after(ROOM_WAIT_NS);
		for (bool is_first = true;; is_first = false) {
			const uint64_t seen = retired();
			auto result = attempt();
			if (result || !lacks_memory(result.status()))
				return result;
			/* Return empty chunks only once: an attempt itself may leave an empty chunk behind. */
			if (!(is_first && give_back_idle()) && !wait_retired(seen, deadline_ns))
				return result;
		}
	}

	/** allocate() - allocates an object of @place DEVICE or PINNED, and retries as with_room() does.
	 * @node: NUMA node instead of the device's, or -1. @slack: how many of @bytes the program did not ask
	 * for.
	 * Return: NO_MEMORY, QUOTA; NO_PERMISSION with an error message in @why if pinned memory can't be
	 * locked. */
	base::Result<Bo> allocate(Place place, uint64_t bytes, unpu_page_kind wish,
				  std::string &why, Use use = Use::PLAIN, int32_t node = -1,
				  uint64_t slack = 0);

	/** allocate_managed() - pinned memory in chunks of its own, not locked, rounded up to 2 MiB. */
	base::Result<Bo> allocate_managed(uint64_t bytes);

	/** free() - frees an object that was allocated for @use.
	 * @others: fences of work of other devices that may use the object
	 * Return: INVALID_ARGUMENT when @address is not the start of such an object of @place. */
	base::Status free(Place place, uint64_t address, Use use = Use::PLAIN,
			  std::vector<Fence> others = {});

	/** enter(), remove() - add and remove an object whose memory the caller owns: MAPPED or REGISTERED.
	 * Return: remove() returns the object, or INVALID_ARGUMENT. */
	void enter(Bo bo);
	base::Result<Bo> remove(Place place, uint64_t address, Use use);

	/** protect() - sets the access rights of copies and fills to an entered object. */
	void protect(uint64_t address, uint32_t access);

	/** lend() - lets other devices read or write an object. @readers, @writers: a bit for each device */
	void lend(uint64_t address, uint32_t readers, uint32_t writers);

	/** lends() - whether [@address, @address + @bytes) lies in one object that the device of @user may
	 * access with @access. @user: the bit of the device */
	bool lends(uint64_t address, uint64_t bytes, uint32_t access, uint32_t user);

	/** import() - memory of another client becomes an object of this context.
	 * Return: NO_MEMORY; the segment is then destroyed. */
	base::Result<Bo> import(const ImportedSegment &segment);

	/** close() - removes an imported object after all work submitted so far has passed.
	 * Return: INVALID_ARGUMENT. */
	base::Status close(uint64_t address);

	/** lookup() - the object that holds @address, or a Bo with bytes 0. */
	Bo lookup(uint64_t address);

	/** part_of() - where @address, which lies in a live object, is in its segment. */
	SegmentPart part_of(uint64_t address);

	/** nearby() - the objects near @address, for an error message about a wrong address. */
	Nearby nearby(uint64_t address);

	/** covers() - whether a task may access [address, address + bytes) with @access: the range lies in one
	 * live object, or in adjacent mappings of one reservation. An object ends at a multiple of 64 bytes; a
	 * registered one ends at its last byte. Takes no lock for the objects that the thread used last.
	 * Return: false also for memory that the device does not reach. */
	bool covers(uint64_t address, uint64_t bytes, uint32_t access = UNPU_ACCESS_READ);

	/** registered() - whether [address, address + bytes) lies in one registered object that allows
	 * @access, if the device reaches it or not. */
	bool registered(uint64_t address, uint64_t bytes, uint32_t access);

	/** knows() - covers() for the calling thread's recent objects only, without a lock.
	 * @place: the kind of the object's memory; unchanged if the result is false */
	bool knows(uint64_t address, uint64_t bytes, Place &place) const
	{
		const RecentObjects &recent = recent_;
		if (recent.epoch != base::load_acquire(epoch_)) [[unlikely]]
			return false;
		for (const RecentObjects::Object &object : recent.objects) {
			uint64_t offset = address - object.va;
			if (offset < object.bytes && bytes <= object.bytes - offset) {
				place = object.place;
				return true;
			}
		}
		return false;
	}

	/** count_physical() - adds @bytes (may be negative) to the count of device memory without an address. */
	void count_physical(int64_t bytes);

	/** share_objects() - begins a log of all objects that workers of user kernels read.
	 * Return: the device address of the log's head; 0: there is no memory for the log. */
	uint64_t share_objects();

	/** freed_objects() - the number of the last free, for the launch of a kernel: objects that were freed
	 * before the launch have at most this number. */
	uint64_t freed_objects() const { return log_.freed(); }

	/** remains() - the memory that outlives the device: the chunks with live objects. Chunks of device
	 * memory that follow each other are one range. The address space keeps these ranges. Context: nothing
	 * is allocated any more. */
	std::vector<Remains> remains();

	/** live() - the number of live objects. */
	size_t live();

	/** in_use_bytes() - bytes of live objects, of freed ones that work still uses, and of physical
	 * memory. */
	uint64_t in_use_bytes(Place place);

	/** prefaulted_bytes() - bytes prefaulted so far. */
	uint64_t prefaulted_bytes() { return prefault_.done_bytes(); }

	/** slack_bytes() - free device memory inside the chunks of this context. */
	uint64_t slack_bytes();

	/** peak_bytes() - the maximum of device memory in use so far. */
	uint64_t peak_bytes();

private:
	/* struct PendingFree - data that a free takes out of the tables under the lock and destroys without it. */
	struct PendingFree {
		/* fences that were pending at the allocation; their work can't use the object */
		std::vector<Fence> older;
		std::vector<Bo> logs; /* logs of objects that a newer log has replaced */
	};

	static constexpr uint64_t ROOM_WAIT_NS = 10 * base::NS_PER_S;
	static inline thread_local constinit RecentObjects recent_;

	/* struct Chunks - the chunks of one place on one node. */
	struct Chunks {
		std::map<uint64_t, Chunk *> all; /* indexed by age */
		/* shared chunks by age, with the size of their largest free range. Index 1: the chunks whose
		 * pages are locked per object. */
		FirstFit room[2];
		uint64_t used_bytes = 0;
		unsigned empty = 0;	/* number of shared chunks without objects */
		Chunk *spare = nullptr; /* an empty large chunk, kept for the next large object */
	};

	uint64_t used(Place place) const REQUIRES(mutex_);
	void note_peak() REQUIRES(mutex_);
	base::Result<Bo> try_allocate(Place place, uint64_t bytes, unpu_page_kind wish,
				      std::string &why, Use use, int32_t node, uint64_t slack);
	uint64_t retired();
	static bool lacks_memory(base::Status status)
	{
		return status == base::Status::NO_MEMORY || status == base::Status::QUOTA;
	}
	bool wait_retired(uint64_t seen, uint64_t deadline_ns);
	bool give_back_idle();
	void give_back(Chunk *chunk) REQUIRES(mutex_);
	base::Result<Bo> take(Place place, uint64_t address, Use use, PendingFree &pending);
	base::Result<Bo> cut(Place place, uint64_t bytes, unpu_page_kind wish, int32_t node,
			     std::string &why) REQUIRES(mutex_);
	base::Result<Bo> cut_from(Chunk &chunk, uint64_t bytes, std::string &why) REQUIRES(mutex_);
	base::Result<Chunk *> grow(Place place, uint64_t bytes, unpu_page_kind wish, int32_t node)
		REQUIRES(mutex_);
	void look_ahead(const Bo &bo) REQUIRES(mutex_);
	unpu_page_kind wished(unpu_page_kind wish, int32_t node) const;
	Chunk *find_room(Place place, uint64_t bytes, int32_t node) REQUIRES(mutex_);
	void note_room(Chunk &chunk) REQUIRES(mutex_);
	Chunks &chunks_of(const Chunk &chunk) REQUIRES(mutex_);
	static base::Status pin(Chunk &chunk, uint64_t offset, uint64_t bytes, std::string &why);
	static void unpin(Chunk &chunk, uint64_t offset, uint64_t bytes);
	void give_up(const Bo &bo);
	void reclaim(Chunk *chunk, uint64_t offset);
	void end_chunk(Chunk *chunk);
	void free_logs(const PendingFree &pending);
	void begin_log() REQUIRES(mutex_);
	void add_object(const Bo &bo) REQUIRES(mutex_);
	void log_made(const Bo &bo) REQUIRES(mutex_);
	void log_freed(const Bo &bo) REQUIRES(mutex_);
	const Bo *find(uint64_t address) const REQUIRES(mutex_);
	bool covers_pieces(uint64_t address, uint64_t bytes, uint32_t access);

	ChannelSet &set_;
	/* Held during requests: the device must create a chunk before an object in it is entered. */
	base::Mutex mutex_{"Memory::mutex_", base::HeldOver::ANSWERS};
	/* device memory and pinned memory; indexed by NUMA node */
	std::map<int32_t, Chunks> chunks_[2] GUARDED_BY(mutex_);
	uint64_t chunks_made_ GUARDED_BY(mutex_) = 0;
	std::map<uint64_t, Bo> objects_ GUARDED_BY(mutex_); /* indexed by address */
	/* The object that was allocated last, unless it was freed, and an object that was allocated before
	 * it. Most frees and allocations happen next to them, so these iterators save a search in
	 * @objects_. */
	std::map<uint64_t, Bo>::iterator latest_ GUARDED_BY(mutex_) = objects_.end();
	std::map<uint64_t, Bo>::iterator earlier_ GUARDED_BY(mutex_) = objects_.end();
	/* For the object at each address: the fences that were pending at its allocation. Their work can't
	 * use the object. */
	std::unordered_map<uint64_t, std::vector<Fence>> older_ GUARDED_BY(mutex_);
	uint64_t generation_ GUARDED_BY(mutex_) = 0;
	/* The log of objects, the memory of its head and of the log itself, and the memory of logs that a
	 * newer log has replaced. */
	ObjectLog log_;
	Bo log_head_ GUARDED_BY(mutex_);
	Bo log_memory_ GUARDED_BY(mutex_);
	std::vector<Bo> old_logs_ GUARDED_BY(mutex_);
	/* A ring of freed objects: the address and the size of each. */
	std::array<std::pair<uint64_t, uint64_t>, 256> freed_ GUARDED_BY(mutex_){};
	uint64_t frees_ GUARDED_BY(mutex_) = 0;
	int64_t physical_bytes_ GUARDED_BY(mutex_) = 0;
	uint64_t peak_bytes_ GUARDED_BY(mutex_) = 0;
	uint64_t epoch_ = next_epoch(); /* changes with every free; read without the lock */
	hal::PagePolicy pages_ = hal::PagePolicy::AUTO;
	Prefault prefault_;

	static uint64_t next_epoch();
};

} // namespace drv
