// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "san/trace/encoding.h"

namespace san {

/**
 * class Observations - what commands of a trace have accessed, which records behind them tell.
 *
 * Takes 16 bytes for each OBSERVED record.
 */
class Observations {
public:
	/** @bytes: a whole file; it outlives the object. */
	explicit Observations(std::span<const char> bytes);

	/** apply() - gives a command, or a node of a graph, the operands that were observed. */
	void apply(Record &record);

private:
	/* struct Place - the place of an OBSERVED record in the file, by its number. */
	struct Place {
		uint64_t number;
		uint64_t place;
		auto operator<=>(const Place &) const = default;
	};

	std::vector<Operand> gather(uint64_t number);

	Reader reader_;
	std::vector<Place> places_; /* sorted */
	Record found_;
};

} // namespace san
