// SPDX-License-Identifier: MIT
#pragma once

#include "base/assert.h"
#include "base/clock.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include "tuning.h"

namespace fw {

/**
 * class StepToken - the lock of a device: the thread that holds it moves the device. Callers take and
 * release it for each small task, so lock() is one atomic operation and unlock() one store without a
 * wake-up. A thread that finds it taken spins briefly, then tries again every TOKEN_NAP_NS. Context: any
 * thread; not recursive.
 */
class StepToken {
public:
	bool try_lock()
	{
		return base::load_relaxed(held_) == 0 && base::exchange(held_, uint32_t{1}) == 0;
	}

	void lock()
	{
		for (unsigned looks = 1; !try_lock(); looks++) {
			if (looks % tuning::TOKEN_LOOKS != 0)
				base::cpu_relax();
			else
				(void)base::futex_wait(held_, 1,
						       base::deadline_after(tuning::TOKEN_NAP_NS),
						       false);
		}
	}

	void unlock()
	{
		unpu_assert(base::load_relaxed(held_) != 0);
		base::store_release(held_, uint32_t{0});
	}

private:
	uint32_t held_ = 0;
};

} // namespace fw
