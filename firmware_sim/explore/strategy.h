// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/schedule.h"
#include "choice.h"

namespace fw {

/** enum class Reason - why a device runs commands now; the letters are those of files of decisions. */
enum class Reason : char {
	NONE = 0,
	SUBMIT = 's',	/* a command was submitted, and the call has not returned */
	WAIT = 'w',	/* a thread of the host waits */
	PROGRESS = 'p', /* nothing has happened for a while; the host may be polling */
};

/** class Strategy - chooses the next of the commands that are ready. Context: one thread at a time. */
class Strategy {
public:
	virtual ~Strategy() = default;

	/** choose() - @choices: not empty
	 * Return: the index of the next one; choices.size(): none should run now */
	virtual size_t choose(std::span<const Choice> choices, Reason reason) = 0;

	/** at_submit() - how many commands run before a call that has submitted a command returns. */
	virtual uint64_t at_submit() { return 0; }

	/** needs() - whether it looks at Choice::is_needed. */
	virtual bool needs() const { return false; }
};

/** make_strategy() - makes the strategy of @plan. A replay continues as FIFO after the last recorded
 * decision. */
std::unique_ptr<Strategy> make_strategy(const base::SchedulePlan &plan);

} // namespace fw
