// SPDX-License-Identifier: MIT
/**
 * DOC: Round
 *
 * The results of one pass over all measures. A ratio is computed within a round, from two measures less
 * than a second apart, because the speed of a machine changes from minute to minute.
 */
#pragma once

#include <string>
#include <vector>

#include "samples.h"

namespace bench {

/* Keys that others refer to. */
constexpr const char *KEY_LINE = "machine.line";
constexpr const char *KEY_DESCRIPTOR = "machine.descriptor";
constexpr const char *KEY_PAGE = "machine.page";
constexpr const char *KEY_RING = "machine.ring.1";
constexpr const char *KEY_RING_BY_8 = "machine.ring.8";
constexpr const char *KEY_CALL = "machine.call";
constexpr const char *KEY_FUTEX = "machine.futex";
constexpr const char *KEY_FUTEX_ONE_CPU = "machine.futex.one CPU";

/** enum class Against - what a measure's ratio says. */
enum class Against {
	TIME,  /* its time divided by the other's */
	SPEED, /* its speed divided by the other's */
};

/**
 * struct Measure - one measured operation
 * @key: names it in the JSON, as "task.trip"
 * @title: names it for people
 * @base: key of the measure that its ratio is taken to; empty for none
 * @items: parts of the operation, as the nodes of a graph; per-item times divide by it
 * @bytes: moved by one operation; 0 for none
 * @object_bytes: memory that one of the objects it is about takes; 0: not known
 * @wakes: how often a thread woke meanwhile; negative: not counted
 */
struct Measure {
	std::string key;
	std::string title;
	Summary summary;
	std::string base = KEY_DESCRIPTOR;
	Against against = Against::TIME;
	uint64_t items = 1;
	uint64_t bytes = 0;
	double object_bytes = 0;
	double wakes = -1;
};

using Round = std::vector<Measure>;

/** struct Effort - how much to do; a quick run keeps every measure and takes fewer samples. */
struct Effort {
	bool quick = false;

	/** scaled() - @samples, or fewer of them. */
	unsigned scaled(unsigned samples) const { return quick ? samples / 4 + 1 : samples; }
};

} // namespace bench
