// SPDX-License-Identifier: MIT
#pragma once

#include "san/memory/bounds.h"

namespace san {

/** struct Options - what the judge looks for beyond errors, and how much it keeps. */
struct Options {
	bool undefined_parts = false; /* UNINIT-PART too */
	Bounds bounds;
};

} // namespace san
