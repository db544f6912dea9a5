// SPDX-License-Identifier: MIT
/**
 * DOC: Watchdog
 *
 * Keeps the latest findings. hang_search.cpp makes them.
 */
#include "watchdog.h"

#include <algorithm>
#include <utility>

namespace fw {

/* The most findings that are kept. */
static constexpr size_t FOUND_MOST = 16;

bool Watchdog::has_reported(const std::string &text) const
{
	return std::find(found_.begin(), found_.end(), text) != found_.end();
}

void Watchdog::report(std::string text)
{
	if (report_)
		report_(text);
	found_.push_back(std::move(text));
	if (found_.size() > FOUND_MOST)
		found_.pop_front();
}

} // namespace fw
