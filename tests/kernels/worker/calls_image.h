// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace calls {

constexpr uint32_t MOST = 64;

/** struct Difference - a call that was not refused, or allowed, as the table says. @result: negative errno */
struct Difference {
	uint64_t number;
	uint64_t arguments[6];
	int64_t result;
	uint64_t is_allowed; /* by the table */
};

/** struct Report - in device memory. */
struct Report {
	uint64_t is_done;
	uint64_t tried;
	uint64_t passed; /* that the table allows */
	uint64_t count;
	Difference differences[MOST];
};

} // namespace calls
