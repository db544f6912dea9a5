// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/sync/ordering.h"

namespace umd::recorder {

/**
 * class CheckBudget - bounds the time that a plain run spends on checks of pinned memory.
 *
 * The first copies of a process are all checked. After that a copy is checked if all checks so far took less than a
 * part of the time since the first one. A mistake in a loop happens again. Context: any thread.
 */
class CheckBudget {
public:
	/** allows() - whether a copy of @bytes bytes is checked. */
	static bool allows(uint64_t bytes)
	{
		const uint64_t count = base::fetch_add(copies_, uint64_t{1});
		const uint64_t before = base::fetch_add(bytes_, bytes);
		if (count == 0)
			base::store_relaxed(began_ns_, base::now_ns());
		if (count < FIRST_COPIES && before < FIRST_BYTES)
			return true;
		return base::load_relaxed(spent_ns_) * PART <
		       base::now_ns() - base::load_relaxed(began_ns_);
	}
	/** spend() - counts the time since @since_ns. */
	static void spend(uint64_t since_ns)
	{
		base::fetch_add(spent_ns_, base::now_ns() - since_ns);
	}

private:
	static constexpr uint64_t FIRST_COPIES = 256;
	static constexpr uint64_t FIRST_BYTES = uint64_t{16} << 20;
	static constexpr uint64_t PART = 8;

	static inline constinit uint64_t copies_ = 0;	/* atomic */
	static inline constinit uint64_t bytes_ = 0;	/* atomic */
	static inline constinit uint64_t began_ns_ = 0; /* atomic */
	static inline constinit uint64_t spent_ns_ = 0; /* atomic */
};

} // namespace umd::recorder
