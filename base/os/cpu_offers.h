// SPDX-License-Identifier: MIT
/**
 * DOC: Offers of a CPU
 *
 * If the process may use only few CPUs, a thread that polls may occupy the CPU that another thread needs to
 * end the wait. So the polling thread offers its CPU, by sched_yield(). A switch between programs takes as
 * long as 50 polls, so the thread offers often only while other threads accept.
 */
#pragma once

#include <cstdint>

#include <sched.h>

#include "base/clock.h"
#include "machine.h"

namespace base {

/** class CpuOffers - the offers of one thread, and whether other threads accept them. Context: that
 * thread. */
class CpuOffers {
public:
	/** are_useful() - whether this process may use so few CPUs that polling threads should offer their
	 * CPU. */
	static bool are_useful()
	{
		static const bool has_few_cpus = usable_cpus() <= FEW_CPUS;
		return has_few_cpus;
	}

	/** are_taken() - whether another thread has accepted one of the last TAKEN_OFFERS offers. */
	bool are_taken() const { return left_ > 0; }

	/** offer() - lets another thread have the CPU. If the call takes TAKEN_NS or longer, another thread
	 * has accepted the offer: a thread that ends the wait, or another thread that waits. @now_ns: the
	 * time before the call */
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
