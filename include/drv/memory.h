// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "drv/address_space.h"
#include "drv/fence.h"
#include "drv/prefault.h"
#include "hal/options.h"
#include "uapi/operator.h"

namespace drv {

class Device;

/** enum class Use - how an object came about, and goes. */
enum class Use : uint8_t {
	PLAIN,	    /* allocate() */
	MANAGED,    /* allocate_managed() */
	POOLED,	    /* allocate(), for a pool that keeps it */
	MAPPED,	    /* a piece of a reservation */
	REGISTERED, /* memory of the program that the address space adopted */
	IMPORTED,   /* import() */
};

/** struct Bo - one buffer object: what a malloc returned. */
struct Bo {
	uint64_t va = 0;
	uint64_t bytes = 0;	 /* as asked for */
	uint64_t generation = 0; /* never the same twice: tells a reused address from the old one */
	Chunk *chunk = nullptr;
	Use use = Use::PLAIN;
	uint32_t access = UNPU_ACCESS_MASK; /* of copies and fills */
};

/** struct RecentObjects - those a thread used last, good for as long as the epoch stands. */
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
 * Small objects are cut from shared chunks, so they cost no system call. free() does not wait: the
 * range is used again once everything has passed that was submitted between the allocation and the free.
 */
class Memory {
public:
	explicit Memory(Device &device) : device_(device) {}
	~Memory();

	/** configure() - before anything is allocated.
	 * @prefault_bytes: of each object of device memory, to be present ahead of its use */
	void configure(hal::PagePolicy pages, uint64_t prefault_bytes)
	{
		pages_ = pages;
		prefault_.configure(prefault_bytes);
	}

	/** with_room() - calls @attempt, a function that returns a Result, again while it lacks memory and
	 * there is some to be had: chunks without objects go back to the device, and ranges that were freed
	 * are waited for while work uses them, for 10 seconds at most. Context: no lock is held.
	 * Return: what @attempt returned last. */
	template <class Attempt> auto with_room(const Attempt &attempt)
	{
		const uint64_t deadline_ns = base::deadline_after(ROOM_WAIT_NS);
		for (bool is_first = true;; is_first = false) {
			const uint64_t seen = retired();
			auto result = attempt();
			if (result || !lacks_memory(result.status()))
				return result;
			/* An attempt may leave a chunk without objects, so these go back once. */
			if (!(is_first && give_back_idle()) && !wait_retired(seen, deadline_ns))
				return result;
		}
	}

	/** allocate() - @place DEVICE or PINNED, by with_room(). @node: NUMA node instead of the device's,
	 * or -1. Return: NO_MEMORY, QUOTA; NO_PERMISSION with @why set when pinned memory can't be locked. */
	base::Result<Bo> allocate(Place place, uint64_t bytes, unpu_page_kind wish,
				  std::string &why, Use use = Use::PLAIN, int32_t node = -1);

	/** allocate_managed() - pinned memory in chunks of its own, not locked, rounded up to 2 MiB. */
	base::Result<Bo> allocate_managed(uint64_t bytes);

	/** free() - what was allocated for @use. Return: INVALID_ARGUMENT when @address is not the start
	 * of such an object of @place. */
	base::Status free(Place place, uint64_t address, Use use = Use::PLAIN);

	/** enter(), remove() - an object whose memory is somebody else's care: MAPPED or REGISTERED.
	 * Return: remove() what was entered; INVALID_ARGUMENT. */
	void enter(Bo bo);
	base::Result<Bo> remove(Place place, uint64_t address, Use use);

	/** protect() - what copies and fills may do with an object that was entered. */
	void protect(uint64_t address, uint32_t access);

	/** import() - memory of another client becomes an object of this context.
	 * Return: NO_MEMORY; the segment is then destroyed. */
	base::Result<Bo> import(const ImportedSegment &segment);

	/** close() - takes an imported object away, once everything submitted so far has passed.
	 * Return: INVALID_ARGUMENT. */
	base::Status close(uint64_t address);

	/** lookup() - the object that holds @address, or a Bo with bytes 0. */
	Bo lookup(uint64_t address);

