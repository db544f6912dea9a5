// SPDX-License-Identifier: MIT
/**
 * DOC: Pools
 *
 * A pool decides on the host, when it is called, which block a stream gets; the stream's order, or a
 * wait that is put before its next task, makes that right.
 */
#include "umd/pool.h"

#include <algorithm>

#include <fmt/format.h>

#include "umd/error.h"
#include "umd/runtime.h"
#include "umd/stream.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

static constexpr uint64_t UNIT = 512;

Result<void *> Pools::create(Context &context, uint64_t max_bytes)
{
	std::lock_guard lock(mutex_);
	Pool *pool = pools_.create();
	if (!pool)
		return set_error(Status::NO_RESOURCE, "there are too many pools; destroy some");
	uint64_t handle = pool->handle;
	pool->device = DeviceRef(*context.open);
	pool->max_bytes = max_bytes;
	pool->threshold = 0;
	pool->reuse_events = pool->reuse_done = pool->reuse_waiting = true;
	pool->reserved = pool->reserved_high = pool->used = pool->used_high = 0;
	pool->blocks.clear();
	base::store_relaxed(count_, count_ + 1);
	return reinterpret_cast<void *>(handle);
}

Result<Pool *> Pools::find(const void *handle)
{
	if (Pool *pool = pools_.get(handle)) {
		forget_closed(*pool);
		return pool;
	}
	TRY(Runtime::get().check_fork());
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("memPool {} is not a live pool: it was destroyed, or is "
				     "something else",
				     fmt::ptr(handle)));
}

void Pools::forget_closed(Pool &pool)
{
	if (pool.device.is_open())
		return;
	pool.blocks.clear();
	pool.reserved = pool.used = 0;
}

Status Pools::destroy(const void *handle)
{
	DeviceHold device;
	TRY(end(handle, device));
	if (device)
		Runtime::get().close_idle(std::move(device));
	return Status::OK;
}

Status Pools::end(const void *handle, DeviceHold &device)
{
	std::lock_guard lock(mutex_);
	auto found = find(handle);
	if (!found)
		return found.status() == Status::INVALID_ARGUMENT ? Status::INTERNAL
								  : found.status();
	Pool &pool = **found;
	if (pool.used > 0)
		return set_error(Status::INTERNAL,
				 fmt::format("the pool has {} bytes in use; give them back with "
					     "aclrtMemPoolFreeAsync first",
					     pool.used));
	device = pool.device.hold();
	if (device)
		(void)shrink(pool, *device, 0);
	pools_.destroy(pool);
	base::store_relaxed(count_, count_ - 1);
	return Status::OK;
}

bool Pools::shrink(Pool &pool, drv::Device &device, uint64_t keep)
{
	const uint64_t before = pool.reserved;
	for (auto block = pool.blocks.begin();
	     block != pool.blocks.end() && pool.reserved > keep;) {
		if (block->second.in_use) {
			++block;
			continue;
		}
		/* A block that is still being worked on is used again only after that. */
		(void)device.memory().free(Place::DEVICE, block->first, drv::Use::POOLED);
		pool.reserved -= block->second.bytes;
		block = pool.blocks.erase(block);
	}
	return pool.reserved != before;
}

/* The smallest block that fits and may be used now; blocks far too large are left for others. */
Pools::Block Pools::choose(Pool &pool, uint64_t bytes, const Stream &stream)
{
	constexpr uint64_t MOST_WASTE = 2;
	drv::Device &device = stream.context->device();
	auto best = pool.blocks.end();
	bool best_ordered = false;
	for (auto it = pool.blocks.begin(); it != pool.blocks.end(); ++it) {
		const PoolBlock &block = it->second;
		if (block.in_use || block.bytes < bytes || block.bytes / MOST_WASTE > bytes)
			continue;
		bool ordered = block.stream == stream.handle ||
			       (pool.reuse_done && device.done(block.fence));
		if (!ordered && !pool.reuse_waiting)
			continue;
		bool better = best == pool.blocks.end() || ordered > best_ordered ||
			      (ordered == best_ordered && block.bytes < best->second.bytes);
		if (better) {
			best = it;
			best_ordered = ordered;
		}
	}
	return best;
}

