// SPDX-License-Identifier: MIT
/**
 * DOC: Functions of fence sets that ask the device which fences have passed
 */
#pragma once

#include <algorithm>

#include "drv/device.h"
#include "fence_set.h"

namespace umd {

inline void FenceSet::add(const drv::Fence &fence, const drv::Device &device)
{
	drv::Fence *place = nullptr;
	for (unsigned i = 0; i < count_; i++) {
		drv::Fence &old = at(i);
		if (old.sem == fence.sem) {
			old.value = std::max(old.value, fence.value);
			return;
		}
		if (!place && device.done(old))
			place = &old;
	}
	if (!place)
		place = &append();
	*place = fence;
}

inline void FenceSet::take(FenceSet &other, const drv::Device &device)
{
	other.take_while([&](const drv::Fence &fence) {
		add(fence, device);
		return true;
	});
}

inline bool FenceSet::all_done(const drv::Device &device)
{
	return for_each([&](const drv::Fence &fence) { return device.done(fence); });
}

} // namespace umd
