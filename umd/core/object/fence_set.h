// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "drv/packet/fence.h"

namespace drv {
class Device;
} // namespace drv

namespace umd {

/**
 * class FenceSet - a set of fences, all of which have to pass. A later fence of a timeline implies the
 * earlier ones, so the set has at most one for each timeline. The first INLINE fences need no allocation.
 * Functions that take a device are defined in fence_set_ops.h. Context: the caller's lock.
 */
class FenceSet {
public:
	/** add() - adds @fence. It may take the place of a fence that has passed on @device. */
	inline void add(const drv::Fence &fence, const drv::Device &device);

	/** for_each() - calls @visit for the fences until it returns false. Return: true if it never returned
	 * false. */
	template <class F> bool for_each(F visit)
	{
		for (unsigned i = 0; i < count_; i++) {
			if (!visit(at(i)))
				return false;
		}
		return true;
	}

	/** has() - whether @fence, or a later one of its timeline, is in the set. */
	bool has(const drv::Fence &fence)
	{
		return !for_each([&](const drv::Fence &one) {
			return one.sem != fence.sem || one.value < fence.value;
		});
	}

	/** take_while() - drops the fences for which @visit returns true, up to the first one for which it
	 * returns false. */
	template <class F> void take_while(F visit)
	{
		for (; count_ > 0; count_--) {
			if (!visit(at(count_ - 1)))
				return;
			if (count_ > INLINE)
				more_.pop_back();
		}
	}

	/** take() - moves the fences of @other to this set. */
	inline void take(FenceSet &other, const drv::Device &device);

	/** all_done() - whether all fences have passed. */
	inline bool all_done(const drv::Device &device);

	bool is_empty() const { return count_ == 0; }

	void clear()
	{
		count_ = 0;
		more_.clear();
	}

private:
	static constexpr unsigned INLINE = 8;

	drv::Fence &at(unsigned i) { return i < INLINE ? few_[i] : more_[i - INLINE]; }

	drv::Fence &append()
	{
		if (count_ >= INLINE)
			more_.emplace_back();
		return at(count_++);
	}

	std::array<drv::Fence, INLINE> few_;
	std::vector<drv::Fence> more_; /* clear() keeps the capacity of this vector */
	unsigned count_ = 0;
};

} // namespace umd
