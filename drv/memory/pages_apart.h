// SPDX-License-Identifier: MIT
#pragma once

#include "base/sync/ordering.h"

namespace drv {

/** class PagesApart - whether each pinned object of the process has its pages for itself, so that their protection
 * may change. */
class PagesApart {
public:
	/** begin() - called before anything is allocated. */
	static void begin() { base::store_release(is_on_, uint32_t{1}); }
	static bool is_on() { return base::load_acquire(is_on_) != 0; }

private:
	static inline constinit uint32_t is_on_ = 0; /* atomic */
};

} // namespace drv
