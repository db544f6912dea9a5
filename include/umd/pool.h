// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "base/mutex.h"
#include "drv/fence.h"
#include "umd/context.h"
#include "umd/device_state.h"
#include "umd/handle.h"
#include "umd/process.h"

namespace umd {

struct Stream;

/** struct PoolBlock - device memory that a pool has. */
struct PoolBlock {
	uint64_t bytes = 0;
	bool in_use = false;
	uint64_t stream = 0; /* handle of the stream that gave it back */
	drv::Fence fence;    /* what that stream had to do before */
};

/** struct Pool - keeps what streams give back for the next who asks. Lock: the Pools'. */
struct Pool {
	HandleWord handle;
	DeviceRef device;
	uint64_t max_bytes = 0; /* 0: as much as there is */
	uint64_t threshold = 0; /* what a synchronisation leaves */
	bool reuse_events = true;
	bool reuse_done = true;	   /* blocks of other streams, once they are done */
	bool reuse_waiting = true; /* the same before: the stream waits for the other */
	uint64_t reserved = 0;
	uint64_t reserved_high = 0;
	uint64_t used = 0;
	uint64_t used_high = 0;
	std::map<uint64_t, PoolBlock> blocks; /* by address */
};

/**
 * class Pools - stream-ordered memory. A block may be given out again at once where order makes that
 * safe: to the stream that gave it back, or to one that waits for it.
 * Context: any thread. Return: the calls set the sentence of what they return.
 */
class Pools {
public:
	static Pools &get() { return Process::own<Pools>(); }

	base::Result<void *> create(Context &context, uint64_t max_bytes);
	/** destroy() - Return: INTERNAL for an unknown pool and one with blocks in use. */
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
	/** trim() - gives blocks that are not in use back to the device, down to @keep bytes. */
	base::Status trim(const void *handle, uint64_t keep);

	/** trim_idle() - after a synchronisation: each pool goes down to its threshold. */
	void trim_idle()
	{
		if (base::load_relaxed(count_) != 0) [[unlikely]]
			trim_all();
	}

private:
	using Block = std::map<uint64_t, PoolBlock>::iterator;
	using Lock = std::unique_lock<base::Mutex>;

	/* What a pool has too much of, and its device. */
	struct Surplus {
		DeviceHold device;
		std::vector<uint64_t> blocks; /* addresses */
	};

	base::Result<Pool *> find(const void *handle);
	base::Status end(const void *handle, Surplus &surplus);
	static void forget_closed(Pool &pool);
	Block choose(Pool &pool, uint64_t bytes, const Stream &stream);
	base::Result<uint64_t> reuse(Pool &pool, uint64_t bytes, Stream &stream);
	base::Result<drv::Bo> take_memory(Lock &lock, Pool &pool, drv::Device &device,
					  uint64_t bytes);
	base::Result<uint64_t> grow(Lock &lock, Pool &pool, drv::Device &device, uint64_t bytes);
	static Surplus shrink(Pool &pool, uint64_t keep);
	static void give_back(Surplus surplus);
	void trim_all();

	base::Mutex mutex_{"Pools::mutex_"};
	HandleTable<Pool, Kind::POOL> pools_;
	uint32_t count_ = 0; /* atomic */
};

} // namespace umd
