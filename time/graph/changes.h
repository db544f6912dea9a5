// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace timing {

/** struct Changes - how the calls of a program are to differ from its trace. */
struct Changes {
	/* the second stream's work is put into the first one; numbers of lines, the first line is 1 */
	std::vector<std::pair<uint32_t, uint32_t>> merged;
	/* whether the wait of a stream with this call stack is left out; empty: none is */
	std::function<bool(const std::string &site)> drops_wait;
};

} // namespace timing
