// SPDX-License-Identifier: MIT
/**
 * DOC: Movers
 *
 * A thread that finds the lock taken does not wait. In that case another thread is moving the devices, or
 * will look again soon.
 */
#include "movers.h"

#include "base/clock.h"
#include "firmware_sim/schedule/tuning.h"

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

void Handover::give()
{
	const uint32_t other = wanted_by_.exchange(Movers::NOBODY);
	signals_ = 0;
	movers_.give(index_, device_, other);
	is_given_ = true;
}

void Handover::take_back()
{
	movers_.end(index_);
	wanted_by_ = Movers::NOBODY;
	is_given_ = false;
}

bool Handover::note_signal()
{
	const uint64_t now_ns = base::coarse_ns();
	if (now_ns < alone_until_ns_.load())
		return false;
	if (now_ns - signals_ns_.load() > tuning::MOVER_SIGNALS_NS) {
		signals_ns_ = now_ns;
		signals_ = 0;
	}
	return ++signals_ >= tuning::MOVER_SIGNALS;
}

bool Handover::must_be_alone()
{
	if (!has_long_work_.load())
		return false;
	alone_until_ns_ = base::coarse_ns() + tuning::MOVED_ALONE_NS;
	return true;
}

} // namespace fw
