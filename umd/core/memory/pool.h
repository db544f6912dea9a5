// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/channel/fence.h"
#include "umd/core/context/context.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

struct Stream;

/** struct PoolBlock - a block of device memory that a pool owns. */
struct PoolBlock {
	uint64_t bytes = 0;
	bool is_in_use = false;
	uint64_t stream = 0; /* handle of the stream that freed it */
	drv::Fence fence;    /* the stream's last fence at that time */
};

/** struct Pool - keeps the blocks that streams free, for later allocations. Lock: Pools::mutex_. */
struct Pool {
	HandleWord handle;
	DeviceRef device;
	uint64_t max_bytes = 0; /* 0: no limit */
	uint64_t threshold = 0; /* bytes that the pool keeps at a synchronisation */
	bool reuse_events = true;
	bool reuse_done = true;	   /* reuse a block of another stream if its fence has passed */
	bool reuse_waiting = true; /* or if it has not: the allocating stream then waits for it */
	uint64_t reserved = 0;
	uint64_t reserved_high = 0;
	uint64_t used = 0;
	uint64_t used_high = 0;
	std::map<uint64_t, PoolBlock> blocks; /* by address */
};

/**
 * class Pools - stream-ordered memory. A freed block can be reused at once if stream order makes that safe:
 * by the stream that freed it, or by a stream that waits for that stream.
 * Context: any thread. Return: the calls set the error sentence.
 */
class Pools {
public:
	static Pools &get() { return Process::own<Pools>(); }

	base::Result<void *> create(Context &context, uint64_t max_bytes);
	/** destroy() - Return: INTERNAL for an unknown pool or a pool with blocks in use. */
	base::Status destroy(const void *handle);

	/** visit() - @change may read and write the settings and counters of a pool.
	 * Return: INVALID_ARGUMENT for an unknown pool. */
	template <class Change> base::Status visit(const void *handle, const Change &change)
	{
		std::lock_guard lock(mutex_);
		auto pool = find(handle);
		if (!pool)
			return pool.status();
		change(**pool);
		return base::Status::OK;
	}

	/** allocate() - Return: NO_MEMORY, INVALID_ARGUMENT, NOT_SUPPORTED in a capture. */
	base::Status allocate(const void *handle, uint64_t bytes, Stream &stream, void **out);
	/** free() - Return: INVALID_ARGUMENT, NOT_SUPPORTED in a capture. */
	base::Status free(void *address, Stream &stream);
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
		std::vector<uint64_t> blocks; /* addresses */
	};

	base::Result<Pool *> find(const void *handle) REQUIRES(mutex_);
	base::Status end(const void *handle, Surplus &surplus);
	static void forget_closed(Pool &pool);
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
	uint32_t count_ = 0; /* of pools; read without the lock */
};

} // namespace umd
