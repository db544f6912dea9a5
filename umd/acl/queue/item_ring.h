// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace umd {

/**
 * class ItemRing - a FIFO with a fixed capacity; items are moved in and out. Context: the owner's lock.
 */
template <class T> class ItemRing {
public:
	explicit ItemRing(size_t capacity) : slots_(capacity) {}

	size_t capacity() const { return slots_.size(); }
	size_t size() const { return static_cast<size_t>(tail_ - head_); }
	bool empty() const { return tail_ == head_; }
	bool full() const { return size() == slots_.size(); }

	/** push() - adds an item at the end. Context: not full. */
	void push(T item) { slots_[tail_++ % slots_.size()] = std::move(item); }
	/** first(), pop() - return or remove the oldest item. Context: not empty. */
	const T &first() const { return slots_[head_ % slots_.size()]; }
	T pop() { return std::exchange(slots_[head_++ % slots_.size()], T{}); }

private:
	std::vector<T> slots_;
	uint64_t head_ = 0;
	uint64_t tail_ = 0;
};

/** wait_deadline() - the deadline of a timeout in milliseconds: -1 for no limit, 0 does not wait.
 * Return: 0 for a deadline that has passed already. */
inline uint64_t wait_deadline(int32_t timeout_ms)
{
	if (timeout_ms < 0)
		return base::NO_DEADLINE;
	return timeout_ms == 0
		       ? 0
		       : base::deadline_after(static_cast<uint64_t>(timeout_ms) * base::NS_PER_MS);
}

} // namespace umd
