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
#include <cstring>

#include <fmt/format.h>

#include "drv/device.h"
#include "stream.h"
#include "stream_tail.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/ipc_memory.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;
using drv::Place;

static constexpr uint64_t UNIT = 512;

Result<void *> Pools::create(const DeviceRef &device, uint64_t max_bytes, bool follows,
			     PoolMemory memory)
{
	std::lock_guard lock(mutex_);
	Pool *pool = pools_.create();
	if (!pool)
		return set_error(Status::NO_RESOURCE, "there are too many pools; destroy some");
	uint64_t handle = pool->handle;
	pool->device = device;
	pool->memory = memory;
	pool->follows = follows;
	pool->is_ending = false;
	pool->max_bytes = max_bytes;
	pool->threshold = 0;
	pool->reuse_events = pool->reuse_done = pool->reuse_waiting = true;
	pool->reserved = pool->reserved_high = pool->used = pool->used_high = 0;
	pool->readers = pool->writers = 0;
	pool->blocks.clear();
	pool->idle.clear();
	base::store_relaxed(count_, count_ + 1);
	return reinterpret_cast<void *>(handle);
}

Result<Pool *> Pools::find(const void *handle)
{
	Pool *pool = pools_.get(handle);
	if (pool && !pool->is_ending) {
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
	pool.idle.clear();
	pool.reserved = pool.used = 0;
}

/* Attaches the pool to the device of @home. */
Status Pools::enter(Pool &pool, OpenDevice &home)
{
	if (pool.follows && pool.device.state == &home.state)
		pool.device = DeviceRef(home);
	if (pool.device.is(home))
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 "stream is of another device than the pool, or the pool's device was "
			 "reset; use a stream of the pool's device, or a new pool");
}

Status Pools::destroy(const void *handle)
{
	Surplus surplus;
	TRY(end(handle, false, surplus));
	give_back(std::move(surplus));
	return Status::OK;
}

Status Pools::end(const void *handle)
{
	Surplus surplus;
	TRY(end(handle, true, surplus));
	give_back(std::move(surplus));
	return Status::OK;
}

void Pools::drop(Pool &pool)
{
	pools_.destroy(pool);
	base::store_relaxed(count_, count_ - 1);
}

/* Frees the blocks. They may be the last memory of a device that the program has reset; then it closes. */
void Pools::give_back(Surplus surplus)
{
	if (!surplus.device)
		return;
	/* The driver defers the reuse of a block until the pending work on it is complete. */
	for (const auto &[address, fence] : surplus.blocks) {
		std::vector<Fence> others = Devices::get().fences_of_users(
			surplus.device, reinterpret_cast<const void *>(address));
		if (!fence.empty())
			others.push_back(fence);
		if (surplus.memory.is_imported)
			(void)IpcMemory::get().close_import(reinterpret_cast<void *>(address),
							    std::move(others), surplus.is_recorded);
		else
			(void)surplus.device->memory().free(surplus.memory.place, address,
							    drv::Use::POOLED, std::move(others));
	}
	Devices::get().close_idle(std::move(surplus.device));
}

/* Ends a pool. @waits: the pool stays until the blocks in use are freed */
Status Pools::end(const void *handle, bool waits, Surplus &surplus)
{
	std::lock_guard lock(mutex_);
	auto found = find(handle);
	if (!found)
		return found.status() == Status::INVALID_ARGUMENT ? Status::INTERNAL
								  : found.status();
	Pool &pool = **found;
	if (pool.used > 0 && !waits)
		return set_error(Status::INTERNAL,
				 fmt::format("the pool has {} bytes in use; give them back with "
					     "$mem_pool_free_async first",
					     pool.used));
	surplus = shrink(pool, 0);
	if (pool.used > 0)
		pool.is_ending = true;
	else
		drop(pool);
	return Status::OK;
}

/* Context: the lock is held; the caller releases it before it passes the surplus to give_back(). */
Pools::Surplus Pools::shrink(Pool &pool, uint64_t keep)
{
	Surplus surplus;
	surplus.device = pool.device.hold();
	surplus.memory = pool.memory;
	if (!surplus.device) {
		forget_closed(pool);
		return surplus;
	}
	while (!pool.idle.empty() && pool.reserved > keep) {
		const auto [bytes, address] = *pool.idle.begin();
		pool.idle.erase(pool.idle.begin());
		const auto block = pool.blocks.find(address);
		surplus.blocks.emplace(address, block->second.fence);
		pool.blocks.erase(block);
		pool.reserved -= bytes;
	}
	return surplus;
}

