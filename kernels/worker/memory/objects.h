// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "kernels/abi/block.h"
#include "uapi/kernel.h"

namespace worker {

/**
 * class Objects - the allocations of the program, which it reads from the driver's log (uapi/kernel.h). The log lies in
 * device memory, where kernels may have written anything. So what is read is checked, and a log that makes no sense can
 * only make the answers wrong. Context: the session's lock.
 */
class Objects {
public:
	/* using Reader - whether a number of bytes at an address can be read. */
	using Reader = std::function<bool(uint64_t address, uint64_t bytes)>;

	/** enum class Found - what is known of an address. */
	enum class Found {
		UNKNOWN, /* no log has it */
		LIVE,
		FREED,
		NONE, /* no allocation is there */
	};

	/** open() - @head: address of struct unpu_kernel_objects, or 0. */
	void open(uint64_t head) { head_ = head; }

	/** find() - the allocation of @address for a launch that was made after @freed frees.
	 * @range: FREED: the allocation; NONE: the nearest one below, with 0 bytes if there is none */
	Found find(uint64_t address, uint64_t freed, const Reader &can_read,
		   unpu_kernel_memory_range &range);

	/** asked_bytes() - how many bytes the program asked for. @range: from find() */
	uint64_t asked_bytes(const unpu_kernel_memory_range &range) const;

private:
	struct Object {
		uint64_t bytes;
		uint64_t freed; /* number of its free; 0: it is live */
		uint64_t group;
		uint64_t slack; /* bytes at its end that the program did not ask for */
	};
	using Place = std::map<uint64_t, Object>::iterator;

	bool catch_up(const Reader &can_read);
	void apply(const unpu_kernel_object &entry);
	void clear(uint64_t start, uint64_t end);
	void add(const unpu_kernel_object &entry);
	void remove(const unpu_kernel_object &entry);
	Place below(uint64_t address);

	uint64_t head_ = 0;
	uint64_t generation_ = 0;
	uint64_t count_ = 0; /* entries that were read */
	unpu_kernel_window windows_[2] = {};
	std::map<uint64_t, Object> all_; /* by start; they do not overlap */
};

} // namespace worker
