// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "san/memory/bounds.h"
#include "san/order/command.h"

namespace san {

/**
 * class Results - copies to pinned memory that are waited for with everything else, or not at all.
 *
 * A program that reads its target too early has no other trace than one that reads it after that wait. So these copies
 * are no findings; whoever has some is told how to look at the reads.
 */
class Results {
public:
	explicit Results(const Bounds &bounds) : bounds_(bounds) {}

	void begin(const CommandPointer &copy)
	{
		if (open_.size() < bounds_.compared)
			open_.push_back(copy);
	}

	/** know() - @is_known: whether the host of a client knows now that a copy has ended. @is_apart: it waited for a
	 * stream or an event, and not for the whole device */
	template <class Known> void know(bool is_apart, const Known &is_known)
	{
		const size_t gone = std::erase_if(
			open_, [&](const CommandPointer &copy) { return is_known(*copy); });
		unawaited_ += is_apart ? 0 : gone;
	}

	/** unawaited() - @open_ are never waited for. */
	uint64_t unawaited() const { return unawaited_ + open_.size(); }

private:
	const Bounds &bounds_;
	std::vector<CommandPointer> open_;
	uint64_t unawaited_ = 0;
};

} // namespace san