/* Prefers a free block that needs no wait, then the smallest that fits. Skips blocks of more than twice the
 * size, which larger requests can use. A stream of another device can't wait for a fence of the pool's. */
Pools::Block Pools::choose(Pool &pool, uint64_t bytes, const Stream &stream)
{
	constexpr uint64_t MOST_WASTE = 2;
	const DeviceHold device = pool.device.hold();
	const bool may_wait = pool.reuse_waiting && device.holds(stream.context->device());
	auto waiting = pool.blocks.end();
	for (auto idle = pool.idle.lower_bound({bytes, 0});
	     device && idle != pool.idle.end() && idle->first / MOST_WASTE <= bytes; ++idle) {
		const auto it = pool.blocks.find(idle->second);
		const PoolBlock &block = it->second;
		if (block.stream == stream.handle || (pool.reuse_done && device->done(block.fence)))
			return it;
		if (may_wait && waiting == pool.blocks.end())
			waiting = it;
	}
	return waiting;
}

/* Releases the lock during the allocation, which may wait for work that still uses freed memory. Meanwhile
 * the bytes count as used, so no other thread can destroy the pool. */
Result<drv::Bo> Pools::take_memory(Pool &pool, drv::Device &device, uint64_t bytes)
{
	std::string why;
	auto take = [&](Surplus surplus) REQUIRES(mutex_) {
		const base::Unlocked unlocked(mutex_);
		give_back(std::move(surplus));
		return device.memory().allocate(pool.memory.place, bytes, UNPU_PAGE_THP, why,
						drv::Use::POOLED, pool.memory.node);
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
	if (pool.readers != 0)
		device.memory().lend(bo->va, pool.readers, pool.writers);
	return bo->va;
}

/* Return: NOT_READY if the pool has no suitable block. */
Result<uint64_t> Pools::reuse(Pool &pool, uint64_t bytes, Stream &stream)
{
	Block block = choose(pool, bytes, stream);
	if (block == pool.blocks.end())
		return Status::NOT_READY;
	if (block->second.stream != stream.handle) {
		recorder::observer.note_handle_order(block->second.stream, stream);
		if (pool.device.is(*stream.context->open))
			add_gate(stream, block->second.fence);
	}
	block->second.is_in_use = true;
	pool.idle.erase({block->second.bytes, block->first});
	pool.used += block->second.bytes;
	return block->first;
}

static Status refuse_capture(const Stream &stream)
{
	if (!capturing(stream))
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 "memory of a pool is not allocated or given back in a capture; do that "
			 "before the capture begins or after it ends");
}

Status Pools::allocate(const void *handle, uint64_t bytes, Stream &stream, void **out,
		       OpenDevice *home)
{
	constexpr uint64_t MOST = uint64_t{1} << 46;
	TRY(refuse_capture(stream));
	std::lock_guard lock(mutex_);
	auto found = TRY(find(handle));
	Pool &pool = *found;
	if (!home)
		home = stream.context->open;
	TRY(enter(pool, *home));
	if (bytes > MOST)
		return set_error(
			Status::NO_MEMORY,
			fmt::format("size is {}; a pool allocates at most {}", bytes, MOST));
	bytes = base::round_up(bytes, UNIT);
	auto address = reuse(pool, bytes, stream);
	if (!address)
		address = grow(pool, *home->device, bytes);
	if (!address) {
		/* Another thread may have ended the pool while it grew. */
		if (pool.is_ending && pool.used == 0)
			drop(pool);
		return address.status();
	}
	pool.used_high = std::max(pool.used_high, pool.used);
	*out = reinterpret_cast<void *>(*address);
	const recorder::CallScope scope({.memory_flags = san::ALLOC_ASYNC,
					 .stream = recorder::observer.stream_number(stream)});
	recorder::observer.note_allocation(
		{*out, bytes,
		 pool.memory.place == Place::PINNED ? san::ALLOC_HOST : san::AllocFlag{}});
	return Status::OK;
}

