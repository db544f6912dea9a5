// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

namespace fw {

/** class Arrivals - the numbers of a channel's packets in the order in which all packets came. */
class Arrivals {
public:
	/** @index: the first packet that is counted */
	explicit Arrivals(uint64_t index) : first_(index) {}

	/** next() - the index of the next packet to be counted. */
	uint64_t next() const { return first_ + numbers_.size(); }

	/** add() - packet next() has come. */
	void add(uint64_t number) { numbers_.push_back(number); }

	/** drop_below() - forgets the packets below @index, also those that were not counted. */
	void drop_below(uint64_t index)
	{
		while (!numbers_.empty() && first_ < index) {
			numbers_.pop_front();
			first_++;
		}
		if (numbers_.empty())
			first_ = std::max(first_, index);
	}

	/** of() - the number of packet @index; 0: it was not counted, or is forgotten. */
	uint64_t of(uint64_t index) const
	{
		return index < first_ || index >= next() ? 0 : numbers_[index - first_];
	}

private:
	uint64_t first_; /* index of the packet that numbers_[0] belongs to */
	std::deque<uint64_t> numbers_;
};

} // namespace fw
