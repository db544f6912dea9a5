// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "tuning.h"

namespace fw {

/** class Looks - how long a device that finds no work goes on looking for some. Context: under the step token. */
class Looks {
public:
	/** @polls: empty polls before a channel is armed, see Config::idle_polls */
	explicit Looks(uint32_t polls) : polls_(polls) {}

	/** note_work() - a turn had work. */
	void note_work()
	{
		empty_ = 0;
		in_vain_ = 0;
	}

	/** note_empty() - a turn found its ring empty.
	 * Return: whether all @rings were found empty since this was last true. */
	bool note_empty(unsigned rings)
	{
		if (++empty_ < rings)
			return false;
		empty_ = 0;
		return true;
	}

	/** is_worth_another() - the run queue is empty, but a message of another device is expected.
	 * Return: whether to look for it once more before the device sleeps. */
	bool is_worth_another()
	{
		if (++in_vain_ < polls_)
			return true;
		in_vain_ = 0;
		return false;
	}

	/** note_burst() - a burst has ended at @now_ns. */
	void note_burst(bool has_worked, uint64_t now_ns)
	{
		if (has_worked)
			worked_ns_ = now_ns;
	}

	/** is_over() - whether a device that yields its CPU has polled long enough. It measures time and does not count
	 * looks. The time of the threads that get the CPU counts, too, because a thread that sleeps gets the CPU back
	 * sooner than one that yields. */
	bool is_over(uint64_t now_ns) const
	{
		return now_ns - worked_ns_ >
		       uint64_t{polls_} * (base::NS_PER_S / 1000000) / tuning::POLLS_PER_US;
	}

private:
	const uint32_t polls_;
	unsigned empty_ = 0;	 /* empty rings since all were last found empty */
	unsigned in_vain_ = 0;	 /* looks in a row for a message that is expected */
	uint64_t worked_ns_ = 0; /* when the device last had work */
};

} // namespace fw
