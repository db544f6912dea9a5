// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace san {

/**
 * struct Bounds - the bounds on the memory of a judge.
 *
 * Accesses and clocks beyond a bound make the judge forget the past (Judge::reset_history()). Objects beyond a
 * bound are refused: their records count as impossible. With these values, even a trace that uses all of them
 * takes less than 3 GiB.
 */
struct Bounds {
	size_t cells = 1 << 21;	      /* segments of all shadows, and accesses in them */
	size_t ticks = 1 << 25;	      /* numbers in all vector clocks together */
	size_t name_bytes = 1 << 27;  /* bytes of all texts */
	size_t graph_parts = 1 << 21; /* nodes, operands and edges of all graphs */
	size_t held_parts = 1 << 19;  /* held records and their operands */
	size_t blocks = 1 << 20;
	size_t mappings = 1 << 20;
	size_t events = 1 << 18;
	size_t latches = 1 << 16;
	size_t keys = 1 << 14;
	size_t bodies = 1 << 18; /* host functions that have not run yet */
	size_t threads = 1 << 14;
	size_t pairs = 1 << 12;	   /* races of one command */
	size_t findings = 1 << 16; /* findings whose repeats are recognised */
	size_t compared = 1 << 16; /* unfinished copies, and steps that such a copy may follow */
};

} // namespace san
