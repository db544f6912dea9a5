// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "san/report/entry.h"

namespace san {

/** nearest_steps() - the steps of both streams that explain the entry best: at most @most, in the order of
 * the trace. */
std::vector<TimelineEntry> nearest_steps(const Entry &entry, size_t most);

/** is_side() - whether the step is one of the two calls of the entry. */
bool is_side(const Entry &entry, const TimelineEntry &step);

/** row_of() - the row of a stream in the drawing: 0 for the stream with the smaller number, and 1 for the
 * other stream. */
int row_of(const Entry &entry, bool is_later);

/** draw_timeline() - two lines of text, one for each stream; empty if there is nothing to draw. */
std::vector<std::string> draw_timeline(const Entry &entry);

} // namespace san