Status Pools::enter_import(const void *handle, OpenDevice &home, void *address, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	auto found = TRY(find(handle));
	Pool &pool = *found;
	TRY(enter(pool, home));
	const auto va = reinterpret_cast<uint64_t>(address);
	PoolBlock &block = pool.blocks[va];
	if (block.imports++ > 0)
		return Status::OK;
	block.bytes = bytes;
	block.is_in_use = true;
	pool.used += bytes;
	pool.reserved += bytes;
	pool.used_high = std::max(pool.used_high, pool.used);
	pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
	if (pool.readers != 0)
		home.device->memory().lend(va, pool.readers, pool.writers);
	return Status::OK;
}

Status Pools::import(const void *handle, OpenDevice &home, const unpu_export_key &key, void **out,
		     uint64_t &bytes)
{
	TRY(IpcMemory::get().import(home, key, out));
	bytes = home.device->memory().lookup(reinterpret_cast<uint64_t>(*out)).bytes;
	const Status status = enter_import(handle, home, *out, bytes);
	if (status != Status::OK)
		(void)IpcMemory::get().close_import(*out);
	return status;
}

Status Pools::lend(const void *handle, uint32_t readers, uint32_t writers)
{
	std::lock_guard lock(mutex_);
	auto found = TRY(find(handle));
	Pool &pool = *found;
	pool.readers = readers;
	pool.writers = writers;
	const DeviceHold device = pool.device.hold();
	for (const auto &[address, block] : pool.blocks) {
		if (device)
			device->memory().lend(address, readers, writers);
	}
	return Status::OK;
}

Pool *Pools::owner(const void *address)
{
	Pool *owner = nullptr;
	pools_.for_each([&](Pool &pool) {
		forget_closed(pool);
		auto block = pool.blocks.find(reinterpret_cast<uint64_t>(address));
		if (block != pool.blocks.end() && block->second.is_in_use)
			owner = &pool;
	});
	return owner;
}

bool Pools::owns(const void *address)
{
	if (base::load_relaxed(count_) == 0)
		return false;
	std::lock_guard lock(mutex_);
	return owner(address) != nullptr;
}

/* Takes a block in use out of its pool. */
Pools::Surplus Pools::take_out(const void *address)
{
	Surplus surplus;
	Pool *pool = owner(address);
	if (!pool)
		return surplus;
	auto block = pool->blocks.find(reinterpret_cast<uint64_t>(address));
	surplus.device = pool->device.hold();
	surplus.memory = pool->memory;
	surplus.blocks.emplace(block->first, block->second.fence);
	if (block->second.imports > 1) {
		block->second.imports--;
		return surplus;
	}
	pool->used -= block->second.bytes;
	pool->reserved -= block->second.bytes;
	pool->blocks.erase(block);
	if (pool->is_ending && pool->used == 0)
		drop(*pool);
	return surplus;
}

Status Pools::give_up(void *address)
{
	Surplus surplus;
	{
		std::lock_guard lock(mutex_);
		auto entry = recorder::observer.begin_free(address, "$free");
		surplus = take_out(address);
		if (surplus.blocks.empty())
			return Status::INVALID_ARGUMENT;
		/* The end of an import is recorded when the memory is unmapped. */
		if (!surplus.memory.is_imported)
			entry.publish();
	}
	give_back(std::move(surplus));
	return Status::OK;
}

