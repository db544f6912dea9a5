// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "san/trace/encoding.h"

namespace san {

/**
 * class Observations - what the commands of a trace have really accessed. OBSERVED records, which come later
 * in the trace, tell it.
 *
 * It takes 16 bytes of memory for each OBSERVED record.
 */
class Observations {
public:
	/** @bytes: the whole file; it must outlive the object. */
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
	std::vector<Place> places_; /* sorted by number */
	Record found_;
};

} // namespace san
