// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "san/trace/record.h"

namespace san {

/**
 * class Marks - finds out which part of the program made a call. MARK records name the parts.
 *
 * The judge may judge a call long after its record, when other parts have begun. So this class keeps where
 * each part begins.
 */
class Marks {
public:
	/** take() - processes the next record. It is called for each record of the trace, in order. */
	void take(const Record &record);

	/** part() - the part that @client was in at @order, a place in the trace; empty if it was in none. */
	const std::string &part(uint32_t client, uint64_t order) const;

	/** MAX_MARKS - the most marks of one trace. Calls after the last kept mark belong to that mark. */
	static constexpr size_t MAX_MARKS = 1 << 16;

private:
	struct Mark {
		uint64_t order;
		std::string part;
	};

	uint64_t order_ = 0;
	size_t count_ = 0;
	std::unordered_map<uint32_t, std::vector<Mark>> clients_;
};

} // namespace san
