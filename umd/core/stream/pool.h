// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/memory/memory.h"
#include "drv/packet/fence.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"

namespace umd {

struct Stream;

/** struct PoolMemory - which memory a pool has. */
struct PoolMemory {
	drv::Place place = drv::Place::DEVICE;
	int32_t node = -1; /* for PINNED: the NUMA node; -1: any node */
	/* the pool has memory that other processes export, and allocates nothing */
	bool is_imported = false;
};

/** struct PoolBlock - a block of memory that a pool owns. */
struct PoolBlock {
	uint64_t bytes = 0;
	bool is_in_use = false;
	uint64_t stream = 0;  /* handle of the stream that freed it */
	drv::Fence fence;     /* the stream's last fence at that time */
	uint32_t imports = 0; /* in an imported pool: how often the program has to free the block */
};

/** struct Pool - keeps the blocks that streams free, for later allocations. Lock: Pools::mutex_. */
struct Pool {
	HandleWord handle;
	DeviceRef device;
	PoolMemory memory;
	bool follows = false;	/* the pool continues with the next opening of its device */
	bool is_ending = false; /* destroyed; its last blocks are in use */
	uint64_t max_bytes = 0; /* 0: no limit */
	uint64_t threshold = 0; /* bytes that the pool keeps at a synchronisation */
	bool reuse_events = true;
	/* reuse a block that another stream freed, if its fence has passed */
	bool reuse_done = true;
	/* also reuse it if its fence has not passed: the allocating stream then waits */
	bool reuse_waiting = true;
	uint64_t reserved = 0;
	uint64_t reserved_high = 0;
	uint64_t used = 0;
	uint64_t used_high = 0;
	uint32_t readers = 0; /* bit mask of the other devices that may read its memory */
	uint32_t writers = 0; /* bit mask of the other devices that may write its memory */
	std::map<uint64_t, PoolBlock> blocks;	      /* indexed by address */
	std::set<std::pair<uint64_t, uint64_t>> idle; /* size and address of the unused blocks */
};

/**
 * class Pools - stream-ordered memory. A freed block can be reused at once if stream order makes that safe:
 * by the stream that freed it, or by a stream that waits for that stream.
 * Context: any thread. Return: the functions set the error message.
 */
class Pools {
public:
	static Pools &get() { return Process::own<Pools>(); }

	/** create() - creates a pool. @device: the device that has its memory
	 * @follows: the pool outlives the device, and continues when the device is opened again */
	base::Result<void *> create(const DeviceRef &device, uint64_t max_bytes, bool follows,
				    PoolMemory memory = {});
	/** destroy() - destroys a pool. Return: INTERNAL for an unknown pool or a pool with blocks in use. */
	base::Status destroy(const void *handle);
	/** end() - destroys a pool, even with blocks in use: it then ends when the last block is freed, and
	 * refuses calls until then. */
	base::Status end(const void *handle);

	/** visit() - @change may read and write the settings and counters of a pool.
	 * Return: INVALID_ARGUMENT for an unknown pool. */
	template <class Change> base::Status visit(const void *handle, const Change &change)
	{
		std::lock_guard lock(mutex_);
		auto pool = TRY(find(handle));
		change(*pool);
		return base::Status::OK;
	}

	/** lend() - lets other devices read or write all memory of the pool, also what it gets later.
	 * @readers, @writers: bit masks of Devices::lend(). Return: INVALID_ARGUMENT for an unknown pool. */
	base::Status lend(const void *handle, uint32_t readers, uint32_t writers);

	/** import() - adds memory of another process to an imported pool. @home: the device of the pool.
	 * Importing the same memory again gives the same address, which then has to be freed once more.
	 * @bytes: receives its size. Return: INVALID_ARGUMENT for an unknown pool; as IpcMemory::import(). */
	base::Status import(const void *handle, OpenDevice &home, const unpu_export_key &key,
			    void **out, uint64_t &bytes);

