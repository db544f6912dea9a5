// SPDX-License-Identifier: MIT
/**
 * DOC: Handle word
 *
 * The handle that an object has now. A thread may read it while another one retires it.
 */
#pragma once

#include <cstdint>

#include "base/sync/ordering.h"

namespace umd {

/** class HandleWord - 0 while the object is free. Only HandleTable writes it. Context: any thread. */
class HandleWord {
public:
	/** uint64_t() - a relaxed load, to compare or to store; the handle may become stale at any time. */
	operator uint64_t() const { return base::load_relaxed(word_); }

	/** now() - pairs with set(): the caller sees the object as its creator initialised it. */
	uint64_t now() const { return base::load_acquire(word_); }

	/** set() - publishes all earlier writes to the object. */
	void set(uint64_t handle) { base::store_release(word_, handle); }

	/** clear() - sets the word to 0 if it is @handle. Return: whether it was. */
	bool clear(uint64_t handle) { return base::compare_exchange(word_, handle, uint64_t{0}); }

private:
	uint64_t word_ = 0;
};

} // namespace umd
