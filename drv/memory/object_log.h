// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "uapi/kernel.h"

namespace drv {

/**
 * class ObjectLog - what a worker of user kernels reads to find the object of an address (uapi/kernel.h). The
 * log lies in device memory that the owner provides. Context: the owner's lock, unless it says otherwise.
 */
class ObjectLog {
public:
	/** open() - @head: memory for the log's head, filled with zeros. Context: once. */
	void open(unpu_kernel_objects &head, const unpu_kernel_window (&windows)[2]);

	/** close() - tells workers to stop reading the log. */
	void close();

	bool is_open() const { return head_ != nullptr; }

	/** needs_room() - whether the log has no room for another entry. restart() - begins a new log with
	 * all objects. @va, @memory, @bytes: the memory of the new log, at least bytes_needed()
	 * @objects: the objects that exist */
	bool needs_room() const { return is_open() && count_ == room_; }
	uint64_t bytes_needed(size_t objects) const;
	void restart(uint64_t va, void *memory, uint64_t bytes,
		     const std::vector<unpu_kernel_object> &objects);

	/** add() - records that an object was allocated. remove() - records that it was freed.
	 * @is_used: work may use the object until drop() is called with its start address */
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
	uint64_t room_ = 0; /* how many entries fit into the log */
	/* the number of entries. The count in the log is a copy, because kernels may overwrite it. */
	uint64_t count_ = 0;
	uint64_t generation_ = 0;
	uint64_t freed_ = 0; /* read without the lock */
	std::map<uint64_t, unpu_kernel_object>
		leaving_; /* freed objects that work may still use, by start address */
};

} // namespace drv