	/** allocate() - allocates in stream order. @home: the device of the pool, if @stream may belong to
	 * another device; the caller keeps it open.
	 * Return: NO_MEMORY, INVALID_ARGUMENT, NOT_SUPPORTED in a capture. */
	base::Status allocate(const void *handle, uint64_t bytes, Stream &stream, void **out,
			      OpenDevice *home = nullptr);
	/** free() - frees in stream order. @here: if @stream is on another device than the memory: a fence of
	 * the memory's device that passes with the work of the stream. Return: INVALID_ARGUMENT,
	 * NOT_SUPPORTED in a capture. */
	base::Status free(void *address, Stream &stream, const drv::Fence *here = nullptr);
	/** owns() - whether a block in use begins at @address. */
	bool owns(const void *address);
	/** give_up() - takes the block at @address out of its pool and frees it after all work of its device.
	 * Return: INVALID_ARGUMENT if there is none in use. */
	base::Status give_up(void *address);
	/** leave() - when a context ends: returns the unused blocks of pools that follow its device. */
	void leave(const OpenDevice &open);
	/** trim() - returns unused blocks to the device until the pool has @keep bytes. */
	base::Status trim(const void *handle, uint64_t keep);

	/** trim_idle() - trims each pool to its threshold; called after a synchronisation. */
	void trim_idle()
	{
		if (base::load_relaxed(count_) != 0) [[unlikely]]
			trim_all();
	}

private:
	using Block = std::map<uint64_t, PoolBlock>::iterator;

	/* Blocks to return to the device. */
	struct Surplus {
		DeviceHold device;
		PoolMemory memory;
		std::map<uint64_t, drv::Fence>
			/* by address: fences of the work of streams of other devices */
			blocks;
		bool is_recorded = false; /* the end of an import is recorded already */
	};

	base::Result<Pool *> find(const void *handle) REQUIRES(mutex_);
	base::Status end(const void *handle, bool waits, Surplus &surplus);
	void drop(Pool &pool) REQUIRES(mutex_);
	static void forget_closed(Pool &pool);
	base::Status enter(Pool &pool, OpenDevice &home) REQUIRES(mutex_);
	Pool *owner(const void *address) REQUIRES(mutex_);
	base::Status enter_import(const void *handle, OpenDevice &home, void *address,
				  uint64_t bytes);
	Surplus take_out(const void *address) REQUIRES(mutex_);
	Block choose(Pool &pool, uint64_t bytes, const Stream &stream) REQUIRES(mutex_);
	base::Result<uint64_t> reuse(Pool &pool, uint64_t bytes, Stream &stream) REQUIRES(mutex_);
	base::Result<drv::Bo> take_memory(Pool &pool, drv::Device &device, uint64_t bytes)
		REQUIRES(mutex_);
	base::Result<uint64_t> grow(Pool &pool, drv::Device &device, uint64_t bytes)
		REQUIRES(mutex_);
	static Surplus shrink(Pool &pool, uint64_t keep);
	static void give_back(Surplus surplus);
	void trim_all();

	base::Mutex mutex_{"Pools::mutex_"};
	HandleTable<Pool, Kind::POOL> pools_ GUARDED_BY(mutex_);
	uint32_t count_ = 0; /* number of pools; read without the lock */
};

/** enum class PoolAttribute - the numbers are those of both interfaces. */
enum class PoolAttribute : uint32_t {
	REUSE_EVENTS = 1, /* three attributes have type int */
	REUSE_DONE = 2,
	REUSE_WAITING = 3,
	THRESHOLD = 4, /* the others have type uint64_t */
	RESERVED = 5,
	RESERVED_HIGH = 6,
	USED = 7,
	USED_HIGH = 8,
};

/** is_pool_attribute() - whether there is an attribute with this number. */
inline bool is_pool_attribute(uint32_t number)
{
	return number >= static_cast<uint32_t>(PoolAttribute::REUSE_EVENTS) &&
	       number <= static_cast<uint32_t>(PoolAttribute::USED_HIGH);
}

/** set_attribute() - @value: of the attribute's type.
 * Return: INVALID_ARGUMENT, for a counter, and for a high-water mark unless the value is 0; sets the error
 * message. */
base::Status set_attribute(Pool &pool, PoolAttribute attribute, const void *value);

/** get_attribute() - reads an attribute. @value: receives it, in the attribute's type. */
void get_attribute(const Pool &pool, PoolAttribute attribute, void *value);

} // namespace umd