	/** covers() - whether [address, address + bytes) lies in one object that was not freed, or in
	 * pieces of one reservation that follow each other, and @access is allowed. An object reaches to
	 * the next multiple of 64 bytes. Takes no lock for the objects a thread used last. */
	bool covers(uint64_t address, uint64_t bytes, uint32_t access = UNPU_ACCESS_READ);

	/** knows() - covers() as far as the calling thread knows without asking: of the objects it used
	 * last. @place: where the object is; of others untouched */
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

	/** count_physical() - device memory that has no address of its own, more or (negative) less. */
	void count_physical(int64_t bytes);

	/** live() - objects that were not freed. */
	size_t live();

	/** in_use_bytes() - bytes of live and retiring objects, and of physical memory. */
	uint64_t in_use_bytes(Place place);

	/** prefaulted_bytes() - that were made present ahead of their use. */
	uint64_t prefaulted_bytes() { return prefault_.done_bytes(); }

	/** slack_bytes() - device memory of this context's that it does not use, and can. */
	uint64_t slack_bytes();

	/** peak_bytes() - the most device memory that was in use at once. */
	uint64_t peak_bytes();

private:
	static constexpr uint64_t ROOM_WAIT_NS = 10 * base::NS_PER_S;
	static inline thread_local constinit RecentObjects recent_;

	/* struct Chunks - of one place, and on one node. */
	struct Chunks {
		std::map<uint64_t, Chunk *> all; /* by age */
		FirstFit room[2]; /* of those that are shared, by age: the largest free range; in
				   * the second one pages are locked when an object needs them */
		uint64_t used_bytes = 0;
		unsigned empty = 0;	/* of those that are shared */
		Chunk *spare = nullptr; /* one for a large object, kept for the next */
	};

	uint64_t used(Place place) const;
	void note_peak();
	base::Result<Bo> try_allocate(Place place, uint64_t bytes, unpu_page_kind wish,
				      std::string &why, Use use, int32_t node);
	uint64_t retired();
	static bool lacks_memory(base::Status status)
	{
		return status == base::Status::NO_MEMORY || status == base::Status::QUOTA;
	}
	bool wait_retired(uint64_t seen, uint64_t deadline_ns);
	bool give_back_idle();
	void give_back(Chunk *chunk);
	base::Result<Bo> take(Place place, uint64_t address, Use use, std::vector<Fence> &older);
	base::Result<Bo> cut(Place place, uint64_t bytes, unpu_page_kind wish, int32_t node,
			     std::string &why);
	base::Result<Bo> cut_from(Chunk &chunk, uint64_t bytes, std::string &why);
	base::Result<Chunk *> grow(Place place, uint64_t bytes, unpu_page_kind wish, int32_t node);
	void look_ahead(const Bo &bo);
	unpu_page_kind wished(unpu_page_kind wish, int32_t node) const;
	Chunk *find_room(Place place, uint64_t bytes, int32_t node);
	void note_room(Chunk &chunk);
	Chunks &chunks_of(const Chunk &chunk);
	static base::Status pin(Chunk &chunk, uint64_t offset, uint64_t bytes, std::string &why);
	static void unpin(Chunk &chunk, uint64_t offset, uint64_t bytes);
	void reclaim(Chunk *chunk, uint64_t offset);
	const Bo *find(uint64_t address) const;
	bool covers_pieces(uint64_t address, uint64_t bytes, uint32_t access);

	Device &device_;
	/* The device has to give a chunk before the block in it can be entered. */
	base::Mutex mutex_{"Memory::mutex_", base::HeldOver::ANSWERS};
	std::map<int32_t, Chunks> chunks_[2]; /* device, pinned; by node */
	uint64_t chunks_made_ = 0;
	std::map<uint64_t, Bo> objects_; /* by address */
	/* What was pending when an object was allocated, by address: it does not use the object. */
	std::unordered_map<uint64_t, std::vector<Fence>> older_;
	uint64_t generation_ = 0;
	int64_t physical_bytes_ = 0;
	uint64_t peak_bytes_ = 0;
	uint64_t epoch_ = next_epoch(); /* changes with every free */
	hal::PagePolicy pages_ = hal::PagePolicy::AUTO;
	Prefault prefault_;

	static uint64_t next_epoch();
};

} // namespace drv
