// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "san/trace/record.h"

namespace san {

/** append_head() - appends the head of a trace file to @bytes. */
void append_head(std::string &bytes);

/** append_record() - appends a record. It has at most MAX_OPERANDS operands, each with at most MAX_DIMENSIONS
 * dimensions. */
void append_record(std::string &bytes, const Record &record);

/**
 * class Reader - reads the records of a trace that is in memory.
 *
 * The trace is not trusted, so a reader never reads beyond its end. If the program was killed, its last
 * record may be cut off; is_cut() tells that.
 */
class Reader {
public:
	/** @bytes: the whole file; it must outlive the reader. */
	explicit Reader(std::span<const char> bytes);

	/** next() - reads a record into @record. Return: false at the end, or if problem() tells why. */
	bool next(Record &record);

	/** problem() - what is wrong with the file, with the number of the record; empty if nothing is
	 * wrong. */
	const std::string &problem() const { return problem_; }

	/** is_cut() - whether the file ends inside of a record. */
	bool is_cut() const { return is_cut_; }

	/** place() - the place of the last record that was read. seek() - makes the record at such a place
	 * the next one to read. */
	uint64_t place() const { return record_place_; }
	void seek(uint64_t place) { place_ = place; }

	/** count() - records read so far. */
	uint64_t count() const { return count_; }

	/** holes() - number of records so far that were reserved but not published. */
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
