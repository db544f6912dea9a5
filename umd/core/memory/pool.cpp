// SPDX-License-Identifier: MIT
/**
 * DOC: Pools
 *
 * A pool chooses a block on the host, at the time of the call, although earlier work may still use the
 * block. If that work is in the same stream, stream order makes the reuse safe. Otherwise the pool adds a
 * wait before the stream's next task.
 */
#include "pool.h"

#include <algorithm>

#include <fmt/format.h>

#include "released.h"
#include "umd/core/device/devices.h"
#include "umd/core/notes/notes.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/stream.h"

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
	TRY(Process::check_fork());
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
	Surplus surplus;
	TRY(end(handle, surplus));
	give_back(std::move(surplus));
	return Status::OK;
}

/* Frees the blocks. They may be the last memory of a device that the program has reset; then it closes. */
void Pools::give_back(Surplus surplus)
{
	if (!surplus.device)
		return;
	/* The driver defers the reuse of a block until the pending work on it is complete. */
	for (uint64_t address : surplus.blocks)
		(void)surplus.device->memory().free(Place::DEVICE, address, drv::Use::POOLED);
	Devices::get().close_idle(std::move(surplus.device));
}

Status Pools::end(const void *handle, Surplus &surplus)
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
					     "$mem_pool_free_async first",
					     pool.used));
	surplus = shrink(pool, 0);
	pools_.destroy(pool);
	base::store_relaxed(count_, count_ - 1);
	return Status::OK;
}

/* Context: the lock is held; the caller releases it before it passes the surplus to give_back(). */
Pools::Surplus Pools::shrink(Pool &pool, uint64_t keep)
{
	Surplus surplus;
	surplus.device = pool.device.hold();
	if (!surplus.device) {
		forget_closed(pool);
		return surplus;
	}
	for (auto block = pool.blocks.begin();
	     block != pool.blocks.end() && pool.reserved > keep;) {
		if (block->second.is_in_use) {
			++block;
			continue;
		}
		surplus.blocks.push_back(block->first);
		pool.reserved -= block->second.bytes;
		block = pool.blocks.erase(block);
	}
	return surplus;
}

/* Prefers a free block that needs no wait, then the smallest that fits. Skips blocks of more than twice the
 * size, which larger requests can use. */
Pools::Block Pools::choose(Pool &pool, uint64_t bytes, const Stream &stream)
{
	constexpr uint64_t MOST_WASTE = 2;
	drv::Device &device = stream.context->device();
	auto best = pool.blocks.end();
	bool best_ordered = false;
	for (auto it = pool.blocks.begin(); it != pool.blocks.end(); ++it) {
		const PoolBlock &block = it->second;
		if (block.is_in_use || block.bytes < bytes || block.bytes / MOST_WASTE > bytes)
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

/* Releases the lock during the allocation, which may wait for work that still uses freed memory. Meanwhile
 * the bytes count as used, so no other thread can destroy the pool. */
Result<drv::Bo> Pools::take_memory(Pool &pool, drv::Device &device, uint64_t bytes)
{
	std::string why;
	auto take = [&](Surplus surplus) REQUIRES(mutex_) {
		const base::Unlocked unlocked(mutex_);
		give_back(std::move(surplus));
		return device.memory().allocate(Place::DEVICE, bytes, UNPU_PAGE_THP, why,
						drv::Use::POOLED);
	};
	Surplus surplus;
	if (pool.max_bytes != 0)
		surplus = shrink(pool, pool.max_bytes - bytes);
	pool.used += bytes;
	pool.reserved += bytes;
	auto bo = take(std::move(surplus));
	if (!bo)
		bo = take(shrink(pool, 0));
	if (!bo) {
		pool.used -= bytes;
		pool.reserved -= bytes;
	}
	return bo;
}

Result<uint64_t> Pools::grow(Pool &pool, drv::Device &device, uint64_t bytes)
{
	const bool fits = pool.max_bytes == 0 ||
			  (bytes <= pool.max_bytes && pool.used <= pool.max_bytes - bytes);
	auto bo = fits ? take_memory(pool, device, bytes) : Result<drv::Bo>(Status::NO_MEMORY);
	if (!bo)
		return set_error(
			Status::NO_MEMORY,
			fmt::format("{} bytes can't be allocated; the pool has {} in use, of {} "
				    "at most (0: what the device has)",
				    bytes, pool.used, pool.max_bytes));
	PoolBlock block;
	block.bytes = bytes;
	block.is_in_use = true;
	pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
	pool.blocks.insert_or_assign(bo->va, block);
	return bo->va;
}

/* Return: NOT_READY if the pool has no suitable block. */
Result<uint64_t> Pools::reuse(Pool &pool, uint64_t bytes, Stream &stream)
{
	Block block = choose(pool, bytes, stream);
	if (block == pool.blocks.end())
		return Status::NOT_READY;
	if (block->second.stream != stream.handle) {
		recorder::note_order(block->second.stream, stream);
		add_gate(stream, block->second.fence);
	}
	block->second.is_in_use = true;
	pool.used += block->second.bytes;
	return block->first;
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
		return set_error(
			Status::NO_MEMORY,
			fmt::format("size is {}; a pool allocates at most {}", bytes, MOST));
	bytes = base::round_up(bytes, UNIT);
	auto address = reuse(pool, bytes, stream);
	if (!address)
		address = grow(pool, stream.context->device(), bytes);
	if (!address)
		return address.status();
	pool.used_high = std::max(pool.used_high, pool.used);
	*out = reinterpret_cast<void *>(*address);
	const recorder::CallScope scope(
		{.memory_flags = san::ALLOC_ASYNC, .stream = recorder::stream_number(stream)});
	recorder::note_allocation(*out, bytes);
	return Status::OK;
}

Status Pools::free(void *address, Stream &stream)
{
	TRY(refuse_capture(stream));
	auto tail = stream_tail(stream);
	if (!tail)
		return tail.status();
	std::lock_guard lock(mutex_);
	bool done = false;
	const recorder::CallScope scope({.stream = recorder::stream_number(stream)});
	auto entry = recorder::begin_free(address, "$mem_pool_free_async");
	pools_.for_each([&](Pool &pool) {
		forget_closed(pool);
		auto block = pool.blocks.find(reinterpret_cast<uint64_t>(address));
		if (block == pool.blocks.end() || !block->second.is_in_use ||
		    !pool.device.is(*stream.context->open))
			return;
		block->second.is_in_use = false;
		block->second.stream = stream.handle;
		block->second.fence = *tail;
		pool.used -= block->second.bytes;
		done = true;
	});
	if (done) {
		entry.publish();
		return Status::OK;
	}
	TRY(ReleasedMemory::check("ptr", address));
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("ptr {} is not memory of a pool on the stream's device, or was "
			    "given back already",
			    fmt::ptr(address)));
}

Status Pools::trim(const void *handle, uint64_t keep)
{
	Surplus surplus;
	{
		std::lock_guard lock(mutex_);
		auto pool = find(handle);
		if (!pool)
			return pool.status();
		surplus = shrink(**pool, keep);
	}
	give_back(std::move(surplus));
	return Status::OK;
}

void Pools::trim_all()
{
	std::vector<Surplus> all;
	{
		std::lock_guard lock(mutex_);
		pools_.for_each([&](Pool &pool) {
			Surplus surplus = shrink(pool, pool.threshold);
			if (!surplus.blocks.empty())
				all.push_back(std::move(surplus));
		});
	}
	for (Surplus &surplus : all)
		give_back(std::move(surplus));
}

} // namespace umd
