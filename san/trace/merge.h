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
 * class Merger - merges the records of several traces into one sequence.
 *
 * A process writes a CLOCK record before each record about objects that processes share. Records between two
 * CLOCK records stay together, because they do not concern other processes. Texts get numbers that are unique
 * in the merged trace. Commands get the operands that were observed.
 */
class Merger {
public:
	static constexpr size_t MOST_TRACES = 256;

	/** add() - adds a trace. @bytes: the whole file; it must outlive the merger. Return: false beyond
	 * MOST_TRACES. */
	bool add(std::span<const char> bytes);

	/** next() - reads the next record into @record. Return: false at the end of all traces. */
	bool next(Record &record);

	/** readers() - the readers of the traces, in the order of add(). They tell what is wrong with each
	 * trace. */
	size_t count() const { return sources_.size(); }
	const Reader &reader(size_t index) const { return sources_[index]->reader; }

private:
	struct Source {
		explicit Source(std::span<const char> bytes) : reader(bytes), observations(bytes) {}

		Reader reader;
		Observations observations;
		Record ahead; /* the next record of this trace */
		bool has_ahead = false;
		uint64_t time = 0; /* time of the last CLOCK record */
	};

	static void advance(Source &source);
	static void renumber(Record &record, size_t source);

	std::vector<std::unique_ptr<Source>> sources_;
};

} // namespace san