Result<Pools::Block> Pools::grow(Pool &pool, drv::Device &device, uint64_t bytes)
{
	std::string why;
	bool fits = pool.max_bytes == 0 ||
		    (bytes <= pool.max_bytes && pool.used <= pool.max_bytes - bytes);
	if (fits && pool.max_bytes != 0)
		(void)shrink(pool, device, pool.max_bytes - bytes);
	auto take = [&] {
		return device.memory().allocate(Place::DEVICE, bytes, UNPU_PAGE_THP, why,
						drv::Use::POOLED);
	};
	auto bo = fits ? take() : Result<drv::Bo>(Status::NO_MEMORY);
	if (!bo && fits) {
		(void)shrink(pool, device, 0);
		bo = take();
	}
	if (!bo)
		return set_error(
			Status::NO_MEMORY,
			fmt::format("{} bytes are not to be had; the pool has {} in use, of {} "
				    "at most (0: what the device has)",
				    bytes, pool.used, pool.max_bytes));
	PoolBlock block;
	block.bytes = bytes;
	pool.reserved += bytes;
	pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
	return pool.blocks.insert_or_assign(bo->va, block).first;
}

static Status refuse_capture(const Stream &stream)
{
	if (!capturing(stream))
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 "memory of a pool is not allocated or given back in a capture");
}

Status Pools::allocate(const void *handle, uint64_t bytes, Stream &stream, void **out)
{
	constexpr uint64_t MOST = uint64_t{1} << 46;
	TRY(refuse_capture(stream));
	std::lock_guard lock(mutex_);
	auto found = find(handle);
	if (!found)
		return found.status();
	Pool &pool = **found;
	if (!pool.device.is(*stream.context->open))
		return set_error(
			Status::INVALID_ARGUMENT,
			"stream is of another device than the pool, or the pool's device was "
			"reset");
	if (bytes > MOST)
		return set_error(Status::NO_MEMORY,
				 fmt::format("size is {}; that much is not to be "
					     "had",
					     bytes));
	bytes = base::round_up(bytes, UNIT);
	Block block = choose(pool, bytes, stream);
	if (block == pool.blocks.end()) {
		auto grown = grow(pool, stream.context->device(), bytes);
		if (!grown)
			return grown.status();
		block = *grown;
	} else if (block->second.stream != stream.handle) {
		add_gate(stream, block->second.fence);
	}
	block->second.in_use = true;
	pool.used += block->second.bytes;
	pool.used_high = std::max(pool.used_high, pool.used);
	*out = reinterpret_cast<void *>(block->first);
	return Status::OK;
}

Status Pools::free(void *address, Stream &stream)
{
	TRY(refuse_capture(stream));
	auto tail = stream_tail(stream);
	if (!tail)
		return set_error(tail.status(), base::status_sentence(tail.status()));
	std::lock_guard lock(mutex_);
	bool done = false;
	pools_.for_each([&](Pool &pool) {
		forget_closed(pool);
		auto block = pool.blocks.find(reinterpret_cast<uint64_t>(address));
		if (block == pool.blocks.end() || !block->second.in_use ||
		    !pool.device.is(*stream.context->open))
			return;
		block->second.in_use = false;
		block->second.stream = stream.handle;
		block->second.fence = *tail;
		pool.used -= block->second.bytes;
		done = true;
	});
	if (done)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("ptr {} is not memory of a pool on the stream's device, or was "
			    "given back already",
			    fmt::ptr(address)));
}

Status Pools::trim(const void *handle, uint64_t keep)
{
	DeviceHold device;
	{
		std::lock_guard lock(mutex_);
		auto pool = find(handle);
		if (!pool)
			return pool.status();
		device = (*pool)->device.hold();
		if (device)
			(void)shrink(**pool, *device, keep);
	}
	if (device)
		Runtime::get().close_idle(std::move(device));
	return Status::OK;
}

void Pools::trim_all()
{
	std::vector<DeviceHold> shrunk;
	{
		std::lock_guard lock(mutex_);
		pools_.for_each([&](Pool &pool) {
			DeviceHold device = pool.device.hold();
			if (!device)
				forget_closed(pool);
			else if (shrink(pool, *device, pool.threshold))
				shrunk.push_back(std::move(device));
		});
	}
	/* That may have been the last memory of a device which the program has reset. */
	for (DeviceHold &device : shrunk)
		Runtime::get().close_idle(std::move(device));
}

} // namespace umd
