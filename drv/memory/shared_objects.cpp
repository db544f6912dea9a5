// SPDX-License-Identifier: MIT
/**
 * DOC: Objects that workers see
 *
 * From the first image of user kernels on, Memory keeps its log of objects. The log's own memory is no object.
 */
#include <cstring>

#include "drv/channel/channel_set.h"
#include "memory.h"

namespace drv {

/* Kernels copy whole blocks of 32 bytes, so the log extends each object to the next multiple of 32 bytes. */
static unpu_kernel_object entry_of(const Bo &bo)
{
	constexpr uint64_t BLOCK = 32;
	const uint64_t group = bo.use == Use::MAPPED ? bo.chunk->va : 0;
	const uint64_t bytes = base::round_up(bo.bytes, BLOCK);
	return {bo.va, bytes, 0, group, bytes - bo.asked_bytes()};
}

/* Registered memory lies outside the windows, and a worker process does not map it. */
static bool is_logged(const Bo &bo)
{
	return bo.use != Use::REGISTERED;
}

static void *memory_of(const Bo &bo)
{
	return bo.chunk->window.data() + (bo.va - bo.chunk->va);
}

uint64_t Memory::share_objects()
{
	std::lock_guard lock(mutex_);
	if (log_head_.va != 0)
		return log_.is_open() ? log_head_.va : 0;
	std::string why;
	auto head = cut(Place::DEVICE, sizeof(unpu_kernel_objects), UNPU_PAGE_4K, -1, why);
	if (!head)
		return 0;
	log_head_ = *head;
	memset(memory_of(log_head_), 0, sizeof(unpu_kernel_objects));
	log_.open(*static_cast<unpu_kernel_objects *>(memory_of(log_head_)),
		  {set_.space().window(Place::DEVICE), set_.space().window(Place::PINNED)});
	begin_log();
	return log_.is_open() ? log_head_.va : 0;
}

/* Without memory for a new log, the log ends. Workers then check addresses against whole segments. */
void Memory::begin_log()
{
	std::vector<unpu_kernel_object> objects;
	for (const auto &[va, bo] : objects_) {
		if (is_logged(bo))
			objects.push_back(entry_of(bo));
	}
	const uint64_t bytes = log_.bytes_needed(objects.size());
	std::string why;
	auto memory = cut(Place::DEVICE, bytes, UNPU_PAGE_4K, -1, why);
	if (log_memory_.va != 0)
		old_logs_.push_back(log_memory_);
	log_memory_ = memory ? *memory : Bo{};
	if (memory)
		log_.restart(memory->va, memory_of(*memory), bytes, objects);
	else
		log_.close();
}

void Memory::log_made(const Bo &bo)
{
	if (!log_.is_open() || !is_logged(bo))
		return;
	if (log_.needs_room())
		begin_log();
	else
		log_.add(entry_of(bo));
}

/* The object is not in objects_ any more. */
void Memory::log_freed(const Bo &bo)
{
	if (!log_.is_open() || !is_logged(bo))
		return;
	if (log_.needs_room())
		begin_log();
	log_.remove(entry_of(bo), bo.use != Use::MAPPED);
}

/* A worker may read the old log until all kernels that were launched before have ended. */
void Memory::free_logs(const PendingFree &pending)
{
	for (const Bo &log : pending.logs)
		set_.defer([this, log] { reclaim(log.chunk, log.va - log.chunk->va); }, log.bytes);
}

void Memory::end_chunk(Chunk *chunk)
{
	{
		std::lock_guard lock(mutex_);
		log_.drop(chunk->va);
	}
	set_.space().destroy_chunk(chunk);
}

} // namespace drv
