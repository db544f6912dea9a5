// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "san/memory/bounds.h"
#include "san/order/command.h"
#include "san/trace/record.h"

namespace san {

/** is_touch() - of the flags of a COMPARED: the host read or wrote its operand, a part of the target of a copy that may
 * still be in flight, before a call told it of any end. */
constexpr bool is_touch(uint16_t flags)
{
	constexpr uint16_t BOTH = COMPARED_TARGET | COMPARED_AFTER;
	return (flags & BOTH) == BOTH;
}

/**
 * class Results - copies to pinned memory that are waited for with everything else, or not at all.
 *
 * A program that reads its target too early has no other trace than one that reads it after that wait. So these copies
 * are no findings; whoever has some is told how to look at the reads. Of some, the runtime has seen that the host
 * touches the target by itself; see is_touch().
 */
class Results {
public:
	explicit Results(const Bounds &bounds) : bounds_(bounds) {}

	void begin(const CommandPointer &copy)
	{
		if (open_.size() < bounds_.compared)
			open_.push_back({copy, true});
	}

	/** is_any_open() - whether the host does not know the end of some copy. */
	bool is_any_open() const { return !open_.empty(); }

	/** find() - Return: the copy of this number, whose end the host does not know; nullptr if it is none that is
	 * judged. */
	CommandPointer find(uint64_t number) const
	{
		const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open &open) {
			return open.is_judged && open.copy->number == number;
		});
		return found == open_.end() ? nullptr : found->copy;
	}

	/** forget_past() - the judge has forgotten what came after the copies so far. */
	void forget_past()
	{
		for (Open &open : open_)
			open.is_judged = false;
	}

	/** know() - @is_known: whether the host of a client knows now that a copy has ended. @is_apart: it waited for a
	 * stream or an event, and not for the whole device */
	template <class Known> void know(bool is_apart, const Known &is_known)
	{
		const size_t gone = std::erase_if(
			open_, [&](const Open &open) { return is_known(*open.copy); });
		unawaited_ += is_apart ? 0 : gone;
	}

	/** unawaited() - @open_ are never waited for. */
	uint64_t unawaited() const { return unawaited_ + open_.size(); }

private:
	struct Open {
		CommandPointer copy;
		bool is_judged;
	};

	const Bounds &bounds_;
	std::vector<Open> open_;
	uint64_t unawaited_ = 0;
};

} // namespace san
