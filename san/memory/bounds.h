// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace san {

/**
 * struct Bounds - how much a judge keeps at most.
 *
 * Accesses and clocks beyond a bound make the judge forget the past (Judge::forget_past()). Objects beyond a
 * bound are refused: their records count as ones that can't be. With these numbers a trace that is made to
 * use all of them takes less than 3 GiB.
 */
struct Bounds {
	size_t cells = 1 << 21;	      /* segments and accesses in all shadows */
	size_t ticks = 1 << 25;	      /* numbers in all vector clocks */
	size_t name_bytes = 1 << 27;  /* of all texts */
	size_t graph_parts = 1 << 21; /* nodes, operands and edges of all graphs */
	size_t held_parts = 1 << 19;  /* held records and their operands */
	size_t blocks = 1 << 20;
	size_t mappings = 1 << 20;
	size_t events = 1 << 18;
	size_t latches = 1 << 16;
	size_t keys = 1 << 14;
	size_t bodies = 1 << 18; /* host functions that have not run */
	size_t threads = 1 << 14;
	size_t pairs = 1 << 12;	   /* races of one command */
	size_t findings = 1 << 16; /* that repeats are recognised of */
	size_t compared =
		1 << 16; /* copies that have not ended, and steps that they may be after */
};

} // namespace san
