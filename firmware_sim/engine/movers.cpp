// SPDX-License-Identifier: MIT
/**
 * DOC: Movers
 *
 * A thread that finds the lock taken does not wait. In that case another thread is moving the devices, or
 * will look again soon.
 */
#include "movers.h"

namespace fw {

Movers::Movers(unsigned cpus) : cpus_(static_cast<int>(cpus))
{
	for (auto &mover : mover_)
		mover = NOBODY;
}

void Movers::give(uint32_t index, Moved &device, uint32_t mover)
{
	std::lock_guard lock(mutex_);
	mover_[index] = mover;
	given_ += moved_[index] ? 0 : 1;
	moved_[index] = &device;
}

void Movers::end(uint32_t index)
{
	std::lock_guard lock(mutex_);
	mover_[index] = NOBODY;
	given_ -= moved_[index] ? 1 : 0;
	moved_[index] = nullptr;
}

bool Movers::move()
{
	if (!mutex_.try_lock())
		return false;
	std::lock_guard lock(mutex_, std::adopt_lock);
	bool has_worked = false;
	for (Moved *device : moved_)
		has_worked = (device && device->move_here()) || has_worked;
	return has_worked;
}

void Movers::part(uint32_t mover)
{
	std::lock_guard lock(mutex_);
	for (uint32_t index = 0; index < moved_.size(); index++) {
		if (moved_[index] && mover_[index] == mover)
			moved_[index]->move_alone();
	}
}

} // namespace fw
