// SPDX-License-Identifier: MIT
/**
 * DOC: Log of objects
 *
 * An allocation must not cost a message to the firmware, so the worker of user kernels reads what it needs from memory.
 * A log costs one entry for each allocation and free; the reader makes a map of it.
 */
#include "object_log.h"

#include "base/sync/ordering.h"

namespace drv {

void ObjectLog::open(unpu_kernel_objects &head, const unpu_kernel_window (&windows)[2])
{
	head_ = &head;
	head.windows[0] = windows[0];
	head.windows[1] = windows[1];
}

void ObjectLog::close()
{
	if (head_)
		base::store_release(head_->log, uint64_t{0}); /* U5 */
	head_ = nullptr;
	log_ = nullptr;
	room_ = count_ = 0;
	leaving_.clear();
}

/* The new log has room for twice the existing objects. So a restart happens rarely, and its cost per entry is
 * small. */
uint64_t ObjectLog::bytes_needed(size_t objects) const
{
	constexpr size_t LEAST = 1024;
	const size_t first = objects + 2 * leaving_.size();
	return sizeof(unpu_kernel_log) + (2 * first + LEAST) * sizeof(unpu_kernel_object);
}

void ObjectLog::restart(uint64_t va, void *memory, uint64_t bytes,
			const std::vector<unpu_kernel_object> &objects)
{
	log_ = static_cast<unpu_kernel_log *>(memory);
	log_->generation = ++generation_;
	log_->count = count_ = 0;
	room_ = (bytes - sizeof(*log_)) / sizeof(unpu_kernel_object);
	for (const auto &[start, object] : leaving_) {
		unpu_kernel_object made = object;
		made.freed = 0;
		append(made);
		append(object);
	}
	for (const unpu_kernel_object &object : objects)
		append(object);
	base::store_release(head_->log, va); /* U5 */
}

void ObjectLog::append(const unpu_kernel_object &entry)
{
	entries()[count_++] = entry;
	base::store_release(log_->count, count_); /* U5: the entry was stored before */
}

void ObjectLog::add(const unpu_kernel_object &object)
{
	if (log_)
		append(object);
}

void ObjectLog::remove(unpu_kernel_object object, bool is_used)
{
	if (!log_)
		return;
	object.freed = freed_ + 1;
	append(object);
	if (is_used)
		leaving_[object.start] = object;
	/* A launch that carries this number happens after the free. */
	base::store_release(freed_, object.freed);
}

uint64_t ObjectLog::freed() const
{
	return base::load_acquire(freed_);
}

} // namespace drv
