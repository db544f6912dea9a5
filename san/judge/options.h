// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "san/memory/bounds.h"

namespace san {

/** struct Options - what the judge looks for beyond errors, and how much it keeps. */
struct Options {
	bool undefined_parts = false; /* UNINIT-PART too */
	bool brief = false;	      /* say each thing once; its repeats are only numbers */

	/** place() - a site in a few words, for sentences; empty: the site's first line. */
	std::function<std::string(const std::string &site)> place;

	Bounds bounds;
};

} // namespace san
