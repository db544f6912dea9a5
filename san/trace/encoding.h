// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "san/trace/record.h"

namespace san {

/** append_head() - appends the head of a trace file to @bytes. */
void append_head(std::string &bytes);

/** append_record() - appends a record. It has at most MAX_OPERANDS operands of MAX_DIMENSIONS. */
void append_record(std::string &bytes, const Record &record);

/**
 * class Reader - reads the records of a trace that is in memory.
 *
 * The trace is not trusted: a reader never looks behind its end. The last record of a program that was
 * killed may be cut off; is_cut() says so.
 */
class Reader {
public:
	/** @bytes: the whole file; it outlives the reader. */
	explicit Reader(std::span<const char> bytes);

	/** next() - reads a record into @record. Return: false at the end, or when problem() says why. */
	bool next(Record &record);

	/** problem() - what is wrong with the file, with the record's number; empty when nothing is. */
	const std::string &problem() const { return problem_; }

	/** is_cut() - whether the file ends inside of a record. */
	bool is_cut() const { return is_cut_; }

	/** place() - of the last record that was read. seek() - reads the record at such a place next. */
	uint64_t place() const { return record_place_; }
	void seek(uint64_t place) { place_ = place; }

	/** count() - records read so far. */
	uint64_t count() const { return count_; }

	/** holes() - records so far that were reserved, and not published. */
	uint64_t holes() const { return holes_; }

private:
	bool fail(const std::string &why);
	bool has(size_t bytes);
	bool skip_holes();
	bool read_operands(Record &record, uint32_t count);
	bool read_text(Record &record, uint32_t bytes);
	template <class T> T field(size_t offset) const;

	std::span<const char> bytes_;
	size_t place_ = 0;
	size_t record_place_ = 0;
	uint64_t count_ = 0;
	uint64_t holes_ = 0;
	bool is_cut_ = false;
	std::string problem_;
};

} // namespace san
