// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>

namespace san {

/** struct StreamName - what a report calls a stream by. */
struct StreamName {
	uint32_t label = 0;
	bool has_id =
		false; /* false: the trace is older than ids, and @id is the stream's number in it */
	uint32_t id = 0; /* of the API */
	uint32_t device = 0;
	uint32_t turn =
		0; /* how many streams of the process had this id before, as far as the trace tells */
};

/**
 * class StreamNames - the names of the streams of one process, by their numbers in the trace.
 *
 * The API gives the id of a stream that is destroyed to the next one. Findings are about streams that are gone, too,
 * so the newest MAX_GONE of those keep their names.
 */
class StreamNames {
public:
	/** add() - @name: its turn is set here */
	void add(uint32_t number, StreamName name);

	/** end() - the stream is gone. */
	void end(uint32_t number);

	/** find() - nullptr: there was none of this number, or it has been gone for long. */
	const StreamName *find(uint32_t number) const;

	static constexpr size_t MAX_GONE = 1024;
	static constexpr size_t MAX_IDS = 65536; /* of which turns are counted */

private:
	std::unordered_map<uint32_t, StreamName> names_;
	std::deque<uint32_t> gone_;	     /* the oldest first */
	std::map<uint64_t, uint32_t> turns_; /* device and id -> streams that had it */
};

} // namespace san
