// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "san/trace/record.h"

namespace san {

/**
 * class Marks - which part of the program, as MARK records name it, made a call.
 *
 * A call can be judged long after its record, when other parts have begun. So this keeps where each part begins.
 */
class Marks {
public:
	/** take() - each record of the trace, in its order. */
	void take(const Record &record);

	/** part() - the part of @client at @order, a place in the trace; empty for none. */
	const std::string &part(uint32_t client, uint64_t order) const;

	/** MAX_MARKS - of one trace. Calls behind the last that is kept belong to it. */
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
