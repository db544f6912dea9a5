// SPDX-License-Identifier: MIT
/**
 * DOC: Offers of a CPU
 *
 * Where the CPUs are few, a thread that polls may hold the CPU that another thread needs to end the wait. So it offers
 * its own. A switch between programs takes as long as 50 polls, so the thread offers often only while others take it.
 */
#pragma once

#include <cstdint>

#include <sched.h>

#include "base/clock.h"
#include "machine.h"

namespace base {

/** class CpuOffers - the offers of one thread, and whether others take them. Context: that thread. */
class CpuOffers {
public:
	/** are_useful() - whether this process may use so few CPUs that threads which poll offer theirs. */
	static bool are_useful()
	{
		static const bool has_few_cpus = usable_cpus() <= FEW_CPUS;
		return has_few_cpus;
	}

	/** are_taken() - whether one of the last TAKEN_OFFERS was taken. */
	bool are_taken() const { return left_ > 0; }

	/** offer() - lets another thread have the CPU. An offer that takes TAKEN_NS or longer was taken, by a thread
	 * that ends the wait or by another one that waits. @now_ns: the time before the call */
	void offer(uint64_t now_ns)
	{
		sched_yield();
		if (base::now_ns() - now_ns >= TAKEN_NS)
			left_ = TAKEN_OFFERS;
		else if (left_ > 0)
			left_--;
	}

private:
	static constexpr unsigned FEW_CPUS = 8;
	static constexpr uint64_t TAKEN_NS = 1200;
	static constexpr unsigned TAKEN_OFFERS = 16;

	unsigned left_ = 0;
};

} // namespace base
