// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "san/trace/encoding.h"
#include "san/trace/observations.h"

namespace san {

/**
 * class Merger - the records of several traces as those of one.
 *
 * A process writes a CLOCK record before each record of what processes share. The records between two of
 * them stay together: they are of no interest to other processes. Texts get numbers that are unique in the
 * merged trace. Commands have the operands that were observed.
 */
class Merger {
public:
	static constexpr size_t MOST_TRACES = 256;

	/** add() - @bytes: a whole file; it outlives the merger. Return: false beyond MOST_TRACES. */
	bool add(std::span<const char> bytes);

	/** next() - reads the next record into @record. Return: false at the end of all traces. */
	bool next(Record &record);

	/** readers() - of the traces, in the order of add(): what is wrong with each of them. */
	size_t count() const { return sources_.size(); }
	const Reader &reader(size_t index) const { return sources_[index]->reader; }

private:
	struct Source {
		explicit Source(std::span<const char> bytes) : reader(bytes), observations(bytes) {}

		Reader reader;
		Observations observations;
		Record ahead; /* the record to come */
		bool has_ahead = false;
		uint64_t time = 0; /* of the last CLOCK */
	};

	static void advance(Source &source);
	static void renumber(Record &record, size_t source);

	std::vector<std::unique_ptr<Source>> sources_;
};

} // namespace san
