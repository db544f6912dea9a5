// SPDX-License-Identifier: MIT
/**
 * DOC: Handle word
 *
 * The handle that an object has now. A thread may read it while another one retires it.
 */
#pragma once

#include <cstdint>

#include "base/ordering.h"

namespace umd {

/** class HandleWord - 0 while the object is free; HandleTable alone writes it. Context: any thread. */
class HandleWord {
public:
	/** uint64_t() - to compare or to keep; what it says may be over at once. */
	operator uint64_t() const { return base::load_relaxed(word_); }

	/** now() - with what the object's maker did before it gave the handle out. */
	uint64_t now() const { return base::load_acquire(word_); }

	/** set() - with all that was done to the object before. */
	void set(uint64_t handle) { base::store_release(word_, handle); }

	/** clear() - Return: whether it was @handle. */
	bool clear(uint64_t handle) { return base::compare_exchange(word_, handle, uint64_t{0}); }

private:
	uint64_t word_ = 0;
};

} // namespace umd