Status Pools::free(void *address, Stream &stream, const Fence *here)
{
	TRY(refuse_capture(stream));
	auto tail = TRY(stream_tail(stream));
	Surplus surplus;
	std::unique_lock lock(mutex_);
	const recorder::CallScope scope({.stream = recorder::observer.stream_number(stream)});
	auto entry = recorder::observer.begin_free(address, "$mem_pool_free_async");
	Pool *pool = owner(address);
	const bool is_here = pool && pool->device.is(*stream.context->open);
	if (pool && pool->memory.is_imported && (is_here || here)) {
		const auto va = reinterpret_cast<uint64_t>(address);
		const uint64_t bytes = pool->blocks[va].bytes;
		surplus = take_out(address);
		if (!is_here)
			surplus.blocks.begin()->second = *here;
		surplus.is_recorded = !owner(address);
		if (surplus.is_recorded)
			recorder::observer.begin_unmap(va, bytes, true).publish();
		lock.unlock();
		give_back(std::move(surplus));
		return Status::OK;
	}
	if (pool && (is_here || here)) {
		auto block = pool->blocks.find(reinterpret_cast<uint64_t>(address));
		block->second.is_in_use = false;
		block->second.stream = stream.handle;
		block->second.fence = is_here ? tail : *here;
		pool->used -= block->second.bytes;
		pool->idle.emplace(block->second.bytes, block->first);
		if (pool->is_ending && pool->used == 0) {
			surplus = shrink(*pool, 0);
			drop(*pool);
		}
		entry.publish();
		lock.unlock();
		give_back(std::move(surplus));
		return Status::OK;
	}
	TRY(ReleasedMemory::check("ptr", address));
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("ptr {} is not memory of a pool on the stream's device, or was "
			    "given back already",
			    fmt::ptr(address)));
}

void Pools::leave(const OpenDevice &open)
{
	if (base::load_relaxed(count_) == 0)
		return;
	std::vector<Surplus> all;
	{
		std::lock_guard lock(mutex_);
		pools_.for_each([&](Pool &pool) {
			if (pool.follows && pool.device.is(open))
				all.push_back(shrink(pool, 0));
		});
	}
	for (Surplus &surplus : all)
		give_back(std::move(surplus));
}

Status Pools::trim(const void *handle, uint64_t keep)
{
	Surplus surplus;
	{
		std::lock_guard lock(mutex_);
		auto pool = TRY(find(handle));
		surplus = shrink(*pool, keep);
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

/* The reuse policy that an attribute stands for; nullptr if the attribute is a number. */
static const bool *policy_of(const Pool &pool, PoolAttribute attribute)
{
	switch (attribute) {
	case PoolAttribute::REUSE_EVENTS:
		return &pool.reuse_events;
	case PoolAttribute::REUSE_DONE:
		return &pool.reuse_done;
	case PoolAttribute::REUSE_WAITING:
		return &pool.reuse_waiting;
	default:
		return nullptr;
	}
}

static uint64_t number_of(const Pool &pool, PoolAttribute attribute)
{
	switch (attribute) {
	case PoolAttribute::THRESHOLD:
		return pool.threshold;
	case PoolAttribute::RESERVED:
		return pool.reserved;
	case PoolAttribute::RESERVED_HIGH:
		return pool.reserved_high;
	case PoolAttribute::USED:
		return pool.used;
	default:
		return pool.used_high;
	}
}

static Status set_number(Pool &pool, PoolAttribute attribute, uint64_t value)
{
	if (attribute == PoolAttribute::THRESHOLD) {
		pool.threshold = value;
		return Status::OK;
	}
	const bool is_mark =
		attribute == PoolAttribute::RESERVED_HIGH || attribute == PoolAttribute::USED_HIGH;
	if (!is_mark || value != 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("attr {} can't be set to {}; of the counters only the "
					     "high-water marks can be set, to 0",
					     static_cast<uint32_t>(attribute), value));
	if (attribute == PoolAttribute::RESERVED_HIGH)
		pool.reserved_high = pool.reserved;
	else
		pool.used_high = pool.used;
	return Status::OK;
}

Status set_attribute(Pool &pool, PoolAttribute attribute, const void *value)
{
	if (const bool *policy = policy_of(pool, attribute)) {
		int number;
		memcpy(&number, value, sizeof(number));
		*const_cast<bool *>(policy) = number != 0;
		return Status::OK;
	}
	uint64_t number;
	memcpy(&number, value, sizeof(number));
	return set_number(pool, attribute, number);
}

void get_attribute(const Pool &pool, PoolAttribute attribute, void *value)
{
	if (const bool *policy = policy_of(pool, attribute)) {
		const int number = *policy ? 1 : 0;
		memcpy(value, &number, sizeof(number));
		return;
	}
	const uint64_t number = number_of(pool, attribute);
	memcpy(value, &number, sizeof(number));
}

} // namespace umd
