// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "drv/packet/fence.h"

namespace umd {

/**
 * class EventRecord - the fence of an event's latest record: one word, which threads read and replace
 * without a lock. A fence whose value does not fit into the word is kept in @wide_, under a lock.
 *
 * Bits 0-43 of the word are the fence's value, 44-63 its semaphore; 0 is "never recorded". Relaxed
 * accesses are enough: a reader loads the semaphore next, with acquire (A3). Context: any thread.
 */
class EventRecord {
public:
	static constexpr unsigned VALUE_BITS = 44;
	static_assert(UNPU_MAX_SEMAPHORES <= 1u << (64 - VALUE_BITS));

	/** set() - makes @fence, which is not empty, the fence of the latest record. */
	void set(const drv::Fence &fence)
	{
		if (!set_narrow(fence)) [[unlikely]]
			set_wide(fence);
	}

	/** set_narrow() - set() if @fence fits into the word. Return: whether it does. */
	bool set_narrow(const drv::Fence &fence)
	{
		if (fence.value >= VALUE) [[unlikely]]
			return false;
		base::store_relaxed(word_, uint64_t{fence.sem} << VALUE_BITS | fence.value);
		return true;
	}

	/** clear() - back to "never recorded". */
	void clear() { base::store_relaxed(word_, uint64_t{0}); }

	bool recorded() const { return base::load_relaxed(word_) != 0; }

	/** fence() - the fence of the latest record; an empty fence if there was none. */
	drv::Fence fence() const
	{
		uint64_t word = base::load_relaxed(word_);
		if (word == WIDE) [[unlikely]]
			return wide();
		return unpack(word);
	}

	/** narrow_fence() - as fence(), but an empty fence if it does not fit into the word. */
	drv::Fence narrow_fence() const
	{
		const uint64_t word = base::load_relaxed(word_);
		return word == WIDE ? drv::Fence{} : unpack(word);
	}

private:
	static constexpr uint64_t VALUE = (uint64_t{1} << VALUE_BITS) - 1;
	static constexpr uint64_t WIDE = ~uint64_t{0};

	static drv::Fence unpack(uint64_t word)
	{
		return {static_cast<uint32_t>(word >> VALUE_BITS), word & VALUE};
	}

	void set_wide(const drv::Fence &fence)
	{
		std::lock_guard lock(mutex_);
		wide_ = fence;
		base::store_relaxed(word_, WIDE);
	}

	drv::Fence wide() const
	{
		std::lock_guard lock(mutex_);
		uint64_t word = base::load_relaxed(word_);
		return word == WIDE ? wide_ : unpack(word);
	}

	uint64_t word_ = 0;
	mutable base::Mutex mutex_{"EventRecord::mutex_"};
	drv::Fence wide_ GUARDED_BY(mutex_);
};

} // namespace umd
