// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "tuning.h"

namespace fw {

/** class Naps - the naps of a device's thread while other threads move the device. Context: the device's thread. */
class Naps {
public:
	/** next_ns() - the length of the next nap. @is_given: the thread of another device moves the device */
	uint64_t next_ns(bool is_given)
	{
		if (std::exchange(is_rested_, false))
			return tuning::RESTED_DOZE_NS;
		return is_given ? tuning::MOVED_DOZE_NS : tuning::DOZE_NS;
	}

	/** note_turns() - @turns: how many turns callers have taken so far.
	 * Return: whether they have taken one since the last nap. */
	bool note_turns(uint64_t turns) { return std::exchange(turns_, turns) != turns; }

	/** note_use() - callers came during the nap, or they left work. */
	void note_use() { empty_ = 0; }

	/** note_empty() - no caller came during the nap, and there was no work.
	 * Return: whether there were enough such naps in a row. */
	bool note_empty()
	{
		if (++empty_ < tuning::EMPTY_NAPS)
			return false;
		empty_ = 0;
		return true;
	}

	/** note_rest() - the thread sleeps until a kick. */
	void note_rest() { is_rested_ = true; }

private:
	uint64_t turns_ = 0;	 /* turns of callers until the last nap */
	unsigned empty_ = 0;	 /* naps in a row in which no caller came, and no work */
	bool is_rested_ = false; /* the thread has just slept until a kick */
};

} // namespace fw
