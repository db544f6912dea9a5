// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "san/memory/bounds.h"

namespace san {

/** struct Options - options of a judge: extra checks, and bounds on its memory. */
struct Options {
	bool undefined_parts = false; /* report UNINIT-PART, too */
	bool brief = false;	      /* report each thing once; a repeat has only a number */

	/** place() - a function that describes a call site in a few words. If it is empty, the first line of
	 * the site is used. */
	std::function<std::string(const std::string &site)> place;

	Bounds bounds;
};

} // namespace san
