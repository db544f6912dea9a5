// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "san/report/entry.h"

namespace san {

/** nearest_steps() - of both streams, those that explain the entry: at most @most, in their order. */
std::vector<Happening> nearest_steps(const Entry &entry, size_t most);

/** is_side() - whether the step is one of the two calls of the entry. */
bool is_side(const Entry &entry, const Happening &step);

/** row_of() - 0 for the upper of the two streams, which is the one of the smaller number, and 1 for the other. */
int row_of(const Entry &entry, bool is_later);

/** draw_timeline() - two lines of text, one for each stream; empty where there is nothing to draw. */
std::vector<std::string> draw_timeline(const Entry &entry);

} // namespace san
