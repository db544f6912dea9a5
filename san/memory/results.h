// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "san/memory/bounds.h"
#include "san/order/command.h"
#include "san/trace/record.h"

namespace san {

/** is_touch() - whether the flags of a COMPARED record say this: the host read or wrote a part of the target
 * or the source of a copy before any call told it that the copy has ended. The site of the record is that of
 * the access, or 0 in traces of older versions. */
constexpr bool is_touch(uint16_t flags)
{
	constexpr uint16_t BOTH = COMPARED_TARGET | COMPARED_AFTER;
	return (flags & BOTH) == BOTH;
}

/**
 * class Results - copies to pinned memory for which the host waits only by a wait for the whole device, or
 * not at all.
 *
 * If a program reads the target too early, its trace looks the same as if it had read the target after that
 * wait. So these copies are no findings; the report only says how to check the reads. For some copies the
 * runtime has seen the host access the target; see is_touch().
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

	/** find() - the copy of this number. Return: nullptr if the host knows its end, or if it is not
	 * judged. */
	CommandPointer find(uint64_t number) const
	{
		const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open &open) {
			return open.is_judged && open.copy->number == number;
		});
		return found == open_.end() ? nullptr : found->copy;
	}

	/** reset_history() - the judge has forgotten what came after the copies. */
	void reset_history()
	{
		for (Open &open : open_)
			open.is_judged = false;
	}

	/** know() - updates the list after a wait. @is_known: a function that tells whether the host of a
	 * client knows now that a copy has ended. @is_apart: the wait was for a stream or an event, not for
	 * the whole device */
	template <class Known> void know(bool is_apart, const Known &is_known)
	{
		const size_t gone = std::erase_if(
			open_, [&](const Open &open) { return is_known(*open.copy); });
		unawaited_ += is_apart ? 0 : gone;
	}

	/** unawaited() - how many copies the host did not wait for separately, or not at all. */
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
