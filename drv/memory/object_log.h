// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "uapi/kernel.h"

namespace drv {

/**
 * class ObjectLog - what a worker of user kernels reads to find the object of an address (uapi/kernel.h). Its memory is
 * device memory that the owner provides. Context: the owner's lock, unless it says otherwise.
 */
class ObjectLog {
public:
	/** open() - @head: zeroed memory of the head. Context: once. */
	void open(unpu_kernel_objects &head, const unpu_kernel_window (&windows)[2]);

	/** close() - no worker looks at the log any more. */
	void close();

	bool is_open() const { return head_ != nullptr; }

	/** needs_room() - whether the next entry does not fit. restart() - begins another log with all objects.
	 * @va, @memory, @bytes: of the log, bytes_needed() at least
	 * @objects: those that exist */
	bool needs_room() const { return is_open() && count_ == room_; }
	uint64_t bytes_needed(size_t objects) const;
	void restart(uint64_t va, void *memory, uint64_t bytes,
		     const std::vector<unpu_kernel_object> &objects);

	/** add() - an object was made. remove() - it was freed.
	 * @is_used: work may use it until drop() is called with its start */
	void add(const unpu_kernel_object &object);
	void remove(unpu_kernel_object object, bool is_used);
	void drop(uint64_t start) { leaving_.erase(start); }

	/** freed() - the number of the last free. Context: any thread. */
	uint64_t freed() const;

private:
	void append(const unpu_kernel_object &entry);
	unpu_kernel_object *entries() const
	{
		return reinterpret_cast<unpu_kernel_object *>(log_ + 1);
	}

	unpu_kernel_objects *head_ = nullptr;
	unpu_kernel_log *log_ = nullptr;
	uint64_t room_ = 0;  /* for entries */
	uint64_t count_ = 0; /* of entries; kernels may write to the one in the log */
	uint64_t generation_ = 0;
	uint64_t freed_ = 0; /* read without the lock */
	std::map<uint64_t, unpu_kernel_object>
		leaving_; /* freed objects that work may use, by start */
};

} // namespace drv
